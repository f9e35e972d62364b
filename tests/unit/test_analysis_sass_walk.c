/* A warp walked through its code: what each instruction makes of its lanes, how often each runs, and how long the warp waits; all worked out by hand. */
#include "unit/made_walk.h"

#include <stdlib.h>

/* --- one instruction --- */

static void values(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool known;
    uint32_t low, high; /* of R8 and R9 in lane 1 */
  } rows[] = {
      {"S2R R8, SR_TID.X", true, 33, 0},
      {"S2R R8, SR_CTAID.Y", true, 7, 0},
      {"S2R R8, SR_CLOCKLO", false, 0, 0},
      {"MOV R8, c[0x0][0x23c]", true, 3, 0},
      {"MOV R8, c[0x0][0x250]", false, 0, 0},
      {"LDC.64 R8, c[0x0][0x210]", true, 0x100, 5},
      {"LDC R8, c[0x0][RZ]", true, 96, 0},            /* how nvdisasm prints the bank's first word */
      {"IADD3 R8, R2, -R3, RZ", true, 0xfffffffe, 0}, /* 5 - 7 */
      {"VIADD R8, R2, 0xffffffff", true, 4, 0},
      {"IADD R8, R2, R3", true, 12, 0},    /* from here as chips of sm_120 have it */
      {"IADD.64 R8, R4, R6", false, 0, 0}, /* R5 was never set */
      {"IADD.64 R8, R6, R6", true, 0, 2},
      {"IADD.64 R8, R6, -0x1", true, 0xffffffff, 0},
      {"SEL.64 R8, R6, RZ, P1", true, 0, 1},
      {"I2F.F64 R8, R2", false, 0, 0},
      {"IMAD R8, R2, R3, R2", true, 40, 0},
      {"IMAD.WIDE R8, R4, 0x4, R6", true, 0xfffffffc, 0},     /* -1 x 4 + 2^32 */
      {"IMAD.WIDE.U32 R8, R4, 0x4, RZ", true, 0xfffffffc, 3}, /* (2^32 - 1) x 4 */
      {"IMAD.HI.U32 R8, R4, 0x4, RZ", true, 3, 0},
      {"IMAD.MOV.U32 R8, RZ, RZ, R3", true, 7, 0},
      {"LEA R8, R2, R3, 0x3", true, 47, 0},
      {"LEA.HI R8, R3, R2, RZ, 0x1e", true, 6, 0},      /* 5 + (7 >> 2) */
      {"LEA.HI.X R8, R2, R3, RZ, 0x3, P1", true, 8, 0}, /* 7 + 0 + the carry */
      {"SHF.L.U32 R8, R2, 0x4, RZ", true, 80, 0},
      {"SHF.R.U32.HI R8, RZ, 0x1, R3", true, 3, 0},
      {"SHF.R.S32.HI R8, RZ, 0x1f, R4", true, 0xffffffff, 0},
      {"SHF.L.U64.HI R8, R4, 0x1, RZ", true, 1, 0},
      {"SHF.R.U64 R8, RZ, 0x1, R2", true, 0x80000000, 0},  /* the upper word's lowest bit */
      {"LOP3.LUT R8, R2, 0x4, RZ, 0xc0, !PT", true, 4, 0}, /* and */
      {"LOP3.LUT R8, R2, R3, RZ, 0x3c, !PT", true, 2, 0},  /* exclusive or */
      {"SEL R8, R2, R3, P1", true, 5, 0},
      {"SEL R8, R2, R3, !P1", true, 7, 0},
      {"IABS R8, R4", true, 1, 0},
      {"VIMNMX R8, R4, R2, PT", true, 0xffffffff, 0},
      {"VIMNMX.U32 R8, R4, R2, PT", true, 5, 0},
      {"VIMNMX R8, R4, R2, !PT", true, 5, 0},
      {"HFMA2.MMA R8, -RZ, RZ, 0, 5.9604644775390625e-08", true, 1, 0},
      {"HFMA2.MMA R8, -RZ, RZ, 1, 0.5", true, 0x3c003800, 0},
      {"HFMA2 R8, R2, R3, R2", false, 0, 0},
      {"LDG.E R8, desc[UR4][R6.64]", false, 0, 0},
      {"IADD3 R8, R2, R10, RZ", false, 0, 0}, /* R10 was never set */
      {"R2UR UR4, R2", false, 0, 0},
  };
  static struct sass_lanes l;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct sass_inst x;
    struct sass_does d;
    memset(&l, 0, sizeof l);
    l.constants = (struct sass_constants){EXTENTS, word_at};
    l.place[0][1] = 33;
    l.block[1] = 7;
    static const struct {
      int r;
      uint32_t v;
    } given[] = {{2, 5}, {3, 7}, {4, 0xffffffff}, {6, 0}, {7, 1}};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
      l.r[given[k].r][1] = given[k].v;
      l.r_known[given[k].r] = 2;
    }
    l.p[1] = l.p_known[1] = 2;
    sass_inst_parse(&x, rows[i].text, 0);
    sass_does(&d, &x);
    sass_lanes_do(&l, &d, 2);
    if ((l.r_known[8] >> 1 & 1) != rows[i].known)
      fail_msg("%s: known %d", x.text, !rows[i].known);
    if (rows[i].known && (l.r[8][1] != rows[i].low || (rows[i].high && l.r[9][1] != rows[i].high)))
      fail_msg("%s: %x %x", x.text, l.r[8][1], l.r[9][1]);
  }
}

