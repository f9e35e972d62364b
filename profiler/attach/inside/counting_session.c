/* The Range Profiler: set up once, a session for all kernels. */
#include "profiler/attach/inside/counting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct counting counting = {.busy = PTHREAD_MUTEX_INITIALIZER};

#define CUPTI(call, p) cupti_check(c, c->call(p), #call, e)

/* --- setting up --- */

static int find_chip(CUcontext context, struct err *e) {
  const struct cupti *c = &injection.cupti;
  if (!c->cuptiDeviceGetChipName || !c->cuptiProfilerGetCounterAvailability || !c->cuptiRangeProfilerEnable ||
      !c->cuptiProfilerInitialize)
    return err_set(e, ERR_MACHINE, "%s is too old for the Range Profiler: it lacks %s; CUDA 13.0 has it", c->path,
                   c->missing);
  if (injection.current_device)
    injection.current_device(&counting.device);
  CUpti_Profiler_Initialize_Params init = {.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  CUpti_Device_GetChipName_Params chip = {.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE,
                                          .deviceIndex = (size_t)counting.device};
  CUpti_Profiler_GetCounterAvailability_Params a = {
      .structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE, .ctx = context};
  cupti_companions(c);
  int result = CUPTI(cuptiProfilerInitialize, &init);
  if (!result)
    result = CUPTI(cuptiDeviceGetChipName, &chip);
  if (!result && !(counting.chip = str_copy(chip.pChipName)))
    result = err_nomem(e, "the chip's name");
  if (!result)
    result = CUPTI(cuptiProfilerGetCounterAvailability, &a);
  if (!result && !(a.pCounterAvailabilityImage = counting.availability = malloc(a.counterAvailabilityImageSize)))
    result = err_nomem(e, "counter availability");
  return result ? result : CUPTI(cuptiProfilerGetCounterAvailability, &a);
}

static void add_name(void *context, const char *name) {
  name_list_add(context, name);
}

/* One configuration, whose first pass is the group `clock` by itself. */
static int configure(struct err *e) {
  struct name_list lists[2] = {{0}, {0}}; /* apart or not */
  for (size_t i = 0; i < counting.table.n; i++)
    if (counting.chosen[i])
      expr_names(counting.chosen[i], add_name, &lists[metric_group_apart(counting.table.rows[i].group)]);
  int result = metric_config_apart(&counting.host, &lists[1], &lists[0], &counting.config, &counting.config_bytes,
                                   &counting.passes, e);
  if (!result && counting.passes > PASSES_MAX)
    result = err_set(e, ERR_GPU, "CUPTI asks for %zu passes, more than %d", counting.passes, PASSES_MAX);
  for (int i = 0; i < 2; i++)
    name_list_release(&lists[i]);
  return result;
}

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int counting_set_up(CUcontext context, struct err *e) {
  const struct cupti *c = &injection.cupti;
  double start_s = now_s();
  int result = find_chip(context, e);
  if (!result)
    result = metric_host_open(&counting.host, c, counting.chip, counting.availability, e);
  if (!result)
    result = metric_table_load(&counting.table, e);
  if (!result && !(counting.chosen = calloc(counting.table.n, sizeof *counting.chosen)))
    result = err_nomem(e, "metrics");
  if (!result)
    result = metric_choose(&counting.table, &counting.host, counting.chosen, &counting.names, e);
  if (!result)
    result = configure(e);
  if (!result && !(counting.values = calloc(counting.names.n, sizeof *counting.values)))
    result = err_nomem(e, "metric values");
  counting.ready = !result;
  counting.setup_s = now_s() - start_s;
  return result;
}

/* --- a session --- */

static int image_clear(struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params init = {
      .structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE,
      .pRangeProfilerObject = counting.profiler,
      .counterDataSize = counting.image_bytes,
      .pCounterData = counting.image};
  return CUPTI(cuptiRangeProfilerCounterDataImageInitialize, &init);
}

static int image_make(struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUpti_RangeProfiler_GetCounterDataSize_Params size = {.structSize =
                                                            CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
                                                        .pRangeProfilerObject = counting.profiler,
                                                        .pMetricNames = counting.names.names,
                                                        .numMetrics = counting.names.n,
                                                        .maxNumOfRanges = counting.n_slots,
                                                        .maxNumRangeTreeNodes = (uint32_t)counting.n_slots};
  int result = CUPTI(cuptiRangeProfilerGetCounterDataSize, &size);
  counting.image_bytes = size.counterDataSize;
  if (!result && !(counting.image = calloc(1, counting.image_bytes)))
    result = err_nomem(e, "counter data");
  return result ? result : image_clear(e);
}

int session_open(CUcontext context, bool replay, size_t n_slots, struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUpti_RangeProfiler_Enable_Params on = {.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE, .ctx = context};
  int result = CUPTI(cuptiRangeProfilerEnable, &on);
  if (result)
    return result;
  counting.profiler = on.pRangeProfilerObject;
  counting.context = context;
  counting.replay = replay;
  counting.n_slots = replay ? 1 : n_slots;
  counting.pass = 0;
  counting.sessions++;
  result = image_make(e);
  CUpti_RangeProfiler_SetConfig_Params config = {.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
                                                 .pRangeProfilerObject = counting.profiler,
                                                 .configSize = counting.config_bytes,
                                                 .pConfig = counting.config,
                                                 .counterDataImageSize = counting.image_bytes,
                                                 .pCounterDataImage = counting.image,
                                                 .range = replay ? CUPTI_AutoRange : CUPTI_UserRange,
                                                 .replayMode = replay ? CUPTI_KernelReplay : CUPTI_UserReplay,
                                                 .maxRangesPerPass = counting.n_slots,
                                                 .numNestingLevels = 1,
                                                 .minNestingLevel = 1,
                                                 .passIndex = 0,
                                                 .targetNestingLevel = 1};
  /* Never twice in a session: on an H200 another configuration lost what the passes before it had collected, or crashed. */
  return result ? result : CUPTI(cuptiRangeProfilerSetConfig, &config);
}

bool slot_take(struct kernel *k) {
  size_t at = 0;
  while (at < counting.n_slots && counting.slots[at])
    at++;
  if (at == counting.n_slots)
    return false;
  counting.slots[at] = k;
  return k->counted->has_slot = true;
}

static size_t slot_of(const struct kernel *k) {
  size_t at = 0;
  while (counting.slots[at] != k)
    at++;
  return at;
}

/* --- values --- */

static bool lookup_value(void *context, const char *name, double *value) {
  (void)context;
  long i = name_list_find(&counting.names, name);
  if (i >= 0)
    *value = counting.values[i];
  return i >= 0;
}

static int read_range(size_t range, struct kernel *k, struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUpti_Profiler_Host_EvaluateToGpuValues_Params p = {.structSize =
                                                          CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE,
                                                      .pHostObject = counting.host.object,
                                                      .pCounterDataImage = counting.image,
                                                      .counterDataImageSize = counting.image_bytes,
                                                      .rangeIndex = range,
                                                      .ppMetricNames = counting.names.names,
                                                      .numMetrics = counting.names.n,
                                                      .pMetricValues = counting.values};
  int result = CUPTI(cuptiProfilerHostEvaluateToGpuValues, &p);
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < counting.table.n && !result; i++) {
    double value = NAN;
    if (counting.chosen[i] && expr_eval(counting.chosen[i], lookup_value, NULL, &value, NULL))
      value = NAN;
    k->counted->latest[i] = value;
  }
  injection.dirty = true;
  pthread_mutex_unlock(&injection.lock);
  return result;
}

