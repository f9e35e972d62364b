/* Which kernels only move data: small enough to follow by hand. */
#include "unit/made_sass.h"

static const struct {
  bool moves;
  const char *lines[10];
} cases[] = {
    {true, {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R6.64], R4", "EXIT"}},
    {true,
     {"LDG.E R4, desc[UR4][R2.64]", "STS [R7], R4", "BAR.SYNC 0x0", "LDS R5, [R8]", "STG.E desc[UR4][R6.64], R5",
      "EXIT"}},
    {true,
     {"LDG.E.U8 R4, desc[UR4][R2.64]", "LDG.E.U8 R5, desc[UR4][R2.64+0x1]", "PRMT R9, R4, 0x3340, R5", "MOV R10, R9",
      "STG.E desc[UR4][R6.64], R10", "EXIT"}},
    {false, {"LDG.E R4, desc[UR4][R2.64]", "FADD R4, R4, R4", "STG.E desc[UR4][R6.64], R4", "EXIT"}},
    {false,
     {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R2.64+0x4]", "FADD R5, R5, R5", "STG.E desc[UR4][R6.64], R4",
      "STG.E desc[UR4][R6.64+0x4], R5", "EXIT"}},
    {false,
     {"LDG.E R4, desc[UR4][R2.64]", "@P0 FADD R4, R5, R5", "STG.E desc[UR4][R6.64], R4", "EXIT"}}, /* on one way */
    {false,
     {"LDG.E R4, desc[UR4][R2.64]", "FADD R4, R4, R5", "STS [R7], R4", "LDS R5, [R8]", "STG.E desc[UR4][R6.64], R5",
      "EXIT"}},
    {false, {"MOV R4, 0x1", "STG.E desc[UR4][R6.64], R4", "EXIT"}},
    {false, {"STG.E desc[UR4][R6.64], RZ", "EXIT"}},
    {false, {"LDG.E R4, desc[UR4][R2.64]", "EXIT"}}, /* it stores nothing */
    {false, {"LDG.E R4, desc[UR4][R2.64]", "STS [R7], R4", "EXIT"}},
    {false,
     {"LDG.E R4, desc[UR4][R2.64]", "REDG.E.ADD.STRONG.GPU desc[UR4][R8.64], R4", "STG.E desc[UR4][R6.64], R4",
      "EXIT"}},
    {false,
     {"LDG.E R4, desc[UR4][R2.64]", "MOV R4, R4", "MOV R4, R4", "MOV R4, R5", "STG.E desc[UR4][R6.64], R4", "EXIT"}},
    /* the address is computed, of one or two registers as what is stored */
    {true,
     {"S2R R5, SR_TID.X", "ULDC.64 UR4, c[0x0][0x118]", "IMAD.WIDE R2, R5, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]",
      "STG.E desc[UR4][R2.64], R4", "EXIT"}},
    {true,
     {"S2R R5, SR_TID.X", "ULDC.64 UR4, c[0x0][0x118]", "IMAD.WIDE R2, R5, 0x8, R8", "LDG.E.64 R4, desc[UR4][R2.64]",
      "STG.E.64 desc[UR4][R2.64], R4", "EXIT"}},
    /* what never runs, or is not reached, computes nothing */
    {true,
     {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R6.64], R4", "EXIT", "FADD R5, R4, R4",
      "STG.E desc[UR4][R6.64], R5"}},
    {true,
     {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R6.64], R4", "FADD R5, R4, R4", "@!PT STG.E desc[UR4][R6.64], R5",
      "EXIT"}},
    {true,
     {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R6.64], R4", "EXIT",
      "REDG.E.ADD.STRONG.GPU desc[UR4][R8.64], R4"}},
    {false, {"LDG.E R4, desc[UR4][R2.64]", "HMMA.16816.F32 R8, R8, R12, R8", "STG.E desc[UR4][R6.64], R4", "EXIT"}},
};

static void what_moves(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, cases[i].lines);
    if (sass_only_moves(&m.sass) != cases[i].moves)
      fail_msg("case %zu", i);
    sass_release(&m.sass);
  }
}

/* What was counted says whether the computed value is ever stored. */
static void what_is_executed(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R4, desc[UR4][R2.64]",
                                      "FADD R5, R4, R4",
                                      "STG.E desc[UR4][R6.64], R4",
                                      "@P0 STG.E desc[UR4][R6.64], R5",
                                      "EXIT",
                                      NULL};
  for (int times = 0; times < 3; times++) {
    static struct made_sass m;
    const double executed[] = {1, 1, 1, times, 1};
    made_kernel(&m, lines);
    assert_false(sass_only_moves(&m.sass));
    made_counts(&m, executed);
    assert_int_equal(sass_only_moves(&m.sass), times == 0);
    sass_release(&m.sass);
  }
}

/* So many lines of the same between the first and the last two. */
static bool moves_through(const char *first, const char *line, size_t n, const char *last) {
  static struct made_sass m;
  const char *lines[MADE_INSTS] = {first};
  for (size_t i = 1; i <= n; i++)
    lines[i] = line;
  lines[n + 1] = last;
  lines[n + 2] = "EXIT";
  made_kernel(&m, lines);
  bool moves = sass_only_moves(&m.sass);
  sass_release(&m.sass);
  return moves;
}

/* Further back than a compiler hands a value on, or from more places than it puts it together: it is not said. */
static void how_far_it_is_followed(void **state) {
  (void)state;
  static const char load[] = "LDG.E R4, desc[UR4][R2.64]", store[] = "STG.E desc[UR4][R6.64], R4";
  assert_true(moves_through(load, "MOV R4, R4", 7, store));
  assert_false(moves_through(load, "MOV R4, R4", 8, store));
  assert_true(moves_through(load, "@P0 LDG.E R4, desc[UR4][R8.64]", 15, store));
  assert_false(moves_through(load, "@P0 LDG.E R4, desc[UR4][R8.64]", 16, store));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_moves), cmocka_unit_test(what_is_executed),
                                     cmocka_unit_test(how_far_it_is_followed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
