/* Loops one behind the other that load the same array: a thread goes through its elements once in each. */
#pragma once

#include "analysis/sass/sass.h"

enum { PASSES_MOST = 4 };

struct sass_passes {
  size_t n;               /* passes of about as many bytes; fewer than 2: there are none, or that is not known */
  size_t at[PASSES_MOST]; /* of each a load, in the order of the code */
  double again; /* of the bytes of all loads, those of all but one of the passes that go by the same places: 0..1 */
  double executed, bytes; /* of the pass that loads most: warp-level loads; bytes that 32 lanes ask for by these */
};
/* An unrolled loop and what is left of it are one pass: their loads stand on one line. */
void sass_passes_of(struct sass_passes *out, struct sass *s);
