#include "analysis/model/findings.h"

#include "analysis/model/finding_parts.h"

#include "analysis/metrics/formulas.h"
#include "analysis/metrics/value.h"
#include "analysis/model/nearest_roof.h"
#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Half a tick of CUPTI's activity timestamps. */
static const double TIME_HALF_TICK_S = 16e-9;
static const double SECONDS_PER_NS = 1e-9;
/* The fastest read of the same bytes (kernels/control). */
static const char CONTROL_READ_ID[] = "control-read";

static const char TIME_ZERO[] = "the measured time is 0";
static const char NO_BYTES[] = "it declares no bytes to move";

/* --- time --- */

static const char *untimed_reason(const struct run_result *r) {
  const char *reason = r->check.reason;
  switch (r->check.verdict) {
  case VERDICT_WRONG:
    return "the result is wrong: a wrong kernel has no time";
  case VERDICT_FAILED:
    return reason ? reason : "it failed";
  case VERDICT_SKIPPED:
    return reason ? reason : "it was skipped";
  case VERDICT_PASS:
  case VERDICT_OUT_OF_RANGE:
  case VERDICT_UNCHECKED:
    break;
  }
  return r->timing.reason ? r->timing.reason : "there are no timing samples";
}

static bool verdict_allows_time(enum run_verdict v) {
  return v == VERDICT_PASS || v == VERDICT_OUT_OF_RANGE || v == VERDICT_UNCHECKED;
}

static void finding_set_time(struct finding *f) {
  const struct run_timing *t = &f->result->timing;
  f->time_reason = untimed_reason(f->result);
  if (!verdict_allows_time(f->result->check.verdict) || t->n == 0)
    return;
  double *seconds = malloc(t->n * sizeof(*seconds));
  for (size_t i = 0; i < t->n; i++)
    seconds[i] = t->samples_ns[i] * SECONDS_PER_NS;
  stats_of(&f->time, seconds, t->n, TIME_HALF_TICK_S);
  free(seconds);
  f->timed = f->time.valid && f->time.middle > 0;
  f->time_reason = f->timed ? NULL : "the timing samples are not positive numbers";
}

/* --- metrics --- */

/* Controls may declare fewer or more bytes: a read of fewer arrays, weights held as fp16. */
static struct value bytes_that_must_move(const struct finding *f) {
  bool control = run_variant_is_control(f->variant);
  return value_of(control ? f->result->bytes_declared : f->result->bytes_minimal);
}

/* Part of the measured time that `least` is.  An empty control moves nothing: it cannot be near to
 * or far from a time that bytes take. */
static struct value value_share(const struct finding *f, struct value least) {
  struct value bytes = bytes_that_must_move(f);
  if (bytes.present && bytes.v <= 0)
    return value_absent(NO_BYTES);
  return value_ratio(least, finding_time(f), TIME_ZERO);
}

static bool is_larger(const void *a, const void *b) {
  return ((const struct finding_stall *)a)->share >= ((const struct finding_stall *)b)->share;
}

/* From the derived metrics stall_REASON_share: a reason that is added to run/metrics takes part. */
static void finding_set_stalls(struct finding *f, struct pool *pool) {
  static const char prefix[] = "stall_", suffix[] = "_share";
  for (size_t i = 0; i < f->n_derived; i++) {
    const struct derived *d = &f->derived[i];
    size_t n = strlen(d->name);
    bool share = n > strlen(prefix) + strlen(suffix) && strncmp(d->name, prefix, strlen(prefix)) == 0 &&
                 strcmp(d->name + n - strlen(suffix), suffix) == 0;
    if (!share || !d->value.present || d->value.v <= 0 || strcmp(d->name, "stall_selected_share") == 0)
      continue;
    int length = (int)(n - strlen(prefix) - strlen(suffix));
    struct finding_stall stall = {pool_printf(pool, "%.*s", length, d->name + strlen(prefix)), d->value.v};
    array_rank(f->stalls, &f->n_stalls, FINDING_STALLS, sizeof stall, &stall, is_larger);
  }
  f->top_stall_share = value_absent("no stall reasons were counted");
  if (f->n_stalls) {
    f->top_stall = f->stalls[0].reason;
    f->top_stall_share = value_of(f->stalls[0].share);
  }
}

/* --- one result by itself --- */

