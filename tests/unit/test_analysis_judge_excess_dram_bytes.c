/* The rule excess-dram-bytes: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_accesses.h"

static void least_a_quarter(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 0.25;
}

#define EXCESS_SAYS                                                                                                    \
  "DRAM bytes over minimal 2.5 ratio\n"                                                                                \
  "DRAM write share 0.2 ratio\n"                                                                                       \
  "GENERAL DRAM moves 2.50 times the minimal bytes (reads 2.00, writes 0.50)\n"                                        \
  "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n"

/* 312,500 warps load and store 4 bytes a lane through one pointer, and load as much through another. */
#define SCRATCH                                                                                                        \
  .lines = {"ULDC.64 UR4, c[0x0][0x208]",                                                                              \
            "LDC.64 R2, c[0x0][0x210]",                                                                                \
            "LDC.64 R4, c[0x0][0x218]",                                                                                \
            "LDG.E R8, desc[UR4][R2.64]",                                                                              \
            "STG.E desc[UR4][R4.64], R8",                                                                              \
            "LDG.E R9, desc[UR4][R4.64]",                                                                              \
            "EXIT"},                                                                                                   \
  .executed = {1, 1, 1, 312500, 312500, 312500, 1}

/* One array of 20 MB and one of 40. */
#define TWO_ARRAYS                                                                                                     \
  .lines = {"ULDC.64 UR4, c[0x0][0x208]", "LDC.64 R2, c[0x0][0x210]",        "LDC.64 R4, c[0x0][0x218]",               \
            "LDC.64 R6, c[0x0][0x220]",   "LDG.E R8, desc[UR4][R2.64]",      "STG.E desc[UR4][R4.64], R8",             \
            "STG.E desc[UR4][R6.64], R8", "STG.E desc[UR4][R6.64+0x80], R8", "EXIT"},                                  \
  .executed = {1, 1, 1, 1, 156250, 156250, 156250, 156250, 1}, .also = least_40

static void two_launches(struct made_diagnosis *d) {
  static struct run_launch both[2];
  struct run_result *r = &d->m.results[0];
  both[0] = both[1] = *r->launches;
  r->launches = both;
  r->n_launches = 2;
  r->bytes_minimal = 40e6;
}

