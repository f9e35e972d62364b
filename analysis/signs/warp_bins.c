#include "analysis/signs/warp_bins.h"

#include "analysis/signs/about.h"

#include <math.h>
#include <stdlib.h>

bool warp_shares_bin(const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  double all = 0, shared = 0;
  if (!in->sass || !l ||
      l->block[0] % RULE_LANES != 0) /* of several rows of the block a warp may have several addresses */
    return false;
  struct sass_step *steps = sass_steps_make(in->sass, l->block[0]);
  for (size_t i = 0; i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double n = !about_shared_atomics(x) || x->never ? 0 : in->sass->counted ? fmax(in->sass->executed[i], 0) : 1;
    all += n;
    shared += steps[i].kind == STEP_BYTES && steps[i].bytes == 0 ? n : 0;
  }
  free(steps);
  return 2 * shared > all;
}