static void metrics_derive(struct finding *f, const struct findings *all, struct value time) {
  struct value facts[FACTS];
  facts_of(facts, f->result, all->device, time);
  formulas_eval(all->formulas, f->result, facts, f->derived, all->pool);
  f->n_derived = all->formulas->n;
}

/* Of imported runs nobody knows. */
static bool l2_is_kept(const struct run *run) {
  return run->l2 && (strcmp(run->l2, "warm") == 0 || strcmp(run->l2, "as the program leaves it") == 0);
}

static void finding_make(struct finding *f, const struct findings *all, const struct run_result *r) {
  f->result = r;
  f->variant = &all->run->variants[r->variant];
  f->launch = launch_main(r);
  f->l2_kept = l2_is_kept(all->run);
  finding_set_time(f);
  f->derived = calloc(all->formulas->n, sizeof(*f->derived));
  metrics_derive(f, all, finding_time(f));

  const struct ceiling *bandwidth = sol_stated_bandwidth(all->device);
  f->dram_bytes = finding_value_named(f, "dram_bytes", all->pool);
  /* Where neither a problem nor bytes are declared nobody knows the least bytes: those that moved
   * stand in, and are named so. */
  bool undeclared = shape_none(r->shape) && r->bytes_minimal <= 0, counted = undeclared && f->dram_bytes.present;
  sol_of(&f->sol_minimal, counted ? f->dram_bytes.v : r->bytes_minimal, counted ? "counted" : "minimal", bandwidth);
  sol_of(&f->sol_contest, r->bytes_contest, "contest", bandwidth);
  struct value sol = f->sol_minimal.seconds > 0 ? value_of(f->sol_minimal.seconds)
                                                : value_absent("no DRAM bandwidth is stated for this device");
  f->of_sol = value_share(f, sol);
  f->dram_over_minimal = value_ratio(f->dram_bytes, bytes_that_must_move(f), NO_BYTES);
  struct flight_code code;
  flight_code_of(&code, all->run, r, f->launch ? f->launch->kernel : NULL, finding_l1_miss(f));
  bounds_of(f, &code, &all->rates, all->pool);
  if (f->bounds.unlike) { /* rates are of the launches that were counted */
    metrics_derive(f, all, f->bounds.whole);
    bounds_of(f, &code, &all->rates, all->pool);
  }
  roofline_of(f->roof, f, all->pool);
  if (undeclared)
    nearest_roof(f, all->run, &all->rates, all->pool);
  finding_set_stalls(f, all->pool);
  doubts_of(f, &code, all->run, all->device, all->pool);
}

/* --- one result against others of its shape --- */

static struct value time_at(const struct findings *all, const char *id, struct shape s) {
  const struct finding *other = findings_at(all, id, s);
  if (!other)
    return value_absent(pool_printf(all->pool, "%s was not run at this shape", id));
  if (!other->timed)
    return value_absent(pool_printf(all->pool, "%s has no time: %s", id, other->time_reason));
  return finding_time(other);
}

/* The rung that a rung's chain of parents begins at, within its ladder.  NULL where a parent is not
 * in the run: *missing names it. */
static const struct run_variant *ladder_foot(const struct run *run, const struct run_variant *v, const char **missing) {
  /* A run file is read, not trusted: the walk ends though parents form a circle. */
  for (size_t step = 0; step < run->n_variants && v->parent; step++) {
    const struct run_variant *parent = run_variant_find(run, v->parent);
    if (!parent) {
      *missing = v->parent;
      return NULL;
    }
    if (!str_same(parent->ladder, v->ladder))
      break;
    v = parent;
  }
  return v;
}

static void finding_compare(struct finding *f, const struct findings *all) {
  const struct run_variant *v = f->variant;
  struct shape s = f->result->shape;
  struct value time = finding_time(f);
  f->of_read = value_share(f, time_at(all, CONTROL_READ_ID, s));
  if (v->parent) {
    f->speedup_parent = value_ratio(time_at(all, v->parent, s), time, TIME_ZERO);
    const struct finding *parent = findings_at(all, v->parent, s);
    f->parent_same =
        f->speedup_parent.present && f->time.ci_low <= parent->time.ci_high && parent->time.ci_low <= f->time.ci_high;
  } else {
    f->speedup_parent = value_absent("it has no parent");
  }
  const char *missing = NULL;
  const struct run_variant *foot = ladder_foot(all->run, v, &missing);
  struct value first =
      foot ? time_at(all, foot->id, s)
           : value_absent(pool_printf(all->pool, "%s, below it on the ladder, is not in this run", missing));
  f->speedup_first = value_ratio(first, time, TIME_ZERO);
}

