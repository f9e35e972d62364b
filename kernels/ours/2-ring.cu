//! id:         ours-2-ring
//! ladder:     ours
//! parent:     ours-1-imma
//! change:     a ring of cp.async stages a warp, with B and all scales in it: what comes next is on its way while this is worked on
//! predicts:   time < 0.85x; long_scoreboard < 0.6x; dram_bytes within 2%
//! cures:      long-scoreboard
//! param:      WARPS = 4 in {1, 2, 4, 8, 16}
//! param:      TILES = 2 in {1, 2}
//! param:      STAGES = 3 in {2, 3, 4}
//! param:      BLOCKS = 4 in {1, 2, 3, 4, 6, 8, 12}
//! param:      SCALE_BYTES = 4 in {4, 16}
//! when:       K % 256 == 0: SCALE_BYTES = 16
//! step:       kernel = gemv; grid = ceil(M / (16 * TILES)), L; block = 32 * WARPS; smem = WARPS * (STAGES * (16 * TILES + 1) * 144 + 272)
//! accumulate: fp32
//! path:       1: cp.async; prmt to bytes, mma.sync m16n8k32 u8 x s8
//! note:       its predicts was written after its first measurement on an H200, so it tests the rung no more than a repetition would
//! note:       its parameters are the best of a sweep on an H200 at the benchmark shapes: 14 of them, 48 with its two forerunners
//! note:       rows lie 144 bytes apart, so that reads of 16 bytes do not meet in the banks; the L2 was read 1.5 times over with and without a swizzle instead, and why is not known

#include "common/imma.cuh"
#include "common/load.cuh"

#include <cuda_fp16.h>

/* A stage is 256 values of K of each of a warp's rows: 128 bytes of A and 16 scales. */
constexpr int ROWS = 16 * TILES;
constexpr int STAGE_VALUES = 256, A_BYTES = STAGE_VALUES / 2, SF_BYTES = STAGE_VALUES / 16;
constexpr int STAGE_BYTES = (ROWS + 1) * (A_BYTES + SF_BYTES); /* the rows' and B's */
constexpr int DECODED_BYTES = STAGE_VALUES + 16;               /* B's stage as bytes, and zeros */

