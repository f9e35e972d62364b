//! id:         cute-5-b-shared
//! ladder:     cute
//! parent:     cute-5-k-split
//! side:       yes
//! change:     B and its scales copied whole to shared memory first
//! predicts:   time > 0.97x; dram_bytes within 3%
//! cures:      redundant-b-loads
//! step:       kernel = gemv; grid = ceil(M / 32), L; block = 32, 16; smem = K / 2 + K / 16
//! accumulate: fp32
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16

#include "common/cute.cuh"

#include <cuda_fp16.h>

constexpr int ROWS = 32;
constexpr int SPLIT = 16; /* threads a row, along K */

static __device__ __forceinline__ void stage_tile(const uint8_t *shared, uint32_t words[TILE_WORDS]) {
  const uint4 lo = stage16(shared), hi = stage16(shared + 16);
  words[0] = lo.x, words[1] = lo.y, words[2] = lo.z, words[3] = lo.w;
  words[4] = hi.x, words[5] = hi.y, words[6] = hi.z, words[7] = hi.w;
}

extern "C" __global__ void __launch_bounds__(ROWS *SPLIT)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  __shared__ float partial[ROWS * SPLIT];

  const int row = blockIdx.x * ROWS + threadIdx.x;
  const int64_t batch = blockIdx.y;
  const int tiles = row < M ? K / TILE_VALUES : 0; /* a row beyond M takes part in the barrier only */

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  /* The block's rows share B and its scales: a copy of both, whole. */
  extern __shared__ __align__(16) uint8_t b_shared[];
  uint8_t *const sfb_shared = b_shared + K / 2;
  const int thread = threadIdx.y * ROWS + threadIdx.x;
  for (int i = thread; i < K / 32; i += ROWS * SPLIT)
    *reinterpret_cast<uint4 *>(b_shared + 16 * i) = load16(b_row + 16 * i);
  for (int i = thread; i < K / 64; i += ROWS * SPLIT)
    *reinterpret_cast<uint32_t *>(sfb_shared + 4 * i) = load4(sfb_row + 4 * i);
  __syncthreads();

  float sum = 0.0f;
#pragma unroll 1
  for (int tile = threadIdx.y; tile < tiles; tile += SPLIT) {
    uint32_t a_words[TILE_WORDS], b_words[TILE_WORDS];
    load_tile(a_row + 32 * tile, a_words), stage_tile(b_shared + 32 * tile, b_words);
    __half2 a_values[TILE_VALUES / 2], b_values[TILE_VALUES / 2];
    tile_to_half(a_words, a_values), tile_to_half(b_words, b_values);
    float scale_a[TILE_BLOCKS], scale_b[TILE_BLOCKS];
    e4m3_to_float(load4(sfa_row + 4 * tile), scale_a), e4m3_to_float(stage4(sfb_shared + 4 * tile), scale_b);

#pragma unroll
    for (int block = 0; block < TILE_BLOCKS; ++block) {
      const float scale = scale_a[block] * scale_b[block];
      float dot = 0.0f;
#pragma unroll
      for (int i = 0; i < BLOCK_VALUES / 2; ++i) {
        const int at = block * BLOCK_VALUES / 2 + i;
        const float2 product = __half22float2(__hmul2(a_values[at], b_values[at]));
        dot += product.x;
        dot += product.y;
      }
      sum += dot * scale;
    }
  }

  partial[threadIdx.x * SPLIT + threadIdx.y] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && row < M) {
    float total = 0.0f;
#pragma unroll
    for (int k = 0; k < SPLIT; ++k)
      total += partial[threadIdx.x * SPLIT + k];
    c[batch * M + row] = __float2half(total * E2M1_UNSCALE);
  }
}
