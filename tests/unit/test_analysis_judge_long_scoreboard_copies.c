/* Waits for bulk copies whose buffers would hold enough: what lets them begin earlier. */
#include "unit/judged.h"

static void copies(struct made_diagnosis *d) {
  latencies(d, 1000);
  d->m.results[0].launches->smem_dynamic = 32000;
  d->m.results[0].launches->smem_static = 768;
}

/* A second block does not fit beside it: an SM has 233,472 bytes. */
static void copies_of_one_block(struct made_diagnosis *d) {
  copies(d);
  d->m.results[0].launches->smem_dynamic = 128000;
  d->m.results[0].launches->blocks_per_sm = 1;
}

static void copies_in_one_wave(struct made_diagnosis *d) {
  copies(d);
  d->m.results[0].launches->grid[0] = 40;
}

static void copies_unevenly(struct made_diagnosis *d) {
  copies_in_one_wave(d);
  set(&d->m.results[0], "sm_cycles_active", 9e5);
}

#define COPYING                                                                                                        \
  .lines = {"UBLKCP.S.G [UR4], [UR6], UR8", "LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT"},              \
  .executed = {1, 32e3, 32e3, 1}, .set = {{"stall_long_scoreboard", 24e6}}
#define LATE(bytes, mib)                                                                                               \
  "long scoreboard, share 0.75 ratio\n"                                                                                \
  "shared memory that bulk copies can fill " bytes " B\n"                                                              \
  "bytes that Little's law needs 1e+06 B\n"                                                                            \
  "warps wait for copies 75 % of their time; buffers for " mib                                                         \
  " MiB are there, and 1.0 MiB in flight keep DRAM busy: copies start late\n"

static const struct judged_case CASES[] = {
    {.sized = true,
     .rule = "long-scoreboard", /* what a thread has in flight is not known: a second tile */
     COPYING,
     .also = copies,
     .says = LATE(
         "1.311e+06",
         "1.2") "each block waits as it begins and ends: a persistent grid (one wave of blocks) that copies the next tile meanwhile\n",
     .takes = "loads_s 50"},
    {.sized = true,
     .rule = "long-scoreboard", /* an SM has room for one block */
     COPYING,
     .also = copies_of_one_block,
     .says = LATE(
         "1.288e+06",
         "1.2") "each block waits as it begins and ends: a persistent grid that copies the next tile meanwhile, or fewer stages, so that 2 blocks fit an SM\n",
     .takes = "loads_s 50"},
    {.sized = true,
     .rule = "long-scoreboard", /* all blocks run at once */
     COPYING,
     .also = copies_in_one_wave,
     .says = LATE(
         "1.311e+06",
         "1.2") "copy the next tile's data while this one ends, and hand a buffer back as soon as its last value is read\n",
     .takes = "loads_s 50"},
    {.sized = true,
     .rule = "long-scoreboard", /* some SMs have less to do */
     COPYING,
     .also = copies_unevenly,
     .says = LATE(
         "1.311e+06",
         "1.2") "share the work out evenly (smaller tiles, or split-K), and copy the next tile's data while this one ends\n",
     .takes = "loads_s 50"},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
