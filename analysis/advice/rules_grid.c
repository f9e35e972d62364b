/* Rules on how the work lies over launches, SMs, blocks and warps. */
#include "analysis/advice/rule_tools.h"
#include "analysis/advice/split_words.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/split_loop.h"

#include "analysis/metrics/formulas.h"
#include "analysis/model/occupancy.h"
#include "analysis/sass/block_work.h"

#include <limits.h>
#include <math.h>

enum { SCHEDULERS = 4 }; /* of an SM */
/* More warps than twice as many cost registers or shared memory that the code needs. */
static const double MORE_WARPS_MOST = 2;

static double sms_of(const struct rule_input *in) {
  return in->all->device->sms;
}

/* Blocks that are resident at once; 0: unknown. */
static double wave_blocks(const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  return l ? sms_of(in) * l->blocks_per_sm : 0;
}

/* --- a grid that does not fill the chip --- */

/* Blocks of several warps are split even where a warp's work is not. */
struct split {
  double sms;   /* as many SMs have a block */
  double warps; /* as many warps share the work */
};

static bool split_of(struct split *out, const struct rule_input *in) {
  double blocks = grid_blocks(in), sms = sms_of(in), wave = wave_blocks(in), batches;
  if (blocks <= 0 || blocks >= sms)
    return false;
  batches = turns_are_serial(in) ? 1 : shareable(in);
  double most = batches > 0 ? fmax(batches, 1) : sms / blocks;
  double warps = fmax(or_zero(in->f->bounds.work.warps_per_block), 1);
  *out = (struct split){fmin(sms / blocks, most * warps), fmin(fmax(wave, sms) / blocks, most)};
  return true;
}

/* The same warps walk the same chain wherever they are: nothing else is shared among those of an
 * SM, or each has a scheduler to itself. */
static bool is_of_chain(const struct rule_input *in) {
  return in->f->bounds.binding == BOUND_LATENCY || or_zero(in->f->bounds.work.warps_per_block) <= SCHEDULERS;
}

/* Names the loop whose turns fill `blocks` blocks, where there is one. */
static bool split_turns(struct advice *out, const struct rule_input *in, double blocks) {
  struct split_loop t;
  if (grid_blocks(in) <= 0 || !split_loop_of(&t, in, blocks / grid_blocks(in)))
    return false;
  double most = fmax(blocks, wave_blocks(in));
  out->remedy = t.strides && !t.of_one && most > grid_blocks(in)
                    ? split_grid_words(in, &t, most)
                    : split_loop_words(in, &t, is_of_chain(in) ? "; smaller blocks alone gain nothing" : "");
  out->at = t.at;
  return true;
}

/* Idle lanes of a warp cost nothing to fill, and need no sum over blocks. */
static const char *split_remedy(const struct rule_input *in) {
  double threads = (double)launch_block_threads(in->f->launch);
  return threads < RULE_LANES
             ? pool_printf(
                   in->pool,
                   "more threads first: a block of %.0f fills %.0f of a warp's 32 lanes; then more blocks, with a part of the work each",
                   threads, threads)
             : "split the work into more blocks: less work per block, or split a long sum over blocks";
}

/* Most SMs have a block, and more warps share the work than SMs are idle: what is promised rests
 * on warps that are not there.  Where nothing is shared out, what lacks is told, too. */
static bool lacks_warps(const struct rule_input *in, const struct split *x) {
  bool warps = x->warps > x->sms || (turns_are_serial(in) && wave_blocks(in) > sms_of(in));
  return 2 * grid_blocks(in) >= sms_of(in) && warps && wave_blocks(in) > 0 &&
         in->f->bounds.work.warps_per_block.present;
}

static void says_what_is_idle(struct advice *out, const struct rule_input *in, const struct split *x) {
  double blocks = grid_blocks(in), sms = sms_of(in), wave = wave_blocks(in);
  evidence_add(out, "grid", "block", value_of(blocks));
  if (!lacks_warps(in, x)) {
    evidence_add(out, "chip", "SM", value_of(sms));
    evidence_metric(out, in, "achieved_occupancy");
    evidence_metric(out, in, "sm_balance");
    out->sentence = pool_printf(in->pool, "%.0f block%s on %.0f SMs: %.0f %% of the chip is idle", blocks,
                                blocks == 1 ? "" : "s", sms, 100 * (1 - blocks / sms));
    return;
  }
  double warps = in->f->bounds.work.warps_per_block.v;
  evidence_add(out, "blocks that fit at once", "block", value_of(wave));
  evidence_metric(out, in, "achieved_occupancy");
  out->sentence = pool_printf(in->pool, "%.0f block%s of %.0f warp%s on %.0f SMs: %.0f %% of the warps that fit",
                              blocks, blocks == 1 ? "" : "s", warps, warps == 1 ? "" : "s", sms, 100 * blocks / wave);
}

