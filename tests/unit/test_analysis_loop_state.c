/* What turns hand on, beside sums and products in registers. */
#include "analysis/idioms/block_work.h"
#include "analysis/idioms/loop_state.h"
#include "unit/made_sass.h"

#include <stdlib.h>

/* A number that counts what is below a bound, and how often the loop may turn. */
#define COUNT(test, to, stay, place)                                                                                   \
  "LDG.E R5, desc[UR4][R2.64]", ("FSETP.GEU.AND P1, PT, " test ", R9, PT"), ("@P1 BRA " to), "VIADD R8, R8, 0x1",      \
      ("STG.E desc[UR4][" place ".64], R5"), "VIADD R7, R7, 0x1", "ISETP.LT.AND P2, PT, R8, R10, PT",                  \
      "ISETP.LT.AND P0, PT, R7, R11, PT", stay, "EXIT"

/* A thread's step is made of what another has left beside its place. */
#define STEP(barrier, other, value, base)                                                                              \
  "LDC.64 R2, c[0x0][0x218]", base, ("IMAD.WIDE R4, " other ", 0x4, R2"), "IMAD.WIDE R6, R21, 0x4, R10",               \
      "LDG.E R8, desc[UR4][R4.64]", ("FADD R9, " value ", R12"), "STG.E desc[UR4][R6.64], R9", barrier,                \
      "VIADD R20, R20, 0x1", "@P0 BRA 0x20", "EXIT"

/* A byte of a state goes through a table again and again. */
#define HASH(first, place, stores)                                                                                     \
  first, "LDC.U8 R5, c[0x3][R4]", ("LOP3.LUT R4, " place ", R5, RZ, 0x3c, !PT"), "@P1 BRA 0x10", stores,               \
      "@P0 BRA 0x0", "EXIT"

static const struct {
  bool count, steps, state;
  const char *lines[12];
} CASES[] = {
    {true, false, false, {COUNT("R5", "0x50", "@P2 BRA 0x0", "R8")}},
    {false, false, false, {COUNT("R5", "0x50", "@P0 BRA 0x0", "R8")}},  /* it ends by the turns */
    {false, false, false, {COUNT("R5", "0x30", "@P2 BRA 0x0", "R8")}},  /* every turn counts */
    {false, false, false, {COUNT("R5", "0x50", "@P2 BRA 0x0", "R12")}}, /* what it counts is put together of parts */
    {false, true, false, {STEP("BAR.SYNC.DEFER_BLOCKING 0x0", "R20", "R8", "LDC.64 R10, c[0x0][0x218]")}},
    {false, false, false, {STEP("NOP", "R20", "R8", "LDC.64 R10, c[0x0][0x218]")}},
    {false, false, false, {STEP("BAR.SYNC.DEFER_BLOCKING 0x0", "R20", "R12", "LDC.64 R10, c[0x0][0x218]")}},
    {false, false, false, {STEP("BAR.SYNC.DEFER_BLOCKING 0x0", "R20", "R8", "LDC.64 R10, c[0x0][0x220]")}},
    {false, false, true, {HASH("LDL R4, [R1+0x10]", "R4", "STL [R1+0x10], R4")}},
    {false, false, false, {HASH("LDL R4, [R1+0x10]", "R4", "NOP")}}, /* no state is kept */
};

static void hands_on(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    bool count = false, steps = false, keeps = false;
    made_kernel(&m, CASES[i].lines);
    for (size_t l = 0; l < m.sass.n_loops; l++) {
      count = count || sass_ends_by_own_count(&m.sass, l);
      steps = steps || sass_steps_through_array(&m.sass, l);
      keeps = keeps || sass_keeps_state_of_tables(&m.sass, l);
    }
    if (count != CASES[i].count || steps != CASES[i].steps || keeps != CASES[i].state)
      fail_msg("row %zu: %d %d %d", i, count, steps, keeps);
    sass_release(&m.sass);
  }
}

