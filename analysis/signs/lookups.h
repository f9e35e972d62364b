/* Loads from tables of the toolkit's functions. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Bytes of loads that look up coefficients as the sine and cosine of doubles do: in a variable of the module, at an entry that a value which was loaded decides, for
 * arithmetic of doubles.  Of a request the least, a sector. */
double looked_up_bytes(const struct rule_input *in);
