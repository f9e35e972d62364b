/* What is divided, and by what. */
#include "analysis/idioms/divides.h"
#include "unit/made_sass.h"

static const struct {
  bool doubles, of_block; /* the instruction */
  size_t at;
  const char *lines[8];
} ROWS[] = {
    {true, false, 2, {"MOV R2, 0x1", "IMAD.SHL.U32 R2, R2, 0x2, RZ", "I2F.U32.RP R4, R2", "@P0 BRA 0x10", "EXIT"}},
    {true, false, 2, {"MOV R2, R3", "SHF.R.U32.HI R2, RZ, 0x1, R2", "I2F.U32.RP R4, R2", "@P0 BRA 0x10", "EXIT"}},
    /* of an inner loop, which does not change it */
    {true,
     false,
     2,
     {"MOV R2, 0x1", "IMAD.SHL.U32 R2, R2, 0x2, RZ", "I2F.U32.RP R4, R2", "@P1 BRA 0x20", "@P0 BRA 0x10", "EXIT"}},
    {false, false, 1, {"IMAD.SHL.U32 R2, R3, 0x2, RZ", "I2F.U32.RP R4, R2", "EXIT"}},
    {false, false, 2, {"MOV R2, 0x1", "IADD3 R2, R2, 0x1, RZ", "I2F.U32.RP R4, R2", "@P0 BRA 0x10", "EXIT"}},
    {false, true, 1, {"S2R R2, SR_CTAID.Y", "I2F.U32.RP R4, R2", "EXIT"}},
    {false,
     true,
     3,
     {"S2R R2, SR_CTAID.X", "S2R R3, SR_TID.X", "IMAD R4, R2, R5, R3", "IMAD.HI.U32 R6, R7, R4, RZ", "EXIT"}},
    {false, false, 2, {"S2R R2, SR_CTAID.X", "S2R R3, SR_TID.X", "IMAD.HI.U32 R6, R7, R3, RZ", "EXIT"}},
};

static void what_is_divided(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct made_sass m;
    made_kernel(&m, ROWS[i].lines);
    if (sass_divisor_doubles(&m.sass, ROWS[i].at) != ROWS[i].doubles ||
        sass_rests_on_block(&m.sass, ROWS[i].at) != ROWS[i].of_block)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_divided)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
