#include "analysis/model/finding_parts.h"

#include "analysis/metrics/formulas.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Counters of a ratio may come from different launches, and a range holds a little more than its
 * kernel: that much over a limit is no doubt. */
static const double MARGIN = 1.05;
/* Below this many bytes what the range holds besides the kernel is a part that counts. */
static const double BYTES_THAT_COUNT = 1e6;

/* Of the L2, whose sectors and hits are counted in different launches: ranges around empty kernels had 66,000 to 68,000 sectors and 86,000 to 89,000 hits (HeCBench as
 * attached, an H100, 2026-11-26), and 21,000 are a twentieth of 13 MB. */
static const double L2_BYTES_THAT_COUNT = 16e6;

/* Shares of what the hardware can do.  What may well exceed 1 (bytes over minimal, issued over
 * executed) is not among them. */
static const struct {
  const char *name, *sectors; /* sectors: those that it is a share of; NULL: it is no share of bytes */
  const double *bytes;        /* of fewer nothing is doubted */
  enum bound_kind of;         /* whose row it matters to; BOUND_KINDS: to several */
} shares[] = {{"issue_slot_utilisation", NULL, NULL, BOUND_KINDS},
              {"achieved_occupancy", NULL, NULL, BOUND_KINDS},
              {"lanes_active", NULL, NULL, BOUND_KINDS},
              {"l1_hit_rate", "l1_load_sectors", &BYTES_THAT_COUNT, BOUND_L1},
              {"l2_hit_rate", "l2_sectors", &L2_BYTES_THAT_COUNT, BOUND_L2},
              {"sm_busy", NULL, NULL, BOUND_KINDS},
              {"dram_write_share", NULL, NULL, BOUND_KINDS}};

__attribute__((format(printf, 3, 4))) static void doubt(struct finding *f, struct pool *pool, const char *format, ...) {
  char text[256];
  va_list list;
  if (f->n_doubts == FINDING_DOUBTS)
    return;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  f->doubts[f->n_doubts++] = pool_printf(pool, "%s", text);
}

/* The most that anyone says of the device's memory. */
static double best_bandwidth(const struct device *d) {
  static const enum ceiling_kind kinds[] = {CEILING_DATASHEET, CEILING_DRIVER, CEILING_MEASURED};
  double best = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const struct ceiling *c = device_ceiling(d, "dram_bw", kinds[i]);
    best = c && c->value > best ? c->value : best;
  }
  return best;
}

static bool is_of_few_bytes(const struct finding *f, const char *sectors, const double *bytes) {
  const struct run_metric *m = sectors ? run_metric_find(f->result, sectors) : NULL;
  return m && m->present && 32 * m->value < *bytes;
}

/* It is busy so short a part of the time that its hit rate matters to nothing: a kernel whose L2 was busy 0.3 % of the time hit it 105 % of the time. */
static bool is_idle(const struct finding *f, enum bound_kind of) {
  static const double LEAST = 0.1;
  const struct bounds *b = &f->bounds;
  return of != BOUND_KINDS && b->seconds[of].present && b->whole.present && b->seconds[of].v < LEAST * b->whole.v;
}

static const char UNLIKE[] = ": passes counted launches of unlike work";

/* Advice that rests on the metric does not come first. */
static void doubt_metric(struct finding *f, const char *name) {
  if (f->n_doubted < FINDING_DOUBTS)
    f->doubted[f->n_doubted++] = name;
}

static void doubt_shares(struct finding *f, struct pool *pool) {
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    const struct derived *m = derived_find(f->derived, f->n_derived, shares[i].name);
    if (!m || !m->value.present || (m->value.v <= MARGIN && m->value.v >= 0) ||
        is_of_few_bytes(f, shares[i].sectors, shares[i].bytes))
      continue;
    doubt_metric(f, shares[i].name);
    if (is_idle(f, shares[i].of))
      continue;
    doubt(f, pool, "%s is %.0f %%, and 100 %% is the most that is possible%s", m->title, m->value.v * 100,
          finding_is_uneven(f) ? UNLIKE : "");
  }
}

/* A bound needs more than all of the time: the counts of a program's kernel may be another
 * launch's.  Launching is the model's, of which a few hundred nanoseconds are as much as such a
 * kernel. */
static void doubt_bounds(struct finding *f, bool dram_told, struct pool *pool) {
  const struct bounds *b = &f->bounds;
  for (int k = 0; k < BOUND_LAUNCH && b->whole.present && b->whole.v > 0; k++) {
    double of = b->seconds[k].present ? b->seconds[k].v / b->whole.v : 0;
    if (of > BOUND_MARGIN && !(k == BOUND_DRAM && dram_told))
      doubt(f, pool, "%s would need %.0f %% of the time%s", bound_rows[k].noun, 100 * of,
            finding_is_uneven(f) ? UNLIKE : ": its counts, or the rates of the device, are not this kernel's");
  }
}

/* A read of less than the problem holds, or faster than the memory is.  Not of controls, which may
 * write what stays in the L2, nor of other problems, whose outputs may. */
