/* A product of matrices in fp16 or bf16 on the FMA pipe. */
#pragma once

#include "analysis/signs/rule_input.h"

struct half_product {
  double arithmetic; /* warp instructions: FFMA, FMUL, FADD */
  double converts;
};

/* Multiplies and adds are most of the instructions, their values are converted to fp32, and products of two values that were loaded outnumber what is loaded, which no product of a
 * matrix and a vector does. */
bool half_product_of(struct half_product *out, const struct rule_input *in);
