/* The rule dram-saturated: what it says and takes away, which remedy fits, which line it names; figures worked out beside each row. */
#include "unit/judged_accesses.h"
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

/* A microsecond of DRAM's latency: 5.014 us of ramp. */
static void full_dram(struct made_diagnosis *d) {
  least_40(d);
  made_ceiling(&d->m, "dram_latency_cycles", 1000, CEILING_MEASURED);
}

static void long_ramp(struct made_diagnosis *d) {
  made_ceiling(&d->m, "dram_latency_cycles", 5000, CEILING_MEASURED);
}

#define DRAM_FULL                                                                                                      \
  "DRAM-bandwidth bound: 0.88 of 0.98 TB/s; warps wait in its queue\n"                                                 \
  "only fewer bytes help (a narrower type, fusion with the neighbouring kernel)\n"

static void slots_to_spare(struct made_diagnosis *d) {
  set(&d->m.results[0], "issue_active", 2e6);
}

/* 100 pairs of loads side by side, of a DRAM that reads so many bytes at 0.98 TB/s. */
#define FULL_BY(both, read, data)                                                                                      \
  .lines = {"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x8, RZ", both, "EXIT"}, .executed = {100, 100, 100, 100, 100},     \
  .set = {{"dram_read_bytes", read}, {"dram_write_bytes", 0}, {"l1_load_requests", 200}, {"load_data_bytes", data}}
#define FULL_OF_UNKNOWN                                                                                                \
  .lines = {"LDG.E R8, desc[UR4][R2.64]", "EXIT"}, .executed = {100, 1},                                               \
  .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 0}, {"l1_load_requests", 100}, {"load_data_bytes", 12800}}
#define WORD "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]"
#define FOUR "LDG.E.128 R8, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R2.64+0x10]"

/* Blocks enough for wider lanes, and issue slots to spare. */
#define OF_320(touched)                                                                                                \
  static void of_320_touches_##touched(struct made_diagnosis *d) {                                                     \
    d->counts[0].global_sectors = touched;                                                                             \
    d->counts[0].global_sectors_ideal = 320;                                                                           \
    d->m.results[0].launches->grid[0] = 160;                                                                           \
    slots_to_spare(d);                                                                                                 \
  }

OF_320(325)
OF_320(330)
OF_320(100)

#define OF_DRAM(read, written)                                                                                         \
  .set = {{"dram_read_bytes", read}, {"dram_write_bytes", written}, {"l1_load_requests", 200}}

