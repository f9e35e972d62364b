/* The answer's facts, of runs made by hand. */
#include "analysis/story/answer.h"
#include "analysis/story/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_run.h"

#include <math.h>

static const struct shape ONE = {128, 256, 1}, TWO = {256, 256, 1}, NONE = {0, 0, 0};

struct answered {
  struct made_run m;
  struct findings findings;
  struct answer answer;
};

static bool near(double x, double wanted) {
  return fabs(x / wanted - 1) < 1e-9;
}

static struct run_result *timed(struct made_run *m, const char *id, struct shape s, double time_us) {
  struct run_result *r = made_result(m, id, s);

  r->bytes_minimal = 10e6;
  made_time(r, time_us * 1e3, 5);
  return r;
}

/* Shared memory takes the time, and a quarter of its cycles repeat an access. */
static void conflicts(struct run_result *r) {
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "sm_cycles_active", 1e6);
  made_metric(r, "warps_active", 32e6);
  made_metric(r, "l1_wavefronts", 1e6);
  made_metric(r, "shared_wavefronts", 0.25e6);
  made_metric(r, "shared_bank_conflicts", 0.25e6);
}

/* Two ladders: a0, a1 (a side step), b0 (wrong at TWO), b1, a tie with a1; their control; a rung that must be refused and is not. */
static void begin(struct answered *x) {
  struct made_run *m = &x->m;

  made_begin(m);
  m->device.sms = 10;
  made_ceiling(m, "dram_bw", 1e12, CEILING_DATASHEET);
  made_variant(m, "a0", "a", NULL);
  made_variant(m, "a1", "a", "a0")->side = true;
  made_variant(m, "b0", "b", NULL);
  made_variant(m, "b1", "b", "gone");
  made_variant(m, "control-read", "control", NULL);
  made_variant(m, "w", "wrong", NULL)->wrong = true;
  timed(m, "a0", ONE, 100);
  timed(m, "a0", TWO, 400);
  timed(m, "a1", ONE, 40);
  timed(m, "a1", TWO, 160);
  timed(m, "b0", ONE, 30);
  timed(m, "b0", TWO, 30)->check.verdict = VERDICT_WRONG;
  timed(m, "b1", ONE, 40.01);
  timed(m, "b1", TWO, 160.01);
  timed(m, "control-read", ONE, 20);
  timed(m, "control-read", TWO, 80);
  made_result(m, "w", ONE)->check.verdict = VERDICT_PASS;
}

static void answer(struct answered *x, const bool *keep) {
  struct err e = {0};

  assert_int_equal(findings_make(&x->findings, &x->m.run, &x->m.device, &e), 0);
  answer_make(&x->answer, &x->findings, keep);
}

static void end(struct answered *x) {
  answer_release(&x->answer);
  findings_release(&x->findings);
}

static void few_variants_have_a_row_each(void **state) {
  struct answered x = {0};
  const struct answer *a = &x.answer;

  (void)state;
  begin(&x);
  answer(&x, NULL);
  assert_true(a->rivals && !a->per_ladder && !a->only);
  assert_int_equal(a->n_variants, 3); /* b0 has no time at TWO */
  assert_int_equal(a->n_rows, 3);
  assert_string_equal(a->rows[0].variant->id, "a1");
  assert_string_equal(a->rows[1].variant->id, "b1");
  assert_string_equal(a->rows[2].variant->id, "a0");
  assert_true(near(a->best->time_s.v, 80e-6)); /* sqrt(40 * 160) */
  assert_true(near(a->best->of_sol.v, 0.125)); /* 10 µs: sqrt(10/40 * 10/160) */
  assert_true(near(a->best->of_read.v, 0.5));
  /* Half a tick of 32 ns: 4e-4 of 40 µs and 1e-4 of 160 µs. */
  assert_true(near(a->best->half.v, sqrt(16e-8 + 1e-8) / 2));
  end(&x);
}

