//! id:         attempts-8-split-k
//! ladder:     attempts
//! parent:     attempts-7-baseline
//! side:       yes
//! change:     K split over blocks too, which add their fp32 sums by atomicAdd; a second launch converts them to fp16
//! predicts:   time > 1x; inst > 1x; dram_bytes within 5%
//! claim:      split-K is slower [test: time > 1]
//! cures:      latency
//! param:      SPLITS = 4 in {2, 4, 8}
//! scratch:    sums = 4 * M * L; fill = 0
//! reset:      fill sums = 0
//! step:       kernel = gemv; grid = ceil(M / 4), SPLITS, L; block = 128; args = a, b, sfa, sfb, sums, M, K, L
//! step:       kernel = convert; grid = ceil(M * L / 256); block = 256; args = sums, c, i64(M * L)
//! accumulate: fp16-block
//! limits:     block_abs_max <= 65504 && scale_product_max <= 1023
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       the buffer is cleared outside the measured range

#include "common/attempts.cuh"
#include "common/load.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int ROWS_PER_BLOCK = 4;

extern "C" __global__ void __launch_bounds__(32 * ROWS_PER_BLOCK)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, float *__restrict__ sums, int M, int K, int L) {
  const int lane = threadIdx.x % 32, row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
  const int64_t batch = blockIdx.z;
  const int share = (K / 16 + SPLITS - 1) / SPLITS, first = blockIdx.y * share;
  const int blocks = row < M ? min(K / 16, first + share) : 0; /* a row beyond M takes part in the shuffles only */

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  float sum = 0.0f;
#pragma unroll 4
  for (int block = first + lane; block < blocks; block += 32) {
    const uint32_t a_lo = load4(a_row + 8 * block), a_hi = load4(a_row + 8 * block + 4);
    const uint32_t b_lo = load4(b_row + 8 * block), b_hi = load4(b_row + 8 * block + 4);

    sum += block_dot(a_lo, a_hi, b_lo, b_hi, load1(sfa_row + block), load1(sfb_row + block));
  }

  sum = sum_lanes<32>(sum);
  if (lane == 0 && row < M)
    atomicAdd(&sums[batch * M + row], sum * RESTORE_A);
}

extern "C" __global__ void __launch_bounds__(256)
    convert(const float *__restrict__ sums, __half *__restrict__ c, int64_t n) {
  const int64_t at = int64_t(blockIdx.x) * 256 + threadIdx.x;
  if (at < n)
    c[at] = __float2half(sums[at]);
}
