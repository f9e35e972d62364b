/* The rule barrier: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_work.h"

#define LOCKED                                                                                                         \
  "75 % of warp cycles wait at a barrier, while the block asks for a lock in a loop\n"                                 \
  "fewer blocks per lock (more locks, shorter sections), or write partial results and add them up in a second kernel " \
  "(the estimate assumes that a quarter of the waits stays)\n"

/* 70 samples wait behind the barrier, of 7 warps of the block; the eighth polls. */
static void polls(struct made_diagnosis *d, uint64_t times) {
  static struct run_sample samples[2];
  samples[0] = (struct run_sample){.offset = 0x10, .reason = (char *)"long_scoreboard", .samples = times};
  samples[1] = (struct run_sample){.offset = 0x40, .reason = (char *)"barrier", .samples = 70};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
}

static void polls_for_half(struct made_diagnosis *d) {
  polls(d, 5);
}

static void polls_for_less(struct made_diagnosis *d) {
  polls(d, 4);
}

/* Behind the barrier of the grid, and behind another one of the block. */
static void waits_for_the_grid(struct made_diagnosis *d, uint64_t other) {
  static struct run_sample samples[2];
  samples[0] = (struct run_sample){.offset = 0x70, .reason = (char *)"barrier", .samples = 20};
  samples[1] = (struct run_sample){.offset = 0x90, .reason = (char *)"barrier", .samples = other};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
}

static void waits_for_the_grid_by_less(struct made_diagnosis *d) {
  waits_for_the_grid(d, 21);
}

/* Behind the wgmma that the warp itself waits for, and at a barrier of the block. */
static void waits_for_products(struct made_diagnosis *d, uint64_t own) {
  static struct run_sample samples[2];
  samples[0] = (struct run_sample){.offset = 0x10, .reason = (char *)"barrier", .samples = own};
  samples[1] = (struct run_sample){.offset = 0x30, .reason = (char *)"barrier", .samples = 20};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
}

static void waits_for_products_more(struct made_diagnosis *d) {
  waits_for_products(d, 21);
}

static void waits_for_products_less(struct made_diagnosis *d) {
  waits_for_products(d, 19);
}

