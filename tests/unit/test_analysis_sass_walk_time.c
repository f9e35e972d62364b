/* How long a walked warp waits, and for what; cycles worked out by hand.  The first instruction issues in cycle 1. */
#include "unit/made_walk.h"

enum { LINES_MAX = 10 };

struct wait {
  const char *lines[LINES_MAX];
  double loads, waits, wavefronts; /* of a warp */
};

static void waits(const struct wait *rows, size_t n) {
  for (size_t i = 0; i < n; i++) {
    static struct made_sass m;
    struct sass_walk w;
    assert_true(walk(&w, &m, rows[i].lines, 32));
    if (w.loads != rows[i].loads * w.warps || w.waits != rows[i].waits * w.warps ||
        w.wavefronts != rows[i].wavefronts * w.warps)
      fail_msg("row %zu: loads %g, waits %g, %g wavefronts", i, w.loads / w.warps, w.waits / w.warps,
               w.wavefronts / w.warps);
    leave(&w, &m);
  }
}

#define LOAD  "LDG.E R8, desc[UR4][R4.64]"
#define USE   "FADD R9, R8, R8"
#define LANE  "S2R R0, SR_LANEID"
#define APART "IMAD.WIDE.U32 R4, R0, 0x80, RZ" /* 128 bytes: all lanes in one bank, a sector each */

static void what_is_waited_for(void **state) {
  (void)state;
  static const struct wait rows[] = {
      /* of an address that is not known: from DRAM, neighbours */
      {{LOAD, USE, "EXIT"}, 599, 0, 1},
      {{"LDG.E.64 R8, desc[UR4][R4.64]", "FADD R10, R9, R9", "EXIT"}, 600, 0, 2}, /* the pair's second register */
      {{"LDG.E.U8 R8, desc[UR4][R4.64]", USE, "EXIT"}, 599, 0, 1},
      {{LOAD, "MOV R8, RZ", "EXIT"}, 599, 0, 1}, /* what is overwritten */
      {{LOAD, "MOV R10, RZ", "EXIT"}, 0, 0, 1},
      {{"ISETP.GE.AND P0, PT, R2, R3, PT", "@P0 FADD R4, R2, R3", "EXIT"}, 0, 3, 0}, /* the guard */
      {{"ISETP.GE.AND P0, PT, R2, R3, PT", "@P0 LDG.E R8, desc[UR4][R4.64]", USE, "EXIT"}, 599, 3, 0},
      {{"MUFU.EX2 R1, R2", "FADD R4, R1, R1", "EXIT"}, 0, 15, 0},
      {{"LDS R8, [R4]", USE, "EXIT"}, 0, 19, 1},
      {{"LDC R8, c[0x0][0x238]", USE, "EXIT"}, 0, 19, 0},
      {{"@!PT FADD R8, R2, R3", USE, "EXIT"}, 0, 0, 0},
  };
  waits(rows, sizeof rows / sizeof *rows);
}

