/* Loads that bring the address that they load from next. */
#include "analysis/idioms/chases.h"
#include "unit/made_sass.h"

#include <math.h>

/* Of the load in the second line, and of all bytes the part that chases; each line of the loop runs 10 times, others once. */
static const struct {
  bool chases;
  double part;
  const char *lines[10];
} CASES[] = {
    {true, 1, {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"}},
    {true, 1, {"MOV R2, R6", "LDG.E.64 R8, desc[UR4][R2.64]", "IMAD.WIDE R2, R8, 0x8, R6", "@P0 BRA 0x10", "EXIT"}},
    /* a counter, and an index that another load brings */
    {false, 0, {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"}},
    {false,
     0,
     {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "IMAD.WIDE R4, R8, 0x4, R10", "LDG.E R9, desc[UR4][R4.64]",
      "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"}},
    /* of two loads each brings the other's address */
    {true,
     1,
     {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "IMAD.WIDE R4, R8, 0x4, R10", "LDG.E R9, desc[UR4][R4.64]",
      "IMAD.WIDE R2, R9, 0x4, R10", "@P0 BRA 0x10", "EXIT"}},
    /* 8 bytes chase, and 16 come beside them */
    {true,
     1.0 / 3,
     {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R4.64]", "IADD3 R4, R4, 0x10, RZ",
      "@P0 BRA 0x10", "EXIT"}},
    /* what is loaded decides where to go on, and does not bring it */
    {false,
     0,
     {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "ISETP.GE.AND P1, PT, R8, RZ, PT", "SEL R2, R4, R5, P1",
      "@P0 BRA 0x10", "EXIT"}},
    /* no loop; through shared memory nothing is followed */
    {false, 0, {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "LDG.E.64 R2, desc[UR4][R2.64]", "EXIT"}},
    {false, 0, {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "LDS R2, [R8]", "@P0 BRA 0x10", "EXIT"}},
};

static void what_chases(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    double executed[10] = {0};
    made_kernel(&m, CASES[i].lines);
    assert_true(sass_chased_part(&m.sass) == 0); /* not counted */
    for (size_t k = 0; k < m.sass.n; k++)
      executed[k] = m.sass.blocks[m.sass.block_of[k]].loop == SASS_NONE ? 1 : 10;
    made_counts(&m, executed);
    if (sass_chases(&m.sass, 1) != CASES[i].chases || fabs(sass_chased_part(&m.sass) - CASES[i].part) > 1e-9)
      fail_msg("row %zu: part %g", i, sass_chased_part(&m.sass));
    assert_false(sass_chases(&m.sass, 0));
    sass_release(&m.sass);
  }
}

/* The place halves what a comparison of the value chose; or it does not halve; or the value itself is in it. */
static void what_searches(void **state) {
  (void)state;
  static const struct {
    bool searches;
    const char *middle, *next;
  } rows[] = {{true, "SHF.R.S32.HI R7, RZ, 0x1, R0", "SEL R0, R7, R0, P1"},
              {false, "IADD3 R7, R0, 0x1, RZ", "SEL R0, R7, R0, P1"},
              {false, "SHF.R.S32.HI R7, RZ, 0x2, R0", "SEL R0, R7, R0, P1"},
              {false, "SHF.R.S32.HI R7, RZ, 0x1, R0", "IADD3 R0, R7, R4, RZ"},
              {false, "SHF.R.S32.HI R7, RZ, 0x1, R0", "IADD3 R0, R7, 0x1, RZ"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    made_kernel(&m, (const char *const[]){"MOV R0, R6", rows[i].middle, "IMAD.WIDE R2, R7, 0x4, R8",
                                          "LDG.E R4, desc[UR4][R2.64]", "ISETP.GT.AND P1, PT, R4, R10, PT",
                                          rows[i].next, "@P0 BRA 0x10", "EXIT", NULL});
    if (sass_searches(&m.sass, 3) != rows[i].searches)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

/* A tree is walked down by bits of a word, R6, to a leaf; the loop around goes on to the next leaf. */
static void what_goes_on(void **state) {
  (void)state;
  static const struct {
    bool goes_on;
    const char *before, *anew, *ends;
  } rows[] = {
      {true, "MOV R6, RZ", "NOP", "ISETP.GT.AND P1, PT, R9, -0x1, PT"},
      {false, "NOP", "MOV R6, RZ", "ISETP.GT.AND P1, PT, R9, -0x1, PT"},   /* each begins with a word of its own */
      {false, "MOV R6, RZ", "NOP", "ISETP.GT.AND P1, PT, R20, -0x1, PT"}}; /* each takes as many bits */
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    made_kernel(&m, (const char *const[]){rows[i].before, "MOV R9, RZ", rows[i].anew, "SHF.L.U32.HI R3, R6, 0x1, R9",
                                          "IMAD.WIDE R2, R3, 0x4, R4", "LDG.E R9, desc[UR4][R2.64]",
                                          "IMAD.SHL.U32 R6, R6, 0x2, RZ", rows[i].ends, "@P1 BRA 0x30", "@P0 BRA 0x10",
                                          "EXIT", NULL});
    size_t inner = m.sass.blocks[m.sass.block_of[5]].loop;
    assert_true(inner != SASS_NONE && m.sass.loops[inner].parent != SASS_NONE);
    if (sass_chase_goes_on(&m.sass, 5, inner, m.sass.loops[inner].parent) != rows[i].goes_on)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_chases), cmocka_unit_test(what_searches),
                                     cmocka_unit_test(what_goes_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
