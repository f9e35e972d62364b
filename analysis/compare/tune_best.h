/* A search over a rung's parameters, judged: which configuration is fastest at a shape, and what two parameters do to the time.  Pure.
 *
 * A configuration is a variant of the run; its parameters are those of its results, as compiled.
 */
#pragma once

#include "analysis/model/findings.h"

struct tune_rank { /* of one shape */
  struct shape shape;
  const struct finding **ranked; /* the timed ones, fastest first */
  size_t n;
  const struct finding *standard; /* the rung as its front matter has it; NULL: it was not run at this shape */
  bool best_is_standard;          /* nothing is measurably faster: its interval reaches that of the fastest */
};
/* standard_id: the variant with the front matter's own values; it takes part in the ranking.  The caller releases *out. */
void tune_rank_make(struct tune_rank *out, const struct findings *f, struct shape s, const char *standard_id);
void tune_rank_release(struct tune_rank *r);

enum { TUNE_AXIS_MAX = 32 };
struct tune_map { /* the least time over all other parameters, at each pair of values */
  struct shape shape;
  const char *x, *y; /* names of parameters; y NULL: there is one axis */
  long x_values[TUNE_AXIS_MAX], y_values[TUNE_AXIS_MAX];
  size_t n_x, n_y;
  double seconds[TUNE_AXIS_MAX][TUNE_AXIS_MAX]; /* [y][x]; 0: nothing was timed there */
};
/* Over the two parameters that move the least time most (one, where only one has several values).  False: no parameter has several values. */
bool tune_map_make(struct tune_map *out, const struct tune_rank *r);
