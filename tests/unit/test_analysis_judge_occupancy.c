/* The rule occupancy: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_launch.h"

static void blocks_20(struct made_diagnosis *d) {
  launch(d, 20, 256, 4, 32);
}

/* 95 % of a wave. */
static void blocks_38(struct made_diagnosis *d) {
  launch(d, 38, 256, 4, 32);
}

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

static void one_large_block_of_many_registers(struct made_diagnosis *d) {
  launch(d, 10, 1024, 1, 43);
}

static void much_shared_memory(struct made_diagnosis *d) {
  launch(d, 80, 256, 2, 32);
  d->m.results[0].launches->smem_static = 40000;
  d->m.results[0].launches->smem_dynamic = 60000;
}

/* Four of 48,000 B; so many fit of 512 threads, too. */
static void a_table_each(struct made_diagnosis *d) {
  launch(d, 40, 128, 4, 32);
  d->m.results[0].launches->smem_static = 48000;
}

#define FILLED_FROM(place)                                                                                             \
  .lines = {("S2R R2, " place), "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "STS [R3], R8", "EXIT"},    \
  .executed = {160, 160, 160, 160, 160}

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
#define ADDS(to)        "HMMA.16816.F32 R" #to ", R4, R8, R" #to

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

#define HALF_BY_REGISTERS "50 % of the SM's warps are resident, limited by registers\n"

static const struct judged_case CASES[] = {
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
     .takes = "loads_s 66.667, own_issue_s 66.667, dependencies_s 66.667, blocks_per_sm 1500, warps 1500",
     .silent = {{"warps_eligible", 8e6}}}, /* two to choose from */
    {.rule = "occupancy",                  /* warps wait for results longer than for loads */
     .also = many_registers,
     .set = {{"stall_long_scoreboard", 1.6e6}, {"stall_wait", 3.2e6}, {"warps_active", 16e6}},
     .says =
         "theoretical occupancy 0.25 ratio\n"
         "achieved occupancy 0.25 ratio\n"
         "eligible warps 0.25 warp\n"
         "long scoreboard, share 0.1 ratio\n"
         "25 % of the SM's warps are resident, limited by registers\n"
         "at most 80 registers per thread (128 now) let 3 blocks into an SM: smaller tiles, or __launch_bounds__(256, 3); else more independent work per warp\n"},
    {.rule = "occupancy", /* and where all blocks are resident, for shared memory */
     .also = one_large_block_each,
     .set = {{"stall_long_scoreboard", 1.6e6}, {"stall_short_scoreboard", 3.2e6}},
     .says =
         "theoretical occupancy 0.5 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "eligible warps 0.25 warp\n"
         "long scoreboard, share 0.05 ratio\n"
         "50 % of the SM's warps are resident, limited by registers and by the grid\n"
         "more work in flight per warp (several elements side by side), or a larger grid of smaller blocks: all blocks run at once\n"},
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
    {.rule = "occupancy", /* of code that neither copies ahead nor multiplies tiles */
     .also = much_shared_memory,
     .lines = {"LDS R4, [R5]", "EXIT"},
     .executed = {1, 1},
     .set = {{"warps_active", 48e6}},
     .says =
         "theoretical occupancy 0.25 ratio\n"
         "achieved occupancy 0.75 ratio\n"
         "eligible warps 0.25 warp\n"
         "75 % of the SM's warps are resident, limited by shared memory\n"
         "at most 56 KiB of shared memory per block (98 now) let 4 blocks into an SM: smaller arrays, narrower types; else more loads in flight per warp\n",
     .takes = TWICE_THE_WARPS},
    {.sized = true,
     .rule = "occupancy", /* more threads have the same table */
     .also = a_table_each,
     FILLED_FROM("SR_TID.X"),
     .says =
         "theoretical occupancy 0.25 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "eligible warps 0.25 warp\n"
         "50 % of the SM's warps are resident, limited by shared memory, of which every block fills as much with the "
         "same table\n"
         "larger blocks: 512 threads (128 now) share one table, and an SM holds 64 warps, not 16\n",
     .takes = "loads_s 25, own_issue_s 25, dependencies_s 25, blocks_per_sm 4000, warps 4000"},
    {.sized = true,
     .rule = "occupancy", /* a tile of each block's own */
     .also = a_table_each,
     FILLED_FROM("SR_CTAID.X"),
     .says =
         "theoretical occupancy 0.25 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "eligible warps 0.25 warp\n"
         "50 % of the SM's warps are resident, limited by shared memory and by the grid\n"
         "more work in flight per warp (wider loads, more before the first use), or a larger grid of smaller blocks: "
         "all blocks run at once\n",
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
             "eligible warps 0.25 warp\n" HALF_BY_REGISTERS
             "blocks of 512 threads, or at most 32 registers per thread (40 now) let 2 blocks into an SM: "
             "__launch_bounds__(1024, 2); else more loads in flight per warp\n",
     .takes = TWICE_THE_WARPS},
    {.rule = "occupancy", /* 32 are enough for its sums */
     .also = large_blocks,
     SUMS("NOP"),
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n" HALF_BY_REGISTERS
             "blocks of 512 threads, or at most 32 registers per thread (40 now) let 2 blocks into an SM: "
             "__launch_bounds__(1024, 2); else more loads in flight per warp\n",
     .takes = TWICE_THE_WARPS},
    {.rule = "occupancy", /* and are not: 3 blocks of 512 threads are 1.5 times the warps */
     .also = large_blocks,
     SUMS("FADD R36, R36, 1"),
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n" HALF_BY_REGISTERS
             "blocks of 512 threads: with fewer registers the 25 sums that the hot loop keeps would spill\n",
     .takes = "loads_s 66.667, own_issue_s 66.667, dependencies_s 66.667, blocks_per_sm 1500, warps 1500"},
    {.rule = "occupancy", .also = large_blocks_of_many_registers, SUMS("FADD R36, R36, 1"), .takes = ""},
    {.rule = "occupancy",
     .also = large_blocks_of_many_registers,
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n" HALF_BY_REGISTERS
             "at most 32 registers per thread (43 now) let 2 blocks into an SM: smaller tiles, or "
             "__launch_bounds__(1024, 2); else more loads in flight per warp\n",
     .takes = TWICE_THE_WARPS},
    /* 41 registers are live at once: 48 let 5 blocks in, 32 would let 8 */
    {.rule = "occupancy",
     .also = fifty_six_registers,
     LIVE_41("STG.E.128 desc[UR4][R2.64], R32"),
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n" HALF_BY_REGISTERS
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
         "eligible warps 0.25 warp\n" HALF_BY_REGISTERS
         "fewer elements per thread, on more threads; no lower limit of registers, which may spill: 41 of 43 are in use at once\n",
     .takes = TWICE_THE_WARPS},
    /* 3 blocks of 512 threads fit */
    {.rule = "occupancy",
     .also = large_blocks,
     LIVE_41("STG.E.128 desc[UR4][R2.64], R32"),
     .says =
         "theoretical occupancy 0.5 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "eligible warps 0.25 warp\n" HALF_BY_REGISTERS
         "blocks of 512 threads; no lower limit of registers, which may spill: 41 of a thread's 40 are in use at once\n",
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
    {.rule = "occupancy", /* blocks that meet must all be resident */
     .also = one_large_block_each,
     GRID_SYNC,
     .says = "theoretical occupancy 0.5 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "eligible warps 0.25 warp\n"
             "50 % of the SM's warps are resident, limited by registers and by the grid\n"
             "more work in flight per warp (wider loads, more before the first use): all blocks run at once, as its "
             "barriers of the grid need\n"},
    {.rule = "occupancy", .also = blocks_20, GRID_SYNC},
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
    {.rule = "occupancy", /* a chain of a thread's own: nothing for another block */
     .also = blocks_20,
     .lines = {"MOV R4, R6", "FFMA R4, R4, R6, R7", "@P0 BRA 0x10", "EXIT"},
     .executed = {640, 64e3, 64e3, 640},
     .says =
         "theoretical occupancy 0.5 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "eligible warps 0.25 warp\n"
         "GENERAL 20 blocks where 40 fit: the grid fills 50 % of one wave\n"
         "more such problems in a launch: each iteration of a thread's loop needs the one before, so that no other block "
         "can take a part\n",
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

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
