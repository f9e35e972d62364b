#include "analysis/model/time_model.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* scripts/fit-model wrote these; docs/model.md. */
const struct model_constants model_fitted = {.p = 3.130, .r = 4.278, .ramp = 5.014, .tail = 0.354};

/* L2 reads and writes: the exponent that makes the L2's copy bandwidth of its read and its write bandwidth (7.0, 9.0 and 4.2 TB/s on an H200).
 * DRAM and L2 overlap almost wholly. */
static const double L2_NORM = 2, MEMORY_NORM = 12;
/* Blocks start where SMs work: neither hides the other as memory and latency hide both. */
static const double START_NORM = 2;

/* What the combination uses: seconds, 0 where they are not known. */
struct seconds {
  double of[RESOURCES];
};

static double known(struct value v) {
  return v.present && v.v > 0 ? v.v : 0;
}

static double norm2(double p, double a, double b) {
  double most = fmax(a, b);
  return most > 0 ? most * pow(pow(a / most, p) + pow(b / most, p), 1 / p) : 0;
}

/* --- waves of blocks --- */

/* What a resident warp does in turn. */
static double chain_seconds(const struct seconds *s) {
  return s->of[RESOURCE_LOADS] + s->of[RESOURCE_SLOW_LOADS] + s->of[RESOURCE_OWN_ISSUE] + s->of[RESOURCE_DEPENDENCIES] +
         s->of[RESOURCE_BARRIERS];
}

struct waves {
  double chain_balance; /* of the SMs that have blocks: how even their warps' chains are */
  double chain_part;    /* of the chain, what is left where slots that wait for a block to start are full */
  double one_part;      /* a block's own chain over a resident warp's */
  double full, rest_part, full_part; /* full waves; the parts of the blocks in them and in the last, partial one */
};

/* A resident warp's chain is what all warps do over those that are resident, in the mean.  Blocks that start more slowly than they end leave slots empty:
 * that is launching's time, and the chain is that of the warps which would fill the slots but for that. */
static double chain_part_of(const struct workload *w, const struct rates *r, const struct seconds *s) {
  double most = fmin(w->blocks.v, r->sms * w->blocks_per_sm.v) * w->warps_per_block.v, mean = w->warps.v;
  double filled = chain_seconds(s) * mean / most, blocks = s->of[RESOURCE_BLOCKS];
  if (!(mean > 0) || mean >= most || blocks <= filled)
    return 1;
  return fmin(fmax(mean / most, filled / blocks), 1);
}

static void waves_of(struct waves *out, const struct workload *w, const struct rates *r, const struct seconds *s) {
  *out = (struct waves){.chain_balance = 1, .chain_part = 1, .one_part = 1, .full_part = 1};
  if (!w->warps.present || !w->blocks.present || !w->blocks_per_sm.present || !w->warps_per_block.present ||
      !(r->sms > 0) || !(w->blocks.v > 0) || !(w->blocks_per_sm.v > 0) || !(w->warps_per_block.v > 0))
    return;
  if (w->balance > 0)
    out->chain_balance = fmin(w->balance * r->sms / fmin(w->blocks.v, r->sms), 1);
  out->chain_part = chain_part_of(w, r, s);
  out->one_part = w->warps.v / (w->blocks.v * w->warps_per_block.v);
  double per_sm = w->blocks.v / r->sms;
  out->full = floor(per_sm / w->blocks_per_sm.v);
  out->full_part = out->full * w->blocks_per_sm.v / per_sm;
  out->rest_part = fmax(1 - out->full_part, 0);
}

/* --- the combination --- */

/* Units behind a queue of their own: what warps issue meanwhile hides them wholly, or is hidden. */
static bool is_queued(int k) {
  return k == RESOURCE_ADU || k == RESOURCE_TEX;
}

static double sm_seconds(const struct model_constants *c, const struct seconds *s) {
  double most = 0, sum = 0;
  for (int k = 0; k < RESOURCES; k++)
    if (resource_rows[k].side == SIDE_SM && !is_queued(k))
      most = fmax(most, s->of[k]);
  for (int k = 0; k < RESOURCES && most > 0; k++)
    if (resource_rows[k].side == SIDE_SM && !is_queued(k))
      sum += pow(s->of[k] / most, c->r);
  double piped = most > 0 ? most * pow(sum, 1 / c->r) : 0;
  return fmax(piped, fmax(s->of[RESOURCE_ADU], s->of[RESOURCE_TEX]));
}

