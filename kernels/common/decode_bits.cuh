/* Decoding bit by bit, as the formats are defined: slow, plain, exact. */
#pragma once

#include "common/types.cuh"

/* e2m1: sign, two exponent bits (bias 1), one mantissa bit. */
static __device__ __forceinline__ float e2m1_from_bits(unsigned code) {
  const int exponent = (code >> 1) & 3;
  const float mantissa = 0.5f * (code & 1);
  const float magnitude = exponent == 0 ? mantissa : ldexpf(1.0f + mantissa, exponent - 1);
  return (code & 8) ? -magnitude : magnitude;
}

/* e4m3fn: sign, four exponent bits (bias 7), three mantissa bits; no infinities.  The one NaN, 0x7f and 0xff, never occurs as a scale. */
static __device__ __forceinline__ float e4m3_from_bits(unsigned code) {
  const int exponent = (code >> 3) & 15;
  const float mantissa = 0.125f * (code & 7);
  const float magnitude = exponent == 0 ? ldexpf(mantissa, -6) : ldexpf(1.0f + mantissa, exponent - 7);
  return (code & 0x80) ? -magnitude : magnitude;
}
