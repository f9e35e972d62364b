/* Sums over lanes or warps that a loop makes in each turn though it only adds them up. */
#pragma once

#include "analysis/sass/sass.h"

/* Shuffles and stores to shared memory of the loops, warp instructions as executed (in the text, where nothing was counted). */
struct sass_sums {
  double all;
  /* What they hand on reaches a sum carried by the loop, by additions, or maxima, and nothing else:
   * once behind the loop is enough. */
  double behind;
};
void sass_sums_of(struct sass_sums *out, struct sass *s);
