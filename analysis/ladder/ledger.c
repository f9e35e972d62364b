#include "analysis/ladder/ledger.h"

#include "base/array.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORRELATION_LEAST = 3 };

static void unknown_add(struct ledger *l, const char *name) {
  for (size_t i = 0; i < l->n_unknown; i++)
    if (strcmp(l->unknown[i], name) == 0)
      return;
  const char **added = array_add(&l->unknown, &l->n_unknown, sizeof *added);
  *added = name;
}

static void entry_add(struct ledger *l, const struct diagnoses *known, const struct rule *rule,
                      const struct finding *parent, const struct finding *child) {
  const struct diagnosis *d = diagnoses_at(known, parent);
  /* Without counters the parent cannot be diagnosed: that is no promise of nothing. */
  if (d->reason)
    return;
  const struct advice *a = diagnosis_find(d, rule->name);
  struct ledger_entry *x = array_add(&l->entries, &l->n, sizeof *x);
  *x = (struct ledger_entry){.rule = rule, .parent = parent, .child = child, .spoke = a != NULL};
  x->place = a ? (size_t)(a - d->items) + 1 : 0;
  x->promised_s = a ? a->price.saves_s : 0;
  x->gained_s = parent->time.middle - child->time.middle;
  x->promised = x->promised_s / parent->time.middle;
  x->gained = x->gained_s / parent->time.middle;
}

/* One rung's claim to cure, at every shape. */
static void cure_add(struct ledger *l, const struct diagnoses *known, const struct run_variant *v, const char *name) {
  const struct findings *f = known->findings;
  const struct rule *rule = rule_find(name);
  if (!rule)
    unknown_add(l, name);
  for (size_t i = 0; i < f->n_shapes && rule; i++) {
    const struct finding *parent = findings_at(f, v->parent, f->shapes[i]);
    const struct finding *child = findings_at(f, v->id, f->shapes[i]);
    if (parent && child && parent->timed && child->timed)
      entry_add(l, known, rule, parent, child);
  }
}

static void entries_fill(struct ledger *l, const struct diagnoses *known, const char *ladder) {
  const struct run *run = known->findings->run;
  for (size_t i = 0; i < run->n_variants; i++) {
    const struct run_variant *v = &run->variants[i];
    bool asked = !ladder || (v->ladder && strcmp(v->ladder, ladder) == 0);
    for (size_t k = 0; k < v->n_keys && asked && v->parent; k++)
      if (strcmp(v->keys[k].key, "cures") == 0 && v->keys[k].value[0])
        cure_add(l, known, v, v->keys[k].value);
  }
}

/* --- scores --- */

static struct value median(double *values, size_t n) {
  return n ? value_of(stats_median(values, n)) : value_absent("it fired at no step that removes its cause");
}

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

/* room: three arrays of l->n numbers. */
static void score_fill(struct ledger_score *s, const struct ledger *l, const struct rule *rule, double *room) {
  double *promised = room, *gained = room + l->n, *error = room + 2 * l->n;
  *s = (struct ledger_score){.rule = rule};
  for (size_t i = 0; i < l->n; i++) {
    const struct ledger_entry *x = &l->entries[i];
    if (rule && x->rule != rule)
      continue;
    s->n++;
    s->first += x->place == 1;
    s->three += x->place >= 1 && x->place <= 3;
    if (!x->spoke)
      continue;
    promised[s->spoke] = x->promised;
    gained[s->spoke] = x->gained;
    error[s->spoke++] = x->promised - x->gained;
  }
  s->correlation = correlation(promised, gained, s->spoke);
  s->median_error = median(error, s->spoke);
  for (size_t i = 0; i < s->spoke; i++)
    error[i] = fabs(error[i]);
  s->median_abs_error = median(error, s->spoke);
}

static void scores_fill(struct ledger *l) {
  double *room = calloc(3 * l->n + 1, sizeof *room);
  l->scores = calloc(n_rules + 1, sizeof *l->scores);
  for (size_t i = 0; i < n_rules; i++) {
    score_fill(&l->scores[l->n_scores], l, &rules[i], room);
    if (l->scores[l->n_scores].n)
      l->n_scores++;
  }
  score_fill(&l->scores[l->n_scores++], l, NULL, room);
  free(room);
}

void ledger_of(struct ledger *out, const struct diagnoses *d, const char *ladder) {
  *out = (struct ledger){0};
  entries_fill(out, d, ladder);
  scores_fill(out);
}

int ledger_make(struct ledger *out, const struct findings *f, const char *ladder, struct err *e) {
  struct diagnoses d;
  *out = (struct ledger){0};
  int rc = diagnoses_make(&d, f, e);
  if (!rc)
    ledger_of(out, &d, ladder);
  diagnoses_release(&d);
  return rc;
}

void ledger_release(struct ledger *l) {
  free(l->entries);
  free(l->scores);
  free(l->unknown);
  *l = (struct ledger){0};
}