/* A warp has its chain of turns wherever it is, but what the warps of an SM share is there on each SM. */
static const char *spread_remedy(const struct rule_input *in, const struct split *x) {
  double all = (double)launch_block_threads(in->f->launch), threads = ceil(all / x->sms / RULE_LANES) * RULE_LANES;
  return pool_printf(in->pool, "blocks of %.0f threads: they reach %.0f SMs; more only by more problems in a launch",
                     threads, fmin(grid_blocks(in) * ceil(all / threads), sms_of(in)));
}

RULE_ROW(30, small_grid, "small-grid", "too few warps to fill the chip", false);
bool rule_small_grid(const struct rule_input *in, struct advice *out) {
  double blocks = grid_blocks(in), sms = sms_of(in);
  struct split x;
  if (!split_of(&x, in) || ring_bytes(in).present)
    return false;
  says_what_is_idle(out, in, &x);
  out->remedy = split_remedy(in);
  bool serial = turns_are_serial(in), spread = serial && x.sms > 1 && !is_of_chain(in);
  out->unpriced = (serial && !spread) || x.sms <= 1;
  if (serial || out->unpriced)
    out->sentence = pool_printf(in->pool, "%s, and %s", out->sentence,
                                serial ? "each turn of a thread's loop needs the one before"
                                       : "a warp's work cannot be shared out");
  if (spread)
    out->remedy = spread_remedy(in, &x);
  else if (out->unpriced) {
    out->rank_s = in->time_s * (1 - blocks / sms);
    /* A warp that has a scheduler to itself is no faster on an SM of its own. */
    out->remedy =
        or_zero(in->f->bounds.work.warps_per_block) > SCHEDULERS
            ? "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them; smaller blocks reach more SMs"
            : "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them in the same time";
  }
  if (!serial && !out->unpriced && (double)launch_block_threads(in->f->launch) >= RULE_LANES)
    split_turns(out, in, sms);
  out->general = 2 * blocks >= sms; /* what most SMs lack is warps, not blocks: see occupancy */
  return true;
}

/* Each warp has less to do, and fewer SMs are idle. */
void change_small_grid(const struct rule_input *in, struct workload *w) {
  struct split x;
  if (!split_of(&x, in))
    return;
  work_more_warps(w, x.warps);
  value_scale(&w->blocks, fmax(x.warps, x.sms));
  w->balance = fmin(w->balance * x.sms, 1);
}

/* --- launching --- */

/* "87 %"; a row may be longer than the time that was measured, of which nothing takes more than
 * all. */
static const char *part_words(const struct rule_input *in, double part) {
  static const double whole = 0.995; /* rounds to 100 % */
  return part >= whole ? "all" : pool_printf(in->pool, "%.0f %%", 100 * part);
}

/* How long the launches took that were counted. */
static double counted_s(const struct rule_input *in) {
  struct value whole = in->f->bounds.whole;
  return whole.present && whole.v > 0 ? whole.v : in->time_s;
}

/* Parts of the time that was counted, which add up to what launching takes of it. */
struct launching {
  double whole_s, ramp, blocks;
};

static void launching_of(struct launching *out, const struct rule_input *in) {
  const struct bounds *b = &in->f->bounds;
  double least_s = or_zero(b->model.least[BOUND_LAUNCH]), blocks_s = or_zero(b->model.seconds[RESOURCE_BLOCKS]);
  double whole_s = counted_s(in), of_s = fmax(whole_s, least_s);
  *out = (struct launching){whole_s, (least_s - blocks_s) / of_s, blocks_s / of_s};
}

/* Of all its launches together. */
static double idle_ns(const struct run *r) {
  return r->process.gpu_time_ns * r->process.idle.share / (1 - r->process.idle.share);
}

