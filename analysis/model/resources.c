#include "analysis/model/resources.h"

#include "base/warp.h"

#include <math.h>

enum { SECTOR_BYTES = 32, SECTOR_WORDS = 8, LINE_SECTORS = 4, SCHEDULERS = 4 };
static const double SECONDS_PER_NS = 1e-9;

/* --- what every resource asks --- */

static struct value rate_unknown(void) {
  return value_absent("the device's rate is not known");
}

/* count / rate; the rate in counts per second. */
static struct value by_rate(struct value count, const struct rates *r, enum rate_kind k) {
  if (!count.present)
    return count;
  return r->of[k].value > 0 ? value_of(count.v / r->of[k].value) : rate_unknown();
}

/* Cycles that all SMs together have in a second. */
static struct value sm_hz(const struct workload *w, const struct rates *r) {
  if (!w->clock_hz.present)
    return w->clock_hz;
  return r->sms > 0 && w->clock_hz.v > 0 ? value_of(r->sms * w->clock_hz.v) : value_absent("the SMs are not known");
}

/* Warp instructions on a pipe of so many lanes per cycle and SM. */
static struct value by_pipe(const struct workload *w, const struct rates *r, struct value count, enum rate_kind k) {
  if (!count.present)
    return count;
  if (!(r->of[k].value > 0))
    return rate_unknown();
  return value_ratio(value_of(count.v * WARP_LANES / r->of[k].value), sm_hz(w, r), "the clock is 0");
}

static struct value larger(struct value a, struct value b) {
  if (!a.present || !b.present)
    return a.present ? a : b;
  return a.v >= b.v ? a : b;
}

/* --- an SM --- */

static struct value issue_s(const struct workload *w, const struct rates *r) {
  if (!w->inst.present)
    return w->inst;
  return value_ratio(value_of(w->inst.v / SCHEDULERS), sm_hz(w, r), "the clock is 0");
}

static struct value alu_s(const struct workload *w, const struct rates *r) {
  return by_pipe(w, r, w->alu, RATE_ALU);
}

/* IMAD runs on the FMA pipe's heavy half alone, and slower where its product has 64 bits. */
static struct value fma_s(const struct workload *w, const struct rates *r) {
  struct value heavy = by_pipe(w, r, w->fma_heavy, RATE_IMAD), wide = by_pipe(w, r, w->fma_heavy, RATE_IMAD_HI);
  if (heavy.present && wide.present)
    heavy.v += w->wide_share * (wide.v - heavy.v);
  return larger(by_pipe(w, r, w->fma, RATE_FFMA), heavy);
}

static struct value lsu_s(const struct workload *w, const struct rates *r) {
  return by_pipe(w, r, w->lsu, RATE_LSU);
}

/* A wavefront is one cycle of an SM's data stage. */
static struct value l1_s(const struct workload *w, const struct rates *r) {
  return value_ratio(w->l1_wavefronts, sm_hz(w, r), "the clock is 0");
}

static struct value xu_s(const struct workload *w, const struct rates *r) {
  return by_pipe(w, r, w->xu, RATE_XU);
}

static struct value tensor_s(const struct workload *w, const struct rates *r) {
  return by_pipe(w, r, w->tensor, RATE_TENSOR);
}

static struct value fp64_s(const struct workload *w, const struct rates *r) {
  return by_pipe(w, r, w->fp64, RATE_FP64);
}

static struct value adu_s(const struct workload *w, const struct rates *r) {
  return by_pipe(w, r, w->adu, RATE_ADU);
}

static struct value tex_s(const struct workload *w, const struct rates *r) {
  return by_pipe(w, r, w->tex, RATE_TEX);
}

/* --- memory --- */

/* Reads and writes in turn cost DRAM its turnarounds: at equal parts the copy's bandwidth, with f
 * the part that is written 4 f (1 - f) of that loss.  Plain loads and copies past the registers
 * have a bandwidth each. */
