/* What is the same in every thread of a launch: values made of numbers and of the kernel's arguments alone.
 *
 * An instruction makes one where all that may have written what it reads does; nothing that a loop carries is among them, since an instruction is taken in
 * only after all its producers.  The slow path of a division or a root is called where a branch before it asks for it: what that branch reads decides. */
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>

enum { PRODUCERS_MAX = 64 };

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
  for (size_t k = 0; k < n; k++)
    if (!given[from[k].inst])
      return false;
  for (size_t r = 0; r < x->n_reads; r++)
    if (!is_written(&x->reads[r], from, n))
      return false;
  return is_written(&x->guard, from, n);
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

static bool computes(const struct sass_inst *x) {
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
  case SASS_UNIFORM:
    return x->wait != WAIT_SPECIAL; /* of a special register, or of lanes */
  default:
    return false;
  }
}

bool *sass_given_make(struct sass *s) {
  bool *given = calloc(s->n + 1, sizeof *given);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->n; i++) {
      const struct sass_inst *x = &s->insts[i];
      if (given[i] || x->never || !s->blocks[s->block_of[i]].reachable)
        continue;
      given[i] = x->calls ? is_asked_for(s, i, given) : computes(x) && reads_only(s, i, given);
      more = more || given[i];
    }
  }
  return given;
}
