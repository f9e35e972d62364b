/* One number over many runs, on made-up times: the order, the columns, and where it stepped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/history.h"
#include "unit/made_run.h"

#include <string.h>

enum { RUNS_MAX = 10 };
static const struct shape ONE = {128, 256, 1}, TWO = {64, 128, 1};

struct made_history {
  struct made_run made[RUNS_MAX];
  struct findings findings[RUNS_MAX];
  struct run_module modules[RUNS_MAX];
  size_t n;
};

/* The next run, with variant x at shape ONE; key: of its machine code; time 0: not timed. */
static struct run_result *add(struct made_history *h, const char *created, const char *key, double time_ns) {
  struct made_run *m = &h->made[h->n];
  made_begin(m);
  m->run.created = (char *)created;
  h->modules[h->n] = (struct run_module){.key = (char *)key, .arch = (char *)"sm_90a"};
  m->run.modules = &h->modules[h->n];
  m->run.n_modules = 1;
  made_variant(m, "x", "made", NULL);
  struct run_result *r = made_result(m, "x", ONE);
  r->module = 0;
  if (time_ns > 0)
    made_time(r, time_ns, 5);
  else
    r->check.verdict = VERDICT_SKIPPED;
  h->n++;
  return r;
}

static int make(struct history *out, struct made_history *h, struct history_options o, struct err *e) {
  for (size_t i = 0; i < h->n; i++)
    if (findings_make(&h->findings[i], &h->made[i].run, &h->made[i].device, e))
      fail_msg("%s", e->text);
  return history_make(out, h->findings, h->n, &o, e);
}

static void release(struct history *out, struct made_history *h) {
  history_release(out);
  assert_null(out->columns);
  for (size_t i = 0; i < h->n; i++)
    findings_release(&h->findings[i]);
}

static void runs_are_ordered_and_a_step_is_found(void **state) {
  static struct made_history h;
  struct history out;
  struct err e = {0};
  (void)state;
  h.n = 0;
  add(&h, "2026-01-04", "new", 1.2e6);
  add(&h, "2026-01-01", "old", 1.0e6);
  add(&h, "2026-01-03", "old", 1.0e6);
  add(&h, "2026-01-02", "old", 1.0e6);
  add(&h, "2026-01-05", "new", 1.2e6);
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_int_equal(out.n_runs, 5);
  assert_string_equal(out.runs[0]->run->created, "2026-01-01");
  assert_string_equal(out.runs[2]->run->created, "2026-01-03");
  assert_string_equal(out.runs[4]->run->created, "2026-01-05");
  assert_int_equal(out.n_columns, 1);
  assert_string_equal(out.columns[0].id, "x");
  const struct history_point *p = out.columns[0].points;
  assert_float_equal(p[0].value.v, 1.0e-3, 1e-9); /* seconds */
  assert_float_equal(p[3].value.v, 1.2e-3, 1e-9);
  /* One step, of 1.2 over the level of three runs; the run after it stands on the new level. */
  assert_int_equal(out.steps, 1);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(p[i].step, i == 3);
  assert_float_equal(p[3].step_ratio, 1.2, 1e-6);
  assert_false(p[3].same_code);
  release(&out, &h);
}

/* A library's kernel has other work in another program; where a run's file went to is none of the program. */
static void a_run_is_held_against_those_of_its_program(void **state) {
  static struct made_history h;
  static const char *const days[] = {"1", "2", "3", "4"}, *const commands[] = {"nvfp4-prof attach --out 1 -- ./a 5",
                                                                               "nvfp4-prof attach --out 2 -- ./b 5",
                                                                               "nvfp4-prof attach --out 3 -- ./a 5",
                                                                               "nvfp4-prof attach --out 4 -- ./b 5"};
  struct history out;
  struct err e = {0};
  (void)state;
  h.n = 0;
  for (size_t i = 0; i < 4; i++) {
    add(&h, days[i], "k", i % 2 ? 2e6 : 1e6);
    h.made[i].run.command = (char *)commands[i];
  }
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_int_equal(out.n_programs, 2);
  assert_int_equal(out.n_chips, 1);
  assert_int_equal(out.compared, 2);
  assert_int_equal(out.steps, 0);
  assert_true(out.between < 0.01); /* the runs of one program do not scatter */
  release(&out, &h);
  for (size_t i = 0; i < 4; i++)
    h.made[i].run.command = (char *)"nvfp4-prof import ncu -- ./a"; /* of no program that attach saw: as before */
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_int_equal(out.n_programs, 1);
  assert_int_equal(out.compared, 3);
  release(&out, &h);
}

