/* The rule decode-cost: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_work.h"

static void no_flops(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 1000;
}

static void no_least(struct made_diagnosis *d) {
  d->m.results[0].flops = 1920;
}

static void no_shape(struct made_diagnosis *d) {
  is_gemv(d);
  no_problem(d);
}

static void is_native(struct made_diagnosis *d) {
  is_gemv(d);
  d->m.device.sm = 100;
}

/* Of 120 times 8 elements, a warp instruction in each of 15 is four of a lane's: A is converted 4.25 times with its scale, and so is B for every row.  What
 * is masked before is decoding, too. */
#define CONVERTED(by, of_b)                                                                                            \
  .lines = {"LDG.E R1, desc[UR4][R10.64]",                                                                             \
            "LOP3.LUT R2, R1, 0x80808080, RZ, 0xc0, !PT",                                                              \
            "F2FP.F16." by ".UNPACK_B R3, R2",                                                                         \
            "F2FP.F16.E4M3.UNPACK_B R4, R5",                                                                           \
            "F2FP.F16." by ".UNPACK_B R6, R7",                                                                         \
            "IADD3 R10, R10, 0x10, RZ",                                                                                \
            "@P0 BRA 0x0",                                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {15, 15, 15, 15 / 16.0, of_b, 15, 15, 1}

/* 8 of the lanes that convert have values. */
static void lanes_idle(struct made_diagnosis *d) {
  is_gemv(d);
  for (size_t i = 1; i < 5; i++)
    d->counts[i].threads = 8 * d->counts[i].executed;
  d->m.results[0].flops /= 4; /* and as few elements */
}

static const struct judged_case CASES[] = {
    /* 256 x 150 / 960: 40 for 8 elements, of which 15.6 remain */
    {.rule = "decode-cost",
     .also = is_gemv,
     .set = {{"pipe_alu", 100}, {"pipe_xu", 50}, {"inst_executed", 400}},
     .says =
         "ALU and XU instructions per 8 elements 40 inst\n"
         "the same in the leanest known kernel 19.9 inst\n"
         "the same where rows share B 15.6 inst\n"
         "ALU instructions 0.25 ratio\n"
         "issue slots used 0.75 ratio\n"
         "40.0 ALU instructions per 8 elements; the leanest known kernel takes 19.9, with B shared by 4 rows 15.6\n"
         "decode by shift and mask into fp16, or repack nibbles as e4m3 for cvt.rn.f16x2.e4m3x2; decode B once for several rows\n",
     .takes = "inst 908.5, alu 390, xu 390, own_issue_s 90.85, dependencies_s 90.85"},
    {.rule = "decode-cost",
     .also = is_native,
     .set = {{"pipe_alu", 100}, {"pipe_xu", 50}},
     .says = "ALU and XU instructions per 8 elements 40 inst\n"
             "the same in the leanest known kernel 8 inst\n"
             "the same where rows share B 5 inst\n"
             "ALU instructions 100 ratio\n"
             "issue slots used 0.75 ratio\n"
             "40.0 ALU instructions per 8 elements; the leanest known kernel takes 8.0, with B shared by 4 rows 5.0\n"
             "decode with mov.b32 and cvt.rn.f16x2.e2m1x2; decode B once for several rows\n",
     .takes = "inst 868.75, alu 125, xu 125, own_issue_s 86.875, dependencies_s 86.875"},
    {.rule = "decode-cost", /* 16 of 19.9 share B by rows already: eight rows are next */
     .also = is_gemv,
     .set = {{"pipe_alu", 60}, {"pipe_xu", 0}, {"inst_executed", 400}},
     .says =
         "ALU and XU instructions per 8 elements 16 inst\n"
         "the same where rows share B 12.8 inst\n"
         "ALU instructions 0.15 ratio\n"
         "issue slots used 0.75 ratio\n"
         "16.0 ALU instructions per 8 elements; the leanest known kernel that decodes B once for 8 rows takes 12.8\n"
         "decode B once for 8 rows\n",
     .takes = "inst 988, alu 800, xu 800, own_issue_s 98.8, dependencies_s 98.8"},
    {.rule = "decode-cost", /* 17 are nearer to four rows' 15.6 than to one's 19.9 */
     .also = is_gemv,
     .set = {{"pipe_alu", 63.75}, {"pipe_xu", 0}, {"inst_executed", 425}},
     .says =
         "ALU and XU instructions per 8 elements 17 inst\n"
         "the same where rows share B 12.8 inst\n"
         "ALU instructions 0.15 ratio\n"
         "issue slots used 0.75 ratio\n"
         "17.0 ALU instructions per 8 elements; the leanest known kernel that decodes B once for 8 rows takes 12.8\n"
         "decode B once for 8 rows\n",
     .takes = "inst 984.25, alu 752.94, xu 752.94, own_issue_s 98.425, dependencies_s 98.425"},
    {.rule = "decode-cost", /* 20.3: 0.4 over the leanest, of which 4.3 are B's */
     .also = is_gemv,
     .set = {{"pipe_alu", 76}, {"pipe_xu", 0}, {"inst_executed", 400}},
     .says =
         "ALU and XU instructions per 8 elements 20.27 inst\n"
         "the same in the leanest known kernel 19.9 inst\n"
         "the same where rows share B 15.6 inst\n"
         "ALU instructions 0.19 ratio\n"
         "issue slots used 0.75 ratio\n"
         "20.3 ALU instructions per 8 elements; the leanest known kernel that decodes B once for 4 rows takes 15.6\n"
         "decode B once for 4 rows\n",
     .takes = "inst 982.5, alu 769.74, xu 769.74, own_issue_s 98.25, dependencies_s 98.25"},
    {.rule =
         "decode-cost", /* 256 x 120 / 960: 32, of which 12.5 decode; three rows more would spare 9.25 x 0.75 = 6.9 */
     .also = is_gemv,
     CONVERTED("E4M3", 15 + 15 / 16.0),
     .set = {{"pipe_alu", 120}, {"inst_executed", 400}},
     .says = "ALU and XU instructions per 8 elements 32 inst\n"
             "the same in the leanest known kernel 19.9 inst\n"
             "the same where rows share B 15.6 inst\n"
             "ALU instructions 0.3 ratio\n"
             "issue slots used 0.75 ratio\n"
             "32.0 ALU instructions per 8 elements, of which 12.5 decode; the leanest known kernel takes 19.9, with B "
             "shared by 4 rows 15.6\n"
             "fewer address and loop instructions, 19.5 of these: unroll, advance pointers; decode B once for 4 rows\n",
     .takes = "inst 938.5, alu 487.5, xu 487.5, own_issue_s 93.85, dependencies_s 93.85"},
    {.rule = "decode-cost", /* 16: 3.5 are less than what eight rows would spare, 9.25 x 0.875 = 8.1 */
     .also = is_gemv,
     CONVERTED("E4M3", 15 + 15 / 16.0),
     .set = {{"pipe_alu", 60}, {"inst_executed", 400}},
     .says =
         "ALU and XU instructions per 8 elements 16 inst\n"
         "the same where rows share B 12.8 inst\n"
         "ALU instructions 0.15 ratio\n"
         "issue slots used 0.75 ratio\n"
         "16.0 ALU instructions per 8 elements, of which 12.5 decode; the leanest known kernel that decodes B once for "
         "8 rows takes 12.8\n"
         "decode B once for 8 rows\n",
     .takes = "inst 988, alu 800, xu 800, own_issue_s 98.8, dependencies_s 98.8"},
    {.rule = "decode-cost", /* half of B's conversions: two rows share them */
     .also = is_gemv,
     CONVERTED("E4M3", 15 * 17 / 32.0),
     .set = {{"pipe_alu", 60}},
     .says =
         "ALU and XU instructions per 8 elements 16 inst\n"
         "the same where rows share B 12.8 inst\n"
         "ALU instructions 60 ratio\n"
         "issue slots used 0.75 ratio\n"
         "16.0 ALU instructions per 8 elements, of which 10.4 decode; the leanest known kernel that decodes B once for "
         "8 rows takes 12.8\n"
         "fewer address and loop instructions, 5.6 of these: unroll, advance pointers; decode B once for 8 rows, not 2\n"},
    {.rule = "decode-cost", /* an eighth: 4.25 / 0.53 rows share them; 8.8 decode */
     .also = is_gemv,
     CONVERTED("E4M3", 15 * 17 / 128.0),
     .set = {{"pipe_alu", 60}},
     .says =
         "ALU and XU instructions per 8 elements 16 inst\n"
         "the same where rows share B 12.8 inst\n"
         "ALU instructions 60 ratio\n"
         "issue slots used 0.75 ratio\n"
         "16.0 ALU instructions per 8 elements, of which 8.8 decode, B once for 8 rows; the leanest known kernel that "
         "does so takes 12.8 in all\n"
         "fewer address and loop instructions, 7.2 of these: unroll, advance pointers\n"},
    {.rule = "decode-cost", /* of e4m3, where the chip has e2m1: the scales' alone */
     .also = is_native,
     CONVERTED("E4M3", 15),
     .set = {{"pipe_alu", 150}},
     .says = "ALU and XU instructions per 8 elements 40 inst\n"
             "the same in the leanest known kernel 8 inst\n"
             "the same where rows share B 5 inst\n"
             "ALU instructions 150 ratio\n"
             "issue slots used 0.75 ratio\n"
             "40.0 ALU instructions per 8 elements; the leanest known kernel takes 8.0, with B shared by 4 rows 5.0\n"
             "decode with mov.b32 and cvt.rn.f16x2.e2m1x2; decode B once for several rows\n"},
    {.rule = "decode-cost", /* 4 + 8.5 decode, where 4.25 x 2 do */
     .also = is_native,
     CONVERTED("E2M1", 15 + 15 / 16.0),
     .set = {{"pipe_alu", 48}},
     .says =
         "ALU and XU instructions per 8 elements 12.8 inst\n"
         "the same in the leanest known kernel 8 inst\n"
         "the same where rows share B 5 inst\n"
         "ALU instructions 48 ratio\n"
         "issue slots used 0.75 ratio\n"
         "12.8 ALU instructions per 8 elements, of which 12.5 decode; the leanest known kernel takes 8.0, with B shared "
         "by 4 rows 5.0\n"
         "shift and mask whole words of 8 codes: decoding takes 8.5 instructions then, not 12.5; decode B once for 4 "
         "rows\n"},
    {.rule = "decode-cost", /* 8 of 32 lanes have values: a warp's 50 decode for a quarter */
     .also = lanes_idle,
     CONVERTED("E4M3", 15 + 15 / 16.0),
     .set = {{"pipe_alu", 60}},
     .says =
         "ALU and XU instructions per 8 elements 64 inst\n"
         "the same in the leanest known kernel 19.9 inst\n"
         "the same where rows share B 15.6 inst\n"
         "ALU instructions 60 ratio\n"
         "issue slots used 0.75 ratio\n"
         "64.0 ALU instructions per 8 elements, of which 12.5 decode; the leanest known kernel takes 19.9, with B "
         "shared by 4 rows 15.6\n"
         "give all lanes values: 75 % of those that decode have none, as a row or its part ends within a warp's step; "
         "decode B once for 4 rows\n"},
    {.rule = "decode-cost", .also = is_gemv, .set = {{"pipe_alu", 48}, {"pipe_xu", 0}}, .takes = ""}, /* 12.8 */
    {.rule = "decode-cost",
     .also = is_native,
     .set = {{"pipe_alu", 150}},
     .says = "ALU and XU instructions per 8 elements 40 inst\n"
             "the same in the leanest known kernel 8 inst\n"
             "the same where rows share B 5 inst\n"
             "ALU instructions 150 ratio\n"
             "issue slots used 0.75 ratio\n"
             "40.0 ALU instructions per 8 elements; the leanest known kernel takes 8.0, with B shared by 4 rows 5.0\n"
             "decode with mov.b32 and cvt.rn.f16x2.e2m1x2; decode B once for several rows\n",
     .takes = "inst 868.75, alu 125, xu 125, own_issue_s 86.875, dependencies_s 86.875"},
    {.rule = "decode-cost",
     .also = is_native,
     .set = {{"pipe_xu", 150}},
     .says = "ALU and XU instructions per 8 elements 40 inst\n"
             "the same in the leanest known kernel 8 inst\n"
             "the same where rows share B 5 inst\n"
             "issue slots used 0.75 ratio\n"
             "40.0 ALU instructions per 8 elements; the leanest known kernel takes 8.0, with B shared by 4 rows 5.0\n"
             "decode with mov.b32 and cvt.rn.f16x2.e2m1x2; decode B once for several rows\n",
     .takes = "inst 868.75, alu 125, xu 125, own_issue_s 86.875, dependencies_s 86.875"},
    {.rule = "decode-cost", .set = {{"pipe_alu", 100}, {"pipe_xu", 50}}, .takes = ""}, /* no GEMV */
    {.rule =
         "decode-cost", /* 256 x 21.875 / 960 on sm_100: nearer to four rows' 5 than to one's 8, and eight take 4.5 */
     .also = is_native,
     .set = {{"pipe_alu", 21.875}, {"inst_executed", 43.75}},
     .says = "ALU and XU instructions per 8 elements 5.833 inst\n"
             "the same where rows share B 4.5 inst\n"
             "ALU instructions 0.5 ratio\n"
             "issue slots used 0.75 ratio\n"
             "5.8 ALU instructions per 8 elements; the leanest known kernel that decodes B once for 8 rows takes 4.5\n"
             "decode B once for 8 rows\n",
     .takes = "inst 995, alu 771.43, xu 771.43, own_issue_s 99.5, dependencies_s 99.5"},
    {.rule = "decode-cost", .also = is_gemv, .set = {{"pipe_alu", 30}}, .takes = ""}, /* 8: leaner than all */
    {.rule = "decode-cost", .also = no_flops, .set = {{"pipe_alu", 100}, {"pipe_xu", 50}}, .takes = ""},
    {.rule = "decode-cost", .also = no_least, .set = {{"pipe_alu", 100}, {"pipe_xu", 50}}, .takes = ""},
    {.rule = "decode-cost", .also = no_shape, .set = {{"pipe_alu", 100}, {"pipe_xu", 50}}, .takes = ""},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
