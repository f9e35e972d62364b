/* Doubles that begin as floats. */
#pragma once

#include "analysis/sass/sass.h"

/* Of the double-precision instructions that were executed (without counts, of those in the text) the part that works on no double that was loaded as one, but on
 * floats and integers that were converted, numbers and arguments.  1 where there is none. */
double sass_widened_share(struct sass *s);
