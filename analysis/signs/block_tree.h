/* A block's reduction by a tree in shared memory, and what is left of it where each warp reduces by shuffles. */
#pragma once

#include "analysis/signs/rule_input.h"

struct tree_insts { /* warp instructions, executed */
  double insts, alu, fma, xu, shared, barriers;
};

struct block_tree {
  struct tree_insts has, goes;      /* goes: without the shuffles that take their place */
  double shuffles;                  /* that take its place */
  const struct run_instruction *at; /* a level; NULL: it has no line */
};

/* False where there is none, or nothing was counted.  of: of every instruction whether it is part of it; NULL: not asked for, else the caller frees *of. */
bool block_tree_of(struct block_tree *out, const struct rule_input *in, unsigned char **of);
/* It is most of the kernel's shared accesses. */
bool tree_has_shared(const struct rule_input *in, const struct block_tree *t);
/* It has most of the kernel's barriers, and warps wait there: `barrier` says what to do, once. */
bool tree_waits(const struct rule_input *in, const struct block_tree *t);
/* Of the whole kernel: instructions that take the path of shared memory, and barriers; in->sass is there. */
double shared_executed(const struct rule_input *in);
double barriers_executed(const struct rule_input *in);
