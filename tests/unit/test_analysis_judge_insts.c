/* What the rules on instructions and pipes say and take away, each asked by itself; figures
 * worked out beside each.  At 100 kHz, 10 SMs issue 400 warp instructions in the 100 us. */
#include "unit/judged.h"

static void is_gemv(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 1000;
  d->m.results[0].flops = 1920;
}

static void no_problem(struct made_diagnosis *d) {
  d->m.results[0].shape = (struct shape){0};
}

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

/* An import may lack the slots. */
static void no_slots(struct made_diagnosis *d) {
  no_problem(d);
  not_counted(d, "issue_active");
}

static void one_lane_beside_a_branch(struct made_diagnosis *d) {
  d->counts[1].threads = d->counts[2].threads = 100;
}

static void all_rates(struct made_diagnosis *d) {
  made_ceiling(&d->m, "rate_lsu", 32, CEILING_DATASHEET);
  made_ceiling(&d->m, "rate_tensor", 32, CEILING_DATASHEET);
  made_ceiling(&d->m, "rate_imad", 64, CEILING_DATASHEET);
}

/* 1e15 FLOP/s, for 100 us. */
static void tensor_roof(struct made_diagnosis *d) {
  made_ceiling(&d->m, "tensor_bf16_flops", 1e15, CEILING_DATASHEET);
  no_problem(d);
}

static void tensor_roof_of_blackwell(struct made_diagnosis *d) {
  tensor_roof(d);
  d->m.device.sm = 100;
}

#define PIPES_OF_ISSUE                                                                                                 \
  {"pipe_lsu", 20}, {"pipe_alu", 150}, {"pipe_fma", 50}, {"pipe_xu", 10}, {"pipe_tensor_mma", 5}, {                    \
    "pipe_fp64", 15                                                                                                    \
  }

