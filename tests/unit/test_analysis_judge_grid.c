/* What the rules on launches, blocks, SMs and warps say and take away, each asked by itself;
 * figures worked out beside each. */
#include "analysis/advice/split_words.h"
#include "analysis/signs/split_loop.h"
#include "analysis/signs/waves.h"
#include "unit/judged.h"

static void launch(struct made_diagnosis *d, unsigned blocks, unsigned threads, int blocks_per_sm, int registers) {
  *d->m.results[0].launches = (struct run_launch){.kernel = d->kernel.name,
                                                  .grid = {blocks, 1, 1},
                                                  .block = {threads, 1, 1},
                                                  .blocks_per_sm = blocks_per_sm,
                                                  .registers = registers};
}

static void blocks_1(struct made_diagnosis *d) {
  launch(d, 1, 256, 4, 32);
}

static void blocks_2(struct made_diagnosis *d) {
  launch(d, 2, 256, 4, 32);
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

static void blocks_5(struct made_diagnosis *d) {
  launch(d, 5, 256, 4, 32);
}

static void blocks_5_of_one_warp(struct made_diagnosis *d) {
  launch(d, 5, 32, 4, 32);
}

/* 3.2 an SM: 80 % even, all of them resident. */
static void blocks_32(struct made_diagnosis *d) {
  launch(d, 32, 256, 4, 32);
}

static void blocks_10(struct made_diagnosis *d) {
  launch(d, 10, 256, 4, 32);
}

static void blocks_20(struct made_diagnosis *d) {
  launch(d, 20, 256, 4, 32);
}

static void blocks_36(struct made_diagnosis *d) {
  launch(d, 36, 256, 3, 32);
}

static void warps_32(struct made_diagnosis *d) {
  d->m.results[0].launches->grid[0] = 32;
  d->m.results[0].launches->block[0] = 32;
}

static void blocks_54(struct made_diagnosis *d) {
  launch(d, 54, 256, 3, 32);
}

/* 95 % of a wave. */
static void blocks_38(struct made_diagnosis *d) {
  launch(d, 38, 256, 4, 32);
}

static void blocks_40(struct made_diagnosis *d) {
  launch(d, 40, 256, 4, 32);
}

static void no_launch(struct made_diagnosis *d) {
  d->m.results[0].n_launches = 0;
}

#define CHAIN                                                                                                          \
  .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"}, .executed = {8, 800, 800, 8}
#define SPLIT_BLOCKS "split the work into more blocks: less work per block, or split a long sum over blocks\n"

static const struct judged_case SMALL[] = {
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
    {.rule = "small-grid", /* nor a chain of values, of a loop around the hot one */
     .also = blocks_2,
     .lines = {"FADD R6, R6, R7", "@P1 BRA 0x0", "FMUL R4, R4, R6", "@P0 BRA 0x0", "EXIT"},
     .executed = {50, 50, 10, 10, 1},
     .says = "grid 2 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "2 blocks on 10 SMs: 80 % of the chip is idle, and each turn of a thread's loop needs the one before\n"
             "blocks of 64 threads: they reach 8 SMs; more only by more problems in a launch\n",
     .takes = "blocks 5000, balance 1"},
    {.rule = "small-grid", /* what binds is the chain, which a block of its own does not shorten */
     .also = blocks_2,
     .lines = {"FADD R6, R6, R7", "@P1 BRA 0x0", "FMUL R4, R4, R6", "@P0 BRA 0x0", "EXIT"},
     .executed = {50, 50, 10, 10, 1},
     .set = {{"stall_selected", 32e6}, {"stall_wait", 1e6}},
     .says =
         "grid 2 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "2 blocks on 10 SMs: 80 % of the chip is idle, and each turn of a thread's loop needs the one before\n"
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
             "each thread makes about 100 turns of its loop, as compiled: split that loop over lanes or blocks\n"},
    {.rule = "small-grid", /* the same of 4 turns, which do not fill it */
     .also = blocks_2,
     .lines = {"MOV R2, R6", "LDG.E.64 R8, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {16, 64, 64, 16},
     .says = "grid 2 block\n"
             "chip 10 SM\n"
             "achieved occupancy 0.5 ratio\n"
             "SM balance 1 ratio\n"
             "2 blocks on 10 SMs: 80 % of the chip is idle\n" SPLIT_BLOCKS},
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
         "each thread makes about 100 turns of its loop, as compiled: split that loop over lanes or blocks; smaller blocks "
         "alone gain nothing\n"},
    {.rule = "small-grid", /* most SMs have a block, of one warp, and no turn can be had by another warp */
     .also = blocks_5_of_one_warp,
     .lines = {"MOV R2, R6", "FMUL R4, R4, R6", "@P0 BRA 0x10", "EXIT"},
     .executed = {5, 500, 500, 5},
     .says =
         "grid 5 block\n"
         "blocks that fit at once 40 block\n"
         "achieved occupancy 0.5 ratio\n"
         "GENERAL 5 blocks of 1 warp on 10 SMs: 12 % of the warps that fit, and each turn of a thread's loop needs the one "
         "before\n"
         "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them in the same time\n"},
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
     .lines = {"FMUL R4, R4, R6", "@P0 BRA 0x0", "EXIT"},
     .executed = {50, 50, 1},
     .says =
         "grid 2 block\n"
         "chip 10 SM\n"
         "achieved occupancy 0.5 ratio\n"
         "SM balance 1 ratio\n"
         "2 blocks on 10 SMs: 80 % of the chip is idle, and each turn of a thread's loop needs the one before\n"
         "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them in the same time\n"},
    {.rule = "small-grid", .also = blocks_10, .takes = ""},
    {.rule = "small-grid", .also = no_launch, .takes = ""},
    {.rule = "small-grid", /* copies fill shared memory, not warps */
     .also = blocks_2,
     .lines = {"UBLKCP.S.G [UR4], [UR6], UR8", "EXIT"},
     .executed = {1, 1}},
};

/* --- launching --- */

static void one_launch(struct made_diagnosis *d) {
  made_ceiling(&d->m, "launch_ns", 1000, CEILING_MEASURED);
}

static void slow_launch(struct made_diagnosis *d) {
  made_ceiling(&d->m, "launch_ns", 150e3, CEILING_MEASURED);
}

static void whole_launch(struct made_diagnosis *d) {
  made_ceiling(&d->m, "launch_ns", 99.6e3, CEILING_MEASURED);
}

/* What the L2 holds comes after so many cycles, else 500: a ramp of 4.918 times 0.5 us. */
static void warm(struct made_diagnosis *d, double l2_cycles) {
  one_launch(d);
  made_ceiling(&d->m, "dram_latency_cycles", 500, CEILING_MEASURED);
  made_ceiling(&d->m, "l2_latency_cycles", l2_cycles, CEILING_MEASURED);
  set(&d->m.results[0], "l2_read_bytes", 3200);
  set(&d->m.results[0], "dram_read_bytes", 0);
}

static void warm_half(struct made_diagnosis *d) {
  warm(d, 200);
}

static void warm_less(struct made_diagnosis *d) {
  warm(d, 400);
}

static void launches_of(struct made_diagnosis *d, size_t n) {
  static struct run_launch all[4];
  one_launch(d);
  for (size_t i = 0; i < n; i++)
    all[i] = *d->m.results[0].launches;
  d->m.results[0].launches = all;
  d->m.results[0].n_launches = n;
}

static void two_launches(struct made_diagnosis *d) {
  launches_of(d, 2);
}