static double memory_seconds(const struct seconds *s) {
  double l2 = norm2(L2_NORM, s->of[RESOURCE_L2_READ], s->of[RESOURCE_L2_WRITE]) + s->of[RESOURCE_ATOMICS];
  return norm2(MEMORY_NORM, s->of[RESOURCE_DRAM], l2);
}

static double overlapped(double p, double sm, double memory, double chain, double copies, double blocks) {
  double of[] = {norm2(START_NORM, sm, blocks), memory, chain, copies}, most = 0, sum = 0;
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
    most = fmax(most, of[i]);
  for (size_t i = 0; i < sizeof of / sizeof of[0] && most > 0; i++)
    sum += pow(of[i] / most, p);
  return most > 0 ? most * pow(sum, 1 / p) : 0;
}

/* Full waves, then the rest, as if blocks ran in step; what SMs do evenly, since their balance holds the last wave already. */
static double step_seconds(double p, const struct waves *t, double sm, double memory, double chain, double copies,
                           double blocks) {
  double one = chain * t->one_part, a = t->full_part, b = t->rest_part;
  double step = overlapped(p, sm * a, memory * a, one * t->full, copies * a, blocks * a);
  return b > 0 ? step + overlapped(p, sm * b, memory * b, one, copies * b, blocks * b) : step;
}

/* Homogeneous of degree 1 in the seconds, so that the shares add up to 1. */
static double combine(const struct model_constants *c, const struct seconds *s, const struct waves *t, double balance,
                      double *tail_s) {
  double sm = sm_seconds(c, s), memory = memory_seconds(s), copies = s->of[RESOURCE_COPIES];
  double blocks = s->of[RESOURCE_BLOCKS], chain = chain_seconds(s) * t->chain_part / t->chain_balance;
  double time = overlapped(c->p, sm / balance, memory, chain, copies, blocks), tail = 0;
  if (t->full > 0)
    tail = c->tail * fmax(step_seconds(c->p, t, sm, memory, chain, copies, blocks) - time, 0);
  if (tail_s)
    *tail_s = tail;
  return fmax(c->ramp * s->of[RESOURCE_RAMP], s->of[RESOURCE_LAUNCH]) + time + tail;
}

/* --- what each bound needs by itself --- */

static double balance_of(const struct workload *w) {
  return w->balance > 0 && w->balance <= 1 ? w->balance : 1;
}

/* Of the bound's resources one that is known, else why the last is not. */
static struct value known_of(const struct value all[RESOURCES], enum bound_kind bound) {
  struct value one = value_absent("no counter or rate of it is known");
  for (int k = 0; k < RESOURCES; k++)
    if (resource_rows[k].bound == bound && !one.present)
      one = all[k];
  return one;
}

static double sm_least(const struct value all[RESOURCES], enum bound_kind bound, double balance) {
  for (int k = 0; k < RESOURCES; k++)
    if (resource_rows[k].bound == bound && resource_rows[k].side == SIDE_SM)
      return all[k].v / balance;
  return 0;
}

static double least_s(const struct model *m, const struct workload *w, const struct rates *r, const struct seconds *s,
                      const struct waves *t, enum bound_kind bound) {
  double start = model_fitted.ramp * s->of[RESOURCE_RAMP];
  struct value atomics = resource_atomics_least_s(w, r);
  switch (bound) {
  case BOUND_DRAM:
    return s->of[RESOURCE_DRAM];
  case BOUND_L2:
    return norm2(L2_NORM, s->of[RESOURCE_L2_READ], s->of[RESOURCE_L2_WRITE]);
  case BOUND_ATOMICS:
    return atomics.present ? atomics.v : s->of[RESOURCE_ATOMICS];
  case BOUND_LATENCY:
    return fmax(chain_seconds(s) * t->chain_part / t->chain_balance, s->of[RESOURCE_COPIES]);
  case BOUND_LAUNCH:
    return s->of[RESOURCE_BLOCKS] + fmax(start, s->of[RESOURCE_LAUNCH]);
  default:
    return sm_least(m->seconds, bound, balance_of(w));
  }
}

