/* Turns that hand on by memory what they made. */
#pragma once

#include "analysis/sass/sass.h"

/* The warps of a block meet in the loop, and what a turn stores depends on what those before it stored: in global memory at a place that the threads of the block
 * found together, in an array that it loads; in shared memory only where what it stores has come around from what a turn loaded there and the loop ends by such a value.
 * So it does where shared memory says what the next turn loads from global memory.  Without a barrier it hands on what its thread stores in shared memory
 * and loads a turn later; a value that a turn makes further, and stores in shared memory, only where shared memory lets it; and a list in local memory: a turn takes from a computed place of it before it stores to such.  So do steps through an array in global
 * memory and a state of look-ups (loop_state.h).  Its turns cannot be shared out. */
bool sass_hands_on(struct sass *s, size_t loop);
