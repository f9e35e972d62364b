/* A fake driver: see fake.h. */
#include "fake/fake.h"
#include "kernels/problem.h"

#include <cuda.h>
#include <pthread.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct CUfunc_st {
  char name[64];
  long launches;
  int smem_allowed; /* dynamic shared memory asked for by attribute */
};

struct CUevent_st {
  uint64_t at_ns;
};

/* A buffer of this size is not there, but can be written. */
static const size_t HUGE_BYTES = (size_t)1 << 30;
enum { TAKEN_WRITE_BACK_NS = 3000 };
enum { FUNCTIONS_MAX = 256, LAUNCHES_MAX = 65536, TAKEN_NS = 10000, TAKEN_BLOCK_NS = 1000, TAKEN_EMPTY_NS = 2000 };

static struct {
  struct CUfunc_st functions[FUNCTIONS_MAX];
  size_t n_functions;
  struct fake_launch launches[LAUNCHES_MAX]; /* since they were last taken */
  size_t n_launches;
  uint32_t n_recorded; /* since the process started */
  uint64_t now_ns, blocks;
  CUresult lost; /* what every call returns once a kernel has failed, as real drivers do */
  bool hangs;
  bool in_graph;
  bool after_write; /* of a huge buffer: the next launch pays for the write-back */
} gpu = {.now_ns = 1000};

static pthread_mutex_t launches_lock =
    PTHREAD_MUTEX_INITIALIZER; /* a profiler's thread may take what another launches */

size_t fake_launches_take(struct fake_launch *out, size_t max) {
  pthread_mutex_lock(&launches_lock);
  size_t n = gpu.n_launches < max ? gpu.n_launches : max;
  memcpy(out, gpu.launches, n * sizeof *out);
  memmove(gpu.launches, gpu.launches + n, (gpu.n_launches - n) * sizeof *out);
  gpu.n_launches -= n;
  pthread_mutex_unlock(&launches_lock);
  return n;
}

uint64_t fake_blocks(void) {
  pthread_mutex_lock(&launches_lock);
  uint64_t blocks = gpu.blocks;
  pthread_mutex_unlock(&launches_lock);
  return blocks;
}

/* A device that is lost stays lost for the processes that come after. */
static void lose(void) {
  const char *memory = getenv("NVFP4_FAKE_LOST");
  int lost = fake_value("lost", 0);
  if (memory && lost)
    close(open(memory, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  else if (memory && access(memory, F_OK) == 0)
    lost = CUDA_ERROR_UNKNOWN;
  if (lost && !gpu.lost)
    gpu.lost = (CUresult)lost;
}

static CUresult fault(const char *call) {
  lose();
  return gpu.lost ? gpu.lost : (CUresult)fake_value(call, 0);
}

/* --- the device --- */

CUresult cuInit(unsigned flags) {
  (void)flags;
  return fault(__func__);
}

CUresult cuDriverGetVersion(int *version) {
  *version = 13000;
  return fault(__func__);
}

CUresult cuGetErrorName(CUresult error, const char **name) {
  static char text[32];
  snprintf(text, sizeof text, "FAKE_ERROR_%d", (int)error);
  *name = error == CUDA_ERROR_OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                                : text;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  (void)error;
  *text = "said by the fake driver";
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  *count = fake_value("devices", 1);
  return fault(__func__);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return fault(__func__);
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  const char *given = getenv("FAKE_GPU_NAME");
  if (given)
    snprintf(name, (size_t)length, "%s", given);
  else
    snprintf(name, (size_t)length, "Fake GPU %d", device);
  return fault(__func__);
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  static const char *const apart[] = {"FAKE_UUID", "RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
  memset(uuid->bytes, 0xa0 + device, sizeof uuid->bytes);
  for (int i = 0; i < 5; i++) { /* tests beside each other have GPUs of their own, and so have ranks */
    int number = getenv(apart[i]) ? atoi(getenv(apart[i])) : 0;
    memcpy(uuid->bytes + (i ? 12 : 8), &number, getenv(apart[i]) ? sizeof number : 0);
  }
  return fault(__func__);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  (void)device;
  *bytes = (size_t)1 << 30;
  return fault(__func__);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  static const struct {
    CUdevice_attribute attribute;
    int value;
  } attributes[] = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 1024},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 1 << 20},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1000000},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 1000000},
  };
  (void)device;
  *value = 0;
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
    if (attributes[i].attribute == attribute)
      *value = attributes[i].value;
  return fault(__func__);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  (void)device;
  *context = (CUcontext)&gpu;
  return fault(__func__);
}