static void the_same_code_is_told_across_a_gap(void **state) {
  static struct made_history h;
  struct history out;
  struct err e = {0};
  (void)state;
  h.n = 0;
  add(&h, "2026-01-01", "k", 1.0e6);
  add(&h, "2026-01-02", "other", 0); /* compared is the run before the gap */
  add(&h, "2026-01-03", "k", 0.5e6);
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  const struct history_point *p = out.columns[0].points;
  assert_false(p[1].value.present);
  assert_false(p[1].step);
  assert_true(p[2].step);
  assert_true(p[2].same_code);
  assert_float_equal(p[2].step_ratio, 0.5, 1e-6);
  assert_int_equal(out.steps, 1);
  release(&out, &h);
}

/* Six runs at 1, then 100 ms is a step; the level is of the last five since it, so that what lies before the step is forgotten: 1 again is a step
 * of 0.01. */
static void a_level_begins_anew_after_a_step(void **state) {
  static struct made_history h;
  struct history out;
  struct err e = {0};
  static const double ms[] = {1, 1, 1, 1, 100, 100, 1};
  static const char *const days[] = {"1", "2", "3", "4", "5", "6", "7"};
  (void)state;
  h.n = 0;
  for (size_t i = 0; i < 7; i++)
    add(&h, days[i], "k", ms[i] * 1e6);
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  const struct history_point *p = out.columns[0].points;
  assert_int_equal(out.steps, 2);
  assert_float_equal(p[4].step_ratio, 100, 1e-4);
  assert_float_equal(p[6].step_ratio, 0.01, 1e-6);
  assert_false(p[5].step);
  release(&out, &h);
}

static bool only_two(const void *context, const struct run_variant *v, struct shape s) {
  assert_string_equal(v->id, "x");
  return s.m == ((const struct shape *)context)->m;
}

static void counters_and_a_selection(void **state) {
  static struct made_history h;
  struct history out;
  struct err e = {0};
  (void)state;
  h.n = 0;
  for (int i = 0; i < 3; i++) {
    static const char *const days[] = {"1", "2", "3"};
    struct run_result *one = add(&h, days[i], "k", 1e6);
    made_metric(one, "inst_executed", 100);
    struct run_result *two = made_result(&h.made[i], "x", TWO);
    two->module = 0;
    made_time(two, 1e6, 5);
    made_metric(two, "inst_executed", i == 2 ? 300 : 200);
  }
  struct history_options o = {.metric = "inst_executed", .selects = only_two, .context = &TWO};
  assert_int_equal(make(&out, &h, o, &e), 0);
  assert_false(out.time);
  assert_int_equal(out.n_columns, 1);
  assert_int_equal(out.columns[0].shape.m, 64);
  assert_float_equal(out.columns[0].points[1].value.v, 200, 0);
  assert_float_equal(out.columns[0].points[2].value.v, 300, 0);
  assert_true(out.columns[0].points[2].step);
  assert_true(out.columns[0].points[2].same_code);
  assert_float_equal(out.columns[0].points[2].step_ratio, 1.5, 1e-9);
  history_release(&out);
  /* Without a selection both shapes are there, the first to appear first. */
  assert_int_equal(history_make(&out, h.findings, h.n, &(struct history_options){.metric = "inst_executed"}, &e), 0);
  assert_int_equal(out.n_columns, 2);
  assert_int_equal(out.columns[0].shape.m, 128);
  assert_int_equal(out.steps, 1);
  history_release(&out);
  /* A metric that nobody has. */
  assert_int_equal(history_make(&out, h.findings, h.n, &(struct history_options){.metric = "inst"}, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "--metric inst"));
  release(&out, &h);
}

