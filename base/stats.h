/* Statistics of timing samples.  Samples are never reordered in place; n = 0, or memory that ran out, gives zeros
 * and valid = false. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct stats {
  bool valid;      /* n > 0 and every sample finite */
  size_t n;        /* samples */
  double min, max; /* in the samples' unit, as are all below */
  double mean;
  double stddev; /* of the samples, n - 1; 0 where n = 1 */
  /* Mid-distribution median: the mean of the samples between the 25th and the 75th percentile; it resolves below the tick of a
   * quantised clock, which the plain median cannot. */
  double middle;
  double ci_low, ci_high; /* 95 % interval of `middle`, by bootstrap (2,000 resamples, fixed seed), never narrower than
                           * middle ± half_tick */
};

/* half_tick: the least half-width of the interval that the clock allows (CUPTI activity timestamps tick at 32 ns: 16 ns). */
void stats_of(struct stats *out, const double *samples, size_t n, double half_tick);

/* The median of n numbers, which are reordered; of an even number the mean of the two in the middle; 0 where n = 0. */
double stats_median(double *values, size_t n);
/* Of n > 0 sorted values, linear between two of them. */
double stats_percentile(const double *sorted, size_t n, double percent);
/* Of n sorted values above 0, the part of their sum that those between x / factor and x * factor have; 0 where n = 0. */
double stats_share_near(const double *sorted, size_t n, double x, double factor);
/* Of n sorted values above 0, those of the same kind lie together: a kind ends where the next value is over a
 * quarter more.  middles: the median of each, of those that have a fiftieth of the sum or more; returns how many
 * these are, at most `most`, or 0 where there are more, or one's longest is over 1.6 times its shortest. */
size_t stats_kinds(const double *sorted, size_t n, double *middles, size_t most);
/* For qsort: the smallest number first. */
int stats_by_value(const void *left, const void *right);
/* Geometric mean of n positive numbers; 0 where n = 0 or one is not positive. */
double stats_geomean(const double *values, size_t n);
/* Spearman's rank correlation in [-1, 1], ties given their mean rank; 0 where n < 2 or one side is constant. */
double stats_rank_correlation(const double *x, const double *y, size_t n);
