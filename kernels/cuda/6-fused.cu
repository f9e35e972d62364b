//! id:         cuda-6-fused
//! ladder:     cuda
//! parent:     cuda-5-ilp2
//! change:     the whole tile in one PTX block: scale products in f16x2, one f16x2 chain a block, blocks chained by fp32 fma
//! predicts:   inst < 1x; time < 1.02x; dram_bytes within 2%
//! cures:      issue-slots
//! param:      THREADS_PER_ROW = 32 in {8, 16, 32}
//! param:      ROWS_PER_BLOCK = 4 in {4, 8, 16}
//! param:      RESIDENT_THREADS = 1024 in {512, 768, 1024, 1280, 1536}
//! when:       K <= 2048: THREADS_PER_ROW = 16, ROWS_PER_BLOCK = 8
//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = THREADS_PER_ROW, ROWS_PER_BLOCK
//! accumulate: fp32
//! limits:     scale_product_max <= 65504
//! published:  B200 22.3 us geomean "Yue Zhang, From 100us to 22.3us, part 2"
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16

#include "common/dot.cuh"
#include "common/load.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int TILES = 2; /* loaded before the first is used */

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
      sum = dot64(a0[i], a1[i], b0[i], b1[i], scales_a[i], scales_b[i], sum);
    }
  }
#pragma unroll 1
  for (; tile < tiles; tile += THREADS_PER_ROW) {
    const uint4 a0 = load16(a_row + 32 * tile), a1 = load16(a_row + 32 * tile + 16);
    const uint4 b0 = load16(b_row + 32 * tile), b1 = load16(b_row + 32 * tile + 16);
    const uint32_t scales_a = load4(sfa_row + 4 * tile), scales_b = load4(sfb_row + 4 * tile);

    sum = dot64(a0, a1, b0, b1, scales_a, scales_b, sum);
  }

  sum = sum_lanes<THREADS_PER_ROW>(sum);
  if (threadIdx.x == 0 && row < M)
    c[batch * M + row] = __float2half(sum);
}
