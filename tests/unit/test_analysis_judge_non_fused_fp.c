/* The rule non-fused-fp: what it says and takes away, which remedy fits; figures worked out beside each row. */
#include "unit/judged_remedies.h"

static const struct judged_case CASES[] = {
    /* 40 and 10 pairs beside 25 that are fused: 100 of 125 */
    {.rule = "non-fused-fp",
     .lines = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "FFMA R6, R2, R3, R6", "DMUL R6, R6, R8", "DADD R8, R6, R8",
               "DFMA R10, R12, R14, R10", "EXIT"},
     .executed = {40, 60, 20, 30, 10, 5, 1},
     .set = {{"pipe_fma", 200}, {"pipe_fmaheavy", 100}, {"pipe_fp64", 50}, {"inst_executed", 400}},
     .says =
         "FADD and FMUL that could pair 100 inst\n"
         "FFMA 25 inst\n"
         "FMA instructions 0.5 ratio\n"
         "80 % of the floating-point arithmetic is separate multiplies and adds\n"
         "the compiler fuses the rest, but no product that is used twice: write fmaf by hand, or compute it once more\n",
     .takes = "inst 950, fma 800, fma_heavy 800, fp64 800, own_issue_s 95, dependencies_s 95"},
    {.rule = "non-fused-fp", /* no pipe is counted */
     .lines = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "DMUL R6, R6, R8", "DADD R8, R6, R8", "EXIT"},
     .executed = {40, 60, 30, 10, 1},
     .says =
         "FADD and FMUL that could pair 100 inst\n"
         "FFMA 0 inst\n"
         "100 % of the floating-point arithmetic is separate multiplies and adds\n"
         "let the compiler fuse a * b + c into FFMA: drop -fmad=false, __fmul_rn and __fadd_rn, and add next to the product\n",
     .takes = "inst 950, own_issue_s 95, dependencies_s 95"},
    {.rule = "non-fused-fp", .lines = {"FMUL R4, R2, R3", "DADD R8, R6, R8", "EXIT"}, .executed = {40, 40, 1}},
    /* a product that is converted, too, is made all the same: 40 of 60 adds read another */
    {.rule = "non-fused-fp",
     .lines = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "F2I R6, R4", "FMUL R7, R2, R3", "FADD R8, R7, R8",
               "FADD R9, R7, R9", "EXIT"},
     .executed = {60, 20, 60, 60, 20, 20, 1},
     .says =
         "FADD and FMUL that could pair 80 inst\n"
         "FFMA 0 inst\n"
         "100 % of the floating-point arithmetic is separate multiplies and adds\n"
         "let the compiler fuse a * b + c into FFMA: drop -fmad=false, __fmul_rn and __fadd_rn, and add next to the product\n"},
    /* differences that are multiplied, and a sum of other values: no add reads a product */
    {.rule = "non-fused-fp",
     .lines = {"FADD R4, R2, -R3", "FMUL R5, R4, R4", "FADD R6, R2, R3", "EXIT"},
     .executed = {40, 40, 40, 1}},
};

static const struct remedy_case REMEDIES[] = {
    {{.rule = "non-fused-fp", /* 10 of 109 are fused, and then 11 of 110 */
      .lines = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "FFMA R6, R2, R3, R6", "EXIT"},
      .executed = {99, 99, 10, 1}},
     "drop -fmad=false",
     NULL},
    {{.rule = "non-fused-fp",
      .lines = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "FFMA R6, R2, R3, R6", "EXIT"},
      .executed = {99, 99, 11, 1}},
     "write fmaf by hand",
     NULL},
    {{.rule = "non-fused-fp", /* most are of doubles */
      .lines = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "DMUL R6, R6, R8", "DADD R8, R6, R8", "DFMA R10, R12, R14, R10",
                "EXIT"},
      .executed = {40, 40, 41, 41, 50, 1}},
     "write fma by hand",
     NULL},
    {{.rule = "non-fused-fp",
      .lines = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "DMUL R6, R6, R8", "DADD R8, R6, R8", "EXIT"},
      .executed = {40, 40, 41, 41, 1}},
     "into DFMA: drop -fmad=false, __dmul_rn and __dadd_rn",
     NULL},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

static void what_fits(void **state) {
  (void)state;
  REMEDIES_FIT(REMEDIES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(what_fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
