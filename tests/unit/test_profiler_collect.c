/* Collectors on the fake GPU: what the check and the times leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collected.h"

/* --- check --- */

static void a_right_kernel_passes_and_is_described(void **state) {
  (void)state;
  OPEN(good, rich);
  assert_int_equal(collect_check.collect(&b.s, &e), 0);
  const struct run_result *r = &b.results[0];
  assert_int_equal(r->check.verdict, VERDICT_PASS);
  assert_int_equal(r->check.total, 512);
  assert_int_equal(r->check.failed, 0);
  assert_null(r->check.reason);
  assert_true(b.trials[0].checked && !b.trials[0].dead);
  assert_int_equal(told_of('R', 10), 1);
  assert_int_equal(r->n_launches, 1);
  assert_string_equal(r->launches[0].kernel, "gemv");
  assert_int_equal(r->launches[0].grid[1], 2);
  assert_int_equal(r->launches[0].registers, 32);
  assert_int_equal(r->launches[0].smem_static, 96);
  assert_int_equal(r->launches[0].local_bytes, 24);
  assert_int_equal(r->launches[0].blocks_per_sm, 16); /* 2048 threads of 128 */
  const struct run_launch *tail = &b.results[1].launches[1];
  assert_int_equal(b.results[1].n_launches, 2);
  assert_int_equal(tail->smem_dynamic, 60000);
  assert_int_equal(tail->cluster[1], 5);
  assert_int_equal(tail->blocks_per_sm, 8); /* 2048 threads of 32 x 2 x 4 */
  size_t before = n_launched;
  assert_int_equal(collect_check.collect(&b.s, &e), 0); /* what is checked is not checked again */
  assert_int_equal(n_launched, before);
  assert_int_equal(told_of('R', -2), 2);
}

static void a_wrong_kernel_is_dead(void **state) {
  (void)state;
  OPEN(last, beside, refused, empty, limited);
  assert_int_equal(collect_check.collect(&b.s, &e), 0);
  const struct run_check *c = &b.results[0].check;
  assert_int_equal(c->verdict, VERDICT_WRONG);
  assert_string_equal(c->cause, "unwritten");
  assert_int_equal(c->failed, 2); /* the last row of each batch */
  assert_int_equal(c->row, 255);
  assert_false(c->got_present); /* the poison is no number */
  assert_true(b.trials[0].dead && b.trials[0].checked);
  c = &b.results[1].check;
  assert_int_equal(c->verdict, VERDICT_WRONG);
  assert_string_equal(c->cause, "out-of-bounds");
  assert_string_equal(c->reason, "it wrote outside C: the guard bytes before or after the output have changed");
  assert_true(b.trials[1].dead);
  c = &b.results[2].check;
  assert_int_equal(c->verdict, VERDICT_FAILED);
  assert_string_equal(c->reason, "kernel gemv_refused: cuLaunchKernelEx: FAKE_ERROR_701: said by the fake driver");
  assert_string_equal(last_told('X'), c->reason);
  assert_int_equal(told_of('X', 12), 1);
  assert_int_equal(told_of('R', 12), 0);
  assert_true(b.trials[2].dead && !b.trials[2].checked);
  assert_int_equal(b.results[3].check.verdict, VERDICT_UNCHECKED);
  assert_string_equal(b.results[3].check.reason, "it computes no C");
  assert_false(b.trials[3].dead);
  assert_int_equal(b.results[4].check.verdict, VERDICT_OUT_OF_RANGE);
  assert_string_equal(b.results[4].check.reason, "these inputs lie beyond its limits (scale_max < 0.001)");
  assert_false(b.trials[4].dead);
}

static void guards_lie_on_both_sides(void **state) {
  static const long at[] = {-GUARD_BYTES, -1, 1024, 1024 + GUARD_BYTES - 1};
  bool intact = false;
  (void)state;
  OPEN(good);
  unsigned char *c = (unsigned char *)b.s.shapes[0].c;
  assert_int_equal(session_poison(&b.s, &b.ready[0], &e), 0);
  assert_int_equal(guards_intact(&b.s, b.s.shapes[0].c, 1024, &intact, &e), 0);
  assert_true(intact);
  assert_int_equal(*(uint16_t *)(void *)c, PROBLEM_POISON);
  assert_int_equal(*(uint16_t *)(void *)(c + 1022), PROBLEM_POISON);
  for (size_t i = 0; i < 4; i++) {
    c[at[i]] ^= 1;
    assert_int_equal(guards_intact(&b.s, b.s.shapes[0].c, 1024, &intact, &e), 0);
    assert_false(intact);
    c[at[i]] ^= 1;
  }
}

