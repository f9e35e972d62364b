//! id:         attempts-11a-64-registers
//! ladder:     attempts
//! parent:     attempts-7-baseline
//! side:       yes
//! change:     registers capped at 64
//! predicts:   time within 2%; inst within 1%; dram_bytes within 2%
//! claim:      a cap of 64 registers has no effect [test: time > 0.98 && time < 1.02]
//! cures:      occupancy
//! param:      ROWS_PER_BLOCK = 4 in {4, 8, 16}
//! param:      UNROLL = 4 in {1, 2, 4, 8}
//! options:    maxrregcount = 64
//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = 32 * ROWS_PER_BLOCK
//! accumulate: fp16-block
//! limits:     block_abs_max <= 65504 && scale_product_max <= 1023
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//!
//! id:         attempts-11b-8-rows
//! change:     256 threads a block, 8 rows
//! predicts:   time within 2%; inst within 1%; dram_bytes within 2%
//! claim:      eight rows a block have no effect [test: time > 0.98 && time < 1.02]
//! param:      ROWS_PER_BLOCK = 8 in {4, 8, 16}
//! options:
//!
//! id:         attempts-11c-unroll-8
//! change:     the loop unrolled by eight
//! predicts:   time > 1x; inst within 5%; dram_bytes within 2%
//! claim:      slower for its registers [test: time > 1 && registers > 1 && occupancy < 1]
//! claim:      slower for the instruction cache [test: time > 1 && no_instruction > 1.1]
//! cures:      long-scoreboard
//! param:      UNROLL = 8 in {1, 2, 4, 8}
//! options:

#include "common/attempts.cuh"
#include "common/load.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

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

  float sum = 0.0f;
#pragma unroll UNROLL
  for (int block = lane; block < blocks; block += 32) {
    const uint32_t a_lo = load4(a_row + 8 * block), a_hi = load4(a_row + 8 * block + 4);
    const uint32_t b_lo = load4(b_row + 8 * block), b_hi = load4(b_row + 8 * block + 4);

    sum += block_dot(a_lo, a_hi, b_lo, b_hi, load1(sfa_row + block), load1(sfb_row + block));
  }

  sum = sum_lanes<32>(sum);
  if (lane == 0 && row < M)
    c[batch * M + row] = __float2half(sum * RESTORE_A);
}