static struct kernel *range_kernel(size_t range, struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUpti_RangeProfiler_CounterData_GetRangeInfo_Params info = {
      .structSize = CUpti_RangeProfiler_CounterData_GetRangeInfo_Params_STRUCT_SIZE,
      .pCounterDataImage = counting.image,
      .counterDataImageSize = counting.image_bytes,
      .rangeIndex = range,
      .rangeDelimiter = "/"};
  if (counting.replay) /* CUPTI names these by itself; there is one */
    return counting.slots[0];
  if (CUPTI(cuptiRangeProfilerCounterDataGetRangeInfo, &info))
    return NULL;
  size_t at = info.rangeName ? strtoul(info.rangeName, NULL, 10) : SLOTS_MAX;
  return at < counting.n_slots ? counting.slots[at] : NULL;
}

int session_read(struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUpti_RangeProfiler_GetCounterDataInfo_Params info = {.structSize =
                                                            CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE,
                                                        .pCounterDataImage = counting.image,
                                                        .counterDataImageSize = counting.image_bytes};
  int result = counting.fresh ? CUPTI(cuptiRangeProfilerGetCounterDataInfo, &info) : 0;
  for (size_t i = 0; i < info.numTotalRanges && counting.fresh && !result; i++) {
    struct kernel *k = range_kernel(i, e);
    result = k ? read_range(i, k, e) : 0;
  }
  counting.fresh = false;
  return result;
}

