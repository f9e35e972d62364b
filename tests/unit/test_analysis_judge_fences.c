/* The rule fences: what it says and takes away; figures worked out beside each row. */
#include "unit/judged.h"

#define ESTIMATE " (the estimate assumes that a quarter of the waits stays)\n"

/* 3 of 4 samples that wait for memory stand at the acquire's last step. */
static void acquired(struct made_diagnosis *d) {
  static struct run_sample samples[] = {{.offset = 0x20, .reason = (char *)"long_scoreboard", .samples = 30},
                                        {.offset = 0x40, .reason = (char *)"long_scoreboard", .samples = 10}};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
}

static const struct judged_case CASES[] = {
    /* 8 of 32 M cycles of warps, 25 of 100 us: all of them go with relaxed atomics, three quarters of them below */
    {.rule = "fences",
     .lines = {"MEMBAR.ALL.GPU", "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5", "EXIT"},
     .executed = {8, 8, 8},
     .set = {{"stall_membar", 8e6}},
     .says =
         "membar, share 0.25 ratio\n"
         "25 % of warp cycles wait at memory fences, until all writes of the warp are seen\n"
         "relaxed atomics (atomicAdd, memory_order_relaxed) where no other data are handed over with them: the fences go\n",
     .takes = "dependencies_s 75",
     .silent = {{"stall_membar", 0}}},
    {.rule = "fences", /* and three quarters of the 16 of 32 M that wait for memory */
     .also = acquired,
     .lines = {"MEMBAR.ALL.GPU", "ATOMG.E.ADD.STRONG.GPU PT, R6, desc[UR4][R8.64], R3", "CCTL.IVALL",
               "LDG.E R4, desc[UR4][R2.64]", "FADD R4, R4, R4", "EXIT"},
     .executed = {8, 8, 8, 8, 8, 8},
     .set = {{"stall_membar", 8e6}, {"stall_long_scoreboard", 16e6}},
     .says =
         "membar, share 0.25 ratio\n"
         "long scoreboard at CCTL.IVALL, share 0.375 ratio\n"
         "62 % of warp cycles wait at memory fences, until all writes of the warp are seen\n"
         "relaxed atomics (atomicAdd, memory_order_relaxed) where no other data are handed over with them: the fences go\n",
     .takes = "loads_s 25, dependencies_s 75"},
    {.rule = "fences", /* no atomic beside it: a __threadfence */
     .lines = {"STG.E desc[UR4][R2.64], R5", "MEMBAR.SC.GPU", "ERRBAR", "EXIT"},
     .executed = {8, 8, 8, 8},
     .set = {{"stall_membar", 8e6}},
     .says =
         "membar, share 0.25 ratio\n"
         "25 % of warp cycles wait at memory fences, until all writes of the warp are seen\n"
         "one __threadfence per block, not per thread, or __threadfence_block where only the block reads (the estimate assumes that a quarter of the waits stays)\n",
     .takes = "dependencies_s 81.25"},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