static const struct judged_case ISSUE[] = {
    /* Loads of 4 bytes: 7.5 of 10 go, with an address each.  60 of index arithmetic, 20
     * accesses: 20 go.  No pipe executes 150: 75 go.  A thread has 20 / 12.5 times the work. */
    {.rule = "issue-slots",
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "FFMA R16, R8, R12, R16", "IADD3 R2, R2, R5, RZ",
               "LOP3.LUT R10, R9, R8, R10, 0x96, !PT", "LDG.E.128 R20, desc[UR4][R2.64]", "EXIT"},
     .executed = {10, 40, 40, 20, 10, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, PIPES_OF_ISSUE},
     .says =
         "issue slots used 0.75 ratio\n"
         "instructions per element 0.01221 inst\n"
         "ALU instructions 0.375 ratio\n"
         "FMA instructions 0.125 ratio\n"
         "LSU instructions 0.05 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used, 0.0122 instructions per element; instructions: 50 % integer and logic, 33 % floating point\n"
         "fewer instructions: index arithmetic (33 % of all): more elements per thread share it (estimate: 74.6 µs with 28 % fewer)\n",
     .takes =
         "inst 890, alu 816.67, lsu 625, loads_s 62.5, own_issue_s 89, dependencies_s 89, empty_s 62.5, blocks 625",
     .silent = {{"pipe_alu", 202}}}, /* 101 us against 100 */
    /* of a GEMV 80 of arithmetic on single values are 40 on pairs, and its index arithmetic
     * stays */
    {.rule = "issue-slots",
     .also = is_gemv,
     .lines = {"FADD R8, R8, R9", "FFMA R16, R8, R12, R16", "IADD3 R2, R2, R5, RZ", "FMUL R8, R8, R9", "EXIT"},
     .executed = {20, 40, 40, 20, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, PIPES_OF_ISSUE},
     .says =
         "issue slots used 0.75 ratio\n"
         "instructions per element 0.01221 inst\n"
         "ALU instructions 0.375 ratio\n"
         "FMA instructions 0.125 ratio\n"
         "LSU instructions 0.05 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used, 0.0122 instructions per element; instructions: 66 % floating point, 33 % integer and logic\n"
         "fewer instructions: use packed arithmetic, cut loop overhead (estimate: 80.5 µs with 29 % fewer)\n",
     .takes = "inst 885, fma 200, fma_heavy 200, own_issue_s 88.5, dependencies_s 88.5"},
    /* 50 us of issue, and 79 of the ALU; 81 are the pipe's to say */
    {.rule = "issue-slots",
     .also = no_problem,
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 200}, {"pipe_alu", 158}, {"pipe_fma", 0}},
     .says =
         "issue slots used 0.75 ratio\n"
         "ALU instructions 0.79 ratio\n"
         "FMA instructions 0 ratio\n"
         "GENERAL 75 % of issue slots used while SMs are active (50 % of the whole time)\n"
         "fewer instructions: access 16 bytes per lane, cut index arithmetic and loop overhead (estimate: 99.2 µs with 10 % fewer)\n",
     .takes = "inst 979, own_issue_s 97.9, dependencies_s 97.9",
     .silent = {{"pipe_alu", 162}}},
    {.rule = "issue-slots", /* FMA is not counted: 20 of arithmetic go, and what overhead is nobody knows */
     .also = is_gemv,
     .lines = {"FFMA R16, R8, R12, R16", "EXIT"},
     .executed = {40, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 100}},
     .says =
         "issue slots used 0.75 ratio\n"
         "instructions per element 0.01221 inst\n"
         "ALU instructions 0.25 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used, 0.0122 instructions per element; instructions: 98 % floating point, 2 % branches\n"
         "fewer instructions: use packed arithmetic, cut loop overhead (estimate: 95.2 µs with 5 % fewer)\n",
     .takes = "inst 980, own_issue_s 98, dependencies_s 98"},
    {.rule = "issue-slots", /* no pipe is counted: a narrow load, with its address */
     .also = no_problem,
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "EXIT"},
     .executed = {10, 0, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}},
     .says =
         "issue slots used 0.75 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used; instructions: 91 % accesses of memory, 9 % branches\n"
         "fewer instructions: narrow accesses (100 % of all): 16 bytes per lane where aligned (now 4) (estimate: 96.2 µs with 4 % fewer)\n",
     .takes = "inst 985, loads_s 25, own_issue_s 98.5, dependencies_s 98.5, empty_s 25, blocks 250"},
    /* 4 bytes: of 20 accesses 15 go with their addresses, and three quarters of 40 of index arithmetic and of 280 that no
     * pipe executes: of these 270 the half of 400 that go at most */
    {.rule = "issue-slots",
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "IADD3 R2, R2, R5, RZ",
               "STG.E desc[UR4][R4.64], R8", "STG.E desc[UR4][R4.64+0x4], R9", "EXIT"},
     .executed = {10, 0, 60, 10, 0, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 100}, {"pipe_fma", 0}, {"pipe_lsu", 20}},
     .says =
         "issue slots used 0.75 ratio\n"
         "instructions per element 0.01221 inst\n"
         "ALU instructions 0.25 ratio\n"
         "FMA instructions 0 ratio\n"
         "LSU instructions 0.05 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used, 0.0122 instructions per element; instructions: 74 % integer and logic, 25 % accesses of memory\n"
         "fewer instructions: narrow accesses (37 % of all): 16 bytes per lane where aligned (now 4) (estimate: 50.2 µs with half as many)\n",
     .takes = "inst 800, alu 550, lsu 250, loads_s 25, own_issue_s 80, dependencies_s 80, empty_s 25, blocks 250"},
    {.rule =
         "issue-slots", /* 8 bytes are half of 16: 5 of 10 accesses go with their addresses, 2.5 % of what is issued */
     .also = no_problem,
     .lines = {"LDG.E.64 R8, desc[UR4][R2.64]", "LDG.E.64 R10, desc[UR4][R2.64+0x8]", "EXIT"},
     .executed = {10, 0, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}},
     .says =
         "issue slots used 0.75 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used; instructions: 91 % accesses of memory, 9 % branches\n"
         "fewer instructions: narrow accesses (91 % of all): 16 bytes per lane where aligned (now 8) (estimate: 97.5 µs with 3 % fewer)\n",
     .takes = "inst 990, loads_s 50, own_issue_s 99, dependencies_s 99, empty_s 50, blocks 500"},
    {.rule = "issue-slots", /* 1.7 % are no reason to name them */
     .also = no_problem,
     .lines = {"LDG.E.64 R8, desc[UR4][R2.64]", "LDG.E.64 R10, desc[UR4][R2.64+0x8]", "EXIT"},
     .executed = {10, 0, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 600}},
     .says =
         "issue slots used 0.75 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used; instructions: 91 % accesses of memory, 9 % branches\n"
         "fewer instructions: several elements per thread share indices and tests (estimate: 98.3 µs with 2 % fewer)\n",
     .takes = "inst 990, loads_s 50, own_issue_s 99, dependencies_s 99, empty_s 50, blocks 500"},
    {.rule = "issue-slots", /* of a GEMV without its code all of it may help but index arithmetic */
     .also = is_gemv,
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}},
     .says = "issue slots used 0.75 ratio\n"
             "instructions per element 0.01221 inst\n"
             "GENERAL issue-bound: 75 % of issue slots used, 0.0122 instructions per element\n"
             "fewer instructions: access 16 bytes per lane, use packed arithmetic, cut loop overhead\n",
     .takes = ""},
    {.rule = "issue-slots", /* 200 of 400 are issued in half of the time */
     .also = no_slots,
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 200}},
     .says = "GENERAL issue-bound: issuing the instructions takes 50 % of the time\n"
             "fewer instructions: access 16 bytes per lane, cut index arithmetic and loop overhead\n",
     .takes = ""},
    {.rule =
         "issue-slots", /* LSU is not counted: of index arithmetic 45 of 60, and 225 of 300 that no pipe executes: half of 400 */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "IADD3 R2, R2, R5, RZ",
               "STG.E desc[UR4][R4.64], R8", "STG.E desc[UR4][R4.64+0x4], R9", "EXIT"},
     .executed = {10, 0, 60, 10, 0, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 100}, {"pipe_fma", 0}},
     .says =
         "issue slots used 0.75 ratio\n"
         "instructions per element 0.01221 inst\n"
         "ALU instructions 0.25 ratio\n"
         "FMA instructions 0 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used, 0.0122 instructions per element; instructions: 74 % integer and logic, 25 % accesses of memory\n"
         "fewer instructions: narrow accesses (37 % of all): 16 bytes per lane where aligned (now 4) (estimate: 50 µs with half as many)\n",
     .takes = "inst 800, alu 400, loads_s 25, own_issue_s 80, dependencies_s 80, empty_s 25, blocks 250"},
    {.rule = "issue-slots", /* pipes beyond what was issued are no overhead; 70 us of the XU are of the SMs */
     .also = no_problem,
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 1}, {"pipe_xu", 35}},
     .says = "issue slots used 0.75 ratio\n"
             "GENERAL 75 % of issue slots used while SMs are active (0 % of the whole time)\n"
             "fewer instructions: access 16 bytes per lane, cut index arithmetic and loop overhead\n",
     .takes = ""},
    {.rule = "issue-slots", .set = {{"stall_selected", 32e6}, {"stall_wait", 0}}}, /* a warp's own chain */
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

#define ANOTHER_PIPE "move work to another pipe, or do it once for several elements (the estimate assumes half)\n"

static void threads_of(struct made_diagnosis *d, unsigned threads) {
  unsigned *block = d->m.results[0].launches->block;
  block[0] = threads;
  block[1] = block[2] = 1;
}

static void threads_1(struct made_diagnosis *d) {
  threads_of(d, 1);
}

static void one_thread_alone(struct made_diagnosis *d) {
  threads_1(d);
  d->m.results[0].launches->grid[0] = 1;
}

static void threads_12(struct made_diagnosis *d) {
  threads_of(d, 12);
}

static void threads_48(struct made_diagnosis *d) {
  threads_of(d, 48);
}