static void intervals_that_overlap_are_a_tie(void **state) {
  struct answered x = {0};
  const struct answer *a = &x.answer;

  (void)state;
  begin(&x);
  answer(&x, NULL);
  assert_false(a->rows[0].tied);
  assert_true(a->rows[1].tied); /* 40.01 ± 0.016 and 40 ± 0.016 µs */
  assert_false(a->rows[2].tied);
  assert_int_equal(a->n_ties, 1);
  assert_string_equal(a->ties[0]->id, "b1");
  end(&x);
}

static void what_must_not_be_missed(void **state) {
  struct answered x = {0};
  const struct answer *a = &x.answer;

  (void)state;
  begin(&x);
  answer(&x, NULL);
  assert_int_equal(a->n_troubles, 2);
  assert_string_equal(a->troubles[0].finding->variant->id, "b0");
  assert_int_equal(a->troubles[0].shapes, 1);
  assert_string_equal(a->troubles[1].finding->variant->id, "w"); /* the check let it pass */
  end(&x);
  for (size_t i = 0; i < x.m.run.n_results; i++) /* a control that this chip cannot run is missed as any other */
    if (strcmp(x.m.run.variants[x.m.run.results[i].variant].id, "control-read") == 0)
      x.m.run.results[i].check.verdict = VERDICT_SKIPPED;
  answer(&x, NULL);
  assert_int_equal(a->n_troubles, 3);
  assert_string_equal(a->troubles[1].finding->variant->id, "control-read");
  assert_int_equal(a->troubles[1].shapes, 2);
  end(&x);
  answer(&x, (const bool[MADE_VARIANTS]){true, true});
  assert_int_equal(a->n_troubles, 1); /* it was not asked about */
  end(&x);
}

/* Counters at ONE alone: what is advised there is the answer. */
static void the_advice_that_saves_the_largest_part(void **state) {
  struct answered x = {0};
  const struct answer *a = &x.answer;

  (void)state;
  made_begin(&x.m);
  x.m.device.sms = 10;
  made_ceiling(&x.m, "dram_bw", 1e12, CEILING_MEASURED);
  made_variant(&x.m, "a", "l", NULL);
  conflicts(timed(&x.m, "a", ONE, 100));
  timed(&x.m, "a", TWO, 200);
  answer(&x, NULL);
  assert_int_equal(a->n_diagnoses, 2);
  assert_non_null(a->first);
  assert_string_equal(a->first->items[0].rule->name, "bank-conflicts");
  assert_ptr_equal(a->first->finding, &x.findings.items[0]);
  assert_true(near(a->first_share, a->first->items[0].price.saves_s / 100e-6) && a->first_share > 0.02);
  end(&x);
}

/* A read of the same bytes leaves 7 % of the time, or 4 %, which is less than the model errs by. */
static void at_the_time_of_a_read_nothing_is_advised(void **state) {
  (void)state;
  for (int close = 0; close < 2; close++) {
    struct answered x = {0};
    made_begin(&x.m);
    x.m.device.sms = 10;
    made_ceiling(&x.m, "dram_bw", 1e12, CEILING_MEASURED);
    made_variant(&x.m, "a", "l", NULL);
    made_variant(&x.m, "control-read", "control", NULL);
    conflicts(timed(&x.m, "a", ONE, 100));
    timed(&x.m, "control-read", ONE, close ? 96 : 93);
    answer(&x, NULL);
    assert_int_equal(x.answer.at_read, close);
    assert_int_equal(x.answer.first == NULL, close);
    end(&x);
  }
}

static void many_variants_have_a_row_a_ladder(void **state) {
  static const char *const more[] = {"a2", "a3", "a4", "a5", "a6", "b2", "b3", "b4", "b5"};
  struct answered x = {0};
  const struct answer *a = &x.answer;

  (void)state;
  begin(&x);
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    made_variant(&x.m, more[i], more[i][0] == 'a' ? "a" : "b", NULL);
    timed(&x.m, more[i], ONE, 500);
  }
  answer(&x, NULL); /* 13 are asked for; those without a time at TWO have no mean */
  assert_true(a->per_ladder);
  assert_int_equal(a->n_rows, 2);
  assert_string_equal(a->rows[0].variant->id, "a1");
  assert_string_equal(a->rows[1].variant->id, "b1");
  end(&x);
}

