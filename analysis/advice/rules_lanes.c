/* Rules on lanes: warps of which a part works. */
#include "analysis/advice/about.h"
#include "analysis/advice/idle_lanes.h"
#include "analysis/advice/rule_tools.h"
#include "analysis/sass/guards.h"

#include <math.h>
#include <stdlib.h>

/* --- divergence --- */

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

/* Lanes that are active where work is sorted or compacted: 73, 76 and 79 % in the corpus' training half. */
static const double LANES_REACHED = 0.75;

/* A mean of fewer lanes than this: one does nearly all. */
enum { LANES_ALONE = 2 };

/* Of a warp's threads: fewer active ones diverge so much that what more of them would gain is not known. */
static const double DIVERGED = 0.5;

/* Of a warp's lanes those that have a thread: the last warp of a block may have fewer. */
static double lanes_with_thread(const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  double threads = l ? (double)l->block[0] * l->block[1] * l->block[2] : 0;
  return threads > 0 ? threads / (RULE_LANES * ceil(threads / RULE_LANES)) : 1;
}

/* Of all warp instructions those that warps as full as that would not need. */
static double diverged_part(const struct rule_input *in) {
  double lanes = rule_value(in, "lanes_active", 1) / lanes_with_thread(in), insts = rule_value(in, "inst_executed", 0);
  double elected = insts > 0 ? elected_insts(in) * (1 - 1.0 / RULE_LANES) / insts : 0;
  return fmax(1 - (lanes + elected) / LANES_REACHED, 0);
}

/* What lanes that do nothing cost, by exact counts; where there are none, the samples. */
static double *idle_weights(const struct rule_input *in) {
  const struct hot *h = in->hot;
  const struct sass *s = in->sass;
  double *weights = calloc(s->n + 1, sizeof *weights);
  bool exact = s->counted && !s->estimated;
  for (size_t i = 0; i < s->n && weights && exact; i++)
    weights[i] = s->executed[i] > 0 && s->threads[i] >= 0 ? fmax(RULE_LANES * s->executed[i] - s->threads[i], 0) : 0;
  for (size_t i = 0; i < h->n_insts && weights && !exact; i++)
    if (&h->kernels[h->insts[i].kernel].sass == s)
      weights[h->insts[i].at] = (double)h->insts[i].samples;
  return weights;
}

static size_t diverging_branch(const struct rule_input *in) {
  double *weights = in->sass ? idle_weights(in) : NULL;
  size_t branch = weights ? sass_diverging_branch(in->sass, weights) : SASS_NONE;
  free(weights);
  return branch;
}

/* Every branch that leaves lanes out asks where they stand; a loop's that turns more often for some is none of them. */
static bool places_decide(const struct rule_input *in) {
  struct sass *s = in->sass;
  bool guards = false;
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool ends = x->ends && x->guarded, jumps = x->branches && x->conditional && x->has_target;
    if ((!ends && !jumps) || x->never || s->executed[i] <= 0 || s->blocks[s->block_of[i]].function != SASS_NONE)
      continue;
    bool back = jumps && x->target <= x->offset;
    if (!back && sass_asks_place(s, i))
      guards = true;
    else if (sass_asks_data(s, i) || (back && sass_asks_place(s, i)))
      return false;
  }
  return guards;
}

bool lanes_without_element(const struct rule_input *in) {
  return diverged_part(in) > 0 && RULE_LANES * rule_value(in, "lanes_active", 1) >= LANES_ALONE && places_decide(in);
}

RULE_ROW(290, divergence, "divergence", "divergent warps", false);
bool rule_divergence(const struct rule_input *in, struct advice *out) {
  double lanes = rule_value(in, "lanes_active", 1);
  if (diverged_part(in) <= 0)
    return false;
  evidence_metric(out, in, "lanes_active");
  evidence_metric(out, in, "inst_executed");
  evidence_metric(out, in, "stall_branch_resolving_share");
  out->sentence =
      pool_printf(in->pool, "an average instruction has %.1f of a warp's 32 lanes active", RULE_LANES * lanes);
  out->remedy =
      lanes_without_element(in)
          ? pool_printf(
                in->pool,
                "%.0f of 32 lanes have no element: tiles or blocks that fit the rows, or one index over all elements (the estimate assumes 24 with one)",
                RULE_LANES * (1 - lanes))
      : RULE_LANES * lanes < LANES_ALONE
          ? "share out what one lane does among its warp (a branch on the thread's number, or one long loop, keeps it alone)"
          : "make the lanes of a warp take the same branch: sort or compact the work (the estimate assumes 24 of 32 lanes active)";
  out->at = about_inst(in, diverging_branch(in));
  return true;
}

void change_divergence(const struct rule_input *in, struct workload *w) {
  work_fewer_warp_insts(in, w, diverged_part(in));
}

RULE_ROW(295, partial_warps, "partial-warps", "blocks that are not whole warps", false);
bool rule_partial_warps(const struct rule_input *in, struct advice *out) {
  double with = lanes_with_thread(in);
  if (with >= LANES_REACHED)
    return false;
  const unsigned *block = in->f->launch->block;
  double threads = (double)block[0] * block[1] * block[2];
  if (threads == 1 && grid_blocks(in) == 1 &&
      turns_are_serial(in)) /* one thread's work, a turn after the other: none has a part to give */
    return false;
  evidence_add(out, "block", "thread", value_of(threads));
  evidence_metric(out, in, "lanes_active");
  out->sentence = pool_printf(in->pool, "blocks of %.0f thread%s: %.0f %% of the lanes of their warps have none",
                              threads, threads == 1 ? "" : "s", 100 * (1 - with));
  out->remedy = "whole warps: blocks of 32 threads or a multiple of it, a part of the work for each thread";
  double active = rule_value(in, "lanes_active", with);
  if (threads > 1 && active < DIVERGED * with) { /* lanes that are added would diverge as well, or more */
    out->unpriced = true;
    out->sentence = pool_printf(in->pool, "%s, and of %.0f that a warp has only %.1f are active: they diverge",
                                out->sentence, RULE_LANES * with, RULE_LANES * active);
    out->remedy =
        "let the lanes of a warp share one piece of the work (a search, a row), so that they branch alike; a thread each would diverge more";
  }
  return true;
}

void change_partial_warps(const struct rule_input *in, struct workload *w) {
  work_fewer_warp_insts(in, w, 1 - lanes_with_thread(in));
}
