/* Which kernels reduce a block by a tree in shared memory: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/tree.h"

#define LOOP_HEAD "BAR.SYNC.DEFER_BLOCKING 0x0", "SHF.R.U32.HI R6, RZ, 0x1, R6", "ISETP.GE.AND P1, PT, R9, R6, PT"
#define LOOP_TAIL "ISETP.NE.AND P2, PT, R6, RZ, PT", "@P2 BRA 0x0", "EXIT"
#define STEP(guard, offset)                                                                                            \
  guard " LDS R4, [R9]", guard " LDS R11, [R9+" offset "]", guard " FADD R4, R4, R11", guard " STS [R9], R4",          \
      "BAR.SYNC.DEFER_BLOCKING 0x0"

static const struct {
  const char *of; /* of each line: - not of the tree, p part of it, s a step; "" where there is no tree */
  size_t levels;
  const char *lines[24];
} cases[] = {
    /* s[t] += s[t + i], i halved */
    {"ppppppspppp-",
     1,
     {LOOP_HEAD, "@!P1 IMAD R2, R6, 0x4, R4", "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R2]",
      "@!P1 IMAD.IADD R3, R3, 0x1, R2", "@!P1 STS [R4], R3", "NOP", LOOP_TAIL}},
    /* the thread's own value stays in a register */
    {"", 1, {LOOP_HEAD, "@!P1 LDS R2, [R4+0x40]", "@!P1 FADD R8, R8, R2", "@!P1 STS [R4], R8", LOOP_TAIL}},
    /* a maximum of doubles */
    {"",
     1,
     {LOOP_HEAD, "@!P1 IMAD R2, R6, 0x8, R4", "@!P1 LDS.64 R12, [R4]", "@!P1 LDS.64 R14, [R2]",
      "@!P1 DADD R12, R12, R14", "@!P1 STS.64 [R4], R12", LOOP_TAIL}},
    /* pairs that lie side by side, stored elsewhere behind a barrier, by half as many threads a turn */
    {"",
     1,
     {LOOP_HEAD, "@!P1 LDS.64 R2, [R5]", "BAR.SYNC.DEFER_BLOCKING 0x0", "@!P1 FADD R12, R2, R3",
      "@!P1 FMUL R12, R12, 0.70709997415542602539", "@!P1 STS [R4], R12", LOOP_TAIL}},
    /* two such levels a turn, the second's load under another guard than the first's */
    {"",
     2,
     {LOOP_HEAD, "@!P1 LDS.64 R2, [R5]", "BAR.SYNC.DEFER_BLOCKING 0x0", "@!P1 FADD R12, R2, R3", "@!P1 STS [R4], R12",
      "SHF.R.U32.HI R6, RZ, 0x1, R6", "ISETP.GE.AND P0, PT, R9, R6, PT", "@!P0 LDS.64 R2, [R5]",
      "BAR.SYNC.DEFER_BLOCKING 0x0", "@P0 BRA 0xf0", "FADD R12, R2, R3", "STS [R4], R12", "BAR.SYNC.DEFER_BLOCKING 0x0",
      LOOP_TAIL}},
    /* as many threads in each turn */
    {"",
     0,
     {"BAR.SYNC.DEFER_BLOCKING 0x0", "IADD3 R6, R6, -0x1, RZ", "LDS R3, [R4]", "LDS R2, [R4+0x4]", "FADD R3, R3, R2",
      "STS [R4], R3", LOOP_TAIL}},
    /* no barrier in a turn */
    {"",
     0,
     {"SHF.R.U32.HI R6, RZ, 0x1, R6", "IMAD R2, R6, 0x4, R4", "LDS R3, [R4]", "LDS R2, [R2]", "FADD R3, R3, R2",
      "STS [R4], R3", LOOP_TAIL}},
    /* a scan: what a turn reads it has read before any thread stores */
    {"",
     0,
     {LOOP_HEAD, "IMAD R2, R6, 0x4, R4", "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R2]", "BAR.SYNC.DEFER_BLOCKING 0x0",
      "@!P1 FADD R3, R3, R2", "@!P1 STS [R4], R3", LOOP_TAIL}},
    /* a butterfly gives both values back */
    {"",
     0,
     {LOOP_HEAD, "IMAD R2, R6, 0x4, R4", "LDS R3, [R4]", "LDS R5, [R2]", "FADD R7, R3, R5", "FADD R8, R3, -R5",
      "STS [R4], R7", "STS [R2], R8", LOOP_TAIL}},
    /* a product of three is no reduction */
    {"",
     0,
     {LOOP_HEAD, "IMAD R2, R6, 0x4, R4", "LDS R3, [R4]", "LDS R5, [R2]", "FFMA R7, R3, R5, R3", "STS [R4], R7",
      LOOP_TAIL}},
    /* written out */
    {"ppsppppsppppspp-", 3, {STEP("@!P0", "0x80"), STEP("@!P1", "0x40"), STEP("@!P2", "0x20"), "EXIT"}},
    {"", 0, {STEP("@!P0", "0x80"), "EXIT"}},
    {"", 0, {STEP("@!P0", "0x80"), STEP("@!P1", "0x80"), "EXIT"}}, /* at one distance */
    {"",
     0,
     {"@!P0 LDS R4, [R9]", "@!P0 LDS R11, [R9+0x80]", "@!P0 FADD R4, R4, R11", "@!P0 STS [R9], R4", "@!P0 LDS R4, [R9]",
      "@!P0 LDS R11, [R9+0x40]", "@!P0 FADD R4, R4, R11", "@!P0 STS [R9], R4", "EXIT"}}, /* no barrier */
    {"", 0, {STEP("@!P0", "0x80"), "MOV R9, R20", STEP("@!P1", "0x40"), "EXIT"}},        /* of two places */
};

