/* The arrays that a kernel stores to, told apart. */
#include "analysis/signs/stored_arrays.h"
#include "unit/made_input.h"

#define FIRST  "LDC.64 R2, c[0x0][0x210]", "LDC.64 R4, c[0x0][0x218]", "STG.E desc[UR4][R2.64], R8"
#define SECOND "STG.E.64 desc[UR4][R4.64], R8", "STG.E.64 desc[UR4][R4.64+0x100], R8"

/* 10 warps store 4 bytes a lane to one array, 1280 in all, and twice 8 to another, 5120. */
static void one_of_several(void **state) {
  (void)state;
  static const struct {
    const char *lines[9];
    double bytes;
    bool is;
  } cases[] = {
      {{FIRST, SECOND, "EXIT"}, 1280, true},
      {{FIRST, SECOND, "EXIT"}, 1280 * 1.04, true},
      {{FIRST, SECOND, "EXIT"}, 5120, true},
      {{FIRST, SECOND, "EXIT"}, 2560, false},
      {{FIRST, SECOND, "EXIT"}, 6400, false},
      {{FIRST, SECOND, "EXIT"}, 0, false},
      {{FIRST, SECOND, "EXIT"}, 1280 / 1.04, true},
      {{FIRST, SECOND, "EXIT"}, 1280 * 1.06, false},
      {{FIRST, SECOND, "EXIT"}, 1280 / 1.06, false},
      {{FIRST, SECOND, "EXIT"}, -1280, false},
      {{FIRST, "EXIT"}, 1280, false}, /* there is no other */
      {{FIRST, "STG.E desc[UR4][R2.64+0x80], R9", "EXIT"}, 2560, false},
      /* a store that stands first, and others that never run or did not */
      {{"STG.E desc[UR4][R2.64], R8", "STG.E.128 desc[UR4][R4.64], R8", "EXIT"}, 1280, true},
      {{"STG.E desc[UR4][R2.64], R8", "STG.E.128 desc[UR4][R4.64], R8", "EXIT"}, 5120, true},
      {{"STG.E desc[UR4][R2.64], R8", "@!PT STG.E.128 desc[UR4][R4.64], R8", "EXIT"}, 1280, false},
      {{FIRST, "LDG.E R9, desc[UR4][R4.64]", "EXIT"}, 1280, false},
      {{FIRST, "NOP", "NOP", "NOP", "STG.E desc[UR4][R4.64], R8", "EXIT"}, 1280, false},
  };
  static const double executed[8] = {10, 10, 10, 10, 10, 10};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_input x;
    assert_int_equal(stores_one_array_of(input(&x, cases[i].lines, executed), cases[i].bytes), cases[i].is);
    sass_release(&x.m.sass);
  }
}

static void not_counted(void **state) {
  (void)state;
  static const char *const lines[] = {FIRST, SECOND, "EXIT", NULL};
  static struct made_input x;
  struct rule_input *in = input(&x, lines, NULL);
  assert_true(stores_one_array_of(in, 128)); /* once by a warp */
  x.m.sass.counted = false;
  assert_false(stores_one_array_of(in, 128));
  in->sass = NULL;
  assert_false(stores_one_array_of(in, 128));
  sass_release(&x.m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_of_several), cmocka_unit_test(not_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
