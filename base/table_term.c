/* A table on a terminal: what is too wide is left out or broken over lines, never cut. */
#include "base/table_grid.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum {
  GAP = 2,         /* columns of the terminal between two columns of the table */
  TEXT_LEAST = 24, /* text is not broken narrower while a column is left to leave out */
  WORD_MOST = 24,  /* longer words are broken as texts are; no more than TEXT_LEAST */
  LEAST = 8
};

struct layout { /* of one table on one terminal */
  const struct table *t;
  size_t *widths, *least; /* of each column; least while it is narrowed */
  bool *out;              /* columns that are left out */
};

struct narrowing {
  size_t least;   /* columns that every text keeps */
  bool words;     /* no word is broken */
  bool droppable; /* of columns too that can be left out */
  bool first;     /* of the first too, which names the row */
};

static size_t display_width(const char *s) {
  return utf8_columns(s, strlen(s));
}

static void text_repeat(struct text *out, const char *s, size_t n) {
  while (n-- > 0)
    text_add(out, s);
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/* --- widths --- */

static void natural_widths(struct layout *l) {
  const struct table *t = l->t;
  for (size_t c = 0; c < t->n_columns; c++) {
    l->widths[c] = larger(display_width(t->columns[c].title), display_width(t->columns[c].unit));
    for (size_t r = 0; r < t->n_rows; r++)
      l->widths[c] = larger(l->widths[c], display_width(table_cell_shown(table_cell_at(t, &t->rows[r], c))));
  }
}

static size_t line_width(const struct layout *l) {
  size_t width = 0;
  for (size_t c = 0; c < l->t->n_columns; c++)
    width += l->out[c] ? 0 : l->widths[c] + GAP;
  return width ? width - GAP : 0;
}

/* Columns that a text needs at least: its title's, and its longest word's, for "7168×16384×1" is
 * not broken while anything else is to be had. */
static size_t least_width(const struct layout *l, size_t column, size_t least, bool words) {
  const struct column *c = &l->t->columns[column];
  least = larger(least, larger(display_width(c->title), display_width(c->unit)));
  for (size_t r = 0; r < l->t->n_rows && words && !c->cut; r++)
    for (const char *s = table_cell_shown(table_cell_at(l->t, &l->t->rows[r], column)); *s; s += *s == ' ') {
      size_t n = strcspn(s, " "), columns = utf8_columns(s, n);
      if (columns <= WORD_MOST)
        least = larger(least, columns);
      s += n;
    }
  return least;
}

/* Takes columns from the widest text until the line fits or none has more than its least. */
static void narrow(struct layout *l, size_t limit, struct narrowing how) {
  for (size_t c = 0; c < l->t->n_columns; c++)
    l->least[c] = least_width(l, c, how.least, how.words);
  while (line_width(l) > limit) {
    size_t widest = 0, found = 0;
    for (size_t c = how.first ? 0 : 1; c < l->t->n_columns; c++) {
      const struct column *column = &l->t->columns[c];
      if (!l->out[c] && column->align == TABLE_LEFT && (how.droppable || !column->drop) && l->widths[c] > widest &&
          l->widths[c] > l->least[c]) {
        widest = l->widths[c];
        found = c + 1;
      }
    }
    if (!found)
      return;
    l->widths[found - 1]--;
  }
}

/* The next column to leave out: the least `drop`, else the last.  False: one is left. */
static bool leave_one_out(struct layout *l, bool declared) {
  size_t found = 0;
  for (size_t c = 1; c < l->t->n_columns; c++) {
    const int drop = l->t->columns[c].drop;
    if (l->out[c] || (declared && !drop))
      continue;
    if (!found || !declared || drop < l->t->columns[found].drop)
      found = c;
  }
  if (found)
    l->out[found] = true;
  return found != 0;
}

static void fit(struct layout *l, size_t limit) {
  do {
    natural_widths(l);
    narrow(l, limit, (struct narrowing){.least = TEXT_LEAST});
  } while (line_width(l) > limit && leave_one_out(l, true));
  narrow(l, limit, (struct narrowing){.least = LEAST, .words = true, .droppable = true});
  narrow(l, limit, (struct narrowing){.least = TEXT_LEAST, .droppable = true, .first = true});
  while (line_width(l) > limit && leave_one_out(l, false))
    continue;
  narrow(l, limit, (struct narrowing){.least = LEAST, .droppable = true, .first = true});
}

/* --- lines --- */

/* Bytes of the first line of s, at most `width` columns: broken at a blank, else behind a sign. */
static size_t line_length(const char *s, size_t width) {
  size_t bytes = strspn(s, " ") < width ? strspn(s, " ") : 0, columns = bytes, blank = 0, sign = 0;
  for (; s[bytes] && (columns < width || utf8_continues(s[bytes])); bytes++) {
    columns += !utf8_continues(s[bytes]);
    if (s[bytes] == ' ')
      blank = bytes;
    else if (strchr("-_/.,:;|", s[bytes]))
      sign = bytes + 1;
  }
  if (!s[bytes] || s[bytes] == ' ')
    return bytes;
  return blank ? blank : sign ? sign : bytes;
}

/* Bytes of s that have room, with a column for … where it is cut. */
static size_t cut_length(const char *s, size_t width, bool *cut) {
  *cut = display_width(s) > width;
  return utf8_bytes(s, width > *cut ? width - *cut : 0);
}

/* The next line of *s; control characters, which move cursors, are blanks. */
static void entry_add(struct text *out, const char **s, size_t width, const struct column *c, const char *colour) {
  bool cut = false;
  for (size_t blanks = strspn(*s, " "); c->cut && blanks > width / 3 && display_width(*s) > width; blanks--)
    ++*s; /* what is indented deep would be all blanks */
  size_t n = c->cut ? cut_length(*s, width, &cut) : line_length(*s, width), used = utf8_columns(*s, n) + cut;
  size_t padding = used < width ? width - used : 0;
  bool coloured = n > 0 && *colour;
  if (c->align == TABLE_RIGHT)
    text_repeat(out, " ", padding);
  text_add(out, coloured ? colour : "");
  for (size_t i = 0; i < n; i++) {
    bool control = (unsigned char)(*s)[i] < 0x20 || (*s)[i] == 0x7F;
    text_add_n(out, control ? " " : *s + i, 1);
  }
  text_add(out, cut ? "…" : "");
  text_add(out, coloured ? "\033[0m" : "");
  text_repeat(out, " ", GAP + (c->align == TABLE_LEFT ? padding : 0));
  *s += cut ? strlen(*s) : n + ((*s)[n] == ' ');
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

static bool has_units(const struct layout *l) {
  for (size_t c = 0; c < l->t->n_columns; c++)
    if (!l->out[c] && *l->t->columns[c].unit)
      return true;
  return false;
}

static void header_render(const struct layout *l, struct text *out, bool colour, bool units) {
  for (size_t c = 0; c < l->t->n_columns; c++) {
    const struct column *column = &l->t->columns[c];
    const char *s = units ? column->unit : column->title;
    if (!l->out[c])
      entry_add(out, &s, l->widths[c], column, colour ? style_colour(units ? 'd' : 'B') : "");
  }
  line_end(out);
}

static void rule_render(const struct layout *l, struct text *out) {
  text_repeat(out, "─", line_width(l));
  text_add(out, "\n");
}

/* As many lines as its longest cell takes.  rest: room for what is left of each cell. */
static void row_render(const struct layout *l, const struct row *r, const char **rest, struct text *out, bool colour) {
  bool more = true;
  for (size_t c = 0; c < l->t->n_columns; c++)
    rest[c] = table_cell_shown(table_cell_at(l->t, r, c));
  while (more) {
    more = false;
    for (size_t c = 0; c < l->t->n_columns; c++) {
      const char style = table_cell_at(l->t, r, c)->style;
      if (l->out[c])
        continue;
      entry_add(out, &rest[c], l->widths[c], &l->t->columns[c], colour ? style_colour(style) : "");
      more = more || *rest[c];
    }
    line_end(out);
  }
}

static void say_left_out(const struct layout *l, struct text *out, int width) {
  struct text line = {0};
  bool any = false;
  for (size_t c = 0; c < l->t->n_columns; c++) {
    const struct column *column = &l->t->columns[c];
    bool alone = true;
    if (!l->out[c])
      continue;
    for (size_t other = 0; other < l->t->n_columns; other++)
      alone = alone && (other == c || strcmp(l->t->columns[other].title, column->title) != 0);
    text_printf(&line, "%s %s", any ? "," : "left out at this width:", column->title);
    if (!alone || !*column->title)
      text_printf(&line, "%s%s", *column->title ? " " : "", column->unit);
    any = true;
  }
  text_add(&line, any ? "\n" : "");
  text_fit(out, text_str(&line), width);
  text_end(&line, out);
}

void table_term(const struct table *t, struct text *out, int width, bool colour) {
  out->failed |= !table_ok(t);
  if (t->n_columns == 0)
    return;
  struct layout l = {t, calloc(t->n_columns, sizeof *l.widths), calloc(t->n_columns, sizeof *l.least),
                     calloc(t->n_columns, sizeof *l.out)};
  const char **rest = calloc(t->n_columns, sizeof *rest);
  if (width > 0)
    fit(&l, (size_t)width);
  else
    natural_widths(&l);
  header_render(&l, out, colour, false);
  if (has_units(&l))
    header_render(&l, out, colour, true);
  rule_render(&l, out);
  for (size_t r = 0; r < t->n_rows; r++) {
    if (r > 0 && t->rows[r].ruled)
      rule_render(&l, out);
    row_render(&l, &t->rows[r], rest, out, colour);
  }
  say_left_out(&l, out, width);
  free(l.widths);
  free(l.least);
  free(l.out);
  free(rest);
}

void table_print(struct table *t, struct text *out, int width, bool colour) {
  table_term(t, out, width, colour);
  table_free(t);
}
