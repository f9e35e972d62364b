/* Loops whose turns other threads can make, and what is said of them. */
#include "analysis/rules/split_words.h"
#include "analysis/signs/split_loop.h"
#include "unit/judged_launch.h"

/* Counts that samples share out do not say how often a loop is entered: its turns over the
 * grid's 16 warps, or over those of the loop around it. */
static void turns_by_estimates(void **state) {
  static const struct judged_case one = {.also = blocks_2,
                                         .lines = {"MOV R2, R6", "LDG.E.64 R8, desc[UR4][R2.64]", "@P0 BRA 0x10",
                                                   "EXIT"},
                                         .executed = {16, 16496, 16496, 16}},
                                  nest = {.also = blocks_2,
                                          .lines = {"MOV R2, R6", "IADD3 R2, R2, R3, RZ",
                                                    "LDG.E.64 R8, desc[UR4][R2.64]", "@P0 BRA 0x20", "@P1 BRA 0x10",
                                                    "EXIT"},
                                          .executed = {16, 16e4, 32e4, 32e4, 16e4, 16}};
  static const struct {
    const struct judged_case *c;
    double least;
    const char *want;
    double turns;
  } cases[] = {
      {&one, 5, "each thread runs many iterations of its loop: split that loop over lanes or blocks!", 1000},
      {&one, 1001, NULL},
      {&nest, 5, "each thread runs many iterations of its loop: split that loop over lanes or blocks!", 10000}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct judged j;
    struct split_loop t;
    judged_make(&j, cases[i].c, NULL);
    j.in.sass->estimated = true;
    for (size_t l = 0; l < j.in.sass->n_loops; l++)
      j.in.sass->loops[l].trips = value_absent("estimates");
    assert_int_equal(split_loop_of(&t, &j.in, cases[i].least), cases[i].want != NULL);
    if (cases[i].want)
      assert_float_equal(t.turns, cases[i].turns, 0);
    if (cases[i].want)
      assert_string_equal(split_loop_words(&j.in, &t, "!"), cases[i].want);
    judged_release(&j);
  }
}

