/* The constant cache gives a warp one address at a time: which loads of it ask for more than one. */
#include "analysis/idioms/constants.h"

#include "analysis/idioms/origins.h"

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

static bool is_local_load(const struct sass *s, size_t at, size_t of) {
  (void)of;
  return s->insts[at].class == SASS_LOAD_LOCAL;
}

/* A thread keeps in local memory what it has loaded, and finds the index there. */
static bool finds_in_local(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  bool found = false;
  for (size_t k = 0; k < x->n_reads && !found; k++)
    found = x->reads[k].file == FILE_R && sass_comes_from(s, i, &x->reads[k], is_local_load, 0);
  for (size_t k = 0; k < s->n && found; k++)
    if (s->insts[k].class == SASS_STORE_LOCAL && !s->insts[k].never && sass_reads_loaded(s, k))
      return true;
  return false;
}

bool *sass_indexed_constants_make(struct sass *s) {
  bool *indexed = calloc(s->n + 1, sizeof *indexed);
  if (!any_may_differ(s))
    return indexed;
  struct sass_step *steps = sass_steps_make(s, 0);
  for (size_t i = 0; i < s->n; i++) {
    if (!may_differ(&s->insts[i]))
      continue;
    bool one = steps[i].kind == STEP_BYTES && steps[i].bytes == 0;
    indexed[i] = !one && (steps[i].kind != STEP_UNKNOWN || sass_reads_loaded(s, i) || finds_in_local(s, i));
  }
  free(steps);
  return indexed;
}
