/* The time of a product that is cut into tiles as well as can be: what stays beside its multiply-adds. */
#include "analysis/signs/product_roof.h"
#include "unit/judged.h"

#define PRODUCT                                                                                                        \
  .executed = {64e3, 64e3, 64e3, 64e3, 64e3, 640},                                                                     \
  .set = {{"l1_load_bytes", 16e6},   {"l1_load_requests", 128e3}, {"l1_wavefronts", 1e6}, {"l2_read_bytes", 80e3},     \
          {"dram_read_bytes", 80e3}, {"pipe_fma", 64e3},          {"pipe_alu", 64e3},     {"inst_executed", 320e3}}
#define PRODUCT_THEN(x)                                                                                                \
  .lines = {                                                                                                           \
      "LDG.E R4, desc[UR4][R2.64]", "LDG.E R6, desc[UR4][R10.64]", "FFMA R8, R4, R6, R8", x, "@P0 BRA 0x0", "EXIT"}

/* 64e3 of a pipe of 128 lanes take 1.6 us, of one of 64 lanes 3.2: comparisons of the sums stay, what counts turns does not. */
static void comparisons_stay(void **state) {
  (void)state;
  static const struct judged_case cases[] = {{PRODUCT_THEN("FSETP.GT.AND P1, PT, R8, R9, PT"), PRODUCT},
                                             {PRODUCT_THEN("IADD3 R12, R12, 0x1, RZ"), PRODUCT}};
  double seconds[2];
  for (size_t i = 0; i < 2; i++) {
    static struct judged j;
    struct product_roof roof;
    judged_make(&j, &cases[i], NULL);
    product_roof_of(&roof, &j.in);
    assert_int_equal(roof.pipe, BOUND_FMA);
    assert_int_equal(roof.compares, i == 0);
    seconds[i] = roof.seconds;
    judged_release(&j);
  }
  assert_true(seconds[1] > 0 && seconds[0] > 1.5 * seconds[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(comparisons_stay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
