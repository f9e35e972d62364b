/* Products of two loaded values: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/loaded_products.h"

#define LOADED "LDG.E R4, desc[UR4][R2.64]", "LDS R6, [R3]"
#define TURN   "@P0 BRA 0x0", "EXIT"

static const struct {
  double fp32, fp16, packed, mma, ffma;
  const char *lines[14];
} CASES[] = {
    {2, 0, 0, 0, 0, {LOADED, "FFMA R8, R4, R6, R8", "FFMA R9, R4, R6, R9", TURN}},
    {1, 0, 0, 0, 0, {LOADED, "FFMA R4, R4, R6, R8", TURN}},                    /* over a factor */
    {0, 0, 0, 0, 0, {LOADED, "FFMA R8, R4, R6, R8", "EXIT"}},                  /* in no loop */
    {0, 0, 0, 0, 0, {LOADED, "FFMA R8, R4, R4, R8", TURN}},                    /* a square */
    {0, 0, 0, 0, 0, {LOADED, "FADD R6, R6, R6", "FFMA R8, R4, R6, R8", TURN}}, /* computed */
    {0, 0, 0, 0, 0, {LOADED, "FFMA R8, R4, R6, 1", TURN}},                     /* no sum */
    {0, 1, 1, 0, 0, {LOADED, "HFMA2 R8, R4, R6, R8", TURN}},
    {0, 1, 1, 0, 0, {LOADED, "HFMA2 R8, R4.H0_H0, R6, R8", TURN}},
    {0, 1, 0, 0, 0, {LOADED, "HFMA2 R8, R4.H0_H0, R6.H0_H0, R8", TURN}},
    {0, 0, 0, 1, 64, {"LDSM.16.M88.4 R8, [R3]", "LDSM.16.MT88.2 R20, [R5]", "HMMA.16816.F16 R6, R8, R20, R6", TURN}},
    {0, 0, 0, 1, 32, {"LDSM.16.M88.2 R8, [R3]", "LDSM.16.MT88 R20, [R5]", "HMMA.1688.F16 R6, R8, R20, R6", TURN}},
};

static void what_is_multiplied(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    struct sass_loaded_products x;
    made_kernel(&m, CASES[i].lines);
    sass_loaded_products(&x, &m.sass);
    if (x.fp32 != CASES[i].fp32 || x.fp16 != CASES[i].fp16 || x.fp16_packed != CASES[i].packed ||
        x.mma != CASES[i].mma || x.mma_ffma != CASES[i].ffma)
      fail_msg("case %zu: %g %g %g %g %g", i, x.fp32, x.fp16, x.fp16_packed, x.mma, x.mma_ffma);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_multiplied)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
