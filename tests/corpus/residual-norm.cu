//! problem:   generic
//! id:        residual-norm
//! ladder:    residual-norm
//! size:      N = 16M
//! param:     COLS = 2048
//! param:     TRAINING = 1
//! buffer:    x = bf16[N]; init = random
//! buffer:    skip = bf16[N]; init = random
//! buffer:    gain = fp32[COLS]; init = random
//! buffer:    y = bf16[N]
//! output:    y
//! scratch:   kept = 4 * N
//! scratch:   spread = 4 * N / COLS
//! step:      kernel = residual_norm; grid = N / COLS; block = 256; args = x, skip, gain, y, kept, spread
//! reference: kernel = norm_plain; grid = N / COLS; block = 256; args = x, skip, gain, y
//! tolerance: 3e-2 1e-2
//! note:      a layer's input joins the residual stream and is normalised; y is what the model's output rests on

//! id:        residual-norm-b
//! parent:    residual-norm
//! change:    nothing is kept for a backward pass, which does not follow here
//! param:     TRAINING = 0

#include <cuda_bf16.h>

struct __align__(16) eight {
  __nv_bfloat16 v[8];
};

__device__ float block_sum(float v) {
  __shared__ float part[8];
  for (int d = 16; d; d /= 2)
    v += __shfl_xor_sync(0xffffffff, v, d);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  v = part[threadIdx.x % 8];
  for (int d = 4; d; d /= 2)
    v += __shfl_xor_sync(0xffffffff, v, d);
  return v;
}

// a block a row of COLS = 256 * 8
extern "C" __global__ void __launch_bounds__(256) residual_norm(const eight *__restrict__ x, const eight *__restrict__ skip,
                                                       const float4 *__restrict__ gain, eight *__restrict__ y,
                                                       float4 *__restrict__ kept, float *__restrict__ spread) {
  int i = blockIdx.x * 256 + threadIdx.x;
  eight a = x[i], b = skip[i];
  float h[8], sum = 0, square = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    h[k] = __bfloat162float(a.v[k]) + __bfloat162float(b.v[k]);
    sum += h[k];
  }
  float mean = block_sum(sum) / COLS;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    h[k] -= mean;
    square += h[k] * h[k];
  }
  float scale = rsqrtf(block_sum(square) / COLS + 1e-5f);
#pragma unroll
  for (int k = 0; k < 8; k++)
    h[k] *= scale;
  if (TRAINING) {
    kept[2 * i] = make_float4(h[0], h[1], h[2], h[3]);
    kept[2 * i + 1] = make_float4(h[4], h[5], h[6], h[7]);
    if (threadIdx.x == 0)
      spread[blockIdx.x] = scale;
  }
  float4 g[2] = {gain[2 * threadIdx.x], gain[2 * threadIdx.x + 1]};
#pragma unroll
  for (int k = 0; k < 8; k++)
    a.v[k] = __float2bfloat16(h[k] * (&g[k / 4].x)[k % 4]);
  y[i] = a;
}

extern "C" __global__ void norm_plain(const __nv_bfloat16 *x, const __nv_bfloat16 *skip, const float *gain,
                                      __nv_bfloat16 *y) {
  __shared__ double mean, scale;
  const size_t row = (size_t)blockIdx.x * COLS;
  if (threadIdx.x == 0) {
    double sum = 0, square = 0;
    for (int c = 0; c < COLS; c++)
      sum += (double)__bfloat162float(x[row + c]) + __bfloat162float(skip[row + c]);
    mean = sum / COLS;
    for (int c = 0; c < COLS; c++) {
      double d = (double)__bfloat162float(x[row + c]) + __bfloat162float(skip[row + c]) - mean;
      square += d * d;
    }
    scale = 1 / sqrt(square / COLS + 1e-5);
  }
  __syncthreads();
  for (int c = threadIdx.x; c < COLS; c += 256)
    y[row + c] = __float2bfloat16((float)(((double)__bfloat162float(x[row + c]) + __bfloat162float(skip[row + c]) - mean) * scale * gain[c]));
}
