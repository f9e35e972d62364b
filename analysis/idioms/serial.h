/* Loops whose turns need one another: recurrences, products and sums. */
#pragma once

#include "analysis/sass/sass.h"

/* An instruction of the loop by which a turn makes a value of the turn before's in a way that cannot be put together of parts, so that the loop's turns
 * cannot be shared out.  SASS_NONE: there is none, or the loop is larger than SASS_SERIAL_MAX. */
enum { SASS_SERIAL_MAX = 4096 };
size_t sass_recurrence(struct sass *s, size_t loop);
/* An instruction of the loop that multiplies what it made the turn before by something else, and that is all that is done to it: a product of parts, as of a scan.
 * SASS_NONE: there is none, as above. */
size_t sass_product(struct sass *s, size_t loop);
/* An instruction of the loop that adds to a sum, or keeps the least or greatest, of what the loop makes, and that nothing else in the loop reads: several such
 * can be kept side by side, and put together behind it.  A matrix instruction is taken for one.  SASS_NONE: there is none, as above. */
size_t sass_sum(struct sass *s, size_t loop);
/* An instruction like that of sass_recurrence, of the hot loop or of those around it, where none that stands around it has turns that could be shared out: it turns twice or more, by its
 * counts, and its turns do not need one another.  SASS_NONE: there is none. */
size_t sass_serial_nest(struct sass *s, size_t hot);
