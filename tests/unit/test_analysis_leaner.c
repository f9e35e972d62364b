/* Which instructions could go: the kinds of which most goes, and no more than these. */
#include "analysis/signs/leaner.h"
#include "unit/judged_work.h"

static const struct {
  struct judged_case kernel;
  size_t n;
  enum mix_kind kinds[LEANER_KINDS];
  double goes, alu;
} ROWS[] = {
    /* 100 of branches: 50 go; 40 of other integer work: 20; 30 conversions: 15.  The conversions have a remedy of their own: they stand before integer work,
     * but not before branches. */
    {{.lines = {"BRA 0x10", "LOP3.LUT R4, R5, R6, R7, 0x96, !PT", "I2F.S8 R6, R7", "EXIT"},
      .executed = {100, 40, 30, 0},
      .also = no_problem,
      .set = {{"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}},
     3,
     {MIX_SETUP, MIX_CONVERSIONS, MIX_INTEGER},
     85,
     20},
    /* under 2 % of all: the conversions are not named */
    {{.lines = {"BRA 0x10", "I2F.S8 R6, R7", "EXIT"},
      .executed = {100, 15, 0},
      .also = no_problem,
      .set = {{"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}},
     1,
     {MIX_SETUP},
     50,
     0},
    /* the pipes execute all but 20, and half of these go at most */
    {{.lines = {"BRA 0x10", "EXIT"},
      .executed = {100, 0},
      .also = no_problem,
      .set = {{"inst_executed", 400}, {"pipe_alu", 190}, {"pipe_fma", 190}}},
     1,
     {MIX_SETUP},
     10,
     0},
    /* half of all at most: of 25 divisions 8 each, and half of 380 */
    {{.lines = {"FCHK P0, R4, R5", "BRA 0x20", "EXIT"},
      .executed = {25, 380, 0},
      .also = no_problem,
      .set = {{"inst_executed", 405}, {"pipe_alu", 10}, {"pipe_fma", 10}}},
     2,
     {MIX_DIVISIONS, MIX_SETUP},
     202.5,
     0},
};

static void what_could_go(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    struct leaner x;
    judged_make(&j, &ROWS[i].kernel, NULL);
    leaner_of(&x, &j.in);
    if (x.n != ROWS[i].n || memcmp(x.kinds, ROWS[i].kinds, x.n * sizeof *x.kinds) != 0 ||
        fabs(x.goes - ROWS[i].goes) > 1e-9 || fabs(x.alu - ROWS[i].alu) > 1e-9)
      fail_msg("row %zu: %zu kinds (%d %d %d), %g go, %g of the ALU", i, x.n, x.kinds[0], x.kinds[1], x.kinds[2],
               x.goes, x.alu);
    leaner_release(&x);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_could_go)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
