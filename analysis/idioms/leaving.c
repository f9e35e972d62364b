/* Warps without an element.
 *
 *   ISETP.GE.AND P0, PT, R0, UR4, PT    R0: the thread's number, or made of it
 *   @P0 EXIT
 *
 * or, where the warps of a block still meet, as in a sum over a row:
 *
 *   @P0 BRA 0xb60                       past the loads
 *   BAR.SYNC
 *   @P0 EXIT                            before the stores
 *
 * All that reaches global memory stands behind the end, and all loads behind it or behind a branch on the same test. */
#include "analysis/idioms/leaving.h"
#include "analysis/idioms/guards.h"
#include "analysis/sass/sass_parts.h"

enum { TEST_PRODUCERS_MAX = 16 };

/* The one instruction that makes the guard of i. */
static size_t test_of(struct sass *s, size_t i) {
  struct sass_producer from[TEST_PRODUCERS_MAX];
  const struct sass_range *guard = &s->insts[i].guard;
  size_t n = sass_producers(s, i, from, TEST_PRODUCERS_MAX), found = SASS_NONE, count = 0;
  for (size_t k = 0; k < n && k < TEST_PRODUCERS_MAX; k++)
    if (from[k].range.file == guard->file && from[k].range.first == guard->first) {
      found = from[k].inst;
      count++;
    }
  return n <= TEST_PRODUCERS_MAX && count == 1 ? found : SASS_NONE;
}

static bool runs(const struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  return !x->never && !x->malformed && s->executed[i] > 0;
}

/* Warps come behind the block's last instruction only where the test of `end` holds, as behind that. */
static bool same_way_on(struct sass *s, size_t block, size_t end) {
  const struct sass_block *b = &s->blocks[block];
  size_t last = b->first + b->n - 1;
  const struct sass_inst *x = &s->insts[last];
  bool leaves = x->ends || (x->branches && x->conditional && x->has_target && x->target > x->offset);
  return leaves && x->guarded && x->guard_negated == s->insts[end].guard_negated && test_of(s, last) == test_of(s, end);
}

/* Instruction i is for warps with an element alone. */
static bool is_for_the_rest(struct sass *s, size_t i, size_t end) {
  for (size_t b = s->block_of[i]; b != SASS_NONE; b = s->blocks[b].idom) {
    size_t before = s->blocks[b].idom;
    if (before != SASS_NONE && s->blocks[b].first == s->blocks[before].first + s->blocks[before].n &&
        same_way_on(s, before, end))
      return true;
  }
  return false;
}

static bool is_effect(const struct sass_inst *x) {
  return x->class == SASS_STORE_GLOBAL || x->access == ACCESS_BULK_COPY ||
         (x->class == SASS_ATOMIC && x->space != SPACE_SHARED);
}

static bool is_read(const struct sass_inst *x) {
  return x->class == SASS_LOAD_GLOBAL || x->class == SASS_ASYNC_COPY || opcode_is(x, "TEX") || opcode_is(x, "TLD") ||
         opcode_is(x, "TLD4") || opcode_is(x, "SULD");
}

static bool is_end(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  const struct sass_block *b = &s->blocks[s->block_of[i]];
  return x->ends && x->guarded && !x->never && i + 1 < s->n && s->executed[i] > 0 && s->executed[i + 1] > 0 &&
         b->loop == SASS_NONE && b->function == SASS_NONE && b->reachable && test_of(s, i) != SASS_NONE &&
         sass_asks_place(s, i);
}

/* Whatever reaches memory, and all loads, are of the other warps.  Those that have met these at a barrier may have helped to compute: unless what is computed was loaded
 * before that, and not by them. */
static bool leaves_nothing_behind(struct sass *s, size_t end) {
  size_t behind = s->block_of[end + 1];
  bool effects = false, meets = false, loaded = false;
  for (size_t i = 0; i < s->n; i++) {
    bool effect = runs(s, i) && is_effect(&s->insts[i]), read = runs(s, i) && is_read(&s->insts[i]);
    if (effect && !sass_dominates(s, behind, s->block_of[i]))
      return false;
    if (read && !is_for_the_rest(s, i, end))
      return false;
    effects = effects || effect;
    bool before = !sass_dominates(s, behind, s->block_of[i]);
    meets = meets || (before && runs(s, i) && s->insts[i].wait == WAIT_BLOCK);
    loaded = loaded || (before && read);
  }
  return effects && (!meets || loaded);
}

static void leaving_sum(struct sass *s, struct sass_leaving *out) {
  for (size_t i = 0; i < s->n; i++) {
    if (!runs(s, i) || s->blocks[s->block_of[i]].function != SASS_NONE || is_for_the_rest(s, i, out->exit))
      continue;
    double n = out->part * s->executed[i];
    out->insts += n;
    out->pipe[s->insts[i].pipe] += n;
    out->barrier = out->barrier || s->insts[i].wait == WAIT_BLOCK;
  }
}

bool sass_leaving_of(struct sass *s, struct sass_leaving *out) {
  *out = (struct sass_leaving){.exit = SASS_NONE};
  for (size_t i = 0; i < s->n && s->counted && !s->spread; i++) {
    if (!is_end(s, i) || !leaves_nothing_behind(s, i))
      continue;
    double stay = s->blocks[s->block_of[i + 1]].executed / s->blocks[s->block_of[i]].executed;
    if (!(stay < 1))
      continue;
    out->exit = i;
    out->part = 1 - stay;
    leaving_sum(s, out);
    return true;
  }
  return false;
}
