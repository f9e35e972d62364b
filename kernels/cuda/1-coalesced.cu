//! id:         cuda-1-coalesced
//! ladder:     cuda
//! parent:     cuda-0-naive
//! change:     32 threads a row, so that a warp reads neighbouring bytes; B and its scales staged in shared memory; fp16 sums
//! predicts:   time < 0.5x; occupancy > 1.2x; bound: latency -> issue
//! cures:      uncoalesced
//! step:       kernel = gemv; grid = ceil(M / 8), L; block = 32, 8
//! accumulate: fp16
//! limits:     block_abs_max <= 65504 && (!contest || sum_abs_max <= 2048)
//! note:       above 2048 three levels of its fp16 sum round by 2^-11 each, which the contest's 1e-3 does not allow
//! published:  B200 443 us geomean "Yue Zhang, From 100us to 22.3us, part 2"

#include "common/decode_bits.cuh"
#include "common/reduce.cuh"

#include <cuda_fp16.h>

constexpr int ROWS = 8;
constexpr int TILE_BYTES = 64; /* 128 values */
constexpr int TILE_SCALES = 8;

extern "C" __global__ void __launch_bounds__(32 * ROWS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  __shared__ uint8_t b_tile[TILE_BYTES];
  __shared__ uint8_t sfb_tile[TILE_SCALES];

  const int row = blockIdx.x * ROWS + threadIdx.y;
  const int thread = threadIdx.y * 32 + threadIdx.x;
  const int64_t batch = blockIdx.y;

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  __half sum = __float2half(0.0f);
  for (int tile = 0; tile < K / 2; tile += TILE_BYTES) {
    if (thread < TILE_BYTES && tile + thread < K / 2)
      b_tile[thread] = b_row[tile + thread];
    if (thread < TILE_SCALES && tile / 8 + thread < K / 16)
      sfb_tile[thread] = sfb_row[tile / 8 + thread];
    __syncthreads();

    for (int byte = threadIdx.x; byte < TILE_BYTES; byte += 32) {
      if (row < M && tile + byte < K / 2) { /* the last tile is half a tile where K / 64 is odd */
        const float scale = e4m3_from_bits(sfa_row[(tile + byte) / 8]) * e4m3_from_bits(sfb_tile[byte / 8]);
        const unsigned pair_a = a_row[tile + byte], pair_b = b_tile[byte];
        sum = __hadd(sum, __float2half(e2m1_from_bits(pair_a & 15) * e2m1_from_bits(pair_b & 15) * scale));
        sum = __hadd(sum, __float2half(e2m1_from_bits(pair_a >> 4) * e2m1_from_bits(pair_b >> 4) * scale));
      }
    }
    __syncthreads();
  }

  sum = sum_lanes<32>(sum);
  if (threadIdx.x == 0 && row < M)
    c[batch * M + row] = sum;
}
