//! id:         attempts-1-thread-a-row
//! ladder:     attempts
//! change:     one thread a row; FP4 to fp16, everything else in fp32
//! param:      THREADS = 128 in {32, 64, 128, 256}
//! param:      TILE_K = 16 in {16, 64, 128}
//! step:       kernel = gemv; grid = ceil(M / THREADS), L; block = THREADS
//! accumulate: fp32
//! needs:      sm >= 80
//! note:       the whole ladder decodes as its seventh rung does, so that a step shows its own change and not another way to decode
//! note:       neighbouring threads read words that lie K/2 apart: each costs a sector of 32 bytes, which the L1 must keep for the next
//! note:       the second launch bound grants registers for a tile; for tiles of 128 ptxas still leaves only a third of the loads in front
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//!
//! id:         attempts-2-tile-64
//! parent:     attempts-1-thread-a-row
//! change:     K tiles of 64 instead of 16: the loads of four blocks stand in front of their use
//! predicts:   time < 0.95x; registers > 1x; long_scoreboard < 1x; sectors_per_request within 2%
//! cures:      long-scoreboard
//! param:      TILE_K = 64 in {16, 64, 128}
//!
//! id:         attempts-3-tile-128
//! parent:     attempts-2-tile-64
//! change:     K tiles of 128
//! predicts:   time within 5%; registers within 10%; inst within 5%; sectors_per_request within 2%
//! cures:      long-scoreboard
//! param:      TILE_K = 128 in {16, 64, 128}
//!
//! id:         attempts-4-threads-32
//! parent:     attempts-3-tile-128
//! change:     32 threads a block, so that four times as many blocks spread over the multiprocessors
//! predicts:   time < 0.9x; inst within 2%; sectors_per_request within 2%
//! cures:      latency
//! param:      THREADS = 32 in {32, 64, 128, 256}
//! param:      TILE_K = 128 in {16, 64, 128}

#include "common/attempts.cuh"
#include "common/load.cuh"

#include <cuda_fp16.h>

constexpr int TILE_BLOCKS = TILE_K / 16;
static_assert(TILE_K % 16 == 0, "TILE_K is a multiple of 16");

extern "C" __global__ void __launch_bounds__(THREADS, 512 / THREADS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  const int row = blockIdx.x * THREADS + threadIdx.x;
  const int64_t batch = blockIdx.y;
  if (row >= M)
    return;

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  float sum = 0.0f;
  int block = 0;
#pragma unroll 1
  for (; block + TILE_BLOCKS <= K / 16; block += TILE_BLOCKS) {
    uint32_t a_lo[TILE_BLOCKS], a_hi[TILE_BLOCKS], b_lo[TILE_BLOCKS], b_hi[TILE_BLOCKS];
    uint32_t scale_a[TILE_BLOCKS], scale_b[TILE_BLOCKS];
#pragma unroll
    for (int i = 0; i < TILE_BLOCKS; ++i) {
      const int at = block + i;
      a_lo[i] = load4(a_row + 8 * at), a_hi[i] = load4(a_row + 8 * at + 4);
      b_lo[i] = load4(b_row + 8 * at), b_hi[i] = load4(b_row + 8 * at + 4);
      scale_a[i] = load1(sfa_row + at), scale_b[i] = load1(sfb_row + at);
    }

#pragma unroll
    for (int i = 0; i < TILE_BLOCKS; ++i) {
      const float scale = scale_product(scale_a[i], scale_b[i]);
      sum = piece_add(a_lo[i], b_lo[i], scale, sum);
      sum = piece_add(a_hi[i], b_hi[i], scale, sum);
    }
  }
#pragma unroll 1
  for (; block < K / 16; ++block) { /* what is left of a tile beyond 64 values */
    const uint32_t a_lo = load4(a_row + 8 * block), a_hi = load4(a_row + 8 * block + 4);
    const uint32_t b_lo = load4(b_row + 8 * block), b_hi = load4(b_row + 8 * block + 4);

    const float scale = scale_product(load1(sfa_row + block), load1(sfb_row + block));
    sum = piece_add(a_lo, b_lo, scale, sum);
    sum = piece_add(a_hi, b_hi, scale, sum);
  }

  c[batch * M + row] = __float2half(sum * E2M1_UNSCALE);
}
