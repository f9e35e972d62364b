/* What an integer division by a variable divides, and by what. */
#pragma once

#include "analysis/sass/sass.h"

/* The divisor, which instruction i converts (I2F.RP), is doubled or halved by each turn of a loop
 * around it: a power of two where it began as one. */
bool sass_divisor_doubles(struct sass *s, size_t i);
/* What instruction i computes rests on the block's number, among others. */
bool sass_rests_on_block(struct sass *s, size_t i);
