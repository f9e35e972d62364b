#include "analysis/signs/leaving_warps.h"

#include "analysis/signs/idle_lanes.h"

#include <math.h>
#include <string.h>

/* Samples of warps that issue, at the instructions behind `first` up to `end`: a sample stands one instruction behind what it is of. */
static double issued_samples(const struct rule_input *in, const struct hot_kernel *k, size_t first, size_t end) {
  const struct run_result *r = in->f->result;
  double n = 0;
  for (size_t i = 0; k && i < r->n_samples; i++) {
    const struct run_sample *x = &r->samples[i];
    if (x->module != k->module || x->kernel != k->index || strcmp(x->reason, "selected") != 0)
      continue;
    size_t at = sass_find(in->sass, x->offset);
    n += at != SASS_NONE && at > first && at <= end ? (double)x->samples : 0;
  }
  return n;
}

static void leaving_scale(struct sass_leaving *x, double part) {
  double by = part / x->part;
  x->part = part;
  x->insts *= by;
  for (int k = 0; k < SASS_PIPES; k++)
    x->pipe[k] *= by;
}

/* Where counts are estimates, what is sampled in the blocks before and behind says how many stay, within two deviations of both. */
static bool is_sure(const struct rule_input *in, struct sass_leaving *x) {
  static const double DEVIATIONS = 2;
  const struct sass *s = in->sass;
  if (!s->estimated)
    return true;
  const struct sass_block *before = &s->blocks[s->block_of[x->exit]], *behind = &s->blocks[s->block_of[x->exit + 1]];
  if (behind->n < 2)
    return false;
  double a = issued_samples(in, rule_kernel(in), before->first, before->first + before->n);
  double b = issued_samples(in, rule_kernel(in), behind->first, behind->first + behind->n - 1);
  double stay = b / (double)(behind->n - 1) / (a / (double)before->n);
  if (!(stay < 1)) /* no number where neither place has samples */
    return false;
  leaving_scale(x, 1 - stay);
  return stay * (1 + DEVIATIONS * sqrt(1 / a + 1 / b)) < LANES_REACHED; /* without samples behind: no number */
}

/* Samples of a launch's start say too much of it where they fall together, as in launches of one wave: warps that stay store, and their stores are counted. */
static bool stores_agree(const struct rule_input *in) {
  double warps = or_zero(in->work.blocks) * or_zero(in->work.warps_per_block) * in->work.launches;
  return !in->sass->estimated || rule_value(in, "l1_store_requests", INFINITY) < LANES_REACHED * warps;
}

bool leaving_warps_of(struct sass_leaving *out, const struct rule_input *in) {
  return in->sass && in->f->launch && RULE_LANES * rule_value(in, "lanes_active", 0) >= LANES_ALONE &&
         sass_leaving_of(in->sass, out) && stores_agree(in) && is_sure(in, out) && 1 - out->part < LANES_REACHED;
}
