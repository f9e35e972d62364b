/* What the place of an access follows from: which block of the grid it is, which row of the block. */
#pragma once

#include "analysis/sass/sass.h"

/* Whether the place of access i was computed of a special register ("SR_CTAID.X"), through whatever instructions, loads of indices too.  Guards are not asked: a
 * test of bounds chooses no place.  True where not all can be followed, as through shared memory. */
bool sass_place_follows(struct sass *s, size_t i, const char *special);
/* Both places are computed of the same arguments and the same numbers of the thread and its block: a second half, or another row, would have one more.  Numbers in the
 * code are not compared.  False where not all can be followed. */
bool sass_places_alike(struct sass *s, size_t a, size_t b);
