/* The rule shared-memory: what it says and takes away, which remedy fits; figures worked out beside each row. */
#include "unit/judged_remedies.h"
#include "unit/judged_work.h"

static void a_lane_each(struct made_diagnosis *d) {
  for (size_t i = 2; i < 6; i++)
    d->counts[i].threads = d->counts[i].executed;
}

static const struct judged_case CASES[] = {
    /* each of 100 turns stores over what the one before did: all of 800 cycles go, and 100 of 1000 instructions */
    {.rule = "shared-memory",
     .lines = {"LDG.E.64 R8, desc[UR4][R2.64]", "DADD R4, R4, R8", "STS.64 [R3], R4", "IADD3 R2, R2, 0x8, RZ",
               "@P0 BRA 0x0", "LDS.64 R6, [R3]", "EXIT"},
     .executed = {100, 100, 100, 100, 100, 0, 1},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 800}, {"pipe_lsu", 1000}},
     .says =
         "shared_wavefronts 800 -\n"
         "shared memory takes 80 % of the cycles of the L1's data stage, which is busy 0 % of the time; the loop stores "
         "there in each iteration, and loads nothing\n"
         "add up in a local variable, and store it once behind the loop: the next iteration stores over what this one "
         "did\n",
     .takes = "inst 900, lsu 900, l1_wavefronts 200, own_issue_s 90, dependencies_s 90"},
    /* Nothing reads what is stored: all of 800 cycles go, and of 200 for 200 loads the half that only feeds it; 200 of 1000 instructions */
    {.rule = "shared-memory",
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "STS [R3], R8", "LDG.E R9, desc[UR4][R2.64+0x4]", "FADD R4, R4, R9",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
     .executed = {100, 100, 100, 100, 100, 100},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 800}, {"pipe_lsu", 1000}, {"l1_load_requests", 200}},
     .says =
         "shared_wavefronts 800 -\n"
         "shared memory takes 80 % of the cycles of the L1's data stage, which is busy 0 % of the time; no instruction "
         "reads what is stored there\n"
         "delete the copy to shared memory, and the loads that only feed it: nothing reads it\n",
     .takes = "inst 800, lsu 800, l1_wavefronts 100, own_issue_s 80, dependencies_s 80"},
    {.rule = "shared-memory", /* nobody waits at its barriers, or `barrier` has said it */
     TREE,
     .set = {{"l1_wavefronts", 7.5e5}, {"shared_wavefronts", 6e5}},
     .says =
         "shared_wavefronts 6e+05 -\n"
         "GENERAL shared memory takes 80 % of the cycles of the L1's data stage, which is busy 75 % of the time\n" SHUFFLES,
     .silent = {{"stall_barrier", 24e6}}},
    {.rule = "shared-memory", /* two levels of a warp: 2 shuffles for 6 accesses, of 7 */
     .lines = {"@!P0 LDS R3, [R4]", "@!P0 LDS R2, [R4+0x40]", "@!P0 FADD R3, R3, R2", "@!P0 STS [R4], R3",
               "BAR.SYNC 0x0", "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R4+0x20]", "@!P1 FADD R3, R3, R2",
               "@!P1 STS [R4], R3", "STS [R11], R8", "EXIT"},
     .executed = {100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 1},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 800}, {"pipe_lsu", 1000}},
     .says =
         "shared_wavefronts 800 -\n"
         "GENERAL shared memory takes 80 % of the cycles of the L1's data stage, which is busy 0 % of the time\n" SHUFFLES,
     .takes = "inst 500, lsu 600, l1_wavefronts 542.86, own_issue_s 50.017, dependencies_s 50"},
    /* 60 of 100 accesses look up what data choose: of the other 40 half goes, and of 600 cycles a fifth.  Half of them are not the most: half of all goes */
    {.rule = "shared-memory",
     .lines = {"LDG.E R4, desc[UR4][R8.64]", "IMAD.SHL R5, R4, 0x4, RZ", "LDS R6, [R5]", "LDS R7, [R2]", "STS [R2], R7",
               "EXIT"},
     .executed = {60, 60, 60, 20, 20, 1},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 600}, {"pipe_lsu", 1000}},
     .says =
         "shared_wavefronts 600 -\n"
         "GENERAL shared memory takes 60 % of the cycles of the L1's data stage, which is busy 0 % of the time\n"
         "60 % are look-ups by data: two values at once (a larger table); use the others more often (estimate: half of these)\n",
     .takes = "inst 980, lsu 980, l1_wavefronts 880, own_issue_s 98, dependencies_s 98"},
    {.rule = "shared-memory",
     .lines = {"LDG.E R4, desc[UR4][R8.64]", "IMAD.SHL R5, R4, 0x4, RZ", "LDS R6, [R5]", "LDS R7, [R2]", "STS [R2], R7",
               "EXIT"},
     .executed = {50, 50, 50, 25, 25, 1},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 600}, {"pipe_lsu", 1000}},
     .says =
         "shared_wavefronts 600 -\n"
         "GENERAL shared memory takes 60 % of the cycles of the L1's data stage, which is busy 0 % of the time\n"
         "use each value more often once it is read (more outputs per thread), or wider shared accesses (the estimate assumes half)\n",
     .takes = "inst 950, lsu 950, l1_wavefronts 700, own_issue_s 95, dependencies_s 95"},
    {.rule = "shared-memory", /* most of the cycles are atomics' */
     .lines = {"LDS R4, [R2]", "STS [R2], R4", "EXIT"},
     .executed = {60, 40, 1},
     .set = {{"l1_wavefronts", 7.5e5}, {"shared_wavefronts", 6e5}, {"shared_atomic_wavefronts", 3.1e5}}},
    {.rule = "shared-memory", /* most are of a lane that its block waits for: the barrier's to say */
     .also = a_lane_each,
     .lines = {"ISETP.NE.AND P1, PT, R2, RZ, PT", "@P1 BRA 0x60", "MOV R5, RZ", "LDS R3, [R4]", "FADD R5, R5, R3",
               "@P0 BRA 0x30", "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
     .executed = {640, 640, 80, 560, 560, 560, 640, 640},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 600}}},
    /* 6e5 of 7.5e5 cycles, 4.5e5 of them repeats: half of 1.5e5 goes.  Short waits: 10 us, 60
     * parts of 100, of which an eighth.  50 instructions go. */
    {.rule = "shared-memory",
     .lines = {"LDS R4, [R2]", "STS [R2], R4", "EXIT"},
     .executed = {60, 40, 1},
     .set = {{"l1_wavefronts", 7.5e5},
             {"shared_wavefronts", 6e5},
             {"shared_bank_conflicts", 4.5e5},
             {"pipe_xu", 40},
             {"pipe_lsu", 500},
             {"stall_short_scoreboard", 3.2e6},
             {"stall_mio_throttle", 8e6}},
     .says =
         "shared_wavefronts 6e+05 -\n"
         "MIO throttle, share 0.25 ratio\n"
         "short scoreboard, share 0.1 ratio\n"
         "GENERAL shared memory takes 80 % of the cycles of the L1's data stage, which is busy 75 % of the time\n"
         "use each value more often once it is read (more outputs per thread), or wider shared accesses (the estimate assumes half)\n",
     .takes = "inst 950, lsu 900, l1_wavefronts 900, own_issue_s 95, dependencies_s 94.287",
     .silent = {{"shared_bank_conflicts", 6e5}, {"l1_wavefronts", 0}}},
    {.rule = "shared-memory", /* all of the L1's cycles, of which LDGSTS has more; half of 800 */
     .set = {{"l1_wavefronts", 750}, {"shared_wavefronts", 800}},
     .says =
         "shared_wavefronts 800 -\n"
         "GENERAL shared memory takes 100 % of the cycles of the L1's data stage, which is busy 0 % of the time\n"
         "use each value more often once it is read (more outputs per thread), or wider shared accesses (the estimate assumes half)\n",
     .takes = "l1_wavefronts 466.67"},
    {.rule = "shared-memory", /* wgmma reads its operands there: there is no other place for them */
     .lines = {"HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24", "EXIT"},
     .executed = {10, 1},
     .set = {{"l1_wavefronts", 750}, {"shared_wavefronts", 600}}},
    {.rule = "shared-memory", /* likewise by their counter, without the code */
     .set = {{"l1_wavefronts", 750}, {"shared_wavefronts", 600}, {"async_mma_bf16_flops", 1e6}}},
    {.rule = "shared-memory",
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "EXIT"},
     .executed = {60, 1},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 400}}},
    /* generic atomics: what stands there for shared memory never ran */
    {.rule = "shared-memory",
     .lines = {"ATOM.E.ADD.F16x2.RN.STRONG.GPU P0, RZ, desc[UR6][R2.64], R8", "@P0 EXIT", "LDS R4, [R2]",
               "ATOMS.CAST.SPIN R3, [R0], R2, R3", "EXIT"},
     .executed = {60, 60, 0, 0, 1},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 400}, {"stall_short_scoreboard", 3.2e6}}},
    /* 100 shuffles, 40 accesses: half of 6e5 cycles; where the L1 is not what binds, 20 instructions of the accesses */
    {.rule = "shared-memory",
     .lines = {"SHFL.BFLY PT, R4, R5, 0x1, 0x1f", "STS [R2], R4", "LDS R4, [R2]", "EXIT"},
     .executed = {100, 20, 20, 1},
     .set = {{"l1_wavefronts", 1e6}, {"shared_wavefronts", 6e5}, {"pipe_lsu", 500}},
     .says =
         "shared_wavefronts 6e+05 -\n"
         "GENERAL 100 warp shuffles and 40 accesses of shared memory take 60 % of the cycles of the L1's data stage, "
         "which is busy 100 % of the time\n"
         "fewer shuffles: combine several elements per lane in registers first, and one warp per row (the estimate "
         "assumes half)\n",
     .takes = "inst 980, lsu 860, l1_wavefronts 700, own_issue_s 98, dependencies_s 98"},
    {.rule = "shared-memory", /* latency binds; sums of the whole grid have no rows */
     .lines = {"SHFL.DOWN PT, R4, R5, 0x1, 0x1f", "STS [R2], R4", "LDS R4, [R2]", "EXIT"},
     .executed = {100, 20, 20, 1},
     .set = {{"l1_wavefronts", 1e4},
             {"shared_wavefronts", 6e3},
             {"pipe_lsu", 500},
             {"stall_wait", 24e6},
             {"l2_atomic_sectors", 10}},
     .says =
         "shared_wavefronts 6000 -\n"
         "GENERAL 100 warp shuffles and 40 accesses of shared memory take 60 % of the cycles of the L1's data stage, "
         "which is busy 1 % of the time\n"
         "fewer shuffles: combine several elements per lane in registers first (the estimate assumes half)\n",
     .takes = "inst 980, lsu 960, l1_wavefronts 700, own_issue_s 98, dependencies_s 98"},
    {.rule = "shared-memory", /* 10 us of waits, 1 % of the L1 */
     .lines = {"SHFL.UP PT, R4, R5, 0x1, RZ", "LDS R4, [R2]", "EXIT"},
     .executed = {100, 40, 1},
     .set = {{"l1_wavefronts", 1e4}, {"shared_wavefronts", 6e3}, {"stall_short_scoreboard", 3.2e6}},
     .says =
         "shared_wavefronts 6000 -\n"
         "short scoreboard, share 0.1 ratio\n"
         "GENERAL warps wait for warp shuffles and shared memory 10 % of the time (short_scoreboard); the L1's data "
         "stage is busy 1 %\n"
         "fewer shuffles: scan several elements per lane in registers first (the estimate assumes half)\n"},
    {.rule = "shared-memory",
     .lines = {"SHFL.IDX PT, R4, R5, R6, 0x1f", "LDS R4, [R2]", "EXIT"},
     .executed = {41, 40, 1},
     .set = {{"l1_wavefronts", 1e6}, {"shared_wavefronts", 6e5}},
     .says =
         "shared_wavefronts 6e+05 -\n"
         "GENERAL 41 warp shuffles and 40 accesses of shared memory take 60 % of the cycles of the L1's data stage, "
         "which is busy 100 % of the time\n"
         "fewer shuffles: several elements per lane, so that fewer values change lanes (the estimate assumes half)\n"},
    /* no shared memory: 4 of 6 cycles are shuffles', of the row that binds; where 2 are, or where latency binds, others have them */
    {.rule = "shared-memory",
     .lines = {"SHFL.IDX PT, R4, R5, R6, 0x1f", "EXIT"},
     .executed = {4e5, 1},
     .set = {{"l1_wavefronts", 1e6}, {"shared_wavefronts", 6e5}},
     .says =
         "shared_wavefronts 6e+05 -\n"
         "GENERAL 400000 warp shuffles take 60 % of the cycles of the L1's data stage, which is busy 100 % of the time\n"
         "fewer shuffles: several elements per lane, so that fewer values change lanes (the estimate assumes half)\n"},
    {.rule = "shared-memory",
     .lines = {"SHFL.IDX PT, R4, R5, R6, 0x1f", "EXIT"},
     .executed = {2e5, 1},
     .set = {{"l1_wavefronts", 1e6}, {"shared_wavefronts", 6e5}}},
    {.rule = "shared-memory",
     .lines = {"SHFL.IDX PT, R4, R5, R6, 0x1f", "EXIT"},
     .executed = {4e3, 1},
     .set = {{"l1_wavefronts", 1e4}, {"shared_wavefronts", 6e3}, {"stall_wait", 24e6}}},
    {.rule = "shared-memory", /* as many accesses */
     .lines = {"SHFL.IDX PT, R4, R5, R6, 0x1f", "LDS.128 R4, [R2]", "EXIT"},
     .executed = {40, 40, 1},
     .set = {{"l1_wavefronts", 1e6}, {"shared_wavefronts", 6e5}},
     .says = "shared_wavefronts 6e+05 -\n"
             "GENERAL shared memory takes 60 % of the cycles of the L1's data stage, which is busy 100 % of the time\n"
             "use each value more often once it is read: more outputs per thread (the estimate assumes half)\n"},
};

