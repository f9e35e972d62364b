/* Atomics in shared memory that are loops of compare and swap: a lane whose word another has changed since it read it turns once more. */
#pragma once

#include "analysis/signs/rule_input.h"

struct swap_retries {
  double turns; /* of the loop that turns most often, in the mean; 0: there is none, or no instruction was counted */
  double insts, shared; /* warp instructions beyond the first turn; of these, of shared memory */
  double waits;         /* part of the samples that stand in such loops */
  bool only_seen;       /* no instruction was counted, and the loops have a tenth of the samples or more */
};

struct swap_retries swap_retries_of(const struct rule_input *in);

/* The loop retries a compare-and-swap of one place until it holds: how often it turns, lanes that meet there say, and not the data of a thread. */
bool loop_retries_swap(const struct sass *s, size_t loop);
