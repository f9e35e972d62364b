//! id:         cuda-5-ilp3
//! ladder:     cuda
//! parent:     cuda-5-ilp2
//! side:       yes
//! change:     three tiles an iteration instead of two
//! predicts:   time > 1x; registers within 5%; occupancy within 5%; dram_bytes within 2%
//! claim:      registers and occupancy are unchanged [test: registers <= 1.05 && occupancy >= 0.95]
//! claim:      loads stall on previous loads, since the compiler reuses their registers [test: registers <= 1.05 && long_scoreboard > 1.05 && stall_long_scoreboard_share > 1.05]
//! cures:      long-scoreboard
//! param:      THREADS_PER_ROW = 32 in {8, 16, 32}
//! param:      ROWS_PER_BLOCK = 4 in {4, 8, 16}
//! param:      RESIDENT_THREADS = 1024 in {512, 768, 1024, 1280, 1536}
//! when:       K <= 2048 && sm >= 120: THREADS_PER_ROW = 8, ROWS_PER_BLOCK = 16, RESIDENT_THREADS = 768
//! when:       K <= 2048: THREADS_PER_ROW = 8, ROWS_PER_BLOCK = 16
//! when:       sm >= 120: RESIDENT_THREADS = 768
//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = THREADS_PER_ROW, ROWS_PER_BLOCK
//! accumulate: fp32
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       on sm_120 ptxas spills at 64 registers, hence fewer resident threads there
//! note:       published as slightly slower than two tiles, without a figure

#include "common/dot.cuh"
#include "common/load.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int TILES = 3; /* loaded before the first is used */

extern "C" __global__ void __launch_bounds__(THREADS_PER_ROW *ROWS_PER_BLOCK,
                                             RESIDENT_THREADS / (THREADS_PER_ROW * ROWS_PER_BLOCK))
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
  const int64_t batch = blockIdx.y;
  const int tiles = row < M ? K / TILE_VALUES : 0; /* a row beyond M takes part in the shuffles only */

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  float sum = 0.0f;
  int tile = threadIdx.x;
#pragma unroll 1
  for (; tile + (TILES - 1) * THREADS_PER_ROW < tiles; tile += TILES * THREADS_PER_ROW) {
    uint4 a0[TILES], a1[TILES], b0[TILES], b1[TILES];
    uint32_t scales_a[TILES], scales_b[TILES];
#pragma unroll
    for (int i = 0; i < TILES; ++i) {
      const int at = tile + i * THREADS_PER_ROW;
      a0[i] = load16(a_row + 32 * at), a1[i] = load16(a_row + 32 * at + 16);
      b0[i] = load16(b_row + 32 * at), b1[i] = load16(b_row + 32 * at + 16);
      scales_a[i] = load4(sfa_row + 4 * at), scales_b[i] = load4(sfb_row + 4 * at);
    }

#pragma unroll
    for (int i = 0; i < TILES; ++i) {
      const float4 scale = scales(scales_a[i], scales_b[i]);
      sum += scale.x * (dot8(a0[i].x, b0[i].x) + dot8(a0[i].y, b0[i].y));
      sum += scale.y * (dot8(a0[i].z, b0[i].z) + dot8(a0[i].w, b0[i].w));
      sum += scale.z * (dot8(a1[i].x, b1[i].x) + dot8(a1[i].y, b1[i].y));
      sum += scale.w * (dot8(a1[i].z, b1[i].z) + dot8(a1[i].w, b1[i].w));
    }
  }
#pragma unroll 1
  for (; tile < tiles; tile += THREADS_PER_ROW) {
    const uint4 a0 = load16(a_row + 32 * tile), a1 = load16(a_row + 32 * tile + 16);
    const uint4 b0 = load16(b_row + 32 * tile), b1 = load16(b_row + 32 * tile + 16);
    const uint32_t scales_a = load4(sfa_row + 4 * tile), scales_b = load4(sfb_row + 4 * tile);

    const float4 scale = scales(scales_a, scales_b);
    sum += scale.x * (dot8(a0.x, b0.x) + dot8(a0.y, b0.y));
    sum += scale.y * (dot8(a0.z, b0.z) + dot8(a0.w, b0.w));
    sum += scale.z * (dot8(a1.x, b1.x) + dot8(a1.y, b1.y));
    sum += scale.w * (dot8(a1.z, b1.z) + dot8(a1.w, b1.w));
  }

  sum = sum_lanes<THREADS_PER_ROW>(sum);
  if (threadIdx.x == 0 && row < M)
    c[batch * M + row] = __float2half(sum * E2M1_UNSCALE);
}
