#include "profiler/cuda/range_profiler.h"

#include "base/text.h"
#include "profiler/cuda/cupti_calls.h"

#include <stdlib.h>
#include <string.h>

/* --- what is counted --- */

static int find_chip(struct counter_config *g, CUcontext context, int device, struct err *e) {
  const struct cupti *c = g->cupti;
  if (!c->cuptiDeviceGetChipName || !c->cuptiProfilerGetCounterAvailability || !c->cuptiRangeProfilerEnable ||
      !c->cuptiProfilerInitialize)
    return err_set(e, ERR_MACHINE, "%s is too old for the Range Profiler: it lacks %s; CUDA 13.0 has it", c->path,
                   c->missing);
  CUpti_Profiler_GetCounterAvailability_Params a = {
      .structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE, .ctx = context};
  const char *chip = NULL;
  int rc = cupti_chip(c, device, &chip, e);
  if (!rc && !(g->chip = str_copy(chip)))
    rc = err_nomem(e, "the chip's name");
  if (!rc)
    rc = CUPTI_CALL(c, cuptiProfilerGetCounterAvailability, &a, e);
  if (!rc && !(a.pCounterAvailabilityImage = g->availability = malloc(a.counterAvailabilityImageSize)))
    rc = err_nomem(e, "counter availability");
  return rc ? rc : CUPTI_CALL(c, cuptiProfilerGetCounterAvailability, &a, e);
}

static void add_name(void *context, const char *name) {
  name_list_add(context, name);
}

static int config_image(struct counter_config *g, enum counter_groups groups, struct err *e) {
  struct name_list lists[2] = {{0}, {0}}; /* apart or not */
  for (size_t i = 0; i < g->table.n && groups == COUNTERS_APART_FIRST; i++)
    if (g->chosen[i] && !pass_set_lacks(g->set, &g->table, i))
      expr_names(g->chosen[i], add_name, &lists[metric_group_apart(g->table.rows[i].group)]);
  int rc = metric_config(&g->host, &lists[1], groups == COUNTERS_APART_FIRST ? &lists[0] : &g->names, &g->image,
                         &g->image_bytes, &g->passes, e);
  for (int i = 0; i < 2; i++)
    name_list_release(&lists[i]);
  return rc;
}

/* What other sets alone need is not asked for. */
static void names_keep(struct counter_config *g) {
  g->names.n = 0;
  for (size_t i = 0; i < g->table.n; i++)
    if (g->chosen[i] && !pass_set_lacks(g->set, &g->table, i))
      expr_names(g->chosen[i], add_name, &g->names);
}

int counter_plan_make(struct counter_plan *out, const struct cupti *c, const char *chip, bool (*goes_on)(void),
                      struct err *e) {
  struct metric_host host = {0};
  *out = (struct counter_plan){0};
  int rc = metric_table_load(&out->table, e);
  if (!rc && (!(out->chip = str_copy(chip)) || !(out->chosen = calloc(out->table.n, sizeof *out->chosen))))
    rc = err_nomem(e, "metrics");
  if (!rc)
    rc = metric_host_open(&host, c, out->chip, NULL, e);
  host.goes_on = goes_on;
  if (!rc)
    rc = metric_choose(&out->table, &host, out->chosen, &out->names, e);
  if (!rc && !goes_on())
    rc = err_set(e, ERR_GPU, "the counters' plan was not finished");
  if (host.object)
    metric_host_close(&host);
  return rc;
}

void counter_plan_release(struct counter_plan *p) {
  metric_table_release(&p->table);
  name_list_release(&p->names);
  free(p->chosen);
  free(p->chip);
  *p = (struct counter_plan){0};
}

static bool plan_take(struct counter_config *g, struct counter_plan *plan, enum counter_groups groups) {
  if (!plan || !plan->chip || groups != COUNTERS_APART_FIRST || strcmp(plan->chip, g->chip) != 0 ||
      !metric_host_knows_all(&g->host, &plan->names))
    return false;
  g->table = plan->table;
  g->chosen = plan->chosen;
  g->names = plan->names;
  free(plan->chip);
  *plan = (struct counter_plan){0};
  return true;
}

static int choose(struct counter_config *g, enum counter_groups groups, struct err *e) {
  int rc = metric_table_load(&g->table, e);
  if (!rc && groups != COUNTERS_APART_FIRST)
    metric_table_keep(&g->table, groups == COUNTERS_APART);
  if (!rc && !(g->chosen = calloc(g->table.n, sizeof *g->chosen)))
    rc = err_nomem(e, "metrics");
  return rc ? rc : metric_choose(&g->table, &g->host, g->chosen, &g->names, e);
}

