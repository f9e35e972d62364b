/* Code that stands in several branches: one function, inlined in each. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Of the executed instructions those of a source line that runs in several branches, of which a lane takes one: it was inlined from a place in each, and a part of a
 * warp's lanes runs it; as often in each, and in no loop that the others have not, so that it can stand behind them once.  0: none, or counts or lines are
 * not known. */
double same_code_part(const struct rule_input *in);
