/* Loads that a turn of a loop could leave to the turn before. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Most waits for loads, by the samples, are in the turn that issues the load, of a loop whose turns need one another, for a load whose place rests on nothing
 * that was loaded: the next turn's values could be on their way while this turn's are worked on.  False where there are no samples. */
bool waits_in_own_turn(const struct rule_input *in);
