#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/model/findings.h"
#include "unit/assert_value.h"
#include "unit/made_run.h"

#include <math.h>

static const struct shape ONE = {7168, 16384, 1};
static const struct shape TWO = {4096, 7168, 8};

/* Two ladders, the controls and a rung that must be refused.  Times in µs at ONE | TWO:
 *   control-read   10 | 20      control-null 2 | skipped
 *   cuda-0 400 | 900, cuda-1 40 | 90, cuda-1-side 39.99 | failed, cuda-2 20 | 45
 *   cute-1 30 | (not run), parent cuda-1: a foot though it has a parent, which stands on another ladder
 *   wrong-nibbles  samples, and a wrong result */
static void made(struct made_run *m) {
  made_begin(m);
  m->device.sms = 132;
  m->device.warps_per_sm = 64;
  m->device.clock_max_hz = 1.98e9;
  made_ceiling(m, "dram_bw", 4e12, CEILING_MEASURED);
  made_ceiling(m, "dram_bw", 5e12, CEILING_DRIVER);
  made_variant(m, "control-read", "control", NULL);
  made_variant(m, "cuda-0", "cuda", NULL);
  made_variant(m, "cute-1", "cute", "cuda-1");
  made_variant(m, "cuda-1", "cuda", "cuda-0");
  made_variant(m, "cuda-1-side", "cuda", "cuda-1")->side = true;
  made_variant(m, "cuda-2", "cuda", "cuda-1");
  made_variant(m, "wrong-nibbles", "wrong", NULL)->wrong = true;
  made_variant(m, "control-null", "control", NULL);
  made_variant(m, "mine", NULL, NULL);
  static const struct {
    const char *id;
    double one_us, two_us;
  } times[] = {{"control-read", 10, 20},  {"control-null", 2, 0}, {"cuda-0", 400, 900},     {"cuda-1", 40, 90},
               {"cuda-1-side", 39.99, 0}, {"cuda-2", 20, 45},     {"wrong-nibbles", 21, 46}};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    made_time(made_result(m, times[i].id, ONE), times[i].one_us * 1e3, 4);
    made_time(made_result(m, times[i].id, TWO), times[i].two_us * 1e3, times[i].two_us > 0 ? 4 : 0);
  }
  made_time(made_result(m, "cute-1", ONE), 30e3, 4);
  for (size_t i = 0; i < m->run.n_results; i++) {
    struct run_result *r = &m->results[i];
    bool first = r->shape.l == 1;
    r->bytes_minimal = r->bytes_declared = first ? 50e6 : 100e6;
    r->bytes_contest = first ? 51e6 : 102e6;
  }
}

static struct run_result *result_of(struct made_run *m, const char *id, struct shape s) {
  for (size_t i = 0; i < m->run.n_results; i++)
    if (strcmp(m->variants[m->results[i].variant].id, id) == 0 && shape_equal(m->results[i].shape, s))
      return &m->results[i];
  fail_msg("no result %s", id);
  return NULL;
}

static void make(struct findings *f, const struct made_run *m) {
  struct err e = {0};
  if (findings_make(f, &m->run, &m->device, &e))
    fail_msg("%s", e.text);
}

static const struct finding *at(const struct findings *f, const char *id, struct shape s) {
  const struct finding *found = findings_at(f, id, s);
  if (!found)
    fail_msg("no finding %s", id);
  return found;
}