static const struct judged_case CASES[] = {
    /* 88 MB at a plain load's 0.98 TB/s, and 5.0 us of ramp: 0.948 of the time; 80 MB: 0.866 */
    {.rule = "dram-saturated",
     .also = full_dram,
     .set = {{"dram_read_bytes", 88e6}, {"dram_write_bytes", 0}},
     .says = "DRAM bandwidth 8.8e+11 B/s\n"
             "most for its reads and writes 9.8e+11 B/s\n"
             "time that the bytes need 8.98e-05 s\n"
             "DRAM bytes over minimal 2.2 ratio\n"
             "STOP " DRAM_FULL,
     .takes = "",
     .silent = {{"dram_read_bytes", 78e6}}},
    {.rule = "dram-saturated", /* 81.6 us, and 5.0 of ramp: what is left is more than the model errs by */
     .also = full_dram,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 0}},
     .says =
         "DRAM bandwidth 8e+11 B/s\n"
         "most for its reads and writes 9.8e+11 B/s\n"
         "time that the bytes need 8.163e-05 s\n"
         "DRAM bytes over minimal 2 ratio\n"
         "DRAM is 82 % full: with the same bytes at most 18 % of the time can be saved\n"
         "fewer instructions first: 75 % of issue slots are used; then fewer bytes (a narrower type, fusion with the neighbouring kernel)\n",
     .takes = ""},
    {.rule = "dram-saturated", /* 64 % of the slots */
     .also = full_dram,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 0}, {"issue_active", 2.56e6}},
     .says = "DRAM bandwidth 8e+11 B/s\n"
             "most for its reads and writes 9.8e+11 B/s\n"
             "time that the bytes need 8.163e-05 s\n"
             "DRAM bytes over minimal 2 ratio\n"
             "DRAM is 82 % full: with the same bytes at most 18 % of the time can be saved\n"
             "move fewer bytes: a narrower type, or fuse with the kernel that writes or reads them\n",
     .takes = ""},
    {.rule = "dram-saturated", /* 0.796 of what loads reach, in all of the time */
     .also = long_ramp,
     .set = {{"dram_read_bytes", 78e6}, {"dram_write_bytes", 0}}},
    {.rule = "dram-saturated",
     COPY("IMAD.WIDE R6, R5, 0x4, R8"),
     .also = undeclared,
     .set = {{"dram_read_bytes", 95e6}, {"dram_write_bytes", 0}},
     .says =
         "DRAM bandwidth 9.5e+11 B/s\n"
         "most for its reads and writes 9.8e+11 B/s\n"
         "time that the bytes need 9.694e-05 s\n"
         "STOP DRAM-bandwidth bound: 0.95 of 0.98 TB/s; warps wait in its queue\n"
         "only fewer bytes help; leave this kernel out: let the kernel before or after it write or read in this order\n",
     .takes = ""},
    {.rule = "dram-saturated", /* more than the rate that was measured */
     COPY("IMAD.WIDE R6, R5, 0x4, R8"),
     .also = undeclared,
     .set = {{"dram_read_bytes", 100e6}, {"dram_write_bytes", 0}},
     .says =
         "DRAM bandwidth 1e+12 B/s\n"
         "STOP DRAM-bandwidth bound: 1.00 TB/s, above the 0.98 measured for its reads and writes; warps wait in its queue\n"
         "only fewer bytes help; leave this kernel out: let the kernel before or after it write or read in this order\n",
     .takes = ""},
    {.rule = "dram-saturated", /* by what was loaded */
     COPY("IMAD.WIDE R6, R4, 0x4, R8"),
     .also = undeclared,
     .set = {{"dram_read_bytes", 95e6}, {"dram_write_bytes", 0}},
     .says =
         "DRAM bandwidth 9.5e+11 B/s\n"
         "most for its reads and writes 9.8e+11 B/s\n"
         "time that the bytes need 9.694e-05 s\n"
         "STOP DRAM-bandwidth bound: 0.95 of 0.98 TB/s; warps wait in its queue\n"
         "only fewer bytes help; leave this kernel out: let the kernel before or after it write or read by these indices\n",
     .takes = ""},
    {.rule = "dram-saturated", /* every second place */
     COPY("IMAD.WIDE R6, R5, 0x8, R8"),
     .also = undeclared,
     .set = {{"dram_read_bytes", 95e6}, {"dram_write_bytes", 0}},
     .says =
         "DRAM bandwidth 9.5e+11 B/s\n"
         "most for its reads and writes 9.8e+11 B/s\n"
         "time that the bytes need 9.694e-05 s\n"
         "STOP DRAM-bandwidth bound: 0.95 of 0.98 TB/s; warps wait in its queue\n"
         "only fewer bytes help; leave this kernel out: let the kernel before or after it write or read in this order\n",
     .takes = ""},
    {.rule = "dram-saturated",
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R6.64], R4", "EXIT"},
     .executed = {1000, 1000, 1000},
     .also = undeclared,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 0}},
     .says = "DRAM bandwidth 8e+11 B/s\n"
             "most for its reads and writes 9.8e+11 B/s\n"
             "time that the bytes need 8.163e-05 s\n"
             "DRAM is 82 % full: with the same bytes at most 18 % of the time can be saved\n"
             "leave this kernel out: let the kernel before or after it write or read in this order\n",
     .takes = ""},
};

