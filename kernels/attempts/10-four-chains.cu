//! id:         attempts-10-four-chains
//! ladder:     attempts
//! parent:     attempts-7-baseline
//! side:       yes
//! change:     four sums a thread, 32 blocks apart, and strides of 4 * 32
//! predicts:   time > 1x; registers > 1x; dram_bytes within 2%
//! claim:      registers spill [test: local_bytes > 0]
//! claim:      coalescing is lost [test: sectors_per_request > 1.02]
//! cures:      long-scoreboard
//! param:      UNROLL = 1 in {1, 2, 4}
//! step:       kernel = gemv; grid = ceil(M / 4), L; block = 128
//! accumulate: fp16-block
//! limits:     block_abs_max <= 65504 && scale_product_max <= 1023
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       published as the worst of the twelve, without a figure

#include "common/attempts.cuh"
#include "common/load.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int ROWS_PER_BLOCK = 4;
constexpr int CHAINS = 4;

extern "C" __global__ void __launch_bounds__(32 * ROWS_PER_BLOCK)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  const int lane = threadIdx.x % 32, row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
  const int64_t batch = blockIdx.y;
  const int blocks = row < M ? K / 16 : 0; /* a row beyond M takes part in the shuffles only */

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  float sums[CHAINS] = {0.0f, 0.0f, 0.0f, 0.0f};
  int first = lane;
#pragma unroll UNROLL
  for (; first + (CHAINS - 1) * 32 < blocks; first += CHAINS * 32) {
#pragma unroll
    for (int i = 0; i < CHAINS; ++i) {
      const int block = first + 32 * i;
      const uint32_t a_lo = load4(a_row + 8 * block), a_hi = load4(a_row + 8 * block + 4);
      const uint32_t b_lo = load4(b_row + 8 * block), b_hi = load4(b_row + 8 * block + 4);

      sums[i] += block_dot(a_lo, a_hi, b_lo, b_hi, load1(sfa_row + block), load1(sfb_row + block));
    }
  }
#pragma unroll 1
  for (int block = first; block < blocks; block += 32) {
    const uint32_t a_lo = load4(a_row + 8 * block), a_hi = load4(a_row + 8 * block + 4);
    const uint32_t b_lo = load4(b_row + 8 * block), b_hi = load4(b_row + 8 * block + 4);

    sums[0] += block_dot(a_lo, a_hi, b_lo, b_hi, load1(sfa_row + block), load1(sfb_row + block));
  }

  const float sum = sum_lanes<32>((sums[0] + sums[1]) + (sums[2] + sums[3]));
  if (lane == 0 && row < M)
    c[batch * M + row] = __float2half(sum * RESTORE_A);
}
