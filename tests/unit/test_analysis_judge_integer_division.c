/* The rule integer-division: what it says and takes away, which remedy fits, which line it names; figures worked out beside each row. */
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"
#include "unit/judged_work.h"

#define DIVIDES                                                                                                        \
  .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "MUFU.EX2 R4, R4", "EXIT"}, .executed = {20, 30, 40, 1}
#define DIVIDED_GRID                                                                                                   \
  "avoid / and % by variables: a 2D grid, a precomputed multiply and shift, or a power-of-two divisor\n"
#define DIVIDED(n, percent)                                                                                            \
  "integer divisions (I2F.RP with MUFU.RCP) " n " inst\n" n                                                            \
  " warp-level integer divisions or remainders take " percent " % of the instructions\n"

#define MULTIPLY "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor\n"

static const struct judged_case CASES[] = {
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
             "20 warp-level integer divisions or remainders take 72 % of the instructions\n" MULTIPLY,
     .takes = "inst 680, alu 550, fma 600, fma_heavy 200, xu 400, own_issue_s 68, dependencies_s 66.98",
     .silent = {{"inst_executed", 0}, {"inst_executed", 12001}}}, /* 360 instructions are 3 % of 12000 */
    {.rule =
         "integer-division", /* 20 by 20 divisors, and 10 more by some of these: 20 x 18 + 10 x 12 instructions, each of the 30 then two */
     .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "IMAD.HI.U32 R5, R4, R6, R7", "EXIT"},
     .executed = {20, 20, 50, 1},
     .set = {{"inst_executed", 1000}, {"pipe_fma", 1000}, {"pipe_fmaheavy", 1000}, {"pipe_alu", 1000}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 20 inst\n"
             "further quotients by the same divisors (IMAD.HI) 10 inst\n"
             "30 warp-level integer divisions or remainders take 48 % of the instructions\n" MULTIPLY,
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
             "30 warp-level integer divisions or remainders take 5 % of the instructions\n" MULTIPLY},
    {.rule =
         "integer-division", /* one more by one of 20 divisors: 20 x 18 + 12 instructions, each of the 21 then two */
     .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "IMAD.HI.U32 R5, R4, R6, R7", "EXIT"},
     .executed = {20, 20, 41, 1},
     .set = {{"inst_executed", 1000}, {"pipe_fma", 1000}, {"pipe_fmaheavy", 1000}, {"pipe_alu", 1000}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 20 inst\n"
             "further quotients by the same divisors (IMAD.HI) 1 inst\n"
             "21 warp-level integer divisions or remainders take 37 % of the instructions\n" MULTIPLY,
     .takes = "inst 670, alu 813, fma 917, fma_heavy 917, own_issue_s 67, dependencies_s 67"},
    {.rule =
         "integer-division", /* signed, likewise: 20 of 3, 7 and 14 on XU, FMA and ALU, and 10 quotients of 5 and 11 */
     .lines = {"I2F.RP R4, R2", "MUFU.RCP R4, R4", "IMAD.HI.U32 R5, R4, R6, R7", "EXIT"},
     .executed = {20, 20, 50, 1},
     .set = {{"inst_executed", 1000}, {"pipe_fma", 1000}, {"pipe_fmaheavy", 1000}, {"pipe_alu", 1000}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 20 inst\n"
             "further quotients by the same divisors (IMAD.HI) 10 inst\n"
             "30 warp-level integer divisions or remainders take 64 % of the instructions\n" MULTIPLY,
     .takes = "inst 420, alu 640, fma 840, fma_heavy 840, own_issue_s 42, dependencies_s 42"},
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
     .says = DIVIDED("20", "36") MULTIPLY},
    {.rule = "integer-division", /* one of two is signed: 2 x 18 instructions, and six for the sign */
     .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "I2F.RP R4, R2", "MUFU.RCP R4, R4", "EXIT"},
     .executed = {1, 1, 1, 1, 1},
     .set = {{"inst_executed", 100}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 2 inst\n"
             "2 warp-level integer divisions or remainders take 42 % of the instructions\n" MULTIPLY,
     .takes = "inst 962, own_issue_s 96.2, dependencies_s 96.2"},
    {.rule = "integer-division", /* 64-bit numbers that fit 32: 8 more instructions, 3 of which no pipe executes */
     .lines = {"CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_u64)", "I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "EXIT",
               "I2F.U64.RP R4, R2", "RET.REL.NODEC R2 `(gemv)"},
     .executed = {0, 20, 20, 1, 0, 0},
     .set = {{"inst_executed", 1000}, {"pipe_fma", 1000}, {"pipe_fmaheavy", 1000}, {"pipe_alu", 1000}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 20 inst\n"
             "20 warp-level integer divisions or remainders take 52 % of the instructions\n" MULTIPLY,
     .takes = "inst 520, alu 760, fma 880, fma_heavy 880, own_issue_s 52, dependencies_s 52"},
    {.rule = "integer-division", /* no pipe is counted; 18 of 20 reciprocals are divisions' */
     .lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "EXIT"},
     .executed = {20, 18, 1},
     .set = {{"inst_executed", 300}},
     .says = "integer divisions (I2F.RP with MUFU.RCP) 18 inst\n"
             "18 warp-level integer divisions or remainders take 100 % of the instructions\n" MULTIPLY,
     .takes = "inst 712, own_issue_s 71.2, dependencies_s 71.2"},
    {.rule = "integer-division",
     .lines = {"I2F.U32 R4, R2", "MUFU.RCP R4, R4", "EXIT"},
     .executed = {20, 20, 1},
     .set = {{"inst_executed", 1000}}},
};

