//! id:         ours-3-tma
//! ladder:     ours
//! parent:     ours-2-ring
//! change:     the tensor copy engine fills the ring: one lane asks for 32 rows at once
//! predicts:   inst < 0.95x; time < 0.95x; dram_bytes within 2%
//! cures:      issue-slots
//! param:      WARPS = 2 in {1, 2, 4, 8, 16}
//! param:      STAGES = 2 in {2, 3, 4, 6, 8}
//! param:      BLOCKS = 8 in {1, 2, 3, 4, 5, 6, 8, 10}
//! param:      RAGGED = 0 in {0, 1}
//! when:       K % 256 != 0: RAGGED = 1
//! when:       K >= 16384: WARPS = 8, BLOCKS = 2
//! constants:  K
//! tensormap:  a_map = a; type = u8; dims = K / 2, M, L; strides = K / 2, M * K / 2; box = 128, 32, 1; swizzle = 128; l2 = 256
//! tensormap:  sfa_map = sfa; type = u8; dims = K % 256 ? 16 : K / 16, M, L; strides = K % 256 ? 16 : K / 16, K % 256 ? M * 16 : M * K / 16; box = 16, 32, 1; swizzle = 0; l2 = 256
//! needs:      sm >= 90
//! step:       kernel = gemv; grid = ceil(M / 32), L; block = 32 * WARPS; smem = 1024 + WARPS * (STAGES * (4096 + 768) + 512); args = a_map, sfa_map, b, sfa, sfb, c, M
//! accumulate: fp32
//! path:       1: TMA; prmt to bytes, mma.sync m16n8k32 u8 x s8
//! note:       its predicts was written after its first measurement on an H200, so it tests the rung no more than a repetition would
//! note:       its parameters are the best of a sweep on an H200 at the benchmark shapes: 19 of them
//! note:       without its arithmetic the same kernel took 18.5 / 33.2 / 9.7 us on an H200 (2026-11-20): about 3 us of the arithmetic are not hidden; where they fall was not measured
//! note:       where K is no multiple of 256 a row of scales is no multiple of 16 bytes, which a tensor map needs: then scales and B are read by plain loads

#include "common/imma.cuh"
#include "common/load.cuh"
#include "common/tensor_copy.cuh"

#include <cuda_fp16.h>

constexpr int K = SHAPE_K, ROWS = 32;
constexpr int UNIT_VALUES = 256, A_BYTES = UNIT_VALUES / 2, SF_BYTES = UNIT_VALUES / 16;
constexpr int UNITS = (K + UNIT_VALUES - 1) / UNIT_VALUES;
constexpr int A_SLOT = ROWS * A_BYTES, SIDE_SLOT = 768; /* beside A: its scales, B, its scales */
constexpr int B_AT = ROWS * SF_BYTES, SFB_AT = B_AT + A_BYTES;
constexpr int WARP_BYTES = 512; /* B's unit as bytes, zeros, barriers */

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    gemv(const __grid_constant__ tensor_map a_map, const __grid_constant__ tensor_map sfa_map,
         const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa, const uint8_t *__restrict__ sfb,
         __half *__restrict__ c, int M) {
  extern __shared__ uint8_t shared[];
  uint8_t *const base = shared + (1024 - shared_address(shared) % 1024) % 1024;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int g = lane / 4, t = lane % 4;
  const int batch = blockIdx.y, row0 = blockIdx.x * ROWS;

  uint8_t *const ring = base + warp * STAGES * A_SLOT;
  uint8_t *const sides = base + WARPS * STAGES * A_SLOT + warp * STAGES * SIDE_SLOT;
  uint8_t *const own = base + WARPS * STAGES * (A_SLOT + SIDE_SLOT) + warp * WARP_BYTES;
  uint8_t *const decoded = own, *const zeros = own + UNIT_VALUES;
  const uint32_t barriers = shared_address(own + UNIT_VALUES + 16);
  const uint8_t *const b_row = b + static_cast<int64_t>(batch) * PAD_ROWS * (K / 2);
  const uint8_t *const sfb_row = sfb + static_cast<int64_t>(batch) * PAD_ROWS * (K / 16);

  const auto issue = [&](int i) {
    const int unit = warp + i * WARPS, slot = i % STAGES;
    if (unit < UNITS && lane == 0) {
      const uint32_t barrier = barriers + slot * 8, a_to = shared_address(ring + slot * A_SLOT),
                     side = shared_address(sides + slot * SIDE_SLOT);
      const int bytes = A_SLOT + (RAGGED ? 0 : ROWS * SF_BYTES + A_BYTES + SF_BYTES);
      barrier_expect(barrier, bytes);
      copy_box(a_to, &a_map, unit * A_BYTES, row0, batch, barrier);
      if (!RAGGED) {
        copy_box(side, &sfa_map, unit * SF_BYTES, row0, batch, barrier);
        copy_bulk(side + B_AT, b_row + unit * A_BYTES, A_BYTES, barrier);
        copy_bulk(side + SFB_AT, sfb_row + unit * SF_BYTES, SF_BYTES, barrier);
      }
    }
  };

  if (lane == 0) {
#pragma unroll
    for (int i = 0; i < STAGES; ++i)
      barrier_init(barriers + i * 8);
    barrier_init_done();
  }
  if (lane < 4)
    reinterpret_cast<uint32_t *>(zeros)[lane] = 0;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < STAGES - 1; ++i)
    issue(i);

  /* Column g of B is block g of a chunk and zero elsewhere: only the lanes whose own blocks are g hold anything. */
  const uint8_t *const even = g == 2 * t ? decoded + t * 64 : zeros, *const odd =
                                                                         g == 2 * t + 1 ? decoded + t * 64 + 16 : zeros;
  const int even_step = g == 2 * t ? 32 : 0, odd_step = g == 2 * t + 1 ? 32 : 0;

  float sum[2][2] = {};
  int slot = 0, parity = 0;
  for (int i = 0; warp + i * WARPS < UNITS; ++i) {
    uint8_t *const side = sides + slot * SIDE_SLOT;
    const uint8_t *const rows_a = ring + slot * A_SLOT;
    barrier_wait(barriers + slot * 8, parity);
    __syncwarp();
    issue(i + STAGES - 1);
    if (RAGGED) {
      const int unit = warp + i * WARPS;
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const bool inside = unit * UNIT_VALUES + part * 64 < K;
        const int row = min(row0 + lane, M - 1);
        reinterpret_cast<uint32_t *>(side + lane * SF_BYTES)[part] =
            inside ? load4(sfa + (static_cast<int64_t>(batch) * M + row) * (K / 16) + unit * SF_BYTES + part * 4) : 0;
        if (lane == part)
          reinterpret_cast<uint32_t *>(side + SFB_AT)[part] = inside ? load4(sfb_row + unit * SF_BYTES + part * 4) : 0;
      }
      reinterpret_cast<uint32_t *>(side + B_AT)[lane] =
          unit * UNIT_VALUES + lane * 8 < K ? load4(b_row + unit * A_BYTES + lane * 4) : 0;
      __syncwarp();
    }
    const split8 v = split_e2m1(*reinterpret_cast<const uint32_t *>(side + B_AT + lane * 4));
    *reinterpret_cast<uint2 *>(decoded + lane * 8) =
        make_uint2(join_bytes(v.plus_lo, v.minus_lo), join_bytes(v.plus_hi, v.minus_hi));
    __syncwarp();
    const uint32_t codes_b = *reinterpret_cast<const uint32_t *>(side + SFB_AT + t * 4);
    uint32_t codes_a[2][2];
