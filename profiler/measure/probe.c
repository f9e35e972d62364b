/* What this machine's GPU is, asked in a process of its own. */
#include "profiler/cuda/child.h"
#include "profiler/measure/collect.h"
#include "profiler/measure/session.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PROBE_LIMIT_S = 60 };

struct probing {
  struct gpu_probe *out; /* shared with the parent */
  const char *which;
  bool counters;
};

static int attribute(const struct driver *d, CUdevice device, CUdevice_attribute a) {
  int value = 0;
  d->cuDeviceGetAttribute(&value, a, device);
  return value;
}

static void uuid_text(char out[48], const CUuuid *u) {
  const unsigned char *b = (const unsigned char *)u->bytes;
  char *p = out + sprintf(out, "GPU-");
  for (int i = 0; i < 16; i++)
    p += sprintf(p, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
}

/* Finds the device that `which` names: an index, a UUID or its beginning ("GPU-1234", "1234"). */
static int find_device(const struct driver *d, struct gpu_probe *p, const char *which, CUdevice *out, struct err *e) {
  char *end = NULL;
  long index = which ? strtol(which, &end, 10) : 0;
  bool by_index = !which || (*which && !*end);
  for (int i = 0; i < p->count; i++) {
    CUdevice device;
    CUuuid uuid;
    int result = driver_check(d, d->cuDeviceGet(&device, i), "cuDeviceGet", e);
    if (!result)
      result = driver_check(d, d->cuDeviceGetUuid_v2(&uuid, device), "cuDeviceGetUuid", e);
    if (result)
      return result;
    uuid_text(p->uuid, &uuid);
    if (by_index ? i == index
                 : *which && (strstr(p->uuid, which) == p->uuid || strstr(p->uuid, which) == p->uuid + 4)) {
      p->index = i;
      *out = device;
      return 0;
    }
  }
  return err_set(e, ERR_USAGE, "--gpu %s: this machine has %d GPU%s (0 to %d); nvidia-smi -L lists their UUIDs", which,
                 p->count, p->count == 1 ? "" : "s", p->count - 1);
}

static void read_attributes(const struct driver *d, CUdevice device, struct gpu_probe *p) {
  size_t bytes = 0;
  d->cuDeviceGetName(p->name, sizeof p->name, device);
  d->cuDeviceTotalMem_v2(&bytes, device);
  p->sm = 10 * attribute(d, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
          attribute(d, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  p->sms = attribute(d, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  p->warps_per_sm = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / 32;
  p->regs_per_sm = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  p->smem_per_sm = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  p->smem_optin = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  p->memory_bus_bits = attribute(d, device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  p->l2_bytes = attribute(d, device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  p->memory_bytes = (double)bytes;
  p->clock_max_hz = 1e3 * attribute(d, device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  p->memory_clock_hz = 1e3 * attribute(d, device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
}

static void read_driver_version(struct gpu_probe *p) {
  struct nvml n;
  struct err e = {0};
  if (nvml_load(&n, &e) == 0 && n.nvmlInit_v2() == 0) {
    n.nvmlSystemGetDriverVersion(p->driver, sizeof p->driver);
    n.nvmlShutdown();
  } else {
    snprintf(p->nvml_error, sizeof p->nvml_error, "%.1000s", e.code ? e.text : "nvmlInit failed");
  }
}

static void read_cupti(struct session *s, struct gpu_probe *p, bool counters) {
  struct err e = {0};
  s->has_cupti = cupti_load(&s->cupti, &e) == 0;
  if (!s->has_cupti) {
    snprintf(p->cupti_error, sizeof p->cupti_error, "%.1000s", e.text);
    return;
  }
  const struct cupti *c = &s->cupti;
  uint32_t version = 0;
  snprintf(p->cupti_path, sizeof p->cupti_path, "%.500s", c->path);
  if (c->missing)
    snprintf(p->cupti_missing, sizeof p->cupti_missing, "%.1000s", c->missing);
  if (c->cuptiGetVersion(&version) == CUPTI_SUCCESS)
    snprintf(p->cupti, sizeof p->cupti, "%u", version);
  CUpti_Device_GetChipName_Params chip = {.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE,
                                          .deviceIndex = (size_t)p->index};
  CUpti_Profiler_Initialize_Params init = {.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  if (c->cuptiProfilerInitialize && c->cuptiDeviceGetChipName && c->cuptiProfilerInitialize(&init) == CUPTI_SUCCESS &&
      c->cuptiDeviceGetChipName(&chip) == CUPTI_SUCCESS)
    snprintf(p->chip, sizeof p->chip, "%s", chip.pChipName);
  if (!counters)
    return;
  s->gpu = p;
  static const struct {
    int (*available)(struct session *s, struct err *e);
    size_t error; /* where in a gpu_probe */
  } asked[] = {{counters_available, offsetof(struct gpu_probe, counters_error)},
               {stalls_available, offsetof(struct gpu_probe, stalls_error)},
               {sass_available, offsetof(struct gpu_probe, sass_error)}};
  int result = driver_check(&s->driver, s->driver.cuDevicePrimaryCtxRetain(&s->context, s->device),
                            "cuDevicePrimaryCtxRetain", &e);
  if (!result)
    result = driver_check(&s->driver, s->driver.cuCtxSetCurrent(s->context), "cuCtxSetCurrent", &e);
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
    struct err why = result ? e : (struct err){0};
    if (result || asked[i].available(s, &why))
      snprintf((char *)p + asked[i].error, sizeof p->counters_error, "%.1000s", why.text);
  }
}

static int probe_device(struct session *s, struct gpu_probe *p, const char *which, struct err *e) {
  const struct driver *d = &s->driver;
  int result = driver_load(&s->driver, e), version = 0;
  if (result)
    return result;
  snprintf(p->cuda_path, sizeof p->cuda_path, "%.500s", d->path);
  result = driver_check(d, d->cuInit(0), "cuInit", e);
  if (!result)
    result = driver_check(d, d->cuDeviceGetCount(&p->count), "cuDeviceGetCount", e);
  if (!result && !p->count)
    result = err_set(e, ERR_MACHINE, "the driver sees no GPU (is CUDA_VISIBLE_DEVICES empty?)");
  if (!result)
    result = find_device(d, p, which, &s->device, e);
  if (result)
    return result == ERR_GPU ? (e->code = ERR_MACHINE) : result;
  if (d->cuDriverGetVersion(&version) == CUDA_SUCCESS)
    snprintf(p->cuda_driver, sizeof p->cuda_driver, "%d.%d", version / 1000, version % 1000 / 10);
  read_attributes(d, s->device, p);
  snprintf(p->uuid_hash, sizeof p->uuid_hash, "%016llx", (unsigned long long)XXH3_64bits(p->uuid, strlen(p->uuid)));
  read_driver_version(p);
  p->found = true;
  return 0;
}

static void probe_body(void *context) {
  struct probing *probing = context;
  struct session *s = calloc(1, sizeof *s);
  if (s && probe_device(s, probing->out, probing->which, &probing->out->why) == 0)
    read_cupti(s, probing->out, probing->counters);
}

int gpu_probe_start(struct gpu_probing *p, const char *which, bool probe_counters, struct err *e) {
  struct probing probing = {child_share(sizeof *p->shared), which, probe_counters};
  *p = (struct gpu_probing){.shared = probing.out};
  if (!probing.out)
    return err_nomem(e, "the probe's shared memory");
  int result = child_start(&p->child, probe_body, &probing, e);
  if (result) {
    child_unshare(p->shared, sizeof *p->shared);
    p->shared = NULL;
  }
  return result;
}

int gpu_probe_end(struct gpu_probing *p, struct gpu_probe *out, struct err *e) {
  struct err ended = {0};
  int how = child_wait(p->child, PROBE_LIMIT_S, &ended);
  *out = *p->shared;
  child_unshare(p->shared, sizeof *p->shared);
  p->shared = NULL;
  if (how && !out->why.code) { /* it died or hung: what it found until then is not to be trusted */
    out->found = false;
    out->why = ended;
    out->why.code = ERR_MACHINE;
  }
  return out->found ? 0 : err_set(e, out->why.code ? out->why.code : ERR_MACHINE, "%s", out->why.text);
}

void gpu_probe_drop(struct gpu_probing *p) {
  if (!p->shared)
    return;
  kill(p->child, SIGKILL);
  child_wait(p->child, PROBE_LIMIT_S, NULL);
  child_unshare(p->shared, sizeof *p->shared);
  p->shared = NULL;
}

int gpu_probe(struct gpu_probe *out, const char *which, bool probe_counters, struct err *e) {
  struct gpu_probing p;
  memset(out, 0, sizeof *out);
  int result = gpu_probe_start(&p, which, probe_counters, e);
  return result ? result : gpu_probe_end(&p, out, e);
}

struct rung_chip gpu_probe_chip(const struct gpu_probe *p) {
  return (struct rung_chip){.sm = p->sm,
                            .sms = p->sms,
                            .smem_optin = p->smem_optin,
                            .regs_per_sm = p->regs_per_sm,
                            .warps_per_sm = p->warps_per_sm,
                            .l2_bytes = (long)p->l2_bytes};
}
