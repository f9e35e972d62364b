#include "base/table_grid.h"

#include "base/markdown.h"
#include "base/plain.h"

#include <stdlib.h>
#include <string.h>

enum {
  GAP = 2,            /* columns of the terminal between two columns of the table */
  SHORTENED_LEAST = 8 /* a column is never shortened below this: less says nothing */
};

static const struct cell *cell_at(const struct table *t, const struct row *r, size_t column) {
  static const struct cell absent = {.text = "", .value = ""};
  return column < r->n ? &t->cells[r->first + column] : &absent;
}

static const char *cell_shown(const struct cell *c) {
  return *c->text ? c->text : "–";
}

static bool is_continuation(char c) {
  return ((unsigned char)c & 0xC0) == 0x80;
}

static size_t display_width(const char *s) {
  size_t width = 0;
  for (; *s; s++)
    width += !is_continuation(*s);
  return width;
}

/* At most `width` columns of s.  A control character could move the cursor or change colours, so it is shown as a blank. */
static void text_add_shown(struct text *out, const char *s, size_t width) {
  bool cut = display_width(s) > width;
  size_t left = cut ? width - 1 : width;
  for (; *s; s++) {
    if (!is_continuation(*s) && left-- == 0)
      break;
    bool control = (unsigned char)*s < 0x20 || *s == 0x7F;
    text_add_n(out, control ? " " : s, 1);
  }
  if (cut)
    text_add(out, "…");
}

static void text_repeat(struct text *out, const char *s, size_t n) {
  while (n-- > 0)
    text_add(out, s);
}

static void entry_add(struct text *out, const char *s, size_t width, enum table_align align, const char *colour) {
  size_t used = display_width(s);
  size_t padding = used < width ? width - used : 0;
  bool coloured = *s && *colour;
  if (align == TABLE_RIGHT)
    text_repeat(out, " ", padding);
  text_add(out, coloured ? colour : "");
  text_add_shown(out, s, width);
  text_add(out, coloured ? "\033[0m" : "");
  text_repeat(out, " ", GAP + (align == TABLE_LEFT ? padding : 0));
}

/* A line ends with its last entry, not with the blanks that pad it. */
static void line_end(struct text *out) {
  while (!out->failed && out->n > 0 && out->s[out->n - 1] == ' ')
    out->n--;
  text_add(out, "\n");
}

static const char *style_colour(char style) {
  switch (style) {
  case 'g':
    return "\033[32m";
  case 'b':
    return "\033[31m";
  case 'd':
    return "\033[2m";
  case 'B':
    return "\033[1m";
  default:
    return "";
  }
}

static bool has_units(const struct table *t) {
  for (size_t c = 0; c < t->n_columns; c++) {
    if (*t->columns[c].unit)
      return true;
  }
  return false;
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

static size_t line_width(const struct table *t, const size_t *widths) {
  size_t width = (t->n_columns - 1) * GAP;
  for (size_t c = 0; c < t->n_columns; c++)
    width += widths[c];
  return width;
}

static void widths_find(const struct table *t, size_t *widths, size_t limit) {
  size_t widest = 0;
  bool shortenable = false;
  for (size_t c = 0; c < t->n_columns; c++) {
    widths[c] = larger(display_width(t->columns[c].title), display_width(t->columns[c].unit));
    for (size_t r = 0; r < t->n_rows; r++)
      widths[c] = larger(widths[c], display_width(cell_shown(cell_at(t, &t->rows[r], c))));
    if (t->columns[c].align == TABLE_LEFT && (!shortenable || widths[c] > widths[widest])) {
      widest = c;
      shortenable = true;
    }
  }
  size_t width = line_width(t, widths);
  if (limit == 0 || width <= limit || !shortenable || widths[widest] <= SHORTENED_LEAST)
    return;
  size_t excess = width - limit;
  widths[widest] = excess + SHORTENED_LEAST < widths[widest] ? widths[widest] - excess : SHORTENED_LEAST;
}

static void header_render(const struct table *t, struct text *out, const size_t *widths, bool colour) {
  for (size_t c = 0; c < t->n_columns; c++)
    entry_add(out, t->columns[c].title, widths[c], t->columns[c].align, colour ? style_colour('B') : "");
  line_end(out);
  if (!has_units(t))
    return;
  for (size_t c = 0; c < t->n_columns; c++)
    entry_add(out, t->columns[c].unit, widths[c], t->columns[c].align, colour ? style_colour('d') : "");
  line_end(out);
}

static void rule_render(const struct table *t, struct text *out, const size_t *widths) {
  text_repeat(out, "─", line_width(t, widths));
  text_add(out, "\n");
}

void table_term(const struct table *t, struct text *out, int width, bool colour) {
  if (!t || t->n_columns == 0)
    return;
  size_t *widths = calloc(t->n_columns, sizeof *widths);
  if (!widths) {
    out->failed = true;
    return;
  }
  widths_find(t, widths, width > 0 ? (size_t)width : 0);
  header_render(t, out, widths, colour);
  rule_render(t, out, widths);
  for (size_t r = 0; r < t->n_rows; r++) {
    if (r > 0 && t->rows[r].ruled)
      rule_render(t, out, widths);
    for (size_t c = 0; c < t->n_columns; c++) {
      const struct cell *cell = cell_at(t, &t->rows[r], c);
      entry_add(out, cell_shown(cell), widths[c], t->columns[c].align, colour ? style_colour(cell->style) : "");
    }
    line_end(out);
  }
  free(widths);
}

static void markup_add(struct text *out, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    text_add(out, s[i] == '|' ? "\\" : "");
    text_add_n(out, s + i, 1);
  }
}