/* Sums in global memory: at one place, which is no other's, at one that moves on, at two of one array. */
#define ADDED(place) "LDG.E R8, desc[UR4][" place "]", "FADD R8, R8, R12", "STG.E desc[UR4][" place "], R8"
static void adds_in_place(void **state) {
  static const struct {
    size_t store;
    const char *lines[14];
  } rows[] = {
      {SASS_NONE, {"LDC.64 R2, c[0x0][0x218]", ADDED("R2.64"), "@P0 BRA 0x10", "EXIT"}},
      {SASS_NONE, {"LDC.64 R2, c[0x0][0x218]", ADDED("R2.64"), "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"}},
      {4,
       {"LDC.64 R2, c[0x0][0x218]", "IMAD.WIDE R4, R20, 0x4, R2", ADDED("R4.64"), "IMAD.WIDE R6, R21, 0x4, R2",
        ADDED("R6.64"), "VIADD R20, R20, 0x1", "VIADD R21, R21, 0x1", "@P0 BRA 0x10", "EXIT"}},
      {SASS_NONE,
       {"LDC.64 R2, c[0x0][0x218]", "LDG.E R8, desc[UR4][R2.64]", "FADD R8, R9, R12", "STG.E desc[UR4][R2.64], R8",
        "@P0 BRA 0x10", "EXIT"}},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    made_kernel(&m, rows[i].lines);
    assert_int_equal(m.sass.n_loops, 1);
    if (sass_adds_in_place(&m.sass, 0) != rows[i].store)
      fail_msg("row %zu: %zu", i, sass_adds_in_place(&m.sass, 0));
    sass_release(&m.sass);
  }
}

/* "if (threadIdx.x == 0)" */
static void branch_for_one(void **state) {
  static const char *const lines[][8] = {{"S2R R2, SR_TID.X", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA 0x40",
                                          "FADD R4, R4, R5", "FADD R5, R5, R5", "EXIT"},
                                         {"S2R R2, SR_TID.X", "ISETP.NE.AND P0, PT, R2, R3, PT", "@P0 BRA 0x40",
                                          "FADD R4, R4, R5", "FADD R5, R5, R5", "EXIT"}};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    static struct made_sass m;
    made_kernel(&m, lines[i]);
    assert_int_equal(sass_branch_for_one(&m.sass, 2), i == 0);
    sass_release(&m.sass);
  }
}

/* What no other thread comes to: up to where the others join, and the loop in it. */
static void what_one_thread_runs(void **state) {
  static const struct {
    const char *lines[12];
    const char *alone; /* of each instruction */
  } rows[] = {
      {{"S2R R2, SR_TID.X", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA 0x60", "FADD R4, R4, R5", "FADD R5, R5, R5",
        "@P1 BRA 0x40", "BAR.SYNC 0x0", "EXIT"},
       "00011100"},
      {{"S2R R2, SR_TID.X", "ISETP.EQ.AND P0, PT, R2, RZ, PT", "@P0 BRA 0x60", "FADD R4, R4, R5", "FADD R5, R5, R5",
        "@P1 BRA 0x40", "BAR.SYNC 0x0", "EXIT"},
       "00000000"},
      {{"S2R R2, SR_TID.X", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 EXIT", "FADD R4, R4, R5", "@P1 BRA 0x60",
        "FADD R5, R5, R5", "EXIT"},
       "0001111"},
      {{"S2R R2, SR_TID.X", "ISETP.NE.AND P0, PT, R2, R3, PT", "@P0 BRA 0x40", "FADD R4, R4, R5", "EXIT"}, "00000"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    made_kernel(&m, rows[i].lines);
    bool *alone = sass_alone_make(&m.sass);
    for (size_t k = 0; k < m.sass.n; k++)
      if (alone[m.sass.block_of[k]] != (rows[i].alone[k] == '1'))
        fail_msg("row %zu, instruction %zu", i, k);
    free(alone);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hands_on), cmocka_unit_test(adds_in_place),
                                     cmocka_unit_test(branch_for_one), cmocka_unit_test(what_one_thread_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