/* --- shapes and ladders --- */

static void findings_set_shapes(struct findings *out) {
  size_t max = out->run->n_results;
  out->shapes = calloc(max ? max : 1, sizeof(*out->shapes));
  out->n_shapes = run_shapes(out->run, out->shapes, max);
}

static struct ladder *ladder_at(struct findings *out, const char *name) {
  size_t i = 0;
  while (i < out->n_ladders && strcmp(out->ladders[i].name, name) != 0)
    i++;
  return &out->ladders[i];
}

static void findings_set_ladders(struct findings *out) {
  size_t n = out->run->n_variants;
  out->ladders = calloc(n ? n : 1, sizeof(*out->ladders));
  for (size_t i = 0; i < n; i++) {
    const struct run_variant *v = &out->run->variants[i];
    const char *name = v->ladder ? v->ladder : "other";
    struct ladder *l = ladder_at(out, name);
    if (!l->name) {
      l->name = name;
      out->n_ladders++;
    }
    l->rungs = realloc(l->rungs, (l->n + 1) * sizeof(*l->rungs));
    l->rungs[l->n++] = v;
  }
}

/* --- look-up --- */

/* From the last item to the first, so that each variant's chain begins with its first. */
static void findings_index(struct findings *out) {
  out->next = calloc(out->n + 1, sizeof *out->next);
  for (size_t i = out->n; i-- > 0;) {
    long *first = name_index_at(&out->by_id, out->items[i].variant->id);
    out->next[i] = *first;
    *first = (long)i;
  }
}

/* --- all of it --- */

static int findings_fill(struct findings *out, struct err *e) {
  findings_set_shapes(out);
  findings_set_ladders(out);
  int rc = formulas_load(out->formulas, e);
  if (rc)
    return rc;
  for (size_t i = 0; i < out->run->n_results; i++) {
    finding_make(&out->items[i], out, &out->run->results[i]);
    out->n = i + 1;
  }
  findings_index(out);
  for (size_t i = 0; i < out->n; i++)
    finding_compare(&out->items[i], out);
  return 0;
}

int findings_make(struct findings *out, const struct run *run, const struct device *device, struct err *e) {
  *out = (struct findings){.run = run, .device = device};
  rates_of(&out->rates, device);
  out->formulas = calloc(1, sizeof(*out->formulas));
  out->pool = calloc(1, sizeof(*out->pool));
  out->items = calloc(run->n_results ? run->n_results : 1, sizeof(*out->items));
  int rc = findings_fill(out, e);
  if (rc)
    findings_release(out);
  return rc;
}

void findings_release(struct findings *f) {
  for (size_t i = 0; i < f->n; i++)
    free(f->items[i].derived);
  free(f->items);
  for (size_t i = 0; i < f->n_ladders; i++)
    free(f->ladders[i].rungs);
  free(f->ladders);
  free(f->shapes);
  name_index_release(&f->by_id);
  free(f->next);
  if (f->formulas)
    formulas_release(f->formulas);
  free(f->formulas);
  if (f->pool)
    pool_release(f->pool);
  free(f->pool);
  *f = (struct findings){0};
}

const struct finding *findings_at(const struct findings *f, const char *variant_id, struct shape s) {
  for (long i = name_index_find(&f->by_id, variant_id); i != NAME_NEW; i = f->next[i])
    if (shape_equal(f->items[i].result->shape, s))
      return &f->items[i];
  return NULL;
}

bool findings_hold(const struct findings *f, const char *metric) {
  for (size_t i = 0; i < f->n; i++)
    if (run_metric_find(f->items[i].result, metric) || derived_find(f->items[i].derived, f->items[i].n_derived, metric))
      return true;
  return false;
}

struct value findings_geomean(const struct findings *f, const char *variant_id) {
  if (f->n_shapes == 0)
    return value_absent("the run has no results");
  double *times = malloc(f->n_shapes * sizeof(*times));
  struct value mean = value_absent("it has no time at one of the run's shapes");
  size_t n = 0;
  for (; n < f->n_shapes; n++) {
    const struct finding *at = findings_at(f, variant_id, f->shapes[n]);
    if (!at || !at->timed)
      break;
    times[n] = at->time.middle;
  }
  if (n == f->n_shapes)
    mean = value_of(stats_geomean(times, n));
  free(times);
  return mean;
}
