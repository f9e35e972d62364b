//! problem:   generic
//! id:        gemv-two-bytes
//! ladder:    gemv-narrow
//! size:      N = 16M
//! param:     COLS = 8192
//! buffer:    w = fp16[4 * N]; init = random
//! buffer:    x = fp32[COLS]; init = random
//! buffer:    y = fp32[4 * N / COLS]
//! output:    y
//! step:      kernel = one_a_load; grid = 4 * N / COLS / 8; block = 256; args = w, x, y
//! reference: kernel = gemv_double; grid = 4 * N / COLS / 32; block = 32; args = w, x, y
//! tolerance: 1e-3 1e-4
//! flops:     8 * N

//! id:        gemv-sixteen-bytes
//! parent:    gemv-two-bytes
//! change:    eight weights a load instead of one
//! predicts:  inst < 0.6x; time < 0.8x; dram_bytes within 5%
//! step:      kernel = eight_a_load; grid = 4 * N / COLS / 8; block = 256; args = w, x, y

#include <cuda_fp16.h>

// A warp a row.
__device__ void finish(float s, float *y) {
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    y[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = s;
}

extern "C" __global__ void one_a_load(const __half *__restrict__ w, const float *__restrict__ x, float *y) {
  const __half *row = w + (size_t)(blockIdx.x * 8 + threadIdx.x / 32) * COLS;
  float s = 0;
#pragma unroll 2
  for (int i = threadIdx.x % 32; i < COLS; i += 32)
    s += __half2float(row[i]) * x[i];
  finish(s, y);
}

extern "C" __global__ void eight_a_load(const __half *__restrict__ w, const float *__restrict__ x, float *y) {
  const uint4 *row = (const uint4 *)(w + (size_t)(blockIdx.x * 8 + threadIdx.x / 32) * COLS);
  float s = 0;
#pragma unroll 2
  for (int i = threadIdx.x % 32; i < COLS / 8; i += 32) {
    uint4 v = row[i];
    const __half2 *h = (const __half2 *)&v;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      float2 a = __half22float2(h[k]), b = ((const float2 *)x)[i * 4 + k];
      s += a.x * b.x + a.y * b.y;
    }
  }
  finish(s, y);
}

extern "C" __global__ void gemv_double(const __half *w, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int i = 0; i < COLS; i++)
    s += (double)__half2float(w[(size_t)row * COLS + i]) * x[i];
  y[row] = s;
}
