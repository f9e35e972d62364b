/* Tiles that a loop loads ahead, and loads that not every turn of their loop does.  Pure. */
#pragma once

#include "analysis/sass/sass.h"

/* Tiles of cp.async that the hottest loop with such copies has at once: the one that it works on, and those that it has started.  0: none, or its waits
 * do not tell. */
int sass_copy_stages(const struct sass *s);
/* A turn of the innermost loop around it may go round it. */
bool sass_turn_skips(const struct sass *s, size_t inst);
