/* Rules on lanes: warps of which a part works. */
#include "analysis/idioms/block_work.h"
#include "analysis/idioms/guards.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/about.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/idle_lanes.h"

#include <math.h>
#include <stdlib.h>

/* --- divergence --- */

/* Of a warp's threads: fewer active ones diverge so much that what more of them would gain is not known. */
static const double DIVERGED = 0.5;

/* So many of 32 lanes are active where work is sorted in groups that few kinds meet in. */
static const double LANES_SORTED = 20;

/* A remedy for what the branch is; NULL: it is none of these. */
static const char *branch_remedy(struct sass *s, size_t branch) {
  if (branch == SASS_NONE)
    return NULL;
  bool *alone = sass_alone_make(s), one = alone[s->block_of[branch]] || sass_branch_for_one(s, branch);
  free(alone);
  if (one)
    return "one thread works while its warp's others idle: share its work among the lanes of the warp (warp shuffles put their parts together)";
  return s->insts[branch].has_target && s->insts[branch].target <= s->insts[branch].offset && sass_asks_data(s, branch)
             ? "each lane's data say how often this loop turns: give a warp rows of like length (sort), or one row, its lanes an iteration each (the estimate assumes 24 of 32 lanes active)"
             : NULL;
}

RULE_ROW(290, divergence, "divergence", "divergent warps", RULE_CAUSE, NULL);
bool rule_divergence(const struct rule_input *in, struct told *out) {
  double lanes = rule_value(in, "lanes_active", 1);
  if (diverged_part(in) <= 0 || in->waits.of_a_walk)
    return false;
  size_t branch = diverging_branch(in);
  const char *of_branch = branch_remedy(in->sass, branch);
  evidence_metric(out, in, "lanes_active");
  evidence_metric(out, in, "inst_executed");
  evidence_metric(out, in, "stall_branch_resolving_share");
  out->sentence =
      pool_printf(in->pool, "an average instruction has %.1f of a warp's 32 lanes active", RULE_LANES * lanes);
  out->remedy =
      of_branch && RULE_LANES * lanes >= LANES_ALONE ? of_branch
      : RULE_LANES * lanes < LANES_ALONE
          ? "share out what one lane does among its warp (a branch on the thread's number, or one long loop, keeps it alone)"
      : RULE_LANES * lanes >= LANES_SORTED
          ? "more lanes of a warp on one branch: sort the work, in larger groups where it is sorted (the estimate assumes 24 of 32 lanes active)"
          : "make the lanes of a warp take the same branch: sort or compact the work (the estimate assumes 24 of 32 lanes active)";
  out->at = about_inst(in, branch);
  return true;
}

void change_divergence(const struct rule_input *in, struct workload *w) {
  work_fewer_warp_insts(in, w, diverged_part(in));
}

/* --- warps that are not full --- */

RULE_ROW(295, partial_warps, "partial-warps", "warps that are not full", RULE_BY_LAUNCH | RULE_NO_PAIR, NULL);
bool rule_partial_warps(const struct rule_input *in, struct told *out) {
  double with = lanes_with_thread(in);
  if (with >= LANES_REACHED)
    return false;
  double threads = launch_block_threads(in->f->launch);
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