static void own_problems_are_checked_by_their_reference(void **state) {
  (void)state;
  OPEN(GENERIC("right", "scale", REFERENCE), GENERIC("differs", "scale_wrong", REFERENCE),
       GENERIC("unwritten", "scale_last", REFERENCE), GENERIC("outside", "scale_beside", REFERENCE),
       GENERIC("nothing", "scale", ""));
  assert_int_equal(collect_check.collect(&b.s, &e), 0);
  assert_int_equal(b.results[0].check.verdict, VERDICT_PASS);
  assert_int_equal(b.results[0].check.total, 100);
  const struct run_check *c = &b.results[1].check;
  assert_int_equal(c->verdict, VERDICT_WRONG);
  assert_string_equal(c->cause, "differs");
  assert_string_equal(c->reason, "y[7] is 21 and should be 14 (1 of 100 elements fail)");
  assert_int_equal(c->failed, 1);
  assert_int_equal(c->row, 7);
  assert_int_equal(c->batch, 1); /* the second buffer */
  assert_float_equal(c->got, 21, 0);
  assert_float_equal(c->want, 14, 0);
  assert_true(c->got_present && b.trials[1].dead);
  c = &b.results[2].check;
  assert_string_equal(c->cause, "unwritten");
  assert_string_equal(c->reason, "y[99] was not written: the poison is still there (1 of 100 elements fail)");
  assert_false(c->got_present);
  c = &b.results[3].check;
  assert_string_equal(c->cause, "out-of-bounds");
  assert_string_equal(c->reason, "it wrote outside y: the guard bytes before or after the buffer have changed");
  assert_int_equal(b.results[4].check.verdict, VERDICT_UNCHECKED);
  assert_string_equal(b.results[4].check.reason, "no reference given");
}

static void guards_lie_around_every_array(void **state) {
  static const long at[] = {-GUARD_BYTES, -1, 400, 400 + GUARD_BYTES - 1};
  const char *beside_what = NULL;
  (void)state;
  OPEN(GENERIC("right", "scale", REFERENCE));
  assert_int_equal(arrays_buffer(&b.ready[0], "y"), b.s.arrays[0].at[1]);
  assert_int_equal(arrays_buffer(&b.ready[0], "z"), 0);
  assert_int_equal(arrays_poison(&b.s, &b.ready[0], &e), 0);
  assert_int_equal(arrays_guards(&b.s, &b.ready[0], &beside_what, &e), 0);
  assert_null(beside_what);
  for (size_t array = 0; array < 2; array++)
    for (size_t i = 0; i < 4; i++) {
      ((unsigned char *)b.s.arrays[0].at[array])[at[i]] ^= 1;
      assert_int_equal(arrays_guards(&b.s, &b.ready[0], &beside_what, &e), 0);
      assert_string_equal(beside_what, array ? "y" : "x");
      ((unsigned char *)b.s.arrays[0].at[array])[at[i]] ^= 1;
    }
  assert_int_equal(((unsigned char *)b.s.arrays[0].at[1])[399], GENERIC_POISON);
}

/* y is read and written: it begins as it was made, before each check and each launch. */
static void an_output_that_is_read_is_put_back(void **state) {
  static const char both[] = HEAD("both") "//! problem: generic\n"
                                          "//! size: N = 10\n"
                                          "//! buffer: x = fp32[N]; init = iota\n"
                                          "//! buffer: y = fp32[N]; init = iota\n"
                                          "//! output: y\n"
                                          "//! reset: init y\n"
                                          "//! step: kernel = scale; grid = 1; block = 128\n"
                                          "extern \"C\" __global__ void scale(const float *x, float *y, int n) {}\n";
  (void)state;
  OPEN(both);
  float *y = (float *)(void *)b.s.arrays[0].at[1];
  assert_int_equal(b.s.arrays[0].initial[0], 0); /* what is only read needs no copy */
  assert_true(b.s.arrays[0].initial[1] != 0);
  assert_float_equal(y[9], 9, 0);
  assert_int_equal(session_launch(&b.s, &b.ready[0], &e), 0);
  assert_float_equal(y[9], 18, 0);
  assert_int_equal(session_prepare(&b.s, &b.ready[0], &e), 0);
  assert_float_equal(y[9], 9, 0);
  y[0] = 5;
  assert_int_equal(arrays_poison(&b.s, &b.ready[0], &e), 0);
  assert_float_equal(y[0], 0, 0);
  assert_int_equal(session_prepare_kernels(&b.s, &b.ready[0]), 1);
}

/* --- time --- */

