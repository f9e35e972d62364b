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
    assert_int_equal(sass_loads_to_end(&m.sass, 0), rows[i].ends ? 1 : 0);
    assert_int_equal(sass_data_bound(&m.sass, 0) != SASS_NONE, rows[i].data);
    sass_release(&m.sass);
  }
}

/* A table's entries in turn; a chain of entries, and the keys beside its links; a search's pivots, which a test of each chooses. */
static void ends_in_a_chain(void **state) {
  static const struct {
    size_t loads;
    bool chained;
    const char *lines[10];
  } rows[] = {
      {1,
       false,
       {"LDG.E R5, desc[UR4][R2.64]", "IADD3 R2, R2, 0x4, RZ", "ISETP.GT.AND P0, PT, R5, R9, PT", "@P0 BRA 0x0",
        "EXIT"}},
      {1,
       true,
       {"IMAD.WIDE R2, R5, 0x4, R6", "LDG.E R5, desc[UR4][R2.64]", "ISETP.GT.AND P0, PT, R5, R9, PT", "@P0 BRA 0x0",
        "EXIT"}},
      {2, /* the key's place is the link's value */
       true,
       {"LDG.E R5, desc[UR4][R2.64]", "LDG.E.64 R2, desc[UR4][R2.64+0x8]", "ISETP.NE.AND P0, PT, R5, R9, PT",
        "@P0 BRA 0x0", "EXIT"}},
      {1,
       true,
       {"IMAD.WIDE R2, R5, 0x4, R6", "LDG.E R8, desc[UR4][R2.64]", "ISETP.GT.AND P1, PT, R8, R9, PT",
        "SEL R5, R10, R5, P1", "ISETP.NE.AND P0, PT, R5, R10, PT", "@P0 BRA 0x0", "EXIT"}},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    made_kernel(&m, rows[i].lines);
    assert_int_equal(m.sass.n_loops, 1);
    assert_int_equal(sass_loads_to_end(&m.sass, 0), rows[i].loads);
    assert_int_equal(sass_end_is_chained(&m.sass, 0), rows[i].chained);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_by_load), cmocka_unit_test(ends_in_a_chain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
