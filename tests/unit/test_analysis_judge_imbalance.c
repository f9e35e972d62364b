/* The rule imbalance: what it says and takes away; figures worked out beside each row. */
#include "analysis/signs/waves.h"
#include "unit/judged_launch.h"
#include "unit/judged_lines.h"

/* 3.2 an SM: 80 % even, all of them resident. */
static void blocks_32(struct made_diagnosis *d) {
  launch(d, 32, 256, 4, 32);
}

static void warps_32(struct made_diagnosis *d) {
  d->m.results[0].launches->grid[0] = 32;
  d->m.results[0].launches->block[0] = 32;
}

static void blocks_39(struct made_diagnosis *d) {
  launch(d, 39, 256, 4, 32);
  d->m.device.sms = 40;
}

static void blocks_37(struct made_diagnosis *d) {
  blocks_39(d);
  d->m.results[0].launches->grid[0] = 37;
}

static void lines_10(struct made_diagnosis *d) {
  blocks_10(d);
  a_line_each(d);
}

static void lines_54(struct made_diagnosis *d) {
  blocks_54(d);
  a_line_each(d);
}

#define EQUAL_WORK "give each block equal work, or let blocks take smaller pieces from a queue, the largest first\n"
#define HEAVIEST                                                                                                       \
  "split the work of the heaviest blocks, or give it more threads: all blocks run at once, and the heaviest sets the time\n"
#define SOME_HAVE_4 "the average SM works for 79 % of the busiest SM's cycles: of 32 blocks some SMs have 4, others 3\n"

