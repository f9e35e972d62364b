/* How work lies over the blocks of a grid, by the code. */
#pragma once

#include "analysis/sass/sass.h"

/* A loop moves on by the grid's size: any number of blocks covers the work. */
bool sass_strides_grid(struct sass *s);
bool sass_loop_strides_grid(struct sass *s, size_t loop);
/* Blocks do equal work, but for those at the edges: neither loaded data nor the block's number decides how often a loop turns, whether it is entered, or whether
 * threads end early.  What branches on data is as much in one block as in another only where no loop stands in it. */
bool sass_blocks_alike(struct sass *s);
/* One way of this branch is thread 0's alone. */
bool sass_branch_for_one(struct sass *s, size_t branch);
/* Of every block of code, whether no more than thread 0 of a thread block comes there (a block of one row of threads: its number is threadIdx.x).  The caller frees it. */
bool *sass_alone_make(struct sass *s);
