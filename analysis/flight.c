#include "analysis/flight.h"

#include "analysis/bounds.h"
#include "analysis/metrics.h"

#include <math.h>

enum { WARP_LANES = 32 };

/* Warps that the chip holds at a time: all of a small grid, else what registers, shared memory and block size let the SMs hold. */
static struct value resident_warps(const struct finding *f, const struct device *d) {
  const struct run_launch *l = f->launch;
  if (!l)
    return value_absent("no launch was observed");
  if (l->blocks_per_sm <= 0 || d->sms <= 0)
    return value_absent("the blocks that an SM holds are not known");
  double warps = ceil(launch_block_threads(l) / WARP_LANES), held = (double)d->sms * l->blocks_per_sm;
  return value_of(fmin(launch_blocks(l), held) * warps);
}

static struct value latency_cycles(const struct device *d, const char *name, struct pool *pool) {
  const struct ceiling *c = device_best(d, name);
  return c && c->value > 0 ? value_of(c->value)
                           : value_absent(pool_printf(pool, "no %s is known for this device", name));
}

/* Chance that at least one of n sectors misses where each misses with chance p, one like the other. */
static double any_miss(double p, double n) {
  return 1 - pow(1 - fmin(fmax(p, 0), 1), fmax(n, 1));
}

/* A batch comes back when its slowest sector does. */
static struct value batch_latency(const struct finding *f, const struct device *d, struct value warp_requests,
                                  struct value clock_hz, struct pool *pool) {
  struct value l1 = latency_cycles(d, "l1_latency_cycles", pool), l2 = latency_cycles(d, "l2_latency_cycles", pool),
               dram = latency_cycles(d, "dram_latency_cycles", pool);
  const struct value *const needed[] = {&l1, &l2, &dram, &warp_requests, &clock_hz};
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
    if (!needed[i]->present)
      return *needed[i];
  struct value hit1 = finding_value_named(f, "l1_hit_rate", pool), hit2 = finding_value_named(f, "l2_hit_rate", pool),
               sectors = finding_value_named(f, "sectors_per_request", pool);
  if (!hit2.present)
    return hit2;
  /* Asynchronous copies past the L1 are no load requests: then every sector goes to the L2. */
  double miss1 = hit1.present ? 1 - hit1.v : 1, n = warp_requests.v * (sectors.present ? sectors.v : 1);
  double cycles = l1.v + any_miss(miss1, n) * (l2.v - l1.v) + any_miss(miss1 * (1 - hit2.v), n) * (dram.v - l2.v);
  return value_ratio(value_of(cycles), clock_hz, "the clock is 0");
}

static struct value product(struct value a, struct value b) {
  if (!a.present)
    return a;
  return b.present ? value_of(a.v * b.v) : b;
}

void flight_of(struct flight *out, const struct finding *f, const struct flight_code *code, const struct device *d,
               struct value clock_hz, struct pool *pool) {
  *out = (struct flight){.warp_requests = code->warp_requests};
  out->warp_bytes = product(code->thread_bytes, value_of(WARP_LANES));
  out->requests = code->requests.present ? code->requests : finding_value_named(f, "l1_load_requests", pool);
  out->warps = resident_warps(f, d);
  out->latency_s = batch_latency(f, d, code->warp_requests, clock_hz, pool);
  out->bytes = product(out->warp_bytes, out->warps);
  const struct ceiling *bandwidth = device_best(d, "dram_bw");
  struct value dram_s = value_ratio(latency_cycles(d, "dram_latency_cycles", pool), clock_hz, "the clock is 0");
  out->needed_bytes = product(dram_s, bandwidth ? value_of(bandwidth->value)
                                                : value_absent("no ceiling dram_bw is known for this device"));
}

struct value flight_seconds(const struct flight *fl) {
  struct value batches = value_ratio(fl->requests, product(fl->warps, fl->warp_requests), "no load is outstanding");
  return product(batches, fl->latency_s);
}
