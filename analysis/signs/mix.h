/* What a kernel's instructions are for, and how many of each kind a remedy can spare. */
#pragma once

#include "analysis/signs/rule_input.h"

enum mix_kind {
  MIX_ACCESSES, /* of global memory */
  MIX_INDEX,    /* what makes addresses */
  MIX_TREE,     /* of a tree in shared memory */
  MIX_SHUFFLES, /* of loops that make a shuffle reduction's steps */
  MIX_TURNS,    /* of loops: counter, comparison and branch */
  MIX_DIVISIONS,
  MIX_HALF_DIVISIONS,
  MIX_EXPONENTIALS,
  MIX_HALF_EXPONENTIALS,
  MIX_TANGENTS, /* tanhf */
  MIX_ERRORS,   /* erff */
  MIX_LOGARITHMS,
  MIX_POWERS, /* powf: a logarithm, the exponent's product and an exponential */
  MIX_SINES,
  MIX_ROOTS,
  MIX_SLOW_PATHS,
  MIX_INTEGER_DIVISIONS,
  MIX_CONVERSIONS,
  MIX_HALVES, /* of 16 bits, one value at a time */
  MIX_NAMED,  /* the kinds above are named by what takes their place; those below are the work itself */
  MIX_FLOAT = MIX_NAMED,
  MIX_INTEGER,
  MIX_LITERALS, /* moves of fp64 literals, which no instruction holds, to registers */
  MIX_SETUP,    /* what no arithmetic pipe executes: branches, parameters, special registers, the uniform path */
  MIX_KINDS
};

struct mix {
  double takes[MIX_KINDS]; /* warp instructions */
  double goes[MIX_KINDS];  /* of these, what a remedy can spare; 0 of the work itself */
  unsigned char *of;       /* of every instruction of in->sass: its kind; MIX_KINDS: none */
  bool known;              /* executed counts are there */
};

/* Accesses' goes stays 0: how wide they could be is the caller's to say (signs/wider.h). */
void mix_of(struct mix *out, const struct rule_input *in);
void mix_release(struct mix *m); /* leaves *m all zero */
/* The instruction whose line has the most of that kind; NULL: none, or it has no line. */
const struct run_instruction *mix_place(const struct rule_input *in, const struct mix *m, enum mix_kind k);