static void one_variant_has_a_row_a_shape_and_a_step(void **state) {
  const bool a1[MADE_VARIANTS] = {[1] = true}, b1[MADE_VARIANTS] = {[3] = true}, read[MADE_VARIANTS] = {[4] = true};
  struct answered x = {0};
  const struct answer *a = &x.answer;

  (void)state;
  begin(&x);
  answer(&x, a1);
  assert_string_equal(a->only->id, "a1");
  assert_int_equal(a->n_rows, 2);
  assert_true(near(a->rows[0].time_s.v, 40e-6) && near(a->rows[1].time_s.v, 160e-6));
  assert_true(near(a->best->time_s.v, 80e-6));
  assert_null(a->untold);
  assert_int_equal(a->step.n, 2);
  assert_true(near(a->step.at[0].ratio.v, 0.4) && near(a->step.at[1].ratio.v, 0.4)); /* 40/100, 160/400 */
  end(&x);
  answer(&x, b1);
  assert_string_equal(a->untold, "was not measured in this run");
  end(&x);
  answer(&x, read); /* a control, where nothing else is asked for */
  assert_string_equal(a->only->id, "control-read");
  end(&x);
}

static void kernels_of_a_program_stand_by_their_time(void **state) {
  struct answered x = {0};
  const struct answer *a = &x.answer;

  (void)state;
  made_begin(&x.m);
  made_variant(&x.m, "short", NULL, NULL);
  made_variant(&x.m, "long", NULL, NULL);
  timed(&x.m, "short", NONE, 10);
  timed(&x.m, "long", NONE, 30);
  answer(&x, NULL);
  assert_false(a->rivals);
  assert_string_equal(a->best->variant->id, "long");
  assert_string_equal(a->rows[1].variant->id, "short");
  assert_int_equal(a->n_ties, 0);
  assert_null(a->first);
  assert_non_null(a->no_advice); /* no counters */
  end(&x);
}

static void program_kernel(struct made_run *m, const char *id, double time_us, struct run_key *keys, size_t n) {
  struct run_variant *v = made_variant(m, id, NULL, NULL);
  v->keys = keys;
  v->n_keys = n;
  timed(m, id, NONE, time_us);
}

/* "often" is 10 us of 100 launches, 1 ms of 4 in all; "slow" has 500 us in one, and does not say its share. */
static void kernels_that_attach_saw_stand_by_the_time_of_all_launches(void **state) {
  static struct run_key slow[] = {{(char *)"launches", (char *)"1"}, {(char *)"gpu_time_ns", (char *)"500000"}},
                        often[] = {{(char *)"gpu_time_share", (char *)"0.25"},
                                   {(char *)"launches", (char *)"100"},
                                   {(char *)"gpu_time_ns", (char *)"1e6"}};
  struct answered x = {0};
  const struct answer *a = &x.answer;

  (void)state;
  made_begin(&x.m);
  program_kernel(&x.m, "slow", 500, slow, 2);
  program_kernel(&x.m, "often", 10, often, 3);
  answer(&x, NULL);
  assert_true(a->program);
  assert_string_equal(program_longest(&x.m.run), "often");
  assert_string_equal(a->rows[0].variant->id, "often");
  assert_true(a->rows[0].calls == 100 && near(a->rows[0].total_s, 1e-3) && near(a->rows[0].share.v, 0.25));
  assert_string_equal(a->rows[1].variant->id, "slow");
  assert_true(a->rows[1].calls == 1 && near(a->rows[1].total_s, 0.5e-3) && !a->rows[1].share.present);
  end(&x);
}

