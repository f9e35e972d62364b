//! problem:   generic
//! id:        linear-one-token
//! ladder:    tokens-linear
//! size:      N = 16M
//! param:     WIDTH = 2048
//! param:     TOKENS = 64
//! param:     TOGETHER = 1
//! buffer:    w = fp16[WIDTH * WIDTH]; init = random
//! buffer:    x = fp16[TOKENS * WIDTH]; init = random
//! buffer:    y = fp32[TOKENS * WIDTH]
//! output:    y
//! step:      kernel = linear; grid = WIDTH / 8, TOKENS / TOGETHER; block = 256; args = w, x, y
//! reference: kernel = linear_plain; grid = WIDTH / 32, TOKENS; block = 32; args = w, x, y
//! tolerance: 1e-3 1e-4
//! flops:     2 * WIDTH * WIDTH * TOKENS
//! note:      a GEMV kernel launched for a batch of 64 tokens; the weights, 8 MiB, stay in L2

//! id:        linear-eight-tokens
//! parent:    linear-one-token
//! change:    a warp multiplies the row of weights that it loads by eight tokens, instead of by one
//! param:     TOGETHER = 8
//! predicts:  l2_read_bytes < 0.4x; time < 0.7x

#include <cuda_fp16.h>

struct __align__(16) eight {
  __half2 pair[4];
};

__device__ float dot(const eight &a, const eight &b) {
  float s = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    float2 u = __half22float2(a.pair[k]), v = __half22float2(b.pair[k]);
    s += u.x * v.x + u.y * v.y;
  }
  return s;
}

// A warp a row of weights.
extern "C" __global__ void linear(const eight *__restrict__ w, const eight *__restrict__ x, float *__restrict__ y) {
  int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32, token = blockIdx.y * TOGETHER;
  float s[TOGETHER] = {};
#pragma unroll 2
  for (int i = lane; i < WIDTH / 8; i += 32) {
    eight v = w[row * (WIDTH / 8) + i];
#pragma unroll
    for (int t = 0; t < TOGETHER; t++)
      s[t] += dot(v, x[(token + t) * (WIDTH / 8) + i]);
  }
#pragma unroll
  for (int t = 0; t < TOGETHER; t++) {
    for (int offset = 16; offset; offset /= 2)
      s[t] += __shfl_down_sync(0xffffffff, s[t], offset);
    if (lane == 0)
      y[(token + t) * WIDTH + row] = s[t];
  }
}

extern "C" __global__ void linear_plain(const __half *w, const __half *x, float *y) {
  int row = blockIdx.x * 32 + threadIdx.x, token = blockIdx.y;
  double s = 0;
  for (int i = 0; i < WIDTH; i++)
    s += (double)__half2float(w[(size_t)row * WIDTH + i]) * __half2float(x[token * WIDTH + i]);
  y[token * WIDTH + row] = s;
}
