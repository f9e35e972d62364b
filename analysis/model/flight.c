#include "analysis/model/flight.h"

#include "analysis/metrics/formulas.h"
#include "base/warp.h"

#include <math.h>

/* Warps that the chip holds at a time: all of a small grid, else what registers, shared memory and
 * block size let the SMs hold. */
static struct value resident_warps(const struct finding *f, const struct device *d) {
  const struct run_launch *l = f->launch;
  if (!l)
    return value_absent("no launch was observed");
  struct value mean =
      value_ratio(finding_value(f, "warps_active"), finding_value(f, "sm_cycles_active"), "no SM worked");
  if (d->sms <= 0 || (l->blocks_per_sm <= 0 && !mean.present))
    return value_absent("the blocks that an SM holds are not known");
  if (l->blocks_per_sm <= 0) /* a library's kernel: what was counted stands */
    return value_of(mean.v * d->sms);
  double warps = ceil(launch_block_threads(l) / WARP_LANES), held = (double)d->sms * l->blocks_per_sm;
  double most = fmin(launch_blocks(l), held) * warps;
  return value_of(mean.present ? fmin(most, mean.v * d->sms) : most);
}

static struct value latency_cycles(const struct device *d, const char *name, struct pool *pool) {
  const struct ceiling *c = device_best(d, name);
  return c && c->value > 0 ? value_of(c->value)
                           : value_absent(pool_printf(pool, "no %s is known for this device", name));
}

double flight_any_miss(double miss, double requests) {
  return fmin(fmax(miss, 0) * requests, 1);
}

double flight_without_queue(double waited, double busy) {
  static const double SERVERS = 3; /* by cross-validation: docs/model.md */
  double u = fmin(fmax(busy, 0), 1);
  double queued = pow(u, sqrt(2 * (SERVERS + 1)) - 1) / (2 * SERVERS); /* times 1 - u, over a service */
  return waited * (1 - u) / (1 - u + queued);
}

/* Part of the L2's reads that DRAM serves.  The L2's own hit rate counts writes, which hit, and
 * each sector once more that one of its partitions asks of the other: it stands in only where bytes
 * were not counted. */
static struct value l2_misses(const struct finding *f, struct pool *pool) {
  struct value missed = value_ratio(value_counter(f->result, "dram_read_bytes", pool),
                                    value_counter(f->result, "l2_read_bytes", pool), "nothing is read from the L2");
  struct value hit = finding_value_named(f, "l2_hit_rate", pool);
  if (missed.present)
    return value_of(fmin(missed.v, 1));
  return hit.present ? value_of(1 - hit.v) : hit;
}

/* A batch is back when its slowest sector is: from L2, or from DRAM where a request misses. */
static struct value batch_latency(const struct finding *f, const struct device *d, const struct flight_code *code,
                                  struct value known, struct value clock_hz, struct pool *pool) {
  struct value l1 = latency_cycles(d, "l1_latency_cycles", pool), l2 = latency_cycles(d, "l2_latency_cycles", pool),
               dram = latency_cycles(d, "dram_latency_cycles", pool);
  const struct value *const needed[] = {&l1, &l2, &dram, &known, &clock_hz};
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
    if (!needed[i]->present)
      return *needed[i];
  struct value miss2 = l2_misses(f, pool);
  if (!miss2.present)
    return miss2;
  double missed = flight_any_miss(finding_l1_miss(f), known.v);
  if (code->batches.present)
    missed = code->batches.v > 0 ? code->batches_missed / code->batches.v : 0;
  double cycles = l1.v + missed * (l2.v - l1.v + miss2.v * (dram.v - l2.v));
  return value_ratio(value_of(cycles), clock_hz, "the clock is 0");
}

/* Cycles that the counter sums over all warps, spread over those that are resident. */
static struct value chain_seconds(const struct finding *f, const char *counter, const struct flight *fl,
                                  struct value clock_hz, struct pool *pool) {
  return value_ratio(finding_value_named(f, counter, pool), value_product(fl->warps, clock_hz), "no warp is resident");
}

/* Waits that a warp has by itself, whatever the others do: results of fixed and of short latency,
 * branches, instructions and constants that come late, fences, stores at the end.  What is short
 * comes through the L1's data stage, and waits before it while that is busy. */
static struct value own_waits(const struct finding *f, const struct flight *fl, struct value clock_hz,
                              struct pool *pool) {
  static const char *const more[] = {"stall_branch_resolving", "stall_no_instruction", "stall_imc_miss", "stall_membar",
                                     "stall_drain"};
  struct value sum = chain_seconds(f, "stall_wait", fl, clock_hz, pool);
  struct value brief = chain_seconds(f, "stall_short_scoreboard", fl, clock_hz, pool);
  struct value busy =
      value_ratio(finding_value(f, "l1_wavefronts"), finding_value(f, "sm_cycles_active"), "no SM worked");
  if (sum.present && brief.present)
    sum.v += flight_without_queue(brief.v, busy.present ? busy.v : 0);
  for (size_t i = 0; i < sizeof more / sizeof more[0] && sum.present; i++) {
    struct value one = chain_seconds(f, more[i], fl, clock_hz, pool);
    sum.v += one.present ? one.v : 0;
  }
  return sum;
}

void flight_of(struct flight *out, const struct finding *f, const struct flight_code *code, const struct device *d,
               struct value clock_hz, struct pool *pool) {
  *out = (struct flight){.warp_requests = code->warp_requests};
  out->warp_bytes = value_product(code->thread_bytes, value_of(WARP_LANES));
  out->requests = code->requests.present ? code->requests : finding_value_named(f, "l1_load_requests", pool);
  out->warps = resident_warps(f, d);
  out->latency_s =
      batch_latency(f, d, code, code->batches.present ? code->batches : code->warp_requests, clock_hz, pool);
  out->bytes = value_product(out->warp_bytes, out->warps);
  struct value batches =
      code->batches.present
          ? value_ratio(code->batches, out->warps, "no warp is resident")
          : value_ratio(out->requests, value_product(out->warps, out->warp_requests), "no load is outstanding");
  out->plain = code->batches.present;
  out->loads_s = value_product(batches, out->latency_s);
  if (!code->warp_requests.present)
    out->alone_s = value_product(value_ratio(out->requests, out->warps, "no warp is resident"),
                                 batch_latency(f, d, code, value_of(1), clock_hz, pool));
  out->resident_s = chain_seconds(f, "warps_active", out, clock_hz, pool);
  out->counted_s = chain_seconds(f, "stall_long_scoreboard", out, clock_hz, pool);
  out->issues_s = chain_seconds(f, "stall_selected", out, clock_hz, pool);
  out->waits_s = own_waits(f, out, clock_hz, pool);
  out->ends_s = chain_seconds(f, "stall_drain", out, clock_hz, pool);
  const struct ceiling *bandwidth = device_best(d, "dram_bw");
  struct value dram_s = value_ratio(latency_cycles(d, "dram_latency_cycles", pool), clock_hz, "the clock is 0");
  out->needed_bytes = value_product(dram_s, bandwidth ? value_of(bandwidth->value)
                                                      : value_absent("no ceiling dram_bw is known for this device"));
  out->achieved_bytes = value_product(dram_s, finding_value_named(f, "dram_bw", pool));
}
