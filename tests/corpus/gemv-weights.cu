//! problem:   generic
//! id:        gemv-fp32
//! ladder:    gemv-weights
//! size:      N = 16M
//! param:     COLS = 8192
//! buffer:    w = fp32[4 * N]; init = random
//! buffer:    x = fp32[COLS]; init = random
//! buffer:    y = fp32[4 * N / COLS]
//! output:    y
//! scratch:   w16 = 2 * 4 * N
//! setup:     kernel = halve; grid = 4 * N / 256; block = 256; args = w, w16
//! step:      kernel = gemv32; grid = 4 * N / COLS; block = 256; args = w, x, y
//! reference: kernel = gemv_double; grid = 4 * N / COLS / 32; block = 32; args = w, x, y
//! tolerance: 0.2 1e-3
//! flops:     8 * N

//! id:        gemv-fp16
//! parent:    gemv-fp32
//! change:    the weights kept as fp16
//! predicts:  dram_bytes < 0.6x; time < 0.7x
//! step:      kernel = gemv16; grid = 4 * N / COLS; block = 256; args = w16, x, y

#include <cuda_fp16.h>

extern "C" __global__ void halve(const float *w, __half *w16) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  w16[i] = __float2half(w[i]);
}

__device__ float4 four(float4 v) { return v; }
__device__ float4 four(uint2 v) {
  float2 a = __half22float2(*(__half2 *)&v.x), b = __half22float2(*(__half2 *)&v.y);
  return make_float4(a.x, a.y, b.x, b.y);
}

// A block a row, four weights a load.
template <class V> __device__ void row_dot(const V *__restrict__ w, const float4 *__restrict__ x, float *y) {
  __shared__ float warps[8];
  float s = 0;
#pragma unroll
  for (int i = 0; i < COLS / 4 / 256; i++) {
    float4 a = four(w[(size_t)blockIdx.x * (COLS / 4) + i * 256 + threadIdx.x]), b = x[i * 256 + threadIdx.x];
    s += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; i++)
      s += warps[i];
    y[blockIdx.x] = s;
  }
}

extern "C" __global__ void gemv32(const float4 *w, const float4 *x, float *y) { row_dot(w, x, y); }
extern "C" __global__ void gemv16(const uint2 *w, const float4 *x, float *y) { row_dot(w, x, y); }

extern "C" __global__ void gemv_double(const float *w, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int i = 0; i < COLS; i++)
    s += (double)w[(size_t)row * COLS + i] * x[i];
  y[row] = s;
}
