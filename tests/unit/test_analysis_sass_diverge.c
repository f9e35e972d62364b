/* Which branch takes the lanes of a warp apart. */
#include "unit/made_sass.h"

static const struct {
  const char *lines[12];
  double weight[12];
  size_t branch;
} CASES[] = {
    /* a loop that each thread leaves by itself, behind the check that it has an element */
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, R9, PT", "@P1 BRA 0x80", "LDG.E R3, desc[UR4][R2.64]",
      "FADD R4, R4, R5", "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, R3, PT", "@P0 BRA 0x40", "EXIT"},
     {0, 0, 0, 1, 9, 9, 9, 9, 1},
     7},
    /* the same bound for all: it is no such loop */
    {{"S2R R2, SR_CTAID.X", "ISETP.GE.AND P1, PT, R2, R9, PT", "@P1 BRA 0x80", "LDG.E R3, desc[UR4][R2.64]",
      "FADD R4, R4, R5", "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, R3, PT", "@P0 BRA 0x40", "EXIT"},
     {0, 0, 0, 1, 9, 9, 9, 9, 1},
     SASS_NONE},
    /* the code between a branch and where both ways meet, and none behind it: nor by a number that the warp agrees on */
    {{"S2R R2, SR_LANEID", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x50", "FADD R4, R4, R5", "FADD R4, R4, R5",
      "FADD R4, R4, R6", "EXIT"},
     {0, 0, 0, 9, 9, 2, 0},
     2},
    {{"S2R R2, SR_LANEID", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x50", "FADD R4, R4, R5", "FADD R4, R4, R5",
      "FADD R4, R4, R6", "EXIT"},
     {0, 0, 0, 1, 1, 9, 0},
     SASS_NONE},
    {{"S2R R2, SR_LANEID", "R2UR UR4, R2", "ISETP.GE.AND P1, PT, R3, UR4, PT", "@P1 BRA 0x50", "FADD R4, R4, R5",
      "FADD R4, R4, R6", "EXIT"},
     {0, 0, 0, 0, 9, 2, 0},
     SASS_NONE},
    /* of two, one within the other, that which holds the more by itself */
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x80", "FADD R4, R4, R5",
      "ISETP.GE.AND P2, PT, R2, 0x4, PT", "@P2 BRA 0x70", "FADD R4, R4, R5", "FADD R4, R4, R5", "FADD R4, R4, R6",
      "EXIT"},
     {0, 0, 0, 2, 0, 0, 9, 0, 2, 0},
     5},
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x80", "FADD R4, R4, R5",
      "ISETP.GE.AND P2, PT, R2, 0x4, PT", "@P2 BRA 0x70", "FADD R4, R4, R5", "FADD R4, R4, R5", "FADD R4, R4, R6",
      "EXIT"},
     {0, 0, 0, 9, 0, 0, 2, 9, 2, 0},
     2},
    /* threads that have no element end, by either way of a branch: it is a check, and no division */
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, R9, PT", "@P1 BRA 0x50", "FADD R4, R4, R5", "FADD R4, R4, R5",
      "EXIT"},
     {0, 0, 0, 9, 9, 0},
     SASS_NONE},
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, R9, PT", "@!P1 BRA 0x40", "EXIT", "FADD R4, R4, R5",
      "FADD R4, R4, R5", "EXIT"},
     {0, 0, 0, 0, 9, 9, 0},
     SASS_NONE},
    /* two numbers are seldom the same: what is for unlike ones holds nearly all lanes, what is for like ones few, whichever way the branch goes */
    {{"S2R R2, SR_TID.X", "ISETP.NE.AND P1, PT, R2, R9, PT", "@!P1 BRA 0x50", "FADD R4, R4, R5", "FADD R4, R4, R5",
      "FADD R7, R7, R6", "EXIT"},
     {0, 0, 0, 9, 9, 0, 0},
     SASS_NONE},
    {{"S2R R2, SR_TID.X", "ISETP.EQ.AND P1, PT, R2, R9, PT", "@P1 BRA 0x50", "FADD R4, R4, R5", "FADD R4, R4, R5",
      "FADD R7, R7, R6", "EXIT"},
     {0, 0, 0, 9, 9, 0, 0},
     SASS_NONE},
    {{"S2R R2, SR_TID.X", "ISETP.NE.AND P1, PT, R2, R9, PT", "@P1 BRA 0x50", "FADD R4, R4, R5", "FADD R4, R4, R5",
      "FADD R7, R7, R6", "EXIT"},
     {0, 0, 0, 9, 9, 0, 0},
     2},
    {{"S2R R2, SR_TID.X", "ISETP.NE.AND P1, PT, R2, RZ, PT", "@!P1 BRA 0x50", "FADD R4, R4, R5", "FADD R4, R4, R5",
      "FADD R7, R7, R6", "EXIT"},
     {0, 0, 0, 9, 9, 0, 0},
     2},
    /* within a loop of as many turns for all: what the branch skips, and not the loop */
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "FADD R4, R4, R5", "@P1 BRA 0x50", "FADD R7, R7, R5",
      "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, R9, PT", "@P0 BRA 0x20", "EXIT"},
     {0, 0, 2, 0, 9, 2, 0, 0, 0},
     3},
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "FADD R4, R4, R5", "@P1 BRA 0x50", "FADD R7, R7, R5",
      "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, R9, PT", "@P0 BRA 0x20", "EXIT"},
     {0, 0, 9, 0, 2, 9, 0, 0, 0},
     SASS_NONE},
    /* a loop that lanes leave in its middle, for the end of the kernel; and one that begins it */
    {{"S2R R2, SR_TID.X", "FADD R4, R4, R5", "IADD3 R6, R6, 0x1, RZ", "ISETP.GE.AND P1, PT, R6, R2, PT", "@P1 BRA 0x70",
      "FADD R4, R4, R5", "BRA 0x10", "EXIT"},
     {0, 5, 0, 0, 0, 5, 0, 0},
     4},
    {{"FADD R4, R4, R5", "S2R R2, SR_TID.X", "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, R2, PT", "@P0 BRA 0x0",
      "EXIT"},
     {9, 0, 0, 0, 0, 0},
     4},
    /* a break in the middle, of what lanes have summed up, and the loop's own end: how long it is is told, whichever is taken */
    {{"S2R R2, SR_TID.X", "FADD R4, R4, R2", "FSETP.GEU.AND P2, PT, R4, R9, PT", "@P2 BRA 0x70",
      "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, R2, PT", "@P0 BRA 0x10", "STG.E desc[UR4][R10.64], R4",
      "EXIT"},
     {0, 5, 0, 0, 5, 0, 0, 0, 0},
     6},
    /* what stands behind a branch on the same for all, within */
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "S2R R3, SR_CTAID.X", "ISETP.GE.AND P2, PT, R3, 0x8, PT",
      "@P1 BRA 0x90", "FADD R4, R4, R5", "@P2 BRA 0x80", "FADD R4, R4, R5", "FADD R4, R4, R6", "FADD R4, R4, R7",
      "EXIT"},
     {0, 0, 0, 0, 0, 0, 0, 9, 0, 2, 0},
     4},
    /* both ways, until they meet */
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x50", "FADD R4, R4, R5", "BRA 0x60",
      "FADD R4, R4, R6", "FADD R4, R4, R7", "EXIT"},
     {0, 0, 0, 4, 0, 4, 7, 0},
     2},
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x50", "FADD R4, R4, R5", "BRA 0x60",
      "FADD R4, R4, R6", "FADD R4, R4, R7", "EXIT"},
     {0, 0, 0, 4, 0, 4, 9, 0},
     SASS_NONE},
    /* both ways lead to the next instruction */
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x30", "FADD R4, R4, R5", "EXIT"},
     {0, 0, 0, 9, 0},
     SASS_NONE},
    /* half of the weight is held, or just less; shares of less than one instruction, too; and nothing weighs */
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x40", "FADD R4, R4, R5", "FADD R4, R4, R6",
      "EXIT"},
     {0, 0, 0, 5, 5, 0},
     2},
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x40", "FADD R4, R4, R5", "FADD R4, R4, R6",
      "EXIT"},
     {0, 0, 0, 4.9, 5, 0},
     SASS_NONE},
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x40", "FADD R4, R4, R5", "FADD R4, R4, R6",
      "EXIT"},
     {0, 0, 0, 0.25, 0.125, 0},
     2},
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x40", "FADD R4, R4, R5", "FADD R4, R4, R6",
      "EXIT"},
     {0},
     SASS_NONE},
    /* by a lane's element, found at its own number, and by what an atomic gave it */
    {{"S2R R2, SR_TID.X", "LDS R3, [R2]", "ISETP.GE.AND P1, PT, R3, 0x8, PT", "@P1 BRA 0x50", "FADD R4, R4, R5",
      "FADD R4, R4, R6", "EXIT"},
     {0, 0, 0, 0, 9, 2, 0},
     3},
    {{"ATOMG.E.ADD.STRONG.GPU PT, R3, desc[UR4][R6.64], R8", "ISETP.GE.AND P1, PT, R3, 0x8, PT", "@P1 BRA 0x40",
      "FADD R4, R4, R5", "FADD R4, R4, R6", "EXIT"},
     {0, 0, 0, 9, 2, 0},
     2},
    /* votes and sums over the warp are one for all */
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "VOTE.ANY R3, P2, P1", "@P2 BRA 0x50", "FADD R4, R4, R5",
      "FADD R4, R4, R6", "EXIT"},
     {0, 0, 0, 0, 9, 2, 0},
     SASS_NONE},
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "VOTEU.ANY UP2, P1", "@UP2 BRA 0x50", "FADD R4, R4, R5",
      "FADD R4, R4, R6", "EXIT"},
     {0, 0, 0, 0, 9, 2, 0},
     SASS_NONE},
    {{"S2R R2, SR_TID.X", "REDUX.SUM UR4, R2", "ISETP.GE.AND P1, PT, R9, UR4, PT", "@P1 BRA 0x50", "FADD R4, R4, R5",
      "FADD R4, R4, R6", "EXIT"},
     {0, 0, 0, 0, 9, 2, 0},
     SASS_NONE},
    /* in a function of the compiler's */
    {{"MOV R7, 0x20", "CALL.REL.NOINC `($__internal_0_$__cuda_sm20_rcp_rn_f32_slowpath)", "EXIT", "S2R R2, SR_TID.X",
      "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x70", "FADD R4, R4, R5", "FADD R4, R4, R6",
      "RET.REL.NODEC R7 `(made)"},
     {0, 0, 0, 0, 0, 0, 9, 0, 0},
     SASS_NONE},
    /* of two of one weight the first */
    {{"S2R R2, SR_TID.X", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x40", "FADD R4, R4, R5", "@P1 BRA 0x60",
      "FADD R4, R4, R6", "FADD R4, R4, R7", "EXIT"},
     {0, 0, 0, 5, 0, 5, 0, 0},
     2},
};

static void which_branch(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    size_t branch = sass_diverging_branch(&m.sass, CASES[i].weight);
    if (branch != CASES[i].branch)
      fail_msg("row %zu: %zu", i, branch);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(which_branch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