/* Loops whose turns are given away otherwise, or not at all. */
static void turns_of_other_loops(void **state) {
#define TURNS(...)                                                                                                     \
  {                                                                                                                    \
    .also = blocks_2, .lines = {__VA_ARGS__}, .executed = { 16, 16, 16, 1600, 1600, 1600, 1600, 16, 16 }               \
  }
  static const struct judged_case
      /* 2 blocks of 256 threads */
      strides = TURNS("MOV R2, R6", "NOP", "NOP", "LDG.E R8, desc[UR4][R2.64]", "IADD3 R2, P1, R2, 0x200, RZ", "NOP",
                      "@P0 BRA 0x30", "NOP", "EXIT"),
      by_launch = TURNS("MOV R2, R6", "LDC R3, c[0x0][0xc]", "NOP", "LDG.E R8, desc[UR4][R2.64]",
                        "IADD3 R2, P1, R2, R3, RZ", "NOP", "@P0 BRA 0x30", "NOP", "EXIT"),
      less = TURNS("MOV R2, R6", "NOP", "NOP", "LDG.E R8, desc[UR4][R2.64]", "IADD3 R2, P1, R2, 0x100, RZ", "NOP",
                   "@P0 BRA 0x30", "NOP", "EXIT"),
      other = TURNS("MOV R2, R6", "NOP", "NOP", "LDG.E R8, desc[UR4][R2.64]", "IADD3 R2, P1, R3, 0x200, RZ", "NOP",
                    "@P0 BRA 0x30", "NOP", "EXIT"),
      beside = TURNS("S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "MOV R6, RZ", "LDG.E R8, desc[UR4][R2.64]",
                     "IADD3 R6, R6, 0x1, RZ", "NOP", "@P0 BRA 0x30", "NOP", "EXIT"),
      apart = TURNS("S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x40, RZ", "MOV R6, RZ", "LDG.E R8, desc[UR4][R2.64]",
                    "IADD3 R6, R6, 0x1, RZ", "NOP", "@P0 BRA 0x30", "NOP", "EXIT"),
      far = TURNS("S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4000, RZ", "MOV R6, RZ", "LDG.E R8, desc[UR4][R2.64]",
                  "IADD3 R2, P1, R2, 0x800, RZ", "NOP", "@P0 BRA 0x30", "NOP", "EXIT"),
      both = TURNS("S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x40, RZ", "IMAD.WIDE R4, R0, 0x4, RZ",
                   "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R4.64]", "NOP", "@P0 BRA 0x30", "NOP", "EXIT"),
      halves = TURNS("MOV R2, R6", "NOP", "NOP", "LDS R8, [R2]", "BAR.SYNC.DEFER_BLOCKING 0x0",
                     "SHF.R.U32.HI R2, RZ, 0x1, R2", "@P0 BRA 0x30", "NOP", "EXIT"),
      strikes = TURNS("LDC.64 R2, c[0x0][0x218]", "NOP", "LDG.E R8, desc[UR4][R2.64]", "LDG.E R8, desc[UR4][R2.64]",
                      "SHFL.DOWN PT, R5, R8, 0x1, 0x1f", "IMAD.WIDE R6, R5, 0x4, R2", "STG.E desc[UR4][R6.64], R10",
                      "BAR.SYNC.DEFER_BLOCKING 0x0", "@P0 BRA 0x30"),
      alone = TURNS("MOV R2, R6", "NOP", "NOP", "LDG.E R8, desc[UR4][R2.64]", "NOP", "SHF.R.U32.HI R2, RZ, 0x1, R2",
                    "@P0 BRA 0x30", "NOP", "EXIT");
#undef TURNS
  static const struct {
    const struct judged_case *c;
    const char *want; /* NULL: none to split */
  } cases[] = {
      {&strides,
       "launch more blocks, up to 80 (2 now); the loop strides by a number that the code has for that: change it, too"},
      {&by_launch,
       "launch more blocks, up to 80 (2 now): the loop strides by the grid, so that each runs fewer iterations"},
      {&less, "each thread runs about 100 iterations of its loop, as compiled: split that loop over lanes or blocks!"},
      {&other, "each thread runs about 100 iterations of its loop, as compiled: split that loop over lanes or blocks!"},
      {&beside,
       "each thread runs about 100 iterations of its loop, as compiled: split that loop over warps or blocks (its lanes\' "
       "loads are coalesced already)"},
      {&apart,
       "each thread runs about 100 iterations of its loop, as compiled: split that loop over the lanes of a warp (their loads "
       "then lie side by side)"},
      {&far, "each thread runs about 100 iterations of its loop, as compiled: split that loop over lanes or blocks!"},
      {&both, "each thread runs about 100 iterations of its loop, as compiled: split that loop over lanes or blocks!"},
      {&halves, NULL},
      {&strikes, NULL},
      {&alone,
       "each thread runs about 100 iterations of its loop, as compiled: split that loop over lanes or blocks!"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct judged j;
    struct split_loop t;
    judged_make(&j, cases[i].c, NULL);
    bool told = split_loop_of(&t, &j.in, 5);
    if (told != (cases[i].want != NULL))
      fail_msg("case %zu", i);
    if (told)
      assert_string_equal(t.strides ? split_grid_words(&j.in, &t, 80) : split_loop_words(&j.in, &t, "!"),
                          cases[i].want);
    judged_release(&j);
  }
}

/* A block of 1024 threads has no more warps. */
static void full_blocks_take_no_warps(void **state) {
  (void)state;
  static const struct judged_case kernel = {.also = blocks_2, .lines = {"MOV R2, R6", "EXIT"}, .executed = {16, 16}};
  const struct split_loop t = {.by = SPLIT_WARPS};
  for (unsigned threads = 992; threads <= 1024; threads += 32) {
    static struct judged j;
    judged_make(&j, &kernel, NULL);
    j.d.m.results[0].launches->block[0] = threads;
    const char *words = split_loop_words(&j.in, &t, "");
    assert_int_equal(strstr(words, "over warps or blocks") != NULL, threads < 1024);
    assert_non_null(strstr(words, "blocks (its lanes' loads are coalesced already)"));
    for (int by = SPLIT_ANYHOW; by <= SPLIT_LANES; by++) {
      const struct split_loop other = {.by = (enum split_by)by};
      bool full = strstr(split_loop_words(&j.in, &other, ""), "over more blocks (a block holds no more threads)");
      assert_int_equal(full, threads == 1024 && by != SPLIT_WARPS);
    }
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(turns_by_estimates), cmocka_unit_test(full_blocks_take_no_warps),
                                     cmocka_unit_test(turns_of_other_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