static void a_column_without_a_value_is_left_out(void **state) {
  static struct made_history h;
  struct history out;
  struct err e = {0};
  (void)state;
  h.n = 0;
  add(&h, "1", "k", 0);
  add(&h, "2", "k", 0);
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_int_equal(out.n_columns, 0);
  release(&out, &h);
}

/* 100, 100.2, 99.9, 104, 104.1, 104, 104, 100 us.  A step at the fourth, against the level of the three before:
 * 104 / (100 * 100.2 * 99.9)^(1/3) = 1.0396543; and one back at the last, against the four since: 100 / (104^3 * 104.1)^(1/4) = 0.9613075. */
static void a_level_is_a_geometric_mean(void **state) {
  static const double times_us[] = {100, 100.2, 99.9, 104, 104.1, 104, 104, 100};
  static const char *const keys[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
  static struct made_history h;
  struct history out;
  struct err e = {0};
  (void)state;
  h.n = 0;
  for (size_t i = 0; i < 8; i++)
    add(&h, keys[i], keys[i], times_us[i] * 1e3);
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_int_equal(out.steps, 2);
  assert_float_equal(out.columns[0].points[3].step_ratio, 1.0396543, 1e-6);
  assert_float_equal(out.columns[0].points[7].step_ratio, 0.9613075, 1e-6);
  release(&out, &h);
}

/* The noise is that of runs that follow each other.  1000 and 1010 in turn: eight ratios of ln 1.01 = 0.00995033 to both sides of 0, over
 * 0.6744898: 1.475238 %.  Of column TWO one value is usable. */
static void the_noise_is_of_runs_that_follow_each_other(void **state) {
  static struct made_history h;
  struct history out;
  struct err e = {0};
  static const char *const days[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
  (void)state;
  h.n = 0;
  for (int i = 0; i < 9; i++) {
    made_metric(add(&h, days[i], "k", 1e6), "inst_executed", i % 2 ? 1010 : 1000);
    struct run_result *two = made_result(&h.made[i], "x", TWO);
    two->module = 0;
    if (i % 4 == 3)
      made_absent(two, "inst_executed", "it was not collected");
    else if (i % 2)
      made_metric(two, "inst_executed", 0); /* has no logarithm */
    else if (i == 8)
      made_metric(two, "inst_executed", 50);
  }
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "inst_executed"}, &e), 0);
  assert_float_equal(out.between, 0.01475238, 1e-8);
  assert_int_equal(out.steps, 0);
  assert_int_equal(out.n_columns, 2);
  assert_string_equal(out.columns[1].points[3].value.reason, "it was not collected");
  release(&out, &h);
}

/* Four runs, each half as much again: three steps of 1.5, since what all runs share is no shift here. */
static void a_climb_is_no_shift(void **state) {
  static struct made_history h;
  struct history out;
  struct err e = {0};
  static const char *const days[] = {"1", "2", "3", "4"};
  static const double ns[] = {1e6, 1.5e6, 2.25e6, 3.375e6};
  (void)state;
  h.n = 0;
  for (int i = 0; i < 4; i++)
    add(&h, days[i], "k", ns[i]);
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_int_equal(out.steps, 3);
  for (int i = 1; i < 4; i++)
    assert_float_equal(out.columns[0].points[i].step_ratio, 1.5, 1e-6);
  assert_float_equal(out.between, 0.003, 1e-12); /* three pairs say little */
  release(&out, &h);
}

/* The level is of five runs: (1004 * 1008^4)^(1/5) = 1007.19873, and 1100 over it 1.0921380; 1000 is the sixth before. */
static void a_level_is_of_five_runs(void **state) {
  static struct made_history h;
  struct history out;
  struct err e = {0};
  static const char *const days[] = {"1", "2", "3", "4", "5", "6", "7"};
  static const double values[] = {1000, 1004, 1008, 1008, 1008, 1008, 1100};
  (void)state;
  h.n = 0;
  for (int i = 0; i < 7; i++)
    made_metric(add(&h, days[i], "k", 1e6), "inst_executed", values[i]);
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "inst_executed"}, &e), 0);
  assert_int_equal(out.steps, 1);
  assert_float_equal(out.columns[0].points[6].step_ratio, 1.0921380, 1e-6);
  release(&out, &h);
}

