//! id:         cute-1-dedup-scales
//! ladder:     cute
//! parent:     cute-0c-tile32
//! change:     each scale loaded once a block of 16, the four of a tile as one word
//! predicts:   time < 1.02x; inst < 1x; dram_bytes within 5%
//! param:      ROWS = 32 in {32, 64, 128}
//! step:       kernel = gemv; grid = ceil(M / ROWS), L; block = ROWS
//! accumulate: fp32
//! note:       the compiler has merged the loads of a block before, so what is left to gain is one load for four
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
    float a_values[TILE_VALUES], b_values[TILE_VALUES];
    tile_to_float(a_words, a_values), tile_to_float(b_words, b_values);
    float scale_a[TILE_BLOCKS], scale_b[TILE_BLOCKS];
    e4m3_to_float(load4(sfa_row + 4 * tile), scale_a), e4m3_to_float(load4(sfb_row + 4 * tile), scale_b);

#pragma unroll
    for (int i = 0; i < TILE_VALUES; ++i) {
      const int block = i / BLOCK_VALUES;
      sum += a_values[i] * scale_a[block] * b_values[i] * scale_b[block];
    }
  }

  c[batch * M + row] = __float2half(sum * E2M1_UNSCALE);
}
