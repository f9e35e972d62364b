/* The rule issue-slots: what it says and takes away, which remedy fits, which line it names; figures worked out beside each row. */
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"
#include "unit/judged_work.h"

/* An import may lack the slots. */
static void no_slots(struct made_diagnosis *d) {
  no_problem(d);
  not_counted(d, "issue_active");
}

#define PIPES_OF_ISSUE                                                                                                 \
  {"pipe_lsu", 20}, {"pipe_alu", 150}, {"pipe_fma", 50}, {"pipe_xu", 10}, {"pipe_tensor_mma", 5}, {                    \
    "pipe_fp64", 15                                                                                                    \
  }

/* Roots of products of two loads, in a loop. */
#define ROOTS                                                                                                          \
  .rule = "issue-slots",                                                                                               \
  .lines = {"LDG.E R4, desc[UR4][R2.64]",                                                                              \
            "LDG.E R5, desc[UR4][R10.64]",                                                                             \
            "FMUL R6, R4, R5",                                                                                         \
            "MUFU.RSQ R7, R6",                                                                                         \
            "ISETP.GT.U32.AND P1, PT, R6, 0x727fffff, PT",                                                             \
            "FMUL.FTZ R8, R6, R7",                                                                                     \
            "FMUL.FTZ R7, R7, 0.5",                                                                                    \
            "FFMA R6, -R8, R8, R6",                                                                                    \
            "FFMA R8, R6, R7, R8",                                                                                     \
            "@P0 BRA 0x0",                                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 1}
#define SLOTS(a, b, c)                                                                                                 \
  .lines = {a, b, c, "EXIT"}, .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}

#define IDLE(issues, waits)                                                                                            \
  .also = no_problem, .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 200},   {"pipe_alu", 20},                        \
                              {"pipe_fma", 20},     {"issue_active", issues}, {"stall_long_scoreboard", waits}}

/* Each at a line of its own, the first so often and the others 36 times. */
#define ELEVEN(first)                                                                                                  \
  .also = a_line_each,                                                                                                 \
  .lines = {"ULDC UR9, c[0x0][0x208]",                                                                                 \
            "ULDC UR9, c[0x0][0x208]",                                                                                 \
            "ULDC UR9, c[0x0][0x208]",                                                                                 \
            "ULDC UR9, c[0x0][0x208]",                                                                                 \
            "ULDC UR9, c[0x0][0x208]",                                                                                 \
            "ULDC UR9, c[0x0][0x208]",                                                                                 \
            "ULDC UR9, c[0x0][0x208]",                                                                                 \
            "ULDC UR9, c[0x0][0x208]",                                                                                 \
            "ULDC UR9, c[0x0][0x208]",                                                                                 \
            "ULDC UR9, c[0x0][0x208]",                                                                                 \
            "EXIT"},                                                                                                   \
  .executed = {first, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36},                                                         \
  .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}