/* The lane's number is there in cycle 17, what is made of it in cycle 21. */
static void banks(void **state) {
  (void)state;
  static const struct wait rows[] = {
      {{LANE, "SHF.L.U32 R4, R0, 0x7, RZ", "LDS.U8 R8, [R4]", USE, "EXIT"}, 0, 15 + 3 + 31 + 19, 1 + 32},
      {{LANE, "LDS.U8 R8, [R0]", USE, "EXIT"}, 0, 15 + 19, 1 + 1}, /* eight words */
      {{LANE, "LDS.U8 R8, [R0+0x3]", USE, "EXIT"}, 0, 15 + 19, 1 + 1},
      {{LANE, "SHF.L.U32 R4, R0, 0x4, RZ", "LDS.64 R8, [R4]", USE, "EXIT"}, 0, 15 + 3 + 3 + 19, 1 + 4},
      /* eight lanes of 16 bytes are the first of the four wavefronts; the ALU takes the second instruction a cycle later */
      {{LANE, "ISETP.GE.AND P0, PT, R0, 0x8, PT", "SHF.L.U32 R4, R0, 0x4, RZ", "@!P0 LDS.128 R8, [R4]",
        "FADD R12, R8, R8", "EXIT"},
       0,
       15 + 1 + 3 + 19,
       1 + 1},
      /* the next access passes behind its 32 wavefronts; a constant does not */
      {{LANE, "SHF.L.U32 R4, R0, 0x7, RZ", "LDS R8, [R4]", "LDS R9, [RZ]", "FADD R10, R9, R9", "EXIT"},
       0,
       15 + 3 + 31 + 19,
       1 + 32 + 1},
      {{LANE, "SHF.L.U32 R4, R0, 0x7, RZ", "LDS R8, [R4]", "LDC R9, c[0x0][0x238]", "FADD R10, R9, R9", "EXIT"},
       0,
       15 + 3 + 19,
       1 + 32},
      /* a copy from global to shared memory: by where it comes from */
      {{LANE, "LDGSTS.E [R0], desc[UR4][R6.64]", "EXIT"}, 0, 15, 1 + 1},
      {{LANE, "LDGSTS.E.BYPASS.128 [R0], desc[UR4][R6.64]", "EXIT"}, 0, 15, 1 + 4},
      {{LANE, APART, "LDGSTS.E [R0], desc[UR4][R4.64]", "EXIT"}, 0, 15 + 3, 1 + 32},
      {{LANE, APART, "STG.E desc[UR4][R4.64], R9", "EXIT"}, 0, 15 + 3, 1 + 32},
      /* lane 0 has ended */
      {{LANE, "ISETP.EQ.AND P0, PT, R0, RZ, PT", "@P0 EXIT", "SHF.L.U32 R4, R0, 0x7, RZ", "LDS R8, [R4]", "EXIT"},
       0,
       15 + 3 + 3,
       1 + 31},
      /* the next warp does not wait for what this one leaves behind */
      {{"LDS R8, [RZ]", USE, LANE, APART, "STG.E desc[UR4][R4.64], R9", "EXIT"}, 0, 19 + 15 + 3, 1 + 1 + 32},
  };
  waits(rows, sizeof rows / sizeof *rows);
}

/* From the L2, behind 31 of its own wavefronts; then from the L1, all of it or a part. */
static void sectors_are_kept(void **state) {
  (void)state;
  static const struct wait rows[] = {
      {{LANE, APART, LOAD, USE, LOAD, USE, "EXIT"}, 31 + 299 + 31 + 31, 15 + 3, 1 + 32 + 32},
      {{LANE, APART, "MOV R6, RZ", "MOV R7, RZ", LOAD, USE, "LDG.E R8, desc[UR4][R6.64]", USE, "EXIT"},
       31 + 299 + 31,
       15 + 1,
       1 + 32 + 1},
      /* the sector behind is another one */
      {{"LDC.64 R4, c[0x0][0x210]", LOAD, USE, "LDG.E R8, desc[UR4][R4.64+0x1c]", USE, "EXIT"}, 599 + 31, 19, 2},
      {{"LDC.64 R4, c[0x0][0x210]", LOAD, USE, "LDG.E R8, desc[UR4][R4.64+0x20]", USE, "EXIT"}, 599 + 599, 19, 2},
  };
  waits(rows, sizeof rows / sizeof *rows);
}

/* The load is back in cycle 18, as is the root that issues a cycle later: it waits for what it reads first. */
static void two_come_at_once(void **state) {
  (void)state;
  static const char *const lines[][5] = {{LOAD, "MUFU.RSQ R1, R2", "FADD R9, R8, R1", "EXIT"},
                                         {LOAD, "MUFU.RSQ R1, R2", "FADD R9, R1, R8", "EXIT"}};
  for (size_t i = 0; i < 2; i++) {
    static struct made_sass m;
    struct sass_walk w;
    walk_of(&w, &m, lines[i], 32);
    w.latencies.dram = 17;
    assert_true(sass_walk(&w, &m.sass));
    assert_true((i ? w.waits : w.loads) == 15 * w.warps && (i ? w.loads : w.waits) == 0);
    leave(&w, &m);
  }
}

/* Where nothing says what streams, all does. */
static void all_may_stream(void **state) {
  (void)state;
  static const char *const lines[] = {"MOV R4, RZ", "MOV R5, RZ", LOAD, USE, "EXIT", NULL};
  for (size_t i = 0; i < 2; i++) {
    static struct made_sass m;
    struct sass_walk w;
    walk_of(&w, &m, lines, 32);
    w.streams = i ? NULL : at_5;
    assert_true(sass_walk(&w, &m.sass));
    assert_true(w.loads == (i ? 599 : 299) * w.warps);
    leave(&w, &m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_waited_for), cmocka_unit_test(banks),          cmocka_unit_test(sectors_are_kept),
      cmocka_unit_test(two_come_at_once),   cmocka_unit_test(all_may_stream),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