#define MULTIPLIES                                                                                                     \
  .lines = {"HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24, gsb0", "WARPGROUP.DEPBAR.LE gsb0, 0x0",                    \
            "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},                                                                    \
  .executed = {100, 100, 8, 8}, .set = {{"stall_barrier", 24e6}}

#define POLLED(asks, share)                                                                                            \
  .rule = "barrier", .also = (share),                                                                                  \
  .lines = {asks, "ISETP.EQ.AND P1, PT, R18, RZ, PT", "@P1 BRA 0x0", "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},           \
  .executed = {100, 100, 100, 8, 8}, .set = {{"stall_barrier", 24e6}}, .takes = "barriers_s 43.75"
#define POLLS                                                                                                          \
  .says = "barrier, share 0.75 ratio\n"                                                                                \
          "barrier per instruction 8 cycle\n"                                                                          \
          "issue slots used 0.75 ratio\n"                                                                              \
          "75 % of warp cycles wait at a barrier, while a warp of the block polls for what another block writes\n"     \
          "let blocks hand on less often (more work in each), look back without waiting (decoupled look-back), or do " \
          "what they hand on in a second kernel\n"
#define POLLS_NOT                                                                                                      \
  .says = "barrier, share 0.75 ratio\n"                                                                                \
          "barrier per instruction 8 cycle\n"                                                                          \
          "issue slots used 0.75 ratio\n"                                                                              \
          "75 % of warp cycles wait at a barrier for other warps of the block\n"                                       \
          "use smaller blocks, or more elements per thread between two barriers "                                      \
          "(the estimate assumes that a quarter of the waits stays)\n"

/* Of 80 blocks of 8 warps a lane each goes 7 times around, before a barrier.  Seven values over lanes are one each and five steps: a seventh of its 22 instructions goes, 251 of
 * the 1000 that the rows are made of, and of its seven accesses one, 80 of 1000. */
static void a_lane_each(struct made_diagnosis *d) {
  for (size_t i = 2; i < 6; i++)
    d->counts[i].threads = d->counts[i].executed;
}

static void two_lanes_each(struct made_diagnosis *d) {
  for (size_t i = 2; i < 6; i++)
    d->counts[i].threads = 2 * d->counts[i].executed;
}

#define ONE_GOES_AROUND(entered, turns, others)                                                                        \
  .rule = "barrier", .set = {{"stall_barrier", 24e6}}, .lines = {"ISETP.NE.AND P1, PT, R2, RZ, PT",                    \
                                                                 "@P1 BRA 0x60",                                       \
                                                                 "MOV R5, RZ",                                         \
                                                                 "LDS R3, [R4]",                                       \
                                                                 "FADD R5, R5, R3",                                    \
                                                                 "@P0 BRA 0x30",                                       \
                                                                 "BAR.SYNC.DEFER_BLOCKING 0x0",                        \
                                                                 "EXIT"},                                              \
  .executed = {others, others, entered, (entered) * (turns), (entered) * (turns), (entered) * (turns), 640, 640}
#define WAITS_FOR_A_LANE                                                                                               \
  .says = "barrier, share 0.75 ratio\n"                                                                                \
          "barrier per instruction 8 cycle\n"                                                                          \
          "issue slots used 0.75 ratio\n"                                                                              \
          "75 % of warp cycles wait at a barrier, behind 22 instructions of a single lane of the block\n"              \
          "let the lanes of a warp share that work (shuffles, a value each), or all warps, before the barrier "        \
          "(the estimate assumes that a quarter of the waits stays)\n",                                                \
  .takes = "inst 748.57, alu 748.57, fma 748.57, fma_heavy 748.57, lsu 748.57, xu 748.57, tensor 748.57, "             \
           "fp64 748.57, adu 748.57, tex 748.57, l1_wavefronts 920, own_issue_s 74.857, dependencies_s 74.857, "       \
           "barriers_s 43.75"
#define WAITS_AS_EVER                                                                                                  \
  .says = "barrier, share 0.75 ratio\n"                                                                                \
          "barrier per instruction 8 cycle\n"                                                                          \
          "issue slots used 0.75 ratio\n" WAITS_FOR_OTHERS                                                             \
          "give warps equal work between barriers, use smaller blocks, or more elements per thread between two "       \
          "barriers " QUARTER_STAYS,                                                                                   \
  .takes = "barriers_s 43.75"

#define WAITS_FOR_OTHERS "75 % of warp cycles wait at a barrier for other warps of the block\n"
#define QUARTER_STAYS    "(the estimate assumes that a quarter of the waits stays)\n"

static const struct judged_case CASES[] = {
    {.rule = "barrier", .also = waits_for_products_more, MULTIPLIES},
    {.rule = "barrier",
     .also = waits_for_products_less, /* 20 of 39 at the block's barrier */
     MULTIPLIES,
     .says = "barrier, share 0.75 ratio\n"
             "barrier per instruction 8 cycle\n"
             "issue slots used 0.75 ratio\n"
             "38 % of warp cycles wait at a barrier for other warps of the block\n"
             "use smaller blocks, or more elements per thread between two barriers " QUARTER_STAYS,
     .takes = "barriers_s 71.154"},
    {.rule = "barrier", /* 75 us: three quarters go */
     .set = {{"stall_barrier", 24e6}},
     .says =
         "barrier, share 0.75 ratio\n"
         "barrier per instruction 8 cycle\n"
         "issue slots used 0.75 ratio\n" WAITS_FOR_OTHERS
         "replace the barrier by warp shuffles, give warps equal work between barriers, or use smaller blocks " QUARTER_STAYS,
     .takes = "barriers_s 43.75",
     .silent = {{"stall_barrier", 0}}},
    {.sized = true, .also = a_lane_each, ONE_GOES_AROUND(80, 7, 640), WAITS_FOR_A_LANE},
    {.sized = true, .also = two_lanes_each, ONE_GOES_AROUND(80, 7, 640), WAITS_AS_EVER},
    {.sized = true, .also = a_lane_each, ONE_GOES_AROUND(160, 7, 640), WAITS_AS_EVER},  /* of two warps */
    {.sized = true, .also = a_lane_each, ONE_GOES_AROUND(80, 7, 14400), WAITS_AS_EVER}, /* others have twice as much */
    {.rule = "barrier", /* its divisions go, too: 128 of 256 on the XU */
     .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0", "SHF.R.U32.HI R6, RZ, 0x1, R6", "I2F.U32.RP R7, R6", "MUFU.RCP R7, R7",
               "ISETP.GE.AND P1, PT, R9, R6, PT", "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R4+0x40]", "@!P1 FADD R3, R3, R2",
               "@!P1 STS [R4], R3", "@P1 BRA 0x0", "EXIT"},
     .executed = {64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64},
     .set = {{"inst_executed", 1280}, {"stall_barrier", 24e6}, {"pipe_xu", 256}},
     .says =
         "barrier, share 0.75 ratio\n"
         "barrier per instruction 8 cycle\n"
         "issue slots used 0.75 ratio\n"
         "75 % of warp cycles wait at barriers, most in a tree reduction through shared memory, which is 50 % of all instructions\n" SHUFFLES,
     .takes = "inst 536, xu 500, own_issue_s 53.607, dependencies_s 53.6, barriers_s 43.75"},
    {.rule = "barrier", /* of 40 barriers three quarters, of the ADU's 60 */
     .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},
     .executed = {40, 8},
     .set = {{"stall_barrier", 24e6}, {"pipe_adu", 60}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier per instruction 8 cycle\n"
             "issue slots used 0.75 ratio\n" WAITS_FOR_OTHERS
             "use smaller blocks, or more elements per thread between two barriers " QUARTER_STAYS,
     .takes = "adu 500, barriers_s 43.75"},
    /* 96 of 192 accesses go; of the barriers 7 of 8, but a quarter of 75 us stays; 80 shuffles of 27 cycles in 320 warps */
    {.rule = "barrier",
     TREE,
     .set = {{"inst_executed", 800},
             {"stall_barrier", 24e6},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 800},
             {"pipe_lsu", 960},
             {"pipe_alu", 1920},
             {"pipe_fma", 640},
             {"pipe_adu", 112}},
     .says =
         "barrier, share 0.75 ratio\n"
         "barrier per instruction 8 cycle\n"
         "issue slots used 0.75 ratio\n"
         "75 % of warp cycles wait at barriers, most in a tree reduction through shared memory, which is 72 % of all instructions\n" SHUFFLES,
     .takes =
         "inst 600, alu 900, fma 900, fma_heavy 900, lsu 900, adu 500, l1_wavefronts 600, own_issue_s 60.007, dependencies_s 60, barriers_s 43.75"},
    /* Triton's lock: one thread swaps, all wait for what it got */
    {.rule = "barrier", /* most barriers are others */
     .lines = {"BAR.SYNC 0x0", "@!P0 LDS R3, [R4]", "@!P0 LDS R2, [R4+0x40]", "@!P0 FADD R3, R3, R2",
               "@!P0 STS [R4], R3", "BAR.SYNC 0x0", "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R4+0x20]",
               "@!P1 FADD R3, R3, R2", "@!P1 STS [R4], R3", "EXIT"},
     .executed = {500, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier per instruction 8 cycle\n"
             "issue slots used 0.75 ratio\n" WAITS_FOR_OTHERS
             "replace the barrier by warp shuffles, or use smaller blocks " QUARTER_STAYS},
    {.rule = "barrier",
     .lines = {"ATOMG.E.CAS.STRONG.GPU PT, R18, desc[UR6][R54.64], R18, R19", "@!P0 STS [UR4], R18",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "LDS R18, [UR4]", "ISETP.NE.U32.AND P1, PT, R18, 0x1, PT", "@!P1 BRA 0x0",
               "EXIT"},
     .executed = {4, 4, 4, 4, 4, 4, 1},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier per instruction 8 cycle\n"
             "issue slots used 0.75 ratio\n" LOCKED,
     .takes = "barriers_s 43.75"},
    /* CUTLASS's semaphore polls by a load that passes the L1; where nobody splits a sum over blocks, it stands in the code and does not run */
    {.rule = "barrier",
     .lines = {"@P0 BRA 0x50", "LDG.E.STRONG.GPU R18, desc[UR6][R54.64]", "ISETP.NE.U32.AND P1, PT, R18, 0x1, PT",
               "BAR.RED.AND.DEFER_BLOCKING 0x0, P1", "@!P1 BRA 0x10", "EXIT"},
     .executed = {1, 0, 0, 0, 0, 1},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier per instruction 8 cycle\n"
             "issue slots used 0.75 ratio\n" WAITS_FOR_OTHERS
             "use smaller blocks, or more elements per thread between two barriers " QUARTER_STAYS,
     .takes = "barriers_s 43.75"},
    {.rule = "barrier",
     .lines = {"LDG.E.STRONG.GPU R18, desc[UR6][R54.64]", "ISETP.NE.U32.AND P1, PT, R18, 0x1, PT",
               "BAR.RED.AND.DEFER_BLOCKING 0x0, P1", "@!P1 BRA 0x0", "EXIT"},
     .executed = {4, 4, 4, 4, 1},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier per instruction 8 cycle\n"
             "issue slots used 0.75 ratio\n" LOCKED,
     .takes = "barriers_s 43.75"},
    {POLLED("LDG.E.STRONG.SYS R18, desc[UR6][R22.64]", polls_for_half), POLLS},
    {POLLED("ATOMG.E.ADD.STRONG.GPU PT, R18, desc[UR6][R22.64], RZ", polls_for_less), POLLS_NOT},
    {POLLED("ATOMG.E.ADD.STRONG.GPU PT, R18, desc[UR6][R22.64], R19", polls_for_half), POLLS_NOT},
    {POLLED("LDG.E R18, desc[UR6][R22.64]", polls_for_half), POLLS_NOT},
    {POLLED("ATOMS.ADD R18, [R22], RZ", polls_for_half), POLLS_NOT},
    {.rule = "barrier",
     GRID_SYNC,
     .also = waits_for_the_grid_by_less,
     .set = {{"stall_barrier", 24e6}},
     .says =
         "barrier, share 0.75 ratio\n"
         "barrier per instruction 8 cycle\n"
         "issue slots used 0.75 ratio\n" WAITS_FOR_OTHERS
         "give warps equal work between barriers, use smaller blocks, or more elements per thread between two barriers " QUARTER_STAYS,
     .takes = "barriers_s 43.75"},
    {.rule = "barrier", /* a lock that is asked for by an exchange */
     .lines = {"ATOMG.E.EXCH.STRONG.GPU PT, R18, desc[UR6][R54.64], R19", "BAR.SYNC.DEFER_BLOCKING 0x0", "@!P1 BRA 0x0",
               "EXIT"},
     .executed = {4, 4, 4, 1},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier per instruction 8 cycle\n"
             "issue slots used 0.75 ratio\n" LOCKED,
     .takes = "barriers_s 43.75"},
    {.rule = "barrier", /* sums ask for nothing */
     .lines = {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8", "ATOMS.ADD R4, [R2], R4",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "@!P1 BRA 0x0", "EXIT"},
     .executed = {4, 4, 4, 4, 1},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier per instruction 8 cycle\n"
             "issue slots used 0.75 ratio\n" WAITS_FOR_OTHERS
             "use smaller blocks, or more elements per thread between two barriers " QUARTER_STAYS,
     .takes = "barriers_s 43.75"},
    /* a lock of the block's own, in shared memory, and a swap outside of the loop */
    {.rule = "barrier",
     .lines = {"ATOMG.E.CAS.STRONG.GPU PT, R18, desc[UR6][R54.64], R18, R19", "ATOMS.CAS R18, [R4], R18, R19",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "@!P1 BRA 0x10", "EXIT"},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier per instruction 8 cycle\n"
             "issue slots used 0.75 ratio\n" WAITS_FOR_OTHERS
             "use smaller blocks, or more elements per thread between two barriers " QUARTER_STAYS,
     .takes = "barriers_s 43.75"},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
