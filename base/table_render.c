#include "base/table_grid.h"

#include "base/markdown.h"
#include "base/plain.h"

#include <stdlib.h>
#include <string.h>

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
  out->failed |= !table_ok(t);
  if (t->n_columns == 0)
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
      const struct cell *cell = table_cell_at(t, &t->rows[r], c);
      text_add(out, "| ");
      markdown_add(out, table_cell_shown(cell), cell->markup);
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
  out->failed |= !table_ok(t);
  for (size_t c = 0; c < t->n_columns; c++)
    csv_add(out, t->columns[c].key, c + 1 == t->n_columns);
  for (size_t r = 0; r < t->n_rows; r++)
    for (size_t c = 0; c < t->n_columns; c++)
      csv_add(out, table_cell_at(t, &t->rows[r], c)->value, c + 1 == t->n_columns);
}

void table_json(const struct table *t, struct text *out) {
  out->failed |= !table_ok(t);
  text_add(out, "[");
  for (size_t r = 0; t && r < t->n_rows; r++) {
    text_add(out, r ? ",\n {" : "\n {");
    for (size_t c = 0; c < t->n_columns; c++) {
      const char *value = table_cell_at(t, &t->rows[r], c)->value;
      text_add(out, c ? ", " : "");
      json_text(out, t->columns[c].key);
      text_add(out, ": ");
      if (*value)
        json_text(out, value);
      else
        text_add(out, "null");
    }
    text_add(out, "}");
  }
  text_add(out, "\n]");
}
