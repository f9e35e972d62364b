/* Comparing two builds by their runs: partners, verdicts, metrics and conditions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/diff.h"
#include "analysis/compare/diff_conditions.h"
#include "analysis/metrics/value.h"
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
    made_time(&b->made.results[i], 1.04e6, 5);
  compare(&d, a, b, (struct diff_options){0});
  assert_float_equal(d.noise.shift, 1.04, 1e-9);
  assert_int_equal(d.counts[DIFF_SAME], 9);
  diff_release(&d);
  findings_release(&a->findings);
  findings_release(&b->findings);
  compare(&d, a, b, (struct diff_options){.raw = true});
  assert_int_equal(d.counts[DIFF_SLOWER], 9);
  diff_release(&d);
  /* Another chip is as slow as it is: a shift of 4 % is no clock's. */
  findings_release(&a->findings);
  findings_release(&b->findings);
  a->made.run.device.name = (char *)"H100";
  b->made.run.device.name = (char *)"H200";
  compare(&d, a, b, (struct diff_options){0});
  assert_false(d.one_chip || d.noise.shift_removed);
  assert_float_equal(pair_of(&d, "v3")->ratio.v, 1.04, 1e-9);
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

/* --- several runs a side --- */

enum { SIDES_MAX = 4 };
struct made_sides {
  struct made_side *side[SIDES_MAX];
  struct findings findings[SIDES_MAX];
  size_t n;
};

static struct made_side *next_run(struct made_sides *s, const char *created) {
  return s->side[s->n++] = side_new(created);
}

static struct diff_side findings_of(struct made_sides *s) {
  struct err e = {0};
  for (size_t i = 0; i < s->n; i++)
    if (findings_make(&s->findings[i], &s->side[i]->made.run, &s->side[i]->made.device, &e))
      fail_msg("%s", e.text);
  return (struct diff_side){s->findings, s->n};
}

static void sides_free(struct made_sides *s) {
  for (size_t i = 0; i < s->n; i++) {
    findings_release(&s->findings[i]);
    side_free(s->side[i]);
  }
}

static void three_runs_a_side_tell_of_the_same_code(void **state) {
  static const char *const days[] = {"1", "2", "3"};
  (void)state;
  for (size_t runs = 2; runs <= 3; runs++) {
    struct made_sides a = {.n = 0}, b = {.n = 0};
    struct diff d = {0};
    for (size_t i = 0; i < 3; i++) {
      add_others(next_run(&a, days[i]));
      side_result(a.side[i], "moved", "same", 1e6);
      if (i < runs) {
        add_others(next_run(&b, days[i]));
        side_result(b.side[i], "moved", "same", 1.05e6);
      }
    }
    assert_int_equal(diff_make(&d, findings_of(&a), findings_of(&b), &(struct diff_options){0}, NULL), 0);
    const struct diff_pair *p = pair_of(&d, "moved");
    assert_int_equal(d.n, 10); /* each variant once */
    assert_int_equal(p->runs_a, 3);
    assert_int_equal(p->runs_b, runs);
    assert_int_equal(p->verdict, runs == 3 ? DIFF_SLOWER : DIFF_UNCLEAR);
    assert_float_equal(p->time_b.v, 1.05e-3, 1e-9);
    diff_release(&d);
    sides_free(&a);
    sides_free(&b);
  }
}

static void the_worst_run_decides_and_metrics_are_means(void **state) {
  struct made_sides a = {.n = 0}, b = {.n = 0};
  struct diff_metric_asked asked = {(char *)"inst_executed", 0, true};
  struct diff d = {0};
  (void)state;
  for (int i = 0; i < 2; i++) {
    next_run(&a, i ? "2" : "1");
    next_run(&b, i ? "4" : "3");
  }
  made_metric(side_result(a.side[0], "v", "k", 1e6), "inst_executed", 100);
  made_metric(side_result(a.side[1], "v", "k", 1e6), "inst_executed", 300); /* 200 in the mean */
  side_result(b.side[0], "v", "k", 1e6);
  struct run_result *bad = side_result(b.side[1], "v", "k", 0);
  made_metric(bad, "inst_executed", 150); /* only one run has it */
  bad->check = (struct run_check){.verdict = VERDICT_FAILED, .reason = (char *)"it hung", .cause = (char *)"nibbles"};
  side_result(a.side[1], "late", "l", 1e6); /* only the second run has it */
  side_result(b.side[1], "late", "l", 1e6);
  struct diff_options o = {.metrics = &asked, .n_metrics = 1};
  assert_int_equal(diff_make(&d, findings_of(&a), findings_of(&b), &o, NULL), 0);
  const struct diff_pair *p = pair_of(&d, "v");
  assert_int_equal(p->verdict, DIFF_BROKEN);
  assert_string_equal(p->reason, "failed, was pass: it hung");
  assert_int_equal(p->runs_b, 1);
  assert_value(p->metrics[0].before, 200);
  assert_value(p->metrics[0].after, 150);
  assert_value(p->metrics[0].ratio, 0.75);
  assert_int_equal(p->metrics[0].verdict, METRIC_FEWER);
  assert_int_equal(d.metric_regressions, 0);
  assert_int_equal(pair_of(&d, "late")->verdict, DIFF_SAME);
  assert_absent(pair_of(&d, "late")->metrics[0].before, "not collected");
  assert_int_equal(pair_of(&d, "late")->metrics[0].verdict, METRIC_ABSENT);
  diff_release(&d);
  sides_free(&a);
  sides_free(&b);
}

