/* Loads from tables of the toolkit's functions. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Warp-level loads that bring doubles their functions' coefficients (sass_is_function_table), as sine and cosine have them, where most doubles begin as floats. */
double function_loads(const struct rule_input *in);
