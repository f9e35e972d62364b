#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/model/findings.h"

#include <stdio.h>

static const struct ceiling B200 = {
    .name = (char *)"dram_bw", .unit = (char *)"B/s", .value = 7.68e12, .kind = CEILING_DATASHEET};

static void assert_prints(double seconds, const char *microseconds) {
  char text[32];
  snprintf(text, sizeof text, "%.3f", seconds * 1e6);
  assert_string_equal(text, microseconds);
}

/* 66,213,888 / 7.68e12 = 8.62160e-6; 132,673,536 / 7.68e12 = 17.27520e-6; 33,157,120 / 7.68e12 = 4.31733e-6 */
static void test_contest_table(void **state) {
  (void)state;
  struct sol s;
  sol_of(&s, 66213888, "contest", &B200);
  assert_prints(s.seconds, "8.622");
  assert_true(s.bytes == 66213888);
  assert_string_equal(s.bytes_kind, "contest");
  assert_ptr_equal(s.bandwidth, &B200);
  sol_of(&s, 132673536, "contest", &B200);
  assert_prints(s.seconds, "17.275");
  sol_of(&s, 33157120, "contest", &B200);
  assert_prints(s.seconds, "4.317");
}

static void test_unknown_bandwidth(void **state) {
  (void)state;
  struct sol s;
  sol_of(&s, 1000, "minimal", NULL);
  assert_true(s.seconds == 0);
  assert_null(s.bandwidth);
  assert_true(s.bytes == 1000);
  const struct ceiling zero = {.name = (char *)"dram_bw", .value = 0};
  sol_of(&s, 1000, "minimal", &zero);
  assert_true(s.seconds == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_contest_table),
      cmocka_unit_test(test_unknown_bandwidth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
