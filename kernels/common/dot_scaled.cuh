/* Dot products whose block scales are applied in fp16: the arithmetic of the `top` ladder.  Sums are still to be multiplied by E2M1_UNSCALE
 * (common/decode.cuh). */
#pragma once

#include "common/decode.cuh"

/* Eight decoded values, as four f16x2; their order depends on the chip (common/decode.cuh). */
struct values8 {
  uint32_t h[4];
};

static __device__ __forceinline__ values8 decode8(uint32_t codes) {
  values8 v;
  asm(E2M1X8("%4", "%0", "%1", "%2", "%3") : "=&r"(v.h[0]), "=&r"(v.h[1]), "=&r"(v.h[2]), "=&r"(v.h[3]) : "r"(codes));
  return v;
}

static __device__ __forceinline__ uint32_t mul_f16x2(uint32_t x, uint32_t y) {
  uint32_t d;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(d) : "r"(x), "r"(y));
  return d;
}

static __device__ __forceinline__ uint32_t fma_f16x2(uint32_t x, uint32_t y, uint32_t z) {
  uint32_t d;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(y), "r"(z));
  return d;
}

/* One half in both halves: free where an f16x2 instruction reads it. */
static __device__ __forceinline__ uint32_t low_twice(uint32_t x) {
  uint32_t d;
  asm("{ .reg .b16 lo, hi;\n"
      "  mov.b32 {lo, hi}, %1;\n"
      "  mov.b32 %0, {lo, lo}; }\n"
      : "=r"(d)
      : "r"(x));
  return d;
}

static __device__ __forceinline__ uint32_t high_twice(uint32_t x) {
  uint32_t d;
  asm("{ .reg .b16 lo, hi;\n"
      "  mov.b32 {lo, hi}, %1;\n"
      "  mov.b32 %0, {hi, hi}; }\n"
      : "=r"(d)
      : "r"(x));
  return d;
}

/* The sum of the halves, in fp32. */
static __device__ __forceinline__ float widen(uint32_t x) {
  float d;
  asm("{ .reg .b16 lo, hi;\n"
      "  .reg .f32 u, v;\n"
      "  mov.b32 {lo, hi}, %1;\n"
      "  cvt.f32.f16 u, lo;\n"
      "  cvt.f32.f16 v, hi;\n"
      "  add.f32 %0, u, v; }\n"
      : "=f"(d)
      : "r"(x));
  return d;
}

/* Products of the scales of four blocks, two in .x and two in .y; exact up to 65504, as in dot64 (common/dot.cuh). */
static __device__ __forceinline__ uint2 scale_products(uint32_t sfa, uint32_t sfb) {
  uint2 s;
  // clang-format off
  asm("{ .reg .b32 a0, a1, b0, b1;\n"
      E4M3X4("%2", "a0", "a1")
      E4M3X4("%3", "b0", "b1")
      "  mul.rn.f16x2 %0, a0, b0;\n"
      "  mul.rn.f16x2 %1, a1, b1; }\n"
      : "=&r"(s.x), "=r"(s.y)
      : "r"(sfa), "r"(sfb));
  // clang-format on
  return s;
}

/* One block of 16: a chain of a mul and seven fma in f16x2, exact. */
static __device__ __forceinline__ uint32_t dot16(values8 a0, values8 a1, values8 b0, values8 b1) {
  uint32_t dot = mul_f16x2(a0.h[0], b0.h[0]);
#pragma unroll
  for (int i = 1; i < 4; ++i)
    dot = fma_f16x2(a0.h[i], b0.h[i], dot);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    dot = fma_f16x2(a1.h[i], b1.h[i], dot);
  return dot;
}

/* The 32 values of 16 bytes: two blocks, each times its scale, added to sum; all in f16x2, where these two fma round. */
static __device__ __forceinline__ uint32_t dot32(uint4 a, uint4 b, uint32_t scales, uint32_t sum) {
  const uint32_t first = dot16(decode8(a.x), decode8(a.y), decode8(b.x), decode8(b.y));
  const uint32_t second = dot16(decode8(a.z), decode8(a.w), decode8(b.z), decode8(b.w));
  return fma_f16x2(second, high_twice(scales), fma_f16x2(first, low_twice(scales), sum));
}

/* 16 or 32 bytes of a row, with their scales in the low bytes of sfa and sfb. */
static __device__ __forceinline__ float dot_scaled(const uint4 (&a)[1], const uint4 (&b)[1], uint32_t sfa,
                                                   uint32_t sfb) {
  return widen(dot32(a[0], b[0], scale_products(sfa, sfb).x, 0));
}

static __device__ __forceinline__ float dot_scaled(const uint4 (&a)[2], const uint4 (&b)[2], uint32_t sfa,
                                                   uint32_t sfb) {
  const uint2 scales = scale_products(sfa, sfb);
  return widen(dot32(a[1], b[1], scales.y, dot32(a[0], b[0], scales.x, 0)));
}
