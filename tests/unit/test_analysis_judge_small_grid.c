/* The rule small-grid: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_launch.h"

static void blocks_1(struct made_diagnosis *d) {
  launch(d, 1, 256, 4, 32);
}

static void warps_2(struct made_diagnosis *d) {
  launch(d, 2, 32, 4, 32);
}

static void thread_1(struct made_diagnosis *d) {
  launch(d, 1, 1, 4, 32);
}

static void warps_4_each(struct made_diagnosis *d) {
  launch(d, 2, 128, 4, 32);
}

static void blocks_unknown(struct made_diagnosis *d) {
  launch(d, 2, 256, 0, 32);
}

static void blocks_4(struct made_diagnosis *d) {
  launch(d, 4, 256, 4, 32);
}

static void blocks_8(struct made_diagnosis *d) {
  launch(d, 8, 256, 4, 32);
}

static void blocks_16(struct made_diagnosis *d) {
  launch(d, 16, 256, 4, 32);
}

static void blocks_5_of_one_warp(struct made_diagnosis *d) {
  launch(d, 5, 32, 4, 32);
}

/* A loop of 100 turns without a load, that moves on by as many as the grid has threads. */
#define STRIDES(warps, moves)                                                                                          \
  .lines = {"MOV R2, R6", "FMUL R8, R7, R7", moves, "@P0 BRA 0x10", "EXIT"},                                           \
  .executed = {(warps), 100 * (warps), 100 * (warps), 100 * (warps), (warps)}
#define CHAIN                                                                                                          \
  .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"}, .executed = {8, 800, 800, 8}
