//! id:         wrong-nan
//! ladder:     wrong
//! change:     writes NaN to the last row of each batch
//! step:       kernel = gemv; grid = ceil(M / 8), L; block = 32, 8
//! accumulate: fp32
//! wrong:      nan

#include "common/simple.cuh"

struct faulty : right {
  static __device__ void store(__half *c, int64_t at, int row, int M, float sum) {
    c[at] = row == M - 1 ? __ushort_as_half(0x7fff) : __float2half(sum);
  }
};

SIMPLE_KERNEL(faulty)
