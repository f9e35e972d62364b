/* Collectors on the fake GPU: what counters, samples, counts of instructions and a library's calls leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collected.h"

/* --- counters, stalls, instructions --- */

static void counters_are_of_the_steps_alone(void **state) {
  (void)state;
  OPEN(good, rich);
  assert_int_equal(collect_counters.collect(&b.s, &e), 0);
  const struct run_metric *m = metric_of(&b.results[0], "dram_read_bytes");
  assert_true(m && m->present);
  assert_float_equal(m->value, 4000, 0); /* of 4 blocks, and not of the flush */
  assert_string_equal(m->source, "dram__bytes_read.sum");
  assert_string_equal(m->unit, "byte");
  assert_float_equal(metric_of(&b.results[1], "dram_read_bytes")->value, 109000, 0);
  m = metric_of(&b.results[0], "stall_gmma");
  assert_false(m->present);
  assert_string_equal(m->reason, "chip FAKE100 has no such counter");
  assert_null(m->source);
  assert_true(metric_of(&b.results[0], "cycles_elapsed") || b.results[0].n_metrics > 20);
  assert_int_equal(told_of('R', 10), 2); /* once for each of the two configurations */
  assert_int_equal(told_of('R', 11), 2);
  assert_int_equal(atomic_load(&b.pulse.trial), -1);
}

static void without_cupti_a_phase_says_why(void **state) {
  static const struct collector *const all[] = {&collect_counters, &collect_stalls, &collect_sass};
  (void)state;
  OPEN(good);
  b.s.has_cupti = false;
  err_set(&b.s.cupti_error, ERR_MACHINE, "no CUPTI here");
  for (size_t i = 0; i < 3; i++) {
    e = (struct err){0};
    assert_int_equal(all[i]->collect(&b.s, &e), ERR_MACHINE);
    assert_string_equal(e.text, "no CUPTI here");
  }
  collect_stalls.explain_absence(&b.results[0], "gone");
  collect_stalls.explain_absence(&b.results[0], "later");
  assert_string_equal(b.results[0].sampling.reason, "gone");
  collect_sass.explain_absence(&b.results[0], "gone");
  assert_string_equal(b.results[0].counts_reason, "gone");
  b.results[0].counts_reason = b.results[0].sampling.reason = NULL;
  b.results[0].n_counts = b.results[0].n_samples = 1; /* what was collected needs no reason */
  collect_stalls.explain_absence(&b.results[0], "gone");
  collect_sass.explain_absence(&b.results[0], "gone");
  assert_null(b.results[0].counts_reason);
  assert_null(b.results[0].sampling.reason);
  b.results[0].n_counts = b.results[0].n_samples = 0;
}

/* A launch leaves 3000 samples at 0x10, 2500 of them without issue, 1000 at 0x20, 500 of other code and 50 that are lost: four launches for 15,000. */
static void samples_add_up_over_launches(void **state) {
  (void)state;
  OPEN(good);
  b.options.samples = 15000;
  assert_int_equal(collect_stalls.collect(&b.s, &e), 0);
  const struct run_result *r = &b.results[0];
  assert_int_equal(r->sampling.launches, 4);
  assert_int_equal(r->sampling.user, 16000);
  assert_int_equal(r->sampling.other, 2000);
  assert_int_equal(r->sampling.dropped, 200);
  assert_float_equal(r->sampling.period_cycles, 256, 0);
  assert_null(r->sampling.reason);
  assert_int_equal(r->n_samples, 2);
  assert_int_equal(r->samples[0].offset, 0x10);
  assert_int_equal(r->samples[0].kernel, 1); /* gemv is the module's second */
  assert_int_equal(r->samples[0].module, 0);
  assert_string_equal(r->samples[0].reason, "long_scoreboard");
  assert_int_equal(r->samples[0].samples, 12000);
  assert_int_equal(r->samples[0].not_issued, 10000);
  assert_int_equal(r->samples[1].offset, 0x20);
  assert_string_equal(r->samples[1].reason, "selected");
  assert_int_equal(r->samples[1].samples, 4000);
  assert_int_equal(r->samples[1].not_issued, 0);
  assert_int_equal(told_of('R', 10), 1);
  assert_int_equal(atomic_load(&b.pulse.trial), -1);
  assert_int_equal(collect_stalls.collect(&b.s, &e), 0); /* by another worker: it is not sampled again */
  assert_int_equal(r->sampling.launches, 4);
  assert_int_equal(told_of('R', 10), 1);
}

