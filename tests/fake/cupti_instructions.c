/* The fake CUPTI's instruction-level interfaces: PC sampling and SASS metrics.  Their numbers are in fake.h. */
#include "fake/fake.h"

#include "profiler/cuda/library.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES_MAX = 1024, OTHER_CUBIN = 1 };

static struct {
  _Atomic uint64_t crc; /* of the cubin that was last asked for: launches are of its kernels */
  struct fake_launch launches[LAUNCHES_MAX];
  size_t n_launches;
  atomic_int continuous; /* PC sampling runs until it is disabled */
} seen;

static void forget_launches(void) {
  while (fake_driver_launches(FAKE_INSTRUCTIONS, seen.launches, LAUNCHES_MAX))
    ;
  seen.n_launches = 0;
}

CUptiResult cuptiGetCubinCrc(CUpti_GetCubinCrcParams *p) {
  p->cubinCrc = 17;
  for (size_t i = 0; i < p->cubinSize; i++)
    p->cubinCrc = (p->cubinCrc * 31 + ((const unsigned char *)p->cubin)[i]) & 0xffffffff;
  seen.crc = p->cubinCrc;
  return fake_value(__func__, 0);
}

/* --- PC sampling --- */

static const char *const reasons[] = {
    "smsp__pcsamp_sample_count",
    "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued",
    "smsp__pcsamp_warps_issue_stalled_selected",
    "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
    "smsp__pcsamp_warps_issue_stalled_no_instructions",
};
enum { REASONS = sizeof reasons / sizeof reasons[0], NOT_ISSUED = 11, SELECTED, LONG_SCOREBOARD };

CUptiResult cuptiPCSamplingEnable(CUpti_PCSamplingEnableParams *p) {
  (void)p;
  fake_sampling_enter();
  fake_sampling_begin();
  fake_sampling_leave();
  return fake_value(__func__, 0);
}

CUptiResult cuptiPCSamplingDisable(CUpti_PCSamplingDisableParams *p) {
  (void)p;
  seen.continuous = 0;
  fake_sampling_enter();
  fake_sampling_leave();
  if (fake_context_gone)
    abort();
  return fake_value(__func__, 0);
}

CUptiResult cuptiPCSamplingGetNumStallReasons(CUpti_PCSamplingGetNumStallReasonsParams *p) {
  *p->numStallReasons = REASONS;
  return fake_value(__func__, 0);
}

CUptiResult cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams *p) {
  for (uint32_t i = 0; i < REASONS; i++) { /* an index is no place in the list */
    p->stallReasonIndex[i] = i + 10;
    snprintf(p->stallReasons[i], CUPTI_STALL_REASON_STRING_SIZE, "%s", reasons[i]);
  }
  return fake_value(__func__, 0);
}

CUptiResult cuptiPCSamplingSetConfigurationAttribute(CUpti_PCSamplingConfigurationInfoParams *p) {
  for (size_t i = 0; i < p->numAttributes; i++) {
    const CUpti_PCSamplingConfigurationInfo *info = &p->pPCSamplingConfigurationInfo[i];
    if (info->attributeType == CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL)
      seen.continuous = !info->attributeData.enableStartStopControlData.enableStartStopControl;
    p->pPCSamplingConfigurationInfo[i].attributeStatus = (CUptiResult)fake_value("attributeStatus", 0);
  }
  if (seen.continuous)
    forget_launches();
  return fake_value(__func__, 0);
}

CUptiResult cuptiPCSamplingStart(CUpti_PCSamplingStartParams *p) {
  (void)p;
  forget_launches();
  return fake_value(__func__, 0);
}

CUptiResult cuptiPCSamplingStop(CUpti_PCSamplingStopParams *p) {
  (void)p;
  seen.n_launches = fake_driver_launches(FAKE_INSTRUCTIONS, seen.launches, LAUNCHES_MAX);
  return fake_value(__func__, 0);
}

static void add_pc(CUpti_PCSamplingData *d, const char *name, uint64_t crc, uint64_t offset) {
  CUpti_PCSamplingPCData *pc = &d->pPcData[d->totalNumPcs++];
  pc->cubinCrc = crc;
  pc->pcOffset = offset;
  pc->functionName = (char *)(size_t)name; /* CUPTI's type; nobody writes to it */
  pc->stallReasonCount = 0;
}

static void add_stall(CUpti_PCSamplingData *d, uint32_t index, uint32_t samples) {
  CUpti_PCSamplingPCData *pc = &d->pPcData[d->totalNumPcs - 1];
  pc->stallReason[pc->stallReasonCount++] = (CUpti_PCSamplingStallReason){index, samples};
}