/* --- verdicts --- */

/* 9 others of one code settle the noise at 0.1 % and the half tick: 1.008 lies in 1.0060 to 1.0100 and somewhat more. */
static void the_same_code_within_the_margin_is_the_same(void **state) {
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct diff d = {0};
  (void)state;
  add_others(a);
  add_others(b);
  side_result(a, "same", "k", 1e6);
  side_result(b, "same", "k", 1.0085e6);
  side_result(a, "other", "x", 1e6);
  side_result(b, "other", "y", 1.0085e6);
  compare(&d, a, b, (struct diff_options){0});
  assert_int_equal(pair_of(&d, "same")->verdict, DIFF_SAME);
  assert_null(pair_of(&d, "same")->reason);
  const struct diff_pair *p = pair_of(&d, "other");
  assert_int_equal(p->verdict, DIFF_UNCLEAR);
  assert_non_null(strstr(p->reason, "the interval includes both"));
  assert_float_equal(p->ratio.v, 1.0085, 1e-9);
  /* 1.0085 exp(-+1.959964 * 0.001), the half tick of 16 ns left aside */
  assert_float_equal(p->ratio_low.v, 1.006525, 1e-5);
  assert_float_equal(p->ratio_high.v, 1.010479, 1e-5);
  assert_int_equal(d.counts[DIFF_UNCLEAR], 1);
  diff_release(&d);
  findings_release(&a->findings);
  findings_release(&b->findings);
  /* One run with itself: its times are taken at their word, whatever the code. */
  b->made.run.created = (char *)"1";
  made_time(&b->made.results[9], 1.05e6, 5);
  compare(&d, a, b, (struct diff_options){0});
  assert_int_equal(d.noise.source, NOISE_ONE_RUN);
  assert_int_equal(pair_of(&d, "same")->verdict, DIFF_SLOWER);
  diff_release(&d);
  side_free(a);
  side_free(b);
}

