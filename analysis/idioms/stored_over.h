/* Stores to shared memory that the next turn of their loop stores over. */
#pragma once

#include "analysis/sass/sass.h"

struct sass_stored_over {
  int stores;      /* in the text, of places that no turn changes */
  double executed; /* warp instructions; those of the text, where nothing was counted */
  double loads;    /* of these, loads of global memory, whose values are stored there alone */
  double part;     /* of the bytes that all accesses of shared memory move, 0..1 */
  size_t at;       /* the first; SASS_NONE: there is none */
};
/* Of a loop that neither loads shared memory nor meets at a barrier, so that nobody sees but what the last turn stores. */
void sass_stored_over(struct sass_stored_over *out, const struct sass *s, size_t loop);
/* No instruction that runs may see what is stored to shared memory.  Of these stores, and of the loads whose values are stored and not otherwise read, what `executed` has; at: the first store. */
void sass_never_read(struct sass_stored_over *out, struct sass *s);
