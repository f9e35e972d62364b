#include "analysis/signs/swap_retries.h"

#include "analysis/idioms/origins.h"

#include <math.h>
#include <string.h>

static bool swaps(const struct sass *s, const struct sass_block *b) {
  for (size_t i = b->first; i < b->first + b->n; i++)
    if (strcmp(s->insts[i].opcode, "ATOMS") == 0 && strncmp(s->insts[i].modifiers, ".CAS", 4) == 0)
      return true;
  return false;
}

static bool is_loop(const struct sass *s, size_t block) {
  size_t loop = s->blocks[block].loop;
  return loop != SASS_NONE && s->loops[loop].header == block;
}

/* Where the block that swaps is the loop; the block before it is executed once for each time it is entered. */
static void retries_add(struct swap_retries *out, const struct sass *s, size_t block) {
  const struct sass_block *b = &s->blocks[block];
  bool again = is_loop(s, block) && b->idom != SASS_NONE;
  double entered = again ? s->blocks[b->idom].executed : 0;
  if (entered <= 0 || b->executed <= entered)
    return;
  double beyond = b->executed - entered;
  for (size_t i = b->first; i < b->first + b->n; i++) {
    out->insts += beyond;
    out->shared += s->insts[i].space == SPACE_SHARED ? beyond : 0;
  }
  out->turns = fmax(out->turns, b->executed / entered);
}

static double samples_in(const struct rule_input *in, const struct sass_block *b) {
  const struct hot_kernel *k = rule_kernel(in);
  double samples = 0;
  for (size_t i = b->first; k && i < b->first + b->n; i++)
    samples += k->insts[i] == SASS_NONE ? 0 : (double)in->hot->insts[k->insts[i]].samples;
  return in->hot->samples > 0 ? samples / (double)in->hot->samples : 0;
}

struct swap_retries swap_retries_of(const struct rule_input *in) {
  static const double SEEN = 0.1;
  struct swap_retries out = {0};
  for (size_t i = 0; in->sass && i < in->sass->n_blocks; i++) {
    const struct sass_block *b = &in->sass->blocks[i];
    if (!swaps(in->sass, b))
      continue;
    out.waits += is_loop(in->sass, i) ? samples_in(in, b) : 0;
    if (in->sass->counted)
      retries_add(&out, in->sass, i);
  }
  out.only_seen = in->sass && !in->sass->counted && out.waits >= SEEN;
  return out;
}

bool loop_retries_swap(const struct sass *s, size_t loop) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool swaps = x->class == SASS_ATOMIC && (sass_modifier(x, "CAS") || sass_modifier(x, "CAST"));
    if (swaps && !x->never && s->blocks[s->block_of[i]].loop == loop && !sass_place_moves(s, i, loop))
      return true;
  }
  return false;
}
