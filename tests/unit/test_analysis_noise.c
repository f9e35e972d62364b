/* The noise of a comparison and the interval of a pair, with variances worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/diff_noise.h"

#include <math.h>

/* A timed pair with one run a side; within: the relative standard error of each. */
static struct diff_timed timed(double a, double b, double within, bool same_code) {
  struct diff_timed t = {.same_code = same_code};
  t.a.log_time[0] = log(a);
  t.b.log_time[0] = log(b);
  t.a.within[0] = t.b.within[0] = within;
  t.a.n = t.b.n = 1;
  return t;
}

static struct diff_noise noise_of_pairs(const struct diff_timed *pairs, size_t n, bool same_run, bool raw) {
  struct diff_noise noise;
  diff_noise_of(&noise, pairs, n, same_run ? BETWEEN_NOTHING : BETWEEN_RUNS, raw);
  return noise;
}

static void the_interval_adds_all_three_variances(void **state) {
  /* Standard error 0.3 % a side and 0.5 % between the runs: sqrt(0.003^2 + 0.003^2 + 0.005^2) = 0.0065574; times 1.959964 is 0.0128523.
   * exp(ln 1.03 - 0.0128523) = 1.0168470 and exp(ln 1.03 + 0.0128523) = 1.0433233. */
  struct diff_timed t = timed(1e-6, 1.03e-6, 0.003, false);
  struct diff_noise noise = {.between = 0.005, .shift = 1};
  struct diff_interval x = diff_interval_of(&t, &noise);
  (void)state;
  assert_float_equal(x.ratio, 1.03, 1e-9);
  assert_float_equal(x.low, 1.0168470, 1e-6);
  assert_float_equal(x.high, 1.0433233, 1e-6);
  assert_int_equal(diff_judge(x), DIFF_SLOWER);
  /* A common shift of 1.02, taken out: 1.03 / 1.02 = 1.0098039. */
  noise.shift = 1.02;
  noise.shift_removed = true;
  x = diff_interval_of(&t, &noise);
  assert_float_equal(x.ratio, 1.0098039, 1e-6);
  assert_int_equal(diff_judge(x), DIFF_UNCLEAR);
}

