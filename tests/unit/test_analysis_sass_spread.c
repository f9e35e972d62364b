/* Executed counts shared out by the counters of a launch, of kernels whose counts were worked
 * out by hand. */
#include "unit/made_sass.h"

enum { METRICS = 8 };

/* Ten blocks of 64 threads, 20 warps, that turn the loop 7 times each: 140 turns. */
static const char *const looping[] = {"MOV R1, R2",
                                      "MOV R3, R4",
                                      "LDG.E R4, desc[UR4][R2.64]",
                                      "FADD R5, R4, R5",
                                      "IADD3 R2, R2, 0x4, RZ",
                                      "ISETP.GE.AND P0, PT, R2, R7, PT",
                                      "@P0 BRA 0x20",
                                      "STG.E desc[UR4][R8.64], R5",
                                      "EXIT",
                                      NULL};

static struct made_sass m;
static struct run_metric metrics[METRICS];
static struct run_launch launches[2];

static void made_metrics(const char *const *names, const double *values) {
  for (size_t i = 0; i < METRICS; i++)
    metrics[i] = (struct run_metric){.name = (char *)names[i], .present = values[i] >= 0, .value = values[i]};
  launches[0] = launches[1] =
      (struct run_launch){.grid = {5, 2, 1}, .block = {11, 3, 1}}; /* two warps, of which one is not full */
  m.result.metrics = metrics;
  m.result.n_metrics = METRICS;
  m.result.launches = launches;
  m.result.n_launches = 1;
}

static void count(void) {
  sass_count(&m.sass, &m.result, 2, 1);
}

static const char *const names[METRICS] = {"blocks_launched", "inst_executed",    "pipe_alu",          "pipe_fma",
                                           "pipe_lsu",        "l1_load_requests", "l1_store_requests", "pipe_fp64"};

static void near(size_t i, double wanted) {
  if (!(m.sass.executed[i] > 0.97 * wanted && m.sass.executed[i] < 1.03 * wanted))
    fail_msg("instruction %zu: %g, not %g", i, m.sass.executed[i], wanted);
}

/* 20 x 2 + 140 x 5 + 20 x 2 instructions; of the ALU 20 x 2 MOV and 140 x 2; of the FMA pipe,
 * with FADD, 140. */
static void a_loop(void **state) {
  static const double values[METRICS] = {10, 780, 320, 140, 160, 140, 20, 0};
  (void)state;
  made_kernel(&m, looping);
  made_metrics(names, values);
  count();
  assert_true(m.sass.counted && m.sass.estimated && m.sass.spread);
  for (size_t i = 0; i < m.sass.n; i++)
    near(i, i >= 2 && i < 7 ? 140 : 20);
  assert_float_equal(m.sass.executed[0], 20, 1e-12); /* every warp begins, whatever the counters say */
  assert_true(m.sass.executed[8] <= 20 + 1e-12);
  assert_false(m.sass.loops[0].trips.present);
  assert_float_equal(m.sass.blocks[0].executed, m.sass.executed[0], 0);
  sass_release(&m.sass);
}

/* Of 20 warps 5 take the way of FADD, and none that of DADD. */
static void a_way_not_taken(void **state) {
  static const char *const lines[] = {"ISETP.GE.AND P0, PT, R2, R7, PT", /* 20 times */
                                      "@P0 BRA 0x50",
                                      "FADD R5, R4, R5", /* 5 times, to the branch */
                                      "FADD R6, R4, R5",
                                      "@P1 BRA 0x80",
                                      "@P2 BRA 0x80", /* 20 times */
                                      "DADD R8, R8, R10",
                                      "DADD R8, R8, R10",
                                      "EXIT",
                                      NULL};
  static const double values[METRICS] = {10, 95, 20, 10, 0, 0, 0, 0};
  (void)state;
  made_kernel(&m, lines);
  made_metrics(names, values);
  count();
  near(0, 20);
  near(2, 5);
  near(3, 5);
  near(8, 20);
  assert_float_equal(m.sass.executed[6], 0, 0);
  sass_release(&m.sass);
}

/* Two ways of as many instructions of the same pipes: which is taken how often the requests for
 * loads and stores tell, 15 and 5. */
