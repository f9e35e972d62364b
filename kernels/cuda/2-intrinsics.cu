//! id:         cuda-2-intrinsics
//! ladder:     cuda
//! parent:     cuda-1-coalesced
//! change:     16-byte loads of whole tiles, FP4 and FP8 intrinsics, no shared memory; exact f16x2 products, fp32 sums
//! predicts:   time < 0.3x; inst < 0.7x; dram_bytes within 10%
//! cures:      issue-slots
//! param:      THREADS_PER_ROW = 32 in {8, 16, 32}
//! param:      ROWS_PER_BLOCK = 8 in {4, 8, 16}
//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = THREADS_PER_ROW, ROWS_PER_BLOCK
//! accumulate: fp32
//! published:  B200 39 us geomean "Yue Zhang, From 100us to 22.3us, part 2"
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2 by intrinsic, a byte at a time
//! path:       sm >= 89: the FP4 intrinsic in software, the FP8 one in hardware
//! path:       1: the FP4 and FP8 intrinsics in software

#include "common/decode_intrinsic.cuh"
#include "common/load.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(THREADS_PER_ROW *ROWS_PER_BLOCK)
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
#pragma unroll 1
  for (int tile = threadIdx.x; tile < tiles; tile += THREADS_PER_ROW) {
    const uint4 a0 = load16(a_row + 32 * tile), a1 = load16(a_row + 32 * tile + 16);
    const uint4 b0 = load16(b_row + 32 * tile), b1 = load16(b_row + 32 * tile + 16);
    const uint32_t scales_a = load4(sfa_row + 4 * tile), scales_b = load4(sfb_row + 4 * tile);

    const float4 scale = scales_intrinsic(scales_a, scales_b);
    sum += scale.x * (dot8_intrinsic(a0.x, b0.x) + dot8_intrinsic(a0.y, b0.y));
    sum += scale.y * (dot8_intrinsic(a0.z, b0.z) + dot8_intrinsic(a0.w, b0.w));
    sum += scale.z * (dot8_intrinsic(a1.x, b1.x) + dot8_intrinsic(a1.y, b1.y));
    sum += scale.w * (dot8_intrinsic(a1.z, b1.z) + dot8_intrinsic(a1.w, b1.w));
  }

  sum = sum_lanes<THREADS_PER_ROW>(sum);
  if (threadIdx.x == 0 && row < M)
    c[batch * M + row] = __float2half(sum);
}
