#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/stats.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void near(double got, double expected, double tolerance) {
  if (!(fabs(got - expected) <= tolerance))
    fail_msg("got %.17g, expected %.17g within %g", got, expected, tolerance);
}

static void moments_of_five(void **state) {
  (void)state;
  const double samples[] = {4, 1, 3, 2, 100};
  double kept[COUNT(samples)];
  memcpy(kept, samples, sizeof samples);
  struct stats s;
  stats_of(&s, samples, COUNT(samples), 0);
  assert_true(s.valid);
  assert_int_equal(s.n, 5);
  near(s.min, 1, 0);
  near(s.max, 100, 0);
  near(s.mean, 22, 1e-12);
  /* (18² + 21² + 19² + 20² + 78²) / 4 = 7610 / 4 */
  near(s.stddev, sqrt(1902.5), 1e-12);
  near(s.middle, 3, 0); /* of 2, 3, 4 */
  assert_memory_equal(samples, kept, sizeof samples);
}

static void middle_is_the_mean_between_the_quartiles(void **state) {
  (void)state;
  static const struct {
    size_t n;
    double samples[8], middle;
  } cases[] = {
      {1, {7}, 7},
      {2, {1, 4}, 2.5},
      {3, {9, 1, 2}, 2},
      {4, {100, 1, 4, 2}, 3},             /* ranks 1 and 2 */
      {6, {1, 2, 3, 5, 6, 100}, 4},       /* ranks 2 and 3 */
      {7, {1, 2, 3, 4, 5, 60, 70}, 4},    /* ranks 2 to 4 */
      {8, {8, 7, 6, 5, 4, 3, 2, 1}, 4.5}, /* ranks 2 to 5 */
      /* Below the tick: ranks 2 to 5 hold 9504 three times and 9536 once. */
      {8, {9504, 9536, 9504, 9536, 9504, 9536, 9504, 9504}, 9512},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct stats s;
    stats_of(&s, cases[i].samples, cases[i].n, 0);
    near(s.middle, cases[i].middle, 0);
    assert_true(s.ci_low <= s.middle && s.middle <= s.ci_high);
  }
}

