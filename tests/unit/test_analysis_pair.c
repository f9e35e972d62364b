/* What is no verdict of a build: few launches, and another chip; and two runs in a few figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/pair.h"
#include "unit/assert_value.h"
#include "unit/made_side.h"

#include <stdio.h>
#include <string.h>

static void compare(struct diff *d, struct made_side *a, struct made_side *b, struct diff_options o) {
  struct err e = {0};
  if (findings_make(&a->findings, &a->made.run, &a->made.device, &e) ||
      findings_make(&b->findings, &b->made.run, &b->made.device, &e) ||
      diff_make(d, (struct diff_side){&a->findings, 1}, (struct diff_side){&b->findings, 1}, &o, &e))
    fail_msg("%s", e.text);
}

/* v0 to v8 of the same code at 1 ms, each with the half tick of 16 ns as its interval: nothing beside 0.1 % between runs. */
static void add_others(struct made_side *s) {
  for (int i = 0; i < 9; i++) {
    char id[16];
    snprintf(id, sizeof id, "v%d", i);
    side_result(s, id, id, 1e6);
  }
}

static const struct diff_pair *pair_of(const struct diff *d, const char *id) {
  for (size_t i = 0; i < d->n; i++)
    if (strcmp(d->pairs[i].id_a ? d->pairs[i].id_a : d->pairs[i].id_b, id) == 0)
      return &d->pairs[i];
  fail_msg("no pair %s", id);
  return NULL;
}

/* 11 % between four launches a side is no verdict, and neither is none; five launches are one. */
static void few_launches_are_no_verdict(void **state) {
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct diff d = {0};
  (void)state;
  add_others(a);
  add_others(b);
  made_time(side_result(a, "one", "x", 1), 2000, 1);
  made_time(side_result(b, "one", "y", 1), 2220, 4);
  made_time(side_result(a, "even", "x", 1), 2000, 4);
  made_time(side_result(b, "even", "y", 1), 2000, 5);
  made_time(side_result(a, "five", "x", 1), 2000, 5);
  made_time(side_result(b, "five", "y", 1), 2220, 5);
  compare(&d, a, b, (struct diff_options){0});
  assert_int_equal(pair_of(&d, "one")->verdict, DIFF_UNCLEAR);
  assert_false(pair_of(&d, "one")->regression);
  assert_string_equal(pair_of(&d, "one")->reason,
                      "1 launch in A, 4 launches in B: from 5 launches per side on, or 3 runs of a side, their own "
                      "variation is known");
  assert_int_equal(pair_of(&d, "even")->verdict, DIFF_UNCLEAR);
  assert_int_equal(pair_of(&d, "five")->verdict, DIFF_SLOWER);
  assert_int_equal(d.regressions, 1);
  diff_release(&d);
  side_free(a);
  side_free(b);
}

/* Half of the kernels are 28 % faster on the other chip and half as fast as they were: that scatter is no noise.  exp(+-1.959964 * 0.003) is
 * 0.994137 and 1.005897. */
static void what_chips_differ_by_is_no_noise(void **state) {
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct diff d = {0};
  (void)state;
  add_others(a);
  add_others(b);
  for (size_t i = 0; i < 4; i++)
    made_time(&b->made.results[i], 0.72e6, 5);
  a->made.run.device.name = (char *)"H100";
  b->made.run.device.name = (char *)"H200";
  compare(&d, a, b, (struct diff_options){.raw = true});
  assert_int_equal(d.noise.source, NOISE_CHIPS);
  assert_float_equal(d.noise.between, 0.003, 0);
  assert_int_equal(d.counts[DIFF_FASTER], 4);
  assert_int_equal(d.counts[DIFF_SAME], 5);
  assert_float_equal(pair_of(&d, "v8")->ratio_low.v, 0.994137, 3e-5); /* the half tick of 16 ns in 1 ms a side aside */
  assert_float_equal(pair_of(&d, "v8")->ratio_high.v, 1.005897, 3e-5);
  diff_release(&d);
  side_free(a);
  side_free(b);
}

static bool begins_with(const struct pair_row *r, const char *first) {
  return r->variant[0] == *first;
}

static void a_pair_of_runs_in_short(void **state) {
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct pair p;
  struct err e = {0};
  (void)state;
  add_others(a);
  add_others(b);
  side_result(a, "gone", "g", 1e6);
  made_time(&b->made.results[0], 0.5e6, 5);
  made_time(&b->made.results[1], 2e6, 5);
  a->made.run.device.name = (char *)"H100";
  b->made.run.device.name = (char *)"H200";
  if (findings_make(&a->findings, &a->made.run, &a->made.device, &e) ||
      findings_make(&b->findings, &b->made.run, &b->made.device, &e))
    fail_msg("%s", e.text);
  pair_make(&p, &a->findings, &b->findings);
  assert_false(p.one_chip);
  assert_float_equal(p.between, 0.003, 0);
  struct pair_sum s = pair_sum_of(&p, begins_with, "v");
  assert_int_equal(s.n, 9);
  assert_true(s.faster == 1 && s.slower == 1 && s.same == 7 && s.unclear == 0);
  assert_value(s.least, 0.5);
  assert_value(s.most, 2);
  assert_value(s.mean, 1);               /* of 0.5, 2 and seven times 1 */
  s = pair_sum_of(&p, begins_with, "g"); /* A's alone */
  assert_int_equal(s.n, 0);
  assert_absent(s.mean, "no kernel has a time in both runs");
  pair_release(&p);
  side_free(a);
  side_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_launches_are_no_verdict),
      cmocka_unit_test(what_chips_differ_by_is_no_noise),
      cmocka_unit_test(a_pair_of_runs_in_short),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