#pragma unroll
    for (int r = 0; r < 4; ++r)
      codes_a[r / 2][r % 2] = *reinterpret_cast<const uint32_t *>(side + (r * 8 + g) * SF_BYTES + t * 4);
#pragma unroll
    for (int chunk = 0; chunk < 2; ++chunk) {
      const uint4 k0 = *reinterpret_cast<const uint4 *>(even + chunk * even_step),
                  k1 = *reinterpret_cast<const uint4 *>(odd + chunk * odd_step);
      const uint32_t kk[8] = {k0.x, k0.y, k0.z, k0.w, k1.x, k1.y, k1.z, k1.w};
      const float2 scale_b = two_scales(static_cast<uint16_t>(codes_b >> (16 * chunk)));
#pragma unroll
      for (int tile = 0; tile < 2; ++tile) {
        const uint8_t *const rows = rows_a + (tile * 16 + g) * A_BYTES + ((2 * t + chunk) ^ g) * 16;
        const uint4 upper = stage16(rows), lower = stage16(rows + 8 * A_BYTES);
        int plus[4], minus[4];
        const uint32_t up[4] = {upper.x, upper.y, upper.z, upper.w}, low[4] = {lower.x, lower.y, lower.z, lower.w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const split8 x = split_e2m1(up[j]), y = split_e2m1(low[j]);
          if (j == 0) {
            imma_first(plus, x.plus_lo, y.plus_lo, x.plus_hi, y.plus_hi, kk[0], kk[1], float_bias());
            imma_first(minus, x.minus_lo, y.minus_lo, x.minus_hi, y.minus_hi, kk[0], kk[1], 0);
          } else {
            imma_16x8x32(plus, x.plus_lo, y.plus_lo, x.plus_hi, y.plus_hi, kk[2 * j], kk[2 * j + 1]);
            imma_16x8x32(minus, x.minus_lo, y.minus_lo, x.minus_hi, y.minus_hi, kk[2 * j], kk[2 * j + 1]);
          }
        }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const float2 scale_a = two_scales(static_cast<uint16_t>(codes_a[tile][half] >> (16 * chunk)));
          sum[tile][half] += float_of_biased(plus[2 * half] - minus[2 * half]) * (scale_a.x * scale_b.x);
          sum[tile][half] += float_of_biased(plus[2 * half + 1] - minus[2 * half + 1]) * (scale_a.y * scale_b.y);
        }
      }
    }
    slot = slot + 1 == STAGES ? 0 : slot + 1;
    parity ^= slot == 0;
  }

  __shared__ float partial[WARPS][ROWS];
  float mine = 0;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    float x = sum[r / 2][r % 2];
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    x += __shfl_xor_sync(0xffffffffu, x, 2);
    mine = t == r ? x : mine;
  }
  partial[warp][t * 8 + g] = mine;
  __syncthreads();
  const int row = row0 + threadIdx.x;
  if (threadIdx.x < ROWS && row < M) {
    float x = 0;
#pragma unroll
    for (int w = 0; w < WARPS; ++w)
      x += partial[w][threadIdx.x];
    c[static_cast<int64_t>(batch) * M + row] = __float2half(x * IMMA_SCALE);
  }
}
