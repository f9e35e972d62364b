/* The rule fp64: what it says and takes away, which remedy fits; figures worked out beside each row. */
#include "unit/judged_remedies.h"

static const struct judged_case CASES[] = {
    /* 1,000 of fp64 of 4,000: a quarter of 10 us of waits, and 20 of 400 parts of 10 us; in fp32
     * 24 of 53 remain, and no conversions */
    {.rule = "fp64",
     .lines = {"MUFU.RCP64H R4, R2", "F2F.F64.F32 R4, R2", "EXIT"},
     .executed = {10, 20, 1},
     .set = {{"pipe_fp64", 2250},
             {"pipe_xu", 100},
             {"shared_wavefronts", 300},
             {"inst_executed", 3000},
             {"stall_wait", 3.2e6},
             {"stall_short_scoreboard", 3.2e6},
             {"stall_math_pipe_throttle", 8e6}},
     .says =
         "pipe_fp64 2250 -\n"
         "fp64 instructions 0.75 ratio\n"
         "math pipe throttle, share 0.25 ratio\n"
         "share of the time that the pipe needs 0.001125 ratio\n"
         "75 % of instructions are double precision; the fp64 pipe is busy 0 % of the time\n"
         "compute in fp32: literals without the suffix f, or double functions, make doubles of floats: write 2.0f and sinf, not 2.0 and sin\n",
     .takes = "inst 432.83, fma 1452.8, xu 800, fp64 0, own_issue_s 43.283, dependencies_s 41.985",
     .silent = {{"pipe_fp64", 0}}},
    {.rule =
         "fp64", /* with a function goes what it loads: 100 of 500 of the LSU's and of 1,000; 100 of 200 loads, of 800 cycles */
     .lines = {"LDC.64 R2, c[0x4][0x8]", "LDG.E.128.CONSTANT R8, desc[UR4][R2.64]", "F2F.F64.F32 R4, R16",
               "DFMA R10, R4, R8, R10", "EXIT"},
     .executed = {1, 100, 100, 100, 0},
     .set = {{"pipe_fp64", 100},
             {"pipe_lsu", 500},
             {"inst_executed", 1000},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 200},
             {"l1_load_requests", 200}},
     .says =
         "pipe_fp64 100 -\n"
         "fp64 instructions 0.1 ratio\n"
         "share of the time that the pipe needs 5e-05 ratio\n"
         "10 % of instructions are double precision; the fp64 pipe is busy 0 % of the time\n"
         "compute in fp32: literals without the suffix f, or double functions, make doubles of floats: write 2.0f and sinf, not 2.0 and sin\n",
     .takes = "inst 800, fma 2000, lsu 800, fp64 0, l1_wavefronts 600, own_issue_s 80, dependencies_s 80"},
    {.rule = "fp64",
     .set = {{"sm_clock_hz", 1e5}, {"pipe_fp64", 150}, {"inst_executed", 250}},
     .says =
         "pipe_fp64 150 -\n"
         "fp64 instructions 0.6 ratio\n"
         "share of the time that the pipe needs 0.75 ratio\n"
         "60 % of instructions are double precision; the fp64 pipe is busy 75 % of the time\n"
         "compute in fp32: literals without the suffix f, or double functions, make doubles of floats: write 2.0f and sinf, not 2.0 and sin\n",
     .takes = "fma 2000, fp64 0"},
    {.rule = "fp64", /* a function, in one of as many instructions; nothing else is counted */
     .lines = {"MUFU.RSQ64H R4, R2", "F2F.F64.F32 R4, R2", "EXIT"},
     .executed = {10, 20, 1},
     .set = {{"pipe_fp64", 1000}, {"inst_executed", 1}, {"stall_wait", 3.2e6}},
     .says =
         "pipe_fp64 1000 -\n"
         "fp64 instructions 1000 ratio\n"
         "share of the time that the pipe needs 0.0005 ratio\n"
         "100000 % of instructions are double precision; the fp64 pipe is busy 0 % of the time\n"
         "compute in fp32: literals without the suffix f, or double functions, make doubles of floats: write 2.0f and sinf, not 2.0 and sin\n",
     .takes = "inst 432.83, fma 1452.8, fp64 0, own_issue_s 43.283, dependencies_s 38.959"},
    {.rule =
         "fp64", /* 100 of 1,000, and 120 moves of constants: half of the uniform datapath's, a third of the ALU's */
     .lines = {"UMOV UR4, 0x1", "MOV R4, R5", "IMAD.MOV.U32 R6, RZ, RZ, R7", "EXIT"},
     .executed = {60, 40, 20, 1},
     .set = {{"pipe_fp64", 100}, {"inst_executed", 1000}, {"pipe_alu", 400}, {"pipe_fma", 200}, {"pipe_fmaheavy", 100}},
     .says =
         "pipe_fp64 100 -\n"
         "fp64 instructions 0.1 ratio\n"
         "share of the time that the pipe needs 5e-05 ratio\n"
         "10 % of instructions are double precision; the fp64 pipe is busy 0 % of the time\n"
         "compute in fp32 what does not need double: the code converts no float to double, so its variables are declared as such\n",
     .takes = "inst 880, alu 900, fma 1900, fma_heavy 800, fp64 0, own_issue_s 88, dependencies_s 88"},
    {.rule = "fp64", /* two moves for each of the work's 1,000 at most, half of them MOVs */
     .lines = {"MOV R4, R5", "IMAD.MOV.U32 R6, RZ, RZ, R7", "EXIT"},
     .executed = {3000, 3000, 1},
     .set =
         {{"pipe_fp64", 1000}, {"inst_executed", 1e5}, {"pipe_alu", 40e3}, {"pipe_fma", 20e3}, {"pipe_fmaheavy", 10e3}},
     .says =
         "pipe_fp64 1000 -\n"
         "fp64 instructions 0.01 ratio\n"
         "share of the time that the pipe needs 0.0005 ratio\n"
         "1 % of instructions are double precision; the fp64 pipe is busy 0 % of the time\n"
         "compute in fp32 what does not need double: the code converts no float to double, so its variables are declared as such\n",
     .takes = "inst 0, alu 975, fma 1950, fma_heavy 900, fp64 0, own_issue_s 0, dependencies_s 0"},
};