static void the_margin_decides(void **state) {
  static const struct {
    struct diff_interval x;
    enum diff_verdict want;
  } rows[] = {
      {{1.02, 1.0101, 1.03}, DIFF_SLOWER},    {{1.02, 1.0099, 1.03}, DIFF_UNCLEAR}, {{0.98, 0.97, 0.9899}, DIFF_FASTER},
      {{0.98, 0.97, 0.9901}, DIFF_UNCLEAR},   {{1, 0.9901, 1.0099}, DIFF_SAME},     {{1, 0.9899, 1.0001}, DIFF_UNCLEAR},
      {{1.005, 1.001, 1.0099}, DIFF_SAME}, /* a change for certain, and too small to matter */
      {{1.005, 1.001, 1.0101}, DIFF_UNCLEAR},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(diff_judge(rows[i].x), rows[i].want);
}

static void several_runs_use_their_own_variance(void **state) {
  /* A: 1.00, 1.02 and B: 1.10, 1.12 (as ln: 0, 0.02; 0.1, 0.12): squares 2 * 0.01^2 twice, over 2 degrees: 2e-4.  All pairs' typical variance
   * of a run is between^2 / 2 = 0.01^2 / 2 = 5e-5.  Moderated: (4 * 5e-5 + 2 * 2e-4) / 6 = 1e-4.  Of the ratio: 1e-4 * (1/2 + 1/2) = 1e-4.
   * t of 6 degrees: 2.4469; ratio exp(0.1) = 1.1051709, from exp(0.1 - 0.024469) = 1.0784566. */
  struct diff_timed t = {.a = {{0, 0.02}, {0, 0}, 2}, .b = {{0.1, 0.12}, {0, 0}, 2}};
  struct diff_noise noise = {.between = 0.01, .shift = 1};
  struct diff_interval x = diff_interval_of(&t, &noise);
  (void)state;
  assert_float_equal(x.ratio, 1.1051709, 1e-6);
  assert_float_equal(x.low, 1.0784566, 2e-6);
  /* One pair: its variance is the typical one.  2 degrees: 2e-4 / (1 - 2 / 18)^3 = 2e-4 / 0.7023320 = 2.847656e-4 a run; two runs in a ratio:
   * sqrt(5.695312e-4) = 0.02386485. */
  noise = noise_of_pairs(&t, 1, false, false);
  assert_int_equal(noise.source, NOISE_RUNS);
  assert_float_equal(noise.between, 0.02386485, 1e-7);
}

static void the_noise_is_what_the_same_code_scatters(void **state) {
  /* Nine pairs of the same code at ln ratios -4 to +4 (x 0.2 %) about +3 %: their median is +3 %, the median distance from it 0.4 %, over
   * 0.6744898 is 0.593041 %.  Each side's standard error is 0.2 %, 2 * 0.002^2 = 8e-6: sqrt(0.00593041^2 - 8e-6) = 0.00521246.
   * Three pairs of other code at +50 % have no say. */
  struct diff_timed pairs[12];
  struct diff_noise noise;
  (void)state;
  for (int i = 0; i < 9; i++)
    pairs[i] = timed(1, exp(0.03 + 0.002 * (i - 4)), 0.002, true);
  for (int i = 9; i < 12; i++)
    pairs[i] = timed(1, 1.5, 0.002, false);
  noise = noise_of_pairs(pairs, 12, false, false);
  assert_int_equal(noise.source, NOISE_SAME_CODE);
  assert_int_equal(noise.pairs, 9);
  assert_float_equal(noise.between, 0.00521246, 1e-7);
  assert_float_equal(noise.shift, exp(0.03), 1e-9);
  assert_true(noise.shift_removed);
  assert_false(noise_of_pairs(pairs, 12, false, true).shift_removed);
  /* Of seven, too few: a figure from elsewhere; the shift of three or more is known all the same. */
  noise = noise_of_pairs(pairs + 2, 7, false, false);
  assert_int_equal(noise.source, NOISE_FLOOR);
  assert_float_equal(noise.between, 0.003, 1e-12);
  assert_true(noise.shift_removed);
  /* Where no code is the same, nothing is taken out: all may have become slower. */
  for (int i = 0; i < 12; i++)
    pairs[i].same_code = false;
  noise = noise_of_pairs(pairs, 12, false, false);
  assert_int_equal(noise.source, NOISE_ALL_PAIRS);
  assert_false(noise.shift_removed);
  assert_int_equal(noise_of_pairs(pairs, 12, true, false).source, NOISE_ONE_RUN);
}

static void students_t_at_every_freedom_that_there_is(void **state) {
  /* Runs that agree: of a pair's own variance nothing, of the typical one, 0.01^2, 4 parts of 4 + freedom; times 1 / n_a + 1 / n_b. */
  static const struct {
    size_t n_a, n_b;
    double variance, t; /* a printed table's */
  } rows[] = {
      {2, 1, 4e-4 / 5 * 1.5, 2.5706},
      {2, 2, 4e-4 / 6, 2.4469},
      {1, 4, 4e-4 / 7 * 1.25, 2.3646},
      {4, 2, 4e-4 / 8 * 0.75, 2.3060},
      {5, 2, 4e-4 / 9 * 0.7, 2.2622},
      {4, 4, 4e-4 / 10 * 0.5, 2.2281},
      {10, 8, 4e-4 / 20 * (0.1 + 0.125), 2.0860},
      {32, 32, 4e-4 / 66 / 16, 1.9966},
  };
  struct diff_noise noise = {.between = 0.01414213562, .shift = 1};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct diff_timed t = {.a = {.n = rows[i].n_a}, .b = {.n = rows[i].n_b}};
    struct diff_interval x = diff_interval_of(&t, &noise);
    assert_float_equal(x.ratio, 1, 0);
    assert_float_equal(log(x.high) / sqrt(rows[i].variance), rows[i].t, 3e-4);
    assert_float_equal(log(x.low), -log(x.high), 1e-12);
  }
}

static void a_run_adds_its_time_and_its_error(void **state) {
  /* 1.9 to 2.1 us about 2 us: half of it 5 % of the time, over 1.959964 a standard error of 2.551067 %. */
  struct finding f = {.timed = true, .time = {.middle = 2e-6, .ci_low = 1.9e-6, .ci_high = 2.1e-6}}, none = {0};
  struct diff_series s = {0};
  (void)state;
  diff_series_add(&s, NULL);
  diff_series_add(&s, &none);
  assert_int_equal(s.n, 0);
  for (size_t i = 0; i < DIFF_RUNS_MAX; i++)
    diff_series_add(&s, &f);
  diff_series_add(&s, &f); /* no room */
  assert_int_equal(s.n, DIFF_RUNS_MAX);
  assert_float_equal(s.within[1], 0.02551067, 1e-8);
  assert_float_equal(diff_series_mean(&s), log(2e-6), 1e-9);
}

