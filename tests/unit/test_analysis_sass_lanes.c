/* What one instruction makes of a lane: integers, predicates, floats of divisions, addresses; values worked out by hand. */
#include "unit/made_walk.h"

enum { LANE = 1, BIT = 1 << LANE };

/* In lane 1; R10, UR20, P5, UP2 and all that is not here are unknown. */
static void given(struct sass_lanes *l) {
  static const struct {
    int r;
    uint32_t v;
  } registers[] = {{0, 0x77},        {2, 5},           {3, 7},           {4, 0xffffffff},  {6, 0},
                   {7, 1},           {9, 0x99},        {11, 0x7f},       {12, 0x80000000}, {13, 0x40000000},
                   {14, 0xffffffff}, {15, 0xffffffff}, {16, 0xbf800000}, {17, 0x4f7fffff}, {19, 0x13}},
    uniform[] = {{0, 0x33}, {6, 0x10}, {7, 2}, {8, 0xff}};
  memset(l, 0, sizeof *l);
  l->constants = (struct sass_constants){EXTENTS, word_at};
  for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
    l->r[registers[i].r][LANE] = registers[i].v;
    l->r_known[registers[i].r] = BIT;
  }
  for (size_t i = 0; i < sizeof uniform / sizeof *uniform; i++) {
    l->ur[uniform[i].r] = uniform[i].v;
    l->ur_known[uniform[i].r] = true;
  }
  l->p[1] = BIT;
  l->p_known[1] = l->p_known[2] = BIT;
  l->up[1] = l->up_known[1] = true;
  for (int i = 0; i < 3; i++) {
    l->place[i][LANE] = 2 + (uint32_t)i;
    l->block[i] = 6 + (uint32_t)i;
  }
}

static void does(struct sass_lanes *l, const char *text, uint32_t lanes) {
  struct sass_inst x;
  struct sass_does d;
  sass_inst_parse(&x, text, 0);
  sass_does(&d, &x);
  sass_lanes_do(l, &d, lanes);
}

