#include "analysis/ladder/score.h"

#include "base/array.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MODEL_NEAR = 0.1;
enum { CORRELATION_LEAST = 3 };

/* --- one step --- */

static bool is_right(const struct label *l, const struct rule *rule) {
  for (size_t i = 0; i < l->n_causes; i++)
    if (rule_find(l->causes[i]) == rule)
      return true;
  return false;
}

static void entry_fill(struct score_entry *x, const struct diagnosis *d) {
  double time_s = x->parent->time.middle;
  x->cause = rule_find(x->label.causes[0]);
  x->first = d->n ? d->items[0].rule : NULL;
  x->promised = value_absent("no right advice gave a number");
  for (size_t i = 0; i < d->n; i++) {
    const struct advice *a = &d->items[i];
    if (!is_right(&x->label, a->rule))
      continue;
    x->place = x->place ? x->place : i + 1;
    if (a->price.saves_s <= 0 || x->promised.present)
      continue;
    x->right = a->rule;
    x->promised = value_of(a->price.saves_s / time_s);
  }
  x->gained = 1 - x->child->time.middle / time_s;
  x->modelled = value_ratio(x->child->bounds.time_s, x->parent->bounds.time_s, "no time is modelled");
  x->modelled.v = 1 - x->modelled.v;
}

/* Of several labelled children of one parent the fastest at a shape is the one to be advised. */
static bool is_best(const struct findings *f, const struct label *labels, size_t n, const struct label *l,
                    const struct finding *child) {
  for (size_t i = 0; i < n; i++) {
    if (strcmp(labels[i].parent, l->parent) != 0)
      continue;
    const struct finding *other = findings_at(f, labels[i].child, child->result->shape);
    if (labels[i].at && labels[i].at != other)
      continue;
    if (other && other->timed && other->time.middle < child->time.middle)
      return false;
  }
  return true;
}

static void unknown_add(struct score *s, const char *name) {
  for (size_t i = 0; i < s->n_unknown; i++)
    if (strcmp(s->unknown[i], name) == 0)
      return;
  *(const char **)array_add(&s->unknown, &s->n_unknown, sizeof *s->unknown) = name;
}

static void entries_fill(struct score *s, const struct diagnoses *d, const struct label *labels, size_t n) {
  const struct findings *f = d->findings;
  for (size_t i = 0; i < n; i++) {
    const struct label *l = &labels[i];
    bool known = rule_find(l->causes[0]) != NULL;
    if (!known)
      unknown_add(s, l->causes[0]);
    for (size_t k = 0; k < f->n_shapes && known; k++) {
      const struct finding *parent = findings_at(f, l->parent, f->shapes[k]);
      const struct finding *child = findings_at(f, l->child, f->shapes[k]);
      if (l->at && l->at != child)
        continue;
      if (!parent || !child || !parent->timed || !child->timed || parent->bounds.binding == BOUND_KINDS ||
          (!l->every && !is_best(f, labels, n, l, child)))
        continue;
      s->entries[s->n] = (struct score_entry){.label = *l, .parent = parent, .child = child};
      entry_fill(&s->entries[s->n++], diagnoses_at(d, parent));
    }
  }
}

/* --- those of one cause --- */

static bool constant(const double *x, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (x[i] != x[0])
      return false;
  return true;
}

static struct value correlation(const double *x, const double *y, size_t n) {
  if (n < CORRELATION_LEAST)
    return value_absent("it fired at fewer than three steps");
  if (constant(x, n))
    return value_absent("every prediction is the same");
  return constant(y, n) ? value_absent("every gain is the same") : value_of(stats_rank_correlation(x, y, n));
}

static struct value median(double *values, size_t n) {
  return n ? value_of(stats_median(values, n)) : value_absent("it fired at no step that removes its cause");
}