static const struct remedy_case REMEDIES[] = {
    {{.rule = "integer-division",
      ISSUED("I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "IMAD.HI.U32 R6, R7, R9, R6", "FFMA R4, R5, R6, R7"),
      .executed = {5, 5, 20, 470, 0}},
     "avoid / and %",
     "15 warp-level integer divisions or remainders take 42 % of the instructions"},
};

/* Lines 1 to 5 of a file. */
static void lines_of(struct made_diagnosis *d, const char *text) {
  static struct run_line lines[LINES_MAX];
  static struct run_source source;
  source = (struct run_source){.name = (char *)"a.cu", .text = (char *)text};
  for (size_t i = 0; i < d->kernel.n_sass; i++) {
    lines[i] = (struct run_line){.source = 0, .line = (int)i + 1};
    d->sass[i].lines = &lines[i];
    d->sass[i].n_lines = 1;
  }
  d->m.run.sources = &source;
  d->m.run.n_sources = 1;
}

static void a_brace_first(struct made_diagnosis *d) {
  lines_of(d, "}\nx = i; // per / n\ny = i / n;\nz = y;\n}\n");
}

static void a_test_first(struct made_diagnosis *d) {
  lines_of(d, "if (i < n)\n  /* of i */\n  y = i % n;\n  }\n}\n");
}

static void a_float_first(struct made_diagnosis *d) {
  lines_of(d, "x /= sum[s];\ns = i % n;\nt = i;\n}\n}\n");
}

/* Three divisions, the first of which runs the most. */
#define THREE                                                                                                          \
  .lines = {"I2F.U32.RP R4, R2", "I2F.U32.RP R5, R2", "I2F.U32.RP R6, R2", "MUFU.RCP R4, R4", "EXIT"},                 \
  .executed = {40, 20, 20, 80, 1}, .set = {{"inst_executed", 500}}

static void near_a_test(struct made_diagnosis *d) {
  a_test_first(d);
  d->sass[1].n_lines = d->sass[2].n_lines = 0;
}

/* Of Python: // divides, by a number of the code nothing is left of it, / is of floats, and the line may stand above. */
static void in_python(struct made_diagnosis *d) {
  lines_of(d, "x = a / b  # a // b\nz = x // 2 + x % 4\nfor i in y:\n\n\n\ns = t // n\n");
  ((struct run_source *)d->m.run.sources)->name = (char *)"a.py";
}

static void above_in_python(struct made_diagnosis *d) {
  lines_of(d, "x = a // b\nz = x / 2\nfor i in y:\n\n\n\ndef f(t):\n  s = t // n\n");
  ((struct run_source *)d->m.run.sources)->name = (char *)"a.py";
}

static void nowhere_in_python(struct made_diagnosis *d) {
  lines_of(d, "x = a / b\nz = x // 2\nfor i in y:\n\n\n\ndef f(t):\n  s = t // n\n");
  ((struct run_source *)d->m.run.sources)->name = (char *)"a.py";
}

static void above_a_loop(struct made_diagnosis *d) {
  above_in_python(d);
  d->sass[0].n_lines = 0;
}

static const struct line_case LINES[] = {
    {{.rule = "integer-division", .also = a_float_first, THREE}, 1},
    {{.rule = "integer-division", .also = a_brace_first, THREE}, 2},
    {{.rule = "integer-division", .also = a_test_first, THREE}, 2},
    {{.rule = "integer-division", /* the reciprocal's and not the sum's */
      .also = a_line_each,
      .lines = {"IADD3 R4, R5, R6, RZ", "I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "EXIT"},
      .executed = {460, 20, 20, 1},
      .set = {{"inst_executed", 500}}},
     1},
};

static const struct judged_case NOWHERE[] = {
    {.rule = "integer-division",
     .also = nowhere_in_python,
     THREE,
     .says = "integer divisions (I2F.RP with MUFU.RCP) 80 inst\n"
             "80 warp-level integer divisions or remainders take 100 % of the instructions\n" MULTIPLY},
};

static const struct remedy_case PLACES[] = {
    {{.rule = "integer-division", .also = in_python, THREE}, "avoid / and %", "the instructions, most at a.py:7"},
    {{.rule = "integer-division", .also = above_a_loop, THREE}, "avoid / and %", "the instructions, most at a.py:1"},
    {{.rule = "integer-division", .also = near_a_test, THREE}, "avoid / and %", "the instructions, most at a.cu:3"},
    {{.rule = "integer-division", .also = a_brace_first, THREE}, "avoid / and %", "the instructions, most at a.cu:3"},
    {{.rule = "integer-division",
      .lines = {"I2F.U32.RP R10, 0x20", "MUFU.RCP R4, R4", "EXIT"},
      .executed = {20, 20, 1},
      .set = {{"inst_executed", 500}}},
     "the divisor is 32 (warpSize is a variable to the compiler): write 32 in its place, and / and % become a shift and a mask",
     NULL},
    {{.rule = "integer-division",
      .lines = {"I2F.U32.RP R10, 0x40", "I2F.U32.RP R10, R5", "MUFU.RCP R4, R4", "EXIT"},
      .executed = {21, 20, 41, 1},
      .set = {{"inst_executed", 1000}}},
     "the divisor is 64, held in a variable: write 64",
     NULL},
    {{.rule = "integer-division", /* no power of two, or of half of them */
      .lines = {"I2F.U32.RP R10, 0x30", "I2F.U32.RP R10, 0x40", "MUFU.RCP R4, R4", "EXIT"},
      .executed = {20, 20, 40, 1},
      .set = {{"inst_executed", 1000}}},
     "avoid / and %",
     NULL},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
  JUDGE_ALL(NOWHERE);
}

static void what_fits(void **state) {
  (void)state;
  REMEDIES_FIT(REMEDIES);
  REMEDIES_FIT(PLACES);
}

static void which_line(void **state) {
  static struct judged j;
  struct told a = {0};
  (void)state;
  LINES_ARE(LINES);
  judged_make(&j, &PLACES[0].kernel, NULL); /* no instruction has the line that is told */
  assert_true(rule_find("integer-division")->judge(&j.in, &a));
  assert_null(a.at);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(what_fits), cmocka_unit_test(which_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
