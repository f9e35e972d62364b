//! id:         top-3-fp32x2
//! ladder:     top
//! parent:     top-3-256bit
//! side:       yes
//! change:     products, scales and sums in pairs of fp32 instead of f16x2
//! predicts:   inst > 1.2x; time > 1x; dram_bytes within 2%
//! param:      THREADS_PER_ROW = 32 in {8, 16, 32}
//! param:      ROWS_PER_BLOCK = 4 in {4, 8, 16}
//! param:      RESIDENT_BLOCKS = 8 in {4, 8, 16}
//! constants:  K
//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = THREADS_PER_ROW, ROWS_PER_BLOCK
//! accumulate: fp32
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2; 32-byte loads; fma.rn.f32x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2; two 16-byte loads; scalar fma
//! path:       1: shift and mask into fp16; two 16-byte loads; scalar fma
//! note:       the winners tried both; no figure published

#include "common/dot_f32x2.cuh"
#include "common/policy.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int TILES = SHAPE_K / TILE_VALUES;
constexpr int ROUNDS = (TILES + THREADS_PER_ROW - 1) / THREADS_PER_ROW;

extern "C" __global__ void __launch_bounds__(THREADS_PER_ROW *ROWS_PER_BLOCK, RESIDENT_BLOCKS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
  const int64_t batch = blockIdx.y;
  const int64_t at = batch * M + min(row, M - 1); /* beyond M the last row is read again, and not stored */

  const uint8_t *a_row = a + at * (SHAPE_K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (SHAPE_K / 2);
  const uint8_t *sfa_row = sfa + at * (SHAPE_K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (SHAPE_K / 16);

  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < ROUNDS; ++i) {
    const int tile = threadIdx.x + i * THREADS_PER_ROW;
    if ((i + 1) * THREADS_PER_ROW > TILES && tile >= TILES) /* asked in the last round only */
      break;
    const packed<32> tile_a = load32_once_256(a_row + 32 * tile), tile_b = load32_kept(b_row + 32 * tile);
    const uint32_t scales_a = load4_once(sfa_row + 4 * tile), scales_b = load4_kept(sfb_row + 4 * tile);

    sum += dot_f32x2(tile_a.v, tile_b.v, scales_a, scales_b);
  }

  sum = sum_lanes<THREADS_PER_ROW>(sum);
  if (threadIdx.x == 0 && row < M)
    c[batch * M + row] = __float2half(sum * E2M1_UNSCALE);
}
