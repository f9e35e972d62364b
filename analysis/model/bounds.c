#include "analysis/model/finding_parts.h"

#include <math.h>
#include <string.h>

/* The rate that a resource is held against. */
static const enum rate_kind RESOURCE_RATE[RESOURCES] = {
    [RESOURCE_ISSUE] = RATE_KINDS,
    [RESOURCE_ALU] = RATE_ALU,
    [RESOURCE_FMA] = RATE_FFMA,
    [RESOURCE_LSU] = RATE_LSU,
    [RESOURCE_L1] = RATE_KINDS,
    [RESOURCE_XU] = RATE_XU,
    [RESOURCE_TENSOR] = RATE_TENSOR,
    [RESOURCE_FP64] = RATE_FP64,
    [RESOURCE_ADU] = RATE_ADU,
    [RESOURCE_TEX] = RATE_TEX,
    [RESOURCE_DRAM] = RATE_DRAM,
    [RESOURCE_L2_READ] = RATE_L2_READ,
    [RESOURCE_L2_WRITE] = RATE_L2_WRITE,
    [RESOURCE_ATOMICS] = RATE_ATOMIC_SECTORS,
    [RESOURCE_LOADS] = RATE_DRAM_LATENCY,
    [RESOURCE_SLOW_LOADS] = RATE_DRAM_LATENCY,
    [RESOURCE_OWN_ISSUE] = RATE_KINDS,
    [RESOURCE_DEPENDENCIES] = RATE_KINDS,
    [RESOURCE_BARRIERS] = RATE_KINDS,
    [RESOURCE_COPIES] = RATE_DRAM_LATENCY,
    [RESOURCE_BLOCKS] = RATE_KINDS,
    [RESOURCE_RAMP] = RATE_DRAM_LATENCY,
    [RESOURCE_LAUNCH] = RATE_LAUNCH,
};

static struct value clock_of(struct bounds *out, const struct finding *f, const struct device *d, struct pool *pool) {
  struct value clock = finding_value_named(f, "clock_hz", pool);
  if (clock.present && clock.v > 0) {
    out->clock_source = "the counted range";
    return clock;
  }
  if (d->clock_max_hz > 0) {
    out->clock_source = "the device's maximum";
    return value_of(d->clock_max_hz);
  }
  out->clock_source = "unknown";
  return value_absent("neither the range's clock nor the device's maximum is known");
}

/* The device's figure that a bound's row rests on: of DRAM that of the copies or loads that move
 * the most. */
static void ceilings_gather(struct bounds *b, const struct rates *r) {
  for (int k = 0; k < RESOURCES; k++) {
    const struct ceiling **of = &b->ceiling[resource_rows[k].bound];
    if (RESOURCE_RATE[k] != RATE_KINDS && !*of)
      *of = r->of[RESOURCE_RATE[k]].ceiling;
  }
  const struct ceiling *atomics = r->of[resource_atomics_rate(&b->work, r)].ceiling;
  if (atomics)
    b->ceiling[BOUND_ATOMICS] = atomics;
  if (b->work.async_share < 0.5)
    b->ceiling[BOUND_DRAM] = r->of[RATE_DRAM_LOAD].ceiling;
}

/* Where launches take unlike times, counters may be of launches far from the middle one: the
 * busiest SM's cycles and an empty launch are how long those took that were counted. */
static void whole_of(struct bounds *b, const struct finding *f, const struct rates *r) {
  static const double shorter = 0.8, longer = 1.05, seconds_per_ns = 1e-9;
  struct value cycles = finding_value(f, "sm_cycles_active_max"), time = finding_time(f);
  b->whole = time;
  if (!finding_is_uneven(f) || !cycles.present || cycles.v <= 0 || !b->clock_hz.present || b->clock_hz.v <= 0)
    return;
  double counted_s = cycles.v / b->clock_hz.v + seconds_per_ns * r->of[RATE_LAUNCH].value;
  b->unlike = counted_s < shorter * time.v || counted_s > longer * time.v;
  if (b->unlike)
    b->whole = value_of(counted_s);
}

/* Something that was asked for and not had may need all that the model leaves of the measured time, by the norm in which it adds resources up.  Where that is
 * more than what binds needs, it may bind. */
static bool is_partial(const struct bounds *b, const struct run_result *r) {
  static const struct {
    enum bound_kind bound;
    const char *counter;
  } counted[] = {{BOUND_DRAM, "dram_read_bytes"},
                 {BOUND_L2, "l2_read_bytes"},
                 {BOUND_L1, "l1_wavefronts"},
                 {BOUND_ISSUE, "inst_executed"}};
  double p = model_fitted.p, explained = b->explained.present ? fmin(b->explained.v, 1) : 1;
  bool room = b->share.present && pow(1 - pow(explained, p), 1 / p) > b->share.v;
  for (size_t i = 0; i < sizeof counted / sizeof counted[0] && room; i++) {
    const struct run_metric *m = run_metric_find(r, counted[i].counter);
    if (m && !m->present && !b->seconds[counted[i].bound].present)
      return true;
  }
  return false;
}

