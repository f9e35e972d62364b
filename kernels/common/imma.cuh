/* FP4 in the integer tensor cores: every e2m1 value is a whole number of halves, so twice it fits an int8 and products and sums are exact.
 *
 * A byte permute looks four codes up at once: its selector is 4 bits, three that choose one of eight bytes and one that asks for that byte's sign
 * instead.  With a table of magnitudes {0, 1, 2, 3, 4, 6, 8, 12}, whose signs are all 0, a packed word used as selector gives the magnitudes of its
 * positive codes and 0 for its negative ones; with every sign bit flipped it gives those of the negative ones.  The difference is the value.
 */
#pragma once

#include "common/types.cuh"

#include <cuda_fp16.h>
#include <cuda_fp8.h>

/* Dot products of decoded values are this many times too large: both operands are doubled. */
constexpr float IMMA_SCALE = 0.25f;

/* The instruction itself: __byte_perm ignores the bit that asks for the sign. */
static __device__ __forceinline__ uint32_t permute_bytes(uint32_t lo, uint32_t hi, uint32_t selector) {
  uint32_t d;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(lo), "r"(hi), "r"(selector));
  return d;
}

struct split8 { /* eight values, doubled: positive parts and (negated) negative parts, four a word */
  uint32_t plus_lo, plus_hi, minus_lo, minus_hi;
};

static __device__ __forceinline__ split8 split_e2m1(uint32_t codes) {
  constexpr uint32_t table_lo = 0x03020100, table_hi = 0x0c080604;
  const uint32_t flipped = codes ^ 0x88888888u;
  split8 v;
  v.plus_lo = permute_bytes(table_lo, table_hi, codes);
  v.plus_hi = permute_bytes(table_lo, table_hi, codes >> 16);
  v.minus_lo = permute_bytes(table_lo, table_hi, flipped);
  v.minus_hi = permute_bytes(table_lo, table_hi, flipped >> 16);
  return v;
}

/* plus - minus in each byte.  The borrowed high bits keep the bytes apart. */
static __device__ __forceinline__ uint32_t join_bytes(uint32_t plus, uint32_t minus) {
  return ((plus | 0x80808080u) - minus) ^ 0x80808080u;
}

/* d += A * B on one warp: A 16 x 32 unsigned bytes, B 32 x 8 signed bytes.  Lane 4g+t holds, of A, bytes 4t..4t+3 of rows g (a0) and g+8 (a1) and bytes
 * 16+4t..16+4t+3 of the same (a2, a3); of B the same bytes of column g (b0, b1); of d columns 2t and 2t+1 of rows g (d[0], d[1]) and g+8 (d[2], d[3]). */
static __device__ __forceinline__ void imma_16x8x32(int (&d)[4], uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3,
                                                    uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

/* The same with every element of d started from one value. */
static __device__ __forceinline__ void imma_first(int (&d)[4], uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3,
                                                  uint32_t b0, uint32_t b1, int start) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(start));
}

/* Two neighbouring scales, exact in fp32. */
static __device__ __forceinline__ float2 two_scales(uint16_t codes) {
  return __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(codes, __NV_E4M3)));
}

/* A whole number as float without a conversion instruction, which would issue on the slow XU pipe: |x| < 2^22, started from float_bias(). */
static __device__ __forceinline__ int float_bias() {
  return 0x4b400000; /* 1.5 * 2^23 as float: one unit in the last place is 1 */
}

static __device__ __forceinline__ float float_of_biased(int x) {
  return __int_as_float(x) - 12582912.0f;
}
