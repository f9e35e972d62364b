/* The rule l2-rereads: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_accesses.h"
#include "unit/judged_remedies.h"

static void only_l2(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 10e6;
  made_ceiling(&d->m, "l2_bw", 1e12, CEILING_MEASURED);
}

static void only_a_warm_l2(struct made_diagnosis *d) {
  made_ceiling(&d->m, "l2_bw", 1e12, CEILING_MEASURED);
  d->m.run.l2 = (char *)"as the program leaves it";
  d->m.device.l2_bytes = 60e6;
}

static void declared_50(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 10e6;
  d->m.results[0].bytes_declared = 50e6;
}

#define STAGED_IN_TURN                                                                                                 \
  .lines = {"LDG.E R8, desc[UR4][R4.64]",                                                                              \
            "STS [R2], R8",                                                                                            \
            "BAR.SYNC.DEFER_BLOCKING 0x0",                                                                             \
            "LDS R9, [R6]",                                                                                            \
            "BAR.SYNC.DEFER_BLOCKING 0x0",                                                                             \
            "@P0 BRA 0x0",                                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 320}
#define TILES                                                                                                          \
  "larger tiles in shared memory or registers, so that fewer tiles read each byte (the estimate assumes 4 times fewer L2 bytes)\n"
#define REREADS                                                                                                        \
  "4.5 bytes leave the L2 for each byte read from DRAM: blocks re-read data\n"                                         \
  "larger tiles in shared memory or registers, so that fewer tiles read each byte (the estimate assumes 4 times fewer L2 bytes)\n"

#define LARGER_TILES                                                                                                   \
  "larger tiles in shared memory or registers, so that fewer tiles read each byte (the estimate assumes 4 times fewer L2 bytes)\n"

static const struct judged_case CASES[] = {
    /* 90 MB take 90 us, 10 written 21.5: together 92.53 of 100 */
    {.rule =
         "l2-rereads", /* 60 MB stay in the L2 from launch to launch: 30 of 90 are read again, of which a quarter remains */
     .sized = true,
     .also = only_a_warm_l2,
     .set = {{"l2_read_bytes", 90e6}, {"l2_write_bytes", 10e6}, {"dram_read_bytes", 20e6}, {"dram_write_bytes", 1e6}},
     .says = "L2 bytes 1e+08 B\n"
             "DRAM bytes 2.1e+07 B\n"
             "L2, share of the time 0.9253 ratio\n"
             "the L2 sends 1.5 times its size: blocks re-read data that fit in it\n" LARGER_TILES,
     .takes = "l2_read 750, loads_s 75"},
    {.rule = "l2-rereads",
     .also = only_l2,
     .set = {{"l2_read_bytes", 90e6}, {"l2_write_bytes", 10e6}, {"dram_read_bytes", 20e6}, {"dram_write_bytes", 1e6}},
     .says = "L2 bytes 1e+08 B\n"
             "DRAM bytes 2.1e+07 B\n"
             "L2, share of the time 0.9253 ratio\n" REREADS,
     .takes = "l2_read 416.67, loads_s 41.667",
     .silent = {{"dram_read_bytes", 90e6}, {"l2_read_bytes", 20e6}, {"dram_read_bytes", 0}}},
    {.rule = "l2-rereads", /* a chain of loads: no tile holds what it reads */
     .also = least_20,
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 320},
     .set = {{"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}}},
    /* two bytes for each; 2 of 3 sectors of local memory, each thread's own, leave none that are read again */
    {.rule = "l2-rereads",
     .set = {{"l2_read_bytes", 2},
             {"dram_read_bytes", 1},
             {"l1_load_sectors", 1e6},
             {"local_load_sectors", 0},
             {"local_store_sectors", 0}},
     .says = "2.0 bytes leave the L2 for each byte read from DRAM: blocks re-read data\n" LARGER_TILES,
     .takes = "l2_read 625, loads_s 62.5",
     .silent = {{"local_load_sectors", 2e6}}},
    {.rule = "l2-rereads", /* 1.4 bytes for each: as good as once */
     .set = {{"l2_read_bytes", 1.4e6}, {"dram_read_bytes", 1e6}}},
    {.rule = "l2-rereads", /* 3/4 of one byte of two go */
     .set = {{"l2_read_bytes", 2}, {"dram_read_bytes", 1}},
     .says = "2.0 bytes leave the L2 for each byte read from DRAM: blocks re-read data\n" LARGER_TILES,
     .takes = "l2_read 625, loads_s 62.5"},
    /* 400 of 600 sectors are more than the bytes of the lanes need, 12,800 B: of the other 19,200 half are read again, and with them half of all; three quarters of
     * these go */
    {.rule = "l2-rereads",
     .set = {{"global_sectors_excess", 400},
             {"l1_load_sectors", 450},
             {"l1_store_sectors", 150},
             {"l2_read_bytes", 32000},
             {"dram_read_bytes", 9600}},
     .says = "3.3 bytes leave the L2 for each byte read from DRAM: blocks re-read data\n" TILES,
     .takes = "l2_read 625, loads_s 62.5",
     .silent = {{"dram_read_bytes", 19200}}},
    /* what is loaded goes to shared memory: with what is read again at the L2, 0.5625 of 400 requests and of 800 cycles go */
    {.rule = "l2-rereads",
     .also = least_20,
     STAGED,
     .set = {{"l1_load_bytes", 80e6},
             {"l2_read_bytes", 60e6},
             {"dram_read_bytes", 20e6},
             {"l1_load_requests", 400},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 200},
             {"pipe_lsu", 1000},
             {"inst_executed", 2000}},
     .says = "3.0 bytes leave the L2 for each byte read from DRAM: blocks re-read data\n" TILES,
     .takes = "inst 775, lsu 775, l1_wavefronts 550, l2_read 500, loads_s 50, own_issue_s 77.5, dependencies_s 77.5"},
    /* a tile that is waited for in its own turn is waited for as long where it is larger, and stands behind that */
    {.rule = "l2-rereads",
     .also = least_20,
     STAGED_IN_TURN,
     .set = {{"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}, {"stall_long_scoreboard", 16e6}},
     .says = "GENERAL 3.0 bytes leave the L2 for each byte read from DRAM: blocks re-read data\n" TILES,
     .takes = "l2_read 500"},
    /* 50 must move: 40 go to a quarter */
    {.rule = "l2-rereads",
     .also = declared_50,
     .set = {{"l2_read_bytes", 90e6}, {"dram_read_bytes", 20e6}},
     .says = REREADS,
     .takes = "l2_read 666.67, loads_s 66.667"},
};

#define TWO_LOADS(first, second, n)                                                                                    \
  .rule = "l2-rereads", .also = a_line_each,                                                                           \
  .lines = {first, second, "IADD3 R9, R6, R7, RZ", "IADD3 R9, R9, R7, RZ", "IADD3 R9, R9, R6, RZ", "EXIT"},            \
  .executed = {50, n, 50, 50, 50, 40}, .set = {{"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}}

/* What brings under a tenth of another load's bytes, or, beside bulk copies, of the L2's, is not where they come from, however often it runs. */
static const struct line_case LINES[] = {
    {{TWO_LOADS("LDG.E.U8 R6, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R4.64]", 40)}, 1},
    {{TWO_LOADS("LDG.E.64 R6, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R4.64]", 40)}, 0},
    {{TWO_LOADS("LDG.E.128 R12, desc[UR4][R2.64]", "UTMALDG.3D [UR8], [UR6]", 4)}, 1},
    {{TWO_LOADS("LDG.E.128 R12, desc[UR4][R2.64]", "LDGSTS.E.BYPASS.128 [R7], desc[UR4][R4.64]", 400)}, 1},
};

static void which_line(void **state) {
  (void)state;
  LINES_ARE(LINES);
}

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(which_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