static void rounds_are_interleaved_and_end_when_settled(void **state) {
  (void)state;
  OPEN(good, rich);
  b.options.min_rounds = 7;
  b.options.max_rounds = 40;
  assert_int_equal(collect_check.collect(&b.s, &e), 0); /* which describes the launches */
  n_launched = n_told = 0;
  assert_int_equal(collect_time.collect(&b.s, &e), 0);
  /* After round 10, the first multiple of five from 7 on, all times are the same: both are done. */
  for (size_t i = 0; i < 2; i++) {
    const struct run_timing *t = &b.results[i].timing;
    assert_int_equal(t->n, 10);
    assert_int_equal(t->discarded, 0);
    assert_string_equal(t->source, "CUPTI activity");
    assert_null(t->reason);
    assert_int_equal(told_of('R', (long)(10 + i)), 1);
  }
  assert_float_equal(b.results[0].timing.samples_ns[0], 14000, 0);
  assert_float_equal(b.results[0].timing.samples_ns[9], 14000, 0);
  assert_float_equal(b.results[1].timing.samples_ns[0], 14000 + 10000 + 105 * 1000,
                     0); /* from the first's start to the last's end */
  assert_int_equal(atomic_load(&b.pulse.done), 10);
  assert_int_equal(atomic_load(&b.pulse.total), 40);
  assert_int_equal(told_of('N', -1), 0);
  /* 13 rounds of (flush, gemv) and (reset, flush, gemv, tail), then 33 of (flush, empty) and (flush, empty, empty). */
  assert_int_equal(n_launched, 13 * 6 + 33 * 5);
  const struct run_metric *fixed = metric_of(&b.results[0], "fixed_ns");
  assert_true(fixed && fixed->present);
  assert_float_equal(fixed->value, 2000, 0);
  assert_string_equal(fixed->unit, "ns");
  assert_string_equal(fixed->source,
                      "CUPTI activity of an empty kernel of the same grid, block, cluster and shared memory, "
                      "32 registers per thread (the kernel has 32); mean of 30");
  fixed = metric_of(&b.results[1], "fixed_ns");
  assert_float_equal(fixed->value, 4000, 0);
  assert_string_equal(fixed->source,
                      "CUPTI activity of 2 empty kernels, one per launch, with its grid, block, cluster, shared "
                      "memory and allocated registers; mean of 30");
}

/* Two of the same geometry have one empty kernel between them; five is a multiple of five. */
static void one_geometry_is_measured_once(void **state) {
  (void)state;
  OPEN(good, same, empty);
  b.options.min_rounds = 5;
  assert_int_equal(collect_check.collect(&b.s, &e), 0);
  n_launched = 0;
  assert_int_equal(collect_time.collect(&b.s, &e), 0);
  assert_int_equal(b.results[0].timing.n, 5);
  assert_int_equal(n_launched, 8 * 6 + 33 * 4); /* of three trials, of two geometries */
  for (size_t i = 0; i < 3; i++)
    assert_float_equal(metric_of(&b.results[i], "fixed_ns")->value, 2000, 0);
}

static void launches_that_nobody_saw_have_no_fixed_time(void **state) {
  (void)state;
  OPEN(good);
  b.options.min_rounds = b.options.max_rounds = 1;
  assert_int_equal(collect_time.collect(&b.s, &e), 0);
  assert_false(metric_of(&b.results[0], "fixed_ns")->present);
  assert_string_equal(metric_of(&b.results[0], "fixed_ns")->reason, "its launches were not observed");
}

static void what_was_seen_replaces_what_was_planned(void **state) {
  (void)state;
  OPEN(rich);
  b.options.min_rounds = b.options.max_rounds = 2;
  assert_int_equal(collect_check.collect(&b.s, &e), 0);
  assert_int_equal(collect_time.collect(&b.s, &e), 0);
  assert_int_equal(b.results[0].timing.n, 2);
  const struct run_launch *tail = &b.results[0].launches[1];
  assert_string_equal(tail->kernel, "tail");
  assert_int_equal(tail->grid[2], 7);
  assert_int_equal(tail->blocks_per_sm, 8); /* which the driver said */
  assert_int_equal(tail->smem_dynamic, 0);  /* the fake CUPTI tells of none */
  assert_int_equal(tail->cluster[0], 0);
  assert_int_equal(collect_time.collect(&b.s, &e), 0); /* once more: the times before are forgotten */
  assert_int_equal(b.results[0].timing.n, 2);
}

