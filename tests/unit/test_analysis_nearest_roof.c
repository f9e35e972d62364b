/* The roof that a kernel without a declared problem is nearest to. */
#include "analysis/model/findings.h"
#include "unit/made_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct made_run m;
static struct run_module module;
static struct run_kernel code;
static struct run_instruction sass[2];

/* 100 us; DRAM 1 TB/s, bf16 100 TFLOP/s, mma.sync 50 TFLOP/s, FMA 128 lanes of 10 SMs at 1 GHz. */
static struct run_result *begin(void) {
  static struct ceiling ceilings[] = {
      {.name = (char *)"dram_bw", .value = 1e12, .kind = CEILING_DATASHEET},
      {.name = (char *)"tensor_bf16_flops", .value = 100e12, .kind = CEILING_DATASHEET},
      {.name = (char *)"mma_f16_flops", .value = 50e12, .kind = CEILING_MEASURED},
      {.name = (char *)"rate_ffma", .value = 128, .kind = CEILING_DATASHEET},
      {.name = (char *)"rate_tensor", .value = 32, .kind = CEILING_MEASURED},
      {.name = (char *)"rate_fp64", .value = 64, .kind = CEILING_DATASHEET},
      {.name = (char *)"rate_xu", .value = 16, .kind = CEILING_DATASHEET},
      {.name = (char *)"rate_lsu", .value = 32, .kind = CEILING_DATASHEET},
      {.name = (char *)"l2_bw", .value = 1e12, .kind = CEILING_MEASURED},
      {.name = (char *)"red_scattered", .value = 1e11, .kind = CEILING_MEASURED},
  };
  made_begin(&m);
  m.device.ceilings = ceilings;
  m.device.n_ceilings = sizeof ceilings / sizeof ceilings[0];
  m.device.sms = 10;
  m.device.clock_max_hz = 1e9;
  made_variant(&m, "kernel", "attached", NULL);
  struct run_result *r = made_result(&m, "kernel", (struct shape){0});
  r->check.verdict = VERDICT_UNCHECKED;
  for (size_t i = 0; i < 3; i++)
    r->timing.samples_ns[r->timing.n++] = 100e3;
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "dram_read_bytes", 19.6e6); /* 20 us of plain loads, 0.98 of dram_bw: 20 % */
  made_metric(r, "dram_write_bytes", 0);
  return r;
}

static void nearest(double share, const char *name) {
  struct findings f;
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_true(f.items[0].of_sol.present);
  assert_float_equal(f.items[0].of_sol.v, share, 1e-6);
  assert_string_equal(f.items[0].sol_roof, name);
  bool of_chip = strcmp(name, "DRAM") == 0 || strcmp(name, "L2") == 0 || strcmp(name, "atomics") == 0;
  assert_int_equal(f.items[0].sol_bound == BOUND_TENSOR, strstr(name, "tensor") || strstr(name, "mma"));
  assert_int_equal(bound_is_of_sm(f.items[0].sol_bound), !of_chip);
  findings_release(&f);
}

/* The one kernel's code is two instructions. */
static struct run_result *coded(const char *first, const char *second) {
  struct run_result *r = begin();
  sass[0] = (struct run_instruction){.text = (char *)first};
  sass[1] = (struct run_instruction){.text = (char *)second};
  code = (struct run_kernel){.name = (char *)"kernel", .sass = sass, .n_sass = 2};
  module = (struct run_module){.kernels = &code, .n_kernels = 1};
  m.run.modules = &module;
  m.run.n_modules = 1;
  r->module = 0;
  return r;
}

/* FLOP/s of what was counted over the ceiling that is named. */
static void times_ceiling(double times) {
  struct findings f;
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_float_equal(f.items[0].bounds.tensor_times, times, 1e-6);
  findings_release(&f);
}

static void test_dram(void **state) {
  (void)state;
  struct run_result *r = begin();
  nearest(0.2, "DRAM");
  made_metric(r, "async_mma_bf16_flops", 1e9); /* 10 us */
  nearest(0.2, "DRAM");
}

/* 7e9 FLOPs of bf16 take 70 us, of tf32 half as many; the device states no rate of tf32's own, nor any of fp8. */
static void test_asynchronous(void **state) {
  (void)state;
  made_metric(begin(), "async_mma_bf16_flops", 7e9);
  nearest(0.7, "bf16 tensor");
  made_metric(begin(), "async_mma_tf32_flops", 4e9);
  nearest(0.8, "tf32 tensor");
  times_ceiling(0.5);
  made_metric(begin(), "async_mma_fp8_flops", 9e9);
  nearest(0.2, "DRAM");
}

