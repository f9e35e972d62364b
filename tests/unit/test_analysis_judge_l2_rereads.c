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

/* At a matrix instruction, behind it, and 10 for data; of these 40 the warp issued in 5 and was ready in 6. */
static void waits(struct made_diagnosis *d, uint64_t products, uint64_t data) {
  static struct run_sample samples[5];
  samples[0] = (struct run_sample){.offset = 0x00, .reason = (char *)"wait", .samples = 5};
  samples[1] = (struct run_sample){.offset = 0x10, .reason = (char *)"barrier", .samples = products - 5};
  samples[2] = (struct run_sample){.offset = 0x00, .reason = (char *)"selected", .samples = 50};
  samples[3] = (struct run_sample){.offset = 0x10, .reason = (char *)"not_selected", .samples = 60};
  samples[4] = (struct run_sample){.offset = 0x10, .reason = (char *)"long_scoreboard", .samples = data};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 5;
  made_ceiling(&d->m, "rate_tensor", 32, CEILING_DATASHEET);
}

static void waits_for_products_more(struct made_diagnosis *d) {
  waits(d, 21, 10);
}

static void waits_for_products_less(struct made_diagnosis *d) {
  waits(d, 20, 10);
}

#define PRODUCTS(mma, then, adds)                                                                                      \
  .lines = {mma, then, "FADD R4, R5, R6", "@P0 BRA 0x0", "EXIT"}, .executed = {100, 100, adds, 100, 8},                \
  .set = {{"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}, {"sm_clock_hz", 1e5}, {"pipe_tensor_mma", 70}},          \
  .takes = "l2_read 500, loads_s 50"
#define HMMA    "HMMA.16816.F32 R24, R8, R12, R24"
#define HGMMA   "HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24, gsb0"
#define QGMMA   "QGMMA.64x128x32.F32.E4M3.E4M3 R24, gdesc[UR8], R24, gsb0"
#define WAIT(n) ("WARPGROUP.DEPBAR.LE gsb0, " n)
#define DRAINS                                                                                                         \
  "wait for all wgmma but the newest (warpgroup_wait<1>), so that one runs while the next begins; then larger tiles (estimate: a fourth of the L2's bytes)\n"
#define THREE_OF "3.0 bytes leave the L2 for each byte read from DRAM: blocks re-read data\n"

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

static const struct judged_case PADDED = {/* 1e12 products of 16,384 outputs in words: no K that 60 MB hold */
                                          .rule = "l2-rereads",
                                          .lines = {"FADD R4, R5, R6", "EXIT"},
                                          .executed = {100, 8},
                                          .set = {{"l2_read_bytes", 60e6},
                                                  {"dram_read_bytes", 20e6},
                                                  {"async_mma_tf32_flops", 2e12},
                                                  {"l2_write_bytes", 65536}}};

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
    {.rule = "l2-rereads", .also = waits_for_products_less, PRODUCTS(HGMMA, WAIT("0x0"), 8), .says = THREE_OF TILES},
    {.rule = "l2-rereads", .also = waits_for_products_more, PRODUCTS(HGMMA, WAIT("0x1"), 8), .says = THREE_OF TILES},
    {.rule = "l2-rereads", .also = waits_for_products_more, PRODUCTS(HGMMA, WAIT("0x0"), 8), .says = THREE_OF DRAINS},
    {.rule = "l2-rereads", /* whose sums each turn needs */
     .also = waits_for_products_more,
     .lines = {HGMMA, WAIT("0x0"), "FADD R4, R24, R6", "@P0 BRA 0x0", "EXIT"},
     .executed = {100, 100, 8, 100, 8},
     .set = {{"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}},
     .says = THREE_OF TILES,
     .takes = "l2_read 500, loads_s 50"},
    {.rule = "l2-rereads", .also = waits_for_products_more, PRODUCTS(QGMMA, WAIT("0x0"), 100), .says = THREE_OF DRAINS},
    {.rule = "l2-rereads", .also = waits_for_products_more, PRODUCTS(QGMMA, WAIT("0x0"), 101), .says = THREE_OF TILES},
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

/* What shortens the matrix instructions comes first: the pipe's remedy where it is theirs, or fewer sums of 8-bit products. */
static void what_it_yields_to(void **state) {
  static const struct {
    struct judged_case kernel;
    const char *to;
  } cases[] = {
      {{.rule = "l2-rereads", .also = waits_for_products_more, PRODUCTS(HMMA, HMMA, 200)}, "pipe"},
      {{.rule = "l2-rereads", .also = waits_for_products_less, PRODUCTS(HMMA, HMMA, 200)}, NULL},
      {{.rule = "l2-rereads", .also = waits_for_products_more, PRODUCTS(QGMMA, WAIT("0x0"), 101)}, "issue-slots"},
      {{.rule = "l2-rereads", .also = waits_for_products_more, PRODUCTS(QGMMA, WAIT("0x0"), 100)}, "pipe"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static struct judged j;
    struct told a = {0};
    judged_make(&j, &cases[i].kernel, NULL);
    assert_true(rule_find("l2-rereads")->judge(&j.in, &a));
    assert_true(!a.yields_to == !cases[i].to && (!a.yields_to || strcmp(a.yields_to, cases[i].to) == 0));
    judged_release(&j);
  }
}

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

static void padded(void **state) {
  static struct judged j;
  struct told a = {0};
  (void)state;
  judged_make(&j, &PADDED, NULL);
  assert_true(rule_find("l2-rereads")->judge(&j.in, &a));
  assert_string_equal(
      a.remedy,
      "no larger tiles; half the products or more are padding: a tile as narrow as the matrix, or operands swapped");
  assert_int_equal(a.tiles, 0);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(padded), cmocka_unit_test(which_line),
                                     cmocka_unit_test(what_it_yields_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
