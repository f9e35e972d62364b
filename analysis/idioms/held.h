/* Registers that a loop cannot do without. */
#pragma once

#include "analysis/sass/sass.h"

/* General registers of a thread. */
struct sass_held {
  int sums;      /* that arithmetic on floats, or a matrix instruction, makes in one turn and the next one reads */
  int chains;    /* such sums: of several registers, as of doubles or a matrix instruction, one */
  int addresses; /* that a turn finds, of accesses or moved on by integers */
  int operands;  /* of the instruction of the loop that reads the most besides */
};
/* All 0: the loop is SASS_NONE. */
void sass_held_of(struct sass_held *out, struct sass *s, size_t loop);
