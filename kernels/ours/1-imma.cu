//! id:         ours-1-imma
//! ladder:     ours
//! parent:     ours-0-shared-b
//! change:     the integer tensor cores: codes looked up four at a time by byte permutes, one block of 16 a column of accumulators
//! predicts:   inst < 0.9x; time < 0.9x; dram_bytes within 2%
//! cures:      issue-slots
//! param:      WARPS = 4 in {2, 4, 8, 16}
//! param:      TILES = 2 in {1, 2}
//! param:      UNROLL = 2 in {1, 2, 4, 7, 8}
//! param:      BLOCKS = 4 in {1, 2, 3, 4, 6, 8}
//! when:       K >= 16384: WARPS = 8, BLOCKS = 2
//! step:       kernel = gemv; grid = ceil(M / (16 * TILES)), L; block = 32 * WARPS
//! accumulate: fp32
//! path:       1: prmt to bytes, mma.sync m16n8k32 u8 x s8
//! note:       its predicts was written after its first measurement on an H200, so it tests the rung no more than a repetition would
//! note:       its parameters are the best of a sweep on an H200 at the benchmark shapes: 21 of them
//! note:       whole numbers all the way to the block's sum, which is exact; scales and sums in fp32
//! note:       one column of eight holds a block: the tensor cores do eight times the work that is needed, and are still idle most of the time

#include "common/imma.cuh"
#include "common/load.cuh"

#include <cuda_fp16.h>

/* A chunk is 128 values of K: eight blocks.  Lane 4g+t takes 32 values (two blocks) of rows g and g+8. */
constexpr int CHUNK_VALUES = 128, CHUNK_BYTES = CHUNK_VALUES / 2, CHUNK_SCALES = CHUNK_VALUES / 16;

struct chunk {
  uint4 a[TILES][2];
  uint16_t sfa[TILES][2];
  uint2 b;
  uint16_t sfb;
};

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int g = lane / 4, t = lane % 4;
  const int64_t batch = blockIdx.y;
  const int row0 = blockIdx.x * 16 * TILES + g;
  const int chunks = (K + CHUNK_VALUES - 1) / CHUNK_VALUES;

  const uint8_t *a_row[TILES][2], *sfa_row[TILES][2];
#pragma unroll
  for (int i = 0; i < 2 * TILES; ++i) {
    const int64_t row = batch * M + min(row0 + 8 * i, M - 1);
    a_row[i / 2][i % 2] = a + row * (K / 2) + t * 16;
    sfa_row[i / 2][i % 2] = sfa + row * (K / 16) + t * 2;
  }
  /* Column g of B is block g of the chunk and zero elsewhere, so only the lanes whose own blocks are g hold anything. */
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2) + t * 16 + (g & 1) * 8;
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16) + t * 2;
  const uint32_t mask0 = g == 2 * t ? 0xffffffffu : 0, mask1 = g == 2 * t + 1 ? 0xffffffffu : 0;

  float sum[TILES][2] = {};
  for (int first = warp; first < chunks; first += WARPS * UNROLL) {
    chunk v[UNROLL] = {};
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      const int i = first + u * WARPS;
      if (i * CHUNK_VALUES + t * 32 < K) {
#pragma unroll
        for (int tile = 0; tile < TILES; ++tile)
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            v[u].a[tile][half] = load16_once(a_row[tile][half] + i * CHUNK_BYTES);
            v[u].sfa[tile][half] = __ldg(reinterpret_cast<const uint16_t *>(sfa_row[tile][half] + i * CHUNK_SCALES));
          }
        v[u].b = __ldg(reinterpret_cast<const uint2 *>(b_row + i * CHUNK_BYTES));
        v[u].sfb = __ldg(reinterpret_cast<const uint16_t *>(sfb_row + i * CHUNK_SCALES));
      }
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      const split8 b0 = split_e2m1(v[u].b.x), b1 = split_e2m1(v[u].b.y);
      const uint32_t bytes[4] = {join_bytes(b0.plus_lo, b0.minus_lo), join_bytes(b0.plus_hi, b0.minus_hi),
                                 join_bytes(b1.plus_lo, b1.minus_lo), join_bytes(b1.plus_hi, b1.minus_hi)};
      const float2 scale_b = two_scales(v[u].sfb);
#pragma unroll
      for (int tile = 0; tile < TILES; ++tile) {
        int plus[4] = {float_bias(), float_bias(), float_bias(), float_bias()}, minus[4] = {0, 0, 0, 0};
        const uint32_t upper[4] = {v[u].a[tile][0].x, v[u].a[tile][0].y, v[u].a[tile][0].z, v[u].a[tile][0].w};
        const uint32_t lower[4] = {v[u].a[tile][1].x, v[u].a[tile][1].y, v[u].a[tile][1].z, v[u].a[tile][1].w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const split8 x = split_e2m1(upper[j]), y = split_e2m1(lower[j]);
          const uint32_t mask = j < 2 ? mask0 : mask1;
          const uint32_t k0 = bytes[j % 2 * 2] & mask, k1 = bytes[j % 2 * 2 + 1] & mask;
          imma_16x8x32(plus, x.plus_lo, y.plus_lo, x.plus_hi, y.plus_hi, k0, k1);
          imma_16x8x32(minus, x.minus_lo, y.minus_lo, x.minus_hi, y.minus_hi, k0, k1);
        }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const float2 scale_a = two_scales(v[u].sfa[tile][half]);
          sum[tile][half] += float_of_biased(plus[2 * half] - minus[2 * half]) * (scale_a.x * scale_b.x);
          sum[tile][half] += float_of_biased(plus[2 * half + 1] - minus[2 * half + 1]) * (scale_a.y * scale_b.y);
        }
      }
    }
  }

  __shared__ float partial[WARPS][16 * TILES];
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
  const int row = blockIdx.x * 16 * TILES + threadIdx.x;
  if (threadIdx.x < 16 * TILES && row < M) {
    float x = 0;
#pragma unroll
    for (int w = 0; w < WARPS; ++w)
      x += partial[w][threadIdx.x];
    c[batch * M + row] = __float2half(x * IMMA_SCALE);
  }
}
