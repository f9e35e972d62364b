/* Launches that go by uncounted after a change of passes, so that what CUPTI left in the L2 is not counted as theirs. */
#include "profiler/attach/choice/focus.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { A, B, KERNELS, PASSES = 3, SLOTS = 2 };

static struct focus_kernel kernels[KERNELS];
static struct focus h;

/* Launches of A and B in turn, so many of each and so long, before a round opens at A's next. */
static void opened(int launches, double mean_s, uint64_t expected) {
  focus_start(&h, &(struct focus_settings){.coverage = 0.9, .overhead = INFINITY, .window = 4, .top = 9}, kernels);
  for (size_t k = A; k < KERNELS; k++) {
    focus_add(&h);
    kernels[k].mean_s = mean_s;
    kernels[k].total_s = 100 * mean_s;
    kernels[k].expected = expected;
    kernels[k].expected_s = mean_s * (double)expected;
  }
  for (int i = 0; i < launches; i++)
    for (size_t k = A; k < KERNELS; k++)
      focus_asked(&h, k);
  focus_look(&h, 0, true, 0);
  focus_asked(&h, A);
  assert_int_equal(focus_launch(&h, A, 0), FOCUS_COUNT);
  focus_round_begin(&h, PASSES, SLOTS, false);
}

static bool counts(size_t k) {
  focus_asked(&h, k);
  return focus_launch(&h, k, 0) == FOCUS_COUNT;
}

/* Of 2^-16 s, 15.3 us, two go by before 30 us have. */
static void test_time(void **state) {
  (void)state;
  opened(300, 0.0000152587890625, 0);
  assert_false(focus_is_rested(&h, A)); /* the launch at which it opened */
  assert_false(counts(B));              /* one has gone by */
  assert_true(counts(A));
  focus_counted(&h, A, false);
  assert_true(counts(B)); /* in the same pass */
  focus_counted(&h, B, false);
  assert_true(counts(A)); /* whose launch changes the pass first */
  assert_true(focus_pass_end(&h));
  assert_false(focus_is_rested(&h, A));
  assert_false(counts(B));
  assert_true(counts(A));
  assert_int_equal(kernels[A].let_go, 2);
  assert_int_equal(kernels[B].let_go, 2);
}

/* A pass that ends after a launch was counted: the launch itself is not one that has gone by since. */
static void test_ended_after(void **state) {
  (void)state;
  opened(300, 0.0000152587890625, 0);
  assert_false(focus_is_rested(&h, A) || counts(B));
  assert_true(counts(A));
  focus_counted(&h, A, false);
  focus_pass_end(&h);
  assert_false(counts(B) || counts(A));
  assert_true(counts(B));
}

/* Of 1 us four go by, which turn little of the L2 over, and take little from it. */
static void test_launches(void **state) {
  (void)state;
  opened(300, 1e-6, 0);
  assert_false(focus_is_rested(&h, A));
  assert_false(counts(A) || counts(A) || counts(A));
  assert_true(counts(A));
}

/* Long kernels, those that came seldom, and those of which every launch is needed wait for nothing. */
static void test_at_once(void **state) {
  (void)state;
  opened(300, 1e-3, 0);
  assert_true(focus_is_rested(&h, A));
  opened(100, 1e-5, 0);
  assert_true(focus_is_rested(&h, A));
  opened(4, 0, 300);
  assert_true(focus_is_rested(&h, A)); /* the mean is not known */
  opened(4, 1e-5, 300);
  assert_false(focus_is_rested(&h, A));
  opened(285, 1e-5, 300); /* 15 of 300 are left, and three passes may want 18 */
  assert_true(focus_is_rested(&h, A));
}

/* Not more than a quarter of the launches go by. */
static void test_spare(void **state) {
  (void)state;
  opened(300, 1e-6, 0);
  kernels[A].let_go = 301 / 4 - 1;
  assert_false(focus_is_rested(&h, A));
  assert_true(focus_is_rested(&h, A));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_time),    cmocka_unit_test(test_ended_after), cmocka_unit_test(test_launches),
      cmocka_unit_test(test_at_once), cmocka_unit_test(test_spare),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
