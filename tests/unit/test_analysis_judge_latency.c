/* The rule latency: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_launch.h"

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
#define TURNS                                                                                                          \
  .lines = {"LDG.E R8, desc[UR4][R4.64]",                                                                              \
            "STS [R2], R8",                                                                                            \
            "BAR.SYNC.DEFER_BLOCKING 0x0",                                                                             \
            "LDS R9, [R6]",                                                                                            \
            "BAR.SYNC.DEFER_BLOCKING 0x0",                                                                             \
            "@P0 BRA 0x0",                                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 320}
#define AHEAD "start the copy of the next tile (cp.async, a second buffer) before this one is worked on\n"

static void a_load_of_ten_us(struct made_diagnosis *d) {
  latencies(d, 100); /* 100 turns of it */
}

static const struct judged_case CASES[] = {
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
    {.rule = "latency",
     .also = one_large_block_each,
     GRID_SYNC,
     .set = {{"stall_selected", 32e6}, {"stall_wait", 0}, {"dram_read_bytes", 100}, {"dram_write_bytes", 0}},
     .says = LATENCY_EVIDENCE("1") "DRAM bandwidth 1e+06 B/s\n"
                                   "GENERAL latency-bound: " FEW_SLOTS "\n"
                                   "more independent work in each warp: unroll, split sums, load ahead (the estimate "
                                   "assumes half of each wait)\n"},
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
    {.rule = "latency", /* for what another line loads */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT"},
     .executed = {1, 1, 1},
     .also = sampled_lines,
     .set = {{"stall_selected", 32e6}, {"stall_wait", 1e6}},
     .says = LATENCY_EVIDENCE("1.031") "GENERAL latency-bound: " FEW_SLOTS ", mostly wait; hottest line gemv.cu:13 "
                                       "(long_scoreboard, 75 % of samples, for LDG at gemv.cu:12)\n" MORE_WARPS},
    {.rule = "latency",
     .lines = {"FADD R8, R8, R9", "FADD R4, R8, R9", "EXIT"},
     .executed = {1, 1, 1},
     .also = sampled_without_the_hot_line,
     .set = {{"stall_selected", 32e6}, {"stall_wait", 1e6}},
     .says = LATENCY_EVIDENCE("1.031") "GENERAL latency-bound: " FEW_SLOTS ", mostly wait; hottest instruction 0x0010 "
                                       "(long_scoreboard, 75 % of samples)\n" MORE_WARPS},
    /* 320 resident warps at 1 GHz wait for 16e6 cycles, 50 us each, for loads and for 8e6, 25 us, at barriers.  What of the loads' waits the model does
     * not know, and no more than it leaves of 100 us, is the turns': it goes, with the barriers. */
    {.rule = "latency",
     TURNS,
     .set = {{"stall_long_scoreboard", 16e6}, {"stall_barrier", 8e6}, {"stall_selected", 0}, {"stall_wait", 0}},
     .says =
         "latency, share of the time 0.25 ratio\n"
         "issue slots used 0.75 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "copying and computing take turns: a tile is waited for in the iteration that loads it; 50 % long_scoreboard, "
         "25 % barrier\n" AHEAD,
     .takes = "loads_s 0, dependencies_s 50, barriers_s 0"},
    {.rule = "latency", TURNS, .set = {{"stall_selected", 0}, {"stall_wait", 0}}}, /* nobody waits for what is copied */
    /* 0.24 % of the warp cycles: one of the 8 warps of a block waits for 1.9 % of the time, and the others for it */
    {.rule = "latency",
     TURNS,
     .set = {{"stall_long_scoreboard", 76e3}, {"stall_barrier", 8e6}, {"stall_selected", 0}, {"stall_wait", 0}},
     .says = LATENCY_EVIDENCE(
         "0.25") "GENERAL latency-bound: " FEW_SLOTS ", mostly barrier\n"
                 "more warps, or more independent work in each: unroll, split sums (the estimate assumes half of each wait)\n"},
    {.rule = "latency",
     TURNS,
     .set = {{"stall_long_scoreboard", 84e3}, {"stall_barrier", 8e6}, {"stall_selected", 0}, {"stall_wait", 0}},
     .says =
         "latency, share of the time 0.25 ratio\n"
         "issue slots used 0.75 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "copying and computing take turns: a tile is waited for in the iteration that loads it; 0 % long_scoreboard, "
         "25 % barrier\n" AHEAD},
    {.rule = "latency", /* the barriers' 75 us leave 25 */
     TURNS,
     .set = {{"stall_long_scoreboard", 16e6}, {"stall_barrier", 24e6}, {"stall_selected", 0}, {"stall_wait", 0}},
     .says =
         "latency, share of the time 0.75 ratio\n"
         "issue slots used 0.75 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "copying and computing take turns: a tile is waited for in the iteration that loads it; 50 % long_scoreboard, "
         "75 % barrier\n" AHEAD,
     .takes = "loads_s 0, dependencies_s 75, barriers_s 0"},
    {.rule = "latency", /* the model knows of 10 us of loads, and what was counted beyond them of the rest */
     TURNS,
     .also = a_load_of_ten_us,
     .set = {{"stall_long_scoreboard", 16e6}, {"stall_barrier", 8e6}, {"stall_selected", 0}, {"stall_wait", 0}},
     .says =
         "latency, share of the time 0.75 ratio\n"
         "issue slots used 0.75 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "copying and computing take turns: a tile is waited for in the iteration that loads it; 50 % long_scoreboard, "
         "25 % barrier\n" AHEAD,
     .takes = "loads_s 0, barriers_s 0"},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
