/* Registers that hold something still needed. */
#pragma once

#include "analysis/sass/sass.h"

/* General registers of a thread that are live at once, at most: written, and read later on some
 * way.  Of the blocks that a warp executed, where that is known, without the compiler's functions
 * and what is rare.  Under a cap below this some of them spill, or are computed or loaded again.
 * 0: unknown, since it calls functions of the program's own or branches where the text does not
 * say. */
int sass_live_peak(const struct sass *s);