static void test_times_and_ratios(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  struct findings f;
  make(&f, &m);
  assert_int_equal(f.n, 15);
  const struct finding *x = at(&f, "cuda-2", ONE);
  assert_true(x->timed);
  assert_null(x->time_reason);
  assert_int_equal(x->time.n, 4);
  assert_true(fabs(x->time.middle - 20e-6) < 1e-15);
  /* Equal samples: the interval is the clock's half tick, 16 ns either side. */
  assert_true(fabs(x->time.ci_low - 19.984e-6) < 1e-14);
  assert_true(fabs(x->time.ci_high - 20.016e-6) < 1e-14);
  assert_true(fabs(x->sol_minimal.seconds - 10e-6) < 1e-15); /* 50e6 / 5e12: the driver's figure, not the measured */
  assert_true(fabs(x->sol_contest.seconds - 10.2e-6) < 1e-15);
  assert_int_equal(x->sol_minimal.bandwidth->kind, CEILING_DRIVER);
  assert_value(x->of_sol, 0.5);       /* 10 / 20 */
  assert_value(x->of_read, 0.5);      /* 10 / 20 */
  assert_value(x->speedup_parent, 2); /* 40 / 20 */
  assert_value(x->speedup_first, 20); /* 400 / 20 */
  x = at(&f, "cuda-2", TWO);
  assert_value(x->speedup_parent, 2); /* 90 / 45 */
  assert_value(x->speedup_first, 20); /* 900 / 45 */
  assert_value(x->of_read, 20.0 / 45);
  x = at(&f, "cuda-0", ONE);
  assert_absent(x->speedup_parent, "it has no parent");
  assert_value(x->speedup_first, 1);
  findings_release(&f);
}

/* 39.99 µs against 40 µs: ±16 ns overlap.  40 against 39.96 do not: 39.976 < 39.984. */
static void test_noise(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  struct findings f;
  make(&f, &m);
  assert_true(at(&f, "cuda-1-side", ONE)->parent_same);
  assert_false(at(&f, "cuda-2", ONE)->parent_same);
  assert_false(at(&f, "cuda-1", ONE)->parent_same);
  assert_false(at(&f, "cuda-1-side", TWO)->parent_same); /* it has no time there */
  assert_false(at(&f, "cuda-0", ONE)->parent_same);
  findings_release(&f);
  made_time(result_of(&m, "cuda-1-side", ONE), 39960, 4);
  make(&f, &m);
  assert_false(at(&f, "cuda-1-side", ONE)->parent_same);
  findings_release(&f);
  made_time(result_of(&m, "cuda-1-side", ONE), 40040, 4);
  make(&f, &m);
  assert_false(at(&f, "cuda-1-side", ONE)->parent_same);
  findings_release(&f);
}

static void test_no_time(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  result_of(&m, "wrong-nibbles", ONE)->check.verdict = VERDICT_WRONG;
  struct run_result *r = result_of(&m, "cuda-1-side", TWO);
  r->check.verdict = VERDICT_FAILED;
  r->check.reason = (char *)"it hung";
  r = result_of(&m, "control-null", TWO);
  r->check.verdict = VERDICT_SKIPPED;
  r->check.reason = (char *)"needs L == 1";
  result_of(&m, "cuda-0", ONE)->check.verdict = VERDICT_OUT_OF_RANGE;
  result_of(&m, "control-read", ONE)->check.verdict = VERDICT_UNCHECKED;
  r = result_of(&m, "cuda-1", TWO);
  r->timing.n = 0;
  r->timing.reason = (char *)"every sample was under throttle";
  result_of(&m, "cuda-2", TWO)->timing.samples_ns[0] = NAN;
  struct findings f;
  make(&f, &m);
  const struct finding *x = at(&f, "wrong-nibbles", ONE);
  assert_false(x->timed);
  assert_true(x->time.n == 0);
  assert_string_equal(x->time_reason, "the result is wrong: a wrong kernel has no time");
  assert_absent(x->of_sol, "the result is wrong: a wrong kernel has no time");
  assert_absent(x->of_read, "the result is wrong: a wrong kernel has no time");
  assert_string_equal(at(&f, "cuda-1-side", TWO)->time_reason, "it hung");
  assert_string_equal(at(&f, "control-null", TWO)->time_reason, "needs L == 1");
  assert_true(at(&f, "cuda-0", ONE)->timed);
  assert_true(at(&f, "control-read", ONE)->timed);
  assert_string_equal(at(&f, "cuda-1", TWO)->time_reason, "every sample was under throttle");
  assert_false(at(&f, "cuda-2", TWO)->timed);
  assert_absent(at(&f, "cuda-2", TWO)->speedup_parent, "cuda-1 has no time: every sample was under throttle");
  findings_release(&f);
}

