/* The work of a kernel that reduces by warp shuffles in place of its tree in shared memory.  Private to the room. */
#pragma once

#include "analysis/signs/block_tree.h"

/* Of the waits at barriers, what cured kernels of the corpus' training half keep: 16, 25 and 39 %. */
#define BARRIERS_KEPT 0.25

void work_without_tree(const struct rule_input *in, const struct block_tree *t, struct workload *w);
