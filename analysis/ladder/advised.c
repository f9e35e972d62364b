#include "analysis/ladder/advised.h"

#include <stdlib.h>
#include <string.h>

void diagnoses_make_of(struct diagnoses *out, const struct findings *f, diagnoses_wanted *wanted, const void *context) {
  *out = (struct diagnoses){.findings = f, .items = calloc(f->n + 1, sizeof *out->items)};
  for (size_t i = 0; i < f->n; i++) {
    out->n = i + 1;
    if (!wanted || wanted(context, f, i))
      diagnosis_make(&out->items[i], f, &f->items[i]);
  }
}

void diagnoses_make(struct diagnoses *out, const struct findings *f) {
  diagnoses_make_of(out, f, NULL, NULL);
}

void diagnoses_release(struct diagnoses *d) {
  for (size_t i = 0; i < d->n; i++)
    diagnosis_release(&d->items[i]);
  free(d->items);
  *d = (struct diagnoses){0};
}

const struct diagnosis *diagnoses_at(const struct diagnoses *d, const struct finding *f) {
  return &d->items[f - d->findings->items];
}

static void cure_add(struct advised *out, const struct diagnosis *parent, const struct diagnosis *child,
                     const char *name) {
  const struct rule *rule = rule_find(name);
  double before_s = parent->finding->time.middle;
  if (!rule || out->n_cures == CURES_MAX)
    return;
  struct cure *c = &out->cures[out->n_cures++];
  *c = (struct cure){.rule = rule,
                     .before = diagnosis_find(parent, rule->name),
                     .gained_s = before_s - child->finding->time.middle,
                     .silent_after = !child->reason && !diagnosis_find(child, rule->name)};
  c->promised_s = c->before ? c->before->price.saves_s : 0;
  c->promised = c->promised_s / before_s;
  c->gained = c->gained_s / before_s;
}

void advised_of(struct advised *out, const struct diagnoses *d, const struct step *s, const struct step_at *at) {
  *out = (struct advised){0};
  if (!at->parent || !at->child) {
    out->reason = "not run at this shape";
    return;
  }
  const struct diagnosis *parent = diagnoses_at(d, at->parent), *child = diagnoses_at(d, at->child);
  out->reason = parent->reason;
  out->first = parent->n ? &parent->items[0] : NULL;
  bool own = s->to->parent && strcmp(s->to->parent, s->from->id) == 0;
  /* A rule that was never asked has promised nothing that it could be held to. */
  if (!own || parent->reason || !at->parent->timed || !at->child->timed)
    return;
  for (size_t i = 0; i < s->to->n_keys; i++)
    if (strcmp(s->to->keys[i].key, "cures") == 0)
      cure_add(out, parent, child, s->to->keys[i].value);
}
