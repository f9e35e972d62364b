/* Rules on what starting takes: launches, and blocks. */
#include "analysis/rules/load_waits.h"
#include "analysis/rules/more_elements.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/block_rows.h"
#include "analysis/signs/division.h"
#include "analysis/signs/elements.h"
#include "analysis/signs/one_cluster.h"
#include "analysis/signs/waves.h"

#include <math.h>

/* Parts of the time that was counted, which add up to what launching takes of it. */
struct launching {
  double whole_s, ramp, blocks;
};

/* How long the launches took that were counted. */
static double counted_s(const struct rule_input *in) {
  struct value whole = in->f->bounds.whole;
  return whole.present && whole.v > 0 ? whole.v : in->time_s;
}

static void launching_of(struct launching *out, const struct rule_input *in) {
  const struct bounds *b = &in->f->bounds;
  double least_s = or_zero(b->model.least[BOUND_LAUNCH]), blocks_s = bounds_blocks_s(b);
  double whole_s = counted_s(in), of_s = fmax(whole_s, least_s);
  *out = (struct launching){whole_s, (least_s - blocks_s) / of_s, blocks_s / of_s};
}

/* "87 %"; a row may be longer than the time that was measured, of which nothing takes more than
 * all. */
static const char *part_words(const struct rule_input *in, double part) {
  static const double whole = 0.995; /* rounds to 100 % */
  return part >= whole ? "all" : pool_printf(in->pool, "%.0f %%", 100 * part);
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
        in->pool,
        "first cut host code and copies between launches, or use a CUDA graph (the GPU idles %.0f %%); then %s",
        100 * (long_gaps + short_gaps), into_one);
  double each_us = run->process.launches > 0 && run->process.idle.share < 1
                       ? 1e-3 * idle_ns(run) / (double)run->process.launches
                       : 0;
  if (short_gaps >= told && each_us > 0)
    return pool_printf(
        in->pool,
        each_us > CALL_US
            ? "first cut host code or waits between launches: the GPU idles %.0f %%, %.2g µs a launch; then %s"
            : "first a CUDA graph: the GPU idles %.0f %% of the time, %.2g µs per launch; then %s",
        100 * (long_gaps + short_gaps), each_us, into_one);
  return alone
             ? "put several of its launches into one, by a loop in the kernel (a grid-wide barrier where an iteration needs the one before) or a batch (estimate: two in one)"
             : "fuse with a neighbouring kernel (estimate: two share a launch; a grid-wide barrier where blocks read each other's results); a CUDA graph only shortens gaps";
}

