/* Time: CUPTI activity timestamps of the kernels themselves, variants interleaved round robin.
 *
 * A round launches every live trial once, each after its own flush, all queued ahead of the GPU; then the round's kernel records are matched
 * to the launches by order.  Without CUPTI an event pair around the steps is used, and the result says so: it adds launch overhead.
 */
#include "base/array.h"
#include "profiler/cuda/activity.h"
#include "profiler/measure/collect.h"

#include "base/clock.h"
#include "base/stats.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP_ROUNDS = 3, STOP_EVERY_ROUNDS = 5 };
static const double stop_relative = 0.005; /* half the interval over the middle */
static const double tick_half_ns = 16;     /* activity timestamps tick at 32 ns */

struct clockwork { /* the phase's state */
  struct session *s;
  bool activity;   /* else event pairs */
  bool *done;      /* one a ready trial */
  CUevent *events; /* two a ready trial */
  struct nvml nvml;
  nvmlDevice_t nvml_device; /* NULL: throttling cannot be seen */
  double deadline_s;
  size_t rounds;
  size_t throttled, dropped; /* rounds that do not count, by the reason */
};

static bool throttled(const struct clockwork *w) {
  /* From NVML: power cap, hardware slowdown, software thermal, hardware thermal, power brake. */
  const unsigned long long reasons_that_slow = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;
  unsigned long long reasons = 0;
  return w->nvml_device && w->nvml.nvmlDeviceGetCurrentClocksThrottleReasons(w->nvml_device, &reasons) == 0 &&
         (reasons & reasons_that_slow);
}

static void open_nvml(struct clockwork *w) {
  char uuid[64];
  snprintf(uuid, sizeof uuid, "%s", w->s->gpu->uuid);
  if (nvml_load(&w->nvml, NULL) || w->nvml.nvmlInit_v2() || !w->nvml.nvmlDeviceGetHandleByUUID ||
      !w->nvml.nvmlDeviceGetCurrentClocksThrottleReasons || w->nvml.nvmlDeviceGetHandleByUUID(uuid, &w->nvml_device))
    w->nvml_device = NULL;
}

static void add_sample(struct run_timing *t, double ns) {
  double *added = array_add(&t->samples_ns, &t->n, sizeof *added);
  *added = ns;
}

/* Launches the round; on return everything has run. */
static int run_round(struct clockwork *w, struct err *e) {
  struct session *s = w->s;
  for (size_t i = 0; i < s->n_ready; i++) {
    struct ready *r = &s->ready[i];
    if (w->done[i])
      continue;
    session_beat(s, r->trial->index);
    collect_range_push(r);
    int rc = session_prepare(s, r, e);
    if (!rc && !w->activity)
      rc = CU_CALL(&s->driver, e, cuEventRecord, w->events[2 * i], s->stream);
    if (!rc)
      rc = session_launch(s, r, e);
    if (!rc && !w->activity)
      rc = CU_CALL(&s->driver, e, cuEventRecord, w->events[2 * i + 1], s->stream);
    collect_range_pop();
    if (rc)
      return err_context(e, "%s", r->trial->plan.rung->id);
  }
  return session_wait(s, e);
}

/* Kernels that the round must have left records of. */
static size_t expected_records(const struct clockwork *w) {
  size_t n = 0;
  for (size_t i = 0; i < w->s->n_ready; i++)
    if (!w->done[i])
      n += session_prepare_kernels(w->s, &w->s->ready[i]) + w->s->ready[i].step_kernels;
  return n;
}

/* Room for n launches of which nothing is known yet: a library decides how many there are. */
static void make_launches(struct run_result *out, size_t n) {
  if (out->n_launches == n)
    return;
  struct run_launch *made = calloc(n, sizeof *made);
  for (size_t i = 0; i < out->n_launches; i++)
    free(out->launches[i].kernel);
  free(out->launches);
  out->launches = made;
  out->n_launches = n;
}

