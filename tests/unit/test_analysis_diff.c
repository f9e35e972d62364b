#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/diff.h"
#include "analysis/compare/diff_noise.h"
#include "analysis/compare/diff_static.h"
#include "analysis/compare/history.h"
#include "unit/made_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct shape ONE = {128, 1024, 1};

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
  struct err e = {0};
  assert_int_equal(diff_noise_of(&noise, pairs, n, same_run, raw, &e), 0);
  return noise;
}

/* --- statistics --- */

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
  assert_float_equal(x.low, 1.0784566, 1e-6);
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

/* --- whole comparisons --- */

struct made_side {
  struct made_run made;
  struct findings findings;
  struct run_module modules[MADE_VARIANTS];
  char ids[MADE_VARIANTS][16], keys[MADE_VARIANTS][16];
};

static struct run_result *side_result(struct made_side *s, const char *id, const char *key, double time_ns) {
  size_t i = s->made.run.n_variants;
  struct run_result *r;
  snprintf(s->ids[i], sizeof s->ids[i], "%s", id);
  snprintf(s->keys[i], sizeof s->keys[i], "%s", key);
  s->modules[i] = (struct run_module){.key = s->keys[i], .arch = (char *)"sm_90a"};
  s->made.run.n_modules = i + 1;
  made_variant(&s->made, s->ids[i], "made", NULL);
  r = made_result(&s->made, s->ids[i], ONE);
  r->module = (int)i;
  r->check.verdict = VERDICT_PASS;
  if (time_ns > 0)
    made_time(r, time_ns, 4);
  return r;
}

static struct made_side *side_new(const char *created) {
  struct made_side *s = calloc(1, sizeof *s);
  assert_non_null(s);
  made_begin(&s->made);
  s->made.run.modules = s->modules;
  s->made.run.created = (char *)created;
  s->made.run.command = (char *)"made";
  s->made.run.device.uuid_hash = (char *)"0";
  return s;
}

static void side_free(struct made_side *s) {
  findings_release(&s->findings);
  free(s);
}

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

static void a_slow_down_is_one_where_the_code_changed(void **state) {
  struct made_side *a = side_new("2026-11-20T10:00:00Z"), *b = side_new("2026-11-20T11:00:00Z");
  struct diff d = {0};
  (void)state;
  add_others(a);
  add_others(b);
  side_result(a, "changed", "old", 1e6);
  side_result(b, "changed", "new", 1.05e6);
  side_result(a, "moved", "same", 1e6);
  side_result(b, "moved", "same", 1.05e6);
  compare(&d, a, b, (struct diff_options){.fail_over = 0.03});
  assert_float_equal(d.noise.between, 0.001, 1e-12);
  assert_int_equal(pair_of(&d, "changed")->verdict, DIFF_SLOWER);
  assert_true(pair_of(&d, "changed")->regression);
  assert_int_equal(pair_of(&d, "moved")->verdict, DIFF_UNCLEAR);
  assert_non_null(strstr(pair_of(&d, "moved")->reason, "the machine code and its launch are the same"));
  assert_int_equal(pair_of(&d, "v3")->verdict, DIFF_SAME);
  assert_int_equal(d.counts[DIFF_SAME], 9);
  assert_int_equal(d.regressions, 1);
  diff_release(&d);
  /* 5 % is not more than 5.1 %. */
  findings_release(&a->findings);
  findings_release(&b->findings);
  compare(&d, a, b, (struct diff_options){.fail_over = 0.051});
  assert_int_equal(pair_of(&d, "changed")->verdict, DIFF_SLOWER);
  assert_int_equal(d.regressions, 0);
  diff_release(&d);
  /* Another driver may well make the same code slower. */
  findings_release(&a->findings);
  findings_release(&b->findings);
  b->made.run.device.driver = (char *)"999";
  compare(&d, a, b, (struct diff_options){0});
  assert_int_equal(pair_of(&d, "moved")->verdict, DIFF_SLOWER);
  assert_false(d.same_conditions);
  assert_string_equal(d.conditions[0].what, "driver");
  diff_release(&d);
  side_free(a);
  side_free(b);
}

static void a_launch_is_part_of_the_code(void **state) {
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct diff d = {0};
  (void)state;
  add_others(a);
  add_others(b);
  struct run_result *x = side_result(a, "grid", "same", 1e6), *y = side_result(b, "grid", "same", 1.05e6);
  x->n_launches = y->n_launches = 1;
  x->launches[0] = y->launches[0] = (struct run_launch){.kernel = (char *)"k", .grid = {8, 1, 1}, .block = {32, 1, 1}};
  y->launches[0].grid[0] = 16;
  compare(&d, a, b, (struct diff_options){0});
  assert_false(pair_of(&d, "grid")->same_code);
  assert_int_equal(pair_of(&d, "grid")->verdict, DIFF_SLOWER);
  diff_release(&d);
  side_free(a);
  side_free(b);
}

