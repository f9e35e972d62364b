/* Words of a lane that lie apart in shared memory. */
#include "unit/made_sass.h"

#include "analysis/idioms/strided_shared.h"

static void by_what_stands_beside_a_register(void **state) {
  (void)state;
  static const struct {
    const char *lines[8];
    double part;
  } rows[] = {
      {{"LDS R4, [R2]", "LDS R5, [R2+0x40]", "LDS R6, [R2+0x80]", "LDS R7, [R2+0xc0]", "@P0 BRA 0x0", "EXIT"}, 1},
      {{"LDS R4, [R2]", "LDS R5, [R2+0x4]", "LDS R6, [R2+0x80]", "LDS R7, [R2+0xc0]", "@P0 BRA 0x0", "EXIT"}, 0.5},
      {{"LDS R4, [R2]", "LDS R5, [R2+0x40]", "LDS R6, [R2+0x80]", "LDS R7, [R3+0xc0]", "@P0 BRA 0x0", "EXIT"}, 0},
      {{"LDS.64 R4, [R2]", "LDS.64 R6, [R2+0x40]", "LDS.64 R8, [R2+0x80]", "LDS.64 R10, [R2+0xc0]", "@P0 BRA 0x0",
        "EXIT"},
       0},
      {{"LDS R4, [R2]", "LDS R5, [R2+0x40]", "LDS R6, [R2+0x80]", "LDS R7, [R2+0xc0]", "LDS.128 R8, [R3]",
        "@P0 BRA 0x0", "EXIT"},
       0.8},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, rows[i].lines);
    if (fabs(sass_strided_shared(&m.sass, 0) - rows[i].part) > 1e-9)
      fail_msg("row %zu: %g", i, sass_strided_shared(&m.sass, 0));
    assert_float_equal(sass_strided_shared(&m.sass, SASS_NONE), 0, 1e-12);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_what_stands_beside_a_register)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
