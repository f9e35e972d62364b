/* Exact counts: CUPTI SASS metrics, instruction by instruction, of one launch of the whole rung.
 *
 * CUPTI patches the kernels with counting code and takes it out again when counting ends; a patched kernel runs many times longer, so its time is
 * of no use.  Patching is lazy: each kernel is patched at its first launch while counting is on, which is the rung's own, since resets and
 * the flush ran before; eager patching would patch every loaded module.  Modules that were loaded long before can be patched.  Seen on an H200 (CUPTI
 * 13.0, 2026-11-21): patching and running a kernel of 240 instructions took 1.2 ms, reading and unpatching it under 0.1 ms, and its time
 * afterwards was as before.  A second cuptiSassMetricsSetConfig in one process failed (out of memory) even after the first was taken back, so
 * there is one for all jobs, and this phase is run once a process.
 */
#include "profiler/measure/collect.h"

#include "base/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What is counted, by CUPTI's names, and where it goes.  A chip may lack some. */
static const struct {
  const char *name;
  size_t at; /* in struct run_count */
} wanted[] = {
    {"smsp__sass_inst_executed", offsetof(struct run_count, executed)},
    {"smsp__sass_thread_inst_executed_pred_on", offsetof(struct run_count, threads)},
    {"smsp__sass_sectors_mem_global", offsetof(struct run_count, global_sectors)},
    {"smsp__sass_sectors_mem_global_ideal", offsetof(struct run_count, global_sectors_ideal)},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", offsetof(struct run_count, shared_wavefronts)},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal", offsetof(struct run_count, shared_wavefronts_ideal)},
};
enum { WANTED = sizeof wanted / sizeof wanted[0] };

struct patching {
  struct session *s;
  bool configured;
  uint64_t ids[WANTED]; /* 0: this chip lacks it */
  CUpti_SassMetrics_Data *data;
  CUpti_SassMetrics_InstanceValue *values;
};

#define CUPTI(call, p) cupti_check(c, c->call(p), #call, e)

static int patching_open(struct patching *w, struct session *s, struct err *e) {
  const struct cupti *c = &s->cupti;
  const char *chip = NULL;
  *w = (struct patching){.s = s};
  if (!s->has_cupti)
    return err_set(e, s->cupti_error.code, "%s", s->cupti_error.text);
  if (!c->cuptiGetCubinCrc || !c->cuptiSassMetricsGetProperties || !c->cuptiSassMetricsSetConfig ||
      !c->cuptiSassMetricsUnsetConfig || !c->cuptiSassMetricsEnable || !c->cuptiSassMetricsDisable ||
      !c->cuptiSassMetricsGetDataProperties || !c->cuptiSassMetricsFlushData)
    return err_set(e, ERR_MACHINE, "%s is too old for SASS metrics: it lacks %s; CUDA 13.0 has it", c->path,
                   c->missing);
  int result = collect_chip(s, &chip, e);
  if (result)
    return result;
  CUpti_SassMetrics_Config config[WANTED];
  size_t n = 0;
  for (size_t i = 0; i < WANTED && !result; i++) {
    CUpti_SassMetrics_GetProperties_Params p = {.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE,
                                                .pChipName = chip,
                                                .pMetricName = wanted[i].name};
    CUptiResult known = c->cuptiSassMetricsGetProperties(&p);
    if (known != CUPTI_SUCCESS && i == 0) /* without it the others say nothing */
      result = err_context((cupti_check(c, known, "cuptiSassMetricsGetProperties", e), e), "%s", wanted[i].name);
    if (known != CUPTI_SUCCESS)
      continue;
    w->ids[i] = p.metric.metricId;
    config[n++] = (CUpti_SassMetrics_Config){p.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU};
  }
  CUpti_SassMetricsSetConfig_Params set = {.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE,
                                           .numOfMetricConfig = n,
                                           .pConfigs = config,
                                           .deviceIndex = (uint32_t)s->gpu->index};
  if (!result)
    result = CUPTI(cuptiSassMetricsSetConfig, &set);
  w->configured = !result;
  return result;
}

static void patching_close(struct patching *w) {
  CUpti_SassMetricsUnsetConfig_Params unset = {.structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE,
                                               .deviceIndex = (uint32_t)w->s->gpu->index};
  if (w->configured)
    w->s->cupti.cuptiSassMetricsUnsetConfig(&unset);
  free(w->data);
  free(w->values);
}

