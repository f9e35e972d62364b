/* The rule scale-loads: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_accesses.h"

/* 20 x 1024: 10,240 bytes of A, 1,280 of its scales.  Each thread has a row, so that a load of
 * one scale per lane touches 32 sectors.  All sectors are as if they were the least. */
static void block_scales(struct made_diagnosis *d) {
  static const double executed[] = {20, 40, 40}, sectors[] = {320, 1280, 40};
  is_the_gemv(d);
  d->m.results[0].shape = (struct shape){20, 1024, 1};
  d->m.results[0].bytes_minimal = 40000;
  for (int i = 0; i < 3; i++)
    d->counts[3 + i] = (struct run_count){.offset = (uint32_t)(48 + 16 * i),
                                          .executed = executed[i],
                                          .threads = 32 * executed[i],
                                          .global_sectors = sectors[i],
                                          .global_sectors_ideal = sectors[i]};
}

static void little_beyond(struct made_diagnosis *d) {
  block_scales(d);
  d->m.results[0].bytes_minimal = 70000;
}

static void scales_half_beside(struct made_diagnosis *d) {
  block_scales(d);
  d->counts[4].global_sectors = d->counts[4].global_sectors_ideal = 60;
}

static void scales_fill_sectors(struct made_diagnosis *d) {
  block_scales(d);
  d->counts[4].global_sectors = d->counts[4].global_sectors_ideal = 40;
}

#define SCALE_CODE                                                                                                     \
  .lines = {"LDC.64 R2, c[0x0][0x210]",                                                                                \
            "LDC.64 R4, c[0x0][0x220]",                                                                                \
            "LDC.64 R6, c[0x0][0x228]",                                                                                \
            "LDG.E.128 R8, desc[UR4][R2.64]",                                                                          \
            "LDG.E.U8 R12, desc[UR4][R4.64]",                                                                          \
            "LDG.E.U8 R13, desc[UR4][R6.64]",                                                                          \
            "EXIT"},                                                                                                   \
  .executed = {1, 1, 1, 1, 1, 1, 1}
#define SCALES_SAY                                                                                                         \
  "share of load requests that are for A's scales 0.4 ratio\n"                                                             \
  "share of sectors that are for A's scales 0.7805 ratio\n"                                                                \
  "these sectors' bytes over the scales' bytes 32 ratio\n"                                                                 \
  "bytes per request of scales 32 byte\n"                                                                                  \
  "bytes per request of A 512 byte\n"                                                                                      \
  "loads of A's scales touch 32.0 times the sectors they need, 78 % of all sectors; 32 B per request, where A has 512 B\n" \
  "load the scales of several tiles of a row at once, a word or more per lane, with lanes along K\n"

static const struct judged_case CASES[] = {
    /* 1,280 sectors where 40 hold the bytes, of 6,200 cycles; 40 requests where 2.5 of A's bring
     * as much, of 375.  39,680 B of 80,000 at the L2. */
    {.sized = true,
     .rule = "scale-loads",
     SCALE_CODE,
     .also = block_scales,
     .set = {{"l1_wavefronts", 6200}, {"pipe_lsu", 375}, {"l2_read_bytes", 80000}},
     .says = SCALES_SAY,
     .takes = "inst 962.5, lsu 900, l1_wavefronts 800, l2_read 504, own_issue_s 96.25, dependencies_s 96.25"},
    /* 620 cycles are not for shared memory; 10,000 B are beyond the problem's */
    {.sized = true,
     .rule = "scale-loads",
     SCALE_CODE,
     .also = little_beyond,
     .set = {{"l1_wavefronts", 6200}, {"shared_wavefronts", 5580}, {"pipe_lsu", 375}, {"l2_read_bytes", 80000}},
     .says = SCALES_SAY,
     .takes = "inst 962.5, lsu 900, l1_wavefronts 900, l2_read 875, own_issue_s 96.25, dependencies_s 96.25"},
    {.sized = true,
     .rule = "scale-loads",
     SCALE_CODE,
     .also = block_scales,
     .set = {{"l1_wavefronts", 1240}},
     .says = SCALES_SAY,
     .takes = "inst 962.5, l1_wavefronts 0, own_issue_s 96.25, dependencies_s 96.25"},
    {.sized = true, /* a load that never ran may be of any buffer */
     .rule = "scale-loads",
     .lines = {"LDC.64 R2, c[0x0][0x210]", "LDC.64 R4, c[0x0][0x220]", "LDC.64 R6, c[0x0][0x228]",
               "LDG.E.128 R8, desc[UR4][R2.64]", "LDG.E.U8 R12, desc[UR4][R4.64]", "LDG.E.U8 R13, desc[UR4][R6.64]",
               "LDG.E R14, desc[UR4][R20.64]", "EXIT"},
     .executed = {1, 1, 1, 1, 1, 1, 0, 1},
     .also = block_scales,
     .says = SCALES_SAY,
     .takes = "inst 962.5, own_issue_s 96.25, dependencies_s 96.25"},
    {.sized = true,
     .rule = "scale-loads",
     SCALE_CODE,
     .also = block_scales,
     .says = SCALES_SAY,
     .takes = "inst 962.5, own_issue_s 96.25, dependencies_s 96.25"},
    /* 60 sectors where 40 hold the bytes */
    {.sized = true,
     .rule = "scale-loads",
     SCALE_CODE,
     .also = scales_half_beside,
     .says =
         "share of load requests that are for A's scales 0.4 ratio\n"
         "share of sectors that are for A's scales 0.1429 ratio\n"
         "these sectors' bytes over the scales' bytes 1.5 ratio\n"
         "bytes per request of scales 32 byte\n"
         "bytes per request of A 512 byte\n"
         "loads of A's scales touch 1.5 times the sectors they need, 14 % of all sectors; 32 B per request, where A "
         "has 512 B\n"
         "load the scales of several tiles of a row at once, a word or more per lane, with lanes along K\n",
     .takes = "inst 962.5, own_issue_s 96.25, dependencies_s 96.25"},
    {.rule = "scale-loads", SCALE_CODE, .also = scales_fill_sectors},
    {.rule = "scale-loads", .takes = ""}, /* no code */
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
