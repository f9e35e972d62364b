/* splitmix64, Steele, Lea and Flood 2014: "Fast splittable pseudorandom number generators". */
#pragma once

#include <stdint.h>

#define MIX64_STEP 0x9e3779b97f4a7c15u /* between two states; of the i-th number: the seed's plus i steps */

/* The number of a state: every bit of the one decides every bit of the other. */
static inline uint64_t mix64(uint64_t state) {
  state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
  state = (state ^ state >> 27) * 0x94d049bb133111ebu;
  return state ^ state >> 31;
}

static inline uint64_t mix64_next(uint64_t *state) {
  return mix64(*state += MIX64_STEP);
}
