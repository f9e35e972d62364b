/* Loads from tables of the toolkit's functions. */
#include "analysis/signs/lookups.h"
#include "unit/made_input.h"

/* The load in the second line, or what stands for it, ran in 10 warps. */
static void loads_of_functions(void **state) {
  (void)state;
  static const struct {
    const char *lines[8];
    double loads;
  } cases[] = {
      /* what was loaded decides which entry of a variable of the module */
      {{"LDG.E R4, desc[UR4][R2.64]", "F2I R5, R4", "LDC.64 R8, c[0x4][0x8]", "IMAD.WIDE R8, R5, 0x10, R8",
        "LDG.E.128.CONSTANT R12, desc[UR4][R8.64]", "DFMA R16, R12, R14, R16", "EXIT"},
       10},
      /* the doubles are the caller's, and so is what they are multiplied by */
      {{"LDG.E.64 R4, desc[UR4][R2.64]", "LDC.64 R8, c[0x4][0x8]", "LDG.E.128.CONSTANT R12, desc[UR4][R8.64]",
        "DFMA R16, R12, R4, R16", "EXIT"},
       0},
      /* no doubles */
      {{"LDG.E R4, desc[UR4][R2.64]", "F2I R5, R4", "LDC.64 R8, c[0x4][0x8]", "IMAD.WIDE R8, R5, 0x10, R8",
        "LDG.E.128.CONSTANT R12, desc[UR4][R8.64]", "FFMA R16, R12, R14, R16", "EXIT"},
       0},
      /* of an argument */
      {{"LDG.E R4, desc[UR4][R2.64]", "F2I R5, R4", "LDC.64 R8, c[0x0][0x210]", "IMAD.WIDE R8, R5, 0x10, R8",
        "LDG.E.128.CONSTANT R12, desc[UR4][R8.64]", "DFMA R16, R12, R14, R16", "EXIT"},
       0},
      /* which the kernel may write */
      {{"LDG.E R4, desc[UR4][R2.64]", "F2I R5, R4", "LDC.64 R8, c[0x4][0x8]", "IMAD.WIDE R8, R5, 0x10, R8",
        "LDG.E.128 R12, desc[UR4][R8.64]", "DFMA R16, R12, R14, R16", "EXIT"},
       0},
  };
  static const double executed[8] = {10, 10, 10, 10, 10, 10, 10};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_input x;
    assert_float_equal(function_loads(input(&x, cases[i].lines, executed)), cases[i].loads, 1e-9);
    sass_release(&x.m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loads_of_functions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
