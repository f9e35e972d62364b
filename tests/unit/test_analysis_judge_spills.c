/* The rule spills: what it says and takes away, which remedy fits, which line it names; figures worked out beside each row. */
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

static void least_4000(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 4000;
}

static void all_registers(struct made_diagnosis *d) {
  d->m.results[0].launches->registers = 255;
}

static void spills_untold(struct made_diagnosis *d) {
  d->kernel.spill_store_bytes = d->kernel.spill_load_bytes = -1;
}

#define LOCAL(a, b, c)                                                                                                 \
  .also = spills_untold, .lines = {a, b, c, "EXIT"},                                                                   \
  .set = {{"l1_load_sectors", 1000}, {"local_load_sectors", 200}, {"local_store_sectors", 0}}

#define STORED_IN_A_LOOP(bound, index)                                                                                 \
  .also = spills_untold,                                                                                               \
  .lines = {"IADD3 R1, R1, -0x100, RZ",                                                                                \
            bound,                                                                                                     \
            "MOV R6, RZ",                                                                                              \
            index,                                                                                                     \
            "LEA R8, R7, R1, 0x2",                                                                                     \
            "STL [R8], R4",                                                                                            \
            "IADD3 R6, R6, 0x1, RZ",                                                                                   \
            "ISETP.NE.AND P0, PT, R6, R5, PT",                                                                         \
            "@P0 BRA 0x30",                                                                                            \
            "EXIT"},                                                                                                   \
  .set = {{"l1_load_sectors", 1000}, {"local_load_sectors", 200}, {"local_store_sectors", 0}}

static const struct judged_case CASES[] = {
    /* 3,000 of 4,000 sectors: 600 of 1,000 cycles, of 12,000 B beyond the least 9,000 of 16,000;
     * 15 us of waits, then a tenth of the other 85 */
    {.rule = "spills",
     .also = least_4000,
     .lines = {"LDL R4, [R2]", "STL [R2], R4", "EXIT"},
     .executed = {60, 40, 1},
     .set = {{"l1_load_sectors", 1000},
             {"local_load_sectors", 2000},
             {"local_store_sectors", 1000},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 200},
             {"dram_read_bytes", 10000},
             {"dram_write_bytes", 6000},
             {"pipe_lsu", 1000},
             {"stall_long_scoreboard", 3.2e6},
             {"stall_lg_throttle", 3.2e6}},
     .says =
         "local memory share 0.75 ratio\n"
         "local_load_sectors 2000 -\n"
         "local_store_sectors 1000 -\n"
         "75 % of L1 sectors are local memory: an array is indexed at run time\n"
         "index the array by constants (unroll its loops), else keep it in shared memory or packed in a register; more registers do not help\n",
     .takes = "inst 900, lsu 900, l1_wavefronts 400, dram_read 437.5, dram_write 437.5, l2_read 250, l2_write 250, "
              "own_issue_s 90, dependencies_s 78"},
    /* of 32 MB that DRAM writes 8 were stored to global memory */
    {.rule = "spills",
     .lines = {"LDL R4, [R2]", "STL [R2], R4", "EXIT"},
     .executed = {60, 40, 1},
     .set = {{"l1_load_sectors", 1e6},
             {"l1_store_sectors", 250000},
             {"local_load_sectors", 2e6},
             {"local_store_sectors", 1e6},
             {"dram_read_bytes", 32e6},
             {"dram_write_bytes", 32e6}},
     .says =
         "local memory share 0.75 ratio\n"
         "local_load_sectors 2e+06 -\n"
         "local_store_sectors 1e+06 -\n"
         "75 % of L1 sectors and 75 % of DRAM's writes are local memory: an array is indexed at run time\n"
         "index the array by constants (unroll its loops), else keep it in shared memory or packed in a register; more registers do not help\n"},
#define UNDECLARED(read, kept)                                                                                                                  \
  {                                                                                                                                             \
    .rule = "spills", .lines = {"LDL R4, [R2]", "STL [R2], R4", "EXIT"}, .executed = {60, 40, 1},                                               \
    .set = {{"l1_load_sectors", 1000},     {"l1_store_sectors", 250},  {"local_load_sectors", 2000},                                            \
            {"local_store_sectors", 1000}, {"l1_wavefronts", 1000},    {"shared_wavefronts", 1000},                                             \
            {"dram_read_bytes", read},     {"dram_write_bytes", 24000}},                                                                        \
    .says =                                                                                                                                     \
        "local memory share 0.75 ratio\n"                                                                                                       \
        "local_load_sectors 2000 -\n"                                                                                                           \
        "local_store_sectors 1000 -\n"                                                                                                          \
        "75 % of L1 sectors are local memory: an array is indexed at run time\n"                                                                \
        "index the array by constants (unroll its loops), else keep it in shared memory or packed in a register; more registers do not help\n", \
    .takes = "inst 900, dram_read " kept ", dram_write " kept                                                                                   \
             ", l2_read 250, l2_write 250, own_issue_s 90, dependencies_s 90"                                                                   \
  }
    UNDECLARED(40000, "625"), /* of 64,000 B global memory asks for 32,000 and 8,000: 24,000 go */
    UNDECLARED(8000, "500"),  /* of 8,000 and 24,000 it asks for no more than all, and 8,000: 16,000 go */
