/* Registers that hold something still needed. */
#pragma once

#include "analysis/sass/sass_parts.h"

/* General registers of a thread that are live at once, at most: written, and read later on some
 * way.  Of the blocks that a warp executed, where that is known, without the compiler's functions
 * and what is rare.  Under a cap below this some of them spill, or are computed or loaded again.
 * 0: unknown, since it calls functions of the program's own or branches where the text does not
 * say. */
int sass_live_peak(const struct sass *s);
/* Back through the block: from what is read behind it to what is read from its start on. */
void sass_live_through(struct sass_bits *live, const struct sass *s, const struct sass_block *b);
