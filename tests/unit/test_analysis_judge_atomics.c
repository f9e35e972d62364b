/* The rule atomics: what it says and takes away, which remedy fits; figures worked out beside each row. */
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

static void scattered_rate(struct made_diagnosis *d) {
  made_ceiling(&d->m, "red_scattered", 1e9, CEILING_MEASURED);
}

static void rates_of_slices(struct made_diagnosis *d) {
  scattered_rate(d);
  made_ceiling(&d->m, "red_slice_sectors", 8e8, CEILING_MEASURED);
}

static void slices_of_1e9(struct made_diagnosis *d) {
  made_ceiling(&d->m, "red_scattered", 1e12, CEILING_MEASURED);
  made_ceiling(&d->m, "red_slice_sectors", 1e9, CEILING_MEASURED);
}

static void words_of_1e8(struct made_diagnosis *d) {
  slices_of_1e9(d);
  made_ceiling(&d->m, "red_one_address", 1e8, CEILING_MEASURED);
}

static void one_full_wave(struct made_diagnosis *d) {
  d->m.results[0].launches->grid[0] = 40;
}

static void waves_5(struct made_diagnosis *d) {
  d->m.results[0].launches->grid[0] = 200;
}

#define LARGER_BLOCKS                                                                                                  \
  "fewer, larger blocks (a grid-stride loop over a grid of one wave), so that fewer atomics meet one address\n"
#define PRIVATISE                                                                                                      \
  "privatise in shared memory where what is added to fits there, else sort by address; then one atomic per address and block\n"
#define GATHER                                                                                                         \
  "sort by address, or let each result gather what is added to it; in shared memory a float add is a loop\n"
#define NEIGHBOURS                                                                                                     \
  "add up in registers what a thread's neighbouring elements add to one address; else in shared memory if it fits, or sort by address\n"
#define CORNERS                                                                                                        \
  "sum in the warp where lanes meet (match_any); red.v2 or v4 (sm_90) where a thread's neighbouring places are 8- or 16-byte aligned; or sort the elements\n"
#define SUM_FIRST                                                                                                      \
  "sum what a thread or block adds to an address in registers or shared memory, then one atomic per address\n"
#define SORT_PLACES                                                                                                    \
  "loaded values choose the place: sort by it, then one warp or block per place adds up in registers and stores\n"
#define BINS                                                                                                           \
  "add up in shared memory, then one atomic per bin and block; in a grid of one wave (grid-stride loop) each block "   \
  "has many elements per bin\n"
#define HISTOGRAM                                                                                                      \
  .lines = {"LDG.E R3, desc[UR4][R2.64]", "IMAD.WIDE R4, R3, 0x4, R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7",   \
            "EXIT"},                                                                                                   \
  .executed = {100, 100, 100, 1}