static void four_launches(struct made_diagnosis *d) {
  launches_of(d, 4);
}

/* The middle launch takes 100 us, those that were counted 200. */
static void counted_longer(struct made_diagnosis *d) {
  struct run_result *r = &d->m.results[0];
  r->shape = (struct shape){0, 0, 0};
  r->timing.samples_ns[0] = 200e3;
  set(r, "sm_cycles_active_max", 2e5);
}

#define ONE_LAUNCH                                                                                                     \
  "CALLER fuse with a neighbouring kernel (estimate: two share a launch; a grid-wide barrier where blocks read each other's results); a CUDA graph only shortens gaps\n"

/* What the program does between the launches; 24 % is not told. */
static void idle_in_short_gaps(struct made_diagnosis *d) {
  one_launch(d);
  d->m.run.process = (struct run_process){.launches = 1, .gpu_time_ns = 7e3, .idle = {0.3, 0.25}};
}

static void synchronised(struct made_diagnosis *d) {
  idle_in_short_gaps(d);
  d->m.run.process.gpu_time_ns = 15.1e3; /* 6.47 us */
}

static void idle_in_long_gaps(struct made_diagnosis *d) {
  one_launch(d);
  d->m.run.process.idle = (struct run_idle){0.6, 0.3};
}

static void alone_in_its_program(struct made_diagnosis *d) {
  one_launch(d);
  d->m.run.process = (struct run_process){.launches = 2, .idle = {0.48, 0.24}};
}

static void alone_and_idle(struct made_diagnosis *d) {
  one_launch(d);
  d->m.run.process = (struct run_process){.launches = 2, .gpu_time_ns = 6e3, .idle = {0.25, 0.25}};
}

static void rows_of_64(struct made_diagnosis *d) {
  launch(d, 80, 64, 4, 32);
}

static void rows_of_16(struct made_diagnosis *d) {
  launch(d, 80, 16, 4, 32);
}

