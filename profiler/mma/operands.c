/* Operands: random codes of each format, and what they are worth. */
#include "profiler/mma/tuning.h"

#include "base/mix64.h"

#include <math.h>
#include <string.h>

/* Small floating-point formats: exponent and mantissa bits, and the exponent's bias. */
struct floating {
  int exponent_bits, mantissa_bits, bias;
  int low, high; /* exponent fields that inputs have: values of about 2^-4 to 4, all finite */
};
/* IEEE 754 for fp16; OCP 8-bit Floating Point Specification 1.0 for e4m3 and e5m2; OCP Microscaling Formats 1.0 for the smaller ones. */
static const struct floating floats[MMA_FORMATS] = {
    [MMA_BF16] = {8, 7, 127, 123, 127}, [MMA_FP16] = {5, 10, 15, 11, 15},   [MMA_E4M3] = {4, 3, 7, 0, 8},
    [MMA_E5M2] = {5, 2, 15, 11, 16},    [MMA_E3M2] = {3, 2, 3, 0, 4},       [MMA_E2M3] = {2, 3, 1, 0, 2},
    [MMA_E2M1] = {2, 1, 1, 0, 3},       [MMA_E2M1_PACKED] = {2, 1, 1, 0, 3}};

static double float_value(const struct floating *f, unsigned code) {
  unsigned mantissa = code & ((1u << f->mantissa_bits) - 1);
  unsigned exponent = code >> f->mantissa_bits & ((1u << f->exponent_bits) - 1);
  bool negative = code >> (f->mantissa_bits + f->exponent_bits) & 1;
  double whole = exponent ? (double)(mantissa + (1u << f->mantissa_bits)) : (double)mantissa;
  double value = ldexp(whole, (int)(exponent ? exponent : 1) - f->bias - f->mantissa_bits);
  return negative ? -value : value;
}

static unsigned float_code(const struct floating *f, uint64_t random) {
  unsigned exponent = (unsigned)f->low + (unsigned)(random >> 32) % (unsigned)(f->high - f->low + 1);
  unsigned mantissa = (unsigned)random & ((1u << f->mantissa_bits) - 1);
  unsigned sign = (unsigned)(random >> 31) & 1;
  return (sign << f->exponent_bits | exponent) << f->mantissa_bits | mantissa;
}

void mma_values_make(enum mma_format f, uint64_t seed, unsigned char *out, size_t bytes) {
  enum { TABLE = 1 << 12 }; /* codes drawn once; the operand draws from them */
  unsigned codes[TABLE];
  uint64_t state = seed;
  bool packed = f == MMA_E2M1_PACKED, integer = f == MMA_S8 || f == MMA_U8 || f == MMA_S4 || f == MMA_U4;
  for (size_t i = 0; i < TABLE; i++) {
    uint64_t random = mix64_next(&state);
    codes[i] = integer ? (unsigned)random & 0xff : float_code(&floats[f], random);
    if (packed)
      codes[i] |= float_code(&floats[f], mix64_next(&state)) << 4;
    if (f == MMA_E2M1)
      codes[i] <<= 2; /* bits 5 to 2 of its byte */
  }
  bool wide = mma_format_bits(f) == 16;
  for (size_t at = 0; at < bytes;) {
    uint64_t random = mix64_next(&state);
    for (int piece = 0; piece < 5 && at < bytes; piece++, random >>= 12) {
      unsigned code = codes[random % TABLE];
      out[at++] = (unsigned char)code;
      if (wide)
        out[at++] = (unsigned char)(code >> 8);
    }
  }
}

double mma_value(enum mma_format f, const unsigned char *from, size_t at) {
  unsigned nibble = from[at / 2] >> at % 2 * 4 & 15; /* the first in the low bits */
  switch (f) {
  case MMA_BF16:
  case MMA_FP16:
    return float_value(&floats[f], from[2 * at] | (unsigned)from[2 * at + 1] << 8);
  case MMA_S8:
    return (signed char)from[at];
  case MMA_U8:
    return from[at];
  case MMA_S4:
    return nibble < 8 ? (int)nibble : (int)nibble - 16;
  case MMA_U4:
    return nibble;
  case MMA_E2M1:
    return float_value(&floats[f], from[at] >> 2);
  case MMA_E2M1_PACKED:
    return float_value(&floats[f], nibble);
  default:
    return float_value(&floats[f], from[at]);
  }
}

int mma_sum_bytes(enum mma_sum s) {
  return s == MMA_F16 ? 2 : 4;
}

double mma_sum_value(enum mma_sum s, const unsigned char *from, size_t at) {
  float single;
  int32_t integer;
  if (s == MMA_F16) {
    unsigned code = from[2 * at] | (unsigned)from[2 * at + 1] << 8;
    bool finite = (code >> 10 & 31) != 31;
    return finite ? float_value(&floats[MMA_FP16], code) : (double)INFINITY;
  }
  memcpy(&single, from + 4 * at, sizeof single);
  memcpy(&integer, from + 4 * at, sizeof integer);
  return s == MMA_S32 ? integer : (double)single;
}

/* Random signs: of n additions that round to 2^-b of the sum each, the error grows as sqrt(n) 2^-b.  At K = 32768 an fp16 sum (b = 11, and
 * 2048 additions) has 2 %, an fp32 sum (b = 23, the tensor core may truncate) far below 0.01 %.  One wrong element of 256 is 6 %. */
double mma_tolerance(enum mma_sum s) {
  return s == MMA_S32 ? 0 : s == MMA_F16 ? 0.03 : 1e-4;
}