/* What a program does between its launches is in the way of fusing them, and may take longer than they do. */
static const char *one_launch_words(const struct rule_input *in) {
  static const double told = 0.25; /* of the time, as reports say it of the whole program */
  /* Programs that only launch left 2.6 and 4.3 us, those that synchronise after each launch 9 to 20 (HeCBench, PolyBench on an H100, 2026-11-26). */
  static const double CALL_US = 6;
  const struct run *run = in->all->run;
  double short_gaps = run->process.idle.short_share, long_gaps = run->process.idle.share - short_gaps;
  bool alone = run->n_variants == 1 && run->process.launches > 1;
  const char *into_one = alone ? "put several into one (a loop or a batch; estimate: two in one)"
                               : "fuse with a neighbouring kernel (estimate: two share a launch)";
  if (long_gaps >= told)
    return pool_printf(
        in->pool, "first keep on the GPU what lies between its launches (it idles %.0f %%: copies, host code); then %s",
        100 * (long_gaps + short_gaps), into_one);
  double each_us = run->process.launches > 0 && run->process.idle.share < 1
                       ? 1e-3 * idle_ns(run) / (double)run->process.launches
                       : 0;
  if (short_gaps >= told && each_us > 0)
    return pool_printf(
        in->pool,
        each_us > CALL_US
            ? "first the wait after each launch (a synchronisation?): the GPU idles %.0f %%, %.2g µs a launch; then %s"
            : "first a CUDA graph: the GPU idles %.0f %% of the time, %.2g µs per launch; then %s",
        100 * (long_gaps + short_gaps), each_us, into_one);
  return alone
             ? "put several of its launches into one, by a loop in the kernel (a grid-wide barrier where a turn needs the one before) or a batch (estimate: two in one)"
             : "fuse with a neighbouring kernel (estimate: two share a launch; a grid-wide barrier where blocks read each other's results); a CUDA graph only shortens gaps";
}

RULE_ROW(40, launch_bound, "launch-bound", "launch-bound", false);
bool rule_launch_bound(const struct rule_input *in, struct advice *out) {
  static const double told = 0.005; /* rounds to 1 % */
  const struct model *m = &in->f->bounds.model;
  double share = m->share[RESOURCE_RAMP] + m->share[RESOURCE_LAUNCH];
  bool binds = in->f->bounds.binding == BOUND_LAUNCH && share >= m->share[RESOURCE_BLOCKS];
  if (!binds && in->work.launches <= 1)
    return false;
  double n = in->work.launches;
  struct launching x;
  launching_of(&x, in);
  evidence_add(out, "launch and ramp, share of the time", "ratio", value_of(x.ramp));
  if (x.blocks >= told)
    evidence_add(out, "starting blocks, share of the time", "ratio", value_of(x.blocks));
  evidence_add(out, "empty kernel", "s", in->f->bounds.fixed);
  evidence_add(out, "launches", "launch", value_of(n));
  out->sentence =
      pool_printf(in->pool, "%slaunch and ramp take %s of %.1f µs in %.0f launch%s%s", binds ? "launch-bound: " : "",
                  part_words(in, x.ramp), x.whole_s * 1e6, n, n == 1 ? "" : "es",
                  x.blocks >= told ? pool_printf(in->pool, ", starting blocks %s", part_words(in, x.blocks)) : "");
  out->remedy =
      n > 1
          ? "fuse the launches into one (a grid-wide barrier where blocks read each other's results); a CUDA graph shortens the gaps between them, not the kernels"
          : one_launch_words(in);
  out->by_caller = true;
  return true;
}

static double row_of_launches(const struct rule_input *in, enum resource k, double launches) {
  struct workload w = in->work;
  w.launches = launches;
  return or_zero(resource_rows[k].seconds(&w, &in->all->rates));
}

/* Of several launches one remains; a single one shares its launch with another.  A second launch
 * finds data in the L2, so that its ramp is shorter than the first's: half of the only ramp is
 * more than half of a launch more, and at most all that one more would add. */
static double launches_kept(const struct rule_input *in) {
  static const double shared = 0.5;
  double n = in->work.launches, one_s = row_of_launches(in, RESOURCE_RAMP, 1);
  double more_s = row_of_launches(in, RESOURCE_RAMP, 2) - one_s;
  if (n > 1 || more_s <= 0)
    return fmin(1 / n, shared);
  return fmin(fmax(1 - shared * one_s / more_s, 0), shared);
}