/* 7e9 FLOPs on 2:4 sparse operands take half of the time. */
static void test_asynchronous_sparse(void **state) {
  (void)state;
  made_metric(coded("HGMMA.SP.64x128x32.F32.BF16 R24, gdesc[UR4], R24, R2", "NOP"), "async_mma_bf16_flops", 7e9);
  nearest(0.35, "bf16 tensor");
  times_ceiling(2);
}

static void binds(enum bound_kind k, double share) {
  struct findings f;
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_int_equal(f.items[0].bounds.binding, k);
  assert_float_equal(f.items[0].bounds.share.v, share, 1e-6);
  findings_release(&f);
}

/* Of which the model has no instruction: they bind where their row is the longest. */
static void test_asynchronous_bind(void **state) {
  struct run_result *r = begin();
  (void)state;
  made_metric(r, "inst_executed", 4e5); /* 10 us */
  made_metric(r, "async_mma_bf16_flops", 1.9e9);
  binds(BOUND_DRAM, 0.2);
  begin();
  made_metric(r, "inst_executed", 4e5);
  made_metric(r, "async_mma_bf16_flops", 2.1e9);
  binds(BOUND_TENSOR, 0.21);
}

/* 1e6 HMMAs of 16 x 8 x 16 are 4.096e9 FLOPs, 81.92 us of 50 TFLOP/s; of half the depth they take 2/3 of that, of tf32 and half the depth as long, on
 * sparse operands and twice the depth 4/3.  Without SASS, 32 lanes a cycle and SM: 100 us. */
static void test_mma_sync(void **state) {
  static const char *const hgmma = "HGMMA.64x8x16.F32 R4, gdesc[UR4], R4";
  static const struct {
    const char *first, *second;
    double share, times; /* 0: not looked at */
  } codes[] = {
      {"@P0 HMMA.16816.F32.BF16 R4, R8, R12, R4", hgmma, 0.8192, 1},
      {"HMMA.16816.F16 R4, R8, R12, R4", hgmma, 0.8192, 1},
      {"HMMA.1688.F32.BF16 R4, R8, R12, R4", hgmma, 0.8192 * 2 / 3, 0.75},
      {"@!P1 HMMA.1688.F32.TF32 R4, R8, R12, R4", hgmma, 0.8192, 0.5},
      {"HMMA.1684.F32.TF32 R4, R8, R12, R4", hgmma, 0.8192 * 2 / 3},
      {"HMMA.SP.16832.F32 R4, R8, R12, R4, R2", "HMMA.1688.F32 R4, R8, R12, R4", 0.8192},
      {"HMMA.SP.16816.F32.TF32 R4, R8, R12, R4, R2", "HMMA.16816.F32 R4, R8, R12, R4", 0.8192 * 7 / 6},
  };
  (void)state;
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
    made_metric(coded(codes[i].first, codes[i].second), "pipe_tensor_hmma", 1e6);
    nearest(codes[i].share, "mma.sync");
    if (codes[i].times > 0)
      times_ceiling(codes[i].times);
  }
  struct run_result *r = begin();
  made_metric(r, "pipe_tensor_hmma", 5e5);
  made_metric(r, "pipe_tensor_mma", 5e5); /* 5e5 x 32 lanes / 32 / (10 SMs x 1 GHz) */
  nearest(0.5, "mma.sync");
}

/* 1e6 warp instructions of 128 lanes a cycle and SM: 1e6 x 32 / 128 / 1e10 = 25 us; of fp64's 64 lanes 50 us; a quarter as many of XU's 16 lanes 50 us. */
static void test_pipes(void **state) {
  (void)state;
  made_metric(begin(), "pipe_fma", 1e6);
  nearest(0.25, "FMA");
  made_metric(begin(), "pipe_fp64", 1e6);
  nearest(0.5, "fp64");
  made_metric(begin(), "pipe_xu", 2.5e5);
  nearest(0.5, "XU");
}

/* 4e5 cycles of the data stage of 10 SMs are 40 us; 3.2e6 instructions of 40 a cycle 80 us; 60 MB
 * of the L2 at 1 TB/s 60 us; 9e6 atomic sectors at 1e11 90 us. */
