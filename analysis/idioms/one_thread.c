/* Branches that one thread of a block passes alone. */
#include "analysis/idioms/block_work.h"

#include <stdlib.h>

enum { ONE_PRODUCERS_MAX = 16 };

/* What instruction i reads in this place comes from one instruction; SASS_NONE: from several, or none. */
static size_t only_producer(struct sass *s, size_t i, const struct sass_range *range) {
  struct sass_producer from[ONE_PRODUCERS_MAX];
  size_t n = sass_producers(s, i, from, ONE_PRODUCERS_MAX), found = SASS_NONE, count = 0;
  for (size_t k = 0; k < n && k < ONE_PRODUCERS_MAX; k++)
    if (from[k].range.file == range->file && from[k].range.first == range->first) {
      found = from[k].inst;
      count++;
    }
  return n <= ONE_PRODUCERS_MAX && count == 1 ? found : SASS_NONE;
}

/* "ISETP.NE.AND P0, PT, R0, RZ, PT", with R0 the thread's number: 1 it is true for all but thread 0, -1 (EQ) for thread 0 alone, 0 neither is known. */
static int asks_for_thread_0(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  int sense = sass_modifier(x, "NE") ? 1 : sass_modifier(x, "EQ") ? -1 : 0;
  if (strcmp(x->opcode, "ISETP") != 0 || sense == 0 || !sass_modifier(x, "AND") || x->n_reads != 1 ||
      x->reads[0].file != FILE_R || !strstr(x->text, ", RZ, PT"))
    return 0;
  size_t number = only_producer(s, i, &x->reads[0]);
  return number != SASS_NONE && strstr(s->insts[number].text, "SR_TID.X") ? sense : 0;
}

/* Whoever comes to block `to` has come from block `from` to block `by`: no other way joins there. */
static bool is_way(const struct sass *s, size_t from, size_t by, size_t to) {
  size_t ways = 0;
  for (size_t b = 0; b < s->n_blocks; b++)
    for (size_t k = 0; k < s->blocks[b].n_succ; k++)
      ways += s->blocks[b].succ[k] == by && !sass_dominates(s, by, b); /* but a loop's way back */
  return ways == 1 && s->blocks[by].idom == from && sass_dominates(s, by, to);
}

/* Block `from` ends in a branch, or holds an end under a guard, that only thread 0 passes on its way to block `to`. */
static bool lets_one_through(struct sass *s, size_t from, size_t to) {
  const struct sass_block *b = &s->blocks[from];
  for (size_t i = b->first; i < b->first + b->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool ends = x->ends && x->guarded, jumps = x->branches && x->conditional && x->guarded && x->has_target;
    size_t test = ends || jumps ? only_producer(s, i, &x->guard) : SASS_NONE;
    int sense = test == SASS_NONE ? 0 : asks_for_thread_0(s, test) * (x->guard_negated ? -1 : 1);
    size_t target = jumps ? sass_find(s, x->target) : SASS_NONE;
    if (ends && sense > 0)
      return true;
    for (size_t k = 0; k < b->n_succ && jumps && sense != 0 && target != SASS_NONE; k++) {
      bool taken = b->succ[k] == s->block_of[target];
      if (taken == (sense < 0) && is_way(s, from, b->succ[k], to))
        return true;
    }
  }
  return false;
}

bool sass_branch_for_one(struct sass *s, size_t branch) {
  const struct sass_block *b = &s->blocks[s->block_of[branch]];
  for (size_t k = 0; k < b->n_succ; k++)
    if (lets_one_through(s, s->block_of[branch], b->succ[k]))
      return true;
  return false;
}

bool *sass_alone_make(struct sass *s) {
  bool *alone = calloc(s->n_blocks + 1, sizeof *alone);
  for (size_t from = 0; from < s->n_blocks; from++)
    for (size_t k = 0; k < s->blocks[from].n_succ; k++) {
      size_t by = s->blocks[from].succ[k];
      bool one = sass_dominates(s, from, by) && !sass_dominates(s, by, from) && lets_one_through(s, from, by);
      for (size_t b = 0; b < s->n_blocks && one; b++)
        alone[b] = alone[b] || sass_dominates(s, by, b);
    }
  return alone;
}
