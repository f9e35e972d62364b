/* Cycles of shared memory that repeat an access, and whether random places would repeat as many. */
#pragma once

#include "analysis/signs/bank_places.h"

/* Cycles beyond the least: by exact counts, which have those of LDGSTS too, else by the counter.  all: of all accesses. */
double bank_conflict_cycles(const struct rule_input *in, double *all);
/* Places come from data, and lanes meet in banks more often than at random places: so many turns of an access are the layout's, which padding changes. */
bool bank_turns_by_layout(const struct bank_places *x, double turns);
/* Of the cycles that repeat, those that stay where such an array is padded: random places meet, too.  0: the layout is not why. */
double bank_cycles_of_random(const struct rule_input *in);
/* All shared memory of a block is so little that the lanes of one warp hold it in some registers each. */
bool lanes_hold_shared(const struct rule_input *in);