static void bytes_are_permuted(void **state) {
  (void)state;
  static struct sass_lanes l;
  struct sass_inst x;
  struct sass_does d;
  l.r[2][0] = 0x33221100;
  l.r[3][0] = 0x77665544;
  l.r_known[2] = l.r_known[3] = 1;
  sass_inst_parse(&x, "PRMT R8, R2, 0x7604, R3", 0); /* from the lowest: bytes 4, 0, 6, 7 */
  sass_does(&d, &x);
  sass_lanes_do(&l, &d, 1);
  assert_int_equal(l.r[8][0], 0x77660044);
}

/* Chips of sm_100 load arguments into the uniform datapath, up to four words at once. */
static void uniform_constants(void **state) {
  (void)state;
  static struct sass_lanes l;
  struct sass_inst x;
  struct sass_does d;
  l.constants = (struct sass_constants){EXTENTS, word_at};
  sass_inst_parse(&x, "LDCU.64 UR4, c[0x0][0x210]", 0);
  sass_does(&d, &x);
  sass_lanes_do(&l, &d, UINT32_MAX);
  assert_true(l.ur_known[4] && l.ur[4] == 0x100 && l.ur_known[5] && l.ur[5] == 5);
  sass_inst_parse(&x, "LDCU.128 UR8, c[0x0][0x23c]", 0); /* K, L, and two words that are not known */
  sass_does(&d, &x);
  sass_lanes_do(&l, &d, UINT32_MAX);
  assert_false(l.ur_known[8]);
  sass_inst_parse(&x, "LDC.128 R8, c[0x0][0x400]", 0);
  sass_does(&d, &x);
  sass_lanes_do(&l, &d, UINT32_MAX);
  assert_true(l.r_known[8] == UINT32_MAX && l.r[8][31] == 1 && l.r[11][31] == 4);
}

static void predicates(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool holds;
  } rows[] = {
      {"ISETP.GE.AND P0, PT, R2, R3, PT", false},
      {"ISETP.LT.AND P0, PT, R2, R3, PT", true},
      {"ISETP.LT.AND P0, PT, R2, R3, !PT", false},
      {"ISETP.GE.OR P0, PT, R2, R3, P1", true},
      {"ISETP.GT.U32.AND P0, PT, R4, R2, PT", true},
      {"ISETP.GT.AND P0, PT, R4, R2, PT", false},
      {"ISETP.GT.S64.AND P0, PT, R2, R4, PT", true}, /* 5 + 7 x 2^32, and a negative upper word */
      {"ISETP.GT.U64.AND P0, PT, R2, R4, PT", false},
      {"ISETP.GE.AND.EX P0, PT, R2, R2, PT, P1", true}, /* the upper words are the same: the lower ones decide */
      {"ISETP.NE.AND.EX P0, PT, R2, R3, PT, !P1", true},
      {"LOP3.LUT P0, RZ, R2, 0x2, RZ, 0xc0, !PT", false},
      {"LOP3.LUT P0, RZ, R2, 0x4, RZ, 0xc0, !PT", true},
      {"PLOP3.LUT P0, PT, P1, PT, PT, 0x80, 0x0", true},
      {"PLOP3.LUT P0, PT, P1, PT, !PT, 0x80, 0x0", false},
      {"IADD3 R8, P0, R4, 0x1, RZ", true},
      {"IADD3 R8, P0, R2, 0x1, RZ", false},
      {"IADD3 R8, P0, R2, -R3, RZ", false},
      {"IADD3 R8, P0, R3, -R2, RZ", true}, /* no borrow */
  };
  static struct sass_lanes l;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct sass_inst x;
    struct sass_does d;
    memset(&l, 0, sizeof l);
    l.r[2][0] = 5;
    l.r[3][0] = 7;
    l.r[4][0] = l.r[5][0] = 0xffffffff;
    l.r_known[2] = l.r_known[3] = l.r_known[4] = l.r_known[5] = 1;
    l.p[1] = l.p_known[1] = 1;
    sass_inst_parse(&x, rows[i].text, 0);
    sass_does(&d, &x);
    sass_lanes_do(&l, &d, 1);
    if (!(l.p_known[0] & 1) || (l.p[0] & 1) != rows[i].holds)
      fail_msg("%s: %d, known %d", x.text, l.p[0] & 1, l.p_known[0] & 1);
  }
}

