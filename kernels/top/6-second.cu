//! id:         top-6-second
//! ladder:     top
//! parent:     top-5-shapes
//! change:     Second's mix: the threads of a row span K, one access each, and several rows share a thread's B
//! predicts:   time within 10%; l1_load_bytes < 1.02x; dram_bytes within 2%
//! param:      THREADS_PER_ROW = 256 in {32, 64, 128, 224, 256}
//! param:      GROUPS = 1 in {1, 2, 4}
//! param:      ROWS_PER_THREAD = 1 in {1, 2, 4}
//! param:      ACCESS = 32 in {16, 32}
//! param:      RESIDENT_BLOCKS = 8
//! when:       K <= 2048: THREADS_PER_ROW = 32, GROUPS = 4, ROWS_PER_THREAD = 2, ACCESS = 32, RESIDENT_BLOCKS = 10
//! when:       K <= 7168: THREADS_PER_ROW = 224, GROUPS = 1, ROWS_PER_THREAD = 2, ACCESS = 16, RESIDENT_BLOCKS = 6
//! constants:  K
//! step:       kernel = gemv; grid = ceil(M / (GROUPS * ROWS_PER_THREAD)), L; block = THREADS_PER_ROW, GROUPS
//! accumulate: fp16-block
//! limits:     4 * block_abs_max <= 65504 && scale_product_max <= 65504
//! published:  B200 ~18.5 us geomean "GPU MODE NVFP4 GEMV contest, top entries"
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2; 32-byte loads
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2; two 16-byte loads
//! path:       1: shift and mask into fp16; two 16-byte loads
//! note:       K = 16384: a row a block, 256 threads of 32 bytes; 7168: two rows, 7 warps of 16 bytes; 2048: eight rows, 128 threads
//! note:       how the 128 threads share eight rows at K = 2048 is our reading: four warps that each span K and take two rows

#include "common/dot_scaled.cuh"
#include "common/policy.cuh"
#include "common/reduce_row.cuh"

#include <cuda_fp16.h>

constexpr int ACCESSES = SHAPE_K / (2 * ACCESS); /* of a row */
constexpr int ROUNDS = (ACCESSES + THREADS_PER_ROW - 1) / THREADS_PER_ROW;

extern "C" __global__ void __launch_bounds__(THREADS_PER_ROW *GROUPS, RESIDENT_BLOCKS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  const int row = (blockIdx.x * GROUPS + threadIdx.y) * ROWS_PER_THREAD; /* the first of them */
  const int64_t batch = blockIdx.y;

  const uint8_t *b_row = b + batch * PAD_ROWS * (SHAPE_K / 2);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (SHAPE_K / 16);

  float sum[ROWS_PER_THREAD] = {};
#pragma unroll
  for (int i = 0; i < ROUNDS; ++i) {
    const int piece = threadIdx.x + i * THREADS_PER_ROW;
    if ((i + 1) * THREADS_PER_ROW > ACCESSES && piece >= ACCESSES) /* asked in the last round only */
      break;
    packed<ACCESS> piece_a[ROWS_PER_THREAD];
    uint32_t scales_a[ROWS_PER_THREAD];
#pragma unroll
    for (int r = 0; r < ROWS_PER_THREAD; ++r) {
      const int64_t at = batch * M + min(row + r, M - 1); /* beyond M the last row is read again, and not stored */
      piece_a[r] = load_once_256<ACCESS>(a + at * (SHAPE_K / 2) + ACCESS * piece);
      scales_a[r] = load_scales_once<ACCESS>(sfa + at * (SHAPE_K / 16) + ACCESS / 8 * piece);
    }
    const packed<ACCESS> piece_b = load_kept<ACCESS>(b_row + ACCESS * piece);
    const uint32_t scales_b = load_scales_kept<ACCESS>(sfb_row + ACCESS / 8 * piece);

#pragma unroll
    for (int r = 0; r < ROWS_PER_THREAD; ++r)
      sum[r] += dot_scaled(piece_a[r].v, piece_b.v, scales_a[r], scales_b);
  }

  sum_rows<THREADS_PER_ROW, GROUPS>(sum);
#pragma unroll
  for (int r = 0; r < ROWS_PER_THREAD; ++r)
    if (threadIdx.x == 0 && row + r < M)
      c[batch * M + row + r] = __float2half(sum[r] * E2M1_UNSCALE);
}
