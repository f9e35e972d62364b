//! problem:   generic
//! id:        key-nibbles
//! ladder:    key-nibbles
//! size:      N = 16M
//! buffer:    key = i8[4 * N]; init = random
//! buffer:    scale = fp32[N / 16]; init = random
//! buffer:    query = fp16[128]; init = random
//! buffer:    score = fp32[N / 16]
//! output:    score
//! step:      kernel = scores; grid = N / 16 / 128; block = 256; args = key, scale, query, score
//! reference: kernel = scores_plain; grid = N / 16 / 256; block = 256; args = key, scale, query, score
//! tolerance: 0.2 2e-2
//! note:      scores of one query against a cache of a million keys of 128 four-bit values, a scale each

//! id:        key-nibbles-b
//! parent:    key-nibbles
//! change:    nibbles become halves by way of the bits of 1024
//! step:      kernel = scores_bits; grid = N / 16 / 128; block = 256; args = key, scale, query, score

#include <cuda_fp16.h>

// nibbles k and k + 4 of a word, less 8
struct by_value {
  static __device__ half2 pair(unsigned w, int k) {
    int low = (int)(w >> (4 * k) & 15) - 8, high = (int)(w >> (4 * k + 16) & 15) - 8;
    return __halves2half2(__int2half_rn(low), __int2half_rn(high));
  }
};

struct by_bits {
  static __device__ half2 pair(unsigned w, int k) {
    unsigned u = (w >> (4 * k) & 0x000f000f) | 0x64006400;
    return __hsub2(*(half2 *)&u, __float2half2_rn(1032));
  }
};

// four lanes a key, two keys a lane in turn
template <class Decode>
__device__ void score_keys(const uint4 *key, const float *scale, const half *query, float *score) {
  int lane = threadIdx.x % 4, group = threadIdx.x / 4;
  half2 q[16];
#pragma unroll
  for (int j = 0; j < 16; j++) {
    int at = lane * 32 + j / 4 * 8 + j % 4;
    q[j] = __halves2half2(query[at], query[at + 4]);
  }
  int token = blockIdx.x * 128 + group;
  uint4 v[2] = {key[token * 4 + lane], key[(token + 64) * 4 + lane]};
#pragma unroll
  for (int r = 0; r < 2; r++) {
    unsigned w[4] = {v[r].x, v[r].y, v[r].z, v[r].w};
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      half2 part = __float2half2_rn(0);
#pragma unroll
      for (int k = 0; k < 4; k++)
        part = __hfma2(Decode::pair(w[i], k), q[4 * i + k], part);
      sum += __low2float(part) + __high2float(part);
    }
    sum += __shfl_xor_sync(0xffffffff, sum, 1);
    sum += __shfl_xor_sync(0xffffffff, sum, 2);
    if (lane == 0)
      score[token + 64 * r] = sum * scale[token + 64 * r];
  }
}

extern "C" __global__ void scores(const uint4 *__restrict__ key, const float *__restrict__ scale,
                                  const half *__restrict__ query, float *score) {
  score_keys<by_value>(key, scale, query, score);
}

extern "C" __global__ void scores_bits(const uint4 *__restrict__ key, const float *__restrict__ scale,
                                       const half *__restrict__ query, float *score) {
  score_keys<by_bits>(key, scale, query, score);
}

extern "C" __global__ void scores_plain(const unsigned char *key, const float *scale, const half *query, float *score) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (int i = 0; i < 128; i++)
    sum += ((key[t * 64 + i / 2] >> (i % 2 * 4) & 15) - 8) * (double)__half2float(query[i]);
  score[t] = sum * scale[t];
}
