/* Rules on how the work lies over launches, SMs, blocks and warps. */
#include "analysis/advice/rule_tools.h"

#include "analysis/metrics/formulas.h"
#include "analysis/model/bounds.h"
#include "analysis/model/occupancy.h"

#include <limits.h>
#include <math.h>

/* More warps than twice as many cost registers or shared memory that the code needs. */
static const double MORE_WARPS_MOST = 2;

static double sms_of(const struct rule_input *in) {
  return in->all->device->sms;
}

/* Blocks that are resident at once; 0: unknown. */
static double wave_blocks(const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  return l && l->blocks_per_sm > 0 ? sms_of(in) * l->blocks_per_sm : 0;
}

/* --- a grid that does not fill the chip --- */

/* As many blocks: one on each SM where some have none, else up to one full wave. */
static double more_blocks(const struct rule_input *in) {
  double blocks = grid_blocks(in), sms = sms_of(in), wave = wave_blocks(in);
  if (blocks <= 0)
    return 1;
  return blocks < sms ? sms / blocks : fmin(fmax(wave / blocks, 1), MORE_WARPS_MOST);
}

bool rule_small_grid(const struct rule_input *in, struct advice *out) {
  double blocks = grid_blocks(in), sms = sms_of(in), wave = wave_blocks(in);
  if (more_blocks(in) <= 1 || ring_bytes(in).present)
    return false;
  evidence_add(out, "blocks", "block", value_of(blocks));
  evidence_add(out, "SMs", "SM", value_of(sms));
  evidence_metric(out, in, "achieved_occupancy");
  evidence_metric(out, in, "sm_balance");
  out->sentence = blocks < sms ? pool_printf(in->pool, "%.0f block%s on %.0f SMs: %.0f %% of the chip is idle", blocks,
                                             blocks == 1 ? "" : "s", sms, 100 * (1 - blocks / sms))
                               : pool_printf(in->pool, "%.0f blocks where %.0f fit: the grid fills %.0f %% of one wave",
                                             blocks, wave, 100 * blocks / wave);
  out->remedy = "split the work into more blocks: fewer rows per block, or split K over blocks";
  return true;
}

/* Each warp has less to do, and no SM is idle. */
void change_small_grid(const struct rule_input *in, struct workload *w) {
  double by = more_blocks(in);
  work_more_warps(w, by);
  value_scale(&w->blocks, by);
  if (grid_blocks(in) < sms_of(in))
    w->balance = fmin(w->balance * by, 1);
}

/* --- launching --- */

bool rule_launch_bound(const struct rule_input *in, struct advice *out) {
  const struct model *m = &in->f->bounds.model;
  double share = m->share[RESOURCE_RAMP] + m->share[RESOURCE_LAUNCH];
  if (in->f->bounds.binding != BOUND_LAUNCH || share < m->share[RESOURCE_BLOCKS])
    return false;
  double n = in->work.launches;
  evidence_add(out, "launch and ramp, of the modelled time", "ratio", value_of(share));
  evidence_add(out, "empty kernel", "s", in->f->bounds.fixed);
  evidence_add(out, "launches", "launch", value_of(n));
  out->sentence = pool_printf(in->pool, "launch-bound: launch and ramp take %.0f %% of %.1f µs in %.0f launch%s",
                              100 * share, in->time_s * 1e6, n, n == 1 ? "" : "es");
  out->remedy = n > 1 ? "fuse the launches into one, or replay them as a CUDA graph"
                      : "fuse with the neighbouring kernel, use a CUDA graph, or give each launch more work";
  return true;
}

/* Of several launches one remains; a single one shares its launch with another. */
void change_launch_bound(const struct rule_input *in, struct workload *w) {
  double kept = in->work.launches > 1 ? 1 / in->work.launches : 0.5;
  w->launches *= kept;
  value_scale(&w->empty_s, kept);
}

