#include "analysis/compare/tune_best.h"

#include <stdlib.h>
#include <string.h>

/* --- the ranking --- */

static int by_time(const void *a, const void *b) {
  const struct finding *x = *(const struct finding *const *)a, *y = *(const struct finding *const *)b;
  if (x->time.middle != y->time.middle)
    return x->time.middle < y->time.middle ? -1 : 1;
  return x < y ? -1 : x > y; /* the run's order, whatever the sort does with equals */
}

void tune_rank_make(struct tune_rank *out, const struct findings *f, struct shape s, const char *standard_id) {
  *out = (struct tune_rank){.shape = s};
  out->ranked = calloc(f->n + 1, sizeof(*out->ranked));
  const struct finding *standard = out->standard = findings_at(f, standard_id, s);
  for (size_t i = 0; i < f->n; i++) {
    const struct finding *item = &f->items[i];
    /* The standard stands for the configuration that has its values: the same kernel need not be in the list twice. */
    bool twin = standard && standard->timed && item != standard && run_params_same(item->result, standard->result);
    if (item->timed && shape_equal(item->result->shape, s) && !twin)
      out->ranked[out->n++] = item;
  }
  qsort(out->ranked, out->n, sizeof(*out->ranked), by_time);
  if (standard && standard->timed)
    out->best_is_standard = standard->time.ci_low <= out->ranked[0]->time.ci_high;
}

void tune_rank_release(struct tune_rank *r) {
  free(r->ranked);
  *r = (struct tune_rank){0};
}

/* --- the map --- */

static long param_at(const struct finding *f, size_t i) {
  return strtol(f->result->params[i].value, NULL, 10);
}

/* Adds a value, keeping them in order; its place, or TUNE_AXIS_MAX where there is no room. */
static size_t value_place(long *values, size_t *n, long value) {
  size_t at = 0;
  while (at < *n && values[at] < value)
    at++;
  if (at < *n && values[at] == value)
    return at;
  if (*n == TUNE_AXIS_MAX)
    return TUNE_AXIS_MAX;
  memmove(values + at + 1, values + at, (*n - at) * sizeof(*values));
  values[at] = value;
  ++*n;
  return at;
}

/* How much the choice of one parameter's value matters: the worst of the least times at its values over the best; 1 where it has one value. */
static double param_weight(const struct tune_rank *r, size_t param) {
  long values[TUNE_AXIS_MAX];
  double worst = 0;
  size_t n = 0;
  for (size_t i = 0; i < r->n; i++)
    value_place(values, &n, param_at(r->ranked[i], param));
  for (size_t v = 0; v < n; v++)
    for (size_t i = 0; i < r->n; i++)
      if (param_at(r->ranked[i], param) == values[v]) { /* the first is the fastest */
        worst = r->ranked[i]->time.middle > worst ? r->ranked[i]->time.middle : worst;
        break;
      }
  return n > 1 ? worst / r->ranked[0]->time.middle : 1;
}

bool tune_map_make(struct tune_map *out, const struct tune_rank *r) {
  memset(out, 0, sizeof(*out));
  out->shape = r->shape;
  size_t params = r->n ? r->ranked[0]->result->n_params : 0, chosen[2] = {params, params};
  double weights[2] = {1, 1};
  for (size_t i = 0; i < r->n; i++)
    if (r->ranked[i]->result->n_params != params)
      return false; /* of another rung */
  for (size_t p = 0; p < params; p++) {
    double weight = param_weight(r, p);
    for (int k = 0; k < 2; k++) {
      if (weight <= weights[k])
        continue;
      if (k == 0) {
        weights[1] = weights[0];
        chosen[1] = chosen[0];
      }
      weights[k] = weight;
      chosen[k] = p;
      break;
    }
  }
  if (chosen[0] == params)
    return false;
  out->x = r->ranked[0]->result->params[chosen[0]].key;
  if (chosen[1] < params)
    out->y = r->ranked[0]->result->params[chosen[1]].key;
  for (size_t i = 0; i < r->n; i++) {
    value_place(out->x_values, &out->n_x, param_at(r->ranked[i], chosen[0]));
    if (out->y)
      value_place(out->y_values, &out->n_y, param_at(r->ranked[i], chosen[1]));
  }
  out->n_y = out->y ? out->n_y : 1;
  for (size_t i = r->n; i-- > 0;) { /* the fastest last, so that it stays */
    size_t x = value_place(out->x_values, &out->n_x, param_at(r->ranked[i], chosen[0]));
    size_t y = out->y ? value_place(out->y_values, &out->n_y, param_at(r->ranked[i], chosen[1])) : 0;
    if (x < TUNE_AXIS_MAX && y < TUNE_AXIS_MAX)
      out->seconds[y][x] = r->ranked[i]->time.middle;
  }
  return true;
}
