/* The rule conversions: what it says and takes away; figures worked out beside each row. */
#include "unit/judged.h"

#define TWO_AT_A_TIME                                                                                                  \
  "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist\n"
#define SIXTY                                                                                                          \
  "60 conversions (I2F, F2I, F2F) are 100 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n"

static const struct judged_case CASES[] = {
    /* of 95 on the XU 10 are fp64's, and 2 in each of 5 divisions; a pair takes a mask and an addition */
    {.sized = true,
     .rule = "conversions", /* 5e6 x 32 / 16 cycles of 10 SMs are 1 ms */
     .lines = {"I2F R4, R2", "EXIT"},
     .executed = {2.5e6, 1},
     .set = {{"pipe_xu", 5e6}},
     .says =
         "conversions on the XU pipe 2.5e+06 inst\n"
         "pipe_xu 5e+06 -\n"
         "XU pipe's share of the time 10 ratio\n"
         "2.50 million conversions (I2F, F2I, F2F) are 50 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n" TWO_AT_A_TIME},
    {.rule = "conversions",
     .lines = {"I2F.S8 R4, R2", "F2F.F64.F32 R4, R2", "F2I.FTZ.U32.TRUNC.NTZ R9, R9", "I2F.U32.RP R4, R2",
               "MUFU.RCP R4, R4", "EXIT"},
     .executed = {60, 10, 20, 5, 5, 1},
     .set = {{"pipe_xu", 100}, {"shared_wavefronts", 200}, {"stall_short_scoreboard", 3.2e6}},
     .says =
         "conversions on the XU pipe 75 inst\n"
         "pipe_xu 100 -\n"
         "XU pipe's share of the time 0.0002 ratio\n"
         "75 conversions (I2F, F2I, F2F) are 75 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n" TWO_AT_A_TIME,
     .takes = "alu 1037.5, fma 1037.5, xu 250, dependencies_s 97.5"},
    {.rule = "conversions", /* one conversion, behind three to fp64 */
     .lines = {"F2F.F64.F32 R4, R2", "I2F.S8 R6, R7", "EXIT"},
     .executed = {3, 1, 1},
     .set = {{"pipe_xu", 4}},
     .says =
         "conversions on the XU pipe 1 inst\n"
         "pipe_xu 4 -\n"
         "XU pipe's share of the time 8e-06 ratio\n"
         "1 conversions (I2F, F2I, F2F) are 25 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n" TWO_AT_A_TIME,
     .takes = "alu 1000.5, fma 1000.5, xu 750"},
    {.rule = "conversions", /* counted in another pass than the pipe: no more than all of its work */
     .lines = {"I2F.S8 R4, R2", "EXIT"},
     .executed = {60, 1},
     .set = {{"pipe_xu", 40}},
     .says = "conversions on the XU pipe 60 inst\n"
             "pipe_xu 40 -\n"
             "XU pipe's share of the time 8e-05 ratio\n" SIXTY TWO_AT_A_TIME,
     .takes = "alu 1030, fma 1030, xu 0"},
    {.rule = "conversions",
     .lines = {"I2F.S8 R4, R2", "EXIT"},
     .executed = {60, 1},
     .says = "conversions on the XU pipe 60 inst\n" SIXTY TWO_AT_A_TIME,
     .takes = "alu 1030, fma 1030"},
    /* 60 shifts and 60 masks cut 60 values out, 30 PRMTs put pairs together: 30 shifts, 30 masks and 30 additions are left */
    {.rule = "conversions",
     .lines = {"SHF.R.U32.HI R3, RZ, 0x4, R2", "LOP3.LUT R3, R3, 0xf, RZ, 0xc0, !PT", "I2F.F16 R4, R3",
               "PRMT R5, R4, 0x5410, R6", "IADD3 R7, R8, R9, RZ", "EXIT"},
     .executed = {60, 60, 60, 30, 40, 1},
     .says = "conversions on the XU pipe 60 inst\n" SIXTY TWO_AT_A_TIME,
     .takes = "inst 880, alu 910, fma 1030, own_issue_s 88, dependencies_s 88"},
    /* 60 each of an offset, a mask and a shift cut 60 values out, and what makes the word is none of it: 180 become 60 and 30
     * packed additions */
    {.rule = "conversions",
     .lines = {"IADD3 R2, R20, R21, RZ", "SHF.R.U32.HI R3, RZ, 0x4, R2", "LOP3.LUT R5, R3, 0xf, RZ, 0xc0, !PT",
               "IADD3 R6, R5, 0x8, RZ", "I2F.F16 R4, R6", "EXIT"},
     .executed = {60, 60, 60, 60, 60, 1},
     .says = "conversions on the XU pipe 60 inst\n" SIXTY TWO_AT_A_TIME,
     .takes = "inst 850, alu 880, fma 1030, own_issue_s 85, dependencies_s 85"},
    /* what is cut out for fp64, for a division or for the ALU stays: 79 on the XU without 7 to fp64 and 12 of divisions */
    {.rule = "conversions",
     .lines = {"SHF.R.U32.HI R3, RZ, 0x4, R2", "I2F.F64.U32 R10, R3", "IADD3 R12, R2, R8, RZ", "I2F.U32.RP R14, R12",
               "MUFU.RCP R15, R16", "IADD3 R17, R15, 0xffffffe, RZ", "F2I.FTZ.U32.TRUNC.NTZ R9, R17",
               "IADD3 R18, R9, R8, RZ", "LOP3.LUT R20, R2, 0xf, RZ, 0xc0, !PT", "F2FP.F16.E2M1.UNPACK_B R21, R20",
               "PRMT R22, R21, 0x5410, R6", "I2F.S8 R4, R2", "EXIT"},
     .executed = {7, 7, 6, 6, 6, 6, 6, 6, 5, 5, 5, 60, 1},
     .says = "conversions on the XU pipe 60 inst\n" SIXTY TWO_AT_A_TIME,
     .takes = "alu 1030, fma 1030"},
    {.rule = "conversions", /* 40 of 50 round, most to the nearest */
     .lines = {"FRND R4, R2", "FRND.FLOOR R5, R2", "I2F.S8 R6, R2", "EXIT"},
     .executed = {25, 15, 10, 1},
     .set = {{"pipe_xu", 100}},
     .says = "conversions on the XU pipe 50 inst\n"
             "pipe_xu 100 -\n"
             "XU pipe's share of the time 0.0002 ratio\n"
             "50 roundings to whole numbers (FRND) are 50 % of the work of the XU pipe, which takes 16 lanes per cycle "
             "and SM\n"
             "where values are below 2^22, round on the FMA pipe: add 1.5 * 2^23 and subtract it again\n",
     .takes = "alu 1025, fma 1025, xu 500"},
    {.rule = "conversions",
     .lines = {"FRND R4, R2", "FRND.FLOOR R5, R2", "EXIT"},
     .executed = {15, 25, 1},
     .set = {{"pipe_xu", 100}},
     .says =
         "conversions on the XU pipe 40 inst\n"
         "pipe_xu 100 -\n"
         "XU pipe's share of the time 0.0002 ratio\n"
         "40 roundings to whole numbers (FRND) are 40 % of the work of the XU pipe, which takes 16 lanes per cycle "
         "and SM\n"
         "replace floorf, ceilf, truncf where values are below 2^22: add and subtract 1.5 * 2^23, then correct by 1\n",
     .takes = "alu 1020, fma 1020, xu 600"},
    /* 9 of 100 on the XU are no tenth */
    {.rule = "conversions", .lines = {"I2F.S8 R4, R2", "EXIT"}, .executed = {9, 1}, .set = {{"pipe_xu", 100}}},
    /* an index made of a float: of it nothing is said where another pipe is busier, and it packs nothing */
    {.rule = "conversions",
     .lines = {"F2I.FLOOR.NTZ R4, R2", "IMAD.WIDE R6, R4, 0x4, R8", "LDG.E R5, desc[UR4][R6.64]", "EXIT"},
     .executed = {60, 60, 60, 1},
     .set = {{"pipe_xu", 60}, {"pipe_alu", 900}}},
    {.rule = "conversions",
     .lines = {"F2I.FLOOR.NTZ R4, R2", "IMAD.WIDE R6, R4, 0x4, R8", "LDG.E R5, desc[UR4][R6.64]", "EXIT"},
     .executed = {60, 60, 60, 1},
     .set = {{"pipe_xu", 60}, {"pipe_alu", 10}, {"pipe_fma", 10}, {"sm_clock_hz", 1e5}},
     .says = "divisions and indices on the XU pipe 60 inst\n"
             "pipe_xu 60 -\n"
             "XU pipe's share of the time 1.2 ratio\n"
             "the XU pipe's work: 100 % indices made of floats (F2I); it takes 16 lanes per cycle and SM\n"
             "find an index once for several elements, else by adding 1.5 * 2^23\n",
     .takes = "inst 970, xu 500, own_issue_s 97, dependencies_s 97"},
    /* what becomes a float again is rounded */
    {.rule = "conversions",
     .lines = {"F2I.NTZ R4, R2", "I2FP.F32.S32 R5, R4", "EXIT"},
     .executed = {60, 60, 1},
     .set = {{"pipe_xu", 60}},
     .says =
         "conversions on the XU pipe 60 inst\n"
         "pipe_xu 60 -\n"
         "XU pipe's share of the time 0.00012 ratio\n"
         "60 roundings to whole numbers (F2I and back) are 100 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n"
         "where values are below 2^22, round on the FMA pipe: add 1.5 * 2^23 and subtract it again\n",
     .takes = "alu 1030, fma 1030, xu 0"},
    /* another pipe is busier: of divisions nothing is said */
    {.rule = "conversions",
     .lines = {"MUFU.RCP R4, R2", "FCHK P0, R0, R2", "EXIT"},
     .executed = {30, 30, 1},
     .set = {{"pipe_xu", 60}, {"pipe_alu", 900}}},
    {.rule = "conversions",
     .lines = {"F2F.F64.F32 R4, R2", "F2I.F64 R4, R2", "I2F.F64 R4, R2", "EXIT"},
     .executed = {9, 9, 9, 1}},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
