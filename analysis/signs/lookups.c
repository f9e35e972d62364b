#include "analysis/signs/lookups.h"

#include "analysis/sass/origins.h"

#include <string.h>

/* Bank 4 holds the addresses of the module's variables. */
static bool is_of_module(const struct sass *s, size_t at, size_t of) {
  (void)of;
  return strstr(s->insts[at].text, "c[0x4][") != NULL;
}

static bool is_for_doubles(struct sass *s, size_t load) {
  enum { PRODUCERS = 16 };
  struct sass_producer from[PRODUCERS];
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0, n = s->insts[i].class == SASS_FP64 ? sass_producers(s, i, from, PRODUCERS) : 0;
         k < n && k < PRODUCERS; k++)
      if (from[k].inst == load)
        return true;
  return false;
}

double looked_up_bytes(const struct rule_input *in) {
  double sum = 0;
  struct sass *s = in->sass;
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool of_module = false;
    if (x->class != SASS_LOAD_GLOBAL || x->never || !(s->executed[i] > 0) || !sass_place_is_chosen(s, i))
      continue;
    for (size_t k = 0; k < x->n_reads && !of_module; k++)
      of_module = sass_comes_from(s, i, &x->reads[k], is_of_module, 0);
    sum += of_module && is_for_doubles(s, i) ? s->executed[i] * SECTOR_BYTES : 0;
  }
  return sum;
}
