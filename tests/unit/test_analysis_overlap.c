/* Mean value analysis, worked out by hand. */
#include "analysis/model/overlap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static void assert_seconds(double got, double want) {
  if (fabs(got - want) > 1e-12 * want)
    fail_msg("got %.17g, want %.17g", got, want);
}

static void one_customer_waits_for_everything(void **state) {
  (void)state;
  assert_seconds(overlap_seconds(1, 2, 3, 4), 9);
}

/* n customers at two stations of equal demand and no delay: each finds (n - 1) / 2 at each, so the rate is n / (D (n + 1)) with D = 1 / n
 * of the work: the time is (n + 1) / n of it. */
static void two_equal_stations(void **state) {
  (void)state;
  assert_seconds(overlap_seconds(2, 1, 1, 0), 1.5);
  assert_seconds(overlap_seconds(4, 1, 1, 0), 1.25);
  assert_seconds(overlap_seconds(64, 1, 1, 0), 65.0 / 64);
}

/* One station and a delay, two customers: demand 1/2 each.  k = 1: response 1/2, rate 1 / (1/2 + 1) = 2/3, queue 1/3.  k = 2: response
 * 1/2 x 4/3 = 2/3, rate 2 / (2/3 + 1) = 6/5: 2 / (6/5) = 5/3. */
static void a_delay_is_not_queued_for(void **state) {
  (void)state;
  assert_seconds(overlap_seconds(2, 1, 0, 1), 5.0 / 3);
}

static void many_customers_reach_the_largest(void **state) {
  (void)state;
  double got = overlap_seconds(64, 10, 4, 1);
  assert_true(got >= 10 && got < 10.001);
  assert_seconds(overlap_seconds(1000, 10, 4, 1), got); /* what a scheduler holds at most */
}

/* Half as many warps as schedulers: each works alone on twice a scheduler's share; memory is the chip's and is not. */
static void fewer_warps_than_schedulers(void **state) {
  (void)state;
  assert_seconds(overlap_seconds(0.5, 2, 3, 4), 11);
}

static void nothing_takes_no_time(void **state) {
  (void)state;
  assert_true(overlap_seconds(4, 0, 0, 0) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_customer_waits_for_everything), cmocka_unit_test(two_equal_stations),
      cmocka_unit_test(a_delay_is_not_queued_for),         cmocka_unit_test(many_customers_reach_the_largest),
      cmocka_unit_test(fewer_warps_than_schedulers),       cmocka_unit_test(nothing_takes_no_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
