/* What the turns of a loop hand on, beside sums and products in registers, so that they cannot be shared out as they are. */
#pragma once

#include "analysis/sass/sass.h"

/* The loop ends by a number that it adds to only where data let it, and stores where it says: where a turn puts what it finds is for those before it to say.  What is counted and stored
 * nowhere by it is a sum, which parts have, too. */
bool sass_ends_by_own_count(struct sass *s, size_t loop);
/* The warps of a block meet in the loop, and a turn stores to an array in global memory what it makes of another place of the same array: what another thread left there
 * the turn before. */
bool sass_steps_through_array(struct sass *s, size_t loop);
/* A turn keeps a state in local memory, and looks up one value of a table after the other, each where the one before says. */
bool sass_keeps_state_of_tables(struct sass *s, size_t loop);
/* A store of the loop to where it has loaded and added to what was there, of several such in a turn; SASS_NONE: there is none. */
size_t sass_adds_in_place(struct sass *s, size_t loop);
