//! id:         cute-0-template
//! ladder:     cute
//! change:     one thread a row, 128 rows a block; a * sfa * b * sfb in fp32, both scales loaded for every element
//! param:      ROWS = 128 in {32, 64, 128}
//! step:       kernel = gemv; grid = ceil(M / ROWS), L; block = ROWS
//! accumulate: fp32
//! published:  B200 100 us geomean "Yue Zhang, CuTe DSL worklog, part 1"
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       56 blocks at 7168x16384x1, so most of the chip idles
//! note:       as written, 64 loads a tile from each scale array; NVRTC merges them into four of one byte

//! id:         cute-0b-tile64
//! parent:     cute-0-template
//! change:     64 rows a block instead of 128: more, smaller blocks
//! predicts:   time < 1x; inst within 5%; dram_bytes within 5%
//! cures:      small-grid
//! published:
//! param:      ROWS = 64 in {32, 64, 128}

//! id:         cute-0c-tile32
//! parent:     cute-0b-tile64
//! change:     32 rows a block instead of 64: one warp a block
//! predicts:   time < 1x; inst within 5%; dram_bytes within 5%
//! cures:      small-grid
//! published:
//! param:      ROWS = 32 in {32, 64, 128}

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

#pragma unroll
    for (int i = 0; i < TILE_VALUES; ++i) {
      const int block = TILE_BLOCKS * tile + i / BLOCK_VALUES;
      const float scale_a = e4m3_to_float(sfa_row[block]), scale_b = e4m3_to_float(sfb_row[block]);
      sum += a_values[i] * scale_a * b_values[i] * scale_b;
    }
  }

  c[batch * M + row] = __float2half(sum * E2M1_UNSCALE);
}