static void runs_that_agree_leave_the_least_noise(void **state) {
  /* Pairs of one run a side say nothing of how runs scatter.  The other has 0 and 0.02 in A, each with an error of 0.1 %, and 0.1 with 0.2 %
   * in B.  Squares 2e-4 over 1 degree, over (1 - 2 / 9)^3 = 0.4705075: 4.250729e-4 a run.  Sampling: (2 * 1e-6 / 4 + 4e-6) * 2 * 1 / 3 = 3e-6.
   * Two runs in a ratio: sqrt(2 * 4.220729e-4) = 0.02905419. */
  struct diff_timed pairs[3] = {timed(1, 1.5, 0, false), {.a = {{0, 0.02}, {1e-3, 1e-3}, 2}, .b = {{0.1}, {2e-3}, 1}}};
  struct diff_noise noise;
  (void)state;
  pairs[2] = timed(1, 2.5, 0, false);
  noise = noise_of_pairs(pairs, 3, false, false);
  assert_int_equal(noise.source, NOISE_RUNS);
  assert_int_equal(noise.pairs, 1);
  assert_float_equal(noise.between, 0.02905419, 1e-8);
  /* Agreeing runs: what is left is less than nothing, and no two runs had less than 0.1 %. */
  pairs[1].a.log_time[1] = 0;
  assert_float_equal(noise_of_pairs(pairs, 3, false, false).between, 0.001, 1e-12);
}

static void a_shift_is_of_three_pairs_and_large_beyond_the_margin(void **state) {
  struct diff_timed pairs[5] = {timed(1, 1.009, 0, true), timed(1, 1.009, 0, true), timed(1, 4, 0, false),
                                timed(1, 4, 0, false), timed(1, 4, 0, false)};
  struct diff_noise noise = noise_of_pairs(pairs, 5, false, false);
  (void)state;
  assert_int_equal(noise.shift_pairs, 2); /* too few */
  assert_float_equal(noise.shift, 1, 0);
  assert_false(noise.shift_removed || noise.shift_large);
  assert_float_equal(noise.shift_all.v, 4, 1e-12); /* the median of all five */
  assert_int_equal(noise.pairs, 5);
  pairs[2] = pairs[0];
  noise = noise_of_pairs(pairs, 5, false, false);
  assert_int_equal(noise.shift_pairs, 3);
  assert_float_equal(noise.shift, 1.009, 1e-12);
  assert_true(noise.shift_removed);
  assert_false(noise.shift_large);
  for (int i = 0; i < 3; i++)
    pairs[i] = timed(1, 1.011, 0, true);
  assert_true(noise_of_pairs(pairs, 5, false, false).shift_large);
  assert_float_equal(noise_of_pairs(pairs, 1, false, false).shift_all.v, 1.011, 1e-12);
  noise = noise_of_pairs(pairs, 0, false, false);
  assert_false(noise.shift_all.present);
  assert_string_equal(noise.shift_all.reason, "no pair was timed");
  assert_int_equal(noise_of_pairs(pairs, 5, true, false).pairs, 0); /* one run: none was asked */
}

static void eight_pairs_of_one_code_are_enough(void **state) {
  /* ln ratios 0.001, 0.003, 0.005, 0.007 to both sides of 0: the median distance is 0.004, over 0.6744898 is 0.005930409; an error of 0.3 %
   * in A alone: sqrt(0.005930409^2 - 9e-6) = 0.005115637.  An error beyond the scatter leaves the least. */
  struct diff_timed pairs[9];
  struct diff_noise noise;
  (void)state;
  for (int i = 0; i < 8; i++) {
    pairs[i] = timed(1, exp((i % 2 ? 1 : -1) * (0.001 + 0.001 * (i - i % 2))), 0, true);
    pairs[i].a.within[0] = 0.003;
  }
  pairs[8] = timed(1, 3, 0.5, false);
  noise = noise_of_pairs(pairs, 9, false, false);
  assert_int_equal(noise.source, NOISE_SAME_CODE);
  assert_int_equal(noise.pairs, 8);
  assert_float_equal(noise.between, 0.005115637, 1e-8);
  noise = noise_of_pairs(pairs + 1, 8, false, false); /* seven of one code: of all eight */
  assert_int_equal(noise.source, NOISE_ALL_PAIRS);
  assert_int_equal(noise.pairs, 8);
  for (int i = 0; i < 8; i++)
    pairs[i].a.within[0] = 0.006;
  assert_float_equal(noise_of_pairs(pairs, 9, false, false).between, 0.001, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_interval_adds_all_three_variances),
      cmocka_unit_test(the_margin_decides),
      cmocka_unit_test(several_runs_use_their_own_variance),
      cmocka_unit_test(the_noise_is_what_the_same_code_scatters),
      cmocka_unit_test(students_t_at_every_freedom_that_there_is),
      cmocka_unit_test(a_run_adds_its_time_and_its_error),
      cmocka_unit_test(runs_that_agree_leave_the_least_noise),
      cmocka_unit_test(a_shift_is_of_three_pairs_and_large_beyond_the_margin),
      cmocka_unit_test(eight_pairs_of_one_code_are_enough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
