/* Blocks that send one atomic each, and what the time of atomics rests on.  Private to the room. */
#pragma once

#include "analysis/advice/rule_tools.h"

struct atomic_blocks {
  bool one_each;  /* a block sends about one: it has nothing left to reduce */
  bool one_slice; /* one slice of the L2 has nearly all of them: they are to one address or few */
  bool known;     /* whether it has was counted */
  double kept;    /* of the atomics, where a grid of one wave does the work; 1: it is none more */
};
/* requests: warp-level atomics of the launch. */
void atomic_blocks_of(struct atomic_blocks *out, const struct rule_input *in, double requests);
const char *atomic_blocks_words(const struct rule_input *in, const struct atomic_blocks *x);
const char *atomic_blocks_remedy(const struct atomic_blocks *x);
/* Behind a count of atomics: whether warps are seen to wait for them, else how long the L2 works on them. */
const char *atomics_cost_words(const struct rule_input *in);
/* Of evidence: whether their time is that of all at the rate of scattered ones, or longer, that of the slice which has most of them. */
const char *atomics_time_title(const struct rule_input *in);
