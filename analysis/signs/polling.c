#include "analysis/signs/polling.h"

#include <math.h>
#include <stdlib.h>

enum { LOCK_INSTS = 32 }; /* of a loop that asks for a lock and does nothing else, at most; Triton's has 11 */

/* A block asks again and again, between barriers, for what another block is to release: a compare and swap, or a load that no cache may answer. */
static bool asks_others(const struct sass_inst *x) {
  bool swaps =
      x->class == SASS_ATOMIC && x->space != SPACE_SHARED && (sass_modifier(x, "CAS") || sass_modifier(x, "EXCH"));
  return swaps || (x->class == SASS_LOAD_GLOBAL && sass_modifier(x, "STRONG"));
}

bool waits_for_a_lock(const struct sass *s) {
  for (size_t l = 0; s && l < s->n_loops; l++) {
    bool barrier = false, asks = false;
    for (size_t i = 0; i < s->n; i++) {
      const struct sass_inst *x = &s->insts[i];
      if (x->never || !sass_in_loop(s, i, l))
        continue;
      barrier = barrier || x->wait == WAIT_BLOCK;
      asks = asks || asks_others(x);
    }
    /* A loop around it holds work, too.  CUTLASS has such a loop in every kernel, for sums over blocks that few launches ask for. */
    if (barrier && asks && s->loops[l].n_insts <= LOCK_INSTS && s->loops[l].executed > 0)
      return true;
  }
  return false;
}

/* The asking instruction of a short loop, which holds no barrier; SASS_NONE. */
static size_t polled_in(const struct sass *s, size_t loop) {
  size_t asks = SASS_NONE;
  for (size_t i = 0; i < s->n && s->loops[loop].n_insts <= LOCK_INSTS; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->never || !sass_in_loop(s, i, loop))
      continue;
    if (x->wait == WAIT_BLOCK)
      return SASS_NONE;
    asks = asks == SASS_NONE && asks_others(x) ? i : asks;
  }
  return asks;
}

size_t polls_for_others(const struct rule_input *in) {
  static const double half = 0.5;
  const struct sass *s = in->sass;
  const struct hot *h = in->hot;
  double others = in->f->launch ? ceil((double)launch_block_threads(in->f->launch) / RULE_LANES) - 1 : 0, waits = 0;
  for (size_t k = 0; k < h->n_insts; k++)
    waits += hot_samples_of(&h->insts[k], "barrier");
  for (size_t l = 0; s && waits > 0 && l < s->n_loops; l++) {
    size_t asks = polled_in(s, l);
    double polls = 0;
    for (size_t k = 0; k < h->n_insts && asks != SASS_NONE; k++)
      if (rule_is_ours(in, &h->insts[k]) && sass_in_loop(s, h->insts[k].at, l))
        polls += (double)h->insts[k].samples;
    if (polls * others >= half * waits)
      return asks;
  }
  return SASS_NONE;
}

bool blocks_meet(const struct rule_input *in) {
  const struct sass *s = in->sass;
  bool announces = false, polls = false;
  for (size_t i = 0; s && i < s->n; i++)
    announces =
        announces || (sass_is_global_atomic(&s->insts[i]) && sass_modifier(&s->insts[i], "ADD") && s->executed[i] > 0);
  for (size_t l = 0; announces && l < s->n_loops; l++)
    polls = polls || (s->loops[l].executed > 0 && polled_in(s, l) != SASS_NONE);
  return polls;
}