#define SWAP_LOOP(computes)                                                                                            \
  .lines = {"LD.E R3, desc[UR4][R4.64]",                                                                               \
            computes,                                                                                                  \
            "ATOM.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7",                                                              \
            "ISETP.NE.U32.AND P0, PT, R6, R3, PT",                                                                     \
            "MOV R3, R6",                                                                                              \
            "@P0 BRA 0x10",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {100, 100, 100, 100, 100, 100, 1}
#define REDUCE "reduce within the block first (shuffles, shared memory), then one atomic per block\n"

static const struct judged_case CASES[] = {
    /* 3,200 requests for 400 words: the lanes of a warp meet in 4 of them, 8 each; an eighth stays */
    {.rule = "atomics",
     .also = scattered_rate,
     .set = {{"l2_atomic_sectors", 4800},
             {"reduction_requests", 100},
             {"reduction_sectors", 3200},
             {"reduction_data_bytes", 1600}},
     .says = "atomic sectors 3200 sector\n"
             "warp-level atomics 100 inst\n"
             "time that they need 3.2e-06 s\n"
             "share of samples at atomics 0 ratio\n"
             "each of 100 warp-level atomics takes 8.0 requests, because that many lanes of the warp add to one word\n"
             "add up in the warp first (shuffles, or match_any where addresses differ), then one lane per word adds\n",
     .takes = "atomic_sectors 125, atomic_cycles_max 125, atomic_bursts 1"},
    {.rule =
         "atomics", /* 800 of a slice take 0.8 us; seven of eight follow one in their word, at 8 us for 800: 0.8 + 0.875 x 7.2 */
     .also = words_of_1e8,
     .set = {{"l2_atomic_sectors", 4800},
             {"reduction_requests", 100},
             {"reduction_sectors", 3200},
             {"reduction_data_bytes", 1600},
             {"l2_atomic_cycles_max", 800}},
     .says = "atomic sectors 3200 sector\n"
             "warp-level atomics 100 inst\n"
             "time that the busiest L2 slice needs for them 8e-07 s\n"
             "the same, a warp's requests one after the other 7.1e-06 s\n"
             "share of samples at atomics 0 ratio\n"
             "each of 100 warp-level atomics takes 8.0 requests, because that many lanes of the warp add to one word\n"
             "add up in the warp first (shuffles, or match_any where addresses differ), then one lane per word adds\n",
     .takes = "atomic_sectors 125, atomic_cycles_max 125, atomic_bursts 1"},
    /* of 5,000 wavefronts in the L1 3,200 are these requests; 100 atomics and 5 shuffles for each stay: 2,600 go */
    {.rule = "atomics",
     .also = scattered_rate,
     .set = {{"l2_atomic_sectors", 4800},
             {"reduction_requests", 100},
             {"reduction_sectors", 3200},
             {"reduction_data_bytes", 1600},
             {"l1_wavefronts", 5000}},
     .says = "atomic sectors 3200 sector\n"
             "warp-level atomics 100 inst\n"
             "time that they need 3.2e-06 s\n"
             "share of samples at atomics 0 ratio\n"
             "each of 100 warp-level atomics takes 8.0 requests, because that many lanes of the warp add to one word\n"
             "add up in the warp first (shuffles, or match_any where addresses differ), then one lane per word adds\n",
     .takes = "l1_wavefronts 480, atomic_sectors 125, atomic_cycles_max 125, atomic_bursts 1"},
    {.rule = "atomics", /* 128 us of 100: what cannot be is no evidence */
     .also = scattered_rate,
     .set = {{"l2_atomic_sectors", 192000},
             {"reduction_requests", 4000},
             {"reduction_sectors", 128000},
             {"reduction_data_bytes", 64000}},
     .says = "atomic sectors 1.28e+05 sector\n"
             "warp-level atomics 4000 inst\n"
             "share of samples at atomics 0 ratio\n"
             "each of 4000 warp-level atomics takes 8.0 requests, because that many lanes of the warp add to one word\n"
             "add up in the warp first (shuffles, or match_any where addresses differ), then one lane per word adds\n",
     .takes = "atomic_sectors 125, atomic_cycles_max 125, atomic_bursts 1"},
    /* 2 requests for each of 400 words are as many as are told: a half stays */
    {.rule = "atomics",
     .set = {{"l2_atomic_sectors", 1200},
             {"reduction_requests", 100},
             {"reduction_sectors", 800},
             {"reduction_data_bytes", 1600}},
     .says = "atomic sectors 800 sector\n"
             "warp-level atomics 100 inst\n"
             "share of samples at atomics 0 ratio\n"
             "each of 100 warp-level atomics takes 2.0 requests, because that many lanes of the warp add to one word\n"
             "add up in the warp first (shuffles, or match_any where addresses differ), then one lane per word adds\n",
     .takes = "atomic_sectors 500, atomic_cycles_max 500, atomic_bursts 1"},
    /* 32 sectors per request: a quarter stays.  3/4 of the stalls queue, for 32,000 of 64,000
     * sectors. */
    {.rule = "atomics",
     .also = scattered_rate,
     .set = {{"l2_atomic_sectors", 32000},
             {"reduction_requests", 600},
             {"atomic_requests", 400},
             {"reduction_sectors", 20000},
             {"atomic_sectors", 12000},
             {"l1_load_sectors", 2000},
             {"l1_store_sectors", 6000},
             {"stall_lg_throttle", 30e6}},
     .says = "l2_atomic_sectors 3.2e+04 -\n"
             "warp-level atomics 1000 inst\n"
             "time that they need 3.2e-05 s\n"
             "share of samples at atomics 0.75 ratio\n"
             "32000 atomic sectors at the L2, scattered; 75 % of warp samples wait for atomics\n" PRIVATISE,
     .takes = "atomic_sectors 250, atomic_cycles_max 250",
     .silent = {{"l2_atomic_sectors", 0}}},
    /* 4 sectors per request: one atomic for each of 80 blocks stays */
    {.sized = true,
     .rule = "atomics",
     .set = {{"l2_atomic_sectors", 800}, {"reduction_requests", 200}, {"reduction_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, neighbouring addresses; 0 % of warp samples wait for atomics\n" SUM_FIRST,
     .takes = "atomic_sectors 100, atomic_cycles_max 100",
     .silent = {{"l2_atomic_sectors", 80}}},
    /* 8 sectors per request are what 32 words of 8 bytes fill */
    {.sized = true,
     .rule = "atomics",
     .set = {{"l2_atomic_sectors", 1600},
             {"reduction_requests", 200},
             {"reduction_sectors", 1600},
             {"reduction_data_bytes", 51200}},
     .says = "l2_atomic_sectors 1600 -\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "1600 atomic sectors at the L2, neighbouring addresses; 0 % of warp samples wait for atomics\n" SUM_FIRST,
     .takes = "atomic_sectors 50, atomic_cycles_max 50"},
    /* 2 sectors per request are one address that lies across two, or two addresses */
    {.sized = true,
     .rule = "atomics",
     .set = {{"l2_atomic_sectors", 800}, {"reduction_requests", 200}, {"reduction_sectors", 400}},
     .says = "atomic sectors 400 sector\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "400 atomic sectors at the L2, few addresses; 0 % of warp samples wait for atomics\n" REDUCE,
     .takes = "atomic_sectors 100, atomic_cycles_max 100"},
    {.rule = "atomics", /* two numbers of one load say where */
     .lines = {"LDG.E.128 R12, desc[UR4][R8.64]", "IMAD.WIDE R2, R12, 0x4, R10", "IMAD.WIDE R4, R13, 0x4, R10",
               "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"},
     .executed = {10, 10, 10, 10, 10, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 20 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" NEIGHBOURS},
    {.rule = "atomics", /* two words of one place: of 20 atomics 10 stay */
     .lines = {"REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7", "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64+0x4], R8", "EXIT"},
     .executed = {10, 10, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says =
         "l2_atomic_sectors 800 -\n"
         "warp-level atomics 20 inst\n"
         "share of samples at atomics 0 ratio\n"
         "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n"
         "neighbouring words of one place: one 64-bit atomicAdd for two (8-byte aligned; no sum may carry out of the "
         "low word)\n",
     .takes = "atomic_sectors 500, atomic_cycles_max 500"},
    {.rule = "atomics", /* over 232,449 bytes or more: a byte more than a block's shared memory has at most */
     .lines = {"REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7", "EXIT"},
     .executed = {20, 1},
     .set = {{"l2_atomic_sectors", 800}, {"dram_read_bytes", 1232449}, {"l2_read_bytes", 1e6}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 20 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n"
             "no SM's shared memory holds what is added to: hand the elements over by ranges of addresses that fit, if "
             "what makes them can\n"},
    {.rule = "atomics", /* as many as it has */
     .lines = {"REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7", "EXIT"},
     .executed = {20, 1},
     .set = {{"l2_atomic_sectors", 800}, {"dram_read_bytes", 1232448}, {"l2_read_bytes", 1e6}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 20 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE},
    {.rule = "atomics", /* the same number twice, as of the columns of a row */
     .lines = {"LDG.E.128 R12, desc[UR4][R8.64]", "IMAD.WIDE R2, R12, 0x4, R10", "IMAD.WIDE R4, R12, 0x8, R10",
               "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"},
     .executed = {10, 10, 10, 10, 10, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 20 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE},
    {.rule = "atomics", /* the second adds where the first did not */
     .lines = {"LDG.E.128 R12, desc[UR4][R8.64]", "IMAD.WIDE R2, R12, 0x4, R10", "IMAD.WIDE R4, R13, 0x4, R10",
               "@P0 REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7", "@!P0 REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7",
               "EXIT"},
     .executed = {10, 10, 10, 10, 10, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 20 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE},
    {.rule = "atomics", /* a load each */
     .lines = {"LDG.E R12, desc[UR4][R8.64]", "LDG.E R13, desc[UR4][R8.64+0x4]", "IMAD.WIDE R2, R12, 0x4, R10",
               "IMAD.WIDE R4, R13, 0x4, R10", "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7",
               "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"},
     .executed = {10, 10, 10, 10, 10, 10, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 20 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE},
    {.rule = "atomics", /* corners of a cell */
     .lines = {"LDG.E R12, desc[UR4][R8.64]", "F2I.FLOOR.NTZ R13, R12", "IMAD.WIDE R2, R13, 0x4, R10",
               "IMAD.WIDE R4, R13, 0x8, R10", "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R7",
               "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"},
     .executed = {10, 10, 10, 10, 10, 10, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 20 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" CORNERS},
    {.rule = "atomics", /* of integers */
     .lines = {"LDG.E R12, desc[UR4][R8.64]", "F2I.FLOOR.NTZ R13, R12", "IMAD.WIDE R2, R13, 0x4, R10",
               "IMAD.WIDE R4, R13, 0x8, R10", "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7",
               "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"},
     .executed = {10, 10, 10, 10, 10, 10, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 20 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n"
             "sum in the warp where lanes meet (match_any), or sort the elements that add, so that neighbours meet\n"},
    {.rule = "atomics", /* the quotient of a division */
     .lines = {"LDG.E R14, desc[UR4][R8.64]", "I2F.U32.RP R12, R14", "VIADD R12, R12, 0xffffffe",
               "F2I.FLOOR.NTZ R13, R12", "IMAD.WIDE R2, R13, 0x4, R10", "IMAD.WIDE R4, R13, 0x8, R10",
               "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R7", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"},
     .executed = {10, 10, 10, 10, 10, 10, 10, 10, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 20 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE},
    {.rule = "atomics", /* one place each */
     .lines = {"LDG.E R12, desc[UR4][R8.64]", "F2I.FLOOR.NTZ R13, R12", "IMAD.WIDE R2, R13, 0x4, R10",
               "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R7", "EXIT"},
     .executed = {10, 10, 10, 20, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 20 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" GATHER},
    {.rule = "atomics", /* by the code: 30 requests */
     .lines = {"RED.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8",
               "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8",
               "ATOMG.E.ADD.STRONG.GPU PT, R3, desc[UR4][R6.64], R5", "EXIT"},
     .executed = {10, 15, 5, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 30 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" GATHER,
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    {.sized = true,
     .rule = "atomics",
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, few addresses; 0 % of warp samples wait for atomics\n" REDUCE,
     .takes = "atomic_sectors 100, atomic_cycles_max 100"},
    /* 801 sectors of 200 requests */
    {.rule = "atomics",
     .set = {{"l2_atomic_sectors", 100}, {"atomic_requests", 200}, {"atomic_sectors", 801}},
     .says = "l2_atomic_sectors 100 -\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "100 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE,
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    {.rule = "atomics",
     .set = {{"l2_atomic_sectors", 100},
             {"atomic_requests", 500},
             {"reduction_requests", 500},
             {"atomic_sectors", 2400},
             {"reduction_sectors", 2400}},
     .says = "l2_atomic_sectors 100 -\n"
             "warp-level atomics 1000 inst\n"
             "share of samples at atomics 0 ratio\n"
             "100 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE,
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    {.rule = "atomics", .set = {{"l2_atomic_sectors", 40}}, .takes = ""}, /* fewer than blocks */
    /* a slice takes 800 at 8e8 a second, 1 us, as long as the chip takes for 1,000 in all: more than 4 times its share of 100 */
    {.sized = true,
     .rule = "atomics",
     .also = rates_of_slices,
     .set =
         {{"l2_atomic_sectors", 100}, {"atomic_requests", 200}, {"atomic_sectors", 801}, {"l2_atomic_cycles_max", 800}},
     .says = "l2_atomic_sectors 100 -\n"
             "warp-level atomics 200 inst\n"
             "time that the busiest L2 slice needs for them 1e-06 s\n"
             "share of samples at atomics 0 ratio\n"
             "100 atomic sectors at the L2, few addresses; the L2 works on them for 1 % of the time\n" REDUCE,
     .takes = "atomic_sectors 800, atomic_cycles_max 800",
     .silent = {{"l2_atomic_sectors", 80}}},
    {.rule = "atomics", /* 300 are 3.75 times its share */
     .also = rates_of_slices,
     .set =
         {{"l2_atomic_sectors", 100}, {"atomic_requests", 200}, {"atomic_sectors", 801}, {"l2_atomic_cycles_max", 300}},
     .says = "l2_atomic_sectors 100 -\n"
             "warp-level atomics 200 inst\n"
             "time that the busiest L2 slice needs for them 3.75e-07 s\n"
             "share of samples at atomics 0 ratio\n"
             "100 atomic sectors at the L2, scattered; the L2 works on them for 0 % of the time\n" PRIVATISE,
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    {.rule = "atomics", /* what a slice of the L2 takes at most is not known */
     .set =
         {{"l2_atomic_sectors", 100}, {"atomic_requests", 200}, {"atomic_sectors", 801}, {"l2_atomic_cycles_max", 90}},
     .says = "l2_atomic_sectors 100 -\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "100 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE,
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    /* 200 blocks in waves of 40: a fifth of the blocks and of what they send stays */
    {.sized = true,
     .rule = "atomics",
     .also = waves_5,
     .set = {{"l2_atomic_sectors", 300}, {"reduction_requests", 200}, {"reduction_sectors", 200}},
     .says = "atomic sectors 200 sector\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "200 blocks send about one atomic each\n" LARGER_BLOCKS,
     .takes = "atomic_sectors 200, atomic_cycles_max 200"},
    {.sized = true,
     .rule = "atomics", /* 399 are fewer than two a block; more than half of the slices' cycles are one's */
     .also = waves_5,
     .set = {{"l2_atomic_sectors", 300},
             {"reduction_requests", 399},
             {"reduction_sectors", 200},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 501}},
     .says =
         "atomic sectors 200 sector\n"
         "warp-level atomics 399 inst\n"
         "share of samples at atomics 0 ratio\n"
         "200 blocks send about one atomic each, to one address or few: the L2 adds them one after the other\n" LARGER_BLOCKS,
     .takes = "atomic_sectors 200, atomic_cycles_max 200"},
    {.sized = true,
     .rule = "atomics",
     .also = waves_5,
     .set = {{"l2_atomic_sectors", 300},
             {"reduction_requests", 200},
             {"reduction_sectors", 200},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 500}},
     .says =
         "atomic sectors 200 sector\n"
         "warp-level atomics 200 inst\n"
         "share of samples at atomics 0 ratio\n"
         "200 blocks send about one atomic each, to different addresses\n"
         "let one block do all that is added to an address and store it, or fewer, larger blocks (a grid-stride loop)\n",
     .takes = "atomic_sectors 200, atomic_cycles_max 200"},
    {.sized = true,
     .rule = "atomics", /* two a block can be reduced to one */
     .also = waves_5,
     .set = {{"l2_atomic_sectors", 400}, {"reduction_requests", 400}, {"reduction_sectors", 400}},
     .says = "l2_atomic_sectors 400 -\n"
             "warp-level atomics 400 inst\n"
             "share of samples at atomics 0 ratio\n"
             "400 atomic sectors at the L2, few addresses; 0 % of warp samples wait for atomics\n" REDUCE,
     .takes = "atomic_sectors 500, atomic_cycles_max 500"},
    /* neighbouring places that a load chooses for each: there is no sum of several */
    {.sized = true,
     .rule = "atomics",
     HISTOGRAM,
     .set = {{"l2_atomic_sectors", 1200}, {"reduction_requests", 400}, {"reduction_sectors", 1200}},
     .says =
         "l2_atomic_sectors 1200 -\n"
         "warp-level atomics 400 inst\n"
         "share of samples at atomics 0 ratio\n"
         "1200 atomic sectors at the L2, neighbouring addresses; 0 % of warp samples wait for atomics\n" SORT_PLACES,
     .takes = "atomic_sectors 66.667, atomic_cycles_max 66.667"},
    /* a histogram: an index that was loaded; its bins lie in many slices, or in one */
    {.sized = true,
     .rule = "atomics",
     HISTOGRAM,
     .set = {{"l2_atomic_sectors", 800},
             {"reduction_requests", 400},
             {"reduction_sectors", 800},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 500}},
     .says =
         "l2_atomic_sectors 800 -\n"
         "warp-level atomics 400 inst\n"
         "share of samples at atomics 0 ratio\n"
         "800 atomic sectors at the L2, few addresses, chosen by loaded values; 0 % of warp samples wait for atomics\n" BINS,
     .takes = "atomic_sectors 100, atomic_cycles_max 100"},
    {.sized = true,
     .rule = "atomics",
     HISTOGRAM,
     .set = {{"l2_atomic_sectors", 800},
             {"reduction_requests", 400},
             {"reduction_sectors", 800},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 501}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 400 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, few addresses, chosen by loaded values, one after the other; 0 % of warp "
             "samples wait for atomics\n" BINS,
     .takes = "atomic_sectors 100, atomic_cycles_max 100"},
    /* 80,000 that a slice works on at 1e9 a second take 80 of 100 us: 1.25 ns each */
    {.sized = true,
     .rule = "atomics",
     .also = slices_of_1e9,
     .lines = {"LDC.64 R4, c[0x0][0x210]", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"},
     .executed = {100, 100, 1},
     .set = {{"l2_atomic_sectors", 120000},
             {"reduction_requests", 80000},
             {"reduction_sectors", 80000},
             {"l2_atomic_cycles", 80000},
             {"l2_atomic_cycles_max", 80000}},
     .says =
         "atomic sectors 8e+04 sector\n"
         "warp-level atomics 8e+04 inst\n"
         "time that the busiest L2 slice needs for them 8e-05 s\n"
         "share of samples at atomics 0 ratio\n"
         "80000 atomic sectors at the L2, to one address or few, one after the other (1.2 ns each); the L2 works on "
         "them for 80 % of the time\n" REDUCE},
    /* loops of compare and swap: of 16-bit floats to one address, of others, to bins */
    {.sized = true,
     .rule = "atomics",
     SWAP_LOOP("HADD2 R7, R3, R8"),
     .set = {{"l2_atomic_sectors", 800},
             {"atomic_requests", 400},
             {"atomic_sectors", 800},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 501}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 400 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, to one address or few, in compare-and-swap loops; 0 % of warp samples wait "
             "for atomics\n"
             "sum in registers and across the block first, then one atomic per block; float and __half2 atomics need "
             "no loop, __half ones do\n",
     .takes = "atomic_sectors 100, atomic_cycles_max 100"},
    {.sized = true,
     .rule = "atomics",
     SWAP_LOOP("FMUL R7, R3, R8"),
     .set = {{"l2_atomic_sectors", 800}, {"atomic_requests", 400}, {"atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 400 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, few addresses, in compare-and-swap loops; 0 % of warp samples wait for "
             "atomics\n"
             "sum in registers and across the block first, then one atomic per block; int, float and double sums are "
             "atomics without a loop\n"},
    {.rule = "atomics",
     SWAP_LOOP("FMUL R7, R3, R8"),
     .set = {{"l2_atomic_sectors", 800}, {"atomic_requests", 100}, {"atomic_sectors", 800}},
     .says =
         "l2_atomic_sectors 800 -\n"
         "warp-level atomics 100 inst\n"
         "share of samples at atomics 0 ratio\n"
         "800 atomic sectors at the L2, scattered, in compare-and-swap loops; 0 % of warp samples wait for atomics\n"
         "sum in shared memory first, then one atomic per address and block; int, float and double sums are atomics "
         "without a loop\n"},
    {.rule = "atomics", /* one a block, in a single wave: no fewer blocks are to be had */
     .also = one_full_wave,
     .set = {{"l2_atomic_sectors", 60}, {"reduction_requests", 40}, {"reduction_sectors", 40}},
     .takes = ""},
    {.rule = "atomics", .takes = ""},
};

static const struct remedy_case REMEDIES[] = {
    /* a warp's doubles side by side fill 8 sectors, its floats 4 */
    {{.rule = "atomics",
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"reduction_sectors", 800},
              {"reduction_data_bytes", 25600}}},
     "sum what a thread or block adds to an address",
     "neighbouring addresses"},
    {{.rule = "atomics",
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"reduction_sectors", 800},
              {"reduction_data_bytes", 12800}}},
     "privatise in shared memory",
     "scattered"},
    {{.rule = "atomics", /* as many integers as floats; those of shared memory are no question */
      .lines = {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R6.64], R8",
                "ATOMS.CAST.SPIN.64 R4, [R2], R4, R5", "EXIT"},
      .executed = {50, 50, 200, 1},
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"reduction_sectors", 800},
              {"reduction_data_bytes", 12800}}},
     "privatise in shared memory",
     "scattered"},
    {{.rule = "atomics",
      .lines = {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R6.64], R8",
                "EXIT"},
      .executed = {51, 50, 1},
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"reduction_sectors", 800},
              {"reduction_data_bytes", 12800}}},
     "let each result gather what is added to it",
     "scattered"},
    {{.rule = "atomics", /* doubles and pairs of halves are floats, too */
      .lines = {"REDG.E.ADD.F64.RN.STRONG.GPU desc[UR4][R6.64], R8",
                "REDG.E.ADD.F16x2.RN.STRONG.GPU desc[UR4][R6.64], R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R6.64], R8",
                "EXIT"},
      .executed = {26, 25, 50, 1},
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"reduction_sectors", 800},
              {"reduction_data_bytes", 12800}}},
     "let each result gather what is added to it",
     "scattered"},
    {{.rule = "atomics", /* half of the places are loaded, and half of the loops swap: neither is most */
      .lines = {"LDG.E R3, desc[UR4][R2.64]", "IMAD.WIDE R4, R3, 0x4, R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7",
                "FADD R11, R12, R13", "ATOMG.E.CAS.STRONG.GPU PT, R12, [R14], R10, R11", "@P0 BRA 0x30", "EXIT"},
      .executed = {50, 50, 50, 50, 50, 50, 1},
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"atomic_requests", 300},
              {"reduction_sectors", 400},
              {"atomic_sectors", 400}}},
     "reduce within the block first",
     "few addresses;"},
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
