/* Whether loads are what warps wait for: remedies that keep more of them under way ask.  Private to analysis/rules and analysis/advice. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Enough of the time to be told of; where waits were not counted that is taken for granted. */
bool waits_for_loads(const struct rule_input *in);
/* Longer than for results and for shared memory, which more work side by side in a warp hides as well. */
bool waits_most_for_loads(const struct rule_input *in);