static struct value dram_s(const struct workload *w, const struct rates *r) {
  struct value read = w->dram_read;
  double best = r->of[RATE_DRAM].value, plain = r->of[RATE_DRAM_LOAD].value, copy = r->of[RATE_DRAM_COPY].value;
  double written = w->dram_write.present ? w->dram_write.v : 0;
  if (!read.present)
    return read;
  if (!(best > 0))
    return rate_unknown();
  double bytes = read.v + written, part = bytes > 0 ? written / bytes : 0;
  double mix = 1 + (copy > 0 ? fmax(best / copy - 1, 0) : 0) * 4 * part * (1 - part);
  return value_of(bytes * mix * ((1 - w->async_share) / plain + w->async_share / best));
}

/* A request to the L2 that writes is for one to four sectors of a line, and costs something by
 * itself: of the times that a sector takes in requests of four and in requests of one follow both
 * parts.  single: sectors per second, one a request. */
static double sectors_s(double sectors, double fill, double of_four_s, double single) {
  if (!(single > 0) || 1 / single < of_four_s)
    return sectors * of_four_s;
  double request = (1 / single - of_four_s) * LINE_SECTORS / (LINE_SECTORS - 1), sector = 1 / single - request;
  return sectors * (fmax(sector, 0) + request / (fill > 0 ? fmin(fmax(fill, 1), LINE_SECTORS) : LINE_SECTORS));
}

/* Reads leave a slice by two sectors a cycle: requests for two, three and four take the same time a
 * sector, of one they take that of requests of one.  230 to 243 G sectors/s of two to four and 150
 * of one on an H100, 272 to 287 and 172 on an H200, 2026-11-27; lines that several SMs ask for at
 * the same time come to the L2 as one request, and are counted so. */
static double sectors_read_s(double sectors, double fill, double of_four_s, double single) {
  if (!(single > 0) || 1 / single < of_four_s || !(fill > 0) || fill >= 2)
    return sectors * of_four_s;
  double pairs = fmax(fill, 1) - 1; /* of a request, the others are for one sector */
  return sectors * ((1 - pairs) / single + pairs * 2 * of_four_s) / (1 + pairs);
}

static struct value l2_read_s(const struct workload *w, const struct rates *r) {
  struct value whole = by_rate(w->l2_read, r, RATE_L2_READ);
  if (whole.present)
    whole.v = sectors_read_s(w->l2_read.v / SECTOR_BYTES, w->read_fill, SECTOR_BYTES / r->of[RATE_L2_READ].value,
                             r->of[RATE_L2_LINES].value);
  return whole;
}

static struct value l2_write_s(const struct workload *w, const struct rates *r) {
  struct value whole = by_rate(w->l2_write, r, RATE_L2_WRITE);
  double rate = r->of[RATE_L2_PARTIAL].value, part = w->partial_share;
  if (whole.present && rate > 0)
    whole.v = whole.v * (1 - part) + sectors_s(w->l2_write.v * part / SECTOR_BYTES, w->write_fill, 1 / rate,
                                               r->of[RATE_L2_LINE_PARTIAL].value);
  return whole;
}

/* Of the busiest slice: atomic operations to few addresses wait there.  More lanes in a sector
 * than it has words meet in a word, one after the other.  Lanes of a warp that meet there are
 * requests one behind the other, which hold their slice for as long. */
static struct value atomics_slice_s(const struct workload *w, const struct rates *r) {
  struct value busiest = by_rate(w->atomic_cycles_max, r, RATE_ATOMIC_SLICE);
  double one_word = r->of[RATE_ATOMIC_WORD].value, followers = 1 - 1 / fmax(w->atomic_bursts, 1);
  if (busiest.present && one_word > 0)
    busiest.v += followers * fmax(w->atomic_cycles_max.v / one_word - busiest.v, 0);
  if (busiest.present && one_word > 0 && w->atomic_lanes > SECTOR_WORDS)
    busiest.v = fmax(busiest.v, w->atomic_cycles_max.v * w->atomic_lanes / one_word);
  return busiest;
}

static struct value atomics_s(const struct workload *w, const struct rates *r) {
  return larger(by_rate(w->atomic_sectors, r, RATE_ATOMIC_SECTORS), atomics_slice_s(w, r));
}

/* Of all of them, as if they were spread evenly. */
static struct value atomics_spread_s(const struct workload *w, const struct rates *r) {
  double lines = r->of[RATE_ATOMIC_LINES].value, single = r->of[RATE_ATOMIC_SECTORS].value;
  struct value sent = w->atomic_sent.present ? w->atomic_sent : w->atomic_sectors;
  struct value all = by_rate(sent, r, RATE_ATOMIC_SECTORS);
  if (all.present && lines > single && w->atomic_fill > 1)
    all.v = sectors_s(sent.v, w->atomic_fill, 1 / lines, single);
  return all;
}

