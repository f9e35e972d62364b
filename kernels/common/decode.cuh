/* Decoding as PTX text, to be put into a larger asm block.
 *
 * E2M1X8(x, h0, h1, h2, h3): the eight e2m1 codes of the 32-bit register x become four f16x2 registers.  The order of the values depends
 * on the chip, but is the same for every x, so dot products of two decoded words are right.  Each value comes out times a power of two, F,
 * that depends on the chip too; E2M1_UNSCALE = 1 / F^2 restores a product, and so the sum of a row, without rounding.
 *
 * E4M3X4(x, h0, h1): the four e4m3 codes of x become two f16x2 registers, in order, exact for all finite codes (bytes 0 and 1 in h0).
 *
 * Why sums of products stay exact in fp16: a product of two e2m1 values is a multiple of 1/4 of at most 36, so a sum of eight is one of at
 * most 1152 quarters, within the 2048 integers of an 11-bit significand.  With F = 2^-6 the quarter becomes 2^-14, the least normal
 * fp16, so nothing underflows, and a sum stays below 288 * 2^-12. */
#pragma once

#include "common/types.cuh"

/* The condition of cuda_fp8.h: family or architecture specific targets of sm_100 and later (sm_100a, sm_120f, ...). */
#if defined(__CUDA_ARCH_FAMILY_SPECIFIC__) && __CUDA_ARCH_FAMILY_SPECIFIC__ >= 1000
#define E2M1_NATIVE 1
#else
#define E2M1_NATIVE 0
#endif

#if E2M1_NATIVE

constexpr float E2M1_UNSCALE = 1.0f;

#define E2M1X8(x, h0, h1, h2, h3)                                                                                      \
  "{ .reg .b8 q0, q1, q2, q3;\n"                                                                                       \
  "  mov.b32 {q0, q1, q2, q3}, " x ";\n"                                                                               \
  "  cvt.rn.f16x2.e2m1x2 " h0 ", q0;\n"                                                                                \
  "  cvt.rn.f16x2.e2m1x2 " h1 ", q1;\n"                                                                                \
  "  cvt.rn.f16x2.e2m1x2 " h2 ", q2;\n"                                                                                \
  "  cvt.rn.f16x2.e2m1x2 " h3 ", q3; }\n"

#elif __CUDA_ARCH__ >= 890

/* A nibble s.ee.m becomes the e4m3 byte s.00ee.m00, subnormals included, at 2^(1-7) of its value: the low nibbles of four bytes at once,
 * then the high ones, and e4m3 converts in hardware. */
constexpr float E2M1_UNSCALE = 4096.0f;

#define E2M1X8(x, h0, h1, h2, h3)                                                                                      \
  "{ .reg .b32 lo, hi, t; .reg .b16 p, q;\n"                                                                           \
  "  shl.b32 lo, " x ", 4;\n"                                                                                          \
  "  shl.b32 t, " x ", 2;\n"                                                                                           \
  "  and.b32 lo, lo, 0x80808080;\n"                                                                                    \
  "  and.b32 t, t, 0x1c1c1c1c;\n"                                                                                      \
  "  or.b32 lo, lo, t;\n"                                                                                              \
  "  shr.b32 t, " x ", 2;\n"                                                                                           \
  "  and.b32 hi, " x ", 0x80808080;\n"                                                                                 \
  "  and.b32 t, t, 0x1c1c1c1c;\n"                                                                                      \
  "  or.b32 hi, hi, t;\n"                                                                                              \
  "  mov.b32 {p, q}, lo;\n"                                                                                            \
  "  cvt.rn.f16x2.e4m3x2 " h0 ", p;\n"                                                                                 \
  "  cvt.rn.f16x2.e4m3x2 " h1 ", q;\n"                                                                                 \
  "  mov.b32 {p, q}, hi;\n"                                                                                            \
  "  cvt.rn.f16x2.e4m3x2 " h2 ", p;\n"                                                                                 \
  "  cvt.rn.f16x2.e4m3x2 " h3 ", q; }\n"

#else

/* A nibble at the top of a half becomes fp16 bits s.000ee.m000000000, 2^(1-15) of its value; the product with 2^14 (0x7400) is exact.
 * Without it the product of two decoded values would underflow. */
constexpr float E2M1_UNSCALE = 1.0f;

#define E2M1X2_TOP(h)                                                                                                  \
  "  shr.u32 t, " h ", 3;\n"                                                                                           \
  "  and.b32 t, t, 0x0e000e00;\n"                                                                                      \
  "  and.b32 " h ", " h ", 0x80008000;\n"                                                                              \
  "  or.b32 " h ", " h ", t;\n"                                                                                        \
  "  mul.f16x2 " h ", " h ", up;\n"

#define E2M1X8(x, h0, h1, h2, h3)                                                                                      \
  "{ .reg .b32 t, up;\n"                                                                                               \
  "  mov.b32 up, 0x74007400;\n"                                                                                        \
  "  mov.b32 " h0 ", " x ";\n"                                                                                         \
  "  shl.b32 " h1 ", " x ", 4;\n"                                                                                      \
  "  shl.b32 " h2 ", " x ", 8;\n"                                                                                      \
  "  shl.b32 " h3 ", " x ", 12;\n" E2M1X2_TOP(h0) E2M1X2_TOP(h1) E2M1X2_TOP(h2) E2M1X2_TOP(h3) "}\n"

#endif

#if __CUDA_ARCH__ >= 890

#define E4M3X4(x, h0, h1)                                                                                              \
  "{ .reg .b16 p, q;\n"                                                                                                \
  "  mov.b32 {p, q}, " x ";\n"                                                                                         \
  "  cvt.rn.f16x2.e4m3x2 " h0 ", p;\n"                                                                                 \
  "  cvt.rn.f16x2.e4m3x2 " h1 ", q; }\n"

#else

/* A byte s.eeee.mmm becomes fp16 bits s.0eeee.mmm0000000, subnormals included, at 2^(7-15) of its value; times 2^8 (0x5c00) is exact. */
#define E4M3X2_TOP(h)                                                                                                  \
  "  shr.u32 t, " h ", 1;\n"                                                                                           \
  "  and.b32 t, t, 0x3f803f80;\n"                                                                                      \
  "  and.b32 " h ", " h ", 0x80008000;\n"                                                                              \
  "  or.b32 " h ", " h ", t;\n"                                                                                        \
  "  mul.f16x2 " h ", " h ", up;\n"

#define E4M3X4(x, h0, h1)                                                                                              \
  "{ .reg .b32 t, up;\n"                                                                                               \
  "  mov.b32 up, 0x5c005c00;\n"                                                                                        \
  "  prmt.b32 " h0 ", " x ", 0, 0x1404;\n"                                                                             \
  "  prmt.b32 " h1 ", " x ", 0, 0x3424;\n" E4M3X2_TOP(h0) E4M3X2_TOP(h1) "}\n"

#endif
