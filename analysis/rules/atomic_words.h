/* What advice says of atomics of global memory: of blocks that send one each, and of what their time rests on.  Private to the room. */
#pragma once

#include "analysis/signs/atomic_blocks.h"

const char *atomic_blocks_words(const struct rule_input *in, const struct atomic_blocks *x);
const char *atomic_blocks_remedy(const struct atomic_blocks *x);
/* Behind a count of atomics: whether warps are seen to wait for them, else how long the L2 works on them. */
const char *atomics_cost_words(const struct rule_input *in);
/* Of evidence: whether their time is that of all at the rate of scattered ones, or longer, that of the slice which has most of them. */
const char *atomics_time_title(const struct rule_input *in);