static void equal_samples_have_no_noise(void **state) {
  (void)state;
  const double samples[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  struct stats s;
  stats_of(&s, samples, COUNT(samples), 0);
  near(s.middle, 0.1, 0);
  near(s.mean, 0.1, 0);
  near(s.stddev, 0, 0);
  near(s.ci_low, 0.1, 0);
  near(s.ci_high, 0.1, 0);
}

static void interval_is_never_under_half_a_tick(void **state) {
  (void)state;
  const double same[] = {9504, 9504, 9504}, one[] = {9504};
  struct stats s;
  stats_of(&s, same, COUNT(same), 16);
  near(s.ci_low, 9488, 0);
  near(s.ci_high, 9520, 0);
  stats_of(&s, one, 1, 16);
  near(s.ci_low, 9488, 0);
  near(s.ci_high, 9520, 0);
  near(s.stddev, 0, 0);
}

static void interval_of_two_and_three_is_their_range(void **state) {
  (void)state;
  /* A resample of two is 0,0 or 10,10 a quarter of the time each; the median of a resample of three is 0 with 7/27. */
  const double two[] = {0, 10}, three[] = {10, 0, 20};
  struct stats s;
  stats_of(&s, two, 2, 0);
  near(s.ci_low, 0, 0);
  near(s.ci_high, 10, 0);
  stats_of(&s, three, 3, 0);
  near(s.ci_low, 0, 0);
  near(s.ci_high, 20, 0);
}

/* Of seven samples one is 3.  A resample of seven holds it k times, and its ranks 2 to 4 have the mean 0 up to k = 2, 1 for k = 3 and
 * 2 for k = 4.  k is binomial with p = 1/7: P(k >= 3) = 6.5 %, P(k >= 4) = 1.0 %, so the 97.5th percentile is 1. */
static void interval_of_one_outlier_is_binomial(void **state) {
  (void)state;
  const double samples[] = {0, 0, 0, 3, 0, 0, 0};
  struct stats s;
  stats_of(&s, samples, COUNT(samples), 0);
  near(s.middle, 0, 0);
  near(s.ci_low, 0, 0);
  near(s.ci_high, 1, 0);
}

/* The variance of a mean trimmed by a quarter on each side, for n samples uniform on [0, 1]:
 * ((integral of (x - 1/2)^2 from 1/4 to 3/4) + 2 (1/4) (1/4)^2) / (1/2)^2 / n = (1/96 + 1/32) 4 / n = 1 / (6 n). */
static void interval_agrees_with_theory(void **state) {
  (void)state;
  enum { N = 1000 };
  double samples[N];
  for (int i = 0; i < N; i++)
    samples[i] = (i * 389) % N; /* 0 to 999, each once */
  struct stats s;
  stats_of(&s, samples, N, 0);
  double half = 1.959964 * N * sqrt(1.0 / (6.0 * N));
  near(s.middle, 499.5, 0.001);
  near(s.ci_low, 499.5 - half, 3);
  near(s.ci_high, 499.5 + half, 3);
}

static void result_depends_on_the_values_only(void **state) {
  (void)state;
  enum { N = 101 };
  double rising[N], mixed[N];
  for (int i = 0; i < N; i++) {
    rising[i] = i * i;
    mixed[i] = (double)((i * 37) % N) * ((i * 37) % N);
  }
  struct stats a, b;
  stats_of(&a, rising, N, 0);
  stats_of(&b, mixed, N, 0);
  near(b.ci_low, a.ci_low, 0);
  near(b.ci_high, a.ci_high, 0);
  near(b.middle, a.middle, 0);
  assert_true(a.ci_low < a.middle && a.middle < a.ci_high);
}

static void nothing_and_not_finite_are_not_valid(void **state) {
  (void)state;
  const double bad[][3] = {{1, NAN, 2}, {INFINITY, 1, 2}, {1, 2, -INFINITY}};
  struct stats s = {.valid = true, .mean = 5};
  stats_of(&s, NULL, 0, 16);
  assert_false(s.valid);
  near(s.mean, 0, 0);
  near(s.ci_high, 0, 0);
  for (size_t i = 0; i < COUNT(bad); i++) {
    stats_of(&s, bad[i], 3, 16);
    assert_false(s.valid);
    near(s.middle, 0, 0);
    near(s.max, 0, 0);
  }
}

/* 0.1 s of processor time where this was written; a sort for each resample would take ten times the limit. */
static void ten_thousand_samples_are_fast(void **state) {
  (void)state;
  enum { N = 10000 };
  static double samples[N];
  for (int i = 0; i < N; i++)
    samples[i] = sin(i);
  struct stats s;
  clock_t start = clock();
  stats_of(&s, samples, N, 0);
  near((double)(clock() - start) / CLOCKS_PER_SEC, 0, 1);
  assert_true(s.valid);
}

static void geometric_mean(void **state) {
  (void)state;
  near(stats_geomean((const double[]){2, 8}, 2), 4, 1e-12);
  near(stats_geomean((const double[]){1, 10, 100}, 3), 10, 1e-12);
  near(stats_geomean((const double[]){5}, 1), 5, 1e-12);
  near(stats_geomean(NULL, 0), 0, 0);
  near(stats_geomean((const double[]){2, 0}, 2), 0, 0);
  near(stats_geomean((const double[]){2, -8}, 2), 0, 0);
  near(stats_geomean((const double[]){2, NAN}, 2), 0, 0);
  near(stats_geomean((const double[]){2, INFINITY}, 2), 0, 0);
}

static void rank_correlation(void **state) {
  (void)state;
  const double rising[] = {1, 2, 3, 4, 5};
  near(stats_rank_correlation(rising, (const double[]){1, 10, 100, 1000, 1e4}, 5), 1, 1e-12);
  near(stats_rank_correlation(rising, (const double[]){5, 4, 3, 2, -9}, 5), -1, 1e-12);
  /* 1 - 6·(1+1+1+1+0) / (5·24) */
  near(stats_rank_correlation(rising, (const double[]){2, 1, 4, 3, 5}, 5), 0.8, 1e-12);
  /* Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5·5) */
  near(stats_rank_correlation((const double[]){1, 2, 2, 3}, rising, 4), 4.5 / sqrt(22.5), 1e-12);
  near(stats_rank_correlation((const double[]){2, 2, 2}, rising, 3), 0, 0);
  near(stats_rank_correlation(rising, rising, 1), 0, 0);
  near(stats_rank_correlation(NULL, NULL, 0), 0, 0);
  near(stats_rank_correlation((const double[]){1, NAN, 3}, rising, 3), 0, 0);
}

static void medians_and_percentiles(void **state) {
  (void)state;
  double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 10};
  assert_true(stats_median(odd, 3) == 3);
  assert_true(stats_median(even, 4) == 3.5); /* (3 + 4) / 2; sorted now: 1 3 4 10 */
  assert_true(stats_median(even, 1) == 1);
  assert_true(stats_median(even, 0) == 0);
  assert_true(stats_percentile(even, 4, 0) == 1);
  assert_true(stats_percentile(even, 4, 50) == 3.5); /* rank 1.5 */
  assert_true(stats_percentile(even, 4, 75) == 5.5); /* rank 2.25: 4 + 6 / 4 */
  assert_true(stats_percentile(even, 4, 100) == 10);
  assert_true(stats_percentile(even, 1, 95) == 1);
}

