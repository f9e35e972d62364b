/* Which of a kernel's shapes is looked at first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/story/program.h"

static struct finding near(double of_sol) {
  return (struct finding){.of_sol = value_of(of_sol), .timed = true, .time.middle = 1e-6};
}

static struct finding lasts(double seconds) {
  return (struct finding){.of_sol = value_absent("no problem is declared"), .timed = true, .time.middle = seconds};
}

static void the_farthest_from_the_speed_of_light(void **state) {
  const struct finding half = near(0.5), third = near(0.33), same = near(0.33), long_one = lasts(9),
                       short_one = lasts(1), untimed = {.of_sol = value_absent("no time"), .time.middle = 99};
  (void)state;
  assert_int_equal(most_to_gain((const struct finding *[]){&half}, 1), 0);
  assert_int_equal(most_to_gain((const struct finding *[]){&half, &third}, 2), 1);
  assert_int_equal(most_to_gain((const struct finding *[]){&third, &half}, 2), 0);
  assert_int_equal(most_to_gain((const struct finding *[]){&half, &third, &same}, 3), 1);
  /* What is unknown is not much. */
  assert_int_equal(most_to_gain((const struct finding *[]){&long_one, &half}, 2), 1);
  assert_int_equal(most_to_gain((const struct finding *[]){&half, &long_one}, 2), 0);
  /* Where it is known of none, the longest. */
  assert_int_equal(most_to_gain((const struct finding *[]){&short_one, &long_one, &untimed}, 3), 1);
  assert_int_equal(most_to_gain((const struct finding *[]){&untimed, &short_one}, 2), 1);
  assert_int_equal(most_to_gain((const struct finding *[]){&short_one, &untimed}, 2), 0);
  assert_int_equal(most_to_gain((const struct finding *[]){&untimed, &untimed}, 2), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_farthest_from_the_speed_of_light)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
