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
      1024, /* tl.range's num_stages can load ahead in its loops: these turn twice or more, load 4 bytes per lane, under no `if` and in no `while`, and three stages fit */
  TRITON_STORED = 2048,        /* a loop may load what it stored a turn before, which must not be loaded ahead */
  TRITON_ONE_WARP = 4096,      /* num_warps is 1 */
  TRITON_TWO_PASSES = 8192,    /* two loops, neither in the other, load by one pointer */
  TRITON_LAST_AXIS = 32768,    /* its text reduces along the second axis of a tile, or the last */
  TRITON_LARGE_TILE = 16384,   /* its tl.dot adds up 128 by 128 elements or more */
  TRITON_STAGED = 65536,       /* three stages are there, or more */
  TRITON_UNDER_IF = 131072,    /* they could be, but for an `if` around the loads */
  TRITON_AT_PRODUCTS = 262144, /* what its warps wait for most are their own matrix instructions, and an SM has one */
  TRITON_STAGE_FITS = 1048576, /* and another fits in shared memory */
  TRITON_GROUPED = 524288,     /* its programs go through the tiles in groups that share rows */
  TRITON_NARROW = 2097152,     /* loops load fewer than 4 bytes per lane, in many turns */
};
enum { TRITON_STAGES_LEAST = 3 }; /* what advice asks for */

/* Its lines are of a .py file, or where the run has no code of it another kernel's are, and its name and launch are as Triton makes them. */
bool triton_made(const struct rule_input *in);
unsigned triton_signs(const struct rule_input *in); /* of enum triton_sign */
/* The instruction is on a line that loads, counts or chooses, and its statement reduces nothing: Triton has a reduction's instructions on the lines of what it reduces. */
bool triton_at_operands(const struct rule_input *in, const struct run_instruction *at);
/* An instruction of the only line of its text that reduces; NULL: there are several, none, or no instruction has it. */
const struct run_instruction *triton_reduction(const struct rule_input *in);
