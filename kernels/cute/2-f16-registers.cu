//! id:         cute-2-f16-registers
//! ladder:     cute
//! parent:     cute-1-dedup-scales
//! change:     A and B held, and multiplied with each other, as fp16 (exact); products widened
//! predicts:   time < 1.02x; inst < 0.9x; dram_bytes within 5%
//! cures:      issue-slots
//! param:      ROWS = 32 in {32, 64, 128}
//! step:       kernel = gemv; grid = ceil(M / ROWS), L; block = ROWS
//! accumulate: fp32
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16

#include "common/cute.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(ROWS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  const int row = blockIdx.x * ROWS + threadIdx.x;
  const int64_t batch = blockIdx.y;
  if (row >= M)
    return;

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  float sum = 0.0f;
#pragma unroll 1
  for (int tile = 0; tile < K / TILE_VALUES; ++tile) {
    uint32_t a_words[TILE_WORDS], b_words[TILE_WORDS];
    load_tile(a_row + 32 * tile, a_words), load_tile(b_row + 32 * tile, b_words);
    __half2 a_values[TILE_VALUES / 2], b_values[TILE_VALUES / 2];
    tile_to_half(a_words, a_values), tile_to_half(b_words, b_values);
    float scale_a[TILE_BLOCKS], scale_b[TILE_BLOCKS];
    e4m3_to_float(load4(sfa_row + 4 * tile), scale_a), e4m3_to_float(load4(sfb_row + 4 * tile), scale_b);

#pragma unroll
    for (int i = 0; i < TILE_VALUES / 2; ++i) {
      const int block = 2 * i / BLOCK_VALUES;
      const float2 product = __half22float2(__hmul2(a_values[i], b_values[i]));
      sum += product.x * scale_a[block] * scale_b[block];
      sum += product.y * scale_a[block] * scale_b[block];
    }
  }

  c[batch * M + row] = __float2half(sum * E2M1_UNSCALE);
}
