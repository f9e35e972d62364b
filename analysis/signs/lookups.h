/* Loads from tables of the toolkit's functions. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Bytes of loads that bring doubles their functions' coefficients (sass_is_function_table), as sine and cosine do; of a request the least, a sector. */
double looked_up_bytes(const struct rule_input *in);
