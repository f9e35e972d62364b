/* What divisions, roots and trigonometric functions do for arguments that their short way does not cover. */
#pragma once

#include "analysis/signs/rule_input.h"

/* The functions of the compiler's that divisions and roots call for zeros, denormals and values of extreme size: all that the samples found in them. */
struct slow_paths {
  double share; /* of the samples; 0: none, or how often they ran is not known */
  double insts; /* warp instructions */
  size_t most;  /* the function with the most samples */
  bool doubles; /* it is one of double precision */
};
void slow_paths_of(struct slow_paths *out, const struct rule_input *in);

/* What sinf, cosf and tanf do, written out in place, for an argument of 105615 or more (sass_rare.c). */
struct large_arguments {
  double calls, taken; /* warps that ask, and those that have such an argument in a lane; taken 0: none, or unknown */
  double insts;        /* warp instructions for these */
  double share;        /* of the samples */
  bool local;          /* most accesses of local memory are theirs */
  size_t first;        /* the question that most warps had such an argument at */
};
void large_arguments_of(struct large_arguments *out, const struct rule_input *in);
/* Fast functions would err. */
bool arguments_are_large(const struct rule_input *in);

/* Warp instructions that go where no argument needs any of these, of a pipe; PIPE_UNKNOWN: of all. */
double slow_paths_gone(const struct rule_input *in, enum sass_pipe pipe);
