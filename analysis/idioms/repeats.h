/* What a warp executes once, and what again and again. */
#pragma once

#include "analysis/sass/sass.h"

/* The instruction stands in a loop of which a warp makes two turns or more each time it enters, or of
 * which that is not known: there is a next turn whose work could begin ahead. */
bool sass_repeats(const struct sass *s, size_t i);
/* Half or more of the executed global loads stand, in no such loop, behind a barrier of the block
 * and that behind another load, though their addresses rest on nothing that was loaded. */
bool sass_loads_are_barred(struct sass *s);
/* The barrier that these stand behind: of those that no such loop holds the first behind a load.  SASS_NONE: there is none. */
size_t sass_barrier_of_loads(const struct sass *s);