static void words(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t v; /* of R8 */
  } rows[] = {
      {"IADD3 R8, R2, R3, R4", 11},
      {"IADD3 R8, R9, RZ, RZ", 0x99},
      {"IADD3 R8, R2, UR6, RZ", 0x15},
      {"IADD3 R8, R2, -UR6, RZ", 0xfffffff5},
      {"IADD3 R8, R2, UR7, UR6", 0x17},
      {"IADD3 R8, R2, -0x9, RZ", 0xfffffffc},
      {"IADD3.X R8, R2, R3, RZ, P1, !PT", 13},
      {"IADD3.X R8, R2, R3, RZ, P1, P1", 14},
      {"IADD3.X R8, R2, R3, RZ, P2, P1", 13},
      {"IADD3.X R8, R2, R3, RZ, P1, P2", 13},
      {"IADD3.X R8, R2, R3, RZ, P1", 13},
      {"IMAD R8, R2, R3, -R2", 30},
      {"IMAD R8, -R2, R3, RZ", 0xffffffdd},
      {"IMAD.X R8, R2, R3, RZ, P1", 36},
      {"IMAD.X R8, R2, R3, RZ, P2", 35},
      {"LEA R8, R2, -R3, 0x1", 3},
      {"LEA.HI R8, R2, R3, R7, 0x4", 0x17},     /* 16 + 7 */
      {"LEA.HI.X.SX32 R8, R4, R3, 0x2, P2", 6}, /* 7 - 1 */
      {"LEA.HI.X.SX32 R8, R4, R3, 0x2, P1", 7},
      {"LEA.HI.SX32 R8, R2, R3, 0x1f", 9}, /* 5 x 2^31 is 2 x 2^32 and a half */
      {"LEA.HI.SX32 R8, RZ, R3, 0x1f", 7},
      {"SHF.L.U32 R8, R2, 0x1f, RZ", 0x80000000},
      {"SHF.L.U32 R8, R2, 0x20, RZ", 0},
      {"SHF.L.U32 R8, R2, 0x1e, RZ", 0x40000000},
      {"SHF.R.U32.HI R8, RZ, 0x1f, R12", 1},
      {"SHF.R.U32.HI R8, RZ, 0x20, R4", 0},
      {"SHF.R.U32.HI R8, RZ, R4, R4", 0},
      {"SHF.R.S32.HI R8, RZ, 0x20, R12", 0xffffffff},
      {"SHF.R.U32 R8, R2, 0x28, R3", 7}, /* 32 at most */
      {"SHF.R.U32 R8, R2, 0x20, R3", 7},
      {"SHF.L.U64.HI R8, R2, 0x21, R3", 10},
      {"SHF.L.U64.HI R8, R2, 0x3f, R3", 0x80000000},
      {"SHF.L.U64.HI R8, R2, 0x7f, R3", 0x80000000}, /* 63 */
      {"SHF.R.U64 R8, R2, 0x21, R3", 3},
      {"SHF.R.S64 R8, R2, 0x21, R3", 3},
      {"LOP3.LUT R8, R2, R3, RZ, 0x1, !PT", 0xfffffff8},   /* none of them */
      {"LOP3.LUT R8, R2, R3, R4, 0x80, !PT", 5},           /* all */
      {"LOP3.LUT R8, R3, R2, R12, 0xca, !PT", 0x80000005}, /* a ? b : c */
      {"LOP3.LUT R8, R2, R3, R12, 0x96, !PT", 0x80000002},
      {"LOP3.LUT R8, R2, R3, R12, 0x2, !PT", 0x80000000}, /* c alone */
      {"LOP3.LUT R8, R2, R3, R12, 0x4, !PT", 2},          /* b alone */
      {"LOP3.LUT R8, ~R2, R4, RZ, 0xc0, !PT", 0xfffffffa},
      {"PRMT R8, R12, 0xb3b3, RZ", 0xff80ff80}, /* a byte's sign, where 8 is added */
      {"PRMT R8, R11, 0x8888, RZ", 0},
      {"PRMT R8, RZ, 0x7654, R4", 0xffffffff},
      {"VIADDMNMX R8, R2, R3, R4, PT", 0xffffffff},
      {"VIADDMNMX R8, R2, R3, R4, !PT", 12},
      {"VIADDMNMX.U32 R8, R2, R3, R4, PT", 12},
      {"VIADDMNMX R8, R2, -R3, RZ, PT", 0xfffffffe},
      {"SEL R8, R2, R3, UP1", 5},
      {"SEL R8, R2, R3, !UP1", 7},
      {"SEL R8, R2, R3, P2", 7},
      {"HFMA2.MMA R8, -RZ, RZ, -1.5, 3", 0xbe004200},
      {"HFMA2.MMA R8, -RZ, RZ, 3.0517578125e-05, -2", 0x0200c000}, /* 2^-15 is 512 steps of 2^-24 */
      {"HFMA2 R8, -RZ, RZ, 6.103515625e-05, 1.75", 0x04003f00},
      {"I2F.U32.RP R8, R4", 0x4f800000}, /* 2^32 */
      {"I2F.S32 R8, R4", 0xbf800000},
      {"I2FP.F32.S32 R8, R4", 0xbf800000},
      {"I2FP.F32.U32 R8, R2", 0x40a00000},
      {"MUFU.RCP R8, R13", 0x3f000000},
      {"MUFU.RCP R8, R16", 0xbf800000},
      {"F2I.FTZ.U32.TRUNC.NTZ R8, R13", 2},
      {"F2I.FTZ.U32.TRUNC.NTZ R8, R6", 0},
      {"S2R R8, SR_LANEID", 1},
      {"S2R R8, SR_TID.X", 2},
      {"S2R R8, SR_TID.Y", 3},
      {"S2R R8, SR_TID.Z", 4},
      {"S2R R8, SR_CTAID.X", 6},
      {"S2R R8, SR_CTAID.Y", 7},
      {"S2R R8, SR_CTAID.Z", 8},
      {"CS2R.32 R8, SRZ", 0},
      {"MOV R8, UR6", 0x10},
      {"MOV R8, URZ", 0},
      {"MOV R8, c[0x0][URZ]", 96},
  };
  static struct sass_lanes l;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    given(&l);
    l.r[8][LANE] = 0xabcd;
    does(&l, rows[i].text, BIT);
    if (l.r_known[8] != BIT || l.r[8][LANE] != rows[i].v)
      fail_msg("%s: %x, known %x", rows[i].text, l.r[8][LANE], l.r_known[8]);
  }
}