static const struct judged_case PIPES[] = {
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
    {.rule = "pipe", /* a decoded weight for four rows */
     .also = all_rates,
     .lines = {"LOP3.LUT R1, R2, 0xf, RZ, 0xc0, !PT", "HFMA2 R20, R21, R22, R20", "HFMA2 R20, R1, R10, R20",
               "HFMA2 R20, R1, R11, R20", "HFMA2 R20, R1, R12, R20", "HFMA2.MMA R20, R1, R13, R20", "EXIT"},
     .executed = {10, 15, 20, 20, 20, 20, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_fma", 100}, {"pipe_fmaheavy", 100}},
     .says = "pipe_fma 100 -\n"
             "share of the time that the pipe needs 0.5 ratio\n"
             "GENERAL the FMA pipe is busy 50 % of the time\n"
             "use the tensor cores: mma.sync m16n8k16 multiplies 8 or 16 rows with each decoded weight (the estimate "
             "assumes half)\n",
     .takes = "fma 500, fma_heavy 500"},
    {.rule = "pipe",
     .set = {{"sm_clock_hz", 1e5}, {"pipe_xu", 40}},
     .says = "pipe_xu 40 -\n"
             "share of the time that the pipe needs 0.8 ratio\n"
             "GENERAL the XU pipe is busy 80 % of the time\n" ANOTHER_PIPE,
     .takes = "xu 500"},
    {.rule = "pipe",
     .also = all_rates,
     .set = {{"sm_clock_hz", 1e5}, {"pipe_tensor_mma", 70}},
     .says = "pipe_tensor_mma 70 -\n"
             "share of the time that the pipe needs 0.7 ratio\n"
             "GENERAL the tensor pipe is busy 70 % of the time\n" ANOTHER_PIPE,
     .takes = "tensor 500"},
    {.rule = "pipe", .set = {{"sm_clock_hz", 1e5}, {"pipe_fp64", 150}}},
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
    /* 288 x 32 / 128 cycles of 10 SMs are 72 us, of which 280 multiply and add; 320 instructions are 80: 10 are left beside these */
    {.rule = "pipe",
     .also = all_rates,
     .lines = {"LDS R4, [R2]", "LDS R6, [R3]", "FFMA R8, R4, R6, R8", "FFMA R9, R4, R6, R9", "FMUL R20, R20, R20",
               "FADD R20, R20, R20", "@P0 BRA 0x0", "EXIT"},
     .executed = {30, 30, 120, 120, 20, 20, 30, 1},
     .set = {{"sm_clock_hz", 1e5}, {"pipe_fma", 288}, {"inst_executed", 320}},
     .says =
         "pipe_fma 288 -\n"
         "share of the time that the pipe needs 0.72 ratio\n"
         "issue slots used 0.75 ratio\n"
         "the FMA pipe is busy 72 % of the time, and nearly all instructions are its multiplies and adds: 28 % at most is left\n"
         "the pipe is nearly full: tensor cores, where their accuracy will do (mma.sync with TF32, or with values split into parts of bf16)\n",
     .takes = "",
     .silent = {{"inst_executed", 330}, {"pipe_fma", 278}}},
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
    {.sized = true,
     .rule = "tensor-saturated", /* 71 of 100 TFLOP: 0.7 and more is what libraries reach */
     .also = tensor_roof,
     .set = {{"async_mma_bf16_flops", 0.71e11}, {"dram_read_bytes", 1e6}, {"dram_write_bytes", 0}},
     .says = "bf16 tensor 0.71 ratio\n"
             "issue slots used 0.75 ratio\n"
             "STOP the tensor cores run at 71 % of their peak (bf16 tensor)\n"
             "stop: only fewer operations, a narrower type (fp8) or fusion with a neighbouring kernel help\n",
     .takes = "",
     .silent = {{"async_mma_bf16_flops", 0.69e11}}},
    {.sized = true,
     .rule = "tensor-saturated",
     .also = tensor_roof_of_blackwell,
     .set = {{"async_mma_bf16_flops", 0.71e11}, {"dram_read_bytes", 1e6}, {"dram_write_bytes", 0}},
     .says = "bf16 tensor 0.71 ratio\n"
             "issue slots used 0.75 ratio\n"
             "STOP the tensor cores run at 71 % of their peak (bf16 tensor)\n"
             "stop: only fewer operations, a narrower type (fp8, fp4) or fusion with a neighbouring kernel help\n",
     .takes = ""},
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
     .says = "pipe_fp64 2250 -\n"
             "fp64 instructions 0.75 ratio\n"
             "math pipe throttle, share 0.25 ratio\n"
             "share of the time that the pipe needs 0.001125 ratio\n"
             "75 % of instructions are double precision; the fp64 pipe is busy 0 % of the time\n"
             "compute in fp32: look for literals without the suffix f and for calls of double functions\n",
     .takes = "inst 432.83, fma 1452.8, xu 800, fp64 0, own_issue_s 43.283, dependencies_s 41.985",
     .silent = {{"pipe_fp64", 0}}},
    {.rule = "fp64",
     .set = {{"sm_clock_hz", 1e5}, {"pipe_fp64", 150}, {"inst_executed", 250}},
     .says = "pipe_fp64 150 -\n"
             "fp64 instructions 0.6 ratio\n"
             "share of the time that the pipe needs 0.75 ratio\n"
             "60 % of instructions are double precision; the fp64 pipe is busy 75 % of the time\n"
             "compute in fp32: look for literals without the suffix f and for calls of double functions\n",
     .takes = "fma 2000, fp64 0"},
    {.rule = "fp64", /* a function, in one of as many instructions; nothing else is counted */
     .lines = {"MUFU.RSQ64H R4, R2", "F2F.F64.F32 R4, R2", "EXIT"},
     .executed = {10, 20, 1},
     .set = {{"pipe_fp64", 1000}, {"inst_executed", 1}, {"stall_wait", 3.2e6}},
     .says = "pipe_fp64 1000 -\n"
             "fp64 instructions 1000 ratio\n"
             "share of the time that the pipe needs 0.0005 ratio\n"
             "100000 % of instructions are double precision; the fp64 pipe is busy 0 % of the time\n"
             "compute in fp32: look for literals without the suffix f and for calls of double functions\n",
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
    {.rule = "divergence", /* 8 lanes, where 24 are within reach */
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 8000}, {"stall_branch_resolving", 8e6}},
     .says =
         "lanes active 0.25 ratio\n"
         "inst_executed 1000 -\n"
         "branch resolving, share 0.25 ratio\n"
         "an average instruction has 8.0 of a warp's 32 lanes active\n"
         "make the lanes of a warp take the same branch: sort or compact the work (the estimate assumes 24 of 32 lanes active)\n",
     .takes =
         "inst 333.33, alu 333.33, fma 333.33, fma_heavy 333.33, lsu 333.33, xu 333.33, tensor 333.33, fp64 333.33, "
         "own_issue_s 33.333, dependencies_s 33.333",
     .silent = {{"thread_inst_executed", 24000}}},
    {.rule = "divergence", .set = {{"inst_executed", 1000}}, .takes = ""}, /* how many lanes is not known */
    /* 8 of 12 threads: of those that there are 2 in 3, where 24 of 32 are within reach */
    {.rule = "divergence",
     .also = threads_12,
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 8000}},
     .says =
         "lanes active 0.25 ratio\n"
         "inst_executed 1000 -\n"
         "an average instruction has 8.0 of a warp's 32 lanes active\n"
         "make the lanes of a warp take the same branch: sort or compact the work (the estimate assumes 24 of 32 lanes active)\n",
     .takes =
         "inst 888.89, alu 888.89, fma 888.89, fma_heavy 888.89, lsu 888.89, xu 888.89, tensor 888.89, fp64 888.89, own_issue_s 88.889, dependencies_s 88.889",
     .silent = {{"thread_inst_executed", 9000}}},
    {.rule = "partial-warps",
     .also = threads_12,
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 12000}},
     .says = "block 12 thread\n"
             "lanes active 0.375 ratio\n"
             "blocks of 12 threads: 62 % of the lanes of their warps have none\n"
             "whole warps: blocks of 32 threads or a multiple of it, a part of the work for each thread\n",
     .takes =
         "inst 375, alu 375, fma 375, fma_heavy 375, lsu 375, xu 375, tensor 375, fp64 375, own_issue_s 37.5, dependencies_s 37.5"},
    {.rule = "partial-warps",
     .also = threads_1,
     .set = {{"inst_executed", 1000}},
     .says = "block 1 thread\n"
             "blocks of 1 thread: 97 % of the lanes of their warps have none\n"
             "whole warps: blocks of 32 threads or a multiple of it, a part of the work for each thread\n",
     .takes =
         "inst 31.25, alu 31.25, fma 31.25, fma_heavy 31.25, lsu 31.25, xu 31.25, tensor 31.25, fp64 31.25, own_issue_s 3.125, dependencies_s 3.125"},
    {.rule = "partial-warps", /* 5 of 12: what 32 would be nobody knows */
     .also = threads_12,
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 5000}},
     .says =
         "block 12 thread\n"
         "lanes active 0.1562 ratio\n"
         "blocks of 12 threads: 62 % of the lanes of their warps have none, and of 12 that a warp has only 5.0 are active: they diverge\n"
         "let the lanes of a warp share one piece of the work (a search, a row), so that they branch alike; a thread each would diverge more\n"},
    {.rule = "partial-warps", .also = threads_48}, /* 24 of 32 on average */
    {.rule = "partial-warps", /* one thread, each of whose turns needs the one before, has no part to give */
     .also = one_thread_alone,
     .lines = {"MOV R2, R6", "FMUL R4, R4, R6", "@P0 BRA 0x10", "EXIT"},
     .executed = {1, 500, 500, 1},
     .set = {{"inst_executed", 1000}}},
    {.rule = "partial-warps",
     .also = one_thread_alone,
     .set = {{"inst_executed", 1000}},
     .says = "block 1 thread\n"
             "blocks of 1 thread: 97 % of the lanes of their warps have none\n"
             "whole warps: blocks of 32 threads or a multiple of it, a part of the work for each thread\n",
     .takes =
         "inst 31.25, alu 31.25, fma 31.25, fma_heavy 31.25, lsu 31.25, xu 31.25, tensor 31.25, fp64 31.25, own_issue_s 3.125, dependencies_s 3.125"},
    /* 200 of 500 for one lane, 0.6125 lanes active: they are elected where they issue bulk copies, and then as good as whole */
    {.rule = "divergence",
     .lines = {"@P0 BRA 0x30", "UBLKCP.S.G [UR4], [UR6], UR8", "FADD R1, R2, R3", "FADD R4, R5, R6", "EXIT"},
     .executed = {100, 100, 100, 100, 100},
     .also = one_lane_beside_a_branch,
     .set = {{"inst_executed", 500}, {"thread_inst_executed", 9800}},
     .takes = ""},
    {.rule = "divergence",
     .lines = {"@P0 BRA 0x30", "FADD R7, R2, R3", "FADD R1, R2, R3", "FADD R4, R5, R6", "EXIT"},
     .executed = {100, 100, 100, 100, 100},
     .also = one_lane_beside_a_branch,
     .set = {{"inst_executed", 500}, {"thread_inst_executed", 9800}},
     .says =
         "lanes active 0.6125 ratio\n"
         "inst_executed 500 -\n"
         "an average instruction has 19.6 of a warp's 32 lanes active\n"
         "make the lanes of a warp take the same branch: sort or compact the work (the estimate assumes 24 of 32 lanes active)\n",
     .takes = "inst 816.67, alu 816.67, fma 816.67, fma_heavy 816.67, lsu 816.67, xu 816.67, tensor 816.67, "
              "fp64 816.67, own_issue_s 81.667, dependencies_s 81.667"},
};

