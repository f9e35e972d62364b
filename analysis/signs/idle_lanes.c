#include "analysis/signs/idle_lanes.h"

#include "analysis/idioms/guards.h"
#include "analysis/signs/one_lane.h"

#include <math.h>
#include <stdlib.h>

/* Executed in blocks of code that one lane runs, in a kernel of bulk copies: that lane issues them for all, and the others have nothing to do. */
static double elected_insts(const struct rule_input *in) {
  const struct sass *s = in->sass;
  double sum = 0;
  bool copies = false;
  for (size_t b = 0; s && b < s->n_blocks; b++) {
    const struct sass_block *block = &s->blocks[b];
    double insts = 0, lanes = 0;
    for (size_t i = block->first; i < block->first + block->n; i++) {
      copies = copies || (s->insts[i].access == ACCESS_BULK_COPY && s->executed[i] > 0);
      insts += fmax(s->executed[i], 0);
      lanes = s->executed[i] > 0 ? fmax(lanes, s->threads[i] / s->executed[i]) : lanes;
    }
    sum += lanes > 0 && lanes <= 1 ? insts : 0;
  }
  return copies ? sum : 0;
}

double lanes_with_thread(const struct rule_input *in) {
  double threads = launch_block_threads(in->f->launch);
  return threads > 0 ? threads / (RULE_LANES * ceil(threads / RULE_LANES)) : 1;
}

double diverged_part(const struct rule_input *in) {
  double lanes = rule_value(in, "lanes_active", 1) / lanes_with_thread(in), insts = rule_value(in, "inst_executed", 0);
  struct one_lane alone; /* for which the block waits: that is said of the barrier */
  double alone_insts = one_lane_of(&alone, in) ? alone.insts * grid_blocks(in) : 0;
  double elected = insts > 0 ? fmax(elected_insts(in), alone_insts) * (1 - 1.0 / RULE_LANES) / insts : 0;
  return fmax(1 - (lanes + elected) / LANES_REACHED, 0);
}

/* Samples of warps that issue: what idle lanes cost.  Where there are none, all. */
static void weigh_samples(double *weights, const struct rule_input *in) {
  const struct hot *h = in->hot;
  double issued = 0;
  for (size_t i = 0; i < h->n_insts; i++)
    issued += rule_is_ours(in, &h->insts[i]) ? hot_samples_of(&h->insts[i], "selected") : 0;
  for (size_t i = 0; i < h->n_insts; i++)
    if (rule_is_ours(in, &h->insts[i]))
      weights[h->insts[i].at] = issued > 0 ? hot_samples_of(&h->insts[i], "selected") : (double)h->insts[i].samples;
}

/* What lanes that do nothing cost, by exact counts; where there are none, by samples. */
static double *idle_weights(const struct rule_input *in) {
  const struct sass *s = in->sass;
  double *weights = calloc(s->n + 1, sizeof *weights);
  bool exact = s->counted && !s->estimated;
  for (size_t i = 0; i < s->n && exact; i++)
    weights[i] = s->executed[i] > 0 && s->threads[i] >= 0 ? fmax(RULE_LANES * s->executed[i] - s->threads[i], 0) : 0;
  if (!exact)
    weigh_samples(weights, in);
  return weights;
}

size_t diverging_branch(const struct rule_input *in) {
  double *weights = in->sass ? idle_weights(in) : NULL;
  size_t branch = weights ? sass_diverging_branch(in->sass, weights) : SASS_NONE;
  free(weights);
  return branch;
}
