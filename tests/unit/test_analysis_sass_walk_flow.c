/* Which way a walked warp goes: loops, calls, lanes that part, and where in the grid it stands; counts worked out by hand. */
#include "unit/made_walk.h"

enum { LINES_MAX = 12 };

/* Each line's count in one warp; of a walk that comes to no end until there. */
struct way {
  const char *lines[LINES_MAX];
  bool ends;
  double counts[LINES_MAX];
};

static void goes(const struct way *rows, size_t n) {
  for (size_t i = 0; i < n; i++) {
    static struct made_sass m;
    struct sass_walk w;
    bool ended = walk(&w, &m, rows[i].lines, 32);
    if (ended != rows[i].ends)
      fail_msg("row %zu: ended %d", i, ended);
    for (size_t k = 0; k < m.sass.n; k++)
      if (w.executed[k] != rows[i].counts[k] * (ended ? w.warps : 1))
        fail_msg("row %zu: %s: %g times in %g warps", i, rows[i].lines[k], w.executed[k], w.warps);
    leave(&w, &m);
  }
}

#define TURN   "IADD3 R2, R2, 0x1, RZ"
#define ENOUGH "ISETP.GE.AND P1, PT, R2, c[0x0][0x23c], PT" /* three */
#define WORK   "FADD R5, R5, R6"
#define DATA   "ISETP.GE.AND P0, PT, R5, RZ, PT"

static void loops(void **state) {
  (void)state;
  static const struct way rows[] = {
      {{"MOV R2, RZ", WORK, TURN, ENOUGH, "@!P1 BRA 0x10", "EXIT"}, true, {1, 3, 3, 3, 3, 1}},
      {{"MOV R2, RZ", WORK, TURN, ENOUGH, "@!P1 BRA 0x10"}, true, {1, 3, 3, 3, 3}}, /* nothing stands behind it */
      {{"MOV R2, RZ", TURN, ENOUGH, "@P1 BRA 0x60", WORK, "BRA 0x10", "EXIT"}, true, {1, 3, 3, 3, 2, 2, 1}},
      {{"MOV R2, RZ", TURN, ENOUGH, "@P1 EXIT", WORK, "BRA 0x10"}, true, {1, 3, 3, 3, 2, 2}},
      /* what is decided in the loop leaves it nowhere, and data end it */
      {{"MOV R2, RZ", WORK, TURN, ENOUGH, "@P1 BRA 0x60", "FADD R6, R6, R5", DATA, "@P0 BRA 0x90", "BRA 0x10", "EXIT"},
       false,
       {1, 1, 1, 1, 1, 1, 1, 1, 1, 0}},
      /* the inner loop is decided, the outer one is not */
      {{"MOV R2, RZ", WORK, TURN, ENOUGH, "@!P1 BRA 0x10", DATA, "@P0 BRA 0x80", "BRA 0x0", "EXIT"},
       false,
       {1, 3, 3, 3, 3, 1, 1, 1, 0}},
      /* a way out of the inner loop that leaves both decides both */
      {{"MOV R2, RZ", "FADD R6, R6, R5", WORK, TURN, ENOUGH, "@P1 EXIT", DATA, "@P0 BRA 0x90", "BRA 0x20", "BRA 0x10"},
       true,
       {1, 1, 3, 3, 3, 3, 2, 2, 2, 0}},
      /* data may pass over a part of a turn */
      {{"MOV R2, RZ", WORK, DATA, "@P0 BRA 0x50", "FADD R6, R6, R5", TURN, ENOUGH, "@!P1 BRA 0x10", "EXIT"},
       true,
       {1, 3, 3, 3, 3, 3, 3, 3, 1}},
      {{DATA, "@P0 BRA 0x0", "EXIT"}, true, {1, 1, 1}}, /* it does nothing but wait */
      {{"BRA 0x30", WORK, "EXIT", DATA, "@P0 BRA 0x10", "EXIT"}, true, {1, 0, 0, 1, 1, 1}}, /* back, but no loop */
      {{"BRX R2", "EXIT"}, false, {0, 0}},
      /* what a sine does for large arguments is passed over */
      {{"FSETP.GE.AND P0, PT, |R4|, 105615, PT", "@!P0 BRA 0x40", "STL [R14], R6", "STL [R14], R7", WORK, "EXIT"},
       true,
       {1, 1, 0, 0, 1, 1}},
  };
  goes(rows, sizeof rows / sizeof *rows);
}

