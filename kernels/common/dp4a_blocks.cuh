/* Blocks of 16 by dp4a: a lane's share of B stays in its registers, as signed bytes, for all the rows that it meets. */
#pragma once

#include "common/imma_blocks.cuh"

/* Of B what meets 16 bytes of A, two blocks: signed bytes, and each block's scale as scale_of_biased. */
struct dp4a_share {
  uint32_t bytes[8];
  float2 scales[2];
};

static __device__ __forceinline__ dp4a_share dp4a_share_of(uint4 codes, uint16_t scale_codes) {
  const uint32_t words[4] = {codes.x, codes.y, codes.z, codes.w};
  dp4a_share b;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const split8 v = split_e2m1(words[i]);
    b.bytes[2 * i] = join_bytes(v.plus_lo, v.minus_lo);
    b.bytes[2 * i + 1] = join_bytes(v.plus_hi, v.minus_hi);
  }
  const float2 scales = two_scales(scale_codes);
  b.scales[0] = scale_of_biased(scales.x);
  b.scales[1] = scale_of_biased(scales.y);
  return b;
}

/* Two words of A against 16 bytes of B, added to start. */
static __device__ __forceinline__ int dp4a_block(uint32_t lo, uint32_t hi, const uint32_t *b, int start,
                                                 e2m1_tables tables) {
  const split8 x = split_signed(lo, tables), y = split_signed(hi, tables);
  int d = __dp4a(static_cast<int>(x.plus_lo), static_cast<int>(b[0]), start);
  d = __dp4a(static_cast<int>(x.minus_lo), static_cast<int>(b[0]), d);
  d = __dp4a(static_cast<int>(x.plus_hi), static_cast<int>(b[1]), d);
  d = __dp4a(static_cast<int>(x.minus_hi), static_cast<int>(b[1]), d);
  d = __dp4a(static_cast<int>(y.plus_lo), static_cast<int>(b[2]), d);
  d = __dp4a(static_cast<int>(y.minus_lo), static_cast<int>(b[2]), d);
  d = __dp4a(static_cast<int>(y.plus_hi), static_cast<int>(b[3]), d);
  return __dp4a(static_cast<int>(y.minus_hi), static_cast<int>(b[3]), d);
}

/* Adds the two blocks of a row, scaled. */
static __device__ __forceinline__ float dp4a_add(float sum, uint4 a, uint16_t scale_codes, const dp4a_share &b,
                                                 e2m1_tables tables) {
  const float2 scale = two_scales(scale_codes);
  const int even = dp4a_block(a.x, a.y, b.bytes, float_bias(), tables);
  const int odd = dp4a_block(a.z, a.w, b.bytes + 4, float_bias(), tables);
  sum = fmaf(fmaf(__int_as_float(even), b.scales[0].x, b.scales[0].y), scale.x, sum);
  return fmaf(fmaf(__int_as_float(odd), b.scales[1].x, b.scales[1].y), scale.y, sum);
}
