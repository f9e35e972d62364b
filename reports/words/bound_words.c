#include "reports/words/bound_words.h"

#include "analysis/metrics/formulas.h"
#include "analysis/model/resources.h"
#include "base/stats.h"
#include "reports/words/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNEVEN "imbalance: the average SM works %.0f %% as long as the busiest"
static const double FAR_FROM_EVEN = 0.8; /* of the SMs' balance: below, it is told beside what binds */
static const char NO_FIT[] = "by the model, which does not fit this kernel: modelled";

void bound_told_of(struct bound_told *out, const struct finding *f) {
  const struct bounds *b = &f->bounds;
  *out = (struct bound_told){b->binding, b->share, b->explained, f};
}

struct value bound_least(const struct bounds *b, enum bound_kind k) {
  bool none = k == BOUND_LATENCY && b->seconds[k].present && b->seconds[k].v <= 0;
  return none ? value_absent("what a warp does and waits for: not counted") : b->seconds[k];
}

bool bound_fits(const struct bound_told *t) {
  return !t->explained.present || (t->explained.v <= 2 && t->explained.v >= 0.5);
}

/* An SM's resource, of which the SMs that have no work need nothing. */
static bool is_of_busiest(const struct bound_told *t) {
  static const double even = 0.95;
  return bound_is_of_sm(t->binding) && t->at && t->at->bounds.work.balance > 0 && t->at->bounds.work.balance < even;
}

/* Warps' chains last longer on some SMs, of which each has a block. */
static bool is_of_uneven_chains(const struct bound_told *t) {
  const struct run_launch *l = t->at && t->at->result ? t->at->launch : NULL;
  struct value waves = l ? finding_value(t->at, "waves") : value_of(0);
  return t->binding == BOUND_LATENCY && waves.present && l && waves.v * l->blocks_per_sm >= 1 &&
         t->at->bounds.work.balance > 0;
}

/* A grid of so few blocks that SMs are left without one: "; 32 blocks on 132 SMs".  What an SM's work or a warp's chain takes is longer for it. */
static bool add_few_blocks(const struct bound_told *t, struct text *out) {
  const struct run_launch *l = t->at && t->at->result ? t->at->launch : NULL;
  struct value waves = l ? finding_value(t->at, "waves") : value_of(0);
  double blocks = l ? launch_blocks(l) : 0, of_sm = waves.present && l ? waves.v * l->blocks_per_sm : 0;
  if ((t->binding != BOUND_LATENCY && !is_of_busiest(t)) || blocks <= 0 || of_sm <= 0 || of_sm >= FAR_FROM_EVEN)
    return false;
  text_printf(out, "; %.0f block%s on %.0f SMs", blocks, blocks > 1 ? "s" : "", blocks / of_sm);
  return true;
}

/* The model, which knows no warp that works longer than others, is too short, and the busiest SM works twice as long as the average or longer. */
static bool is_uneven(const struct bound_told *t) {
  static const double HALF = 0.5;
  double balance = t->at ? t->at->bounds.work.balance : 1;
  return t->explained.present && t->explained.v < 1 && balance > 0 && balance < HALF;
}

void bound_part(double share, struct text *out) {
  static const double whole = 0.995;
  if (share >= whole)
    text_add(out, "all");
  else
    text_printf(out, "%.0f %%", 100 * share);
}

/* Launching is of blocks, or of the kernel itself: whichever takes more. */
static const char *noun_of(const struct bound_told *t, int k) {
  const struct value *least = t->at ? t->at->bounds.model.least : NULL;
  bool blocks = k == BOUND_LAUNCH && least && least[BOUND_LAUNCH].present &&
                2 * bounds_blocks_s(&t->at->bounds) > least[BOUND_LAUNCH].v;
  return blocks ? "starting blocks" : bound_rows[k].noun;
}

/* A row that the model takes: it may go without atomics (bounds.c). */
static bool is_believed(const struct bounds *b, int k) {
  return b->seconds[k].present && (k != BOUND_ATOMICS || b->model.least[k].present);
}