/* P0 holds, P1 does not, P2 is not known. */
static void predicates_of_branches(void **state) {
  (void)state;
#define HOLDS "ISETP.GE.AND P0, P1, R0, RZ, PT"
  static const struct way rows[] = {
      {{"S2R R0, SR_TID.X", HOLDS, "@P0 BRA P1, 0x40", WORK, "EXIT"}, true, {1, 1, 1, 1, 1}},
      {{"S2R R0, SR_TID.X", HOLDS, "@P0 BRA !P1, 0x40", WORK, "EXIT"}, true, {1, 1, 1, 0, 1}},
      {{"S2R R0, SR_TID.X", HOLDS, "@P1 BRA P0, 0x40", WORK, "EXIT"}, true, {1, 1, 1, 1, 1}},
      {{"S2R R0, SR_TID.X", HOLDS, "@P0 BRA P2, 0x40", WORK, "EXIT"}, true, {1, 1, 1, 1, 1}},
      {{"S2R R0, SR_TID.X", HOLDS, WORK, "@P0 BRA P2, 0x20", "EXIT"}, false, {1, 1, 1, 1, 0}},
      {{"S2R R0, SR_TID.X", HOLDS, "@P0 EXIT", WORK, "EXIT"}, true, {1, 1, 1, 0, 0}},
      {{"S2R R0, SR_TID.X", HOLDS, "@P1 EXIT", WORK, "EXIT"}, true, {1, 1, 1, 1, 1}},
      {{"S2R R0, SR_TID.X", HOLDS, "@P2 EXIT", WORK, "EXIT"}, true, {1, 1, 1, 1, 1}},
      {{"S2R R0, SR_TID.X", HOLDS, "@!P2 EXIT", WORK, "EXIT"}, true, {1, 1, 1, 1, 1}},
      {{"S2R R0, SR_TID.X", HOLDS, "@!P2 BRA 0x40", WORK, "EXIT"}, true, {1, 1, 1, 1, 1}},
      {{"EXIT", WORK}, true, {1, 0}},
      {{"@!PT FADD R1, R2, R3", "EXIT"}, true, {0, 1}},
      {{"@!PT EXIT", "EXIT"}, true, {0, 1}},
      {{"7", "EXIT"}, true, {0, 1}}, /* no instruction */
      {{"WARPSYNC.COLLECTIVE R5, 0x20", WORK, "EXIT"}, true, {1, 1, 1}},
      /* what may have been written is not known any more: all of a pair */
      {{"MOV R2, RZ", "@P2 MOV R2, 0x1", "ISETP.EQ.AND P0, PT, R2, RZ, PT", "@P0 EXIT", WORK, "EXIT"},
       true,
       {1, 1, 1, 1, 1, 1}},
      {{"MOV R3, RZ", "@P2 LDC.64 R2, c[0x0][0x210]", "ISETP.EQ.AND P0, PT, R3, RZ, PT", "@P0 EXIT", WORK, "EXIT"},
       true,
       {1, 1, 1, 1, 1, 1}},
      /* and else it is */
      {{"MOV R2, RZ", "@P2 MOV R3, 0x1", "ISETP.EQ.AND P0, PT, R2, RZ, PT", "@P0 EXIT", WORK, "EXIT"},
       true,
       {1, 1, 1, 1, 0, 0}},
      /* a warp knows nothing of the one before it */
      {{"ISETP.EQ.AND P0, PT, R2, RZ, PT", "@P0 BRA 0x30", WORK, "MOV R2, RZ", "EXIT"}, true, {1, 1, 1, 1, 1}},
      /* lane 0 alone, and lane 31 alone */
      {{"S2R R0, SR_TID.X", "ISETP.NE.AND P0, PT, R0, RZ, PT", "@P0 BRA 0x40", WORK, "EXIT"}, true, {1, 1, 1, 1, 1}},
      {{"S2R R0, SR_TID.X", "ISETP.NE.AND P0, PT, R0, 0x1f, PT", "@P0 BRA 0x40", WORK, "EXIT"}, true, {1, 1, 1, 1, 1}},
      {{"S2R R0, SR_TID.X", "ISETP.NE.AND P0, PT, R0, 0x20, PT", "@P0 BRA 0x40", WORK, "EXIT"}, true, {1, 1, 1, 0, 1}},
  };
  goes(rows, sizeof rows / sizeof *rows);
}

