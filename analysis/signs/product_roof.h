/* The time of a product of matrices that is cut into tiles as well as can be. */
#pragma once

#include "analysis/signs/rule_input.h"

struct product_roof {
  double seconds;       /* 0: it is no such product, or its code has no counts */
  enum bound_kind pipe; /* its arithmetic is on: BOUND_FMA or BOUND_TENSOR */
  bool compares;        /* its sums are compared, too, which takes the ALU longer than the FMA pipe */
};

/* Where most arithmetic multiplies two loaded values and adds the products up, and each byte that DRAM reads, or the L2 may hold, is in several of them: the model's time with that arithmetic
 * alone on its pipe (the tensor cores' for halves), the bytes that DRAM was counted for, and the launch.  A tile that is large enough loads while others are multiplied. */
void product_roof_of(struct product_roof *out, const struct rule_input *in);