/* --- sequences --- */

/* Ten of forty samples are in the function: a quarter.  Five of warps that have ended stand where it begins. */
static void samples_in_function(struct made_diagnosis *d) {
  static struct run_sample samples[3];
  samples[0] = (struct run_sample){.offset = 0x0, .reason = (char *)"wait", .samples = 25};
  samples[1] = (struct run_sample){.offset = 0x30, .reason = (char *)"wait", .samples = 10};
  samples[2] = (struct run_sample){.offset = 0x20, .reason = (char *)"drain", .samples = 5};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 3;
}

static void samples_at_reciprocal(struct made_diagnosis *d) {
  static struct run_sample samples[3];
  samples[0] = (struct run_sample){.offset = 0x10, .reason = (char *)"short_scoreboard", .samples = 5};
  samples[1] = (struct run_sample){.offset = 0x20, .reason = (char *)"short_scoreboard", .samples = 10};
  samples[2] = (struct run_sample){.offset = 0x30, .reason = (char *)"wait", .samples = 35};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 3;
}

static void ended_in_function(struct made_diagnosis *d) {
  samples_in_function(d);
  d->m.results[0].n_samples = 1;
}

static void line_of_call(struct made_diagnosis *d) {
  static struct run_line lines[2] = {{.source = -1, .line = 339}, {.source = -1, .line = 341}};
  samples_in_function(d);
  for (size_t i = 0; i < d->kernel.n_sass; i++) {
    d->sass[i].lines = &lines[i ? 1 : 0];
    d->sass[i].n_lines = 1;
  }
}