int counter_config_make(struct counter_config *out, const struct cupti *c, CUcontext context, int device,
                        enum counter_groups groups, struct pass_set set, struct counter_plan *plan, struct err *e) {
  *out = (struct counter_config){.cupti = c, .set = set};
  int rc = find_chip(out, context, device, e);
  if (!rc)
    rc = metric_host_open(&out->host, c, out->chip, out->availability, e);
  if (!rc && !plan_take(out, plan, groups))
    rc = choose(out, groups, e);
  if (!rc)
    names_keep(out);
  return rc ? rc : config_image(out, groups, e);
}

void counter_config_release(struct counter_config *g) {
  if (g->host.object)
    metric_host_close(&g->host);
  metric_table_release(&g->table);
  name_list_release(&g->names);
  free(g->chosen);
  free(g->chip);
  free(g->availability);
  free(g->image);
  *g = (struct counter_config){0};
}

/* --- a session --- */

int range_session_clear(struct range_session *s, struct err *e) {
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params init = {
      .structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE,
      .pRangeProfilerObject = s->profiler,
      .counterDataSize = s->image_bytes,
      .pCounterData = s->image};
  return CUPTI_CALL(s->config->cupti, cuptiRangeProfilerCounterDataImageInitialize, &init, e);
}

static int session_images(struct range_session *s, size_t ranges, struct err *e) {
  const struct counter_config *g = s->config;
  CUpti_RangeProfiler_GetCounterDataSize_Params size = {.structSize =
                                                            CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
                                                        .pRangeProfilerObject = s->profiler,
                                                        .pMetricNames = g->names.names,
                                                        .numMetrics = g->names.n,
                                                        .maxNumOfRanges = ranges,
                                                        .maxNumRangeTreeNodes = (uint32_t)ranges};
  int rc = CUPTI_CALL(g->cupti, cuptiRangeProfilerGetCounterDataSize, &size, e);
  s->image_bytes = size.counterDataSize;
  if (!rc && !(s->image = calloc(1, s->image_bytes)))
    rc = err_nomem(e, "counter data");
  if (!rc && !(s->values = calloc(g->names.n + 1, sizeof *s->values)))
    rc = err_nomem(e, "metric values");
  return rc ? rc : range_session_clear(s, e);
}

int range_session_open(struct range_session *out, const struct counter_config *g, CUcontext context, size_t ranges,
                       bool replay, struct err *e) {
  CUpti_RangeProfiler_Enable_Params on = {.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE, .ctx = context};
  *out = (struct range_session){.config = g, .replay = replay};
  int rc = CUPTI_CALL(g->cupti, cuptiRangeProfilerEnable, &on, e);
  if (rc)
    return rc;
  out->profiler = on.pRangeProfilerObject;
  rc = session_images(out, ranges, e);
  CUpti_RangeProfiler_SetConfig_Params config = {.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
                                                 .pRangeProfilerObject = out->profiler,
                                                 .configSize = g->image_bytes,
                                                 .pConfig = g->image,
                                                 .counterDataImageSize = out->image_bytes,
                                                 .pCounterDataImage = out->image,
                                                 .range = replay ? CUPTI_AutoRange : CUPTI_UserRange,
                                                 .replayMode = replay ? CUPTI_KernelReplay : CUPTI_UserReplay,
                                                 .maxRangesPerPass = ranges,
                                                 .numNestingLevels = 1,
                                                 .minNestingLevel = 1,
                                                 .passIndex = 0,
                                                 .targetNestingLevel = 1};
  /* Never twice in a session: on an H200 another configuration lost what the passes before it had
   * collected, or crashed. */
  return rc ? rc : CUPTI_CALL(g->cupti, cuptiRangeProfilerSetConfig, &config, e);
}

void range_session_close(struct range_session *s) {
  CUpti_RangeProfiler_Disable_Params off = {.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE,
                                            .pRangeProfilerObject = s->profiler};
  if (s->profiler)
    s->config->cupti->cuptiRangeProfilerDisable(&off);
  free(s->image);
  free(s->values);
  *s = (struct range_session){0};
}

/* --- passes and ranges --- */

int range_pass_begin(struct range_session *s, struct err *e) {
  CUpti_RangeProfiler_Start_Params p = {.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE,
                                        .pRangeProfilerObject = s->profiler};
  return CUPTI_CALL(s->config->cupti, cuptiRangeProfilerStart, &p, e);
}