void change_launch_bound(const struct rule_input *in, struct workload *w) {
  double n = in->work.launches, kept = launches_kept(in), empty = fmin(1 / n, 0.5);
  w->launches *= kept;
  value_scale(&w->empty_s, empty); /* with the start of its blocks */
  value_lessen(&w->empty_s, (empty - kept) * row_of_launches(in, RESOURCE_LAUNCH, n));
}

RULE_ROW(50, small_blocks, "small-blocks", "too many small blocks", false);
bool rule_small_blocks(const struct rule_input *in, struct advice *out) {
  double blocks = grid_blocks(in), wave = wave_blocks(in);
  struct value starts = in->f->bounds.model.seconds[RESOURCE_BLOCKS];
  if (blocks <= 0 || blocks <= wave || or_zero(starts) <= 0)
    return false;
  evidence_add(out, "grid", "block", value_of(blocks));
  evidence_add(out, "time to start empty blocks", "s", starts);
  evidence_metric(out, in, "waves");
  out->sentence = pool_printf(in->pool, "%s blocks take %.1f µs to start, %s of the %s", count_words(in, blocks),
                              starts.v * 1e6, part_words(in, starts.v / counted_s(in)),
                              in->f->bounds.unlike
                                  ? pool_printf(in->pool, "%.1f µs that the counted launches took", counted_s(in) * 1e6)
                                  : "time");
  out->remedy = "more work per block: a grid-stride loop over a grid of one wave, or several elements per thread";
  return true;
}

/* One wave of blocks is started, and all of it stays: warps that are not resident come, as far as it was starting that took the time. */
void change_small_blocks(const struct rule_input *in, struct workload *w) {
  double blocks = grid_blocks(in), wave = wave_blocks(in), warps = or_zero(w->warps);
  double starts = or_zero(in->f->bounds.model.seconds[RESOURCE_BLOCKS]) / counted_s(in);
  if (blocks <= wave)
    return;
  value_scale(&w->empty_s, wave / blocks);
  if (warps > 0)
    work_more_warps(w, 1 + fmin(starts, 1) * fmax(wave * or_zero(w->warps_per_block) / warps - 1, 0));
}

/* --- the last wave, uneven SMs --- */

/* Balance of the SMs where all blocks are alike, in more than one wave: as many blocks on each SM but for the rest or, where the blocks of an
 * SM run in step, as many waves; the more even of both, so that no more is laid to the last wave than it costs.  1: one wave. */
static double even_balance(const struct rule_input *in) {
  double sms = sms_of(in), blocks = grid_blocks(in), wave = wave_blocks(in);
  if (wave <= 0 || blocks <= wave)
    return 1;
  double full = floor(blocks / wave), rest = blocks - full * wave, each = blocks / sms;
  return rest > 0 ? fmax(each / ceil(each), (full + fmin(rest / sms, 1)) / (full + 1)) : 1;
}

/* Of the SMs' balance, what the last wave explains: 1 / this part is uneven work. */
static double tail_balance(const struct rule_input *in) {
  return fmax(even_balance(in), rule_value(in, "sm_balance", 1));
}

/* The model's tail, for a grid of full waves and a rest. */
static double tail_share(const struct rule_input *in) {
  const struct model *m = &in->f->bounds.model;
  return m->time_s.present && m->time_s.v > 0 ? m->tail_s / m->time_s.v : 0;
}

RULE_ROW(260, tail, "tail", "partial last wave", false);
bool rule_tail(const struct rule_input *in, struct advice *out) {
  double waves = rule_value(in, "waves", 0);
  if (waves <= 1 || (tail_share(in) <= 0 && tail_balance(in) >= 1))
    return false;
  evidence_metric(out, in, "waves");
  evidence_metric(out, in, "sm_balance");
  evidence_add(out, "SM balance expected from the last wave", "ratio", value_of(tail_balance(in)));
  if (tail_share(in) > 0)
    evidence_add(out, "tail, share of the modelled time", "ratio", value_of(tail_share(in)));
  out->sentence = pool_printf(in->pool, "%.2f waves: the last one fills %.0f %% of the chip", waves,
                              100 * (1 - (ceil(waves) - waves)));
  out->remedy = "choose a grid of whole waves, use smaller blocks, or a persistent grid with a work queue";
  return true;
}

