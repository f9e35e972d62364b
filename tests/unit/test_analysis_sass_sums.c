/* Reductions in a loop, some only added up there: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/sums.h"

#define LOADED "LDG.E R4, desc[UR4][R2.64]", "FMUL R5, R4, R6"
#define LANES  "SHFL.BFLY PT, R7, R5, 0x1, 0x1f", "FADD R8, R5, R7"
#define WARPS  "STS [R9], R8", "BAR.SYNC 0x0", "LDS R10, [R11]"
#define TURN   "@P0 BRA 0x0", "EXIT"

static const struct {
  double all, behind;
  const char *lines[16];
} CASES[] = {
    {1, 1, {LOADED, LANES, "FADD R20, R20, R8", TURN}},
    {1, 1, {LOADED, LANES, "FMNMX R20, R20, R8, PT", TURN}},
    {1, 1, {LOADED, LANES, "FADD R20, R20, R8", TURN, "STG.E desc[UR4][R2.64], R20"}}, /* read behind it alone */
    {2, 2, {LOADED, LANES, WARPS, "FADD R20, R20, R10", TURN}},
    {2, 2, {LOADED, LANES, "@!P1 STS [R9], R8", "BAR.SYNC 0x0", "LDS R10, [R11]", "FADD R20, R20, R10", TURN}},
    {0, 0, {LOADED, "FADD R20, R20, R5", TURN}},                                       /* nothing is handed on */
    {0, 0, {LOADED, LANES, "FADD R20, R20, R8", "EXIT"}},                              /* in no loop */
    {1, 0, {LOADED, LANES, "STG.E desc[UR4][R2.64], R8", TURN}},                       /* each turn stores it */
    {1, 0, {LOADED, LANES, "FMUL R8, R8, R6", "FADD R20, R20, R8", TURN}},             /* and scales it */
    {1, 0, {LOADED, LANES, "FADD R20, R20, R8", "FMUL R6, R6, R20", TURN}},            /* the sum is needed in each */
    {1, 0, {LOADED, LANES, "FADD R20, R20, R8", "STG.E desc[UR4][R2.64], R20", TURN}}, /* likewise */
    {1, 0, {LOADED, LANES, "FADD R21, R20, R8", TURN}},                                /* no sum of turns */
    {1, 0, {LOADED, LANES, "@P1 FADD R20, R20, R8", "FSETP.GT.AND P1, PT, R8, R6, PT", TURN}}, /* it decides */
    {2, 0, {LOADED, LANES, WARPS, "MUFU.EX2 R10, R10", "FADD R20, R20, R10", TURN}},
    {1, 0, {LOADED, "STS [R9], R5", "BAR.SYNC 0x0", "LDS R10, [R11]", "LDG.E R12, desc[UR4][R10.64]", TURN}},
    /* two of which one is added up: what is stored, and the place of another store */
    {2,
     1,
     {LOADED, LANES, "FADD R20, R20, R8", "SHFL.BFLY PT, R12, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R12", TURN}},
    {2, 0, {LOADED, LANES, "STS [R8], R6", "BAR.SYNC 0x0", "FADD R20, R20, R8", TURN}},
    /* stores before the loads are read by them, those behind them by the next */
    {3, 2, {LOADED, LANES, WARPS, "FADD R20, R20, R10", "STS [R9], R4", "LDS R12, [R11]", "FMUL R6, R6, R12", TURN}},
    /* halves of 16 bits, masked for a shuffle and handed on by bytes */
    {2,
     2,
     {LOADED, "LOP3.LUT R6, R5, 0xffff, RZ, 0xc0, !PT", "SHFL.BFLY PT, R7, R6, 0x1, 0x1f",
      "HADD2 R8, R5.H0_H0, R7.H0_H0", "PRMT R12, R8, 0x7610, R12", "STS.U16 [R9], R12", "BAR.SYNC 0x0",
      "LDS.U16 R10, [R11]", "FADD R20, R20, R10", TURN}},
    {1, 0, {LOADED, LANES, "LOP3.LUT R8, R8, 0x1, RZ, 0xc0, !PT", "FADD R20, R20, R8", TURN}}, /* another mask */
    /* what stood in a half that is not used */
    {1, 1, {LOADED, LANES, "FADD R20, R20, R8", "PRMT R8, R4, 0x7632, R8", "FMUL R6, R6, R8", TURN}},
    {1, 0, {LOADED, LANES, "FADD R20, R20, R8", "PRMT R8, R4, 0x5410, R8", "FMUL R6, R6, R8", TURN}},
};

static void what_is_added_up(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    struct sass_sums x;
    made_kernel(&m, CASES[i].lines);
    sass_sums_of(&x, &m.sass);
    if (x.all != CASES[i].all || x.behind != CASES[i].behind)
      fail_msg("case %zu: %g of %g", i, x.behind, x.all);
    sass_release(&m.sass);
  }
}

/* As often as they were executed. */
static void by_counts(void **state) {
  static struct made_sass m;
  struct sass_sums x;
  (void)state;
  made_kernel(&m, CASES[15].lines);
  made_counts(&m, (const double[]){8, 8, 7, 8, 8, 5, 8, 8, 1});
  sass_sums_of(&x, &m.sass);
  assert_true(x.all == 12 && x.behind == 7);
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_added_up), cmocka_unit_test(by_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
