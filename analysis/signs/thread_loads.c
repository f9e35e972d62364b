#include "analysis/signs/thread_loads.h"

#include "analysis/sass/sass.h"
#include "analysis/signs/elements.h"

#include <math.h>

double thread_loads(const struct rule_input *in) {
  double warps = or_zero(in->work.blocks) * or_zero(in->work.warps_per_block), bytes = 0;
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double part = in->sass->counted && warps > 0 ? fmin(fmax(in->sass->executed[i], 0) / warps, 1) : 1;
    bytes += x->class == SASS_LOAD_GLOBAL && !x->never ? x->bytes * part : 0;
  }
  return bytes;
}

bool threads_have_several(const struct rule_input *in) {
  return thread_loads(in) >= ELEMENTS * LANE_BYTES_MOST;
}

/* Bytes of the accesses of a class that run: the most of those that share a base address, where
 * these are that many or more, and of all. */
static void bytes_of(const struct rule_input *in, enum sass_class class, int least, int *of_base, int *of_all) {
  enum { SEARCHED = 256 };
  struct sass *s = in->sass;
  size_t found[SEARCHED], n = 0;
  *of_base = *of_all = 0;
  for (size_t i = 0; s && i < s->n && n < SEARCHED; i++)
    if (s->insts[i].class == class && !s->insts[i].never && (!s->counted || s->executed[i] > 0))
      found[n++] = i;
  for (size_t k = 0; k < n; k++) {
    int bytes = 0, alike = 0;
    for (size_t j = k; j < n; j++)
      if (j == k || sass_same_base(s, found[k], found[j]))
        alike++, bytes += s->insts[found[j]].bytes;
    *of_base = alike >= least && bytes > *of_base ? bytes : *of_base;
    *of_all += s->insts[found[k]].bytes;
  }
}

bool threads_store_several(const struct rule_input *in) {
  enum { ELEMENT = 4, SEVERAL = ELEMENTS * ELEMENT };
  int loads, all_loads, stores, all_stores;
  bytes_of(in, SASS_LOAD_GLOBAL, ELEMENTS, &loads, &all_loads);
  bytes_of(in, SASS_STORE_GLOBAL, 1, &stores, &all_stores);
  return stores >= SEVERAL || (loads >= SEVERAL && all_stores >= SEVERAL);
}
