/* A plain, right kernel, a warp a row, from which each rung of `wrong` departs in one point: it derives from `right` and hides one of its
 * functions. */
#pragma once

#include "common/decode_bits.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int SIMPLE_ROWS = 8; /* a block is 32 x 8 */

struct right {
  /* The first and second value of a byte of A, of B, as e2m1 codes. */
  static __device__ unsigned a_code(unsigned byte, int second) {
    return second ? byte >> 4 : byte & 15;
  }
  static __device__ unsigned b_code(unsigned byte, int second) {
    return second ? byte >> 4 : byte & 15;
  }
  static __device__ float value(unsigned code) {
    return e2m1_from_bits(code);
  }
  static __device__ float scale(unsigned code) {
    return e4m3_from_bits(code);
  }
  static __device__ int blocks(int K) {
    return K / 16;
  }
  /* The batch of B and SFB that goes with batch l of A. */
  static __device__ int64_t b_batch(int64_t l) {
    return l;
  }
  static __device__ void store(__half *c, int64_t at, int row, int M, float sum) {
    c[at] = __float2half(sum);
  }
};

template <class rules>
static __device__ __forceinline__ void gemv_simple(const uint8_t *a, const uint8_t *b, const uint8_t *sfa,
                                                   const uint8_t *sfb, __half *c, int M, int K) {
  const int row = blockIdx.x * SIMPLE_ROWS + threadIdx.y;
  const int64_t batch = blockIdx.y;
  const int blocks = row < M ? rules::blocks(K) : 0;

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + rules::b_batch(batch) * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + rules::b_batch(batch) * PAD_ROWS * (K / 16);

  float sum = 0.0f;
  for (int block = threadIdx.x; block < blocks; block += 32) {
    float dot = 0.0f;
    for (int byte = block * 8; byte < block * 8 + 8; ++byte)
      for (int second = 0; second < 2; ++second)
        dot += rules::value(rules::a_code(a_row[byte], second)) * rules::value(rules::b_code(b_row[byte], second));
    sum += dot * (rules::scale(sfa_row[block]) * rules::scale(sfb_row[block]));
  }

  sum = sum_lanes<32>(sum);
  if (threadIdx.x == 0 && row < M)
    rules::store(c, batch * M + row, row, M, sum);
}

#define SIMPLE_KERNEL(rules)                                                                                           \
  extern "C" __global__ void __launch_bounds__(32 * SIMPLE_ROWS) gemv(                                                 \
      const uint8_t *a, const uint8_t *b, const uint8_t *sfa, const uint8_t *sfb, __half *c, int M, int K, int L) {    \
    gemv_simple<rules>(a, b, sfa, sfb, c, M, K);                                                                       \
  }
