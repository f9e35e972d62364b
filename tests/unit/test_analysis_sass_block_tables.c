/* Tables that every block copies into its shared memory. */
#include "analysis/idioms/block_tables.h"
#include "unit/made_sass.h"

static const struct {
  bool shares;
  const char *lines[10];
} CASES[] = {
    {true, {"S2R R2, SR_TID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "STS [R3], R8", "EXIT"}},
    {true, {"S2R R2, SR_TID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDGSTS.E.128 [R3], desc[UR4][R4.64]", "EXIT"}},
    /* a tile of the block's own */
    {false, {"S2R R2, SR_CTAID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "STS [R3], R8", "EXIT"}},
    {false, {"S2R R2, SR_CTAID.Y", "IMAD.WIDE R4, R2, 0x4, R6", "LDGSTS.E.128 [R3], desc[UR4][R4.64]", "EXIT"}},
    {false,
     {"S2R R2, SR_CLUSTERID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "STS [R3], R8", "EXIT"}},
    /* where it stands in shared memory is not asked; what is computed is no table, beside one either */
    {true,
     {"S2R R3, SR_CTAID.X", "S2R R2, SR_TID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]",
      "STS [R3], R8", "EXIT"}},
    {false,
     {"S2R R2, SR_TID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "FADD R9, R8, R8", "STS [R3], R9",
      "EXIT"}},
    {false,
     {"S2R R2, SR_TID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "STS [R3], R8", "STS [R3+0x4], RZ",
      "EXIT"}},
    {false,
     {"S2R R2, SR_TID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "STS [R3], R8",
      "ATOMS.ADD RZ, [R3], R8", "EXIT"}},
    {false, {"S2R R2, SR_TID.X", "LDS R8, [R2]", "EXIT"}},
};

static void what_is_shared(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    if (sass_blocks_share_table(&m.sass) != CASES[i].shares)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

/* A store that did not run says nothing. */
static void what_did_not_run(void **state) {
  (void)state;
  static const char *const lines[] = {"S2R R2, SR_TID.X",
                                      "IMAD.WIDE R4, R2, 0x4, R6",
                                      "LDG.E R8, desc[UR4][R4.64]",
                                      "STS [R3], R8",
                                      "@P0 STS [R3], RZ",
                                      "EXIT",
                                      NULL};
  static const double executed[] = {1, 1, 1, 1, 0, 1};
  static struct made_sass m;
  made_kernel(&m, lines);
  assert_false(sass_blocks_share_table(&m.sass));
  made_counts(&m, executed);
  assert_true(sass_blocks_share_table(&m.sass));
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_shared), cmocka_unit_test(what_did_not_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
