/* The rule redundant-loads: what it says and takes away, which line it names; figures worked out beside each row. */
#include "unit/judged_accesses.h"
#include "unit/judged_launch.h"
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

#define REUSE_SAYS                                                                                                     \
  "L1 load bytes over minimal 4 ratio\n"                                                                               \
  "L2 read bytes over minimal 3 ratio\n"                                                                               \
  "LSU instructions 0.5 ratio\n"                                                                                       \
  "the L1 delivers 4.0 times the minimal bytes, and the L2 3.0 times"
#define AGAIN                                                                                                          \
  .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 20e6}, {"dram_read_bytes", 20e6}, {"l1_load_requests", 400}}

#define REUSE                                                                                                          \
  "reuse loaded values: several outputs per thread (the estimate assumes 4), or keep what is read again in registers or shared memory\n"

#define ALIKE                                                                                                          \
  "blocks load the same values: let each do the work of several, and load them once for all of it (the estimate assumes 4)\n"

#define BY_DATA                                                                                                        \
  "data choose the places: order the work so that lanes and blocks side by side ask for the same lines (the estimate assumes a fourth)\n"
#define LOOKED_UP(at, of)                                                                                              \
  .lines = {"LDG.E R4, desc[UR4][R2.64]", "LOP3.LUT R5, R4, 0xff, RZ, 0xc0, !PT", "IMAD.WIDE R6, R5, 0x4, R8",         \
            "LDG.E R9, desc[UR4][R6.64]", "EXIT"},                                                                     \
  .executed = {at, 40, 40, of, 40}

/* A warp's index is one sector, and what stands there four. */
static void index_is_one_for_all(struct made_diagnosis *d) {
  d->counts[0].global_sectors = 60;
  d->counts[3].global_sectors = 160;
}