/* 100 turns of a loop that is entered so many times. */
#define TURNING(entered)                                                                                               \
  .lines = {"MOV R6, RZ",                                                                                              \
            "FADD R4, R5, R4",                                                                                         \
            "FADD R4, R5, R4",                                                                                         \
            "FADD R4, R5, R4",                                                                                         \
            "IADD3 R6, R6, 0x1, RZ",                                                                                   \
            "ISETP.NE.AND P0, PT, R6, R7, PT",                                                                         \
            "@P0 BRA 0x10",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {entered, 100, 100, 100, 100, 100, 100, entered}

/* All samples stand at the second line. */
static void seen_at_the_second(struct made_diagnosis *d) {
  static struct run_sample sample = {.offset = 16, .reason = (char *)"selected", .samples = 100};
  a_line_each(d);
  d->m.results[0].samples = &sample;
  d->m.results[0].n_samples = 1;
}

/* The first stands on the second's line. */
static void two_on_a_line(struct made_diagnosis *d) {
  a_line_each(d);
  d->sass[0].lines = d->sass[1].lines;
}

static const struct judged_case CASES[] = {
    /* 40 of index arithmetic, 20 accesses with an address each: 10 go.  Of 20 of other integer work 10 go. */
    {.rule = "issue-slots",
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "FFMA R16, R8, R12, R16", "IADD3 R2, R2, R5, RZ",
               "LOP3.LUT R10, R9, R8, R10, 0x96, !PT", "LDG.E.128 R20, desc[UR4][R2.64]", "EXIT"},
     .executed = {10, 40, 40, 20, 10, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, PIPES_OF_ISSUE},
     .says =
         "issue slots used 0.75 ratio\n"
         "instructions per 8 elements 3.125 inst\n"
         "ALU instructions 0.375 ratio\n"
         "FMA instructions 0.125 ratio\n"
         "LSU instructions 0.05 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used, 3.1 instructions per 8 elements; instructions: 50 % integer and logic, 33 % floating point\n"
         "fewer instructions: index arithmetic (33 % of all): more elements per thread share it; also integer work (17 %) (estimate: 95 µs with 5 % fewer in all)\n",
     .takes = "inst 980, alu 866.67, own_issue_s 98, dependencies_s 98",
     .silent = {{"pipe_alu", 202}}}, /* 101 us against 100 */
    /* half of 51 go; where issuing binds, the ADU's loads of arguments, 20 of its 50, with them */
    {.rule = "issue-slots",
     .also = no_problem,
     .lines = {"LDC R1, c[0x0][0x210]", "LDC R2, c[0x3][R0]", "EXIT"},
     .executed = {40, 10, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}, {"pipe_adu", 50}},
     .says =
         "issue slots used 0.75 ratio\n"
         "ALU instructions 0.05 ratio\n"
         "FMA instructions 0.05 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used; instructions: 98 % accesses of memory, 2 % branches\n"
         "fewer instructions: several elements per thread share indices and tests (estimate: 93.6 µs with 6 % fewer in all)\n",
     .takes = "inst 974.5, adu 600, own_issue_s 97.45, dependencies_s 97.45"},
    /* of a GEMV 80 of arithmetic on single values are 40 on pairs, and its index arithmetic stays.  71 us of issue and the ALU's 75 are 86.1 by norm_4.278,
     * 100 and 75 are 106.2 */
    {.rule = "issue-slots",
     .also = is_gemv,
     .lines = {"FADD R8, R8, R9", "FFMA R16, R8, R12, R16", "IADD3 R2, R2, R5, RZ", "FMUL R8, R8, R9", "EXIT"},
     .executed = {20, 40, 40, 20, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, PIPES_OF_ISSUE},
     .says =
         "issue slots used 0.75 ratio\n"
         "instructions per 8 elements 3.125 inst\n"
         "ALU instructions 0.375 ratio\n"
         "FMA instructions 0.125 ratio\n"
         "LSU instructions 0.05 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used, 3.1 instructions per 8 elements; instructions: 66 % floating point, 33 % integer and logic\n"
         "fewer instructions: use packed arithmetic, cut loop overhead (estimate: 81.1 µs with 29 % fewer in all)\n",
     .takes = "inst 885, fma 200, fma_heavy 200, own_issue_s 88.5, dependencies_s 88.5"},
    /* 50 us of issue, and 79 of the ALU: norm_4.278 is 81.5, and 80.6 where a tenth of issue goes; 81 are the pipe's to say */
    {.rule = "issue-slots",
     .also = no_problem,
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 200}, {"pipe_alu", 158}, {"pipe_fma", 0}},
     .says =
         "issue slots used 0.75 ratio\n"
         "ALU instructions 0.79 ratio\n"
         "FMA instructions 0 ratio\n"
         "GENERAL 75 % of issue slots used while SMs are active (50 % of the whole time)\n"
         "fewer instructions: access 16 bytes per lane, cut index arithmetic and loop overhead (estimate: 98.9 µs with 10 % fewer in all)\n",
     .takes = "inst 979, own_issue_s 97.9, dependencies_s 97.9",
     .silent = {{"pipe_alu", 162}}},
    {.rule = "issue-slots", /* FMA is not counted: 20 of arithmetic go, and what overhead is nobody knows */
     .also = is_gemv,
     .lines = {"FFMA R16, R8, R12, R16", "EXIT"},
     .executed = {40, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 100}},
     .says =
         "issue slots used 0.75 ratio\n"
         "instructions per 8 elements 3.125 inst\n"
         "ALU instructions 0.25 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used, 3.1 instructions per 8 elements; instructions: 98 % floating point, 2 % branches\n"
         "fewer instructions: use packed arithmetic, cut loop overhead (estimate: 95.3 µs with 5 % fewer in all)\n",
     .takes = "inst 980, own_issue_s 98, dependencies_s 98"},
    {.rule = "issue-slots", /* no pipe is counted: of 20 narrow loads beside others 15 go */
     .also = no_problem,
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "EXIT"},
     .executed = {20, 0, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}},
     .says =
         "issue slots used 0.75 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used; instructions: 95 % accesses of memory, 5 % branches\n"
         "fewer instructions: narrow accesses (95 % of all): 16 bytes per lane where aligned (now 4) (estimate: 96.3 µs with 4 % fewer in all)\n",
     .takes = "inst 985, own_issue_s 98.5, dependencies_s 98.5"},
    /* 4 bytes: of 20 accesses, which have their addresses beside others, 15 go, and half of 60 of integer work; of the ALU's
     * no more than half of the 40 beyond one per access */
    {.rule = "issue-slots",
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "IADD3 R2, R2, R5, RZ",
               "STG.E desc[UR4][R4.64], R8", "STG.E desc[UR4][R4.64+0x4], R9", "EXIT"},
     .executed = {10, 0, 60, 10, 0, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 100}, {"pipe_fma", 0}, {"pipe_lsu", 20}},
     .says =
         "issue slots used 0.75 ratio\n"
         "instructions per 8 elements 3.125 inst\n"
         "ALU instructions 0.25 ratio\n"
         "FMA instructions 0 ratio\n"
         "LSU instructions 0.05 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used, 3.1 instructions per 8 elements; instructions: 74 % integer and logic, 25 % accesses of memory\n"
         "fewer instructions: narrow accesses (25 % of all): 16 bytes per lane where aligned (now 4); also integer work (74 %) (estimate: 88.8 µs with 11 % fewer in all)\n",
     .takes = "inst 955, alu 800, lsu 250, own_issue_s 95.5, dependencies_s 95.5"},
    {.rule = "issue-slots", /* 8 bytes are half of 16: 10 of 20 accesses go, 2.5 % of what is issued */
     .also = no_problem,
     .lines = {"LDG.E.64 R8, desc[UR4][R2.64]", "LDG.E.64 R10, desc[UR4][R2.64+0x8]", "EXIT"},
     .executed = {20, 0, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}},
     .says =
         "issue slots used 0.75 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used; instructions: 95 % accesses of memory, 5 % branches\n"
         "fewer instructions: narrow accesses (95 % of all): 16 bytes per lane where aligned (now 8) (estimate: 97.5 µs with 3 % fewer in all)\n",
     .takes = "inst 990, own_issue_s 99, dependencies_s 99"},
    {.rule = "issue-slots", /* 1.7 % are no reason to name them, and nothing else goes */
     .also = no_problem,
     .lines = {"LDG.E.64 R8, desc[UR4][R2.64]", "LDG.E.64 R10, desc[UR4][R2.64+0x8]", "EXIT"},
     .executed = {10, 0, 1},
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 600}},
     .says = "issue slots used 0.75 ratio\n"
             "GENERAL issue-bound: 75 % of issue slots used; instructions: 91 % accesses of memory, 9 % branches\n"
             "fewer instructions: several elements per thread share indices and tests\n",
     .takes = ""},
    {.rule = "issue-slots", /* of a GEMV without its code all of it may help but index arithmetic */
     .also = is_gemv,
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}},
     .says = "issue slots used 0.75 ratio\n"
             "instructions per 8 elements 3.125 inst\n"
             "GENERAL issue-bound: 75 % of issue slots used, 3.1 instructions per 8 elements\n"
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
         "instructions per 8 elements 3.125 inst\n"
         "ALU instructions 0.25 ratio\n"
         "FMA instructions 0 ratio\n"
         "GENERAL issue-bound: 75 % of issue slots used, 3.1 instructions per 8 elements; instructions: 74 % integer and logic, 25 % accesses of memory\n"
         "fewer instructions: narrow accesses (25 % of all): 16 bytes per lane where aligned (now 4); also integer work (74 %) (estimate: 88.8 µs with 11 % fewer in all)\n",
     .takes = "inst 955, alu 700, own_issue_s 95.5, dependencies_s 95.5"},
    {.rule = "issue-slots", /* pipes beyond what was issued are no overhead; 70 us of the XU are of the SMs */
     .also = no_problem,
     .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 1}, {"pipe_xu", 35}},
     .says = "issue slots used 0.75 ratio\n"
             "GENERAL 75 % of issue slots used while SMs are active (0 % of the whole time)\n"
             "fewer instructions: access 16 bytes per lane, cut index arithmetic and loop overhead\n",
     .takes = ""},
    {.rule = "issue-slots", .set = {{"stall_selected", 32e6}, {"stall_wait", 0}}}, /* a warp's own chain */
};