CUptiResult cuptiPCSamplingGetData(CUpti_PCSamplingGetDataParams *p) {
  CUpti_PCSamplingData *d = p->pcSamplingData;
  fake_sampling_enter();
  if (fake_context_gone)
    abort();
  if (seen.continuous)
    seen.n_launches = fake_driver_launches(FAKE_INSTRUCTIONS, seen.launches, LAUNCHES_MAX);
  d->totalNumPcs = d->remainingNumPcs = 0;
  d->totalSamples = d->droppedSamples = 0;
  for (size_t i = 0; i < seen.n_launches; i++) {
    const char *name = seen.launches[i].name;
    add_pc(d, name, seen.crc, 0x10);
    add_stall(d, NOT_ISSUED, 2500);
    add_stall(d, LONG_SCOREBOARD, 3000);
    add_pc(d, name, seen.crc, 0x20);
    add_stall(d, SELECTED, 1000);
    add_pc(d, name, seen.crc + OTHER_CUBIN, 0x10);
    add_stall(d, LONG_SCOREBOARD, 500);
    d->totalSamples += 3000 + 1000 + 500 + 50;
    d->droppedSamples += 50;
  }
  seen.n_launches = 0;
  fake_sampling_leave();
  return fake_value(__func__, 0);
}

bool fake_samples_on(void) {
  return seen.continuous;
}

/* --- SASS metrics --- */

enum { EXECUTED = 101, THREADS, SECTORS, SECTORS_IDEAL, RECORDS_A_LAUNCH = 7 };

CUptiResult cuptiSassMetricsGetProperties(CUpti_SassMetrics_GetProperties_Params *p) {
  static const struct {
    const char *name;
    uint64_t id;
  } known[] = {{"smsp__sass_inst_executed", EXECUTED},
               {"smsp__sass_thread_inst_executed_pred_on", THREADS},
               {"smsp__sass_sectors_mem_global", SECTORS},
               {"smsp__sass_sectors_mem_global_ideal", SECTORS_IDEAL}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(p->pMetricName, known[i].name) == 0) {
      p->metric.metricId = known[i].id;
      return fake_value(__func__, 0);
    }
  return CUPTI_ERROR_INVALID_METRIC_NAME;
}

CUptiResult cuptiSassMetricsSetConfig(CUpti_SassMetricsSetConfig_Params *p) {
  (void)p;
  return fake_value(__func__, 0);
}

CUptiResult cuptiSassMetricsUnsetConfig(CUpti_SassMetricsUnsetConfig_Params *p) {
  (void)p;
  return fake_value(__func__, 0);
}

CUptiResult cuptiSassMetricsEnable(CUpti_SassMetricsEnable_Params *p) {
  (void)p;
  forget_launches();
  return fake_value(__func__, 0);
}

CUptiResult cuptiSassMetricsDisable(CUpti_SassMetricsDisable_Params *p) {
  p->numOfDroppedRecords = 0;
  return fake_value(__func__, 0);
}

CUptiResult cuptiSassMetricsGetDataProperties(CUpti_SassMetricsGetDataProperties_Params *p) {
  seen.n_launches = fake_driver_launches(FAKE_INSTRUCTIONS, seen.launches, LAUNCHES_MAX);
  p->numOfPatchedInstructionRecords = seen.n_launches * RECORDS_A_LAUNCH;
  p->numOfInstances = 1;
  return fake_value(__func__, 0);
}

CUptiResult cuptiSassMetricsFlushData(CUpti_SassMetricsFlushData_Params *p) {
  static const struct {
    uint32_t offset, a_block;
    uint64_t id;
  } records[RECORDS_A_LAUNCH] = {{0x0, 4, EXECUTED},      {0x10, 4, EXECUTED},  {0x20, 0, EXECUTED},
                                 {0x0, 128, THREADS},     {0x10, 128, THREADS}, {0x10, 16, SECTORS},
                                 {0x10, 8, SECTORS_IDEAL}};
  for (size_t i = 0; i < seen.n_launches * RECORDS_A_LAUNCH && i < p->numOfPatchedInstructionRecords; i++) {
    const struct fake_launch *l = &seen.launches[i / RECORDS_A_LAUNCH];
    CUpti_SassMetrics_Data *d = &p->pMetricsData[i];
    d->cubinCrc = (uint32_t)seen.crc;
    d->functionName = l->name;
    d->pcOffset = records[i % RECORDS_A_LAUNCH].offset;
    d->pInstanceValues[0] = (CUpti_SassMetrics_InstanceValue){records[i % RECORDS_A_LAUNCH].id,
                                                              (uint64_t)records[i % RECORDS_A_LAUNCH].a_block *
                                                                  l->grid[0] * l->grid[1] * l->grid[2]};
  }
  return fake_value(__func__, 0);
}
