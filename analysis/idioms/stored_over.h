/* Stores to shared memory that the next turn of their loop stores over. */
#pragma once

#include "analysis/sass/sass.h"

struct sass_stored_over {
  int stores;      /* in the text, of places that no turn changes */
  double executed; /* warp instructions; those of the text, where nothing was counted */
  double part;     /* of the bytes that all accesses of shared memory move, 0..1 */
  size_t at;       /* the first; SASS_NONE: there is none */
};
/* Of a loop that neither loads shared memory nor meets at a barrier, so that nobody sees but what the last turn stores. */
void sass_stored_over(struct sass_stored_over *out, const struct sass *s, size_t loop);
