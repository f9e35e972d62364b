/* The constant cache gives a warp one address at a time: which loads of it ask for more than one. */
#include "analysis/sass/constants.h"

#include <stdlib.h>

int sass_indexed_constants_make(bool **out, struct sass *s, struct err *e) {
  struct sass_step *steps = NULL;
  *out = calloc(s->n + 1, sizeof **out);
  int rc = *out ? sass_steps_make(&steps, s, 0, e) : err_nomem(e, "constants by lane");
  for (size_t i = 0; i < s->n && !rc; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->class != SASS_LOAD_CONSTANT || x->never)
      continue;
    bool one = steps[i].kind == STEP_BYTES && steps[i].bytes == 0;
    (*out)[i] = !one && (steps[i].kind != STEP_UNKNOWN || sass_reads_loaded(s, i));
  }
  free(steps);
  return rc;
}