int range_pass_end(struct range_session *s, bool *last, struct err *e) {
  CUpti_RangeProfiler_Stop_Params p = {.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE,
                                       .pRangeProfilerObject = s->profiler};
  int rc = CUPTI_CALL(s->config->cupti, cuptiRangeProfilerStop, &p, e);
  if (last)
    *last = p.isAllPassSubmitted;
  return rc;
}

int range_push(struct range_session *s, const char *name, struct err *e) {
  CUpti_RangeProfiler_PushRange_Params p = {.structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE,
                                            .pRangeProfilerObject = s->profiler,
                                            .pRangeName = name};
  return CUPTI_CALL(s->config->cupti, cuptiRangeProfilerPushRange, &p, e);
}

int range_pop(struct range_session *s, struct err *e) {
  CUpti_RangeProfiler_PopRange_Params p = {.structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE,
                                           .pRangeProfilerObject = s->profiler};
  return CUPTI_CALL(s->config->cupti, cuptiRangeProfilerPopRange, &p, e);
}

int range_decode(struct range_session *s, size_t *dropped, struct err *e) {
  CUpti_RangeProfiler_DecodeData_Params p = {.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE,
                                             .pRangeProfilerObject = s->profiler};
  int rc = CUPTI_CALL(s->config->cupti, cuptiRangeProfilerDecodeData, &p, e);
  *dropped = p.numOfRangeDropped;
  return rc;
}

/* --- values --- */

int range_count(const struct range_session *s, size_t *n, struct err *e) {
  CUpti_RangeProfiler_GetCounterDataInfo_Params p = {.structSize =
                                                         CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE,
                                                     .pCounterDataImage = s->image,
                                                     .counterDataImageSize = s->image_bytes};
  int rc = CUPTI_CALL(s->config->cupti, cuptiRangeProfilerGetCounterDataInfo, &p, e);
  *n = p.numTotalRanges;
  return rc;
}

int range_name(const struct range_session *s, size_t range, const char **name, struct err *e) {
  CUpti_RangeProfiler_CounterData_GetRangeInfo_Params p = {
      .structSize = CUpti_RangeProfiler_CounterData_GetRangeInfo_Params_STRUCT_SIZE,
      .pCounterDataImage = s->image,
      .counterDataImageSize = s->image_bytes,
      .rangeIndex = range,
      .rangeDelimiter = "/"};
  int rc = CUPTI_CALL(s->config->cupti, cuptiRangeProfilerCounterDataGetRangeInfo, &p, e);
  *name = p.rangeName;
  return rc;
}

int range_evaluate(struct range_session *s, size_t range, struct err *e) {
  const struct counter_config *g = s->config;
  CUpti_Profiler_Host_EvaluateToGpuValues_Params p = {.structSize =
                                                          CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE,
                                                      .pHostObject = g->host.object,
                                                      .pCounterDataImage = s->image,
                                                      .counterDataImageSize = s->image_bytes,
                                                      .rangeIndex = range,
                                                      .ppMetricNames = g->names.names,
                                                      .numMetrics = g->names.n,
                                                      .pMetricValues = s->values};
  return CUPTI_CALL(g->cupti, cuptiProfilerHostEvaluateToGpuValues, &p, e);
}

static bool lookup_value(void *context, const char *name, double *value) {
  const struct range_session *s = context;
  long i = name_list_find(&s->config->names, name);
  if (i >= 0)
    *value = s->values[i];
  return i >= 0;
}

int range_value(const struct range_session *s, size_t row, double *value, struct err *e) {
  const struct counter_config *g = s->config;
  if (!g->chosen[row])
    return err_set(e, ERR_MACHINE, "chip %s has no such counter", g->chip);
  if (pass_set_lacks(g->set, &g->table,
                     row)) /* its names may be there for another row, in passes that are not its own */
    return err_set(e, ERR_MACHINE, PASS_SET_LACKS);
  return expr_eval(g->chosen[row], lookup_value, (void *)s, value, e);
}

int counters_available(const struct cupti *c, CUcontext context, int device, struct err *e) {
  struct counter_config config;
  struct range_session session = {0};
  int rc = counter_config_make(&config, c, context, device, COUNTERS_SHARED, (struct pass_set){0}, NULL, e);
  if (!rc)
    rc = range_session_open(&session, &config, context, 1, false, e);
  range_session_close(&session);
  counter_config_release(&config);
  return rc;
}