/* Another bound that needs more of the time, of which others hide more; t->binding: there is none. */
static int fuller_of(const struct bound_told *t) {
  static const double by = 0.01;
  const struct bounds *b = t->at ? &t->at->bounds : NULL;
  int most = t->binding;
  for (int k = 0; b && k < BOUND_KINDS; k++)
    if (is_believed(b, k) && b->seconds[most].present && b->seconds[k].v > b->seconds[most].v)
      most = k;
  return b && b->whole.present && b->seconds[most].v / b->whole.v > t->share.v + by ? most : (int)t->binding;
}

/* "launching needs 65 %, but more of it overlaps" */
static bool add_fuller(const struct bound_told *t, struct text *out) {
  int most = fuller_of(t);
  if (most == (int)t->binding)
    return false;
  text_printf(out, "%s needs ", noun_of(t, most));
  bound_part(t->at->bounds.seconds[most].v / t->at->bounds.whole.v, out);
  text_add(out, ", but more of it overlaps");
  return true;
}

/* Latency binds, and another resource needs nearly as much: "instruction issue needs 67 %, nearly as much". */
static bool add_near(const struct bound_told *t, struct text *out) {
  static const double within = 0.05, half = 0.5;
  const struct bounds *b = t->at ? &t->at->bounds : NULL;
  int most = BOUND_KINDS;
  for (int k = 0; b && t->binding == BOUND_LATENCY && k < BOUND_KINDS; k++)
    if (k != BOUND_LATENCY && k != BOUND_LAUNCH && is_believed(b, k) &&
        (most == BOUND_KINDS || b->seconds[k].v > b->seconds[most].v))
      most = k;
  if (most == BOUND_KINDS || !b->whole.present || !t->share.present)
    return false;
  double share = b->seconds[most].v / b->whole.v;
  if (share < half || share < t->share.v - within)
    return false;
  text_printf(out, "%s needs ", noun_of(t, most));
  bound_part(share, out);
  text_add(out, ", nearly as much");
  return true;
}

/* ", 99 %" */
static void add_share(const struct bound_told *t, struct text *out) {
  text_add(out, t->share.present ? ", " : "");
  if (t->share.present)
    bound_part(t->share.v, out);
}

/* "model: 105 % of the measured time"; where that is off by more than the model errs by in nine
 * of ten results (docs/model.md, Errors), "36 % above" it. */
static void add_model(double explained, const char *whose, struct text *out) {
  static const double fits = 0.15;
  double off = explained - 1;
  if (fabs(off) > fits)
    text_printf(out, "model: %.0f %% %s the %s time", 100 * fabs(off), off > 0 ? "above" : "below", whose);
  else
    text_printf(out, "model: %.0f %% of the %s time", 100 * explained, whose);
}

static bool has_counters(const struct run_result *r) {
  bool any = false;
  for (size_t i = 0; i < r->n_metrics; i++)
    any |= r->metrics[i].present;
  return any;
}

void bound_sentence(const struct bound_told *t, struct text *out) {
  const struct bounds *b = t->at ? &t->at->bounds : NULL;
  if (t->binding == BOUND_KINDS) {
    text_add(out, !t->at || !t->at->result       ? "unknown: no counters, or no rates of this device"
                  : !has_counters(t->at->result) ? "unknown: no counters"
                                                 : "unknown: no rates of this device for what was counted");
    return;
  }
  if (!bound_fits(t) && is_uneven(t)) {
    text_printf(out, UNEVEN, 100 * t->at->bounds.work.balance);
    return;
  }
  if (!bound_fits(t)) {
    text_printf(out, "%s %s %s times the measured time", bound_rows[t->binding].noun, NO_FIT,
                VIEW_NUMBER(t->explained.v, 2));
    return;
  }
  text_printf(out, "%s%s", b && b->partial ? "of what was counted, " : "", noun_of(t, (int)t->binding));
  add_share(t, out);
  if (t->share.present && b && b->unlike)
    text_printf(out, " of the %s that the counted launches took", VIEW_SPAN(b->whole.v, 3));
  else if (t->share.present)
    text_add(out, " of the time");
  text_add(out, is_of_busiest(t) ? " on the busiest SM" : "");
  if (!add_few_blocks(t, out) && (is_of_busiest(t) || is_of_uneven_chains(t)) && b->work.balance < FAR_FROM_EVEN)
    text_printf(out, ", as the load is uneven: the average SM is busy %.0f %% as long", 100 * b->work.balance);
  if (!t->explained.present)
    return;
  text_add(out, " (");
  if (add_fuller(t, out) || add_near(t, out))
    text_add(out, "; ");
  add_model(t->explained.v, b && b->unlike ? "same" : "measured", out);
  text_add(out, ")");
}