static int compare_counts(const void *a, const void *b) {
  const struct run_count *x = a, *y = b;
  if (x->kernel != y->kernel)
    return x->kernel < y->kernel ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static double *member(struct run_count *c, size_t which) {
  return (double *)(void *)((char *)c + wanted[which].at);
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
    for (size_t k = 0; k < WANTED; k++) {
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
static int put_counts(struct patching *w, struct ready *r, uint32_t crc, size_t records, size_t instances,
                      struct err *e) {
  struct run_result *out = r->job->result;
  struct run_count *counts = calloc(records * instances + 1, sizeof *counts);
  if (!counts)
    return err_nomem(e, "instruction counts");
  free(out->counts);
  out->counts = counts;
  out->n_counts = 0;
  for (size_t i = 0; i < records; i++) {
    const CUpti_SassMetrics_Data *d = &w->data[i];
    int kernel = d->cubinCrc == crc ? collect_find_kernel(w->s, r, d->functionName) : -1;
    for (size_t k = 0; k < instances && kernel >= 0; k++)
      for (size_t m = 0; m < WANTED; m++) {
        if (!w->ids[m] || d->pInstanceValues[k].metricId != w->ids[m])
          continue;
        struct run_count *c = &out->counts[out->n_counts++];
        *c = (struct run_count){.module = out->module, .kernel = kernel, .offset = d->pcOffset};
        for (size_t other = 0; other < WANTED; other++)
          *member(c, other) = -1;
        *member(c, m) = (double)d->pInstanceValues[k].value;
      }
  }
  merge_counts(out);
  if (!out->n_counts)
    out->counts_reason = str_copy("CUPTI counted no instruction of its kernels");
  return 0;
}

/* Reads what was counted since counting was enabled. */
static int read_counts(struct patching *w, struct ready *r, struct err *e) {
  const struct cupti *c = &w->s->cupti;
  CUpti_GetCubinCrcParams crc = {.size = CUpti_GetCubinCrcParamsSize,
                                 .cubinSize = r->job->compiled->cubin_bytes,
                                 .cubin = r->job->compiled->cubin};
  CUpti_SassMetricsGetDataProperties_Params p = {.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE,
                                                 .ctx = w->s->context};
  int result = CUPTI(cuptiGetCubinCrc, &crc);
  if (!result)
    result = CUPTI(cuptiSassMetricsGetDataProperties, &p);
  if (result)
    return result;
  size_t records = p.numOfPatchedInstructionRecords, instances = p.numOfInstances;
  free(w->data);
  free(w->values);
  w->data = calloc(records + 1, sizeof *w->data);
  w->values = calloc(records * instances + 1, sizeof *w->values);
  if (!w->data || !w->values)
    return err_nomem(e, "instruction counts");
  for (size_t i = 0; i < records; i++)
    w->data[i] = (CUpti_SassMetrics_Data){.structSize = sizeof *w->data, .pInstanceValues = w->values + i * instances};
  CUpti_SassMetricsFlushData_Params flush = {.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE,
                                             .ctx = w->s->context,
                                             .numOfPatchedInstructionRecords = records,
                                             .numOfInstances = instances,
                                             .pMetricsData = w->data};
  if (records && instances)
    result = CUPTI(cuptiSassMetricsFlushData, &flush);
  return result ? result
                : put_counts(w, r, (uint32_t)crc.cubinCrc, records, instances, e); /* CUPTI keeps 32 bits here */
}

static int count_job(struct patching *w, struct ready *r, struct err *e) {
  const struct cupti *c = &w->s->cupti;
  CUpti_SassMetricsEnable_Params on = {
      .structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE, .ctx = w->s->context, .enableLazyPatching = 1};
  CUpti_SassMetricsDisable_Params off = {.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE,
                                         .ctx = w->s->context};
  session_beat(w->s, r->job->index);
  collect_range_push(r);
  int result = session_prepare(w->s, r, e);
  if (!result)
    result = session_wait(w->s, e); /* else resets and flush are patched and counted too */
  if (!result)
    result = CUPTI(cuptiSassMetricsEnable, &on);
  bool enabled = !result;
  if (!result)
    result = session_launch(w->s, r, e);
  if (!result)
    result = session_wait(w->s, e);
  if (!result)
    result = read_counts(w, r, e);
  if (enabled && c->cuptiSassMetricsDisable(&off) != CUPTI_SUCCESS && !result)
    result = err_set(e, ERR_GPU, "cuptiSassMetricsDisable failed: the kernels are still patched");
  collect_range_pop();
  return result ? err_context(e, "%s", r->job->plan.rung->id) : 0;
}

static int count_all(struct session *s, struct err *e) {
  struct patching w;
  int result = patching_open(&w, s, e);
  for (size_t i = 0; i < s->n_ready && !result; i++) {
    struct ready *r = &s->ready[i];
    struct run_result *out = r->job->result;
    if (out->n_counts || out->counts_reason) /* an earlier worker has been here */
      continue;
    if (rung_plan_calls(&r->job->plan))
      out->counts_reason = str_copy("its kernels are a library's, whose SASS is not in this run");
    else
      result = count_job(&w, r, e);
    if (!result)
      collect_emit(s, r);
  }
  if (!result)
    session_beat(s, -1);
  patching_close(&w);
  return result;
}

int sass_available(struct session *s, struct err *e) {
  struct patching w;
  int result = patching_open(&w, s, e);
  patching_close(&w);
  return result;
}

const struct collector collect_sass = {
    .phase = "sass", .each = true, .optional = true, .instrumented = true, .collect = count_all};
