/* What rules share: numbers as words, evidence, work that remedies leave. */
#include "analysis/rules/rule_tools.h"
#include "unit/judged.h"

#include "analysis/rules/saving.h"

static void counts_as_words(void **state) {
  (void)state;
  static const struct {
    double count;
    const char *words;
  } rows[] = {{0, "0"},
              {97200, "97200"},
              {999999.4, "999999"},
              {999999.6, "1.00 million"},
              {6.331e6, "6.33 million"},
              {9.994e6, "9.99 million"},
              {9.996e6, "10.0 million"},
              {99.94e6, "99.9 million"},
              {99.96e6, "100 million"},
              {1234e6, "1234 million"}};
  struct pool pool = {0};
  const struct rule_input in = {.pool = &pool};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_string_equal(count_words(&in, rows[i].count), rows[i].words);
  pool_release(&pool);
}

static void counts_of_two_digits(void **state) {
  (void)state;
  assert_float_equal(two_digits(0), 0, 0);
  assert_float_equal(two_digits(97), 97, 0);
  assert_float_equal(two_digits(138), 140, 0);
  assert_float_equal(two_digits(819289), 820000, 0);
}

static void places_as_words(void **state) {
  (void)state;
  struct pool pool = {0};
  struct run_source sources[] = {{(char *)"gemv.cu", (char *)""}, {(char *)"/home/me/src/sum.cu", (char *)""}};
  struct run run = {.sources = sources, .n_sources = 2};
  struct hot hot = {.run = &run};
  const struct rule_input in = {.pool = &pool, .hot = &hot};
  assert_string_equal(line_words(&in, 0, 12), "gemv.cu:12");
  assert_string_equal(line_words(&in, 1, 7), "sum.cu:7");
  assert_string_equal(line_words(&in, -1, 7), "7 of an unnamed file");
  pool_release(&pool);
}

static void never_below_nothing(void **state) {
  (void)state;
  struct value v = value_of(3);
  value_lessen(&v, 1);
  assert_float_equal(v.v, 2, 0);
  value_lessen(&v, 5);
  assert_float_equal(v.v, 0, 0);
}

/* A quarter of 1000 instructions goes, and with it what a warp waits for its own results; 40 of these 100 us are for local memory, and stay. */
static void fewer_instructions(void **state) {
  (void)state;
  char text[TEXT_MAX];
  struct workload w = round_work();
  struct rule_input in = {.waits = {.local_s = 40e-6}};
  work_fewer_insts(&in, &w, 250);
  work_text(text, &w);
  assert_string_equal(text, "inst 750, own_issue_s 75, dependencies_s 85");
  in.waits.local_s = 150e-6; /* more than all */
  w = round_work();
  work_fewer_insts(&in, &w, 250);
  work_text(text, &w);
  assert_string_equal(text, "inst 750, own_issue_s 75");
  in.waits.local_s = 0;
  w = round_work();
  w.dependencies_s = value_absent("not counted");
  work_fewer_insts(&in, &w, 250);
  assert_false(w.dependencies_s.present);
  w = round_work();
  work_fewer_warp_insts(&in, &w, 0.25);
  work_text(text, &w);
  assert_string_equal(
      text, "inst 750, alu 750, fma 750, fma_heavy 750, lsu 750, xu 750, tensor 750, fp64 750, adu 750, tex 750, "
            "own_issue_s 75, dependencies_s 75");
}

/* 10 SMs hold 100 blocks each: a wave is 1000. */
static void fewer_blocks(void **state) {
  (void)state;
  static const struct {
    double blocks, by, left;
  } rows[] = {{4000, 2, 2000}, {4000, 4, 1000}, {4000, 8, 1000}, {1001, 2, 1000}, {1000, 2, 1000}, {500, 2, 500}};
  struct device device = {.sms = 10};
  struct findings all = {.device = &device};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct rule_input in = {.all = &all, .work = {.blocks_per_sm = value_of(100)}};
    struct workload w = round_work();
    w.blocks = value_of(rows[i].blocks);
    work_fewer_blocks(&in, &w, rows[i].by);
    assert_float_equal(w.blocks.v, rows[i].left, 1e-9);
    assert_float_equal(w.empty_s.v, 100e-6 * rows[i].left / rows[i].blocks, 1e-12);
    in.work.blocks_per_sm = value_absent("not known");
    w.blocks = value_of(rows[i].blocks);
    work_fewer_blocks(&in, &w, rows[i].by);
    assert_float_equal(w.blocks.v, rows[i].blocks, 0);
  }
}

static void more_warps(void **state) {
  (void)state;
  char text[TEXT_MAX];
  struct workload w = round_work();
  work_more_warps(&w, 4);
  work_text(text, &w);
  assert_string_equal(text, "loads_s 25, own_issue_s 25, dependencies_s 25, warps 4000");
}

static void evidence_that_is_there(void **state) {
  (void)state;
  struct run_metric metrics[] = {{.name = (char *)"inst_executed", .unit = (char *)"inst", .present = true, .value = 7},
                                 {.name = (char *)"pipe_xu", .unit = (char *)"inst"}};
  struct run_result r = {.metrics = metrics, .n_metrics = 2};
  struct finding f = {.result = &r};
  const struct rule_input in = {.f = &f, .time_s = 2};
  struct told a = {0};
  evidence_metric(&a, &in, "inst_executed");
  evidence_metric(&a, &in, "pipe_xu");
  evidence_metric(&a, &in, "pipe_alu");
  evidence_add(&a, "nothing", "inst", value_absent("not counted"));
  assert_int_equal(a.n_evidence, 1);
  assert_string_equal(a.evidence[0].title, "inst_executed");
  assert_float_equal(a.evidence[0].value.v, 7, 0);
  for (size_t i = 1; i < EVIDENCE_MAX + 3; i++)
    evidence_add(&a, "more", "inst", value_of(1));
  assert_int_equal(a.n_evidence, EVIDENCE_MAX);
  /* of half a second in two, or in the whole that the bounds are of */
  a.n_evidence = 0;
  evidence_needs(&a, &in, "needs", BOUND_DRAM);
  assert_int_equal(a.n_evidence, 0);
  f.bounds.seconds[BOUND_DRAM] = value_of(0.5);
  evidence_needs(&a, &in, "needs", BOUND_DRAM);
  assert_float_equal(a.evidence[0].value.v, 0.25, 0);
  f.bounds.whole = value_of(1);
  assert_float_equal(bound_needs(&in, BOUND_DRAM), 0.5, 0);
  assert_float_equal(bound_needs(&in, BOUND_L2), 0, 0);
}

/* Without work nothing is modelled, so that no change of it saves anything. */
static void savings_of_nothing(void **state) {
  (void)state;
  static struct judged j;
  judged_make(&j, &(struct judged_case){.set = {{"dram_read_bytes", 8e7}, {"dram_write_bytes", 0}}}, NULL);
  struct workload half = j.in.work;
  half.dram_read.v /= 2;
  assert_true(saving_of(&j.in, &half) > 0);
  j.in.work = (struct workload){0};
  assert_float_equal(saving_of(&j.in, &half), 0, 0);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_as_words),    cmocka_unit_test(counts_of_two_digits),
      cmocka_unit_test(places_as_words),    cmocka_unit_test(never_below_nothing),
      cmocka_unit_test(fewer_instructions), cmocka_unit_test(fewer_blocks),
      cmocka_unit_test(more_warps),         cmocka_unit_test(evidence_that_is_there),
      cmocka_unit_test(savings_of_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
