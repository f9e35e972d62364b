/* Why lanes of a warp touch more sectors of global memory than their bytes need. */
#pragma once

#include "analysis/signs/sectors_gone.h"

/* Of loads that waste less than half of their sectors, why; stores that waste more say nothing of it.  By branch: what lanes are left out of are
 * sectors that the others touch anyway, so that nothing is to be gained. */
enum apart { APART_FAR, APART_BY_BRANCH, APART_AT_EDGES, APART_MISALIGNED, APART_IN_ROWS, APART_OF_STORES };
enum apart apart_of(const struct rule_input *in, const struct sectors_gone *x);

/* Bytes of the loads that a lane could have had in one: the narrowest of those of one block of code that stand side by side; 0: there are none, or
 * they are fewer than half of the loads. */
int bytes_side_by_side(const struct rule_input *in);
/* The instruction that `at` is, or the first where it is NULL, goes to shared memory (analysis/idioms/staged.h): SASS_NONE: it does not, or is not known. */
size_t staged_access(const struct rule_input *in, const struct run_instruction *at);
/* A request touches one sector, as of lanes that share an address or are left out: lanes that lie side by side can do no better. */
bool is_one_sector_each(const struct rule_input *in, const struct sectors_gone *x);
