/* Two blocks of two rows on a warp's integer tensor core, with nothing of the result wasted on adding up.
 *
 * A tile is 16 rows by a chunk of 128 values: lane 4g+t holds 32 neighbouring values, blocks 2t and 2t+1 of the chunk, of rows g and g+8.  The even
 * blocks and the odd ones have accumulators of their own, so that only the even columns of the one and the odd columns of the other count.  Column g
 * of B then serves both with the same registers: block g in the lanes whose t is g/2, zeros in the others.  What an even block meets in an odd column
 * is never looked at.
 *
 * A code is the sum of two signed bytes, so that one B serves both halves too.  The permute that looks up the positive codes gives 0 for negative
 * ones, whose sign bit asks for the sign of a table entry that has none.  The one that looks up the negative codes gives -1 for positive ones,
 * since its entries are negative; hence the positive entries are one too large.  Zero has entries of 0 in both.
 */
#pragma once

#include "common/imma.cuh"

static __device__ __forceinline__ void imma_signed(int (&d)[4], const int (&c)[4], uint32_t a0, uint32_t a1,
                                                   uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, "
      "%13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}

/* The low entries of both tables.  A kernel fetches them from memory: constants would be moved to a register before every use. */
struct e2m1_tables {
  uint32_t plus, minus;
};
constexpr uint32_t E2M1_PLUS_LO = 0x04030200, E2M1_PLUS_HI = 0x0d090705;   /* 2|x| + 1: 0 2 3 4 5 7 9 13 */
constexpr uint32_t E2M1_MINUS_LO = 0xfdfeff00, E2M1_MINUS_HI = 0xf4f8fafc; /* -2|x|: 0 -1 -2 -3 -4 -6 -8 -12 */

static __device__ __forceinline__ split8 split_signed(uint32_t codes, e2m1_tables tables) {
  const uint32_t flipped = codes ^ 0x88888888u;
  split8 v;
  v.plus_lo = permute_bytes(tables.plus, E2M1_PLUS_HI, codes);
  v.plus_hi = permute_bytes(tables.plus, E2M1_PLUS_HI, codes >> 16);
  v.minus_lo = permute_bytes(tables.minus, E2M1_MINUS_HI, flipped);
  v.minus_hi = permute_bytes(tables.minus, E2M1_MINUS_HI, flipped >> 16);
  return v;
}

/* One block of 16 of two rows. */
static __device__ __forceinline__ void imma_block(int (&d)[4], const int (&start)[4], uint2 upper, uint2 lower, uint4 b,
                                                  e2m1_tables tables) {
  const split8 x = split_signed(upper.x, tables), y = split_signed(lower.x, tables);
  const split8 z = split_signed(upper.y, tables), w = split_signed(lower.y, tables);
  imma_signed(d, start, x.plus_lo, y.plus_lo, x.plus_hi, y.plus_hi, b.x, b.y);
  imma_signed(d, d, x.minus_lo, y.minus_lo, x.minus_hi, y.minus_hi, b.x, b.y);
  imma_signed(d, d, z.plus_lo, w.plus_lo, z.plus_hi, w.plus_hi, b.z, b.w);
  imma_signed(d, d, z.minus_lo, w.minus_lo, z.minus_hi, w.minus_hi, b.z, b.w);
}

/* B's scale as the factor and the addend that take a biased whole number to its scaled value in one fma; both are exact. */
static __device__ __forceinline__ float2 scale_of_biased(float scale) {
  return make_float2(scale * IMMA_SCALE, scale * IMMA_SCALE * -12582912.0f);
}

/* Adds to sum[0] (row g) and sum[1] (row g+8) the lane's two blocks of each.  scale_b is scale_of_biased of the even block (x, y) and the odd one;
 * all of bias is float_bias(). */
static __device__ __forceinline__ void add_two_blocks(float (&sum)[2], uint4 upper, uint4 lower, uint16_t scales_upper,
                                                      uint16_t scales_lower, uint4 b, float4 scale_b,
                                                      const int (&bias)[4], e2m1_tables tables) {
  int even[4], odd[4];
  imma_block(even, bias, make_uint2(upper.x, upper.y), make_uint2(lower.x, lower.y), b, tables);
  imma_block(odd, bias, make_uint2(upper.z, upper.w), make_uint2(lower.z, lower.w), b, tables);
  const float2 above = two_scales(scales_upper), below = two_scales(scales_lower);
  sum[0] = fmaf(fmaf(__int_as_float(even[0]), scale_b.x, scale_b.y), above.x, sum[0]);
  sum[0] = fmaf(fmaf(__int_as_float(odd[1]), scale_b.z, scale_b.w), above.y, sum[0]);
  sum[1] = fmaf(fmaf(__int_as_float(even[2]), scale_b.x, scale_b.y), below.x, sum[1]);
  sum[1] = fmaf(fmaf(__int_as_float(odd[3]), scale_b.z, scale_b.w), below.y, sum[1]);
}

/* The same on a tile of 8 rows by a line of 256 values, so that eight neighbouring lanes take 128 neighbouring bytes: lane 4g+t holds blocks 2t and 2t+1
 * of the line's first half (g even) or second half (g odd), of rows g/2 (upper) and g/2+4 (lower).  Even columns of B hold the first half's blocks, odd
 * ones the second's; a lane keeps the one of its two columns that is of its own half. */
static __device__ __forceinline__ void add_two_blocks_of_line(float (&sum)[2], uint4 upper, uint4 lower,
                                                              uint16_t scales_upper, uint16_t scales_lower,
                                                              uint4 b_even, uint4 b_odd, float4 scale_b,
                                                              const int (&bias)[4], e2m1_tables tables,
                                                              bool second_half) {
  int even[4], odd[4];
  imma_block(even, bias, make_uint2(upper.x, upper.y), make_uint2(lower.x, lower.y), b_even, tables);
  imma_block(odd, bias, make_uint2(upper.z, upper.w), make_uint2(lower.z, lower.w), b_odd, tables);
  const float2 above = two_scales(scales_upper), below = two_scales(scales_lower);
  const float even_above = __int_as_float(second_half ? even[1] : even[0]);
  const float even_below = __int_as_float(second_half ? even[3] : even[2]);
  const float odd_above = __int_as_float(second_half ? odd[1] : odd[0]);
  const float odd_below = __int_as_float(second_half ? odd[3] : odd[2]);
  sum[0] = fmaf(fmaf(even_above, scale_b.x, scale_b.y), above.x, sum[0]);
  sum[0] = fmaf(fmaf(odd_above, scale_b.z, scale_b.w), above.y, sum[0]);
  sum[1] = fmaf(fmaf(even_below, scale_b.x, scale_b.y), below.x, sum[1]);
  sum[1] = fmaf(fmaf(odd_below, scale_b.z, scale_b.w), below.y, sum[1]);
}