bool rule_small_blocks(const struct rule_input *in, struct advice *out) {
  double blocks = grid_blocks(in), wave = wave_blocks(in);
  struct value starts = in->f->bounds.model.seconds[RESOURCE_BLOCKS];
  if (blocks <= 0 || blocks <= wave || or_zero(starts) <= 0)
    return false;
  evidence_add(out, "blocks", "block", value_of(blocks));
  evidence_add(out, "time to start empty blocks", "s", starts);
  evidence_metric(out, in, "waves");
  out->sentence = pool_printf(in->pool, "%.3g blocks take %.1f µs to start, %.0f %% of the time", blocks,
                              starts.v * 1e6, 100 * starts.v / in->time_s);
  out->remedy = "more work per block: a grid-stride loop over a grid of one wave, or several elements per thread";
  return true;
}

/* One wave of blocks is started. */
void change_small_blocks(const struct rule_input *in, struct workload *w) {
  double blocks = grid_blocks(in), wave = wave_blocks(in);
  value_scale(&w->empty_s, blocks > wave ? wave / blocks : 1);
}

/* --- the last wave, uneven SMs --- */

/* The model's tail, for a grid of full waves and a rest. */
static double tail_share(const struct rule_input *in) {
  const struct model *m = &in->f->bounds.model;
  return m->time_s.present && m->time_s.v > 0 ? m->tail_s / m->time_s.v : 0;
}

bool rule_tail(const struct rule_input *in, struct advice *out) {
  double waves = rule_value(in, "waves", 0);
  if (tail_share(in) <= 0 || waves <= 1)
    return false;
  evidence_metric(out, in, "waves");
  evidence_metric(out, in, "sm_balance");
  evidence_add(out, "tail, of the modelled time", "ratio", value_of(tail_share(in)));
  out->sentence = pool_printf(in->pool, "%.2f waves: the last one fills %.0f %% of the chip", waves,
                              100 * (1 - (ceil(waves) - waves)));
  out->remedy = "choose the grid so that waves come out whole, use smaller blocks, or a persistent grid with a queue";
  return true;
}

void change_tail(const struct rule_input *in, struct workload *w) {
  double wave = wave_blocks(in);
  if (wave > 0 && or_zero(w->blocks) > wave)
    w->blocks.v = fmax(floor(w->blocks.v / wave), 1) * wave;
}

bool rule_imbalance(const struct rule_input *in, struct advice *out) {
  double balance = rule_value(in, "sm_balance", 1);
  if (balance >= 1 || tail_share(in) >= ADVICE_LEAST_SHARE || grid_blocks(in) < sms_of(in))
    return false;
  evidence_metric(out, in, "sm_balance");
  evidence_metric(out, in, "waves");
  evidence_metric(out, in, "achieved_occupancy");
  out->sentence = pool_printf(in->pool, "SMs work %.0f %% of the busiest one's cycles on average", 100 * balance);
  out->remedy = "equal work per block, or smaller pieces from a queue, the largest first";
  return true;
}

/* The busiest SM ends when the mean does: its warps' chains shorten as the SM's work does. */
void change_imbalance(const struct rule_input *in, struct workload *w) {
  (void)in;
  value_scale(&w->loads_s, w->balance);
  value_scale(&w->own_issue_s, w->balance);
  value_scale(&w->dependencies_s, w->balance);
  w->balance = 1;
}

/* --- occupancy --- */

struct more_warps {
  double by;          /* as many resident warps; 1: no more */
  const char *limit;  /* that keeps them out */
  const char *remedy; /* against it */
};

static bool limits_of(struct occupancy *out, const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  struct err ignored = {0};
  struct occupancy_block b = {.registers = l->registers,
                              .threads = (int)launch_block_threads(l),
                              .smem_static = l->smem_static,
                              .smem_dynamic = l->smem_dynamic};
  return l->registers > 0 && !occupancy_of(out, in->all->device, &b, &ignored);
}