/* --- a kernel --- */

/* 64 threads of which 40 go on, three turns of a loop; the second warp first, then both: three walks. */
static void turns_by_an_argument(void **state) {
  (void)state;
  static const char *const lines[] = {"S2R R0, SR_TID.X",
                                      "ISETP.GE.AND P0, PT, R0, c[0x0][0x238], PT",
                                      "@P0 EXIT",
                                      "MOV R2, RZ",
                                      "IADD3 R2, R2, 0x1, RZ",
                                      "ISETP.GE.AND P1, PT, R2, c[0x0][0x23c], PT",
                                      "@!P1 BRA 0x40",
                                      "EXIT",
                                      NULL};
  static const double counts[] = {3, 3, 3, 3, 9, 9, 9, 3};
  static struct made_sass m;
  struct sass_walk w;
  assert_true(walk(&w, &m, lines, 64));
  assert_true(w.warps == 3);
  for (size_t i = 0; i < 8; i++)
    if (w.executed[i] != counts[i])
      fail_msg("%s: %g", lines[i], w.executed[i]);
  leave(&w, &m);
}

/* Half of the lanes take the branch; both ways run, and what follows runs once. */
static void lanes_part_and_meet(void **state) {
  (void)state;
  static const char *const lines[] = {"S2R R0, SR_TID.X",
                                      "ISETP.GE.AND P0, PT, R0, 0x10, PT",
                                      "@P0 BRA 0x50",
                                      "MOV R2, 0x1",
                                      "BRA 0x60",
                                      "MOV R2, 0x2",
                                      "EXIT",
                                      NULL};
  static struct made_sass m;
  struct sass_walk w;
  assert_true(walk(&w, &m, lines, 32));
  for (size_t i = 0; i < 7; i++)
    assert_true(w.executed[i] == w.warps);
  leave(&w, &m);
}

/* A loop that ends by what was loaded has no number of turns; a branch ahead that does is not taken. */
static void data_decide(void **state) {
  (void)state;
  static const char *const back[] = {"LDG.E R2, desc[UR4][R4.64]", "ISETP.GE.AND P0, PT, R2, RZ, PT", "@P0 BRA 0x0",
                                     "EXIT", NULL};
  static const char *const ahead[] = {
      "LDG.E R2, desc[UR4][R4.64]", "ISETP.GE.AND P0, PT, R2, RZ, PT", "@P0 BRA 0x40", "NOP", "EXIT", NULL};
  static const char *const out[] = {"LDG.E R2, desc[UR4][R4.64]",
                                    "ISETP.GE.AND P0, PT, R2, RZ, PT",
                                    "@P0 BRA 0x40",
                                    "BRA 0x0",
                                    "EXIT",
                                    NULL}; /* its only way out */
  static struct made_sass m;
  struct sass_walk w;
  assert_false(walk(&w, &m, out, 32));
  assert_true(w.executed[0] == 1);
  leave(&w, &m);
  assert_false(walk(&w, &m, back, 32));
  leave(&w, &m);
  assert_true(walk(&w, &m, ahead, 32));
  assert_true(w.executed[3] == w.warps);
  leave(&w, &m);
}

