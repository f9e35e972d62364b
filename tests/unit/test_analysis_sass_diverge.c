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