static void what_trees(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    struct sass_tree t;
    char of[MADE_INSTS + 1] = "";
    made_kernel(&m, cases[i].lines);
    sass_tree_make(&t, &m.sass);
    for (size_t k = 0; k < m.sass.n; k++)
      of[k] = "-ps"[t.of[k]];
    if (t.levels != cases[i].levels || (cases[i].of[0] && strcmp(of, cases[i].of) != 0))
      fail_msg("case %zu: %zu levels, %s", i, t.levels, of);
    assert_true(t.levels > 0 || strspn(of, "-") == m.sass.n);
    sass_tree_release(&t);
    assert_null(t.of);
    sass_release(&m.sass);
  }
}

/* Of two values one, in either order. */
static void what_combines(void **state) {
  (void)state;
  static const struct {
    const char *by;
    bool combines;
  } rows[] = {{"FADD R4, R4, R11", true},
              {"FADD R4, R11, R4", true},
              {"FMNMX R4, R4, R11, !PT", true},
              {"FMUL R4, R4, R11", true},
              {"HADD2 R4, R4, R11", true},
              {"HMNMX2 R4, R4, R11, !PT", true},
              {"HMUL2 R4, R4, R11", true},
              {"IADD3 R4, R4, R11, RZ", true},
              {"VIADD R4, R4, R11", true},
              {"IADD R4, R4, R11", true},
              {"IMNMX R4, R4, R11, PT", true},
              {"VIMNMX R4, R4, R11, PT", true},
              {"LOP3.LUT R4, R4, R11, RZ, 0xfc, !PT", true},
              {"VIADDMNMX R4, R4, R11, RZ, PT", true},
              {"IMAD.IADD R4, R4, 0x1, R11", true},
              {"IMAD R4, R4, R11, RZ", false}, /* of their order nothing is known */
              {"FFMA R4, R4, R11, RZ", false},
              {"SHF.L.U32 R4, R4, R11, RZ", false},
              {"IADD3 R4, R4, R11, R12", false}, /* of three */
              {"FADD R4, R4, R4", false},        /* of one twice */
              {"FADD R4, R4, R12", false}};      /* the other is of no place */
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static struct made_sass m;
    struct sass_tree t;
    const char *const lines[] = {"LDS R4, [R9]",
                                 "LDS R11, [R9+0x80]",
                                 rows[i].by,
                                 "STS [R9], R4",
                                 "BAR.SYNC.DEFER_BLOCKING 0x0",
                                 "LDS R4, [R9]",
                                 "LDS R11, [R9+0x40]",
                                 rows[i].by,
                                 "STS [R9], R4",
                                 "BAR.SYNC.DEFER_BLOCKING 0x0",
                                 "EXIT",
                                 NULL};
    made_kernel(&m, lines);
    sass_tree_make(&t, &m.sass);
    if (t.levels != (rows[i].combines ? 2 : 0))
      fail_msg("%s: %zu levels", rows[i].by, t.levels);
    sass_tree_release(&t);
    sass_release(&m.sass);
  }
}

