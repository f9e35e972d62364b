/* The climb over all shapes, two runs side by side, the spread of samples, and the diff of two rungs' code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/pair.h"
#include "analysis/ladder/climb.h"
#include "analysis/ladder/code_diff.h"
#include "unit/made_run.h"

#include <stdlib.h>

static const struct shape first = {128, 256, 1}, second = {256, 256, 2};

static void timed(struct made_run *m, const char *id, double first_ns, double second_ns) {
  for (int i = 0; i < 2; i++) {
    struct run_result *r = made_result(m, id, i ? second : first);

    r->bytes_minimal = 1000;
    made_time(r, i ? second_ns : first_ns, 8);
  }
}

/* foot -> a -> {b, c, d}, the ladder's times at both shapes chosen so that means are whole: sqrt(first x second). */
static void made(struct made_run *m) {
  made_begin(m);
  made_variant(m, "x-foot", "x", NULL);
  made_variant(m, "x-a", "x", "x-foot");
  made_variant(m, "x-b", "x", "x-a");
  made_variant(m, "x-c", "x", "x-a");
  made_variant(m, "x-d", "x", "x-a");
  made_variant(m, "x-e", "x", "x-a");
  made_variant(m, "control-read", "control", NULL);
  timed(m, "x-foot", 100e3, 400e3);                /* 200 µs */
  timed(m, "x-a", 10e3, 40e3);                     /* 20 µs */
  timed(m, "x-b", 20e3, 80e3);                     /* 40 µs: slower at both */
  timed(m, "x-c", 10e3, 40e3 + 10);                /* 10 ns apart, under the clock's tick: no change */
  timed(m, "x-d", 5e3, 80e3);                      /* faster, slower */
  made_time(made_result(m, "x-e", first), 1e3, 8); /* one shape only */
  timed(m, "control-read", 5e3, 20e3);             /* 10 µs */
}

static void climb(const struct findings *f, const char *id, struct climb *c) {
  climb_of(c, f, run_variant_find(f->run, id));
}

static void climbs_are_means_over_shapes(void **state) {
  struct made_run m;
  struct findings f;
  struct climb c;

  (void)state;
  made(&m);
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  climb(&f, "x-a", &c);
  assert_float_equal(c.time_s.v, 20e-6, 1e-12);
  assert_float_equal(c.over_parent.v, 10, 1e-9); /* 200 / 20 */
  assert_float_equal(c.of_read.v, 0.5, 1e-9);    /* 10 / 20 */
  assert_int_equal(c.outcome, CLIMB_FASTER);
  assert_false(c.of_sol.present); /* no bandwidth */
  climb(&f, "x-b", &c);
  assert_float_equal(c.over_parent.v, 0.5, 1e-9); /* 20 / 40 */
  assert_int_equal(c.outcome, CLIMB_SLOWER);
  climb(&f, "x-c", &c);
  assert_int_equal(c.outcome, CLIMB_SAME);
  climb(&f, "x-d", &c);
  assert_int_equal(c.outcome, CLIMB_MIXED);
  climb(&f, "x-foot", &c);
  assert_int_equal(c.outcome, CLIMB_UNKNOWN);
  assert_string_equal(c.over_parent.reason, "it has no parent");
  climb(&f, "x-e", &c);
  assert_false(c.time_s.present || c.over_parent.present);
  assert_int_equal(c.outcome, CLIMB_FASTER); /* where it ran */
  assert_string_equal(climb_outcome_name(CLIMB_SLOWER), "slower");
  findings_release(&f);
}

static void the_headline_is_the_fastest_rung(void **state) {
  struct made_run m;
  struct findings f;
  struct headline h;

  (void)state;
  made(&m);
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  headline_of(&h, &f);
  assert_string_equal(h.best->id, "x-a"); /* x-c is 5 ps slower in the mean; x-e and the control take no part */
  assert_string_equal(h.from->id, "x-foot");
  assert_float_equal(h.of_read.v, 0.5, 1e-9);
  findings_release(&f);
}

/* Kernels of a program do different work: the longest is what matters, and nothing climbed. */
static void without_a_problem_the_headline_is_the_longest_kernel(void **state) {
  static const struct shape none = {0};
  struct made_run m;
  struct findings f;
  struct headline h;

  (void)state;
  made_begin(&m);
  for (int i = 0; i < 3; i++) {
    static const char *const ids[] = {"a", "b", "c"};
    static const double ns[] = {5e3, 8e3, 2e3};

    made_variant(&m, ids[i], "attach", NULL);
    made_time(made_result(&m, ids[i], none), ns[i], 8);
  }
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_false(headline_of_rivals(&f));
  assert_false(climb_has_steps(&f, NULL) || climb_has_steps(&f, "attach"));
  headline_of(&h, &f);
  assert_string_equal(h.best->id, "b");
  assert_float_equal(h.best_s.v, 8e-6, 1e-12);
  assert_null(h.from);
  findings_release(&f);
}