static void a_common_shift_is_told_once(void **state) {
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct diff d = {0};
  (void)state;
  add_others(a);
  add_others(b);
  for (size_t i = 0; i < b->made.run.n_results; i++)
    made_time(&b->made.results[i], 1.04e6, 4);
  compare(&d, a, b, (struct diff_options){0});
  assert_float_equal(d.noise.shift, 1.04, 1e-9);
  assert_int_equal(d.counts[DIFF_SAME], 9);
  diff_release(&d);
  findings_release(&a->findings);
  findings_release(&b->findings);
  compare(&d, a, b, (struct diff_options){.raw = true});
  assert_int_equal(d.counts[DIFF_SLOWER], 9);
  diff_release(&d);
  side_free(a);
  side_free(b);
}

static void added_removed_renamed_and_broken(void **state) {
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct diff d = {0};
  (void)state;
  side_result(a, "kept", "k", 1e6);
  side_result(a, "old-name", "n", 1e6);
  side_result(a, "gone", "g", 1e6);
  side_result(a, "right", "r", 1e6);
  side_result(a, "mends", "m", 0)->check.verdict = VERDICT_FAILED;
  side_result(a, "refused", "w", 0)->check.verdict = VERDICT_WRONG;
  a->made.variants[5].wrong = true;
  side_result(b, "kept", "k", 1e6);
  side_result(b, "new-name", "n", 1e6);
  side_result(b, "fresh", "f", 1e6);
  side_result(b, "right", "r", 0)->check.verdict = VERDICT_WRONG;
  b->made.results[3].check.cause = (char *)"nibbles";
  side_result(b, "mends", "m", 1e6);
  side_result(b, "refused", "w", 1e6);
  b->made.variants[5].wrong = true;
  compare(&d, a, b, (struct diff_options){0});
  assert_int_equal(pair_of(&d, "kept")->verdict, DIFF_SAME);
  assert_string_equal(pair_of(&d, "old-name")->id_b, "new-name");
  assert_string_equal(pair_of(&d, "old-name")->renamed, "the same machine code");
  assert_int_equal(pair_of(&d, "gone")->verdict, DIFF_REMOVED);
  assert_int_equal(pair_of(&d, "fresh")->verdict, DIFF_ADDED);
  assert_int_equal(pair_of(&d, "right")->verdict, DIFF_BROKEN);
  assert_string_equal(pair_of(&d, "right")->reason, "wrong, was pass: nibbles");
  assert_int_equal(pair_of(&d, "mends")->verdict, DIFF_MENDED);
  assert_int_equal(pair_of(&d, "refused")->verdict, DIFF_BROKEN); /* it passed, and must not */
  assert_int_equal(d.regressions, 2);
  assert_int_equal(d.n, 7);
  diff_release(&d);
  side_free(a);
  side_free(b);
}

static void metrics_have_a_tolerance(void **state) {
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct diff d = {0};
  struct diff_metric_asked asked[] = {{(char *)"inst_executed", 0, false},
                                      {(char *)"inst_executed", 0.01, true},
                                      {(char *)"inst_executed", 0.02, true}};
  struct err e = {0};
  (void)state;
  made_metric(side_result(a, "v", "v", 1e6), "inst_executed", 1000);
  made_metric(side_result(b, "v", "v", 1e6), "inst_executed", 1015); /* 1.5 % more */
  compare(&d, a, b, (struct diff_options){.metrics = asked, .n_metrics = 3});
  assert_int_equal(d.pairs[0].metrics[0].verdict, METRIC_MORE);
  assert_false(d.pairs[0].metrics[0].regression);
  assert_true(d.pairs[0].metrics[1].regression);
  assert_int_equal(d.pairs[0].metrics[2].verdict, METRIC_SAME);
  assert_int_equal(d.metric_regressions, 1);
  diff_release(&d);
  asked[0].name = (char *)"inst_exectued";
  assert_int_equal(diff_make(&d, (struct diff_side){&a->findings, 1}, (struct diff_side){&b->findings, 1},
                             &(struct diff_options){.metrics = asked, .n_metrics = 1}, &e),
                   ERR_USAGE);
  assert_non_null(strstr(e.text, "--metric inst_exectued: no result has it"));
  diff_release(&d);
  side_free(a);
  side_free(b);
}

/* --- what needs no GPU --- */

