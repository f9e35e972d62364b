/* The parts of mma/. */
#pragma once

#include "profiler/compile/compile.h"
#include "profiler/cuda/blaslt.h"
#include "profiler/mma/mma.h"

#include <stdint.h>

/* --- operands.c: pure --- */

/* Random codes of a format, finite ones whose sums stay within fp16: the same for the same seed. */
void mma_values_make(enum mma_format f, uint64_t seed, unsigned char *out, size_t bytes);
/* The value of element `at` of what lies there. */
double mma_value(enum mma_format f, const unsigned char *from, size_t at);
/* Of an element of C. */
double mma_sum_value(enum mma_sum s, const unsigned char *from, size_t at);
int mma_sum_bytes(enum mma_sum s);
/* The largest relative RMS error that is no mistake: 0 for integers. */
double mma_tolerance(enum mma_sum s);

/* --- native.c: pure --- */

/* Fills native, opcode, n_opcode, n_convert from the SASS of the product. */
void mma_classify(struct mma_row *row, const struct run_kernel *k);

/* --- build.c --- */

enum { MMA_OPTIONS = 11, MMA_PEAK_CHAINS = 8 };
struct mma_defines {
  char text[MMA_OPTIONS][160];
  const char *options[MMA_OPTIONS];
  size_t n;
};
void mma_defines_of(struct mma_defines *out, const struct mma_row *row);
const char *mma_source(void);
extern const char mma_source_name[];
/* Seconds to compile a row with NVRTC and with nvcc, without a cache, in a process of its own, one at a time. */
void mma_cold(struct mma *m, const struct mma_options *o);

/* --- the device --- */

struct mma_device {
  const struct gpu_probe *gpu;
  long m, n, k;
  struct driver driver;
  CUdevice device;
  CUcontext context;
  CUstream stream;
  CUevent events[2];
  CUdeviceptr a, b, c;
  unsigned char *host_a, *host_b, *host_c;
  bool filled;
  enum mma_format format_a, format_b; /* filled: what a and b hold */
  double *reference;                  /* of the small product */
  struct cublas cublas;
  cublasHandle_t cublas_handle;
  struct err cublas_error;
  struct blaslt blaslt;
};
int mma_device_open(struct mma_device *d, const struct mma_options *o, const struct gpu_probe *gpu, struct err *e);
/* Fills A and B with values of the type, and the reference of the small product. */
int mma_device_fill(struct mma_device *d, const struct mma_type *t, struct err *e);
/* Checks the product at both sizes, and times it. */
int mma_device_product(struct mma_device *d, struct mma_row *row, CUmodule module, struct err *e);
int mma_device_peak(struct mma_device *d, struct mma_row *row, CUmodule module, struct err *e);
/* cuBLAS's product of the same operands.  name: filled with the library's version. */
int mma_device_library(struct mma_device *d, struct mma_row *row, char name[64], struct err *e);

/* The mid-distribution median of launches by event pairs. */
struct mma_call {
  int (*run)(void *context, struct err *e);
  void *context;
};
int mma_device_time(struct mma_device *d, const struct mma_call *call, double *time_s, struct err *e);

void mma_present(struct mma_figure *f, double value);
void mma_absent(struct mma_figure *f, const char *reason, ...) __attribute__((format(printf, 2, 3)));