static const double FEW_WAIT = 0.05; /* of the samples: hardly any */

/* Half of the warps' samples or more wait for atomics, and no other resource takes as long: the latency that binds is the time which those take, whose rate
 * to one word is known for 32-bit reductions alone. */
static bool waits_for_atomics(const struct bounds *b, const struct flight_code *code) {
  static const double MOST = 0.5;
  if (b->binding != BOUND_LATENCY || code->atomics_waits < MOST || !b->seconds[BOUND_ATOMICS].present)
    return false;
  for (int k = 0; k < BOUND_KINDS; k++)
    if (k != BOUND_LATENCY && b->seconds[k].present && b->seconds[k].v > b->seconds[BOUND_ATOMICS].v)
      return false;
  return true;
}

/* What binds where hardly a sample waits for atomics though the model's shares have them first, and another row is longer: the longest row of those.  An atomic whose
 * old value nobody uses makes warps wait only once the L2's queue is full. */
static enum bound_kind but_atomics(const struct bounds *b, const struct run_result *r, const struct flight_code *code) {
  enum bound_kind longest = BOUND_ATOMICS;
  if (b->binding != BOUND_ATOMICS || r->n_samples == 0 || code->atomics_waits >= FEW_WAIT)
    return b->binding;
  for (int k = 0; k < BOUND_KINDS; k++)
    if (b->seconds[k].present && b->seconds[k].v > b->seconds[longest].v)
      longest = (enum bound_kind)k;
  return longest;
}

/* Atomics that would need more than all of the time, for which hardly a sample waits: the rate is not that of these, so the model goes without them.  Their row stays, for
 * the reader to doubt. */
static void without_atomics(struct bounds *b, const struct run_result *r, const struct flight_code *code,
                            const struct rates *rates) {
  struct value row = b->seconds[BOUND_ATOMICS];
  if (r->n_samples == 0 || code->atomics_waits >= FEW_WAIT || !row.present || !b->whole.present ||
      row.v <= BOUND_MARGIN * b->whole.v)
    return;
  b->work.atomic_sectors = b->work.atomic_sent = b->work.atomic_cycles_max =
      value_absent("they cannot take as long as the device's rate says");
  model_of(&b->model, &b->work, rates);
  memcpy(b->seconds, b->model.least, sizeof b->seconds);
  b->seconds[BOUND_ATOMICS] = row;
}

/* What warps wait for at a full resource is its queue: it binds where latency takes hardly longer. */
static enum bound_kind full_one(const struct bounds *b) {
  static const double FULL = 0.9, NEARLY = 0.05;
  enum bound_kind most = b->binding;
  if (b->binding != BOUND_LATENCY || !b->whole.present || !b->seconds[BOUND_LATENCY].present)
    return most;
  double least_s = fmax(FULL * b->whole.v, b->seconds[BOUND_LATENCY].v - NEARLY * b->whole.v);
  for (int k = 0; k < BOUND_KINDS; k++)
    if (k != BOUND_LATENCY && k != BOUND_LAUNCH && b->model.least[k].present && b->seconds[k].v >= least_s &&
        (most == BOUND_LATENCY || b->seconds[k].v > b->seconds[most].v))
      most = (enum bound_kind)k;
  return most;
}

static bool is_one_wave(const struct finding *f, const struct device *d) {
  return f->bounds.work.launches > 1 && f->launch &&
         launch_blocks(f->launch) <= (double)d->sms * f->launch->blocks_per_sm;
}

double bounds_blocks_s(const struct bounds *b) {
  const struct value *blocks = &b->model.seconds[RESOURCE_BLOCKS];
  return blocks->present && !b->one_wave ? blocks->v : 0;
}

void bounds_of(struct finding *f, const struct flight_code *code, const struct rates *r, struct pool *pool) {
  static const char time_zero[] = "the measured time is 0";
  struct bounds *b = &f->bounds;
  *b = (struct bounds){0};
  b->clock_hz = clock_of(b, f, r->device, pool);
  flight_of(&b->flight, f, code, r->device, b->clock_hz, pool);
  workload_of(&b->work, f, code, b->clock_hz, pool);
  workload_loads(&b->work, &b->flight, r);
  b->fixed = b->work.empty_s;
  if (!b->work.empty_s.present)
    b->work.empty_s = resource_empty_s(&b->work, r);
  model_of(&b->model, &b->work, r);
  memcpy(b->seconds, b->model.least, sizeof b->seconds);
  whole_of(b, f, r);
  ceilings_gather(b, r);
  without_atomics(b, f->result, code, r);
  b->time_s = b->model.time_s;
  b->binding = b->model.binding;
  if (waits_for_atomics(b, code))
    b->binding = BOUND_ATOMICS;
  b->binding = but_atomics(b, f->result, code);
  b->binding = full_one(b);
  b->explained = value_ratio(b->time_s, b->whole, time_zero);
  b->share = b->binding == BOUND_KINDS ? value_absent("no bound is known")
                                       : value_ratio(b->seconds[b->binding], b->whole, time_zero);
  b->one_wave = is_one_wave(f, r->device);
  b->partial = is_partial(b, f->result);
}
