/* Turns of a thread's loop that lanes or blocks could share out. */
#pragma once

#include "analysis/signs/rule_input.h"

enum split_by {
  SPLIT_ANYHOW,
  SPLIT_WARPS, /* its loads are coalesced: other lanes would take that away */
  SPLIT_LANES  /* lanes load apart, and turns do not: those of a warp would load side by side */
};

struct split_loop {
  enum split_by by;
  double turns;                          /* that a warp makes each time it enters the loop */
  bool counted;                          /* the turns are; else they are an estimate by samples, to less than a digit */
  const struct run_instruction *at;      /* the branch back to its head, which has the loop's line; NULL: it has none */
  bool strides;                          /* by the grid: more blocks make fewer turns */
  bool as_compiled;                      /* and not by what the launch says: the stride has to follow */
  bool product;                          /* a running product goes along */
  const struct run_instruction *adds_at; /* a store of a sum where several turns may add; NULL: none is known */
};

/* Of the hot loop and those around it the one of most turns, where they are `least` or more and
 * no turn needs the one before; false: there is none, or the counts do not tell its turns. */
bool split_loop_of(struct split_loop *out, const struct rule_input *in, double least);

/* Turns of the hot loop, or of one around it, that strides by the grid, and of which none needs the one before: more
 * blocks share them whatever warps wait for.  0: there is no such loop, or its turns are not known. */
double grid_turns(const struct rule_input *in);
/* Warps among whom a warp's work can be shared out: its batches of loads (shareable), or turns of a loop that strides
 * by the grid where these are more.  0: unknown. */
double shared_out(const struct rule_input *in);
/* The grid has fewer than half of the blocks that fit at once, and more of them would share the turns of such a loop. */
bool grid_is_few(const struct rule_input *in);

/* Of the hot loop and those around it the innermost of which data say how often it turns.  SASS_NONE: there is none. */
size_t uneven_loop(const struct rule_input *in);
/* The branch back to the loop's head: compilers give it the line of the `for` or `while`, other instructions those of the body.  NULL: it has no line. */
const struct run_instruction *loop_head(const struct rule_input *in, size_t loop);
