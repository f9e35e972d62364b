/* Warps without an element: which guarded ends are theirs. */
#include "analysis/idioms/leaving.h"
#include "unit/made_sass.h"

#define NUMBER "S2R R0, SR_TID.X"
#define TEST   "ISETP.GE.AND P0, PT, R0, 0x80, PT"
#define LOAD   "LDG.E R2, desc[UR4][R4.64]"
#define STORE  "STG.E desc[UR4][R6.64], R2"
#define MEET   "BAR.SYNC.DEFER_BLOCKING 0x0"

static const struct {
  const char *lines[14];
  double executed[14];
  double part, insts; /* 0: none is found */
  bool barrier;
} CASES[] = {
    /* 6 of 8 warps end at once, after three instructions */
    {{NUMBER, TEST, "@P0 EXIT", LOAD, STORE, "EXIT"}, {8, 8, 8, 2, 2, 2}, 0.75, 18, false},
    {{NUMBER, TEST, "@!P0 EXIT", LOAD, STORE, "EXIT"}, {8, 8, 8, 6, 6, 6}, 0.25, 6, false},
    /* half of them go past the load, meet the others, and end: 6 instructions of 4 */
    {{NUMBER, TEST, "@P0 BRA 0x40", LOAD, MEET, "SHFL.BFLY PT, R2, R2, 0x1, 0x1f", "@P0 EXIT", STORE, "EXIT"},
     {8, 8, 8, 4, 8, 8, 8, 4, 4},
     0.5,
     24,
     true},
    /* the branch lets the others load */
    {{NUMBER, TEST, "@!P0 BRA 0x40", LOAD, MEET, "SHFL.BFLY PT, R2, R2, 0x1, 0x1f", "@P0 EXIT", STORE, "EXIT"},
     {8, 8, 8, 4, 8, 8, 8, 4, 4}},
    /* all load; all store; all have computed, and only some store */
    {{NUMBER, TEST, LOAD, "@P0 EXIT", STORE, "EXIT"}, {8, 8, 8, 8, 2, 2}},
    {{NUMBER, TEST, STORE, "@P0 EXIT", LOAD, STORE, "EXIT"}, {8, 8, 8, 8, 2, 2, 2}},
    {{NUMBER, TEST, "TEX.B.LL R2, R2, R4, 0x0, 0x58, 2D", "@P0 EXIT", STORE, "EXIT"}, {8, 8, 8, 8, 2, 2}},
    {{NUMBER, TEST, "TLD.B.LZ R2, R2, R4, 0x0, 0x58, 2D", "@P0 EXIT", STORE, "EXIT"}, {8, 8, 8, 8, 2, 2}},
    {{NUMBER, TEST, "TLD4.R R2, R2, 0x58, 2D", "@P0 EXIT", STORE, "EXIT"}, {8, 8, 8, 8, 2, 2}},
    {{NUMBER, TEST, "SULD.D.BA.2D.TRAP R2, [R2], UR4", "@P0 EXIT", STORE, "EXIT"}, {8, 8, 8, 8, 2, 2}},
    {{NUMBER, TEST, "LDGSTS.E.128 [R8], desc[UR4][R4.64]", "@P0 EXIT", STORE, "EXIT"}, {8, 8, 8, 8, 2, 2}},
    {{NUMBER, TEST, "REDG.E.ADD.STRONG.GPU desc[UR4][R6.64], R2", "@P0 EXIT", STORE, "EXIT"}, {8, 8, 8, 8, 2, 2}},
    {{NUMBER, TEST, "@!PT LDG.E R2, desc[UR4][R4.64]", "@P0 EXIT", STORE, "EXIT"}, {8, 8, 8, 8, 2, 2}, 0.75, 18, false},
    {{NUMBER, TEST, "FADD R2, R4, R6", MEET, "@P0 EXIT", STORE, "EXIT"}, {8, 8, 8, 8, 8, 2, 2}},
    /* nothing is stored; data decide; the block's number alone does; all stay; all go; in a loop */
    {{NUMBER, TEST, "@P0 EXIT", LOAD, "EXIT"}, {8, 8, 8, 2, 2}},
    {{"LDG.E R0, desc[UR4][R8.64]", TEST, "@P0 EXIT", STORE, "EXIT"}, {8, 8, 8, 2, 2}},
    {{"S2R R0, SR_CTAID.X", TEST, "@P0 EXIT", LOAD, STORE, "EXIT"}, {8, 8, 8, 2, 2, 2}},
    {{NUMBER, TEST, "@P0 EXIT", LOAD, STORE, "EXIT"}, {8, 8, 8, 8, 8, 8}},
    {{NUMBER, TEST, "@P0 EXIT", LOAD, STORE, "EXIT"}, {8, 8, 8, 0, 0, 0}},
    {{NUMBER, TEST, "@P0 EXIT", LOAD, STORE, "@P1 BRA 0x10", "EXIT"}, {8, 16, 16, 12, 12, 12, 4}},
    /* what does not run is no other way */
    {{NUMBER, TEST, "@P0 EXIT", "@P1 BRA 0x60", LOAD, STORE, "EXIT"}, {8, 8, 8, 2, 2, 2, 2}, 0.75, 18, false},
};

static void ends(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    struct sass_leaving x;
    made_kernel(&m, CASES[i].lines);
    made_counts(&m, CASES[i].executed);
    bool found = sass_leaving_of(&m.sass, &x);
    if (found != (CASES[i].part > 0) || x.part != CASES[i].part || x.insts != CASES[i].insts ||
        x.barrier != CASES[i].barrier)
      fail_msg("row %zu: %g of the warps, %g instructions", i, x.part, x.insts);
    sass_release(&m.sass);
  }
}

/* S2R is the LSU's, ISETP the ALU's: 6 warps each. */
static void pipes(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_leaving x;
  made_kernel(&m, CASES[0].lines);
  made_counts(&m, CASES[0].executed);
  assert_true(sass_leaving_of(&m.sass, &x));
  assert_true(x.exit == 2 && x.pipe[PIPE_ALU] == 6 && x.pipe[PIPE_LSU] == 6);
  sass_release(&m.sass);
}

static void not_counted(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_leaving x;
  made_kernel(&m, CASES[0].lines);
  assert_false(sass_leaving_of(&m.sass, &x));
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends), cmocka_unit_test(pipes), cmocka_unit_test(not_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
