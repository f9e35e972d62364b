/* What makes doubles of floats. */
#include "analysis/signs/double_use.h"
#include "unit/made_input.h"

#define ADD  "DADD R4, R6, R8"
#define CALL "CALL.REL.NOINC `($made$__internal_accurate_pow)"
#define POW  "DFMA R4, R6, R8, R10", "RET.REL.NODEC R2 `(made)"

static const struct {
  const char *lines[10];
  double executed[10];
  enum double_use use;
} ROWS[] = {
    {{ADD, "EXIT"}, {9, 9}, DOUBLE_VARIABLE},
    {{"FADD R4, R6, 1", "EXIT"}, {9, 9}, DOUBLE_UNKNOWN}, /* no double */
    {{ADD, "EXIT"}, {0, 9}, DOUBLE_UNKNOWN},
    /* literals; an infinity is a test */
    {{"DMUL R4, R6, 127", "EXIT"}, {9, 9}, DOUBLE_NUMBER},
    {{"DADD R4, R6, -0.5", "EXIT"}, {9, 9}, DOUBLE_NUMBER},
    {{"DFMA R4, R6, 0.25, R8", "EXIT"}, {9, 9}, DOUBLE_NUMBER},
    {{"DSETP.GEU.AND P0, PT, |R4|, +INF , PT", "EXIT"}, {9, 9}, DOUBLE_VARIABLE},
    /* a tenth or less */
    {{"DMUL R4, R6, 127", ADD, "EXIT"}, {1, 9, 1}, DOUBLE_NUMBER},
    {{"DMUL R4, R6, 127", ADD, "EXIT"}, {1, 10, 1}, DOUBLE_VARIABLE},
    /* held in registers, on every way */
    {{"MOV R8, 0x0", ADD, "EXIT"}, {9, 9, 9}, DOUBLE_NUMBER},
    {{"IMAD.MOV.U32 R9, RZ, RZ, 0x3ff00000", ADD, "EXIT"}, {9, 9, 9}, DOUBLE_NUMBER},
    {{"UMOV UR8, 0x0", "DADD R4, R6, UR8", "EXIT"}, {9, 9, 9}, DOUBLE_NUMBER},
    {{"MOV R8, R10", ADD, "EXIT"}, {9, 9, 9}, DOUBLE_VARIABLE},
    {{"S2R R8, SR_TID.X", ADD, "EXIT"}, {9, 9, 9}, DOUBLE_VARIABLE},
    {{"MOV R9, R10", "@P0 MOV R9, 0x0", ADD, "EXIT"}, {9, 9, 9, 9}, DOUBLE_VARIABLE},
    /* functions of double precision */
    {{"MUFU.RCP64H R5, R7", ADD, "EXIT"}, {1, 9, 9}, DOUBLE_UNKNOWN},
    {{"MUFU.RSQ64H R5, R7", "DMUL R4, R6, 127", "EXIT"}, {1, 9, 9}, DOUBLE_UNKNOWN},
    {{"MUFU.RCP64H R5, R7", ADD, "EXIT"}, {0, 9, 9}, DOUBLE_VARIABLE},
    {{"MUFU.RCP R5, R7", ADD, "EXIT"}, {1, 9, 9}, DOUBLE_VARIABLE},
    /* pow, most of it, though it has roots, too; half is not most */
    {{CALL, "EXIT", POW}, {9, 9, 9, 9}, DOUBLE_POW},
    {{CALL, "MUFU.RSQ64H R5, R7", "EXIT", POW}, {9, 9, 9, 9, 9}, DOUBLE_POW},
    {{ADD, CALL, "EXIT", POW}, {8, 9, 9, 9, 9}, DOUBLE_POW},
    {{ADD, CALL, "EXIT", POW}, {9, 9, 9, 9, 9}, DOUBLE_VARIABLE},
    {{"DMUL R4, R6, 127", CALL, "EXIT", POW}, {9, 9, 9, 9, 9}, DOUBLE_NUMBER},
};

static void what_makes_doubles(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct made_input x;
    enum double_use use = double_use_of(input(&x, ROWS[i].lines, ROWS[i].executed));
    if (use != ROWS[i].use)
      fail_msg("row %zu: %d", i, (int)use);
    sass_release(&x.m.sass);
  }
}

/* Without counts each instruction is one. */
static void of_code_alone(void **state) {
  (void)state;
  static const char *const lines[] = {"DMUL R4, R6, 127", ADD, "EXIT", NULL};
  static const double executed[] = {0, 100, 100};
  static struct made_input x;
  struct rule_input *in = input(&x, lines, executed);
  assert_int_equal(double_use_of(in), DOUBLE_VARIABLE);
  x.m.sass.counted = false;
  assert_int_equal(double_use_of(in), DOUBLE_NUMBER);
  in->sass = NULL;
  assert_int_equal(double_use_of(in), DOUBLE_UNKNOWN);
  sass_release(&x.m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_makes_doubles), cmocka_unit_test(of_code_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