/* Four registers are no value, and padding is no store or barrier. */
static void what_is_no_level(void **state) {
  (void)state;
  static const char *const none[][12] = {
      {"LDS.128 R4, [R9]", "LDS.128 R12, [R9+0x80]", "FADD R4, R4, R12", "STS.128 [R9], R4",
       "BAR.SYNC.DEFER_BLOCKING 0x0", "LDS.128 R4, [R9]", "LDS.128 R12, [R9+0x40]", "FADD R4, R4, R12",
       "STS.128 [R9], R4", "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
      {"LDS R4, [R9]", "LDS R11, [R9+0x80]", "FADD R4, R4, R11", "STS [R9], R4", "BAR.SYNC.DEFER_BLOCKING 0x0",
       "LDS R4, [R9]", "LDS R11, [R9+0x40]", "FADD R4, R4, R11", "@!PT STS [R9], R4", "BAR.SYNC.DEFER_BLOCKING 0x0",
       "EXIT"},
      {"LDS R4, [R9]", "LDS R11, [R9+0x80]", "FADD R4, R4, R11", "STS [R9], R4", "@!PT BAR.SYNC.DEFER_BLOCKING 0x0",
       "LDS R4, [R9]", "LDS R11, [R9+0x40]", "FADD R4, R4, R11", "STS [R9], R4", "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
      {"LDG.E R4, desc[UR4][R2.64]", "LDS R11, [R9+0x80]", "FADD R4, R4, R11", "STS [R9], R4",
       "BAR.SYNC.DEFER_BLOCKING 0x0", "LDG.E R4, desc[UR4][R2.64]", "LDS R11, [R9+0x40]", "FADD R4, R4, R11",
       "STS [R9], R4", "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"}};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    static struct made_sass m;
    struct sass_tree t;
    made_kernel(&m, none[i]);
    sass_tree_make(&t, &m.sass);
    if (t.levels != 0)
      fail_msg("case %zu: %zu levels", i, t.levels);
    sass_tree_release(&t);
    sass_release(&m.sass);
  }
}

/* 4 warps go through 5 levels, which are a warp's, or through 6. */
static void levels_of_a_warp(void **state) {
  (void)state;
  static const char *const lines[] = {STEP("@!P0", "0x80"),
                                      STEP("@!P0", "0x40"),
                                      STEP("@!P0", "0x20"),
                                      STEP("@!P0", "0x10"),
                                      STEP("@!P0", "0x8"),
                                      STEP("@!P0", "0x4"),
                                      "EXIT",
                                      NULL};
  for (size_t levels = 5; levels <= 6; levels++) {
    static struct made_sass m;
    struct sass_tree t;
    double executed[31];
    for (size_t i = 0; i < 31; i++)
      executed[i] = 4;
    made_kernel(&m, lines + 5 * (6 - levels));
    made_counts(&m, executed);
    sass_tree_make(&t, &m.sass);
    assert_int_equal(t.levels, levels);
    assert_true(t.entered == 4 && t.in_warp == (levels == 5 ? 4 : 0) && t.warp_turns == (levels == 5 ? 20 : 0));
    sass_tree_release(&t);
    sass_release(&m.sass);
  }
}

/* A loop of 4 warps in 8 turns, and 4 warps through what is written out. */
static void how_often(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_tree t;
  made_kernel(&m, cases[0].lines);
  made_counts(&m, (const double[]){32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 4});
  sass_tree_make(&t, &m.sass);
  assert_true(t.turns == 32 && t.entered == 0);
  sass_tree_release(&t);
  sass_release(&m.sass);
  made_kernel(&m, cases[10].lines);
  made_counts(&m, (const double[]){4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4});
  sass_tree_make(&t, &m.sass);
  assert_true(t.turns == 0 && t.entered == 4 && t.in_warp == 4 && t.warp_turns == 12);
  sass_tree_release(&t);
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_trees), cmocka_unit_test(what_combines),
                                     cmocka_unit_test(what_is_no_level), cmocka_unit_test(levels_of_a_warp),
                                     cmocka_unit_test(how_often)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
