/* Atomics in shared memory that are loops, by counts and by samples alone. */
#include "analysis/signs/swap_retries.h"
#include "unit/assert_float.h"
#include "unit/judged.h"

static const struct judged_case SWAPS = {.lines = {"MOV R8, 0x4", "LDS R10, [R8]", "FADD R11, R4, R10",
                                                   "ATOMS.CAST.SPIN R11, [R8], R10, R11", "@!P0 BRA 0x10", "EXIT"},
                                         .executed = {10, 25, 25, 25, 25, 10}};

/* 25 turns for 10 that enter: 15 more, of four instructions, two of them of shared memory. */
static void by_counts(void **state) {
  (void)state;
  static struct judged j;
  judged_make(&j, &SWAPS, NULL);
  struct swap_retries x = swap_retries_of(&j.in);
  assert_float_equal(x.turns, 2.5, 1e-9);
  assert_float_equal(x.insts, 60, 1e-9);
  assert_float_equal(x.shared, 30, 1e-9);
  assert_false(x.only_seen);
  judged_release(&j);
}

/* Nothing was counted: of 100 samples 10 in the loop are enough, 9 are not. */
static void by_samples(void **state) {
  (void)state;
  static struct run_sample samples[2];
  for (unsigned in_loop = 9; in_loop <= 10; in_loop++) {
    static struct judged j;
    samples[0] = (struct run_sample){.offset = 0x40, .reason = (char *)"wait", .samples = in_loop};
    samples[1] = (struct run_sample){.offset = 0x00, .reason = (char *)"wait", .samples = 100 - in_loop};
    judged_make(&j, &SWAPS, NULL);
    hot_release(&j.hot);
    struct run_result *r = &j.d.m.results[0];
    r->samples = samples;
    r->n_samples = 2;
    hot_make(&j.hot, &j.d.m.run, r);
    j.in.sass = &j.hot.kernels[0].sass;
    j.in.sass->counted = false;
    struct swap_retries x = swap_retries_of(&j.in);
    assert_float_equal(x.waits, in_loop / 100.0, 1e-9);
    assert_true(x.turns == 0 && x.insts == 0);
    assert_int_equal(x.only_seen, in_loop == 10);
    judged_release(&j);
  }
}

/* What is no loop, and what compares and swaps nothing, is none. */
static void no_loop(void **state) {
  (void)state;
  static const struct judged_case others[] = {
      {.lines = {"LDS R10, [R8]", "ATOMS.CAS R11, [R8], R10, R11", "EXIT"}, .executed = {10, 25, 10}},
      {.lines = {"ATOMS.ADD R11, [R8], R10", "@!P0 BRA 0x0", "EXIT"}, .executed = {25, 25, 10}}};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    static struct judged j;
    judged_make(&j, &others[i], NULL);
    struct swap_retries x = swap_retries_of(&j.in);
    assert_true(x.turns == 0 && x.waits == 0 && !x.only_seen);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_counts), cmocka_unit_test(by_samples),
                                     cmocka_unit_test(no_loop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
