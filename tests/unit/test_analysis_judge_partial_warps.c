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

/* 2 of 8 warps have an element: 8000 warps of 1000 blocks, of which each SM holds 4 */
static void blocks_1000(struct made_diagnosis *d) {
  launch(d, 1000, 256, 4, 32);
}

/* 10 x 4 x 8 places, of which 160 are taken */
static void half_empty(struct made_diagnosis *d) {
  blocks_1000(d);
  set(&d->m.results[0], "warps_active", 16e6);
}

static void blocks_120(struct made_diagnosis *d) {
  launch(d, 120, 256, 4, 32);
  set(&d->m.results[0], "warps_active", 16e6);
}

/* Not counted but sampled where warps issue, one instruction behind: so often at each of the first three, and at each of the two behind. */
static void sampled(struct made_diagnosis *d, uint64_t before, uint64_t behind) {
  enum { INSTS = 5 };
  static struct run_sample samples[INSTS];
  struct run_result *r = &d->m.results[0];
  blocks_1000(d);
  for (size_t i = 0; i < INSTS; i++)
    samples[i] = (struct run_sample){
        .offset = (uint32_t)(16 * (i + 1)), .reason = (char *)"selected", .samples = i < 3 ? before : behind};
  r->samples = samples;
  r->n_samples = INSTS;
  r->n_counts = 0;
}

static void sampled_often(struct made_diagnosis *d) {
  sampled(d, 1000, 250);
}

/* 34 and 24: 71 % stay, and it may be 35 % of that more or less */
static void sampled_rarely(struct made_diagnosis *d) {
  sampled(d, 34, 24);
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
     .also = blocks_1000,
     .lines = ENDS_AT_ONCE,
     .executed = {80, 80, 80, 20, 20, 20},
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 32000}},
     .says = "warps per block 8 warp\n"
             "warps that end without work 0.75 ratio\n"
             "about 75 % of the warps have no element and end at once\n"
             "blocks that fit the rows: several rows per block, or fewer threads in it\n",
     .takes = "inst 820, alu 940, lsu 940, own_issue_s 82, dependencies_s 82, empty_s 25, blocks 250"},
    {.rule = "partial-warps",
     .also = half_empty,
     .lines = ENDS_AT_ONCE,
     .executed = {80, 80, 80, 20, 20, 20},
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 32000}},
     .says = "warps per block 8 warp\n"
             "warps that end without work 0.75 ratio\n"
             "about 75 % of the warps have no element and end at once\n"
             "blocks that fit the rows: several rows per block, or fewer threads in it\n",
     .takes =
         "inst 820, alu 940, lsu 940, loads_s 50, own_issue_s 41, dependencies_s 41, empty_s 25, blocks 250, warps 2000"},
    {.rule = "partial-warps",
     .also = blocks_1000,
     .lines = BY_GRID,
     .executed = {80, 80, 80, 80, 80, 20, 20, 20},
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 32000}},
     .says =
         "warps per block 8 warp\n"
         "warps that end without work 0.75 ratio\n"
         "about 75 % of the warps have no element and end at once\n"
         "a grid and blocks that fit what there is to do: start none without an element, or several elements per thread\n",
     .takes =
         "inst 700, alu 940, fma 940, fma_heavy 940, lsu 880, own_issue_s 70, dependencies_s 70, empty_s 25, blocks 250"},
    {.rule =
         "partial-warps", /* 240 of 960 warps have an element, and 320 places: none waits for a place that is empty */
     .also = blocks_120,
     .lines = BY_GRID,
     .executed = {80, 80, 80, 80, 80, 20, 20, 20},
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 32000}},
     .says =
         "warps per block 8 warp\n"
         "warps that end without work 0.75 ratio\n"
         "about 75 % of the warps have no element and end at once\n"
         "a grid and blocks that fit what there is to do: start none without an element, or several elements per thread\n",
     .takes =
         "inst 700, alu 940, fma 940, fma_heavy 940, lsu 880, own_issue_s 70, dependencies_s 70, empty_s 25, blocks 250"},
    {.rule = "partial-warps", /* half of the warps meet the others, and wait for them */
     .also = blocks_1000,
     .lines = {"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x80, PT", "@P0 BRA 0x40", "LDG.E R2, desc[UR4][R4.64]",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "SHFL.BFLY PT, R2, R2, 0x1, 0x1f", "@P0 EXIT",
               "STG.E desc[UR4][R6.64], R2", "EXIT"},
     .executed = {80, 80, 80, 40, 80, 80, 80, 40, 40},
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 32000}},
     .says = "warps per block 8 warp\n"
             "warps that end without work 0.5 ratio\n"
             "about 50 % of the warps have no element and end after the block's barriers\n"
             "blocks that fit the rows: several rows per block, or fewer threads in it\n",
     .takes = "inst 760, alu 960, lsu 920, own_issue_s 76, dependencies_s 76, barriers_s 50, empty_s 50, blocks 500"},
    {.rule = "partial-warps", /* 2000 of 8000 warps store */
     .also = sampled_often,
     .lines = ENDS_AT_ONCE,
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 32000}, {"l1_store_requests", 2000}},
     .silent = {{"l1_store_requests", 7000}},
     .sized = true,
     .says = "warps per block 8 warp\n"
             "warps that end without work 0.75 ratio\n"
             "about 75 % of the warps have no element and end at once\n"
             "blocks that fit the rows: several rows per block, or fewer threads in it\n",
     .takes = "inst 571.43, alu 857.14, lsu 857.14, own_issue_s 57.143, dependencies_s 57.143, empty_s 25, blocks 250"},
    {.rule = "partial-warps",
     .also = sampled_rarely,
     .lines = ENDS_AT_ONCE,
     .sized = true,
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 32000}, {"l1_store_requests", 2000}}},
    {.rule = "partial-warps", /* 6 of 8 stay */
     .also = blocks_1000,
     .lines = ENDS_AT_ONCE,
     .executed = {80, 80, 80, 60, 60, 60},
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 32000}}},
    {.rule = "partial-warps", /* one lane does it all */
     .also = blocks_1000,
     .lines = ENDS_AT_ONCE,
     .executed = {80, 80, 80, 20, 20, 20},
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 1000}}},
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
    {.rule = "partial-warps", .also = threads_48}, /* 24 of 32 on average */
    {.rule = "partial-warps", /* one thread, each of whose turns needs the one before, has no part to give */
     .also = one_thread_alone,
     .lines = {"MOV R2, R6", "FFMA R4, R4, R6, R7", "@P0 BRA 0x10", "EXIT"},
     .executed = {1, 500, 500, 1},
     .set = {{"inst_executed", 1000}}},
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
