/* Values of the number formats: e2m1 (FP4), e4m3 in its two readings (FP8), and binary16 both ways. */
#include "kernels/problem.h"

#include <math.h>

double e2m1_value(unsigned code) {
  static const double magnitude[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  double x = magnitude[code & 7];
  return code & 8 ? -x : x;
}

/* The two e4m3 readings differ in the bias and in the codes that they set apart. */
static double e4m3_value(unsigned code, int bias) {
  int exponent = (int)(code >> 3 & 15), mantissa = (int)(code & 7);
  double x = exponent ? ldexp(8 + mantissa, exponent - bias - 3) : ldexp(mantissa, 1 - bias - 3);
  return code & 0x80 ? -x : x;
}

double e4m3fn_value(unsigned code) {
  return (code & 0x7f) == 0x7f ? NAN : e4m3_value(code, 7);
}

double e4m3fnuz_value(unsigned code) {
  return (code & 0xff) == 0x80 ? NAN : e4m3_value(code, 8);
}

double fp16_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
  double x;
  if (exponent == 31)
    x = mantissa ? NAN : INFINITY;
  else if (exponent)
    x = ldexp(1024 + mantissa, exponent - 25);
  else
    x = ldexp(mantissa, -24);
  return bits & 0x8000 ? -x : x;
}

uint16_t fp16_from_double(double x) {
  unsigned sign = signbit(x) ? 0x8000 : 0;
  unsigned magnitude;
  int exponent;
  if (isnan(x))
    return (uint16_t)(sign | 0x7e00);
  x = fabs(x);
  if (isinf(x) || x >= 65536)
    return (uint16_t)(sign | 0x7c00);
  frexp(x, &exponent); /* x in [2^(exponent-1), 2^exponent) */
  if (x < 0x1p-14)
    exponent = -13; /* zero and the subnormals share the unit of the smallest normals */
  /* Scaling by a power of two is exact, so rint alone rounds, to nearest even; a carry out of the mantissa moves into the
   * exponent, and out of the largest exponent into infinity, by the order of the codes. */
  magnitude = (unsigned)(exponent + 13) << 10;
  magnitude += (unsigned)rint(ldexp(x, 11 - exponent));
  return (uint16_t)(sign | magnitude);
}