RULE_ROW(40, launch_bound, "launch-bound", "launch-bound", RULE_BY_LAUNCH | RULE_LAUNCHING, NULL);
bool rule_launch_bound(const struct rule_input *in, struct told *out) {
  static const double told = 0.005 /* rounds to 1 % */, much = 1.0 / 3;
  const struct model *m = &in->f->bounds.model;
  double share = m->share[RESOURCE_RAMP] + m->share[RESOURCE_LAUNCH];
  double n = in->work.launches;
  struct launching x;
  launching_of(&x, in);
  /* Where memory was not counted, launching is the largest of what little is known: of a kernel of 400 us it was 0.4 %. */
  bool binds = in->f->bounds.binding == BOUND_LAUNCH &&
               (in->f->bounds.one_wave || share >= m->share[RESOURCE_BLOCKS]) &&
               (!in->f->bounds.partial || x.ramp + x.blocks >= much);
  if (!binds && n <= 1 && (x.ramp < x.blocks || x.ramp + x.blocks < much))
    return false;
  evidence_add(out, "launch and first bytes, share of the time", "ratio", value_of(x.ramp));
  if (x.blocks >= told)
    evidence_add(out, "starting blocks, share of the time", "ratio", value_of(x.blocks));
  evidence_add(out, "empty kernel", "s", in->f->bounds.fixed);
  evidence_add(out, "launches", "launch", value_of(n));
  out->sentence =
      pool_printf(in->pool, "%slaunching and the first bytes take %s of %.1f µs%s%s", binds ? "launch-bound: " : "",
                  part_words(in, x.ramp), x.whole_s * 1e6, n > 1 ? pool_printf(in->pool, " in %.0f launches", n) : "",
                  x.blocks >= told ? pool_printf(in->pool, ", starting blocks %s", part_words(in, x.blocks)) : "");
  double bytes;
  bool few = fits_one_cluster(in, &bytes);
  out->most_high = few ? fmax(1 - one_cluster_s(in) / in->time_s, 0) : 0;
  out->remedy =
      few ? pool_printf(
                in->pool,
                "one launch of one block (__syncthreads()) or one cluster (cluster.sync()), with a loop over the launches' steps: the %.0f KiB that they use fit an SM",
                ceil(bytes / 1024))
      : n > 1
          ? "fuse the launches into one (one wave of blocks and a grid-wide barrier where they read each other's results); a CUDA graph only shortens the gaps"
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

/* Fewer blocks where each has a row, and too few threads for several elements in each: those would
 * leave as many blocks, of parts of a warp. */
static const char *rows_remedy(const struct rule_input *in) {
  double threads = (double)launch_block_threads(in->f->launch);
  return threads < RULE_LANES
             ? pool_printf(
                   in->pool,
                   "let one block of whole warps (%.0f threads now) do the work of several: a loop in a grid of one wave, or each warp with its own",
                   threads)
             : "let one block do the work of several: a loop in a grid of one wave, or more warps per block, each with as much work as now";
}

/* Of a few warps, which start no slower as one block; "" where they are not as many as a whole block takes of them. */
static const char *larger_first(const struct rule_input *in) {
  enum {
    TINY = 128,
    USUAL = 256
  }; /* threads: four warps; a quarter of an H100's largest block, of which eight fill an SM */
  unsigned threads = (unsigned)launch_block_threads(in->f->launch);
  return threads > 0 && threads <= TINY && USUAL % threads == 0
             ? pool_printf(in->pool, "larger blocks first: %d threads take %u of these (%u now); then ", USUAL,
                           USUAL / threads, threads)
             : "";
}

/* Most of the instructions that go are divisions of an index: neighbours share one, and elements that lie a grid apart do not. */
static bool shares_divisions(const struct rule_input *in, const struct elements *of) {
  struct dividing divide;
  double gone = rule_value(in, "inst_executed", 0) * (1 - of->insts);
  dividing_of(&divide, in);
  return gone > 0 && 2 * divide.insts * (1 - 1 / of->times) > gone;
}

static const char *launches_words(const struct rule_input *in) {
  const struct run_result *r = in->f->result;
  double n = in->work.launches, blocks = grid_blocks(in);
  bool alike = true;
  for (size_t i = 0; i < r->n_launches; i++)
    alike = alike && launch_blocks(&r->launches[i]) == blocks;
  return n <= 1 ? ""
                : pool_printf(in->pool, alike ? " in each of %.0f launches" : " in the largest of %.0f launches", n);
}

RULE_ROW(50, small_blocks, "small-blocks", "too many small blocks", RULE_BY_LAUNCH, NULL);
bool rule_small_blocks(const struct rule_input *in, struct told *out) {
  double blocks = grid_blocks(in), wave = wave_blocks(in);
  struct value starts = in->f->bounds.model.seconds[RESOURCE_BLOCKS];
  if (blocks <= 0 || blocks <= wave || or_zero(starts) <= 0)
    return false;
  evidence_add(out, "grid", "block", value_of(blocks));
  evidence_add(out, "time to start empty blocks", "s", starts);
  evidence_metric(out, in, "waves");
  out->sentence = pool_printf(in->pool, "%s blocks%s take %.1f µs to start, %s of the %s", count_words(in, blocks),
                              launches_words(in), starts.v * 1e6, part_words(in, starts.v / counted_s(in)),
                              in->f->bounds.unlike
                                  ? pool_printf(in->pool, "%.1f µs that the counted launches took", counted_s(in) * 1e6)
                                  : "time");
  struct elements of;
  bool rows = blocks_are_rows(in) && launch_block_threads(in->f->launch) < ELEMENTS * RULE_LANES;
  const char *larger = larger_first(in);
  out->more_elements =
      !rows && more_elements_known(in) && elements_of(&of, in); /* a row keeps its instructions and its barriers */
  out->remedy =
      rows ? rows_remedy(in)
      : out->more_elements && shares_divisions(in, &of)
          ? pool_printf(
                in->pool,
                "%sseveral neighbouring elements per thread, one division for all (the estimate assumes %.2g); a grid-stride loop keeps each division",
                larger, of.times)
      : out->more_elements
          ? pool_printf(
                in->pool,
                *larger
                    ? "%sseveral elements per thread%s%s (the estimate assumes %.2g)"
                    : "%sseveral elements per thread%s%s (the estimate assumes %.2g), or a grid-stride loop over one wave",
                larger, of.wide ? ", 16 bytes per access where aligned" : "",
                !*larger && waits_for_loads(in) ? ", all loads first" : "", of.times)
          : pool_printf(
                in->pool,
                "%smore work per block: a grid-stride loop over a grid of one wave, or several elements per thread",
                larger);
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