/* cause NULL: of all.  room: three arrays of s->n numbers. */
static void row_fill(struct score_row *row, const struct score *s, const struct rule *cause, double *room) {
  double *promised = room, *gained = room + s->n, *error = room + 2 * s->n;
  *row = (struct score_row){.cause = cause};
  for (size_t i = 0; i < s->n; i++) {
    const struct score_entry *x = &s->entries[i];
    if (cause && x->cause != cause)
      continue;
    row->n++;
    row->fired += x->place > 0;
    row->first += x->place == 1;
    row->three += x->place >= 1 && x->place <= 3;
    if (!x->promised.present)
      continue;
    promised[row->n_promised] = x->promised.v;
    gained[row->n_promised] = x->gained;
    error[row->n_promised++] = x->promised.v - x->gained;
  }
  row->correlation = correlation(promised, gained, row->n_promised);
  row->median_error = median(error, row->n_promised);
  for (size_t i = 0; i < row->n_promised; i++)
    error[i] = fabs(error[i]);
  row->median_abs_error = median(error, row->n_promised);
}

static void rows_fill(struct score *s, double *room) {
  s->causes = calloc(n_rules + 1, sizeof *s->causes);
  for (size_t i = 0; i < n_rules; i++) {
    row_fill(&s->causes[s->n_causes], s, &rules[i], room);
    s->n_causes += s->causes[s->n_causes].n > 0;
  }
  row_fill(&s->all, s, NULL, room);
}

/* --- all of them --- */

/* Part of the entries for which this rule would have been right. */
static double always(const struct score *s, const struct rule *rule) {
  size_t right = 0;
  for (size_t i = 0; i < s->n; i++)
    right += is_right(&s->entries[i].label, rule);
  return s->n ? (double)right / (double)s->n : 0;
}

static void nulls_fill(struct score *s) {
  double sum = 0;
  size_t named = 0;
  s->null_issue = always(s, rule_find("issue-slots"));
  for (size_t i = 0; i < n_rules; i++) {
    double right = always(s, &rules[i]);
    if (right > s->null_most) {
      s->null_most = right;
      s->most = rules[i].name;
    }
    sum += right;
    named += right > 0;
  }
  s->null_random = named ? sum / (double)named : 0;
}

static void totals_fill(struct score *s, double *room) {
  size_t near_by = 0, modelled = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct score_entry *x = &s->entries[i];
    struct value explained = x->parent->bounds.explained;
    near_by += explained.present && fabs(explained.v - 1) <= MODEL_NEAR;
    if (x->promised.present && x->modelled.present)
      room[modelled++] = fabs(x->modelled.v - x->gained);
  }
  s->median_model_error = median(room, modelled);
  s->model_within_10 = value_absent("nothing is labelled");
  if (s->n == 0)
    return;
  s->first = (double)s->all.first / (double)s->n;
  s->three = (double)s->all.three / (double)s->n;
  s->model_within_10 = value_of((double)near_by / (double)s->n);
}

void score_of(struct score *out, const struct diagnoses *d, const struct label *labels, size_t n) {
  *out = (struct score){.entries = calloc(n * d->findings->n_shapes + 1, sizeof *out->entries)};
  entries_fill(out, d, labels, n);
  double *room = calloc(3 * out->n + 1, sizeof *room);
  rows_fill(out, room);
  totals_fill(out, room);
  nulls_fill(out);
  free(room);
}

struct labelled {
  const struct label *labels;
  size_t n;
};

static bool is_parent(const void *context, const struct findings *f, size_t i) {
  const struct labelled *l = context;
  for (size_t k = 0; k < l->n; k++)
    if (strcmp(l->labels[k].parent, f->items[i].variant->id) == 0)
      return true;
  return false;
}

void score_make(struct score *out, const struct findings *f, const struct label *labels, size_t n) {
  struct diagnoses d;
  struct labelled wanted = {labels, n};
  *out = (struct score){0};
  diagnoses_make_of(&d, f, is_parent, &wanted);
  score_of(out, &d, labels, n);
  diagnoses_release(&d);
}

void score_release(struct score *s) {
  free(s->entries);
  free(s->causes);
  free(s->unknown);
  *s = (struct score){0};
}
