/* The rule pipe: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_lines.h"

static void all_rates(struct made_diagnosis *d) {
  made_ceiling(&d->m, "rate_lsu", 32, CEILING_DATASHEET);
  made_ceiling(&d->m, "rate_tensor", 32, CEILING_DATASHEET);
  made_ceiling(&d->m, "rate_imad", 64, CEILING_DATASHEET);
  made_ceiling(&d->m, "rate_adu", 16, CEILING_MEASURED);
}

#define ANOTHER_PIPE "move work to another pipe, or do it once for several elements (the estimate assumes half)\n"

static const struct judged_case CASES[] = {
    /* 150 x 32 / 64 cycles of 10 SMs: 75 us; 300 instructions are as long */
    {.rule = "pipe",
     .set = {{"sm_clock_hz", 1e5}, {"pipe_alu", 150}, {"inst_executed", 200}, {"stall_math_pipe_throttle", 8e6}},
     .says = "pipe_alu 150 -\n"
             "share of the time that the pipe needs 0.75 ratio\n"
             "math pipe throttle, share 0.25 ratio\n"
             "GENERAL the ALU pipe is busy 75 % of the time, the issue slots 50 %\n" ANOTHER_PIPE,
     .takes = "alu 500",
     .silent = {{"inst_executed", 301}}},
    {.rule = "pipe",
     .also = all_rates,
     .set = {{"sm_clock_hz", 1e5}, {"pipe_lsu", 90}, {"pipe_alu", 150}, {"inst_executed", 280}},
     .says =
         "pipe_lsu 90 -\n"
         "share of the time that the pipe needs 0.9 ratio\n"
         "GENERAL the LSU pipe is busy 90 % of the time, the issue slots 70 %\n"
         "fewer, wider loads and stores; keep values in registers instead of shared memory (the estimate assumes half)\n",
     .takes = "lsu 500"},
    {.rule = "pipe",
     .also = all_rates,
     .set = {{"sm_clock_hz", 1e5}, {"pipe_fma", 100}, {"pipe_fmaheavy", 100}},
     .says = "pipe_fma 100 -\n"
             "share of the time that the pipe needs 0.5 ratio\n"
             "GENERAL the FMA pipe is busy 50 % of the time\n" ANOTHER_PIPE,
     .takes = "fma 500, fma_heavy 500"},
    {.rule = "pipe",
     .set = {{"sm_clock_hz", 1e5}, {"pipe_xu", 40}},
     .says = "pipe_xu 40 -\n"
             "share of the time that the pipe needs 0.8 ratio\n"
             "GENERAL the XU pipe is busy 80 % of the time\n" ANOTHER_PIPE,
     .takes = "xu 500"},
    {.rule = "pipe", /* two thirds of the time are left by wgmma */
     .also = all_rates,
     .lines = {"HMMA.16816.F32 R12, R4, R10, R12", "EXIT"},
     .executed = {70, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_tensor_mma", 70}},
     .says =
         "pipe_tensor_mma 70 -\n"
         "share of the time that the pipe needs 0.7 ratio\n"
         "the tensor pipe is busy 70 % of the time\n"
         "wgmma in place of mma.sync, which reaches two thirds of the tensor cores' rate here: CUTLASS's sm90 kernels, cuBLAS\n",
     .takes = "tensor 660"},
    {.rule = "pipe", /* it runs them */
     .also = all_rates,
     .lines = {"HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24", "EXIT"},
     .executed = {70, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_tensor_mma", 70}}},
    {.rule = "pipe", /* what multiplies is not known */
     .also = all_rates,
     .set = {{"sm_clock_hz", 1e5}, {"pipe_tensor_mma", 70}}},
    {.rule = "pipe", .set = {{"sm_clock_hz", 1e5}, {"pipe_fp64", 150}}},
    {.rule = "pipe", /* the kernel's arguments are most of them */
     .also = all_rates,
     .lines = {"S2R R0, SR_CTAID.X", "LDC R1, c[0x0][0x210]", "LDC R2, c[0x3][R0]", "EXIT"},
     .executed = {10, 21, 19, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_adu", 40}}},
    {.rule = "pipe", /* each lane at its own: another rule's */
     .also = all_rates,
     .lines = {"S2R R0, SR_TID.X", "LDC R2, c[0x3][R0]", "EXIT"},
     .executed = {10, 40, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_adu", 40}}},
    /* 640 FFMA are 10 mma.sync, which read by 5 ldmatrix.x4 of 4 wavefronts: 5 of 10 loads go, and 80 of 100 wavefronts */
    {.rule = "pipe",
     .lines = {"LDS R4, [R8]", "HADD2.F32 R5, -RZ, R4.H0_H0", "FFMA R6, R5, R5, R6", "EXIT"},
     .executed = {10, 5, 640, 1},
     .set = {{"sm_clock_hz", 1e6},
             {"inst_executed", 700},
             {"pipe_fma", 640},
             {"pipe_lsu", 20},
             {"shared_wavefronts", 100},
             {"l1_wavefronts", 200},
             {"dram_write_bytes", 0}},
     .says = "pipe_fma 640 -\n"
             "share of the time that the pipe needs 0.16 ratio\n"
             "the FMA pipe is busy 16 % of the time, the issue slots 18 %, in a product of 16-bit matrices\n"
             "use the tensor cores: mma.sync m16n8k16 with ldmatrix (or wgmma, or cuBLAS) instead of FFMA\n",
     .takes = "inst 350, fma 0, fma_heavy 0, lsu 750, tensor 1010, l1_wavefronts 600, own_issue_s 35, "
              "dependencies_s 35",
     .silent = {{"dram_read_bytes", 17e6}}}, /* 17 us of DRAM are more than 16 of the pipe */
    /* it multiplies matrices already: the FMAs scale the results, and 16 % of the time bind nothing */
    {.rule = "pipe",
     .lines = {"LDS R4, [R8]", "HADD2.F32 R5, -RZ, R4.H0_H0", "FFMA R6, R5, R5, R6",
               "IMMA.16832.S8.S8 R4, R4.ROW, R8.COL, R4", "EXIT"},
     .executed = {10, 5, 640, 5, 1},
     .set = {{"sm_clock_hz", 1e6},
             {"inst_executed", 700},
             {"pipe_fma", 640},
             {"pipe_lsu", 20},
             {"shared_wavefronts", 100},
             {"l1_wavefronts", 200},
             {"dram_write_bytes", 0}}},
    /* 320 and 60 conversions are more than half of 700; 7.5 of 10 loads go, and 90 of 100 wavefronts */
    {.rule = "pipe",
     .lines = {"LDS R4, [R8]", "HADD2.F32 R5, -RZ, R4.H0_H0", "FFMA R6, R5, R5, R6", "EXIT"},
     .executed = {10, 60, 320, 1},
     .set = {{"sm_clock_hz", 1e6},
             {"inst_executed", 700},
             {"pipe_fma", 320},
             {"pipe_lsu", 20},
             {"shared_wavefronts", 100},
             {"l1_wavefronts", 200}},
     .says = "pipe_fma 320 -\n"
             "share of the time that the pipe needs 0.08 ratio\n"
             "the FMA pipe is busy 8 % of the time, the issue slots 18 %, in a product of 16-bit matrices\n"
             "use the tensor cores: mma.sync m16n8k16 with ldmatrix (or wgmma, or cuBLAS) instead of FFMA\n",
     .takes = "inst 612.5, fma 0, fma_heavy 0, lsu 625, tensor 1005, l1_wavefronts 550, own_issue_s 61.25, "
              "dependencies_s 61.25",
     .silent = {{"inst_executed", 760}}},
    /* likewise of bf16, whose bits are the upper half of fp32's: the lower of two is shifted, the upper masked; products of
     * integers, other bytes and sums in 16 bits convert nothing */
    {.rule = "pipe",
     .lines = {"LDS R4, [R8]", "IMAD.U32 R5, R4, 0x10000, RZ", "PRMT R7, R4, 0x7632, R7", "IMAD.U32 R9, R4, R8, RZ",
               "PRMT R9, R4, 0x5410, R7", "HADD2 R10, R4, R7", "FFMA R6, R5, R7, R6", "EXIT"},
     .executed = {10, 40, 20, 10, 10, 10, 320, 1},
     .set = {{"sm_clock_hz", 1e6},
             {"inst_executed", 700},
             {"pipe_fma", 320},
             {"pipe_lsu", 20},
             {"shared_wavefronts", 100},
             {"l1_wavefronts", 200}},
     .says = "pipe_fma 320 -\n"
             "share of the time that the pipe needs 0.08 ratio\n"
             "the FMA pipe is busy 8 % of the time, the issue slots 18 %, in a product of 16-bit matrices\n"
             "use the tensor cores: mma.sync m16n8k16 with ldmatrix (or wgmma, or cuBLAS) instead of FFMA\n",
     .takes = "inst 612.5, fma 0, fma_heavy 0, lsu 625, tensor 1005, l1_wavefronts 550, own_issue_s 61.25, "
              "dependencies_s 61.25",
     .silent = {{"inst_executed", 760}}},
    {.rule = "pipe", /* two values of 16 bits in each of 160 loads: a product of each is no product of matrices */
     .lines = {"LDS R4, [R8]", "HADD2.F32 R5, -RZ, R4.H0_H0", "FFMA R6, R5, R5, R6", "EXIT"},
     .executed = {160, 60, 320, 1},
     .set = {{"sm_clock_hz", 1e6}, {"inst_executed", 700}, {"pipe_fma", 320}}},
    {.rule = "pipe", /* nor is one of a quotient */
     .lines = {"LDS R4, [R8]", "HADD2.F32 R5, -RZ, R4.H0_H0", "MUFU.RCP R7, R5", "FFMA R6, R5, R7, R6", "EXIT"},
     .executed = {10, 60, 10, 320, 1},
     .set = {{"sm_clock_hz", 1e6}, {"inst_executed", 700}, {"pipe_fma", 320}}},
    /* of 110 instructions of the ALU 60 compare 64 bits, low words and high ones; 20 and 10 are about conditions, and 20 compare 32 bits */
    {.rule = "pipe",
     .lines = {"ISETP.EQ.U32.AND P6, PT, R22, R8, PT", "ISETP.EQ.U32.OR.EX P5, PT, R23, R9, P5, P6",
               "PLOP3.LUT P5, PT, P3, P5, PT, 0x80, 0x0", "P2R R27, PR, RZ, 0x4", "ISETP.NE.AND P2, PT, R27, RZ, PT",
               "ISETP.GE.AND P3, PT, R9, UR11, PT", "EXIT"},
     .executed = {30, 30, 20, 10, 10, 20, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_alu", 150}, {"inst_executed", 200}},
     .says =
         "pipe_alu 150 -\n"
         "share of the time that the pipe needs 0.75 ratio\n"
         "GENERAL the ALU pipe is busy 75 % of the time, the issue slots 50 %: 55 % 64-bit comparisons, 27 % logic of "
         "conditions\n"
         "compare 32-bit values where they fit, or fewer pairs (sort, then search) (estimate: half)\n",
     .takes = "inst 925, alu 500, own_issue_s 92.5, dependencies_s 92.5"},
    {.rule = "pipe", /* 60 of 100; additions are 19 */
     .lines = {"FMNMX R4, R4, R5, PT", "FSETP.GT.AND P0, PT, R4, R5, PT", "FSEL R6, R7, R8, P0", "IADD3 R9, R9, R4, RZ",
               "MOV R3, R2", "EXIT"},
     .executed = {20, 20, 20, 19, 21, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_alu", 150}, {"inst_executed", 200}},
     .says = "pipe_alu 150 -\n"
             "share of the time that the pipe needs 0.75 ratio\n"
             "GENERAL the ALU pipe is busy 75 % of the time, the issue slots 50 %: 60 % minima, maxima and selections\n"
             "one reduction for value and index, or packed 16-bit values (estimate: half)\n",
     .takes = "inst 925, alu 500, own_issue_s 92.5, dependencies_s 92.5"},
    {.rule = "pipe", /* 80 of 100 select, of which 60 have one of four constants */
     .lines = {"FSEL R4, R9, 0.72295683622360229492, P0", "FSEL R5, -R9, -0.39491748809814453125, !P0",
               "@!P1 FSEL R4, R9, 1.5, P0", "FSEL R6, R9, 63, P0", "FSEL R7, R4, R5, P2", "IADD3 R9, R9, R4, RZ",
               "EXIT"},
     .executed = {15, 15, 15, 15, 20, 20, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_alu", 150}, {"inst_executed", 200}},
     .says =
         "pipe_alu 150 -\n"
         "share of the time that the pipe needs 0.75 ratio\n"
         "GENERAL the ALU pipe is busy 75 % of the time, the issue slots 50 %: 80 % minima, maxima and selections\n"
         "look constants up in place of selecting them: a table in memory, indexed by the code or by several codes at "
         "once (estimate: half)\n",
     .takes = "inst 925, alu 500, own_issue_s 92.5, dependencies_s 92.5"},
    {.rule = "pipe", /* one constant is a flag's */
     .lines = {"FSEL R4, RZ, 1, P0", "FSEL R5, RZ, 1, P1", "IADD3 R9, R9, R4, RZ", "EXIT"},
     .executed = {40, 40, 20, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_alu", 150}, {"inst_executed", 200}},
     .says =
         "pipe_alu 150 -\n"
         "share of the time that the pipe needs 0.75 ratio\n"
         "GENERAL the ALU pipe is busy 75 % of the time, the issue slots 50 %: 80 % minima, maxima and selections\n" ANOTHER_PIPE,
     .takes = "alu 500"},
    {.rule = "pipe", /* half of the rotations, which are 40 of 100, can go to another pipe */
     .lines = {"LOP3.LUT R3, R3, R2, R4, 0x96, !PT", "SHF.L.W.U32.HI R8, R6, 0x14, R5", "EXIT"},
     .executed = {60, 40, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_alu", 150}, {"inst_executed", 200}},
     .says =
         "pipe_alu 150 -\n"
         "share of the time that the pipe needs 0.75 ratio\n"
         "GENERAL the ALU pipe is busy 75 % of the time, the issue slots 50 %: 100 % logic and rotations of whole words\n"
         "logic runs on this pipe alone; rotations can be multiplications by powers of two, on the FMA pipe "
         "(mul.wide.u32; estimate: half of them, which are 40 %)\n",
     .takes = "alu 800"},
    {.rule = "pipe", /* a fifth of each */
     .lines = {"FMNMX R4, R4, R5, PT", "LOP3.LUT R5, R4, 0x1, RZ, 0xc0, !PT", "IADD3 R9, R9, R4, RZ",
               "F2FP.F16.F32.PACK_AB R3, R2, R1", "ISETP.GE.AND P3, PT, R9, R8, PT", "EXIT"},
     .executed = {20, 20, 20, 20, 20, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_alu", 150}, {"inst_executed", 200}},
     .says = "pipe_alu 150 -\n"
             "share of the time that the pipe needs 0.75 ratio\n"
             "GENERAL the ALU pipe is busy 75 % of the time, the issue slots 50 %\n" ANOTHER_PIPE,
     .takes = "alu 500"},
    {.rule = "pipe", /* no product of matrices: nothing comes from shared memory */
     .also = all_rates,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "FFMA R8, R4, R4, R8", "@P0 BRA 0x0", "EXIT"},
     .executed = {20, 400, 20, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_fma", 400}, {"inst_executed", 400}},
     .says =
         "pipe_fma 400 -\n"
         "share of the time that the pipe needs 1 ratio\n"
         "issue slots used 0.75 ratio\n"
         "the FMA pipe is busy 100 % of the time, and nearly all instructions are its multiplies and adds: nothing is left\n"
         "the pipe is nearly full: only fewer multiplies and adds help\n",
     .takes = ""},
};

/* Of 200 instructions of the ALU 120 are additions, of the second line; or 120 are shifts and masks, 80 of the third. */
static void which_line(void **state) {
  static struct judged j;
  (void)state;
  for (int i = 0; i < 2; i++) {
    const struct judged_case kernel = {.also = a_line_each,
                                       .lines = {"SHF.R.U32.HI R3, RZ, 0x1, R2", "IADD3 R4, R4, R3, RZ",
                                                 "LOP3.LUT R5, R4, 0x1, RZ, 0xc0, !PT", "EXIT"},
                                       .executed = {40, i ? 80 : 120, i ? 80 : 40, 0},
                                       .set = {{"sm_clock_hz", 1e5}, {"pipe_alu", 150}, {"inst_executed", 200}}};
    struct told a = {0};
    judged_make(&j, &kernel, NULL);
    assert_true(rule_find("pipe")->judge(&j.in, &a));
    assert_ptr_equal(a.at, &j.d.sass[i ? 2 : 1]);
    judged_release(&j);
  }
}

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

/* Before what saves less than the model can tell, and without a number. */
static void what_is_left_of_a_pipe(void **state) {
  (void)state;
  static struct judged j;
  const struct judged_case kernel = {.lines = {"FFMA R8, R4, R4, R8", "EXIT"},
                                     .executed = {400, 1},
                                     .set = {{"sm_clock_hz", 1e5}, {"pipe_fma", 400}, {"inst_executed", 400}}};
  struct told a = {.general = true};
  judged_make(&j, &kernel, NULL);
  assert_true(rule_find("pipe")->judge(&j.in, &a));
  assert_true(a.unpriced && !a.general);
  assert_float_equal(a.rank_s, 0.1 * j.in.time_s, 1e-12);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(which_line),
                                     cmocka_unit_test(what_is_left_of_a_pipe)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
