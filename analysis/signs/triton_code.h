/* What is known of a kernel that Triton compiled, by its code, its counters, or its source where the run has no code of it. */
#pragma once

#include "analysis/signs/rule_input.h"

enum triton_sign {
  TRITON_PRODUCTS = 1,   /* tl.dot */
  TRITON_LOOP = 2,       /* it has a loop that turns twice or more */
  TRITON_STRAIGHT = 4,   /* it has none; neither: not known */
  TRITON_REDUCES = 8,    /* tl.sum and its like */
  TRITON_SUMS = 16,      /* most of that in a loop that only adds it up: once behind the loop is enough */
  TRITON_AT_ONCE = 32,   /* all of its programs run at once */
  TRITON_REGISTERS = 64, /* what keeps more programs out of an SM */
  TRITON_SHARED = 128,
  TRITON_BLOCKS = 256,
  TRITON_DIVIDES = 512, /* more reciprocals than exponentials and the like */
  TRITON_STAGES =
      1024, /* tl.range's num_stages can load ahead in its loops: these turn twice or more, load 4 bytes per lane, and three stages fit */
  TRITON_STORED = 2048,      /* a loop may load what it stored a turn before, which must not be loaded ahead */
  TRITON_ONE_WARP = 4096,    /* num_warps is 1 */
  TRITON_TWO_PASSES = 8192,  /* two loops, neither in the other, load by one pointer */
  TRITON_LAST_AXIS = 32768,  /* its text reduces along the second axis of a tile, or the last */
  TRITON_NARROW = 65536,     /* loops load fewer than 4 bytes per lane, in many turns */
  TRITON_LARGE_TILE = 16384, /* its tl.dot adds up 128 by 128 elements or more */
};

/* Its lines are of a .py file, or where the run has no code of it another kernel's are, and its name and launch are as Triton makes them. */
bool triton_made(const struct rule_input *in);
unsigned triton_signs(const struct rule_input *in); /* of enum triton_sign */
/* The instruction is on a line that loads or counts, and reduces nothing: Triton has a reduction's instructions on the lines of what it reduces. */
bool triton_at_operands(const struct rule_input *in, const struct run_instruction *at);
