/* A block's reduction by a tree in shared memory, and what is left of it where each warp reduces by shuffles.  Private to the room. */
#pragma once

#include "analysis/advice/rule_tools.h"

#define TREE_REMEDY                                                                                                    \
  "replace the tree: several elements per thread in registers, then warp shuffles (__shfl_down_sync), then one barrier and one value per warp"

/* Of the waits at barriers, what cured kernels of the corpus' training half keep: 16, 25 and 39 %. */
#define BARRIERS_KEPT 0.25

struct tree_insts { /* warp instructions, executed */
  double insts, alu, fma, shared, barriers;
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
/* The work without it. */
void work_without_tree(const struct rule_input *in, const struct block_tree *t, struct workload *w);
