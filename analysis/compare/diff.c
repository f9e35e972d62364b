#include "analysis/compare/diff.h"

#include "analysis/compare/diff_conditions.h"
#include "analysis/compare/diff_match.h"
#include "analysis/compare/diff_noise.h"
#include "analysis/metrics/value.h"
#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *diff_verdict_name(enum diff_verdict v) {
  static const char *const names[DIFF_VERDICTS] = {
      [DIFF_SAME] = "SAME",       [DIFF_FASTER] = "FASTER", [DIFF_SLOWER] = "SLOWER",
      [DIFF_UNCLEAR] = "UNCLEAR", [DIFF_BROKEN] = "BROKEN", [DIFF_MENDED] = "MENDED",
      [DIFF_REMOVED] = "REMOVED", [DIFF_ADDED] = "ADDED",   [DIFF_UNTIMED] = "NO TIME",
  };
  return (unsigned)v < DIFF_VERDICTS ? names[v] : "unknown";
}

/* --- what is compared with what --- */

static const struct finding *side_finding(struct diff_side s, const struct run_variant *v, struct shape shape) {
  for (size_t i = 0; v && i < s.n; i++) {
    const struct finding *f = findings_at(&s.runs[i], v->id, shape);
    if (f)
      return f;
  }
  return NULL;
}

static const struct run *side_run(struct diff_side s, const struct finding *f) {
  for (size_t i = 0; i < s.n; i++)
    if (f >= s.runs[i].items && f < s.runs[i].items + s.runs[i].n)
      return s.runs[i].run;
  return NULL;
}

static bool code_is_known(struct diff_side a, const struct finding *x, struct diff_side b, const struct finding *y) {
  return x && y && diff_code_known(side_run(a, x), x->result, side_run(b, y), y->result);
}

static bool code_is_same(struct diff_side a, const struct finding *x, struct diff_side b, const struct finding *y) {
  return x && y && diff_same_code(side_run(a, x), x->result, side_run(b, y), y->result);
}

/* How it is seen that the variant of B is the variant of A under another name; NULL: it is not. */
static const char *renaming(struct diff_side a, const struct run_variant *v, struct diff_side b,
                            const struct run_variant *w) {
  for (size_t i = 0; i < a.runs[0].n_shapes; i++) {
    const struct finding *x = side_finding(a, v, a.runs[0].shapes[i]), *y = side_finding(b, w, a.runs[0].shapes[i]);
    if (!x || !y)
      continue;
    if (diff_same_source(side_run(a, x), x->result, side_run(b, y), y->result))
      return "the same source but for its name";
    return code_is_same(a, x, b, y) ? "the same machine code" : NULL;
  }
  return NULL;
}

static bool has_pair(const struct diff *d, size_t from, struct shape s) {
  for (size_t i = from; i < d->n; i++)
    if (shape_equal(d->pairs[i].shape, s))
      return true;
  return false;
}

/* One pair a shape that either side has of the variant; `from` is where the variant's pairs begin. */
static void link_pairs(struct diff *d, const struct variant_link *l, struct diff_side a, struct diff_side b,
                       struct diff_side of, size_t from) {
  for (size_t i = 0; i < of.n; i++)
    for (size_t k = 0; k < of.runs[i].n_shapes; k++) {
      struct shape s = of.runs[i].shapes[k];
      const struct finding *x = side_finding(a, l->a, s), *y = side_finding(b, l->b, s);
      if ((!x && !y) || has_pair(d, from, s))
        continue;
      struct diff_pair *added = array_add(&d->pairs, &d->n, sizeof *added);
      *added = (struct diff_pair){.id_a = l->a ? l->a->id : NULL,
                                  .id_b = l->b ? l->b->id : NULL,
                                  .renamed = l->renamed,
                                  .shape = s,
                                  .a = x,
                                  .b = y,
                                  .same_code = code_is_same(a, x, b, y),
                                  .code_known = code_is_known(a, x, b, y)};
    }
}

static void pairs_make(struct diff *d, struct diff_side a, struct diff_side b) {
  struct variant_link *links = NULL;
  size_t n = variant_links_make(&links, a, b, renaming);
  for (size_t i = 0; i < n; i++) {
    size_t from = d->n;
    link_pairs(d, &links[i], a, b, a, from);
    link_pairs(d, &links[i], a, b, b, from);
  }
  free(links);
}

/* --- time --- */

static void series_of(struct diff_series *out, struct diff_side s, const char *id, struct shape shape) {
  for (size_t i = 0; id && i < s.n; i++)
    diff_series_add(out, findings_at(&s.runs[i], id, shape));
}

static struct value series_time(const struct diff_series *s, const struct finding *f) {
  return s->n ? value_of(exp(diff_series_mean(s))) : value_absent(f ? f->time_reason : "not run");
}