static const struct judged_case CASES[] = {
    {.rule = "imbalance",
     .set = {{"sm_cycles_active_max", 1e5 / 0.75}},
     .says = "SM balance 0.75 ratio\n"
             "waves 2 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 75 % of the busiest SM's cycles\n" EQUAL_WORK,
     .takes = "balance 1",
     .silent = {{"sm_cycles_active_max", 1e5}}},
    {.rule = "imbalance",
     .set = {{"sm_cycles_active_max", 1e5 / 0.24}},
     .says =
         "SM balance 0.24 ratio\n"
         "waves 2 wave\n"
         "achieved occupancy 0.5 ratio\n"
         "the average SM works for 24 % of the busiest SM's cycles: as if 2 of 10 SMs had all of the work\n"
         "a few blocks have nearly all of the work: share their loops out over all blocks, a part of the iterations each\n",
     .takes = "balance 1"},
    {.rule = "imbalance", /* not even half an SM's */
     .set = {{"sm_cycles_active_max", 1e5 / 0.04}},
     .says =
         "SM balance 0.04 ratio\n"
         "waves 2 wave\n"
         "achieved occupancy 0.5 ratio\n"
         "the average SM works for 4 % of the busiest SM's cycles: as if 1 of 10 SMs had all of the work\n"
         "a few blocks have nearly all of the work: share their loops out over all blocks, a part of the iterations each\n",
     .takes = "balance 1"},
    {.rule = "imbalance",
     .set = {{"sm_cycles_active_max", 1e5 / 0.26}},
     .says = "SM balance 0.26 ratio\n"
             "waves 2 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 26 % of the busiest SM's cycles\n" EQUAL_WORK,
     .takes = "balance 1"},
    {.rule = "imbalance",
     .also = blocks_36,
     .set = {{"sm_cycles_active_max", 1e5 / 0.75}},
     .says = "SM balance 0.75 ratio\n"
             "waves 1.2 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 75 % of the busiest SM's cycles\n" EQUAL_WORK,
     .takes = "balance 0.9",
     .silent = {{"sm_cycles_active_max", 1e5 / 0.91}}},
    {.rule = "imbalance", /* 24 blocks are left for a second wave, in which each of 10 SMs has some */
     .also = blocks_54,
     .set = {{"sm_cycles_active_max", 1e5 / 0.94}},
     .says = "SM balance 0.94 ratio\n"
             "waves 1.8 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 94 % of the busiest SM's cycles\n" EQUAL_WORK,
     .takes = "balance 1",
     .silent = {{"sm_cycles_active_max", 1e5 / 0.951}}},
    {.rule = "imbalance", /* 8.3: by less than half a block on one of the SMs */
     .also = blocks_10,
     .set = {{"sm_cycles_active_max", 1e5 / 0.75}, {"sm_cycles_active", 1e6}, {"warps_active", 8.3e6}},
     .says = "SM balance 0.75 ratio\n"
             "waves 0.25 wave\n"
             "achieved occupancy 0.1297 ratio\n"
             "the average SM works for 75 % of the busiest SM's cycles\n" HEAVIEST,
     .takes = "balance 1"},
    {.rule = "imbalance",
     .also = blocks_10,
     .set = {{"sm_cycles_active_max", 2e5}, {"warps_active", 8e6}},
     .says = "SM balance 0.5 ratio\n"
             "waves 0.25 wave\n"
             "achieved occupancy 0.125 ratio\n"
             "the average SM works for 50 % of the busiest SM's cycles\n" HEAVIEST,
     .takes = "balance 1"},
    {.rule = "imbalance", /* turns of a loop over the grid can be handed out */
     .also = blocks_10,
     .lines = {"LDG.E R5, desc[UR4][R8.64]", "MOV R2, R6", "IADD3 R2, R2, c[0x0][0xc], RZ", "FADD R4, R4, R4",
               "ISETP.NE.AND P0, PT, R2, R5, PT", "@P0 BRA 0x20", "EXIT"},
     .executed = {80, 80, 8000, 8000, 8000, 8000, 80},
     .set = {{"sm_cycles_active_max", 2e5}, {"warps_active", 8e6}},
     .says = "SM balance 0.5 ratio\n"
             "waves 0.25 wave\n"
             "achieved occupancy 0.125 ratio\n"
             "the average SM works for 50 % of the busiest SM's cycles\n" EQUAL_WORK},
    {.rule = "imbalance", /* there is one turn for each warp */
     .sized = true,
     .also = blocks_10,
     .lines = {"LDG.E R5, desc[UR4][R8.64]", "MOV R2, R6", "IADD3 R2, R2, c[0x0][0xc], RZ", "FADD R4, R4, R4",
               "ISETP.NE.AND P0, PT, R2, R5, PT", "@P0 BRA 0x20", "EXIT"},
     .executed = {80, 80, 80, 80, 80, 80, 80},
     .set = {{"sm_cycles_active_max", 2e5}, {"warps_active", 8e6}},
     .says = "SM balance 0.5 ratio\n"
             "waves 0.25 wave\n"
             "achieved occupancy 0.125 ratio\n"
             "the average SM works for 50 % of the busiest SM's cycles\n" HEAVIEST},
    {.rule = "imbalance", /* what a load brought says how often a loop turns */
     .also = lines_10,
     .lines = {"LDG.E R5, desc[UR4][R8.64]", "MOV R2, R6", "IADD3 R2, R2, 0x1, RZ", "FADD R4, R4, R4",
               "ISETP.NE.AND P0, PT, R2, R5, PT", "@P0 BRA 0x20", "EXIT"},
     .executed = {80, 80, 8000, 8000, 8000, 8000, 80},
     .set = {{"sm_cycles_active_max", 2e5}, {"warps_active", 8e6}},
     .says =
         "SM balance 0.5 ratio\n"
         "waves 0.25 wave\n"
         "achieved occupancy 0.125 ratio\n"
         "the average SM works for 50 % of the busiest SM's cycles\n"
         "data say how many iterations the loop at 15 of an unnamed file runs: cut long runs, a warp or block for each part, or deal neighbouring ones to different blocks\n"},
    {.rule = "imbalance", /* retries of a swap are no data's turns: the loop around them is */
     .also = lines_10,
     .lines = {"LDG.E R5, desc[UR4][R8.64]", "MOV R2, R6", "IADD3 R2, R2, 0x1, RZ", "LDS R10, [R7]",
               "FADD R11, R4, R10", "ATOMS.CAST.SPIN R11, [R7], R10, R11", "ISETP.EQ.U32.AND P1, PT, R11, 0x1, PT",
               "@!P1 BRA 0x30", "ISETP.NE.AND P0, PT, R2, R5, PT", "@P0 BRA 0x20", "EXIT"},
     .executed = {80, 80, 8000, 24000, 24000, 24000, 24000, 24000, 8000, 8000, 80},
     .set = {{"sm_cycles_active_max", 2e5}, {"warps_active", 8e6}},
     .says =
         "SM balance 0.5 ratio\n"
         "waves 0.25 wave\n"
         "achieved occupancy 0.125 ratio\n"
         "the average SM works for 50 % of the busiest SM's cycles\n"
         "data say how many iterations the loop at 19 of an unnamed file runs: cut long runs, a warp or block for each part, or deal neighbouring ones to different blocks\n"},
    {.rule = "imbalance", /* pieces wait for a turn */
     .also = lines_10,
     .lines = {"LDG.E R5, desc[UR4][R8.64]", "MOV R2, R6", "IADD3 R2, R2, c[0x0][0xc], RZ", "FADD R4, R4, R4",
               "ISETP.NE.AND P0, PT, R2, R5, PT", "@P0 BRA 0x20", "EXIT"},
     .executed = {80, 80, 8000, 8000, 8000, 8000, 80},
     .set = {{"sm_cycles_active_max", 2e5}, {"warps_active", 8e6}},
     .says =
         "SM balance 0.5 ratio\n"
         "waves 0.25 wave\n"
         "achieved occupancy 0.125 ratio\n"
         "the average SM works for 50 % of the busiest SM's cycles\n"
         "data say how many iterations the loop at 15 of an unnamed file runs: a warp or block for each long run, or cut it; pieces from a queue, the largest first\n"},
    {.rule = "imbalance", /* a turn needs the one before */
     .also = lines_10,
     .lines = {"LDG.E R5, desc[UR4][R8.64]", "MOV R2, R6", "IMAD R2, R2, R2, R7", "FADD R4, R4, R4",
               "ISETP.NE.AND P0, PT, R2, R5, PT", "@P0 BRA 0x20", "EXIT"},
     .executed = {80, 80, 8000, 8000, 8000, 8000, 80},
     .set = {{"sm_cycles_active_max", 2e5}, {"warps_active", 8e6}},
     .says =
         "SM balance 0.5 ratio\n"
         "waves 0.25 wave\n"
         "achieved occupancy 0.125 ratio\n"
         "the average SM works for 50 % of the busiest SM's cycles\n"
         "data say how many iterations the loop at 15 of an unnamed file runs: smaller blocks, and neighbouring elements in different ones, so that long runs spread\n"},
    {.rule = "imbalance",
     .also = blocks_32,
     .set = {{"sm_cycles_active_max", 1e5 / 0.79}},
     .says =
         "SM balance 0.79 ratio\n"
         "waves 0.8 wave\n"
         "achieved occupancy 0.5 ratio\n" SOME_HAVE_4
         "as many blocks on each SM: smaller blocks (8192 threads in all), so that one more on some SMs is less work\n",
     .takes = "balance 1"},
    {.rule =
         "imbalance", /* any grid covers the work, but a turn of each block is one piece: 32 on 30 or 40 blocks leave as many on some;
                              single warps are 25.6 an SM, of which some have 26 */
     .also = blocks_32,
     .lines = {"S2R R0, SR_CTAID.X", "S2R R3, SR_TID.X", "LDC R7, c[0x0][0xc]", "FADD R4, R4, R5",
               "IADD3 R3, R7, R3, RZ", "ISETP.GE.AND P0, PT, R3, UR8, PT", "@!P0 BRA 0x30", "EXIT"},
     .executed = {32, 32, 32, 32, 32, 32, 32, 32},
     .set = {{"sm_cycles_active_max", 1e5 / 0.79}},
     .says =
         "SM balance 0.79 ratio\n"
         "waves 0.8 wave\n"
         "achieved occupancy 0.5 ratio\n" SOME_HAVE_4
         "as many blocks on each SM: smaller blocks (8192 threads in all), so that one more on some SMs is less work\n",
     .takes = "balance 0.98462"},
    {.rule =
         "imbalance", /* of 2 iterations: some SMs have 8; so they would of a grid of 40, and 9 of 30; single warps as above */
     .also = blocks_32,
     .lines = {"S2R R0, SR_CTAID.X", "S2R R3, SR_TID.X", "LDC R7, c[0x0][0xc]", "FADD R4, R4, R5",
               "IADD3 R3, R7, R3, RZ", "ISETP.GE.AND P0, PT, R3, UR8, PT", "@!P0 BRA 0x30", "EXIT"},
     .executed = {32, 32, 32, 64, 64, 64, 64, 32},
     .set = {{"sm_cycles_active_max", 1e5 / 0.79}},
     .says =
         "SM balance 0.79 ratio\n"
         "waves 0.8 wave\n"
         "achieved occupancy 0.5 ratio\n" SOME_HAVE_4
         "as many blocks on each SM: smaller blocks (8192 threads in all), so that one more on some SMs is less work\n",
     .takes = "balance 0.98462"},
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
         "smaller blocks, so that the last wave is shorter; a grid-stride loop over as many threads takes as many iterations\n",
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
         "grid-stride loop over the same tiles takes as many iterations\n",
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
         "grid-stride loop over the same tiles takes as many iterations\n",
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
             "the average SM works for 88 % of the busiest SM's cycles\n" EQUAL_WORK,
     .takes = "balance 1"},
    {.rule = "imbalance", /* whole waves explain nothing */
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 EXIT",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
     .executed = {54, 54, 54, 27, 27},
     .set = {{"sm_cycles_active_max", 1e5 / 0.94}},
     .says = "SM balance 0.94 ratio\n"
             "waves 2 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 94 % of the busiest SM's cycles\n" EQUAL_WORK,
     .takes = "balance 1"},
    {.rule = "imbalance", /* 3.2 of 4; of halves 6.4 of 7, of quarters 12.8 of 13 */
     .also = blocks_32,
     .lines = {"HMMA.16816.F32 R4, R8, R10, R4", "EXIT"},
     .executed = {32, 32},
     .set = {{"sm_cycles_active_max", 1e5 / 0.79}},
     .says = "SM balance 0.79 ratio\n"
             "waves 0.8 wave\n"
             "achieved occupancy 0.5 ratio\n" SOME_HAVE_4
             "smaller blocks or tiles, split sums (split K), or a tile shape whose grid gives each SM as many; a "
             "grid-stride loop over the same tiles takes as many iterations\n",
     .takes = "balance 0.98462"},
    {.rule = "imbalance", /* one warp is a piece, too */
     .also = warps_32,
     .lines = {"FADD R4, R5, R6", "EXIT"},
     .executed = {32, 32},
     .set = {{"sm_cycles_active_max", 1e5 / 0.79}},
     .says = "SM balance 0.79 ratio\n"
             "waves 0.8 wave\n"
             "achieved occupancy 0.5 ratio\n" SOME_HAVE_4
             "more threads with less work in each: a thread's work split over several; a grid-stride loop over the "
             "same warps takes as many iterations\n",
     .takes = "balance 0.98462"},
    {.rule = "imbalance", /* whole waves of blocks that do equal work by the code */
     .lines = {"FADD R4, R5, R6", "EXIT"},
     .executed = {54, 54},
     .set = {{"sm_cycles_active_max", 1e5 / 0.75}}},
    {.rule = "imbalance", /* a turn needs the one before; blocks wait for a place */
     .also = lines_54,
     .lines = {"LDG.E R5, desc[UR4][R8.64]", "MOV R2, R6", "IMAD R2, R2, R2, R7", "FADD R4, R4, R4",
               "ISETP.NE.AND P0, PT, R2, R5, PT", "@P0 BRA 0x20", "EXIT"},
     .executed = {432, 432, 43200, 43200, 43200, 43200, 432},
     .set = {{"sm_cycles_active_max", 1e5 / 0.75}},
     .says =
         "SM balance 0.75 ratio\n"
         "waves 1.8 wave\n"
         "achieved occupancy 0.5 ratio\n"
         "the average SM works for 75 % of the busiest SM's cycles\n"
         "data say how many iterations the loop at 15 of an unnamed file runs: let blocks take small pieces from a queue, the longest runs first\n"},
    {.rule = "imbalance", /* a load decides how long a block works */
     .also = blocks_54,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 EXIT", "EXIT"},
     .executed = {54, 54, 54, 27},
     .set = {{"sm_cycles_active_max", 1e5 / 0.94}},
     .says = "SM balance 0.94 ratio\n"
             "waves 1.8 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 94 % of the busiest SM's cycles\n" EQUAL_WORK,
     .takes = "balance 1"},
    {.rule = "imbalance", /* less even than alike blocks are */
     .also = blocks_32,
     .set = {{"sm_cycles_active_max", 1e5 / 0.78}},
     .says = "SM balance 0.78 ratio\n"
             "waves 0.8 wave\n"
             "achieved occupancy 0.5 ratio\n"
             "the average SM works for 78 % of the busiest SM's cycles\n" HEAVIEST,
     .takes = "balance 1"},
    {.rule = "imbalance", /* one of 40 SMs has no block, which explains a fortieth */
     .sized = true,
     .also = blocks_39,
     .set = {{"sm_cycles_active", 4e6}, {"sm_cycles_active_max", 1e5 / 0.75}, {"warps_active", 32e6}},
     .says = "SM balance 0.75 ratio\n"
             "waves 0.2437 wave\n"
             "achieved occupancy 0.125 ratio\n"
             "the average SM works for 75 % of the busiest SM's cycles\n" HEAVIEST,
     .takes = "balance 0.975",
     .silent = {{"sm_cycles_active_max", 1e5 / 0.93}}},
    {.rule = "imbalance", /* the code says that blocks do equal work */
     .also = blocks_39,
     .lines = {"FADD R4, R5, R6", "EXIT"},
     .executed = {39, 39},
     .set = {{"sm_cycles_active", 4e6}, {"sm_cycles_active_max", 1e5 / 0.75}, {"warps_active", 32e6}}},
    {.rule = "imbalance", /* three of them: the grid is small */
     .also = blocks_37,
     .set = {{"sm_cycles_active", 4e6}, {"sm_cycles_active_max", 1e5 / 0.75}, {"warps_active", 32e6}}},
    {.rule = "imbalance", .also = blocks_5, .set = {{"sm_cycles_active_max", 2e5}}}, /* SMs without a block */
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
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

/* SMs idle for a quarter of the time; a wait for atomics of more than that is told in place of a cause that no code shows, and one of less is not. */
static void atomics_make_uneven(void **state) {
  (void)state;
  static const double shares[] = {0.24, 0.26};
  for (int i = 0; i < 2; i++) {
    static struct judged j;
    const struct judged_case kernel = {.set = {{"sm_cycles_active_max", 1e5 / 0.75}}};
    struct told a = {0};
    judged_make(&j, &kernel, NULL);
    j.in.waits.atomics_s = shares[i] * j.in.time_s;
    assert_true(rule_find("imbalance")->judge(&j.in, &a));
    assert_string_equal(a.remedy, i ? "fewer atomics to one address; see then whether blocks are still uneven"
                                    : "give each block equal work, or let blocks take smaller pieces from a queue, the "
                                      "largest first");
    assert_true(i ? strcmp(a.yields_to, "atomics") == 0 : !a.yields_to);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(a_grid_of_few_blocks),
                                     cmocka_unit_test(atomics_make_uneven)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
