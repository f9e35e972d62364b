/* Values of an analysis in a test of it. */
#ifndef TESTS_UNIT_ASSERT_VALUE_H
#define TESTS_UNIT_ASSERT_VALUE_H

#include "analysis/model/findings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

/* To nine digits. */
static inline void assert_value(struct value got, double want) {
  if (!got.present)
    fail_msg("absent: %s", got.reason);
  if (!(fabs(got.v - want) <= 1e-9 * fabs(want)))
    fail_msg("got %.17g, want %.17g", got.v, want);
}

static inline void assert_absent(struct value got, const char *reason) {
  assert_false(got.present);
  assert_string_equal(got.reason, reason);
}

#endif
