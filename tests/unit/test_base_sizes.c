/* The named sizes of a problem of one's own, as a shape. */
#include "base/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void sizes_are_read(void **state) {
  (void)state;
  struct shape s;
  struct err e = {0};
  char text[SHAPE_TEXT_MAX];
  long value = 0;
  assert_int_equal(shape_parse(&s, " ROWS=4K  COLS=7 ", &e), 0);
  assert_true(shape_named(&s));
  assert_int_equal(s.m + s.k + s.l, 0);
  assert_string_equal(shape_text(s, text), "ROWS=4096 COLS=7"); /* 4 * 1024 */
  assert_true(shape_size(&s, "COLS", &value));
  assert_int_equal(value, 7);
  assert_true(shape_size(&s, "ROWS", &value));
  assert_int_equal(value, 4096);
  assert_false(shape_size(&s, "COL", &value)); /* the beginning of a name is not the name */
  assert_false(shape_size(&s, "OWS", &value));
  assert_int_equal(shape_parse(&s, "N=16M", &e), 0);
  assert_string_equal(s.sizes, "N=16777216"); /* 16 * 1024 * 1024 */
  assert_int_equal(shape_parse(&s, "N=2G", &e), 0);
  assert_string_equal(s.sizes, "N=2147483648");
}

static void shapes_differ_by_their_sizes(void **state) {
  (void)state;
  struct shape a, b, gemv = {128, 256, 1};
  assert_int_equal(shape_parse(&a, "N=1", NULL), 0);
  assert_int_equal(shape_parse(&b, "N=2", NULL), 0);
  assert_false(shape_equal(a, b));
  assert_false(shape_equal(a, gemv));
  assert_false(shape_named(&gemv));
  assert_true(shape_equal(a, a));
}

static void slips_are_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"N=", "expected NAME=NUMBER at 'N='"},
      {"=4", "expected NAME=NUMBER at '=4'"},
      {"N=1 M", "expected NAME=NUMBER at 'M'"},
      {"7N=1", "expected NAME=NUMBER at '7N=1'"},
      {"N=4x", "N must be a whole number"},
      {"N=4KB", "N must be a whole number"},
      {"N=-1", "N must be a whole number"},
      {"N=0", "size N = 0: it must be between 1 and 1099511627776"},
      {"N=2000G", "it must be between 1 and 1099511627776"},
      {"N=99999999999999999999G", "it must be between 1 and"},
      {"N=1 N=2", "N is given twice"},
      {"A_LONG_NAME_INDEED=1000000000 ANOTHER_LONG_NAME_INDEED=1000000000", "more than 63 letters"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct shape s;
    struct err e = {0};
    if (shape_parse(&s, cases[i].text, &e) != ERR_USAGE || !strstr(e.text, cases[i].says))
      fail_msg("%s: %s", cases[i].text, e.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_read),
      cmocka_unit_test(shapes_differ_by_their_sizes),
      cmocka_unit_test(slips_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
