/* Counters by pass multiplexing: one launch of a kernel collects one pass, the next launch the next pass.  Nothing is saved, restored or run twice, so
 * the caches are as the program leaves them.  Only the launches that are counted wait for what runs beside them.
 *
 * One kernel at a time, from its first pass to its last: a configuration that is set anew between two passes (cuptiRangeProfilerSetConfig with
 * its passIndex) was seen on an H200 to lose what the passes before it had collected.
 *
 * Counters of different passes come from different launches, so a kernel whose work changes from launch to launch gets a mixture; the group
 * `clock` is a pass by itself, as in profiler/collect/counters.c.
 */
#include "profiler/collect/metrics.h"
#include "profiler/inject/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum batch { BATCH_MANY, BATCH_CLOCK, BATCHES };

struct counted {           /* a kernel's counters */
  double *values[BATCHES]; /* one a row of the batch's table, NaN: absent; NULL: not complete */
  size_t passes;           /* collected, over all batches */
  uint64_t rounds_left;    /* launches that may still be counted */
};

/* A kernel that has begun is given up after so many launches of others, so that the next has its turn. */
enum { PATIENCE_LAUNCHES = 5000 };

static struct counting {
  pthread_mutex_t busy; /* held from the entry of a counted launch to its exit */
  bool ready, failed;
  CUcontext context;
  CUpti_RangeProfiler_Object *profiler; /* NULL: no session is open */
  struct kernel *active;                /* whose session it is, or whose next */
  uint64_t active_seen;                 /* injection.asked when it last launched */
  uint8_t *data;
  char *chip;
  uint8_t *availability;
  struct metric_host host;
  struct batch_setup {
    struct metric_table table;
    const struct expr **chosen;
    struct name_list names;
    uint8_t *config;
    size_t config_bytes, passes;
    double *values; /* one a name */
  } batches[BATCHES];
  size_t data_bytes;
  uint64_t launches;
  double spent_s, setup_s;
} counting = {.busy = PTHREAD_MUTEX_INITIALIZER};

static __thread struct kernel *under_way; /* the calling thread's counted launch */
static __thread double began_s;

#define CUPTI(call, p) cupti_check(c, c->call(p), #call, e)

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void give_up(const struct err *e) {
  counting.failed = true;
  inject_note("no counters from here on: %s", e->text);
}

/* --- setting up --- */

