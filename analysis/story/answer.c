#include "analysis/story/answer.h"

#include "analysis/ladder/climb.h"
#include "analysis/story/program.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- a row --- */

/* The part of the time that the row's bound needs, in the mean. */
static double share_of(const struct answer_row *r, const struct finding *const *items, size_t n) {
  double sum = 0;
  size_t known = 0;

  for (size_t i = 0; i < n; i++) {
    struct value s = value_ratio(items[i]->bounds.seconds[r->binding], items[i]->bounds.whole, "no time");

    sum += s.present ? s.v : 0;
    known += s.present;
  }
  return known ? sum / (double)known : 0;
}

/* What binds over several findings: the bound of the largest mean share of the modelled times. */
static void row_bind(struct answer_row *r, const struct finding *const *items, size_t n) {
  double shares[BOUND_KINDS] = {0}, explained = 0;
  size_t known = 0;

  for (size_t i = 0; i < n; i++) {
    const struct bounds *b = &items[i]->bounds;

    if (b->binding == BOUND_KINDS || !b->explained.present)
      continue;
    known++;
    explained += b->explained.v;
    for (int k = 0; k < BOUND_KINDS; k++)
      shares[k] += b->model.bound_share[k];
  }
  r->binding = BOUND_KINDS;
  r->explained = known && known == n ? value_of(explained / (double)n) : value_absent("what binds is unknown");
  for (int k = 0; k < BOUND_KINDS && r->explained.present; k++) {
    if (r->binding == BOUND_KINDS || shares[k] > shares[r->binding])
      r->binding = (enum bound_kind)k;
  }
  if (r->binding != BOUND_KINDS)
    r->bound_share = share_of(r, items, n);
}

static double half_of(const struct finding *f) {
  return f->time.middle > 0 ? (f->time.ci_high - f->time.ci_low) / 2 / f->time.middle : 0;
}

static void row_at(struct answer_row *r, const struct finding *at) {
  *r = (struct answer_row){
      .variant = at->variant, .at = at, .time_s = finding_time(at), .of_sol = at->of_sol, .of_read = at->of_read};
  r->half = at->timed ? value_of(half_of(at)) : value_absent("no time");
  row_bind(r, &at, 1);
}

/* Over all shapes of the run.  The relative intervals of independent times add as squares in their geometric mean. */
static void row_mean(struct answer_row *r, const struct findings *f, const struct run_variant *v) {
  const struct finding **items = calloc(f->n_shapes + 1, sizeof *items);
  struct climb c;
  double squares = 0;
  size_t n = 0;

  climb_of(&c, f, v);
  *r = (struct answer_row){.variant = v, .time_s = c.time_s, .of_sol = c.of_sol, .of_read = c.of_read};
  for (size_t i = 0; i < f->n_shapes; i++) {
    const struct finding *at = findings_at(f, v->id, f->shapes[i]);

    if (at && at->timed) {
      items[n++] = at;
      squares += half_of(at) * half_of(at);
    }
  }
  r->half = n && r->time_s.present ? value_of(sqrt(squares) / (double)n) : value_absent("no time");
  row_bind(r, items, n);
  free(items);
}

static void row_program(struct answer_row *r) {
  struct program_kernel k;

  program_kernel_of(r->variant, &k);
  r->calls = k.calls;
  r->total_s = k.total_s;
  r->share = k.share;
}

/* --- who takes part --- */

struct asked {
  const struct findings *f;
  const bool *keep;
  bool controls; /* nothing else is asked for */
  size_t n;
};

static bool asked_for(const struct asked *q, const struct run_variant *v) {
  return (!q->keep || q->keep[v - q->f->run->variants]) && (q->controls || !run_variant_is_aside(v));
}

static void asked_count(struct asked *q) {
  for (int controls = 0; controls < 2 && q->n == 0; controls++) {
    q->controls = controls;
    for (size_t i = 0; i < q->f->run->n_variants; i++)
      q->n += asked_for(q, &q->f->run->variants[i]);
  }
}

/* Whether their intervals overlap at every shape, which is no measurable difference. */
static bool no_different(const struct findings *f, const struct run_variant *a, const struct run_variant *b) {
  for (size_t i = 0; i < f->n_shapes; i++) {
    const struct finding *x = findings_at(f, a->id, f->shapes[i]), *y = findings_at(f, b->id, f->shapes[i]);

    if (!x || !y || !x->timed || !y->timed || x->time.ci_low > y->time.ci_high || y->time.ci_low > x->time.ci_high)
      return false;
  }
  return f->n_shapes > 0;
}

