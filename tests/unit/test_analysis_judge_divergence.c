/* The rule divergence: what it says and takes away, which remedy fits, which line it names; figures worked out beside each row. */
#include "unit/judged_launch.h"
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

static void one_lane_beside_a_branch(struct made_diagnosis *d) {
  d->counts[1].threads = d->counts[2].threads = 100;
}

#define CONSTANT "HFMA2.MMA R7, -RZ, RZ, 0, 0"
#define GUARDED(makes, adds)                                                                                           \
  .lines = {makes, adds, "IADD3 R4, R4, R7, RZ", "ISETP.GE.AND P0, PT, R4, 0x14, PT", "@P0 EXIT", "FADD R8, R8, R8",   \
            "EXIT"},                                                                                                   \
  .executed = {100, 100, 100, 100, 100, 100, 100}

/* Of 80 blocks of 8 warps a lane each goes 7 times around, before a barrier: 80 + 3 x 560 instructions of 4320, and all lanes are active in the rest. */
static void a_lane_each(struct made_diagnosis *d) {
  for (size_t i = 2; i < 6; i++)
    d->counts[i].threads = d->counts[i].executed;
}

/* One lane of 32 is active in two instructions. */
static void one_thread_behind(struct made_diagnosis *d) {
  d->counts[3].threads = d->counts[3].executed;
  d->counts[4].threads = d->counts[4].executed;
}

static const struct judged_case CASES[] = {
    {.rule = "divergence", /* it is the barrier's to say */
     .also = a_lane_each,
     .lines = {"ISETP.NE.AND P1, PT, R2, RZ, PT", "@P1 BRA 0x60", "MOV R5, RZ", "LDS R3, [R4]", "FADD R5, R5, R3",
               "@P0 BRA 0x30", "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
     .executed = {640, 640, 80, 560, 560, 560, 640, 640},
     .set = {{"inst_executed", 4320}, {"thread_inst_executed", 83680}}},
    {.rule = "divergence", /* 8 lanes, where 24 are within reach */
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 8000}, {"stall_branch_resolving", 8e6}},
     .says =
         "lanes active 0.25 ratio\n"
         "inst_executed 1000 -\n"
         "branch resolving, share 0.25 ratio\n"
         "an average instruction has 8.0 of a warp's 32 lanes active\n"
         "make the lanes of a warp take the same branch: sort or compact the work (the estimate assumes 24 of 32 lanes active)\n",
     .takes =
         "inst 333.33, alu 333.33, fma 333.33, fma_heavy 333.33, lsu 333.33, xu 333.33, tensor 333.33, fp64 333.33, "
         "adu 333.33, tex 333.33, "
         "own_issue_s 33.333, dependencies_s 33.333",
     .silent = {{"thread_inst_executed", 24000}}},
    {.rule = "divergence", /* 20 lanes, as sorting leaves them */
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 20000}},
     .says =
         "lanes active 0.625 ratio\n"
         "inst_executed 1000 -\n"
         "an average instruction has 20.0 of a warp's 32 lanes active\n"
         "more lanes of a warp on one branch: sort the work, in larger groups where it is sorted (the estimate assumes "
         "24 of 32 lanes active)\n"},
    {.rule = "divergence", /* thread 0 alone */
     .also = one_thread_behind,
     .lines = {"S2R R2, SR_TID.X", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA 0x50", "FADD R4, R4, R5",
               "FADD R4, R4, R5", "FADD R6, R6, R7", "EXIT"},
     .executed = {100, 100, 100, 100, 100, 100, 100},
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 16000}},
     .says = "lanes active 0.5 ratio\n"
             "inst_executed 1000 -\n"
             "an average instruction has 16.0 of a warp's 32 lanes active\n"
             "one thread works while its warp's others idle: share its work among the lanes of the warp (warp shuffles "
             "put their parts together)\n"},
    {.rule = "divergence", /* a loop that each lane turns as often as what it loaded says */
     .also = one_thread_behind,
     .lines = {"S2R R2, SR_TID.X", "LDG.E R3, desc[UR4][R2.64]", "MOV R6, RZ", "FADD R4, R4, R5",
               "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, R3, PT", "@P0 BRA 0x30", "EXIT"},
     .executed = {100, 100, 100, 900, 900, 900, 900, 100},
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 16000}},
     .says = "lanes active 0.5 ratio\n"
             "inst_executed 1000 -\n"
             "an average instruction has 16.0 of a warp's 32 lanes active\n"
             "each lane's data say how often this loop turns: give a warp rows of like length (sort), or one row, its "
             "lanes an iteration each (the estimate assumes 24 of 32 lanes active)\n"},
    {.rule = "divergence", .set = {{"inst_executed", 1000}}, .takes = ""}, /* how many lanes is not known */
    /* 8 of 12 threads: of those that there are 2 in 3, where 24 of 32 are within reach */
    {.rule = "divergence",
     .also = threads_12,
     .set = {{"inst_executed", 1000}, {"thread_inst_executed", 8000}},
     .says =
         "lanes active 0.25 ratio\n"
         "inst_executed 1000 -\n"
         "an average instruction has 8.0 of a warp's 32 lanes active\n"
         "make the lanes of a warp take the same branch: sort or compact the work (the estimate assumes 24 of 32 lanes active)\n",
     .takes =
         "inst 888.89, alu 888.89, fma 888.89, fma_heavy 888.89, lsu 888.89, xu 888.89, tensor 888.89, fp64 888.89, adu 888.89, tex 888.89, own_issue_s 88.889, dependencies_s 88.889",
     .silent = {{"thread_inst_executed", 9000}}},
    {.rule = "divergence",
     .lines = {"@P0 BRA 0x30", "FADD R7, R2, R3", "FADD R1, R2, R3", "FADD R4, R5, R6", "EXIT"},
     .executed = {100, 100, 100, 100, 100},
     .also = one_lane_beside_a_branch,
     .set = {{"inst_executed", 500}, {"thread_inst_executed", 9800}},
     .says =
         "lanes active 0.6125 ratio\n"
         "inst_executed 500 -\n"
         "an average instruction has 19.6 of a warp's 32 lanes active\n"
         "make the lanes of a warp take the same branch: sort or compact the work (the estimate assumes 24 of 32 lanes active)\n",
     .takes = "inst 816.67, alu 816.67, fma 816.67, fma_heavy 816.67, lsu 816.67, xu 816.67, tensor 816.67, "
              "fp64 816.67, adu 816.67, tex 816.67, own_issue_s 81.667, dependencies_s 81.667"},
};