/* Copies BYTES, or fills with zeros where the source lies beyond the row. */
template <int BYTES>
static __device__ __forceinline__ void copy_async_or_zero(uint32_t to, const uint8_t *from, bool inside) {
  const int bytes = inside ? BYTES : 0;
  if (BYTES == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  extern __shared__ __align__(16) uint8_t shared[];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int g = lane / 4, t = lane % 4;
  const int64_t batch = blockIdx.y;
  const int row0 = blockIdx.x * ROWS;
  const int stages = (K + STAGE_VALUES - 1) / STAGE_VALUES;

  uint8_t *const ring = shared + warp * (STAGES * STAGE_BYTES + DECODED_BYTES);
  uint8_t *const decoded = ring + STAGES * STAGE_BYTES, *const zeros = decoded + STAGE_VALUES;
  const uint32_t ring_address = static_cast<uint32_t>(__cvta_generic_to_shared(ring));

  const uint8_t *const a_block = a + (batch * M + row0) * (K / 2) + lane % 8 * 16;
  const uint8_t *const sfa_block = sfa + (batch * M + row0) * (K / 16);
  const uint8_t *const b_row = b + batch * PAD_ROWS * (K / 2) + lane % 8 * 16;
  const uint8_t *const sfb_row = sfb + batch * PAD_ROWS * (K / 16);
  const int last_row = M - 1 - row0;

  const auto issue = [&](int i) {
    const int stage = warp + i * WARPS;
    const uint32_t to = ring_address + i % STAGES * STAGE_BYTES;
    if (stage < stages) {
#pragma unroll
      for (int q = 0; q < 4 * TILES; ++q) {
        const int row = q * 4 + lane / 8, piece = lane % 8;
        copy_async_or_zero<16>(to + row * 144 + piece * 16,
                               a_block + static_cast<int64_t>(min(row, last_row)) * (K / 2) + stage * A_BYTES,
                               stage * STAGE_VALUES + piece * 32 < K);
      }
#pragma unroll
      for (int q = 0; q < (ROWS * SF_BYTES / SCALE_BYTES + 31) / 32; ++q) {
        const int copy = q * 32 + lane, row = copy / (SF_BYTES / SCALE_BYTES), part = copy % (SF_BYTES / SCALE_BYTES);
        if (row < ROWS)
          copy_async_or_zero<SCALE_BYTES>(to + row * 144 + A_BYTES + part * SCALE_BYTES,
                                          sfa_block + static_cast<int64_t>(min(row, last_row)) * (K / 16) +
                                              stage * SF_BYTES + part * SCALE_BYTES,
                                          stage * STAGE_VALUES + part * SCALE_BYTES * 16 < K);
      }
      if (lane < 8)
        copy_async_or_zero<16>(to + ROWS * 144 + lane * 16, b_row + stage * A_BYTES,
                               stage * STAGE_VALUES + lane * 32 < K);
      else if (lane - 8 < SF_BYTES / SCALE_BYTES)
        copy_async_or_zero<SCALE_BYTES>(to + ROWS * 144 + A_BYTES + (lane - 8) * SCALE_BYTES,
                                        sfb_row + stage * SF_BYTES + (lane - 8) * SCALE_BYTES,
                                        stage * STAGE_VALUES + (lane - 8) * SCALE_BYTES * 16 < K);
    }
    copy_commit();
  };

#pragma unroll
  for (int i = 0; i < STAGES - 1; ++i)
    issue(i);

  if (lane < 4)
    reinterpret_cast<uint32_t *>(zeros)[lane] = 0;

  /* Column g of B is block g of a chunk of eight and zero elsewhere: only the lanes whose own blocks are g hold anything. */
  const uint8_t *const even = g == 2 * t ? decoded + t * 64 : zeros, *const odd =
                                                                         g == 2 * t + 1 ? decoded + t * 64 + 16 : zeros;
  const int even_step = g == 2 * t ? 32 : 0, odd_step = g == 2 * t + 1 ? 32 : 0;

  float sum[TILES][2] = {};
  for (int i = 0; warp + i * WARPS < stages; ++i) {
    copy_wait<STAGES - 2>();
    __syncwarp();
    issue(i + STAGES - 1);
    const uint8_t *const slot = ring + i % STAGES * STAGE_BYTES;
    const split8 v = split_e2m1(*reinterpret_cast<const uint32_t *>(slot + ROWS * 144 + lane * 4));
    *reinterpret_cast<uint2 *>(decoded + lane * 8) =
        make_uint2(join_bytes(v.plus_lo, v.minus_lo), join_bytes(v.plus_hi, v.minus_hi));
    __syncwarp();
#pragma unroll
    for (int chunk = 0; chunk < 2; ++chunk) {
      const uint4 k0 = *reinterpret_cast<const uint4 *>(even + chunk * even_step),
                  k1 = *reinterpret_cast<const uint4 *>(odd + chunk * odd_step);
      const float2 scale_b =
          two_scales(*reinterpret_cast<const uint16_t *>(slot + ROWS * 144 + A_BYTES + t * 4 + chunk * 2));
#pragma unroll
      for (int tile = 0; tile < TILES; ++tile) {
        const uint8_t *const rows = slot + (tile * 16 + g) * 144 + (2 * t + chunk) * 16;
        const uint4 upper = stage16(rows), lower = stage16(rows + 8 * 144);
        int plus[4] = {float_bias(), float_bias(), float_bias(), float_bias()}, minus[4] = {0, 0, 0, 0};
        const uint32_t up[4] = {upper.x, upper.y, upper.z, upper.w}, low[4] = {lower.x, lower.y, lower.z, lower.w};
        const uint32_t kk[8] = {k0.x, k0.y, k0.z, k0.w, k1.x, k1.y, k1.z, k1.w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const split8 x = split_e2m1(up[j]), y = split_e2m1(low[j]);
          imma_16x8x32(plus, x.plus_lo, y.plus_lo, x.plus_hi, y.plus_hi, kk[2 * j], kk[2 * j + 1]);
          imma_16x8x32(minus, x.minus_lo, y.minus_lo, x.minus_hi, y.minus_hi, kk[2 * j], kk[2 * j + 1]);
        }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const float2 scale_a = two_scales(*reinterpret_cast<const uint16_t *>(
              slot + (tile * 16 + half * 8 + g) * 144 + A_BYTES + t * 4 + chunk * 2));
          sum[tile][half] += float_of_biased(plus[2 * half] - minus[2 * half]) * (scale_a.x * scale_b.x);
          sum[tile][half] += float_of_biased(plus[2 * half + 1] - minus[2 * half + 1]) * (scale_a.y * scale_b.y);
        }
      }
    }
  }

  __shared__ float partial[WARPS][ROWS];
#pragma unroll
  for (int tile = 0; tile < TILES; ++tile)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float x = sum[tile][half];
      x += __shfl_xor_sync(0xffffffffu, x, 1);
      x += __shfl_xor_sync(0xffffffffu, x, 2);
      if (t == 0)
        partial[warp][tile * 16 + half * 8 + g] = x;
    }
  __syncthreads();
  const int row = row0 + threadIdx.x;
  if (threadIdx.x < ROWS && row < M) {
    float x = 0;
#pragma unroll
    for (int w = 0; w < WARPS; ++w)
      x += partial[w][threadIdx.x];
    c[batch * M + row] = __float2half(x * IMMA_SCALE);
  }
}
