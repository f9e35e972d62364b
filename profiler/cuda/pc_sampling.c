#include "profiler/cuda/pc_sampling.h"

#include "profiler/cuda/cupti_calls.h"

#include <stdlib.h>
#include <string.h>

static int pc_sampling_check(const struct cupti *c, struct err *e) {
  if (!c->cuptiGetCubinCrc || !c->cuptiPCSamplingEnable || !c->cuptiPCSamplingDisable || !c->cuptiPCSamplingStart ||
      !c->cuptiPCSamplingStop || !c->cuptiPCSamplingGetData || !c->cuptiPCSamplingGetNumStallReasons ||
      !c->cuptiPCSamplingGetStallReasons || !c->cuptiPCSamplingSetConfigurationAttribute)
    return err_set(e, ERR_MACHINE, "%s is too old for PC sampling: it lacks %s; CUDA 13.0 has it", c->path, c->missing);
  return 0;
}

/* Room for so many PCs, each with every reason. */
static int pc_data_make(CUpti_PCSamplingData *d, size_t pcs, size_t reasons, struct err *e) {
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

static void pc_data_release(CUpti_PCSamplingData *d) {
  for (size_t i = 0; d->pPcData && i < d->collectNumPcs; i++)
    free(d->pPcData[i].stallReason);
  free(d->pPcData);
  memset(d, 0, sizeof *d);
}

static int pc_sampling_configure(struct pc_sampling *w, const struct pc_sampling_settings *s, struct err *e) {
  CUpti_PCSamplingConfigurationInfo info[] = {
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE,
       .attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS},
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD,
       .attributeData.samplingPeriodData.samplingPeriod = s->exponent},
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL,
       .attributeData.enableStartStopControlData.enableStartStopControl = s->start_stop},
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER,
       .attributeData.samplingDataBufferData.samplingDataBuffer = &w->left_over},
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE,
       .attributeData.hardwareBufferSizeData.hardwareBufferSize = s->hardware_bytes},
      {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN,
       .attributeData.workerThreadPeriodicSleepSpanData.workerThreadPeriodicSleepSpan = s->worker_sleep_ms},
  };
  size_t attributes = sizeof info / sizeof info[0] - (s->worker_sleep_ms == 0);
  CUpti_PCSamplingConfigurationInfoParams p = {.size = CUpti_PCSamplingConfigurationInfoParamsSize,
                                               .ctx = w->context,
                                               .numAttributes = attributes,
                                               .pPCSamplingConfigurationInfo = info};
  int rc = CUPTI_CALL(w->cupti, cuptiPCSamplingSetConfigurationAttribute, &p, e);
  for (size_t i = 0; i < attributes && !rc; i++) {
    rc = cupti_check(w->cupti, info[i].attributeStatus, "cuptiPCSamplingSetConfigurationAttribute", e);
    if (rc)
      err_context(e, "attribute %d", (int)info[i].attributeType);
  }
  return rc;
}

int pc_sampling_open(struct pc_sampling *out, const struct cupti *c, CUcontext context,
                     const struct pc_sampling_settings *s, struct err *e) {
  CUpti_PCSamplingEnableParams on = {.size = CUpti_PCSamplingEnableParamsSize, .ctx = context};
  *out = (struct pc_sampling){.cupti = c, .context = context};
  int rc = pc_sampling_check(c, e);
  if (!rc)
    rc = CUPTI_CALL(c, cuptiPCSamplingEnable, &on, e);
  out->enabled = !rc;
  if (!rc)
    rc = stall_reasons_ask(&out->reasons, c, context, e);
  if (!rc)
    rc = pc_data_make(&out->data, s->pcs, out->reasons.n, e);
  if (!rc)
    rc = pc_data_make(&out->left_over, s->left_over_pcs, out->reasons.n, e);
  return rc ? rc : pc_sampling_configure(out, s, e);
}

int pc_sampling_start(struct pc_sampling *s, struct err *e) {
  CUpti_PCSamplingStartParams p = {.size = CUpti_PCSamplingStartParamsSize, .ctx = s->context};
  return CUPTI_CALL(s->cupti, cuptiPCSamplingStart, &p, e);
}

int pc_sampling_stop(struct pc_sampling *s, struct err *e) {
  CUpti_PCSamplingStopParams p = {.size = CUpti_PCSamplingStopParamsSize, .ctx = s->context};
  return CUPTI_CALL(s->cupti, cuptiPCSamplingStop, &p, e);
}

int pc_sampling_drain(struct pc_sampling *s, pc_sampling_taker take, void *context, struct err *e) {
  CUpti_PCSamplingData *d = &s->data;
  CUpti_PCSamplingGetDataParams p = {.size = CUpti_PCSamplingGetDataParamsSize, .ctx = s->context, .pcSamplingData = d};
  bool first = true;
  int rc;
  do {
    d->totalNumPcs = 0;
    rc = CUPTI_CALL(s->cupti, cuptiPCSamplingGetData, &p, e);
    if (!rc)
      rc = take(context, d, first, e);
    first = false;
  } while (!rc && d->remainingNumPcs > 0 && d->totalNumPcs > 0);
  return rc;
}

bool pc_sampling_close(struct pc_sampling *s) {
  CUpti_PCSamplingDisableParams off = {.size = CUpti_PCSamplingDisableParamsSize, .ctx = s->context};
  bool was = s->enabled;
  s->enabled = false;
  return was && s->cupti->cuptiPCSamplingDisable(&off) == CUPTI_SUCCESS && s->left_over.pPcData;
}

void pc_sampling_release(struct pc_sampling *s) {
  pc_data_release(&s->data);
  pc_data_release(&s->left_over);
  stall_reasons_release(&s->reasons);
}

int stalls_available(const struct cupti *c, CUcontext context, int device, struct err *e) {
  static const struct pc_sampling_settings least = {
      .exponent = 8, .start_stop = true, .hardware_bytes = 64 << 20, .pcs = 16384, .left_over_pcs = 256};
  struct pc_sampling s;
  (void)device;
  int rc = pc_sampling_open(&s, c, context, &least, e);
  pc_sampling_close(&s);
  pc_sampling_release(&s);
  return rc;
}
