/* How far an access moves on in a turn of its loop. */
#include "analysis/idioms/advance.h"
#include "unit/made_sass.h"

enum { THREADS = 256 };

/* The turn is lines 1 to 3 or more; the access is line `at`. */
static const struct advance_case {
  const char *lines[12];
  size_t at;
  enum sass_advance known, unknown; /* where a block's threads are, and are not */
} CASES[] = {
    /* the address itself is moved on: by 4 bytes of an access of 4, and not */
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OWN,
     ADVANCE_OWN},
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, -0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OWN,
     ADVANCE_OWN},
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "VIADD R2, R2, 0xfffffffc", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OWN,
     ADVANCE_OWN},
    {{"NOP", "LDG.E.U8 R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, R9, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    /* by four times a number that an argument gives: the 4 is no step; nor is where the launch has it begin */
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IMAD.WIDE R2, R9, 0x4, R2", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "LEA R2, R9, R2, 0x4", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    {{"IMAD R2, R8, c[0x0][0x0], R7", "LDG.E R4, desc[UR4][R2.64]", "IMAD.WIDE R2, R9, 0x4, R2", "@P0 BRA 0x10",
      "EXIT"},
     1,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    {{"MOV R9, c[0x0][0x0]", "LDG.E R4, desc[UR4][R2.64]", "IMAD.WIDE R2, R9, 0x4, R2", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_LAUNCH,
     ADVANCE_LAUNCH},
    /* it is not moved, or in no loop, or what was loaded moves it */
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R6, P1, PT, R6, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_NONE,
     ADVANCE_NONE},
    {{"LDG.E R4, desc[UR4][R2.64]", "NOP", "IADD3 R2, P1, PT, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     0,
     ADVANCE_NONE,
     ADVANCE_NONE},
    {{"NOP", "LDG.E R2, desc[UR4][R2.64]", "NOP", "@P0 BRA 0x10", "EXIT"}, 1, ADVANCE_NONE, ADVANCE_NONE},
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R4, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_NONE,
     ADVANCE_NONE},
    {{"NOP", "LDG.E R4, desc[UR4][UR6]", "UIADD3 UR6, UR6, 0x4, URZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_NONE,
     ADVANCE_NONE}, /* one address for all lanes */
    /* of a store the address, not the value */
    {{"NOP", "STG.E desc[UR4][R2.64], R4", "IADD3 R4, R4, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_NONE,
     ADVANCE_NONE},
    {{"NOP", "STG.E desc[UR4][R2.64], R4", "IADD3 R4, R4, 0x40, RZ", "IADD3 R2, P1, PT, R2, 0x4, RZ", "@P0 BRA 0x10",
      "EXIT"},
     1,
     ADVANCE_OWN,
     ADVANCE_OWN},
    {{"NOP", "STG.E desc[UR4][R2.64], R4", "IADD3 R1, R1, 0x4, RZ", "IMAD.WIDE R4, R4, 0x4, R8", "@P0 BRA 0x10",
      "EXIT"},
     1,
     ADVANCE_NONE,
     ADVANCE_NONE},
    /* by what a warp's lanes are, a block's, several blocks'; and between them.  A block of 256 has 0x400 bytes */
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x80, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_LAUNCH,
     ADVANCE_OTHER},
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x400, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_LAUNCH,
     ADVANCE_OTHER},
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, -0x1000, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_LAUNCH,
     ADVANCE_OTHER},
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x200, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    {{"NOP", "LDG.E.64 R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x80, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OTHER,
     ADVANCE_OTHER}, /* half of a warp's */
    {{"NOP", "LDG.E.64 R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x400, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OTHER,
     ADVANCE_OTHER}, /* half of a block's */
    {{"NOP", "LDG.E.64 R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x100, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_LAUNCH,
     ADVANCE_OTHER},
    /* an index is moved on, of which the address is made: its steps are elements */
    {{"NOP", "IMAD.WIDE R2, R5, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, 0x1, RZ", "@P0 BRA 0x10",
      "EXIT"},
     2,
     ADVANCE_OWN,
     ADVANCE_OWN},
    {{"NOP", "IMAD.WIDE R2, R5, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, 0x4, RZ", "@P0 BRA 0x10",
      "EXIT"},
     2,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    {{"NOP", "IMAD.WIDE R2, R5, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, 0x100, RZ", "@P0 BRA 0x10",
      "EXIT"},
     2,
     ADVANCE_LAUNCH,
     ADVANCE_OTHER},
    {{"NOP", "IMAD.WIDE R2, R5, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, 0x20, RZ", "@P0 BRA 0x10",
      "EXIT"},
     2,
     ADVANCE_LAUNCH,
     ADVANCE_OTHER},
    /* through another instruction its scale is not known: 4 elements or 4 bytes */
    {{"NOP", "IADD3 R7, R5, 0x1, RZ", "IMAD.WIDE R2, R7, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]",
      "IADD3 R5, R5, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     3,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    {{"NOP", "LEA R2, P1, R5, R8, 0x2", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     2,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    {{"NOP", "IADD3 R7, R5, 0x1, RZ", "IMAD.WIDE R2, R7, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]",
      "IADD3 R5, R5, 0x1, RZ", "@P0 BRA 0x10", "EXIT"},
     3,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    {{"NOP", "LEA R2, P1, R5, R8, 0x2", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, 0x2, RZ", "@P0 BRA 0x10", "EXIT"},
     2,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    /* by what is the same in all lanes */
    {{"NOP", "IADD3 R2, P1, PT, R8, UR6, RZ", "LDG.E R4, desc[UR4][R2.64]", "UIADD3 UR6, UR6, 0x40, URZ",
      "@P0 BRA 0x10", "EXIT"},
     2,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    /* registers of other numbers; behind them others that move otherwise */
    {{"NOP", "STG.E desc[UR4][R0.64], R18", "IADD3 R0, P1, PT, R0, 0x4, RZ", "IADD3 R18, R18, 0x40, RZ", "@P0 BRA 0x10",
      "EXIT"},
     1,
     ADVANCE_OWN,
     ADVANCE_OWN},
    {{"NOP", "STG.E desc[UR4][R18.64+0x8], R9", "IADD3 R18, P1, PT, R18, 0x4, RZ", "IADD3 R9, R9, 0x40, RZ",
      "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OWN,
     ADVANCE_OWN},
    {{"NOP", "STG.E desc[UR4][RZ+UR6], R0", "IADD3 R0, R0, 0x40, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_NONE,
     ADVANCE_NONE}, /* an address without a register of a lane's */
    {{"NOP", "IMAD.WIDE R2, R5, 0x4, R8", "LDG.E.128 R4, desc[UR4][R2.64]", "IADD3 R5, R5, 0x4, RZ", "@P0 BRA 0x10",
      "EXIT"},
     2,
     ADVANCE_NONE,
     ADVANCE_NONE}, /* the load itself writes the index */
    /* what carries into the upper half of an address is no step of its own */
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x4, RZ", "IADD3.X R3, R3, R9, RZ, P1, !PT",
      "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OWN,
     ADVANCE_OWN},
    /* by the launch's sizes: at once, or by what is made of them before the loop */
    {{"NOP", "IMAD.WIDE R2, R5, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, c[0x0][0x0], RZ", "@P0 BRA 0x10",
      "EXIT"},
     2,
     ADVANCE_LAUNCH,
     ADVANCE_LAUNCH},
    {{"NOP", "IMAD.WIDE R2, R5, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, c[0x0][0x168], RZ",
      "@P0 BRA 0x10", "EXIT"},
     2,
     ADVANCE_OTHER,
     ADVANCE_OTHER}, /* an argument */
    {{"MOV R9, c[0x0][0x0]", "IMAD R7, R9, c[0x0][0x168], RZ", "IMAD.WIDE R2, R5, 0x4, R8",
      "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, R7, RZ", "@P0 BRA 0x20", "EXIT"},
     3,
     ADVANCE_LAUNCH,
     ADVANCE_LAUNCH},
    {{"MOV R9, c[0x0][0x168]", "IMAD R7, R9, c[0x0][0x168], RZ", "IMAD.WIDE R2, R5, 0x4, R8",
      "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, R7, RZ", "@P0 BRA 0x20", "EXIT"},
     3,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    /* where it begins does not say how far it moves */
    {{"MOV R5, c[0x0][0x0]", "IMAD.WIDE R2, R5, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R5, R5, 0x1, RZ",
      "@P0 BRA 0x10", "EXIT"},
     2,
     ADVANCE_OWN,
     ADVANCE_OWN},
    /* the loop around moves it, where the inner one does not; else the inner one counts */
    {{"NOP", "NOP", "LDG.E R4, desc[UR4][R2.64]", "@P0 BRA 0x20", "IADD3 R2, P1, PT, R2, 0x4, RZ", "@P0 BRA 0x10",
      "EXIT"},
     2,
     ADVANCE_OWN,
     ADVANCE_OWN},
    {{"NOP", "NOP", "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x4, RZ", "@P0 BRA 0x20",
      "IADD3 R2, P1, PT, R2, R9, RZ", "@P0 BRA 0x10", "EXIT"},
     2,
     ADVANCE_OWN,
     ADVANCE_OWN},
    /* two ways through a turn: the one that says least counts */
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "@P2 BRA 0x50", "IADD3 R2, P1, PT, R2, 0x4, RZ", "BRA 0x60",
      "IADD3 R2, P1, PT, R2, R9, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
    {{"NOP", "LDG.E R4, desc[UR4][R2.64]", "@P2 BRA 0x50", "IADD3 R2, P1, PT, R2, R9, RZ", "BRA 0x60",
      "IADD3 R2, P1, PT, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     1,
     ADVANCE_OTHER,
     ADVANCE_OTHER},
};

/* A block of one thread moves on by its own elements. */
static void one_thread(void **state) {
  (void)state;
  static struct made_sass m;
  made_kernel(&m, (const char *const[]){"LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0xc, RZ", "@P0 BRA 0x0",
                                        "EXIT", NULL});
  assert_int_equal(sass_advance_of(&m.sass, 0, 1), ADVANCE_LAUNCH);
  assert_int_equal(sass_advance_of(&m.sass, 0, 2), ADVANCE_OTHER); /* 12 bytes are no two times 4 */
  sass_release(&m.sass);
}

static void how_far(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    enum sass_advance known = sass_advance_of(&m.sass, CASES[i].at, THREADS);
    enum sass_advance unknown = sass_advance_of(&m.sass, CASES[i].at, 0);
    if (known != CASES[i].known || unknown != CASES[i].unknown)
      fail_msg("row %zu: %d, %d", i, (int)known, (int)unknown);
    sass_release(&m.sass);
  }
}

/* blockDim and gridDim, in x, y and z, and what stands beside them. */
static void sizes_of_the_launch(void **state) {
  (void)state;
  static const struct {
    const char *from;
    enum sass_advance is;
  } rows[] = {{"c[0x0][RZ]", ADVANCE_LAUNCH},   {"c[0x0][0x0]", ADVANCE_LAUNCH},  {"c[0x0][0x4]", ADVANCE_LAUNCH},
              {"c[0x0][0x8]", ADVANCE_LAUNCH},  {"c[0x0][0xc]", ADVANCE_LAUNCH},  {"c[0x0][0x10]", ADVANCE_LAUNCH},
              {"c[0x0][0x14]", ADVANCE_LAUNCH}, {"c[0x0][0x18]", ADVANCE_OTHER},  {"c[0x0][0x28]", ADVANCE_OTHER},
              {"c[0x3][0x0]", ADVANCE_OTHER},   {"c[0x0][0x160]", ADVANCE_OTHER}, {"UR6", ADVANCE_OTHER}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    char moves[48];
    snprintf(moves, sizeof moves, "IADD3 R2, P1, PT, R2, %s, RZ", rows[i].from);
    made_kernel(&m, (const char *const[]){"LDG.E R4, desc[UR4][R2.64]", moves, "@P0 BRA 0x0", "EXIT", NULL});
    if (sass_advance_of(&m.sass, 0, 0) != rows[i].is)
      fail_msg("%s", rows[i].from);
    sass_release(&m.sass);
  }
}

/* The launch's size so many instructions before the loop: what is further back is not looked at. */
static void far_from_the_launch(void **state) {
  (void)state;
  for (size_t between = 1; between <= 8; between++) {
    static struct made_sass m;
    static char texts[16][48];
    const char *lines[16] = {"MOV R20, c[0x0][0xc]"};
    size_t n = 1;
    for (; n <= between; n++) {
      snprintf(texts[n], sizeof texts[n], "IADD3 R%zu, R%zu, 0x1, RZ", 20 + n, 19 + n);
      lines[n] = texts[n];
    }
    size_t load = n;
    lines[n++] = "LDG.E R4, desc[UR4][R2.64]";
    snprintf(texts[n], sizeof texts[n], "IADD3 R2, P1, PT, R2, R%zu, RZ", 20 + between);
    lines[n] = texts[n];
    n++;
    snprintf(texts[n], sizeof texts[n], "@P0 BRA 0x%zx", 16 * load);
    lines[n] = texts[n];
    lines[n + 1] = "EXIT";
    made_kernel(&m, lines);
    if (sass_advance_of(&m.sass, load, 0) != (between <= 5 ? ADVANCE_LAUNCH : ADVANCE_OTHER))
      fail_msg("%zu between", between);
    sass_release(&m.sass);
  }
}

/* By a number of the code, of the loop that the access stands in. */
static void how_many_bytes(void **state) {
  (void)state;
  static const struct {
    const char *turn, *back;
    long bytes;
  } rows[] = {{"IADD3 R2, P1, R2, 0x24, RZ", "@P0 BRA 0x0", 36},
              {"IADD3 R2, P1, R2, -0x24, RZ", "@P0 BRA 0x0", -36},
              {"IADD3 R2, P1, R2, R9, RZ", "@P0 BRA 0x0", 0},
              {"NOP", "@P0 BRA 0x0", 0},
              {"IADD3 R2, P1, R2, 0x24, RZ", "NOP", 0}}; /* in no loop */
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    made_kernel(&m, (const char *const[]){"LDG.E R4, desc[UR4][R2.64]", rows[i].turn, rows[i].back, "EXIT", NULL});
    assert_int_equal(sass_moved_bytes(&m.sass, 0), rows[i].bytes);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(how_many_bytes), cmocka_unit_test(how_far),
                                     cmocka_unit_test(one_thread), cmocka_unit_test(sizes_of_the_launch),
                                     cmocka_unit_test(far_from_the_launch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
