/* What is read of a finding in one step, and what the model of time leaves out of its waits. */
#include "analysis/advice/baseline.h"
#include "analysis/signs/rule_input.h"
#include "unit/judged.h"

#include "analysis/sass/sass.h"
#include "unit/made_sass.h"

static void what_is_left(void **state) {
  (void)state;
  assert_float_equal(part_kept(1, 4), 0.75, 1e-12);
  assert_float_equal(part_kept(4, 4), 0, 0);
  assert_float_equal(part_kept(5, 4), 0, 0);
  assert_float_equal(part_kept(-1, 4), 1, 0);
  assert_float_equal(part_kept(1, 0), 1, 0);
  assert_float_equal(part_kept(0.25, 0.5), 0.5, 1e-12);
  assert_float_equal(or_zero(value_of(2)), 2, 0);
  assert_float_equal(or_zero((struct value){.v = 2}), 0, 0);
}

static void instructions_of_a_kind(void **state) {
  (void)state;
  static const char *const lines[] = {"IMAD.HI.U32 R4, R5, R6, RZ",
                                      "IMAD R4, R5, R6, RZ",
                                      "FADD R4, R5, R6",
                                      "LDS R4, [R5]",
                                      "DADD R4, R6, R8",
                                      "EXIT",
                                      NULL};
  static const double executed[] = {1, 2, 4, 8, 16, 1};
  static struct made_sass m;
  made_kernel(&m, lines);
  struct rule_input in = {.sass = &m.sass};
  assert_float_equal(executed_of(&in, "IMAD", NULL), 0, 0); /* not counted */
  made_counts(&m, executed);
  assert_float_equal(executed_of(&in, "IMAD", NULL), 3, 0);
  assert_float_equal(executed_of(&in, "IMAD", "HI"), 1, 0);
  assert_float_equal(executed_of(&in, "IMAD", "WIDE"), 0, 0);
  assert_float_equal(executed_in(&in, SASS_FP32, PIPE_UNKNOWN), 4, 0);
  assert_float_equal(executed_in(&in, SASS_FP32, PIPE_FP64), 0, 0);
  assert_float_equal(executed_in(&in, SASS_FP64, PIPE_FP64), 16, 0);
  assert_float_equal(executed_in(&in, SASS_LOAD_SHARED, PIPE_UNKNOWN), 8, 0);
  in.sass = NULL;
  assert_float_equal(executed_of(&in, "IMAD", NULL), 0, 0);
  assert_float_equal(executed_in(&in, SASS_FP32, PIPE_UNKNOWN), 0, 0);
  sass_release(&m.sass);
}

static void rows_of_a_library(void **state) {
  (void)state;
  static const struct {
    const char *kernel;
    int elements;
  } rows[] = {{"cutlass_80_tensorop_f16_s16816gemm_f16_64x64_32x6_tn_align1", 1},
              {"cutlass_80_tensorop_bf16_s16816gemm_bf16_64x64_32x6_tn_align4", 4},
              {"cutlass_80_tensorop_f16_s16816gemm_f16_64x64_32x6_tn_align7", 7},
              {"cutlass_80_tensorop_f16_s16816gemm_f16_64x64_32x6_tn_align8", 0},
              {"cutlass_80_tensorop_s1688gemm_64x64_32x6_tn_align4", 0},
              {"cutlass_80_tensorop_f16_s16816gemm_f16_64x64_32x6_tn", 0},
              {NULL, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct run_launch launch = {.kernel = (char *)rows[i].kernel};
    const struct finding f = {.launch = &launch};
    assert_int_equal(elements_aligned(&(struct rule_input){.f = &f}), rows[i].elements);
  }
  assert_int_equal(elements_aligned(&(struct rule_input){.f = &(struct finding){0}}), 0);
}

/* 20 blocks, or as many as 10 SMs hold, of 1024 + 512 bytes that bulk copies fill. */
static void bytes_of_a_ring(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned grid;
    int blocks_per_sm;
    double bytes; /* -1: absent */
  } rows[] = {{"UBLKCP.S.G [UR4], [UR6], UR8", 20, 4, 20 * 1536}, {"UBLKCP.S.G [UR4], [UR6], UR8", 40, 4, 40 * 1536},
              {"UBLKCP.S.G [UR4], [UR6], UR8", 41, 4, 40 * 1536}, {"UBLKCP.S.G [UR4], [UR6], UR8", 20, 1, 10 * 1536},
              {"UBLKCP.S.G [UR4], [UR6], UR8", 20, 0, -1},        {"@!PT UBLKCP.S.G [UR4], [UR6], UR8", 20, 4, -1},
              {"LDG.E R4, desc[UR4][R2.64]", 20, 4, -1}};
  struct device device = {.sms = 10};
  struct findings all = {.device = &device};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    struct run_launch launch = {.grid = {rows[i].grid, 1, 1},
                                .block = {32, 1, 1},
                                .blocks_per_sm = rows[i].blocks_per_sm,
                                .smem_static = 1024,
                                .smem_dynamic = 512};
    struct finding f = {.launch = &launch};
    made_kernel(&m, (const char *const[]){rows[i].text, "EXIT", NULL});
    struct rule_input in = {.all = &all, .f = &f, .sass = &m.sass};
    struct value bytes = ring_bytes(&in);
    if (bytes.present != (rows[i].bytes >= 0) || (bytes.present && bytes.v != rows[i].bytes))
      fail_msg("row %zu: %g", i, bytes.v);
    f.launch = NULL;
    assert_false(ring_bytes(&in).present);
    in.sass = NULL;
    assert_false(ring_bytes(&in).present);
    sass_release(&m.sass);
  }
}

