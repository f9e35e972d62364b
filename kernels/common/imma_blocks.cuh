/* Two blocks of two rows on a warp's integer tensor core, with nothing of the result wasted on adding up.
 *
 * A tile is 16 rows by a chunk of 128 values: lane 4g+t holds 32 neighbouring values, blocks 2t and 2t+1 of the chunk, of rows g and g+8.  The even
 * blocks and the odd ones have accumulators of their own, so that only the even columns of the one and the odd columns of the other count.  Column g
 * of B then serves both with the same registers: block g in the lanes whose t is g/2, zeros in the others.  What an even block meets in an odd column
 * is never looked at.
 */
#pragma once

#include "common/imma.cuh"

/* As imma_16x8x32, but free to be moved. */
static __device__ __forceinline__ void imma_into(int (&d)[4], const int (&c)[4], uint32_t a0, uint32_t a1, uint32_t a2,
                                                 uint32_t a3, uint32_t b0, uint32_t b1) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, "
      "%13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}

/* The magnitudes of the first four codes.  The caller fetches them from memory: a constant would be moved to a register before every use. */
constexpr uint32_t E2M1_TABLE_LO = 0x03020100;

static __device__ __forceinline__ split8 split_e2m1(uint32_t codes, uint32_t table_lo) {
  constexpr uint32_t table_hi = 0x0c080604;
  const uint32_t flipped = codes ^ 0x88888888u;
  split8 v;
  v.plus_lo = permute_bytes(table_lo, table_hi, codes);
  v.plus_hi = permute_bytes(table_lo, table_hi, codes >> 16);
  v.minus_lo = permute_bytes(table_lo, table_hi, flipped);
  v.minus_hi = permute_bytes(table_lo, table_hi, flipped >> 16);
  return v;
}

/* One block of 16: plus parts times B, minus parts times -B. */
static __device__ __forceinline__ void imma_block(int (&d)[4], const int (&start)[4], uint2 upper, uint2 lower, uint4 b,
                                                  uint4 b_negative, uint32_t table_lo) {
  const split8 x = split_e2m1(upper.x, table_lo), y = split_e2m1(lower.x, table_lo);
  const split8 z = split_e2m1(upper.y, table_lo), w = split_e2m1(lower.y, table_lo);
  imma_into(d, start, x.plus_lo, y.plus_lo, x.plus_hi, y.plus_hi, b.x, b.y);
  imma_into(d, d, x.minus_lo, y.minus_lo, x.minus_hi, y.minus_hi, b_negative.x, b_negative.y);
  imma_into(d, d, z.plus_lo, w.plus_lo, z.plus_hi, w.plus_hi, b.z, b.w);
  imma_into(d, d, z.minus_lo, w.minus_lo, z.minus_hi, w.minus_hi, b_negative.z, b_negative.w);
}

/* B's scale as the factor and the addend that take a biased whole number to its scaled value in one fma; both are exact. */
static __device__ __forceinline__ float2 scale_of_biased(float scale) {
  return make_float2(scale * IMMA_SCALE, scale * IMMA_SCALE * -12582912.0f);
}

/* Adds to sum[0] (row g) and sum[1] (row g+8) the lane's two blocks of each.  scale_b is scale_of_biased of the even block (x, y) and the odd one. */
static __device__ __forceinline__ void add_two_blocks(float (&sum)[2], uint4 upper, uint4 lower, uint16_t scales_upper,
                                                      uint16_t scales_lower, uint4 b, uint4 b_negative, float4 scale_b,
                                                      const int (&bias)[4], uint32_t table_lo) {
  int even[4], odd[4];
  imma_block(even, bias, make_uint2(upper.x, upper.y), make_uint2(lower.x, lower.y), b, b_negative, table_lo);
  imma_block(odd, bias, make_uint2(upper.z, upper.w), make_uint2(lower.z, lower.w), b, b_negative, table_lo);
  const float2 above = two_scales(scales_upper), below = two_scales(scales_lower);
  sum[0] = fmaf(fmaf(__int_as_float(even[0]), scale_b.x, scale_b.y), above.x, sum[0]);
  sum[0] = fmaf(fmaf(__int_as_float(odd[1]), scale_b.z, scale_b.w), above.y, sum[0]);
  sum[1] = fmaf(fmaf(__int_as_float(even[2]), scale_b.x, scale_b.y), below.x, sum[1]);
  sum[1] = fmaf(fmaf(__int_as_float(odd[3]), scale_b.z, scale_b.w), below.y, sum[1]);
}
