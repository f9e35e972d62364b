/* How evenly the ranks of a program share its GPU time: kernels
 * and NVTX ranges over the ranks of a merged run.  Pure.
 *
 * A rank stands out of a spread where it lies farther than RANKS_MARGIN from the median.  Of
 * four ranks or more it must also lie farther than ranks_deviations standard deviations,
 * estimated from the median absolute deviation (times 1.4826: that of a normal distribution).
 *
 * In a collective ranks wait for the last of them, so that
 * the one which stands out there is the one that waits least.
 */
#pragma once

#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

#define RANKS_MARGIN 0.02
/* Of ranks that differ by chance alone, one is so far off in at most one
 * spread of 20.  Of n normal values at most n exp(-z^2 / 2) are beyond z,
 * so it is sqrt(2 ln(20 n)): 3.0 of 4 ranks, 3.2 of 8, 4.5 of 1,000. */
double ranks_deviations(size_t n);

struct ranks_spread {
  const char *name; /* the variant's, the range's; NULL: the time of all kernels of a kind */
  const struct run_by_rank *by_rank;
  size_t n; /* ranks that have it; what follows is over these */
  bool collective;
  double total_s, min_s, median_s, mean_s, max_s;
  uint64_t launches_min, launches_max;
  double imbalance; /* the most over the mean, less 1 */
  int farthest; /* index of the rank farthest from the median (of fewer than four: above it), in a collective below it; -1: there is none */
  double off;   /* its time over the median, less 1; 0 where the median is 0 */
  bool stands_out; /* it is an outlier, by the rule above */
};

struct ranks {
  const struct run_merge *merge; /* NULL: the run is not merged, and the rest is zero */
  long *missing;                 /* ranks of the program of which there is no file */
  size_t n_missing;
  size_t n_hosts; /* that are known */
  size_t n_alone; /* of several ranks, those that have no kernel in common with another, collectives aside */
  int alone;      /* index of the first of them */
  struct ranks_spread own, waits; /* the GPU time outside collectives, and in them */
  struct ranks_spread *kernels;   /* as the run's results, that of most time first */
  size_t n_kernels;
  struct ranks_spread *ranges;
  size_t n_ranges;
  const struct ranks_spread *cause; /* where `own`'s farthest rank has most above the median; NULL: nowhere */
  double cause_s;                   /* its time there */
  const struct ranks_spread *range; /* of the largest difference of the most to the mean; NULL: there are no ranges */
  struct ranks_split {
    long sets;                   /* of the counters, of which each rank collected one; 0: each collected all */
    bool has[PASS_SETS_MAX + 1]; /* a rank has that set, from 1 */
    size_t whole, lack,
        apart; /* kernels whose sets are joined, all or not all of them; that differ in geometry, so that they are not */
  } split;
  struct run_by_rank *own_by_rank, *waits_by_rank; /* private */
};

/* The run must outlive *out, which the caller releases. */
void ranks_make(struct ranks *out, const struct run *run);
void ranks_release(struct ranks *r); /* leaves *r all zero */

/* A rank's time in a spread; 0 where it has none. */
double ranks_time(const struct ranks_spread *s, int rank);

/* A map of kernels and ranges over ranks: how far each lies from its median. */
enum { RANKS_MAP_COLUMNS = 64, RANKS_MAP_KERNELS = 24, RANKS_MAP_RANGES = 8 };

struct ranks_cell {
  int rank; /* index of the rank that is shown: of the column's ranks the one farthest from the median; -1: none has it */
  double off; /* its time over the median, less 1 */
};

/* All zero where the run is not merged. */
struct ranks_map {
  /* The time outside collectives, the kernels of most time, the ranges of most time. */
  const struct ranks_spread **rows;
  size_t n_rows, n_kernels;     /* n_kernels: rows from the second on */
  size_t n_columns, per_column; /* ranks in a column, but for the last */
  size_t n_places;              /* ranks of the program, missing ones too; in a run of processes without ranks, these */
  struct ranks_cell *cells;     /* row by row */
};

/* r must outlive *out, which the caller releases. */
void ranks_map_make(struct ranks_map *out, const struct ranks *r);
void ranks_map_release(struct ranks_map *m); /* leaves *m all zero */
