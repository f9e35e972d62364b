#include "analysis/ladder/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MODEL_NEAR = 0.1;

/* --- one step --- */

static bool is_right(const struct label *l, const struct rule *rule) {
  for (size_t i = 0; i < l->n_causes; i++)
    if (rule_find(l->causes[i]) == rule)
      return true;
  return false;
}

static int entry_fill(struct score_entry *x, const struct findings *f, struct err *e) {
  struct diagnosis d;
  int rc = diagnosis_make(&d, f, x->parent, e);
  double time_s = x->parent->time.middle;
  if (!rc && d.n)
    x->first = d.items[0].rule;
  x->promised = value_absent("no right advice gave a number");
  for (size_t i = 0; i < d.n && !rc; i++) {
    const struct advice *a = &d.items[i];
    if (!is_right(x->label, a->rule))
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
  diagnosis_release(&d);
  return rc;
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

static int entries_fill(struct score *s, const struct findings *f, const struct label *labels, size_t n,
                        struct err *e) {
  int rc = 0;
  for (size_t i = 0; i < n && !rc; i++)
    for (size_t k = 0; k < f->n_shapes && !rc; k++) {
      const struct finding *parent = findings_at(f, labels[i].parent, f->shapes[k]);
      const struct finding *child = findings_at(f, labels[i].child, f->shapes[k]);
      if (labels[i].at && labels[i].at != child)
        continue;
      if (!parent || !child || !parent->timed || !child->timed || parent->bounds.binding == BOUND_KINDS ||
          !is_best(f, labels, n, &labels[i], child))
        continue;
      s->entries[s->n] = (struct score_entry){.label = &labels[i], .parent = parent, .child = child};
      rc = entry_fill(&s->entries[s->n++], f, e);
    }
  return rc;
}

/* --- all of them --- */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static struct value promised_by(const struct score_entry *x) {
  return x->promised;
}

static struct value modelled_by(const struct score_entry *x) {
  return x->promised.present ? x->modelled : x->promised;
}

/* Of what one or the other says was to be gained. */
static struct value median_error(const struct score *s, struct value (*says)(const struct score_entry *), size_t *n,
                                 double *room) {
  *n = 0;
  for (size_t i = 0; i < s->n; i++) {
    struct value gain = says(&s->entries[i]);
    if (gain.present)
      room[(*n)++] = fabs(gain.v - s->entries[i].gained);
  }
  if (*n == 0)
    return value_absent("the right advice was never given");
  qsort(room, *n, sizeof *room, by_value);
  return value_of(*n % 2 ? room[*n / 2] : (room[*n / 2 - 1] + room[*n / 2]) / 2);
}

/* Part of the entries for which this rule would have been right. */
static double always(const struct score *s, const struct rule *rule) {
  size_t right = 0;
  for (size_t i = 0; i < s->n; i++)
    right += is_right(s->entries[i].label, rule);
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
  size_t first = 0, three = 0, near_by = 0, modelled;
  for (size_t i = 0; i < s->n; i++) {
    const struct score_entry *x = &s->entries[i];
    struct value explained = x->parent->bounds.explained;
    first += x->place == 1;
    three += x->place >= 1 && x->place <= 3;
    near_by += explained.present && fabs(explained.v - 1) <= MODEL_NEAR;
  }
  s->median_model_error = median_error(s, modelled_by, &modelled, room);
  s->median_abs_error = median_error(s, promised_by, &s->n_promised, room);
  s->model_within_10 = value_absent("nothing is labelled");
  if (s->n == 0)
    return;
  s->first = (double)first / (double)s->n;
  s->three = (double)three / (double)s->n;
  s->model_within_10 = value_of((double)near_by / (double)s->n);
}

int score_make(struct score *out, const struct findings *f, const struct label *labels, size_t n, struct err *e) {
  size_t most = n * f->n_shapes + 1;
  double *room = calloc(most, sizeof *room);
  *out = (struct score){.entries = calloc(most, sizeof *out->entries)};
  int rc = entries_fill(out, f, labels, n, e);
  if (!rc) {
    totals_fill(out, room);
    nulls_fill(out);
  }
  free(room);
  return rc;
}

void score_release(struct score *s) {
  free(s->entries);
  *s = (struct score){0};
}

/* --- labels --- */

static void cause_add(struct label *l, const char *name) {
  if (l->n_causes < LABEL_CAUSES && rule_find(name))
    l->causes[l->n_causes++] = name;
}

/* Cuts the text at the first separator; NULL: nothing is left. */
static char *cut(char **rest, char separator) {
  char *cell = *rest, *end = cell ? strchr(cell, separator) : NULL;
  if (end)
    *end++ = 0;
  *rest = end;
  return cell;
}

static int line_parse(struct label *l, const char **half, char *line, int number, struct err *e) {
  char *id = cut(&line, '\t'), *cause = cut(&line, '\t'), *accepted = cut(&line, '\t');
  *half = cut(&line, '\t');
  if (!*half || !rule_find(cause))
    return err_set(e, ERR_DATA, "labels, line %d: want id, cause, accepted causes and half, and a cause that is a rule",
                   number);
  *l = (struct label){.child = id};
  cause_add(l, cause);
  for (char *more = cut(&accepted, ','); more; more = cut(&accepted, ','))
    cause_add(l, more);
  return 0;
}

int labels_parse(struct label **out, size_t *n, char *text, const char *half, const struct run *run, struct err *e) {
  int rc = 0, number = 0;
  *n = 0;
  *out = calloc(run->n_variants + 1, sizeof **out);
  for (char *line = cut(&text, '\n'); line && !rc && *n < run->n_variants; line = cut(&text, '\n')) {
    const char *in_half = NULL;
    struct label l = {0};
    if (number++ == 0 || !*line)
      continue;
    rc = line_parse(&l, &in_half, line, number, e);
    const struct run_variant *v = rc ? NULL : run_variant_find(run, l.child);
    l.parent = v ? v->parent : NULL;
    if (!rc && l.parent && (!half || strcmp(half, in_half) == 0))
      (*out)[(*n)++] = l;
  }
  return rc;
}
