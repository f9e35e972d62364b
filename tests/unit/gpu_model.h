/* What a GPU that is a formula answers where there is nothing to work out: a function is its name, a copy is one of memory. */
#ifndef TESTS_UNIT_GPU_MODEL_H
#define TESTS_UNIT_GPU_MODEL_H

#include <cuda.h>
#include <string.h>

static inline CUresult model_function(CUfunction *f, CUmodule module, const char *name) {
  (void)module;
  *f = (CUfunction)(size_t)name;
  return CUDA_SUCCESS;
}

static inline CUresult model_wait(CUstream stream) {
  (void)stream;
  return CUDA_SUCCESS;
}

static inline CUresult model_in(CUdeviceptr to, const void *from, size_t n) {
  memcpy((void *)to, from, n);
  return CUDA_SUCCESS;
}

static inline CUresult model_out(void *to, CUdeviceptr from, size_t n) {
  memcpy(to, (const void *)from, n);
  return CUDA_SUCCESS;
}

#endif
