//! id:         ours-4-early-b
//! ladder:     ours
//! parent:     ours-3-tma
//! change:     a warp decodes all of B that it needs while its first bytes of A are on their way, not unit by unit
//! predicts:   time < 0.98x; inst < 1x; dram_bytes within 2%
//! cures:      decode-cost
//! param:      WARPS = 2 in {1, 2, 4, 8, 16}
//! param:      SPLIT = 1 in {1, 2, 4, 8}
//! param:      STAGES = 2 in {2, 3, 4, 6, 8}
//! param:      BLOCKS = 8 in {1, 2, 3, 4, 5, 6, 7, 8, 10}
//! param:      RAGGED = 0 in {0, 1}
//! when:       K % 256 != 0: RAGGED = 1
//! when:       K >= 16384: WARPS = 8, BLOCKS = 2
//! when:       K >= 4096: WARPS = 4, BLOCKS = 4
//! constants:  K
//! tensormap:  a_map = a; type = u8; dims = K / 2, M, L; strides = K / 2, M * K / 2; box = 128, 32, 1; swizzle = 128; l2 = 256
//! tensormap:  sfa_map = sfa; type = u8; dims = K % 256 ? 16 : K / 16, M, L; strides = K % 256 ? 16 : K / 16, K % 256 ? M * 16 : M * K / 16; box = 16, 32, 1; swizzle = 0; l2 = 256
//! needs:      sm >= 90
//! step:       kernel = gemv; grid = SPLIT, ceil(M / 32), L; block = 32 * WARPS; cluster = SPLIT, 1, 1; smem = 1024 + WARPS * (STAGES * (4096 + 512) + ceil(ceil(K / 256) / (SPLIT * WARPS)) * 272 + 128); args = a_map, sfa_map, b, sfa, sfb, c, M
//! accumulate: fp32
//! path:       1: TMA; prmt to bytes, mma.sync m16n8k32 u8 x s8
//! note:       its predicts was written after its first measurement on an H200, so it tests the rung no more than a repetition would
//! note:       its parameters are the best of a sweep on an H200 at the benchmark shapes: 17 of them, the cluster among them
//! note:       H200, 2026-11-20: 20.4 / 35.4 / 11.8 us in the recorded run; its copies alone were not timed
//! id:         ours-4-cluster
//! parent:     ours-4-early-b
//! side:       yes
//! change:     K split over two blocks of a cluster too, so that the multiprocessors' shares are more even
//! predicts:   time < 0.98x
//! cures:      tail
//! param:      SPLIT = 2 in {1, 2, 4, 8}
//! note:       more blocks, each with its own start and its own sum: slower where K is short

#include "common/imma.cuh"
#include "common/load.cuh"
#include "common/tensor_copy.cuh"

#include <cuda_fp16.h>