/* Of 1000 bytes and of 2000: the best of each ladder is asked for its time, and the longest of these is the headline; nothing climbed. */
static void the_headline_of_several_problems_is_the_longest_of_the_best(void **state) {
  static const bool of_x[MADE_VARIANTS] = {true, true};
  struct made_run m;
  struct findings f;
  struct headline h;

  (void)state;
  made_begin(&m);
  made_variant(&m, "x-foot", "x", NULL);
  made_variant(&m, "x-a", "x", "x-foot");
  made_variant(&m, "y-foot", "y", NULL);
  made_variant(&m, "y-a", "y", "y-foot");
  timed(&m, "x-foot", 90e3, 90e3);
  timed(&m, "x-a", 10e3, 10e3);
  timed(&m, "y-foot", 40e3, 40e3);
  timed(&m, "y-a", 20e3, 20e3);
  for (size_t i = 4; i < 8; i++)
    m.run.results[i].bytes_minimal = 2000;
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_true(headline_of_rivals(&f));
  assert_false(headline_of_one_problem(&f, NULL));
  assert_true(headline_of_one_problem(&f, of_x));
  headline_of(&h, &f);
  assert_string_equal(h.best->id, "y-a");
  assert_null(h.from);
  findings_release(&f);
  m.run.results[2].bytes_minimal = m.run.results[3].bytes_minimal = 2000; /* of x: variants of one ladder are rivals */
  m.run.n_results = 4;
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_true(headline_of_one_problem(&f, NULL));
  findings_release(&f);
}

/* A step on one ladder makes no other a climb. */
static void a_ladder_climbs_where_a_rung_names_its_parent(void **state) {
  struct made_run m;
  struct findings f;

  (void)state;
  made_begin(&m);
  made_variant(&m, "x-a", "x", NULL);
  made_variant(&m, "x-b", "x", "x-a");
  made_variant(&m, "mine", "own", NULL);
  made_variant(&m, "late", "y", "not-in-the-run");
  for (size_t i = 0; i < m.run.n_variants; i++)
    timed(&m, m.run.variants[i].id, 20e3, 20e3);
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_true(climb_has_steps(&f, "x") && climb_has_steps(&f, "y") && climb_has_steps(&f, NULL));
  assert_false(climb_has_steps(&f, "own") || climb_has_steps(&f, "nowhere"));
  findings_release(&f);
}

/* Variants that name no parent are alternatives, and the first of the file is no foot. */
static void without_steps_nothing_climbed(void **state) {
  struct made_run m;
  struct findings f;
  struct headline h;

  (void)state;
  made_begin(&m);
  made_variant(&m, "x-a", "x", NULL);
  made_variant(&m, "x-b", "x", NULL);
  timed(&m, "x-a", 20e3, 20e3);
  timed(&m, "x-b", 10e3, 10e3);
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_true(headline_of_rivals(&f));
  headline_of(&h, &f);
  assert_string_equal(h.best->id, "x-b");
  assert_null(h.from);
  findings_release(&f);
}

static void without_times_there_is_no_headline(void **state) {
  struct made_run m;
  struct findings f;
  struct headline h;

  (void)state;
  made_begin(&m);
  made_variant(&m, "x-a", "x", NULL);
  made_result(&m, "x-a", first)->timing.reason = (char *)"it hung";
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  headline_of(&h, &f);
  assert_null(h.best);
  assert_null(h.from);
  assert_false(h.best_s.present);
  findings_release(&f);
}

static bool of_variant(const struct pair_row *r, const char *variant) {
  return strcmp(r->variant, variant) == 0;
}

static struct pair_sum sum_of(const struct pair *p, const char *variant) {
  return pair_sum_of(p, of_variant, variant);
}

static void two_runs_side_by_side(void **state) {
  static struct made_run a, b;
  struct findings fa, fb;
  struct pair p;

  (void)state;
  made(&a);
  made_begin(&b);
  made_variant(&b, "x-a", "x", NULL);
  made_variant(&b, "y-new", "y", NULL);
  timed(&b, "x-a", 20e3, 40e3); /* twice as slow, then the same */
  timed(&b, "y-new", 1e3, 1e3);
  assert_int_equal(findings_make(&fa, &a.run, &a.device, NULL), 0);
  assert_int_equal(findings_make(&fb, &b.run, &b.device, NULL), 0);
  pair_make(&p, &fa, &fb);
  /* At the first shape A's 7 variants and B's new one; at the second no x-e. */
  assert_int_equal(p.n, 8 + 7);
  assert_string_equal(p.rows[1].variant, "x-a");
  assert_float_equal(p.rows[1].ratio.v, 2, 1e-9);
  assert_false(p.rows[1].same);
  assert_string_equal(p.rows[7].variant, "y-new");
  assert_null(p.rows[7].a);
  assert_false(p.rows[7].ratio.present);
  assert_string_equal(p.rows[7].ratio.reason, "one run does not hold it");
  assert_true(p.rows[9].same);
  assert_float_equal(sum_of(&p, "x-a").mean.v, 1.41421356, 1e-6); /* sqrt(2 x 1) */
  assert_false(sum_of(&p, "y-new").mean.present);
  assert_int_equal(sum_of(&p, "x-a").slower, 1); /* at one shape */
  assert_int_equal(sum_of(&p, "y-new").n, 0);
  pair_release(&p);
  findings_release(&fa);
  findings_release(&fb);
}

