//! id:         attempts-12-prefetch
//! ladder:     attempts
//! parent:     attempts-7-baseline
//! side:       yes
//! change:     a prologue loads the first tile into registers, and each iteration the next one, before it computes
//! predicts:   time > 0.98x; registers > 1.2x; dram_bytes within 2%
//! claim:      the hardware prefetcher already does it [test: long_scoreboard > 0.95 && time > 0.98]
//! cures:      long-scoreboard
//! step:       kernel = gemv; grid = ceil(M / 4), L; block = 128
//! accumulate: fp16-block
//! limits:     block_abs_max <= 65504 && scale_product_max <= 1023
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       a tile is four blocks of 16 a lane, as many as the baseline's loop is unrolled by; published as no gain, without a figure
//! note:       the second launch bound, 6 blocks a multiprocessor, gives ptxas registers enough to leave the loads of a tile in front of the computation

#include "common/attempts.cuh"
#include "common/load.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int ROWS_PER_BLOCK = 4;
constexpr int TILE_BLOCKS = 4;

struct tile {
  uint32_t a_lo[TILE_BLOCKS], a_hi[TILE_BLOCKS], b_lo[TILE_BLOCKS], b_hi[TILE_BLOCKS];
  uint32_t scale_a[TILE_BLOCKS], scale_b[TILE_BLOCKS];
};

extern "C" __global__ void __launch_bounds__(32 * ROWS_PER_BLOCK, 6)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  const int lane = threadIdx.x % 32, row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
  const int64_t batch = blockIdx.y;
  const int blocks = row < M ? K / 16 : 0; /* a row beyond M takes part in the shuffles only */

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  const auto fetch = [&](struct tile &t, int first) {
#pragma unroll
    for (int i = 0; i < TILE_BLOCKS; ++i) {
      const int block = first + 32 * i;
      t.a_lo[i] = load4(a_row + 8 * block), t.a_hi[i] = load4(a_row + 8 * block + 4);
      t.b_lo[i] = load4(b_row + 8 * block), t.b_hi[i] = load4(b_row + 8 * block + 4);
      t.scale_a[i] = load1(sfa_row + block), t.scale_b[i] = load1(sfb_row + block);
    }
  };

  float sum = 0.0f;
  const auto compute = [&](const struct tile &t) {
#pragma unroll
    for (int i = 0; i < TILE_BLOCKS; ++i)
      sum += block_dot(t.a_lo[i], t.a_hi[i], t.b_lo[i], t.b_hi[i], t.scale_a[i], t.scale_b[i]);
  };

  constexpr int STRIDE = TILE_BLOCKS * 32;
  const int end = blocks - (TILE_BLOCKS - 1) * 32; /* a tile that begins below it is whole */
  int block = lane;
  if (block < end) {
    struct tile now, next;
    fetch(now, block);
    /* The last tile comes after the loop: were the loads inside conditional, the compiler would move them behind the computation. */
#pragma unroll 1
    for (block += STRIDE; block < end; block += STRIDE) {
      fetch(next, block);
      compute(now);
      now = next;
    }
    compute(now);
  }
#pragma unroll 1
  for (; block < blocks; block += 32) {
    const uint32_t a_lo = load4(a_row + 8 * block), a_hi = load4(a_row + 8 * block + 4);
    const uint32_t b_lo = load4(b_row + 8 * block), b_hi = load4(b_row + 8 * block + 4);

    sum += block_dot(a_lo, a_hi, b_lo, b_hi, load1(sfa_row + block), load1(sfb_row + block));
  }

  sum = sum_lanes<32>(sum);
  if (lane == 0 && row < M)
    c[batch * M + row] = __float2half(sum * RESTORE_A);
}
