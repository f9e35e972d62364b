/* Work between barriers that a single lane of a block does, while all its warps wait. */
#pragma once

#include "analysis/signs/rule_input.h"

struct one_lane {
  size_t at;     /* the first instruction of the loop, or block, that has most of it */
  double insts;  /* a block's, in turn */
  double shared; /* of these, accesses of shared memory */
  double values; /* that it loads from there */
};
/* False: there is no such work before a barrier, it is less than half of what a warp does in the mean, or that is not known. */
bool one_lane_of(struct one_lane *out, const struct rule_input *in);