static const char *limit_remedy(enum occupancy_limit l) {
  switch (l) {
  case LIMIT_REGISTERS:
    return "fewer registers per thread (smaller tiles, launch bounds), or more loads in flight per warp instead";
  case LIMIT_SMEM:
    return "less shared memory per block (fewer stages, smaller tiles), or more loads in flight per warp instead";
  case LIMIT_BLOCKS:
    return "larger blocks: the SM is full of blocks, not of warps";
  case LIMIT_WARPS:
    return "a block size that divides the SM's warps";
  case LIMIT_BARRIERS:
  case OCCUPANCY_LIMITS:
    break;
  }
  return "fewer named barriers per block";
}

/* What the next limiter allows once the first is out of the way: at most twice as many warps. */
static void more_warps_of(struct more_warps *out, const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  double blocks = grid_blocks(in), wave = wave_blocks(in), most = in->all->device->warps_per_sm;
  struct occupancy o;
  *out = (struct more_warps){.by = 1};
  if (!l || wave <= 0 || most <= 0)
    return;
  if (blocks >= wave && limits_of(&o, in) && o.blocks_per_sm > 0) {
    double warps = o.blocks_per_sm * o.warps_per_block, next = most;
    for (int k = 0; k < OCCUPANCY_LIMITS; k++)
      if (k != (int)o.limit && o.limit != LIMIT_BLOCKS && o.blocks[k] < INT_MAX)
        next = fmin(next, (double)o.blocks[k] * o.warps_per_block);
    *out = (struct more_warps){next / warps, occupancy_limit_name(o.limit), limit_remedy(o.limit)};
  }
  out->by = fmin(fmax(out->by, 1), MORE_WARPS_MOST);
}

/* More warps help where it is they that ask for the bytes. */
bool rule_occupancy(const struct rule_input *in, struct advice *out) {
  struct more_warps x;
  more_warps_of(&x, in);
  if (x.by <= 1 || ring_bytes(in).present)
    return false;
  evidence_metric(out, in, "theoretical_occupancy");
  evidence_metric(out, in, "achieved_occupancy");
  evidence_metric(out, in, "eligible");
  evidence_metric(out, in, "stall_long_scoreboard_share");
  out->sentence =
      pool_printf(in->pool, "%.0f %% of the SM's warps are resident, limited by %s",
                  100 * rule_value(in, "achieved_occupancy", rule_value(in, "theoretical_occupancy", 0)), x.limit);
  out->remedy = x.remedy;
  return true;
}

void change_occupancy(const struct rule_input *in, struct workload *w) {
  struct more_warps x;
  more_warps_of(&x, in);
  work_more_warps(w, x.by);
  value_scale(&w->blocks_per_sm, x.by);
}

/* --- what is left --- */

bool rule_latency(const struct rule_input *in, struct advice *out) {
  if (in->f->bounds.binding != BOUND_LATENCY)
    return false;
  evidence_add(out, "latency, of the modelled time", "ratio", value_of(bound_share(in, BOUND_LATENCY)));
  evidence_metric(out, in, "issue_slot_utilisation");
  evidence_metric(out, in, "achieved_occupancy");
  evidence_metric(out, in, "dram_bw");
  out->sentence = pool_printf(in->pool, "latency-bound: %.0f %% of issue slots used%s%s%s",
                              100 * rule_value(in, "issue_slot_utilisation", 0), in->f->top_stall ? ", mostly " : "",
                              in->f->top_stall ? in->f->top_stall : "", hottest_place(in));
  out->remedy =
      "more warps, or more independent work in each: unroll, split sums, load ahead (estimate: half of each wait)";
  return true;
}

void change_latency(const struct rule_input *in, struct workload *w) {
  (void)in;
  value_scale(&w->loads_s, 0.5);
  value_scale(&w->own_issue_s, 0.5);
  value_scale(&w->dependencies_s, 0.5);
}
