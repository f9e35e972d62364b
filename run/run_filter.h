/* A part of a run. */
#pragma once

#include "base/shape.h"
#include "run/run.h"

#include <stdbool.h>

/* ERR_USAGE for a name that no run holds, with the nearest variant or ladder, or with what the runs hold where none is near.  what: "variant". */
int run_unknown(const struct run *const *runs, size_t n, const char *what, const char *name, struct err *e);
/* Every item of a list (ids, globs, ladders, "all", comma between; a name may hold commas) names a variant of one of the runs. */
int run_names_verify(const struct run *const *runs, size_t n, const char *list, struct err *e);

/* Sets keep[i] for each variant that a list names (ids, globs, ladders, "all": as --variant).  Fails as run_names_verify. */
int run_select(const struct run *r, const char *variants, bool *keep, struct err *e);

/* Keeps the variants that a list names (ids, globs, ladders, "all": as --variant) and their results at the shapes (NULL: all); the controls
 * are kept, since the others are set against them.  Fails as run_names_verify, and
 * with ERR_USAGE where a shape is not in the run: what was not measured cannot be shown. */
int run_filter(struct run *r, const char *variants, const struct shape *shapes, size_t n_shapes, struct err *e);

/* Whether the list names the variant; "all" names those that need not be refused. */
bool run_filter_names(const char *list, const struct run_variant *v);