static void calls(void **state) {
  (void)state;
  static const struct way rows[] = {
      {{"CALL.REL.NOINC 0x40", WORK, "CALL.REL.NOINC 0x40", "EXIT", "MUFU.RCP R3, R5", "RET.REL.NODEC R20 0x0"},
       true,
       {1, 1, 1, 1, 2, 2}},
      {{"CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_rd_f64_v2)", WORK, "EXIT", "MUFU.RCP64H R3, R5",
        "RET.REL.NODEC R20 `(_Z4kern)"},
       true,
       {1, 1, 1, 1, 1}},
      {{"CALL.REL.NOINC `($_Z4kern$_Z5otheri)", WORK, "EXIT"}, false, {1, 0, 0}}, /* it is not there */
      {{"CALL.REL.NOINC 0x0", "EXIT"}, false, {9, 0}},                            /* eight in each other, no more */
      {{"CALL.REL.NOINC 0x30", WORK, "EXIT", "EXIT"}, true, {1, 0, 0, 1}},
      {{"RET.REL.NODEC R20 0x0", WORK}, true, {1, 0}}, /* the kernel's own */
  };
  goes(rows, sizeof rows / sizeof *rows);
}

/* Ten warps that end in a function leave no call behind for the eleventh. */
static void a_warp_begins_outside_of_functions(void **state) {
  (void)state;
  static const char *const lines[] = {"CALL.REL.NOINC 0x20", "EXIT", "EXIT", NULL};
  static struct made_sass m;
  struct sass_walk w;
  walk_of(&w, &m, lines, 32);
  w.grid[0] = 10;
  assert_true(sass_walk(&w, &m.sass));
  assert_true(w.warps == 11);
  leave(&w, &m);
}

static double where(const unsigned *grid, const unsigned *block, const char *const *registers, const char *const *at) {
  static char compared[3][64];
  static struct made_sass m;
  const char *lines[LINES_MAX] = {registers[0], registers[1], registers[2]};
  struct sass_walk w;
  for (size_t i = 0; i < 3; i++) {
    snprintf(compared[i], sizeof compared[i], "ISETP.EQ.AND P0, PT, R%zu, %s, %s", i, at[i], i ? "P0" : "PT");
    lines[3 + i] = compared[i];
  }
  lines[6] = "@!P0 EXIT";
  lines[7] = WORK;
  lines[8] = "EXIT";
  walk_of(&w, &m, lines, 32);
  memcpy(w.grid, grid, sizeof w.grid);
  memcpy(w.block, block, sizeof w.block);
  assert_true(sass_walk(&w, &m.sass));
  double executed = w.executed[7];
  leave(&w, &m);
  return executed;
}