static void spills_and_instructions_are_gated(void **state) {
  static struct run_instruction sass[] = {
      {.text = (char *)"LDG R0"}, {.text = (char *)"EXIT"}, {.text = (char *)"NOP"}};
  struct run_kernel before = {.name = (char *)"k", .registers = 100, .sass = sass, .n_sass = 3}, after = before;
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct static_diff d = {0};
  struct static_options o = {.fail_over = 0.05};
  struct err e = {0};
  (void)state;
  side_result(a, "v", "old", 0);
  side_result(b, "v", "new", 0);
  a->modules[0].kernels = &before;
  b->modules[0].kernels = &after;
  a->modules[0].n_kernels = b->modules[0].n_kernels = 1;
  after.registers = 105; /* 5 %, not more */
  assert_int_equal(static_diff_make(&d, &a->made.run, &b->made.run, &o, &e), 0);
  assert_int_equal(d.pairs[0].verdict, STATIC_CHANGED);
  assert_float_equal(d.pairs[0].changes[4].before.v, 2, 0); /* the NOP fills */
  static_diff_release(&d);
  after.registers = 106;
  assert_int_equal(static_diff_make(&d, &a->made.run, &b->made.run, &o, &e), 0);
  assert_int_equal(d.pairs[0].verdict, STATIC_WORSE);
  static_diff_release(&d);
  after.registers = 100;
  after.spill_load_bytes = 4;
  assert_int_equal(static_diff_make(&d, &a->made.run, &b->made.run, &o, &e), 0);
  assert_int_equal(d.pairs[0].verdict, STATIC_WORSE);
  assert_true(d.pairs[0].changes[1].regression);
  static_diff_release(&d);
  b->modules[0].arch = (char *)"sm_100a";
  assert_int_equal(static_diff_make(&d, &a->made.run, &b->made.run, &o, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "compiled for sm_90a, the second for sm_100a"));
  static_diff_release(&d);
  side_free(a);
  side_free(b);
}

/* --- history --- */

static void a_step_stands_out_from_the_level(void **state) {
  /* Given out of order; by time: 100, 100.2, 99.9, 104, 104.1, 104, 104, 100 us.  A step at the fourth, against the level of the three before:
   * 104 / (100 * 100.2 * 99.9)^(1/3) = 1.0396543; and one back at the last, against the four since: 100 / (104^3 * 104.1)^(1/4) = 0.9613075. */
  static const double times_us[] = {104, 100, 104.1, 100.2, 99.9, 100, 104, 104};
  static const char *const created[] = {"2026-04", "2026-01", "2026-05", "2026-02",
                                        "2026-03", "2026-08", "2026-06", "2026-07"};
  enum { RUNS = sizeof times_us / sizeof *times_us };
  struct made_side *sides[RUNS];
  struct findings findings[RUNS];
  struct history h = {0};
  struct err e = {0};
  (void)state;
  for (int i = 0; i < RUNS; i++) {
    char key[16];
    snprintf(key, sizeof key, "key%d", i);
    sides[i] = side_new(created[i]);
    side_result(sides[i], "v", key, times_us[i] * 1e3);
    assert_int_equal(findings_make(&findings[i], &sides[i]->made.run, &sides[i]->made.device, &e), 0);
  }
  assert_int_equal(history_make(&h, findings, RUNS, &(struct history_options){.metric = "time"}, &e), 0);
  assert_int_equal(h.n_columns, 1);
  assert_string_equal(h.runs[0]->run->created, "2026-01");
  assert_int_equal(h.steps, 2);
  assert_true(h.columns[0].points[3].step);
  assert_false(h.columns[0].points[3].same_code);
  assert_float_equal(h.columns[0].points[3].step_ratio, 1.0396543, 1e-6);
  assert_true(h.columns[0].points[7].step);
  assert_float_equal(h.columns[0].points[7].step_ratio, 0.9613075, 1e-6);
  history_release(&h);
  assert_int_equal(history_make(&h, findings, RUNS, &(struct history_options){.metric = "tmie"}, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "--metric tmie: no run has it"));
  history_release(&h);
  for (int i = 0; i < RUNS; i++) {
    findings_release(&findings[i]);
    free(sides[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_interval_adds_all_three_variances),
      cmocka_unit_test(the_margin_decides),
      cmocka_unit_test(several_runs_use_their_own_variance),
      cmocka_unit_test(the_noise_is_what_the_same_code_scatters),
      cmocka_unit_test(a_slow_down_is_one_where_the_code_changed),
      cmocka_unit_test(a_launch_is_part_of_the_code),
      cmocka_unit_test(a_common_shift_is_told_once),
      cmocka_unit_test(added_removed_renamed_and_broken),
      cmocka_unit_test(metrics_have_a_tolerance),
      cmocka_unit_test(spills_and_instructions_are_gated),
      cmocka_unit_test(a_step_stands_out_from_the_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
