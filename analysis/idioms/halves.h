/* 16-bit arithmetic, which works on two values of a register at once. */
#pragma once

#include "analysis/sass/sass.h"

/* Of its two results one is for nothing: each register that it reads gives the same half to both.
 * One half beside packed operands is a factor that both values share, and no such thing. */
bool sass_is_one_half(const struct sass_inst *x);