/* 5 x 2 x 4 threads are two warps: the second first, then both.  8 threads of the second are there. */
static void places_of_threads(void **state) {
  (void)state;
  static const unsigned grid[] = {1, 1, 1}, block[] = {5, 2, 4};
  static const char *const registers[] = {"S2R R0, SR_TID.X", "S2R R1, SR_TID.Y", "S2R R2, SR_TID.Z"};
  static const struct {
    const char *at[3];
    double executed;
  } rows[] = {
      {{"0x0", "0x0", "0x0"}, 1}, {{"0x1", "0x0", "0x3"}, 1}, /* thread 31 */
      {{"0x2", "0x0", "0x3"}, 2},                             /* 32 */
      {{"0x4", "0x1", "0x3"}, 2},                             /* 39 */
      {{"0x0", "0x0", "0x4"}, 0},                             /* 40: there is none */
      {{"0x3", "0x1", "0x2"}, 1},                             /* 28 */
      {{"0x5", "0x0", "0x0"}, 0}, {{"0x0", "0x2", "0x0"}, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (where(grid, block, registers, rows[i].at) != rows[i].executed)
      fail_msg("row %zu", i);
}

/* 2 x 3 x 2 blocks of a warp: all 12, and the one in the middle once more.  Of two warps they are 24, of which 16 are walked: number (2 i + 1) 24 / 32, which
 * are all but every third, from 1 on. */
static void places_of_blocks(void **state) {
  (void)state;
  static const unsigned grid[] = {2, 3, 2};
  static const char *const registers[] = {"S2R R0, SR_CTAID.X", "S2R R1, SR_CTAID.Y", "S2R R2, SR_CTAID.Z"};
  static const struct {
    unsigned threads;
    const char *at[3];
    double executed;
  } rows[] = {
      {32, {"0x0", "0x0", "0x1"}, 2}, /* block 6, the first */
      {32, {"0x1", "0x0", "0x0"}, 1}, {32, {"0x0", "0x2", "0x0"}, 1}, {32, {"0x1", "0x2", "0x1"}, 1},
      {32, {"0x1", "0x1", "0x1"}, 1}, {32, {"0x2", "0x0", "0x0"}, 0}, {32, {"0x0", "0x3", "0x0"}, 0},
      {32, {"0x0", "0x0", "0x2"}, 0}, {40, {"0x0", "0x0", "0x0"}, 1}, /* warp 0; i = 1 is warp 2 */
      {40, {"0x1", "0x0", "0x0"}, 2},                                 /* 2, 3 */
      {40, {"0x0", "0x1", "0x0"}, 1},                                 /* 5 */
      {40, {"0x0", "0x0", "0x1"}, 2},                                 /* 12 in the middle, and once more; no 13 */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const unsigned block[] = {rows[i].threads, 1, 1};
    double executed = where(grid, block, registers, rows[i].at);
    if (executed != rows[i].executed)
      fail_msg("row %zu: %g", i, executed);
  }
}

/* 2 + 3 x 2730 steps are 8192, a quarter of what is wanted: the middle and four more; with one step more only three fit. */
static void as_many_as_are_short(void **state) {
  (void)state;
  static const char *const exact[] = {"MOV R2, RZ",    TURN,   "ISETP.GE.AND P1, PT, R2, 0xaaa, PT",
                                      "@!P1 BRA 0x10", "EXIT", NULL};
  static const char *const more[] = {"MOV R2, RZ", TURN, "ISETP.GE.AND P1, PT, R2, 0xaaa, PT", "@!P1 BRA 0x10", WORK,
                                     "EXIT",       NULL};
  static const char *const none[] = {"EXIT", NULL};
  static const struct {
    const char *const *lines;
    unsigned blocks;
    double warps;
  } rows[] = {{exact, 20, 5}, {more, 20, 4},  {exact, 4, 5}, {exact, 3, 4},
              {none, 20, 17}, {none, 15, 16}, {none, 1, 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    struct sass_walk w;
    walk_of(&w, &m, rows[i].lines, 32);
    w.grid[1] = rows[i].blocks;
    assert_true(sass_walk(&w, &m.sass));
    if (w.warps != rows[i].warps)
      fail_msg("row %zu: %g warps", i, w.warps);
    leave(&w, &m);
  }
}

/* Of 20 warps, four: 2, 7, 12 and 17, and the 10th; 4 + 3 x 2729 steps. */
static void evenly_spread(void **state) {
  (void)state;
  static const unsigned blocks[] = {2, 3, 7, 10, 12, 17, 18};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    unsigned block = blocks[i];
    static char compared[64];
    static const char *const lines[] = {"MOV R2, RZ",
                                        TURN,
                                        "ISETP.GE.AND P1, PT, R2, 0xaa9, PT",
                                        "@!P1 BRA 0x10",
                                        "S2R R0, SR_CTAID.Z",
                                        compared,
                                        "@P0 EXIT",
                                        "EXIT",
                                        NULL};
    static struct made_sass m;
    struct sass_walk w;
    snprintf(compared, sizeof compared, "ISETP.NE.AND P0, PT, R0, 0x%x, PT", block);
    walk_of(&w, &m, lines, 32);
    w.grid[2] = 20;
    assert_true(sass_walk(&w, &m.sass));
    if (w.executed[7] != (block % 5 == 2 || block == 10))
      fail_msg("block %u: %g", block, w.executed[7]);
    leave(&w, &m);
  }
}

static void nothing_to_walk(void **state) {
  (void)state;
  static const char *const lines[] = {"EXIT", NULL};
  for (size_t i = 0; i < 3; i++) {
    static struct made_sass m;
    struct sass_walk w;
    walk_of(&w, &m, lines, 32);
    w.grid[i] = 0;
    assert_false(sass_walk(&w, &m.sass));
    leave(&w, &m);
    walk_of(&w, &m, lines, 32);
    w.block[i] = 0;
    assert_false(sass_walk(&w, &m.sass));
    leave(&w, &m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops),
      cmocka_unit_test(predicates_of_branches),
      cmocka_unit_test(calls),
      cmocka_unit_test(a_warp_begins_outside_of_functions),
      cmocka_unit_test(places_of_threads),
      cmocka_unit_test(places_of_blocks),
      cmocka_unit_test(as_many_as_are_short),
      cmocka_unit_test(evenly_spread),
      cmocka_unit_test(nothing_to_walk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
