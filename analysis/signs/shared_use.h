/* Whether a kernel uses shared memory, and what its warps exchange by shuffles, which take the same path. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Its code has no access of shared memory that runs: cycles that counters call shared memory's are something else's then, since reads of special registers, generic
 * atomics and shuffles are counted with them.  False where the code is not known. */
bool shares_nothing(const struct rule_input *in);

enum shuffled { SHUFFLED_SUMS, SHUFFLED_SCANS, SHUFFLED_VALUES }; /* to one result, to lanes in turn, any lane's */

struct shuffle_use {
  double shuffles, accesses; /* warp instructions executed; accesses: of shared memory */
  enum shuffled kind;        /* of most shuffles */
  bool lead;                 /* there are more of them than accesses */
};
void shuffle_use_of(struct shuffle_use *out, const struct rule_input *in);
bool about_shuffles(const struct sass_inst *x);

/* Of the short waits of a resident warp those for shared memory and shuffles: by the samples at what they wait for; where there are too few, by the instructions
 * (shared_waits). */
double sampled_shared_waits(const struct rule_input *in);

/* Part of its accesses that are loads from places that data choose, where they are the most: no other output needs what such a one brings.  Else 0. */
double looked_up_shared(const struct rule_input *in);
/* Asynchronous matrix instructions read their operands from shared memory: there is no other place for them. */
bool feeds_matrices(const struct rule_input *in);
/* An access of shared memory could be wider; where there is no code, it is taken that one could. */
bool narrow_shared(const struct rule_input *in);
