//! problem:   generic
//! id:        grouped-scores
//! ladder:    grouped-scores
//! size:      N = 16M
//! param:     HEADS = 8
//! buffer:    key = bf16[N]; init = random
//! buffer:    query = fp32[8 * 128]; init = random
//! buffer:    score = fp32[N / 16]
//! output:    score
//! step:      kernel = scores; grid = HEADS, N / 128 / 64; block = 256; args = key, query, score, N / 128
//! reference: kernel = scores_plain; grid = N / 16 / 256; block = 256; args = key, query, score, N / 128
//! tolerance: 1e-4 1e-4
//! note:      eight query heads share one head of keys, 128 K tokens long

//! id:        grouped-scores-b
//! parent:    grouped-scores
//! change:    a block has all eight query heads
//! step:      kernel = scores_all; grid = 1, N / 128 / 64; block = 256; args = key, query, score, N / 128

#include <cuda_bf16.h>

#define ROUNDS 4

struct __align__(16) eight {
  __nv_bfloat16 v[8];
};

// sixteen lanes a key, four keys each in turn, for COUNT heads from `first` on
template <int COUNT> __device__ void score_heads(const eight *key, const float *query, float *score, int tokens, int first) {
  int lane = threadIdx.x % 16, base = blockIdx.y * 64 + threadIdx.x / 16;
  float q[COUNT][8];
#pragma unroll
  for (int h = 0; h < COUNT; h++) {
    const float4 *from = (const float4 *)&query[(first + h) * 128 + lane * 8];
    *(float4 *)&q[h][0] = from[0];
    *(float4 *)&q[h][4] = from[1];
  }
  eight k[ROUNDS];
#pragma unroll
  for (int r = 0; r < ROUNDS; r++)
    k[r] = key[(base + 16 * r) * 16 + lane];
#pragma unroll
  for (int r = 0; r < ROUNDS; r++)
#pragma unroll
    for (int h = 0; h < COUNT; h++) {
      float sum = 0;
#pragma unroll
      for (int i = 0; i < 8; i++)
        sum += q[h][i] * __bfloat162float(k[r].v[i]);
#pragma unroll
      for (int d = 8; d; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
      if (lane == 0)
        score[(first + h) * tokens + base + 16 * r] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(256) scores(const eight *__restrict__ key, const float *__restrict__ query,
                                                         float *score, int tokens) {
  score_heads<1>(key, query, score, tokens, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(256) scores_all(const eight *__restrict__ key,
                                                             const float *__restrict__ query, float *score,
                                                             int tokens) {
  score_heads<HEADS>(key, query, score, tokens, 0);
}

extern "C" __global__ void scores_plain(const __nv_bfloat16 *key, const float *query, float *score, int tokens) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, h = i / tokens, t = i % tokens;
  double sum = 0;
  for (int d = 0; d < 128; d++)
    sum += (double)query[h * 128 + d] * __bfloat162float(key[t * 128 + d]);
  score[i] = sum;
}
