#include "profiler/cuda/cupti_calls.h"

#include <stdio.h>

void cupti_version(const struct cupti *c, char *out, size_t n) {
  uint32_t version = 0;
  out[0] = 0;
  if (c->cuptiGetVersion(&version) == CUPTI_SUCCESS && version)
    snprintf(out, n, "%u", version);
}

int cupti_chip(const struct cupti *c, int device, const char **chip, struct err *e) {
  if (!c->cuptiProfilerInitialize || !c->cuptiDeviceGetChipName)
    return err_set(e, ERR_MACHINE, "%s lacks %s; CUDA 13.0 has them", c->path, c->missing);
  CUpti_Profiler_Initialize_Params init = {.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  CUpti_Device_GetChipName_Params name = {.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE,
                                          .deviceIndex = (size_t)device};
  int rc = CUPTI_CALL(c, cuptiProfilerInitialize, &init, e);
  if (!rc)
    rc = CUPTI_CALL(c, cuptiDeviceGetChipName, &name, e);
  *chip = name.pChipName;
  return rc;
}

int cupti_cubin_crc(const struct cupti *c, const void *cubin, size_t bytes, uint64_t *crc, struct err *e) {
  CUpti_GetCubinCrcParams p = {.size = CUpti_GetCubinCrcParamsSize, .cubinSize = bytes, .cubin = cubin};
  int rc = CUPTI_CALL(c, cuptiGetCubinCrc, &p, e);
  *crc = p.cubinCrc;
  return rc;
}
