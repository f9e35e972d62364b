/* What decides how often a loop turns. */
#include "analysis/idioms/turn_bounds.h"
#include "unit/made_sass.h"

/* A loop of eight turns that may end before: by what it loads, or by what was loaded before it. */
static void ends_by_load(void **state) {
  static const struct {
    bool ends, data;
    const char *lines[10];
  } rows[] = {
      {true,
       true,
       {"MOV R6, RZ", "LDG.E R5, desc[UR4][R2.64]", "FSETP.GEU.AND P1, PT, R5, -1.5, PT", "@!P1 BRA 0x70",
        "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, 0x8, PT", "@P0 BRA 0x10", "EXIT"}},
      {false, /* the test is of a branch that stays */
       false,
       {"MOV R6, RZ", "LDG.E R5, desc[UR4][R2.64]", "FSETP.GEU.AND P1, PT, R5, -1.5, PT", "@!P1 BRA 0x40",
        "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, 0x8, PT", "@P0 BRA 0x10", "EXIT"}},
      {false,
       true,
       {"LDG.E R5, desc[UR4][R2.64]", "MOV R6, RZ", "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, R5, PT",
        "@P0 BRA 0x20", "EXIT"}},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    made_kernel(&m, rows[i].lines);
    assert_int_equal(m.sass.n_loops, 1);
    assert_int_equal(sass_ends_by_load(&m.sass, 0), rows[i].ends);
    assert_int_equal(sass_loads_to_end(&m.sass, 0), rows[i].ends ? 1 : 0);
    assert_int_equal(sass_data_bound(&m.sass, 0) != SASS_NONE, rows[i].data);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_by_load)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
