/* Whether what the FMA pipe multiplies are matrices of 16 bits. */
#include "analysis/signs/half_product.h"
#include "unit/assert_float.h"
#include "unit/judged.h"

#define LOADED "LDS R4, [R8]", "HADD2.F32 R5, -RZ, R4.H0_H0", "HADD2.F32 R7, -RZ, R4.H1_H1"

static const struct {
  struct judged_case kernel;
  bool product;
} ROWS[] = {
    /* 300 of 400 instructions multiply two values that were widened, or add; 10 loads bring 20 values of 16 bits */
    {{.lines = {LOADED, "FFMA R6, R5, R7, R6", "FADD R9, R6, R9", "EXIT"},
      .executed = {10, 20, 20, 200, 100, 1},
      .set = {{"inst_executed", 400}}},
     true},
    {{.lines = {"LDS R4, [R8]", "HADD2.F32 R5, -RZ, R4.H0_H0", "LDS R7, [R9]", "FMUL R6, R5, R7", "EXIT"},
      .executed = {10, 20, 10, 300, 1},
      .set = {{"inst_executed", 400}}},
     true},
    /* a factor that is worked out: a quotient, a difference from a mean */
    {{.lines = {LOADED, "MUFU.RCP R7, R7", "FFMA R6, R5, R7, R6", "EXIT"},
      .executed = {10, 20, 20, 10, 300, 1},
      .set = {{"inst_executed", 400}}},
     false},
    {{.lines = {LOADED, "FADD R5, R5, R10", "FFMA R6, R5, R7, R6", "EXIT"},
      .executed = {10, 20, 20, 100, 200, 1},
      .set = {{"inst_executed", 400}}},
     false},
    /* an argument scales what is loaded */
    {{.lines = {LOADED, "FFMA R6, R5, R11, R6", "EXIT"},
      .executed = {10, 20, 20, 300, 1},
      .set = {{"inst_executed", 400}}},
     false},
    /* as many values as products, and other work beside it */
    {{.lines = {LOADED, "FFMA R6, R5, R7, R6", "EXIT"},
      .executed = {100, 20, 20, 200, 1},
      .set = {{"inst_executed", 400}}},
     false},
    {{.lines = {LOADED, "FFMA R6, R5, R7, R6", "EXIT"},
      .executed = {10, 20, 20, 200, 1},
      .set = {{"inst_executed", 480}}},
     false},
};

static void what_is_multiplied(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    struct half_product x;
    judged_make(&j, &ROWS[i].kernel, NULL);
    if (half_product_of(&x, &j.in) != ROWS[i].product)
      fail_msg("row %zu", i);
    if (i == 0) {
      assert_float_equal(x.arithmetic, 300, 1e-9);
      assert_float_equal(x.converts, 40, 1e-9);
    }
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_multiplied)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