static bool is_trouble(const struct finding *f) {
  const struct run_check *c = &f->result->check;

  if (f->variant->wrong)
    return c->verdict == VERDICT_PASS;
  return !f->timed || (!run_variant_is_aside(f->variant) &&
                       (c->verdict == VERDICT_OUT_OF_RANGE || (c->verdict == VERDICT_UNCHECKED && c->reason)));
}

static void add_trouble(struct answer *a, const struct run_variant *v) {
  struct answer_trouble found = {0};

  for (size_t i = 0; i < a->findings->n; i++) {
    const struct finding *item = &a->findings->items[i];

    if (item->variant != v || !is_trouble(item))
      continue;
    found.finding = found.finding ? found.finding : item;
    found.shapes++;
  }
  if (!found.finding)
    return;
  if (a->n_troubles < ANSWER_TROUBLES)
    a->troubles[a->n_troubles] = found;
  a->n_troubles++;
}

/* --- several variants --- */

/* The best of its ladder so far, which *r may replace; n where there is none. */
static size_t rival_of(const struct answer_row *rows, size_t n, const struct answer_row *r) {
  size_t i = 0;

  while (i < n && !str_same(rows[i].variant->ladder, r->variant->ladder))
    i++;
  return i;
}

/* The longest first; of the same time, in the run's order. */
static int by_time(const void *a, const void *b) {
  const struct answer_row *x = a, *y = b;

  if (x->time_s.v != y->time_s.v)
    return x->time_s.v > y->time_s.v ? -1 : 1;
  return x->variant < y->variant ? -1 : x->variant > y->variant;
}

/* The most GPU time first. */
static int by_total(const void *a, const void *b) {
  const struct answer_row *x = a, *y = b;

  return x->total_s != y->total_s ? (x->total_s > y->total_s ? -1 : 1) : by_time(a, b);
}

static int by_speed(const void *a, const void *b) {
  const struct answer_row *x = a, *y = b;

  return x->time_s.v != y->time_s.v ? by_time(b, a) : by_time(a, b);
}

/* Into rows, one a timed variant or, per_ladder, one a ladder. */
static void rows_make(struct answer *a, const struct asked *q, struct answer_row *rows, size_t *n) {
  for (size_t i = 0; i < q->f->run->n_variants; i++) {
    const struct run_variant *v = &q->f->run->variants[i];
    struct answer_row r = {0};
    size_t at;

    if (!asked_for(q, v))
      continue;
    row_mean(&r, q->f, v);
    if (!r.time_s.present)
      continue;
    a->n_variants++;
    if (a->program)
      row_program(&r);
    at = a->per_ladder ? rival_of(rows, *n, &r) : *n;
    if (at == *n)
      rows[(*n)++] = r;
    else if (r.time_s.v < rows[at].time_s.v)
      rows[at] = r;
  }
}

static void make_several(struct answer *a, const struct asked *q) {
  struct answer_row *rows = calloc(q->n + 1, sizeof *rows);
  size_t n = 0;

  a->per_ladder = headline_of_rivals(q->f) && (!a->rivals || q->n > ANSWER_ROWS);
  rows_make(a, q, rows, &n);
  qsort(rows, n, sizeof *rows, a->program ? by_total : a->rivals ? by_speed : by_time);
  a->n_rows = n < ANSWER_ROWS ? n : ANSWER_ROWS;
  a->n_more = n - a->n_rows;
  for (size_t i = 0; i < a->n_rows; i++) {
    a->rows[i] = rows[i];
    a->rows[i].tied = a->rivals && i > 0 && no_different(q->f, rows[0].variant, rows[i].variant);
  }
  a->best = n ? &a->rows[0] : NULL;
  free(rows);
}

static void find_ties(struct answer *a, const struct asked *q) {
  if (!a->best || !a->rivals || a->only)
    return;
  a->ties = calloc(q->n + 1, sizeof *a->ties);
  for (size_t i = 0; i < q->f->run->n_variants; i++) {
    const struct run_variant *v = &q->f->run->variants[i];

    if (asked_for(q, v) && v != a->best->variant && no_different(q->f, a->best->variant, v))
      a->ties[a->n_ties++] = v;
  }
}

/* --- one variant --- */