/* What CUPTI saw replaces what the driver said. */
static void take_launches(struct run_result *out, const struct activity_record *records, size_t n) {
  for (size_t i = 0; i < n && i < out->n_launches; i++) {
    struct run_launch *l = &out->launches[i];
    struct run_launch seen = records[i].seen;
    seen.kernel = l->kernel ? l->kernel : str_copy(records[i].name ? records[i].name : "unknown");
    seen.blocks_per_sm = l->blocks_per_sm;
    if (seen.cluster[0] * seen.cluster[1] * seen.cluster[2] <= 1) /* CUPTI writes 0 or 1 where there is no cluster */
      memset(seen.cluster, 0, sizeof seen.cluster);
    *l = seen;
  }
}

static int take_activity(struct clockwork *w, bool keep, bool discard, struct err *e) {
  struct session *s = w->s;
  const struct activity_record *record;
  size_t n_records;
  bool complete;
  int rc = activity_take(&s->cupti, &record, &n_records, &complete, e);
  if (rc)
    return rc;
  complete = complete && n_records == expected_records(w);
  w->dropped += keep && !complete && !discard;
  for (size_t i = 0; i < s->n_ready; i++) {
    struct ready *r = &s->ready[i];
    struct run_timing *t = &r->trial->result->timing;
    if (w->done[i] || !keep)
      continue;
    if (!complete || discard) {
      t->discarded++;
      continue;
    }
    record += session_prepare_kernels(s, r);
    size_t n = r->step_kernels;
    add_sample(t, (double)(record[n - 1].end_ns - record[0].start_ns));
    if (rung_plan_calls(&r->trial->plan))
      make_launches(r->trial->result, n);
    take_launches(r->trial->result, record, n);
    record += n;
  }
  return 0;
}

static int take_events(struct clockwork *w, bool keep, bool discard, struct err *e) {
  struct session *s = w->s;
  for (size_t i = 0; i < s->n_ready; i++) {
    struct run_timing *t = &s->ready[i].trial->result->timing;
    float ms = 0;
    if (w->done[i] || !keep)
      continue;
    if (discard) {
      t->discarded++;
      continue;
    }
    int rc = driver_check(&s->driver, s->driver.cuEventElapsedTime_v2(&ms, w->events[2 * i], w->events[2 * i + 1]),
                          "cuEventElapsedTime", e);
    if (rc)
      return rc;
    add_sample(t, 1e6 * (double)ms);
  }
  return 0;
}

/* Whether a trial's interval is narrow enough. */
static bool settled(const struct run_timing *t) {
  struct stats stats;
  stats_of(&stats, t->samples_ns, t->n, tick_half_ns);
  return stats.valid && (stats.ci_high - stats.ci_low) / 2 <= stop_relative * stats.middle;
}

static size_t mark_settled(struct clockwork *w) {
  const struct profile_options *o = w->s->options;
  bool look = w->rounds >= (size_t)o->min_rounds && w->rounds % STOP_EVERY_ROUNDS == 0;
  size_t done = 0;
  for (size_t i = 0; i < w->s->n_ready; i++) {
    if (!w->done[i] && look)
      w->done[i] = settled(&w->s->ready[i].trial->result->timing);
    done += w->done[i];
  }
  return done;
}

/* Counts the kernels of a trial whose steps a library launches, after a launch in which the library may still load and choose. */
static int count_kernels(struct session *s, struct ready *r, struct err *e) {
  const struct activity_record *records;
  size_t n = 0;
  bool whole;
  int rc = activity_take(&s->cupti, &records, &n, &whole, e);
  for (int i = 0; i < 2 && !rc; i++) {
    session_beat(s, r->trial->index);
    rc = session_launch(s, r, e);
    if (!rc)
      rc = session_wait(s, e);
    if (!rc)
      rc = activity_take(&s->cupti, &records, &n, &whole, e);
  }
  r->step_kernels = n;
  return rc ? err_context(e, "%s", r->trial->plan.rung->id) : 0;
}

static int count_calls(struct clockwork *w, struct err *e) {
  int rc = 0;
  for (size_t i = 0; i < w->s->n_ready && w->activity && !rc; i++) {
    struct ready *r = &w->s->ready[i];
    if (!rung_plan_calls(&r->trial->plan))
      continue;
    rc = count_kernels(w->s, r, e);
    if (!rc && !r->step_kernels) {
      w->done[i] = true;
      r->trial->result->timing.reason = str_copy("CUPTI saw no kernel of the library that it calls");
    }
  }
  return rc;
}