void change_tail(const struct rule_input *in, struct workload *w) {
  double wave = wave_blocks(in);
  if (wave > 0 && or_zero(w->blocks) > wave)
    w->blocks.v = floor(w->blocks.v / wave) * wave;
  w->balance = fmin(w->balance / tail_balance(in), 1);
}

/* Whether all blocks are resident at once, and alike blocks would be spread no more evenly than it is: some SMs have one more. */
static bool one_more_explains(const struct rule_input *in, double balance) {
  static const double slack = 1.02; /* SMs that are asked at different times */
  double blocks = grid_blocks(in), each = blocks / sms_of(in);
  return blocks <= wave_blocks(in) && each / ceil(each) <= slack * balance;
}

bool imbalance_is_of_few(const struct rule_input *in) {
  return 2 * grid_blocks(in) < wave_blocks(in) && one_more_explains(in, rule_value(in, "sm_balance", 1));
}

/* A grid of another size covers the work only where a loop goes over it. */
static const char *as_many_on_each(const struct rule_input *in, double fewer, double more) {
  double threads = grid_blocks(in) * (double)launch_block_threads(in->f->launch);
  return in->sass && sass_strides_grid(in->sass)
             ? pool_printf(in->pool, "as many blocks on each SM: a grid of %.0f or %.0f, or smaller blocks", fewer,
                           more)
             : pool_printf(
                   in->pool,
                   "as many blocks on each SM: smaller blocks (%.0f threads in all), or a grid-stride loop over %.0f or %.0f blocks",
                   threads, fewer, more);
}

/* Several waves of blocks that do equal work, by the code, and a part of one. */
static bool ends_in_part(const struct rule_input *in) {
  double wave = wave_blocks(in), blocks = grid_blocks(in);
  return wave > 0 && blocks > wave && blocks > floor(blocks / wave) * wave && in->sass && sass_blocks_alike(in->sass);
}

RULE_ROW(270, imbalance, "imbalance", "SMs are loaded unevenly", false);
bool rule_imbalance(const struct rule_input *in, struct advice *out) {
  static const double FEW_BUSY = 0.25; /* a queue of whole blocks could spread what a quarter has */
  double balance = rule_value(in, "sm_balance", 1);
  if (balance >= tail_balance(in) || grid_blocks(in) < sms_of(in))
    return false;
  evidence_metric(out, in, "sm_balance");
  evidence_metric(out, in, "waves");
  evidence_metric(out, in, "achieved_occupancy");
  out->sentence = pool_printf(in->pool, "the average SM works for %.0f %% of the busiest SM's cycles", 100 * balance);
  out->remedy = "give each block equal work, or let blocks take smaller pieces from a queue, the largest first";
  if (one_more_explains(in, balance)) {
    double blocks = grid_blocks(in), sms = sms_of(in), each = floor(blocks / sms);
    out->sentence = pool_printf(in->pool, "%s: of %.0f blocks some SMs have %.0f, others %.0f", out->sentence, blocks,
                                each + 1, each);
    out->remedy = as_many_on_each(in, each * sms, (each + 1) * sms);
  } else if (ends_in_part(in)) {
    double wave = wave_blocks(in), blocks = grid_blocks(in);
    out->sentence = pool_printf(in->pool, "%s: blocks do equal work, but the last wave fills %.0f of %.0f slots",
                                out->sentence, blocks - floor(blocks / wave) * wave, wave);
    out->remedy =
        in->sass && sass_strides_grid(in->sass)
            ? pool_printf(in->pool, "a grid of one full wave (%.0f blocks), or smaller blocks", wave)
            : pool_printf(in->pool, "a grid-stride loop over one full wave (a grid of %.0f blocks), or smaller blocks",
                          wave);
  } else if (balance < FEW_BUSY) {
    double busy = fmax(round(balance * sms_of(in)), 1);
    out->sentence =
        pool_printf(in->pool, "%s: as if %.0f of %.0f SMs had all of the work", out->sentence, busy, sms_of(in));
    out->remedy =
        "a few blocks have nearly all of the work: share their loops out over all blocks, a part of the turns each";
  }
  return true;
}

/* The busiest SM ends when the mean does, but for what the last wave costs. */
void change_imbalance(const struct rule_input *in, struct workload *w) {
  w->balance = fmax(w->balance, tail_balance(in));
}

/* --- occupancy --- */