/* A loop of 100 turns whose load of an index brings the address of another one. */
#define GATHER(next)                                                                                                   \
  .lines = {"MOV R2, R6",                                                                                              \
            "LDG.E R4, desc[UR4][R2.64]",                                                                              \
            "IMAD.WIDE R8, R4, 0x4, R10",                                                                              \
            "LDG.E R12, desc[UR4][R8.64]",                                                                             \
            "FSETP.GT.AND P1, PT, R12, R5, PT",                                                                        \
            next,                                                                                                      \
            "@P0 BRA 0x10",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {2, 200, 200, 200, 200, 200, 200, 2}
#define SPLIT_BLOCKS "split the work into more blocks: less work per block, or split a long sum over blocks\n"

static const struct judged_case CASES[] = {
    /* twice the SMs, and as many warps share the work */
    {.rule = "small-grid",
     .also = blocks_5,
     .says = "grid 5 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "GENERAL 5 blocks on 10 SMs: 50 % of the chip is idle\n" SPLIT_BLOCKS,
     .takes = "loads_s 50, own_issue_s 50, dependencies_s 50, blocks 2000, warps 2000, balance 1"},
    {.rule = "small-grid",
     .also = blocks_4,
     .says = "grid 4 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "4 blocks on 10 SMs: 60 % of the chip is idle\n" SPLIT_BLOCKS,
     .takes = "loads_s 40, own_issue_s 40, dependencies_s 40, blocks 2500, warps 2500, balance 1"},
    {.rule = "small-grid",
     .also = blocks_1,
     .says = "grid 1 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "1 block on 10 SMs: 90 % of the chip is idle\n" SPLIT_BLOCKS},
    {.rule = "small-grid", /* copies, but how many blocks an SM holds is not known */
     .also = blocks_unknown,
     .lines = {"UBLKCP.S.G [UR4], [UR6], UR8", "EXIT"},
     .executed = {1, 1},
     .says = "grid 2 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "2 blocks on 10 SMs: 80 % of the chip is idle\n" SPLIT_BLOCKS},
    {.rule = "small-grid", /* two of ten SMs have a ring of copies: the others are idle all the same */
     .also = blocks_2,
     .lines = {"UBLKCP.S.G [UR4], [UR6], UR8", "EXIT"},
     .executed = {1, 1},
     .says = "grid 2 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "2 blocks on 10 SMs: 80 % of the chip is idle\n" SPLIT_BLOCKS},
    {.rule = "small-grid", /* a chain of loads is not shared out between warps, but the 8 of a block are between SMs */
     .also = blocks_2,
     CHAIN,
     .says = "grid 2 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "2 blocks on 10 SMs: 80 % of the chip is idle\n" SPLIT_BLOCKS,
     .takes = "blocks 5000, balance 1"},
    {.rule = "small-grid", /* nor is the one of a block */
     .also = warps_2,
     CHAIN,
     .says =
         "grid 2 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "2 blocks on 10 SMs: 80 % of the chip is idle, and a warp's work cannot be shared out\n"
         "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them in the same time\n",
     .takes = ""},
    {.rule = "small-grid", /* the only block's warps meet: each of 4 launches becomes two */
     .also = blocks_1,
     .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
     .executed = {8, 8},
     .says =
         "grid 1 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "1 block on 10 SMs: 90 % of the chip is idle\n"
         "split the work over blocks, and put their parts together in a second launch (the estimate has one more)\n",
     .takes = "loads_s 10, own_issue_s 10, dependencies_s 10, launches 8, blocks 10000, warps 10000, balance 1"},
    {.rule = "small-grid", /* parts of a running product are put together */
     .also = blocks_2,
     .lines = {"MOV R2, R6", "FMUL R4, R4, R6", "@P0 BRA 0x10", "EXIT"},
     .executed = {16, 1600, 1600, 16},
     .says =
         "grid 2 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "2 blocks on 10 SMs: 80 % of the chip is idle\n"
         "each thread runs about 100 iterations of its loop, as compiled: split that loop over lanes or blocks, its running product by a scan\n"},
    {.rule = "small-grid", /* of a gather the index brings an address of its own turn, and turns are shared out */
     .also = warps_2,
     GATHER("IADD3 R2, R2, 0x4, RZ"),
     .sized = true,
     .says =
         "grid 2 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "2 blocks on 10 SMs: 80 % of the chip is idle\n"
         "each thread runs about 100 iterations of its loop, as compiled: split that loop over lanes or blocks; smaller blocks "
         "alone gain nothing\n"},
    {.rule = "small-grid", /* of a search what was loaded decides where the next turn looks */
     .also = warps_2,
     GATHER("@P1 IADD3 R2, R2, 0x4, RZ"),
     .says =
         "grid 2 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "2 blocks on 10 SMs: 80 % of the chip is idle, and a warp's work cannot be shared out\n"
         "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them in the same time\n"},
    {.rule = "small-grid", /* a fifth of the cycles at that barrier: one of a cluster takes longer */
     .also = blocks_2,
     .lines = {"IMAD.WIDE R2, R8, 0x4, R14", "LDG.E R4, desc[UR4][R2.64]", "FADD R5, R4, R6", "STS [R11], R5",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "LDS R8, [R12]", "@P0 BRA 0x0", "EXIT"},
     .executed = {1600, 1600, 1600, 1600, 1600, 1600, 1600, 16},
     .set = {{"stall_barrier", 6.4e6}},
     .says =
         "grid 2 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "2 blocks on 10 SMs: 80 % of the chip is idle, and each iteration of a thread's loop needs the one before\n"
         "more problems in a launch (a batch); shorten an iteration: load ahead what does not depend on the one before, "
         "fewer barriers (warp shuffles)\n"},
    {.rule = "small-grid", /* what binds is the chain, which a block of its own does not shorten */
     .also = blocks_2,
     .lines = {"FADD R6, R6, R7", "@P1 BRA 0x0", "FFMA R4, R4, R6, R7", "@P0 BRA 0x0", "EXIT"},
     .executed = {50, 50, 10, 10, 1},
     .set = {{"stall_selected", 32e6}, {"stall_wait", 1e6}},
     .says =
         "grid 2 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "2 blocks on 10 SMs: 80 % of the chip is idle, and each iteration of a thread's loop needs the one before\n"
         "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them; smaller blocks reach more SMs\n",
     .takes = "blocks 5000, balance 1"},
    {.rule = "small-grid", /* a loop of 100 turns, of which the chip needs 5 for each block: 16 warps enter it */
     .also = blocks_2,
     .lines = {"MOV R2, R6", "LDG.E.64 R8, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {16, 1600, 1600, 16},
     .says = "grid 2 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "2 blocks on 10 SMs: 80 % of the chip is idle\n"
             "each thread runs about 100 iterations of its loop, as compiled: split that loop over lanes or blocks\n"},
    {.rule = "small-grid", /* the same of 4 turns, which do not fill it */
     .also = blocks_2,
     .lines = {"MOV R2, R6", "LDG.E.64 R8, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {16, 64, 64, 16},
     .says = "grid 2 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "2 blocks on 10 SMs: 80 % of the chip is idle\n" SPLIT_BLOCKS},
    {.rule = "small-grid", /* a product's, of K */
     .also = blocks_2,
     .lines = {"MOV R2, R6", "LDG.E.64 R8, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {16, 1600, 1600, 16},
     .set = {{"pipe_tensor_mma", 1600}},
     .says = "grid 2 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "2 blocks on 10 SMs: 80 % of the chip is idle\n"
             "split the loop over K over blocks (split-K, stream-K), or smaller tiles\n"},
    {.rule = "small-grid", /* a block's four warps have a scheduler each: in smaller blocks they are no faster */
     .also = warps_4_each,
     .lines = {"MOV R2, R6", "LDG.E.64 R8, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {8, 800, 800, 8},
     .says =
         "grid 2 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "2 blocks on 10 SMs: 80 % of the chip is idle\n"
         "each thread runs about 100 iterations of its loop, as compiled: split that loop over lanes or blocks; smaller blocks "
         "alone gain nothing\n"},
    {.rule = "small-grid", /* most SMs have a block, of one warp, and no turn can be had by another warp */
     .also = blocks_5_of_one_warp,
     .lines = {"MOV R2, R6", "FFMA R4, R4, R6, R7", "@P0 BRA 0x10", "EXIT"},
     .executed = {5, 500, 500, 5},
     .says =
         "grid 5 block\n"
         "blocks that fit at once 40 block\n"
         "achieved occupancy 0.5 ratio\n"
         "GENERAL 5 blocks of 1 warp on 10 SMs: 12 % of the warps that fit, and each iteration of a thread's loop needs the one "
         "before\n"
         "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them in the same time\n"},
    {.rule = "small-grid", /* blocks of 8 warps share the turns, whatever these wait for: 40 fit, five for each */
     .also = blocks_8,
     STRIDES(64, "IADD3 R2, P1, R2, 0x800, RZ"),
     .says =
         "grid 8 block\n"
         "blocks that fit at once 40 block\n"
         "achieved occupancy 0.5 ratio\n"
         "8 blocks of 8 warps on 10 SMs: 20 % of the warps that fit\n"
         "launch more blocks, up to 40 (8 now); the loop strides by a number that the code has for that: change it, too\n",
     .takes = "loads_s 20, own_issue_s 20, dependencies_s 20, blocks 5000, warps 5000, balance 0.625"},
    {.rule = "small-grid", /* and where each SM has one, but fewer than half of those that fit */
     .also = blocks_16,
     STRIDES(128, "IADD3 R2, P1, R2, 0x1000, RZ"),
     .says =
         "grid 16 block\n"
         "blocks that fit at once 40 block\n"
         "achieved occupancy 0.5 ratio\n"
         "16 blocks of 8 warps on 10 SMs: 40 % of the warps that fit\n"
         "launch more blocks, up to 40 (16 now); the loop strides by a number that the code has for that: change it, too\n",
     .takes = "loads_s 40, own_issue_s 40, dependencies_s 40, blocks 2500, warps 2500"},
    {.rule = "occupancy", .also = blocks_16, STRIDES(128, "IADD3 R2, P1, R2, 0x1000, RZ")},
    {.rule = "small-grid", /* the same that moves on by less */
     .also = blocks_8,
     STRIDES(64, "IADD3 R2, P1, R2, 0x400, RZ"),
     .says = "grid 8 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "GENERAL 8 blocks on 10 SMs: 20 % of the chip is idle\n"
             "each thread runs about 100 iterations of its loop, as compiled: split that loop over lanes or blocks\n"},
    {.rule = "small-grid", .also = blocks_16, STRIDES(128, "IADD3 R2, P1, R2, 0x400, RZ")},
    {.rule = "small-grid", /* of one thread */
     .also = thread_1,
     .says =
         "grid 1 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "1 block on 10 SMs: 90 % of the chip is idle\n"
         "more threads first: a block of 1 fills 1 of a warp's 32 lanes; then more blocks, with a part of the work each\n"},
    {.rule = "small-grid", /* the four warps of a block have a scheduler each */
     .also = warps_4_each,
     .lines = {"FFMA R4, R4, R6, R7", "@P0 BRA 0x0", "EXIT"},
     .executed = {50, 50, 1},
     .says =
         "grid 2 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "2 blocks on 10 SMs: 80 % of the chip is idle, and each iteration of a thread's loop needs the one before\n"
         "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them in the same time\n"},
    {.rule = "small-grid", .also = blocks_10, .takes = ""},
    {.rule = "small-grid", .also = no_launch, .takes = ""},
    {.rule = "small-grid", /* most SMs have a ring */
     .also = blocks_5,
     .lines = {"UBLKCP.S.G [UR4], [UR6], UR8", "EXIT"},
     .executed = {1, 1}},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
