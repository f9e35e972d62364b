/* The rule small-blocks: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_launch.h"

/* The middle launch takes 100 us, those that were counted 200. */
static void counted_longer(struct made_diagnosis *d) {
  struct run_result *r = &d->m.results[0];
  r->shape = (struct shape){0, 0, 0};
  r->timing.samples_ns[0] = 200e3;
  set(r, "sm_cycles_active_max", 2e5);
}

static void rows_of_64(struct made_diagnosis *d) {
  launch(d, 80, 64, 4, 32);
}

static void blocks_of_128(struct made_diagnosis *d) {
  launch(d, 80, 128, 4, 32);
}

static void rows_of_16(struct made_diagnosis *d) {
  launch(d, 80, 16, 4, 32);
}

static void two_launches(struct made_diagnosis *d) {
  static struct run_launch both[2];
  both[0] = both[1] = *d->m.results[0].launches;
  d->m.results[0].launches = both;
  d->m.results[0].n_launches = 2;
}

static void a_small_launch_too(struct made_diagnosis *d) {
  two_launches(d);
  d->m.results[0].launches[1].grid[0] = 1;
}

#define THREE_QUARTERS "80 blocks take 75.0 µs to start, 75 % of the time\n"

static const struct judged_case CASES[] = {
    /* 40 of 80 blocks start; 0.75 of the time is for warps that are not there, 1,000 of 40,000
     * in the round work: 1 + 0.75 x 39 */
    {.rule = "small-blocks",
     .set = {{"fixed_ns", 75e3}},
     .says = "grid 80 block\n"
             "time to start empty blocks 7.5e-05 s\n"
             "waves 2 wave\n" THREE_QUARTERS
             "more work per block: a grid-stride loop over a grid of one wave, or several elements per thread\n",
     .takes = "loads_s 3.3058, own_issue_s 3.3058, dependencies_s 3.3058, empty_s 50, warps 30250",
     .silent = {{"fixed_ns", 0}}},
    {.rule = "small-blocks",
     .also = two_launches,
     .set = {{"fixed_ns", 75e3}},
     .says = "grid 80 block\n"
             "time to start empty blocks 7.5e-05 s\n"
             "waves 2 wave\n"
             "80 blocks in each of 2 launches take 75.0 µs to start, 75 % of the time\n"
             "more work per block: a grid-stride loop over a grid of one wave, or several elements per thread\n"},
    {.rule = "small-blocks",
     .also = a_small_launch_too,
     .set = {{"fixed_ns", 75e3}},
     .says = "grid 80 block\n"
             "time to start empty blocks 7.5e-05 s\n"
             "waves 2 wave\n"
             "80 blocks in the largest of 2 launches take 75.0 µs to start, 75 % of the time\n"
             "more work per block: a grid-stride loop over a grid of one wave, or several elements per thread\n"},
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
         "waves 2 wave\n" THREE_QUARTERS
         "let one block do the work of several: a loop in a grid of one wave, or more warps per block, each with as much work as now\n"},
    {.rule = "small-blocks", /* of 16 threads, half a warp */
     .also = rows_of_16,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.DOWN PT, R5, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R5", "EXIT"},
     .executed = {1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n" THREE_QUARTERS
         "let one block of whole warps (16 threads now) do the work of several: a loop in a grid of one wave, or each warp with its own\n"},
    {.rule = "small-blocks", /* of 256, with fewer threads a smaller one */
     .also = NULL,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.BFLY PT, R5, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R4", "EXIT"},
     .executed = {1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n" THREE_QUARTERS
         "several elements per thread, all loads first (the estimate assumes 2), or a grid-stride loop over one wave\n"},
    {.rule = "small-blocks", /* lanes exchange their elements: what is an element's own is not known */
     .also = NULL,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.BFLY PT, R5, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R5", "EXIT"},
     .executed = {1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}},
     .says = "grid 80 block\n"
             "time to start empty blocks 7.5e-05 s\n"
             "waves 2 wave\n" THREE_QUARTERS
             "more work per block: a grid-stride loop over a grid of one wave, or several elements per thread\n"},
    {.rule = "small-blocks", /* of 6 instructions that go half a division of 18 is most */
     .sized = true,
     .also = NULL,
     .lines = {"I2F.U32.RP R8, R9", "MUFU.RCP R8, R8", "LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R2.64], R4",
               "EXIT"},
     .executed = {1, 1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}, {"inst_executed", 20}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n" THREE_QUARTERS
         "several neighbouring elements per thread, one division for all (the estimate assumes 2); a grid-stride loop keeps each division\n"},
    {.rule = "small-blocks", /* of 30 it is not */
     .sized = true,
     .also = NULL,
     .lines = {"I2F.U32.RP R8, R9", "MUFU.RCP R8, R8", "LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R2.64], R4",
               "EXIT"},
     .executed = {1, 1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}, {"inst_executed", 100}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n" THREE_QUARTERS
         "several elements per thread, all loads first (the estimate assumes 2), or a grid-stride loop over one wave\n"},
    {.rule = "small-blocks", /* nobody waits for its loads */
     .also = NULL,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.BFLY PT, R5, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R4", "EXIT"},
     .executed = {1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}, {"stall_long_scoreboard", 0}},
     .says = "grid 80 block\n"
             "time to start empty blocks 7.5e-05 s\n"
             "waves 2 wave\n" THREE_QUARTERS
             "several elements per thread (the estimate assumes 2), or a grid-stride loop over one wave\n"},
    {.rule = "small-blocks", /* a prefix goes on */
     .also = rows_of_64,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.UP PT, R6, R4, 0x1, 0x1f", "SHFL.BFLY PT, R5, R6, 0x1, 0x1f",
               "STG.E desc[UR4][R2.64], R4", "EXIT"},
     .executed = {1, 1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n" THREE_QUARTERS
         "larger blocks first: 256 threads take 4 of these (64 now); then several elements per thread (the estimate assumes 2)\n"},
    {.rule = "small-blocks", /* a sum of all is stored */
     .also = rows_of_64,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.BFLY PT, R5, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R4", "EXIT"},
     .executed = {1, 1, 0.25, 1},
     .set = {{"fixed_ns", 75e3}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n" THREE_QUARTERS
         "larger blocks first: 256 threads take 4 of these (64 now); then several elements per thread (the estimate assumes 2)\n"},
    {.rule = "small-blocks", /* of four warps: half as many of eight start no slower */
     .also = blocks_of_128,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "FADD R5, R4, R4", "STG.E desc[UR4][R2.64], R5", "EXIT"},
     .executed = {1, 1, 1, 1},
     .set = {{"fixed_ns", 75e3}},
     .says =
         "grid 80 block\n"
         "time to start empty blocks 7.5e-05 s\n"
         "waves 2 wave\n" THREE_QUARTERS
         "larger blocks first: 256 threads take 2 of these (128 now); then several elements per thread (the estimate assumes 2)\n"},
    {.rule = "small-blocks", .also = blocks_40, .set = {{"fixed_ns", 75e3}}, .takes = ""},
    {.rule = "small-blocks", .also = no_launch, .set = {{"fixed_ns", 75e3}}, .takes = ""},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