static void pairs(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t v;  /* of R8 and R9 */
    bool beyond; /* R10 and R11 are 3 and 4 */
  } rows[] = {
      {"IADD.64 R8, R6, -R6", 0, false},
      {"IADD.64 R8, -R6, 0x3", 0xffffffff00000003, false},
      {"IADD.64 R8, R6, 0x5", 0x100000005, false},
      {"IMAD.WIDE.U32 R8, R4, R4, R14", 0xfffffffe00000000, false}, /* 2^64 - 2^33 + 1 and -1 */
      {"IMAD.WIDE R8, R4, R3, RZ", 0xfffffffffffffff9, false},
      {"SEL.64 R8, R6, RZ, !P1", 0, false},
      {"SEL.64 R8, RZ, R6, P2", 0x100000000, false},
      {"CS2R R8, SRZ", 0, false},
      {"LDC.128 R8, c[0x0][0x400]", 0x200000001, true},
  };
  static struct sass_lanes l;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    given(&l);
    does(&l, rows[i].text, BIT);
    if (l.r_known[8] != BIT || l.r_known[9] != BIT || l.r[8][LANE] != (uint32_t)rows[i].v ||
        l.r[9][LANE] != rows[i].v >> 32)
      fail_msg("%s: %x %x", rows[i].text, l.r[8][LANE], l.r[9][LANE]);
    if (rows[i].beyond && (!l.r_known[10] || l.r[10][LANE] != 3 || !l.r_known[11] || l.r[11][LANE] != 4))
      fail_msg("%s: %x %x beyond", rows[i].text, l.r[10][LANE], l.r[11][LANE]);
  }
}

/* What was known of R8 is so no more. */
static void unknown(void **state) {
  (void)state;
  static const char *const rows[] = {
      "IADD3.X R8, R2, R3, RZ, P5, !PT", /* predicates and registers that are not known */
      "IADD3.X R8, R2, R3, RZ, P1, P5",
      "SEL R8, R2, R3, P5",
      "SEL R8, R2, R3, UP2",
      "MOV R8, UR20",
      "MOV R8, R10",
      "IADD3 R8, R2, UR20, RZ",
      "IMAD.WIDE R8, R2, R3, R10",
      "IADD.64 R8, R4, R6",
      "MOV R8, c[0x0][0x250]",
      "MOV R8, c[0x3][0x210]",
      "MUFU.RCP R8, R6", /* floats that are not followed */
      "MUFU.RSQ R8, R13",
      "F2I.FTZ.U32.TRUNC.NTZ R8, R16",
      "F2I.FTZ.U32.TRUNC.NTZ R8, R17",
      "HFMA2 R8, RZ, R2, 1, 1",
      "HFMA2 R8, R2, RZ, 1, 1",
      "HFMA2 R8, -RZ, RZ, R2, 1",
      "HFMA2 R8, -RZ, RZ, 1, R2",
      "S2R R8, SR_CLOCKLO",
      "HFMA2.MMA R8, -RZ, RZ, -INF, 1",
      "HFMA2.MMA R8, -RZ, RZ, 1, -QNAN",
      "IMAD R8, R2, R3", /* an operand that is not there */
      "SEL R8, R2, R3",
      "IADD.64 R8, R6",
      "VIMNMX.S64 R8, R6, R6, PT", /* pairs of these are not followed */
      "LOP3.64 R8, R6, R6, RZ, 0xc0",
      "IMAD.U64 R8, R6, R6, RZ",
      "LDG.E R8, desc[UR4][R6.64]",
  };
  static struct sass_lanes l;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    given(&l);
    l.r_known[8] = 0xff;
    does(&l, rows[i], BIT);
    if (l.r_known[8] != (0xff & ~BIT))
      fail_msg("%s: %x", rows[i], l.r_known[8]);
  }
}