static void event_pairs_are_said_to_be_none_of_cuptis(void **state) {
  (void)state;
  OPEN(good);
  b.s.has_cupti = false;
  err_set(&b.s.cupti_error, ERR_MACHINE, "no CUPTI here");
  b.options.min_rounds = b.options.max_rounds = 4;
  assert_int_equal(collect_time.collect(&b.s, &e), 0);
  assert_int_equal(b.results[0].timing.n, 4);
  assert_float_equal(b.results[0].timing.samples_ns[3], 14000, 0.01);
  assert_string_equal(b.results[0].timing.source, "event pair");
  assert_string_equal(last_told('N'), "times are from event pairs, which include the launch (some µs): no CUPTI here");
  assert_false(metric_of(&b.results[0], "fixed_ns")->present);
  assert_string_equal(metric_of(&b.results[0], "fixed_ns")->reason,
                      "an event pair includes the launch: only CUPTI activity measures it");
}

static void throttled_rounds_are_counted_and_left_out(void **state) {
  static const int slow[] = {0x4, 0x8, 0x20, 0x40, 0x80}, other[] = {0x1, 0x2, 0x10, 0x100};
  (void)state;
  for (size_t i = 0; i < 9; i++) {
    OPEN(good);
    char fake[32];
    snprintf(fake, sizeof fake, "throttle=%d", i < 5 ? slow[i] : other[i - 5]);
    setenv("NVFP4_FAKE", fake, 1);
    b.s.has_cupti = i != 0; /* event pairs likewise */
    b.options.min_rounds = b.options.max_rounds = 2;
    assert_int_equal(collect_time.collect(&b.s, &e), 0);
    const struct run_timing *t = &b.results[0].timing;
    assert_int_equal(t->discarded, i < 5 ? 2 : 0);
    assert_int_equal(t->n, i < 5 ? 0 : 2);
    if (i < 5) {
      assert_string_equal(t->reason,
                          "all 2 samples were discarded: the GPU was throttled, or CUPTI dropped its records");
      assert_string_equal(last_told('N'),
                          "2 of 2 timing rounds were discarded: the GPU was throttled in 2 (NVML), and CUPTI "
                          "dropped records of 0");
    }
  }
  unsetenv("NVFP4_FAKE");
}

static void rounds_that_lose_records_are_left_out(void **state) {
  (void)state;
  OPEN(good, empty);
  setenv("NVFP4_FAKE", "dropped=1", 1);
  b.options.min_rounds = b.options.max_rounds = 3;
  assert_int_equal(collect_time.collect(&b.s, &e), 0);
  unsetenv("NVFP4_FAKE");
  assert_int_equal(b.results[0].timing.n, 0);
  assert_int_equal(b.results[0].timing.discarded, 3);
  assert_string_equal(last_told('N'),
                      "3 of 3 timing rounds were discarded: the GPU was throttled in 0 (NVML), and CUPTI "
                      "dropped records of 3");
}

static void the_contest_is_timed_after_its_writes(void **state) {
  (void)state;
  OPEN(good, GENERIC("own", "scale", ""));
  b.options.harness = HARNESS_CONTEST;
  b.options.min_rounds = b.options.max_rounds = 1;
  assert_int_equal(collect_time.collect(&b.s, &e), 0);
  const struct run_metric *m = metric_of(&b.results[0], "contest_ns");
  assert_true(m && m->present);
  assert_float_equal(m->value, 17000, 0.01); /* 3 µs to write back what was written before */
  assert_string_equal(m->unit, "ns");
  assert_string_equal(m->source,
                      "event pair around the launch, after the inputs and 4294967296 bytes were written; mean of 30");
  m = metric_of(&b.results[1], "contest_ns");
  assert_false(m->present);
  assert_string_equal(m->reason, "the contest has the NVFP4 GEMV only");
  assert_memory_equal((void *)b.s.shapes[0].a, b.problem.a, 256 * 64 * 2); /* the inputs are as they were */
  assert_memory_equal((void *)b.s.shapes[0].sfb, b.problem.sfb, 128 * 8 * 2);
  assert_non_null(strstr(last_told('N'), "contest: an event pair around the launch"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_right_kernel_passes_and_is_described),
      cmocka_unit_test(a_wrong_kernel_is_dead),
      cmocka_unit_test(guards_lie_on_both_sides),
      cmocka_unit_test(own_problems_are_checked_by_their_reference),
      cmocka_unit_test(guards_lie_around_every_array),
      cmocka_unit_test(an_output_that_is_read_is_put_back),
      cmocka_unit_test(rounds_are_interleaved_and_end_when_settled),
      cmocka_unit_test(one_geometry_is_measured_once),
      cmocka_unit_test(launches_that_nobody_saw_have_no_fixed_time),
      cmocka_unit_test(what_was_seen_replaces_what_was_planned),
      cmocka_unit_test(event_pairs_are_said_to_be_none_of_cuptis),
      cmocka_unit_test(throttled_rounds_are_counted_and_left_out),
      cmocka_unit_test(rounds_that_lose_records_are_left_out),
      cmocka_unit_test(the_contest_is_timed_after_its_writes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
