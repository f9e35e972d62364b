/* Barriers at which a block waits for all blocks of its grid, as cooperative_groups' grid.sync() makes them, or a counter by hand. */
#pragma once

#include "analysis/sass/sass.h"

/* Of every instruction, whether it is part of such a wait: the barrier of the block before it, the atomic addition by which one thread announces the block, and the
 * barrier of the block that the others wait at.  Told by the code: the thread polls, in a short loop, the word it has added to; or any word, where a fence
 * of the whole chip stands before the addition.  No barrier stands between the addition and the loop.  The caller frees it; NULL: there is none, or memory
 * ran out. */
bool *sass_grid_barriers(const struct sass *s);
