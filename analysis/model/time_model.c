#include "analysis/model/time_model.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* scripts/fit-model wrote these; docs/model.md. */
const struct model_constants model_fitted = {.p = 3.130, .r = 4.278, .ramp = 5.014, .tail = 0.354};

/* L2 reads and writes: the exponent that makes the L2's copy bandwidth of its read and its write
 * bandwidth (7.0, 9.0 and 4.2 TB/s on an H200).  DRAM and L2 overlap almost wholly. */
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

/* A resident warp's chain: what all warps do, over those that are resident in the
 * mean.  Where blocks start more slowly than they end, slots stay empty.  That is
 * launching's time: the chain is then over the warps that would fill the slots. */
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

/* Units behind a queue of their own: what warps issue meanwhile hides them
 * wholly, or is hidden. */
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

/* Full waves, then the rest, as if blocks ran in step; what SMs
 * do evenly, since their balance holds the last wave already. */
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

/* What a model of this work by these rates rests on. */
struct evaluation {
  const struct workload *work;
  const struct rates *rates;
  struct value all[RESOURCES]; /* each resource by itself */
  struct seconds seconds;
  struct waves waves;
};

static double least_s(const struct evaluation *x, enum bound_kind bound) {
  const struct seconds *s = &x->seconds;
  const struct waves *t = &x->waves;
  double start = model_fitted.ramp * s->of[RESOURCE_RAMP];
  struct value atomics = resource_atomics_least_s(x->work, x->rates);
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
    return sm_least(x->all, bound, workload_balance(x->work));
  }
}

static void least_of(struct value out[BOUND_KINDS], const struct evaluation *x) {
  for (int k = 0; k < BOUND_KINDS; k++) {
    out[k] = known_of(x->all, (enum bound_kind)k);
    if (out[k].present)
      out[k].v = least_s(x, (enum bound_kind)k);
  }
}

/* --- asking it --- */

/* A share of peak stands for all resources of its bound,
 * where none of them is counted: in the first of them. */
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

static void evaluate(struct evaluation *out, const struct workload *w, const struct rates *r) {
  struct seconds *s = &out->seconds;
  out->work = w;
  out->rates = r;
  for (int k = 0; k < RESOURCES; k++)
    out->all[k] = resource_rows[k].seconds(w, r);
  peaks_take(out->all, w);
  for (int k = 0; k < RESOURCES; k++)
    s->of[k] = known(out->all[k]);
  if (s->of[RESOURCE_LSU] <= s->of[RESOURCE_L1])
    s->of[RESOURCE_LSU] = 0; /* each of its instructions takes the data stage a cycle at least: the same cycles */
  waves_of(&out->waves, w, r, s);
}

/* A kernel of which nothing is known but that it was launched has no modelled time. */
static bool is_known(const struct evaluation *x) {
  for (int k = 0; k < RESOURCES; k++)
    if ((resource_rows[k].side == SIDE_SM || resource_rows[k].side == SIDE_MEMORY) && x->seconds.of[k] > 0)
      return true;
  return x->work->inst.present;
}

static struct value time_by(const struct model_constants *c, const struct evaluation *x, double *tail_s) {
  return is_known(x) ? value_of(combine(c, &x->seconds, &x->waves, workload_balance(x->work), tail_s))
                     : value_absent("no counters were collected, so no bound is known");
}

double model_load_path_s(const struct workload *w, const struct rates *r) {
  struct evaluation x;
  evaluate(&x, w, r);
  const double *s = x.seconds.of;
  return fmax(fmax(s[RESOURCE_L1], s[RESOURCE_LSU]) / workload_balance(w), memory_seconds(&x.seconds));
}

struct value model_time_by(const struct model_constants *c, const struct workload *w, const struct rates *r) {
  struct evaluation x;
  evaluate(&x, w, r);
  return time_by(c, &x, NULL);
}

struct value model_time(const struct workload *w, const struct rates *r) {
  return model_time_by(&model_fitted, w, r);
}

void model_least(struct value out[BOUND_KINDS], const struct workload *w, const struct rates *r) {
  struct evaluation x;
  evaluate(&x, w, r);
  least_of(out, &x);
}

void model_of(struct model *out, const struct workload *w, const struct rates *r) {
  static const double STEP = 1e-4; /* of a resource's seconds: the derivative's */
  struct evaluation x;
  evaluate(&x, w, r);
  *out = (struct model){.binding = BOUND_KINDS};
  memcpy(out->seconds, x.all, sizeof out->seconds);
  least_of(out->least, &x);
  out->time_s = time_by(&model_fitted, &x, &out->tail_s);
  double time = out->time_s.v, most = 0;
  for (int k = 0; k < RESOURCES && out->time_s.present && time > 0; k++) {
    struct evaluation more = x;
    more.seconds.of[k] *= 1 + STEP;
    out->share[k] = (time_by(&model_fitted, &more, NULL).v - time) / (STEP * time);
    out->bound_share[resource_rows[k].bound] += out->share[k];
  }
  for (int k = 0; k < BOUND_KINDS; k++)
    if (out->bound_share[k] > most) {
      most = out->bound_share[k];
      out->binding = (enum bound_kind)k;
    }
}
