/* Doubles that begin as floats. */
#pragma once

#include "analysis/sass/sass.h"

/* Of the double-precision instructions that were executed (without counts, of those in the text) the part that works on no double that was loaded as one, but on
 * floats and integers that were converted, numbers and arguments.  1 where there is none.  What functions load of their own is no double. */
double sass_widened_share(struct sass *s);
/* The load brings coefficients of a function of double precision: the caller has no such array. */
bool sass_is_function_table(struct sass *s, size_t i);
