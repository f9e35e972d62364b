/* Blocks that send one atomic each. */
#pragma once

#include "analysis/signs/rule_input.h"

struct atomic_blocks {
  bool one_each;  /* a block sends about one: it has nothing left to reduce */
  bool one_slice; /* one slice of the L2 has nearly all of them: they are to one address or few */
  bool known;     /* whether it has was counted */
  double kept;    /* of the atomics, where a grid of one wave does the work; 1: it is none more */
};
/* requests: warp-level atomics of the launch. */
void atomic_blocks_of(struct atomic_blocks *out, const struct rule_input *in, double requests);