static void samples_of_two_kernels_stand_apart(void **state) {
  (void)state;
  OPEN(rich);
  b.options.samples = 8000;
  assert_int_equal(collect_stalls.collect(&b.s, &e), 0);
  const struct run_result *r = &b.results[0];
  assert_int_equal(r->sampling.launches, 1);
  assert_int_equal(r->n_samples, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(r->samples[i].kernel, i / 2);
    assert_int_equal(r->samples[i].offset, i % 2 ? 0x20 : 0x10);
    assert_int_equal(r->samples[i].samples, i % 2 ? 1000 : 3000);
  }
}

static void long_kernels_are_sampled_less_often(void **state) {
  static const struct {
    double ns, clock_hz, period;
  } rows[] = {{12.8e6, 1e9, 256},      /* 51.2e6 cycles of 4 SMs: 200,000 samples, just as many as are wanted */
              {12.8e6 + 1, 1e9, 2048}, /* one cycle more */
              {102.4e6, 1e9, 2048},
              {102.5e6, 1e9, 16384},
              {1, 1e30, 536870912}}; /* 2^29 is the last step below CUPTI's 2^31 */
  double ns;
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OPEN(good);
    b.options.samples = 1;
    b.gpu.clock_max_hz = rows[i].clock_hz;
    ns = rows[i].ns;
    b.results[0].timing.samples_ns = &ns;
    b.results[0].timing.n = 1;
    assert_int_equal(collect_stalls.collect(&b.s, &e), 0);
    assert_float_equal(b.results[0].sampling.period_cycles, rows[i].period, 0);
  }
}

static void too_few_samples_are_explained(void **state) {
  (void)state;
  OPEN(good);
  b.options.samples = 100000000;
  b.s.modules =
      &(struct run_module){.kernels = b.kernels, .n_kernels = 1}; /* which has no gemv: every sample is other code's */
  assert_int_equal(collect_stalls.collect(&b.s, &e), 0);
  assert_int_equal(b.results[0].sampling.user, 0);
  assert_int_equal(b.results[0].n_samples, 0);
  assert_true(b.results[0].sampling.launches > 0);
  assert_int_equal(b.results[0].sampling.other, 4500 * b.results[0].sampling.launches);
  assert_non_null(strstr(b.results[0].sampling.reason, "0 of 100000000 samples: "));
}

static void a_refusal_leaves_no_half_sampling(void **state) {
  (void)state;
  OPEN(good);
  setenv("NVFP4_FAKE", "cuptiPCSamplingStop=999", 1);
  assert_int_equal(collect_stalls.collect(&b.s, &e), ERR_GPU);
  unsetenv("NVFP4_FAKE");
  assert_non_null(strstr(e.text, "good: cuptiPCSamplingStop"));
  assert_int_equal(b.results[0].sampling.launches, 0);
  assert_float_equal(b.results[0].sampling.period_cycles, 0, 0);
}

