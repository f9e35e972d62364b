/* Atomics of global memory that the compiler sums in a warp, and those that it does not. */
#pragma once

#include "analysis/signs/rule_input.h"

enum { EXCHANGES, SWAPS, INCREMENTS, DECREMENTS, N_UNSUMMED }; /* operations that no sum of several lanes' stands for */
extern const char *const unsummed_names[N_UNSUMMED];           /* "atomicExch" */

/* nvcc sums a warp's atomics to one word (REDUX, or a vote and a count) and lets one lane add, under a guard; what no sum stands for, such as atomicInc, goes
 * lane by lane. */
struct elected_atomics {
  double elected, others; /* executed, else instructions */
  double of[N_UNSUMMED];  /* of the others */
  double summed;          /* of the others, those that a sum stands for */
};
/* False where the compiler has elected no lanes, or all. */
bool elected_of(struct elected_atomics *out, const struct rule_input *in);
