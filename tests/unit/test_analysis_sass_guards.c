/* What a guard asks: where a thread stands, or data. */
#include "analysis/idioms/guards.h"
#include "unit/made_sass.h"

enum asked { NEITHER, PLACE, DATA };

/* Of the branch of each, which its second last line is. */
static const struct {
  enum asked asks;
  const char *lines[10];
} CASES[] = {
    {PLACE, {"S2R R2, SR_TID.X", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    {PLACE, {"S2R R2, SR_LANEID", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@!P0 BRA 0x30", "EXIT"}},
    {PLACE,
     {"S2R R2, SR_TID.Y", "S2R R3, SR_CTAID.X", "IMAD R4, R3, c[0x0][0x0], R2", "ISETP.GE.AND P0, PT, R4, R5, PT",
      "@P0 BRA 0x50", "EXIT"}},
    {NEITHER, {"S2R R2, SR_CTAID.X", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    {NEITHER, {"LDC R2, c[0x0][0x210]", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    {NEITHER, {"S2R R2, SR_TID.X", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "BRA 0x30", "EXIT"}}, /* no guard */
    {NEITHER, {"S2R R2, SR_TID.X", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P1 BRA 0x30", "EXIT"}},
    /* all that brings data, or makes it of data */
    {DATA, {"LDG.E R2, desc[UR4][R4.64]", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    {DATA, {"LDS R2, [R4]", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    {DATA, {"LDL R2, [R4]", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    {DATA,
     {"ATOMG.E.ADD.STRONG.GPU PT, R2, desc[UR4][R4.64], R6", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30",
      "EXIT"}},
    {DATA, {"SHFL.BFLY PT, R2, R4, 0x1, 0x1f", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    {DATA, {"FADD R2, R4, R4", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    {DATA, {"DSETP.GEU.AND P0, PT, R2, R4, PT", "@P0 BRA 0x20", "EXIT"}},
    {DATA, {"HADD2 R2, R4, R4", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    {NEITHER,
     {"HFMA2 R2, -RZ, RZ, 0, 5.9604644775390625e-08", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    {DATA, {"CALL.REL.NOINC `($_Z5otheri)", "ISETP.GE.AND P0, PT, R2, 0x8, PT", "@P0 BRA 0x30", "EXIT"}},
    /* both: the thread's number and a length that was loaded */
    {DATA,
     {"S2R R2, SR_TID.X", "LDG.E R3, desc[UR4][R4.64]", "ISETP.GE.AND P0, PT, R2, R3, PT", "@P0 BRA 0x40", "EXIT"}},
    {DATA,
     {"LDG.E R3, desc[UR4][R4.64]", "S2R R2, SR_TID.X", "ISETP.GE.AND P0, PT, R3, R2, PT", "@P0 BRA 0x40", "EXIT"}},
    /* how a load's address came about is not asked */
    {DATA,
     {"S2R R2, SR_TID.X", "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R3, desc[UR4][R4.64]", "ISETP.GE.AND P0, PT, R3, 0x8, PT",
      "@P0 BRA 0x50", "EXIT"}},
    /* through instructions that read several of one another, each once, and a loop that counts */
    {PLACE,
     {"S2R R2, SR_TID.X", "IADD3 R3, R2, R2, RZ", "IADD3 R4, R3, R2, RZ", "IADD3 R4, R4, R3, R4",
      "ISETP.GE.AND P0, PT, R4, R3, PT", "@P0 BRA 0x30", "EXIT"}},
    {NEITHER, {"MOV R4, RZ", "IADD3 R4, R4, 0x1, RZ", "ISETP.GE.AND P0, PT, R4, R3, PT", "@P0 BRA 0x10", "EXIT"}},
    {PLACE, {"S2R R4, SR_TID.X", "IADD3 R4, R4, 0x1, RZ", "ISETP.GE.AND P0, PT, R4, R3, PT", "@P0 BRA 0x10", "EXIT"}},
};

static void what_is_asked(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    size_t branch = m.sass.n - 2;
    if (sass_asks_place(&m.sass, branch) != (CASES[i].asks == PLACE) ||
        sass_asks_data(&m.sass, branch) != (CASES[i].asks == DATA))
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

/* The thread's number may have come from so many places that not all are looked at: then who knows what is asked. */
static void more_than_is_followed(void **state) {
  (void)state;
  enum { FOLLOWED = 64 };
  for (size_t n = FOLLOWED; n <= FOLLOWED + 1; n++) {
    static struct made_sass m;
    const char *lines[MADE_INSTS] = {0};
    for (size_t i = 0; i < n; i++)
      lines[i] = i < FOLLOWED / 2 ? "@P1 S2R R2, SR_TID.X" : "@P1 S2R R3, SR_TID.Y";
    lines[n] = "ISETP.GE.AND P0, PT, R2, R3, PT";
    lines[n + 1] = "@P0 BRA 0x0";
    lines[n + 2] = "EXIT";
    made_kernel(&m, lines);
    assert_int_equal(sass_asks_place(&m.sass, n + 1), n == FOLLOWED);
    assert_int_equal(sass_asks_data(&m.sass, n + 1), n > FOLLOWED);
    sass_release(&m.sass);
  }
}

/* Each is made of the one before it: no chain is too long. */
static void a_long_chain(void **state) {
  (void)state;
  static struct made_sass m;
  static char texts[MADE_INSTS][40];
  const char *lines[MADE_INSTS] = {"S2R R2, SR_TID.X"};
  size_t n = 1;
  for (; n < 100; n++) {
    snprintf(texts[n], sizeof texts[n], "IADD3 R%zu, R%zu, 0x1, RZ", n + 2, n + 1);
    lines[n] = texts[n];
  }
  lines[n++] = "ISETP.GE.AND P0, PT, R101, 0x8, PT";
  lines[n++] = "@P0 BRA 0x0";
  lines[n] = "EXIT";
  made_kernel(&m, lines);
  assert_true(sass_asks_place(&m.sass, n - 1));
  assert_false(sass_asks_data(&m.sass, n - 1));
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_asked), cmocka_unit_test(more_than_is_followed),
                                     cmocka_unit_test(a_long_chain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
