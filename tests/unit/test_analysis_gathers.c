/* Runs that lanes walk from a loaded start, beside gathers by what stands there. */
#include "analysis/signs/gathers.h"
#include "unit/judged.h"
#include "unit/made_input.h"

/* A row of a sparse matrix: columns from R5 on, and what each of them names. */
#define ROW(start, step, next)                                                                                         \
  {                                                                                                                    \
    start, ("IMAD.WIDE R14, R5, " step ", R8"), "LDG.E R16, desc[UR4][R14.64]", "IMAD.WIDE R18, R16, 0x4, R10",        \
        "LDG.E R17, desc[UR4][R18.64]", next, "@P1 BRA 0x10", "EXIT", NULL                                             \
  }
#define START "LDG.E R5, desc[UR4][R20.64]"
#define NEXT  "IADD3 R5, R5, 0x1, RZ"

enum { GATHER = 4 };

static const struct {
  const char *lines[10];
  int line_of_gather; /* the others stand on line 1 */
  bool walks;
} CASES[] = {
    {ROW(START, "0x4", NEXT), 1, true},
    {ROW(START, "0x4", NEXT), 2, false},        /* the line that is told has the gather alone */
    {ROW("MOV R5, R6", "0x4", NEXT), 1, false}, /* the start is no data's */
    {ROW(START, "0x8", NEXT), 1, false},        /* every second element */
    {ROW(START, "0x4", "IADD3 R5, R5, R7, RZ"), 1, false},
};

static void which_lines_walk(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_input x;
    struct run run = {0};
    struct run_module module = {.n_kernels = 1};
    struct run_line lines[MADE_INSTS];
    struct rule_input *in = input(&x, CASES[i].lines, NULL);
    module.kernels = &x.m.kernel;
    run.modules = &module;
    x.all.run = &run;
    for (size_t k = 0; k < x.m.kernel.n_sass; k++) {
      lines[k] = (struct run_line){.source = 0, .line = k == GATHER ? CASES[i].line_of_gather : 1};
      x.m.insts[k].lines = &lines[k];
      x.m.insts[k].n_lines = 1;
      x.m.counts[k].module = x.m.counts[k].kernel = 0;
    }
    if (lanes_walk_runs(in, &x.m.insts[GATHER]) != CASES[i].walks)
      fail_msg("row %zu", i);
    assert_int_equal(gather_at(in, &x.m.insts[GATHER]), GATHER);
    assert_false(lanes_walk_runs(in, NULL));
    assert_true(gather_at(in, NULL) == SASS_NONE);
    sass_release(&x.m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(which_lines_walk)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