#define CALLS(call)                                                                                                    \
  .lines = {call, "EXIT", "MUFU.RCP R4, R5", "FFMA R4, R5, R6, R7", "RET.REL.NODEC R2 `(gemv)"},                       \
  .executed = {100, 100, 100, 200, 100}

#define DIVIDES                                                                                                        \
  .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "MUFU.EX2 R4, R4", "EXIT"}, .executed = {20, 30, 40, 1}

static const struct judged_case SEQUENCES[] = {
    /* 20 divisions of 18: 3 of XU, 4 of 5 of FMA, 9 of 10 of ALU, 16 of 18 instructions go; 60
     * of 400 parts of 10 us */
    {.rule = "integer-division",
     DIVIDES,
     .set = {{"inst_executed", 500},
             {"pipe_xu", 100},
             {"pipe_fma", 200},
             {"pipe_fmaheavy", 100},
             {"pipe_alu", 400},
             {"shared_wavefronts", 300},
             {"stall_short_scoreboard", 3.2e6}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 20 inst\n"
             "XU instructions 0.2 ratio\n"
             "XU pipe's share of the time 0.0002 ratio\n"
             "20 warp-level integer divisions or remainders take 72 % of the instructions\n"
             "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor\n",
     .takes = "inst 680, alu 550, fma 600, fma_heavy 200, xu 400, own_issue_s 68, dependencies_s 66.98",
     .silent = {{"inst_executed", 0}}},
    {.rule =
         "integer-division", /* 20 by 20 divisors, and 10 more by some of these: 20 x 18 + 10 x 12 instructions, each of the 30 then two */
     .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "IMAD.HI.U32 R5, R4, R6, R7", "EXIT"},
     .executed = {20, 20, 50, 1},
     .set = {{"inst_executed", 1000}, {"pipe_fma", 1000}, {"pipe_fmaheavy", 1000}, {"pipe_alu", 1000}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 20 inst\n"
             "further quotients by the same divisors (IMAD.HI) 10 inst\n"
             "30 warp-level integer divisions or remainders take 48 % of the instructions\n"
             "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor\n",
     .takes = "inst 580, alu 750, fma 890, fma_heavy 890, own_issue_s 58, dependencies_s 58"},
    {.rule = "integer-division", /* by numbers of the code and by an argument: multiplications already */
     .lines = {"I2F.U32.RP R4, R2", "MOV R6, RZ", "IMAD.HI.U32 R5, R4, R3, R6", "MUFU.RCP R4, R4",
               "IMAD.HI R8, R9, 0x2aaaaaab, RZ", "IMAD.HI R8, R9, -0x77777777, R9",
               "IMAD.HI.U32 R8, R9, c[0x0][0x210], RZ", "IMAD.HI.U32 R8, R9, UR4, RZ", "MOV R10, 0x66666667",
               "IMAD.HI R8, R9, R10, RZ", "EXIT"},
     .executed = {20, 20, 50, 20, 1000, 1000, 1000, 1000, 1000, 1000, 1},
     .set = {{"inst_executed", 10000}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 20 inst\n"
             "further quotients by the same divisors (IMAD.HI) 10 inst\n"
             "30 warp-level integer divisions or remainders take 5 % of the instructions\n"
             "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor\n"},
    {.rule =
         "integer-division", /* one more by one of 20 divisors: 20 x 18 + 12 instructions, each of the 21 then two */
     .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "IMAD.HI.U32 R5, R4, R6, R7", "EXIT"},
     .executed = {20, 20, 41, 1},
     .set = {{"inst_executed", 1000}, {"pipe_fma", 1000}, {"pipe_fmaheavy", 1000}, {"pipe_alu", 1000}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 20 inst\n"
             "further quotients by the same divisors (IMAD.HI) 1 inst\n"
             "21 warp-level integer divisions or remainders take 37 % of the instructions\n"
             "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor\n",
     .takes = "inst 670, alu 813, fma 917, fma_heavy 917, own_issue_s 67, dependencies_s 67"},
    {.rule =
         "integer-division", /* signed, likewise: 20 of 3, 7 and 14 on XU, FMA and ALU, and 10 quotients of 5 and 11 */
     .lines = {"I2F.RP R4, R2", "MUFU.RCP R4, R4", "IMAD.HI.U32 R5, R4, R6, R7", "EXIT"},
     .executed = {20, 20, 50, 1},
     .set = {{"inst_executed", 1000}, {"pipe_fma", 1000}, {"pipe_fmaheavy", 1000}, {"pipe_alu", 1000}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 20 inst\n"
             "further quotients by the same divisors (IMAD.HI) 10 inst\n"
             "30 warp-level integer divisions or remainders take 64 % of the instructions\n"
             "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor\n",
     .takes = "inst 420, alu 640, fma 840, fma_heavy 840, own_issue_s 42, dependencies_s 42"},
#define DIVIDED_GRID                                                                                                   \
  "avoid / and % by variables: a 2D grid, a precomputed multiply and shift, or a power-of-two divisor\n"
#define DIVIDED(n, percent)                                                                                            \
  "integer divisions (I2F.RP with MUFU.RCP) " n " inst\n" n                                                            \
  " warp-level integer divisions or remainders take " percent " % of the instructions\n"
    {.rule = "integer-division", /* a global index by an argument */
     .lines = {"LDC R2, c[0x0][0x210]", "S2R R6, SR_CTAID.X", "I2F.U32.RP R4, R2", "MUFU.RCP R4, R4",
               "IMAD.HI.U32 R5, R4, R20, R7", "IMAD.HI.U32 R5, R5, R6, RZ", "EXIT"},
     .executed = {20, 20, 20, 20, 20, 20, 1},
     .set = {{"inst_executed", 1000}},
     .says = DIVIDED("20", "36") DIVIDED_GRID},
    {.rule = "integer-division", /* by what a thread has for itself */
     .lines = {"S2R R2, SR_TID.X", "S2R R6, SR_CTAID.X", "I2F.U32.RP R4, R2", "MUFU.RCP R4, R4",
               "IMAD.HI.U32 R5, R4, R20, R7", "IMAD.HI.U32 R5, R5, R6, RZ", "EXIT"},
     .executed = {20, 20, 20, 20, 20, 20, 1},
     .set = {{"inst_executed", 1000}},
     .says = DIVIDED("20",
                     "36") "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor\n"},
    {.rule = "integer-division", /* by what each turn doubles */
     .lines = {"MOV R2, 0x1", "IMAD.SHL.U32 R2, R2, 0x2, RZ", "I2F.U32.RP R4, R2", "MUFU.RCP R4, R4",
               "IMAD.HI.U32 R5, R4, R20, R7", "@P0 BRA 0x10", "EXIT"},
     .executed = {5, 20, 20, 20, 20, 20, 5},
     .set = {{"inst_executed", 1000}},
     .says = DIVIDED(
         "20", "36") "d is a power of two where it began as one: write x & (d - 1) for x % d, and a shift for x / d\n"},
    {.rule = "integer-division", /* and by which a tree in shared memory goes on */
     .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0", "SHF.R.U32.HI R6, RZ, 0x1, R6", "I2F.U32.RP R7, R6", "MUFU.RCP R7, R7",
               "ISETP.GE.AND P1, PT, R9, R6, PT", "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R4+0x40]", "@!P1 FADD R3, R3, R2",
               "@!P1 STS [R4], R3", "@P1 BRA 0x0", "EXIT"},
     .executed = {64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64},
     .set = {{"inst_executed", 1280}},
     .says = DIVIDED(
         "64",
         "90") "shuffles in place of the tree need no / and %; else d is a power of two: x & (d - 1) for x % d, a shift for x / d\n"},
    {.rule = "integer-division", /* one of two is signed: 2 x 18 instructions, and six for the sign */
     .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "I2F.RP R4, R2", "MUFU.RCP R4, R4", "EXIT"},
     .executed = {1, 1, 1, 1, 1},
     .set = {{"inst_executed", 100}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 2 inst\n"
             "2 warp-level integer divisions or remainders take 42 % of the instructions\n"
             "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor\n",
     .takes = "inst 962, own_issue_s 96.2, dependencies_s 96.2"},
    {.rule = "integer-division", /* 64-bit numbers that fit 32: 8 more instructions, 3 of which no pipe executes */
     .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "I2F.U64.RP R4, R2", "EXIT"},
     .executed = {20, 20, 0, 1},
     .set = {{"inst_executed", 1000}, {"pipe_fma", 1000}, {"pipe_fmaheavy", 1000}, {"pipe_alu", 1000}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 20 inst\n"
             "20 warp-level integer divisions or remainders take 52 % of the instructions\n"
             "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor\n",
     .takes = "inst 520, alu 760, fma 880, fma_heavy 880, own_issue_s 52, dependencies_s 52"},
    {.rule = "integer-division", /* no pipe is counted; 18 of 20 reciprocals are divisions' */
     .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "EXIT"},
     .executed = {20, 18, 1},
     .set = {{"inst_executed", 300}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 18 inst\n"
             "18 warp-level integer divisions or remainders take 100 % of the instructions\n"
             "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor\n",
     .takes = "inst 712, own_issue_s 71.2, dependencies_s 71.2"},
    /* A reciprocal of an argument and one of a product, of 200 instructions each; LDC and the others stay.  No line, no samples. */
    {.rule = "uniform-work",
     .lines = {"LDC R4, c[0x0][0x210]", "MUFU.RCP R5, R4", "FMUL R6, R5, R5", "S2R R7, SR_TID.X", "MUFU.RCP R8, R7",
               "FADD R9, R4, R4", "EXIT"},
     .executed = {200, 200, 200, 200, 200, 200, 200},
     .set = {{"inst_executed", 1400}},
     .says =
         "instructions on arguments alone 400 inst\n"
         "samples there 0 ratio\n"
         "every thread computes what depends on the kernel's arguments alone (MUFU): 29 % of the instructions\n"
         "compute it once on the host and pass it: reciprocals (also of a constant divisor), roots, converted values\n",
     .takes = "inst 600, fma 800, xu 800, own_issue_s 60",
     .silent = {{"inst_executed", 0}}},
    {.rule =
         "uniform-work", /* 10 of 50 samples wait for the reciprocal; 5 for the argument, which is still to be read; 20 us go */
     .lines = {"LDC R4, c[0x0][0x210]", "MUFU.RCP R5, R4", "FMUL R6, R5, R5", "EXIT"},
     .executed = {200, 200, 200, 200},
     .also = samples_at_reciprocal,
     .set = {{"inst_executed", 800}},
     .says =
         "instructions on arguments alone 400 inst\n"
         "samples there 0.2 ratio\n"
         "every thread computes what depends on the kernel's arguments alone (FMUL): 50 % of the instructions\n"
         "compute it once on the host and pass it: reciprocals (also of a constant divisor), roots, converted values\n",
     .takes = "inst 600, fma 800, xu 800, own_issue_s 60, dependencies_s 80"},
    {.rule = "uniform-work", /* an integer's reciprocal: integer-division tells it */
     .lines = {"LDC R4, c[0x0][0x210]", "I2F.U32.RP R5, R4", "MUFU.RCP R5, R5", "EXIT"},
     .executed = {200, 200, 200, 200},
     .set = {{"inst_executed", 800}},
     .takes = ""},
    {.rule = "uniform-work", /* addresses cost little */
     .lines = {"LDC R4, c[0x0][0x210]", "IADD3 R5, R4, 0x4, RZ", "EXIT"},
     .executed = {200, 200, 200},
     .set = {{"inst_executed", 600}},
     .takes = ""},
    /* 400 of 1000 instructions, 100 of the XU's and 200 of FMA's, and a quarter of 100 us */
    {.rule = "slow-path",
     CALLS("CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath)"),
     .also = line_of_call,
     .set = {{"inst_executed", 1000}},
     .says =
         "samples in slow paths 0.25 ratio\n"
         "instructions in slow paths 400 inst\n"
         "25 % of samples are in slow paths, most of divisions at line 339 of an unnamed file: zeros, denormals and extreme "
         "values take them\n"
         "multiply by a reciprocal where the divisor is a constant or shared; else __fdividef or -use_fast_math, which have "
         "no such path\n",
     .takes = "inst 600, fma 800, xu 900, own_issue_s 60, dependencies_s 75"},
    {.rule = "slow-path", /* no line is known */
     CALLS("CALL.REL.NOINC `($__internal_0_$__cuda_sm20_dsqrt_rn_f64_mediumpath_v1)"),
     .also = samples_in_function,
     .says =
         "samples in slow paths 0.25 ratio\n"
         "instructions in slow paths 400 inst\n"
         "25 % of samples are in slow paths, most of double-precision square roots: zeros, denormals and extreme values take "
         "them\n"
         "multiply by a reciprocal where the divisor is a constant or shared; skip zeros, scale what is denormal\n"},
    {.rule = "slow-path",
     CALLS("CALL.REL.NOINC `($__internal_0_$__cuda_sm20_rcp_rn_f32_slowpath)"),
     .also = ended_in_function,
     .takes = ""},
    {.rule = "slow-path",
     .lines = {"CALL.REL.NOINC `($gemv$__internal_trig_reduction_slowpathd)", "EXIT", "MUFU.RCP R4, R5",
               "FFMA R4, R5, R6, R7", "RET.REL.NODEC R2 `(gemv)"},
     .executed = {100, 100, 100, 200, 100},
     .also = samples_in_function,
     .takes = ""},
    {.rule = "slow-path",
     CALLS("CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_u64)"),
     .also = samples_in_function,
     .takes = ""}, /* has no other path */
    {.rule = "integer-division",
     .lines = {"I2F.U32 R4, R2", "MUFU.RCP R4, R4", "EXIT"},
     .executed = {20, 20, 1},
     .set = {{"inst_executed", 1000}}},
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
         "2.50 million conversions (I2F, F2I, F2F) are 50 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n"
         "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist\n"},
    {.rule = "conversions",
     .lines = {"I2F.S8 R4, R2", "F2F.F64.F32 R4, R2", "F2I.FTZ.U32.TRUNC.NTZ R9, R9", "I2F.U32.RP R4, R2",
               "MUFU.RCP R4, R4", "EXIT"},
     .executed = {60, 10, 20, 5, 5, 1},
     .set = {{"pipe_xu", 100}, {"shared_wavefronts", 200}, {"stall_short_scoreboard", 3.2e6}},
     .says =
         "conversions on the XU pipe 75 inst\n"
         "pipe_xu 100 -\n"
         "XU pipe's share of the time 0.0002 ratio\n"
         "75 conversions (I2F, F2I, F2F) are 75 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n"
         "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist\n",
     .takes = "alu 1037.5, fma 1037.5, xu 250, dependencies_s 97.5"},
    {.rule = "conversions", /* one conversion, behind three to fp64 */
     .lines = {"F2F.F64.F32 R4, R2", "I2F.S8 R6, R7", "EXIT"},
     .executed = {3, 1, 1},
     .set = {{"pipe_xu", 4}},
     .says =
         "conversions on the XU pipe 1 inst\n"
         "pipe_xu 4 -\n"
         "XU pipe's share of the time 8e-06 ratio\n"
         "1 conversions (I2F, F2I, F2F) are 25 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n"
         "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist\n",
     .takes = "alu 1000.5, fma 1000.5, xu 750"},
    {.rule = "conversions", /* counted in another pass than the pipe: no more than all of its work */
     .lines = {"I2F.S8 R4, R2", "EXIT"},
     .executed = {60, 1},
     .set = {{"pipe_xu", 40}},
     .says =
         "conversions on the XU pipe 60 inst\n"
         "pipe_xu 40 -\n"
         "XU pipe's share of the time 8e-05 ratio\n"
         "60 conversions (I2F, F2I, F2F) are 100 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n"
         "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist\n",
     .takes = "alu 1030, fma 1030, xu 0"},
    {.rule = "conversions",
     .lines = {"I2F.S8 R4, R2", "EXIT"},
     .executed = {60, 1},
     .says =
         "conversions on the XU pipe 60 inst\n"
         "60 conversions (I2F, F2I, F2F) are 100 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n"
         "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist\n",
     .takes = "alu 1030, fma 1030"},
    /* 60 shifts and 60 masks cut 60 values out, 30 PRMTs put pairs together: 30 shifts, 30 masks and 30 additions are left */
    {.rule = "conversions",
     .lines = {"SHF.R.U32.HI R3, RZ, 0x4, R2", "LOP3.LUT R3, R3, 0xf, RZ, 0xc0, !PT", "I2F.F16 R4, R3",
               "PRMT R5, R4, 0x5410, R6", "IADD3 R7, R8, R9, RZ", "EXIT"},
     .executed = {60, 60, 60, 30, 40, 1},
     .says =
         "conversions on the XU pipe 60 inst\n"
         "60 conversions (I2F, F2I, F2F) are 100 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n"
         "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist\n",
     .takes = "inst 880, alu 910, fma 1030, own_issue_s 88, dependencies_s 88"},
    /* 60 each of an offset, a mask and a shift cut 60 values out, and what makes the word is none of it: 180 become 60 and 30
     * packed additions */
    {.rule = "conversions",
     .lines = {"IADD3 R2, R20, R21, RZ", "SHF.R.U32.HI R3, RZ, 0x4, R2", "LOP3.LUT R5, R3, 0xf, RZ, 0xc0, !PT",
               "IADD3 R6, R5, 0x8, RZ", "I2F.F16 R4, R6", "EXIT"},
     .executed = {60, 60, 60, 60, 60, 1},
     .says =
         "conversions on the XU pipe 60 inst\n"
         "60 conversions (I2F, F2I, F2F) are 100 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n"
         "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist\n",
     .takes = "inst 850, alu 880, fma 1030, own_issue_s 85, dependencies_s 85"},
    /* what is cut out for fp64, for a division or for the ALU stays: 79 on the XU without 7 to fp64 and 12 of divisions */
    {.rule = "conversions",
     .lines = {"SHF.R.U32.HI R3, RZ, 0x4, R2", "I2F.F64.U32 R10, R3", "IADD3 R12, R2, R8, RZ", "I2F.U32.RP R14, R12",
               "MUFU.RCP R15, R16", "F2I.FTZ.U32.TRUNC.NTZ R9, R17", "LOP3.LUT R20, R2, 0xf, RZ, 0xc0, !PT",
               "F2FP.F16.E2M1.UNPACK_B R21, R20", "PRMT R22, R21, 0x5410, R6", "I2F.S8 R4, R2", "EXIT"},
     .executed = {7, 7, 6, 6, 6, 6, 5, 5, 5, 60, 1},
     .says =
         "conversions on the XU pipe 60 inst\n"
         "60 conversions (I2F, F2I, F2F) are 100 % of the work of the XU pipe, which takes 16 lanes per cycle and SM\n"
         "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist\n",
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
             "replace rintf where values are below 2^22: add 1.5 * 2^23 and subtract it again, on the FMA pipe\n",
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
    /* 60 of divisions and 20 of powers, of which half go, and 20 that round; 9 conversions are no tenth */
    {.rule = "conversions",
     .lines = {"MUFU.RCP R4, R2", "FCHK P0, R0, R2", "MUFU.LG2 R7, R2", "FMUL R7, R7, 3.5", "MUFU.EX2 R7, R7",
               "FRND R5, R4", "I2F.S8 R6, R2", "EXIT"},
     .executed = {30, 30, 10, 10, 10, 20, 9, 1},
     .set = {{"pipe_xu", 109}, {"pipe_alu", 10}, {"pipe_fma", 10}, {"sm_clock_hz", 1e5}, {"inst_executed", 1000}},
     .says =
         "conversions on the XU pipe 20 inst\n"
         "divisions and powers on the XU pipe 80 inst\n"
         "pipe_xu 109 -\n"
         "XU pipe's share of the time 2.18 ratio\n"
         "the XU pipe's work: 55 % divisions (MUFU.RCP, FCHK), 18 % roundings (FRND), 18 % powers (MUFU.LG2, EX2); it "
         "takes 16 lanes per cycle and SM\n"
         "share reciprocals, else __fdividef; round by adding and subtracting 1.5 * 2^23; powf by products and roots "
         "where the exponent is fixed\n",
     .takes = "inst 960, alu 1010, fma 1010, xu 449.54, own_issue_s 96, dependencies_s 96"},
    /* another pipe is busier: of divisions nothing is said */
    {.rule = "conversions",
     .lines = {"MUFU.RCP R4, R2", "FCHK P0, R0, R2", "EXIT"},
     .executed = {30, 30, 1},
     .set = {{"pipe_xu", 60}, {"pipe_alu", 900}}},
    {.rule = "conversions",
     .lines = {"F2F.F64.F32 R4, R2", "F2I.F64 R4, R2", "I2F.F64 R4, R2", "EXIT"},
     .executed = {9, 9, 9, 1}},
    /* 40 and 10 pairs beside 25 that are fused: 100 of 125 */
    {.rule = "non-fused-fp",
     .lines = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "FFMA R6, R2, R3, R6", "DMUL R6, R6, R8", "DADD R8, R6, R8",
               "DFMA R6, R2, R4, R6", "EXIT"},
     .executed = {40, 60, 20, 30, 10, 5, 1},
     .set = {{"pipe_fma", 200}, {"pipe_fmaheavy", 100}, {"pipe_fp64", 50}, {"inst_executed", 400}},
     .says =
         "FADD and FMUL that could pair 100 inst\n"
         "FFMA 25 inst\n"
         "FMA instructions 0.5 ratio\n"
         "80 % of the floating-point arithmetic is separate multiplies and adds\n"
         "others are fused: a product that is used twice stays a product; write fmaf by hand, or compute it once more\n",
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
    /* differences that are multiplied, and a sum of other values: no add reads a product */
    {.rule = "non-fused-fp",
     .lines = {"FADD R4, R2, -R3", "FMUL R5, R4, R4", "FADD R6, R2, R3", "EXIT"},
     .executed = {40, 40, 40, 1}},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(ISSUE);
  JUDGE_ALL(PIPES);
  JUDGE_ALL(SEQUENCES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
