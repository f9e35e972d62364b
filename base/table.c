#include "base/table.h"

#include "base/array.h"
#include "base/table_grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table *table_new(void) {
  return calloc(1, sizeof(struct table));
}

void table_free(struct table *t) {
  if (!t)
    return;
  for (size_t i = 0; i < t->n_columns; i++) {
    free(t->columns[i].title);
    free(t->columns[i].unit);
    free(t->columns[i].key);
  }
  for (size_t i = 0; i < t->n_cells; i++) {
    free(t->cells[i].text);
    free(t->cells[i].value);
  }
  free(t->columns);
  free(t->rows);
  free(t->cells);
  free(t);
}

void table_column(struct table *t, const char *title, const char *unit, const char *key, enum table_align align) {
  struct column *c = array_add(&t->columns, &t->n_columns, sizeof *c);
  *c = (struct column){
      .title = str_copy(title ? title : ""),
      .unit = str_copy(unit ? unit : ""),
      .key = str_copy(key     ? key
                      : title ? title
                              : ""),
      .align = align,
  };
}

/* What follows the mark, which ends the text before it; NULL: there is none. */
static char *cut_at(char *text, const char *mark) {
  char *at = strstr(text, mark);
  if (at)
    *at = 0;
  return at ? at + strlen(mark) : NULL;
}

void table_head(struct table *t, const char *columns) {
  char *copy = str_copy(columns), *rest = copy;
  while (rest) {
    char *title = rest, *shown = (rest = cut_at(title, " | "), title + (*title == '>'));
    bool cut = cut_at(shown, " …");
    const char *drop = cut_at(shown, " -"), *key = cut_at(shown, " =");
    char *unit = cut_at(shown, " [");
    if (unit)
      unit[strcspn(unit, "]")] = 0;
    table_column(t, shown, unit, key, *title == '>' ? TABLE_RIGHT : TABLE_LEFT);
    if (drop)
      table_drop(t, atoi(drop));
    if (cut)
      table_cut(t);
  }
  free(copy);
}

struct table *table_of(const char *columns) {
  struct table *t = table_new();
  table_head(t, columns);
  return t;
}

void table_row(struct table *t) {
  struct row *row = array_add(&t->rows, &t->n_rows, sizeof *row);
  *row = (struct row){.first = t->n_cells, .ruled = t->rule_pending};
  t->rule_pending = false;
}

void table_rule(struct table *t) {
  t->rule_pending = true;
}

/* Owns text and value from here on. */
static void cell_push(struct table *t, char *text, char *value) {
  /* A cell without a row or a column is a fault of the caller, which would be lost without a trace. */
  t->failed |= t->n_rows == 0 || t->rows[t->n_rows - 1].n == t->n_columns;
  if (t->failed) {
    free(text);
    free(value);
    return;
  }
  struct cell *cell = array_add(&t->cells, &t->n_cells, sizeof *cell);
  *cell = (struct cell){.text = text, .value = value};
  t->rows[t->n_rows - 1].n++;
}

void table_cell(struct table *t, const char *text, const char *value) {
  text = text ? text : "";
  cell_push(t, str_copy(text), str_copy(value ? value : text));
}

void table_cellf(struct table *t, const char *format, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, format);
  int n = vasprintf(&text, format, args);
  va_end(args);
  if (n >= 0)
    cell_push(t, text, str_copy(text));
}

void table_format(struct table *t, const char *format, double value) {
  if (isfinite(value))
    table_cellf(t, format, value);
  else
    table_cell(t, "", NULL);
}
void table_number(struct table *t, double value, int digits) {
  if (!isfinite(value)) {
    table_cell(t, "", NULL);
    return;
  }
  digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
  /* The power of ten is taken after rounding: 9.9996 to four digits is 10.00. */
  char scientific[40];
  snprintf(scientific, sizeof scientific, "%.*e", digits - 1, value);
  int exponent = (int)strtol(strchr(scientific, 'e') + 1, NULL, 10);
  int decimals = value == 0 || exponent >= digits ? 0 : digits - 1 - exponent;
  cell_push(t, str_printf("%.*f", decimals, value == 0 ? 0 : value), str_printf("%.17g", value));
}

void table_line(struct table *t, const char *kinds, ...) {
  va_list values;
  char kind[16];
  int n;
  va_start(values, kinds);
  table_row(t);
  for (; sscanf(kinds, " %15[^ ]%n", kind, &n) == 1; kinds += n)
    if (*kind == 's')
      table_cell(t, va_arg(values, const char *), NULL);
    else if (*kind == 'd')
      table_cellf(t, "%d", va_arg(values, int));
    else if (*kind == 'z')
      table_cellf(t, "%zu", va_arg(values, size_t));
    else if (*kind == '%')
      table_format(t, kind, va_arg(values, double));
    else
      table_number(t, va_arg(values, double), atoi(kind));
  va_end(values);
}

void table_style(struct table *t, char style) {
  if (t->n_rows > 0 && t->rows[t->n_rows - 1].n > 0)
    t->cells[t->n_cells - 1].style = style;
}

void table_markup(struct table *t) {
  if (t->n_rows > 0 && t->rows[t->n_rows - 1].n > 0)
    t->cells[t->n_cells - 1].markup = true;
}

void table_drop(struct table *t, int order) {
  if (t->n_columns > 0)
    t->columns[t->n_columns - 1].drop = order;
}

void table_cut(struct table *t) {
  if (t->n_columns > 0)
    t->columns[t->n_columns - 1].cut = true;
}

const struct cell *table_cell_at(const struct table *t, const struct row *r, size_t column) {
  static const struct cell absent = {.text = "", .value = ""};
  return column < r->n ? &t->cells[r->first + column] : &absent;
}

const char *table_cell_shown(const struct cell *c) {
  return *c->text ? c->text : "–";
}

bool table_ok(const struct table *t) {
  return !t->failed;
}