static void predicates(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool p0, p3;
  } rows[] = {
      {"IADD3 R8, P0, P3, R4, R4, R4", true, true}, /* 2^33 is in it */
      {"IADD3 R8, P0, P3, R4, R4, RZ", true, false},
      {"IADD3 R8, P0, P3, R4, R4, 0x2", true, true}, /* it is 2^33 */
      {"IADD3 R8, P0, P3, R12, R2, RZ", false, false},
      {"PLOP3.LUT P0, P3, P1, P2, PT, 0x20, 0xdf", true, false}, /* row 5 */
      {"PLOP3.LUT P0, P3, P2, P1, PT, 0x8, 0xf7", true, false},
      {"PLOP3.LUT P0, P3, P1, P1, P2, 0x40, 0xbf", true, false},
      {"PLOP3.LUT P0, P3, P1, P1, P2, 0xbf, 0x40", false, true},
      {"ISETP.GE.AND P0, P3, R2, R3, PT", false, true},
      {"ISETP.GE.AND P0, P3, R2, R3, P2", false, false},
      {"ISETP.GE.AND P0, P3, R2, R2, PT", true, false},
      {"ISETP.GE.AND P0, P3, R3, R2, PT", true, false},
      {"ISETP.LT.OR P0, P3, R2, R3, P2", true, false},
      {"ISETP.LT.OR P0, P3, R2, R3, P1", true, true},
      {"ISETP.GT.OR P0, P3, R2, R3, P2", false, true},
      {"ISETP.LT.XOR P0, P3, R2, R3, P1", false, true},
      {"ISETP.LT.XOR P0, P3, R2, R3, P2", true, false},
      {"ISETP.GT.XOR P0, P3, R2, R3, P1", true, false},
      {"ISETP.LE.AND P0, P3, R2, R2, PT", true, false},
      {"ISETP.LE.AND P0, P3, R3, R2, PT", false, true},
      {"ISETP.LE.AND P0, P3, R2, R3, PT", true, false},
      {"ISETP.LT.AND P0, P3, R2, R2, PT", false, true},
      {"ISETP.GT.AND P0, P3, R2, R2, PT", false, true},
      {"ISETP.EQ.AND P0, P3, R2, R2, PT", true, false},
      {"ISETP.EQ.AND P0, P3, R2, R3, PT", false, true},
      {"ISETP.EQ.AND P0, P3, R3, R2, PT", false, true},
      {"ISETP.EQ.AND P0, P3, R4, -R7, PT", true, false},
      {"ISETP.NE.AND P0, P3, R2, R2, PT", false, true},
      {"ISETP.NE.AND P0, P3, R2, R3, PT", true, false},
      {"ISETP.NE.AND P0, P3, R3, R2, PT", true, false},
      {"ISETP.LT.U32.AND P0, P3, R2, R4, PT", true, false},
      {"ISETP.LT.U32.AND P0, P3, R4, R2, PT", false, true},
      {"ISETP.EQ.U32.AND P0, P3, R4, R4, PT", true, false},
      {"ISETP.EQ.U64.AND P0, P3, R6, R6, PT", true, false},
      {"ISETP.EQ.U64.AND P0, P3, R6, R14, PT", false, true},
      {"ISETP.EQ.U64.AND P0, P3, R14, R6, PT", false, true},
      {"ISETP.GT.S64.AND P0, P3, R6, R14, PT", true, false},
      {"ISETP.GT.U64.AND P0, P3, R6, R14, PT", false, true},
      {"ISETP.GT.S64.AND P0, P3, R6, -0x1, PT", true, false},
      {"ISETP.EQ.S64.AND P0, P3, R14, -0x1, PT", true, false},
      {"ISETP.LT.AND.EX P0, P3, R2, R2, PT, P1", true, false}, /* the lower words decide */
      {"ISETP.LT.AND.EX P0, P3, R2, R2, PT, P2", false, true},
      {"ISETP.LE.AND.EX P0, P3, R2, R2, PT, P2", false, true},
      {"ISETP.NE.AND.EX P0, P3, R2, R3, PT, P2", true, false},
      {"ISETP.LT.AND.EX P0, P3, R2, R3, PT, P2", true, false},
      {"ISETP.GT.AND.EX P0, P3, R2, R3, PT, P1", false, true},
      {"IMAD.WIDE.U32 R8, P0, R4, R4, R14", true, false},
      {"IMAD.WIDE.U32 R8, P0, R4, R4, RZ", false, false},
      {"IMAD.WIDE.U32 R8, P0, R4, R4, R6", false, false},
      {"LEA R8, P0, R4, R2, 0x0", true, false},
      {"LEA R8, P0, R2, R3, 0x1", false, false},
      {"LEA R8, P0, R12, RZ, 0x0", false, false},
      {"LOP3.LUT P0, R8, R2, 0x4, RZ, 0xc0, !PT", true, false},
  };
  static struct sass_lanes l;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool both = strstr(rows[i].text, ", P3,") != NULL;
    given(&l);
    does(&l, rows[i].text, BIT);
    if (l.p_known[0] != BIT || l.p[0] != (rows[i].p0 ? BIT : 0) || l.p_known[3] != (both ? BIT : 0) ||
        l.p[3] != (rows[i].p3 ? BIT : 0))
      fail_msg("%s: %x %x, known %x %x", rows[i].text, l.p[0], l.p[3], l.p_known[0], l.p_known[3]);
    if (l.p[7] || l.p_known[7])
      fail_msg("%s writes PT", rows[i].text);
  }
}

