#include "analysis/model/projection.h"

#include "analysis/model/occupancy.h"
#include "analysis/model/time_model.h"

#include <math.h>

const struct projection_error projection_error = {
    .median = 0.031, .ninety = 0.074, .step_ninety = 0.076, .other_architecture = 4.72};

static const double SECONDS_PER_NS = 1e-9;
/* From so many waves on, whole blocks balance the SMs well enough. */
enum { WAVES_BALANCED = 8 };

void projector_init(struct projector *out, const struct device *from, const struct device *to) {
  *out = (struct projector){.from = from, .to = to, .same_architecture = from->sm == to->sm};
  rates_of(&out->here, from);
  rates_of(&out->there, to);
  for (int k = 0; k < RATE_KINDS; k++)
    if (out->here.of[k].value > 0 && !(out->there.of[k].value > 0)) {
      out->there.of[k] = out->here.of[k];
      out->borrowed |= 1U << k;
    }
}

static double ratio_or_one(double a, double b) {
  return a > 0 && b > 0 ? a / b : 1;
}

static void scale(struct value *v, double factor) {
  v->v *= factor;
}

/* Blocks that an SM of the other chip holds over those that
 * one of this holds, by the occupancy calculation of both. */
static double resident_ratio(const struct projector *p, const struct finding *f) {
  struct occupancy here, there;
  if (!f->launch)
    return 1;
  struct occupancy_block block = occupancy_block_of(f->launch);
  if (occupancy_of(&here, p->from, &block, NULL) != 0 || occupancy_of(&there, p->to, &block, NULL) != 0)
    return 1;
  return ratio_or_one(there.blocks_per_sm, here.blocks_per_sm);
}

/* Mean over largest number of blocks of an SM, had each the same cost. */
static double even(double blocks, double sms) {
  double waves = blocks / sms;
  return waves > 0 && waves < WAVES_BALANCED ? waves / ceil(waves) : 1;
}

/* Geometry of the launch on the other chip: a grid of as many blocks as are resident,
 * or of a whole number of blocks an SM, is made for the chip and grows with its SMs. */
static void geometry(struct workload *out, const struct projector *p, const struct finding *f) {
  const struct workload *w = &f->bounds.work;
  double sms = ratio_or_one(p->there.sms, p->here.sms), held = resident_ratio(p, f);
  if (!w->blocks.present || !w->blocks_per_sm.present || !(p->here.sms > 0) || !(p->there.sms > 0))
    return;
  double most_here = p->here.sms * w->blocks_per_sm.v, per_sm = w->blocks.v / p->here.sms;
  bool made_for_chip = w->blocks.v <= most_here && per_sm == floor(per_sm);
  if (made_for_chip)
    scale(&out->blocks, sms);
  else
    out->balance = fmin(w->balance * even(w->blocks.v, p->there.sms) / even(w->blocks.v, p->here.sms), 1);
  scale(&out->blocks_per_sm, held);
  double resident_here = fmin(w->blocks.v, most_here);
  double resident_there = fmin(out->blocks.v, p->there.sms * out->blocks_per_sm.v);
  double warps = ratio_or_one(resident_there, resident_here);
  scale(&out->warps, warps);
  /* The same work in all, shared by more warps or fewer. */
  scale(&out->loads_s, 1 / warps);
  scale(&out->own_issue_s, 1 / warps);
  scale(&out->dependencies_s, 1 / warps);
}

/* A share of this device's peak says nothing of another's. */
static void peaks_forget(struct workload *w) {
  for (int k = 0; k < BOUND_KINDS; k++)
    w->at_peak_s[k] = value_absent("a share of one device's peak is not projected");
}

void projection_workload(struct workload *out, const struct projector *p, const struct finding *f) {
  double clock = ratio_or_one(p->there.clock_max_hz, p->here.clock_max_hz);
  double latency = ratio_or_one(p->there.of[RATE_DRAM_LATENCY].value, p->here.of[RATE_DRAM_LATENCY].value) / clock;
  *out = f->bounds.work;
  peaks_forget(out);
  scale(&out->clock_hz, clock);
  scale(&out->loads_s, latency);
  scale(&out->own_issue_s, 1 / clock);
  scale(&out->dependencies_s, 1 / clock);
  double launch_ns = p->there.of[RATE_LAUNCH].value - p->here.of[RATE_LAUNCH].value;
  out->empty_s.v = fmax(out->empty_s.v + out->launches * launch_ns * SECONDS_PER_NS, 0);
  geometry(out, p, f);
}

static double factor_of(const struct projector *p, double error) {
  return 1 + error * (p->same_architecture ? 1 : projection_error.other_architecture);
}

double projection_factor(const struct projector *p) {
  return factor_of(p, projection_error.ninety);
}

double projection_step_factor(const struct projector *p) {
  return factor_of(p, projection_error.step_ninety);
}

void projection_of(struct projection *out, const struct projector *p, const struct finding *f) {
  struct workload w = f->bounds.work;
  peaks_forget(&w);
  struct value time = finding_time(f), here = model_time(&w, &p->here);
  *out = (struct projection){.time_s = time.present ? here : time};
  if (!time.present || !here.present || !(here.v > 0)) {
    out->low_s = out->high_s = out->time_s = value_absent(time.present ? here.reason : time.reason);
    return;
  }
  projection_workload(&w, p, f);
  struct value there = model_time(&w, &p->there);
  double factor = projection_factor(p);
  out->time_s = value_of(time.v * there.v / here.v);
  out->low_s = value_of(out->time_s.v / factor);
  out->high_s = value_of(out->time_s.v * factor);
}
