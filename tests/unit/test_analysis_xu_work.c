/* What the XU works on, by kinds. */
#include "analysis/signs/xu_work.h"
#include "unit/judged.h"

#include <stdlib.h>

/* As nvcc 13.0 writes __powf(x, y) for sm_90a. */
#define LOGARITHM "MUFU.LG2 R17, R16", "@!P0 FADD R17, R17, -24", "FMUL R17, R17, UR9"
#define POWER     LOGARITHM, "@!P1 FMUL R17, R17, 0.5", "MUFU.EX2 R21, R17"

static const struct {
  struct judged_case kernel;
  double of[XU_KINDS];
  bool by_nearest;
} ROWS[] = {
    /* two conversions are an integer division's */
    {{.lines = {"I2F.S8 R4, R2", "F2F.F64.F32 R4, R2", "F2I.FTZ.U32.TRUNC.NTZ R9, R9", "I2F.U32.RP R4, R2",
                "MUFU.RCP R4, R4", "EXIT"},
      .executed = {60, 10, 20, 5, 5, 1}},
     {[XU_CONVERTS] = 75},
     true},
    {{.lines = {"FRND R4, R2", "FRND.FLOOR R5, R2", "FRND.F64 R6, R8", "EXIT"}, .executed = {20, 20, 5, 1}},
     {[XU_ROUNDS] = 40},
     true},
    {{.lines = {"FRND R4, R2", "FRND.FLOOR R5, R2", "FRND.CEIL R5, R2", "FRND.TRUNC R6, R2", "EXIT"},
      .executed = {8, 3, 3, 3, 1}},
     {[XU_ROUNDS] = 17},
     false},
    /* 30 reciprocals, of which 5 are an integer division's; a check each of 20 */
    {{.lines = {"MUFU.RCP R4, R2", "FCHK P0, R0, R2", "I2F.U32.RP R5, R6", "EXIT"}, .executed = {30, 20, 5, 1}},
     {[XU_DIVISIONS] = 40},
     true},
    {{.lines = {"MUFU.RCP R4, R2", "FCHK P0, R0, R2", "EXIT"}, .executed = {12, 20, 1}}, {[XU_DIVISIONS] = 32}, true},
    {{.lines = {"MUFU.RCP R4, R2", "MUFU.RSQ R5, R2", "MUFU.SIN R6, R2", "EXIT"}, .executed = {9, 9, 9, 1}}, {0}, true},
    /* an exponential of a sum with a logarithm is none, nor one of what was loaded */
    {{.lines = {"MUFU.LG2 R17, R16", "FADD R17, R17, R3", "MUFU.EX2 R21, R17", "LDG.E R5, desc[UR4][R2.64]",
                "FMUL R5, R5, 0.5", "MUFU.EX2 R21, R5", "EXIT"},
      .executed = {50, 50, 50, 50, 50, 50, 1}},
     {0},
     true},
    /* a float again, a place, both, a number */
    {{.lines = {"F2I.FLOOR.NTZ R4, R2", "I2FP.F32.S32 R5, R4", "F2I.TRUNC.NTZ R6, R2", "LEA R7, R6, R3, 0x2",
                "I2FP.F32.S32 R8, R6", "STG.E desc[UR4][R7.64], R5", "F2I.NTZ R9, R2", "STG.E desc[UR4][R12.64], R9",
                "EXIT"},
      .executed = {5, 5, 7, 7, 7, 7, 9, 9, 1}},
     {[XU_ROUNDS] = 5, [XU_INDICES] = 7, [XU_CONVERTS] = 9},
     false},
    {{.lines = {"FRND R4, R2", "EXIT"}, .executed = {0, 1}}, {0}, true}, /* it did not run */
    {{.rule = NULL}, {0}, true},                                         /* no code is known */
};

/* What an integer division converts is none of it, nor what did not run. */
static void which_instructions(void **state) {
  (void)state;
  static const struct judged_case kernel = {.lines = {"F2I.NTZ R9, R2", "I2F.U32.RP R4, R6", "MUFU.RCP R4, R4",
                                                      "IADD3 R4, R4, 0xffffffe, RZ", "F2I.FTZ.U32.TRUNC.NTZ R5, R4",
                                                      "I2F.S8 R10, R11", "I2F.S8 R12, R13", "FRND R14, R2",
                                                      "STG.E desc[UR4][R16.64], R9", "EXIT"},
                                            .executed = {9, 9, 9, 9, 9, 9, 0, 9, 9, 9}};
  static struct judged j;
  judged_make(&j, &kernel, NULL);
  static const char *const is[XU_KINDS] = {[XU_CONVERTS] = "x....x....", [XU_ROUNDS] = ".......x.."};
  for (int k = 0; k < XU_KINDS; k++) {
    char text[16] = "";
    bool *marked = xu_marked_make(&j.in, (enum xu_kind)k);
    for (size_t i = 0; i < 10; i++)
      text[i] = marked[i] ? 'x' : '.';
    assert_string_equal(text, is[k] ? is[k] : "..........");
    free(marked);
  }
  j.in.sass = NULL;
  assert_null(xu_marked_make(&j.in, XU_CONVERTS));
  assert_null(xu_place(&j.in, XU_CONVERTS));
  judged_release(&j);
}

static void kinds_of_work(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    struct xu_work x;
    judged_make(&j, &ROWS[i].kernel, NULL);
    xu_work_of(&x, &j.in);
    for (size_t k = 0; k < XU_KINDS; k++)
      if (x.of[k] != ROWS[i].of[k])
        fail_msg("row %zu, kind %zu: %g", i, k, x.of[k]);
    if (x.by_nearest != ROWS[i].by_nearest)
      fail_msg("row %zu: by_nearest", i);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_of_work), cmocka_unit_test(which_instructions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
