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

/* A probe of a table goes on to another place; a loop around one that retries has other turns. */
static void retries(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool inner, outer;
  } rows[] = {
      {{.lines = {"NOP", "LDS R10, [R8]", "ATOMS.CAST.SPIN R11, [R8], R10, R11", "@!P0 BRA 0x10",
                  "IADD3 R8, R8, 0x4, RZ", "@P1 BRA 0x0", "EXIT"},
        .executed = {10, 30, 30, 30, 10, 10, 1}},
       true,
       false},
      {{.lines = {"LD.E R3, desc[UR4][R4.64]", "FADD R7, R3, R9", "ATOM.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7",
                  "MOV R3, R6", "@P0 BRA 0x10", "@P1 BRA 0x0", "EXIT"},
        .executed = {10, 30, 30, 30, 30, 10, 1}},
       true,
       false},
      {{.lines = {"NOP", "IADD3 R4, P2, R4, 0x8, RZ", "ATOM.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7", "MOV R9, R6",
                  "@P0 BRA 0x10", "@P1 BRA 0x0", "EXIT"},
        .executed = {10, 30, 30, 30, 30, 10, 1}},
       false,
       false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static struct judged j;
    bool inner = false, outer = false;
    judged_make(&j, &rows[i].kernel, NULL);
    for (size_t l = 0; l < j.in.sass->n_loops; l++)
      *(j.in.sass->loops[l].depth > 1 ? &inner : &outer) = loop_retries_swap(j.in.sass, l);
    if (j.in.sass->n_loops != 2 || inner != rows[i].inner || outer != rows[i].outer)
      fail_msg("row %zu: %d, %d of %zu", i, inner, outer, j.in.sass->n_loops);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_counts), cmocka_unit_test(by_samples),
                                     cmocka_unit_test(no_loop), cmocka_unit_test(retries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
