#include "profiler/cuda/sass_metrics.h"

#include "profiler/cuda/cupti_calls.h"

#include <stdlib.h>

const struct sass_metric sass_metrics[SASS_METRICS] = {
    {"smsp__sass_inst_executed", offsetof(struct run_count, executed)},
    {"smsp__sass_thread_inst_executed_pred_on", offsetof(struct run_count, threads)},
    {"smsp__sass_sectors_mem_global", offsetof(struct run_count, global_sectors)},
    {"smsp__sass_sectors_mem_global_ideal", offsetof(struct run_count, global_sectors_ideal)},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", offsetof(struct run_count, shared_wavefronts)},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal", offsetof(struct run_count, shared_wavefronts_ideal)},
};

static int configure(struct sass_counting *s, const char *chip, struct err *e) {
  const struct cupti *c = s->cupti;
  CUpti_SassMetrics_Config config[SASS_METRICS];
  size_t n = 0;
  for (size_t i = 0; i < SASS_METRICS; i++) {
    CUpti_SassMetrics_GetProperties_Params p = {.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE,
                                                .pChipName = chip,
                                                .pMetricName = sass_metrics[i].name};
    int rc = CUPTI_CALL(c, cuptiSassMetricsGetProperties, &p, i ? NULL : e);
    if (rc && i == 0) /* without it the others say nothing */
      return err_context(e, "%s", sass_metrics[i].name);
    if (rc)
      continue;
    s->ids[i] = p.metric.metricId;
    config[n++] = (CUpti_SassMetrics_Config){p.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU};
  }
  CUpti_SassMetricsSetConfig_Params set = {.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE,
                                           .numOfMetricConfig = n,
                                           .pConfigs = config,
                                           .deviceIndex = (uint32_t)s->device};
  return CUPTI_CALL(c, cuptiSassMetricsSetConfig, &set, e);
}

int sass_counting_open(struct sass_counting *out, const struct cupti *c, CUcontext context, int device, struct err *e) {
  const char *chip = NULL;
  *out = (struct sass_counting){.cupti = c, .context = context, .device = device};
  if (!c->cuptiGetCubinCrc || !c->cuptiSassMetricsGetProperties || !c->cuptiSassMetricsSetConfig ||
      !c->cuptiSassMetricsUnsetConfig || !c->cuptiSassMetricsEnable || !c->cuptiSassMetricsDisable ||
      !c->cuptiSassMetricsGetDataProperties || !c->cuptiSassMetricsFlushData)
    return err_set(e, ERR_MACHINE, "%s is too old for SASS metrics: it lacks %s; CUDA 13.0 has it", c->path,
                   c->missing);
  int rc = cupti_chip(c, device, &chip, e);
  if (!rc)
    rc = configure(out, chip, e);
  out->configured = !rc;
  return rc;
}

void sass_counting_close(struct sass_counting *s) {
  CUpti_SassMetricsUnsetConfig_Params unset = {.structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE,
                                               .deviceIndex = (uint32_t)s->device};
  if (s->configured)
    s->cupti->cuptiSassMetricsUnsetConfig(&unset);
  free(s->data);
  free(s->values);
}

int sass_counting_on(struct sass_counting *s, struct err *e) {
  CUpti_SassMetricsEnable_Params p = {
      .structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE, .ctx = s->context, .enableLazyPatching = 1};
  return CUPTI_CALL(s->cupti, cuptiSassMetricsEnable, &p, e);
}

int sass_counting_off(struct sass_counting *s, struct err *e) {
  CUpti_SassMetricsDisable_Params p = {.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE, .ctx = s->context};
  return CUPTI_CALL(s->cupti, cuptiSassMetricsDisable, &p, e);
}

int sass_counting_read(struct sass_counting *s, struct err *e) {
  CUpti_SassMetricsGetDataProperties_Params p = {.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE,
                                                 .ctx = s->context};
  int rc = CUPTI_CALL(s->cupti, cuptiSassMetricsGetDataProperties, &p, e);
  if (rc)
    return rc;
  s->records = p.numOfPatchedInstructionRecords;
  s->instances = p.numOfInstances;
  free(s->data);
  free(s->values);
  s->data = calloc(s->records + 1, sizeof *s->data);
  s->values = calloc(s->records * s->instances + 1, sizeof *s->values);
  if (!s->data || !s->values)
    return err_nomem(e, "instruction counts");
  for (size_t i = 0; i < s->records; i++)
    s->data[i] =
        (CUpti_SassMetrics_Data){.structSize = sizeof *s->data, .pInstanceValues = s->values + i * s->instances};
  CUpti_SassMetricsFlushData_Params flush = {.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE,
                                             .ctx = s->context,
                                             .numOfPatchedInstructionRecords = s->records,
                                             .numOfInstances = s->instances,
                                             .pMetricsData = s->data};
  return s->records && s->instances ? CUPTI_CALL(s->cupti, cuptiSassMetricsFlushData, &flush, e) : 0;
}

int sass_available(const struct cupti *c, CUcontext context, int device, struct err *e) {
  struct sass_counting s;
  int rc = sass_counting_open(&s, c, context, device, e);
  sass_counting_close(&s);
  return rc;
}
