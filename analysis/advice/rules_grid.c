/* Rules on how the work lies over the SMs. */
#include "analysis/advice/rule_tools.h"
#include "analysis/metrics/formulas.h"

#include <math.h>

/* Under this part of full, a resource counts as badly used; that users of Nsight Compute know as 60 % and 80 %. */
static const double IDLE_BELOW = 0.6, UNEVEN_BELOW = 0.85;
/* A stall reason is worth a word above this part of the warps' cycles. */
static const double STALL_ABOVE = 0.25;

static double blocks_of(const struct rule_input *in) {
  return in->f->launch ? launch_blocks(in->f->launch) : 0;
}

/* A grid of fewer blocks than SMs cannot fill the chip, whatever else is done. */
bool rule_small_grid(const struct rule_input *in, struct advice *out) {
  double blocks = blocks_of(in), sms = in->all->device->sms;
  if (blocks <= 0 || sms <= 0 || blocks >= sms * UNEVEN_BELOW)
    return false;
  out->saves_s = in->time_s * (1 - blocks / sms);
  evidence_add(out, "blocks", "block", value_of(blocks));
  evidence_add(out, "SMs", "SM", value_of(sms));
  evidence_metric(out, in, "sm_balance");
  out->sentence = pool_printf(in->pool, "%.0f block%s on %.0f SMs: at least %.0f %% of the chip has nothing to do",
                              blocks, blocks == 1 ? "" : "s", sms, 100 * (1 - blocks / sms));
  out->remedy = "split the work into more blocks: fewer rows a block, or K split over blocks";
  return true;
}

/* Few waves, the last of them not full.  A grid that is resident at once, as many blocks on each SM, has no last wave. */
static bool last_wave_is_short(const struct rule_input *in) {
  double waves = rule_value(in, "waves", 0), sms = in->all->device->sms;
  bool one_each = waves <= 1 && sms > 0 && fmod(blocks_of(in), sms) == 0;
  return waves > 0 && waves < 8 && waves / ceil(waves) < UNEVEN_BELOW && !one_each;
}

/* Seen as SMs that end early. */
bool rule_tail(const struct rule_input *in, struct advice *out) {
  double waves = rule_value(in, "waves", 0), balance = rule_value(in, "sm_balance", 1);
  double full = waves > 0 ? waves / ceil(waves) : 1;
  if (!last_wave_is_short(in) || balance > 0.95 || blocks_of(in) < in->all->device->sms)
    return false;
  out->saves_s = in->time_s * (1 - balance);
  evidence_metric(out, in, "waves");
  evidence_metric(out, in, "sm_balance");
  out->sentence = pool_printf(
      in->pool,
      "%.2f waves: the last leaves %.0f %% of its places empty, and SMs work %.0f %% of the longest one's cycles",
      waves, 100 * (1 - full), 100 * balance);
  out->remedy =
      "choose blocks so that the waves come out whole, make blocks smaller, or let resident blocks take work from a queue";
  return true;
}

bool rule_imbalance(const struct rule_input *in, struct advice *out) {
  double balance = rule_value(in, "sm_balance", 1);
  if (balance >= UNEVEN_BELOW || last_wave_is_short(in) || blocks_of(in) < in->all->device->sms)
    return false;
  out->saves_s = in->time_s * (1 - balance);
  evidence_metric(out, in, "sm_balance");
  evidence_metric(out, in, "waves");
  out->sentence =
      pool_printf(in->pool, "SMs work a mean %.0f %% of the busiest one's cycles, though the grid has blocks for all",
                  100 * balance);
  out->remedy = "make the blocks' work equal, or give out smaller pieces";
  return true;
}

/* More warps hide latency only where latency is what costs, and where it is they that ask for the bytes. */
bool rule_occupancy(const struct rule_input *in, struct advice *out) {
  double occupancy = rule_value(in, "theoretical_occupancy", 1),
         achieved = rule_value(in, "achieved_occupancy", occupancy);
  double waits = rule_value(in, "stall_long_scoreboard_share", 0);
  if (dram_is_full(in) || waits < STALL_ABOVE || fmin(occupancy, achieved) >= 0.5 || ring_bytes(in).present)
    return false;
  /* Twice the warps at most halve the waits for loads, which are a part of the time that no issue takes. */
  double idle = 1 - rule_value(in, "issue_slot_utilisation", 1);
  out->saves_s = in->time_s * waits * idle * 0.5;
  evidence_metric(out, in, "theoretical_occupancy");
  evidence_metric(out, in, "achieved_occupancy");
  evidence_metric(out, in, "stall_long_scoreboard_share");
  evidence_metric(out, in, "issue_slot_utilisation");
  out->sentence = pool_printf(
      in->pool, "%.0f %% of the warps that an SM can hold are resident, and %.0f %% of their cycles wait for loads",
      100 * achieved, 100 * waits);
  out->remedy = occupancy < 0.5
                    ? "fewer registers a thread, or less shared memory a block; else more loads under way in each warp"
                    : "more blocks: the grid does not fill what registers and shared memory allow";
  return true;
}

bool rule_barrier(const struct rule_input *in, struct advice *out) {
  double share = rule_value(in, "stall_barrier_share", 0), idle = 1 - rule_value(in, "issue_slot_utilisation", 0);
  if (share < STALL_ABOVE || dram_is_full(in))
    return false;
  out->saves_s = in->time_s * share * idle;
  evidence_metric(out, in, "stall_barrier_share");
  evidence_metric(out, in, "stall_barrier_per_inst");
  evidence_metric(out, in, "issue_slot_utilisation");
  out->sentence =
      pool_printf(in->pool, "%.0f %% of the warps' cycles wait at a barrier for other warps of the block", 100 * share);
  out->remedy =
      "give the warps of a block equal work between barriers, use smaller blocks, or replace the barrier by one of fewer warps";
  return true;
}

/* What is left where nothing is busy and no single wait stands out. */
bool rule_latency(const struct rule_input *in, struct advice *out) {
  double slots = rule_value(in, "issue_slot_utilisation", 1);
  const struct bounds *b = &in->f->bounds;
  bool memory = bound_share(in, BOUND_DRAM) > IDLE_BELOW || bound_share(in, BOUND_L2) > IDLE_BELOW ||
                bound_share(in, BOUND_L1) > IDLE_BELOW;
  if (slots >= IDLE_BELOW || memory || !b->explained.present || b->explained.v > 0.8)
    return false;
  out->saves_s = in->time_s * (1 - b->explained.v);
  evidence_metric(out, in, "issue_slot_utilisation");
  evidence_metric(out, in, "dram_bw");
  evidence_metric(out, in, "achieved_occupancy");
  evidence_metric(out, in, "issue_interval");
  evidence_add(out, "explained by the bounds", "ratio", b->explained);
  out->sentence = pool_printf(
      in->pool,
      "issue slots are %.0f %% used and no memory level is above %.0f %%: the time goes into waits that too few warps "
      "or too little independent work hide%s%s",
      100 * slots, 100 * IDLE_BELOW, in->f->top_stall ? "; most of all " : "",
      in->f->top_stall ? in->f->top_stall : "");
  out->remedy =
      "more warps, or more independent work in each: unroll, split sums into several, shorten the way from first load to last store";
  return true;
}
