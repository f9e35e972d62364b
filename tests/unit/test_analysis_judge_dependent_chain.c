/* The rule dependent-chain: what it says and takes away; figures worked out beside each row. */
#include "unit/judged.h"
#include "unit/judged_launch.h"

#define FOUR_STORED                                                                                                    \
  .lines = {"LDG.E.128 R8, desc[UR4][R2.64]",       "FADD R4, R8, R9",                                                 \
            "LDG.E.128 R8, desc[UR4][R2.64+0x200]", "FADD R4, R8, R9",                                                 \
            "LDG.E.128 R8, desc[UR4][R2.64+0x400]", "FADD R4, R8, R9",                                                 \
            "LDG.E.128 R8, desc[UR4][R2.64+0x600]", "FADD R4, R8, R9",                                                 \
            "STG.E.128 desc[UR4][R2.64+0x600], R4", "EXIT"},                                                           \
  .executed = {8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 1}

static void nothing_of_slots(struct made_diagnosis *d) {
  not_counted(d, "issue_active");
  not_counted(d, "warps_eligible");
}

#define FOUR_CHAINS "more instruction-level parallelism: 4 independent accumulators per thread, or more warps\n"
#define WAITS       "25 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"

static const struct judged_case CASES[] = {
    /* 50 us beyond issuing, and of 10 us three quarters for the XU; a quarter stays */
    {.rule = "dependent-chain",
     .set = {{"stall_wait", 24e6},
             {"stall_selected", 8e6},
             {"stall_short_scoreboard", 3.2e6},
             {"shared_wavefronts", 100},
             {"pipe_xu", 300}},
     .says = "wait, share 0.75 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n"
             "75 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n" FOUR_CHAINS,
     .silent = {{"stall_not_selected", 25e6}}, /* more warps are ready than wait */
     .takes = "dependencies_s 56.875"},
    {.rule = "dependent-chain", /* how many warps are eligible was not counted */
     .also = nothing_of_slots,
     .set = {{"stall_wait", 24e6}, {"stall_selected", 8e6}},
     .says = "wait, share 0.75 ratio\n"
             "75 % of warp cycles wait for the previous result (wait)\n" FOUR_CHAINS,
     .takes = "dependencies_s 62.5"},
    {.rule = "dependent-chain", /* short waits are for nothing that is counted */
     .set = {{"stall_wait", 0}, {"stall_short_scoreboard", 3.2e6}},
     .says = "wait, share 0 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n"
             "0 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n" FOUR_CHAINS,
     .takes = "dependencies_s 92.5"},
    {.rule = "dependent-chain", /* what cannot be split into several sums */
     .lines = {"FFMA R4, R4, R6, R7", "@P0 BRA 0x0", "EXIT"},
     .executed = {50, 50, 1},
     .set = {{"stall_wait", 24e6}, {"stall_selected", 8e6}},
     .says =
         "wait, share 0.75 ratio\n"
         "eligible warps 0.25 warp\n"
         "issue slots used 0.75 ratio\n"
         "75 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"
         "each iteration needs the one before (FFMA at 0x0000): take out of the loop what does not, or give a thread several such chains\n"},
    {.rule = "dependent-chain", /* which would leave fewer threads on a chip that is not full */
     .also = blocks_10,
     .lines = {"FFMA R4, R4, R6, R7", "@P0 BRA 0x0", "EXIT"},
     .executed = {50, 50, 1},
     .set = {{"stall_wait", 24e6}, {"stall_selected", 8e6}},
     .says =
         "wait, share 0.75 ratio\n"
         "eligible warps 0.25 warp\n"
         "issue slots used 0.75 ratio\n"
         "75 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"
         "each iteration needs the one before (FFMA at 0x0000): take out of the loop what does not, or put more such chains into a launch\n"},
    {.rule = "dependent-chain", .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}}, .takes = ""},
    {.rule = "dependent-chain", .set = {{"stall_wait", 8e6}, {"stall_selected", 9e6}}, .takes = ""},
    {.rule = "dependent-chain", /* no result is read in the code */
     .lines = {"FADD R8, R2, R3", "FADD R9, R4, R5", "EXIT"},
     .executed = {1e6, 1e6, 1},
     .set = {{"stall_wait", 8e6}},
     .takes = ""},
    {.rule =
         "dependent-chain", /* 3 cycles of 1,000,000 instructions, of 320 warps: 9.375 us, of which a quarter stays */
     .lines = {"FADD R8, R2, R3", "FADD R9, R8, R5", "EXIT"},
     .executed = {1e6, 1e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}},
     .says = "wait, share 0.25 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n" WAITS
             "more instruction-level parallelism: several elements per thread, worked on side by side, or more warps\n",
     .takes = "dependencies_s 92.969"},
    {.rule =
         "dependent-chain", /* a sum is read in the next turn, two instructions later: 2 cycles of 1,600,000 turns */
     .lines = {"FADD R8, R8, R2", "@P0 BRA 0x0", "EXIT"},
     .executed = {1.6e6, 1.6e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}},
     .says = "wait, share 0.25 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n" WAITS FOUR_CHAINS,
     .takes = "dependencies_s 92.5"},
    {.sized = true,
     .rule = "dependent-chain", /* four elements of 16 bytes are several already */
     FOUR_STORED,
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}, {"stall_short_scoreboard", 3.2e6}},
     .says = "wait, share 0.25 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n" WAITS
             "work on a thread's elements side by side: interleave their instructions, or more warps\n"},
    {.rule = "dependent-chain", /* four are side by side already; each is read six instructions later */
     .lines = {"FADD R8, R8, R2", "FADD R9, R9, R2", "FADD R10, R10, R2", "FADD R11, R11, R2", "FADD R11, R11, R3",
               "@P0 BRA 0x0", "EXIT"},
     .executed = {1.6e6, 1.6e6, 1.6e6, 1.6e6, 1.6e6, 1.6e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}},
     .says =
         "wait, share 0.25 ratio\n"
         "eligible warps 0.25 warp\n"
         "issue slots used 0.75 ratio\n" WAITS "more warps: the loop works on 4 independent accumulators already\n"},
    {.rule = "dependent-chain", /* each turn stores what it has: there is no sum to keep four of */
     .lines = {"FADD R8, R8, R2", "STG.E desc[UR4][R4.64], R8", "@P0 BRA 0x0", "EXIT"},
     .executed = {1.6e6, 1.6e6, 1.6e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}},
     .says =
         "wait, share 0.25 ratio\n"
         "eligible warps 0.25 warp\n"
         "issue slots used 0.75 ratio\n" WAITS
         "more instruction-level parallelism: several elements per thread, worked on side by side, or more warps\n"},
    {.rule = "dependent-chain", /* the sums are the tensor core's, which wgmma adds up by itself */
     .lines = {"HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24, gsb0", "FADD R8, R8, R2", "@P0 BRA 0x0", "EXIT"},
     .executed = {1.6e6, 1.6e6, 1.6e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}}},
    {.rule = "dependent-chain", /* nor in a block that does not turn */
     .lines = {"FADD R8, R8, R2", "FADD R9, R3, R2", "EXIT"},
     .executed = {1.6e6, 1.6e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}},
     .takes = ""},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