static const struct remedy_case REMEDIES[] = {
    {{.rule = "divergence", .set = {{"inst_executed", 1000}, {"thread_inst_executed", 1900}}},
     "share out what one lane does among its warp",
     "1.9 of a warp's 32 lanes"},
    {{.rule = "divergence", /* what was loaded decides, and so does a float */
      GUARDED("LDG.E R4, desc[UR4][R6.64]", "S2R R7, SR_TID.X"),
      .set = {{"inst_executed", 1000}, {"thread_inst_executed", 12800}}},
     "sort or compact the work",
     NULL},
    {{.rule = "divergence",
      GUARDED("S2R R4, SR_TID.X", "FADD R7, R4, R4"),
      .set = {{"inst_executed", 1000}, {"thread_inst_executed", 12800}}},
     "sort or compact the work",
     NULL},
    {{.rule = "divergence", /* some lanes turn more often than others */
      .lines = {"S2R R4, SR_TID.X", "IADD3 R4, R4, -0x1, RZ", "ISETP.GE.AND P0, PT, R4, 0x1, PT", "@P0 BRA 0x10",
                "EXIT"},
      .executed = {100, 100, 100, 100, 100},
      .set = {{"inst_executed", 1000}, {"thread_inst_executed", 12800}}},
     "sort or compact the work",
     NULL},
    {{.rule = "divergence", /* what was loaded counts its turns, but there are no rows to sort: thread 0 turns alone */
      .also = a_lane_each,
      .lines = {"S2R R0, SR_TID.X", "ISETP.NE.AND P0, PT, R0, RZ, PT", "@P0 BRA 0x60", "LDG.E R4, desc[UR4][R0.64]",
                "ISETP.NE.AND P1, PT, R4, RZ, PT", "@P1 BRA 0x30", "EXIT"},
      .executed = {10, 10, 10, 100, 100, 100, 10},
      .set = {{"inst_executed", 1000}, {"thread_inst_executed", 2100}}},
     "one thread works while its warp's others idle",
     NULL},
    {{.rule = "divergence", .set = {{"inst_executed", 1000}, {"thread_inst_executed", 2000}}},
     "sort or compact the work",
     "2.0 of a warp's 32 lanes"},
};

static const struct line_case LINES[] = {
    {{.rule = "divergence",
      .also = a_line_each,
      .lines = {"S2R R2, SR_LANEID", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x50", "FADD R4, R4, R5",
                "FADD R4, R4, R5", "FADD R4, R4, R6", "EXIT"},
      .executed = {10, 10, 10, 10, 10, 10, 10},
      .set = {{"inst_executed", 1000}, {"thread_inst_executed", 1900}}},
     2},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

static void what_fits(void **state) {
  (void)state;
  REMEDIES_FIT(REMEDIES);
}

static void which_line(void **state) {
  (void)state;
  LINES_ARE(LINES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(what_fits), cmocka_unit_test(which_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
