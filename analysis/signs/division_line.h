/* Where the source divides. */
#pragma once

#include "analysis/signs/rule_input.h"

struct division_line {
  /* Of the divisions on the line that does the most of them; NULL: none has that line. */
  const struct run_instruction *at;
  int source, line; /* where it divides: theirs, or the next line below that has a sign for it; source -1: unknown */
};
/* Compilers give a division the line of a test or a block's end before it: of the lines of divisions those with / or % come first. */
void division_line_of(struct division_line *out, const struct rule_input *in);
