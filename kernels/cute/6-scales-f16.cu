//! id:         cute-6-scales-f16
//! ladder:     cute
//! parent:     cute-5-k-split
//! change:     scales converted to, and multiplied with each other in, fp16 instead of fp32 (exact up to 65504)
//! predicts:   time < 1.02x; inst < 1x; dram_bytes within 2%
//! step:       kernel = gemv; grid = ceil(M / 32), L; block = 32, 16
//! accumulate: fp32
//! limits:     scale_product_max <= 65504
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16

#include "common/cute.cuh"

#include <cuda_fp16.h>

constexpr int ROWS = 32;
constexpr int SPLIT = 16; /* threads a row, along K */

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

  float sum = 0.0f;
#pragma unroll 1
  for (int tile = threadIdx.y; tile < tiles; tile += SPLIT) {
    uint32_t a_words[TILE_WORDS], b_words[TILE_WORDS];
    load_tile(a_row + 32 * tile, a_words), load_tile(b_row + 32 * tile, b_words);
    __half2 a_values[TILE_VALUES / 2], b_values[TILE_VALUES / 2];
    tile_to_half(a_words, a_values), tile_to_half(b_words, b_values);
    __half2 scale_a[TILE_BLOCKS / 2], scale_b[TILE_BLOCKS / 2];
    e4m3_to_half(load4(sfa_row + 4 * tile), scale_a), e4m3_to_half(load4(sfb_row + 4 * tile), scale_b);

#pragma unroll
    for (int block = 0; block < TILE_BLOCKS; ++block) {
      const __half2 scales = __hmul2(scale_a[block / 2], scale_b[block / 2]);
      const float scale = block % 2 ? __high2float(scales) : __low2float(scales);
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