static const struct remedy_case REMEDIES[] = {
    {{.rule = "dram-saturated", FULL_BY(WORD, 93e6, 25600)},
     "(a narrower type, fusion with the neighbouring kernel); loads of 16 bytes per lane (now 4) may bring some of the last 5 %$",
     NULL},
    {{.rule = "dram-saturated", FULL_BY(WORD, 80e6, 25600)},
     "fewer instructions first: 75 % of issue slots are used; then fewer bytes (a narrower type, fusion with the neighbouring kernel)$",
     NULL},
    {{.rule = "dram-saturated", FULL_BY(WORD, 80e6, 25600), .also = slots_to_spare},
     "load 16 bytes per lane (now 4), which may bring some of the last 18 %; then fewer bytes (a narrower type, fusion with the neighbouring kernel)$",
     NULL},
    /* the code does not say how far apart lanes lie: by the sectors that they touch, side by side; not apart, nor at one place */
    {{.rule = "dram-saturated", FULL_OF_UNKNOWN, .also = of_320_touches_325},
     "load 16 bytes per lane (now 4), which may bring some of the last 18 %; then fewer bytes (a narrower type, fusion with the neighbouring kernel)$",
     NULL},
    {{.rule = "dram-saturated", FULL_OF_UNKNOWN, .also = of_320_touches_330},
     "move fewer bytes: a narrower type, or fuse with the kernel that writes or reads them$",
     NULL},
    {{.rule = "dram-saturated", FULL_OF_UNKNOWN, .also = of_320_touches_100},
     "move fewer bytes: a narrower type, or fuse with the kernel that writes or reads them$",
     NULL},
    {{.rule = "dram-saturated", FULL_BY(FOUR, 80e6, 102400), .also = slots_to_spare},
     "move fewer bytes: a narrower type, or fuse with the kernel that writes or reads them$",
     NULL},
    {{.rule = "dram-saturated", /* a product that may read its tiles again, and one that does not */
      .also = slots_to_spare,
      .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 0}, {"l2_read_bytes", 160e6}, {"pipe_tensor_mma", 1e3}}},
     "where DRAM reads more than the inputs' size: larger tiles, or neighbouring blocks on the same tiles (raster, swizzle); else a narrower type$",
     NULL},
    {{.rule = "dram-saturated",
      .also = slots_to_spare,
      .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 0}, {"l2_read_bytes", 100e6}, {"pipe_tensor_mma", 1e3}}},
     "move fewer bytes: a narrower type, or fuse with the kernel that writes or reads them$",
     NULL},
    {{.rule = "dram-saturated", /* nor one that writes more */
      .also = slots_to_spare,
      .set =
          {{"dram_read_bytes", 28e6}, {"dram_write_bytes", 42e6}, {"l2_read_bytes", 160e6}, {"pipe_tensor_mma", 1e3}}},
     "move fewer bytes: a narrower type, or fuse with the kernel that writes or reads them$",
     NULL},
    {{.rule = "dram-saturated", FULL_BY(FOUR, 93e6, 102400)},
     "(a narrower type, fusion with the neighbouring kernel)$",
     NULL},
    {{.rule = "dram-saturated", FULL_BY(WORD, 96e6, 25600)}, /* 97.96 us of 100 */
     "(a narrower type, fusion with the neighbouring kernel)$",
     NULL},
};

static const struct line_case LINES[] = {
    {{.rule = "dram-saturated", ROW_BY(40, 60), OF_DRAM(80e6, 0)}, 4},
    {{.rule = "dram-saturated", ROW_BY(40, 95), OF_DRAM(10e6, 70e6)}, 6},
    {{.rule = "dram-saturated", /* fewer loads, and more bytes */
      .also = a_line_each,
      .lines = {"S2R R0, SR_CTAID.X", "S2R R1, SR_TID.X", "IMAD.WIDE R2, R0, 0x100, R8", "LDG.E R6, desc[UR4][R2.64]",
                "LDG.E.128 R12, desc[UR4][R2.64]", "FADD R6, R6, R12", "EXIT"},
      .executed = {40, 40, 40, 60, 40, 40, 40},
      OF_DRAM(80e6, 0)},
     4},
    {{.rule = "dram-saturated", ROW_BY(40, 95), OF_DRAM(40e6, 40e6)}, 5},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

static void what_fits(void **state) {
  (void)state;
  REMEDIES_FIT(REMEDIES);
}

static void which_line(void **state) {
  (void)state;
  LINES_ARE(LINES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(what_fits), cmocka_unit_test(which_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