static void checks_of_both_sides_decide(void **state) {
  /* A timed result that nobody checked is as good as right; one without a time says nothing. */
  static const struct {
    enum run_verdict a;
    bool timed_a;
    enum run_verdict b;
    bool timed_b, wrong;
    enum diff_verdict want;
    const char *reason;
  } rows[] = {
      {VERDICT_UNCHECKED, true, VERDICT_FAILED, false, false, DIFF_BROKEN, "failed, was unchecked: failed"},
      {VERDICT_UNCHECKED, false, VERDICT_FAILED, false, false, DIFF_BROKEN, "failed, was unchecked: failed"},
      {VERDICT_UNCHECKED, false, VERDICT_PASS, true, false, DIFF_UNTIMED, NULL},
      {VERDICT_UNCHECKED, true, VERDICT_PASS, true, false, DIFF_SAME, NULL},
      {VERDICT_SKIPPED, false, VERDICT_PASS, true, false, DIFF_UNTIMED, NULL},
      {VERDICT_PASS, true, VERDICT_SKIPPED, false, false, DIFF_UNTIMED, NULL},
      {VERDICT_FAILED, false, VERDICT_OUT_OF_RANGE, false, false, DIFF_UNTIMED, NULL},
      {VERDICT_FAILED, false, VERDICT_WRONG, false, false, DIFF_UNTIMED, NULL},
      {VERDICT_WRONG, false, VERDICT_PASS, true, false, DIFF_MENDED, "pass, was wrong: wrong"},
      {VERDICT_WRONG, false, VERDICT_WRONG, false, true, DIFF_SAME, NULL},
      {VERDICT_PASS, false, VERDICT_WRONG, false, true, DIFF_MENDED, "wrong, was pass: pass"},
      {VERDICT_WRONG, false, VERDICT_FAILED, false, true, DIFF_BROKEN, "failed, was wrong: failed"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct made_side *a = side_new("1"), *b = side_new("2");
    struct diff d = {0};
    side_result(a, "v", "k", rows[i].timed_a ? 1e6 : 0)->check.verdict = rows[i].a;
    side_result(b, "v", "k", rows[i].timed_b ? 1e6 : 0)->check.verdict = rows[i].b;
    a->made.variants[0].wrong = b->made.variants[0].wrong = rows[i].wrong;
    compare(&d, a, b, (struct diff_options){0});
    if (d.pairs[0].verdict != rows[i].want)
      fail_msg("row %zu: %s", i, diff_verdict_name(d.pairs[0].verdict));
    if (rows[i].reason)
      assert_string_equal(d.pairs[0].reason, rows[i].reason);
    assert_int_equal(d.regressions, rows[i].want == DIFF_BROKEN);
    assert_int_equal(d.pairs[0].ratio.present, rows[i].timed_a && rows[i].timed_b);
    diff_release(&d);
    side_free(a);
    side_free(b);
  }
}

static void what_has_no_time_says_on_which_side(void **state) {
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct diff d = {0};
  (void)state;
  side_result(a, "x", "k", 0)->timing.reason = (char *)"hung in A";
  side_result(b, "x", "k", 1e6);
  side_result(a, "y", "k", 1e6);
  side_result(b, "y", "k", 0)->timing.reason = (char *)"hung in B";
  side_result(a, "z", "k", 1e6);
  side_result(b, "z", "k", 1e6);
  made_time(made_result(&b->made, "z", (struct shape){256, 1024, 1}), 1e6, 4);
  b->made.results[3].module = 2;
  compare(&d, a, b, (struct diff_options){0});
  assert_string_equal(pair_of(&d, "x")->reason, "hung in A");
  assert_string_equal(pair_of(&d, "y")->reason, "hung in B");
  assert_absent(pair_of(&d, "x")->ratio_low, "not timed on both sides");
  assert_string_equal(diff_verdict_name(pair_of(&d, "y")->verdict), "NO TIME");
  assert_string_equal(diff_verdict_name(DIFF_VERDICTS), "unknown");
  assert_int_equal(d.n, 4); /* z at the second shape is only in B */
  assert_int_equal(d.pairs[3].verdict, DIFF_ADDED);
  assert_string_equal(d.pairs[3].reason, "not run at this shape on the other side");
  assert_absent(d.pairs[3].time_a, "not run");
  assert_int_equal(d.counts[DIFF_SAME], 1);
  diff_release(&d);
  side_free(a);
  side_free(b);
}

static bool named(const void *context, const struct run_variant *v, struct shape s) {
  return s.m == 128 && strcmp(v->id, context) == 0;
}

static void a_selection_counts_by_either_name(void **state) {
  static const struct {
    const char *name;
    size_t renamed, gone, fresh;
  } rows[] = {{"old", 1, 0, 0}, {"new", 1, 0, 0}, {"gone", 0, 1, 0}, {"fresh", 0, 0, 1}, {"nobody", 0, 0, 0}};
  struct made_side *a = side_new("1"), *b = side_new("2");
  (void)state;
  side_result(a, "old", "k", 1e6);
  side_result(a, "gone", "g", 1e6);
  side_result(b, "new", "k", 1e6);
  side_result(b, "fresh", "f", 1e6);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct diff d = {0};
    compare(&d, a, b, (struct diff_options){.selects = named, .context = rows[i].name});
    assert_int_equal(d.n, 3);
    assert_int_equal(d.counts[DIFF_SAME], rows[i].renamed);
    assert_int_equal(d.counts[DIFF_REMOVED], rows[i].gone);
    assert_int_equal(d.counts[DIFF_ADDED], rows[i].fresh);
    assert_int_equal(pair_of(&d, "old")->selected, rows[i].renamed);
    diff_release(&d);
    findings_release(&a->findings);
    findings_release(&b->findings);
  }
  side_free(a);
  side_free(b);
}

/* --- conditions --- */

static struct diff conditions_of(const struct run *a, const struct run *b) {
  struct findings x = {.run = a}, y = {.run = b};
  struct diff d = {.pool = calloc(1, sizeof *d.pool)};
  assert_non_null(d.pool);
  diff_conditions_set(&d, (struct diff_side){&x, 1}, (struct diff_side){&y, 1});
  return d;
}