/* A variant that came later, runs of one time, and one that names no time. */
static void columns_appear_in_the_order_of_the_runs(void **state) {
  static struct made_history h;
  struct history out;
  struct err e = {0};
  (void)state;
  h.n = 0;
  add(&h, "2", "k", 1e6);
  add(&h, "2", "k", 2e6);
  add(&h, NULL, "k", 3e6);
  made_variant(&h.made[0], "late", "made", NULL);
  made_time(made_result(&h.made[0], "late", ONE), 1e6, 4);
  h.made[0].results[1].module = 0;
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_ptr_equal(out.runs[0], &h.findings[2]); /* no time is before all */
  assert_ptr_equal(out.runs[1], &h.findings[0]);
  assert_ptr_equal(out.runs[2], &h.findings[1]);
  assert_int_equal(out.n_columns, 2);
  assert_string_equal(out.columns[1].id, "late");
  assert_null(out.columns[1].points[0].finding);
  assert_string_equal(out.columns[1].points[2].value.reason, "not run");
  assert_string_equal(out.metric, "time");
  assert_true(out.time);
  release(&out, &h);
}

/* An H200 and an H100 by turns: each is held against its own.  The step is the H100's third run. */
static void chips_are_told_apart(void **state) {
  static const struct {
    const char *day, *chip;
    double ms;
  } runs[] = {{"1", "H200", 1},   {"2", "H100", 1.4}, {"3", "H200", 1},
              {"4", "H100", 1.4}, {"5", "H100", 2.8}, {"6", "H200", 1}};
  static struct made_history h;
  struct history out;
  struct err e = {0};
  (void)state;
  h.n = 0;
  for (size_t i = 0; i < 6; i++) {
    add(&h, runs[i].day, "k", runs[i].ms * 1e6);
    h.made[i].run.device.name = (char *)runs[i].chip;
  }
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_int_equal(out.n_chips, 2);
  assert_int_equal(out.compared, 4);
  assert_int_equal(out.steps, 1);
  assert_true(out.columns[0].points[4].step);
  assert_float_equal(out.columns[0].points[4].step_ratio, 2, 1e-9);
  release(&out, &h);
  h.n = 0; /* one of each: nothing is compared */
  add(&h, "1", "k", 1e6);
  add(&h, "2", "k", 2e6);
  h.made[1].run.device.name = (char *)"H100";
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_true(out.compared == 0 && out.steps == 0);
  release(&out, &h);
}

/* One launch against one is no step. */
static void few_launches_are_no_step(void **state) {
  static struct made_history h;
  struct history out;
  struct err e = {0};
  (void)state;
  h.n = 0;
  made_time(add(&h, "1", "k", 1), 1e6, 1);
  made_time(add(&h, "2", "l", 1), 2e6, 1);
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_true(out.compared == 1 && out.steps == 0);
  release(&out, &h);
  h.n = 0; /* one against the runs of a level, which tell how runs differ */
  for (int i = 0; i < 4; i++)
    made_time(add(&h, (const char *[]){"1", "2", "3", "4"}[i], "k", 1), i == 3 ? 2e6 : 1e6, 1);
  assert_int_equal(make(&out, &h, (struct history_options){.metric = "time"}, &e), 0);
  assert_true(out.columns[0].points[3].step && out.steps == 1);
  release(&out, &h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_are_ordered_and_a_step_is_found),
      cmocka_unit_test(a_run_is_held_against_those_of_its_program),
      cmocka_unit_test(the_same_code_is_told_across_a_gap),
      cmocka_unit_test(a_level_begins_anew_after_a_step),
      cmocka_unit_test(counters_and_a_selection),
      cmocka_unit_test(a_column_without_a_value_is_left_out),
      cmocka_unit_test(a_level_is_a_geometric_mean),
      cmocka_unit_test(the_noise_is_of_runs_that_follow_each_other),
      cmocka_unit_test(a_climb_is_no_shift),
      cmocka_unit_test(a_level_is_of_five_runs),
      cmocka_unit_test(columns_appear_in_the_order_of_the_runs),
      cmocka_unit_test(chips_are_told_apart),
      cmocka_unit_test(few_launches_are_no_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
