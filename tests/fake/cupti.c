/* A fake CUPTI: activity records of the fake driver's launches, and counters whose values are numbers of blocks.  PC sampling and SASS metrics are in
 * cupti_instructions.c.  See fake.h. */
#include "fake/fake.h"

#include "profiler/cuda/library.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANGES_MAX = 256, IMAGE_BYTES = 16, DRAM_BYTES_A_BLOCK = 1000 };

static struct {
  CUpti_BuffersCallbackRequestFunc request;
  CUpti_BuffersCallbackCompleteFunc complete;
  struct range {
    char name[64];
    uint64_t blocks; /* launched in it */
    unsigned passes; /* in which it was, a bit each */
  } ranges[RANGES_MAX], *open;
  size_t n_ranges, pass;
  bool replay;
  uint64_t blocks_before; /* the pass that is replayed */
  atomic_bool recording;
} cupti;

CUptiResult cuptiGetVersion(uint32_t *version) {
  *version = (uint32_t)fake_value("cuptiVersion", 130000);
  return fake_value(__func__, 0);
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **text) {
  static char number[32];
  snprintf(number, sizeof number, "FAKE_CUPTI_ERROR_%d", (int)result);
  *text = number;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetErrorMessage(CUptiResult result, const char **text) {
  (void)result;
  *text = "said by the fake CUPTI";
  return CUPTI_SUCCESS;
}

/* --- activity --- */

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
  cupti.request = request;
  cupti.complete = complete;
  return fake_value(__func__, 0);
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  struct fake_launch past;
  (void)kind;
  while (fake_driver_launches(FAKE_ACTIVITY, &past, 1)) /* what ran before is not recorded */
    ;
  cupti.recording = !cupti.replay; /* seen on an H200: with a session that replays kernels open, there are no records */
  return fake_value(__func__, 0);
}

/* Hands over one buffer of finished launches; false: none is left. */
static bool buffer_hand_over(void) {
  uint8_t *buffer = NULL;
  size_t bytes = 0, max_records = 0, valid = 0;
  struct fake_launch l;
  bool more = true;
  cupti.request(&buffer, &bytes, &max_records);
  for (; buffer && valid + sizeof(CUpti_ActivityKernel10) <= bytes &&
         (more = fake_driver_launches(FAKE_ACTIVITY, &l, 1) > 0);
       valid += sizeof(CUpti_ActivityKernel10))
    *(CUpti_ActivityKernel10 *)(void *)(buffer + valid) =
        (CUpti_ActivityKernel10){.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                 .start = l.start_ns,
                                 .end = l.end_ns,
                                 .gridX = (int)l.grid[0],
                                 .gridY = (int)l.grid[1],
                                 .gridZ = (int)l.grid[2],
                                 .blockX = (int)l.block[0],
                                 .blockY = (int)l.block[1],
                                 .blockZ = (int)l.block[2],
                                 .registersPerThread = 32,
                                 .correlationId = l.number,
                                 .graphId = l.graph,
                                 .name = l.name};
  cupti.complete(NULL, 0, buffer, bytes, valid);
  return buffer && more;
}

CUptiResult cuptiActivityFlushAll(uint32_t flag) {
  CUptiResult result = fake_value(__func__, 0);
  struct fake_launch lost;
  (void)flag;
  fake_flush_enter();
  if (!result && fake_value("dropped", 0))
    fake_driver_launches(FAKE_ACTIVITY, &lost, 1);
  while (!result && cupti.recording && buffer_hand_over())
    ;
  fake_flush_leave();
  return result;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  (void)kind;
  while (cupti.recording && buffer_hand_over()) /* what ran until now is recorded */
    ;
  cupti.recording = false;
  return fake_value(__func__, 0);
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CUpti_Activity **record) {
  uint8_t *next = *record ? (uint8_t *)*record + sizeof(CUpti_ActivityKernel10) : buffer;
  if (next >= buffer + valid)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = (CUpti_Activity *)(void *)next;
  return fake_value(__func__, 0);
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *dropped) {
  (void)context, (void)stream;
  pthread_mutex_lock(&fake_module_lock);
  *dropped = 0;
  pthread_mutex_unlock(&fake_module_lock);
  return fake_value(__func__, 0);
}

/* --- the Host API: every name is known but one --- */

static unsigned passes(void) {
  return (unsigned)fake_value("passes", 2);
}

CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *p) {
  p->pChipName = fake_value("gh100", 0) ? "GH100" : "FAKE100";
  return fake_value(__func__, 0);
}

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *p) {
  (void)p;
  return fake_value(__func__, 0);
}

CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *p) {
  p->counterAvailabilityImageSize = IMAGE_BYTES;
  return fake_value(__func__, 0);
}

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *p) {
  p->pHostObject = (CUpti_Profiler_Host_Object *)&cupti;
  return fake_value(__func__, 0);
}

CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params *p) {
  (void)p;
  return fake_value(__func__, 0);
}

/* NVIDIA's makes some of what it holds when it is first asked, so that it is gone before anything that was to run at the exit by then. */
static atomic_bool host_gone;

static void host_destroy(void) {
  atomic_store(&host_gone, true);
}

static void host_register(void) {
  atexit(host_destroy);
}

static void *end_program(void *context) {
  (void)context;
  exit(0);
}