void bound_brief(const struct bound_told *t, struct text *out) {
  const char *doubt = t->at && t->at->bounds.partial ? "?" : "";
  if (!bound_fits(t) && is_uneven(t)) {
    text_printf(out, UNEVEN, 100 * t->at->bounds.work.balance);
    return;
  }
  text_printf(out, "%s%s", noun_of(t, (int)t->binding), doubt);
  if (!bound_fits(t)) {
    text_printf(out, " %s %s times the measured time", NO_FIT, VIEW_NUMBER(t->explained.v, 2));
  } else if (t->share.present) {
    add_share(t, out);
    text_add(out, " of the time");
    if (fuller_of(t) != (int)t->binding) {
      text_add(out, " (");
      add_fuller(t, out);
      text_add(out, ")");
    }
  }
}

/* "its launches take 1.62 µs, 81.3 µs and 110 µs"; where they are not of few kinds, "most of its
 * launches take 1.62 µs to 110 µs": the counted ones may lie beyond. */
static void add_kinds(struct text *out, const double *sorted_ns, size_t n) {
  enum { KINDS_MAX = 4 };
  double middles[KINDS_MAX];
  size_t kinds = stats_kinds(sorted_ns, n, middles, KINDS_MAX);
  text_add(out, kinds ? "its launches take " : "most of its launches take ");
  for (size_t i = 0; i < kinds; i++)
    text_printf(out, "%s%s", i == 0 ? "" : i + 1 < kinds ? ", " : " and ", VIEW_SPAN(middles[i] * 1e-9, 3));
  if (!kinds)
    text_printf(out, "%s to %s", VIEW_SPAN(1e-9 * stats_percentile(sorted_ns, n, 10), 3),
                VIEW_SPAN(1e-9 * stats_percentile(sorted_ns, n, 90), 3));
}

/* The largest part of the time that launches like one of them have. */
static double best_share(const double *sorted, size_t n, double like) {
  double best = 0;
  for (size_t i = 0; i < n; i++)
    best = fmax(best, stats_share_near(sorted, n, sorted[i], like));
  return best;
}

bool bound_of_unlike(const struct finding *f, size_t n_advice) {
  struct bound_told told;
  if (f->bounds.binding == BOUND_KINDS || f->n_doubts == 0 || n_advice)
    return false;
  bound_told_of(&told, f);
  return !bound_fits(&told);
}

bool bound_far(const struct run *r, const struct finding *f, struct text *out) {
  static const double like = 1.5, most = 0.5, worth_more = 1.5;
  const struct bounds *b = &f->bounds;
  const struct run_timing *t = &f->result->timing;
  if (!f->timed || !b->unlike || b->whole.v <= 0 || !t->n)
    return false;
  double *sorted = malloc(t->n * sizeof *sorted);
  memcpy(sorted, t->samples_ns, t->n * sizeof *sorted);
  qsort(sorted, t->n, sizeof *sorted, stats_by_value);
  double share = stats_share_near(sorted, t->n, b->whole.v * 1e9, like);
  add_kinds(out, sorted, t->n);
  text_printf(out, "; shares and savings are of those that were counted, of %s", VIEW_SPAN(b->whole.v, 3));
  if (share < most)
    text_printf(out, ", with %.0f %% of its time", 100 * share);
  bool attached = r->command && strncmp(r->command, "nvfp4-prof attach ", strlen("nvfp4-prof attach ")) == 0;
  if (share < most && attached && best_share(sorted, t->n, like) > worth_more * share)
    text_add(out, strstr(r->command, "--two-runs")
                      ? ": attach --replay --kernel NAME --skip N counts launch N + 1 by itself"
                      : ": attach --two-runs counts where most of it is");
  free(sorted);
  return true;
}
