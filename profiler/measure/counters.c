/* Counters: the CUPTI Range Profiler with user ranges and user replay.
 *
 * Every trial is a range; the whole list is replayed once a pass, each launch after its own flush, so nothing is saved and restored and the caches
 * are in the state that the L2 policy asks for.  A range holds more than the kernel, so rates are counts over activity time, never over a
 * range's own duration.
 */
#include "profiler/cuda/range_profiler.h"
#include "profiler/measure/collect.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES_MAX = 200 };

static int run_range(struct session *s, struct range_session *ranges, struct ready *r, struct err *e) {
  char name[32];
  snprintf(name, sizeof name, "%ld", r->trial->index);
  session_beat(s, r->trial->index);
  collect_range_push(r);
  int rc = session_prepare(s, r, e);
  if (!rc)
    rc = session_wait(s, e); /* the flush must have ended before the range opens */
  if (!rc)
    rc = range_push(ranges, name, e);
  if (!rc)
    rc = session_launch(s, r, e);
  if (!rc)
    rc = session_wait(s, e); /* and the kernel before it closes */
  if (!rc)
    rc = range_pop(ranges, e);
  collect_range_pop();
  return rc ? err_context(e, "%s", r->trial->plan.rung->id) : 0;
}

static int run_passes(struct session *s, struct range_session *ranges, struct err *e) {
  bool last = false;
  size_t dropped = 0;
  int rc = 0;
  for (int pass = 0; !rc && !last; pass++) {
    if (pass == PASSES_MAX)
      return err_set(e, ERR_GPU, "CUPTI asks for more than %d passes", PASSES_MAX);
    atomic_store(&s->pulse->total, ranges->config->passes);
    atomic_store(&s->pulse->done, (size_t)pass);
    rc = range_pass_begin(ranges, e);
    for (size_t i = 0; i < s->n_ready && !rc; i++)
      rc = run_range(s, ranges, &s->ready[i], e);
    if (!rc) {
      session_beat(s, -1); /* no trial's from here on */
      rc = range_pass_end(ranges, &last, e);
    }
  }
  if (!rc)
    rc = range_decode(ranges, &dropped, e);
  return rc || !dropped ? rc : err_set(e, ERR_GPU, "CUPTI dropped %zu ranges", dropped);
}

static void add_metric(const struct range_session *ranges, size_t row, struct run_result *out) {
  const struct metric_row *of = &ranges->config->table.rows[row];
  const struct expr *chosen = ranges->config->chosen[row];
  struct err why = {0};
  double value = 0;
  bool known = range_value(ranges, row, &value, &why) == 0;
  collect_put_metric(out, of->name, of->unit, chosen ? str_copy(expr_text(chosen)) : NULL, value,
                     known ? NULL : why.text);
}

static struct ready *find_ready(struct session *s, const char *range_name) {
  long index = strtol(range_name, NULL, 10);
  for (size_t i = 0; i < s->n_ready; i++)
    if (s->ready[i].trial->index == index)
      return &s->ready[i];
  return NULL;
}

static int read_ranges(struct session *s, struct range_session *ranges, struct err *e) {
  size_t n = 0;
  int rc = range_count(ranges, &n, e);
  for (size_t i = 0; i < n && !rc; i++) {
    const char *name = NULL;
    rc = range_name(ranges, i, &name, e);
    if (!rc)
      rc = range_evaluate(ranges, i, e);
    struct ready *r = rc ? NULL : find_ready(s, name);
    for (size_t row = 0; r && row < ranges->config->table.n; row++)
      add_metric(ranges, row, r->trial->result);
    if (r)
      collect_emit(s, r);
  }
  return rc;
}

static int count_groups(struct session *s, enum counter_groups groups, struct err *e) {
  struct counter_config config;
  struct range_session ranges = {0};
  int rc = counter_config_make(&config, &s->cupti, s->context, s->gpu->index, groups, (struct pass_set){0}, NULL, e);
  if (!rc)
    rc = range_session_open(&ranges, &config, s->context, s->n_ready, false, e);
  if (!rc)
    rc = run_passes(s, &ranges, e);
  if (!rc)
    rc = read_ranges(s, &ranges, e);
  range_session_close(&ranges);
  counter_config_release(&config);
  return rc;
}

static int count_all(struct session *s, struct err *e) {
  if (!s->has_cupti)
    return err_set(e, s->cupti_error.code, "%s", s->cupti_error.text);
  int rc = count_groups(s, COUNTERS_SHARED, e);
  return rc ? rc : count_groups(s, COUNTERS_APART, e);
}

PHASE_ROW(40, COUNTERS, counters) = {.optional = true, .collect = count_all};
