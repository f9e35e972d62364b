/* Turns of a thread's loop that lanes or blocks could share out. */
#pragma once

#include "analysis/signs/rule_input.h"

enum split_by {
  SPLIT_ANYHOW,
  SPLIT_WARPS, /* its loads are coalesced: other lanes would take that away */
  SPLIT_LANES  /* lanes load apart: those of a warp would load side by side */
};

struct split_loop {
  enum split_by by;
  double turns;                     /* that a warp makes each time it enters the loop */
  const struct run_instruction *at; /* the branch back to its head, which has the loop's line; NULL: it has none */
  bool strides;                     /* by the grid: more blocks make fewer turns */
  bool of_one;                      /* thread of a block: the others wait, or have ended */
};

/* Of the hot loop and those around it the one of most turns, where they are `least` or more and
 * no turn needs the one before; false: there is none, or the counts do not tell its turns. */
bool split_loop_of(struct split_loop *out, const struct rule_input *in, double least);
