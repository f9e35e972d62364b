/* What is the same in every thread of a launch: values made of numbers, the kernel's arguments, and
 * memory at such places that the kernel does not write (the compiler loads it by LDG.CONSTANT).
 *
 * An instruction makes such a value where all that may have written what it reads does, and
 * every branch that chooses between these is decided so.  What a loop carries is never one:
 * an instruction is taken in only after all its producers.  What was counted to run never
 * has written nothing, as for large arguments of a sine.  A slow path of a division or a
 * root is called where a branch before it asks for it: what that branch reads decides. */
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>

enum { PRODUCERS_MAX = 64 };

/* Estimates miss what runs seldom. */
static bool never_ran(const struct sass *s, size_t i) {
  return s->counted && !s->estimated && !s->spread && s->blocks[s->block_of[i]].executed == 0;
}

static size_t common_dominator(const struct sass *s, size_t a, size_t b) {
  while (a != SASS_NONE && !sass_dominates(s, a, b))
    a = s->blocks[a].idom;
  return a;
}

/* Every branch on a way from block `from`, which dominates `to`, to there. */
static bool is_decided_alike(struct sass *s, size_t from, size_t to, const bool *given) {
  struct sass_scratch *x = s->scratch;
  size_t n = 0;
  bool alike = from != SASS_NONE && from != to;
  x->stamp++;
  x->stack[n++] = to;
  while (n > 0 && alike) {
    size_t block = x->stack[--n];
    for (size_t e = x->pred_at[block]; e < x->pred_at[block + 1] && block != from; e++) {
      size_t before = edge_from(x->preds[e]);
      const struct sass_block *b = &s->blocks[before];
      if (!b->reachable || x->block_mark[before] == x->stamp)
        continue;
      x->block_mark[before] = x->stamp;
      alike = alike && (b->n_succ < 2 || given[b->first + b->n - 1]);
      x->stack[n++] = before;
    }
  }
  return alike;
}

/* Of what has one of several writers, in whatever thread the same one's value is read. */
static bool is_chosen_alike(struct sass *s, size_t i, const struct sass_producer *from, size_t n, const bool *given) {
  for (size_t k = 0; k < n; k++) {
    size_t top = s->block_of[from[k].inst];
    bool several = false;
    for (size_t o = k + 1; o < n && ranges_overlap(&from[o].range, &from[k].range); o++) {
      several = several || s->block_of[from[o].inst] != top;
      top = top == SASS_NONE ? top : common_dominator(s, top, s->block_of[from[o].inst]);
    }
    if (several && !is_decided_alike(s, top, s->block_of[i], given))
      return false;
  }
  return true;
}

static bool is_written(const struct sass_range *r, const struct sass_producer *from, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (from[k].range.file == r->file && from[k].range.first == r->first)
      return true;
  return r->count == 0;
}

static bool reads_only(struct sass *s, size_t i, const bool *given) {
  struct sass_producer from[PRODUCERS_MAX];
  const struct sass_inst *x = &s->insts[i];
  size_t n = sass_producers(s, i, from, PRODUCERS_MAX);
  if (n > PRODUCERS_MAX)
    return false;
  size_t ran = 0;
  for (size_t k = 0; k < n; k++)
    if (!never_ran(s, from[k].inst))
      from[ran++] = from[k];
  n = ran;
  for (size_t k = 0; k < n; k++)
    if (!given[from[k].inst])
      return false;
  for (size_t r = 0; r < x->n_reads; r++)
    if (!is_written(&x->reads[r], from, n))
      return false;
  return is_written(&x->guard, from, n) && is_chosen_alike(s, i, from, n, given);
}

static bool is_asked_for(struct sass *s, size_t call, const bool *given) {
  const struct sass_scratch *x = s->scratch;
  size_t block = s->block_of[call];
  if (sass_called(s, call) == SASS_NONE || x->pred_at[block + 1] - x->pred_at[block] != 1)
    return false;
  const struct sass_block *before = &s->blocks[edge_from(x->preds[x->pred_at[block]])];
  size_t last = before->first + before->n - 1;
  return s->insts[last].guarded && reads_only(s, last, given);
}

bool sass_computes(const struct sass_inst *x) {
  switch (x->class) {
  case SASS_CONVERT:
  case SASS_INTEGER:
  case SASS_LOGIC:
  case SASS_FP16:
  case SASS_FP32:
  case SASS_FP64:
  case SASS_SPECIAL:
  case SASS_LOAD_CONSTANT:
    return true;
  default:
    return false;
  }
}

static bool may_be_given(const struct sass_inst *x) {
  return sass_computes(x) || (x->class == SASS_LOAD_GLOBAL && strstr(x->policy, "CONSTANT")) ||
         (x->class == SASS_UNIFORM && x->wait != WAIT_SPECIAL); /* of a special register, or of lanes */
}

bool *sass_given_make(struct sass *s) {
  bool *given = calloc(s->n + 1, sizeof *given);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->n; i++) {
      const struct sass_inst *x = &s->insts[i];
      if (given[i] || x->never || !s->blocks[s->block_of[i]].reachable)
        continue;
      given[i] = x->calls ? is_asked_for(s, i, given) : (may_be_given(x) || x->branches) && reads_only(s, i, given);
      more = more || given[i];
    }
  }
  for (size_t i = 0; i < s->n; i++)
    given[i] = given[i] && (!s->insts[i].branches || s->insts[i].calls);
  return given;
}
