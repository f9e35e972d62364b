//! id:         cute-5-async
//! ladder:     cute
//! parent:     cute-5-k-split
//! side:       yes
//! change:     A and its scales prefetched by cp.async through a ring of stages in shared memory, 128 bits a copy
//! predicts:   time > 0.97x; dram_bytes within 3%
//! cures:      long-scoreboard
//! param:      STAGES = 3 in {2, 3, 4}
//! step:       kernel = gemv; grid = ceil(M / 32), L; block = 32, 16; smem = STAGES * 512 * 36
//! accumulate: fp32
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       published as no gain, without a figure

#include "common/cute.cuh"

#include <cuda_fp16.h>

constexpr int ROWS = 32;
constexpr int SPLIT = 16; /* threads a row, along K */
static_assert(STAGES >= 2, "one tile in use, one or more on the way");

static __device__ __forceinline__ void stage_tile(const uint8_t *lower, const uint8_t *upper,
                                                  uint32_t words[TILE_WORDS]) {
  const uint4 lo = stage16(lower), hi = stage16(upper);
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

  /* Each thread copies and reads slots of its own, so that no barrier is needed; 16-byte slots of neighbours side by side. */
  extern __shared__ __align__(16) uint8_t ring[];
  const int thread = threadIdx.y * ROWS + threadIdx.x;
  const auto a_slot = [&](int stage, int half) { return ring + 16 * ((2 * stage + half) * ROWS * SPLIT + thread); };
  const auto sfa_slot = [&](int stage) { return ring + (32 * STAGES + 4 * stage) * ROWS * SPLIT + 4 * thread; };
  /* Commits a group a tile, an empty one beyond the last, so that copy_wait counts alike everywhere. */
  const auto fetch = [&](int tile, int stage) {
    if (tile < tiles) {
      copy16_async_once(a_slot(stage, 0), a_row + 32 * tile);
      copy16_async_once(a_slot(stage, 1), a_row + 32 * tile + 16);
      copy4_async(sfa_slot(stage), sfa_row + 4 * tile);
    }
    copy_commit();
  };

#pragma unroll
  for (int stage = 0; stage < STAGES - 1; ++stage)
    fetch(threadIdx.y + stage * SPLIT, stage);
  int stage = 0;
  float sum = 0.0f;
#pragma unroll 1
  for (int tile = threadIdx.y; tile < tiles; tile += SPLIT) {
    fetch(tile + (STAGES - 1) * SPLIT, stage == 0 ? STAGES - 1 : stage - 1);
    copy_wait<STAGES - 1>();

    uint32_t a_words[TILE_WORDS], b_words[TILE_WORDS];
    stage_tile(a_slot(stage, 0), a_slot(stage, 1), a_words), load_tile(b_row + 32 * tile, b_words);
    __half2 a_values[TILE_VALUES / 2], b_values[TILE_VALUES / 2];
    tile_to_half(a_words, a_values), tile_to_half(b_words, b_values);
    float scale_a[TILE_BLOCKS], scale_b[TILE_BLOCKS];
    e4m3_to_float(stage4(sfa_slot(stage)), scale_a), e4m3_to_float(load4(sfb_row + 4 * tile), scale_b);

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
    stage = stage == STAGES - 1 ? 0 : stage + 1;
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
