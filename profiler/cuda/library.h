/* CUDA's libraries, opened at run time and never linked: one binary for every machine.
 *
 * A library that is already loaded is used as it is.  Otherwise the first that opens of: the file named by its variable (NVFP4_LIBCUDA,
 * NVFP4_LIBCUPTI, NVFP4_LIBNVRTC, NVFP4_LIBNVML, NVFP4_LIBCUBLAS, NVFP4_LIBCUBLASLT); the library folders of NVFP4_CUDA_HOME, CUDA_HOME, CUDA_PATH, of the folder `cuda` beside
 * the binary, of NVIDIA's wheels beside ours and in the folders that NVFP4_CUDA_WHEELS lists (colon between), of /usr/local/cuda; the loader's own search path.  Errors (ERR_MACHINE) name the library, every place looked in or the symbol
 * that is missing, and the remedy.  Handles stay open until the process ends.
 */
#pragma once

#include "base/err.h"
#include "profiler/cuda/cublas.h"
#include "profiler/cuda/symbols.h"

#include <cuda.h>
#include <stdbool.h>

#include <cupti_activity.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>
#include <nvrtc.h>

/* NVML's header is in no small package: the five functions used here, from NVIDIA's NVML API reference. */
typedef struct nvmlDevice_st *nvmlDevice_t;
int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlSystemGetDriverVersion(char *version, unsigned int length);
int nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device);
int nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons);

enum { LIBRARY_PATH_MAX = 4096, NVRTC_INCLUDES = 3 };
#define LIBRARY_FIELD(need, name) __typeof__(&name) name;
struct driver {
  char path[LIBRARY_PATH_MAX]; /* the file that was loaded */
  DRIVER_SYMBOLS(LIBRARY_FIELD)
};
struct cupti {
  char path[LIBRARY_PATH_MAX];
  char *missing; /* optional symbols that this library lacks, blank between; NULL: none */
  CUPTI_SYMBOLS(LIBRARY_FIELD)
};
struct nvrtc {
  char path[LIBRARY_PATH_MAX];
  char include[NVRTC_INCLUDES][LIBRARY_PATH_MAX]; /* the toolkit's include folders; "" where there is none */
  NVRTC_SYMBOLS(LIBRARY_FIELD)
};
struct nvml {
  char path[LIBRARY_PATH_MAX];
  NVML_SYMBOLS(LIBRARY_FIELD)
};
struct cublas {
  char path[LIBRARY_PATH_MAX];
  CUBLAS_SYMBOLS(LIBRARY_FIELD)
};
struct cublaslt {
  char path[LIBRARY_PATH_MAX];
  CUBLASLT_SYMBOLS(LIBRARY_FIELD)
};
#undef LIBRARY_FIELD

int driver_load(struct driver *d, struct err *e);
/* The same with the primary context of a device made current, and a stream of its own. */
int driver_open(struct driver *d, int index, CUdevice *device, CUcontext *context, CUstream *stream, struct err *e);
/* Queues `grid` blocks of `block` threads, each in a row. */
struct driver_grid {
  unsigned grid, block, smem; /* smem: dynamic, bytes */
};
int driver_launch(const struct driver *d, CUfunction f, const struct driver_grid *g, CUstream stream, void **args,
                  struct err *e);
int cupti_load(struct cupti *c, struct err *e);
/* The same without the libraries that its counters need, whose opening took 0.12 s on the machine of an H200; these come by the second function. */
int cupti_load_alone(struct cupti *c, struct err *e);
void cupti_companions(const struct cupti *c);
int nvrtc_load(struct nvrtc *n, struct err *e);
int nvml_load(struct nvml *n, struct err *e);
int cublas_load(struct cublas *c, struct err *e);
int cublaslt_load(struct cublaslt *c, struct err *e);

/* A program of the toolkit (nvdisasm, ptxas, nvcc): the file named by NVFP4_NVDISASM, NVFP4_PTXAS or NVFP4_NVCC, else the bin folders of the places above,
 * PATH, NVIDIA's wheels of the Pythons on it.  ERR_MACHINE where there is none. */
int program_find(char out[LIBRARY_PATH_MAX], const char *name, struct err *e);
/* On PATH; false, and out is "": it is not there. */
bool program_on_path(char out[LIBRARY_PATH_MAX], const char *name);
/* The folder of the running program; false, and out is "": the system does not tell it. */
bool program_folder(char out[LIBRARY_PATH_MAX]);

/* As nvidia-smi prints it: "GPU-01234567-...". */
enum { GPU_UUID_BYTES = 48 };
void gpu_uuid_text(char out[GPU_UUID_BYTES], const CUuuid *uuid);

/* 0 where the call succeeded; else ERR_GPU "CALL: NAME: what it means". */
int driver_check(const struct driver *d, CUresult result, const char *call, struct err *e);
/* One spelling for a call of the driver d and its name. */
#define CU_CALL(d, e, call, ...) driver_check(d, (d)->call(__VA_ARGS__), #call, e)
int cupti_check(const struct cupti *c, CUptiResult result, const char *call, struct err *e);
