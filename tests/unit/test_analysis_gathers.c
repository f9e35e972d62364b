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

enum { RUN = 2, GATHER = 4 };

static const struct {
  const char *lines[10];
  double vain_of_run, vain_of_gather; /* sectors, where they were counted; -1: not */
  int line_of_gather;                 /* the others stand on line 1 */
  bool walks;
} CASES[] = {
    {ROW(START, "0x4", NEXT), -1, -1, 1, true},
    {ROW(START, "0x4", NEXT), 20, 20, 1, true},
    {ROW(START, "0x4", NEXT), 19, 20, 1, false},        /* the gather has more */
    {ROW(START, "0x4", NEXT), -1, -1, 2, false},        /* the line that is told has the gather alone */
    {ROW("MOV R5, R6", "0x4", NEXT), -1, -1, 1, false}, /* the start is no data's */
    {ROW(START, "0x8", NEXT), -1, -1, 1, false},        /* every second element */
    {ROW(START, "0x4", "IADD3 R5, R5, R7, RZ"), -1, -1, 1, false},
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
    if (CASES[i].vain_of_run >= 0) {
      x.m.counts[RUN].global_sectors = 4 + CASES[i].vain_of_run;
      x.m.counts[GATHER].global_sectors = 4 + CASES[i].vain_of_gather;
      x.m.counts[RUN].global_sectors_ideal = x.m.counts[GATHER].global_sectors_ideal = 4;
    }
    if (lanes_walk_runs(in, &x.m.insts[GATHER]) != CASES[i].walks)
      fail_msg("row %zu", i);
    assert_int_equal(gather_at(in, &x.m.insts[GATHER]), GATHER);
    assert_false(lanes_walk_runs(in, NULL));
    assert_true(gather_at(in, NULL) == SASS_NONE);
    sass_release(&x.m.sass);
  }
}

/* 4 x 20 blocks on 10 SMs; 20 tables where the second number chooses one. */
#define TABLES(number, read, sent)                                                                                     \
  .also = rows_of_four,                                                                                                \
  .lines = {number,                                                                                                    \
            "LDG.E R4, desc[UR4][R6.64]",                                                                              \
            "IMAD R5, R0, 0x64, R4",                                                                                   \
            "IMAD.WIDE R2, R5, 0x4, R8",                                                                               \
            "LDG.E R10, desc[UR4][R2.64]",                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {9, 9, 9, 9, 9, 9}, .set = {{"dram_read_bytes", read}, {"l2_read_bytes", sent}}
#define OF_ROW "S2R R0, SR_CTAID.Y"

static void rows_of_four(struct made_diagnosis *d) {
  d->m.results[0].launches->grid[0] = 4;
  d->m.results[0].launches->grid[1] = 20;
}

static void which_tables_fit(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    double bytes;
  } rows[] = {
      {{TABLES(OF_ROW, 20e3, 40e3)}, 1000},
      {{TABLES(OF_ROW, 20e3, 39.9e3)}, 0}, /* not sent twice */
      {{TABLES(OF_ROW, 20 * 232448.0, 1e9)}, 232448},
      {{TABLES(OF_ROW, 20 * 232449.0, 1e9)}, 0},       /* more than a block has */
      {{TABLES("S2R R0, SR_CTAID.X", 20e3, 40e3)}, 0}, /* 4 tables for 10 SMs */
      {{TABLES("MOV R0, R3", 20e3, 40e3)}, 0},         /* one for all */
      {{TABLES("S2R R0, SR_TID.X", 20e3, 40e3)}, 0},   /* one for each thread */
      {{TABLES("S2R R0, SR_CTAID.Y", 0, 40e3)}, 0},    /* how large they are is not known */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    judged_make(&j, &rows[i].kernel, NULL);
    assert_float_equal(gathered_table(&j.in, GATHER), rows[i].bytes, 1e-9);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(which_lines_walk), cmocka_unit_test(which_tables_fit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