static void predicates_unknown(void **state) {
  (void)state;
  static const char *const rows[] = {"ISETP.GE.AND P0, PT, R2, R10, PT", "ISETP.GE.AND P0, PT, R2, R3, P5",
                                     "ISETP.GT.S64.AND P0, PT, R6, -R6, PT", "ISETP.GE.AND.EX P0, PT, R2, R2, PT, P5",
                                     "FSETP.GE.AND P0, PT, R2, R3, PT"};
  static struct sass_lanes l;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    given(&l);
    l.p_known[0] = 0xff;
    does(&l, rows[i], BIT);
    if (l.p_known[0] != (0xff & ~BIT))
      fail_msg("%s: %x", rows[i], l.p_known[0]);
  }
}

/* Done once, for the lowest lane of those that run. */
static void uniform(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool known;
    uint32_t v; /* of UR10 */
  } rows[] = {
      {"UIADD3 UR10, UR6, 0x1, URZ", true, 0x11},
      {"UMOV UR10, 0x5", true, 5},
      {"S2UR UR10, SR_CTAID.X", true, 6},
      {"R2UR UR10, R2", true, 5},
      {"ULOP3.LUT UR10, UR6, 0x30, URZ, 0xfc, !UPT", true, 0x30},
      {"UIADD3 UR10, UR20, 0x1, URZ", false, 0},
      {"UIADD3.64 UR10, UR6, UR6, URZ", false, 0},
      {"R2UR UR10, R10", false, 0},
  };
  static struct sass_lanes l;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    given(&l);
    l.r[2][2] = 50;
    l.r_known[2] = l.r_known[10] = 6;
    l.r_known[10] = 4;
    l.ur_known[10] = true;
    does(&l, rows[i].text, 6);
    if (l.ur_known[10] != rows[i].known || (rows[i].known && l.ur[10] != rows[i].v))
      fail_msg("%s: %x", rows[i].text, l.ur[10]);
  }
  given(&l);
  does(&l, "UISETP.GE.AND UP0, UPT, UR6, 0x10, UPT", 6);
  assert_true(l.up[0] && l.up_known[0] && !l.up_known[7]);
  does(&l, "UISETP.GT.AND UP0, UPT, UR6, 0x10, UPT", 6);
  assert_true(!l.up[0] && l.up_known[0]);
  does(&l, "UISETP.GT.AND UP0, UPT, UR20, 0x10, UPT", 6);
  assert_false(l.up_known[0]);
}

/* R2 is known in lane 1, not in lane 2; lane 3 does not run. */
static void each_lane_for_itself(void **state) {
  (void)state;
  static struct sass_lanes l;
  given(&l);
  l.r_known[8] = l.r_known[9] = l.p_known[0] = 12;
  does(&l, "IADD3 R8, P0, R2, 0x1, RZ", 6);
  assert_true(l.r_known[8] == 10 && l.r[8][1] == 6 && l.p_known[0] == 10);
  does(&l, "IMAD.WIDE R8, R2, R3, RZ", 4);
  assert_true(l.r_known[8] == 10 && l.r_known[9] == 8); /* the pair */
  does(&l, "HMUL2 R8, R2, R3", 2);
  assert_true(l.r_known[8] == 8);
}