static const struct judged_case CASES[] = {
    {.rule = "excess-dram-bytes", /* a program's copy, DRAM at 61 % */
     COPY("IMAD.WIDE R6, R5, 0x4, R8"),
     .also = undeclared,
     .set = {{"dram_read_bytes", 60e6}, {"dram_write_bytes", 0}},
     .says = "dram_read_bytes 6e+07 -\n"
             "dram_write_bytes 0 -\n"
             "GENERAL all that the kernel stores it has loaded: it only moves data\n"
             "leave this kernel out: let the kernel before or after it write or read in this order\n",
     .takes = "",
     .silent = {{"dram_read_bytes", 80e6}, {"dram_read_bytes", 48e6}}},
    {.rule = "excess-dram-bytes",
     .also = least_40,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 20e6}, {"l2_sectors", 1000}, {"l2_sectors_hit", 250}},
     .says = "DRAM bytes over minimal 2.5 ratio\n"
             "DRAM write share 0.2 ratio\n"
             "L2 hit rate 0.25 ratio\n"
             "GENERAL DRAM moves 2.50 times the minimal bytes (reads 2.00, writes 0.50)\n"
             "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n",
     .takes = "dram_read 400, dram_write 400",
     .silent = {{"dram_read_bytes", 20e6}}},
    {.rule = "excess-dram-bytes",
     .also = least_40,
     .set = {{"dram_read_bytes", 10e6}, {"dram_write_bytes", 10e6}},
     .takes = ""},
    {.rule = "excess-dram-bytes", /* 2.9 % of 41.2 MB: less than the counts are sure of, at 3.1 % of 41.3 it is told */
     .also = least_40,
     .set = {{"dram_read_bytes", 41.2e6}, {"dram_write_bytes", 0}}},
    {.rule = "excess-dram-bytes",
     .also = least_40,
     .set = {{"dram_read_bytes", 41.3e6}, {"dram_write_bytes", 0}},
     .says = "DRAM bytes over minimal 1.032 ratio\n"
             "DRAM write share 0 ratio\n"
             "GENERAL DRAM moves 1.03 times the minimal bytes (reads 1.03, writes 0.00)\n"
             "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n",
     .takes = "dram_read 968.52, dram_write 968.52"},
    {.rule =
         "excess-dram-bytes", /* 50 us of 100 are an empty kernel's, of which one launch has half: more than 1 MB takes */
     .also = two_launches,
     .set = {{"dram_read_bytes", 42e6}, {"dram_write_bytes", 0}, {"fixed_ns", 50e3}}},
    {.rule = "excess-dram-bytes", /* what two launches hand on is neither written nor read by one, which starts once */
     .also = two_launches,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 20e6}},
     .says =
         "DRAM bytes over minimal 2.5 ratio\n"
         "DRAM write share 0.2 ratio\n"
         "GENERAL DRAM moves 2.50 times the minimal bytes (reads 2.00, writes 0.50)\n"
         "fuse the launches so that arrays between them stay in registers; compute a neighbour's value again where a thread needs it\n",
     .takes = "dram_read 400, dram_write 400, l2_read 400, l2_write 400, loads_s 40, launches 1, empty_s 50"},
    {.rule = "excess-dram-bytes", /* the loads of one loop ask for what DRAM reads, within a tenth: none comes twice */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R4.64]", "@P0 BRA 0x0", "EXIT"},
     .executed = {50, 50, 50, 1},
     .also = least_40,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 20e6}, {"load_data_bytes", 75e6}}},
    {.sized = true, /* what loads ask for is not known */
     .rule = "excess-dram-bytes",
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "EXIT"},
     .executed = {50, 1},
     .also = least_a_quarter,
     .set = {{"dram_read_bytes", 1}, {"dram_write_bytes", 0}},
     .says = "DRAM bytes over minimal 4 ratio\n"
             "DRAM write share 0 ratio\n"
             "GENERAL DRAM moves 4.00 times the minimal bytes (reads 4.00, writes 0.00)\n"
             "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n",
     .takes = "dram_read 250, dram_write 250"},
    {.rule =
         "excess-dram-bytes", /* sectors that stores write in part are filled before: [partial-sectors] has most of the excess of 60 MB */
     .also = least_40,
     .set = {{"dram_read_bytes", 50e6},
             {"dram_write_bytes", 50e6},
             {"l1_store_sectors", 1.25e6},
             {"store_data_bytes", 20e6},
             {"load_data_bytes", 20e6}}},
    {.rule = "excess-dram-bytes", /* 20 of 60 MB are theirs */
     .also = least_40,
     .set = {{"dram_read_bytes", 60e6},
             {"dram_write_bytes", 40e6},
             {"l1_store_sectors", 1.25e6},
             {"store_data_bytes", 20e6},
             {"load_data_bytes", 60e6}},
     .says = "DRAM bytes over minimal 2.5 ratio\n"
             "DRAM write share 0.4 ratio\n"
             "GENERAL DRAM moves 2.50 times the minimal bytes (reads 1.50, writes 1.00)\n"
             "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n",
     .takes = "dram_read 400, dram_write 400"},
    {.rule = "excess-dram-bytes", /* local memory has most of the sectors */
     .also = least_40,
     .set = {{"dram_read_bytes", 80e6},
             {"dram_write_bytes", 20e6},
             {"l1_load_sectors", 400},
             {"l1_store_sectors", 0},
             {"local_load_sectors", 600},
             {"local_store_sectors", 0}}},
    {.sized = true,
     .rule = "excess-dram-bytes", /* DRAM reads what is loaded: an array is changed in place */
     SCRATCH,
     .also = least_40,
     .set = {{"dram_read_bytes", 20e6}, {"dram_write_bytes", 40e6}, {"load_data_bytes", 30e6}},
     .says = "DRAM bytes over minimal 1.5 ratio\n"
             "DRAM write share 0.6667 ratio\n"
             "GENERAL DRAM moves 1.50 times the minimal bytes (reads 0.50, writes 1.00)\n"
             "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n",
     .takes = "dram_read 666.67, dram_write 666.67"},
    {.rule =
         "excess-dram-bytes", /* 20 MB are read once, and 20 of the declared 40 are left, as large as the one array */
     .sized = true,
     TWO_ARRAYS,
     .set =
         {{"dram_read_bytes", 20e6}, {"dram_write_bytes", 60e6}, {"l2_read_bytes", 21e6}, {"store_data_bytes", 60e6}},
     .says =
         "DRAM bytes over minimal 2 ratio\n"
         "DRAM write share 0.75 ratio\n"
         "DRAM moves 2.00 times the minimal bytes (reads 0.50, writes 1.50): 67 % of what threads store is not a declared output\n"
         "store only what is read later: leave out arrays that are kept for nobody, or keep them in a narrower "
         "type\n",
     .takes = "dram_write 333.33, l2_write 333.33"},
    {.rule = "excess-dram-bytes", /* the L2 sends bytes twice: DRAM may read them twice as well */
     .sized = true,
     TWO_ARRAYS,
     .set =
         {{"dram_read_bytes", 20e6}, {"dram_write_bytes", 60e6}, {"l2_read_bytes", 23e6}, {"store_data_bytes", 60e6}},
     .says = "DRAM bytes over minimal 2 ratio\n"
             "DRAM write share 0.75 ratio\n"
             "GENERAL DRAM moves 2.00 times the minimal bytes (reads 0.50, writes 1.50)\n"
             "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n",
     .takes = "dram_read 500, dram_write 500"},
    {.rule = "excess-dram-bytes", /* no array has the 17 MB that are left */
     .sized = true,
     TWO_ARRAYS,
     .set =
         {{"dram_read_bytes", 23e6}, {"dram_write_bytes", 57e6}, {"l2_read_bytes", 23e6}, {"store_data_bytes", 60e6}},
     .says = "DRAM bytes over minimal 2 ratio\n"
             "DRAM write share 0.7125 ratio\n"
             "GENERAL DRAM moves 2.00 times the minimal bytes (reads 0.57, writes 1.43)\n"
             "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n",
     .takes = "dram_read 500, dram_write 500"},
    {.rule = "excess-dram-bytes", /* another loop may read them again */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "@P0 BRA 0x0", "LDG.E R9, desc[UR4][R4.64]", "EXIT"},
     .executed = {50, 50, 50, 1},
     .also = least_40,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 20e6}, {"load_data_bytes", 75e6}},
     .says = EXCESS_SAYS,
     .takes = "dram_read 400, dram_write 400"},
    {.rule = "excess-dram-bytes", /* lines are fetched of which a part is asked for */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "@P0 BRA 0x0", "EXIT"},
     .executed = {50, 50, 1},
     .also = least_40,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 20e6}, {"load_data_bytes", 60e6}},
     .says = EXCESS_SAYS,
     .takes = "dram_read 400, dram_write 400"},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
