/* Blocks of 16 against a lane's share of B, which stays in its registers: in fp16 pairs where the chip converts e2m1 itself, by dp4a elsewhere.  A
 * block's products are summed in fp16 without rounding (decode.cuh says why: eight in each half), then scaled in fp32. */
#pragma once

#include "common/decode.cuh"
#include "common/dp4a_blocks.cuh"

#include <cuda_fp16.h>

#if E2M1_NATIVE

/* Of B what meets 16 bytes of A, two blocks: its values, and each block's scale. */
struct block_share {
  __half2 values[16];
  float2 scale;
};

/* Eight values; their order is the same for every word. */
static __device__ __forceinline__ void e2m1_halves(__half2 *out, uint32_t codes) {
  uint32_t h[4];
  asm(E2M1X8("%4", "%0", "%1", "%2", "%3") : "=r"(h[0]), "=r"(h[1]), "=r"(h[2]), "=r"(h[3]) : "r"(codes));
#pragma unroll
  for (int i = 0; i < 4; ++i)
    out[i] = *reinterpret_cast<const __half2 *>(&h[i]);
}

static __device__ __forceinline__ block_share block_share_of(uint4 codes, uint16_t scale_codes) {
  const uint32_t words[4] = {codes.x, codes.y, codes.z, codes.w};
  block_share b;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    e2m1_halves(b.values + 4 * i, words[i]);
  b.scale = two_scales(scale_codes);
  return b;
}

static __device__ __forceinline__ float block_sum(uint32_t lo, uint32_t hi, const __half2 *b) {
  __half2 a[8];
  e2m1_halves(a, lo);
  e2m1_halves(a + 4, hi);
  __half2 sum = __hmul2(a[0], b[0]);
#pragma unroll
  for (int i = 1; i < 8; ++i)
    sum = __hfma2(a[i], b[i], sum);
  return __low2float(sum) + __high2float(sum);
}

static __device__ __forceinline__ float block_add(float sum, uint4 a, uint16_t scale_codes, const block_share &b,
                                                  e2m1_tables) {
  const float2 scale = two_scales(scale_codes);
  sum = fmaf(block_sum(a.x, a.y, b.values) * b.scale.x, scale.x, sum);
  return fmaf(block_sum(a.z, a.w, b.values + 8) * b.scale.y, scale.y, sum);
}

#else

using block_share = dp4a_share;

static __device__ __forceinline__ block_share block_share_of(uint4 codes, uint16_t scale_codes) {
  return dp4a_share_of(codes, scale_codes);
}

static __device__ __forceinline__ float block_add(float sum, uint4 a, uint16_t scale_codes, const block_share &b,
                                                  e2m1_tables tables) {
  return dp4a_add(sum, a, scale_codes, b, tables);
}

#endif