/* "long" takes 60 % of the program and no advice is known for it; of 25 % and 15 % bank conflicts take the same part, so that the larger is to begin with. */
static void the_kernel_that_spares_the_program_most(void **state) {
  static struct run_key keys[3][3];
  static const char *const ids[] = {"long", "less", "more"}, *const shares[] = {"0.60", "0.15", "0.25"},
                           *const ns[] = {"600000", "150000", "250000"};
  struct answered x = {0};
  const struct answer *a = &x.answer;

  (void)state;
  for (int counted = 0; counted < 2; counted++) {
    made_begin(&x.m);
    x.m.device.sms = 10;
    made_ceiling(&x.m, "dram_bw", 1e12, CEILING_DATASHEET);
    for (size_t i = 0; i < 3; i++) {
      keys[i][0] = (struct run_key){(char *)"launches", (char *)"1"};
      keys[i][1] = (struct run_key){(char *)"gpu_time_ns", (char *)ns[i]};
      keys[i][2] = (struct run_key){(char *)"gpu_time_share", (char *)shares[i]};
      program_kernel(&x.m, ids[i], 100, keys[i], 3);
      if (i && counted)
        conflicts(&x.m.results[i]);
    }
    answer(&x, NULL);
    assert_string_equal(a->best->variant->id, "long");
    if (counted) {
      const struct advice *first = &a->gain.diagnosis.items[0];
      assert_string_equal(a->gain.row->variant->id, "more");
      assert_string_equal(first->rule->name, "bank-conflicts");
      assert_true(near(a->gain.share, first->price.saves_s / 100e-6));
      assert_true(near(a->gain.of_program, 0.25 * a->gain.share));
    } else {
      assert_null(a->gain.row);
    }
    end(&x);
  }
}

/* The order to work in: of 25, 15 and 20 % the same part may be saved, of the last from nothing up to so much, which counts half; "long" has no advice,
 * and the last does not say its share. */
static void the_order_of_gains(void **state) {
  static struct run_key keys[5][3];
  static const char *const ids[] = {"long", "less", "more", "unsure", "untold"}, *const shares[] = {"0.40", "0.15",
                                                                                                    "0.25", "0.20",
                                                                                                    "?"};
  struct answered x = {0};
  struct diagnoses d;
  struct gains g;

  (void)state;
  made_begin(&x.m);
  x.m.device.sms = 10;
  made_ceiling(&x.m, "dram_bw", 1e12, CEILING_DATASHEET);
  for (size_t i = 0; i < 5; i++) {
    keys[i][0] = (struct run_key){(char *)"launches", (char *)"1"};
    keys[i][1] = (struct run_key){(char *)"gpu_time_ns", (char *)"250000"};
    keys[i][2] = (struct run_key){(char *)"gpu_time_share", (char *)shares[i]};
    program_kernel(&x.m, ids[i], 200, keys[i], 3);
    if (i)
      conflicts(&x.m.results[i]);
  }
  made_absent(&x.m.results[3], "dram_read_bytes", "its counters need 13 passes");
  answer(&x, NULL);
  diagnoses_make(&d, &x.findings);
  gains_make(&g, &d);
  assert_int_equal(g.n, 3);
  assert_string_equal(g.items[0].at->variant->id, "more");
  assert_string_equal(g.items[1].at->variant->id, "less");
  assert_string_equal(g.items[2].at->variant->id, "unsure");
  for (size_t i = 0; i < 3; i++) {
    const struct gain *one = &g.items[i];
    assert_string_equal(one->first->rule->name, "bank-conflicts");
    assert_true(one->first->price.up_to == (i == 2));
    assert_true(near(one->share, one->first->price.saves_s / 200e-6));
    assert_true(one->share > 0);
  }
  assert_true(near(g.items[0].of_program, 0.25 * g.items[0].share));
  assert_true(near(g.items[2].of_program, 0.20 * g.items[2].share));
  assert_true(g.items[2].first->price.low_s == 0);
  assert_true(g.items[2].first->price.high_s == g.items[2].first->price.saves_s);
  assert_true(g.items[0].first->price.low_s > 0);
  gains_release(&g);
  diagnoses_release(&d);
  end(&x);
}

