/* Metric groups: run/metrics/NN-NAME.txt, a metric a row.  A new metric needs no C.
 *
 * COUNTERS  name, unit, CUPTI expressions ('|' between alternatives; the first whose names the chip
 *           knows is used), chips that lack it ('-' for none; names blank between), what it counts
 * FORMULAS  name, unit, formula, title, hint.  A formula (base/expr.h) may use every counter, the
 *           facts of a result (analysis/metrics), and the formulas above it, in its file or in one
 *           with a lower number
 * EACH      keys; below it a row of cells for each thing.  Rows further down in which {KEY} stands
 *           are made once for each thing, and rows that follow each other stay together
 *
 * A tab stands between cells.  Lines that begin with '#' are comments, blank ones are passed over.
 * Bytes are "B".
 */
#pragma once

#include "base/err.h"
#include "base/expr.h"

#include <stdbool.h>
#include <stddef.h>

struct metric_row { /* a counter */
  char *group, *name, *unit, *absent_on, *text;
  struct expr **alternatives;
  size_t n_alternatives;
};

struct metric_formula {
  char *group, *name, *unit, *title, *hint;
  struct expr *expr;
  int line; /* of the group's file, from 1 */
};

struct metric_table { /* initialise with {0} */
  struct metric_row *rows;
  size_t n;
  struct metric_formula *formulas;
  size_t n_formulas;
};

/* All embedded groups.  ERR_DATA "80-stalls.txt:7: ..." */
int metric_table_load(struct metric_table *t, struct err *e);
/* Adds one group from text. */
int metric_table_add(struct metric_table *t, const char *file, const char *text, struct err *e);
/* Keeps the counters that are counted apart, or the others. */
void metric_table_keep(struct metric_table *t, bool apart);
void metric_table_release(struct metric_table *t);
/* NULL: no counter of that name. */
const struct metric_row *metric_table_find(const struct metric_table *t, const char *name);
/* Whether a group is counted in passes of its own, because its counters must be of one launch. */
bool metric_group_apart(const char *group);
