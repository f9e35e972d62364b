/* The rule launch-bound: what it says and takes away; figures worked out beside each row. */
#include "unit/judged.h"

static void one_launch(struct made_diagnosis *d) {
  made_ceiling(&d->m, "launch_ns", 1000, CEILING_MEASURED);
}

static void slow_launch(struct made_diagnosis *d) {
  made_ceiling(&d->m, "launch_ns", 150e3, CEILING_MEASURED);
}

/* 34 and 33 us of 100, where a third is told though the L1 takes longer. */
static void third_launch(struct made_diagnosis *d) {
  made_ceiling(&d->m, "launch_ns", 34e3, CEILING_MEASURED);
}

static void less_than_a_third(struct made_diagnosis *d) {
  made_ceiling(&d->m, "launch_ns", 33e3, CEILING_MEASURED);
}

static void whole_launch(struct made_diagnosis *d) {
  made_ceiling(&d->m, "launch_ns", 99.6e3, CEILING_MEASURED);
}

/* What the L2 holds comes after so many cycles, else 500: a ramp of 5.014 times 0.5 us. */
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

/* Each of a wave. */
static void four_of_40_blocks(struct made_diagnosis *d) {
  d->m.results[0].launches->grid[0] = 40;
  launches_of(d, 4);
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

#define ONE_PERCENT "launch-bound: launching and the first bytes take 1 % of 100.0 µs\n"

static const struct judged_case CASES[] = {
    {.rule = "launch-bound",
     .also = idle_in_short_gaps,
     .set = {{"fixed_ns", 1000}},
     .says =
         "launch and first bytes, share of the time 0.01 ratio\n"
         "empty kernel 1e-06 s\n"
         "launches 1 launch\n" ONE_PERCENT
         "CALLER first a CUDA graph: the GPU idles 30 % of the time, 3 µs per launch; then fuse with a neighbouring kernel (estimate: two share a launch)\n",
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}}},
    {.rule = "launch-bound",
     .also = synchronised,
     .set = {{"fixed_ns", 1000}},
     .says =
         "launch and first bytes, share of the time 0.01 ratio\n"
         "empty kernel 1e-06 s\n"
         "launches 1 launch\n" ONE_PERCENT
         "CALLER first cut host code or waits between launches: the GPU idles 30 %, 6.5 µs a launch; then fuse with a neighbouring kernel (estimate: two share a launch)\n",
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}}},
    {.rule = "launch-bound",
     .also = idle_in_long_gaps,
     .set = {{"fixed_ns", 1000}},
     .says =
         "launch and first bytes, share of the time 0.01 ratio\n"
         "empty kernel 1e-06 s\n"
         "launches 1 launch\n" ONE_PERCENT
         "CALLER first cut host code and copies between launches, or use a CUDA graph (the GPU idles 60 %); then fuse with a neighbouring kernel (estimate: two share a launch)\n",
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}}},
    {.rule = "launch-bound",
     .also = alone_in_its_program,
     .set = {{"fixed_ns", 1000}},
     .says =
         "launch and first bytes, share of the time 0.01 ratio\n"
         "empty kernel 1e-06 s\n"
         "launches 1 launch\n" ONE_PERCENT
         "CALLER put several of its launches into one, by a loop in the kernel (a grid-wide barrier where an iteration needs the one before) or a batch (estimate: two in one)\n",
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}}},
    {.rule = "launch-bound",
     .also = alone_and_idle,
     .set = {{"fixed_ns", 1000}},
     .says =
         "launch and first bytes, share of the time 0.01 ratio\n"
         "empty kernel 1e-06 s\n"
         "launches 1 launch\n" ONE_PERCENT
         "CALLER first a CUDA graph: the GPU idles 25 % of the time, 1 µs per launch; then put several into one (a loop or a batch; estimate: two in one)\n",
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}}},
    {.rule = "launch-bound",
     .also = one_launch,
     .set = {{"fixed_ns", 1000}},
     .says = "launch and first bytes, share of the time 0.01 ratio\n"
             "empty kernel 1e-06 s\n"
             "launches 1 launch\n" ONE_PERCENT ONE_LAUNCH,
     .takes = "launches 2, empty_s 50",
     .silent = {{"l1_wavefronts", 5e4}, {"fixed_ns", 9000}}}, /* 5 us of the L1; 8 us of starting blocks */
    /* 0.8 us of starting blocks */
    {.rule = "launch-bound",
     .also = one_launch,
     .set = {{"fixed_ns", 1800}},
     .says = "launch and first bytes, share of the time 0.01 ratio\n"
             "starting blocks, share of the time 0.008 ratio\n"
             "empty kernel 1.8e-06 s\n"
             "launches 1 launch\n"
             "launch-bound: launching and the first bytes take 1 % of 100.0 µs, starting blocks 1 %\n" ONE_LAUNCH,
     .takes = "launches 2, empty_s 50"},
    /* 150 and 30 us, of 100: parts of 180 */
    {.rule = "launch-bound",
     .also = slow_launch,
     .set = {{"fixed_ns", 180e3}},
     .says = "launch and first bytes, share of the time 0.8333 ratio\n"
             "starting blocks, share of the time 0.1667 ratio\n"
             "empty kernel 0.00018 s\n"
             "launches 1 launch\n"
             "launch-bound: launching and the first bytes take 83 % of 100.0 µs, starting blocks 17 %\n" ONE_LAUNCH,
     .takes = "launches 2, empty_s 50"},
    {.rule = "launch-bound",
     .also = third_launch,
     .set = {{"fixed_ns", 34e3}, {"l1_wavefronts", 8e5}},
     .says = "launch and first bytes, share of the time 0.34 ratio\n"
             "empty kernel 3.4e-05 s\n"
             "launches 1 launch\n"
             "launching and the first bytes take 34 % of 100.0 µs\n" ONE_LAUNCH,
     .takes = "launches 2, empty_s 50",
     .silent = {{"fixed_ns", 69e3}}}, /* 35 us of starting blocks */
    {.rule = "launch-bound", .also = less_than_a_third, .set = {{"fixed_ns", 33e3}, {"l1_wavefronts", 8e5}}},
    {.rule = "launch-bound",
     .also = whole_launch,
     .set = {{"fixed_ns", 100e3}},
     .says = "launch and first bytes, share of the time 0.996 ratio\n"
             "empty kernel 0.0001 s\n"
             "launches 1 launch\n"
             "launch-bound: launching and the first bytes take all of 100.0 µs\n" ONE_LAUNCH,
     .takes = "launches 2, empty_s 50"},
    /* one more launch adds 0.8 of the ramp: 5/8 of one are half of it, and 5/8 of the launch's 1
     * us go, too */
    {.rule = "launch-bound",
     .also = warm_less,
     .sized = true,
     .set = {{"fixed_ns", 1000}},
     .says = "launch and first bytes, share of the time 0.02507 ratio\n"
             "empty kernel 1e-06 s\n"
             "launches 1 launch\n"
             "launch-bound: launching and the first bytes take 3 % of 100.0 µs\n" ONE_LAUNCH,
     .takes = "launches 1.5, empty_s 49.875"},
    {.rule = "launch-bound", /* where it adds 0.4, all of it goes */
     .also = warm_half,
     .sized = true,
     .set = {{"fixed_ns", 1000}},
     .says = "launch and first bytes, share of the time 0.02507 ratio\n"
             "empty kernel 1e-06 s\n"
             "launches 1 launch\n"
             "launch-bound: launching and the first bytes take 3 % of 100.0 µs\n" ONE_LAUNCH,
     .takes = "launches 0, empty_s 49.5"},
    {.rule = "launch-bound", /* two are fused, too; they are 2 of 2.5 us */
     .also = two_launches,
     .set = {{"fixed_ns", 2000}, {"l1_wavefronts", 5e3}},
     .says =
         "launch and first bytes, share of the time 0.02 ratio\n"
         "empty kernel 2e-06 s\n"
         "launches 2 launch\n"
         "launch-bound: launching and the first bytes take 2 % of 100.0 µs in 2 launches\n"
         "CALLER fuse the launches into one (one wave of blocks and a grid-wide barrier where they read each other's results); a CUDA graph only shortens the gaps\n",
     .takes = "launches 2, empty_s 50"},
    {.rule = "launch-bound", /* nor where they are 2 of 8 us */
     .also = two_launches,
     .set = {{"fixed_ns", 2000}, {"l1_wavefronts", 6e4}},
     .says =
         "launch and first bytes, share of the time 0.02 ratio\n"
         "empty kernel 2e-06 s\n"
         "launches 2 launch\n"
         "launching and the first bytes take 2 % of 100.0 µs in 2 launches\n"
         "CALLER fuse the launches into one (one wave of blocks and a grid-wide barrier where they read each other's results); a CUDA graph only shortens the gaps\n",
     .takes = "launches 2, empty_s 50"},
    {.rule = "launch-bound", /* what an empty one takes beyond the rate is no start of blocks: all that run at once */
     .also = four_of_40_blocks,
     .sized = true,
     .set = {{"fixed_ns", 8000}, {"dram_read_bytes", 5e4}, {"dram_write_bytes", 5e4}},
     .says = "launch and first bytes, share of the time 0.08 ratio\n"
             "empty kernel 8e-06 s\n"
             "launches 4 launch\n"
             "launch-bound: launching and the first bytes take 8 % of 100.0 µs in 4 launches\n"
             "CALLER one launch of one block (__syncthreads()) or one cluster (cluster.sync()), with a loop over the "
             "launches' steps: the 49 KiB that they use fit an SM\n",
     .takes = "launches 1, empty_s 25"},
    /* of 4 launches 3 go; they are 4 of 5 us */
    {.rule = "launch-bound",
     .also = four_launches,
     .set = {{"fixed_ns", 4000}, {"l1_wavefronts", 1e4}},
     .says =
         "launch and first bytes, share of the time 0.04 ratio\n"
         "empty kernel 4e-06 s\n"
         "launches 4 launch\n"
         "launch-bound: launching and the first bytes take 4 % of 100.0 µs in 4 launches\n"
         "CALLER fuse the launches into one (one wave of blocks and a grid-wide barrier where they read each other's results); a CUDA graph only shortens the gaps\n",
     .takes = "launches 1, empty_s 25"},
    {.rule = "launch-bound",
     .also = four_launches,
     .set = {{"fixed_ns", 4000}, {"l1_wavefronts", 6e4}},
     .says =
         "launch and first bytes, share of the time 0.04 ratio\n"
         "empty kernel 4e-06 s\n"
         "launches 4 launch\n"
         "launching and the first bytes take 4 % of 100.0 µs in 4 launches\n"
         "CALLER fuse the launches into one (one wave of blocks and a grid-wide barrier where they read each other's results); a CUDA graph only shortens the gaps\n",
     .takes = "launches 1, empty_s 25"},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
