/* Turns of a thread's loop that lanes or blocks could share out.  Private to the room. */
#pragma once

#include "analysis/advice/rule_tools.h"

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
/* "each thread makes about 1031 turns (fma.cu:642, as compiled): split that loop over lanes or
 * blocks"; the rest follows. */
const char *split_loop_words(const struct rule_input *in, const struct split_loop *t, const char *rest);
/* Of a loop that strides by the grid: "launch more blocks, up to 1056 (512 now): ..." */
const char *split_grid_words(const struct rule_input *in, const struct split_loop *t, double blocks);