static void a_pair_leaves_out_what_must_be_refused(void **state) {
  static struct made_run a, b;
  static const struct shape third = {512, 256, 1};
  struct findings fa, fb;
  struct pair p;

  (void)state;
  made_begin(&a);
  made_begin(&b);
  made_variant(&a, "x-a", "x", NULL);
  made_variant(&a, "x-wrong", "x", NULL)->wrong = true;
  made_variant(&b, "x-a", "x", NULL);
  made_variant(&b, "y-wrong", "y", NULL)->wrong = true;
  made_variant(&b, "y-b", "y", NULL);
  made_time(made_result(&a, "x-a", first), 1e3, 8);
  made_time(made_result(&a, "x-wrong", first), 1e3, 8);
  made_result(&a, "x-a", second)->timing.reason = (char *)"it hung";
  made_time(made_result(&b, "x-a", first), 1030, 8); /* 1000 and 1030 ns, each +-16: they overlap */
  made_time(made_result(&b, "y-wrong", first), 1e3, 8);
  made_time(made_result(&b, "x-a", second), 1e3, 8);
  made_time(made_result(&b, "x-a", third), 1e3, 8); /* a shape that A lacks */
  made_time(made_result(&b, "y-b", third), 1e3, 8);
  assert_int_equal(findings_make(&fa, &a.run, &a.device, NULL), 0);
  assert_int_equal(findings_make(&fb, &b.run, &b.device, NULL), 0);
  pair_make(&p, &fa, &fb);
  assert_int_equal(p.n, 4);
  assert_float_equal(p.rows[0].ratio.v, 1.03, 1e-9);
  assert_true(p.rows[0].same);
  assert_string_equal(p.rows[1].ratio.reason, "one run has no time for it");
  assert_int_equal(p.rows[2].shape.m, 512);
  assert_string_equal(p.rows[2].ratio.reason, "one run does not hold it");
  assert_string_equal(p.rows[3].variant, "y-b");
  assert_int_equal(sum_of(&p, "x-a").faster + sum_of(&p, "x-a").slower, 0);
  assert_float_equal(sum_of(&p, "x-a").mean.v, 1.03, 1e-9); /* of the one shape that both timed */
  assert_string_equal(sum_of(&p, "y-b").mean.reason, "no kernel has a time in both runs");
  pair_release(&p);
  assert_null(p.rows);
  findings_release(&fa);
  findings_release(&fb);
}

static void code_without_words_is_compared(void **state) {
  struct run_source sources[] = {
      {(char *)"a.cu", (char *)"//! id: a\n//! note: long words\nint x;\n"},
      {(char *)"b.cu", (char *)"//! id: b\n//! param: N = 4\nint y;\n"},
  };
  struct run_key keys_a[] = {{(char *)"id", (char *)"a"}, {(char *)"note", (char *)"long words"}};
  struct run_key keys_b[] = {{(char *)"id", (char *)"b"}, {(char *)"param", (char *)"N = 4"}};
  struct run_variant a = {.id = (char *)"a", .file = (char *)"a.cu", .keys = keys_a, .n_keys = 2};
  struct run_variant b = {.id = (char *)"b", .file = (char *)"b.cu", .keys = keys_b, .n_keys = 2};
  struct run_variant lost = {.id = (char *)"c", .file = (char *)"c.cu"};
  struct run run = {.sources = sources, .n_sources = 2};
  struct code_diff c;

  (void)state;
  code_diff_make(&c, &run, &a, &b);
  assert_null(c.reason);
  assert_string_equal(c.before, "int x;\n");
  assert_string_equal(c.after, "//! param: N = 4\nint y;\n");
  assert_int_equal(c.diff.removed, 1);
  assert_int_equal(c.diff.added, 2);
  code_diff_release(&c);
  code_diff_make(&c, &run, &a, &lost);
  assert_string_equal(c.reason, "the run does not hold the source of both rungs");
  code_diff_release(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(climbs_are_means_over_shapes),
      cmocka_unit_test(the_headline_is_the_fastest_rung),
      cmocka_unit_test(without_a_problem_the_headline_is_the_longest_kernel),
      cmocka_unit_test(the_headline_of_several_problems_is_the_longest_of_the_best),
      cmocka_unit_test(a_ladder_climbs_where_a_rung_names_its_parent),
      cmocka_unit_test(without_steps_nothing_climbed),
      cmocka_unit_test(without_times_there_is_no_headline),
      cmocka_unit_test(two_runs_side_by_side),
      cmocka_unit_test(a_pair_leaves_out_what_must_be_refused),
      cmocka_unit_test(code_without_words_is_compared),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
