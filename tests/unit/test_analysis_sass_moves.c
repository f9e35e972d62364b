/* Which kernels only move data: small enough to follow by hand. */
#include "unit/made_sass.h"

static const struct {
  bool moves;
  const char *lines[10];
} cases[] = {
    {true, {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R6.64], R4", "EXIT"}},
    {true,
     {"LDG.E R4, desc[UR4][R2.64]", "STS [R7], R4", "BAR.SYNC 0x0", "LDS R5, [R8]", "STG.E desc[UR4][R6.64], R5",
      "EXIT"}},
    {true,
     {"LDG.E.U8 R4, desc[UR4][R2.64]", "LDG.E.U8 R5, desc[UR4][R2.64+0x1]", "PRMT R9, R4, 0x3340, R5", "MOV R10, R9",
      "STG.E desc[UR4][R6.64], R10", "EXIT"}},
    {false, {"LDG.E R4, desc[UR4][R2.64]", "FADD R4, R4, R4", "STG.E desc[UR4][R6.64], R4", "EXIT"}},
    {false,
     {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R2.64+0x4]", "FADD R5, R5, R5", "STG.E desc[UR4][R6.64], R4",
      "STG.E desc[UR4][R6.64+0x4], R5", "EXIT"}},
    {false,
     {"LDG.E R4, desc[UR4][R2.64]", "@P0 FADD R4, R5, R5", "STG.E desc[UR4][R6.64], R4", "EXIT"}}, /* on one way */
    {false,
     {"LDG.E R4, desc[UR4][R2.64]", "FADD R4, R4, R5", "STS [R7], R4", "LDS R5, [R8]", "STG.E desc[UR4][R6.64], R5",
      "EXIT"}},
    {false, {"MOV R4, 0x1", "STG.E desc[UR4][R6.64], R4", "EXIT"}},
    {false, {"STG.E desc[UR4][R6.64], RZ", "EXIT"}},
    {false, {"LDG.E R4, desc[UR4][R2.64]", "EXIT"}}, /* it stores nothing */
    {false, {"LDG.E R4, desc[UR4][R2.64]", "STS [R7], R4", "EXIT"}},
    {false,
     {"LDG.E R4, desc[UR4][R2.64]", "REDG.E.ADD.STRONG.GPU desc[UR4][R8.64], R4", "STG.E desc[UR4][R6.64], R4",
      "EXIT"}},
    {false,
     {"LDG.E R4, desc[UR4][R2.64]", "MOV R4, R4", "MOV R4, R4", "MOV R4, R5", "STG.E desc[UR4][R6.64], R4", "EXIT"}},
};

static void what_moves(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, cases[i].lines);
    if (sass_only_moves(&m.sass) != cases[i].moves)
      fail_msg("case %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_moves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