static void make_step(struct answer *a) {
  const struct findings *f = a->findings;
  const struct run_variant *from = a->only->parent ? run_variant_find(f->run, a->only->parent) : NULL;
  struct err malformed = {0};

  if (!from) {
    a->untold = str_copy(a->only->parent ? "was not measured in this run" : "");
  } else if (step_make(&a->step, f, from, a->only, f->shapes, f->n_shapes, &malformed)) {
    a->untold = str_copy(malformed.text);
  } else {
    climb_of(&a->climb, f, a->only);
    a->parent_s = findings_geomean(f, from->id);
  }
}

static void make_one(struct answer *a, const struct asked *q) {
  const struct findings *f = a->findings;
  size_t i = 0;

  while (!asked_for(q, &f->run->variants[i]))
    i++;
  a->only = &f->run->variants[i];
  for (i = 0; i < f->n_shapes; i++) {
    const struct finding *at = findings_at(f, a->only->id, f->shapes[i]);

    if (!at)
      continue;
    if (a->n_rows == ANSWER_ROWS)
      a->n_more++;
    else
      row_at(&a->rows[a->n_rows++], at);
  }
  row_mean(&a->mean, f, a->only);
  a->best = a->mean.time_s.present ? &a->mean : NULL;
  a->n_variants = a->best != NULL;
  make_step(a);
}

/* --- what to do --- */

static void first_advice(struct answer *a) {
  a->at_read = a->best->of_read.present && 1 - a->best->of_read.v < causes_error;
  for (size_t i = 0; i < a->n_diagnoses; i++) {
    const struct diagnosis *d = &a->diagnoses[i];
    const struct advice *x = d->n ? &d->items[0] : NULL;

    if (d->reason)
      a->no_advice = d->reason;
    if (x && !x->told.stop && x->price.saves_s <= 0 && !a->named)
      a->named = x;
    if (!x || x->told.stop || a->at_read || x->price.saves_s / d->finding->time.middle <= a->first_share)
      continue;
    a->first = d;
    a->first_share = x->price.saves_s / d->finding->time.middle;
  }
}

static void diagnose_best(struct answer *a) {
  const struct findings *f = a->findings;

  if (!a->best)
    return;
  a->diagnoses = calloc(f->n_shapes + 1, sizeof *a->diagnoses);
  for (size_t i = 0; i < f->n_shapes; i++) {
    const struct finding *at = findings_at(f, a->best->variant->id, f->shapes[i]);

    if (at && at->timed)
      diagnosis_make(&a->diagnoses[a->n_diagnoses++], f, at);
  }
  first_advice(a);
}

/* Rows are those of most time, and what has no room there cannot gain much. */
static void find_gain(struct answer *a) {
  const struct findings *f = a->findings;
  double most = a->best && a->first ? gain_expected(&a->first->items[0], a->first_share * a->best->share.v) : 0;

  for (size_t i = 0; i < a->n_rows && a->program && !a->only; i++) {
    const struct answer_row *r = &a->rows[i];
    const struct finding *at = findings_at(f, r->variant->id, f->shapes[0]);
    struct diagnosis d = {0};

    if (r == a->best || !r->share.present || !at || !at->timed)
      continue;
    diagnosis_make(&d, f, at);
    double share = d.n && !d.items[0].told.stop ? d.items[0].price.saves_s / at->time.middle : 0;
    double expected = share > 0 ? gain_expected(&d.items[0], share * r->share.v) : 0;
    if (expected > most) {
      most = expected;
      diagnosis_release(&a->gain.diagnosis);
      a->gain = (struct answer_gain){r, d, share, share * r->share.v};
    } else {
      diagnosis_release(&d);
    }
  }
}

void answer_make(struct answer *out, const struct findings *f, const bool *keep) {
  struct asked q = {.f = f, .keep = keep};

  *out = (struct answer){.findings = f, .program = program_is(f->run), .rivals = headline_of_one_problem(f, keep)};
  asked_count(&q);
  if (q.n == 1 && !(out->program && f->run->n_variants == 1))
    make_one(out, &q);
  else if (q.n > 0)
    make_several(out, &q);
  find_ties(out, &q);
  for (size_t i = 0; i < f->run->n_variants; i++) {
    const struct run_variant *v = &f->run->variants[i];

    if (v->wrong || !keep || keep[i]) /* a control without a time, too */
      add_trouble(out, v);
  }
  diagnose_best(out);
  find_gain(out);
}

void answer_release(struct answer *a) {
  for (size_t i = 0; i < a->n_diagnoses; i++)
    diagnosis_release(&a->diagnoses[i]);
  diagnosis_release(&a->gain.diagnosis);
  free(a->diagnoses);
  free(a->ties);
  step_release(&a->step);
  free(a->untold);
  *a = (struct answer){0};
}
