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

/* Thread 0 alone works where the code lets no other pass (sass_alone_make), and a barrier is behind it: by the samples, in a block of one row of threads. */
struct alone {
  size_t at;          /* the instruction there that most samples stand at */
  double of_barriers; /* of the waits at barriers, those while it works: 0..1 */
  double of_others;   /* of all other cycles of warps, its own: 0..1 */
  bool hands_on;      /* it makes something for its block and no other: no atomics, nothing stored to global memory */
};
/* False: there is no such work, or no samples tell. */
bool alone_of(struct alone *out, const struct rule_input *in);
/* A chain of loads is what it does, and nearly all that the others wait for: the launch takes as long as its walk. */
bool walks_alone(const struct rule_input *in);
