/* Which accesses of shared memory meet in a bank, and why, by the code. */
#pragma once

#include "analysis/idioms/bank_turns.h"
#include "analysis/signs/rule_input.h"

struct bank_places {
  /* Its line has the most turns beyond the first, by all executions, else is executed the most,
   * else has the most waits; NULL: no line is known. */
  const struct run_instruction *at;
  int turns; /* of the access on that line that has the most of them; 1: the steps tell of none, or of less than half or more than twice of what was counted */
  struct bank_lanes lanes; /* of that access */
  bool by_data;            /* none is known, and most places of those that may are made of what was loaded */
};
void bank_places_of(struct bank_places *out, const struct rule_input *in);
