/* Benchmarks: launches in a row of one kernel, which is counted without a look at whether the ranking holds. */
#include "profiler/attach/choice/focus.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { A, B, KERNELS, ROW = 64, APART = 8 };

static struct focus_kernel kernels[KERNELS];
static struct focus h;

static void start(void) {
  focus_start(&h,
              &(struct focus_settings){.coverage = 0.9, .overhead = INFINITY, .window = 2000, .top = 9, .settle = true},
              kernels);
  for (size_t k = A; k < KERNELS; k++)
    focus_add(&h);
}

static void asked(size_t k, int times) {
  for (int i = 0; i < times; i++)
    focus_asked(&h, k);
}

static void told(size_t k, double total_s, double mean_s) {
  kernels[k].total_s = total_s;
  kernels[k].mean_s = mean_s;
}

static void test_alone(void **state) {
  (void)state;
  for (int rules = 0; rules < 2; rules++) {
    start();
    asked(A, 1); /* whose result is compared before the row begins */
    asked(B, 3);
    for (int row = ROW - 1; row <= ROW; row++) {
      asked(A, row == ROW ? 1 : row - 1);
      told(A, row * 1e-6, 1e-6);
      told(B, rules ? 63e-6 : 65e-6, 21e-6);                          /* before the row: however long */
      assert_int_equal(focus_look_is_due(&h, 0), row < ROW || rules); /* at half of the time a look is worth it */
      focus_look(&h, 0, true, 0);
      assert_int_equal(kernels[A].chosen, rules && row == ROW);
    }
    assert_int_equal(focus_may_count(&h), rules);
  }
}

/* A buffer that is set to 0 before each launch takes less than 8 us.  What empties an L2 takes longer: then they are an autotuner's trials, of which
 * nothing is counted; and what comes once in ten launches is in no row. */
static void test_between(void **state) {
  (void)state;
  static const struct {
    int between;
    double mean_s;
    bool chosen;
  } cases[] = {{1, 7e-6, true}, {1, 8e-6, false}, {APART - 1, 7e-6, true}, {APART, 7e-6, false}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    start();
    told(A, 0.01, 1e-4); /* more than half of the time, as looks before have seen, and too little to choose by */
    told(B, 0.001, cases[c].mean_s);
    focus_look(&h, 0, true, 0);
    for (int i = 1; i <= ROW; i++) {
      h.next_look = UINT64_MAX; /* no look for the launches' number */
      asked(A, 1);
      assert_int_equal(focus_look_is_due(&h, 0), i == ROW && cases[c].between < APART);
      asked(B, i < ROW ? cases[c].between : 0);
    }
    focus_look(&h, 0, true, 0);
    assert_int_equal(kernels[A].chosen, cases[c].chosen);
    assert_int_equal(focus_may_count(&h), cases[c].chosen);
    assert_false(focus_look_is_due(&h, 0));
  }
}

/* The window may end within the row: what is chosen by it is counted as the row is seen. */
static void test_after_window(void **state) {
  (void)state;
  for (int in_step = 0; in_step < 2; in_step++) {
    start();
    h.set.window = 10;
    asked(B, 10);
    told(B, 0.001, 1e-4);
    focus_look(&h, 0, true, 0);
    asked(A, ROW - 1);
    told(A, 0.002, 1e-4);
    focus_look(&h, 0, true, 0);
    h.next_look = UINT64_MAX;
    h.unknown = 0;
    h.set.in_step = in_step; /* ranks would count at unlike launches */
    assert_false(focus_may_count(&h) || focus_look_is_due(&h, 0));
    asked(A, 1);
    assert_int_equal(focus_look_is_due(&h, 0), !in_step);
    focus_look(&h, 0, true, 0);
    assert_true(kernels[A].chosen);
    assert_int_equal(focus_may_count(&h), !in_step);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_alone), cmocka_unit_test(test_between),
                                     cmocka_unit_test(test_after_window)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
