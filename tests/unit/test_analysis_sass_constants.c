/* Which loads of constants have an index of each lane: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/constants.h"

#include <stdlib.h>

static const struct {
  bool indexed; /* of the last line but the EXIT */
  const char *lines[8];
} CASES[] = {
    {false, {"LDC R1, c[0x0][0x28]"}},
    {false, {"LDC R1, c[0x0][RZ]"}},
    {true, {"S2R R0, SR_TID.X", "IMAD.SHL.U32 R0, R0, 0x4, RZ", "LDC R1, c[0x3][R0]"}},
    {true, {"S2R R0, SR_LANEID", "LDC.U8 R1, c[0x3][R0+0x10]"}},
    /* one for the warp, the block, or the turn */
    {false, {"S2R R0, SR_TID.X", "SHF.R.U32.HI R0, RZ, 0x5, R0", "LDC.U8 R1, c[0x3][R0]"}},
    {false, {"S2R R0, SR_CTAID.X", "LDC.64 R2, c[0x3][R0]"}},
    {false, {"MOV R0, RZ", "IADD3 R0, R0, 0x4, RZ", "@P0 BRA 0x10", "LDC R1, c[0x3][R0]"}},
    {false, {"S2R R3, SR_TID.X", "LDC R1, c[0x3][UR4]"}},
    /* brought by a load, of each lane and of all */
    {true,
     {"S2R R0, SR_TID.X", "LDG.E R4, desc[UR4][R0.64]", "LOP3.LUT R5, R4, 0xff, RZ, 0xc0, !PT",
      "LDC.U8 R5, c[0x3][R5]"}},
    {true, {"S2R R0, SR_TID.X", "LDS R4, [R0.X4]", "LDC R5, c[0x3][R4]"}},
    {false, {"S2R R0, SR_CTAID.X", "LDG.E R4, desc[UR4][R0.64]", "LDC R5, c[0x3][R4]"}},
    /* kept in local memory between, which holds nothing that was loaded in the second */
    {true,
     {"S2R R0, SR_TID.X", "LDG.E R4, desc[UR4][R0.64]", "STL [R1+0x10], R4", "LDL R5, [R1+0x10]",
      "LDC.U8 R5, c[0x3][R5]"}},
    {false,
     {"S2R R0, SR_TID.X", "LDG.E R4, desc[UR4][R0.64]", "STL [R1+0x10], RZ", "LDL R5, [R1+0x10]",
      "LDC.U8 R5, c[0x3][R5]"}},
    /* not known to differ */
    {false, {"S2R R0, SR_TID.X", "SHFL.BFLY PT, R1, R0, 0x1, 0x1f", "LDC R5, c[0x3][R1]"}},
    {false, {"S2R R0, SR_TID.X", "@!PT LDC R1, c[0x3][R0]"}},
    /* what is no constant */
    {false, {"S2R R0, SR_TID.X", "LDS R1, [R0.X4]"}},
};

static void by_lane(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    struct made_sass m;
    const char *lines[10] = {0};
    bool *indexed;
    size_t n = 0;
    for (; CASES[i].lines[n]; n++)
      lines[n] = CASES[i].lines[n];
    lines[n] = "EXIT";
    made_kernel(&m, lines);
    indexed = sass_indexed_constants_make(&m.sass);
    if (indexed[n - 1] != CASES[i].indexed)
      fail_msg("case %zu, %s", i, lines[n - 1]);
    free(indexed);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_lane)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
