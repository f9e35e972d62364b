/* Loops that may load what they stored a turn before. */
#include "analysis/idioms/stored_again.h"
#include "unit/made_sass.h"

/* A row of lines ahead of a loop of a load at R2 and a store at R4. */
static void by_pointer(void **state) {
  static const struct {
    const char *before[5], *within[2];
    bool may;
  } rows[] = {
      /* one pointer, its words in two registers or from the bank */
      {{"LDC.64 R6, c[0x0][0x210]", "IADD3 R2, P0, R6, R10, RZ", "IADD3 R4, P0, R6, R11, RZ"}, {"NOP", "NOP"}, true},
      {{"IMAD.WIDE R2, R10, 0x4, R6", "IMAD.WIDE R4, R11, 0x4, R8", "NOP"}, {"NOP", "NOP"}, true}, /* not known */
      {{"ULDC.64 UR6, c[0x0][0x210]", "IADD3 R2, P0, R10, UR6, RZ", "LEA R4, P0, R11, c[0x0][0x210], 0x2"},
       {"NOP", "NOP"},
       true},
      {{"MOV R6, c[0x0][0x210]", "IMAD.MOV.U32 R2, RZ, RZ, R6", "IMAD.WIDE R4, R11, 0x4, c[0x0][0x210]"},
       {"IADD3 R2, P0, R2, 0x10, RZ", "NOP"},
       true},
      /* two */
      {{"LDC.64 R6, c[0x0][0x210]", "IADD3 R2, P0, R6, R10, RZ", "IADD3 R4, P0, R11, c[0x0][0x218], RZ"},
       {"NOP", "NOP"},
       false},
      {{"LDC.64 R6, c[0x0][0x210]", "LDC.64 R8, c[0x0][0x218]", "IADD3 R2, P0, R6, R10, RZ",
        "IADD3 R4, P0, R8, R10, RZ"},
       {"IADD3 R2, P0, R2, 0x10, RZ", "IADD3 R4, P0, R4, 0x10, RZ"},
       false},
      /* what is scaled is no pointer */
      {{"LDC R6, c[0x0][0x228]", "IMAD.WIDE R2, R6, 0x4, c[0x0][0x210]", "IMAD.WIDE R4, R6, 0x4, c[0x0][0x218]"},
       {"NOP", "NOP"},
       false},
      {{"LDC R6, c[0x0][0x228]", "IMAD.SHL.U32 R6, R6, 0x4, RZ", "IADD3 R2, P0, R6, c[0x0][0x210], RZ",
        "LEA R4, P0, R6, c[0x0][0x218], 0x2"},
       {"NOP", "NOP"},
       false},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    const char *lines[12];
    size_t n = 0, k = 0;
    char back[32];
    for (; rows[i].before[k]; k++)
      lines[n++] = rows[i].before[k];
    snprintf(back, sizeof back, "@P1 BRA 0x%zx", 16 * n);
    lines[n++] = "LDG.E R12, desc[UR4][R2.64]";
    lines[n++] = rows[i].within[0];
    lines[n++] = "STG.E desc[UR4][R4.64], R13";
    lines[n++] = rows[i].within[1];
    lines[n++] = back;
    lines[n++] = "EXIT";
    lines[n] = NULL;
    made_kernel(&m, lines);
    if (sass_may_load_its_stores(&m.sass, 0) != rows[i].may)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

/* A store behind the loop, and a loop that stores alone. */
static void in_one_loop(void **state) {
  static const char *const rows[][6] = {
      {"LDG.E R12, desc[UR4][R2.64]", "@P1 BRA 0x0", "STG.E desc[UR4][R2.64], R12", "EXIT"},
      {"STG.E desc[UR4][R2.64], R12", "@P1 BRA 0x0", "EXIT"}};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    static struct made_sass m;
    made_kernel(&m, rows[i]);
    assert_false(sass_may_load_its_stores(&m.sass, 0));
    sass_release(&m.sass);
  }
}

/* A loop behind a loop, of one pointer or of two, or one in the other. */
static void in_two_loops(void **state) {
  static const struct {
    const char *second, *first_back;
    bool alike;
  } rows[] = {{"LEA R4, P0, R11, c[0x0][0x210], 0x2", "@P1 BRA 0x20", true},
              {"LEA R4, P0, R11, c[0x0][0x218], 0x2", "@P1 BRA 0x20", false},
              {"LEA R4, P0, R11, c[0x0][0x210], 0x2", "NOP", false}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    bool nested = i == 2;
    made_kernel(&m,
                (const char *const[]){"IMAD.WIDE R2, R10, 0x4, c[0x0][0x210]", rows[i].second,
                                      "LDG.E R12, desc[UR4][R2.64]", rows[i].first_back, "LDG.E R13, desc[UR4][R4.64]",
                                      "@P2 BRA 0x40", nested ? "@P3 BRA 0x20" : "NOP", "EXIT", NULL});
    assert_int_equal(m.sass.n_loops, 2);
    assert_int_equal(sass_loops_load_alike(&m.sass, 0, 1), rows[i].alike);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_two_loops), cmocka_unit_test(by_pointer),
                                     cmocka_unit_test(in_one_loop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
