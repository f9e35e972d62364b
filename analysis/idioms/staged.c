#include "analysis/idioms/staged.h"

#include <stdlib.h>

enum { STAGED_FOLLOWED = 4, STAGED_PRODUCERS = 16 };

static bool is_copy(const struct sass_inst *x) {
  return x->access == ACCESS_ASYNC_COPY || x->access == ACCESS_BULK_COPY;
}

/* Another type, or other places in the registers: no other value. */
static bool passes_on(const struct sass_inst *x) {
  return x->class == SASS_CONVERT || opcode_is(x, "MOV") || opcode_is(x, "PRMT") ||
         (opcode_is(x, "IMAD") && sass_modifier(x, "MOV")) || (opcode_is(x, "HADD2") && sass_modifier(x, "F32"));
}

static void mark_stored(bool *out, struct sass *s, size_t i, const struct sass_range *range, int followed) {
  struct sass_producer from[STAGED_PRODUCERS];
  size_t n = sass_first_producers(s, i, from, STAGED_PRODUCERS);
  for (size_t k = 0; k < n; k++) {
    const struct sass_inst *x = &s->insts[from[k].inst];
    if (from[k].range.file != FILE_R || (range && !ranges_overlap(&from[k].range, range)))
      continue;
    if (x->class == SASS_LOAD_GLOBAL)
      out[from[k].inst] = true;
    else if (passes_on(x) && followed < STAGED_FOLLOWED)
      mark_stored(out, s, from[k].inst, NULL, followed + 1);
  }
}

bool *sass_staged_make(struct sass *s) {
  bool *staged = calloc(s->n + 1, sizeof *staged);
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (is_copy(x) && !x->never)
      staged[i] = true;
    if (x->class == SASS_STORE_SHARED && !x->never && x->n_reads > 0) /* the last operand is what is stored */
      mark_stored(staged, s, i, &x->reads[x->n_reads - 1], 0);
  }
  return staged;
}

bool sass_all_staged(struct sass *s, size_t loop) {
  bool *staged = sass_staged_make(s), any = false, all = true;
  for (size_t i = 0; i < s->n && all; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool brings = is_copy(x) || x->class == SASS_LOAD_GLOBAL;
    if (!brings || !sass_summed(s, i, loop) || (s->counted && s->executed[i] == 0))
      continue;
    any = true;
    all = staged[i];
  }
  free(staged);
  return any && all;
}
