/* The rule partial-sectors: what it says and takes away, which remedy fits; figures worked out beside each row. */
#include "unit/judged_accesses.h"
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

static void least_7000(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 7000;
}

static void scattered_least_7000(struct made_diagnosis *d) {
  scattered(d);
  least_7000(d);
}

#define PARTIAL_SAYS                                                                                                   \
  "stores fill 16 of the 32 bytes of a sector, and each costs the L2 a whole one\n"                                    \
  "store whole sectors: neighbouring lanes to neighbouring addresses, or stage through shared memory\n"
#define BY_16 "IMAD.WIDE R2, R0, 0x10, R6"

static const struct judged_case CASES[] = {
    /* 500 sectors are 16,000 B, half of them data; of DRAM's 12,000 B 4,000 were fetched, and of
     * 10,000 read 7,000 are the least */
    {.rule = "partial-sectors",
     .also = least_7000,
     .set = {{"store_data_bytes", 8000},
             {"l1_store_sectors", 500},
             {"l2_write_bytes", 16000},
             {"dram_write_bytes", 12000},
             {"dram_read_bytes", 10000},
             {"l1_wavefronts", 1000}},
     .says = "l1_store_sectors 500 -\n"
             "l2_write_bytes 1.6e+04 -\n"
             "dram_write_bytes 1.2e+04 -\n" PARTIAL_SAYS,
     .takes = "l1_wavefronts 750, dram_read 700, dram_write 666.67, l2_write 500, partial_share 0",
     .silent = {{"dram_write_bytes", 8000}, {"l1_store_sectors", 250}, {"store_data_bytes", 0}}},
    {.rule = "partial-sectors", /* lanes that store to one address ask for more than the sectors hold */
     .set = {{"store_data_bytes", 32000}, {"l1_store_sectors", 500}, {"dram_write_bytes", 40000}},
     .takes = "partial_share 0"},
    /* all of the bytes that are read must be */
    {.rule = "partial-sectors",
     .set = {{"store_data_bytes", 8000},
             {"l1_store_sectors", 500},
             {"dram_write_bytes", 12000},
             {"dram_read_bytes", 10000}},
     .says = "l1_store_sectors 500 -\n"
             "dram_write_bytes 1.2e+04 -\n" PARTIAL_SAYS,
     .takes = "dram_write 666.67, l2_write 500, partial_share 0"},
    /* loads of the same layout: of 400 that are too many as many go as stores leave unfilled, 250,
     * three quarters of which miss the L1; the other 150 are of other arrays.  Requests for 2 sectors come
     * five eighths nearer to 4 */
    {.rule = "partial-sectors",
     ACCESSES,
     .also = scattered_least_7000,
     .set = {{"store_data_bytes", 8000},
             {"l1_store_sectors", 500},
             {"l1_load_sectors", 600},
             {"l1_load_sectors_hit", 150},
             {"l1_wavefronts", 1000},
             {"l2_read_bytes", 19200},
             {"dram_write_bytes", 12000},
             {"dram_read_bytes", 16000}},
     .says = "l1_store_sectors 500 -\n"
             "dram_write_bytes 1.2e+04 -\n" PARTIAL_SAYS,
     .takes = "l1_wavefronts 500, dram_read 437.5, dram_write 666.67, l2_read 687.5, l2_write 500, read_fill 3.25, "
              "partial_share 0"},
    /* 250 sectors that nobody fills are 8,000 B: the other 24,000 that DRAM is written are not of these stores */
    {.rule = "partial-sectors",
     .set = {{"store_data_bytes", 8000}, {"l1_store_sectors", 500}, {"dram_write_bytes", 40000}},
     .says = "l1_store_sectors 500 -\n"
             "dram_write_bytes 4e+04 -\n" PARTIAL_SAYS,
     .takes = "dram_write 800, l2_write 500, partial_share 0"},
    {.rule = "partial-sectors", .set = {{"dram_write_bytes", 12000}}},
    /* 1,000 sectors of local memory are 32,000 of 48,000 B at the L2, and of 36,000 at DRAM, which is written no more than was stored then */
    {.rule = "partial-sectors",
     .set = {{"store_data_bytes", 8000},
             {"l1_store_sectors", 500},
             {"local_store_sectors", 1000},
             {"l2_write_bytes", 48000},
             {"dram_write_bytes", 40000}}},
    /* 12,000 of 44,000: 4,000 are these stores', and a sixth of what the L2 is written goes */
    {.rule = "partial-sectors",
     .set = {{"store_data_bytes", 8000},
             {"l1_store_sectors", 500},
             {"local_store_sectors", 1000},
             {"l2_write_bytes", 48000},
             {"dram_write_bytes", 44000}},
     .says = "l1_store_sectors 500 -\n"
             "local_store_sectors 1000 -\n" PARTIAL_SAYS,
     .takes = "dram_write 909.09, l2_write 833.33, partial_share 0.33333"},
};

static const struct remedy_case REMEDIES[] = {
    {{.rule = "partial-sectors", PIECES(BY_16, STG(""), STG("+0x4"))},
     "store whole sectors: neighbouring lanes to neighbouring addresses, and a thread's adjacent 4-byte values at once, 16 bytes where aligned$",
     "stores fill 16 of the 32 bytes of a sector: a thread's adjacent stores write it piece by piece"},
    {{.rule = "partial-sectors", PIECES(BY_16, STG(""), STG("+0x8"))},
     "store whole sectors: neighbouring lanes to neighbouring addresses, or stage through shared memory$",
     "stores fill 16 of the 32 bytes of a sector, and each costs the L2 a whole one"},
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
