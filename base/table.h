/* One table, rendered for people and programs.  Columns first, then cells row by row; the table copies every string. */
#pragma once

#include "base/text.h"

#include <stdbool.h>

enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table; /* opaque */

struct table *table_new(void); /* NULL where memory ran out; every function below takes NULL and does nothing */
void table_free(struct table *t);
/* title: shown to people ("time"); unit: "µs" or "" (shown under or behind the title); key: the CSV header ("time_us"). */
void table_column(struct table *t, const char *title, const char *unit, const char *key, enum table_align align);
/* Where a terminal is narrow the last column is left out `order`-th, 1 first; 0 (unless told): only where all others are gone. */
void table_drop(struct table *t, int order);
/* Where a terminal is narrow the last column, LEFT, is cut with … and not broken: code, of which a line is a line. */
void table_cut(struct table *t);
/* Columns by their line, "variant | >time [µs] =time_us -2 | code …": > is RIGHT; the unit; the key where it is not the title; table_drop's order; table_cut. */
void table_head(struct table *t, const char *columns);
struct table *table_of(const char *columns); /* a new table with these */
void table_row(struct table *t);             /* starts a row */
void table_rule(struct table *t);            /* a rule before the next row (terminal only) */
/* The next cell of the row: text for people; value for CSV (NULL: the same text). "" is an absent value: a dash for people,
 * nothing in CSV. */
void table_cell(struct table *t, const char *text, const char *value);
void table_cellf(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number for people with `digits` significant digits (8.6 with 4 is 8.600), never in exponent form, digits before the point never
 * dropped; whole in CSV (%.17g).  Not finite: absent. */
void table_number(struct table *t, double value, int digits);
void table_format(struct table *t, const char *format, double value); /* "%.1f", in CSV too.  Not finite: absent. */
/* A row, or its first cells, by their kinds and a value for each, "s z 4 %.1f": s a text (NULL: absent), d int, z size_t, 1 to 9 a double as table_number has it, with so
 * many digits, a format a double as table_format has it. */
void table_line(struct table *t, const char *kinds, ...);
/* Styles the last cell where the terminal has colour: 'g' good, 'b' bad, 'd' dim, 'B' bold. */
void table_style(struct table *t, char style);
/* The last cell's text is Markdown of the caller's own, which table_markdown does not escape but for bars and newlines. */
void table_markup(struct table *t);

bool table_ok(const struct table *t); /* false: memory ran out, or a cell had no row or no column */
/* What renders a table that is not ok marks `out` as failed. */
/* Widths count display columns of UTF-8 (µ, ×, → are one).  width: the terminal's columns, 0 for no limit.  To fit, columns are left out
 * (table_drop), and a line below names them; other LEFT columns are broken over lines, the first last. */
void table_term(const struct table *t, struct text *out, int width, bool colour);
void table_print(struct table *t, struct text *out, int width, bool colour); /* table_term, and table_free */
void table_markdown(const struct table *t, struct text *out); /* all text is escaped (markdown.h); a newline is <br> */
void table_csv(const struct table *t,
               struct text *out); /* RFC 4180; a text that a spreadsheet would run gets an apostrophe */
/* A <table> in a scrolling region, with its caption, column headers, and the first cell of a row as the row's header, its middle cut
 * out where it is very long.  All text is escaped.
 * href: writes where a row's header leads ("#step-a"), from its text; NULL, or nothing written: no link. */
typedef void table_href_fn(const void *context, const char *first, struct text *out);
void table_html(const struct table *t, struct text *out, const char *caption, table_href_fn *href, const void *context);
/* An array with an object a row: the column's key and the cell's CSV value as a string, null where it is absent. */
void table_json(const struct table *t, struct text *out);
