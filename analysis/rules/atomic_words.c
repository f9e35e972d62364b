#include "analysis/rules/atomic_words.h"

#include "analysis/rules/rule_tools.h"

#include <math.h>

const char *atomic_blocks_words(const struct rule_input *in, const struct atomic_blocks *x) {
  return pool_printf(in->pool, "%s blocks send about one atomic each%s", count_words(in, grid_blocks(in)),
                     !x->known      ? ""
                     : x->one_slice ? ", to one address or few: the L2 adds them one after the other"
                                    : ", to different addresses");
}

const char *atomic_blocks_remedy(const struct atomic_blocks *x) {
  return x->known && !x->one_slice
             ? "let one block do all that is added to an address and store it, or fewer, larger blocks (a grid-stride loop)"
             : "fewer, larger blocks (a grid-stride loop over a grid of one wave), so that fewer atomics meet one address";
}

const char *atomics_cost_words(const struct rule_input *in) {
  static const double SEEN = 0.5; /* of the time that they need: most of it */
  struct value need = in->f->bounds.seconds[BOUND_ATOMICS];
  double waits_s = in->waits.atomics_s - in->waits.operands_s;
  if (!need.present || waits_s >= SEEN * need.v)
    return pool_printf(in->pool, "; %.0f %% of warp samples wait for atomics", 100 * waits_s / in->time_s);
  return pool_printf(in->pool, "; the L2 works on them for %.0f %% of the time", fmin(100 * need.v / in->time_s, 100));
}

const char *atomics_time_title(const struct rule_input *in) {
  bool slice = resource_atomics_rate(&in->f->bounds.work, &in->all->rates) != RATE_ATOMIC_SECTORS;
  return slice ? "time that the busiest L2 slice needs for them" : "time that they need";
}
