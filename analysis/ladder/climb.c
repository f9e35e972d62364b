#include "analysis/ladder/climb.h"

#include "analysis/metrics/value.h"

#include <stdlib.h>
#include <string.h>

const char *climb_outcome_name(enum climb_outcome o) {
  static const char *const names[] = {[CLIMB_UNKNOWN] = "",
                                      [CLIMB_FASTER] = "faster",
                                      [CLIMB_SAME] = "no measurable change",
                                      [CLIMB_SLOWER] = "slower",
                                      [CLIMB_MIXED] = "faster and slower, by shape"};
  return names[o];
}

/* Geometric mean over the run's shapes of a struct value of a finding. */
static struct value mean_of(const struct findings *f, const char *id, size_t member) {
  double *values = calloc(f->n_shapes + 1, sizeof *values);
  struct value mean = value_of(0);
  size_t n = 0;
  for (size_t i = 0; i < f->n_shapes && mean.present; i++) {
    const struct finding *item = findings_at(f, id, f->shapes[i]);
    struct value x =
        item ? *(const struct value *)((const char *)item + member) : value_absent("it was not run at every shape");
    if (!x.present)
      mean = x;
    else
      values[n++] = x.v;
  }
  if (mean.present)
    mean = n ? value_of(stats_geomean(values, n)) : value_absent("the run has no shape");
  free(values);
  return mean;
}

static enum climb_outcome outcome_of(const struct findings *f, const struct run_variant *v) {
  size_t faster = 0, slower = 0, same = 0;
  for (size_t i = 0; i < f->n_shapes; i++) {
    const struct finding *item = findings_at(f, v->id, f->shapes[i]);
    if (!item || !item->speedup_parent.present)
      continue;
    same += item->parent_same;
    faster += !item->parent_same && item->speedup_parent.v > 1;
    slower += !item->parent_same && item->speedup_parent.v <= 1;
  }
  if (faster && slower)
    return CLIMB_MIXED;
  if (faster || slower)
    return faster ? CLIMB_FASTER : CLIMB_SLOWER;
  return same ? CLIMB_SAME : CLIMB_UNKNOWN;
}

void climb_of(struct climb *out, const struct findings *f, const struct run_variant *v) {
  *out = (struct climb){.time_s = findings_geomean(f, v->id), .outcome = outcome_of(f, v)};
  out->over_parent = mean_of(f, v->id, offsetof(struct finding, speedup_parent));
  out->of_sol = mean_of(f, v->id, offsetof(struct finding, of_sol));
  out->of_read = mean_of(f, v->id, offsetof(struct finding, of_read));
}

bool headline_of_rivals(const struct findings *f) {
  return f->n_shapes == 0 || !shape_none(f->shapes[0]);
}

bool headline_of_one_problem(const struct findings *f, const bool *keep) {
  for (size_t s = 0; s < f->n_shapes; s++) {
    const struct finding *first = NULL;
    for (size_t i = 0; i < f->n; i++) {
      const struct finding *at = &f->items[i];
      if (run_variant_is_aside(at->variant) || (keep && !keep[at->variant - f->run->variants]) ||
          at->sol_minimal.bytes <= 0 || !shape_equal(at->result->shape, f->shapes[s]))
        continue;
      first = first ? first : at;
      if (at->sol_minimal.bytes != first->sol_minimal.bytes && !str_same(at->variant->ladder, first->variant->ladder))
        return false;
    }
  }
  return headline_of_rivals(f);
}

static bool has_steps(const struct ladder *l) {
  for (size_t k = 0; k < l->n; k++)
    if (l->rungs[k]->parent)
      return true;
  return false;
}

bool climb_has_steps(const struct findings *f, const char *ladder) {
  for (size_t i = 0; i < f->n_ladders; i++)
    if ((!ladder || strcmp(f->ladders[i].name, ladder) == 0) && has_steps(&f->ladders[i]))
      return true;
  return false;
}

void headline_of(struct headline *out, const struct findings *f) {
  static const char nothing[] = "no kernel has a time at every shape";
  bool rivals = headline_of_rivals(f), one_problem = headline_of_one_problem(f, NULL);
  *out = (struct headline){.best_s = value_absent(nothing), .from_s = value_absent(nothing)};
  out->of_read = out->of_sol = value_absent(nothing);
  for (size_t i = 0; i < f->n_ladders; i++) {
    const struct run_variant *best = NULL; /* of this ladder */
    struct value best_s = {0};
    for (size_t k = 0; k < f->ladders[i].n; k++) {
      const struct run_variant *v = f->ladders[i].rungs[k];
      struct value time_s = findings_geomean(f, v->id);
      if (!time_s.present || run_variant_is_aside(v))
        continue;
      if (!best || (rivals ? time_s.v < best_s.v : time_s.v > best_s.v))
        best = v, best_s = time_s;
      if (k == 0 && one_problem && has_steps(&f->ladders[i]) && (!out->from || time_s.v > out->from_s.v))
        out->from = v, out->from_s = time_s;
    }
    if (best && (!out->best || (one_problem ? best_s.v < out->best_s.v : best_s.v > out->best_s.v)))
      out->best = best, out->best_s = best_s;
  }
  if (out->from && out->from_s.v <= out->best_s.v)
    out->from = NULL;
  if (out->best) {
    struct climb c;
    climb_of(&c, f, out->best);
    out->of_read = c.of_read;
    out->of_sol = c.of_sol;
  }
}
