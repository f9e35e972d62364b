/* Exact counts: CUPTI SASS metrics, instruction by instruction, of one launch of the whole rung.
 *
 * CUPTI patches the kernels with counting code and takes it out again when counting ends; a patched kernel runs many times longer, so its time is
 * of no use.  Patching is lazy: each kernel is patched at its first launch while counting is on, which is the rung's own, since resets and
 * the flush ran before; eager patching would patch every loaded module.  Modules that were loaded long before can be patched.  Seen on an H200 (CUPTI
 * 13.0, 2026-11-21): patching and running a kernel of 240 instructions took 1.2 ms, reading and unpatching it under 0.1 ms, and its time
 * afterwards was as before.  A second cuptiSassMetricsSetConfig in one process failed (out of memory) even after the first was taken back, so
 * there is one for all trials, and this phase is run once a process.
 */
#include "profiler/cuda/cupti_calls.h"
#include "profiler/cuda/sass_metrics.h"
#include "profiler/measure/collect.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static int compare_counts(const void *a, const void *b) {
  const struct run_count *x = a, *y = b;
  if (x->kernel != y->kernel)
    return x->kernel < y->kernel ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static double *member(struct run_count *c, size_t which) {
  return (double *)(void *)((char *)c + sass_metrics[which].at);
}

/* Adds up entries of one instruction: each holds one metric, the others -1. */
static void merge_counts(struct run_result *out) {
  size_t n = 0;
  if (out->n_counts)
    qsort(out->counts, out->n_counts, sizeof *out->counts, compare_counts);
  for (size_t i = 0; i < out->n_counts; i++) {
    struct run_count *from = &out->counts[i];
    if (!n || compare_counts(&out->counts[n - 1], from) != 0) {
      out->counts[n++] = *from;
      continue;
    }
    for (size_t k = 0; k < SASS_METRICS; k++) {
      double *sum = member(&out->counts[n - 1], k), more = *member(from, k);
      *sum = *sum < 0 ? more : more < 0 ? *sum : *sum + more;
    }
  }
  out->n_counts = 0;
  for (size_t i = 0; i < n; i++) /* no entry: not executed */
    if (out->counts[i].executed > 0)
      out->counts[out->n_counts++] = out->counts[i];
}

/* CUPTI gives a record for each instruction and metric. */
static void put_counts(const struct sass_counting *w, const struct session *s, struct ready *r, uint32_t crc) {
  struct run_result *out = r->trial->result;
  struct run_count *counts = calloc(w->records * w->instances + 1, sizeof *counts);
  free(out->counts);
  out->counts = counts;
  out->n_counts = 0;
  for (size_t i = 0; i < w->records; i++) {
    const CUpti_SassMetrics_Data *d = &w->data[i];
    int kernel = d->cubinCrc == crc ? collect_find_kernel(s, r, d->functionName) : -1;
    for (size_t k = 0; k < w->instances && kernel >= 0; k++)
      for (size_t m = 0; m < SASS_METRICS; m++) {
        if (!w->ids[m] || d->pInstanceValues[k].metricId != w->ids[m])
          continue;
        struct run_count *c = &out->counts[out->n_counts++];
        *c = (struct run_count){.module = out->module, .kernel = kernel, .offset = d->pcOffset};
        for (size_t other = 0; other < SASS_METRICS; other++)
          *member(c, other) = -1;
        *member(c, m) = (double)d->pInstanceValues[k].value;
      }
  }
  merge_counts(out);
  if (!out->n_counts)
    out->counts_reason = str_copy("CUPTI counted no instruction of its kernels");
}

static int read_counts(struct sass_counting *w, const struct session *s, struct ready *r, struct err *e) {
  uint64_t crc = 0;
  int rc = cupti_cubin_crc(&s->cupti, r->trial->compiled->cubin, r->trial->compiled->cubin_bytes, &crc, e);
  if (!rc)
    rc = sass_counting_read(w, e);
  if (!rc)
    put_counts(w, s, r, (uint32_t)crc);
  return rc; /* CUPTI keeps 32 bits here */
}

static int count_trial(struct sass_counting *w, struct session *s, struct ready *r, struct err *e) {
  session_beat(s, r->trial->index);
  collect_range_push(r);
  int rc = session_prepare(s, r, e);
  if (!rc)
    rc = session_wait(s, e); /* else resets and flush are patched and counted too */
  if (!rc)
    rc = sass_counting_on(w, e);
  bool on = !rc;
  if (!rc)
    rc = session_launch(s, r, e);
  if (!rc)
    rc = session_wait(s, e);
  if (!rc)
    rc = read_counts(w, s, r, e);
  if (on && sass_counting_off(w, NULL) && !rc)
    rc = err_set(e, ERR_GPU, "cuptiSassMetricsDisable failed: the kernels are still patched");
  collect_range_pop();
  return rc ? err_context(e, "%s", r->trial->plan.rung->id) : 0;
}

static int count_all(struct session *s, struct err *e) {
  if (!s->has_cupti)
    return err_set(e, s->cupti_error.code, "%s", s->cupti_error.text);
  struct sass_counting w;
  int rc = sass_counting_open(&w, &s->cupti, s->context, s->gpu->index, e);
  for (size_t i = 0; i < s->n_ready && !rc; i++) {
    struct ready *r = &s->ready[i];
    struct run_result *out = r->trial->result;
    if (out->n_counts || out->counts_reason) /* an earlier worker has been here */
      continue;
    if (rung_plan_calls(&r->trial->plan))
      out->counts_reason = str_copy("its kernels are a library's, whose SASS is not in this run");
    else
      rc = count_trial(&w, s, r, e);
    if (!rc)
      collect_emit(s, r);
  }
  if (!rc)
    session_beat(s, -1);
  sass_counting_close(&w);
  return rc;
}

static void explain_absence(struct run_result *r, const char *why) {
  if (!r->n_counts)
    collect_explain(&r->counts_reason, why);
}

PHASE_ROW(50, SASS, sass) = {
    .optional = true,
    .instrumented = true,
    .collect = count_all,
    .explain_absence = explain_absence,
};