/* See analysis/compare/diff.h: identical machine code under identical conditions. */
static void judge_same_code(struct diff *d, struct diff_pair *p, bool few) {
  bool beyond = p->verdict == DIFF_SLOWER || p->verdict == DIFF_FASTER;
  if (p->verdict == DIFF_UNCLEAR && fabs(p->ratio.v - 1) <= DIFF_MARGIN) {
    p->verdict = DIFF_SAME;
  } else if (beyond && few) {
    p->verdict = DIFF_UNCLEAR;
    p->reason =
        pool_printf(d->pool,
                    "the machine code and its launch are the same, so what differs is the run (where memory was "
                    "allocated, the card): give %d runs per side to tell them apart, or --raw to ignore it",
                    DIFF_RUNS_TELL);
  }
}

static const char *words_launches(struct diff *d, size_t n) {
  return pool_printf(d->pool, "%zu launch%s", n, n == 1 ? "" : "es");
}

static void judge_time(struct diff *d, struct diff_pair *p, const struct diff_timed *t, bool same_run, bool raw) {
  struct diff_interval x = diff_interval_of(t, &d->noise);
  p->ratio = value_of(x.ratio);
  p->ratio_low = value_of(x.low);
  p->ratio_high = value_of(x.high);
  p->verdict = diff_judge(x);
  if (p->verdict == DIFF_UNCLEAR)
    p->reason = "the interval includes both a change and no change: more samples or more runs would decide";
  if (!same_run && !diff_timed_tells(t)) {
    p->verdict = DIFF_UNCLEAR;
    p->reason = pool_printf(
        d->pool, "%s in A, %s in B: from 5 launches per side on, or %d runs of a side, their own variation is known",
        words_launches(d, t->a.samples), words_launches(d, t->b.samples), DIFF_RUNS_TELL);
  }
  if (p->same_code && d->same_conditions && !raw)
    judge_same_code(d, p, !same_run && (t->a.n < DIFF_RUNS_TELL || t->b.n < DIFF_RUNS_TELL));
  if (p->verdict == DIFF_SAME)
    p->reason = NULL;
  p->regression = p->verdict == DIFF_SLOWER && x.ratio > 1 + d->fail_over;
}

/* --- verdicts of the check --- */

enum soundness { SOUND, UNSOUND, UNKNOWN };

/* A rung that must be refused is sound where it is. */
static enum soundness soundness_of(const struct finding *f) {
  bool must_fail = f->variant->wrong;
  switch (f->result->check.verdict) {
  case VERDICT_PASS:
    return must_fail ? UNSOUND : SOUND;
  case VERDICT_WRONG:
    return must_fail ? SOUND : UNSOUND;
  case VERDICT_FAILED:
    return UNSOUND;
  case VERDICT_UNCHECKED:
    return f->timed ? SOUND : UNKNOWN;
  case VERDICT_OUT_OF_RANGE:
  case VERDICT_SKIPPED:
    break;
  }
  return UNKNOWN;
}

/* The worst of the runs. */
static const struct finding *side_worst(struct diff_side s, const char *id, struct shape shape) {
  const struct finding *worst = NULL;
  for (size_t i = 0; i < s.n; i++) {
    const struct finding *f = findings_at(&s.runs[i], id, shape);
    if (f && (!worst || (soundness_of(f) == UNSOUND && soundness_of(worst) != UNSOUND)))
      worst = f;
  }
  return worst;
}

static const char *check_text(const struct finding *f) {
  const struct run_check *c = &f->result->check;
  return c->reason ? c->reason : c->cause ? c->cause : run_verdict_name(c->verdict);
}

/* True where the check's verdict decides, and not the time. */
static bool judge_check(struct diff *d, struct diff_pair *p, struct diff_side a, struct diff_side b) {
  if (!p->a || !p->b) {
    p->verdict = p->a ? DIFF_REMOVED : DIFF_ADDED;
    p->reason = p->id_a && p->id_b ? "not run at this shape on the other side" : NULL;
    return true;
  }
  const struct finding *x = side_worst(a, p->id_a, p->shape), *y = side_worst(b, p->id_b, p->shape);
  enum soundness before = soundness_of(x), after = soundness_of(y);
  if (x->variant->wrong && before == SOUND && after == SOUND) {
    p->verdict = DIFF_SAME;
    p->reason = NULL;
    return true;
  }
  if (before == after || (before == UNKNOWN && after != UNSOUND) || after == UNKNOWN)
    return false;
  p->verdict = after == UNSOUND ? DIFF_BROKEN : DIFF_MENDED;
  p->regression = after == UNSOUND;
  const struct finding *telling = after == UNSOUND ? y : x;
  p->reason = pool_printf(d->pool, "%s, was %s: %s", run_verdict_name(y->result->check.verdict),
                          run_verdict_name(x->result->check.verdict), check_text(telling));
  return true;
}

/* --- metrics --- */

static struct value side_metric(struct diff_side s, const char *id, struct shape shape, const char *name) {
  struct value found = value_absent("not run");
  double sum = 0;
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    const struct finding *f = findings_at(&s.runs[i], id, shape);
    struct value v = f ? finding_value(f, name) : found;
    if (v.present) {
      sum += v.v;
      n++;
    } else if (f) {
      found = v;
    }
  }
  return n ? value_of(sum / (double)n) : found;
}

