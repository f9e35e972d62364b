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
    {"-+-", {"@P0 MOV R4, 0x1", "MOV R5, 0x1", "EXIT"}},                         /* nobody has written P0 */
    {"---", {"FMUL R5, R4, R4", "@P0 BRA 0x0", "EXIT"}},                         /* nobody has written R4 */
    {"+---", {"MOV R4, 0x1", "IADD3 R4, R4, 0x1, RZ", "@P0 BRA 0x10", "EXIT"}},  /* counts turns */
    {"++++--",
     {"LDC R4, c[0x0][0x210]", "ISETP.GE.AND P0, PT, R4, 0x1, PT", "MOV R5, 0x2", "@P0 MOV R5, 0x3", "MUFU.RCP R6, R7",
      "EXIT"}},
    /* Memory that the kernel does not write, at a place that all threads have, or at one of the thread's; and memory that it may write. */
    {"+++-", {"ULDC.64 UR4, c[0x0][0x208]", "LDC.64 R2, c[0x0][0x210]", "LDG.E.CONSTANT R4, desc[UR4][R2.64]", "EXIT"}},
    {"++---",
     {"ULDC.64 UR4, c[0x0][0x208]", "LDC.64 R2, c[0x0][0x210]", "S2R R2, SR_TID.X",
      "LDG.E.CONSTANT R4, desc[UR4][R2.64]", "EXIT"}},
    {"++--", {"ULDC.64 UR4, c[0x0][0x208]", "LDC.64 R2, c[0x0][0x210]", "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
    /* One of two numbers, which an argument chooses, or the thread's number. */
    {"++-+-++-",
     {"LDC R0, c[0x0][0x210]", "ISETP.GE.AND P0, PT, R0, 0x1, PT", "@P0 BRA 0x50", "MOV R4, 0x1", "BRA 0x60",
      "MOV R4, 0x2", "FMUL R5, R4, R4", "EXIT"}},
    {"---+-+--",
     {"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x1, PT", "@P0 BRA 0x50", "MOV R4, 0x1", "BRA 0x60", "MOV R4, 0x2",
      "FMUL R5, R4, R4", "EXIT"}},
};

static void what_is_given(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    bool *given = NULL;
    char text[16] = "";
    made_kernel(&m, cases[i].lines);
    given = sass_given_make(&m.sass);
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
    bool *given = NULL;
    made_kernel(&m, lines);
    given = sass_given_make(&m.sass);
    assert_int_equal(given[4], !other);
    assert_int_equal(given[6], !other);
    assert_int_equal(given[7], !other);
    assert_false(given[9]); /* what a function reads is its callers' */
    free(given);
    sass_release(&m.sass);
  }
}

/* A function that is not the compiler's may read anything; and where two ways lead to a call, no one branch decides on it. */
static void calls_that_are_not_told(void **state) {
  (void)state;
  static const struct {
    const char *call, *before;
    bool given;
  } rows[] = {{"CALL.REL.NOINC `($__internal_0_$__cuda_sm20_rcp_rn_f32_slowpath)", "NOP", true},
              {"CALL.REL.NOINC `($_Z5otheri)", "NOP", false},
              {"CALL.REL.NOINC `($__internal_0_$__cuda_sm20_rcp_rn_f32_slowpath)", "@P1 BRA 0x40", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    bool *given = NULL;
    made_kernel(&m, (const char *const[]){"LDC R4, c[0x0][0x210]", "FSETP.NEU.AND P0, PT, R4, RZ, PT", rows[i].before,
                                          "@P0 BRA 0x50", rows[i].call, "FADD R8, R6, R6", "EXIT", "MOV R6, R4",
                                          "RET.REL.NODEC R7 `(made)", NULL});
    given = sass_given_make(&m.sass);
    if (given[4] != rows[i].given)
      fail_msg("row %zu", i);
    free(given);
    sass_release(&m.sass);
  }
}

/* A value that may come from so many places that not all are looked at is not said to be given. */
static void more_places_than_are_looked_at(void **state) {
  (void)state;
  enum { LOOKED_AT = 64 };
  for (size_t n = LOOKED_AT - 2; n <= LOOKED_AT; n++) { /* beside them the two that R2 and R3 begin with */
    static struct made_sass m;
    bool *given = NULL;
    const char *lines[MADE_INSTS] = {"LDC R1, c[0x0][0x210]", "ISETP.GE.AND P0, PT, R1, 0x1, PT", "MOV R2, 0x1",
                                     "MOV R3, 0x1"};
    for (size_t i = 0; i < n; i++)
      lines[4 + i] = i < LOOKED_AT / 2 ? "@P0 MOV R2, 0x2" : "@P0 MOV R3, 0x2";
    lines[4 + n] = "IADD3 R5, R2, R3, RZ";
    lines[5 + n] = "EXIT";
    made_kernel(&m, lines);
    given = sass_given_make(&m.sass);
    assert_int_equal(given[4 + n], n + 2 <= LOOKED_AT);
    free(given);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_given), cmocka_unit_test(slow_paths),
                                     cmocka_unit_test(calls_that_are_not_told),
                                     cmocka_unit_test(more_places_than_are_looked_at)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
