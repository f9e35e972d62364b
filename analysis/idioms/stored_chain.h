/* Loops that hand on by memory. */
#pragma once

#include "analysis/sass/sass.h"

/* Of the loop's stores to global memory one that is made of what the one before it stored beside it, which was made so too, and that is loaded again: the
 * loop, written out, hands on by memory what a turn makes of the turn before's.  SASS_NONE: there is none. */
size_t sass_stored_chain(struct sass *s, size_t loop);
