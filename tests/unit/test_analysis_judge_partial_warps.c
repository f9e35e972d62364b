/* The rule partial-warps: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_launch.h"

static void threads_1(struct made_diagnosis *d) {
  threads_of(d, 1);
}

static void one_thread_alone(struct made_diagnosis *d) {
  threads_1(d);
  d->m.results[0].launches->grid[0] = 1;
}

static void threads_48(struct made_diagnosis *d) {
  threads_of(d, 48);
}

#define ENDS_AT_ONCE                                                                                                   \
  {                                                                                                                    \
    "S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x40, PT", "@P0 EXIT", "LDG.E R2, desc[UR4][R4.64]",                 \
        "STG.E desc[UR4][R6.64], R2", "EXIT"                                                                           \
  }
#define BY_GRID                                                                                                        \
  {                                                                                                                    \
    "S2R R0, SR_TID.X", "S2R R1, SR_CTAID.X", "IMAD R0, R1, 0x100, R0", "ISETP.GE.AND P0, PT, R0, 0x40, PT",           \
        "@P0 EXIT", "LDG.E R2, desc[UR4][R4.64]", "STG.E desc[UR4][R6.64], R2", "EXIT"                                 \
  }

static const struct judged_case CASES[] = {
    {.rule = "partial-warps",
     .also = threads_12,
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 12000}},
     .says = "block 12 thread\n"
             "lanes active 0.375 ratio\n"
             "blocks of 12 threads: 62 % of the lanes of their warps have none\n"
             "whole warps: blocks of 32 threads or a multiple of it, a part of the work for each thread\n",
     .takes =
         "inst 375, alu 375, fma 375, fma_heavy 375, lsu 375, xu 375, tensor 375, fp64 375, adu 375, tex 375, own_issue_s 37.5, dependencies_s 37.5"},
    {.rule = "partial-warps",
     .also = threads_1,
     .set = {{"inst_executed", 1000}},
     .says = "block 1 thread\n"
             "blocks of 1 thread: 97 % of the lanes of their warps have none\n"
             "whole warps: blocks of 32 threads or a multiple of it, a part of the work for each thread\n",
     .takes =
         "inst 31.25, alu 31.25, fma 31.25, fma_heavy 31.25, lsu 31.25, xu 31.25, tensor 31.25, fp64 31.25, adu 31.25, tex 31.25, own_issue_s 3.125, dependencies_s 3.125"},
    {.rule = "partial-warps", /* 5 of 12: what 32 would be nobody knows */
     .also = threads_12,
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 5000}},
     .says =
         "block 12 thread\n"
         "lanes active 0.1562 ratio\n"
         "blocks of 12 threads: 62 % of the lanes of their warps have none, and of 12 that a warp has only 5.0 are active: they diverge\n"
         "let the lanes of a warp share one piece of the work (a search, a row), so that they branch alike; a thread each would diverge more\n"},
    {.rule = "partial-warps", .also = threads_48},
    {.rule = "partial-warps",
     .also = one_thread_alone,
     .set = {{"inst_executed", 1000}},
     .says = "block 1 thread\n"
             "blocks of 1 thread: 97 % of the lanes of their warps have none\n"
             "whole warps: blocks of 32 threads or a multiple of it, a part of the work for each thread\n",
     .takes =
         "inst 31.25, alu 31.25, fma 31.25, fma_heavy 31.25, lsu 31.25, xu 31.25, tensor 31.25, fp64 31.25, adu 31.25, tex 31.25, own_issue_s 3.125, dependencies_s 3.125"},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
