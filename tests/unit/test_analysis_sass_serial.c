/* Loops whose turns make values of the turn before's, and loops that only add to them. */
#include "unit/made_sass.h"

/* A turn takes the root of R0 into R13 on one of two ways, the second of which is a function, and puts a product in its place. */
#define ROOT(number)                                                                                                   \
  "@!P1 BRA 0x30", "CALL.REL.NOINC `($__internal_" #number "_$__cuda_sm20_sqrt_rn_f32_slowpath)", "BRA 0x40",          \
      "FMUL R13, R0, R3", "FMUL R13, R5, R13", "@P0 BRA 0x0", "EXIT"
#define OTHER(number) "CALL.REL.NOINC `($__internal_" #number "_$__cuda_sm20_rcp_rn_f32_slowpath)", "BRA 0x80"

/* A loop of these lines, closed by a branch to the first. */
static const struct {
  const char *lines[16];
  size_t found; /* SASS_NONE: a sum */
} cases[] = {
    {{"FADD R4, R4, R8", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FFMA R4, R8, R9, R4", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FFMA R4, R8, c[0x0][0x210], R4.reuse", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"DFMA R4, R8, R10, -R4", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FMNMX R4, R4, R8, !PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"IMAD R4, R4, R8, R9", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* no float: a generator can start elsewhere */
    {{"FMUL R4, R4, R8", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FFMA R4, R4, R8, R9", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FFMA R4, R4, R8, R4", "@P0 BRA 0x0", "EXIT"}, 0}, /* both: it grows by a part of itself */
    {{"FFMA R0, R0, R8, RZ", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FFMA R4, R4, R8, UR4", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FFMA R4, R8, R9, -|R4|", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"MUFU.RSQ R4, R4", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"MOV R5, R4", "FMUL R6, R5, R8", "FADD R4, R6, R9", "@P0 BRA 0x0", "EXIT"}, 1},
    {{"FMUL R6, R8, R8", "FADD R4, R6, R4", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* made anew each turn */
    {{"FMUL R4, R8, R9", "FMUL R4, R4, R4", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FMNMX R4, R4, R8, !PT", "FADD R6, R8, -R4", "MUFU.EX2 R6, R6", "FFMA R7, R7, R6, R8", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE},
    {{"FADD R6, R8, -R4", "MUFU.EX2 R6, R6", "FFMA R7, R7, R6, R8", "@P0 BRA 0x0", "EXIT"},
     2}, /* no maximum goes along */
    {{"LDG.E R4, desc[UR4][R4.64]", "FMUL R5, R4, R8", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE}, /* loads are another matter */
    {{ROOT(0), "MOV R13, R2", "RET.REL.NODEC R2 `(made)"}, SASS_NONE},
    {{ROOT(0), "@P2 MOV R13, R2", "RET.REL.NODEC R2 `(made)"}, 4},             /* it may leave what was there */
    {{ROOT(0), "@P2 BRA 0x90", "MOV R13, R2", "RET.REL.NODEC R2 `(made)"}, 4}, /* so does this */
    {{ROOT(0), "@P2 BRA 0xa0", "MOV R13, R2", "RET.REL.NODEC R2 `(made)", "MOV R13, R4", "BRA 0x90"}, SASS_NONE},
    {{ROOT(0), "MOV R13, R2", "RET.REL.NODEC R2 `(made)", "RET.REL.NODEC R4 `(made)"}, 4}, /* which of the two? */
    {{ROOT(7), OTHER(3), "MOV R2, R4", "RET.REL.NODEC R4 `(made)", "MOV R13, R2", "RET.REL.NODEC R2 `(made)"},
     SASS_NONE}, /* of two it is the second */
    {{ROOT(3), OTHER(7), "MOV R2, R4", "RET.REL.NODEC R4 `(made)", "MOV R13, R2", "RET.REL.NODEC R2 `(made)"}, 4},
};

static void recurrences(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, cases[i].lines);
    size_t found = sass_recurrence(&m.sass, 0);
    if (found != cases[i].found)
      fail_msg("case %zu: %zu", i, found);
    assert_true(sass_recurrence(&m.sass, 1) == SASS_NONE); /* no such loop */
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(recurrences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