static int run_rounds(struct clockwork *w, struct err *e) {
  struct session *s = w->s;
  int rc = count_calls(w, e);
  for (int i = 0; i < WARM_UP_ROUNDS && !rc; i++) {
    rc = run_round(w, e);
    if (!rc)
      rc = w->activity ? take_activity(w, false, false, e) : take_events(w, false, false, e);
  }
  size_t done = 0;
  while (!rc && done < s->n_ready && w->rounds < (size_t)s->options->max_rounds &&
         (clock_now_s() < w->deadline_s || w->rounds == 0)) {
    rc = run_round(w, e);
    bool discard = throttled(w);
    w->throttled += discard;
    if (!rc)
      rc = w->activity ? take_activity(w, true, discard, e) : take_events(w, true, discard, e);
    w->rounds++;
    done = mark_settled(w);
    atomic_store(&s->pulse->total, (size_t)s->options->max_rounds);
    atomic_store(&s->pulse->done, w->rounds);
  }
  return rc;
}

static int open_events(struct clockwork *w, struct err *e) {
  struct session *s = w->s;
  w->events = calloc(2 * s->n_ready + 1, sizeof *w->events);
  for (size_t i = 0; i < 2 * s->n_ready; i++) {
    int rc = CU_CALL(&s->driver, e, cuEventCreate, &w->events[i], CU_EVENT_DEFAULT);
    if (rc)
      return rc;
  }
  return 0;
}

/* What was left out is said once for the run; each result counts its own. */
static void note_discards(struct clockwork *w) {
  if (!w->throttled && !w->dropped)
    return;
  char *note =
      str_printf("%zu of %zu timing rounds were discarded: the GPU was throttled in %zu (NVML), and CUPTI dropped "
                 "records of %zu",
                 w->throttled + w->dropped, w->rounds, w->throttled, w->dropped);
  w->s->emit(w->s, 'N', -1, note);
  free(note);
}

static void finish_results(struct clockwork *w) {
  note_discards(w);
  for (size_t i = 0; i < w->s->n_ready; i++) {
    struct run_timing *t = &w->s->ready[i].trial->result->timing;
    t->source = str_copy(w->activity ? "CUPTI activity" : "event pair");
    if (!t->n && !t->reason)
      t->reason = str_printf("all %zu samples were discarded: the GPU was throttled, or CUPTI dropped its records",
                             t->discarded);
    collect_emit(w->s, &w->s->ready[i]);
  }
}

/* What a worker that failed had timed until then. */
static void forget_times(struct session *s) {
  for (size_t i = 0; i < s->n_ready; i++) {
    struct run_timing *t = &s->ready[i].trial->result->timing;
    free(t->samples_ns);
    free(t->source);
    free(t->reason);
    *t = (struct run_timing){0};
  }
}

static int time_all(struct session *s, struct err *e) {
  struct clockwork w = {.s = s, .deadline_s = clock_now_s() + s->options->time_limit_s};
  struct err why = {0};
  int rc = 0;
  w.done = calloc(s->n_ready + 1, sizeof *w.done);
  forget_times(s);
  open_nvml(&w);
  if (!s->has_cupti)
    why = s->cupti_error;
  else
    w.activity = activity_open(&s->cupti, &why) == 0;
  if (!w.activity) {
    char *note = str_printf("times are from event pairs, which include the launch (some µs): %s", why.text);
    s->emit(s, 'N', -1, note);
    free(note);
    rc = open_events(&w, e);
  }
  if (!rc)
    rc = run_rounds(&w, e);
  if (!rc)
    fixed_measure(s, w.activity);
  if (w.activity)
    activity_close(&s->cupti);
  if (!rc && s->options->harness == HARNESS_CONTEST)
    rc = contest_measure(s, e);
  if (w.nvml_device)
    w.nvml.nvmlShutdown();
  if (!rc)
    finish_results(&w);
  free(w.done);
  free(w.events);
  return rc;
}

PHASE_ROW(20, TIME, time) = {.queued = true, .collect = time_all};
