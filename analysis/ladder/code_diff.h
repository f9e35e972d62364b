/* What changed in the code from one rung to another: a line diff of the two as compiled.  Pure. */
#pragma once

#include "base/line_diff.h"
#include "run/run.h"

struct code_diff {
  /* First the keys of the front matter that reach the compiler
   * or the launch, then the source below its front matter. */
  struct line_diff diff;
  char *before, *after; /* the two texts; owned, and what diff points into */
  const char *reason;   /* why there is no diff: a rung's source is not in the run; NULL: there is one */
};

/* The caller releases *out. */
void code_diff_make(struct code_diff *out, const struct run *r, const struct run_variant *from,
                    const struct run_variant *to);
void code_diff_release(struct code_diff *c); /* leaves *c all zero */