static void markdown_add(struct text *out, const char *s, bool markup) {
  for (;; s++) {
    size_t n = strcspn(s, "\n"), shown = n - (n > 0 && s[n - 1] == '\r');

    if (markup)
      markup_add(out, s, shown);
    else
      markdown_text_n(out, s, shown);
    s += n;
    if (!*s)
      return;
    text_add(out, "<br>");
  }
}

void table_markdown(const struct table *t, struct text *out) {
  if (!t || t->n_columns == 0)
    return;
  for (size_t c = 0; c < t->n_columns; c++) {
    text_add(out, "| ");
    markdown_add(out, t->columns[c].title, false);
    if (*t->columns[c].unit) {
      text_add(out, *t->columns[c].title ? " (" : "(");
      markdown_add(out, t->columns[c].unit, false);
      text_add(out, ")");
    }
    text_add(out, " ");
  }
  text_add(out, "|\n");
  for (size_t c = 0; c < t->n_columns; c++)
    text_add(out, t->columns[c].align == TABLE_RIGHT ? "|---:" : "|---");
  text_add(out, "|\n");
  for (size_t r = 0; r < t->n_rows; r++) {
    for (size_t c = 0; c < t->n_columns; c++) {
      const struct cell *cell = cell_at(t, &t->rows[r], c);

      text_add(out, "| ");
      markdown_add(out, cell_shown(cell), cell->markup);
      text_add(out, " ");
    }
    text_add(out, "|\n");
  }
}

/* A spreadsheet runs a cell that begins so; of a number it is the sign. */
static bool is_formula(const char *s) {
  char *end;
  if (!*s || !strchr("=+@-\t", *s))
    return false;
  strtod(s, &end);
  return *end || end == s;
}

static void csv_add(struct text *out, const char *cell, bool last) {
  struct text clean = {0};
  if (is_formula(cell))
    text_add(&clean, "'");
  plain_text(&clean, cell);
  out->failed |= clean.failed;
  const char *s = text_str(&clean);
  if (strpbrk(s, ",\"\r\n")) {
    text_add(out, "\"");
    for (; *s; s++) {
      text_add_n(out, s, 1);
      if (*s == '"')
        text_add(out, "\"");
    }
    text_add(out, "\"");
  } else {
    text_add(out, s);
  }
  text_add(out, last ? "\r\n" : ",");
  text_release(&clean);
}

void table_csv(const struct table *t, struct text *out) {
  if (!t)
    return;
  for (size_t c = 0; c < t->n_columns; c++)
    csv_add(out, t->columns[c].key, c + 1 == t->n_columns);
  for (size_t r = 0; r < t->n_rows; r++) {
    for (size_t c = 0; c < t->n_columns; c++)
      csv_add(out, cell_at(t, &t->rows[r], c)->value, c + 1 == t->n_columns);
  }
}

static void json_add(struct text *out, const char *s) {
  text_add(out, "\"");
  for (; *s; s++) {
    if (*s == '"' || *s == '\\')
      text_add(out, "\\");
    if ((unsigned char)*s < 0x20)
      text_printf(out, "\\u%04x", (unsigned)(unsigned char)*s);
    else
      text_add_n(out, s, 1);
  }
  text_add(out, "\"");
}

void table_json(const struct table *t, struct text *out) {
  text_add(out, "[");
  for (size_t r = 0; t && r < t->n_rows; r++) {
    text_add(out, r ? ",\n {" : "\n {");
    for (size_t c = 0; c < t->n_columns; c++) {
      const char *value = cell_at(t, &t->rows[r], c)->value;
      text_add(out, c ? ", " : "");
      json_add(out, t->columns[c].key);
      text_add(out, ": ");
      if (*value)
        json_add(out, value);
      else
        text_add(out, "null");
    }
    text_add(out, "}");
  }
  text_add(out, "\n]");
}
