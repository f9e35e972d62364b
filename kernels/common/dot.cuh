/* The PTX blocks of the cuda ladder.  Dot products are still to be multiplied by E2M1_UNSCALE (common/decode.cuh), but for dot64. */
#pragma once

#include "common/decode.cuh"

// clang-format off: one PTX instruction a line

/* Dot product of eight pairs of values: two chains of mul and fma in f16x2, added, the halves widened and added. */
static __device__ __forceinline__ float dot8(uint32_t a, uint32_t b) {
  float dot;
  asm("{ .reg .b32 a0, a1, a2, a3, b0, b1, b2, b3, even, odd;\n"
      "  .reg .b16 lo, hi;\n"
      "  .reg .f32 x, y;\n" E2M1X8("%1", "a0", "a1", "a2", "a3")
          E2M1X8("%2", "b0", "b1", "b2", "b3") "  mul.rn.f16x2 even, a0, b0;\n"
                                               "  mul.rn.f16x2 odd, a1, b1;\n"
                                               "  fma.rn.f16x2 even, a2, b2, even;\n"
                                               "  fma.rn.f16x2 odd, a3, b3, odd;\n"
                                               "  add.rn.f16x2 even, even, odd;\n"
                                               "  mov.b32 {lo, hi}, even;\n"
                                               "  cvt.f32.f16 x, lo;\n"
                                               "  cvt.f32.f16 y, hi;\n"
                                               "  add.f32 %0, x, y; }\n"
      : "=f"(dot)
      : "r"(a), "r"(b));
  return dot;
}

/* Products of the scales of four blocks: converted two at a time, multiplied in fp32, since 448 * 448 overflows fp16. */
static __device__ __forceinline__ float4 scales(uint32_t sfa, uint32_t sfb) {
  float4 s;
  asm("{ .reg .b32 a0, a1, b0, b1;\n"
      "  .reg .b16 lo, hi;\n"
      "  .reg .f32 x, y;\n" E4M3X4("%4", "a0", "a1") E4M3X4("%5", "b0", "b1") "  mov.b32 {lo, hi}, a0;\n"
                                                                              "  cvt.f32.f16 %0, lo;\n"
                                                                              "  cvt.f32.f16 %1, hi;\n"
                                                                              "  mov.b32 {lo, hi}, a1;\n"
                                                                              "  cvt.f32.f16 %2, lo;\n"
                                                                              "  cvt.f32.f16 %3, hi;\n"
                                                                              "  mov.b32 {lo, hi}, b0;\n"
                                                                              "  cvt.f32.f16 x, lo;\n"
                                                                              "  cvt.f32.f16 y, hi;\n"
                                                                              "  mul.f32 %0, %0, x;\n"
                                                                              "  mul.f32 %1, %1, y;\n"
                                                                              "  mov.b32 {lo, hi}, b1;\n"
                                                                              "  cvt.f32.f16 x, lo;\n"
                                                                              "  cvt.f32.f16 y, hi;\n"
                                                                              "  mul.f32 %2, %2, x;\n"
                                                                              "  mul.f32 %3, %3, y; }\n"
      : "=&f"(s.x), "=&f"(s.y), "=&f"(s.z), "=&f"(s.w)
      : "r"(sfa), "r"(sfb));
  return s;
}

/* One block of 16: two words of A and two of B, their dot product in register d.  One f16x2 chain: mul and seven fma. */
#define DOT16(a_lo, a_hi, b_lo, b_hi, d)                                                                               \
  E2M1X8(a_lo, "a0", "a1", "a2", "a3")                                                                                 \
  E2M1X8(b_lo, "b0", "b1", "b2", "b3")                                                                                 \
  "  mul.rn.f16x2 sum, a0, b0;\n"                                                                                      \
  "  fma.rn.f16x2 sum, a1, b1, sum;\n"                                                                                 \
  "  fma.rn.f16x2 sum, a2, b2, sum;\n"                                                                                 \
  "  fma.rn.f16x2 sum, a3, b3, sum;\n" E2M1X8(a_hi, "a0", "a1", "a2", "a3")                                            \
      E2M1X8(b_hi, "b0", "b1", "b2", "b3") "  fma.rn.f16x2 sum, a0, b0, sum;\n"                                        \
                                           "  fma.rn.f16x2 sum, a1, b1, sum;\n"                                        \
                                           "  fma.rn.f16x2 sum, a2, b2, sum;\n"                                        \
                                           "  fma.rn.f16x2 sum, a3, b3, sum;\n"                                        \
                                           "  mov.b32 {lo, hi}, sum;\n"                                                \
                                           "  cvt.f32.f16 x, lo;\n"                                                    \
                                           "  cvt.f32.f16 y, hi;\n"                                                    \
                                           "  add.f32 " d ", x, y;\n"

/* A whole tile of 64 values with its scales, added to sum, which is to scale: the last fma brings E2M1_UNSCALE in.  The scale products are
 * f16x2, exact up to 65504: two significands of 4 bits make 8, and the least product, 2^-18, is a multiple of fp16's 2^-24. */
static __device__ __forceinline__ float dot64(uint4 a0, uint4 a1, uint4 b0, uint4 b1, uint32_t sfa, uint32_t sfb,
                                              float sum) {
  float out;
  asm("{ .reg .b32 a0, a1, a2, a3, b0, b1, b2, b3, sum;\n"
      "  .reg .b16 lo, hi;\n"
      "  .reg .f32 x, y, s0, s1, s2, s3, d, tile;\n" E4M3X4("%17", "a0", "a1") E4M3X4(
          "%18", "b0",
          "b1") "  mul.rn.f16x2 a0, a0, b0;\n"
                "  mul.rn.f16x2 a1, a1, b1;\n"
                "  mov.b32 {lo, hi}, a0;\n"
                "  cvt.f32.f16 s0, lo;\n"
                "  cvt.f32.f16 s1, hi;\n"
                "  mov.b32 {lo, hi}, a1;\n"
                "  cvt.f32.f16 s2, lo;\n"
                "  cvt.f32.f16 s3, hi;\n" DOT16("%1", "%2", "%9", "%10", "d") "  mul.f32 tile, d, s0;\n" DOT16(
                    "%3", "%4", "%11", "%12",
                    "d") "  fma.rn.f32 tile, d, s1, tile;\n" DOT16("%5", "%6", "%13", "%14",
                                                                   "d") "  fma.rn.f32 tile, d, s2, tile;\n" DOT16("%7",
                                                                                                                  "%8",
                                                                                                                  "%15",
                                                                                                                  "%16",
                                                                                                                  "d") "  fma.rn.f32 tile, d, s3, tile;\n"
                                                                                                                       "  fma.rn.f32 %0, tile, %20, %19; }\n"
      : "=f"(out)
      : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w), "r"(a1.x), "r"(a1.y), "r"(a1.z), "r"(a1.w), "r"(b0.x), "r"(b0.y),
        "r"(b0.z), "r"(b0.w), "r"(b1.x), "r"(b1.y), "r"(b1.z), "r"(b1.w), "r"(sfa), "r"(sfb), "f"(sum),
        "f"(E2M1_UNSCALE));
  return out;
}
// clang-format on
