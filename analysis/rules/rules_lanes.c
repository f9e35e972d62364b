/* Rules on lanes: warps of which a part works. */
#include "analysis/idioms/block_work.h"
#include "analysis/idioms/guards.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/about.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/idle_lanes.h"
#include "analysis/signs/leaving_warps.h"
#include "analysis/signs/same_code.h"

#include <math.h>

/* --- divergence --- */

/* Of a warp's threads: fewer active ones diverge so much that what more of them would gain is not known. */
static const double DIVERGED = 0.5;

/* So many of 32 lanes are active where work is sorted in groups that few kinds meet in. */
static const double LANES_SORTED = 20;

/* Of the instructions: what the branches have in common is most of the work. */
static const double SAME_CODE = 0.5;

/* A remedy for what the branch is; NULL: it is none of these. */
static const char *branch_remedy(struct sass *s, size_t branch) {
  if (branch == SASS_NONE)
    return NULL;
  if (sass_branch_for_one(s, branch))
    return "one thread works while its warp's others idle: share its work among the lanes of the warp (warp shuffles put their parts together)";
  return s->insts[branch].has_target && s->insts[branch].target <= s->insts[branch].offset && sass_asks_data(s, branch)
             ? "each lane's data say how often this loop turns: give a warp rows of like length (sort), or one row, its lanes an iteration each (the estimate assumes 24 of 32 lanes active)"
             : NULL;
}

RULE_ROW(290, divergence, "divergence", "divergent warps", RULE_CAUSE, NULL);
bool rule_divergence(const struct rule_input *in, struct told *out) {
  double lanes = rule_value(in, "lanes_active", 1);
  if (diverged_part(in) <= 0)
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
      : lanes_without_element(in)
          ? pool_printf(
                in->pool,
                "%.0f of 32 lanes have no element: tiles or blocks that fit the rows, or one index over all elements (the estimate assumes 24 with one)",
                RULE_LANES * (1 - lanes))
      : RULE_LANES * lanes < LANES_ALONE
          ? "share out what one lane does among its warp (a branch on the thread's number, or one long loop, keeps it alone)"
      : same_code_part(in) > SAME_CODE
          ? "the branches run the same lines: choose their values in the branch, and run those lines once behind it; else sort the work"
      : RULE_LANES * lanes >= LANES_SORTED
          ? "more lanes of a warp on one branch: sort the work, in larger groups where it is sorted (the estimate assumes 24 of 32 lanes active)"
          : "make the lanes of a warp take the same branch: sort or compact the work (the estimate assumes 24 of 32 lanes active)";
  out->at = about_inst(in, branch);
  return true;
}

void change_divergence(const struct rule_input *in, struct workload *w) {
  work_fewer_warp_insts(in, w, diverged_part(in));
}

/* --- warps that are not full, or have no element --- */

/* The guard asks for the block's number along a side on which the grid has several. */
static bool grid_decides(const struct rule_input *in, size_t guard) {
  unsigned sides = sass_block_sides_asked(in->sass, guard);
  for (unsigned k = 0; k < 3; k++)
    if (sides >> k & 1 && in->f->launch->grid[k] > 1)
      return true;
  return false;
}

static bool leaving_words(const struct rule_input *in, struct told *out) {
  struct sass_leaving x;
  if (!leaving_warps_of(&x, in))
    return false;
  const unsigned *block = in->f->launch->block;
  double warps = ceil((double)block[0] * block[1] * block[2] / RULE_LANES);
  out->at = about_inst(in, x.exit);
  const struct run_line *line = out->at && out->at->n_lines ? &out->at->lines[0] : NULL;
  evidence_add(out, "warps per block", "warp", value_of(warps));
  evidence_add(out, "warps that end without work", "ratio", value_of(x.part));
  out->sentence = pool_printf(in->pool, "about %.0f %% of the warps have no element and %s%s%s", 100 * x.part,
                              x.barrier ? "end after the block's barriers" : "end at once", line ? " at " : "",
                              line ? line_words(in, line->source, line->line) : "");
  out->remedy =
      grid_decides(in, x.exit)
          ? "a grid and blocks that fit what there is to do: start none without an element, or several elements per thread"
          : "blocks that fit the rows: several rows per block, or fewer threads in it";
  return true;
}

RULE_ROW(295, partial_warps, "partial-warps", "warps not full, or without work", RULE_BY_LAUNCH | RULE_NO_PAIR, NULL);
bool rule_partial_warps(const struct rule_input *in, struct told *out) {
  double with = lanes_with_thread(in);
  if (with >= LANES_REACHED)
    return leaving_words(in, out);
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

/* A block keeps the places of warps that have left it until it ends: warps with an element stand there then, as far as places are empty.  Where whole blocks
 * leave and the others find a place at once, no warp waits for one. */
static double more_warps(const struct rule_input *in, const struct sass_leaving *x) {
  double places = or_zero(in->work.blocks_per_sm) * or_zero(in->work.warps_per_block) * in->all->device->sms;
  double warps = or_zero(in->work.warps), all = or_zero(in->work.blocks) * or_zero(in->work.warps_per_block);
  if (grid_decides(in, x->exit) && all * (1 - x->part) <= places)
    return 1;
  return !x->barrier && warps > 0 && places > warps ? fmin(1 / (1 - x->part), places / warps) : 1;
}

static void change_leaving(const struct rule_input *in, struct workload *w) {
  struct sass_leaving x;
  if (!leaving_warps_of(&x, in))
    return;
  struct value *const pipes[] = {
      [PIPE_ALU] = &w->alu, [PIPE_FMA] = &w->fma, [PIPE_LSU] = &w->lsu, [PIPE_XU] = &w->xu, [PIPE_FP64] = &w->fp64};
  double fma = part_kept(x.pipe[PIPE_FMA], or_zero(w->fma));
  for (size_t i = 0; i < sizeof pipes / sizeof pipes[0]; i++)
    if (pipes[i])
      value_scale(pipes[i], part_kept(x.pipe[i], or_zero(*pipes[i])));
  value_scale(&w->fma_heavy, fma);
  if (x.barrier)
    value_scale(&w->barriers_s, 1 - x.part);
  work_fewer_insts(in, w, x.insts);
  work_fewer_blocks(in, w, 1 / (1 - x.part));
  work_more_warps(w, more_warps(in, &x));
}

void change_partial_warps(const struct rule_input *in, struct workload *w) {
  if (lanes_with_thread(in) >= LANES_REACHED)
    change_leaving(in, w);
  else
    work_fewer_warp_insts(in, w, 1 - lanes_with_thread(in));
}
