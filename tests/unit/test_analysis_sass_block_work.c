/* Whether a loop moves on by the grid's size, and whether blocks do equal work: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/block_work.h"

#define INDEX "S2R R0, SR_CTAID.X", "S2R R3, SR_TID.X", "IMAD R0, R0, UR5, R3"
#define STEP  "LDC R7, c[0x0][0xc]", "IMAD R7, R7, UR5, RZ"

static const struct {
  const char *lines[16];
  bool strides, alike;
} CASES[] = {
    /* an element each; where there is none, a thread ends */
    {{INDEX, "ISETP.GE.AND P0, PT, R0, UR8, PT", "@P0 EXIT", "FADD R4, R4, R4", "EXIT"}, false, true},
    /* what was loaded decides: of a few instructions, and of the end */
    {{"LDG.E R4, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 BRA 0x40", "FADD R4, R4, R4", "EXIT"},
     false,
     true},
    {{"LDG.E R4, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 EXIT", "FADD R4, R4, R4", "EXIT"},
     false,
     false},
    /* over the grid: how often depends on where the block stands */
    {{"ULDC UR5, c[0x0][0x0]", INDEX, STEP, "FADD R4, R4, R4", "IMAD.IADD R0, R7, 0x1, R0",
      "ISETP.GE.AND P0, PT, R0, UR8, PT", "@!P0 BRA 0x60", "EXIT"},
     true,
     false},
    {{"ULDC UR5, c[0x0][0x0]", INDEX, STEP, "FADD R4, R4, R4", "LEA R0, R7, R0, 0x1",
      "ISETP.GE.AND P0, PT, R0, UR8, PT", "@!P0 BRA 0x60", "EXIT"},
     true,
     false},
    /* by the block's threads, and by numbers: the same in all blocks */
    {{"S2R R0, SR_TID.X", "FADD R4, R4, R4", "IADD3 R0, R0, UR5, RZ", "ISETP.GE.AND P0, PT, R0, UR8, PT",
      "@!P0 BRA 0x10", "EXIT"},
     false,
     true},
    {{"MOV R0, RZ", "FADD R4, R4, R4", "IADD3 R0, R0, 0x1, RZ", "ISETP.GE.AND P0, PT, R0, UR8, PT", "@!P0 BRA 0x10",
      "EXIT"},
     false,
     true},
    /* as many turns as the block's number, and as a load says */
    {{"S2R R1, SR_CTAID.X", "MOV R0, RZ", "FADD R4, R4, R4", "IADD3 R0, R0, 0x1, RZ", "ISETP.GE.AND P0, PT, R0, R1, PT",
      "@!P0 BRA 0x20", "EXIT"},
     false,
     false},
    {{"LDG.E R1, desc[UR4][R2.64]", "MOV R0, RZ", "FADD R4, R4, R4", "IADD3 R0, R0, 0x1, RZ",
      "ISETP.GE.AND P0, PT, R0, R1, PT", "@!P0 BRA 0x20", "EXIT"},
     false,
     false},
    /* a load decides whether a loop is entered */
    {{"LDG.E R1, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R1, RZ, PT", "@P0 BRA 0x80", "MOV R0, RZ", "FADD R4, R4, R4",
      "IADD3 R0, R0, 0x1, RZ", "ISETP.GE.AND P1, PT, R0, UR8, PT", "@!P1 BRA 0x40", "EXIT"},
     false,
     false},
    /* the grid's size in an index, in a loop, and in a comparison: no step */
    {{"S2R R0, SR_CTAID.X", "ULDC UR5, c[0x0][0xc]", "IMAD R0, R0, UR5, RZ", "MOV R6, RZ", "IADD3 R8, R0, R6, RZ",
      "IADD3 R6, R6, 0x1, RZ", "ISETP.GE.AND P0, PT, R6, UR8, PT", "@!P0 BRA 0x40", "EXIT"},
     false,
     true},
    {{"S2R R0, SR_TID.X", "ULDC UR5, c[0x0][0xc]", "IADD3 R0, R0, 0x1, RZ", "ISETP.GE.AND P0, PT, R0, UR5, PT",
      "@!P0 BRA 0x20", "EXIT"},
     false,
     true},
    /* a function that is not the compiler's */
    {{"CALL.ABS.NOINC R4", "EXIT"}, false, false},
};

static void blocks_and_grids(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    bool strides = sass_strides_grid(&m.sass), alike = sass_blocks_alike(&m.sass);
    if (strides != CASES[i].strides || alike != CASES[i].alike)
      fail_msg("case %zu: strides %d, alike %d", i, strides, alike);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_and_grids)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
