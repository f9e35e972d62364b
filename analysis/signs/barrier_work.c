#include "analysis/signs/barrier_work.h"

#include "analysis/idioms/origins.h"
#include "analysis/signs/block_tree.h"

#include <math.h>
#include <stdlib.h>

bool *before_barriers(const struct sass *s) {
  bool *before = calloc(s->n_blocks + 1, sizeof *before);
  for (size_t i = 0; i < s->n; i++)
    before[s->block_of[i]] |= s->insts[i].wait == WAIT_BLOCK && !s->insts[i].never;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = s->n_blocks; i-- > 0;)
      for (size_t k = 0; k < s->blocks[i].n_succ && !before[i]; k++)
        more |= before[i] = before[s->blocks[i].succ[k]];
  }
  return before;
}

/* Times that a block is entered from outside of its loop; -1: not known. */
static double entered(const struct sass *s, size_t block) {
  const struct sass_block *b = &s->blocks[block];
  if (b->loop == SASS_NONE || s->loops[b->loop].header != block)
    return b->executed;
  struct value trips = s->loops[b->loop].trips;
  return trips.present && trips.v > 0 ? b->executed / trips.v : -1;
}

/* It is run less often than the block that leads to it, in whose loop it stands or that its own loop stands in.  Counts by samples err by a tenth. */
static bool is_passed_over(const struct sass *s, size_t block) {
  static const double LESS = 0.75;
  const struct sass_block *b = &s->blocks[block];
  bool header = b->loop != SASS_NONE && s->loops[b->loop].header == block;
  size_t outer = header ? s->loops[b->loop].parent : b->loop;
  double n = entered(s, block);
  return b->idom != SASS_NONE && s->blocks[b->idom].loop == outer && n >= 0 && n < LESS * s->blocks[b->idom].executed;
}

/* Part of the executed instructions in blocks before barriers that some warps pass over, and in those that only these lead to. */
static double passed_over(const struct sass *s) {
  double all = 0, part = 0;
  bool *before = before_barriers(s), *over = calloc(s->n_blocks + 1, sizeof *over);
  for (size_t i = 0; i < s->n_blocks; i++)
    over[i] = is_passed_over(s, i);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->n_blocks; i++)
      if (!over[i] && s->blocks[i].idom != SASS_NONE && over[s->blocks[i].idom])
        more = over[i] = true;
  }
  for (size_t i = 0; i < s->n_blocks; i++) {
    double n = fmax(s->blocks[i].executed, 0) * (double)s->blocks[i].n;
    all += n;
    part += before[i] && over[i] ? n : 0;
  }
  free(before);
  free(over);
  return all > 0 ? part / all : 0;
}

static bool runs(const struct sass *s, size_t i) {
  return !s->insts[i].never && s->executed[i] > 0;
}

static bool is_shared_load(const struct sass *s, size_t at, size_t of) {
  (void)of;
  return s->insts[at].class == SASS_LOAD_SHARED;
}

/* Matrix instructions hand on between all lanes: their results are not a lane's to shuffle. */
static bool puts_back(struct sass *s) {
  bool back = false;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (!runs(s, i))
      continue;
    if (x->class == SASS_TENSOR)
      return false;
    back = back || (x->class == SASS_STORE_SHARED && x->n_reads > 0 &&
                    sass_comes_from(s, i, &x->reads[x->n_reads - 1], is_shared_load, 0));
  }
  return back;
}

bool is_put_together(const struct rule_input *in) {
  return grid_blocks(in) <= 1 && in->sass && barriers_executed(in) > 0;
}

void barrier_work_of(struct barrier_work *out, const struct rule_input *in) {
  static const double MATTERS = 0.05; /* of the instructions: what is less than that is soon done */
  bool known = in->sass && in->sass->counted;
  *out = (struct barrier_work){.uneven = true, .exchanges = true};
  if (!known)
    return;
  out->uneven = passed_over(in->sass) >= MATTERS;
  out->exchanges = puts_back(in->sass);
  out->shuffles = executed_of(in, "SHFL", NULL) > 0;
}
