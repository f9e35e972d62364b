/* The statistics of a comparison (analysis/compare/diff.h says which and why); private to the room. */
#pragma once

#include "analysis/compare/diff.h"

#include <stdbool.h>
#include <stddef.h>

/* One side of a pair: ln(seconds) of each run that timed it, and the standard error of each within its run. */
struct diff_series {
  double log_time[DIFF_RUNS_MAX], within[DIFF_RUNS_MAX];
  size_t n;
  size_t samples; /* launches of all of them */
};
/* Appends a run's time; nothing where it was not timed, or where there is no room. */
void diff_series_add(struct diff_series *s, const struct finding *f);
double diff_series_mean(const struct diff_series *s); /* of ln(seconds); of one run at least */

struct diff_timed { /* a pair with times on both sides */
  struct diff_series a, b;
  bool same_code;
};
/* Whether the error of its times is known: from the samples of both sides, or from run to run of one.  Five samples lie all on one side of the median by
 * a chance of 1 in 16; of fewer the spread says too little. */
bool diff_timed_tells(const struct diff_timed *t);

/* What lies between A and B beside their builds. */
enum diff_between { BETWEEN_RUNS, BETWEEN_CHIPS, BETWEEN_NOTHING /* one run */ };
/* Shift and noise of the pairs.  raw: the shift is told and not removed. */
void diff_noise_of(struct diff_noise *out, const struct diff_timed *pairs, size_t n, enum diff_between between,
                   bool raw);

/* The pair's ratio less the shift, and its 95 % interval. */
struct diff_interval {
  double ratio, low, high;
};
struct diff_interval diff_interval_of(const struct diff_timed *t, const struct diff_noise *noise);
enum diff_verdict diff_judge(struct diff_interval x); /* SAME, FASTER, SLOWER or UNCLEAR, by the margin */
