/* A part of a run. */
#ifndef RUN_RUN_FILTER_H
#define RUN_RUN_FILTER_H

#include "base/shape.h"
#include "run/run.h"

#include <stdbool.h>

/* Sets keep[i] for each variant that a list names (ids, globs, ladders, "all": as --variant).  ERR_MACHINE where an item names nothing in the
 * run. */
int run_select(const struct run *r, const char *variants, bool *keep, struct err *e);

/* Keeps the variants that a list names (ids, globs, ladders, "all": as --variant) and their results at the shapes (NULL: all); the controls
 * are kept, since the others are set against them.  ERR_MACHINE where an item names nothing in the run, or a shape is not in it: what was not measured cannot be shown. */
int run_filter(struct run *r, const char *variants, const struct shape *shapes, size_t n_shapes, struct err *e);

/* Whether the list names the variant; "all" names those that need not be refused. */
bool run_filter_names(const char *list, const struct run_variant *v);

#endif
