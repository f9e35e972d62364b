#include "analysis/model/bounds.h"

#include "analysis/metrics/formulas.h"
#include "analysis/model/flight.h"
#include "analysis/model/overlap.h"

#include <stddef.h>

static const double SECONDS_PER_NS = 1e-9;

/* A warp instruction keeps 32 lanes of its pipe busy for a cycle. */
enum { WARP_LANES = 32, SCHEDULERS_PER_SM = 4 };

static const char *const BOUND_NAMES[BOUND_KINDS] = {
    [BOUND_DRAM] = "dram",     [BOUND_L2] = "l2",     [BOUND_L1] = "l1",           [BOUND_ISSUE] = "issue",
    [BOUND_ALU] = "alu",       [BOUND_FMA] = "fma",   [BOUND_LSU] = "lsu",         [BOUND_XU] = "xu",
    [BOUND_TENSOR] = "tensor", [BOUND_FP64] = "fp64", [BOUND_LATENCY] = "latency",
};

const char *bound_name(enum bound_kind k) {
  return k < BOUND_KINDS ? BOUND_NAMES[k] : "unknown";
}

/* Pipes whose bound is count / rate.  FMA has two rates and its own function. */
static const struct pipe {
  enum bound_kind kind;
  const char *counter, *rate;
} PIPES[] = {
    {BOUND_ALU, "pipe_alu", "rate_alu"},    {BOUND_LSU, "pipe_lsu", "rate_lsu"},
    {BOUND_XU, "pipe_xu", "rate_xu"},       {BOUND_TENSOR, "pipe_tensor_mma", "rate_tensor"},
    {BOUND_FP64, "pipe_fp64", "rate_fp64"},
};

struct bounds_input {
  const struct finding *finding;
  const struct device *device;
  struct pool *pool;
  struct value sm_cycles_hz; /* S*f: cycles that all SMs together have in a second */
};

static struct value clock_of(struct bounds *out, const struct bounds_input *in) {
  struct value clock = finding_value_named(in->finding, "clock_hz", in->pool);
  if (clock.present && clock.v > 0) {
    out->clock_source = "the counted range";
    return clock;
  }
  if (in->device->clock_max_hz > 0) {
    out->clock_source = "the device's maximum";
    return value_of(in->device->clock_max_hz);
  }
  out->clock_source = "unknown";
  return value_absent("neither the range's clock nor the device's maximum is known");
}

/* The best ceiling of a name: measured, else driver-reported, else datasheet.  NULL where none is above 0. */
static const struct ceiling *ceiling_best(const struct bounds_input *in, const char *name) {
  const struct ceiling *c = device_best(in->device, name);
  return c && c->value > 0 ? c : NULL;
}

static struct value no_ceiling(const struct bounds_input *in, const char *name) {
  return value_absent(pool_printf(in->pool, "no ceiling %s is known for this device", name));
}

static struct value bytes_seconds(const struct bounds_input *in, const char *metric, const char *ceiling,
                                  const struct ceiling **used) {
  const struct ceiling *bandwidth = ceiling_best(in, ceiling);
  if (!bandwidth)
    return no_ceiling(in, ceiling);
  *used = bandwidth;
  return value_ratio(finding_value_named(in->finding, metric, in->pool), value_of(bandwidth->value), "");
}

/* count / (per_cycle * S * f); per_cycle is above 0. */
static struct value cycles_seconds(const struct bounds_input *in, struct value count, double per_cycle) {
  if (!count.present)
    return count;
  return value_ratio(value_of(count.v / per_cycle), in->sm_cycles_hz, "");
}

static struct value pipe_seconds(const struct bounds_input *in, const struct pipe *p, const struct ceiling **used) {
  const struct ceiling *rate = ceiling_best(in, p->rate);
  if (!rate)
    return no_ceiling(in, p->rate);
  *used = rate;
  return cycles_seconds(in, finding_value_named(in->finding, p->counter, in->pool), rate->value / WARP_LANES);
}

/* Packed fp16 runs on the FMA pipe, on some chips at half its rate (B200: 64 lanes of HFMA2, 128 of FFMA).  Where that rate and the
 * count are known the two kinds are timed apart; else all go at the fp32 rate, which is a bound still. */
static struct value fma_seconds(const struct bounds_input *in, const struct ceiling **used) {
  const struct ceiling *rate = ceiling_best(in, "rate_ffma");
  const struct ceiling *rate_fp16 = ceiling_best(in, "rate_hfma2");
  if (!rate)
    return no_ceiling(in, "rate_ffma");
  *used = rate;
  struct value all = finding_value_named(in->finding, "pipe_fma", in->pool);
  struct value fp16 = finding_value_named(in->finding, "pipe_fp16", in->pool);
  double lanes_per_inst = (double)WARP_LANES;
  if (!all.present || !fp16.present || !rate_fp16 || fp16.v > all.v)
    return cycles_seconds(in, all, rate->value / lanes_per_inst);
  double cycles = (all.v - fp16.v) * lanes_per_inst / rate->value + fp16.v * lanes_per_inst / rate_fp16->value;
  return cycles_seconds(in, value_of(cycles), 1);
}

