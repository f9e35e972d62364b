/* What the place of an access follows from. */
#include "analysis/idioms/follows.h"
#include "unit/made_sass.h"

/* Of the last load, and the block's number. */
static const struct {
  bool follows;
  const char *lines[10];
} CASES[] = {
    {true, {"S2R R2, SR_CTAID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "EXIT"}},
    {false, {"S2R R2, SR_TID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "EXIT"}},
    {false, {"S2R R2, SR_CTAID.Y", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "EXIT"}},
    {true, {"S2UR UR6, SR_CTAID.X", "MOV R2, UR6", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "EXIT"}},
    /* a test of bounds chooses no place, be it the load's own or that of what makes the place */
    {false,
     {"S2R R2, SR_CTAID.X", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 IMAD.WIDE R4, R3, 0x4, R6",
      "@P0 LDG.E R8, desc[UR4][R4.64]", "EXIT"}},
    /* an index that was loaded from a place that follows */
    {true,
     {"S2R R2, SR_CTAID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "IMAD.WIDE R4, R8, 0x4, R6",
      "LDG.E R9, desc[UR4][R4.64]", "EXIT"}},
    {false,
     {"S2R R2, SR_TID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "IMAD.WIDE R4, R8, 0x4, R6",
      "LDG.E R9, desc[UR4][R4.64]", "EXIT"}},
    /* what was stored there is not known */
    {true, {"LDS R8, [R2]", "IMAD.WIDE R4, R8, 0x4, R6", "LDG.E R9, desc[UR4][R4.64]", "EXIT"}},
    {true, {"LDL R8, [R2]", "IMAD.WIDE R4, R8, 0x4, R6", "LDG.E R9, desc[UR4][R4.64]", "EXIT"}},
    {true,
     {"ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR4][R2.64], R3", "IMAD.WIDE R4, R8, 0x4, R6", "LDG.E R9, desc[UR4][R4.64]",
      "EXIT"}},
    /* a pointer that a loop advances */
    {true,
     {"S2R R2, SR_CTAID.X", "IMAD.WIDE R4, R2, 0x4, R6", "IADD3 R4, R4, 0x4, RZ", "LDG.E R8, desc[UR4][R4.64]",
      "@P0 BRA 0x20", "EXIT"}},
    {false, {"MOV R4, R6", "IADD3 R4, R4, 0x4, RZ", "LDG.E R8, desc[UR4][R4.64]", "@P0 BRA 0x10", "EXIT"}},
};

static size_t last_load(const struct sass *s) {
  size_t at = SASS_NONE;
  for (size_t i = 0; i < s->n; i++)
    at = s->insts[i].class == SASS_LOAD_GLOBAL ? i : at;
  return at;
}

static void what_follows(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    if (sass_place_follows(&m.sass, last_load(&m.sass), "SR_CTAID.X") != CASES[i].follows)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_follows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
