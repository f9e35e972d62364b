#include "analysis/compare/history.h"

#include "analysis/compare/diff_match.h"
#include "analysis/compare/diff_noise.h"
#include "analysis/metrics/value.h"
#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_created(const void *left, const void *right) {
  const struct findings *a = *(const struct findings *const *)left, *b = *(const struct findings *const *)right;
  const char *x = a->run->created ? a->run->created : "", *y = b->run->created ? b->run->created : "";
  int order = strcmp(x, y); /* ISO 8601, UTC: the order of the letters is that of time */
  return order ? order : (a > b) - (a < b);
}

static struct value metric_of(const struct history *h, const struct finding *f) {
  if (!f)
    return value_absent("not run");
  return h->time ? finding_time(f) : finding_value(f, h->metric);
}

/* --- columns --- */

static bool has_column(const struct history *h, const char *id, struct shape s) {
  for (size_t i = 0; i < h->n_columns; i++)
    if (strcmp(h->columns[i].id, id) == 0 && shape_equal(h->columns[i].shape, s))
      return true;
  return false;
}

static void add_column(struct history *h, const char *id, struct shape s) {
  struct history_column *c = array_add(&h->columns, &h->n_columns, sizeof *c);
  *c = (struct history_column){id, s, calloc(h->n_runs + 1, sizeof *c->points)};
  bool any = false;
  for (size_t i = 0; i < h->n_runs; i++) {
    c->points[i].finding = findings_at(h->runs[i], id, s);
    c->points[i].value = metric_of(h, c->points[i].finding);
    any |= c->points[i].value.present;
  }
  if (!any)
    free(h->columns[--h->n_columns].points);
}

static void columns_make(struct history *h) {
  for (size_t i = 0; i < h->n_runs; i++)
    for (size_t k = 0; k < h->runs[i]->n; k++) {
      const struct finding *f = &h->runs[i]->items[k];
      if (!has_column(h, f->variant->id, f->result->shape))
        add_column(h, f->variant->id, f->result->shape);
    }
}

static bool column_wanted(const struct history *h, const struct history_column *c, const struct history_options *o) {
  for (size_t i = 0; i < h->n_runs; i++)
    if (c->points[i].finding)
      return !o->selects || o->selects(o->context, c->points[i].finding->variant, c->shape);
  return false;
}

/* Last, since the noise is that of all columns. */
static void columns_select(struct history *h, const struct history_options *o) {
  size_t n = 0;
  for (size_t c = 0; c < h->n_columns; c++)
    if (column_wanted(h, &h->columns[c], o))
      h->columns[n++] = h->columns[c]; /* moved */
    else
      free(h->columns[c].points);
  h->n_columns = n;
}

/* --- steps --- */

static bool usable(const struct history_point *p) {
  return p->value.present && p->value.v > 0;
}

/* A metric is not sampled: the spread within the run is 0. */
static void series_add(struct diff_series *s, const struct history *h, const struct history_point *p) {
  if (!usable(p))
    return;
  if (h->time)
    diff_series_add(s, p->finding);
  else
    s->log_time[s->n++] = log(p->value.v);
}

static bool same_code(const struct history *h, size_t before, size_t now, const struct history_column *c) {
  return diff_same_code(h->runs[before]->run, c->points[before].finding->result, h->runs[now]->run,
                        c->points[now].finding->result);
}

/* A step from one chip to another is no build's. */
static bool same_chip(const struct history *h, size_t a, size_t b) {
  return str_same(h->runs[a]->run->device.name, h->runs[b]->run->device.name);
}

/* A kernel of a library has other work in another program, under the same name. */
static bool same_program(const struct history *h, size_t a, size_t b) {
  return str_same(run_attached_command(h->runs[a]->run), run_attached_command(h->runs[b]->run));
}

static bool comparable(const struct history *h, size_t a, size_t b) {
  return same_chip(h, a, b) && same_program(h, a, b);
}

