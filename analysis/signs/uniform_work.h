/* Work that is the same in all threads, by the code. */
#pragma once

#include "analysis/signs/rule_input.h"

/* What every thread works out of numbers and arguments: special functions, conversions, checks and doubles, and what is made of them. */
struct uniform_work {
  double insts, xu, fma, alu, fp64; /* warp instructions */
  double share;                     /* of the samples; those of warps that wait for the arguments stay */
  size_t first;                     /* the instruction of most samples, or else the first; SASS_NONE: there is none */
};
void uniform_work_of(struct uniform_work *out, const struct rule_input *in);
