//! id:         wrong-unwritten
//! ladder:     wrong
//! change:     leaves the last row of each batch unwritten
//! step:       kernel = gemv; grid = ceil(M / 8), L; block = 32, 8
//! accumulate: fp32
//! wrong:      unwritten

#include "common/simple.cuh"

struct faulty : right {
  static __device__ void store(__half *c, int64_t at, int row, int M, float sum) {
    if (row < M - 1)
      c[at] = __float2half(sum);
  }
};

SIMPLE_KERNEL(faulty)
