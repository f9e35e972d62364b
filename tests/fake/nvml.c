/* A fake NVML: see fake.h. */
#include "fake/fake.h"

#include "profiler/cuda/library.h"

#include <stdio.h>
#include <string.h>

int nvmlInit_v2(void) {
  return fake_value(__func__, 0);
}

int nvmlShutdown(void) {
  return fake_value(__func__, 0);
}

int nvmlSystemGetDriverVersion(char *version, unsigned length) {
  snprintf(version, length, "999.1");
  return fake_value(__func__, 0);
}

int nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  *device = (nvmlDevice_t)(uintptr_t)uuid;
  return fake_value(__func__, strncmp(uuid, "GPU-", 4) != 0);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons) {
  (void)device;
  *reasons = (unsigned long long)fake_value("throttle", 0);
  return fake_value(__func__, 0);
}