static const struct judged_case LAUNCHES[] = {
    {.rule = "launch-bound",
     .also = idle_in_short_gaps,
     .set = {{"fixed_ns", 1000}},
     .says =
         "launch and ramp, share of the time 0.01 ratio\n"
         "empty kernel 1e-06 s\n"
         "launches 1 launch\n"
         "launch-bound: launch and ramp take 1 % of 100.0 µs in 1 launch\n"
         "CALLER first a CUDA graph: the GPU idles 30 % of the time, 3 µs per launch; then fuse with a neighbouring kernel (estimate: two share a launch)\n",
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}}},
    {.rule = "launch-bound",
     .also = synchronised,
     .set = {{"fixed_ns", 1000}},
     .says =
         "launch and ramp, share of the time 0.01 ratio\n"
         "empty kernel 1e-06 s\n"
         "launches 1 launch\n"
         "launch-bound: launch and ramp take 1 % of 100.0 µs in 1 launch\n"
         "CALLER first the wait after each launch (a synchronisation?): the GPU idles 30 %, 6.5 µs a launch; then fuse with a neighbouring kernel (estimate: two share a launch)\n",
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}}},
    {.rule = "launch-bound",
     .also = idle_in_long_gaps,
     .set = {{"fixed_ns", 1000}},
     .says =
         "launch and ramp, share of the time 0.01 ratio\n"
         "empty kernel 1e-06 s\n"
         "launches 1 launch\n"
         "launch-bound: launch and ramp take 1 % of 100.0 µs in 1 launch\n"
         "CALLER first keep on the GPU what lies between its launches (it idles 60 %: copies, host code); then fuse with a neighbouring kernel (estimate: two share a launch)\n",
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}}},
    {.rule = "launch-bound",
     .also = alone_in_its_program,
     .set = {{"fixed_ns", 1000}},
     .says =
         "launch and ramp, share of the time 0.01 ratio\n"
         "empty kernel 1e-06 s\n"
         "launches 1 launch\n"
         "launch-bound: launch and ramp take 1 % of 100.0 µs in 1 launch\n"
         "CALLER put several of its launches into one, by a loop in the kernel (a grid-wide barrier where a turn needs the one before) or a batch (estimate: two in one)\n",
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}}},
    {.rule = "launch-bound",
     .also = alone_and_idle,
     .set = {{"fixed_ns", 1000}},
     .says =
         "launch and ramp, share of the time 0.01 ratio\n"
         "empty kernel 1e-06 s\n"
         "launches 1 launch\n"
         "launch-bound: launch and ramp take 1 % of 100.0 µs in 1 launch\n"
         "CALLER first a CUDA graph: the GPU idles 25 % of the time, 1 µs per launch; then put several into one (a loop or a batch; estimate: two in one)\n",
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}}},
    {.rule = "launch-bound",
     .also = one_launch,
     .set = {{"fixed_ns", 1000}},
     .says = "launch and ramp, share of the time 0.01 ratio\n"
             "empty kernel 1e-06 s\n"
             "launches 1 launch\n"
             "launch-bound: launch and ramp take 1 % of 100.0 µs in 1 launch\n" ONE_LAUNCH,
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}, {"fixed_ns", 9000}}}, /* 5 us of the L1; 8 us of starting blocks */
    /* 0.8 us of starting blocks */
    {.rule = "launch-bound",
     .also = one_launch,
     .set = {{"fixed_ns", 1800}},
     .says = "launch and ramp, share of the time 0.01 ratio\n"
             "starting blocks, share of the time 0.008 ratio\n"
             "empty kernel 1.8e-06 s\n"
             "launches 1 launch\n"
             "launch-bound: launch and ramp take 1 % of 100.0 µs in 1 launch, starting blocks 1 %\n" ONE_LAUNCH,
     .takes = "launches 2, empty_s 50"},
    /* 150 and 30 us, of 100: parts of 180 */
    {.rule = "launch-bound",
     .also = slow_launch,
     .set = {{"fixed_ns", 180e3}},
     .says = "launch and ramp, share of the time 0.8333 ratio\n"
             "starting blocks, share of the time 0.1667 ratio\n"
             "empty kernel 0.00018 s\n"
             "launches 1 launch\n"
             "launch-bound: launch and ramp take 83 % of 100.0 µs in 1 launch, starting blocks 17 %\n" ONE_LAUNCH,
     .takes = "launches 2, empty_s 50"},
    {.rule = "launch-bound",
     .also = whole_launch,
     .set = {{"fixed_ns", 100e3}},
     .says = "launch and ramp, share of the time 0.996 ratio\n"
             "empty kernel 0.0001 s\n"
             "launches 1 launch\n"
             "launch-bound: launch and ramp take all of 100.0 µs in 1 launch\n" ONE_LAUNCH,
     .takes = "launches 2, empty_s 50"},
    /* one more launch adds 0.8 of the ramp: 5/8 of one are half of it, and 5/8 of the launch's 1
     * us go, too */
    {.rule = "launch-bound",
     .also = warm_less,
     .sized = true,
     .set = {{"fixed_ns", 1000}},
     .says = "launch and ramp, share of the time 0.02459 ratio\n"
             "empty kernel 1e-06 s\n"
             "launches 1 launch\n"
             "launch-bound: launch and ramp take 2 % of 100.0 µs in 1 launch\n" ONE_LAUNCH,
     .takes = "launches 1.5, empty_s 49.875"},
    {.rule = "launch-bound", /* where it adds 0.4, all of it goes */
     .also = warm_half,
     .sized = true,
     .set = {{"fixed_ns", 1000}},
     .says = "launch and ramp, share of the time 0.02459 ratio\n"
             "empty kernel 1e-06 s\n"
             "launches 1 launch\n"
             "launch-bound: launch and ramp take 2 % of 100.0 µs in 1 launch\n" ONE_LAUNCH,
     .takes = "launches 0, empty_s 49.5"},
    {.rule = "launch-bound", /* two are fused, too; they are 2 of 2.5 us */
     .also = two_launches,
     .set = {{"fixed_ns", 2000}, {"l1_wavefronts", 5e3}},
     .says =
         "launch and ramp, share of the time 0.02 ratio\n"
         "empty kernel 2e-06 s\n"
         "launches 2 launch\n"
         "launch-bound: launch and ramp take 2 % of 100.0 µs in 2 launches\n"
         "CALLER fuse the launches into one (a grid-wide barrier where blocks read each other's results); a CUDA graph shortens the gaps between them, not the kernels\n",
     .takes = "launches 2, empty_s 50"},
    {.rule = "launch-bound", /* nor where they are 2 of 8 us */
     .also = two_launches,
     .set = {{"fixed_ns", 2000}, {"l1_wavefronts", 6e4}},
     .says =
         "launch and ramp, share of the time 0.02 ratio\n"
         "empty kernel 2e-06 s\n"
         "launches 2 launch\n"
         "launch and ramp take 2 % of 100.0 µs in 2 launches\n"
         "CALLER fuse the launches into one (a grid-wide barrier where blocks read each other's results); a CUDA graph shortens the gaps between them, not the kernels\n",
     .takes = "launches 2, empty_s 50"},
    /* of 4 launches 3 go; they are 4 of 5 us */
    {.rule = "launch-bound",
     .also = four_launches,
     .set = {{"fixed_ns", 4000}, {"l1_wavefronts", 1e4}},
     .says =
         "launch and ramp, share of the time 0.04 ratio\n"
         "empty kernel 4e-06 s\n"
         "launches 4 launch\n"
         "launch-bound: launch and ramp take 4 % of 100.0 µs in 4 launches\n"
         "CALLER fuse the launches into one (a grid-wide barrier where blocks read each other's results); a CUDA graph shortens the gaps between them, not the kernels\n",
     .takes = "launches 1, empty_s 25"},
    {.rule = "launch-bound",
     .also = four_launches,
     .set = {{"fixed_ns", 4000}, {"l1_wavefronts", 6e4}},
     .says =
         "launch and ramp, share of the time 0.04 ratio\n"
         "empty kernel 4e-06 s\n"
         "launches 4 launch\n"
         "launch and ramp take 4 % of 100.0 µs in 4 launches\n"
         "CALLER fuse the launches into one (a grid-wide barrier where blocks read each other's results); a CUDA graph shortens the gaps between them, not the kernels\n",
     .takes = "launches 1, empty_s 25"},
    /* 40 of 80 blocks start; 0.75 of the time is for warps that are not there, 1,000 of 40,000
     * in the round work: 1 + 0.75 x 39 */
    {.rule = "small-blocks",
     .set = {{"fixed_ns", 75e3}},
     .says = "grid 80 block\n"
             "time to start empty blocks 7.5e-05 s\n"
             "waves 2 wave\n"
             "80 blocks take 75.0 µs to start, 75 % of the time\n"
             "more work per block: a grid-stride loop over a grid of one wave, or several elements per thread\n",
     .takes = "loads_s 3.3058, own_issue_s 3.3058, dependencies_s 3.3058, empty_s 50, warps 30250",
     .silent = {{"fixed_ns", 0}}},
    {.rule = "small-blocks", /* where that takes longer than was measured all of it is for warps that are not there */
     .set = {{"fixed_ns", 150e3}},
     .says = "grid 80 block\n"
             "time to start empty blocks 0.00015 s\n"
             "waves 2 wave\n"
             "80 blocks take 150.0 µs to start, all of the time\n"
             "more work per block: a grid-stride loop over a grid of one wave, or several elements per thread\n",
     .takes = "loads_s 2.5, own_issue_s 2.5, dependencies_s 2.5, empty_s 50, warps 40000"},
    {.rule = "small-blocks", /* of the launches that were counted, as the table of bounds */
     .also = counted_longer,
     .sized = true,
     .set = {{"fixed_ns", 70e3}},
     .says = "grid 80 block\n"
             "time to start empty blocks 7e-05 s\n"
             "waves 2 wave\n"
             "80 blocks take 70.0 µs to start, 35 % of the 200.0 µs that the counted launches took\n"
             "more work per block: a grid-stride loop over a grid of one wave, or several elements per thread\n",
     .takes = "loads_s 6.8259, own_issue_s 6.8259, dependencies_s 6.8259, empty_s 50, warps 14650"},
    {.rule = "small-blocks", /* a block of 64 threads has a row */
     .also = rows_of_64,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.BFLY PT, R5, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R5", "EXIT"},
     .executed = {1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n"
         "80 blocks take 75.0 µs to start, 75 % of the time\n"
         "let one block do the work of several: a loop in a grid of one wave, or more warps per block, each with its own\n"},
    {.rule = "small-blocks", /* of 16 threads, half a warp */
     .also = rows_of_16,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.DOWN PT, R5, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R5", "EXIT"},
     .executed = {1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n"
         "80 blocks take 75.0 µs to start, 75 % of the time\n"
         "let one block of whole warps (16 threads now) do the work of several: a loop in a grid of one wave, or each warp with its own\n"},
    {.rule = "small-blocks", /* of 256, with fewer threads a smaller one */
     .also = NULL,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.BFLY PT, R5, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R5", "EXIT"},
     .executed = {1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n"
         "80 blocks take 75.0 µs to start, 75 % of the time\n"
         "several elements per thread, all loads first (the estimate assumes 2), or a grid-stride loop over one wave\n"},
    {.rule = "small-blocks", /* a prefix goes on */
     .also = rows_of_64,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.UP PT, R6, R4, 0x1, 0x1f", "SHFL.BFLY PT, R5, R6, 0x1, 0x1f",
               "STG.E desc[UR4][R2.64], R5", "EXIT"},
     .executed = {1, 1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n"
         "80 blocks take 75.0 µs to start, 75 % of the time\n"
         "several elements per thread, all loads first (the estimate assumes 2), or a grid-stride loop over one wave\n"},
    {.rule = "small-blocks", /* a sum of all is stored */
     .also = rows_of_64,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.BFLY PT, R5, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R5", "EXIT"},
     .executed = {1, 1, 0.25, 1},
     .set = {{"fixed_ns", 75e3}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n"
         "80 blocks take 75.0 µs to start, 75 % of the time\n"
         "several elements per thread, all loads first (the estimate assumes 2), or a grid-stride loop over one wave\n"},
    {.rule = "small-blocks", .also = blocks_40, .set = {{"fixed_ns", 75e3}}, .takes = ""},
    {.rule = "small-blocks", .also = no_launch, .set = {{"fixed_ns", 75e3}}, .takes = ""},
};

/* --- waves --- */

static const struct judged_case WAVES[] = {
    /* 3.6 blocks an SM, of which the busiest have 4: 0.9 of the round work's 0.5 */
    {.rule = "tail",
     .also = blocks_36,
     .set = {{"sm_cycles_active_max", 1e5 / 0.9}, {"l1_wavefronts", 4e5}},
     .says = "waves 1.2 wave\n"
             "SM balance 0.9 ratio\n"
             "SM balance expected from the last wave 0.9 ratio\n"
             "1.20 waves: the last one fills 20 % of the chip\n"
             "choose a grid of whole waves, use smaller blocks, or a persistent grid with a work queue\n",
     .takes = "blocks 990, balance 0.55556",
     .silent = {{"sm_cycles_active_max", 1e5}}},
    /* a warp's chain C is 30/54 C twice: of 1/9 C more the tail is 0.359, of all 0.03836 */
    {.rule = "tail",
     .also = blocks_54,
     .set = {{"stall_selected", 16e6}, {"stall_wait", 0}},
     .says = "waves 1.8 wave\n"
             "SM balance 1 ratio\n"
             "SM balance expected from the last wave 1 ratio\n"
             "tail, share of the modelled time 0.03836 ratio\n"
             "1.80 waves: the last one fills 80 % of the chip\n"
             "choose a grid of whole waves, use smaller blocks, or a persistent grid with a work queue\n",
     .takes = "blocks 990"},
    {.rule = "tail", /* tiles alike: no queue shortens the last of their turns */
     .also = blocks_54,
     .lines = {"LDS R4, [R5]", "EXIT"},
     .executed = {54, 54},
     .set = {{"stall_selected", 16e6}, {"stall_wait", 0}},
     .says = "waves 1.8 wave\n"
             "SM balance 1 ratio\n"
             "SM balance expected from the last wave 1 ratio\n"
             "tail, share of the modelled time 0.03836 ratio\n"
             "1.80 waves: the last one fills 80 % of the chip\n"
             "smaller blocks or tiles, split sums (split K), or a tile shape whose grid fills the waves; a "
             "grid-stride loop over the same tiles takes as many turns\n",
     .takes = "blocks 990"},
    {.rule = "tail", .also = blocks_40, .set = {{"sm_cycles_active_max", 2e5}, {"l1_wavefronts", 4e5}}, .takes = ""},
    {.rule = "tail", .also = no_launch, .takes = ""},
    {.rule = "imbalance",
     .set = {{"sm_cycles_active_max", 1e5 / 0.75}},
     .says = "SM balance 0.75 ratio\n"
             "waves 2 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 75 % of the busiest SM's cycles\n"
             "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n",
     .takes = "balance 1",
     .silent = {{"sm_cycles_active_max", 1e5}}},
    {.rule = "imbalance",
     .set = {{"sm_cycles_active_max", 1e5 / 0.24}},
     .says =
         "SM balance 0.24 ratio\n"
         "waves 2 wave\n"
         "achieved occupancy 0.5 ratio\n"
         "the average SM works for 24 % of the busiest SM's cycles: as if 2 of 10 SMs had all of the work\n"
         "a few blocks have nearly all of the work: share their loops out over all blocks, a part of the turns each\n",
     .takes = "balance 1"},
    {.rule = "imbalance", /* not even half an SM's */
     .set = {{"sm_cycles_active_max", 1e5 / 0.04}},
     .says =
         "SM balance 0.04 ratio\n"
         "waves 2 wave\n"
         "achieved occupancy 0.5 ratio\n"
         "the average SM works for 4 % of the busiest SM's cycles: as if 1 of 10 SMs had all of the work\n"
         "a few blocks have nearly all of the work: share their loops out over all blocks, a part of the turns each\n",
     .takes = "balance 1"},
    {.rule = "imbalance",
     .set = {{"sm_cycles_active_max", 1e5 / 0.26}},
     .says = "SM balance 0.26 ratio\n"
             "waves 2 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 26 % of the busiest SM's cycles\n"
             "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n",
     .takes = "balance 1"},
    {.rule = "imbalance",
     .also = blocks_36,
     .set = {{"sm_cycles_active_max", 1e5 / 0.75}},
     .says = "SM balance 0.75 ratio\n"
             "waves 1.2 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 75 % of the busiest SM's cycles\n"
             "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n",
     .takes = "balance 0.9",
     .silent = {{"sm_cycles_active_max", 1e5 / 0.91}}},
    {.rule = "imbalance", /* 24 blocks are left for a second wave, in which each of 10 SMs has some */
     .also = blocks_54,
     .set = {{"sm_cycles_active_max", 1e5 / 0.95}},
     .says = "SM balance 0.95 ratio\n"
             "waves 1.8 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 95 % of the busiest SM's cycles\n"
             "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n",
     .takes = "balance 1"},
    {.rule = "imbalance",
     .also = blocks_10,
     .set = {{"sm_cycles_active_max", 2e5}},
     .says = "SM balance 0.5 ratio\n"
             "waves 0.25 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 50 % of the busiest SM's cycles\n"
             "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n",
     .takes = "balance 1"},
    {.rule = "imbalance",
     .also = blocks_32,
     .set = {{"sm_cycles_active_max", 1e5 / 0.79}},
     .says =
         "SM balance 0.79 ratio\n"
         "waves 0.8 wave\n"
         "achieved occupancy 0.5 ratio\n"
         "the average SM works for 79 % of the busiest SM's cycles: of 32 blocks some SMs have 4, others 3\n"
         "as many blocks on each SM: smaller blocks (8192 threads in all), or a grid-stride loop over 30 or 40 blocks\n",
     .takes = "balance 1"},
    {.rule = "imbalance", /* any grid covers the work */
     .also = blocks_32,
     .lines = {"S2R R0, SR_CTAID.X", "S2R R3, SR_TID.X", "LDC R7, c[0x0][0xc]", "FADD R4, R4, R5",
               "IADD3 R3, R7, R3, RZ", "ISETP.GE.AND P0, PT, R3, UR8, PT", "@!P0 BRA 0x30", "EXIT"},
     .executed = {32, 32, 32, 320, 320, 320, 320, 32},
     .set = {{"sm_cycles_active_max", 1e5 / 0.79}},
     .says = "SM balance 0.79 ratio\n"
             "waves 0.8 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 79 % of the busiest SM's cycles: of 32 blocks some SMs have 4, others 3\n"
             "as many blocks on each SM: a grid of 30 or 40, or smaller blocks\n",
     .takes = "balance 1"},
    {.rule = "imbalance", /* 24 of 30 in the second wave; 43.2 warps on an SM, of which some have 44 */
     .also = blocks_54,
     .lines = {"FADD R4, R5, R6", "EXIT"},
     .executed = {54, 54},
     .set = {{"sm_cycles_active_max", 1e5 / 0.95}},
     .says =
         "SM balance 0.95 ratio\n"
         "waves 1.8 wave\n"
         "achieved occupancy 0.5 ratio\n"
         "the average SM works for 95 % of the busiest SM's cycles: blocks do equal work, but the last wave fills 24 of 30 slots\n"
         "a grid-stride loop over one full wave (a grid of 30 blocks), or smaller blocks\n",
     .takes = "balance 0.98182"},
    {.rule =
         "imbalance", /* tiles: of their halves 10.8 lie on an SM, and 3.6 waves take 4 turns; of their quarters 21.6, and 7.2 take 8 */
     .also = blocks_54,
     .lines = {"LDS R4, [R5]", "EXIT"},
     .executed = {54, 54},
     .set = {{"sm_cycles_active_max", 1e5 / 0.89}},
     .says =
         "SM balance 0.89 ratio\n"
         "waves 1.8 wave\n"
         "achieved occupancy 0.5 ratio\n"
         "the average SM works for 89 % of the busiest SM's cycles: 54 blocks on 30 places take 2 turns, 1.8 are needed\n"
         "smaller blocks or tiles, split sums (split K), or a tile shape whose grid fills the waves; a "
         "grid-stride loop over the same tiles takes as many turns\n",
     .takes = "balance 0.9"},
    {.rule =
         "imbalance", /* a barrier, too; a load decides how long a block works, but the count of blocks explains it: 5.4 of 6 */
     .also = blocks_54,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 EXIT",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
     .executed = {54, 54, 54, 27, 27},
     .set = {{"sm_cycles_active_max", 1e5 / 0.89}},
     .says =
         "SM balance 0.89 ratio\n"
         "waves 1.8 wave\n"
         "achieved occupancy 0.5 ratio\n"
         "the average SM works for 89 % of the busiest SM's cycles: 54 blocks on 30 places take 2 turns, 1.8 are needed\n"
         "smaller blocks or tiles, split sums (split K), or a tile shape whose grid fills the waves; a "
         "grid-stride loop over the same tiles takes as many turns\n",
     .takes = "balance 0.9"},
    {.rule = "imbalance", /* and does not: 0.88 x 1.02 < 0.9 */
     .also = blocks_54,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 EXIT",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
     .executed = {54, 54, 54, 27, 27},
     .set = {{"sm_cycles_active_max", 1e5 / 0.88}},
     .says = "SM balance 0.88 ratio\n"
             "waves 1.8 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 88 % of the busiest SM's cycles\n"
             "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n",
     .takes = "balance 1"},
    {.rule = "imbalance", /* whole waves explain nothing */
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 EXIT",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
     .executed = {54, 54, 54, 27, 27},
     .set = {{"sm_cycles_active_max", 1e5 / 0.985}},
     .says = "SM balance 0.985 ratio\n"
             "waves 2 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 98 % of the busiest SM's cycles\n"
             "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n",
     .takes = "balance 1"},
    {.rule = "imbalance", /* 3.2 of 4; of halves 6.4 of 7, of quarters 12.8 of 13 */
     .also = blocks_32,
     .lines = {"HMMA.16816.F32 R4, R8, R10, R4", "EXIT"},
     .executed = {32, 32},
     .set = {{"sm_cycles_active_max", 1e5 / 0.79}},
     .says = "SM balance 0.79 ratio\n"
             "waves 0.8 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 79 % of the busiest SM's cycles: of 32 blocks some SMs have 4, others 3\n"
             "smaller blocks or tiles, split sums (split K), or a tile shape whose grid gives each SM as many; a "
             "grid-stride loop over the same tiles takes as many turns\n",
     .takes = "balance 0.98462"},
    {.rule = "imbalance", /* one warp is a piece, too */
     .also = warps_32,
     .lines = {"FADD R4, R5, R6", "EXIT"},
     .executed = {32, 32},
     .set = {{"sm_cycles_active_max", 1e5 / 0.79}},
     .says = "SM balance 0.79 ratio\n"
             "waves 0.8 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 79 % of the busiest SM's cycles: of 32 blocks some SMs have 4, others 3\n"
             "more threads with less work in each: a thread's work split over several; a grid-stride loop over the "
             "same warps takes as many turns\n",
     .takes = "balance 0.98462"},
    {.rule = "imbalance", /* whole waves */
     .lines = {"FADD R4, R5, R6", "EXIT"},
     .executed = {54, 54},
     .set = {{"sm_cycles_active_max", 1e5 / 0.75}},
     .says = "SM balance 0.75 ratio\n"
             "waves 2 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 75 % of the busiest SM's cycles\n"
             "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n",
     .takes = "balance 1"},
    {.rule = "imbalance", /* a load decides how long a block works */
     .also = blocks_54,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 EXIT", "EXIT"},
     .executed = {54, 54, 54, 27},
     .set = {{"sm_cycles_active_max", 1e5 / 0.95}},
     .says = "SM balance 0.95 ratio\n"
             "waves 1.8 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 95 % of the busiest SM's cycles\n"
             "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n",
     .takes = "balance 1"},
    {.rule = "imbalance", /* less even than alike blocks are */
     .also = blocks_32,
     .set = {{"sm_cycles_active_max", 1e5 / 0.78}},
     .says = "SM balance 0.78 ratio\n"
             "waves 0.8 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 78 % of the busiest SM's cycles\n"
             "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n",
     .takes = "balance 1"},
    {.rule = "imbalance", .also = blocks_5, .set = {{"sm_cycles_active_max", 2e5}}}, /* SMs without a block */
};

/* --- occupancy --- */

/* 2 blocks of 128 x 256 registers; 3 of 70,000 B of shared memory. */
static void many_registers(struct made_diagnosis *d) {
  launch(d, 80, 256, 2, 128);
  d->m.results[0].launches->smem_dynamic = 70000;
}

static void large_blocks(struct made_diagnosis *d) {
  launch(d, 20, 1024, 1, 40);
}

static void large_blocks_of_many_registers(struct made_diagnosis *d) {
  launch(d, 20, 1024, 1, 43);
}

static void one_large_block_each(struct made_diagnosis *d) {
  launch(d, 10, 1024, 1, 40);
}

static void one_large_block_of_many_registers(struct made_diagnosis *d) {
  launch(d, 10, 1024, 1, 43);
}

static void much_shared_memory(struct made_diagnosis *d) {
  launch(d, 80, 256, 2, 32);
  d->m.results[0].launches->smem_static = 40000;
  d->m.results[0].launches->smem_dynamic = 60000;
}

static void blocks_of_a_warp(struct made_diagnosis *d) {
  launch(d, 640, 32, 32, 16);
}

/* 5 of 12 warps are 60 of 64. */
static void twelve_warps(struct made_diagnosis *d) {
  launch(d, 80, 384, 5, 16);
}

static void full_of_warps(struct made_diagnosis *d) {
  launch(d, 160, 256, 8, 32);
}

static void unknown_registers(struct made_diagnosis *d) {
  launch(d, 80, 256, 2, 0);
}

/* Shared memory for 4 blocks of 12 warps; the SM has warps for 5. */
static void four_of_five_blocks(struct made_diagnosis *d) {
  launch(d, 80, 384, 4, 16);
  d->m.results[0].launches->smem_dynamic = 55000;
}

/* As many_registers, but how many blocks an SM holds was not told. */
static void unknown_blocks(struct made_diagnosis *d) {
  launch(d, 80, 256, 0, 128);
}

#define TWICE_THE_WARPS "loads_s 50, own_issue_s 50, dependencies_s 50, blocks_per_sm 2000, warps 2000"

#define ADDS(to) "HMMA.16816.F32 R" #to ", R4, R8, R" #to
/* Sums of 24 registers and a last instruction, two addresses, and 6 registers of factors. */
#define SUMS(last)                                                                                                     \
  .lines = {"LDS.128 R4, [R2]", "LDS.64 R8, [R3]", ADDS(12), ADDS(16),      ADDS(20), ADDS(24),                        \
            ADDS(28),           ADDS(32),          last,     "@P0 BRA 0x0", "EXIT"},                                   \
  .executed = {10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 1}

/* 8 loads of 16 bytes with an address of two registers, and 7 numbers: 41 live registers. */
#define LIVE_41(stored)                                                                                                \
  .lines = {"LDS.64 R42, [R40]",                                                                                       \
            "LDS R44, [R40+0x8]",                                                                                      \
            "LDG.E.128 R4, desc[UR4][R2.64]",                                                                          \
            "LDG.E.128 R8, desc[UR4][R2.64+0x200]",                                                                    \
            "LDG.E.128 R12, desc[UR4][R2.64+0x400]",                                                                   \
            "LDG.E.128 R16, desc[UR4][R2.64+0x600]",                                                                   \
            "LDG.E.128 R20, desc[UR4][R2.64+0x800]",                                                                   \
            "LDG.E.128 R24, desc[UR4][R2.64+0xa00]",                                                                   \
            "LDG.E.128 R28, desc[UR4][R2.64+0xc00]",                                                                   \
            "LDG.E.128 R32, desc[UR4][R2.64+0xe00]",                                                                   \
            "STS.128 [R40], R4",                                                                                       \
            "STS.128 [R41], R8",                                                                                       \
            "STS.128 [R42], R12",                                                                                      \
            "STS.128 [R43], R16",                                                                                      \
            "STS.128 [R44], R20",                                                                                      \
            "STS.128 [R45], R24",                                                                                      \
            "STS.128 [R46], R28",                                                                                      \
            stored,                                                                                                    \
            "EXIT"},                                                                                                   \
  .executed = {1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6}

static void fifty_six_registers(struct made_diagnosis *d) {
  launch(d, 80, 256, 4, 56);
}

static const struct judged_case OCCUPANCY[] = {
    {.rule = "occupancy",
     .also = many_registers,
     .set = {{"stall_long_scoreboard", 8e6}, {"warps_active", 16e6}},
     .says =
         "theoretical occupancy 0.25 ratio\n"
         "achieved occupancy 0.25 ratio\n"
         "eligible warps 0.25 warp\n"
         "long scoreboard, share 0.5 ratio\n"
         "25 % of the SM's warps are resident, limited by registers\n"
         "at most 80 registers per thread (128 now) let 3 blocks into an SM: smaller tiles, or __launch_bounds__(256, 3); else more loads in flight per warp\n",
     .takes = "loads_s 66.667, own_issue_s 66.667, dependencies_s 66.667, blocks_per_sm 1500, warps 1500"},
    {.rule = "occupancy",
     .also = much_shared_memory,
     .set = {{"warps_active", 48e6}},
     .says =
         "theoretical occupancy 0.25 ratio\n"
         "achieved occupancy 0.75 ratio\n"
         "eligible warps 0.25 warp\n"
         "75 % of the SM's warps are resident, limited by shared memory\n"
         "at most 56 KiB of shared memory per block (98 now) let 4 blocks into an SM: fewer stages, smaller tiles; else more loads in flight per warp\n",
     .takes = TWICE_THE_WARPS},
    {.rule = "occupancy",
     .also = blocks_of_a_warp,
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "50 % of the SM's warps are resident, limited by blocks per SM\n"
             "larger blocks: the SM is at its limit of blocks, not of warps\n",
     .takes = TWICE_THE_WARPS},
    {.rule = "occupancy",
     .also = twelve_warps,
     .says = "theoretical occupancy 0.9375 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "50 % of the SM's warps are resident, limited by warps per SM\n"
             "a block size that divides the SM's warps\n",
     .takes = "loads_s 93.75, own_issue_s 93.75, dependencies_s 93.75, blocks_per_sm 1066.7, warps 1066.7"},
    {.rule = "occupancy", /* a fifth block of 12 warps is 60 of 64 */
     .also = four_of_five_blocks,
     .says =
         "theoretical occupancy 0.75 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "eligible warps 0.25 warp\n"
         "50 % of the SM's warps are resident, limited by shared memory\n"
         "at most 44 KiB of shared memory per block (54 now) let 5 blocks into an SM: fewer stages, smaller tiles; else more loads in flight per warp\n",
     .takes = "loads_s 80, own_issue_s 80, dependencies_s 80, blocks_per_sm 1250, warps 1250"},
    {.rule = "occupancy", /* 3 blocks of 512 threads x 40 registers fit, 2 of 512 x 48 */
     .also = large_blocks,
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "50 % of the SM's warps are resident, limited by registers\n"
             "blocks of 512 threads, or at most 32 registers per thread (40 now) let 2 blocks into an SM: "
             "__launch_bounds__(1024, 2); else more loads in flight per warp\n",
     .takes = TWICE_THE_WARPS},
    {.rule = "occupancy", /* 32 are enough for its sums */
     .also = large_blocks,
     SUMS("NOP"),
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "50 % of the SM's warps are resident, limited by registers\n"
             "blocks of 512 threads, or at most 32 registers per thread (40 now) let 2 blocks into an SM: "
             "__launch_bounds__(1024, 2); else more loads in flight per warp\n",
     .takes = TWICE_THE_WARPS},
    {.rule = "occupancy", /* and are not: 3 blocks of 512 threads are 1.5 times the warps */
     .also = large_blocks,
     SUMS("FADD R36, R36, 1"),
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "50 % of the SM's warps are resident, limited by registers\n"
             "blocks of 512 threads: with fewer registers the 25 sums that the hot loop keeps would spill\n",
     .takes = "loads_s 66.667, own_issue_s 66.667, dependencies_s 66.667, blocks_per_sm 1500, warps 1500"},
    {.rule = "occupancy", .also = large_blocks_of_many_registers, SUMS("FADD R36, R36, 1"), .takes = ""},
    {.rule = "occupancy",
     .also = large_blocks_of_many_registers,
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "50 % of the SM's warps are resident, limited by registers\n"
             "at most 32 registers per thread (43 now) let 2 blocks into an SM: smaller tiles, or "
             "__launch_bounds__(1024, 2); else more loads in flight per warp\n",
     .takes = TWICE_THE_WARPS},
    /* 41 registers are live at once: 48 let 5 blocks in, 32 would let 8 */
    {.rule = "occupancy",
     .also = fifty_six_registers,
     LIVE_41("STG.E.128 desc[UR4][R2.64], R32"),
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "50 % of the SM's warps are resident, limited by registers\n"
             "at most 48 registers per thread (56 now) let 5 blocks into an SM: smaller tiles, or "
             "__launch_bounds__(256, 5); else more loads in flight per warp\n",
     .takes = "loads_s 80, own_issue_s 80, dependencies_s 80, blocks_per_sm 1250, warps 1250"},
    /* none lets a second block of 1024 threads in: fewer of its eight elements do */
    {.sized = true,
     .rule = "occupancy",
     .also = large_blocks_of_many_registers,
     LIVE_41("STG.E.128 desc[UR4][R2.64], R32"),
     .says =
         "theoretical occupancy 0.5 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "eligible warps 0.25 warp\n"
         "50 % of the SM's warps are resident, limited by registers\n"
         "fewer elements per thread, on more threads: 41 of a thread's 43 registers are live at once, and fewer may "
         "spill\n",
     .takes = TWICE_THE_WARPS},
    /* 3 blocks of 512 threads fit */
    {.rule = "occupancy",
     .also = large_blocks,
     LIVE_41("STG.E.128 desc[UR4][R2.64], R32"),
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "50 % of the SM's warps are resident, limited by registers\n"
             "blocks of 512 threads: 41 of a thread's 40 registers are live at once, and fewer may spill\n",
     .takes = "loads_s 66.667, own_issue_s 66.667, dependencies_s 66.667, blocks_per_sm 1500, warps 1500"},
    /* what is loaded is of one element: its stores have four bytes in all */
    {.rule = "occupancy", .also = large_blocks_of_many_registers, LIVE_41("STG.E desc[UR4][R2.64], R32"), .takes = ""},
    {.rule = "occupancy", /* 10 SMs have one each: fewer registers let no other block in */
     .also = one_large_block_each,
     .says =
         "theoretical occupancy 0.5 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "eligible warps 0.25 warp\n"
         "50 % of the SM's warps are resident, limited by registers and by the grid\n"
         "more work in flight per warp (wider loads, more before the first use), or a larger grid of smaller blocks: "
         "all blocks run at once\n",
     .takes = TWICE_THE_WARPS},
    {.rule = "occupancy", /* nor where they would spill */
     .also = one_large_block_of_many_registers,
     SUMS("FADD R36, R36, 1"),
     .takes = ""},
    {.rule = "occupancy", .also = full_of_warps, .takes = ""},
    {.rule = "occupancy", .also = unknown_registers, .takes = ""},
    {.rule = "occupancy", .also = unknown_blocks, .takes = ""},
    {.rule = "occupancy", .also = no_launch, .takes = ""},
    {.rule = "occupancy", .also = blocks_5, .takes = ""}, /* small-grid's to say */
    {.rule = "occupancy",
     .also = many_registers,
     .lines = {"UBLKCP.S.G [UR4], [UR6], UR8", "EXIT"},
     .executed = {1, 1}},
    /* half a wave, and no loads are known: a whole one */
    {.rule = "occupancy",
     .also = blocks_20,
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "GENERAL 20 blocks where 40 fit: the grid fills 50 % of one wave\n"
             "more blocks with less work in each, or split a long sum over blocks or warps\n",
     .takes = "loads_s 50, own_issue_s 50, dependencies_s 50, blocks 2000, warps 2000"},
    {.rule = "occupancy",
     .also = blocks_38,
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "GENERAL 38 blocks where 40 fit: the grid fills 95 % of one wave\n"
             "more blocks with less work in each, or split a long sum over blocks or warps\n",
     .takes = "loads_s 95, own_issue_s 95, dependencies_s 95, blocks 1052.6, warps 1052.6"},
    {.rule = "occupancy",
     .also = blocks_10,
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "GENERAL 10 blocks where 40 fit: the grid fills 25 % of one wave\n"
             "more blocks with less work in each, or split a long sum over blocks or warps\n",
     .takes = "loads_s 50, own_issue_s 50, dependencies_s 50, blocks 2000, warps 2000"},
};

/* --- latency --- */

static struct run_sample samples[2];

/* 48 of 64 samples stand at the first instruction. */
static void sampled(struct made_diagnosis *d) {
  samples[0] = (struct run_sample){.offset = 0, .reason = (char *)"wait", .samples = 16};
  samples[1] = (struct run_sample){.offset = 16, .reason = (char *)"long_scoreboard", .samples = 48};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
}

/* All 48 at one instruction. */
static void sampled_at_one(struct made_diagnosis *d) {
  samples[0] = (struct run_sample){.offset = 16, .reason = (char *)"long_scoreboard", .samples = 48};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 1;
}

static void sampled_lines(struct made_diagnosis *d) {
  static struct run_line lines[2];
  static struct run_source source;
  sampled(d);
  source = (struct run_source){.name = (char *)"/home/me/src/gemv.cu"};
  d->m.run.sources = &source;
  d->m.run.n_sources = 1;
  for (int i = 0; i < 2; i++) {
    lines[i] = (struct run_line){.source = 0, .line = 12 + i};
    d->sass[i].lines = &lines[i];
    d->sass[i].n_lines = 1;
  }
}

/* 16 of 64 samples stand at a line, 48 at code that has none. */
static void sampled_without_the_hot_line(struct made_diagnosis *d) {
  sampled_lines(d);
  d->sass[1].n_lines = 0;
}

#define LATENCY_EVIDENCE(SHARE)                                                                                        \
  "latency, share of the time " SHARE " ratio\n"                                                                       \
  "issue slots used 0.75 ratio\n"                                                                                      \
  "achieved occupancy 0.5 ratio\n"
#define MORE_WARPS                                                                                                     \
  "more warps, or more independent work in each: unroll, split sums, load ahead (the estimate assumes half of each wait)\n"

static void no_slots(struct made_diagnosis *d) {
  not_counted(d, "issue_active");
}

#define FEW_SLOTS "75 % of issue slots used while SMs are active (0 % of the whole time)"
static const struct judged_case LATENCY[] = {
    {.rule =
         "latency", /* of slots that an import lacks nothing is said; 33e6 cycles of 320 warps at 1 GHz are 103 us */
     .also = no_slots,
     .set = {{"stall_selected", 32e6}, {"stall_wait", 1e6}},
     .says = "latency, share of the time 1.031 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "GENERAL latency-bound, mostly wait\n" MORE_WARPS},
    {.rule = "latency",
     .set = {{"stall_selected", 32e6}, {"stall_wait", 0}, {"dram_read_bytes", 100}, {"dram_write_bytes", 0}},
     .says = LATENCY_EVIDENCE("1") "DRAM bandwidth 1e+06 B/s\n"
                                   "GENERAL latency-bound: " FEW_SLOTS "\n" MORE_WARPS,
     .takes = "loads_s 50, own_issue_s 50, dependencies_s 50",
     .silent = {{"l1_wavefronts", 2e6}}},
    {.rule = "latency", /* all blocks are resident: registers do not keep warps out */
     .also = one_large_block_each,
     .set = {{"stall_selected", 32e6}, {"stall_wait", 0}, {"dram_read_bytes", 100}, {"dram_write_bytes", 0}},
     .says =
         LATENCY_EVIDENCE("1") "DRAM bandwidth 1e+06 B/s\n"
                               "GENERAL latency-bound: " FEW_SLOTS "\n"
                               "more independent work in each warp: unroll, split sums, load ahead; or a larger grid "
                               "(the estimate assumes half of each wait)\n"},
    {.rule = "latency",
     .lines = {"FADD R8, R8, R9", "FADD R4, R8, R9", "EXIT"},
     .executed = {1, 1, 1},
     .also = sampled,
     .set = {{"stall_selected", 32e6}, {"stall_wait", 1e6}},
     .says = LATENCY_EVIDENCE("1.031") "GENERAL latency-bound: " FEW_SLOTS ", mostly wait; hottest instruction 0x0010 "
                                       "(long_scoreboard, 75 % of samples)\n" MORE_WARPS},
    {.rule = "latency",
     .lines = {"FADD R8, R8, R9", "FADD R4, R8, R9", "EXIT"},
     .executed = {1, 1, 1},
     .also = sampled_at_one,
     .set = {{"stall_selected", 32e6}, {"stall_wait", 1e6}},
     .says = LATENCY_EVIDENCE("1.031") "GENERAL latency-bound: " FEW_SLOTS ", mostly wait; hottest instruction 0x0010 "
                                       "(long_scoreboard, 100 % of samples)\n" MORE_WARPS},
    {.rule = "latency",
     .lines = {"FADD R8, R8, R9", "FADD R4, R8, R9", "EXIT"},
     .executed = {1, 1, 1},
     .also = sampled_lines,
     .set = {{"stall_selected", 32e6}, {"stall_wait", 1e6}},
     .says = LATENCY_EVIDENCE("1.031") "GENERAL latency-bound: " FEW_SLOTS ", mostly wait; hottest line gemv.cu:13 "
                                       "(long_scoreboard, 75 % of samples)\n" MORE_WARPS},
    {.rule = "latency",
     .lines = {"FADD R8, R8, R9", "FADD R4, R8, R9", "EXIT"},
     .executed = {1, 1, 1},
     .also = sampled_without_the_hot_line,
     .set = {{"stall_selected", 32e6}, {"stall_wait", 1e6}},
     .says = LATENCY_EVIDENCE("1.031") "GENERAL latency-bound: " FEW_SLOTS ", mostly wait; hottest instruction 0x0010 "
                                       "(long_scoreboard, 75 % of samples)\n" MORE_WARPS},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(SMALL);
  JUDGE_ALL(LAUNCHES);
  JUDGE_ALL(WAVES);
  JUDGE_ALL(OCCUPANCY);
  JUDGE_ALL(LATENCY);
}

/* Counts that samples share out do not say how often a loop is entered: its turns over the
 * grid's 16 warps, or over those of the loop around it. */
static void turns_by_estimates(void **state) {
  static const struct judged_case one = {.also = blocks_2,
                                         .lines = {"MOV R2, R6", "LDG.E.64 R8, desc[UR4][R2.64]", "@P0 BRA 0x10",
                                                   "EXIT"},
                                         .executed = {16, 16496, 16496, 16}},
                                  nest = {.also = blocks_2,
                                          .lines = {"MOV R2, R6", "IADD3 R2, R2, R3, RZ",
                                                    "LDG.E.64 R8, desc[UR4][R2.64]", "@P0 BRA 0x20", "@P1 BRA 0x10",
                                                    "EXIT"},
                                          .executed = {16, 16e4, 32e4, 32e4, 16e4, 16}};
  static const struct {
    const struct judged_case *c;
    double least;
    const char *want;
  } cases[] = {
      {&one, 5, "each thread makes about 1000 turns of its loop, as compiled: split that loop over lanes or blocks!"},
      {&one, 1001, NULL},
      {&nest, 5,
       "each thread makes about 10000 turns of its loop, as compiled: split that loop over lanes or blocks!"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct judged j;
    struct split_loop t;
    judged_make(&j, cases[i].c, NULL);
    j.in.sass->estimated = true;
    for (size_t l = 0; l < j.in.sass->n_loops; l++)
      j.in.sass->loops[l].trips = value_absent("estimates");
    assert_int_equal(split_loop_of(&t, &j.in, cases[i].least), cases[i].want != NULL);
    if (cases[i].want)
      assert_string_equal(split_loop_words(&j.in, &t, "!"), cases[i].want);
    judged_release(&j);
  }
}

/* Loops whose turns are given away otherwise, or not at all. */
static void turns_of_other_loops(void **state) {
#define TURNS(...)                                                                                                     \
  {                                                                                                                    \
    .also = blocks_2, .lines = {__VA_ARGS__}, .executed = { 16, 16, 16, 1600, 1600, 1600, 1600, 16, 16 }               \
  }
  static const struct judged_case
      /* 2 blocks of 256 threads */
      strides = TURNS("MOV R2, R6", "NOP", "NOP", "LDG.E R8, desc[UR4][R2.64]", "IADD3 R2, P1, R2, 0x200, RZ", "NOP",
                      "@P0 BRA 0x30", "NOP", "EXIT"),
      less = TURNS("MOV R2, R6", "NOP", "NOP", "LDG.E R8, desc[UR4][R2.64]", "IADD3 R2, P1, R2, 0x100, RZ", "NOP",
                   "@P0 BRA 0x30", "NOP", "EXIT"),
      other = TURNS("MOV R2, R6", "NOP", "NOP", "LDG.E R8, desc[UR4][R2.64]", "IADD3 R2, P1, R3, 0x200, RZ", "NOP",
                    "@P0 BRA 0x30", "NOP", "EXIT"),
      one = TURNS("S2R R0, SR_TID.X", "ISETP.NE.AND P1, PT, R0, RZ, PT", "@P1 EXIT", "LDG.E R8, desc[UR4][R2.64]",
                  "IADD3 R2, R2, 0x4, RZ", "NOP", "@P0 BRA 0x30", "NOP", "EXIT"),
      beside = TURNS("S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "MOV R6, RZ", "LDG.E R8, desc[UR4][R2.64]",
                     "IADD3 R6, R6, 0x1, RZ", "NOP", "@P0 BRA 0x30", "NOP", "EXIT"),
      apart = TURNS("S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x40, RZ", "MOV R6, RZ", "LDG.E R8, desc[UR4][R2.64]",
                    "IADD3 R6, R6, 0x1, RZ", "NOP", "@P0 BRA 0x30", "NOP", "EXIT"),
      both = TURNS("S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x40, RZ", "IMAD.WIDE R4, R0, 0x4, RZ",
                   "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R4.64]", "NOP", "@P0 BRA 0x30", "NOP", "EXIT"),
      halves = TURNS("MOV R2, R6", "NOP", "NOP", "LDS R8, [R2]", "BAR.SYNC.DEFER_BLOCKING 0x0",
                     "SHF.R.U32.HI R2, RZ, 0x1, R2", "@P0 BRA 0x30", "NOP", "EXIT"),
      alone = TURNS("MOV R2, R6", "NOP", "NOP", "LDG.E R8, desc[UR4][R2.64]", "NOP", "SHF.R.U32.HI R2, RZ, 0x1, R2",
                    "@P0 BRA 0x30", "NOP", "EXIT");
#undef TURNS
  static const struct {
    const struct judged_case *c;
    const char *want; /* NULL: none to split */
  } cases[] = {
      {&strides, "launch more blocks, up to 80 (2 now): the loop strides by the grid, so that each makes fewer turns"},
      {&less, "each thread makes about 100 turns of its loop, as compiled: split that loop over lanes or blocks!"},
      {&other, "each thread makes about 100 turns of its loop, as compiled: split that loop over lanes or blocks!"},
      {&one,
       "one thread of a block goes through a loop while the others wait: share its turns out over the lanes of a warp"},
      {&beside,
       "each thread makes about 100 turns of its loop, as compiled: split that loop over warps or blocks (its lanes load "
       "side by side already)"},
      {&apart,
       "each thread makes about 100 turns of its loop, as compiled: split that loop over the lanes of a warp (their loads "
       "then lie side by side)"},
      {&both, "each thread makes about 100 turns of its loop, as compiled: split that loop over lanes or blocks!"},
      {&halves, NULL},
      {&alone, "each thread makes about 100 turns of its loop, as compiled: split that loop over lanes or blocks!"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct judged j;
    struct split_loop t;
    judged_make(&j, cases[i].c, NULL);
    bool told = split_loop_of(&t, &j.in, 5);
    if (told != (cases[i].want != NULL))
      fail_msg("case %zu", i);
    if (told)
      assert_string_equal(t.strides && !t.of_one ? split_grid_words(&j.in, &t, 80) : split_loop_words(&j.in, &t, "!"),
                          cases[i].want);
    judged_release(&j);
  }
}

/* Of a grid under half a wave, some of whose SMs have a block more, the lesser remedy stands
 * behind that for the warps that are not there. */
static void a_grid_of_few_blocks(void **state) {
  static const struct {
    unsigned blocks;
    bool few;
  } cases[] = {{11, true}, {19, true}, {21, false}, {10, false}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct judged j;
    static const struct judged_case c = {.set = {{"sm_cycles_active_max", 1e5 / 0.98}}};
    judged_make(&j, &c, NULL);
    j.d.m.results[0].launches->grid[0] = cases[i].blocks;
    assert_int_equal(imbalance_is_of_few(&j.in), cases[i].few);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(turns_by_estimates),
                                     cmocka_unit_test(turns_of_other_loops), cmocka_unit_test(a_grid_of_few_blocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
