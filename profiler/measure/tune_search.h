/* The search over a rung's parameters. */
#pragma once

#include "kernels/rung.h"
#include "profiler/measure/profile.h"
#include "run/run.h"

#include <stdbool.h>

struct tune_axis {
  size_t param; /* index into the rung's */
  long *values;
  size_t n;
};

struct tune_space { /* the product of its axes */
  const struct rung *rung;
  struct tune_axis *axes;
  size_t n_axes, n; /* n: configurations */
};

/* The sets of the front matter, or those that `text` gives in their place: "A in {1, 2}; B = 3".  ERR_USAGE names what is unknown or empty, or
 * refuses more than TUNE_SPACE_MAX configurations. */
int tune_space_make(struct tune_space *out, const struct rung *r, const char *text, struct err *e);
long tune_space_value(const struct tune_space *s, size_t configuration, size_t axis);
void tune_space_release(struct tune_space *s);

struct tune_request {
  const struct profile_options *options;
  const struct gpu_probe *gpu;
  const struct rung_set *set;
  const struct tune_space *space;
  const struct shape *shapes;
  size_t n_shapes;
  const char *folder; /* where the state is kept, so that a search that was interrupted goes on */
  double budget_s;
};

struct tune_result {
  struct run run;               /* a variant a configuration, "ID#A=1,B=2", and the rung itself with its own values */
  size_t n_measured, n_resumed; /* configurations; resumed: of these, found in the state */
  size_t n_left;                /* not measured: interrupted, or the budget was spent */
  size_t stages;                /* of halving; 1: the whole grid was measured */
};

enum { TUNE_GRID_MAX = 200, TUNE_SPACE_MAX = 20000 };
/* Up to TUNE_GRID_MAX configurations are all measured.  Above, all are measured shortly, the slower half goes, the rest is measured twice as long, until few
 * are left.  In either case the fastest of each shape are measured once more, in one interleaved run with the rung itself: that decides. */
int tune_search(struct tune_result *out, const struct tune_request *q, struct err *e);
void tune_result_release(struct tune_result *r);