static void test_feet(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  struct findings f;
  make(&f, &m);
  /* Its parent stands on another ladder: it is compared with it, and is the foot of its own. */
  assert_value(at(&f, "cute-1", ONE)->speedup_parent, 40.0 / 30);
  assert_value(at(&f, "cute-1", ONE)->speedup_first, 1);
  findings_release(&f);
  m.variants[1].id = (char *)"gone"; /* cuda-0 */
  make(&f, &m);
  assert_absent(at(&f, "cuda-2", ONE)->speedup_first, "cuda-0, below it on the ladder, is not in this run");
  assert_absent(at(&f, "cuda-1", ONE)->speedup_parent, "cuda-0 was not run at this shape");
  findings_release(&f);
  /* A ladder without a name is one ladder, and none of those with a name. */
  m.variants[1].id = (char *)"cuda-0";
  m.variants[3].ladder = NULL; /* cuda-1 */
  make(&f, &m);
  assert_value(at(&f, "cuda-2", ONE)->speedup_first, 1);
  assert_value(at(&f, "cuda-1", ONE)->speedup_first, 1);
  findings_release(&f);
  m.variants[1].ladder = NULL;
  make(&f, &m);
  assert_value(at(&f, "cuda-1", ONE)->speedup_first, 10);
  findings_release(&f);
  m.variants[1].ladder = m.variants[3].ladder = (char *)"cuda";
  /* Parents in a circle end the walk; they are no crash and no hang. */
  m.variants[1].id = (char *)"cuda-0";
  m.variants[1].parent = (char *)"cuda-2";
  make(&f, &m);
  assert_true(at(&f, "cuda-2", ONE)->timed);
  findings_release(&f);
}

static void test_controls(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  result_of(&m, "control-null", ONE)->bytes_declared = 0;
  struct run_result *r = result_of(&m, "control-read", ONE);
  r->bytes_declared = 40e6;
  made_metric(r, "dram_read_bytes", 41e6);
  made_metric(r, "dram_write_bytes", 1e6);
  r = result_of(&m, "cuda-2", ONE);
  r->bytes_declared = 40e6;
  made_metric(r, "dram_read_bytes", 54e6);
  made_metric(r, "dram_write_bytes", 1e6);
  struct findings f;
  make(&f, &m);
  const struct finding *x = at(&f, "control-read", ONE);
  assert_value(x->of_read, 1);
  assert_value(x->dram_bytes, 42e6);
  assert_value(x->dram_over_minimal, 1.05);                    /* 42 / 40 declared */
  assert_value(at(&f, "cuda-2", ONE)->dram_over_minimal, 1.1); /* 55 / 50 minimal: it is no control */
  x = at(&f, "control-null", ONE);
  assert_true(x->timed);
  assert_absent(x->of_sol, "it declares no bytes to move");
  assert_absent(x->of_read, "it declares no bytes to move");
  assert_absent(at(&f, "cuda-1", ONE)->dram_over_minimal, "dram_read_bytes was not collected");
  findings_release(&f);
  m.variants[0].id = (char *)"control-other";
  make(&f, &m);
  assert_absent(at(&f, "cuda-2", ONE)->of_read, "control-read was not run at this shape");
  findings_release(&f);
}

static void test_top_stall(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  struct run_result *r = result_of(&m, "cuda-2", ONE);
  made_metric(r, "warps_active", 1000);
  made_metric(r, "stall_selected", 500); /* the largest, and no stall */
  made_metric(r, "stall_long_scoreboard", 300);
  made_metric(r, "stall_wait", 200);
  made_absent(r, "stall_imc_miss", "not on this chip");
  struct findings f;
  make(&f, &m);
  const struct finding *x = at(&f, "cuda-2", ONE);
  assert_string_equal(x->top_stall, "long_scoreboard");
  assert_value(x->top_stall_share, 0.3);
  x = at(&f, "cuda-1", ONE);
  assert_null(x->top_stall);
  assert_absent(x->top_stall_share, "no stall reasons were counted");
  findings_release(&f);
}

static void test_values_by_name(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  struct run_result *r = result_of(&m, "cuda-2", ONE);
  made_metric(r, "inst_executed", 2000);
  made_metric(r, "sm_cycles_active", 1000);
  made_absent(r, "pipe_xu", "the counter unit was busy");
  struct findings f;
  make(&f, &m);
  const struct finding *x = at(&f, "cuda-2", ONE);
  assert_value(finding_value(x, "ipc"), 2);
  assert_value(finding_value(x, "inst_executed"), 2000);
  assert_absent(finding_value(x, "pipe_xu"), "the counter unit was busy");
  assert_absent(finding_value(x, "no_such_thing"), "not collected");
  findings_release(&f);
}

