/* The number formats: every value here is worked out from the format's definition, not from the code under test. */
#include "kernels/problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void e2m1_all_codes(void **state) {
  /* s eem: exponent bias 1, one mantissa bit, subnormals 0 and 0.5 */
  static const double want[16] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6};

  (void)state;
  for (unsigned code = 0; code < 16; code++)
    assert_true(e2m1_value(code) == want[code]);
  assert_true(signbit(e2m1_value(8)));
}

static void e4m3fn_known_codes(void **state) {
  static const struct {
    unsigned code;
    double value;
  } known[] = {
      {0x00, 0},      {0x01, 0x1p-9}, /* the smallest subnormal: 1/8 * 2^-6 */
      {0x07, 0x7p-9},                 /* the largest subnormal */
      {0x08, 0x1p-6},                 /* the smallest normal */
      {0x30, 0.5},    {0x38, 1},       {0x39, 1.125}, {0x3c, 1.5},
      {0x40, 2},      {0x78, 256},     {0x7e, 448}, /* (1 + 6/8) * 2^8 */
      {0x80, -0.0},   {0x81, -0x1p-9}, {0xb8, -1},    {0xfe, -448},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(known); i++)
    assert_true(e4m3fn_value(known[i].code) == known[i].value);
  assert_true(signbit(e4m3fn_value(0x80)));
  for (unsigned code = 0; code < 256; code++)
    assert_int_equal(isnan(e4m3fn_value(code)) != 0, code == 0x7f || code == 0xff);
}

static void e4m3fnuz_known_codes(void **state) {
  (void)state;
  assert_true(e4m3fnuz_value(0x00) == 0);
  assert_true(e4m3fnuz_value(0x01) == 0x1p-10);
  assert_true(e4m3fnuz_value(0x08) == 0x1p-7);
  assert_true(e4m3fnuz_value(0x38) == 0.5);
  assert_true(e4m3fnuz_value(0x40) == 1);
  assert_true(e4m3fnuz_value(0x7f) == 240); /* (1 + 7/8) * 2^7: the largest, where e4m3fn has NaN */
  assert_true(e4m3fnuz_value(0xff) == -240);
  for (unsigned code = 0; code < 256; code++) {
    assert_int_equal(isnan(e4m3fnuz_value(code)) != 0, code == 0x80);
    if (code != 0x80 && (code & 0x7f) != 0x7f)
      assert_true(e4m3fnuz_value(code) == e4m3fn_value(code) / 2);
  }
}

static void fp16_known_values(void **state) {
  static const struct {
    uint16_t bits;
    double value;
  } known[] = {
      {0x0000, 0},
      {0x0001, 0x1p-24},
      {0x03ff, 0x3ffp-24}, /* the largest subnormal */
      {0x0400, 0x1p-14},   /* the smallest normal */
      {0x3555, 0.333251953125},
      {0x3c00, 1},
      {0x3c01, 1 + 0x1p-10},
      {0xc000, -2},
      {0x7bff, 65504},
      {0x7c00, INFINITY},
      {0xfc00, -INFINITY},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(known); i++) {
    assert_true(fp16_value(known[i].bits) == known[i].value);
    assert_int_equal(fp16_from_double(known[i].value), known[i].bits);
  }
  assert_true(signbit(fp16_value(0x8000)));
  assert_true(isnan(fp16_value(0x7e00)));
  assert_true(isnan(fp16_value(PROBLEM_POISON)));
  assert_true(isnan(fp16_value(fp16_from_double(NAN))));
}

static void fp16_rounds_to_nearest_even(void **state) {
  static const struct {
    double x;
    uint16_t bits;
  } known[] = {
      {2049, 0x6800}, /* the unit is 2 here: a tie goes to the even 2048 */
      {2051, 0x6802}, /* a tie goes to the even 2052 */
      {1 + 0x1p-11, 0x3c00},
      {1 + 0x3p-11, 0x3c02},
      {1 + 0x1p-11 + 0x1p-40, 0x3c01}, /* just above a tie */
      {65519.99, 0x7bff},
      {65520, 0x7c00}, /* a tie between 65504 and 65536 carries into infinity */
      {-65520, 0xfc00},
      {65536, 0x7c00},
      {1e300, 0x7c00},
      {-1e300, 0xfc00},
      {0x1p-25, 0x0000}, /* a tie between 0 and the smallest subnormal */
      {0x1.001p-25, 0x0001},
      {0x3p-25, 0x0002},
      {-0x3p-25, 0x8002},
      {1023.5 * 0x1p-24, 0x0400}, /* a tie between the largest subnormal and the smallest normal */
      {5e-324, 0x0000},
      {-1e-300, 0x8000},
      {-0.0, 0x8000},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(known); i++)
    assert_int_equal(fp16_from_double(known[i].x), known[i].bits);
}

/* Both directions agree on every code, and the middle between two neighbours goes to the one with an even mantissa. */
static void fp16_every_code(void **state) {
  (void)state;
  for (unsigned bits = 0; bits < 0x7c00; bits++) {
    double x = fp16_value((uint16_t)bits), next = bits == 0x7bff ? 65536 : fp16_value((uint16_t)(bits + 1));
    double middle = (x + next) / 2, hair = (next - x) / 1024;

    assert_int_equal(fp16_from_double(x), bits);
    assert_int_equal(fp16_from_double(-x), bits | 0x8000);
    assert_int_equal(fp16_from_double(middle), bits + (bits & 1));
    assert_int_equal(fp16_from_double(middle - hair), bits);
    assert_int_equal(fp16_from_double(middle + hair), bits + 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(e2m1_all_codes),
      cmocka_unit_test(e4m3fn_known_codes),
      cmocka_unit_test(e4m3fnuz_known_codes),
      cmocka_unit_test(fp16_known_values),
      cmocka_unit_test(fp16_rounds_to_nearest_even),
      cmocka_unit_test(fp16_every_code),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
