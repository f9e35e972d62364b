/* What kinds of instructions fill the ALU pipe. */
#pragma once

#include "analysis/signs/rule_input.h"

enum pipe_kind {
  PIPE_WIDE_COMPARES, /* of 64-bit integers: two instructions each */
  PIPE_COMPARES,      /* of integers */
  PIPE_PREDICATES,    /* logic of predicates, and those that come back from a register */
  PIPE_CHOICES,       /* minima, maxima, comparisons of floats and selections */
  PIPE_BITS,          /* shifts, masks, bytes of a word */
  PIPE_ADDS,          /* integer additions, addresses among them */
  PIPE_CONVERTS,
  PIPE_KINDS
};

struct pipe_work {
  double part[PIPE_KINDS];      /* of the pipe's instructions */
  enum pipe_kind first, second; /* that have most of them */
  /* shifts and masks of the hot loop make a word of that word itself an iteration ago, as a generator of random numbers its state */
  bool carried;
  bool bytes;       /* most of what the hot loop loads is one byte per lane */
  bool words;       /* shifts and masks are none: words are rotated and combined as they are, as a hash does */
  double rotations; /* of the pipe's instructions */
  const struct run_instruction *at; /* the line that executes most of the first kind; NULL: none is known */
};

/* False where nothing was counted, or none runs on it. */
bool pipe_work_of(struct pipe_work *out, const struct rule_input *in);
