/* Products of matrices on the FMA pipe. */
#pragma once

#include "analysis/sass/sass.h"

/* Half of all FFMA or more, as executed, add products of two values that shared memory brought,
 * in a loop, and each such value is in two products or more. */
bool sass_outer_products(struct sass *s);