static size_t previous(const struct history *h, const struct history_column *c, size_t i) {
  for (size_t k = i; k-- > 0;)
    if (usable(&c->points[k]) && comparable(h, k, i))
      return k;
  return i;
}

static size_t kinds_count(const struct history *h, bool (*same)(const struct history *h, size_t a, size_t b)) {
  size_t n = 0;
  for (size_t i = 0; i < h->n_runs; i++) {
    bool seen = false;
    for (size_t k = 0; k < i && !seen; k++)
      seen = same(h, k, i);
    n += !seen;
  }
  return n;
}

/* How runs that follow each other scatter, over all columns. */
static void noise_of(struct diff_noise *out, const struct history *h) {
  struct diff_timed *pairs = calloc(h->n_columns * h->n_runs + 1, sizeof *pairs);
  size_t n = 0;
  for (size_t c = 0; c < h->n_columns; c++)
    for (size_t i = 1; i < h->n_runs; i++) {
      const struct history_column *column = &h->columns[c];
      size_t before = previous(h, column, i);
      if (before == i || !usable(&column->points[i]))
        continue;
      pairs[n].same_code = same_code(h, before, i, column);
      series_add(&pairs[n].a, h, &column->points[before]);
      series_add(&pairs[n].b, h, &column->points[i]);
      n++;
    }
  diff_noise_of(out, pairs, n, BETWEEN_RUNS, true);
  free(pairs);
}

/* Where the level that run i is held against begins: the last step of its chip and program. */
static size_t level_start(const struct history *h, const struct history_column *c, size_t i) {
  for (size_t k = i; k-- > 0;)
    if (c->points[k].step && comparable(h, k, i))
      return k;
  return 0;
}

static void column_steps(struct history *h, struct history_column *c, const struct diff_noise *noise) {
  for (size_t i = 1; i < h->n_runs; i++) {
    struct history_point *p = &c->points[i];
    struct diff_timed t = {0};
    for (size_t k = i, since = level_start(h, c, i); k-- > since && t.a.n < HISTORY_LEVEL_RUNS;)
      if (comparable(h, k, i))
        series_add(&t.a, h, &c->points[k]);
    series_add(&t.b, h, p);
    if (!t.a.n || !t.b.n)
      continue;
    h->compared++;
    if (h->time && !diff_timed_tells(&t))
      continue;
    struct diff_interval x = diff_interval_of(&t, noise);
    enum diff_verdict v = diff_judge(x);
    if (v != DIFF_SLOWER && v != DIFF_FASTER)
      continue;
    p->step = true;
    p->step_ratio = x.ratio;
    p->same_code = same_code(h, previous(h, c, i), i, c);
    h->steps++;
  }
}

static bool known(const struct history *h) {
  bool any = h->time;
  for (size_t i = 0; i < h->n_runs && !any; i++)
    any = findings_hold(h->runs[i], h->metric);
  return any;
}

int history_make(struct history *out, const struct findings *runs, size_t n, const struct history_options *o,
                 struct err *e) {
  *out = (struct history){.n_runs = n, .metric = o->metric, .time = strcmp(o->metric, "time") == 0};
  out->runs = calloc(n + 1, sizeof *out->runs);
  for (size_t i = 0; i < n; i++)
    out->runs[i] = &runs[i];
  qsort(out->runs, n, sizeof *out->runs, compare_created);
  if (!known(out))
    return err_set(e, ERR_USAGE, "--metric %s: no run has it; time, or a column of a report's results.csv", o->metric);
  struct diff_noise noise = {0};
  out->n_chips = kinds_count(out, same_chip);
  out->n_programs = kinds_count(out, same_program);
  columns_make(out);
  noise_of(&noise, out);
  out->between = noise.between;
  columns_select(out, o);
  for (size_t c = 0; c < out->n_columns; c++)
    column_steps(out, &out->columns[c], &noise);
  return 0;
}

void history_release(struct history *h) {
  for (size_t i = 0; i < h->n_columns; i++)
    free(h->columns[i].points);
  free(h->columns);
  free(h->runs);
  *h = (struct history){0};
}
