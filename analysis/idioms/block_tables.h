/* What blocks keep in shared memory. */
#pragma once

#include "analysis/sass/sass.h"

/* All that the kernel stores in shared memory it loads, from places that do not follow from which block of the grid it is, as it is:
 * each block has the same table, however many threads it has. */
bool sass_blocks_share_table(struct sass *s);