static void what_is_no_programs_kernel(void **state) {
  static const struct {
    const char *launches, *time;
    bool is;
  } rows[] = {{"3", "1000", true}, {"3", NULL, false},    {NULL, "1000", false}, {"3x", "1000", false},
              {"3", "", false},    {"-1", "1000", false}, {"3", "inf", false},   {"0", "0", true}};

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct run_key keys[2];
    struct run_variant v = {.keys = keys};
    struct program_kernel k;

    if (rows[i].launches)
      keys[v.n_keys++] = (struct run_key){(char *)"launches", (char *)rows[i].launches};
    if (rows[i].time)
      keys[v.n_keys++] = (struct run_key){(char *)"gpu_time_ns", (char *)rows[i].time};
    if (program_kernel_of(&v, &k) != rows[i].is ||
        program_is(&(struct run){.variants = &v, .n_variants = 1}) != rows[i].is)
      fail_msg("row %zu", i);
  }
  assert_false(program_is(&(struct run){0}));
}

/* The bound of a row over shapes: the mean of what each shape's model says; unknown where one does not say. */
static void what_binds_over_the_shapes(void **state) {
  struct answered x = {0};
  double share = 0, explained = 0;

  (void)state;
  made_begin(&x.m);
  x.m.device.sms = 10;
  made_ceiling(&x.m, "dram_bw", 1e12, CEILING_MEASURED);
  made_variant(&x.m, "a", "l", NULL);
  made_variant(&x.m, "b", "l", "a");
  conflicts(timed(&x.m, "a", ONE, 100));
  conflicts(timed(&x.m, "a", TWO, 200));
  conflicts(timed(&x.m, "b", ONE, 110));
  timed(&x.m, "b", TWO, 210);
  answer(&x, NULL);
  for (size_t i = 0; i < 2; i++) {
    share += x.findings.items[i].bounds.seconds[BOUND_L1].v / x.findings.items[i].time.middle / 2;
    explained += x.findings.items[i].bounds.explained.v / 2;
  }
  assert_int_equal(x.answer.rows[0].binding, BOUND_L1);
  assert_true(near(x.answer.rows[0].bound_share, share) && share > 0.5);
  assert_true(near(x.answer.rows[0].explained.v, explained));
  assert_string_equal(x.answer.rows[1].variant->id, "b");
  assert_int_equal(x.answer.rows[1].binding, BOUND_KINDS);
  assert_false(x.answer.rows[1].explained.present);
  assert_string_equal(x.answer.rows[1].explained.reason, "what binds is unknown");
  end(&x);
}

static void nothing_was_timed(void **state) {
  struct answered x = {0};

  (void)state;
  made_begin(&x.m);
  made_variant(&x.m, "a", "l", NULL);
  made_variant(&x.m, "b", "l", "a");
  made_result(&x.m, "a", ONE);
  made_result(&x.m, "b", ONE);
  answer(&x, NULL);
  assert_null(x.answer.best);
  assert_int_equal(x.answer.n_rows, 0);
  assert_int_equal(x.answer.n_troubles, 2);
  end(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_that_attach_saw_stand_by_the_time_of_all_launches),
      cmocka_unit_test(the_kernel_that_spares_the_program_most),
      cmocka_unit_test(the_order_of_gains),
      cmocka_unit_test(what_is_no_programs_kernel),
      cmocka_unit_test(what_binds_over_the_shapes),
      cmocka_unit_test(few_variants_have_a_row_each),
      cmocka_unit_test(intervals_that_overlap_are_a_tie),
      cmocka_unit_test(what_must_not_be_missed),
      cmocka_unit_test(the_advice_that_saves_the_largest_part),
      cmocka_unit_test(at_the_time_of_a_read_nothing_is_advised),
      cmocka_unit_test(many_variants_have_a_row_a_ladder),
      cmocka_unit_test(one_variant_has_a_row_a_shape_and_a_step),
      cmocka_unit_test(kernels_of_a_program_stand_by_their_time),
      cmocka_unit_test(nothing_was_timed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
