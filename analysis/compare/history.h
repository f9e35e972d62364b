/* One number over many runs: where it stepped.  Pure. */
#pragma once

#include "analysis/model/findings.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct history_point {
  const struct finding *finding; /* NULL: not run */
  struct value value;
  /* Against the level before it, which is the mean of up to HISTORY_LEVEL_RUNS runs since the last step: the 95 % interval of the ratio lies
   * wholly beyond the margin, as for a SLOWER or FASTER pair of a comparison (analysis/compare/diff.h says of what noise it is made). */
  bool step;
  double step_ratio; /* this value over that level */
  bool same_code;    /* though the machine code and its launch are those of the run before */
};
enum { HISTORY_LEVEL_RUNS = 5 };

struct history_column {
  const char *id;
  struct shape shape;
  struct history_point *points; /* one a run, in the history's order */
};

struct history {
  const struct findings **runs; /* by the time of their making, the oldest first */
  size_t n_runs;
  struct history_column *columns; /* by variant, then shape, in order of appearance */
  size_t n_columns;
  const char *metric;
  bool time; /* the metric is the time, in seconds */
  /* Standard deviation of ln(ratio) of two runs that steps were held against; within-run noise not
   * in it. */
  double between;
  size_t steps;
  /* GPUs that the runs name, and commands that attach saw: a run is held against earlier ones of its
   * own alone. */
  size_t n_chips, n_programs;
  size_t compared; /* points that have one before them to be held against */
};

struct history_options {
  const char *metric; /* "time", a counter or a derived metric */
  bool (*selects)(const void *context, const struct run_variant *v, struct shape s); /* NULL: every one */
  const void *context;
};

/* Columns without a value in any run are left out.  The findings must outlive *out; the caller releases it, also after failure.  ERR_USAGE
 * for a metric that no run has. */
int history_make(struct history *out, const struct findings *runs, size_t n, const struct history_options *o,
                 struct err *e);
void history_release(struct history *h); /* leaves *h all zero */
