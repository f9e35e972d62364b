/* Accesses of a line whose places data choose: gathers, and runs that lanes walk. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Both stand on one line of the source, or are one. */
bool same_code_line(const struct sass *s, size_t i, size_t k);
/* Of the line's accesses, that of an index stands beside the gather by it.  Then no order of the lanes by their numbers helps.  SASS_NONE: there is no gather. */
size_t gather_at(const struct rule_input *in, const struct run_instruction *at);
/* Loads of the line go from a loaded start by their own bytes from turn to turn, as over a row of a sparse matrix, and such loads touch as many sectors in vain as the line's
 * gathers do; where sectors were not counted, there are as many. */
bool lanes_walk_runs(const struct rule_input *in, const struct run_instruction *at);