static void metric_judge(struct diff_metric *m, const struct diff_metric_asked *asked) {
  m->verdict = METRIC_ABSENT;
  m->ratio = value_ratio(m->after, m->before, "it was 0");
  if (!m->before.present || !m->after.present)
    return;
  double change = m->after.v - m->before.v;
  m->verdict = fabs(change) <= asked->tolerance * fabs(m->before.v) ? METRIC_SAME
               : change > 0                                         ? METRIC_MORE
                                                                    : METRIC_FEWER;
  m->regression = asked->gated && m->verdict == METRIC_MORE;
}

static void pair_metrics(struct diff *d, struct diff_pair *p, struct diff_side a, struct diff_side b) {
  if (!d->n_metrics || !p->a || !p->b)
    return;
  p->metrics = calloc(d->n_metrics, sizeof *p->metrics);
  for (size_t i = 0; i < d->n_metrics; i++) {
    p->metrics[i].before = side_metric(a, p->id_a, p->shape, d->metrics[i].name);
    p->metrics[i].after = side_metric(b, p->id_b, p->shape, d->metrics[i].name);
    metric_judge(&p->metrics[i], &d->metrics[i]);
  }
}

static bool side_knows(struct diff_side s, const char *name) {
  for (size_t i = 0; i < s.n; i++)
    if (findings_hold(&s.runs[i], name))
      return true;
  return false;
}

/* --- all of it --- */

static void judge_all(struct diff *d, struct diff_side a, struct diff_side b, const struct diff_options *o) {
  struct diff_timed *timed = calloc(d->n + 1, sizeof *timed);
  size_t *at = calloc(d->n + 1, sizeof *at), n = 0;
  bool same_run = diff_same_run(a, b);
  for (size_t i = 0; i < d->n; i++) {
    struct diff_pair *p = &d->pairs[i];
    struct diff_timed t = {.same_code = p->same_code};
    series_of(&t.a, a, p->id_a, p->shape);
    series_of(&t.b, b, p->id_b, p->shape);
    p->runs_a = t.a.n;
    p->runs_b = t.b.n;
    p->time_a = series_time(&t.a, p->a);
    p->time_b = series_time(&t.b, p->b);
    p->verdict = DIFF_UNTIMED;
    p->ratio = p->ratio_low = p->ratio_high = value_absent("not timed on both sides");
    p->reason = !p->time_a.present ? p->time_a.reason : p->time_b.reason;
    at[i] = d->n;
    if (t.a.n && t.b.n) {
      at[i] = n;
      timed[n++] = t;
    }
    pair_metrics(d, p, a, b);
  }
  d->one_chip = diff_one_chip(a, b);
  diff_noise_of(&d->noise, timed, n, same_run ? BETWEEN_NOTHING : d->one_chip ? BETWEEN_RUNS : BETWEEN_CHIPS, o->raw);
  for (size_t i = 0; i < d->n; i++) {
    if (at[i] < d->n)
      judge_time(d, &d->pairs[i], &timed[at[i]], same_run, o->raw);
    judge_check(d, &d->pairs[i], a, b);
  }
  free(timed);
  free(at);
}

static void count(struct diff *d, const struct diff_options *o) {
  for (size_t i = 0; i < d->n; i++) {
    struct diff_pair *p = &d->pairs[i];
    const struct run_variant *v = p->a ? p->a->variant : p->b->variant;
    p->selected = !o->selects || o->selects(o->context, v, p->shape) ||
                  (p->a && p->b && o->selects(o->context, p->b->variant, p->shape));
    if (!p->selected)
      continue;
    d->counts[p->verdict]++;
    d->regressions += p->regression;
    for (size_t k = 0; p->metrics && k < d->n_metrics; k++)
      d->metric_regressions += p->metrics[k].regression;
  }
}

int diff_make(struct diff *out, struct diff_side a, struct diff_side b, const struct diff_options *o, struct err *e) {
  *out = (struct diff){.metrics = o->metrics, .n_metrics = o->n_metrics, .fail_over = o->fail_over};
  for (size_t i = 0; i < o->n_metrics; i++)
    if (!side_knows(a, o->metrics[i].name) && !side_knows(b, o->metrics[i].name))
      return err_set(e, ERR_USAGE,
                     "--metric %s: no result has it; nvfp4-prof list metrics names the counters, the report's "
                     "results.csv all metrics of a run",
                     o->metrics[i].name);
  out->pool = calloc(1, sizeof *out->pool);
  pairs_make(out, a, b);
  diff_conditions_set(out, a, b);
  judge_all(out, a, b, o);
  count(out, o);
  return 0;
}

bool diff_compared(const struct diff *d) {
  for (size_t i = 0; i < d->n; i++) {
    const struct diff_pair *p = &d->pairs[i];
    if (p->selected && p->a && p->b && (p->verdict != DIFF_UNTIMED || p->metrics))
      return true;
  }
  return false;
}

void diff_release(struct diff *d) {
  for (size_t i = 0; i < d->n; i++)
    free(d->pairs[i].metrics);
  free(d->pairs);
  free(d->conditions);
  if (d->pool)
    pool_release(d->pool);
  free(d->pool);
  *d = (struct diff){0};
}