#undef UNDECLARED
    {.rule = "spills", /* nothing else is counted */
     .lines = {"LDL R4, [R2]", "STL [R2], R4", "EXIT"},
     .executed = {60, 40, 1},
     .set = {{"l1_load_sectors", 1000},
             {"local_load_sectors", 2000},
             {"local_store_sectors", 1000},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 1000}},
     .says =
         "local memory share 0.75 ratio\n"
         "local_load_sectors 2000 -\n"
         "local_store_sectors 1000 -\n"
         "75 % of L1 sectors are local memory: an array is indexed at run time\n"
         "index the array by constants (unroll its loops), else keep it in shared memory or packed in a register; more registers do not help\n",
     .takes = "inst 900, l2_read 250, l2_write 250, own_issue_s 90, dependencies_s 90"},
    {.rule = "spills", .set = {{"l1_load_sectors", 1000}, {"local_load_sectors", 0}, {"local_store_sectors", 0}}},
};

static const struct remedy_case REMEDIES[] = {
    {{.rule = "spills", .set = {{"l1_load_sectors", 1000}, {"local_load_sectors", 200}, {"local_store_sectors", 0}}},
     "allow more registers",
     NULL},
    {{.rule = "spills",
      .also = all_registers,
      .set = {{"l1_load_sectors", 1000}, {"local_load_sectors", 200}, {"local_store_sectors", 0}}},
     "255 registers are the most",
     NULL},
    /* What the compiler does not tell the addresses do: R1 is the stack pointer. */
    {{.rule = "spills", LOCAL("STL [R1+0x8], R4", "LDL R4, [R1+0x8]", "EXIT"), .executed = {10, 10, 1}},
     "allow more registers (launch bounds, -maxrregcount), keep fewer values live",
     "local memory: registers spill"},
    {{.rule = "spills",
      LOCAL("VIADD R1, R1, 0xfffffff0", "LDL.U8 R4, [R6]", "STL.U8 [R6+0x4], R4"),
      .executed = {1, 10, 10}},
     "index the array by constants (unroll its loops), else keep it in shared memory or packed in a register; more registers do not help",
     "local memory: an array is indexed at run time"},
    {{.rule = "spills", /* more turns than it has words */
      STORED_IN_A_LOOP("LDC R5, c[0x0][0x23c]", "MOV R7, R6"),
      .executed = {1, 1, 1, 65, 65, 65, 65, 65, 65, 1}},
     "index the array by constants (unroll its loops)",
     NULL},
    {{.rule = "spills", /* data choose the place */
      STORED_IN_A_LOOP("LDC R5, c[0x0][0x23c]", "LDG.E R7, desc[UR4][R2.64]"),
      .executed = {1, 1, 1, 32, 32, 32, 32, 32, 32, 1}},
     "index the array by constants (unroll its loops)",
     NULL},
    {{.rule = "spills", /* a length that was loaded */
      STORED_IN_A_LOOP("LDG.E R5, desc[UR4][R2.64]", "MOV R7, R6"),
      .executed = {1, 1, 1, 32, 32, 32, 32, 32, 32, 1}},
     "index the array by constants (unroll its loops)",
     NULL},
    {{.rule = "spills", /* a uniform index is one, too; beside 32 registers 223 are left, 892 bytes */
      LOCAL("IADD3 R1, R1, -0x380, RZ", "LDL R4, [R1+UR4]", "LDL R5, [R1+0x4]"),
      .executed = {1, 95, 5}},
     "store less or compute values again: 896 bytes per thread do not fit in registers; more registers do not help",
     "local memory: an array is indexed at run time"},
    {{.rule = "spills",
      LOCAL("IADD3 R1, R1, -0x37c, RZ", "LDL R4, [R12]", "LDL R5, [R1+0x4]"),
      .executed = {1, 75, 25}},
     "else keep it in shared memory; allow more registers for what spills",
     "an array is indexed at run time (75 % of the accesses); the rest are fixed places of it or spilled registers"},
    {{.rule = "spills", /* no fixed load reads what is stored at fixed places: the one load at a computed place does */
      LOCAL("S2R R4, SR_TID.X", "STL [R1+0x8], R4", "LDL R6, [R8+0x4]"),
      .executed = {100, 100, 5}},
     "index the array by constants (unroll its loops), else keep it in shared memory or packed in a register; more registers do not help",
     "local memory: each thread fills an array and reads it at run-time indices"},
    {{.rule = "spills", /* its fixed places: the compiler says that it spills none */
      .lines = {"LDL R4, [R1]", "EXIT"},
      .executed = {100, 1},
      .set = {{"l1_load_sectors", 1000}, {"local_load_sectors", 200}, {"local_store_sectors", 0}}},
     "index the array by constants",
     "local memory: an array is indexed at run time"},
};

static const struct line_case LINES[] = {
    {{.rule = "spills", /* what fills the table, and not what reads it */
      .also = a_line_each,
      .lines = {"STL [R1+0x8], RZ", "LDL R4, [R6]", "EXIT"},
      .executed = {40, 10, 1},
      .set = {{"l1_load_sectors", 1000}, {"local_load_sectors", 200}, {"local_store_sectors", 0}}},
     0},
    {{.rule = "spills", /* the array's and not the fixed place's */
      .also = a_line_each,
      .lines = {"LDL R4, [R1+0x8]", "LDL R4, [R6]", "EXIT"},
      .executed = {40, 10, 1},
      .set = {{"l1_load_sectors", 1000}, {"local_load_sectors", 200}, {"local_store_sectors", 0}}},
     1},
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