static void loads_or_stores(void **state) {
  static const char *const lines[] = {"ISETP.GE.AND P0, PT, R2, R7, PT",
                                      "@P0 BRA 0x60",
                                      "LDG.E R4, desc[UR4][R2.64]",
                                      "LDG.E R5, desc[UR4][R2.64+0x4]",
                                      "LDG.E R6, desc[UR4][R2.64+0x8]",
                                      "BRA 0xa0",
                                      "STG.E desc[UR4][R8.64], R5",
                                      "STG.E desc[UR4][R8.64+0x4], R5",
                                      "STG.E desc[UR4][R8.64+0x8], R5",
                                      "BRA 0xa0",
                                      "EXIT",
                                      NULL};
  static const double values[METRICS] = {10, 140, 20, 0, 60, 45, 15, 0};
  (void)state;
  made_kernel(&m, lines);
  made_metrics(names, values);
  count();
  near(2, 15);
  near(6, 5);
  near(10, 20);
  sass_release(&m.sass);
}

/* Copies past the registers are requests for loads, too; a bulk copy is none of a warp's. */
static void copies_are_loads(void **state) {
  static const char *const lines[] = {"UBLKCP [UR4], [UR6], UR8", /* 20 times */
                                      "@P0 BRA 0x60",
                                      "LDGSTS.E.128 [R4], desc[UR4][R2.64]", /* 15 times */
                                      "LDGSTS.E.128 [R4+0x10], desc[UR4][R2.64+0x10]",
                                      "LDGSTS.E.128 [R4+0x20], desc[UR4][R2.64+0x20]",
                                      "BRA 0xa0",
                                      "STS [R8], R5",
                                      "STS [R8+0x4], R5",
                                      "STS [R8+0x8], R5",
                                      "BRA 0xa0",
                                      "EXIT",
                                      NULL};
  static const double values[METRICS] = {10, 140, -1, -1, -1, 45, -1, -1};
  (void)state;
  made_kernel(&m, lines);
  made_metrics(names, values);
  count();
  near(2, 15);
  sass_release(&m.sass);
}

/* Counts, and samples where they are enough, are taken first; two kernels share one result's
 * counters; and without the number of warps nothing is known. */
static void only_where_nothing_tells_more(void **state) {
  static const double values[METRICS] = {10, 780, 320, 140, 160, 140, 20, 0};
  static struct run_sample samples[] = {
      {.module = 2, .kernel = 1, .offset = 32, .reason = (char *)"selected", .samples = 100}};
  static const double executed[] = {20, 20, 0, 0, 0, 0, 0, 20, 20};
  (void)state;
  made_kernel(&m, looping);
  made_metrics(names, values);
  made_counts(&m, executed);
  assert_true(m.sass.counted && !m.sass.estimated && !m.sass.spread);
  sass_release(&m.sass);
  for (int lacks = 0; lacks < 4; lacks++) {
    made_kernel(&m, looping);
    made_metrics(names, values);
    m.result.n_launches = lacks == 1 ? 2 : 1;
    metrics[0].present = lacks != 2;
    metrics[1].present = lacks != 3;
    m.result.samples = lacks ? NULL : samples;
    m.result.n_samples = lacks == 0;
    count();
    assert_true(!m.sass.spread && m.sass.counted == !lacks && m.sass.estimated == !lacks);
    sass_release(&m.sass);
  }
  samples[0].samples = 99; /* of 100 that are wanted */
  made_kernel(&m, looping);
  made_metrics(names, values);
  m.result.samples = samples;
  m.result.n_samples = 1;
  count();
  assert_true(m.sass.spread);
  sass_release(&m.sass);
}

/* What a sine does for large arguments hardly any warp comes to, where no counter tells. */
static void what_hardly_runs(void **state) {
  static const char *const lines[] = {"LDG.E R4, desc[UR4][R2.64]",
                                      "FSETP.GE.AND P0, PT, |R4|, 105615, PT",
                                      "@!P0 BRA 0x50",
                                      "FMUL R5, R4, R4",
                                      "FMUL R5, R5, R4",
                                      "STG.E desc[UR4][R8.64], R5",
                                      "EXIT",
                                      "FADD R5, R5, R4", /* nothing leads there */
                                      NULL};
  static const double values[METRICS] = {10, 100, -1, -1, -1, -1, -1, -1};
  (void)state;
  made_kernel(&m, lines);
  made_metrics(names, values);
  count();
  assert_true(m.sass.spread && m.sass.executed[3] > 0);
  assert_true(m.sass.executed[3] < 0.01 * m.sass.executed[0]);
  near(0, 20);
  near(5, 20);
  assert_float_equal(m.sass.executed[7], 0, 0);
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_hardly_runs), cmocka_unit_test(a_loop),
      cmocka_unit_test(a_way_not_taken),  cmocka_unit_test(loads_or_stores),
      cmocka_unit_test(copies_are_loads), cmocka_unit_test(only_where_nothing_tells_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