/* Requests of other words between those that follow each other hide a part of what these wait. */
struct value resource_atomics_least_s(const struct workload *w, const struct rates *r) {
  struct workload apart = *w;
  apart.atomic_bursts = 1;
  return larger(atomics_spread_s(w, r), atomics_slice_s(&apart, r));
}

enum rate_kind resource_atomics_rate(const struct workload *w, const struct rates *r) {
  static const double most = 0.5; /* of the time is one word's, beyond what its slice takes */
  struct value spread = atomics_spread_s(w, r), slice = atomics_slice_s(w, r);
  struct value apart = by_rate(w->atomic_cycles_max, r, RATE_ATOMIC_SLICE);
  if (!slice.present || slice.v <= 0 || (spread.present && slice.v <= spread.v))
    return RATE_ATOMIC_SECTORS;
  return slice.v - apart.v > most * slice.v ? RATE_ATOMIC_WORD : RATE_ATOMIC_SLICE;
}

/* --- a warp --- */

static struct value loads_s(const struct workload *w, const struct rates *r) {
  (void)r;
  return w->loads_s;
}

/* A batch comes back with its slowest sector, of n that each take a time at random after about 1 +
 * ln(n) times the mean: what is taken where waits were not counted. */
static struct value slow_loads_s(const struct workload *w, const struct rates *r) {
  (void)r;
  double times = w->slow_loads.present ? w->slow_loads.v : log(fmax(w->sectors_spread, 1));
  return w->loads_s.present ? value_of(w->loads_s.v * times) : w->loads_s;
}

static struct value own_issue_s(const struct workload *w, const struct rates *r) {
  (void)r;
  return w->own_issue_s;
}

static struct value dependencies_s(const struct workload *w, const struct rates *r) {
  (void)r;
  return w->dependencies_s;
}

/* Warps of a block that wait at barriers for each other. */
static struct value barriers_s(const struct workload *w, const struct rates *r) {
  (void)r;
  return w->barriers_s;
}

static struct value dram_latency_s(const struct rates *r) {
  double cycles = r->of[RATE_DRAM_LATENCY].value;
  return cycles > 0 && r->clock_max_hz > 0 ? value_of(cycles / r->clock_max_hz) : rate_unknown();
}

/* Little's law of copies past the registers: shared memory holds what is in flight. */
static struct value copies_s(const struct workload *w, const struct rates *r) {
  struct value latency = dram_latency_s(r);
  if (!w->l2_read.present || !latency.present)
    return w->l2_read.present ? latency : w->l2_read;
  if (!(w->async_share > 0))
    return value_of(0);
  if (!w->blocks.present || !w->blocks_per_sm.present || !w->smem_block.present || !(r->sms > 0))
    return value_absent("the blocks of an SM are not known");
  double held = fmin(w->blocks_per_sm.v * r->sms, w->blocks.v) * w->smem_block.v;
  return value_of(held > 0 ? w->async_share * w->l2_read.v * latency.v / held : 0);
}

/* --- a launch --- */

static double launch_s(const struct workload *w, const struct rates *r) {
  return w->launches * r->of[RATE_LAUNCH].value * SECONDS_PER_NS;
}

struct value resource_empty_s(const struct workload *w, const struct rates *r) {
  enum { SMALL_WARPS = 8, LARGE_WARPS = 32 };
  double small = r->of[RATE_BLOCKS].value, large = r->of[RATE_BLOCKS_LARGE].value;
  if (!w->blocks.present || !w->warps_per_block.present || !(small > 0) || !(r->of[RATE_LAUNCH].value > 0))
    return w->empty_s;
  double beyond = (fmax(w->warps_per_block.v, SMALL_WARPS) - SMALL_WARPS) / (LARGE_WARPS - SMALL_WARPS);
  double block_s = 1 / small + (large > 0 ? beyond * (1 / large - 1 / small) : 0);
  return value_of(launch_s(w, r) + w->blocks.v * block_s);
}