/* Each of a latency: by the time that loads take, or by all requests over those of all warps at once. */
static void batches_of_a_warp(void **state) {
  (void)state;
  static const struct {
    double warps, warp_requests, latency_s, loads_s, requests, batches;
  } rows[] = {{10, 4, 1e-6, 3e-6, 200, 5}, {10, 4, 1e-6, 8e-6, 200, 8}, {10, 4, 0, 8e-6, 200, 5},
              {0, 4, 1e-6, 3e-6, 200, 3},  {10, 0, 1e-6, 3e-6, 200, 3}, {0, 0, 0, 3e-6, 200, 0},
              {0.5, 1, 1e-6, 0, 4, 8}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct finding f = {.bounds.flight = {.warps = value_of(rows[i].warps),
                                          .warp_requests = value_of(rows[i].warp_requests),
                                          .latency_s = value_of(rows[i].latency_s),
                                          .loads_s = value_of(rows[i].loads_s),
                                          .requests = value_of(rows[i].requests)}};
    assert_float_equal(warp_batches(&(struct rule_input){.f = &f}), rows[i].batches, 1e-9);
  }
}

/* What the run declares comes first, then the least that its problem needs, then what was read. */
static void bytes_that_must_move(void **state) {
  (void)state;
  struct run_metric read = {.name = (char *)"dram_read_bytes", .present = true, .value = 3};
  static const struct {
    double declared, minimal, least;
  } rows[] = {{1, 2, 1}, {0, 2, 2}, {0, 0, 3}, {0.5, 0.25, 0.5}, {0, 0.25, 0.25}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct run_result r = {
        .bytes_declared = rows[i].declared, .bytes_minimal = rows[i].minimal, .metrics = &read, .n_metrics = 1};
    struct finding f = {.result = &r};
    assert_float_equal(least_bytes(&(struct rule_input){.f = &f}), rows[i].least, 0);
  }
}

/* Of 100 samples 60 wait at the end of the kernel, for its stores: for atomics, where they are all of these, or where warps stand at one. */
static void waits_for_atomics(void **state) {
  (void)state;
#define RED   "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R4"
#define STORE "STG.E desc[UR4][R6.64], R4"
  static const struct {
    const char *lines[LINES_MAX];
    const char *reason;
    size_t at;
    double share;
  } rows[] = {
      {{"FADD R4, R5, R6", RED, "EXIT"}, "drain", 2, 0.6},
      {{"FADD R4, R5, R6", STORE, "EXIT"}, "drain", 2, 0},
      {{RED, STORE, "EXIT"}, "drain", 2, 0},
      {{RED, RED, "EXIT"}, "drain", 2, 0.6},
      {{"FADD R4, R5, R6", RED, "EXIT"}, "lg_throttle", 1, 0.6},
      {{"FADD R4, R5, R6", RED, "EXIT"}, "selected", 1, 0},
      {{"FADD R4, R5, R6", RED, "EXIT"}, "not_selected", 1, 0},
      {{"FADD R4, R5, R6", RED, "EXIT"}, "wait", 1, 0},
      {{"FADD R4, R5, R6", STORE, "EXIT"}, "lg_throttle", 1, 0},
      {{"FADD R4, R5, R6", "ATOMS.ADD R4, [R2], R4", "EXIT"}, "lg_throttle", 1, 0},
      {{"FADD R4, R5, R6", "RED.E.ADD.STRONG.GPU [R2.64], R4", "EXIT"}, "lg_throttle", 1, 0.6},
      {{"ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR4][R2.64], R6", "FADD R4, R4, R5", "EXIT"}, "long_scoreboard", 1, 0.6}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    static struct run_sample samples[2];
    static const double executed[] = {1, 1, 1};
    struct judged_case c = {.set = {{"l2_atomic_sectors", 100}}};
    for (size_t k = 0; k < 3; k++) {
      c.lines[k] = rows[i].lines[k];
      c.executed[k] = executed[k];
    }
    judged_make(&j, &c, NULL);
    hot_release(&j.hot);
    struct run_result *r = &j.d.m.results[0];
    samples[0] = (struct run_sample){.offset = 0, .reason = (char *)"wait", .samples = 40};
    samples[1] =
        (struct run_sample){.offset = 16 * (uint32_t)rows[i].at, .reason = (char *)rows[i].reason, .samples = 60};
    r->samples = samples;
    r->n_samples = 2;
    hot_make(&j.hot, &j.d.m.run, r);
    j.in.sass = &j.hot.kernels[0].sass;
    rule_baseline(&j.in);
    double share = j.in.waits.atomics_s / j.in.time_s;
    if (fabs(share - rows[i].share) > 1e-9)
      fail_msg("row %zu: %g", i, share);
    judged_release(&j);
  }
#undef RED
#undef STORE
}

/* What is not known stays so, where nothing is added to it. */
static void dependencies_that_were_not_counted(void **state) {
  (void)state;
  static struct judged j;
  judged_make(&j, &(struct judged_case){0}, NULL);
  assert_false(j.in.work.dependencies_s.present);
  assert_float_equal(j.in.waits.atomics_s, 0, 0);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_left),      cmocka_unit_test(instructions_of_a_kind),
      cmocka_unit_test(rows_of_a_library), cmocka_unit_test(bytes_of_a_ring),
      cmocka_unit_test(batches_of_a_warp), cmocka_unit_test(bytes_that_must_move),
      cmocka_unit_test(waits_for_atomics), cmocka_unit_test(dependencies_that_were_not_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