/* Two loads at places that stay, and a store and a load of another array, which move on. */
#define STAYS(turns, first, second, store, other)                                                                      \
  {                                                                                                                    \
    .rule = "shared-memory",                                                                                           \
    .lines = {"MOV R12, R0", first,          second, "IADD3 R20, R20, 0x4, RZ", store, "LDS R6, [R20+0x80]",           \
              other,         "@P0 BRA 0x10", "EXIT"},                                                                  \
    .executed = {10, turns, turns, turns, turns, turns, turns, turns, 10}, .set = {                                    \
      {"shared_wavefronts", 100},                                                                                      \
      {"l1_wavefronts", 100}                                                                                           \
    }                                                                                                                  \
  }
#define IN_REGISTERS                                                                                                   \
  "the loop loads 5 words of shared memory at places that no iteration changes: keep them in registers"

static const struct remedy_case REMEDIES[] = {
    {STAYS(10, "LDS.128 R8, [R12+UR4]", "LDS R2, [R12]", "STS [R20], R6", "NOP"), "use each value more often", NULL},
    {STAYS(400, "LDS.128 R8, [R12+UR4]", "LDS R2, [R20]", "STS [R20], R6", "NOP"), "use each value more often", NULL},
    {STAYS(400, "LDS.128 R8, [R12+UR4]", "LDS R2, [R12]", "STS [R13], R6", "NOP"), "use each value more often", NULL},
    {STAYS(400, "LDS.128 R8, [R12+UR4]", "LDS R2, [R12]", "STS [R20], R6", "UIADD3 UR4, UR4, 0x4, URZ"),
     "use each value more often", NULL},
    {STAYS(400, "LDS.128 R8, [R12+UR4]", "LDS R2, [R12]", "STS [R20], R6", "BAR.SYNC.DEFER_BLOCKING 0x0"),
     "use each value more often", NULL},
    {STAYS(400, "LDS.128 R8, [R12+UR4]", "LDS R2, [R12]", "STS [R20], R6", "LDGSTS.E.128 [R20], desc[UR6][R16.64]"),
     "use each value more often", NULL},
    {{.rule = "shared-memory",
      .lines = {"LDS R4, [R2]", "EXIT"},
      .executed = {10, 1},
      .set = {{"shared_wavefronts", 100}, {"l1_wavefronts", 100}}},
     "or wider shared accesses",
     NULL},
    {{.rule = "shared-memory",
      .lines = {"LDS.128 R4, [R2]", "STS.128 [R2], R4", "STS [R2], R4", "EXIT"},
      .executed = {10, 1, 0, 1},
      .set = {{"shared_wavefronts", 100}, {"l1_wavefronts", 100}}},
     "use each value more often once it is read: more outputs per thread (the",
     NULL},
    {{.rule = "shared-memory", /* of one output they are a tile's rows */
      .lines = {"LDS R2, [R12]", "LDS R3, [R12+0x40]", "LDS R4, [R12+0x80]", "LDS R5, [R12+0xc0]",
                "FFMA R6, R2, R3, R6", "FFMA R6, R4, R5, R6", "FFMA R6, R2, R5, R6", "FFMA R6, R4, R3, R6",
                "@P0 BRA 0x0", "EXIT"},
      .executed = {64e3, 64e3, 64e3, 64e3, 64e3, 64e3, 64e3, 64e3, 64e3, 640},
      .set = {{"shared_wavefronts", 1e6}, {"l1_wavefronts", 1e6}, {"dram_read_bytes", 80e3}, {"inst_executed", 576e3}}},
     "use each value more often once it is read: more outputs per thread (estimate: half; at least",
     NULL},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

static void what_fits(void **state) {
  (void)state;
  REMEDIES_FIT(REMEDIES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(what_fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