static const struct remedy_case REMEDIES[] = {
    /* Of 100 instructions each: what takes the place of those of which most can go, in turn. */
    {{.rule = "issue-slots", /* 8 of 10 each of 20 divisions; 10 of 20 conversions are half as much and no more */
      ISSUED("MUFU.RCP R4, R5", "FCHK P0, R4, R5", "F2I.TRUNC.NTZ R6, R7", "FFMA R4, R5, R6, R7"),
      .executed = {20, 20, 20, 440, 1}},
     "also conversions (4 %) (estimate: 66 µs with 34 % fewer in all)$",
     NULL},
    {{.rule = "issue-slots", /* of 160 conversions 80, of 20 divisions 160 */
      ISSUED("MUFU.RCP R4, R5", "FCHK P0, R4, R5", "F2I.TRUNC.NTZ R6, R7", "FFMA R4, R5, R6, R7"),
      .executed = {20, 20, 160, 300, 1}},
     "also conversions (32 %) (estimate: 52 µs with 48 % fewer in all)$",
     NULL},
    {{.rule = "issue-slots", /* with the long way of 2 large angles: 20 x 37 + 2 x 110 of 2000 */
      ISSUED("FMUL R6, R18.reuse, 0.63661974668502807617", "I2F.F64.S64 R2, R2", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {20, 2, 1978, 0, 0}},
     "fewer instructions: sines and cosines (48 % of all): __sincosf",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("FFMA.RM R6, R2, R11, 12582913", "MUFU.EX2 R5, R8", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {50, 50, 400, 0, 0}},
     "fewer instructions: expf (80 % of all): __expf",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("FFMA R4, R0, 0.69314718246459960938, R4", "MUFU.LG2 R5, R8", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {10, 0, 490, 0, 0}},
     "fewer instructions: logf (48 % of all): __logf",
     NULL},
    {{.rule = "issue-slots", /* an exponential's ln 2 by itself is none */
      ISSUED("FFMA R5, R4, R5, 0.69314718246459960938", "MUFU.EX2 R5, R8", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {40, 0, 460, 0, 0}},
     "fewer instructions: floating-point work (100 %",
     NULL},
    {{.rule = "issue-slots", /* 1 / x: 25 x 10 of 500 */
      ISSUED("ISETP.GT.U32.AND P0, PT, R2, 0x1ffffff, PT", "MUFU.RCP R30, R27", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {25, 25, 450, 0, 0}},
     "fewer instructions: divisions (50 %",
     NULL},
    /* 5 divisions of 18 and 10 further quotients of 12, of 500: by both rules */
    {{.rule = "issue-slots",
      ISSUED("I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "IMAD.HI.U32 R6, R7, R9, R6", "FFMA R4, R5, R6, R7"),
      .executed = {5, 5, 20, 470, 0}},
     "fewer instructions: integer divisions (42 %",
     NULL},
    {{.rule = "issue-slots", /* bits of what was loaded are places in a table */
      ISSUED("LDG.E R4, desc[UR4][R2.64]", "LOP3.LUT R6, R4, 0x3f, RZ, 0xc0, !PT", "LEA R6, R6, UR5, 0x2",
             "LDS R8, [R6]"),
      .executed = {40, 210, 210, 40, 0}},
     "fewer instructions: index arithmetic on loaded values (84 % of all): fewer shifts and masks",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("S2R R4, SR_TID.X", "LOP3.LUT R6, R4, 0x3f, RZ, 0xc0, !PT", "LEA R6, R6, UR5, 0x2", "LDS R8, [R6]"),
      .executed = {40, 210, 210, 40, 0}},
     "fewer instructions: index arithmetic (84 % of all): more elements per thread share it (est",
     NULL},
    {{.rule = "issue-slots", /* half of it in a loop */
      .lines = {"S2R R4, SR_TID.X", "LOP3.LUT R4, R4, 0x3f, RZ, 0xc0, !PT", "S2R R9, SR_TID.Y", "LEA R6, R4, UR5, 0x2",
                "LDS R8, [R6]", "@P0 BRA 0x30", "EXIT"},
      .executed = {20, 190, 20, 190, 40, 150, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "loop overhead (93 % of all): unroll; index arithmetic (62 %): hoist, advance pointers (est",
     NULL},
    {{.rule = "issue-slots", /* and less than half */
      .lines = {"S2R R4, SR_TID.X", "LOP3.LUT R4, R4, 0x3f, RZ, 0xc0, !PT", "S2R R9, SR_TID.Y", "LEA R6, R4, UR5, 0x2",
                "LDS R8, [R6]", "@P0 BRA 0x30", "EXIT"},
      .executed = {20, 200, 20, 180, 40, 150, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "loop overhead (89 % of all): unroll; index arithmetic (62 %): more elements per thread share it",
     NULL},
    {{.rule = "issue-slots", /* the loop is left in its first turn */
      .lines = {"S2R R4, SR_TID.X", "LOP3.LUT R4, R4, 0x3f, RZ, 0xc0, !PT", "LEA R6, R4, UR5, 0x2", "LDS R8, [R6]",
                "@P0 BRA 0x20", "EXIT"},
      .executed = {40, 190, 190, 40, 40, 40},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "more elements per thread share it; also set-up and branches (15 %) (est",
     NULL},
    {{.rule = "issue-slots", /* what turns is no index */
      .lines = {"S2R R4, SR_TID.X", "LEA R6, R4, UR5, 0x2", "LDS R8, [R6]", "IADD3 R9, R9, R8, RZ", "@P0 BRA 0x30",
                "EXIT"},
      .executed = {10, 170, 10, 160, 160, 10},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 520}}},
     "fewer instructions: index arithmetic (33 % of all): more elements per thread share it",
     NULL},
    {{.rule = "issue-slots", /* its exponential ends in ln 2, and is no logarithm */
      ISSUED("FFMA R8, R5, R8, 0.0032181653659790754318", "FFMA R5, R4, R5, 0.69314718246459960938",
             "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {4, 4, 492, 0, 0}},
     "fewer instructions: powf (55 % of all): multiply where the exponent is a small whole number, else __powf",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("ISETP.GT.U32.AND P0, PT, R4, 0x727fffff, PT", "MUFU.RSQ R5, R8", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {20, 20, 460, 0, 0}},
     "fewer instructions: square roots (44 % of all): -prec-sqrt=false, or x == 0 ? 0 : x * rsqrtf(x)",
     NULL},
    {{.rule = "issue-slots", /* one half is a factor that both values share */
      ISSUED("HMUL2 R0, R1.H0_H0, R2", "HFMA2 R3, R1, R2.H0_H0, R3", "IADD3 R4, R5, R6, RZ", "EXIT"),
      .executed = {200, 100, 200, 0, 0}},
     "fewer instructions: floating-point work (60 % of all): compute common terms once",
     NULL},
    {{.rule = "issue-slots", /* two halves at once: the constant is a move */
      ISSUED("HADD2 R0, R1.H0_H0, R2.H0_H0", "HFMA2.MMA R3, -RZ, RZ, 1, 1", "IADD3 R4, R5, R6, RZ", "EXIT"),
      .executed = {200, 100, 200, 0, 0}},
     "fewer instructions: 16-bit arithmetic (40 % of all): two values at once",
     NULL},
    {{.rule = "issue-slots", /* one half beside packed operands is for both */
      ISSUED("HFMA2 R0, R1, R2.H0_H0, R3", "HFMA2 R4, R5, R6.H1_H1, RZ.H0_H0", "IADD3 R8, R9, R10, RZ", "EXIT"),
      .executed = {200, 200, 100, 0, 0}},
     "fewer instructions: floating-point work (80 % of all): compute common terms once",
     NULL},
    {{.rule = "issue-slots", /* which has them */
      .lines = {"LOP3.LUT R1, R2, 0xf, RZ, 0xc0, !PT", "HFMA2 R20, R21, R22, R20", "HFMA2 R20, R1, R10, R20",
                "HFMA2 R20, R1, R11, R20", "HFMA2 R20, R1, R12, R20", "HFMA2.MMA R20, R1, R13, R20", "EXIT"},
      .executed = {10, 90, 100, 100, 100, 100, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}, {"pipe_tensor_mma", 1}}},
     "fewer instructions: floating-point work (98 % of all): compute common terms once",
     NULL},
    {{.rule = "issue-slots", /* once, behind the loop, all sums are read */
      .lines = {"QGMMA.64x128x32.F32.E4M3.E4M3 R24, gdesc[UR28], R24", "@P0 BRA 0x0", "FADD R4, R4, R24",
                "FADD R5, R5, R25", "EXIT"},
      .executed = {100, 100, 100, 100, 10},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 410}}},
     "unroll, so that iterations share indices and tests",
     NULL},
    {{.rule = "issue-slots", /* each loaded value is in 64 products of fp32 */
      .lines = {"LDG.E R2, desc[UR4][R10.64]", "LDG.E R3, desc[UR4][R12.64]", "FFMA R4, R2, R3, R4",
                "FFMA R5, R2, R3, R5", "FFMA R6, R2, R3, R6", "@P0 BRA 0x0", "EXIT"},
      .executed = {50, 50, 100, 100, 100, 50, 10},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 460}, {"dram_read_bytes", 100}}},
     "fewer instructions: multiply-adds (65 % of all): tensor cores (3xTF32; not estimated), else larger register tiles",
     NULL},
    {{.rule = "issue-slots", /* 5 of 7 in each of 50 turns */
      .lines = {"MOV R8, 0x20", "LEA.HI R6, R8, R8, RZ, 0x1", "ISETP.GT.AND P0, PT, R8, 0x3, PT",
                "SHF.R.S32.HI R6, RZ, 0x1, R6", "MOV R8, R6", "SHFL.BFLY PT, R10, R5, R6, 0x1f", "FADD R5, R10, R5",
                "@P0 BRA 0x10", "EXIT"},
      .executed = {10, 50, 50, 50, 50, 50, 50, 50, 10},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "fewer instructions: shuffles in a loop (95 % of all): replace warpSize by 32, or #pragma unroll (est",
     NULL},
    {{.rule = "issue-slots", /* 8 warps through 8 levels: 400 of 576 go */
      .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0", "SHF.R.U32.HI R6, RZ, 0x1, R6", "ISETP.GE.AND P1, PT, R9, R6, PT",
                "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R4+0x40]", "@!P1 FADD R3, R3, R2", "@!P1 STS [R4], R3",
                "ISETP.NE.AND P2, PT, R6, RZ, PT", "@P2 BRA 0x0", "EXIT"},
      .executed = {64, 64, 64, 64, 64, 64, 64, 64, 64, 64},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 640}}},
     "tree in shared memory (90 % of all): registers, then warp shuffles; also set-up and branches (10 %) (est",
     NULL},
    /* 400 instructions take the schedulers all of the time, 100 us, and no pipe executes 360: half of these go, 45 %. */
    {{.rule = "issue-slots", /* 280 of 400 are named: more than is promised */
      SLOTS("F2I.TRUNC.NTZ R6, R7", "ULDC UR9, c[0x0][0x208]", "EXIT"),
      .executed = {280, 120}},
     "conversions (70 % of all): keep one type, convert once; also set-up and branches (30 %) (estimate: 50 µs with half of all)$",
     NULL},
    {{.rule = "issue-slots", /* what matrix instructions multiply has the type that they need */
      .lines = {"F2I.TRUNC.NTZ R6, R7", "ULDC UR9, c[0x0][0x208]", "EXIT"},
      .executed = {280, 120},
      .set =
          {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}, {"pipe_tensor_mma", 1}}},
     "convert each value once, not again in each warp; also set-up and branches (est",
     NULL},
    {{.rule = "issue-slots", IDLE(2.02e6, 19.5e6)}, "fewer instructions", NULL}, /* in half of the slots and more */
    {{.rule = "issue-slots", IDLE(1.98e6, 19e6)}, "fewer instructions", NULL},   /* or waits of under 60 % */
    {{.rule = "issue-slots",                                                     /* 120 of 400 take 30 us */
      SLOTS("F2I.TRUNC.NTZ R6, R7", "ULDC UR9, c[0x0][0x208]", "EXIT"),
      .executed = {120, 280}},
     "share indices and tests; also conversions (30 %) (estimate: 50 µs with half of all)$",
     NULL},
    {{.rule = "issue-slots", /* 80 take 20, less than half of 45 */
      SLOTS("F2I.TRUNC.NTZ R6, R7", "ULDC UR9, c[0x0][0x208]", "EXIT"),
      .executed = {80, 320}},
     "share indices and tests; also conversions (20 %) (estimate: 50 µs with half of all)$",
     NULL},
    {{.rule = "issue-slots", /* turns repeat half of what moves on: the branch */
      .lines = {"F2I.TRUNC.NTZ R6, R7", "@P0 BRA 0x10", "ISETP.GE.AND P0, PT, R2, R3, PT", "EXIT"},
      .executed = {80, 160, 160, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}},
     "keep one type, convert once; also integer work, set-up and branches (est",
     NULL},
    {{.rule =
          "issue-slots", /* all warps stand at the second line: the first issues four fifths, of no kind that has a name */
      .also = seen_at_the_second,
      SLOTS("ULDC UR9, c[0x0][0x208]", "F2I.TRUNC.NTZ R6, R7", "EXIT"),
      .executed = {320, 80}},
     "tests; the most at 10 of an unnamed file (80 %) (estimate: 50 µs with half of all)$",
     NULL},
    {{.rule = "issue-slots",
      .also = seen_at_the_second,
      SLOTS("ULDC UR9, c[0x0][0x208]", "BRA 0x20", "FCHK P0, R4, R5"),
      .executed = {194, 194, 8}},
     "tests; the most at 10 of an unnamed file (49 %) (est",
     NULL},
    {{.rule = "issue-slots", /* a tenth at one line */
      ELEVEN(40)},
     "share indices and tests; the most at 10 of an unnamed file (10 %) (est",
     NULL},
    {{.rule = "issue-slots", /* no line has a tenth */
      ELEVEN(36)},
     "share indices and tests (est",
     NULL},
    /* What nvcc writes out for a function, found by one instruction of it. */
    {{.rule = "issue-slots", /* 7 of 14 each of 20 go, more than of others */
      ISSUED("HSETP2.EQ.AND P1, P0, R4.H0_H0, 0.0226898193359375, 0.007297515869140625, PT", "FFMA R4, R5, R6, R7",
             "HADD2 R0, R1.H0_H0, R2.H0_H0", "EXIT"),
      .executed = {20, 380, 100, 0, 0}},
     "__expf in fp32, or h2exp for two at once (estimate: 72 µs with 28 % fewer in all)$",
     NULL},
    {{.rule = "issue-slots", /* of 13.0: 3 of 10 each of 20 go, and 5 each are no work of its own */
      ISSUED("HSET2.BF.EQ.AND R6, R4.H0_H0, 0.0226898193359375, 0.007297515869140625, PT", "FFMA R4, R5, R6, R7",
             "HADD2 R0, R1.H0_H0, R2.H0_H0", "EXIT"),
      .executed = {20, 380, 100, 0, 0}},
     "__expf in fp32, or h2exp for two at once (estimate: 88 µs with 12 % fewer in all)$",
     NULL},
    {{.rule = "issue-slots", /* 6 of 11 each */
      ISSUED("HSETP2.GEU.AND P1, PT, |R8|.reuse.H0_H0, 8.523464202880859375e-06, 8.523464202880859375e-06, PT",
             "FFMA R4, R5, R6, R7", "HADD2 R0, R1.H0_H0, R2.H0_H0", "EXIT"),
      .executed = {20, 350, 130, 0, 0}}, /* of 110 others half: less than half of 120 */
     "16-bit divisions (44 % of all): __fdividef in fp32; also 16-bit arithmetic (22 %) (est",
     NULL},
    {{.rule = "issue-slots", /* 16 of 17 each */
      ISSUED("FSETP.GE.AND P1, PT, |R4|.reuse, 0.60000002384185791016, PT", "FFMA R4, R5, R6, R7", "EXIT", "EXIT"),
      .executed = {20, 480, 0, 0, 0}},
     "tanhf (68 % of all): tanh.approx.f32 where the accuracy allows (est",
     NULL},
    {{.rule = "issue-slots", /* 16 of 28 each */
      ISSUED("FSETP.GE.AND P0, PT, |R0|, 1.0029599666595458984, PT", "FFMA R4, R5, R6, R7", "EXIT", "EXIT"),
      .executed = {10, 490, 0, 0, 0}},
     "erff (56 % of all): a shorter formula where the accuracy allows (est",
     NULL},
    {{.rule = "issue-slots", /* both remedies are too long to be read at once */
      SLOTS("F2I.TRUNC.NTZ R6, R7", "HADD2 R0, R1.H0_H0, R2.H0_H0", "EXIT"),
      .executed = {200, 200}},
     "keep one type, convert once; also 16-bit arithmetic (50 %) (estimate: 50 µs with half of all)$",
     NULL},
    {{.rule = "issue-slots", /* and the second's name is, where these save less than 45 us */
      SLOTS("FCHK P0, R4, R5", "HADD2 R0, R1.H0_H0, R2.H0_H0", "ULDC UR9, c[0x0][0x208]"),
      .executed = {8, 88, 304}},
     "indices and tests; also divisions (20 %), 16-bit arithmetic (22 %) (est",
     NULL},
    {{.rule = "issue-slots", /* 18 of each are the division, whatever of it makes an address */
      ISSUED("I2F.U32.RP R4, R2", "IMAD R6, R4, R5, R4", "LDG.E.128 R8, desc[UR4][R6.64]", "EXIT"),
      .executed = {20, 400, 20, 0, 0}},
     "integer divisions (82 % of all): multiply and shift; also index arithmetic (23 %) (est",
     NULL},
    {{.rule = "issue-slots", /* an address of a loaded index is looked up: no wider access brings several */
      ISSUED("LDG.E R4, desc[UR4][R2.64]", "IMAD.WIDE R6, R4, 0x4, R8", "LDG.E R8, desc[UR4][R6.64]",
             "FADD R9, R8, R8"),
      .executed = {5, 250, 100, 145, 1}},
     "fewer instructions: index arithmetic on loaded values (50 % of all): fewer shifts and masks",
     NULL},
    {{.rule = "issue-slots", /* no loop, no index, no function: the work itself */
      ISSUED("FFMA R4, R5, R6, R7", "FFMA R4, R5, R6, R4", "IADD3 R4, R5, R6, RZ", "EXIT"),
      .executed = {200, 200, 100, 0, 0}},
     "floating-point work (80 % of all): compute common terms once; also integer work (20 %) (est",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("LOP3.LUT R4, R5, R6, R7, 0x96, !PT", "IADD3 R4, R5, R6, RZ", "FADD R4, R5, R6", "EXIT"),
      .executed = {200, 200, 100, 0, 0}},
     "fewer instructions: integer and logic work (80 % of all): compute what elements share once (est",
     NULL},
    {{.rule = "issue-slots", TURNING(1), .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}}, /* three of six */
     "fewer instructions: loop overhead (50 % of all): unroll (est",
     NULL},
    {{.rule = "issue-slots", TURNING(100), .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}}, /* one turn each */
     "fewer instructions: floating-point work (38 % of all)",
     NULL},
    {{.rule = "issue-slots",
      .lines = {"CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath)", "EXIT", "MUFU.RCP R4, R5",
                "FFMA R4, R5, R6, R7", "RET.REL.NODEC R2 `(gemv)"},
      .executed = {100, 100, 100, 200, 100},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "fewer instructions: slow paths (67 % of all): scale denormal operands",
     NULL},
    {{.rule = "issue-slots", .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}},
     "cut index arithmetic and loop overhead (estimate: 55 µs with 45 % fewer in all)$",
     NULL},
    {{ROOTS, /* twice: as many roots of inputs */
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}, {"l1_load_bytes", 200}, {"dram_read_bytes", 100}}},
     "-prec-sqrt=false, or x == 0 ? 0 : x * rsqrtf(x)",
     NULL},
};