struct more_warps {
  double by;          /* as many resident warps; 1: no more */
  const char *limit;  /* that keeps them out; NULL: the grid has no more */
  const char *remedy; /* against it */
};

static struct occupancy_block block_of(const struct run_launch *l) {
  return (struct occupancy_block){.registers = l->registers,
                                  .threads = (int)launch_block_threads(l),
                                  .smem_static = l->smem_static,
                                  .smem_dynamic = l->smem_dynamic};
}

static bool limits_of(struct occupancy *out, const struct rule_input *in) {
  struct err ignored = {0};
  struct occupancy_block b = block_of(in->f->launch);
  return b.registers > 0 && !occupancy_of(out, in->all->device, &b, &ignored);
}

/* Whether an SM's registers, or its shared memory, have room for so many of these blocks. */
static bool has_room(const struct rule_input *in, const struct occupancy_block *b, enum occupancy_limit l, int blocks) {
  struct err ignored = {0};
  struct occupancy o;
  return !occupancy_of(&o, in->all->device, b, &ignored) && o.blocks[l] >= blocks;
}

/* Threads of a block half as large, where so many more of them fit that an SM has warps to gain: registers are left over beside large blocks; 0: they are not.
 * What it shares is taken to halve, too. */
static int half_block(const struct rule_input *in) {
  static const double WORTH = 1.25;
  struct occupancy_block b = block_of(in->f->launch);
  struct err ignored = {0};
  struct occupancy now, half;
  if (b.threads % (2 * RULE_LANES) != 0 || occupancy_of(&now, in->all->device, &b, &ignored))
    return 0;
  b.threads /= 2;
  b.smem_static /= 2;
  b.smem_dynamic /= 2;
  return !occupancy_of(&half, in->all->device, &b, &ignored) && half.share >= WORTH * now.share ? b.threads : 0;
}

/* The compiler hands out registers in eights. */
static const char *registers_remedy(const struct rule_input *in, int blocks) {
  enum { STEP = 8 };
  struct occupancy_block b = block_of(in->f->launch);
  int half = half_block(in);
  for (b.registers -= (b.registers - 1) % STEP + 1; b.registers > 0; b.registers -= STEP)
    if (has_room(in, &b, LIMIT_REGISTERS, blocks))
      return pool_printf(
          in->pool,
          "%sat most %d registers per thread (%d now) let %d blocks into an SM: %s__launch_bounds__(%d, %d); else more loads in flight per warp",
          half ? pool_printf(in->pool, "blocks of %d threads, or ", half) : "", b.registers, in->f->launch->registers,
          blocks, half ? "" : "smaller tiles, or ", b.threads, blocks);
  return "fewer registers per thread (smaller tiles, launch bounds), or more loads in flight per warp instead";
}

static const char *memory_remedy(const struct rule_input *in, int blocks) {
  enum { KIB = 1024 };
  struct occupancy_block b = block_of(in->f->launch);
  long now = b.smem_static + b.smem_dynamic;
  b.smem_static = 0;
  for (b.smem_dynamic = (now - 1) / KIB * KIB; b.smem_dynamic > 0; b.smem_dynamic -= KIB)
    if (has_room(in, &b, LIMIT_SMEM, blocks))
      return pool_printf(
          in->pool,
          "at most %ld KiB of shared memory per block (%.0f now) let %d blocks into an SM: fewer stages, smaller tiles; else more loads in flight per warp",
          b.smem_dynamic / KIB, (double)now / KIB, blocks);
  return "less shared memory per block (fewer stages, smaller tiles), or more loads in flight per warp instead";
}

static const char *limit_remedy(const struct rule_input *in, enum occupancy_limit l, int blocks) {
  switch (l) {
  case LIMIT_REGISTERS:
    return registers_remedy(in, blocks);
  case LIMIT_SMEM:
    return memory_remedy(in, blocks);
  case LIMIT_BLOCKS:
    return "larger blocks: the SM is at its limit of blocks, not of warps";
  case LIMIT_WARPS:
    return "a block size that divides the SM's warps";
  case LIMIT_BARRIERS:
  case OCCUPANCY_LIMITS:
    break;
  }
  return "fewer named barriers per block";
}

/* A grid of less than a wave: a full one, of warps that have less to do; else what the next limiter allows once the first is out of the way, at
 * most twice as many warps. */
