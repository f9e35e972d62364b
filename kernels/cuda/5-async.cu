//! id:         cuda-5-async
//! ladder:     cuda
//! parent:     cuda-5-ilp2
//! side:       yes
//! change:     cp.async double buffering in shared memory instead of two tiles in registers
//! predicts:   time > 0.98x; dram_bytes within 2%
//! cures:      long-scoreboard
//! param:      THREADS_PER_ROW = 32 in {8, 16, 32}
//! param:      ROWS_PER_BLOCK = 4
//! param:      RESIDENT_THREADS = 1024 in {512, 768, 1024, 1280, 1536}
//! param:      TILE_K = 2048 in {512, 1024, 2048, 4096}
//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = THREADS_PER_ROW, ROWS_PER_BLOCK
//! accumulate: fp32
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       TILE_K is its author's open question: he saw no gain, and retried with other values; no figure published
//! note:       each group of THREADS_PER_ROW threads stages its own copy of B, so that no barrier spans the block

#include "common/dot.cuh"
#include "common/load.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int STAGE_TILES = TILE_K / TILE_VALUES;
static_assert(TILE_K % TILE_VALUES == 0, "TILE_K is a multiple of 64");
static_assert(32 % THREADS_PER_ROW == 0, "the threads of a row lie in one warp: they meet at a warp barrier");

extern "C" __global__ void __launch_bounds__(THREADS_PER_ROW *ROWS_PER_BLOCK,
                                             RESIDENT_THREADS / (THREADS_PER_ROW * ROWS_PER_BLOCK))
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  __shared__ __align__(16) uint8_t a_stage[2][ROWS_PER_BLOCK][STAGE_TILES * 32];
  __shared__ __align__(16) uint8_t b_stage[2][ROWS_PER_BLOCK][STAGE_TILES * 32];
  __shared__ __align__(16) uint8_t sfa_stage[2][ROWS_PER_BLOCK][STAGE_TILES * 4];
  __shared__ __align__(16) uint8_t sfb_stage[2][ROWS_PER_BLOCK][STAGE_TILES * 4];

  const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
  const int64_t batch = blockIdx.y;
  const int tiles = row < M ? K / TILE_VALUES : 0; /* a row beyond M takes part in the shuffles only */

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  float sum = 0.0f;
  const int stages = (K / TILE_VALUES + STAGE_TILES - 1) / STAGE_TILES;
  /* Every thread commits a group a stage, empty ones too, so that copy_wait counts alike in all. */
  const auto fetch = [&](int stage) {
    const int first = stage * STAGE_TILES, n = min(STAGE_TILES, tiles - first), slot = stage % 2, y = threadIdx.y;
#pragma unroll 1
    for (int i = threadIdx.x; i < 2 * n; i += THREADS_PER_ROW) {
      copy16_async_once(&a_stage[slot][y][16 * i], a_row + 32 * first + 16 * i);
      copy16_async(&b_stage[slot][y][16 * i], b_row + 32 * first + 16 * i);
    }
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += THREADS_PER_ROW) {
      copy4_async(&sfa_stage[slot][y][4 * i], sfa_row + 4 * (first + i));
      copy4_async(&sfb_stage[slot][y][4 * i], sfb_row + 4 * (first + i));
    }
    copy_commit();
  };

  fetch(0);
#pragma unroll 1
  for (int stage = 0; stage < stages; ++stage) {
    fetch(stage + 1); /* beyond the last: an empty group */
    copy_wait<1>();
    __syncwarp(); /* the copies of all lanes are there */

    const int n = min(STAGE_TILES, tiles - stage * STAGE_TILES), slot = stage % 2, y = threadIdx.y;
#pragma unroll 1
    for (int tile = threadIdx.x; tile < n; tile += THREADS_PER_ROW) {
      const uint4 a0 = stage16(&a_stage[slot][y][32 * tile]), a1 = stage16(&a_stage[slot][y][32 * tile + 16]);
      const uint4 b0 = stage16(&b_stage[slot][y][32 * tile]), b1 = stage16(&b_stage[slot][y][32 * tile + 16]);
      const uint32_t scales_a = stage4(&sfa_stage[slot][y][4 * tile]), scales_b = stage4(&sfb_stage[slot][y][4 * tile]);

      const float4 scale = scales(scales_a, scales_b);
      sum += scale.x * (dot8(a0.x, b0.x) + dot8(a0.y, b0.y));
      sum += scale.y * (dot8(a0.z, b0.z) + dot8(a0.w, b0.w));
      sum += scale.z * (dot8(a1.x, b1.x) + dot8(a1.y, b1.y));
      sum += scale.w * (dot8(a1.z, b1.z) + dot8(a1.w, b1.w));
    }
    __syncwarp(); /* the slot is free for the next but one */
  }

  sum = sum_lanes<THREADS_PER_ROW>(sum);
  if (threadIdx.x == 0 && row < M)
    c[batch * M + row] = __float2half(sum * E2M1_UNSCALE);
}
