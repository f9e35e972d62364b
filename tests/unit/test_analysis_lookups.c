/* Loads from tables of the toolkit's functions. */
#include "analysis/signs/lookups.h"
#include "unit/made_input.h"

/* The load in the second line, or what stands for it, ran in 10 warps: a sector of 32 bytes each. */
static void bytes_that_are_looked_up(void **state) {
  (void)state;
  static const struct {
    const char *lines[8];
    double bytes;
  } cases[] = {
      /* what was loaded decides which entry of a variable of the module */
      {{"LDG.E R4, desc[UR4][R2.64]", "F2I R5, R4", "LDC.64 R8, c[0x4][0x8]", "IMAD.WIDE R8, R5, 0x10, R8",
        "LDG.E.128.CONSTANT R12, desc[UR4][R8.64]", "DFMA R16, R12, R14, R16", "EXIT"},
       320},
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
    assert_float_equal(looked_up_bytes(input(&x, cases[i].lines, executed)), cases[i].bytes, 1e-9);
    sass_release(&x.m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_that_are_looked_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