/* What an empty kernel of this grid takes beyond one of one block. */
static struct value blocks_s(const struct workload *w, const struct rates *r) {
  return w->empty_s.present ? value_of(fmax(w->empty_s.v - launch_s(w, r), 0)) : w->empty_s;
}

/* One latency of DRAM per launch; the model knows how many stand between the launch and its first
 * data, and its last data and the end. */
static struct value ramp_s(const struct workload *w, const struct rates *r) {
  struct value latency = dram_latency_s(r);
  if (!latency.present)
    return latency;
  if (w->l2_read.present && w->l2_read.v <= 0)
    return value_of(0);
  double l2 = r->of[RATE_L2_LATENCY].value / fmax(r->of[RATE_DRAM_LATENCY].value, 1), cold = 1;
  if (l2 > 0 && w->l2_read.present && w->dram_read.present)
    cold = fmin(w->dram_read.v / w->l2_read.v, 1);
  double later = l2 > 0 ? l2 + cold * (1 - l2) : 1;
  return value_of(((w->l2_kept ? later : 1) + (w->launches - 1) * later) * latency.v);
}

static struct value empty_s(const struct workload *w, const struct rates *r) {
  return r->of[RATE_LAUNCH].value > 0 ? value_of(launch_s(w, r)) : rate_unknown();
}

const struct resource_row resource_rows[RESOURCES] = {
    [RESOURCE_ISSUE] = {"issue", SIDE_SM, BOUND_ISSUE, issue_s},
    [RESOURCE_ALU] = {"alu", SIDE_SM, BOUND_ALU, alu_s},
    [RESOURCE_FMA] = {"fma", SIDE_SM, BOUND_FMA, fma_s},
    [RESOURCE_LSU] = {"lsu", SIDE_SM, BOUND_LSU, lsu_s},
    [RESOURCE_L1] = {"l1", SIDE_SM, BOUND_L1, l1_s},
    [RESOURCE_XU] = {"xu", SIDE_SM, BOUND_XU, xu_s},
    [RESOURCE_TENSOR] = {"tensor", SIDE_SM, BOUND_TENSOR, tensor_s},
    [RESOURCE_FP64] = {"fp64", SIDE_SM, BOUND_FP64, fp64_s},
    [RESOURCE_ADU] = {"adu", SIDE_SM, BOUND_ADU, adu_s},
    [RESOURCE_TEX] = {"texture", SIDE_SM, BOUND_TEX, tex_s},
    [RESOURCE_DRAM] = {"dram", SIDE_MEMORY, BOUND_DRAM, dram_s},
    [RESOURCE_L2_READ] = {"l2-read", SIDE_MEMORY, BOUND_L2, l2_read_s},
    [RESOURCE_L2_WRITE] = {"l2-write", SIDE_MEMORY, BOUND_L2, l2_write_s},
    [RESOURCE_ATOMICS] = {"atomics", SIDE_MEMORY, BOUND_ATOMICS, atomics_s},
    [RESOURCE_LOADS] = {"loads", SIDE_WARP, BOUND_LATENCY, loads_s},
    [RESOURCE_SLOW_LOADS] = {"slow-loads", SIDE_WARP, BOUND_LATENCY, slow_loads_s},
    [RESOURCE_OWN_ISSUE] = {"own-issue", SIDE_WARP, BOUND_LATENCY, own_issue_s},
    [RESOURCE_DEPENDENCIES] = {"dependencies", SIDE_WARP, BOUND_LATENCY, dependencies_s},
    [RESOURCE_BARRIERS] = {"barriers", SIDE_WARP, BOUND_LATENCY, barriers_s},
    [RESOURCE_COPIES] = {"copies", SIDE_WARP, BOUND_LATENCY, copies_s},
    [RESOURCE_BLOCKS] = {"blocks", SIDE_LAUNCH, BOUND_LAUNCH, blocks_s},
    [RESOURCE_RAMP] = {"ramp", SIDE_LAUNCH, BOUND_LAUNCH, ramp_s},
    [RESOURCE_LAUNCH] = {"launch", SIDE_LAUNCH, BOUND_LAUNCH, empty_s},
};

bool bound_is_of_sm(enum bound_kind k) {
  for (int i = 0; i < RESOURCES; i++)
    if (resource_rows[i].bound == k && resource_rows[i].side == SIDE_SM)
      return true;
  return false;
}
