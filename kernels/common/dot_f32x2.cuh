/* Dot products in pairs of fp32: fma.rn.f32x2 where the chip has it (sm_100 and later), two fma elsewhere.  Sums are still to be multiplied
 * by E2M1_UNSCALE (common/decode.cuh). */
#pragma once

#include "common/dot.cuh"
#include "common/dot_scaled.cuh"

/* The halves of an f16x2. */
static __device__ __forceinline__ float2 widen_pair(uint32_t x) {
  float2 d;
  asm("{ .reg .b16 lo, hi;\n"
      "  mov.b32 {lo, hi}, %2;\n"
      "  cvt.f32.f16 %0, lo;\n"
      "  cvt.f32.f16 %1, hi; }\n"
      : "=f"(d.x), "=f"(d.y)
      : "r"(x));
  return d;
}

static __device__ __forceinline__ float2 fma_f32x2(float2 x, float2 y, float2 z) {
  float2 d;
#if __CUDA_ARCH__ >= 1000
  asm("{ .reg .b64 x, y, z;\n"
      "  mov.b64 x, {%2, %3};\n"
      "  mov.b64 y, {%4, %5};\n"
      "  mov.b64 z, {%6, %7};\n"
      "  fma.rn.f32x2 z, x, y, z;\n"
      "  mov.b64 {%0, %1}, z; }\n"
      : "=f"(d.x), "=f"(d.y)
      : "f"(x.x), "f"(x.y), "f"(y.x), "f"(y.y), "f"(z.x), "f"(z.y));
#else
  d.x = __fmaf_rn(x.x, y.x, z.x), d.y = __fmaf_rn(x.y, y.y, z.y);
#endif
  return d;
}

/* A block of 16 onto sum: a chain of eight fma, times its scale. */
static __device__ __forceinline__ float2 block_f32x2(uint32_t a_lo, uint32_t a_hi, uint32_t b_lo, uint32_t b_hi,
                                                     float scale, float2 sum) {
  const values8 a[] = {decode8(a_lo), decode8(a_hi)}, b[] = {decode8(b_lo), decode8(b_hi)};
  float2 dot = make_float2(0.0f, 0.0f);
#pragma unroll
  for (int i = 0; i < 8; ++i)
    dot = fma_f32x2(widen_pair(a[i / 4].h[i % 4]), widen_pair(b[i / 4].h[i % 4]), dot);
  return fma_f32x2(dot, make_float2(scale, scale), sum);
}

static __device__ __forceinline__ float dot_f32x2(const uint4 (&a)[2], const uint4 (&b)[2], uint32_t sfa,
                                                  uint32_t sfb) {
  const float4 scale = scales(sfa, sfb);
  float2 sum = make_float2(0.0f, 0.0f);
  sum = block_f32x2(a[0].x, a[0].y, b[0].x, b[0].y, scale.x, sum);
  sum = block_f32x2(a[0].z, a[0].w, b[0].z, b[0].w, scale.y, sum);
  sum = block_f32x2(a[1].x, a[1].y, b[1].x, b[1].y, scale.z, sum);
  sum = block_f32x2(a[1].z, a[1].w, b[1].z, b[1].w, scale.w, sum);
  return sum.x + sum.y;
}