CUresult cuCtxSetCurrent(CUcontext context) {
  (void)context;
  return fault(__func__);
}

/* --- memory --- */

CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t bytes) {
  CUresult result = fault(__func__);
  if (result)
    return result;
  *out = (CUdeviceptr)(uintptr_t)malloc(bytes >= HUGE_BYTES ? 1 : bytes);
  return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFree_v2(CUdeviceptr memory) {
  free((void *)(uintptr_t)memory);
  return fault(__func__);
}

CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
  *available = *total = (size_t)1 << 30;
  return fault(__func__);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  memcpy((void *)(uintptr_t)to, from, bytes);
  return fault(__func__);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  memcpy(to, (const void *)(uintptr_t)from, bytes);
  return fault(__func__);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  (void)stream;
  memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
  return fault(__func__);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char byte, size_t n, CUstream stream) {
  (void)stream;
  if (n >= HUGE_BYTES)
    gpu.after_write = true;
  else
    memset((void *)(uintptr_t)to, byte, n);
  return fault(__func__);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short half, size_t n, CUstream stream) {
  (void)stream;
  for (size_t i = 0; i < n; i++)
    ((unsigned short *)(uintptr_t)to)[i] = half;
  return fault(__func__);
}

/* --- modules and functions --- */

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  *module = (CUmodule)image;
  return fault(__func__);
}

CUresult cuModuleUnload(CUmodule module) {
  (void)module;
  return fault(__func__);
}

CUresult cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name) {
  (void)module;
  CUresult result = fault(__func__);
  if (result)
    return result;
  if (gpu.n_functions == FUNCTIONS_MAX)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *out = &gpu.functions[gpu.n_functions++];
  snprintf((*out)->name, sizeof(*out)->name, "%s", name);
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  (void)function;
  *value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS            ? 32
           : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES ? 96
           : attribute == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES  ? 24
                                                              : 0;
  return fault(__func__);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    function->smem_allowed = value;
  return fault(__func__);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t smem) {
  (void)function, (void)smem;
  *blocks = 2048 / threads;
  return fault(__func__);
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill) {
  (void)type, (void)rank, (void)address, (void)dims, (void)strides, (void)box, (void)steps, (void)interleave;
  (void)swizzle, (void)l2, (void)fill;
  memset(map, 0, sizeof *map);
  return fault(__func__);
}

/* --- launches --- */

/* The default arguments: a, b, sfa, sfb, c, M, K, L. */
static void compute(void **args, const char *name) {
  const uint8_t *a = *(uint8_t **)args[0], *b = *(uint8_t **)args[1], *sfa = *(uint8_t **)args[2],
                *sfb = *(uint8_t **)args[3];
  uint16_t *c = *(uint16_t **)args[4];
  long m = *(int *)args[5], k = *(int *)args[6], l = *(int *)args[7];
  double product[256]; /* of two e2m1 codes; exact, as sums and scales are */
  for (unsigned i = 0; i < 256; i++)
    product[i] = e2m1_value(i & 15) * e2m1_value(i >> 4);
  for (long batch = 0; batch < l; batch++)
    for (long row = 0; row < m - (strstr(name, "last") != NULL); row++) {
      long at = batch * m + row, vector = batch * PROBLEM_PAD_ROWS;
      double sum = 0;
      for (long block = 0; block < k / 16; block++) {
        const uint8_t *x = a + at * k / 2 + block * 8, *y = b + vector * k / 2 + block * 8;
        double part = 0;
        for (int i = 0; i < 8; i++)
          part += product[(x[i] & 15) | (y[i] & 15) << 4] + product[x[i] >> 4 | (y[i] & 240)];
        sum += part * e4m3fn_value(sfa[at * k / 16 + block]) * e4m3fn_value(sfb[vector * k / 16 + block]);
      }
      c[at] = fp16_from_double(sum);
    }
  if (strstr(name, "beside"))
    c[m * l] = 0;
}

/* The arguments x, y, n: y[i] = 2 * x[i] in fp32. */
static void scale(void **args, const char *name) {
  const float *x = *(float **)args[0];
  float *y = *(float **)args[1];
  int n = *(int *)args[2];
  for (int i = 0; i < n - (strstr(name, "last") != NULL); i++)
    y[i] = (strstr(name, "wrong") && i == 7 ? 3 : 2) * x[i];
  if (strstr(name, "beside"))
    y[n] = 0;
}

