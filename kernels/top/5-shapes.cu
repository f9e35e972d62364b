//! id:         top-5-shapes
//! ladder:     top
//! parent:     top-4-regs32
//! change:     threads a row, rows a block and bytes an access by shape: First's mix
//! predicts:   time < 0.98x; dram_bytes within 2%
//! param:      THREADS_PER_ROW = 128 in {16, 32, 64, 128}
//! param:      ROWS_PER_BLOCK = 1 in {1, 2, 4, 8}
//! param:      ACCESS = 32 in {16, 32}
//! param:      RESIDENT_BLOCKS = 16
//! when:       K <= 2048: THREADS_PER_ROW = 16, ROWS_PER_BLOCK = 8, ACCESS = 16
//! when:       K <= 7168: THREADS_PER_ROW = 32, ROWS_PER_BLOCK = 4, ACCESS = 16
//! constants:  K
//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = THREADS_PER_ROW, ROWS_PER_BLOCK
//! accumulate: fp16-block
//! limits:     4 * block_abs_max <= 65504 && scale_product_max <= 65504
//! published:  B200 ~18.5 us geomean "GPU MODE NVFP4 GEMV contest, top entries"
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2; 32-byte loads
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2; two 16-byte loads
//! path:       1: shift and mask into fp16; two 16-byte loads
//! note:       K = 16384: a row a block, two accesses of 32 bytes a thread, warps joined in shared memory; 7168: seven of 16; 2048: four of 16

#include "common/dot_scaled.cuh"
#include "common/policy.cuh"
#include "common/reduce_row.cuh"

#include <cuda_fp16.h>

constexpr int ACCESSES = SHAPE_K / (2 * ACCESS); /* of a row */
constexpr int ROUNDS = (ACCESSES + THREADS_PER_ROW - 1) / THREADS_PER_ROW;

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
    const int piece = threadIdx.x + i * THREADS_PER_ROW;
    if ((i + 1) * THREADS_PER_ROW > ACCESSES && piece >= ACCESSES) /* asked in the last round only */
      break;
    const packed<ACCESS> piece_a = load_once_256<ACCESS>(a_row + ACCESS * piece);
    const packed<ACCESS> piece_b = load_kept<ACCESS>(b_row + ACCESS * piece);
    const uint32_t scales_a = load_scales_once<ACCESS>(sfa_row + ACCESS / 8 * piece);
    const uint32_t scales_b = load_scales_kept<ACCESS>(sfb_row + ACCESS / 8 * piece);

    sum += dot_scaled(piece_a.v, piece_b.v, scales_a, scales_b);
  }

  sum = sum_row<THREADS_PER_ROW, ROWS_PER_BLOCK>(sum);
  if (threadIdx.x == 0 && row < M)
    c[batch * M + row] = __float2half(sum * E2M1_UNSCALE);
}