static const struct judged_case CASES[] = {
    /* 60 of 80 MB go to a quarter: 0.5625 of 400 requests and of 800 cycles; at the L2 30 of 60
     * MB */
    {.rule = "redundant-loads",
     .also = least_20,
     .set = {{"l1_load_bytes", 80e6},
             {"l2_read_bytes", 60e6},
             {"dram_read_bytes", 20e6},
             {"l1_load_requests", 400},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 200},
             {"pipe_lsu", 1000},
             {"inst_executed", 2000}},
     .says = REUSE_SAYS "\n" ALIKE,
     .takes = "inst 775, lsu 775, l1_wavefronts 550, l2_read 500, loads_s 43.75, own_issue_s 77.5, "
              "dependencies_s 77.5",
     .silent = {{"l1_load_bytes", 20e6}}},
    {.rule = "redundant-loads", /* 60 MB are coefficients of doubles' functions */
     .also = least_20,
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "F2I R5, R4", "LDC.64 R8, c[0x4][0x8]", "IMAD.WIDE R8, R5, 0x10, R8",
               "LDG.E.128.CONSTANT R12, desc[UR4][R8.64]", "DFMA R16, R12, R14, R16", "EXIT"},
     .executed = {1e6, 1e6, 1e6, 1e6, 1.875e6, 1e6, 1e6},
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 20e6}, {"dram_read_bytes", 20e6}}},
    {.rule = "redundant-loads", /* a chain of loads: what it reads again is wherever it leads */
     .also = least_20,
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 320},
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}}},
    {.rule = "redundant-loads", /* of what goes to shared memory other blocks read again, which l2-rereads tells */
     .also = least_20,
     STAGED,
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}}},
    /* 30 of the 40 MB that are loaded again come from the L2, and 60 % of the bytes are at a place that follows from no number of a block */
    {.rule = "redundant-loads",
     ROW_BY(40, 60),
     .set = {{"l1_load_bytes", 60e6}, {"l2_read_bytes", 50e6}, {"dram_read_bytes", 20e6}},
     .says = "L1 load bytes over DRAM's 3 ratio\n"
             "L2 read bytes over DRAM's 2.5 ratio\n"
             "the L1 delivers 3.0 times the bytes read from DRAM, and the L2 2.5 times\n" ALIKE,
     .takes = "l2_read 550, loads_s 50"},
    {.rule = "redundant-loads", /* 10 blocks where 40 fit: none to merge */
     .also = blocks_10,
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}},
     .says =
         "L1 load bytes over DRAM's 4 ratio\n"
         "L2 read bytes over DRAM's 3 ratio\n"
         "the L1 delivers 4.0 times the bytes read from DRAM, and the L2 3.0 times\n"
         "keep what is read again in registers, or in shared memory where it fits: there are too few blocks to merge any "
         "(the estimate assumes a fourth)\n",
     .takes = "l2_read 500, loads_s 43.75"},
    {.rule = "redundant-loads", /* 60 of 100 loads are at places that were loaded: a table by hash */
     LOOKED_UP(40, 60),
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}},
     .says = "L1 load bytes over DRAM's 4 ratio\n"
             "L2 read bytes over DRAM's 3 ratio\n"
             "the L1 delivers 4.0 times the bytes read from DRAM, and the L2 3.0 times\n" BY_DATA,
     .takes = "l2_read 500, loads_s 43.75"},
    {.rule = "redundant-loads",
     LOOKED_UP(60, 40),
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}},
     .says = "L1 load bytes over DRAM's 4 ratio\n"
             "L2 read bytes over DRAM's 3 ratio\n"
             "the L1 delivers 4.0 times the bytes read from DRAM, and the L2 3.0 times\n" ALIKE,
     .takes = "l2_read 500, loads_s 43.75"},
    {.rule = "redundant-loads", /* 60 sectors of indices, and 160 where they lead */
     .also = index_is_one_for_all,
     LOOKED_UP(60, 40),
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}},
     .says = "L1 load bytes over DRAM's 4 ratio\n"
             "L2 read bytes over DRAM's 3 ratio\n"
             "the L1 delivers 4.0 times the bytes read from DRAM, and the L2 3.0 times\n" BY_DATA},
    {.rule = "redundant-loads", /* rows that begin where was loaded, and are read on from there */
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "LOP3.LUT R5, R4, 0xff, RZ, 0xc0, !PT", "IMAD.WIDE R6, R5, 0x4, R8",
               "LDG.E R9, desc[UR4][R6.64]", "IADD3 R6, P1, R6, 0x4, RZ", "@P0 BRA 0x30", "EXIT"},
     .executed = {40, 40, 40, 4000, 4000, 4000, 40},
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}},
     .says = "L1 load bytes over DRAM's 4 ratio\n"
             "L2 read bytes over DRAM's 3 ratio\n"
             "the L1 delivers 4.0 times the bytes read from DRAM, and the L2 3.0 times\n" ALIKE,
     .takes = "l2_read 500, loads_s 43.75"},
    {.rule = "l2-rereads",
     LOOKED_UP(40, 60),
     .set = {{"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}},
     .says = "3.0 bytes leave the L2 for each byte read from DRAM: blocks re-read data\n" BY_DATA,
     .takes = "l2_read 500, loads_s 50"},
    {.rule = "redundant-loads", /* 30 % of the bytes alone, under 40 / 60 / 2 */
     ROW_BY(70, 30),
     .set = {{"l1_load_bytes", 60e6}, {"l2_read_bytes", 50e6}, {"dram_read_bytes", 20e6}},
     .says = "L1 load bytes over DRAM's 3 ratio\n"
             "L2 read bytes over DRAM's 2.5 ratio\n"
             "the L1 delivers 3.0 times the bytes read from DRAM, and the L2 2.5 times\n" REUSE,
     .takes = "l2_read 550, loads_s 50"},
    {.rule = "redundant-loads", /* half of the 40 MB come from the L1 */
     ROW_BY(40, 60),
     .set = {{"l1_load_bytes", 60e6}, {"l2_read_bytes", 40e6}, {"dram_read_bytes", 20e6}},
     .says = "L1 load bytes over DRAM's 3 ratio\n"
             "L2 read bytes over DRAM's 2 ratio\n"
             "the L1 delivers 3.0 times the bytes read from DRAM, and the L2 2.0 times\n" REUSE,
     .takes = "l2_read 625, loads_s 50"},
    {.rule = "redundant-loads", /* what the L1 holds a block reads again itself */
     .also = least_20,
     STAGED,
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 20e6}, {"dram_read_bytes", 20e6}},
     .says = "L1 load bytes over minimal 4 ratio\n"
             "L2 read bytes over minimal 1 ratio\n"
             "the L1 delivers 4.0 times the minimal bytes, and the L2 1.0 times\n" REUSE,
     .takes = "loads_s 43.75"},
    {.sized = true,
     .rule = "redundant-loads", /* 640 warps store 10 times each to one place: a tenth stays */
     .also = least_20,
     .lines = {"LDC.64 R2, c[0x0][0x210]", "LDC.64 R4, c[0x0][0x218]", "LDG.E R8, desc[UR4][R2.64]", "FADD R7, R8, R7",
               "STG.E desc[UR4][R4.64], R7", "IADD3 R2, P0, R2, 0x4, RZ", "IADD3.X R3, RZ, R3, RZ, P0, !PT",
               "@P1 BRA 0x20", "EXIT"},
     .executed = {640, 640, 6400, 6400, 6400, 6400, 6400, 6400, 640},
     .set = {{"l1_load_bytes", 80e6},
             {"l2_read_bytes", 60e6},
             {"dram_read_bytes", 20e6},
             {"l2_write_bytes", 30e6},
             {"dram_write_bytes", 5e6},
             {"l1_load_requests", 400},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 200},
             {"pipe_lsu", 1000},
             {"inst_executed", 2000}},
     .says = REUSE_SAYS
     "; every iteration of the loop stores its sum, of which 90 % are stored over\n"
     "keep the sum in a register and store it once, after the loop (const __restrict__ lets loads move ahead); then several outputs per thread\n",
     .takes =
         "inst 775, lsu 775, l1_wavefronts 550, dram_write 100, l2_read 500, l2_write 100, loads_s 43.75, own_issue_s "
         "77.5, dependencies_s 77.5"},
    {.sized = true,
     .rule = "redundant-loads", /* the same where what is loaded goes to shared memory too */
     .also = least_20,
     .lines = {"LDC.64 R2, c[0x0][0x210]", "LDC.64 R4, c[0x0][0x218]", "LDG.E R8, desc[UR4][R2.64]", "STS [R9], R8",
               "LDS R6, [R9]", "FADD R7, R6, R7", "STG.E desc[UR4][R4.64], R7", "IADD3 R2, P0, R2, 0x4, RZ",
               "IADD3.X R3, RZ, R3, RZ, P0, !PT", "@P1 BRA 0x20", "EXIT"},
     .executed = {640, 640, 6400, 6400, 6400, 6400, 6400, 6400, 6400, 6400, 640},
     .set = {{"l1_load_bytes", 80e6},
             {"l2_read_bytes", 60e6},
             {"dram_read_bytes", 20e6},
             {"l2_write_bytes", 30e6},
             {"dram_write_bytes", 5e6},
             {"l1_load_requests", 400},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 200},
             {"pipe_lsu", 1000},
             {"inst_executed", 2000}},
     .says = REUSE_SAYS
     "; every iteration of the loop stores its sum, of which 90 % are stored over\n"
     "keep the sum in a register and store it once, after the loop (const __restrict__ lets loads move ahead); then several outputs per thread\n",
     .takes =
         "inst 775, lsu 775, l1_wavefronts 550, dram_write 100, l2_read 500, l2_write 100, loads_s 43.75, own_issue_s "
         "77.5, dependencies_s 77.5"},
    {.rule = "redundant-loads", /* loads of A come with those of B: no fewer batches */
     .also = is_the_gemv,
     .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "EXIT"},
     .executed = {400, 1},
     .set = {{"l1_load_bytes", 80e6},
             {"l2_read_bytes", 60e6},
             {"dram_read_bytes", 20e6},
             {"l1_load_requests", 400},
             {"pipe_lsu", 1000},
             {"inst_executed", 2000}},
     .says = REUSE_SAYS
     "; B and its scales are loaded again for every row\n"
     "share B between rows: several rows per thread or warp (the estimate assumes 4), or load B once into shared memory\n",
     .takes = "inst 775, lsu 775, l2_read 500, own_issue_s 77.5, dependencies_s 77.5"},
    {.rule = "redundant-loads", /* nothing else is counted */
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 20}},
     .says = "L1 load bytes over DRAM's 4 ratio\n"
             "the L1 delivers 4.0 times the bytes read from DRAM\n" REUSE,
     .takes = "loads_s 43.75"},
    {.rule = "redundant-loads",
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 20}, {"l1_load_requests", 400}, {"l1_wavefronts", 1000}},
     .says = "L1 load bytes over DRAM's 4 ratio\n"
             "the L1 delivers 4.0 times the bytes read from DRAM\n" REUSE,
     .takes = "inst 775, l1_wavefronts 437.5, loads_s 43.75, own_issue_s 77.5, dependencies_s 77.5"},
    {.rule = "redundant-loads", .set = {{"l1_load_bytes", 80e6}}, .takes = ""}, /* no least is known */
    /* one load of two is of an address that was loaded before, in unwritten registers; the last one's is written */
    {.rule = "redundant-loads",
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "STG.E desc[UR4][R4.64], R8", "LDG.E R9, desc[UR4][R2.64]",
               "LDG.E R2, desc[UR4][R6.64]", "LDG.E R6, desc[UR4][R2.64]", "EXIT"},
     .executed = {40, 40, 40, 40, 40, 1},
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 60}},
     .says =
         "L1 load bytes over DRAM's 1.333 ratio\n"
         "the L1 delivers 1.3 times the bytes read from DRAM; 25 % are an address that the thread has just loaded\n"
         "keep values in local variables: a store through a pointer without __restrict__ makes the compiler load them again\n",
     .takes = "loads_s 81.25"},
    {.rule =
         "redundant-loads", /* the registers on either side of an address are none of it: one of three loads comes again */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R4, desc[UR4][R6.64]", "IADD3 R1, R8, R9, RZ",
               "LDG.E R9, desc[UR4][R2.64]", "EXIT"},
     .executed = {40, 40, 40, 40, 1},
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 60}},
     .says = "L1 load bytes over DRAM's 1.333 ratio\n"
             "the L1 delivers 1.3 times the bytes read from DRAM; 33 % are an address that the thread has just loaded\n"
             "keep the value in a local variable: the code loads it twice\n",
     .takes = "loads_s 81.25"},
    {.rule = "redundant-loads", /* behind a barrier; a store of shared memory is none of it */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "STS [R4], R8", "BAR.SYNC.DEFER_BLOCKING 0x0",
               "LDG.E R9, desc[UR4][R2.64]", "EXIT"},
     .executed = {40, 40, 40, 40, 1},
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 60}},
     .says =
         "L1 load bytes over DRAM's 1.333 ratio\n"
         "the L1 delivers 1.3 times the bytes read from DRAM; 50 % are an address that the thread has just loaded\n"
         "keep the value in a local variable: it is read again behind a barrier, where the compiler must load it again\n",
     .takes = "loads_s 81.25"},
    {.rule = "redundant-loads", /* a barrier and an atomic, which may write there */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R8",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "LDG.E R9, desc[UR4][R2.64]", "EXIT"},
     .executed = {40, 40, 40, 40, 1},
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 60}},
     .says =
         "L1 load bytes over DRAM's 1.333 ratio\n"
         "the L1 delivers 1.3 times the bytes read from DRAM; 50 % are an address that the thread has just loaded\n"
         "keep values in local variables: a store through a pointer without __restrict__ makes the compiler load them again\n",
     .takes = "loads_s 81.25"},
    {.rule = "redundant-loads", /* the address has moved on */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "IADD3 R2, R2, R5, RZ", "LDG.E R9, desc[UR4][R2.64]", "EXIT"},
     .executed = {40, 40, 40, 1},
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 40}},
     .says = "L1 load bytes over DRAM's 2 ratio\n"
             "the L1 delivers 2.0 times the bytes read from DRAM\n" REUSE,
     .takes = "loads_s 62.5"},
    {.rule = "redundant-loads", /* at another offset, of another width, in another block: none was loaded before */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "LDG.E.64 R10, desc[UR4][R2.64]",
               "@P0 BRA 0x50", "LDG.E R9, desc[UR4][R2.64]", "EXIT"},
     .executed = {40, 40, 40, 40, 40, 1},
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 40}},
     .says = "L1 load bytes over DRAM's 2 ratio\n"
             "the L1 delivers 2.0 times the bytes read from DRAM\n" REUSE,
     .takes = "loads_s 62.5"},
    {.rule = "redundant-loads", /* halos and partial lines */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "EXIT"},
     .executed = {40, 1},
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 54}}},
};

static const struct line_case LINES[] = {
    {{.rule = "redundant-loads", ROW_BY(60, 40), AGAIN}, 5},
    {{.rule = "redundant-loads", ROW_BY(80, 20), AGAIN}, 4}, /* too few to be what is loaded so often */
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

static void which_line(void **state) {
  (void)state;
  LINES_ARE(LINES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(which_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