static void what_is_forgotten(void **state) {
  (void)state;
  static struct sass_lanes l;
  for (int file = FILE_R; file <= FILE_UP; file++)
    for (uint32_t lanes = 0; lanes <= 2; lanes += 2) {
      given(&l);
      l.r_known[1] = l.p_known[1] = 3;
      l.ur_known[1] = true;
      sass_lanes_forget(&l, file, 1, lanes);
      assert_int_equal(l.r_known[1], lanes && file == FILE_R ? 1 : 3);
      assert_int_equal(l.p_known[1], lanes && file == FILE_P ? 1 : 3);
      assert_int_equal(l.ur_known[1], !(lanes && file == FILE_UR));
      assert_int_equal(l.up_known[1], !(lanes && file == FILE_UP));
    }
}

static void addresses(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool known;
    uint64_t at;
  } rows[] = {
      {"LDG.E R8, desc[UR4][R6.64]", true, 0x100000000},
      {"LDG.E R8, desc[UR4][R6.64+0x8]", true, 0x100000008},
      {"LDG.E R8, desc[UR4][R6.64+-0x8]", true, 0xfffffff8},
      {"LDG.E R8, desc[UR4][R6.64+UR6]", true, 0x300000010},
      {"LDG.E R8, desc[UR4][R6.64+UR6+0x9]", true, 0x300000019},
      {"LDG.E R8, desc[UR4][R2.64]", true, 0x700000005},
      {"LDG.E R8, desc[UR4][R4.64]", false, 0}, /* its upper word */
      {"LDG.E R8, desc[UR4][R10.64]", false, 0},
      {"LDG.E R8, desc[UR4][R6.64+UR8]", false, 0},
      {"LDS R8, [R2]", true, 5},
      {"LDS R8, [R0]", true, 0x77},
      {"LDS R8, [R9]", true, 0x99},
      {"LDS R8, [R19]", true, 0x13},
      {"LDS R8, [R2+0x4]", true, 9},
      {"LDS R8, [R2+9]", true, 14},
      {"LDS R8, [UR6]", true, 0x10},
      {"LDS R8, [UR6+0x10]", true, 0x20},
      {"LDS R8, [UR8]", true, 0xff},
      {"LDS R8, [R2+UR6]", true, 0x15},
      {"LDS R8, [R2+UR6+0x1]", true, 0x16},
      {"LDS R8, [UR0+0x1]", true, 0x34},
      {"LDS R8, [RZ]", true, 0},
      {"LDS R8, [URZ]", true, 0},
      {"LDS R8, [URZ+0x3]", true, 3},
      {"LDS R8, [0x40]", true, 0x40},
      {"LDS R8, [R10]", false, 0},
      {"LDS R8, [R2+UR20]", false, 0},
      {"MOV R8, R2", false, 0}, /* no address */
  };
  static struct sass_lanes l;
  given(&l);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct sass_inst x;
    struct sass_does d;
    uint64_t at = 0;
    sass_inst_parse(&x, rows[i].text, 0);
    sass_does(&d, &x);
    bool known = sass_lanes_address(&l, &d.operands[1], LANE, &at);
    if (known != rows[i].known || (known && at != rows[i].at))
      fail_msg("%s: %llx", rows[i].text, (unsigned long long)at);
  }
  struct sass_inst x;
  struct sass_does d;
  uint64_t to = 0, from = 0;
  sass_inst_parse(&x, "LDGSTS.E [R0], desc[UR4][R6.64]", 0); /* each operand has brackets of its own */
  sass_does(&d, &x);
  assert_true(sass_lanes_address(&l, &d.operands[0], LANE, &to) && to == 0x77);
  assert_true(sass_lanes_address(&l, &d.operands[1], LANE, &from) && from == 0x100000000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words),
      cmocka_unit_test(pairs),
      cmocka_unit_test(unknown),
      cmocka_unit_test(predicates),
      cmocka_unit_test(predicates_unknown),
      cmocka_unit_test(uniform),
      cmocka_unit_test(each_lane_for_itself),
      cmocka_unit_test(what_is_forgotten),
      cmocka_unit_test(addresses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
