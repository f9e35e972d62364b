/* Which loads go to shared memory: small enough to follow by hand. */
#include "analysis/idioms/staged.h"
#include "unit/made_sass.h"

#include <stdlib.h>

static const struct {
  const char *is; /* of every line: 's' it brings what shared memory is filled with */
  bool all;
  const char *lines[10];
} CASES[] = {
    {"s...", true, {"LDG.E R4, desc[UR4][R2.64]", "STS [R7], R4", "LDS R5, [R8]", "EXIT"}},
    {"ss..", true, {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R2.64+0x4]", "STS.64 [R7], R4", "EXIT"}},
    {"s....",
     true,
     {"LDGSTS.E.BYPASS.128 [R7], desc[UR4][R2.64]", "LDGDEPBAR", "DEPBAR.LE SB0, 0x0", "LDS R5, [R8]", "EXIT"}},
    /* of another type, or in other places */
    {"s...", true, {"LDG.E.U16 R4, desc[UR4][R2.64]", "HADD2.F32 R5, -RZ, R4.H0_H0", "STS [R7], R5", "EXIT"}},
    {"s....",
     true,
     {"LDG.E R4, desc[UR4][R2.64]", "I2FP.F32.S32 R5, R4", "IMAD.MOV.U32 R6, RZ, RZ, R5", "STS [R7], R6", "EXIT"}},
    {"ss...",
     true,
     {"LDG.E.U8 R4, desc[UR4][R2.64]", "LDG.E.U8 R5, desc[UR4][R2.64+0x1]", "PRMT R9, R4, 0x3340, R5",
      "STS.U16 [R7], R9", "EXIT"}},
    /* one that is worked on, or used, goes there no more; where it is stored is no matter of what is stored */
    {"....", false, {"LDG.E R4, desc[UR4][R2.64]", "FADD R4, R4, R4", "STS [R7], R4", "EXIT"}},
    {"....", false, {"LDG.E R4, desc[UR4][R2.64]", "IMAD R4, R4, R5, R6", "STS [R7], R4", "EXIT"}},
    {"....", false, {"LDG.E R4, desc[UR4][R2.64]", "HADD2 R5, R4, R4", "STS [R7], R5", "EXIT"}},
    {"...", false, {"LDG.E R4, desc[UR4][R2.64]", "STS [R4], R7", "EXIT"}},
    {"s....",
     false,
     {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R12.64]", "STS [R7], R4", "FADD R6, R5, R6", "EXIT"}},
    {"...", false, {"LDG.E R4, desc[UR4][R2.64]", "@!PT STS [R7], R4", "EXIT"}},
    {"...", false, {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R8.64], R4", "EXIT"}},
    {".", false, {"EXIT"}}, /* it loads nothing */
    /* what is not reached, or never runs, takes no part */
    {"s....",
     true,
     {"LDG.E R4, desc[UR4][R2.64]", "STS [R7], R4", "@!PT LDG.E R6, desc[UR4][R2.64]", "EXIT",
      "LDG.E R5, desc[UR4][R2.64]"}},
};

static void what_is_staged(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    bool *staged;
    made_kernel(&m, CASES[i].lines);
    staged = sass_staged_make(&m.sass);
    for (size_t k = 0; k < m.sass.n; k++)
      if (staged[k] != (CASES[i].is[k] == 's'))
        fail_msg("case %zu: line %zu", i, k);
    free(staged);
    if (sass_all_staged(&m.sass, SASS_NONE) != CASES[i].all)
      fail_msg("case %zu: all", i);
    sass_release(&m.sass);
  }
}

/* The loop's load is staged, the one before it is not; nor is one of the loop that never ran, by the counts. */
static void of_a_loop(void **state) {
  static const char *const lines[] = {"LDG.E R9, desc[UR4][R8.64]",
                                      "LDG.E R4, desc[UR4][R2.64]",
                                      "STS [R7], R4",
                                      "@P1 BRA 0x60",
                                      "LDG.E R5, desc[UR4][R2.64]",
                                      "FADD R6, R5, R6",
                                      "FADD R6, R9, R6",
                                      "@P0 BRA 0x10",
                                      "EXIT",
                                      NULL};
  static const double executed[] = {1, 10, 10, 10, 0, 0, 10, 10, 1};
  static struct made_sass m;
  (void)state;
  made_kernel(&m, lines);
  assert_int_equal(m.sass.n_loops, 1);
  assert_false(sass_all_staged(&m.sass, 0));
  made_counts(&m, executed);
  assert_true(sass_all_staged(&m.sass, 0));
  assert_false(sass_all_staged(&m.sass, SASS_NONE));
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_staged), cmocka_unit_test(of_a_loop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
