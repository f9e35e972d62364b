/* The rule hot-atomics: what it says and takes away; figures worked out beside each row. */
#include "unit/judged.h"

#define SWAPS                                                                                                          \
  .lines = {"MOV R8, 0x4",   "LDS R10, [R8]", "FADD R11, R4, R10", "ATOMS.CAST.SPIN R11, [R8], R10, R11",              \
            "@!P0 BRA 0x10", "EXIT"}

#define REPLICATE                                                                                                      \
  "one copy of the bins per lane where they fit, or combine equal addresses in the warp first (match_any)\n"

#define BINS(place)                                                                                                    \
  .lines = {"S2R R0, SR_TID.X", place, "ATOMS.ADD RZ, [R8.X4], R4", "EXIT"}, .executed = {10, 10, 10, 10},             \
  .set = {{"shared_atomic_conflicts", 300}, {"shared_atomic_wavefronts", 310}}
#define BINS_SAY                                                                                                       \
  "shared_atomic_wavefronts 310 -\n"                                                                                   \
  "shared_atomic_conflicts 300 -\n"                                                                                    \
  "97 % of the shared atomics' cycles serialize lanes on one address\n"

static void rows_of_16(struct made_diagnosis *d) {
  d->m.results[0].launches->block[0] = 16;
}

#define ONE_ADDRESS                                                                                                    \
  "all lanes of a warp add to one address: add up in the warp first (__shfl_xor_sync, __reduce_add_sync), and let one lane add or store\n"

/* Of 233,472 B an SM's four blocks have 58,368 each: 32 copies of 1,824 B, 16 of a byte more. */
static void bins_of_1824(struct made_diagnosis *d) {
  d->m.results[0].launches->smem_static = 1824;
}

static void bins_of_1825(struct made_diagnosis *d) {
  d->m.results[0].launches->smem_dynamic = 1825;
}

static void bins_of_30000(struct made_diagnosis *d) {
  d->m.results[0].launches->smem_static = 30000;
}

#define COPIES                                                                                                         \
  .set = {{"shared_atomic_conflicts", 300},                                                                            \
          {"shared_atomic_wavefronts", 310},                                                                           \
          {"inst_shared_atomic", 31},                                                                                  \
          {"stall_short_scoreboard", 1.6e6},                                                                           \
          {"stall_mio_throttle", 3.2e6}}
#define COPIES_SAY                                                                                                     \
  "shared_atomic_wavefronts 310 -\n"                                                                                   \
  "shared_atomic_conflicts 300 -\n"                                                                                    \
  "inst_shared_atomic 31 -\n"                                                                                          \
  "MIO throttle, share 0.1 ratio\n"                                                                                    \
  "10.0 cycles per shared-memory atomic: lanes of a warp hit one address\n"

static const struct judged_case CASES[] = {
    {.rule = "hot-atomics",
     .also = bins_of_1824,
     COPIES,
     .says = COPIES_SAY
     "one copy of the bins per lane: bin * 32 + lane (57 KiB per block), or combine equal addresses in the "
     "warp first (match_any)\n"},
    {.rule = "hot-atomics",
     .also = bins_of_1825,
     COPIES,
     .says =
         COPIES_SAY "16 copies of the bins, by lane (28.5 KiB per block), or combine equal addresses in the warp first "
                    "(match_any)\n"},
    {.rule = "hot-atomics",
     .also = bins_of_30000,
     COPIES,
     .says = COPIES_SAY "combine equal addresses in the warp first (match_any); copies of the bins do not fit\n"},
    {.rule = "hot-atomics",
     .set = {{"l1_wavefronts", 1000},
             {"shared_wavefronts", 800},
             {"shared_atomic_conflicts", 300},
             {"shared_atomic_wavefronts", 400},
             {"inst_shared_atomic", 50},
             {"pipe_xu", 200},
             {"stall_short_scoreboard", 3.2e6}},
     .says = "shared_atomic_wavefronts 400 -\n"
             "shared_atomic_conflicts 300 -\n"
             "inst_shared_atomic 50 -\n"
             "short scoreboard, share 0.1 ratio\n"
             "8.0 cycles per shared-memory atomic: lanes of a warp hit one address\n" REPLICATE,
     .takes = "l1_wavefronts 700, dependencies_s 97",
     .silent = {{"shared_atomic_conflicts", 0}, {"shared_atomic_wavefronts", 0}}},
    {.rule = "hot-atomics",
     .set = {{"shared_atomic_conflicts", 300}, {"shared_atomic_wavefronts", 400}, {"stall_short_scoreboard", 3.2e6}},
     .says = "shared_atomic_wavefronts 400 -\n"
             "shared_atomic_conflicts 300 -\n"
             "short scoreboard, share 0.1 ratio\n"
             "75 % of the shared atomics' cycles serialize lanes on one address\n" REPLICATE,
     .takes = ""},
    {.rule = "hot-atomics", /* counted in passes that differ: no more than all short waits go */
     .set = {{"l1_wavefronts", 1000},
             {"shared_wavefronts", 100},
             {"shared_atomic_conflicts", 150},
             {"shared_atomic_wavefronts", 160},
             {"stall_short_scoreboard", 3.2e6}},
     .says = "shared_atomic_wavefronts 160 -\n"
             "shared_atomic_conflicts 150 -\n"
             "short scoreboard, share 0.1 ratio\n"
             "94 % of the shared atomics' cycles serialize lanes on one address\n" REPLICATE,
     .takes = "l1_wavefronts 850, dependencies_s 90"},
    {.rule = "hot-atomics", BINS("LOP3.LUT R8, R0, 0x1f, RZ, 0xc0, !PT"), .says = BINS_SAY REPLICATE, .takes = ""},
    {.rule = "hot-atomics", BINS("LDG.E R8, desc[UR4][R2.64]"), .says = BINS_SAY REPLICATE, .takes = ""},
    {.rule = "hot-atomics", /* two rows of the block in a warp */
     .also = rows_of_16,
     BINS("SHF.R.U32.HI R8, RZ, 0x5, R0"),
     .says = BINS_SAY REPLICATE,
     .takes = ""},
    {.rule = "hot-atomics", /* each swaps at once */
     SWAPS,
     .executed = {10, 10, 10, 10, 10, 10},
     .set = {{"l1_wavefronts", 200}, {"shared_wavefronts", 100}, {"shared_atomic_wavefronts", 50}},
     .takes = ""},
    {.rule = "hot-atomics", /* one cycle, and it is a conflict's */
     .set = {{"shared_atomic_conflicts", 1}, {"shared_atomic_wavefronts", 1}, {"inst_shared_atomic", 1}},
     .says = "shared_atomic_wavefronts 1 -\n"
             "shared_atomic_conflicts 1 -\n"
             "inst_shared_atomic 1 -\n"
             "1.0 cycles per shared-memory atomic: lanes of a warp hit one address\n" REPLICATE,
     .takes = "",
     .silent = {{"shared_atomic_conflicts", 0}, {"shared_atomic_wavefronts", 0}}},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
