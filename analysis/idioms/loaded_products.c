#include "analysis/idioms/loaded_products.h"
#include "base/warp.h"

#include <math.h>
#include <string.h>

enum { PRODUCERS_MAX = 16 };

/* The addend may be made by the same instruction a turn before: it is asked of factors alone. */
static bool of_loads(struct sass *s, size_t i) {
  struct sass_producer from[PRODUCERS_MAX];
  const struct sass_inst *x = &s->insts[i];
  if (x->n_reads != FACTORS + 1 || ranges_overlap(&x->reads[0], &x->reads[1]))
    return false;
  size_t n = sass_producers(s, i, from, PRODUCERS_MAX), factors = 0;
  for (size_t k = 0; k < n && k < PRODUCERS_MAX; k++) {
    enum sass_class c = s->insts[from[k].inst].class;
    bool also_addend = ranges_overlap(&x->reads[FACTORS], &from[k].range);
    if (!is_factor(x, &from[k].range))
      continue;
    if (c != SASS_LOAD_SHARED && c != SASS_LOAD_GLOBAL && !also_addend)
      return false;
    factors += c == SASS_LOAD_SHARED || c == SASS_LOAD_GLOBAL;
  }
  return n <= PRODUCERS_MAX && factors >= FACTORS;
}

/* Of one matrix instruction: m x n x k, as its name has them ("16816", "1688"). */
static double products_of_mma(const struct sass_inst *x) {
  return sass_modifier(x, "16816") ? 16 * 8 * 16 : sass_modifier(x, "1688") ? 16 * 8 * 8 : 0;
}

/* .H0_H0 or .H1_H1 on both factors: one product a lane. */
static bool is_packed(const struct sass_inst *x) {
  const char *one = strstr(x->text, "_H"), *two = one ? strstr(one + 1, "_H") : NULL;
  return !two;
}

void sass_loaded_products(struct sass_loaded_products *out, struct sass *s) {
  *out = (struct sass_loaded_products){0};
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    const struct sass_block *b = &s->blocks[s->block_of[i]];
    double n = x->never || !b->reachable || b->loop == SASS_NONE ? 0 : s->counted ? fmax(s->executed[i], 0) : 1;
    bool ffma = opcode_is(x, "FFMA"), hfma = opcode_is(x, "HFMA2"), hmma = opcode_is(x, "HMMA");
    if (n <= 0 || !(ffma || hfma || hmma) || !of_loads(s, i))
      continue;
    out->fp32 += ffma ? n : 0;
    out->fp16 += hfma ? n : 0;
    out->fp16_packed += hfma && is_packed(x) ? n : 0;
    out->mma += hmma ? n : 0;
    out->mma_ffma += hmma ? n * products_of_mma(x) / WARP_LANES : 0;
  }
}
