/* The rule denormals: what it says and takes away; figures worked out beside each row. */
#include "unit/judged.h"

static const struct judged_case CASES[] = {
    /* of 400 instructions 60 of the ALU and 120 of FMA, for 60 roots */
    {.rule = "denormals",
     .lines = {"FSETP.GEU.AND P3, PT, |R5|, 1.175494350822287508e-38, PT", "@!P3 FMUL R5, R5, 16777216",
               "MUFU.RSQ R4, R5", "@!P3 FMUL R4, R4, 4096", "EXIT"},
     .executed = {60, 60, 60, 60, 60},
     .set = {{"inst_executed", 400}},
     .says =
         "instructions for denormals 180 inst\n"
         "45 % of the instructions scale denormals around reciprocals, roots, logarithms or exponentials\n"
         "compile with -ftz=true (or -use_fast_math): denormals count as zero, which saves 3.0 instructions per function\n",
     .takes = "inst 820, alu 940, fma 880, fma_heavy 880, own_issue_s 82, dependencies_s 82"},
    {.rule = "denormals", /* compiled with -ftz=true */
     .lines = {"MUFU.RSQ R4, R5", "EXIT"},
     .executed = {60, 60},
     .set = {{"inst_executed", 400}}},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