static void a_line_each_of_a_program(struct made_diagnosis *d) {
  no_problem(d);
  a_line_each(d);
}

static const struct line_case LINES[] = {
    {{.rule = "issue-slots", /* half of 12 and 12 go, 7 in 8 of 10 and 10 */
      .also = a_line_each_of_a_program,
      .lines = {"LDG.E.64 R8, desc[UR4][R2.64]", "LDG.E.64 R10, desc[UR4][R2.64+0x8]",
                "LDG.E.U16 R12, desc[UR4][R4.64]", "LDG.E.U16 R13, desc[UR4][R4.64+0x2]", "EXIT"},
      .executed = {12, 12, 10, 10, 1},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}}},
     2},
    {{.rule = "issue-slots", /* of divisions and not of what runs the most */
      .also = a_line_each,
      .lines = {"FFMA R4, R5, R6, R7", "FCHK P0, R4, R5", "EXIT"},
      .executed = {460, 40, 1},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     1},
    {{.rule = "issue-slots", /* that issues the most, where no kind takes half of what is promised */
      .also = seen_at_the_second,
      SLOTS("ULDC UR9, c[0x0][0x208]", "F2I.TRUNC.NTZ R6, R7", "EXIT"),
      .executed = {320, 80}},
     0},
    {{.rule = "issue-slots", /* of its instructions the one that runs the most */
      .also = two_on_a_line,
      .lines = {"BRA 0x10", "BRA 0x20", "BRA 0x30", "BRA 0x40", "BRA 0x50", "BRA 0x60", "BRA 0x70", "EXIT"},
      .executed = {8, 152, 48, 48, 48, 48, 48, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}},
     1},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

/* 61 % of the cycles are waits for loads, and 49 % of the slots are used. */
static void silent_where_slots_idle_for_loads(void **state) {
  static const struct judged_case idle = {.rule = "issue-slots", IDLE(1.98e6, 19.5e6)};
  static struct judged j;
  struct told a = {0};
  (void)state;
  judged_make(&j, &idle, NULL);
  assert_false(rule_find(idle.rule)->judge(&j.in, &a));
  judged_release(&j);
}

static void what_fits(void **state) {
  (void)state;
  REMEDIES_FIT(REMEDIES);
}

static void which_line(void **state) {
  (void)state;
  LINES_ARE(LINES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(what_fits), cmocka_unit_test(which_line),
                                     cmocka_unit_test(silent_where_slots_idle_for_loads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
