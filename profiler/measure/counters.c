/* Counters: the CUPTI Range Profiler with user ranges and user replay.
 *
 * Every job is a range; the whole list is replayed once a pass, each launch after its own flush, so nothing is saved and restored and the caches
 * are in the state that the L2 policy asks for.  A range holds more than the kernel, so rates are counts over activity time, never over a
 * range's own duration.
 */
#include "profiler/cuda/counter_table.h"
#include "profiler/measure/collect.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The group `clock` is counted by itself, in one pass: metric_group_apart says why. */
enum batch { BATCH_MANY, BATCH_CLOCK, BATCHES };

struct counting { /* the state of one batch; all zero before it opens */
  struct session *s;
  enum batch batch;
  struct metric_table table;
  struct metric_host host;
  struct name_list names;
  const struct expr **chosen;
  char *chip;
  uint8_t *availability, *config, *data;
  size_t config_bytes, data_bytes, passes;
  CUpti_RangeProfiler_Object *profiler;
  double *values; /* one a name */
};

#define CUPTI(call, p) cupti_check(c, c->call(p), #call, e)

static int find_chip(struct counting *w, struct err *e) {
  const struct cupti *c = &w->s->cupti;
  if (!c->cuptiDeviceGetChipName || !c->cuptiProfilerGetCounterAvailability || !c->cuptiRangeProfilerEnable ||
      !c->cuptiProfilerInitialize)
    return err_set(e, ERR_MACHINE, "%s is too old for the Range Profiler: it lacks %s; CUDA 13.0 has it", c->path,
                   c->missing);
  CUpti_Profiler_Initialize_Params init = {.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  CUpti_Device_GetChipName_Params chip = {.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE,
                                          .deviceIndex = (size_t)w->s->gpu->index};
  CUpti_Profiler_GetCounterAvailability_Params a = {
      .structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE, .ctx = w->s->context};
  int result = CUPTI(cuptiProfilerInitialize, &init);
  if (!result)
    result = CUPTI(cuptiDeviceGetChipName, &chip);
  if (!result && !(w->chip = str_copy(chip.pChipName)))
    result = err_nomem(e, "the chip's name");
  if (!result)
    result = CUPTI(cuptiProfilerGetCounterAvailability, &a);
  if (!result && !(a.pCounterAvailabilityImage = w->availability = malloc(a.counterAvailabilityImageSize)))
    result = err_nomem(e, "counter availability");
  return result ? result : CUPTI(cuptiProfilerGetCounterAvailability, &a);
}

static int configure(struct counting *w, struct err *e) {
  int result = find_chip(w, e);
  if (!result)
    result = metric_table_load(&w->table, e);
  if (!result)
    metric_table_keep(&w->table, w->batch == BATCH_CLOCK);
  if (!result && !(w->chosen = calloc(w->table.n, sizeof(struct expr *))))
    result = err_nomem(e, "metrics");
  if (!result)
    result = metric_host_open(&w->host, &w->s->cupti, w->chip, w->availability, e);
  if (!result)
    result = metric_choose(&w->table, &w->host, w->chosen, &w->names, e);
  if (!result)
    result = metric_config(&w->host, &w->names, &w->config, &w->config_bytes, &w->passes, e);
  if (!result && !(w->values = calloc(w->names.n, sizeof *w->values)))
    result = err_nomem(e, "metric values");
  return result;
}

static int enable(struct counting *w, struct err *e) {
  const struct cupti *c = &w->s->cupti;
  size_t ranges = w->s->n_ready ? w->s->n_ready : 1; /* a probe has no jobs */
  CUpti_RangeProfiler_Enable_Params on = {.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE,
                                          .ctx = w->s->context};
  int result = CUPTI(cuptiRangeProfilerEnable, &on);
  if (result)
    return result;
  w->profiler = on.pRangeProfilerObject;
  CUpti_RangeProfiler_GetCounterDataSize_Params size = {.structSize =
                                                            CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
                                                        .pRangeProfilerObject = w->profiler,
                                                        .pMetricNames = w->names.names,
                                                        .numMetrics = w->names.n,
                                                        .maxNumOfRanges = ranges,
                                                        .maxNumRangeTreeNodes = (uint32_t)ranges};
  result = CUPTI(cuptiRangeProfilerGetCounterDataSize, &size);
  w->data_bytes = size.counterDataSize;
  if (!result && !(w->data = calloc(1, w->data_bytes)))
    result = err_nomem(e, "counter data");
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params init = {
      .structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE,
      .pRangeProfilerObject = w->profiler,
      .counterDataSize = w->data_bytes,
      .pCounterData = w->data};
  if (!result)
    result = CUPTI(cuptiRangeProfilerCounterDataImageInitialize, &init);
  CUpti_RangeProfiler_SetConfig_Params config = {.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
                                                 .pRangeProfilerObject = w->profiler,
                                                 .configSize = w->config_bytes,
                                                 .pConfig = w->config,
                                                 .counterDataImageSize = w->data_bytes,
                                                 .pCounterDataImage = w->data,
                                                 .range = CUPTI_UserRange,
                                                 .replayMode = CUPTI_UserReplay,
                                                 .maxRangesPerPass = ranges,
                                                 .numNestingLevels = 1,
                                                 .minNestingLevel = 1,
                                                 .passIndex = 0,
                                                 .targetNestingLevel = 1};
  return result ? result : CUPTI(cuptiRangeProfilerSetConfig, &config);
}

static int run_range(struct counting *w, struct ready *r, struct err *e) {
  const struct cupti *c = &w->s->cupti;
  char name[32];
  snprintf(name, sizeof name, "%ld", r->job->index);
  CUpti_RangeProfiler_PushRange_Params push = {.structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE,
                                               .pRangeProfilerObject = w->profiler,
                                               .pRangeName = name};
  CUpti_RangeProfiler_PopRange_Params pop = {.structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE,
                                             .pRangeProfilerObject = w->profiler};
  session_beat(w->s, r->job->index);
  collect_range_push(r);
  int result = session_prepare(w->s, r, e);
  if (!result)
    result = session_wait(w->s, e); /* the flush must have ended before the range opens */
  if (!result)
    result = CUPTI(cuptiRangeProfilerPushRange, &push);
  if (!result)
    result = session_launch(w->s, r, e);
  if (!result)
    result = session_wait(w->s, e); /* and the kernel before it closes */
  if (!result)
    result = CUPTI(cuptiRangeProfilerPopRange, &pop);
  collect_range_pop();
  return result ? err_context(e, "%s", r->job->plan.rung->id) : 0;
}

static int run_passes(struct counting *w, struct err *e) {
  const struct cupti *c = &w->s->cupti;
  enum { PASSES_MAX = 200 };
  CUpti_RangeProfiler_Start_Params start = {.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE,
                                            .pRangeProfilerObject = w->profiler};
  CUpti_RangeProfiler_Stop_Params stop = {.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE,
                                          .pRangeProfilerObject = w->profiler};
  int result = 0;
  for (int pass = 0; !result && !stop.isAllPassSubmitted; pass++) {
    if (pass == PASSES_MAX)
      return err_set(e, ERR_GPU, "CUPTI asks for more than %d passes", PASSES_MAX);
    atomic_store(&w->s->pulse->total, w->passes);
    atomic_store(&w->s->pulse->done, (size_t)pass);
    result = CUPTI(cuptiRangeProfilerStart, &start);
    for (size_t i = 0; i < w->s->n_ready && !result; i++)
      result = run_range(w, &w->s->ready[i], e);
    if (!result) {
      session_beat(w->s, -1); /* no job's from here on */
      result = CUPTI(cuptiRangeProfilerStop, &stop);
    }
  }
  CUpti_RangeProfiler_DecodeData_Params decode = {.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE,
                                                  .pRangeProfilerObject = w->profiler};
  if (!result)
    result = CUPTI(cuptiRangeProfilerDecodeData, &decode);
  if (!result && decode.numOfRangeDropped)
    result = err_set(e, ERR_GPU, "CUPTI dropped %zu ranges", decode.numOfRangeDropped);
  return result;
}

static bool lookup_value(void *context, const char *name, double *value) {
  const struct counting *w = context;
  long i = name_list_find(&w->names, name);
  if (i >= 0)
    *value = w->values[i];
  return i >= 0;
}

static int add_metric(struct counting *w, size_t row, struct run_result *out) {
  const struct metric_row *r = &w->table.rows[row];
  struct err why = {0};
  struct run_metric m = {.name = str_copy(r->name), .unit = str_copy(r->unit)};
  if (!w->chosen[row]) {
    m.reason = str_printf("chip %s has no such counter", w->chip);
  } else if (expr_eval(w->chosen[row], lookup_value, w, &m.value, &why)) {
    m.value = 0;
    m.reason = str_copy(why.text);
    m.source = str_copy(expr_text(w->chosen[row]));
  } else {
    m.present = true;
    m.source = str_copy(expr_text(w->chosen[row]));
  }
  return collect_put_metric(out, &m);
}

static struct ready *find_ready(struct session *s, const char *range_name) {
  long index = strtol(range_name, NULL, 10);
  for (size_t i = 0; i < s->n_ready; i++)
    if (s->ready[i].job->index == index)
      return &s->ready[i];
  return NULL;
}

/* Reads one range's values into its job's result. */
static int read_range(struct counting *w, size_t range, struct err *e) {
  const struct cupti *c = &w->s->cupti;
  CUpti_RangeProfiler_CounterData_GetRangeInfo_Params info = {
      .structSize = CUpti_RangeProfiler_CounterData_GetRangeInfo_Params_STRUCT_SIZE,
      .pCounterDataImage = w->data,
      .counterDataImageSize = w->data_bytes,
      .rangeIndex = range,
      .rangeDelimiter = "/"};
  CUpti_Profiler_Host_EvaluateToGpuValues_Params values = {
      .structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE,
      .pHostObject = w->host.object,
      .pCounterDataImage = w->data,
      .counterDataImageSize = w->data_bytes,
      .rangeIndex = range,
      .ppMetricNames = w->names.names,
      .numMetrics = w->names.n,
      .pMetricValues = w->values};
  int result = CUPTI(cuptiRangeProfilerCounterDataGetRangeInfo, &info);
  if (!result)
    result = CUPTI(cuptiProfilerHostEvaluateToGpuValues, &values);
  struct ready *r = result ? NULL : find_ready(w->s, info.rangeName);
  if (!r)
    return result;
  for (size_t i = 0; i < w->table.n; i++)
    if (add_metric(w, i, r->job->result))
      return err_nomem(e, "metrics");
  collect_emit(w->s, r);
  return 0;
}

static int read_ranges(struct counting *w, struct err *e) {
  const struct cupti *c = &w->s->cupti;
  CUpti_RangeProfiler_GetCounterDataInfo_Params info = {.structSize =
                                                            CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE,
                                                        .pCounterDataImage = w->data,
                                                        .counterDataImageSize = w->data_bytes};
  int result = CUPTI(cuptiRangeProfilerGetCounterDataInfo, &info);
  for (size_t i = 0; i < info.numTotalRanges && !result; i++)
    result = read_range(w, i, e);
  return result;
}

static void counting_close(struct counting *w) {
  const struct cupti *c = &w->s->cupti;
  CUpti_RangeProfiler_Disable_Params off = {.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE,
                                            .pRangeProfilerObject = w->profiler};
  if (w->profiler)
    c->cuptiRangeProfilerDisable(&off);
  if (w->host.object)
    metric_host_close(&w->host);
  metric_table_release(&w->table);
  name_list_release(&w->names);
  free(w->chosen);
  free(w->chip);
  free(w->availability);
  free(w->config);
  free(w->data);
  free(w->values);
}

static int count_batch(struct session *s, enum batch batch, struct err *e) {
  struct counting w = {.s = s, .batch = batch};
  int result = configure(&w, e);
  if (!result)
    result = enable(&w, e);
  if (!result)
    result = run_passes(&w, e);
  if (!result)
    result = read_ranges(&w, e);
  counting_close(&w);
  return result;
}

static int count_all(struct session *s, struct err *e) {
  if (!s->has_cupti)
    return err_set(e, s->cupti_error.code, "%s", s->cupti_error.text);
  int result = 0;
  for (enum batch b = 0; b < BATCHES && !result; b++)
    result = count_batch(s, b, e);
  return result;
}

int counters_available(struct session *s, struct err *e) {
  struct counting w = {.s = s};
  int result = configure(&w, e);
  if (!result)
    result = enable(&w, e);
  counting_close(&w);
  return result;
}

const struct collector collect_counters = {.phase = "counters", .optional = true, .collect = count_all};