static void least_of(struct model *out, const struct workload *w, const struct rates *r, const struct seconds *s,
                     const struct waves *t) {
  for (int k = 0; k < BOUND_KINDS; k++) {
    out->least[k] = known_of(out->seconds, (enum bound_kind)k);
    if (out->least[k].present)
      out->least[k].v = least_s(out, w, r, s, t, (enum bound_kind)k);
  }
}

/* --- asking it --- */

/* A share of peak stands for all resources of its bound, where none of them is counted: in the first of them. */
static void peaks_take(struct value all[RESOURCES], const struct workload *w) {
  int first[BOUND_KINDS];
  bool counted[BOUND_KINDS] = {false};
  for (int k = RESOURCES; k-- > 0;) {
    enum bound_kind b = resource_rows[k].bound;
    first[b] = k;
    counted[b] |= all[k].present;
  }
  for (int b = 0; b < BOUND_KINDS; b++)
    if (!counted[b] && w->at_peak_s[b].present)
      all[first[b]] = w->at_peak_s[b];
}

static void seconds_of(struct seconds *out, struct value all[RESOURCES], const struct workload *w,
                       const struct rates *r) {
  for (int k = 0; k < RESOURCES; k++)
    all[k] = resource_rows[k].seconds(w, r);
  peaks_take(all, w);
  for (int k = 0; k < RESOURCES; k++)
    out->of[k] = known(all[k]);
  if (out->of[RESOURCE_LSU] <= out->of[RESOURCE_L1])
    out->of[RESOURCE_LSU] = 0; /* each of its instructions takes the data stage a cycle at least: the same cycles */
}

/* A kernel of which nothing is known but that it was launched has no modelled time. */
static bool is_known(const struct seconds *s, const struct workload *w) {
  for (int k = 0; k < RESOURCES; k++)
    if ((resource_rows[k].side == SIDE_SM || resource_rows[k].side == SIDE_MEMORY) && s->of[k] > 0)
      return true;
  return w->inst.present;
}

static const char UNKNOWN[] = "no counters were collected, so no bound is known";

double model_load_path_s(const struct workload *w, const struct rates *r) {
  struct value all[RESOURCES];
  struct seconds s;
  seconds_of(&s, all, w, r);
  return fmax(fmax(s.of[RESOURCE_L1], s.of[RESOURCE_LSU]) / balance_of(w), memory_seconds(&s));
}

struct value model_time_by(const struct model_constants *c, const struct workload *w, const struct rates *r) {
  struct value all[RESOURCES];
  struct seconds s;
  struct waves t;
  seconds_of(&s, all, w, r);
  waves_of(&t, w, r, &s);
  return is_known(&s, w) ? value_of(combine(c, &s, &t, balance_of(w), NULL)) : value_absent(UNKNOWN);
}

struct value model_time(const struct workload *w, const struct rates *r) {
  return model_time_by(&model_fitted, w, r);
}

void model_least(struct value out[BOUND_KINDS], const struct workload *w, const struct rates *r) {
  struct model m = {0};
  struct seconds s;
  struct waves t;
  seconds_of(&s, m.seconds, w, r);
  waves_of(&t, w, r, &s);
  least_of(&m, w, r, &s, &t);
  memcpy(out, m.least, sizeof m.least);
}

void model_of(struct model *out, const struct workload *w, const struct rates *r) {
  static const double STEP = 1e-4; /* of a resource's seconds: the derivative's */
  struct seconds s;
  struct waves t;
  *out = (struct model){.binding = BOUND_KINDS};
  seconds_of(&s, out->seconds, w, r);
  waves_of(&t, w, r, &s);
  least_of(out, w, r, &s, &t);
  if (!is_known(&s, w)) {
    out->time_s = value_absent(UNKNOWN);
    return;
  }
  double time = combine(&model_fitted, &s, &t, balance_of(w), &out->tail_s), most = 0;
  out->time_s = value_of(time);
  for (int k = 0; k < RESOURCES && time > 0; k++) {
    struct seconds more = s;
    more.of[k] *= 1 + STEP;
    out->share[k] = (combine(&model_fitted, &more, &t, balance_of(w), NULL) - time) / (STEP * time);
    out->bound_share[resource_rows[k].bound] += out->share[k];
  }
  for (int k = 0; k < BOUND_KINDS; k++)
    if (out->bound_share[k] > most) {
      most = out->bound_share[k];
      out->binding = (enum bound_kind)k;
    }
}
