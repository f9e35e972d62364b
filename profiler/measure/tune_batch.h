/* Configurations of a search as rungs that can be measured. */
#pragma once

#include "kernels/rung.h"
#include "profiler/measure/tune_search.h"

enum { TUNE_FINAL_STAGE = 1 << 20 }; /* above every other */

/* Rungs that borrow everything but their ids, keys and parameters; the last is the rung itself where it takes part, in the final stage. */
struct tune_batch {
  struct rung_set set;
  bool *chosen;
  size_t n_made; /* those that own an id, keys and parameters */
  size_t n_borrowed_keys;
};

/* "ID#A=1,B=2", of the axes that have several values; the caller's to free. */
char *tune_configuration_id(const struct tune_space *s, size_t configuration);
/* The caller releases *out. */
void tune_batch_make(struct tune_batch *out, const struct rung_set *from, const struct tune_space *s,
                     const size_t *configurations, size_t n, int stage);
void tune_batch_release(struct tune_batch *b);
/* The stage that measured a variant of the search's run: a key of its own among those of the front matter; without it, the final one. */
int tune_stage_of(const struct run_variant *v);