static void host_is_asked(void) {
  static const unsigned long answer_us = 200000;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static atomic_int questions;
  pthread_t thread;
  pthread_once(&once, host_register);
  if (fake_value("host_ends", 0) && atomic_fetch_add(&questions, 1) + 1 == fake_value("host_ends", 0) &&
      pthread_create(&thread, NULL, end_program, NULL) == 0)
    usleep(answer_us);
  if (atomic_load(&host_gone)) {
    fprintf(stderr, "the fake CUPTI: its Host API was asked while the process ended, after its destructors\n");
    abort();
  }
}

CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params *p) {
  host_is_asked();
  for (size_t i = 0; i < p->numMetrics; i++)
    if (strstr(p->ppMetricNames[i], "stalled_gmma"))
      return CUPTI_ERROR_INVALID_METRIC_NAME;
  return fake_value(__func__, 0);
}

CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params *p) {
  p->configImageSize = IMAGE_BYTES;
  return fake_value(__func__, 0);
}

CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params *p) {
  memset(p->pConfigImage, 0, p->configImageSize);
  return fake_value(__func__, 0);
}

CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params *p) {
  p->numOfPasses = passes();
  return fake_value(__func__, 0);
}

/* The clock's counters are of the first pass; all others are shared out over the rest by their names. */
static unsigned pass_of(const char *name) {
  unsigned sum = 0;
  for (const char *c = name; *c; c++)
    sum += (unsigned char)*c;
  return passes() < 2 || strstr(name, "cycles_elapsed") || strstr(name, "gpu__time") ? 0 : 1 + sum % (passes() - 1);
}

CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *p) {
  const struct range *range = &cupti.ranges[p->rangeIndex];
  int issued = fake_value("issued", 1), hfma2 = fake_value("hfma2", 1);
  bool nan_counters = fake_value("nan", 0);
  for (size_t i = 0; i < p->numMetrics; i++) {
    const char *name = p->ppMetricNames[i];
    int a_block = strcmp(name, "dram__bytes_read.sum") == 0     ? DRAM_BYTES_A_BLOCK
                  : strcmp(name, "smsp__issue_active.sum") == 0 ? issued
                  : strstr(name, "hmma_type_hfma2")             ? hfma2
                                                                : 1;
    bool lacks = nan_counters || !(range->passes >> pass_of(name) & 1);
    p->pMetricValues[i] = lacks ? NAN : (double)range->blocks * a_block;
  }
  return fake_value(__func__, 0);
}

/* --- the Range Profiler --- */

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *p) {
  p->pRangeProfilerObject = (CUpti_RangeProfiler_Object *)&cupti;
  return fake_value(__func__, 0);
}

CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params *p) {
  (void)p;
  cupti.replay = false;
  return fake_value(__func__, 0);
}

CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params *p) {
  cupti.replay = p->replayMode == CUPTI_KernelReplay;
  cupti.pass = 0;
  return fake_value(__func__, 0);
}

/* Ranges of one name are one, in whichever passes they come. */
static struct range *range_of(const char *name) {
  for (size_t i = 0; i < cupti.n_ranges; i++)
    if (strcmp(cupti.ranges[i].name, name) == 0)
      return &cupti.ranges[i];
  if (cupti.n_ranges == RANGES_MAX)
    return NULL;
  struct range *range = &cupti.ranges[cupti.n_ranges++];
  *range = (struct range){.passes = 0};
  snprintf(range->name, sizeof range->name, "%s", name);
  return range;
}

CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params *p) {
  (void)p;
  cupti.blocks_before = fake_driver_blocks();
  return fake_value(__func__, 0);
}

CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params *p) {
  cupti.open = range_of(p->pRangeName);
  if (!cupti.open)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  cupti.open->blocks = fake_driver_blocks();
  return fake_value(__func__, 0);
}

CUptiResult cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params *p) {
  (void)p;
  cupti.open->blocks = fake_driver_blocks() - cupti.open->blocks;
  cupti.open->passes |= 1u << cupti.pass;
  return fake_value(__func__, 0);
}

/* A replayed launch, of which there is one between start and stop, has every pass. */
CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params *p) {
  struct range *range = cupti.replay ? range_of("replayed") : NULL;
  if (range) {
    range->blocks = fake_driver_blocks() - cupti.blocks_before;
    range->passes = (1u << passes()) - 1;
  }
  cupti.pass = cupti.replay ? 0 : cupti.pass + 1;
  p->isAllPassSubmitted = cupti.pass % passes() == 0;
  cupti.pass %= passes();
  return fake_value(__func__, 0);
}

CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params *p) {
  p->numOfRangeDropped = 0;
  return fake_value(__func__, 0);
}

CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params *p) {
  p->counterDataSize = IMAGE_BYTES;
  return fake_value(__func__, 0);
}

CUptiResult cuptiRangeProfilerCounterDataImageInitialize(CUpti_RangeProfiler_CounterDataImage_Initialize_Params *p) {
  (void)p;
  cupti.n_ranges = 0;
  return fake_value(__func__, 0);
}

CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params *p) {
  p->numTotalRanges = cupti.n_ranges;
  return fake_value(__func__, 0);
}

CUptiResult cuptiRangeProfilerCounterDataGetRangeInfo(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params *p) {
  p->rangeName = cupti.ranges[p->rangeIndex].name;
  return fake_value(__func__, 0);
}