static int find_chip(struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUdevice device = 0;
  if (!c->cuptiDeviceGetChipName || !c->cuptiProfilerGetCounterAvailability || !c->cuptiRangeProfilerEnable ||
      !c->cuptiProfilerInitialize)
    return err_set(e, ERR_MACHINE, "%s is too old for the Range Profiler: it lacks %s; CUDA 13.0 has it", c->path,
                   c->missing);
  if (injection.current_device)
    injection.current_device(&device);
  CUpti_Profiler_Initialize_Params init = {.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  CUpti_Device_GetChipName_Params chip = {.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE,
                                          .deviceIndex = (size_t)device};
  CUpti_Profiler_GetCounterAvailability_Params a = {
      .structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE, .ctx = counting.context};
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

static int set_up_batch(enum batch which, struct err *e) {
  struct batch_setup *b = &counting.batches[which];
  int result = metric_table_load(&b->table, e);
  if (!result)
    metric_table_keep(&b->table, which == BATCH_CLOCK);
  if (!result && !(b->chosen = calloc(b->table.n, sizeof *b->chosen)))
    result = err_nomem(e, "metrics");
  if (!result)
    result = metric_choose(&b->table, &counting.host, b->chosen, &b->names, e);
  if (!result)
    result = metric_config(&counting.host, &b->names, &b->config, &b->config_bytes, &b->passes, e);
  if (!result && !(b->values = calloc(b->names.n, sizeof *b->values)))
    result = err_nomem(e, "metric values");
  return result;
}

static int set_up(CUcontext context, struct err *e) {
  const struct cupti *c = &injection.cupti;
  double start_s = now_s();
  counting.context = context;
  int result = find_chip(e);
  if (!result)
    result = metric_host_open(&counting.host, c, counting.chip, counting.availability, e);
  for (enum batch b = 0; b < BATCHES && !result; b++)
    result = set_up_batch(b, e);
  counting.ready = !result;
  counting.setup_s = now_s() - start_s;
  return result;
}

/* --- one pass --- */

static enum batch batch_at(const struct counted *k, size_t *pass) {
  bool many = k->passes < counting.batches[BATCH_MANY].passes;
  *pass = many ? k->passes : k->passes - counting.batches[BATCH_MANY].passes;
  return many ? BATCH_MANY : BATCH_CLOCK;
}

static void session_close(void) {
  CUpti_RangeProfiler_Disable_Params off = {.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE,
                                            .pRangeProfilerObject = counting.profiler};
  if (counting.profiler)
    injection.cupti.cuptiRangeProfilerDisable(&off);
  counting.profiler = NULL;
  free(counting.data);
  counting.data = NULL;
}

static int image_make(const struct batch_setup *b, struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUpti_RangeProfiler_GetCounterDataSize_Params size = {.structSize =
                                                            CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
                                                        .pRangeProfilerObject = counting.profiler,
                                                        .pMetricNames = b->names.names,
                                                        .numMetrics = b->names.n,
                                                        .maxNumOfRanges = 1,
                                                        .maxNumRangeTreeNodes = 1};
  int result = CUPTI(cuptiRangeProfilerGetCounterDataSize, &size);
  counting.data_bytes = size.counterDataSize;
  if (!result && !(counting.data = calloc(1, counting.data_bytes)))
    result = err_nomem(e, "counter data");
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params init = {
      .structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE,
      .pRangeProfilerObject = counting.profiler,
      .counterDataSize = counting.data_bytes,
      .pCounterData = counting.data};
  return result ? result : CUPTI(cuptiRangeProfilerCounterDataImageInitialize, &init);
}

static int session_open(enum batch which, struct err *e) {
  const struct cupti *c = &injection.cupti;
  const struct batch_setup *b = &counting.batches[which];
  CUpti_RangeProfiler_Enable_Params on = {.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE,
                                          .ctx = counting.context};
  int result = CUPTI(cuptiRangeProfilerEnable, &on);
  if (result)
    return result;
  counting.profiler = on.pRangeProfilerObject;
  result = image_make(b, e);
  CUpti_RangeProfiler_SetConfig_Params config = {.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
                                                 .pRangeProfilerObject = counting.profiler,
                                                 .configSize = b->config_bytes,
                                                 .pConfig = b->config,
                                                 .counterDataImageSize = counting.data_bytes,
                                                 .pCounterDataImage = counting.data,
                                                 .range = CUPTI_UserRange,
                                                 .replayMode = CUPTI_UserReplay,
                                                 .maxRangesPerPass = 1,
                                                 .numNestingLevels = 1,
                                                 .minNestingLevel = 1,
                                                 .passIndex = 0,
                                                 .targetNestingLevel = 1};
  return result ? result : CUPTI(cuptiRangeProfilerSetConfig, &config);
}

static int pass_begin(struct counted *k, struct err *e) {
  const struct cupti *c = &injection.cupti;
  size_t pass;
  enum batch which = batch_at(k, &pass);
  CUpti_RangeProfiler_Start_Params start = {.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE};
  CUpti_RangeProfiler_PushRange_Params push = {.structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE,
                                               .pRangeName = "launch"};
  int result = counting.profiler ? 0 : session_open(which, e);
  start.pRangeProfilerObject = push.pRangeProfilerObject = counting.profiler;
  if (!result)
    result = CUPTI(cuptiRangeProfilerStart, &start);
  return result ? result : CUPTI(cuptiRangeProfilerPushRange, &push);
}

static int pass_end(struct err *e) {
  const struct cupti *c = &injection.cupti;
  CUpti_RangeProfiler_PopRange_Params pop = {.structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE,
                                             .pRangeProfilerObject = counting.profiler};
  CUpti_RangeProfiler_Stop_Params stop = {.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE,
                                          .pRangeProfilerObject = counting.profiler};
  int result = CUPTI(cuptiRangeProfilerPopRange, &pop);
  return result ? result : CUPTI(cuptiRangeProfilerStop, &stop);
}

/* --- values --- */

static bool lookup_value(void *context, const char *name, double *value) {
  const struct batch_setup *b = context;
  long i = name_list_find(&b->names, name);
  if (i >= 0)
    *value = b->values[i];
  return i >= 0;
}

static int evaluate(struct counted *k, enum batch which, struct err *e) {
  const struct cupti *c = &injection.cupti;
  struct batch_setup *b = &counting.batches[which];
  double *values = calloc(b->table.n, sizeof *values);
  if (!values)
    return err_nomem(e, "metric values");
  CUpti_RangeProfiler_DecodeData_Params decode = {.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE,
                                                  .pRangeProfilerObject = counting.profiler};
  CUpti_Profiler_Host_EvaluateToGpuValues_Params p = {.structSize =
                                                          CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE,
                                                      .pHostObject = counting.host.object,
                                                      .pCounterDataImage = counting.data,
                                                      .counterDataImageSize = counting.data_bytes,
                                                      .ppMetricNames = b->names.names,
                                                      .numMetrics = b->names.n,
                                                      .pMetricValues = b->values};
  int result = CUPTI(cuptiRangeProfilerDecodeData, &decode);
  if (!result)
    result = CUPTI(cuptiProfilerHostEvaluateToGpuValues, &p);
  for (size_t i = 0; i < b->table.n && !result; i++)
    if (!b->chosen[i] || expr_eval(b->chosen[i], lookup_value, b, &values[i], NULL))
      values[i] = NAN;
  session_close();
  if (result)
    free(values);
  else
    k->values[which] = values;
  return result;
}

static void print_reason(struct text *out, const struct counted *k, const struct batch_setup *b, size_t row,
                         bool read) {
  if (!b->chosen[row])
    text_printf(out, "chip %s has no such counter", counting.chip);
  else if (read)
    text_add(out, "CUPTI gave no number");
  else
    text_printf(out, "it takes %zu passes, one a launch, and %zu launches were counted",
                counting.batches[0].passes + counting.batches[1].passes, k->passes);
}

void counters_print(struct text *out, const struct kernel *k) {
  for (enum batch which = 0; which < BATCHES && k->counted && counting.ready; which++) {
    const struct batch_setup *b = &counting.batches[which];
    const double *values = k->counted->values[which];
    for (size_t i = 0; i < b->table.n; i++) {
      bool present = values && isfinite(values[i]);
      text_printf(out, "metric\t%s\t%s\t%s\t", b->table.rows[i].name, b->table.rows[i].unit,
                  b->chosen[i] ? expr_text(b->chosen[i]) : "");
      if (present)
        text_printf(out, "%.17g\t", values[i]);
      else
        text_add(out, "\t");
      if (!present)
        print_reason(out, k->counted, b, i, values != NULL);
      text_add(out, "\n");
    }
  }
}

/* --- which launches --- */

/* The kernels of most time so far, once the window has passed.  The lock is held. */
static void choose_top(void) {
  for (long n = 0; n < injection.top && n < TOP_MAX; n++) {
    struct kernel *best = NULL;
    for (size_t i = 0; i < injection.n_kernels; i++) {
      struct kernel *k = &injection.kernels[i];
      if (!k->chosen && k->launches > k->in_graphs && k->total_ns > 0 && (!best || k->total_ns > best->total_ns))
        best = k;
    }
    if (best)
      best->chosen = true;
  }
}

/* Whether this launch is of those to be sampled and counted.  The lock is held. */
static bool launch_is_chosen(struct kernel *k, bool in_range) {
  if (injection.kernel_pattern && !k->tried) {
    k->tried = true;
    k->chosen = regexec(&injection.kernel_regex, k->key.name, 0, NULL, 0) == 0;
  }
  if (injection.nvtx && !injection.kernel_pattern)
    k->chosen = true;
  return k->chosen && in_range && k->asked > injection.skip;
}

/* Whether this launch, of those, is to be counted.  The lock is held. */
static bool launch_is_due(struct kernel *k) {
  size_t all = counting.batches[BATCH_MANY].passes + counting.batches[BATCH_CLOCK].passes;
  if (counting.failed)
    return false;
  if (!k->counted && (k->counted = calloc(1, sizeof *k->counted)))
    k->counted->rounds_left = injection.count ? injection.count : UINT64_MAX;
  if (!k->counted || !k->counted->rounds_left || (counting.ready && k->counted->passes >= all))
    return false;
  bool waited = counting.active && injection.asked - counting.active_seen > PATIENCE_LAUNCHES;
  return !counting.active || counting.active == k || waited;
}

static bool is_capturing(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return !injection.stream_is_capturing || injection.stream_is_capturing(stream, &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

CUresult gpu_wait(void) {
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  if (injection.exchange_capture_mode)
    injection.exchange_capture_mode(&mode);
  CUresult result = injection.driver.cuCtxSynchronize();
  if (injection.exchange_capture_mode)
    injection.exchange_capture_mode(&mode);
  return result;
}

/* Activity records a kernel's times by instructions that it adds to the kernel: 8 a warp on an H200, which the counters would count.  It is off
 * while a launch is counted, and that launch is added by hand. */
static void activity_pause(bool pause) {
  const struct cupti *c = &injection.cupti;
  if (injection.activity && pause)
    c->cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  else if (injection.activity)
    c->cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

static void launch_begin(struct kernel *k, const CUpti_CallbackData *data) {
  struct err e = {0};
  began_s = now_s();
  int result = 0;
  if (counting.active && counting.active != k) { /* it launches no more */
    session_close();
    counting.active->counted->rounds_left = 0;
  }
  counting.active = k;
  counting.active_seen = injection.asked;
  if (!counting.ready)
    result = set_up(data->context, &e);
  activity_pause(true);
  if (!result)
    result = pass_begin(k->counted, &e);
  under_way = result ? NULL : k;
  if (result) {
    give_up(&e);
    activity_pause(false);
    pthread_mutex_unlock(&counting.busy);
  }
}

static void launch_end(void) {
  struct err e = {0};
  struct counted *k = under_way->counted;
  gpu_wait(); /* an error of the program's own is the program's to find */
  int result = pass_end(&e);
  size_t pass;
  enum batch which = batch_at(k, &pass);
  activity_pause(false);
  pthread_mutex_lock(&injection.lock);
  under_way->launches++;
  under_way->disturbed++;
  injection.launches++;
  if (!result) {
    k->passes++;
    k->rounds_left--;
    counting.launches++;
    if (pass + 1 == counting.batches[which].passes)
      result = evaluate(k, which, &e);
    if (!k->rounds_left || k->passes == counting.batches[BATCH_MANY].passes + counting.batches[BATCH_CLOCK].passes) {
      session_close();
      counting.active = NULL;
    }
  }
  injection.dirty = true;
  pthread_mutex_unlock(&injection.lock);
  counting.spent_s += now_s() - began_s;
  if (result)
    give_up(&e);
  under_way = NULL;
  pthread_mutex_unlock(&counting.busy);
}

/* The occupancy that the driver gives the kernel; asked of those that are counted. */
static void ask_occupancy(struct kernel *k, CUfunction function) {
  int blocks = 0, threads = (int)(k->key.block[0] * k->key.block[1] * k->key.block[2]);
  if (!k->blocks_per_sm && injection.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor &&
      injection.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads,
                                                                   (size_t)k->key.smem_dynamic) == CUDA_SUCCESS)
    k->blocks_per_sm = blocks;
}

static void launch_enter(const CUpti_CallbackData *data, const struct kernel_key *key, CUfunction function,
                         CUstream stream) {
  CUdevice device = 0;
  if (injection.current_device)
    injection.current_device(&device);
  int range = nvtx_current();
  bool in_range = !injection.nvtx || nvtx_within(injection.nvtx), capturing = is_capturing(stream);
  pthread_mutex_lock(&injection.lock);
  bool rank = ++injection.asked == injection.window && injection.top && !injection.kernel_pattern && !injection.nvtx;
  pthread_mutex_unlock(&injection.lock);
  if (rank && !capturing) {
    gpu_wait();
    activity_flush(true);
  }
  pthread_mutex_lock(&injection.lock);
  if (rank)
    choose_top();
  struct kernel *k = kernel_of(key, (uint32_t)device);
  if (k)
    k->asked++;
  bool chosen = k && injection.top && launch_is_chosen(k, in_range);
  pthread_mutex_unlock(&injection.lock);
  bool sampled = k && samples_launch(data->context, chosen, capturing);
  pthread_mutex_lock(&injection.lock);
  if (sampled)
    k->sampled++;
  bool due = chosen && !sampled && !capturing && launch_is_due(k) &&
             (!counting.ready || data->context == counting.context) && pthread_mutex_trylock(&counting.busy) == 0;
  if (due && range >= 0)
    injection.ranges[range].launches++;
  else if (range >= 0 && !capturing)
    pending_add(data->correlationId, range);
  pthread_mutex_unlock(&injection.lock);
  if (due && gpu_wait() == CUDA_SUCCESS) {
    ask_occupancy(k, function);
    launch_begin(k, data);
  } else if (due) {
    pthread_mutex_unlock(&counting.busy);
  }
}

void counters_launch(const CUpti_CallbackData *data, const struct kernel_key *key, CUfunction function,
                     CUstream stream) {
  if (data->callbackSite == CUPTI_API_ENTER)
    launch_enter(data, key, function, stream);
  else if (under_way)
    launch_end();
}

void counters_end(void) {
  if (!counting.ready)
    return;
  inject_note(
      "counters: %zu passes, one a launch; %llu launches were counted, which took %.0f ms, and %.0f ms to set up",
      counting.batches[0].passes + counting.batches[1].passes, (unsigned long long)counting.launches,
      1e3 * (counting.spent_s - counting.setup_s), 1e3 * counting.setup_s);
}
