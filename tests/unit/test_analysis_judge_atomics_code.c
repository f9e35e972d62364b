/* The rule atomics: how the code uses them; figures worked out beside each row. */
#include "unit/assert_float.h"
#include "unit/judged_lines.h"

static void slices_in_warps(struct made_diagnosis *d) {
  made_ceiling(&d->m, "red_scattered", 1e12, CEILING_MEASURED);
  made_ceiling(&d->m, "red_slice_sectors", 1e9, CEILING_MEASURED);
  d->m.results[0].launches->block[0] = 32;
}

static void waves_5(struct made_diagnosis *d) {
  d->m.results[0].launches->grid[0] = 200;
}

#define SWAP_LOOP(computes)                                                                                            \
  .lines = {"LD.E R3, desc[UR4][R4.64]",                                                                               \
            computes,                                                                                                  \
            "ATOM.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7",                                                              \
            "ISETP.NE.U32.AND P0, PT, R6, R3, PT",                                                                     \
            "MOV R3, R6",                                                                                              \
            "@P0 BRA 0x10",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {100, 100, 100, 100, 100, 100, 1}

#define APART .set = {{"l2_atomic_sectors", 1200}, {"atomic_requests", 400}, {"atomic_sectors", 1200}}
#define SWAPS_APART                                                                                                    \
  "l2_atomic_sectors 1200 -\n"                                                                                         \
  "warp-level atomics 400 inst\n"                                                                                      \
  "share of samples at atomics 0 ratio\n"                                                                              \
  "1200 atomic sectors at the L2, neighbouring addresses, in compare-and-swap loops; 0 % of warp samples wait "        \
  "for atomics\n"

static const struct judged_case CASES[] = {
    /* a lane of a warp alone has each word's half: blocks of one warp have nothing to sum */
    {.sized = true,
     .rule = "atomics",
     .also = slices_in_warps,
     SWAP_LOOP("HADD2 R7, R3, R8"),
     .set = {{"l2_atomic_sectors", 1200},
             {"atomic_requests", 400},
             {"atomic_sectors", 1200},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 501}},
     .says = "l2_atomic_sectors 1200 -\n"
             "warp-level atomics 400 inst\n"
             "time that the busiest L2 slice needs for them 5.01e-07 s\n"
             "share of samples at atomics 0 ratio\n"
             "1200 atomic sectors at the L2, to one address or few, in compare-and-swap loops; the L2 works on "
             "them for 1 % of the time\n"
             "an atomicAdd of a __half2 needs no loop: for two lanes side by side one adds (__shfl_down_sync), 4-byte "
             "aligned; more work in each block, so that fewer add to an address\n"},
    /* the larger of two: 1200 sectors of 400 requests are lanes apart; of float sums the loop adds */
    {.sized = true,
     .rule = "atomics",
     SWAP_LOOP("FMNMX R7, R3, R8, !PT"),
     APART,
     .says = SWAPS_APART
     "no loop for a maximum or minimum, and nothing where a plain load shows that it stays: atomicMax or "
     "atomicMin (of floats >= 0 on the bits as int, of negative ones the other on those as unsigned)\n"},
    {.sized = true,
     .rule = "atomics",
     SWAP_LOOP("FADD R7, R3, R8"),
     APART,
     .says = SWAPS_APART
     "sum in registers and across the block first, then one atomic per address and block; int, float and double "
     "sums are atomics without a loop\n"},
    /* what is put in is another word's place, and the next swap is there: a link, and no sum */
    {.rule = "atomics",
     .lines = {"IMAD.WIDE R4, R6, 0x4, R10", "ATOMG.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7",
               "ISETP.NE.U32.AND P0, PT, R6, R3, PT", "MOV R7, R6", "@P0 BRA 0x0", "EXIT"},
     .executed = {100, 100, 100, 100, 100, 1},
     .set = {{"l2_atomic_sectors", 800}, {"atomic_requests", 400}, {"atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 400 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, compare-and-swaps that are no sums; 0 % of warp samples wait for "
             "atomics\n"
             "fewer tries: none where a plain load of the word shows that a swap must fail, or is not needed\n",
     .takes = ""},
    /* 200 blocks of 256 threads; a lane counts for its warp and is told its places: a quarter stays in blocks of 1024 */
    {.sized = true,
     .rule = "atomics",
     .also = waves_5,
     .lines = {"VOTEU.ANY UR4, UPT, PT", "@P0 ATOMG.E.ADD.STRONG.GPU PT, R3, desc[UR6][R2.64], R7", "EXIT"},
     .executed = {200, 200, 1},
     .set = {{"l2_atomic_sectors", 200}, {"atomic_requests", 200}, {"atomic_sectors", 200}},
     .says =
         "l2_atomic_sectors 200 -\n"
         "warp-level atomics 200 inst\n"
         "share of samples at atomics 0 ratio\n"
         "200 blocks send about one atomic each\n"
         "each warp counts once already: larger blocks (1024 threads, now 256) that count in shared memory, then one "
         "atomic for the block's places\n",
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    /* the block's own bins, which it has added up by atomics: 200 blocks are five waves of 40 */
    {.sized = true,
     .rule = "atomics",
     .also = waves_5,
     .lines = {"ATOMS.POPC.INC.32 RZ, [R6]", "LDS R7, [R6]", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"},
     .executed = {800, 800, 800, 1},
     .set = {{"l2_atomic_sectors", 800}, {"reduction_requests", 800}, {"reduction_sectors", 800}},
     .says =
         "l2_atomic_sectors 800 -\n"
         "warp-level atomics 800 inst\n"
         "share of samples at atomics 0 ratio\n"
         "800 atomic sectors at the L2, few addresses; 0 % of warp samples wait for atomics\n"
         "let fewer blocks add to one address (more work in each), or store partial sums and add them up in a second "
         "kernel\n",
     .takes = "atomic_sectors 200, atomic_cycles_max 200"},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

/* Of 40 samples that wait for what comes from memory 30 wait for a swap: without a loop nothing waits for those, and a quarter of the time at loads stays. */
static void swaps_are_waited_for(void **state) {
  (void)state;
  static struct judged j;
  static struct run_sample samples[] = {{.offset = 16, .reason = (char *)"long_scoreboard", .samples = 10},
                                        {.offset = 48, .reason = (char *)"long_scoreboard", .samples = 30}};
  const struct judged_case kernel = {
      SWAP_LOOP("HADD2 R7, R3, R8"),
      .set = {{"l2_atomic_sectors", 800}, {"atomic_requests", 400}, {"atomic_sectors", 800}}};
  judged_make(&j, &kernel, NULL);
  j.d.m.results[0].samples = samples;
  j.d.m.results[0].n_samples = 2;
  hot_release(&j.hot);
  hot_make(&j.hot, &j.d.m.run, &j.d.m.results[0]);
  j.in.sass = &j.hot.kernels[0].sass;
  struct workload w = j.in.work;
  w.loads_s = value_of(8);
  rule_find("atomics")->change(&j.in, &w);
  assert_float_equal(w.loads_s.v, 2, 1e-9);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(swaps_are_waited_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
