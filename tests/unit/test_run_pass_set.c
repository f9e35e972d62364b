/* Counters divided over ranks: every row is of one set, and the clock's are together. */
#include "run/pass_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_divided(void **state) {
  struct metric_table t = {0};
  (void)state;
  assert_int_equal(metric_table_load(&t, NULL), 0);
  assert_false(pass_set_lacks((struct pass_set){0}, &t, 0));
  for (long sets = 2; sets <= PASS_SETS_MAX; sets++) {
    long in[PASS_SETS_MAX + 1] = {0}, apart = 0;
    for (size_t row = 0; row < t.n; row++) {
      long of = 0;
      for (long set = 1; set <= sets; set++)
        if (!pass_set_lacks((struct pass_set){set, sets}, &t, row)) {
          assert_int_equal(of, 0); /* of one set alone */
          of = set;
        }
      assert_true(of > 0);
      apart += metric_group_apart(t.rows[row].group);
      assert_true(!metric_group_apart(t.rows[row].group) || of == sets);
      in[of] += !metric_group_apart(t.rows[row].group);
    }
    assert_true(apart > 0);
    for (long set = 2; set <= sets; set++)
      assert_in_range(in[1] - in[set], 0, 1);
  }
  metric_table_release(&t);
}

static void is_set(long rank, long ranks, long set, long sets) {
  struct pass_set s = pass_set_of_rank(rank, ranks);
  assert_int_equal(s.set, set);
  assert_int_equal(s.sets, sets);
}

static void test_of_rank(void **state) {
  (void)state;
  is_set(0, 2, 1, 2);
  is_set(1, 2, 2, 2);
  is_set(7, 8, 8, 8);
  is_set(17, 1000, 2, 8);
  is_set(0, 1, 0, 0);
  is_set(3, -1, 0, 0);
  is_set(-1, 8, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_divided), cmocka_unit_test(test_of_rank)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
