#include "profiler/cuda/probe.h"

#include "base/text.h"
#include "base/warp.h"
#include "profiler/cuda/child.h"
#include "profiler/cuda/cupti_calls.h"
#include "profiler/cuda/pc_sampling.h"
#include "profiler/cuda/range_profiler.h"
#include "profiler/cuda/sass_metrics.h"

#include <signal.h>
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

/* Finds the device that `which` names: an index, a UUID or its beginning ("GPU-1234", "1234"). */
static int find_device(const struct driver *d, struct gpu_probe *p, const char *which, CUdevice *out, struct err *e) {
  char *end = NULL;
  long index = which ? strtol(which, &end, 10) : 0;
  bool by_index = !which || (*which && !*end);
  for (int i = 0; i < p->count; i++) {
    CUdevice device;
    CUuuid uuid;
    int rc = CU_CALL(d, e, cuDeviceGet, &device, i);
    if (!rc)
      rc = driver_check(d, d->cuDeviceGetUuid_v2(&uuid, device), "cuDeviceGetUuid", e);
    if (rc)
      return rc;
    gpu_uuid_text(p->uuid, &uuid);
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
  p->warps_per_sm = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / WARP_LANES;
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

const struct gpu_instrument gpu_instruments[GPU_INSTRUMENTS] = {
    {"hardware counters", "they can be read, and no other profiler holds them", counters_available},
    {"PC sampling", "stalls can be sampled, instruction by instruction", stalls_available},
    {"SASS metrics", "executions can be counted, instruction by instruction", sass_available},
};

static void read_availability(const struct driver *d, const struct cupti *c, CUdevice device, struct gpu_probe *p) {
  struct err e = {0};
  CUcontext context = NULL;
  int rc = CU_CALL(d, &e, cuDevicePrimaryCtxRetain, &context, device);
  if (!rc)
    rc = CU_CALL(d, &e, cuCtxSetCurrent, context);
  for (size_t i = 0; i < GPU_INSTRUMENTS; i++) {
    struct err why = rc ? e : (struct err){0};
    if (rc || gpu_instruments[i].available(c, context, p->index, &why))
      snprintf(p->instrument_errors[i], sizeof p->instrument_errors[i], "%.1000s", why.text);
  }
}

static void read_cupti(const struct driver *d, CUdevice device, struct gpu_probe *p, bool counters) {
  struct cupti *c = calloc(1, sizeof *c);
  struct err e = {0};
  const char *chip = NULL;
  if (!c || cupti_load(c, &e)) {
    snprintf(p->cupti_error, sizeof p->cupti_error, "%.1000s", c ? e.text : "out of memory");
    free(c);
    return;
  }
  snprintf(p->cupti_path, sizeof p->cupti_path, "%.500s", c->path);
  if (c->missing)
    snprintf(p->cupti_missing, sizeof p->cupti_missing, "%.1000s", c->missing);
  cupti_version(c, p->cupti, sizeof p->cupti);
  if (cupti_chip(c, p->index, &chip, NULL) == 0)
    snprintf(p->chip, sizeof p->chip, "%s", chip);
  if (counters)
    read_availability(d, c, device, p);
  free(c);
}

static int probe_device(const struct driver *d, struct gpu_probe *p, const char *which, CUdevice *device,
                        struct err *e) {
  int version = 0;
  snprintf(p->cuda_path, sizeof p->cuda_path, "%.500s", d->path);
  int rc = CU_CALL(d, e, cuInit, 0);
  if (!rc)
    rc = CU_CALL(d, e, cuDeviceGetCount, &p->count);
  if (!rc && !p->count)
    rc = err_set(e, ERR_MACHINE, "the driver sees no GPU (is CUDA_VISIBLE_DEVICES empty?)");
  if (!rc)
    rc = find_device(d, p, which, device, e);
  if (rc)
    return rc == ERR_GPU ? (e->code = ERR_MACHINE) : rc;
  if (d->cuDriverGetVersion(&version) == CUDA_SUCCESS)
    snprintf(p->cuda_driver, sizeof p->cuda_driver, "%d.%d", version / 1000, version % 1000 / 10);
  read_attributes(d, *device, p);
  snprintf(p->uuid_hash, sizeof p->uuid_hash, "%016llx", (unsigned long long)XXH3_64bits(p->uuid, strlen(p->uuid)));
  read_driver_version(p);
  p->found = true;
  return 0;
}

static void probe_body(void *context) {
  struct probing *probing = context;
  struct gpu_probe *out = probing->out;
  struct driver *d = calloc(1, sizeof *d);
  CUdevice device = 0;
  if (d && driver_load(d, &out->why) == 0 && probe_device(d, out, probing->which, &device, &out->why) == 0)
    read_cupti(d, device, out, probing->counters);
  free(d);
}

int gpu_probe_start(struct gpu_probing *p, const char *which, bool probe_counters, struct err *e) {
  struct probing probing = {child_share(sizeof *p->shared), which, probe_counters};
  *p = (struct gpu_probing){.shared = probing.out};
  if (!probing.out)
    return err_nomem(e, "the probe's shared memory");
  int rc = child_start(&p->child, probe_body, &probing, e);
  if (rc) {
    child_unshare(p->shared, sizeof *p->shared);
    p->shared = NULL;
  }
  return rc;
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
  int rc = gpu_probe_start(&p, which, probe_counters, e);
  return rc ? rc : gpu_probe_end(&p, out, e);
}

static char *copy_if(const char *s) {
  return *s ? str_copy(s) : NULL;
}

void gpu_probe_device(struct run_device *d, const struct gpu_probe *p) {
  *d = (struct run_device){.name = str_copy(p->name),
                           .uuid_hash = str_copy(p->uuid_hash),
                           .chip = copy_if(p->chip),
                           .sm = p->sm,
                           .sms = p->sms,
                           .warps_per_sm = p->warps_per_sm,
                           .regs_per_sm = p->regs_per_sm,
                           .smem_per_sm = p->smem_per_sm,
                           .smem_optin = p->smem_optin,
                           .l2_bytes = p->l2_bytes,
                           .memory_bytes = p->memory_bytes,
                           .clock_max_hz = p->clock_max_hz,
                           .memory_clock_hz = p->memory_clock_hz,
                           .memory_bus_bits = p->memory_bus_bits,
                           .driver = copy_if(p->driver),
                           .cuda_driver = copy_if(p->cuda_driver),
                           .cupti = copy_if(p->cupti)};
}
