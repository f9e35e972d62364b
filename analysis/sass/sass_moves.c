/* Kernels that compute nothing: what they store they have loaded, at once or through shared memory. */
#include "analysis/sass/sass.h"
#include "analysis/sass/sass_parts.h"

#include <string.h>

enum { FOLLOWED_MOST = 8, PRODUCERS_MAX = 16 };

static bool passes_on(const struct sass_inst *x) {
  return strcmp(x->opcode, "MOV") == 0 || strcmp(x->opcode, "PRMT") == 0;
}

/* All that instruction i reads, or only its `range`, was loaded, or passed on from what was. */
static bool is_loaded(struct sass *s, size_t i, const struct sass_range *range, int followed) {
  struct sass_producer from[PRODUCERS_MAX];
  size_t n = sass_producers(s, i, from, PRODUCERS_MAX), found = 0;
  if (n > PRODUCERS_MAX || followed == FOLLOWED_MOST)
    return false;
  for (size_t k = 0; k < n; k++) {
    const struct sass_inst *x = &s->insts[from[k].inst];
    if (range && !ranges_same(&from[k].range, range))
      continue;
    found++;
    if (x->class != SASS_LOAD_GLOBAL && x->class != SASS_LOAD_SHARED &&
        !(passes_on(x) && is_loaded(s, from[k].inst, NULL, followed + 1)))
      return false;
  }
  return found > 0;
}

bool sass_only_moves(struct sass *s) {
  bool stores = false;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    const struct sass_block *b = &s->blocks[s->block_of[i]];
    bool runs = b->reachable && !b->rare && !x->never && (!s->counted || s->executed[i] > 0);
    if (runs && (x->class == SASS_ATOMIC || x->class == SASS_TENSOR))
      return false;
    if (!runs || (x->class != SASS_STORE_GLOBAL && x->class != SASS_STORE_SHARED))
      continue;
    if (x->n_reads == 0 || !is_loaded(s, i, &x->reads[x->n_reads - 1], 0)) /* the last operand is what is stored */
      return false;
    stores = stores || x->class == SASS_STORE_GLOBAL;
  }
  return stores;
}