static double largest(const struct bounds *b, enum bound_kind first, enum bound_kind last, const double *scale) {
  double most = 0;
  for (enum bound_kind k = first; k <= last; k++) {
    double s = b->seconds[k].present ? b->seconds[k].v * (scale ? scale[k] : 1) : 0;
    most = s > most ? s : most;
  }
  return most;
}

double bounds_overlap(const struct bounds *b, const double scale[BOUND_KINDS]) {
  const struct flight *fl = &b->flight;
  double most = largest(b, BOUND_DRAM, BOUND_LATENCY, scale);
  if (b->queueing <= 0) /* nothing is known of how warps queue: the largest bound stands */
    return most;
  double work = largest(b, BOUND_L1, BOUND_FP64, scale) / b->balance;
  double memory = largest(b, BOUND_DRAM, BOUND_L2, scale);
  double delay = (fl->loads_s.present ? fl->loads_s.v : 0) + (fl->waits_s.present ? fl->waits_s.v : 0);
  double seconds = overlap_seconds(b->queueing, work, memory, delay * (scale ? scale[BOUND_LATENCY] : 1));
  return seconds > most ? seconds : most;
}

/* Work on the SMs is as long as on the busiest of them; a small grid has idle ones, which the number of warps says already. */
static double balance_of(const struct finding *f, const struct device *d) {
  struct value balance = finding_value(f, "sm_balance");
  bool small = f->launch && launch_blocks(f->launch) < d->sms;
  return balance.present && balance.v > 0 && !small ? balance.v : 1;
}

static void bounds_bind(struct bounds *out, const struct finding *f, const struct device *d) {
  static const char unknown[] = "no bound is known";
  out->balance = balance_of(f, d);
  out->queueing =
      out->flight.warps.present && d->sms > 0 ? out->flight.warps.v / ((double)d->sms * SCHEDULERS_PER_SM) : 0;
  out->binding = BOUND_KINDS;
  double most = 0;
  for (int k = 0; k < BOUND_KINDS; k++) {
    const struct value *t = &out->seconds[k];
    if (t->present && t->v > most) {
      most = t->v;
      out->binding = (enum bound_kind)k;
    }
  }
  out->overlapped = out->binding == BOUND_KINDS ? value_absent(unknown) : value_of(bounds_overlap(out, NULL));
  out->model = out->overlapped;
  if (out->model.present && out->fixed.present)
    out->model.v += out->fixed.v;
  out->explained = value_ratio(out->model, finding_time(f), "the measured time is 0");
  out->share = value_ratio(out->binding == BOUND_KINDS ? value_absent(unknown) : value_of(most), finding_time(f),
                           "the measured time is 0");
}

void bounds_of(struct bounds *out, const struct finding *f, const struct flight_code *code, const struct device *d,
               struct pool *pool) {
  *out = (struct bounds){0};
  struct bounds_input in = {.finding = f, .device = d, .pool = pool};
  out->clock_hz = clock_of(out, &in);
  in.sm_cycles_hz = out->clock_hz;
  if (d->sms <= 0)
    in.sm_cycles_hz = value_absent("the device description has no sms");
  else if (in.sm_cycles_hz.present)
    in.sm_cycles_hz.v *= d->sms;

  out->seconds[BOUND_DRAM] = bytes_seconds(&in, "dram_bytes", "dram_bw", &out->ceiling[BOUND_DRAM]);
  out->seconds[BOUND_L2] = bytes_seconds(&in, "l2_bytes", "l2_bw", &out->ceiling[BOUND_L2]);
  /* A wavefront is one cycle of an SM's L1 data stage. */
  out->seconds[BOUND_L1] = cycles_seconds(&in, finding_value_named(f, "l1_wavefronts", pool), 1);
  out->seconds[BOUND_ISSUE] = cycles_seconds(&in, finding_value_named(f, "inst_executed", pool), SCHEDULERS_PER_SM);
  out->seconds[BOUND_FMA] = fma_seconds(&in, &out->ceiling[BOUND_FMA]);
  for (size_t i = 0; i < sizeof PIPES / sizeof PIPES[0]; i++)
    out->seconds[PIPES[i].kind] = pipe_seconds(&in, &PIPES[i], &out->ceiling[PIPES[i].kind]);
  flight_of(&out->flight, f, code, d, out->clock_hz, pool);
  out->seconds[BOUND_LATENCY] = flight_seconds(&out->flight);
  out->fixed = value_counter(f->result, "fixed_ns", pool);
  if (out->fixed.present)
    out->fixed.v *= SECONDS_PER_NS;
  bounds_bind(out, f, d);
}