/* b blocks have executed 4 b warp and 128 b thread instructions at 0x0 and at 0x10, where they asked for 16 b sectors, ideally 8 b. */
static void instructions_are_counted(void **state) {
  (void)state;
  OPEN(good, rich);
  assert_int_equal(collect_sass.collect(&b.s, &e), 0);
  const struct run_result *r = &b.results[0];
  assert_int_equal(r->n_counts, 2);
  assert_int_equal(r->counts[0].kernel, 1);
  assert_int_equal(r->counts[0].offset, 0);
  assert_float_equal(r->counts[0].executed, 16, 0);
  assert_float_equal(r->counts[0].threads, 512, 0);
  assert_float_equal(r->counts[0].global_sectors, -1, 0);
  assert_int_equal(r->counts[1].offset, 0x10);
  assert_float_equal(r->counts[1].executed, 16, 0);
  assert_float_equal(r->counts[1].global_sectors, 64, 0);
  assert_float_equal(r->counts[1].global_sectors_ideal, 32, 0);
  assert_float_equal(r->counts[1].shared_wavefronts, -1, 0);
  assert_null(r->counts_reason);
  r = &b.results[1];
  assert_int_equal(r->n_counts, 4);
  assert_int_equal(r->counts[0].kernel, 0); /* tail, of 105 blocks */
  assert_float_equal(r->counts[1].executed, 420, 0);
  assert_int_equal(r->counts[2].kernel, 1);
  assert_float_equal(r->counts[3].threads, 512, 0);
  assert_int_equal(told_of('R', 10) + told_of('R', 11), 2);
  size_t before = n_launched;
  assert_int_equal(collect_sass.collect(&b.s, &e), 0); /* an earlier worker has been here */
  assert_int_equal(n_launched, before);
}

static void no_count_has_its_reason(void **state) {
  (void)state;
  OPEN(good);
  b.s.modules = &(struct run_module){.kernels = b.kernels, .n_kernels = 1};
  assert_int_equal(collect_sass.collect(&b.s, &e), 0);
  assert_int_equal(b.results[0].n_counts, 0);
  assert_string_equal(b.results[0].counts_reason, "CUPTI counted no instruction of its kernels");
  OPEN(good);
  setenv("NVFP4_FAKE", "cuptiSassMetricsDisable=999", 1);
  assert_int_equal(collect_sass.collect(&b.s, &e), ERR_GPU);
  assert_string_equal(e.text, "good: cuptiSassMetricsDisable failed: the kernels are still patched");
  unsetenv("NVFP4_FAKE");
}

/* --- a library's calls --- */

static void a_librarys_kernels_are_counted_before_they_are_timed(void **state) {
  (void)state;
  OPEN(called);
  b.options.min_rounds = b.options.max_rounds = 2;
  assert_string_equal(b.results[0].path, "cuBLAS 13.2.3");
  assert_int_equal(collect_check.collect(&b.s, &e), 0);
  assert_int_equal(b.results[0].n_launches, 0); /* nobody knows them before */
  b.ready[0].trial->dead = false;
  assert_int_equal(collect_time.collect(&b.s, &e), 0);
  const struct run_result *r = &b.results[0];
  assert_int_equal(b.ready[0].step_kernels, 2);
  assert_int_equal(r->n_launches, 2);
  assert_string_equal(r->launches[0].kernel, "cublas_product");
  assert_string_equal(r->launches[1].kernel, "cublas_sum");
  assert_int_equal(r->launches[1].grid[0], 2);
  assert_int_equal(r->timing.n, 2);
  assert_float_equal(r->timing.samples_ns[0], 11000 + 12000, 0);
  assert_int_equal(collect_stalls.collect(&b.s, &e), 0);
  assert_int_equal(collect_sass.collect(&b.s, &e), 0);
  assert_string_equal(r->sampling.reason, "its kernels are a library's, whose SASS is not in this run");
  assert_string_equal(r->counts_reason, "its kernels are a library's, whose SASS is not in this run");
  assert_int_equal(r->sampling.launches, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counters_are_of_the_steps_alone),
      cmocka_unit_test(without_cupti_a_phase_says_why),
      cmocka_unit_test(samples_add_up_over_launches),
      cmocka_unit_test(samples_of_two_kernels_stand_apart),
      cmocka_unit_test(long_kernels_are_sampled_less_often),
      cmocka_unit_test(too_few_samples_are_explained),
      cmocka_unit_test(a_refusal_leaves_no_half_sampling),
      cmocka_unit_test(instructions_are_counted),
      cmocka_unit_test(no_count_has_its_reason),
      cmocka_unit_test(a_librarys_kernels_are_counted_before_they_are_timed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
