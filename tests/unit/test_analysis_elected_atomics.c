/* Which atomics the compiler sums in a warp. */
#include "analysis/signs/elected_atomics.h"
#include "unit/judged.h"

static void rows(void **state) {
  (void)state;
#define KERNEL(first, other)                                                                                           \
  {                                                                                                                    \
    .lines = {first, "@P0 REDG.E.ADD.STRONG.GPU desc[UR6][R2.64], R7", other, "EXIT"}, .executed = { 50, 10, 40, 1 }   \
  }
  static const struct {
    struct judged_case kernel;
    bool elected;
    double summed, wraps;
  } all[] = {{KERNEL("VOTEU.ANY UR4, UPT, PT", "ATOMG.E.INC.STRONG.GPU PT, R8, desc[UR6][R4.64], R9"), true, 0, 40},
             {KERNEL("REDUX.SUM UR4, R5", "REDG.E.ADD.STRONG.GPU desc[UR6][R4.64], R9"), true, 40, 0},
             {KERNEL("NOP", "REDG.E.ADD.STRONG.GPU desc[UR6][R4.64], R9"), false, 40, 0},
             {KERNEL("REDUX.SUM UR4, R5", "ATOMS.ADD RZ, [R8], R4"), false, 0, 0}};
#undef KERNEL
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    static struct judged j;
    struct elected_atomics x;
    judged_make(&j, &all[i].kernel, NULL);
    if (elected_of(&x, &j.in) != all[i].elected || x.elected != 10 || x.summed != all[i].summed ||
        x.of[INCREMENTS] != all[i].wraps)
      fail_msg("row %zu: %g, %g, %g", i, x.elected, x.summed, x.of[INCREMENTS]);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
