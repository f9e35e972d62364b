/* Loads that bring the address that they load from next. */
#include "analysis/signs/chases.h"
#include "unit/made_sass.h"

#include <math.h>

/* Of the load in the second line, and of all bytes the part that chases; each line of the loop runs 10 times, others once. */
static const struct {
  bool chases;
  double part;
  const char *lines[10];
} CASES[] = {
    {true, 1, {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"}},
    {true, 1, {"MOV R2, R6", "LDG.E.64 R8, desc[UR4][R2.64]", "IMAD.WIDE R2, R8, 0x8, R6", "@P0 BRA 0x10", "EXIT"}},
    /* a counter, and an index that another load brings */
    {false, 0, {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"}},
    {false,
     0,
     {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "IMAD.WIDE R4, R8, 0x4, R10", "LDG.E R9, desc[UR4][R4.64]",
      "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"}},
    /* of two loads each brings the other's address */
    {true,
     1,
     {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "IMAD.WIDE R4, R8, 0x4, R10", "LDG.E R9, desc[UR4][R4.64]",
      "IMAD.WIDE R2, R9, 0x4, R10", "@P0 BRA 0x10", "EXIT"}},
    /* 8 bytes chase, and 16 come beside them */
    {true,
     1.0 / 3,
     {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R4.64]", "IADD3 R4, R4, 0x10, RZ",
      "@P0 BRA 0x10", "EXIT"}},
    /* what is loaded decides where to go on, and does not bring it */
    {false,
     0,
     {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "ISETP.GE.AND P1, PT, R8, RZ, PT", "SEL R2, R4, R5, P1",
      "@P0 BRA 0x10", "EXIT"}},
    /* no loop; through shared memory nothing is followed */
    {false, 0, {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "LDG.E.64 R2, desc[UR4][R2.64]", "EXIT"}},
    {false, 0, {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "LDS R2, [R8]", "@P0 BRA 0x10", "EXIT"}},
};

static void what_chases(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    double executed[10] = {0};
    made_kernel(&m, CASES[i].lines);
    assert_true(sass_chased_part(&m.sass) == 0); /* not counted */
    for (size_t k = 0; k < m.sass.n; k++)
      executed[k] = m.sass.blocks[m.sass.block_of[k]].loop == SASS_NONE ? 1 : 10;
    made_counts(&m, executed);
    if (sass_chases(&m.sass, 1) != CASES[i].chases || fabs(sass_chased_part(&m.sass) - CASES[i].part) > 1e-9)
      fail_msg("row %zu: part %g", i, sass_chased_part(&m.sass));
    assert_false(sass_chases(&m.sass, 0));
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_chases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
