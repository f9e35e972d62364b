#include "profiler/cuda/pc_sampling.h"

#include <stdlib.h>
#include <string.h>

int pc_sampling_check(const struct cupti *c, struct err *e) {
  if (!c->cuptiGetCubinCrc || !c->cuptiPCSamplingEnable || !c->cuptiPCSamplingDisable || !c->cuptiPCSamplingStart ||
      !c->cuptiPCSamplingStop || !c->cuptiPCSamplingGetData || !c->cuptiPCSamplingGetNumStallReasons ||
      !c->cuptiPCSamplingGetStallReasons || !c->cuptiPCSamplingSetConfigurationAttribute)
    return err_set(e, ERR_MACHINE, "%s is too old for PC sampling: it lacks %s; CUDA 13.0 has it", c->path, c->missing);
  return 0;
}

int pc_data_make(CUpti_PCSamplingData *d, size_t pcs, size_t reasons, struct err *e) {
  *d = (CUpti_PCSamplingData){.size = sizeof *d, .collectNumPcs = pcs, .pPcData = calloc(pcs, sizeof *d->pPcData)};
  for (size_t i = 0; d->pPcData && i < pcs; i++) {
    CUpti_PCSamplingPCData *p = &d->pPcData[i];
    p->size = sizeof *p;
    p->stallReasonCount = reasons;
    p->stallReason = calloc(reasons + 1, sizeof *p->stallReason);
    if (!p->stallReason)
      return err_nomem(e, "PC samples");
  }
  return d->pPcData ? 0 : err_nomem(e, "PC samples");
}

void pc_data_release(CUpti_PCSamplingData *d) {
  for (size_t i = 0; d->pPcData && i < d->collectNumPcs; i++)
    free(d->pPcData[i].stallReason);
  free(d->pPcData);
  memset(d, 0, sizeof *d);
}

int pc_sampling_configure(const struct cupti *c, CUcontext context, const struct pc_sampling_settings *s,
                          struct err *e) {
  CUpti_PCSamplingConfigurationInfo info[] = {
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE,
       .attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS},
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD,
       .attributeData.samplingPeriodData.samplingPeriod = s->exponent},
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL,
       .attributeData.enableStartStopControlData.enableStartStopControl = s->start_stop},
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER,
       .attributeData.samplingDataBufferData.samplingDataBuffer = s->left_over},
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE,
       .attributeData.hardwareBufferSizeData.hardwareBufferSize = s->hardware_bytes},
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN,
       .attributeData.workerThreadPeriodicSleepSpanData.workerThreadPeriodicSleepSpan = s->worker_sleep_ms},
  };
  size_t attributes = sizeof info / sizeof info[0] - (s->worker_sleep_ms == 0);
  CUpti_PCSamplingConfigurationInfoParams p = {.size = CUpti_PCSamplingConfigurationInfoParamsSize,
                                               .ctx = context,
                                               .numAttributes = attributes,
                                               .pPCSamplingConfigurationInfo = info};
  int result =
      cupti_check(c, c->cuptiPCSamplingSetConfigurationAttribute(&p), "cuptiPCSamplingSetConfigurationAttribute", e);
  for (size_t i = 0; i < attributes && !result; i++) {
    result = cupti_check(c, info[i].attributeStatus, "cuptiPCSamplingSetConfigurationAttribute", e);
    if (result)
      err_context(e, "attribute %d", (int)info[i].attributeType);
  }
  return result;
}
