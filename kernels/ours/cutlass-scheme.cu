//! id:         cutlass-gemv
//! ladder:     cutlass
//! change:     CUTLASS's scheme for block-scaled GEMV: 16 threads along K x 8 rows, four cp.async stages, B staged once a block, fp16 sums
//! param:      STAGES = 4 in {2, 3, 4, 6}
//! step:       kernel = gemv; grid = ceil(M / 8), L; block = 16, 8
//! sf_layout:  128x4
//! accumulate: fp16
//! limits:     block_abs_max <= 65504 && scale_product_max <= 65504
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       its own example measures with a warm L2: --l2 warm
//! note:       in the 128x4 layout eight neighbouring rows use 4 bytes of each 16, so that a block reads four times its scales' sectors

#include "common/dot_scaled.cuh"
#include "common/load.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int THREADS_PER_ROW = 16, ROWS = 8;
constexpr int STAGE_VALUES = 512;                        /* 32 a thread, an access of 16 bytes */
constexpr int STAGE_BYTES = STAGE_VALUES / 2;            /* of a row of A, or of B */
constexpr int STAGE_GROUPS = STAGE_VALUES / TILE_VALUES; /* of four scales, the unit of the 128x4 layout */
constexpr int B_COPIES = STAGE_BYTES / 16;               /* of 16 bytes */
static_assert(THREADS_PER_ROW * 16 == STAGE_BYTES, "a thread copies and consumes 16 bytes of its row a stage");
static_assert(ROWS * STAGE_GROUPS + B_COPIES + STAGE_GROUPS <= THREADS_PER_ROW * ROWS, "a small copy a thread");

/* The four scales of tile `group` (64 values) of a row, in an array of `rows` rows a batch. */
static __device__ __forceinline__ int64_t scale_offset(int64_t batch, int rows, int row, int groups, int group) {
  const int64_t row_tile = batch * ((rows + 127) / 128) + row / 128;
  return (row_tile * groups + group) * 512 + row % 32 * 16 + row % 128 / 32 * 4;
}

extern "C" __global__ void __launch_bounds__(THREADS_PER_ROW *ROWS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  __shared__ __align__(16) uint8_t a_stage[STAGES][ROWS][STAGE_BYTES];
  __shared__ __align__(16) uint8_t b_stage[STAGES][STAGE_BYTES];
  __shared__ __align__(16) uint8_t sfa_stage[STAGES][ROWS][STAGE_GROUPS * 4];
  __shared__ __align__(16) uint8_t sfb_stage[STAGES][STAGE_GROUPS * 4];

  const int x = threadIdx.x, y = threadIdx.y, thread = y * THREADS_PER_ROW + x;
  const int first_row = blockIdx.x * ROWS, row = first_row + y;
  const int64_t batch = blockIdx.y;
  const int groups = K / TILE_VALUES, stages = (K + STAGE_VALUES - 1) / STAGE_VALUES;

  /* Beyond M the last row is read again, and not stored. */
  const uint8_t *a_row = a + (batch * M + min(row, M - 1)) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);

  /* Every thread commits a group a stage, empty ones too, so that copy_wait counts alike in all.  After its part of A, a thread copies four
   * scales of A, or 16 bytes of B, or four scales of B, or nothing. */
  const auto fetch = [&](int stage) {
    const int slot = stage % STAGES, first_byte = stage * STAGE_BYTES, first_group = stage * STAGE_GROUPS;
    if (first_byte + 16 * x < K / 2)
      copy16_async_once(&a_stage[slot][y][16 * x], a_row + first_byte + 16 * x);

    int i = thread;
    if (i < ROWS * STAGE_GROUPS) {
      const int r = i % ROWS, group = i / ROWS;
      if (first_group + group < groups)
        copy4_async(&sfa_stage[slot][r][4 * group],
                    sfa + scale_offset(batch, M, min(first_row + r, M - 1), groups, first_group + group));
    } else if ((i -= ROWS * STAGE_GROUPS) < B_COPIES) {
      if (first_byte + 16 * i < K / 2)
        copy16_async(&b_stage[slot][16 * i], b_row + first_byte + 16 * i);
    } else if ((i -= B_COPIES) < STAGE_GROUPS && first_group + i < groups) {
      copy4_async(&sfb_stage[slot][4 * i], sfb + scale_offset(batch, PAD_ROWS, 0, groups, first_group + i));
    }
    copy_commit();
  };

  for (int stage = 0; stage < STAGES - 1; ++stage)
    fetch(stage);

  uint32_t sum = 0; /* f16x2 */
#pragma unroll 1
  for (int stage = 0; stage < stages; ++stage) {
    copy_wait<STAGES - 2>();
    __syncthreads();           /* the stage is there, and the slot of the one before is free */
    fetch(stage + STAGES - 1); /* beyond the last: an empty group */

    const int slot = stage % STAGES;
    if (stage * STAGE_BYTES + 16 * x < K / 2) {
      const uint4 piece_a = stage16(&a_stage[slot][y][16 * x]), piece_b = stage16(&b_stage[slot][16 * x]);
      const uint32_t scales_a = *reinterpret_cast<const uint16_t *>(&sfa_stage[slot][y][2 * x]);
      const uint32_t scales_b = *reinterpret_cast<const uint16_t *>(&sfb_stage[slot][2 * x]);

      sum = dot32(piece_a, piece_b, scale_products(scales_a, scales_b).x, sum);
    }
  }

  const float total = sum_lanes<THREADS_PER_ROW>(widen(sum));
  if (x == 0 && row < M)
    c[batch * M + row] = __float2half(total * E2M1_UNSCALE);
}
