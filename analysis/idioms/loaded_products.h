/* Products of two loaded values: what matrices are multiplied by. */
#pragma once

#include "analysis/sass/sass.h"

/* Multiply-adds in loops whose two factors were loaded as they are, from global or shared memory:
 * warp instructions as executed, without what never is. */
struct sass_loaded_products {
  double fp32;        /* FFMA */
  double fp16;        /* HFMA2, of which each lane has one product or two */
  double fp16_packed; /* of these with two: no factor is one half twice */
  double mma;         /* HMMA */
  double mma_ffma;    /* products of these, in FFMA of a warp */
};
void sass_loaded_products(struct sass_loaded_products *out, struct sass *s);
