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

int bin_copies(const struct rule_input *in, double *bytes) {
  const struct run_launch *l = in->f->launch;
  double now = l ? (double)(l->smem_static + l->smem_dynamic) : 0;
  int copies = RULE_LANES;
  if (!(now > 0) || l->blocks_per_sm <= 0)
    return 0;
  double room = fmin((double)in->all->device->smem_per_sm / l->blocks_per_sm, (double)in->all->device->smem_optin);
  while (copies > 1 && copies * now > room)
    copies /= 2;
  *bytes = copies * now;
  return copies;
}
