/* A map of kernels and ranges over ranks: how far each lies from its median.  Pure. */
#pragma once

#include "analysis/story/ranks.h"

enum { RANKS_MAP_COLUMNS = 64, RANKS_MAP_KERNELS = 24, RANKS_MAP_RANGES = 8 };

struct ranks_cell {
  int rank; /* index of the rank that is shown: of the column's ranks the one farthest from the median; -1: none has it */
  double off; /* its time over the median, less 1 */
};

/* All zero where the run is not merged. */
struct ranks_map {
  const struct ranks_spread *
      *rows;                    /* the time outside collectives, the kernels of most time, the ranges of most time */
  size_t n_rows, n_kernels;     /* n_kernels: rows from the second on */
  size_t n_columns, per_column; /* ranks in a column, but for the last */
  size_t n_places;              /* ranks of the program, missing ones too; in a run of processes without ranks, these */
  struct ranks_cell *cells;     /* row by row */
};

/* r must outlive *out, which the caller releases. */
void ranks_map_make(struct ranks_map *out, const struct ranks *r);
void ranks_map_release(struct ranks_map *m); /* leaves *m all zero */
