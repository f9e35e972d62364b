/* Work that is the same in all threads, by the code. */
#pragma once

#include "analysis/signs/rule_input.h"

/* What every thread works out of numbers, arguments and what all load from the same places: special functions, conversions, checks and doubles, and what is made of them.
 * Or, where that is more, loops in which the lanes of a warp load and compute the same. */
struct uniform_work {
  double insts, xu, fma, alu, fp64; /* warp instructions */
  double lsu, loads;                /* likewise; of all global loads, 0..1 */
  double share;                     /* of the samples; those of warps that wait for arguments and loads stay */
  bool loaded;                      /* some of it is made of loads */
  bool lanes;                       /* such loops: their waits for loads are in share */
  size_t first;                     /* the instruction of most samples, or else the first; SASS_NONE: there is none */
};
void uniform_work_of(struct uniform_work *out, const struct rule_input *in);
