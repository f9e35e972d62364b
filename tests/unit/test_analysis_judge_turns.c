/* A kernel that copies and computes by turns: what is said of it, and what of its waits would go if it copied ahead. */
#include "unit/judged.h"

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

/* 320 resident warps at 1 GHz wait for 16e6 cycles, 50 us each, for loads and for 8e6, 25 us, at barriers.  What of the loads' waits the model does
 * not know, and no more than it leaves of 100 us, is the turns': it goes, with the barriers. */
static const struct judged_case CASES[] = {
    {.rule = "latency",
     TURNS,
     .set = {{"stall_long_scoreboard", 16e6}, {"stall_barrier", 8e6}, {"stall_selected", 0}, {"stall_wait", 0}},
     .says = "latency, share of the time 0.25 ratio\n"
             "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "copying and computing take turns: a tile is waited for in the turn that loads it; 50 % long_scoreboard, "
             "25 % barrier\n" AHEAD,
     .takes = "loads_s 0, dependencies_s 50, barriers_s 0"},
    {.rule = "latency", /* no stall is counted, so that nothing is known to go */
     TURNS,
     .set = {{"stall_selected", 0}, {"stall_wait", 0}},
     .says = "latency, share of the time 0 ratio\n"
             "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "copying and computing take turns: a tile is waited for in the turn that loads it\n" AHEAD,
     .takes = "loads_s 0, barriers_s 0"},
    {.rule = "latency", /* the barriers' 75 us leave 25 */
     TURNS,
     .set = {{"stall_long_scoreboard", 16e6}, {"stall_barrier", 24e6}, {"stall_selected", 0}, {"stall_wait", 0}},
     .says = "latency, share of the time 0.75 ratio\n"
             "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "copying and computing take turns: a tile is waited for in the turn that loads it; 50 % long_scoreboard, "
             "75 % barrier\n" AHEAD,
     .takes = "loads_s 0, dependencies_s 75, barriers_s 0"},
    {.rule = "latency", /* the model knows of 10 us of loads, and what was counted beyond them of the rest */
     TURNS,
     .also = a_load_of_ten_us,
     .set = {{"stall_long_scoreboard", 16e6}, {"stall_barrier", 8e6}, {"stall_selected", 0}, {"stall_wait", 0}},
     .says = "latency, share of the time 0.75 ratio\n"
             "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "copying and computing take turns: a tile is waited for in the turn that loads it; 50 % long_scoreboard, "
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