/* 4 of 7 and one of 8 are one kind, 2 of 13 another, 1 of 110 a third: of 172; 0.5 has too little. */
static void kinds_and_their_share(void **state) {
  (void)state;
  static const double sorted[] = {0.5, 7, 7, 7, 7, 8, 13, 13, 110};
  double middles[3];
  size_t n = sizeof sorted / sizeof sorted[0];
  assert_int_equal(stats_kinds(sorted, n, middles, 3), 3);
  assert_float_equal(middles[0], 7, 0);
  assert_float_equal(middles[1], 13, 0);
  assert_float_equal(middles[2], 110, 0);
  assert_int_equal(stats_kinds(sorted, n, middles, 2), 0);
  assert_int_equal(stats_kinds(sorted, 0, middles, 2), 0);
  static const double next[] = {8, 10, 12.5, 15.7};
  assert_int_equal(stats_kinds(next, 3, middles, 3), 1);
  assert_int_equal(stats_kinds(next, 4, middles, 3), 2);
  static const double wide[] = {1, 1.2, 1.4, 1.61};
  assert_int_equal(stats_kinds(wide, 3, middles, 3), 1);
  assert_int_equal(stats_kinds(wide, 4, middles, 3), 0);
  assert_float_equal(stats_share_near(sorted, n, 8, 1.5), 36 / 172.5, 1e-12);
  assert_float_equal(stats_share_near(sorted, n, 9, 1.5), 62 / 172.5, 1e-12);
  assert_float_equal(stats_share_near(sorted, n, 50, 1.5), 0, 0);
  assert_float_equal(stats_share_near(sorted, 0, 8, 1.5), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_and_their_share),
      cmocka_unit_test(medians_and_percentiles),
      cmocka_unit_test(moments_of_five),
      cmocka_unit_test(middle_is_the_mean_between_the_quartiles),
      cmocka_unit_test(equal_samples_have_no_noise),
      cmocka_unit_test(interval_is_never_under_half_a_tick),
      cmocka_unit_test(interval_of_two_and_three_is_their_range),
      cmocka_unit_test(interval_of_one_outlier_is_binomial),
      cmocka_unit_test(interval_agrees_with_theory),
      cmocka_unit_test(result_depends_on_the_values_only),
      cmocka_unit_test(nothing_and_not_finite_are_not_valid),
      cmocka_unit_test(ten_thousand_samples_are_fast),
      cmocka_unit_test(geometric_mean),
      cmocka_unit_test(rank_correlation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