constexpr int K = SHAPE_K, ROWS = 32;
constexpr int UNIT_VALUES = 256, A_BYTES = UNIT_VALUES / 2, SF_BYTES = UNIT_VALUES / 16;
constexpr int UNITS = (K + UNIT_VALUES - 1) / UNIT_VALUES;
constexpr int A_SLOT = ROWS * A_BYTES, SIDE_SLOT = 512;             /* beside A: its scales */
constexpr int MINE = (UNITS + SPLIT * WARPS - 1) / (SPLIT * WARPS); /* units of a warp, at most */
constexpr int WARP_BYTES =
    MINE * (UNIT_VALUES + SF_BYTES) + 128; /* B's units as bytes, their scales, zeros, barriers */

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    gemv(const __grid_constant__ tensor_map a_map, const __grid_constant__ tensor_map sfa_map,
         const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa, const uint8_t *__restrict__ sfb,
         __half *__restrict__ c, int M) {
  extern __shared__ uint8_t shared[];
  uint8_t *const base = shared + (1024 - shared_address(shared) % 1024) % 1024;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int g = lane / 4, t = lane % 4;
  const int batch = blockIdx.z, row0 = blockIdx.y * ROWS, part = blockIdx.x * WARPS + warp;

  uint8_t *const ring = base + warp * STAGES * A_SLOT;
  uint8_t *const sides = base + WARPS * STAGES * A_SLOT + warp * STAGES * SIDE_SLOT;
  uint8_t *const own = base + WARPS * STAGES * (A_SLOT + SIDE_SLOT) + warp * WARP_BYTES;
  uint8_t *const decoded = own, *const scales_b = own + MINE * UNIT_VALUES, *const zeros = scales_b + MINE * SF_BYTES;
  const uint32_t barriers = shared_address(zeros + 16);
  const uint8_t *const b_row = b + static_cast<int64_t>(batch) * PAD_ROWS * (K / 2);
  const uint8_t *const sfb_row = sfb + static_cast<int64_t>(batch) * PAD_ROWS * (K / 16);

  const auto issue = [&](int i) {
    const int unit = part + i * SPLIT * WARPS, slot = i % STAGES;
    if (unit < UNITS && lane == 0) {
      const uint32_t barrier = barriers + slot * 8;
      barrier_expect(barrier, A_SLOT + (RAGGED ? 0 : ROWS * SF_BYTES));
      copy_box(shared_address(ring + slot * A_SLOT), &a_map, unit * A_BYTES, row0, batch, barrier);
      if (!RAGGED)
        copy_box(shared_address(sides + slot * SIDE_SLOT), &sfa_map, unit * SF_BYTES, row0, batch, barrier);
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

  /* All of B that this warp needs, while the first of A is on its way. */
  uint32_t words[MINE], scale_words[MINE];
#pragma unroll
  for (int i = 0; i < MINE; ++i) {
    const int unit = part + i * SPLIT * WARPS;
    words[i] = unit * UNIT_VALUES + lane * 8 < K ? load4(b_row + unit * A_BYTES + lane * 4) : 0;
    scale_words[i] = lane < 4 && unit * UNIT_VALUES + lane * 64 < K ? load4(sfb_row + unit * SF_BYTES + lane * 4) : 0;
  }
#pragma unroll
  for (int i = 0; i < MINE; ++i) {
    const split8 v = split_e2m1(words[i]);
    *reinterpret_cast<uint2 *>(decoded + i * UNIT_VALUES + lane * 8) =
        make_uint2(join_bytes(v.plus_lo, v.minus_lo), join_bytes(v.plus_hi, v.minus_hi));
    if (lane < 4)
      reinterpret_cast<uint32_t *>(scales_b + i * SF_BYTES)[lane] = scale_words[i];
  }
  __syncwarp();

  /* Column g of B is block g of a chunk and zero elsewhere: only the lanes whose own blocks are g hold anything. */
  const uint8_t *const even = g == 2 * t ? decoded + t * 64 : zeros, *const odd =
                                                                         g == 2 * t + 1 ? decoded + t * 64 + 16 : zeros;
  const int even_step = g == 2 * t ? 32 : 0, odd_step = g == 2 * t + 1 ? 32 : 0;

  float sum[2][2] = {};
  int slot = 0, parity = 0;
  for (int i = 0; part + i * SPLIT * WARPS < UNITS; ++i) {
    uint8_t *const side = sides + slot * SIDE_SLOT;
    const uint8_t *const rows_a = ring + slot * A_SLOT;
    barrier_wait(barriers + slot * 8, parity);
    __syncwarp();
    issue(i + STAGES - 1);
    if (RAGGED) {
      const int unit = part + i * SPLIT * WARPS, row = min(row0 + lane, M - 1);
#pragma unroll
      for (int q = 0; q < 4; ++q)
        reinterpret_cast<uint32_t *>(side + lane * SF_BYTES)[q] =
            unit * UNIT_VALUES + q * 64 < K
                ? load4(sfa + (static_cast<int64_t>(batch) * M + row) * (K / 16) + unit * SF_BYTES + q * 4)
                : 0;
      __syncwarp();
    }
    const uint32_t codes_b = *reinterpret_cast<const uint32_t *>(scales_b + i * SF_BYTES + t * 4);
    uint32_t codes_a[2][2];
#pragma unroll
    for (int r = 0; r < 4; ++r)
      codes_a[r / 2][r % 2] = *reinterpret_cast<const uint32_t *>(side + (r * 8 + g) * SF_BYTES + t * 4);
#pragma unroll
    for (int chunk = 0; chunk < 2; ++chunk) {
      const uint4 k0 = *reinterpret_cast<const uint4 *>(even + (i * 8 + chunk) * even_step),
                  k1 = *reinterpret_cast<const uint4 *>(odd + (i * 8 + chunk) * odd_step);
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
  float x = 0;
  if (threadIdx.x < ROWS) {
#pragma unroll
    for (int w = 0; w < WARPS; ++w)
      x += partial[w][threadIdx.x];
  }
  if (SPLIT > 1) { /* the first block of the cluster adds up what lies in the shared memory of the others */
    if (threadIdx.x < ROWS)
      partial[0][threadIdx.x] = x;
    cluster_sync();
    if (blockIdx.x == 0 && threadIdx.x < ROWS) {
#pragma unroll
      for (int other = 1; other < SPLIT; ++other) {
        float theirs;
        asm volatile("{ .reg .b32 at;\n mapa.shared::cluster.u32 at, %1, %2;\n ld.shared::cluster.f32 %0, [at]; }"
                     : "=f"(theirs)
                     : "r"(shared_address(&partial[0][threadIdx.x])), "r"(other)
                     : "memory");
        x += theirs;
      }
    }
    cluster_sync();
  }
  const int row = row0 + threadIdx.x;
  if (blockIdx.x == 0 && threadIdx.x < ROWS && row < M)
    c[static_cast<int64_t>(batch) * M + row] = __float2half(x * IMMA_SCALE);
}
