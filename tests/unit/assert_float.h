/* Included before every unit test (tests/CMakeLists.txt): cmocka 1.1.5 compares as floats and lets NaN and infinities pass. */
#ifndef TESTS_UNIT_ASSERT_FLOAT_H
#define TESTS_UNIT_ASSERT_FLOAT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

static inline void assert_float_within(double got, double want, double within, const char *file, int line) {
  if (got == want || fabs(got - want) <= fmax(within, FLT_EPSILON * fabs(want)))
    return;
  print_error("got %.17g, want %.17g\n", got, want);
  _fail(file, line);
}

#undef assert_float_equal
#define assert_float_equal(got, want, within) assert_float_within(got, want, within, __FILE__, __LINE__)

#endif
