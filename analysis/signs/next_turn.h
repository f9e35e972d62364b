/* Loads that a turn of a loop leaves, or could leave, to the turn before. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Most waits for loads, by the samples, are in the turn that issues the load, of a loop whose turns need one another, for a load whose place rests on nothing
 * that was loaded: the next turn's values could be on their way while this turn's are worked on.  False where there are no samples. */
bool waits_in_own_turn(const struct rule_input *in);

enum waited_load {
  WAITED_UNKNOWN,
  WAITED_OWN_TURN,    /* the turn that uses it has begun it */
  WAITED_TURN_BEFORE, /* or one before that */
  WAITED_NO_TURN,     /* it stands before the loop */
  WAITED_LOADS
};

struct loads_ahead {
  /* Of the bytes that loops load: begun a turn before they are used, into registers or by cp.async;
   * 0..1. */
  double part;
  enum waited_load of; /* what most waits for loads are for, by the samples */
  size_t load;         /* of these the one with the most; SASS_NONE: unknown */
};
void loads_ahead_of(struct loads_ahead *out, const struct rule_input *in);
