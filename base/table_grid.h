/* What a table holds, shared by table.c (which fills it) and table_render.c, table_term.c and table_html.c (which read it); private to them. */
#pragma once

#include "base/table.h"

struct column {
  char *title, *unit, *key;
  enum table_align align;
  int drop; /* as in table_drop */
  bool cut; /* as in table_cut */
};

struct cell {
  char *text;  /* for people; "" is absent */
  char *value; /* for CSV; "" is absent */
  char style;  /* as in table_style; 0: none */
  bool markup; /* as in table_markup */
};

struct row {
  size_t first; /* index of its first cell */
  size_t n;     /* cells it has; the columns after them are absent */
  bool ruled;   /* a rule stands before it */
};

struct table {
  struct column *columns;
  size_t n_columns;
  struct row *rows;
  size_t n_rows;
  struct cell *cells; /* of all rows, one row after the other */
  size_t n_cells;
  bool rule_pending;
  bool failed;
};

/* An absent cell where the row has none there. */
const struct cell *table_cell_at(const struct table *t, const struct row *r, size_t column);
const char *table_cell_shown(const struct cell *c); /* what people see */
