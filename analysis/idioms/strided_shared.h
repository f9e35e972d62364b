/* Values of a lane that lie apart in shared memory. */
#pragma once

#include "analysis/sass/sass.h"

/* Part of the loop's loads from shared memory, as executed or by instructions, that bring one word each off the register of three others, with none beside it: four of
 * them would be one load of 16 bytes if the lane's words lay side by side.  0: there is none, or no loop. */
double sass_strided_shared(struct sass *s, size_t loop);
