//! id:         top-1-coarsen4
//! ladder:     top
//! parent:     top-1-no-allocate
//! side:       yes
//! change:     four rows a warp, which share its decoded B; A double-buffered in shared memory by cp.async
//! predicts:   time > 1x; inst < 0.9x; dram_bytes within 2%
//! claim:      direct loads with a cache policy beat cp.async [test: time > 1]
//! cures:      redundant-b-loads
//! param:      ROWS_PER_WARP = 4
//! param:      WARPS = 4
//! step:       kernel = gemv; grid = ceil(M / (WARPS * ROWS_PER_WARP)), L; block = 32, WARPS
//! accumulate: fp16-block
//! limits:     4 * block_abs_max <= 65504 && scale_product_max <= 65504
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       Second tried this on the way, no figure published
//!
//! id:         top-1-coarsen8
//! parent:     top-1-coarsen4
//! change:     eight rows a warp instead of four, in blocks of two warps instead of four, so that shared memory stays the same
//! predicts:   time > 1x; inst < 1x; dram_bytes within 2%
//! claim:
//! param:      ROWS_PER_WARP = 8
//! param:      WARPS = 2

#include "common/dot_scaled.cuh"
#include "common/policy.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int STAGE_TILES = 32; /* a tile a lane */

extern "C" __global__ void __launch_bounds__(32 * WARPS, 6)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  __shared__ __align__(16) uint8_t a_stage[2][WARPS][ROWS_PER_WARP][STAGE_TILES * 32];
  __shared__ __align__(16) uint8_t sfa_stage[2][WARPS][ROWS_PER_WARP][STAGE_TILES * 4];

  const int row = (blockIdx.x * WARPS + threadIdx.y) * ROWS_PER_WARP; /* the first of them */
  const int64_t batch = blockIdx.y;
  const int lane = threadIdx.x, y = threadIdx.y;
  const int tiles = K / TILE_VALUES, stages = (tiles + STAGE_TILES - 1) / STAGE_TILES;

  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  /* Every lane commits a group a stage, empty ones too, so that copy_wait counts alike in all. */
  const auto fetch = [&](int stage) {
    const int first = stage * STAGE_TILES, n = min(STAGE_TILES, tiles - first), slot = stage % 2;
#pragma unroll
    for (int r = 0; r < ROWS_PER_WARP; ++r) {
      const int64_t at = batch * M + min(row + r, M - 1); /* beyond M the last row is read again, and not stored */
      const uint8_t *a_tiles = a + at * (K / 2) + 32 * first, *sfa_tiles = sfa + at * (K / 16) + 4 * first;
      if (lane < 2 * n)
        copy16_async_once(&a_stage[slot][y][r][16 * lane], a_tiles + 16 * lane);
      if (lane + 32 < 2 * n)
        copy16_async_once(&a_stage[slot][y][r][16 * (lane + 32)], a_tiles + 16 * (lane + 32));
      if (lane < n)
        copy4_async(&sfa_stage[slot][y][r][4 * lane], sfa_tiles + 4 * lane);
    }
    copy_commit();
  };

  float sum[ROWS_PER_WARP] = {};
  fetch(0);
#pragma unroll 1
  for (int stage = 0; stage < stages; ++stage) {
    const int tile = stage * STAGE_TILES + lane, slot = stage % 2;
    fetch(stage + 1); /* beyond the last: an empty group */
    uint4 tile_b[2] = {};
    uint32_t scales_b = 0;
    if (tile < tiles) {
      tile_b[0] = load16_kept(b_row + 32 * tile), tile_b[1] = load16_kept(b_row + 32 * tile + 16);
      scales_b = load4_kept(sfb_row + 4 * tile);
    }
    copy_wait<1>();
    __syncwarp(); /* the copies of all lanes are there */

    if (tile < tiles) {
#pragma unroll
      for (int r = 0; r < ROWS_PER_WARP; ++r) {
        const uint8_t *staged = &a_stage[slot][y][r][32 * lane];
        const uint4 tile_a[] = {stage16(staged), stage16(staged + 16)};
        const uint32_t scales_a = stage4(&sfa_stage[slot][y][r][4 * lane]);

        sum[r] += dot_scaled(tile_a, tile_b, scales_a, scales_b);
      }
    }
    __syncwarp(); /* the slot is free for the next but one */
  }

#pragma unroll
  for (int r = 0; r < ROWS_PER_WARP; ++r) {
    sum[r] = sum_lanes<32>(sum[r]);
    if (lane == 0 && row + r < M)
      c[batch * M + row + r] = __float2half(sum[r] * E2M1_UNSCALE);
  }
}