static void every_condition_is_told(void **state) {
  struct run a = {.device = {.name = (char *)"H100", .uuid_hash = (char *)"0", .sms = 132, .clock_max_hz = 1.98e9}};
  struct run b = a;
  static const struct {
    const char *what, *a, *b;
    bool excuses;
  } rows[] = {
      {"device", "H100", "H200", true},
      {"card (hash of its UUID)", "0", "1", false},
      {"SMs", "132", "78", true},
      {"maximum SM clock", "1980 MHz", "1755 MHz", true},
      {"memory clock", "0 MHz", "3201 MHz", true},
      {"driver", "unknown", "580", true},
      {"NVRTC", "unknown", "13.2", false},
      {"CUPTI", "unknown", "2026.1", false},
      {"L2 policy", "unknown", "cold", true},
      {"L2 flush", "0 MB", "128 MB", true},
      {"inputs", "unknown", "zeros", true},
      {"seed", "0", "7", true},
      {"tool version", "unknown", "2.0", false},
      {"run", "whole", "partial: results are missing", false},
  };
  (void)state;
  struct diff d = conditions_of(&a, &b);
  assert_int_equal(d.n_conditions, 0);
  assert_true(d.same_conditions);
  diff_release(&d);
  b = (struct run){.device = {.name = (char *)"H200",
                              .uuid_hash = (char *)"1",
                              .sms = 78,
                              .clock_max_hz = 1.755e9,
                              .memory_clock_hz = 3.201e9,
                              .driver = (char *)"580",
                              .nvrtc = (char *)"13.2",
                              .cupti = (char *)"2026.1"},
                   .l2 = (char *)"cold",
                   .flush_bytes = 128e6,
                   .inputs = (char *)"zeros",
                   .seed = 7,
                   .tool = (char *)"2.0",
                   .partial = true};
  d = conditions_of(&a, &b);
  assert_int_equal(d.n_conditions, sizeof rows / sizeof *rows);
  for (size_t i = 0; i < d.n_conditions; i++) {
    assert_string_equal(d.conditions[i].what, rows[i].what);
    assert_string_equal(d.conditions[i].a, rows[i].a);
    assert_string_equal(d.conditions[i].b, rows[i].b);
    assert_int_equal(d.conditions[i].excuses, rows[i].excuses);
  }
  assert_false(d.same_conditions);
  diff_release(&d);
  b = a;
  b.tool = (char *)"2.0";
  d = conditions_of(&a, &b);
  assert_int_equal(d.n_conditions, 1);
  assert_true(d.same_conditions); /* no excuse */
  diff_release(&d);
}

static void what_runs_of_a_side_say_is_told_once(void **state) {
  struct run runs[] = {{.tool = (char *)"1"}, {.tool = (char *)"2"}, {.tool = (char *)"1"}, {.tool = (char *)"3"}};
  struct findings x[4] = {{.run = &runs[0]}, {.run = &runs[1]}, {.run = &runs[2]}, {.run = &runs[3]}};
  struct diff d = {.pool = calloc(1, sizeof *d.pool)};
  (void)state;
  assert_non_null(d.pool);
  diff_conditions_set(&d, (struct diff_side){x, 3}, (struct diff_side){x + 2, 2});
  assert_int_equal(d.n_conditions, 1);
  assert_string_equal(d.conditions[0].a, "1 and 2");
  assert_string_equal(d.conditions[0].b, "1 and 3");
  diff_release(&d);
}