static void more_warps_of(struct more_warps *out, const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  double blocks = grid_blocks(in), wave = wave_blocks(in), most = in->all->device->warps_per_sm;
  double batches = shareable(in);
  struct occupancy o;
  *out = (struct more_warps){.by = 1};
  if (!l || wave <= 0 || most <= 0 || blocks < sms_of(in))
    return;
  if (blocks < wave) {
    *out = (struct more_warps){fmin(wave / blocks, batches > 0 ? fmax(batches, 1) : MORE_WARPS_MOST), NULL,
                               "more blocks with less work in each, or split a long sum over blocks or warps"};
    return;
  }
  if (limits_of(&o, in) && o.blocks_per_sm > 0) {
    double warps = o.blocks_per_sm * o.warps_per_block, next = most;
    for (int k = 0; k < OCCUPANCY_LIMITS; k++)
      if (k != (int)o.limit && o.limit != LIMIT_BLOCKS && o.blocks[k] < INT_MAX)
        next = fmin(next, (double)o.blocks[k] * o.warps_per_block);
    int more = (int)fmax(floor(fmin(next / warps, MORE_WARPS_MOST) * o.blocks_per_sm), o.blocks_per_sm + 1);
    *out = (struct more_warps){next / warps, occupancy_limit_name(o.limit), limit_remedy(in, o.limit, more)};
  }
  out->by = fmin(out->by, MORE_WARPS_MOST);
}

RULE_ROW(280, occupancy, "occupancy", "low occupancy", false);
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
      x.limit
          ? pool_printf(in->pool, "%.0f %% of the SM's warps are resident, limited by %s",
                        100 * rule_value(in, "achieved_occupancy", rule_value(in, "theoretical_occupancy", 0)), x.limit)
          : pool_printf(in->pool, "%.0f blocks where %.0f fit: the grid fills %.0f %% of one wave", grid_blocks(in),
                        wave_blocks(in), 100 * grid_blocks(in) / wave_blocks(in));
  out->remedy = x.remedy;
  if (!x.limit)
    split_turns(out, in, wave_blocks(in));
  out->general =
      !x.limit; /* work split over blocks has to be put together again: what a thread can do by itself comes first */
  return true;
}

void change_occupancy(const struct rule_input *in, struct workload *w) {
  struct more_warps x;
  more_warps_of(&x, in);
  work_more_warps(w, x.by);
  if (grid_blocks(in) < wave_blocks(in))
    value_scale(&w->blocks, x.by);
  else
    value_scale(&w->blocks_per_sm, x.by);
}

/* --- what is left --- */

RULE_ROW(340, latency, "latency", "exposed latency", true);
bool rule_latency(const struct rule_input *in, struct advice *out) {
  if (in->f->bounds.binding != BOUND_LATENCY && !in->waits.by_turns)
    return false;
  evidence_needs(out, in, "latency, share of the time", BOUND_LATENCY);
  evidence_metric(out, in, "issue_slot_utilisation");
  evidence_metric(out, in, "achieved_occupancy");
  evidence_metric(out, in, "dram_bw");
  if (in->waits.by_turns) {
    out->general = false;
    out->sentence =
        pool_printf(in->pool, "copying and computing take turns: a tile is waited for in the turn that loads it%s%s",
                    percent_words(in, "; ", "stall_long_scoreboard_share", " long_scoreboard"),
                    percent_words(in, ", ", "stall_barrier_share", " barrier"));
    out->remedy = "start the copy of the next tile (cp.async, a second buffer) before this one is worked on";
    return true;
  }
  const char *slots = slots_words(in);
  out->sentence =
      pool_printf(in->pool, "latency-bound%s%s%s%s%s", *slots ? ": " : "", slots, in->f->top_stall ? ", mostly " : "",
                  in->f->top_stall ? in->f->top_stall : "", hottest_place(in));
  out->remedy =
      "more warps, or more independent work in each: unroll, split sums, load ahead (the estimate assumes half of each wait)";
  return true;
}

void change_latency(const struct rule_input *in, struct workload *w) {
  if (in->waits.by_turns) { /* the copy lasts while the tile before it is worked on */
    value_lessen(&w->dependencies_s, in->waits.turns_s);
    w->loads_s = w->barriers_s = value_of(0);
    return;
  }
  value_scale(&w->loads_s, 0.5);
  value_scale(&w->own_issue_s, 0.5);
  value_scale(&w->dependencies_s, 0.5);
}
