/* The constant cache gives a warp one address at a time: which loads of it ask for more than one. */
#include "analysis/sass/constants.h"

#include <stdlib.h>

static bool may_differ(const struct sass_inst *x) {
  bool by_register = false;
  for (size_t k = 0; k < x->n_reads; k++)
    by_register = by_register || x->reads[k].file == FILE_R;
  return x->class == SASS_LOAD_CONSTANT && !x->never && by_register;
}

/* Steps take long in large kernels, and most kernels have no such load. */
static bool any_may_differ(const struct sass *s) {
  for (size_t i = 0; i < s->n; i++)
    if (may_differ(&s->insts[i]))
      return true;
  return false;
}

int sass_indexed_constants_make(bool **out, struct sass *s, struct err *e) {
  struct sass_step *steps = NULL;
  *out = calloc(s->n + 1, sizeof **out);
  if (*out && !any_may_differ(s))
    return 0;
  int rc = *out ? sass_steps_make(&steps, s, 0, e) : err_nomem(e, "constants by lane");
  for (size_t i = 0; i < s->n && !rc; i++) {
    if (!may_differ(&s->insts[i]))
      continue;
    bool one = steps[i].kind == STEP_BYTES && steps[i].bytes == 0;
    (*out)[i] = !one && (steps[i].kind != STEP_UNKNOWN || sass_reads_loaded(s, i));
  }
  free(steps);
  return rc;
}
