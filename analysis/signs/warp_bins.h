/* Whether the lanes of a warp add to one address of shared memory, by the code: each warp then has a copy of its own, or the block has one. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Of most atomics in shared memory, as executed, else by instructions.  False where the code does not say. */
bool warp_shares_bin(const struct rule_input *in);

/* Copies of all that a block has in shared memory, lanes apart, that leave as many blocks on an SM: up to one a lane; 0: not known.  *bytes: of a block with these. */
int bin_copies(const struct rule_input *in, double *bytes);
