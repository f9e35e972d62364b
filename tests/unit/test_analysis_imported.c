/* Kernels that another tool measured: no problem is declared, and some metrics come ready made. */
#include "analysis/model/findings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/made_run.h"

static const struct shape none = {0};

static void made_device(struct made_run *m) {
  made_begin(m);
  m->device.sms = 100;
  m->device.warps_per_sm = 64;
  made_ceiling(m, "dram_bw", 2e12, CEILING_DATASHEET);
  made_variant(m, "k", "ncu", NULL);
}

static struct findings found(const struct made_run *m) {
  struct findings f;
  struct err e = {0};
  if (findings_make(&f, &m->run, &m->device, &e))
    fail_msg("%s", e.text);
  return f;
}

/* 6 MB read and 2 MB written in 10 µs are 4 µs at the 2 TB/s of the datasheet; of loads, beside
 * writes, as the bound has it: 0.98 of it, and at a quarter written 3/4 of what a copy at 0.85 of
 * it loses. */
static void counted_bytes_stand_in(void **state) {
  (void)state;
  struct made_run m;
  made_device(&m);
  struct run_result *r = made_result(&m, "k", none);
  made_time(r, 10000, 4);
  made_metric(r, "dram_read_bytes", 6e6);
  made_metric(r, "dram_write_bytes", 2e6);
  r->flops = 4e6;
  r->check.verdict = VERDICT_UNCHECKED;
  struct findings f = found(&m);
  const struct finding *x = &f.items[0];
  assert_string_equal(x->sol_minimal.bytes_kind, "counted");
  assert_float_equal(x->sol_minimal.seconds, 4e-6, 1e-15);
  assert_true(x->of_sol.present);
  assert_float_equal(x->of_sol.v, 0.4 / 0.98 * (1 + 0.75 * (1 / 0.85 - 1)), 1e-12);
  assert_false(x->dram_over_minimal.present); /* there is no minimum */
  assert_float_equal(x->roof[ROOF_DRAM].intensity.v, 0.5, 1e-12);
  struct value per_byte = finding_value(x, "inst_per_byte");
  assert_false(per_byte.present);
  findings_release(&f);
}

static void what_needs_a_problem_says_so(void **state) {
  (void)state;
  struct made_run m;
  made_device(&m);
  struct run_result *r = made_result(&m, "k", none);
  made_time(r, 10000, 4);
  made_metric(r, "inst_executed", 1000);
  struct findings f = found(&m);
  struct value v = finding_value(&f.items[0], "inst_per_element");
  assert_false(v.present);
  assert_string_equal(v.reason, "elements: no problem is declared");
  /* No bytes were counted either: no SOL, and no 0 in its place. */
  assert_false(f.items[0].of_sol.present);
  assert_string_equal(f.items[0].sol_minimal.bytes_kind, "minimal");
  findings_release(&f);
}

/* A derived metric that the run brings stands where its counters are missing, and only there. */
static void derived_metric_brought(void **state) {
  (void)state;
  struct made_run m;
  made_device(&m);
  struct run_result *r = made_result(&m, "k", none);
  made_time(r, 10000, 4);
  made_metric(r, "dram_bytes", 5e6);
  made_metric(r, "l2_hit_rate", 0.9);
  made_metric(r, "l2_sectors", 200);
  made_metric(r, "l2_sectors_hit", 50);
  struct findings f = found(&m);
  assert_float_equal(f.items[0].dram_bytes.v, 5e6, 1e-6);
  assert_float_equal(finding_value(&f.items[0], "dram_bw").v, 5e11, 1); /* made from it */
  assert_float_equal(finding_value(&f.items[0], "l2_hit_rate").v, 0.25, 1e-12);
  findings_release(&f);
}

/* Shares of peak bind without any rate of the device: 90 and 20 of 100 µs, and the 10 that the busiest leaves to waiting, give, by the norm of exponent
 * 3.130 between memory, SMs and warps, 90 (1 + (20/90)^3.130 + (10/90)^3.130)^(1/3.130) = 90.29 µs, of which DRAM has 1 / (1 + 0.00902 + 0.00103)
 * = 99.0 %. */
static void shares_of_peak_bind(void **state) {
  (void)state;
  struct made_run m;
  made_begin(&m);
  made_variant(&m, "k", "ncu", NULL);
  m.device.sms = 0;
  struct run_result *r = made_result(&m, "k", none);
  made_time(r, 100000, 4);
  made_metric(r, "peak_dram", 0.9);
  made_metric(r, "peak_issue", 0.2);
  struct findings f = found(&m);
  const struct bounds *b = &f.items[0].bounds;
  assert_int_equal(b->binding, BOUND_DRAM);
  assert_float_equal(b->seconds[BOUND_DRAM].v, 90e-6, 1e-12);
  assert_float_equal(b->seconds[BOUND_ISSUE].v, 20e-6, 1e-12);
  assert_float_equal(b->time_s.v, 90.29e-6, 0.01e-6);
  assert_float_equal(b->model.bound_share[BOUND_DRAM], 0.990, 0.001);
  assert_false(b->seconds[BOUND_L2].present); /* unknown, not 0 */
  findings_release(&f);
}

/* Nothing is busy for more than 20 of 100 µs: the kernel waits for 80.  One share alone says nothing of the others. */
static void what_no_share_explains_is_waiting(void **state) {
  (void)state;
  for (int n = 1; n <= 2; n++) {
    struct made_run m;
    made_begin(&m);
    made_variant(&m, "k", "ncu", NULL);
    m.device.sms = 0;
    struct run_result *r = made_result(&m, "k", none);
    made_time(r, 100000, 4);
    made_metric(r, "peak_issue", 0.2);
    if (n == 2)
      made_metric(r, "peak_dram", 0.1);
    struct findings f = found(&m);
    const struct bounds *b = &f.items[0].bounds;
    assert_int_equal(b->binding, n == 2 ? BOUND_LATENCY : BOUND_ISSUE);
    if (n == 2)
      assert_float_equal(b->seconds[BOUND_LATENCY].v, 80e-6, 1e-12);
    findings_release(&f);
  }
}

/* Where bytes and the device's bandwidth are known, they speak: 6 + 2 MB at 2 TB/s, writes and reads together somewhat less. */
static void counts_come_before_shares(void **state) {
  (void)state;
  struct made_run m;
  made_device(&m);
  struct run_result *r = made_result(&m, "k", none);
  made_time(r, 10000, 4);
  made_metric(r, "dram_read_bytes", 6e6);
  made_metric(r, "dram_write_bytes", 2e6);
  made_metric(r, "peak_dram", 0.9);
  struct findings f = found(&m);
  assert_true(f.items[0].bounds.seconds[BOUND_DRAM].v < 6e-6); /* the share would say 9 */
  findings_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counted_bytes_stand_in),    cmocka_unit_test(what_needs_a_problem_says_so),
      cmocka_unit_test(derived_metric_brought),    cmocka_unit_test(shares_of_peak_bind),
      cmocka_unit_test(counts_come_before_shares), cmocka_unit_test(what_no_share_explains_is_waiting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