static void doubt_bytes(struct finding *f, const struct run *run, double bandwidth, struct pool *pool) {
  const struct run_result *r = f->result;
  bool control = run_variant_is_control(f->variant);
  bool gemv = r->bytes_contest > 0, cold = run->l2 && strcmp(run->l2, "cold") == 0;
  if (control || f->variant->wrong || !gemv || r->bytes_minimal < BYTES_THAT_COUNT)
    return;
  if (cold && f->dram_bytes.present && f->dram_bytes.v * MARGIN < r->bytes_minimal)
    doubt(f, pool, "DRAM moved %.4g MB, less than the %.4g MB that the problem holds, though the L2 was emptied",
          f->dram_bytes.v / 1e6, r->bytes_minimal / 1e6);
  bool warm = !run->l2 || strcmp(run->l2, "warm") == 0;
  if (!warm && f->timed && bandwidth > 0 && r->bytes_minimal / f->time.middle > bandwidth * MARGIN)
    doubt(f, pool,
          "it is faster than the speed of light: %.4g MB in %.4g µs are %.3g TB/s, more than the memory's %.3g TB/s",
          r->bytes_minimal / 1e6, f->time.middle * 1e6, r->bytes_minimal / f->time.middle / 1e12, bandwidth / 1e12);
}

/* DRAM's is one of them. */
static bool doubt_rates(struct finding *f, const struct device *d, double bandwidth, struct pool *pool) {
  const struct derived *moved = derived_find(f->derived, f->n_derived, "dram_bw"),
                       *clock = derived_find(f->derived, f->n_derived, "clock_hz");
  bool counts = f->dram_bytes.present && f->dram_bytes.v > BYTES_THAT_COUNT;
  bool dram = counts && moved && moved->value.present && bandwidth > 0 && moved->value.v > bandwidth * MARGIN;
  if (dram)
    doubt(f, pool, "DRAM bandwidth is %.3g TB/s, %.0f %% of the memory's peak", moved->value.v / 1e12,
          moved->value.v / bandwidth * 100);
  if (clock && clock->value.present && d->clock_max_hz > 0 && clock->value.v > d->clock_max_hz * MARGIN)
    doubt(f, pool, "the SM clock was %.0f MHz, above the chip's maximum of %.0f MHz", clock->value.v / 1e6,
          d->clock_max_hz / 1e6);
  return dram;
}

/* Of a program's kernel they are counted in several passes, each of which may be another launch's: of HeCBench's kernels as attached one had 54 times its warps' cycles, a thread that
 * computes as long as its data say; all others had 0.7 to 1.3. */
static void doubt_stalls(struct finding *f, struct pool *pool) {
  static const double most = 2;
  struct value issuing = finding_value(f, "stall_selected_share");
  double sum = issuing.present ? issuing.v : 0;
  for (size_t i = 0; i < f->n_stalls; i++)
    sum += f->stalls[i].share;
  if (f->result->shape.m == 0 && sum > most) {
    doubt_metric(f, "stall_");
    doubt(f, pool, "what its warps do adds up to %.0f %% of their cycles%s", 100 * sum, UNLIKE);
  }
}

/* While an SM works it has a warp, and of a block all warps that have not ended.  Where launches do unlike work the counts of warps and of cycles may be of two: few kernels of equal launches had less
 * than half a block's warps (of HeCBench's one, a thread of 256 that works alone).  Where the code
 * lets warps without an element leave at once, that is no wonder. */
static void doubt_occupancy(struct finding *f, const struct flight_code *code, const struct device *d,
                            struct pool *pool) {
  static const double part_of_block = 0.5;
  static const char name[] = "achieved_occupancy";
  struct value v = finding_value(f, name);
  double warps = f->launch ? ceil(launch_block_threads(f->launch) / 32) : 0, most = d->warps_per_sm;
  if (!v.present || v.v <= 0 || warps <= 0 || most <= 0)
    return;
  bool below_block = finding_is_uneven(f) && !code->warps_leave && v.v * most < part_of_block * warps;
  if (!below_block && v.v * most * BOUND_MARGIN >= 1)
    return;
  doubt_metric(f, name);
  doubt(f, pool, "achieved occupancy is %.2g %%, and %s is %.2g %%%s", 100 * v.v,
        below_block ? "one block" : "one warp", 100 * (below_block ? warps : 1) / most,
        finding_is_uneven(f) ? UNLIKE : "");
}

static void doubt_zero(struct finding *f, struct pool *pool) {
  static const char *const never[] = {"inst_executed", "sm_cycles_active"};
  for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
    const struct run_metric *m = run_metric_find(f->result, never[i]);
    if (f->timed && m && m->present && m->value <= 0)
      doubt(f, pool, "%s is %.4g, although the kernel ran", never[i], m->value);
  }
}

void doubts_of(struct finding *f, const struct flight_code *code, const struct run *run, const struct device *d,
               struct pool *pool) {
  double bandwidth = best_bandwidth(d);
  f->n_doubts = f->n_doubted = 0;
  doubt_shares(f, pool);
  doubt_bytes(f, run, bandwidth, pool);
  bool dram = doubt_rates(f, d, bandwidth, pool);
  doubt_stalls(f, pool);
  doubt_occupancy(f, code, d, pool);
  doubt_bounds(f, dram, pool);
  doubt_zero(f, pool);
}
