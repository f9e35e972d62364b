/* Which source line issues the most instructions: warps may stand elsewhere and wait. */
#pragma once

#include "analysis/signs/rule_input.h"

struct issued_line {
  int source, line;                 /* as in run_line */
  const struct run_instruction *at; /* of the line, executed the most; of several the first */
  double share;                     /* of all warp instructions of the kernel */
};

/* Of the lines that are no toolkit's; what the compiler's functions execute is their callers'.
 * False: nothing was counted, or no line is known. */
bool issued_line_of(struct issued_line *out, const struct rule_input *in);
