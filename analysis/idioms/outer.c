/* A thread's part of a product of matrices: values of a row and of a column come from shared
 * memory, and each of the one is multiplied by each of the other. */
#include "analysis/idioms/outer.h"
#include "analysis/sass/sass_parts.h"

#include <math.h>

enum { OUTER_PRODUCERS_MAX = 16, WORD = 4 };

/* Both factors, and the sum is a register, too: no constant is added. */
static bool multiplies_shared(struct sass *s, size_t i) {
  struct sass_producer from[OUTER_PRODUCERS_MAX];
  const struct sass_inst *x = &s->insts[i];
  if (x->n_reads != FACTORS + 1 || ranges_overlap(&x->reads[0], &x->reads[1]))
    return false;
  size_t n = sass_producers(s, i, from, OUTER_PRODUCERS_MAX), factors = 0;
  for (size_t k = 0; k < n && k < OUTER_PRODUCERS_MAX; k++) {
    bool loaded = s->insts[from[k].inst].class == SASS_LOAD_SHARED;
    if (!is_factor(x, &from[k].range))
      continue;
    if (!loaded)
      return false;
    factors++;
  }
  return n <= OUTER_PRODUCERS_MAX && factors >= FACTORS;
}

bool sass_outer_products(struct sass *s) {
  double all = 0, products = 0, words = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    const struct sass_block *b = &s->blocks[s->block_of[i]];
    double n = x->never || !b->reachable ? 0 : s->counted ? fmax(s->executed[i], 0) : 1;
    bool is_ffma = opcode_is(x, "FFMA"), loops = b->loop != SASS_NONE;
    all += is_ffma ? n : 0;
    words += x->class == SASS_LOAD_SHARED && loops ? n * x->bytes / WORD : 0;
    products += is_ffma && loops && n > 0 && multiplies_shared(s, i) ? n : 0;
  }
  return products > 0 && 2 * products >= all && products >= FACTORS * words;
}