/* Pairs at clocks in MHz; 0: not counted. */
static void the_clock_is_a_median_of_both(void **state) {
  static const struct {
    double mhz[2][3];            /* of A, of B */
    const char *text_a, *text_b; /* NULL: called the same */
  } rows[] = {
      {{{1000, 1700, 1100}, {1200, 1100, 1300}}, "1100 MHz", "1200 MHz"},
      {{{1000, 1000, 1000}, {1004, 1004, 1004}}, NULL, NULL}, /* 0.4 % */
      {{{1000, 1000, 1000}, {1006, 1006, 1006}}, "1000 MHz", "1006 MHz"},
      {{{1000, 2000, 0}, {1000, 0, 900}}, NULL, NULL}, /* one pair is counted in both */
      {{{0, 0, 0}, {1000, 1000, 1000}}, NULL, NULL},
  };
  struct run run = {0};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct run_metric metrics[2][3];
    struct run_result results[2][3] = {{{0}}};
    struct finding findings[2][3] = {{{0}}};
    struct diff_pair pairs[4] = {{0}};
    struct findings x = {.run = &run};
    struct diff d = {.pairs = pairs, .n = 4, .pool = calloc(1, sizeof *d.pool)};
    assert_non_null(d.pool);
    for (int k = 0; k < 6; k++) {
      double mhz = rows[i].mhz[k / 3][k % 3];
      metrics[k / 3][k % 3] = (struct run_metric){.name = (char *)"clock_hz", .present = mhz > 0, .value = mhz * 1e6};
      results[k / 3][k % 3] = (struct run_result){.metrics = &metrics[k / 3][k % 3], .n_metrics = 1};
      findings[k / 3][k % 3].result = &results[k / 3][k % 3];
    }
    for (int k = 0; k < 3; k++)
      pairs[k] = (struct diff_pair){.a = &findings[0][k], .b = &findings[1][k]};
    pairs[3].b = &findings[1][0]; /* only in B */
    diff_conditions_set(&d, (struct diff_side){&x, 1}, (struct diff_side){&x, 1});
    assert_int_equal(d.n_conditions, rows[i].text_a != NULL);
    if (d.n_conditions) {
      assert_string_equal(d.conditions[0].what, "SM clock while counted (median)");
      assert_string_equal(d.conditions[0].a, rows[i].text_a);
      assert_string_equal(d.conditions[0].b, rows[i].text_b);
    }
    assert_true(d.same_conditions);
    d.pairs = NULL;
    d.n = 0;
    diff_release(&d);
  }
}

static void a_run_is_itself_by_time_command_and_card(void **state) {
  struct run a = {.created = (char *)"1", .command = (char *)"c", .device = {.uuid_hash = (char *)"0"}}, b = a;
  struct findings x[2] = {{.run = &a}, {.run = &a}}, y[2] = {{.run = &b}, {.run = &b}};
  (void)state;
  assert_true(diff_same_run((struct diff_side){x, 1}, (struct diff_side){y, 1}));
  assert_false(diff_same_run((struct diff_side){x, 2}, (struct diff_side){y, 1}));
  assert_false(diff_same_run((struct diff_side){x, 1}, (struct diff_side){y, 2}));
  char **const texts[] = {&b.created, &b.command, &b.device.uuid_hash};
  for (size_t i = 0; i < 3; i++) {
    char *kept = *texts[i];
    *texts[i] = (char *)"other";
    assert_false(diff_same_run((struct diff_side){x, 1}, (struct diff_side){y, 1}));
    *texts[i] = NULL;
    assert_false(diff_same_run((struct diff_side){y, 1}, (struct diff_side){y, 1})); /* it does not say */
    *texts[i] = kept;
  }
  /* Imports tell no time of their making: every sample does. */
  double one[] = {1, 2}, two[] = {1, 3};
  struct run_result r = {.timing = {.samples_ns = one, .n = 2}}, s = {.timing = {.samples_ns = one, .n = 2}};
  a = (struct run){.results = &r, .n_results = 1};
  b = (struct run){.results = &s, .n_results = 1};
  assert_true(diff_same_run((struct diff_side){x, 1}, (struct diff_side){y, 1}));
  s.timing.samples_ns = two;
  assert_false(diff_same_run((struct diff_side){x, 1}, (struct diff_side){y, 1}));
  r.timing.n = s.timing.n = 0;
  assert_false(diff_same_run((struct diff_side){x, 1}, (struct diff_side){y, 1}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slow_down_is_one_where_the_code_changed),
      cmocka_unit_test(a_launch_is_part_of_the_code),
      cmocka_unit_test(a_common_shift_is_told_once),
      cmocka_unit_test(added_removed_renamed_and_broken),
      cmocka_unit_test(metrics_have_a_tolerance),
      cmocka_unit_test(three_runs_a_side_tell_of_the_same_code),
      cmocka_unit_test(the_worst_run_decides_and_metrics_are_means),
      cmocka_unit_test(the_same_code_within_the_margin_is_the_same),
      cmocka_unit_test(checks_of_both_sides_decide),
      cmocka_unit_test(what_has_no_time_says_on_which_side),
      cmocka_unit_test(a_selection_counts_by_either_name),
      cmocka_unit_test(every_condition_is_told),
      cmocka_unit_test(what_runs_of_a_side_say_is_told_once),
      cmocka_unit_test(the_clock_is_a_median_of_both),
      cmocka_unit_test(a_run_is_itself_by_time_command_and_card),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