static void test_all_that_have_a_roof(void **state) {
  (void)state;
  struct run_result *r = begin();
  made_metric(r, "l1_wavefronts", 4e5);
  nearest(0.4, "L1");
  made_metric(r, "l2_read_bytes", 60e6);
  nearest(0.6, "L2");
  made_metric(r, "inst_executed", 3.2e6);
  nearest(0.8, "issue");
  made_metric(r, "l2_atomic_sectors", 9e6);
  nearest(0.9, "atomics");
  made_metric(r, "pipe_lsu", 9.5e5); /* 32 lanes */
  nearest(0.95, "LSU");
}

/* One SM of ten works: what it does in 4 us of the chip's takes it 40. */
static void test_on_the_busiest_sm(void **state) {
  (void)state;
  struct run_result *r = begin();
  made_metric(r, "l1_wavefronts", 4e4);
  made_metric(r, "sm_cycles_active", 9e4);
  made_metric(r, "sm_cycles_active_max", 9e4);
  nearest(0.4, "L1");
}

/* 80 of 100 us to start: no roof, though DRAM stands at 20 %.  Where a warp's own chain takes
 * longer than launching there is one. */
static void test_launching_is_none(void **state) {
  (void)state;
  struct findings f;
  made_metric(begin(), "fixed_ns", 80e3);
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_false(f.items[0].of_sol.present);
  assert_string_equal(f.items[0].of_sol.reason, "no roof is near: launching takes 80 % of the time, DRAM 20 %");
  assert_null(f.items[0].sol_roof);
  findings_release(&f);
  made_metric(begin(), "fixed_ns", 10e3);
  nearest(0.2, "DRAM");
}

/* Launches of 50, 100 and 150 us, of which one of 200 us was counted: shares are of that one's
 * time. */
static void test_launches_of_unlike_work(void **state) {
  (void)state;
  for (int unlike = 0; unlike < 2; unlike++) {
    struct run_result *r = begin();
    struct findings f;
    for (size_t i = 0; i < 3 && unlike; i++)
      r->timing.samples_ns[i] = 50e3 * (double)(i + 1);
    made_metric(r, "l1_wavefronts", 16e5); /* 160 us */
    made_metric(r, "sm_cycles_active", 2e6);
    made_metric(r, "sm_cycles_active_max", 2e5);
    assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
    const struct finding *x = &f.items[0];
    assert_int_equal(x->bounds.unlike, unlike);
    assert_float_equal(finding_value(x, "dram_bw").v, unlike ? 19.6e6 / 200e-6 : 19.6e6 / 100e-6, 1);
    assert_float_equal(x->bounds.whole.v, unlike ? 200e-6 : 100e-6, 1e-12);
    assert_float_equal(x->bounds.share.v, unlike ? 0.8 : 1.6, 1e-9);
    assert_int_equal(x->of_sol.present, unlike);
    if (unlike)
      assert_float_equal(x->of_sol.v, 0.8, 1e-9);
    else
      assert_string_equal(x->of_sol.reason,
                          "not known: L1 and shared memory would need 160 % of the time, which cannot be");
    assert_int_equal(x->n_doubts, !unlike);
    if (!unlike)
      assert_string_equal(x->doubts[0],
                          "L1 and shared memory would need 160 % of the time: its counts, or the rates of "
                          "the device, are not this kernel's");
    findings_release(&f);
  }
}

static void test_declared(void **state) {
  (void)state;
  struct findings f;
  struct run_result *r = begin();
  r->shape = (struct shape){.m = 128, .k = 64, .l = 1};
  r->check.verdict = VERDICT_PASS;
  r->bytes_minimal = 10e6;
  made_metric(r, "async_mma_bf16_flops", 7e9);
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_float_equal(f.items[0].of_sol.v, 0.1, 1e-6); /* the bytes that are declared */
  assert_null(f.items[0].sol_roof);
  findings_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dram),
      cmocka_unit_test(test_asynchronous_bind),
      cmocka_unit_test(test_asynchronous),
      cmocka_unit_test(test_asynchronous_sparse),
      cmocka_unit_test(test_mma_sync),
      cmocka_unit_test(test_pipes),
      cmocka_unit_test(test_declared),
      cmocka_unit_test(test_all_that_have_a_roof),
      cmocka_unit_test(test_on_the_busiest_sm),
      cmocka_unit_test(test_launching_is_none),
      cmocka_unit_test(test_launches_of_unlike_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
