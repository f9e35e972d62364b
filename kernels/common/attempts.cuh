/* The arithmetic of the attempts ladder.  A block of 16 values is two pieces of A and two of B, eight codes in a 32-bit word each, and a
 * scale of each.
 *
 * Decoded values come times F, a power of two that depends on the chip (common/decode.cuh).  Where the original multiplies B by the scale
 * in fp16, F is taken out of B in the same multiplication, and the sum of a row is still to be multiplied by RESTORE_A; where it multiplies
 * in fp32, the sum is to be multiplied by E2M1_UNSCALE. */
#pragma once

#include "common/piece.cuh"

constexpr float RESTORE_A = E2M1_UNSCALE == 4096.0f ? 64.0f : 1.0f; /* 1 / F */
static_assert(RESTORE_A * RESTORE_A == E2M1_UNSCALE, "A and B come times the same F");

static __device__ __forceinline__ uint32_t load1(const uint8_t *p) {
  return __ldg(p);
}

static __device__ __forceinline__ uint64_t load8(const uint8_t *p) {
  return __ldg(reinterpret_cast<const uint64_t *>(p));
}

/* The two values of one byte.  Without the hardware's conversion of a byte, its nibbles go where piece_of's first pair has its own; the
 * other three pairs are not computed. */
static __device__ __forceinline__ __half2 pair_of(uint32_t byte) {
#if E2M1_NATIVE
  const uint32_t codes = byte;
#elif __CUDA_ARCH__ >= 890
  const uint32_t codes = byte | byte << 4;
#else
  const uint32_t codes = byte << 12 | byte << 24;
#endif
  return piece_of(codes).x;
}

/* Eight values from bytes cut out one at a time. */
static __device__ __forceinline__ struct piece piece_of_bytes(uint64_t codes, int first) {
  return {pair_of(codes >> first & 0xff), pair_of(codes >> (first + 8) & 0xff), pair_of(codes >> (first + 16) & 0xff),
          pair_of(codes >> (first + 24) & 0xff)};
}

/* sfa * sfb of one block, in fp32. */
static __device__ __forceinline__ float scale_product(uint32_t sfa, uint32_t sfb) {
  const __half2 both = scale_pair(sfa | sfb << 8);
  return __low2float(both) * __high2float(both);
}

/* --- fp32: each product times the scale, added to sum --- */

static __device__ __forceinline__ float pair_add(__half2 a, __half2 b, float scale, float sum) {
  const float2 x = __half22float2(a), y = __half22float2(b);
  sum += x.x * y.x * scale;
  sum += x.y * y.y * scale;
  return sum;
}

static __device__ __forceinline__ float piece_add(uint32_t a_codes, uint32_t b_codes, float scale, float sum) {
  const struct piece a = piece_of(a_codes), b = piece_of(b_codes);
  sum = pair_add(a.x, b.x, scale, sum);
  sum = pair_add(a.y, b.y, scale, sum);
  sum = pair_add(a.z, b.z, scale, sum);
  return pair_add(a.w, b.w, scale, sum);
}

/* --- fp16, one value at a time: B times the scale, one chain over a piece --- */

static __device__ __forceinline__ __half pair_chain(__half2 a, __half2 b, __half scale, __half sum) {
  sum = __hfma(__low2half(a), __hmul(__low2half(b), scale), sum);
  return __hfma(__high2half(a), __hmul(__high2half(b), scale), sum);
}

static __device__ __forceinline__ __half piece_dot_scalar(uint32_t a_codes, uint32_t b_codes, __half scale) {
  const struct piece a = piece_of(a_codes), b = piece_of(b_codes);
  __half sum = pair_chain(a.x, b.x, scale, __float2half(0.0f));
  sum = pair_chain(a.y, b.y, scale, sum);
  sum = pair_chain(a.z, b.z, scale, sum);
  return pair_chain(a.w, b.w, scale, sum);
}

/* --- f16x2: B times the scale, two chains over a piece, added --- */

static __device__ __forceinline__ __half2 piece_dot(struct piece a, struct piece b, __half2 scale) {
  __half2 even = __hmul2(a.x, __hmul2(b.x, scale));
  __half2 odd = __hmul2(a.y, __hmul2(b.y, scale));
  even = __hfma2(a.z, __hmul2(b.z, scale), even);
  odd = __hfma2(a.w, __hmul2(b.w, scale), odd);
  return __hadd2(even, odd);
}

/* A block: the scale to half2, two pieces, added, widened. */
static __device__ __forceinline__ float block_dot(uint32_t a_lo, uint32_t a_hi, uint32_t b_lo, uint32_t b_hi,
                                                  uint32_t sfa, uint32_t sfb) {
  const __half2 scale = __float2half2_rn(scale_product(sfa, sfb) * RESTORE_A);
  return halves_sum(
      __hadd2(piece_dot(piece_of(a_lo), piece_of(b_lo), scale), piece_dot(piece_of(a_hi), piece_of(b_hi), scale)));
}

/* The same from 8 bytes of each, every byte cut out by itself. */
static __device__ __forceinline__ float block_dot_bytes(uint64_t a, uint64_t b, uint32_t sfa, uint32_t sfb) {
  const __half2 scale = __float2half2_rn(scale_product(sfa, sfb) * RESTORE_A);
  return halves_sum(__hadd2(piece_dot(piece_of_bytes(a, 0), piece_of_bytes(b, 0), scale),
                            piece_dot(piece_of_bytes(a, 32), piece_of_bytes(b, 32), scale)));
}