static void test_ladders_and_shapes(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  struct findings f;
  make(&f, &m);
  static const char *const names[] = {"control", "cuda", "cute", "wrong", "other"};
  assert_int_equal(f.n_ladders, 5);
  for (size_t i = 0; i < 5; i++)
    assert_string_equal(f.ladders[i].name, names[i]);
  static const char *const cuda[] = {"cuda-0", "cuda-1", "cuda-1-side", "cuda-2"};
  assert_int_equal(f.ladders[1].n, 4);
  for (size_t i = 0; i < 4; i++)
    assert_string_equal(f.ladders[1].rungs[i]->id, cuda[i]);
  assert_int_equal(f.ladders[0].n, 2);
  assert_string_equal(f.ladders[4].rungs[0]->id, "mine");
  assert_int_equal(f.n_shapes, 2);
  assert_true(shape_equal(f.shapes[0], ONE));
  assert_true(shape_equal(f.shapes[1], TWO));
  assert_null(findings_at(&f, "mine", ONE));
  findings_release(&f);
  assert_null(f.items);
}

static void test_geomean(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  struct findings f;
  make(&f, &m);
  assert_value(findings_geomean(&f, "cuda-2"), 30e-6); /* sqrt(20 * 45) */
  assert_value(findings_geomean(&f, "cuda-1"), 60e-6); /* sqrt(40 * 90) */
  assert_absent(findings_geomean(&f, "cute-1"), "it has no time at one of the run's shapes");
  assert_absent(findings_geomean(&f, "cuda-1-side"), "it has no time at one of the run's shapes");
  assert_false(findings_geomean(&f, "nobody").present);
  findings_release(&f);
}

static void test_empty_run(void **state) {
  (void)state;
  static struct made_run m;
  made_begin(&m);
  struct findings f;
  make(&f, &m);
  assert_int_equal(f.n, 0);
  assert_int_equal(f.n_ladders, 0);
  assert_int_equal(f.n_shapes, 0);
  assert_absent(findings_geomean(&f, "x"), "the run has no results");
  findings_release(&f);
  findings_release(&f); /* once released it is all zero, and again is fine */
}

/* A run as it comes from a file.  cuda-0-naive at 7168x16384x1: 132,153,344 + 14,336 bytes = twice the minimum of 66,083,840;
 * 6,000,000 cycles in 4,000,000 ns; long scoreboard 11,404,800,000 of 22,809,600,000 warp cycles. */
static void test_run_from_file(void **state) {
  (void)state;
  struct run run = {0};
  struct device device = {0};
  struct findings f = {0};
  struct err e = {0};
  if (run_load(&run, TEST_SOURCE_DIR "/tests/golden/small.json", &e) || device_from_run(&device, &run.device, &e) ||
      findings_make(&f, &run, &device, &e))
    fail_msg("%s", e.text);
  assert_int_equal(f.n, run.n_results);
  const struct finding *x = at(&f, "cuda-0-naive", ONE);
  assert_value(x->dram_bytes, 132167680);
  assert_value(x->dram_over_minimal, 2);
  assert_value(x->bounds.clock_hz, 1.5e9);
  assert_string_equal(x->top_stall, "long_scoreboard");
  assert_value(x->top_stall_share, 0.5);
  assert_true(x->of_sol.present && x->of_sol.v > 0 && x->of_sol.v < 1);
  findings_release(&f);
  device_release(&device);
  run_release(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_times_and_ratios), cmocka_unit_test(test_noise),
      cmocka_unit_test(test_no_time),          cmocka_unit_test(test_feet),
      cmocka_unit_test(test_controls),         cmocka_unit_test(test_top_stall),
      cmocka_unit_test(test_values_by_name),   cmocka_unit_test(test_ladders_and_shapes),
      cmocka_unit_test(test_geomean),          cmocka_unit_test(test_empty_run),
      cmocka_unit_test(test_run_from_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
