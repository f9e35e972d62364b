#include "analysis/compare/pair.h"

#include "analysis/metrics/value.h"

#include <stdlib.h>

static enum diff_verdict verdict_of(const struct diff *d, const struct pair_row *r) {
  for (size_t i = 0; i < d->n; i++)
    if ((r->a && d->pairs[i].a == r->a) || (r->b && d->pairs[i].b == r->b))
      return d->pairs[i].verdict;
  return DIFF_UNTIMED;
}

static void row_add(struct pair *p, const struct diff *d, const char *variant, struct shape s) {
  struct pair_row r = {
      .variant = variant, .shape = s, .a = findings_at(p->a, variant, s), .b = findings_at(p->b, variant, s)};
  bool both = r.a && r.b && r.a->timed && r.b->timed;
  if (!r.a && !r.b)
    return;
  r.ratio = both ? value_ratio(value_of(r.b->time.middle), value_of(r.a->time.middle), "the time in A is 0")
                 : value_absent(!r.a || !r.b ? "one run does not hold it" : "one run has no time for it");
  r.verdict = verdict_of(d, &r);
  r.same = both && r.verdict != DIFF_SLOWER && r.verdict != DIFF_FASTER;
  p->rows[p->n++] = r;
}

static void shape_add(struct pair *p, const struct diff *d, struct shape s) {
  for (size_t i = 0; i < p->a->run->n_variants; i++)
    if (!p->a->run->variants[i].wrong)
      row_add(p, d, p->a->run->variants[i].id, s);
  for (size_t i = 0; i < p->b->run->n_variants; i++) {
    const struct run_variant *v = &p->b->run->variants[i];
    if (!v->wrong && !run_variant_find(p->a->run, v->id))
      row_add(p, d, v->id, s);
  }
}

void pair_make(struct pair *out, const struct findings *a, const struct findings *b) {
  struct diff d = {0};
  *out = (struct pair){.a = a, .b = b};
  out->rows = calloc((a->run->n_variants + b->run->n_variants) * (a->n_shapes + b->n_shapes) + 1, sizeof *out->rows);
  diff_make(&d, (struct diff_side){a, 1}, (struct diff_side){b, 1}, &(struct diff_options){0},
            NULL); /* no metric that could be unknown */
  out->one_chip = d.one_chip;
  out->between = d.noise.between;
  out->shift = d.noise.shift_removed && d.noise.shift_large ? d.noise.shift : 1;
  for (size_t i = 0; i < a->n_shapes; i++)
    shape_add(out, &d, a->shapes[i]);
  for (size_t i = 0; i < b->n_shapes; i++)
    if (!shape_in(a->shapes, a->n_shapes, b->shapes[i]))
      shape_add(out, &d, b->shapes[i]);
  diff_release(&d);
}

void pair_release(struct pair *p) {
  free(p->rows);
  *p = (struct pair){0};
}

struct pair_sum pair_sum_of(const struct pair *p, bool (*wants)(const struct pair_row *r, const char *of),
                            const char *of) {
  double *ratios = calloc(p->n + 1, sizeof *ratios);
  struct value none = value_absent("no kernel has a time in both runs");
  struct pair_sum s = {.mean = none, .least = none, .most = none};
  for (size_t i = 0; i < p->n; i++) {
    const struct pair_row *r = &p->rows[i];
    if (!r->ratio.present || !wants(r, of))
      continue;
    s.faster += r->verdict == DIFF_FASTER;
    s.slower += r->verdict == DIFF_SLOWER;
    s.same += r->verdict == DIFF_SAME;
    s.unclear += r->verdict == DIFF_UNCLEAR;
    if (s.n == 0 || r->ratio.v < s.least.v)
      s.least = r->ratio;
    if (s.n == 0 || r->ratio.v > s.most.v)
      s.most = r->ratio;
    ratios[s.n++] = r->ratio.v;
  }
  if (s.n)
    s.mean = value_of(stats_geomean(ratios, s.n));
  free(ratios);
  return s;
}