static const struct remedy_case REMEDIES[] = {
    {{.rule = "fp64", /* 10 of 30 on a float, 10 on it and on a double that was loaded, 10 on that one */
      .lines = {"LDG.E.64 R6, desc[UR4][R2.64]", "F2F.F64.F32 R4, R2", "DADD R8, R4, R4", "DADD R10, R4, R6",
                "DADD R12, R6, R6", "EXIT"},
      .executed = {10, 10, 10, 10, 10, 1},
      .set = {{"pipe_fp64", 10}}},
     "variables are declared as such; 33 % of the arithmetic is on converted values",
     NULL},
    {{.rule = "fp64", /* a float at work and an integer that becomes a double bring none */
      .lines = {"LDG.E R6, desc[UR4][R2.64]", "FADD R6, R6, R6", "F2F.F64.F32 R4, R6", "I2F.F64 R14, R6",
                "DADD R8, R4, R14", "DADD R8, R8, R8", "EXIT"},
      .executed = {10, 10, 10, 10, 10, 10, 1},
      .set = {{"pipe_fp64", 10}}},
     "no literals make doubles of floats here, but variables or casts",
     NULL},
    {{.rule = "fp64", /* a number of 10: in the instruction, or in registers */
      .lines = {"F2F.F64.F32 R4, R2", "DMUL R6, R4, -0.5", "DADD R8, R4, R4", "DADD R8, R8, R6", "EXIT"},
      .executed = {10, 10, 50, 40, 1},
      .set = {{"pipe_fp64", 100}}},
     "literals without the suffix f make doubles of floats: write 2.0f, not 2.0",
     NULL},
    {{.rule = "fp64",
      .lines = {"UMOV UR4, 0x9999999a", "IMAD.MOV.U32 R10, RZ, RZ, 0x1", "F2F.F64.F32 R4, R2", "DMUL R6, R4, UR4",
                "DADD R6, R6, R10", "EXIT"},
      .executed = {1, 10, 10, 10, 10, 1},
      .set = {{"pipe_fp64", 20}}},
     "literals without the suffix f make doubles of floats: write 2.0f, not 2.0",
     NULL},
    {{.rule = "fp64", /* a number of the first turn alone is a variable's */
      .lines = {"IMAD.MOV.U32 R10, RZ, RZ, 0x1", "F2F.F64.F32 R4, R2", "DSETP.GT.AND P0, PT, R10, R4, PT",
                "@P0 MOV R10, R4", "@P1 BRA 0x10", "EXIT"},
      .executed = {1, 10, 10, 10, 10, 1},
      .set = {{"pipe_fp64", 10}}},
     "no literals make doubles of floats here, but variables or casts",
     NULL},
    {{.rule = "fp64",
      .lines = {"F2F.F64.F32 R4, R2", "CALL.REL.NOINC `($k$__internal_accurate_pow)", "EXIT", "MUFU.RCP64H R5, R9",
                "DFMA R6, R4, R8, R10", "RET.REL.NODEC R2 `(k)"},
      .executed = {10, 10, 10, 10, 10, 10},
      .set = {{"pipe_fp64", 10}}},
     "pow of a float and an integer is a double function: write powf, or multiply",
     NULL},
    {{.rule = "fp64", /* a function's own coefficients are no double of the caller's */
      .lines = {"LDC.64 R2, c[0x4][0x8]", "LDG.E.128.CONSTANT R8, desc[UR4][R2.64]", "F2F.F64.F32 R4, R16",
                "DFMA R10, R4, R8, R10", "EXIT"},
      .executed = {10, 10, 10, 10, 1},
      .set = {{"pipe_fp64", 10}}},
     "write 2.0f and sinf, not 2.0 and sin",
     NULL},
    {{.rule = "fp64", /* what a function returns is followed no further */
      .lines = {"LDC.64 R2, c[0x4][0x8]", "CALL.REL.NOINC `($_Z5otheri)", "LDG.E.128.CONSTANT R8, desc[UR4][R2.64]",
                "F2F.F64.F32 R4, R16", "DFMA R10, R4, R8, R10", "EXIT"},
      .executed = {10, 10, 10, 10, 10, 1},
      .set = {{"pipe_fp64", 10}}},
     "variables are declared as such; 0 % of the arithmetic is on converted values",
     NULL},
    {{.rule = "fp64", /* an argument's array is */
      .lines = {"LDC.64 R2, c[0x0][0x210]", "LDG.E.128.CONSTANT R8, desc[UR4][R2.64]", "F2F.F64.F32 R4, R16",
                "DFMA R10, R4, R8, R10", "EXIT"},
      .executed = {10, 10, 10, 10, 1},
      .set = {{"pipe_fp64", 10}}},
     "variables are declared as such; 0 % of the arithmetic is on converted values",
     NULL},
    {{.rule = "fp64",
      .lines = {"F2F.F64.F32 R2, R2", "DADD R4, R2, R2", "EXIT"},
      .executed = {0, 10, 1}, /* by samples, of which one instruction may have none */
      .set = {{"pipe_fp64", 10}}},
     "no literals make doubles of floats here",
     NULL},
    {{.rule = "fp64", .lines = {"DADD R4, R2, R2", "EXIT"}, .executed = {10, 1}, .set = {{"pipe_fp64", 10}}},
     "its variables are declared as such",
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