/* What the round gave is added to what the rounds before gave. */
static void round_add(struct counted *k) {
  for (size_t i = 0; i < counting.table.n; i++) {
    if (isfinite(k->latest[i])) {
      k->sums[i] += k->latest[i];
      k->n[i]++;
    }
    k->latest[i] = NAN;
  }
  uint64_t all = counting.passes == PASSES_MAX ? UINT64_MAX : ((uint64_t)1 << counting.passes) - 1;
  k->rounds += k->in_round == all;
  k->in_round = 0;
  k->done = injection.count ? k->launches >= injection.count : k->rounds > 0;
}

/* Ends a round, whole or not: kernels that have all they need, or do not come, make room. */
static int round_end(struct err *e) {
  int result = session_read(e);
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < counting.n_slots; i++) {
    struct kernel *k = counting.slots[i];
    if (!k)
      continue;
    round_add(k->counted);
    if (k->counted->done || k->counted->lapsed || counting.replay) {
      k->counted->has_slot = false;
      counting.slots[i] = NULL;
    }
  }
  pthread_mutex_unlock(&injection.lock);
  counting.pass = 0;
  return result;
}

/* --- passes --- */

int session_next_pass(struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUpti_RangeProfiler_Stop_Params stop = {.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE,
                                          .pRangeProfilerObject = counting.profiler};
  CUpti_RangeProfiler_DecodeData_Params decode = {.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE,
                                                  .pRangeProfilerObject = counting.profiler};
  counting.started = false;
  int result = CUPTI(cuptiRangeProfilerStop, &stop);
  if (!result)
    result = CUPTI(cuptiRangeProfilerDecodeData, &decode);
  counting.fresh = !result;
  for (size_t i = 0; i < counting.n_slots; i++)
    if (counting.slots[i])
      counting.slots[i]->counted->waits = 0;
  if (result || (++counting.pass < counting.passes && !counting.replay))
    return result;
  result = round_end(e);
  return result ? result : image_clear(e);
}

int session_begin(struct kernel *k, struct err *e) {
  const struct cupti *c = &injection.cupti;
  char name[16];
  snprintf(name, sizeof name, "%zu", slot_of(k));
  CUpti_RangeProfiler_Start_Params start = {.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE,
                                            .pRangeProfilerObject = counting.profiler};
  CUpti_RangeProfiler_PushRange_Params push = {.structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE,
                                               .pRangeProfilerObject = counting.profiler,
                                               .pRangeName = name};
  int result = counting.started ? 0 : CUPTI(cuptiRangeProfilerStart, &start);
  counting.started = !result;
  return result || counting.replay ? result : CUPTI(cuptiRangeProfilerPushRange, &push);
}

int session_end(struct kernel *k, struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUpti_RangeProfiler_PopRange_Params pop = {.structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE,
                                             .pRangeProfilerObject = counting.profiler};
  int result = counting.replay ? 0 : CUPTI(cuptiRangeProfilerPopRange, &pop);
  pthread_mutex_lock(&injection.lock);
  k->counted->in_round |= counting.replay ? UINT64_MAX >> (64 - counting.passes) : (uint64_t)1 << counting.pass;
  k->counted->launches += !result;
  k->counted->lapsed = false;
  k->counted->waits = 0;
  pthread_mutex_unlock(&injection.lock);
  return result;
}

void session_close(void) {
  struct err e = {0};
  CUpti_RangeProfiler_Disable_Params off = {.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE,
                                            .pRangeProfilerObject = counting.profiler};
  if (!counting.profiler)
    return;
  if (counting.started)
    session_next_pass(&e);
  round_end(&e); /* what cannot be read is absent, with its reason */
  for (size_t i = 0; i < counting.n_slots; i++) {
    if (counting.slots[i])
      counting.slots[i]->counted->has_slot = false;
    counting.slots[i] = NULL;
  }
  injection.cupti.cuptiRangeProfilerDisable(&off);
  counting.profiler = NULL;
  free(counting.image);
  counting.image = NULL;
}
