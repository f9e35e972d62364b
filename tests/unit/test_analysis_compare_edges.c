/* Comparisons at their edges: a history of what formulas give, launches that are not the result's, errors that differ from pair to pair. */
#include "analysis/compare/diff_match.h"
#include "analysis/compare/diff_noise.h"
#include "analysis/compare/history.h"
#include "unit/made_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

/* Of 100 sectors 40 were in the L2, in the next run 80, then 80 again: no counter has that name. */
static void a_history_of_a_derived_metric(void **state) {
  static struct made_run m[3];
  static struct findings f[3];
  static const char *const created[] = {"2026-01-01", "2026-01-02", "2026-01-03"};
  struct history h;
  struct err e = {0};
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    made_begin(&m[i]);
    m[i].run.created = (char *)created[i];
    made_variant(&m[i], "k", "l", NULL);
    struct run_result *r = made_result(&m[i], "k", (struct shape){128, 256, 1});
    made_metric(r, "l2_sectors", 100);
    made_metric(r, "l2_sectors_hit", i ? 80 : 40);
    assert_int_equal(findings_make(&f[i], &m[i].run, &m[i].device, &e), 0);
  }
  if (history_make(&h, f, 3, &(struct history_options){.metric = "l2_hit_rate"}, &e) != 0)
    fail_msg("%s", e.text);
  assert_int_equal(h.n_columns, 1);
  assert_float_equal(h.columns[0].points[0].value.v, 0.4, 1e-12);
  assert_float_equal(h.columns[0].points[2].value.v, 0.8, 1e-12);
  assert_int_equal(h.steps, 1);
  assert_true(h.columns[0].points[1].step);
  assert_float_equal(h.columns[0].points[1].step_ratio, 2, 1e-9);
  history_release(&h);
  assert_int_equal(history_make(&h, f, 3, &(struct history_options){.metric = "l2_hit_rates"}, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "--metric l2_hit_rates: no run has it"));
  history_release(&h);
  for (size_t i = 0; i < 3; i++)
    findings_release(&f[i]);
}

static void launches_are_compared_as_far_as_they_go(void **state) {
  struct run_launch x[] = {{.kernel = (char *)"k", .grid = {8, 1, 1}}, {.kernel = (char *)"one"}},
                    y[] = {{.kernel = (char *)"k", .grid = {8, 1, 1}}, {.kernel = (char *)"another"}};
  struct run_module module = {.key = (char *)"key", .arch = (char *)"sm_90a"};
  struct run run = {.modules = &module, .n_modules = 1};
  struct run_result a = {.launches = x, .n_launches = 1}, b = {.launches = y, .n_launches = 1};
  (void)state;
  assert_true(diff_same_code(&run, &a, &run, &b));
  a.n_launches = b.n_launches = 2;
  assert_false(diff_same_code(&run, &a, &run, &b));
  b.n_launches = 1;
  assert_false(diff_same_code(&run, &a, &run, &b));
  a.n_launches = 1;
  y[0].grid[2] = 2;
  assert_false(diff_same_code(&run, &a, &run, &b));
}

/* Nine pairs at ln ratios -4 to +4 (x 0.2 %): the median distance, 0.4 %, over 0.6744898 is 0.593041 %.  Errors of 0.1 % at four of them, 0.3 % at four,
 * 0.2 % at one, which is the median: sqrt(0.00593041^2 - 2 * 0.002^2) = 0.00521246. */
static void the_error_that_counts_is_the_median(void **state) {
  static const double within[] = {0.003, 0.001, 0.003, 0.001, 0.002, 0.001, 0.003, 0.001, 0.003};
  struct diff_timed pairs[9];
  struct diff_noise noise;
  (void)state;
  for (int i = 0; i < 9; i++) {
    pairs[i] = (struct diff_timed){.same_code = true};
    pairs[i].a.n = pairs[i].b.n = 1;
    pairs[i].b.log_time[0] = 0.002 * (i - 4);
    pairs[i].a.within[0] = pairs[i].b.within[0] = within[i];
  }
  diff_noise_of(&noise, pairs, 9, BETWEEN_RUNS, false);
  assert_int_equal(noise.source, NOISE_SAME_CODE);
  assert_float_equal(noise.between, 0.00521246, 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_history_of_a_derived_metric),
      cmocka_unit_test(launches_are_compared_as_far_as_they_go),
      cmocka_unit_test(the_error_that_counts_is_the_median),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
