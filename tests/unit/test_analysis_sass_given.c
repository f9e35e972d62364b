/* What is the same in all threads: kernels small enough to follow by hand. */
#include "unit/made_sass.h"

#include <stdlib.h>

/* The instructions that are, as letters: '+' or '-' for each line. */
static const struct {
  const char *given;
  const char *lines[12];
} cases[] = {
    {"++-", {"LDC R4, c[0x0][0x210]", "MUFU.RCP R5, R4", "EXIT"}},
    {"++-", {"MOV R4, 0x44100000", "MUFU.RCP R5, R4", "EXIT"}},
    {"--+--", {"S2R R2, SR_TID.X", "I2FP.F32.U32 R3, R2", "LDC R4, c[0x0][0x210]", "FMUL R5, R3, R4", "EXIT"}},
    {"----", {"S2UR UR4, SR_CTAID.X", "IMAD.U32 R4, RZ, RZ, UR4", "MUFU.RCP R5, R4", "EXIT"}},
    {"+--", {"ULDC UR4, c[0x0][0x210]", "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
    {"++--", {"MOV R4, 0x1", "MUFU.RCP R5, R4", "@P0 FADD R5, R5, R6", "EXIT"}}, /* for some lanes */
    {"---", {"FMUL R5, R4, R4", "@P0 BRA 0x0", "EXIT"}},                         /* nobody has written R4 */
    {"+---", {"MOV R4, 0x1", "IADD3 R4, R4, 0x1, RZ", "@P0 BRA 0x10", "EXIT"}},  /* counts turns */
    {"++++--",
     {"LDC R4, c[0x0][0x210]", "ISETP.GE.AND P0, PT, R4, 0x1, PT", "MOV R5, 0x2", "@P0 MOV R5, 0x3", "MUFU.RCP R6, R7",
      "EXIT"}},
};

static void what_is_given(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    struct err e = {0};
    bool *given = NULL;
    char text[16] = "";
    made_kernel(&m, cases[i].lines);
    assert_int_equal(sass_given_make(&given, &m.sass, &e), 0);
    for (size_t k = 0; k < m.sass.n; k++)
      text[k] = given[k] ? '+' : '-';
    if (strcmp(text, cases[i].given) != 0)
      fail_msg("case %zu: %s", i, text);
    free(given);
    sass_release(&m.sass);
  }
}

/* Of the slow path's function a value and its square are in the kernel: R6, by the call or by MUFU. */
static void slow_paths(void **state) {
  (void)state;
  static const char *const by[] = {"LDC R4, c[0x0][0x210]", "LDG.E R4, desc[UR4][R2.64]"};
  for (int other = 0; other < 2; other++) {
    const char *const lines[] = {by[other],
                                 "FSETP.NEU.AND P0, PT, R4, RZ, PT",
                                 "@P0 BRA 0x60",
                                 "MOV R7, 0x50",
                                 "CALL.REL.NOINC `($__internal_0_$__cuda_sm20_rcp_rn_f32_slowpath)",
                                 "BRA 0x70",
                                 "MUFU.RCP R6, R4",
                                 "FADD R8, R6, R6",
                                 "EXIT",
                                 "MOV R6, R4",
                                 "RET.REL.NODEC R7 `(made)",
                                 NULL};
    static struct made_sass m;
    struct err e = {0};
    bool *given = NULL;
    made_kernel(&m, lines);
    assert_int_equal(sass_given_make(&given, &m.sass, &e), 0);
    assert_int_equal(given[4], !other);
    assert_int_equal(given[6], !other);
    assert_int_equal(given[7], !other);
    assert_false(given[9]); /* what a function reads is its callers' */
    free(given);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_given), cmocka_unit_test(slow_paths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
