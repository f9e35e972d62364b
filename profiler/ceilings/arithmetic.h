/* The arithmetic of `ceilings`: pure, so that it is tested without a GPU. */
#pragma once

#include "base/err.h"

#include <stddef.h>

/* Work a second, from two amounts of work and the time each took: (work[1] - work[0]) / (time_s[1] - time_s[0]).  What every launch costs, however
 * long it runs (the launch, the ramp, the tail), is in both times and drops out.  ERR_DATA where the work or the time did not grow, and where one
 * is no finite number above 0. */
int ceilings_slope(double *out, const double work[2], const double time_s[2], struct err *e);

/* Lanes a cycle of one SM: warps x instructions of each x 32 / cycles.  ERR_DATA where cycles is not above 0. */
int ceilings_lanes(double *out, double warps, double instructions, double cycles, struct err *e);

/* A walk over `lines` lines, 2^k or 3 * 2^k with k >= 3, whose next line is (multiplier * line + addend) mod lines: it visits every line once
 * before it returns (Hull and Dobell, "Random number generators", SIAM Review 4, 1962), and neighbours in it lie far apart. */
struct ceilings_walk {
  unsigned long long multiplier, addend;
};
struct ceilings_walk ceilings_walk(unsigned long long lines);

/* Sizes from `first` (a power of two) to at most `last`, two an octave: 2^k, 3 * 2^(k-1).  Returns how many, at most `max`. */
size_t ceilings_octaves(double first, double last, double *out, size_t max);
/* Sizes from `grain` to at most `last`, each about a quarter over the one before, all multiples of `grain`.  Returns how many, at most `max`. */
size_t ceilings_quarters(double grain, double last, double *out, size_t max);
