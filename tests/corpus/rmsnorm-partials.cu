//! problem:   generic
//! id:        rmsnorm-thread-zero
//! ladder:    rmsnorm-partials
//! size:      N = 16M
//! param:     COLS = 8192
//! buffer:    x = bf16[2 * N]; init = random
//! buffer:    gain = bf16[COLS]; init = random
//! buffer:    y = bf16[2 * N]
//! output:    y
//! step:      kernel = norm_zero; grid = 2 * N / COLS; block = 1024; args = x, gain, y
//! reference: kernel = norm_double; grid = 2 * N / COLS; block = 32; args = x, gain, y
//! flops:     8 * N
//! note:      rows of a model with 8192 channels, a block a row, eight numbers a thread

//! id:        rmsnorm-warp-sums
//! parent:    rmsnorm-thread-zero
//! change:    warps add their squares by shuffles, instead of one thread all of them while the others wait
//! predicts:  time < 0.85x; dram_bytes within 5%
//! step:      kernel = norm_warps; grid = 2 * N / COLS; block = 1024; args = x, gain, y

#include <cuda_bf16.h>

struct __align__(16) eight {
  __nv_bfloat162 pair[4];
};

__device__ float squares(const eight &v) {
  float s = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    float2 f = __bfloat1622float2(v.pair[k]);
    s += f.x * f.x + f.y * f.y;
  }
  return s;
}

__device__ eight scaled(const eight &v, const eight &gain, float scale) {
  eight out;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    float2 f = __bfloat1622float2(v.pair[k]), g = __bfloat1622float2(gain.pair[k]);
    out.pair[k] = __floats2bfloat162_rn(f.x * scale * g.x, f.y * scale * g.y);
  }
  return out;
}

extern "C" __global__ void __launch_bounds__(1024) norm_zero(const eight *x, const eight *gain, eight *y) {
  __shared__ float part[1024], total;
  eight v = x[blockIdx.x * (COLS / 8) + threadIdx.x];
  part[threadIdx.x] = squares(v);
  __syncthreads();
  if (threadIdx.x == 0) {
    float s = 0;
    for (int i = 0; i < 1024; i++)
      s += part[i];
    total = s;
  }
  __syncthreads();
  y[blockIdx.x * (COLS / 8) + threadIdx.x] = scaled(v, gain[threadIdx.x], rsqrtf(total / COLS + 1e-5f));
}

extern "C" __global__ void __launch_bounds__(1024) norm_warps(const eight *x, const eight *gain, eight *y) {
  __shared__ float part[32];
  eight v = x[blockIdx.x * (COLS / 8) + threadIdx.x];
  float s = squares(v);
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_xor_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = s;
  __syncthreads();
  s = part[threadIdx.x % 32];
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_xor_sync(0xffffffff, s, offset);
  y[blockIdx.x * (COLS / 8) + threadIdx.x] = scaled(v, gain[threadIdx.x], rsqrtf(s / COLS + 1e-5f));
}

// A warp a row.
extern "C" __global__ void norm_double(const __nv_bfloat16 *x, const __nv_bfloat16 *gain, __nv_bfloat16 *y) {
  size_t first = (size_t)blockIdx.x * COLS;
  double s = 0;
  for (int i = threadIdx.x; i < COLS; i += 32)
    s += (double)__bfloat162float(x[first + i]) * __bfloat162float(x[first + i]);
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_xor_sync(0xffffffff, s, offset);
  for (int i = threadIdx.x; i < COLS; i += 32)
    y[first + i] = __float2bfloat16(
        (float)(__bfloat162float(x[first + i]) / sqrt(s / COLS + 1e-5) * __bfloat162float(gain[i])));
}
