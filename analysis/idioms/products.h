/* What special functions are taken of. */
#pragma once

#include "analysis/sass/sass.h"

/* Most functions of this kind that stand in loops ("RSQ", of MUFU.RSQ) are taken of a product of two loaded values: each value's own would do. */
bool sass_of_products(struct sass *s, const char *function);