/* Lanes `apart` bytes from each other; A's pointer has the upper word 5, and any other is no stream. */
static void accesses(void **state) {
  (void)state;
  static const struct {
    const char *apart, *load, *use;
    double wavefronts, loads;
  } rows[] = {
      {"IMAD.WIDE.U32 R4, R0, 0x4, c[0x0][0x210]", "LDG.E R8, desc[UR4][R4.64]", "FADD R9, R8, R8", 1, 599},
      {"IMAD.WIDE.U32 R4, R0, 0x10, c[0x0][0x210]", "LDG.E.128 R8, desc[UR4][R4.64]", "FADD R9, R8, R8", 4, 602},
      /* a quarter of a warp at a time, though all have the same 16 bytes; the last wavefront comes 3 cycles after the first */
      {"IMAD.WIDE.U32 R4, RZ, 0x10, c[0x0][0x210]", "LDG.E.128 R8, desc[UR4][R4.64]", "FADD R9, R8, R8", 4, 602},
      {"IMAD.WIDE.U32 R4, R0, 0x80, c[0x0][0x210]", "LDG.E R8, desc[UR4][R4.64]", "FADD R9, R8, R8", 32, 630},
      {"IMAD.WIDE.U32 R4, R0, 0x40, c[0x0][0x210]", "LDG.E R8, desc[UR4][R4.64]", "FADD R9, R8, R8", 16,
       614}, /* two banks */
      {"IMAD.WIDE.U32 R4, R0, 0x4, RZ", "LDG.E R8, desc[UR4][R4.64]", "FADD R9, R8, R8", 1, 299},
      {"IMAD.WIDE.U32 R4, RZ, 0x4, RZ", "LDG.E R8, desc[UR4][R4.64]", "FADD R9, R8, R8", 1,
       299}, /* all have one word */
      {"SHF.L.U32 R4, R0, 0x3, RZ", "LDS R8, [R4]", "FADD R9, R8, R8", 2, 0},
      {"SHF.L.U32 R4, R0, 0x2, RZ", "LDS R8, [R4+0x80]", "FADD R9, R8, R8", 1, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *const lines[] = {"S2R R0, SR_TID.X", rows[i].apart, rows[i].load, rows[i].use, "EXIT", NULL};
    static struct made_sass m;
    struct sass_walk w;
    assert_true(walk(&w, &m, lines, 32));
    /* reading the thread's place is one, too */
    if (w.wavefronts != (rows[i].wavefronts + 1) * w.warps || w.loads != rows[i].loads * w.warps)
      fail_msg("%s: %g wavefronts, waits %g", rows[i].apart, w.wavefronts / w.warps, w.loads / w.warps);
    leave(&w, &m);
  }
}

/* The second load finds the sector that the first brought; the two are waited for one after the other: 599 and 31 cycles. */
static void a_sector_comes_once(void **state) {
  (void)state;
  static const char *const lines[] = {"LDC.64 R4, c[0x0][0x210]",
                                      "LDG.E R8, desc[UR4][R4.64]",
                                      "FADD R9, R8, R8",
                                      "LDG.E R8, desc[UR4][R4.64+0x4]",
                                      "FADD R9, R8, R8",
                                      "EXIT",
                                      NULL};
  static struct made_sass m;
  struct sass_walk w;
  assert_true(walk(&w, &m, lines, 32));
  assert_true(w.loads == (599 + 31) * w.warps);
  leave(&w, &m);
}

/* An addition waits 3 cycles for the one before it beyond its own turn, a product of halves makes its reader wait 7; the ALU takes a warp every
 * other cycle. */
static void own_waits(void **state) {
  (void)state;
  static const char *const sums[] = {"FADD R1, R2, R3", "FADD R4, R1, R3", "EXIT", NULL};
  static const char *const halves[] = {"HMUL2 R1, R2, R3", "FADD R4, R1, R3", "EXIT", NULL};
  static const char *const logic[] = {"LOP3.LUT R1, R2, R3, RZ, 0xc0, !PT", "LOP3.LUT R4, R2, R3, RZ, 0xc0, !PT",
                                      "EXIT", NULL};
  static const char *const apart[] = {"LOP3.LUT R1, R2, R3, RZ, 0xc0, !PT", "FADD R5, R2, R3",
                                      "LOP3.LUT R4, R2, R3, RZ, 0xc0, !PT", "EXIT", NULL};
  static const struct {
    const char *const *lines;
    double waits;
  } rows[] = {{sums, 3}, {halves, 7}, {logic, 1}, {apart, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    struct sass_walk w;
    assert_true(walk(&w, &m, rows[i].lines, 32));
    if (w.waits != rows[i].waits * w.warps || w.loads != 0)
      fail_msg("row %zu: %g", i, w.waits / w.warps);
    leave(&w, &m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values),
      cmocka_unit_test(bytes_are_permuted),
      cmocka_unit_test(uniform_constants),
      cmocka_unit_test(predicates),
      cmocka_unit_test(turns_by_an_argument),
      cmocka_unit_test(lanes_part_and_meet),
      cmocka_unit_test(data_decide),
      cmocka_unit_test(accesses),
      cmocka_unit_test(a_sector_comes_once),
      cmocka_unit_test(own_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
