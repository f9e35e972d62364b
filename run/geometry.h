/* Which launches of a kernel are one row: those of one block and dynamic shared memory whose grids differ little, as ragged batches make them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The work of two launches in one row differs by less than this share of the larger one.  The counters of a row are of different launches, and a ratio of two of them
 * may be off by as much. */
#define GRIDS_MARGIN 0.1

uint64_t blocks_in_grid(const unsigned grid[3]);
/* Whether each dimension, and the number of blocks, differ by less than GRIDS_MARGIN. */
bool grids_alike(const unsigned a[3], const unsigned b[3]);