/* Whether a bad kernel is bad already. */
static bool is_due(const struct CUfunc_st *f) {
  const char *last = strrchr(f->name, '_');
  long first = last ? strtol(last + 1, NULL, 10) : 0;
  return f->launches >= first;
}

static CUresult misbehave(const char *name) {
  if (strstr(name, "crash"))
    abort();
  if (strstr(name, "exit"))
    _exit(7);
  if (strstr(name, "hang"))
    gpu.hangs = true;
  if (strstr(name, "fault"))
    gpu.lost = CUDA_ERROR_ILLEGAL_ADDRESS; /* told by the next call, not by the launch */
  return strstr(name, "refused") ? CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES : CUDA_SUCCESS;
}

/* A ceiling's loop over stores or atomic additions takes 1 ns a turn, its third argument. */
static uint64_t turns_ns(const char *name, void **args) {
  bool loops = strncmp(name, "rewrite", 7) == 0 || strncmp(name, "recopy", 6) == 0 || strncmp(name, "red_", 4) == 0;
  return loops ? *(const unsigned long long *)args[2] : 0;
}

static void record(const char *name, uint64_t own_ns, const unsigned grid[3], const unsigned block[3]) {
  unsigned blocks = grid[0] * grid[1] * grid[2];
  bool empty = strncmp(name, "nvfp4_prof_empty", 16) == 0;
  uint64_t gap_ns = (uint64_t)fake_value("gap", 0);
  pthread_mutex_lock(&launches_lock);
  uint64_t write_back_ns = gpu.after_write ? TAKEN_WRITE_BACK_NS : 0;
  gpu.now_ns += gap_ns;
  struct fake_launch launch = {
      .start_ns = gpu.now_ns,
      .end_ns =
          gpu.now_ns + own_ns + (empty ? TAKEN_EMPTY_NS : TAKEN_NS + write_back_ns + (uint64_t)blocks * TAKEN_BLOCK_NS),
      .grid = {grid[0], grid[1], grid[2]},
      .block = {block[0], block[1], block[2]},
      .name = name,
      .number = gpu.n_recorded += !gpu.in_graph,
      .graph = gpu.in_graph ? gpu.n_recorded : 0};
  gpu.now_ns = launch.end_ns;
  gpu.after_write = false;
  gpu.blocks += blocks;
  if (gpu.n_launches < LAUNCHES_MAX)
    gpu.launches[gpu.n_launches++] = launch;
  pthread_mutex_unlock(&launches_lock);
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  (void)stream;
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return fault(__func__);
}

void fake_graph(bool begins) {
  gpu.n_recorded += begins;
  gpu.in_graph = begins;
}

void fake_launch(const char *name, unsigned blocks) {
  record(name, 0, (const unsigned[]){blocks, 1, 1}, (const unsigned[]){1, 1, 1});
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **args, void **extra) {
  (void)extra;
  CUresult result = fault(__func__);
  f->launches++;
  if (!result && is_due(f))
    result = misbehave(f->name);
  /* As drivers do; each kernel has 1 KB of static shared memory. */
  const unsigned smem = config->sharedMemBytes;
  if (!result && smem + 1024 > 48 * 1024 && (int)smem > f->smem_allowed)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result)
    return result;
  if (strncmp(f->name, "gemv", 4) == 0)
    compute(args, f->name);
  if (strncmp(f->name, "scale", 5) == 0)
    scale(args, f->name);
  record(f->name, turns_ns(f->name, args), (const unsigned[]){config->gridDimX, config->gridDimY, config->gridDimZ},
         (const unsigned[]){config->blockDimX, config->blockDimY, config->blockDimZ});
  return CUDA_SUCCESS;
}

static CUresult synchronise(const char *call) {
  while (gpu.hangs)
    pause();
  return fault(call);
}

CUresult cuCtxSynchronize(void) {
  return synchronise(__func__);
}

CUresult cuStreamSynchronize(CUstream stream) {
  (void)stream;
  return synchronise(__func__);
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  (void)flags;
  *stream = NULL;
  return fault(__func__);
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  (void)flags;
  *event = calloc(1, sizeof **event);
  return *event ? fault(__func__) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  (void)stream;
  event->at_ns = gpu.now_ns;
  return fault(__func__);
}

CUresult cuEventElapsedTime_v2(float *ms, CUevent from, CUevent to) {
  *ms = (float)(to->at_ns - from->at_ns) / 1e6f;
  return fault(__func__);
}
