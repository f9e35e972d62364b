#include "analysis/rules/saving.h"

#include "analysis/rules/more_elements.h"
#include "analysis/rules/promise.h"
#include "analysis/rules/rule_tools.h"

#include <math.h>

/* --- the model's answer --- */

/* One launch of one block is the least that starting costs: fewer blocks and launches are remedies. */
static double least_start(const struct finding *f, const struct rates *r) {
  static const double SECONDS_PER_NS = 1e-9;
  double one_s = r->of[RATE_LAUNCH].value * SECONDS_PER_NS, same_s = or_zero(f->bounds.fixed);
  return fmin(one_s, same_s);
}

/* Bytes that were counted are what the kernel moves as it is: they are no least, since remedies may move fewer, and DRAM's row holds for those that do
 * not. */
double saving_floor_s(const struct finding *f, const struct device *d, const struct rates *r) {
  bool known = f->result->bytes_declared > 0 || f->result->bytes_minimal > 0;
  double floor_s = known ? f->sol_minimal.seconds : 0;
  double bytes = f->result->bytes_declared > 0 ? f->result->bytes_declared : f->result->bytes_minimal;
  const struct ceiling *best = device_best(d, "dram_bw");
  double fixed_s = least_start(f, r);
  double reached_s = best && best->value > 0 ? fixed_s + bytes / best->value : fixed_s;
  return fmax(reached_s, floor_s);
}

/* Warps wait at barriers for others of their block, in proportion to what these take: evener SMs change nothing there. */
double saving_of(const struct rule_input *in, const struct workload *changed) {
  const struct rates *r = &in->all->rates;
  struct workload after = *changed;
  struct value now = model_time(&in->work, r);
  waits_follow(in, &after);
  struct workload as_even = after;
  as_even.balance = in->work.balance;
  struct value warps = model_time(&as_even, r);
  if (!now.present || now.v <= 0 || !warps.present)
    return 0;
  after.barriers_s.v = fmin(after.barriers_s.v, in->work.barriers_s.v * warps.v / now.v);
  return in->time_s * (1 - model_time(&after, r).v / now.v);
}

/* --- what stays --- */

/* Of a row what stays where `times` as much of it goes as was estimated. */
static double stays(double row_s, double now, double after, double times) {
  if (!(now > 0))
    return after;
  return after < now ? row_s * fmax(1 - times * (1 - after / now), 0) : row_s + after - now;
}

/* The bound whose row stays the longest: a warp's chain is none, since it holds waits for what is busy.  What SMs do is the busiest one's, and no
 * spreading takes it below all of it on all SMs.  A row of more than the time that can be is none of this kernel's. */
struct floor_row {
  double seconds;
  enum bound_kind bound; /* BOUND_KINDS: no row is known */
};

static struct floor_row longest_left(const struct rule_input *in, const struct workload *changed, double times) {
  struct value now[BOUND_KINDS], after[BOUND_KINDS];
  struct floor_row out = {0, BOUND_KINDS};
  double even_now = workload_balance(&in->work), even_after = workload_balance(changed);
  model_least(now, &in->work, &in->all->rates);
  model_least(after, changed, &in->all->rates);
  for (int k = 0; k < BOUND_KINDS; k++) {
    double needs = bound_needs(in, (enum bound_kind)k), row_s = needs * in->time_s;
    if (k == BOUND_LATENCY || needs <= 0 || needs > BOUND_MARGIN || !now[k].present || !after[k].present)
      continue;
    double left_s = stays(row_s, now[k].v, after[k].v, times);
    if (bound_is_of_sm((enum bound_kind)k))
      left_s = fmax(left_s, stays(row_s * even_now, now[k].v * even_now, after[k].v * even_after, times));
    if (left_s > out.seconds)
      out = (struct floor_row){left_s, (enum bound_kind)k};
  }
  return out;
}

static double capped(const struct rule_input *in, double saves_s, double left_s) {
  return fmax(fmin(saves_s, in->time_s - fmax(left_s, in->floor_s)), 0);
}

/* --- advice --- */

/* By a remedy that reaches no further than it says. */
static double assumed(const struct rule_input *in, double most, double saves_s) {
  return most > 0 ? fmin(saves_s, most * in->time_s) : saves_s;
}

static const double ROUNDING = 1e-9; /* of a time that was capped at the row itself */

/* What is left by `changed` of the estimate, its interval and what caps them; at most what the remedy assumes that it reaches. */
static void price_fill(struct price *out, const struct told *told, const struct rule_input *in,
                       const struct workload *changed, double most, double most_high) {
  double asked_s = assumed(in, most, saving_of(in, changed));
  struct floor_row left = longest_left(in, changed, 1), further = longest_left(in, changed, PROMISE_HIGH);
  out->up_to = in->f->bounds.partial;
  out->saves_s = capped(in, asked_s, left.seconds);
  out->low_s = out->up_to ? 0 : PROMISE_LOW * out->saves_s;
  if (told->named_s > 0)
    out->low_s = fmin(out->low_s, told->named_s);
  out->high_s =
      out->up_to ? out->saves_s
                 : fmax(capped(in, assumed(in, most_high, PROMISE_HIGH * out->saves_s), further.seconds), out->saves_s);
  if (told->roof_s > 0 && !out->up_to)
    out->high_s = fmax(out->high_s, in->time_s - fmax(told->roof_s, in->floor_s));
  out->capped = asked_s > out->saves_s && asked_s > 0;
  out->cap = out->capped && left.seconds > in->floor_s ? left.bound : BOUND_KINDS;
  out->cap_s = out->cap == BOUND_KINDS ? 0 : left.seconds;
  double dram = bound_needs(in, BOUND_DRAM);
  out->fewer_bytes = dram <= BOUND_MARGIN && in->time_s - out->saves_s < (1 - ROUNDING) * dram * in->time_s;
}

void saving_fill(struct advice *a, const struct rule_input *in) {
  struct workload changed = in->work;
  a->rule->change(in, &changed);
  price_fill(&a->price, &a->told, in, &changed, a->told.most, a->told.most_high);
  a->rank_s = a->price.saves_s;
}

void saving_of_elements(struct advice *a, const struct rule_input *in) {
  struct workload changed = in->work;
  struct price all;
  change_more_elements(in, &changed);
  struct workload as_long = changed; /* waits for loads: of these no more goes than was counted */
  as_long.loads_s = in->work.loads_s;
  double most = saving_of(in, &as_long) / in->time_s + rule_value(in, "stall_long_scoreboard_share", 1);
  price_fill(&all, &a->told, in, &changed, most, most);
  if (all.saves_s > a->price.saves_s)
    a->price = all;
}

double saving_together(const struct rule_input *in, const struct workload *changed) {
  return capped(in, saving_of(in, changed), longest_left(in, changed, 1).seconds);
}
