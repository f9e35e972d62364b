/* Loops in which a block asks again and again for what another block is to release or to write. */
#pragma once

#include "analysis/signs/rule_input.h"

/* A block asks, between barriers, for a lock, in a loop that does nothing else. */
bool waits_for_a_lock(const struct sass *s);
/* A warp of each block asks in a loop for what another block is to write, and the others wait for it at a barrier: by the samples there are as many of them as the
 * block has other warps, for half of the waits or more.  The instruction that asks; SASS_NONE: no. */
size_t polls_for_others(const struct rule_input *in);
/* Blocks count themselves by an atomic and wait in a short loop, as at a barrier of the whole grid: they must all be resident at once. */
bool blocks_meet(const struct rule_input *in);
