//! id:         top-1-bulk
//! ladder:     top
//! parent:     top-1-no-allocate
//! side:       yes
//! change:     A by bulk copies into a ring of shared memory of each warp's own, L2::evict_first; its scales, B and SFB still by loads
//! predicts:   time > 1x; dram_bytes within 2%
//! claim:      bulk copies are slower than direct loads with a cache policy [test: time > 1]
//! param:      ROWS_PER_BLOCK = 4 in {4, 8}
//! param:      STAGES = 4 in {2, 4, 8}
//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = 32, ROWS_PER_BLOCK
//! accumulate: fp16-block
//! limits:     4 * block_abs_max <= 65504 && scale_product_max <= 65504
//! needs:      sm >= 90
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       1: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! note:       Second tried this on the way, no figure published
//! note:       a row of SFA is K/16 bytes, which bulk copies would want to be a multiple of 16: hence loads

#include "common/dot_scaled.cuh"
#include "common/policy.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int STAGE_TILES = 32; /* a tile a lane */

extern "C" __global__ void __launch_bounds__(32 * ROWS_PER_BLOCK)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  __shared__ __align__(128) uint8_t a_stage[STAGES][ROWS_PER_BLOCK][STAGE_TILES * 32];
  __shared__ uint64_t arrived[STAGES][ROWS_PER_BLOCK];

  const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
  const int64_t batch = blockIdx.y;
  const int64_t at = batch * M + min(row, M - 1); /* beyond M the last row is read again, and not stored */
  const int lane = threadIdx.x, y = threadIdx.y;
  const int tiles = K / TILE_VALUES, stages = (tiles + STAGE_TILES - 1) / STAGE_TILES;

  const uint8_t *a_row = a + at * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + at * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  const uint64_t policy = policy_evict_first();
  const auto fetch = [&](int stage) {
    const int first = stage * STAGE_TILES, slot = stage % STAGES;
    if (lane == 0 && stage < stages)
      bulk_copy_once(a_stage[slot][y], a_row + 32 * first, 32 * min(STAGE_TILES, tiles - first), &arrived[slot][y],
                     policy);
  };

  if (lane == 0)
    for (int slot = 0; slot < STAGES; ++slot)
      bulk_barrier_init(&arrived[slot][y]);
  __syncwarp(); /* the barriers are there */
  for (int stage = 0; stage < STAGES; ++stage)
    fetch(stage);

  float sum = 0.0f;
#pragma unroll 1
  for (int stage = 0; stage < stages; ++stage) {
    const int tile = stage * STAGE_TILES + lane, slot = stage % STAGES;
    uint4 tile_b[2] = {};
    uint32_t scales_a = 0, scales_b = 0;
    if (tile < tiles) {
      tile_b[0] = load16_kept(b_row + 32 * tile), tile_b[1] = load16_kept(b_row + 32 * tile + 16);
      scales_a = load4_once(sfa_row + 4 * tile), scales_b = load4_kept(sfb_row + 4 * tile);
    }
    bulk_wait(&arrived[slot][y], stage / STAGES % 2);

    if (tile < tiles) {
      const uint8_t *staged = &a_stage[slot][y][32 * lane];
      const uint4 tile_a[] = {stage16(staged), stage16(staged + 16)};

      sum += dot_scaled(tile_a, tile_b, scales_a, scales_b);
    }
    __syncwarp(); /* the slot is free */
    fetch(stage + STAGES);
  }

  sum = sum_lanes<32>(sum);
  if (lane == 0 && row < M)
    c[batch * M + row] = __float2half(sum * E2M1_UNSCALE);
}
