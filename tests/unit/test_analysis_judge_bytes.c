/* What the rules on bytes and sectors say and take away, each asked by itself; figures worked
 * out beside each. */
#include "analysis/advice/remedies.h"
#include "unit/judged.h"

static void least_40(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 40e6;
}

static void undeclared(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 0;
}

static void least_a_quarter(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 0.25;
}

/* A microsecond of DRAM's latency: 5.238 us of ramp. */
static void full_dram(struct made_diagnosis *d) {
  least_40(d);
  made_ceiling(&d->m, "dram_latency_cycles", 1000, CEILING_MEASURED);
}

static void long_ramp(struct made_diagnosis *d) {
  made_ceiling(&d->m, "dram_latency_cycles", 5000, CEILING_MEASURED);
}

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

#define DRAM_FULL                                                                                                      \
  "DRAM-bandwidth bound: 0.88 of 0.98 TB/s; long_scoreboard stalls are DRAM queueing\n"                                \
  "stop: only fewer bytes help (a narrower type, fusion with the neighbouring kernel)\n"
/* An element a thread, to the place that `to` makes. */
#define COPY(to)                                                                                                       \
  .lines = {"S2R R5, SR_TID.X",           "LDC.64 R8, c[0x0][0x210]",                                                  \
            "LDC.64 R10, c[0x0][0x218]",  "IMAD.WIDE R2, R5, 0x4, R10",                                                \
            "LDG.E R4, desc[UR4][R2.64]", to,                                                                          \
            "STG.E desc[UR4][R6.64], R4", "EXIT"},                                                                     \
  .executed = {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000}
static void least_20(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 20e6;
}

#define STAGED                                                                                                         \
  .lines = {"LDG.E R4, desc[UR4][R2.64]", "STS [R7], R4", "LDS R5, [R8]", "EXIT"}, .executed = {400, 400, 400, 1}
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

#define EXCESS_SAYS                                                                                                    \
  "DRAM bytes over minimal 2.5 ratio\n"                                                                                \
  "DRAM write share 0.2 ratio\n"                                                                                       \
  "GENERAL DRAM moves 2.50 times the minimal bytes\n"                                                                  \
  "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n"

static void two_launches(struct made_diagnosis *d) {
  static struct run_launch both[2];
  struct run_result *r = &d->m.results[0];
  both[0] = both[1] = *r->launches;
  r->launches = both;
  r->n_launches = 2;
  r->bytes_minimal = 40e6;
}

static void of_a_program(struct made_diagnosis *d) {
  d->m.run.process.launches = 20;
}

static const struct judged_case BYTES[] = {
    /* 88 MB at a plain load's 0.98 TB/s, and 5.2 us of ramp: 0.950 of the time; 80 MB: 0.869 */
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
    {.rule = "dram-saturated", /* 81.6 us, and 5.2 of ramp: what is left is more than the model errs by */
     .also = full_dram,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 0}},
     .says =
         "DRAM bandwidth 8e+11 B/s\n"
         "most for its reads and writes 9.8e+11 B/s\n"
         "time that the bytes need 8.163e-05 s\n"
         "DRAM bytes over minimal 2 ratio\n"
         "DRAM is 82 % full: all that moves as many bytes saves 18 % at most\n"
         "fewer instructions first: 75 % of issue slots are used; then fewer bytes (a narrower type, fusion with the neighbouring kernel)\n",
     .takes = ""},
    {.rule = "dram-saturated", /* 64 % of the slots */
     .also = full_dram,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 0}, {"issue_active", 2.56e6}},
     .says = "DRAM bandwidth 8e+11 B/s\n"
             "most for its reads and writes 9.8e+11 B/s\n"
             "time that the bytes need 8.163e-05 s\n"
             "DRAM bytes over minimal 2 ratio\n"
             "DRAM is 82 % full: all that moves as many bytes saves 18 % at most\n"
             "move fewer bytes: a narrower type, or fuse with the kernel that writes or reads them\n",
     .takes = ""},
    {.rule = "dram-saturated", /* 0.796 of what loads reach, in all of the time */
     .also = long_ramp,
     .set = {{"dram_read_bytes", 78e6}, {"dram_write_bytes", 0}}},
    {.rule = "excess-dram-bytes", /* a program's copy, DRAM at 61 % */
     COPY("IMAD.WIDE R6, R5, 0x4, R8"),
     .also = undeclared,
     .set = {{"dram_read_bytes", 60e6}, {"dram_write_bytes", 0}},
     .says = "dram_read_bytes 6e+07 -\n"
             "dram_write_bytes 0 -\n"
             "GENERAL all that the kernel stores it has loaded: it only moves data\n"
             "leave the copy out: exchange pointers, or let a neighbouring kernel read or write in this order\n",
     .takes = "",
     .silent = {{"dram_read_bytes", 80e6}, {"dram_read_bytes", 48e6}}},
    {.rule = "dram-saturated",
     COPY("IMAD.WIDE R6, R5, 0x4, R8"),
     .also = undeclared,
     .set = {{"dram_read_bytes", 95e6}, {"dram_write_bytes", 0}},
     .says =
         "DRAM bandwidth 9.5e+11 B/s\n"
         "most for its reads and writes 9.8e+11 B/s\n"
         "time that the bytes need 9.694e-05 s\n"
         "STOP DRAM-bandwidth bound: 0.95 of 0.98 TB/s; long_scoreboard stalls are DRAM queueing\n"
         "stop: only fewer bytes help; leave the copy out: exchange pointers, or let a neighbouring kernel read or write in this order\n",
     .takes = ""},
    {.rule = "dram-saturated", /* by what was loaded */
     COPY("IMAD.WIDE R6, R4, 0x4, R8"),
     .also = undeclared,
     .set = {{"dram_read_bytes", 95e6}, {"dram_write_bytes", 0}},
     .says =
         "DRAM bandwidth 9.5e+11 B/s\n"
         "most for its reads and writes 9.8e+11 B/s\n"
         "time that the bytes need 9.694e-05 s\n"
         "STOP DRAM-bandwidth bound: 0.95 of 0.98 TB/s; long_scoreboard stalls are DRAM queueing\n"
         "stop: only fewer bytes help; leave this kernel out: let the kernel before or after it write or read by these indices\n",
     .takes = ""},
    {.rule = "dram-saturated", /* every second place */
     COPY("IMAD.WIDE R6, R5, 0x8, R8"),
     .also = undeclared,
     .set = {{"dram_read_bytes", 95e6}, {"dram_write_bytes", 0}},
     .says =
         "DRAM bandwidth 9.5e+11 B/s\n"
         "most for its reads and writes 9.8e+11 B/s\n"
         "time that the bytes need 9.694e-05 s\n"
         "STOP DRAM-bandwidth bound: 0.95 of 0.98 TB/s; long_scoreboard stalls are DRAM queueing\n"
         "stop: only fewer bytes help; leave this kernel out: let the kernel before or after it write or read in this order\n",
     .takes = ""},
    {.rule = "dram-saturated",
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R6.64], R4", "EXIT"},
     .executed = {1000, 1000, 1000},
     .also = undeclared,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 0}},
     .says = "DRAM bandwidth 8e+11 B/s\n"
             "most for its reads and writes 9.8e+11 B/s\n"
             "time that the bytes need 8.163e-05 s\n"
             "DRAM is 82 % full: all that moves as many bytes saves 18 % at most\n"
             "leave this kernel out: let the kernel before or after it write or read in this order\n",
     .takes = ""},
    {.rule = "excess-dram-bytes",
     .also = least_40,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 20e6}, {"l2_sectors", 1000}, {"l2_sectors_hit", 250}},
     .says = "DRAM bytes over minimal 2.5 ratio\n"
             "DRAM write share 0.2 ratio\n"
             "L2 hit rate 0.25 ratio\n"
             "GENERAL DRAM moves 2.50 times the minimal bytes\n"
             "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n",
     .takes = "dram_read 400, dram_write 400",
     .silent = {{"dram_read_bytes", 20e6}}},
    {.rule = "excess-dram-bytes",
     .also = least_40,
     .set = {{"dram_read_bytes", 10e6}, {"dram_write_bytes", 10e6}},
     .takes = ""},
    {.rule = "excess-dram-bytes", /* what two launches hand on is neither written nor read by one, which starts once */
     .also = two_launches,
     .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 20e6}},
     .says = "DRAM bytes over minimal 2.5 ratio\n"
             "DRAM write share 0.2 ratio\n"
             "GENERAL DRAM moves 2.50 times the minimal bytes\n"
             "fuse the launches that pass arrays to each other: what one computes, the next uses from registers\n",
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
             "GENERAL DRAM moves 4.00 times the minimal bytes\n"
             "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding\n",
     .takes = "dram_read 250, dram_write 250"},
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
    /* of 80 MB 10 are stored and 10 atomics', of 100 in all */
    {.rule = "write-back",
     .set = {{"dram_read_bytes", 20e6},
             {"dram_write_bytes", 80e6},
             {"l2_write_bytes", 10e6},
             {"l2_atomic_sectors", 312500}},
     .says =
         "dram_write_bytes 8e+07 -\n"
         "l2_write_bytes 1e+07 -\n"
         "60 % of the DRAM bytes write back lines that an earlier kernel left dirty in the L2\n"
         "CALLER measure with --l2 cold, which evicts by reading; in a program, fuse with the kernel that wrote the lines\n",
     .takes = "dram_write 250",
     .silent = {{"l2_write_bytes", 70e6}}},
    {.rule = "write-back",
     .also = of_a_program,
     .set = {{"dram_read_bytes", 20e6},
             {"dram_write_bytes", 80e6},
             {"l2_write_bytes", 10e6},
             {"l2_atomic_sectors", 312500}},
     .says = "dram_write_bytes 8e+07 -\n"
             "l2_write_bytes 1e+07 -\n"
             "60 % of the DRAM bytes write back lines that an earlier kernel left dirty in the L2\n"
             "CALLER fuse with the kernel that wrote the lines, so that they need not pass through memory\n",
     .takes = "dram_write 250",
     .silent = {{"l2_write_bytes", 70e6}}},
    {.rule = "write-back", .set = {{"dram_read_bytes", 25}, {"dram_write_bytes", 75}}}, /* what it wrote is not known */
    {.rule = "write-back", .set = {{"dram_write_bytes", 50e6}, {"l2_write_bytes", 10e6}}}, /* reads are not known */
    /* 90 MB take 90 us, 10 written 21.5: together 92.53 of 100 */
    {.rule =
         "l2-rereads", /* 60 MB stay in the L2 from launch to launch: 30 of 90 are read again, of which a quarter remains */
     .sized = true,
     .also = only_a_warm_l2,
     .set = {{"l2_read_bytes", 90e6}, {"l2_write_bytes", 10e6}, {"dram_read_bytes", 20e6}, {"dram_write_bytes", 1e6}},
     .says =
         "L2 bytes 1e+08 B\n"
         "DRAM bytes 2.1e+07 B\n"
         "L2, share of the time 0.9253 ratio\n"
         "the L2 sends 1.5 times what it can hold: blocks re-read data\n"
         "larger tiles in shared memory or registers, so that fewer tiles read each byte (the estimate assumes 4 times fewer L2 bytes)\n",
     .takes = "l2_read 750, loads_s 75"},
    {.rule = "l2-rereads",
     .also = only_l2,
     .set = {{"l2_read_bytes", 90e6}, {"l2_write_bytes", 10e6}, {"dram_read_bytes", 20e6}, {"dram_write_bytes", 1e6}},
     .says = "L2 bytes 1e+08 B\n"
             "DRAM bytes 2.1e+07 B\n"
             "L2, share of the time 0.9253 ratio\n" REREADS,
     .takes = "l2_read 416.67, loads_s 41.667",
     .silent = {{"dram_read_bytes", 90e6}, {"l2_read_bytes", 20e6}, {"dram_read_bytes", 0}}},
    {.rule = "l2-rereads", /* 3/4 of one byte of two go */
     .set = {{"l2_read_bytes", 2}, {"dram_read_bytes", 1}},
     .says =
         "2.0 bytes leave the L2 for each byte read from DRAM: blocks re-read data\n"
         "larger tiles in shared memory or registers, so that fewer tiles read each byte (the estimate assumes 4 times fewer L2 bytes)\n",
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
     .set = {{"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}},
     .says = "GENERAL 3.0 bytes leave the L2 for each byte read from DRAM: blocks re-read data\n" TILES,
     .takes = "l2_read 500"},
    /* 50 must move: 40 go to a quarter */
    {.rule = "l2-rereads",
     .also = declared_50,
     .set = {{"l2_read_bytes", 90e6}, {"dram_read_bytes", 20e6}},
     .says = REREADS,
     .takes = "l2_read 666.67, loads_s 66.667"},
};

/* --- loads --- */

#define REUSE_SAYS                                                                                                     \
  "L1 load bytes over minimal 4 ratio\n"                                                                               \
  "L2 read bytes over minimal 3 ratio\n"                                                                               \
  "LSU instructions 0.5 ratio\n"                                                                                       \
  "the L1 delivers 4.0 times the minimal bytes, and the L2 3.0 times"

static void is_the_gemv(struct made_diagnosis *d) {
  static struct run_key step = {(char *)"step", (char *)"kernel = gemv; grid = 1; block = 32"};
  least_20(d);
  d->m.variants[0].keys = &step;
  d->m.variants[0].n_keys = 1;
}

/* 20 x 1024: 10,240 bytes of A, 1,280 of its scales.  Each thread has a row, so that a load of
 * one scale per lane touches 32 sectors.  All sectors are as if they were the least. */
static void block_scales(struct made_diagnosis *d) {
  static const double executed[] = {20, 40, 40}, sectors[] = {320, 1280, 40};
  is_the_gemv(d);
  d->m.results[0].shape = (struct shape){20, 1024, 1};
  d->m.results[0].bytes_minimal = 40000;
  for (int i = 0; i < 3; i++)
    d->counts[3 + i] = (struct run_count){.offset = (uint32_t)(48 + 16 * i),
                                          .executed = executed[i],
                                          .threads = 32 * executed[i],
                                          .global_sectors = sectors[i],
                                          .global_sectors_ideal = sectors[i]};
}

static void little_beyond(struct made_diagnosis *d) {
  block_scales(d);
  d->m.results[0].bytes_minimal = 70000;
}

static void scales_half_beside(struct made_diagnosis *d) {
  block_scales(d);
  d->counts[4].global_sectors = d->counts[4].global_sectors_ideal = 60;
}

static void scales_fill_sectors(struct made_diagnosis *d) {
  block_scales(d);
  d->counts[4].global_sectors = d->counts[4].global_sectors_ideal = 40;
}

#define SCALE_CODE                                                                                                     \
  .lines = {"LDC.64 R2, c[0x0][0x210]",                                                                                \
            "LDC.64 R4, c[0x0][0x220]",                                                                                \
            "LDC.64 R6, c[0x0][0x228]",                                                                                \
            "LDG.E.128 R8, desc[UR4][R2.64]",                                                                          \
            "LDG.E.U8 R12, desc[UR4][R4.64]",                                                                          \
            "LDG.E.U8 R13, desc[UR4][R6.64]",                                                                          \
            "EXIT"},                                                                                                   \
  .executed = {1, 1, 1, 1, 1, 1, 1}
#define SCALES_SAY                                                                                                         \
  "share of load requests that are for A's scales 0.4 ratio\n"                                                             \
  "share of sectors that are for A's scales 0.7805 ratio\n"                                                                \
  "these sectors' bytes over the scales' bytes 32 ratio\n"                                                                 \
  "bytes per request of scales 32 byte\n"                                                                                  \
  "bytes per request of A 512 byte\n"                                                                                      \
  "loads of A's scales touch 32.0 times the sectors they need, 78 % of all sectors; 32 B per request, where A has 512 B\n" \
  "load the scales of several tiles of a row at once, a word or more per lane, with lanes along K\n"

static const struct judged_case LOADS[] = {
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
     .says = REUSE_SAYS
     "\n"
     "reuse loaded values: several outputs per thread (the estimate assumes 4), or keep what is read again in registers or shared memory\n",
     .takes = "inst 775, lsu 775, l1_wavefronts 550, l2_read 500, loads_s 43.75, own_issue_s 77.5, "
              "dependencies_s 77.5",
     .silent = {{"l1_load_bytes", 20e6}}},
    {.rule = "redundant-loads", /* of what goes to shared memory other blocks read again, which l2-rereads tells */
     .also = least_20,
     STAGED,
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 60e6}, {"dram_read_bytes", 20e6}}},
    {.rule = "redundant-loads", /* what the L1 holds a block reads again itself */
     .also = least_20,
     STAGED,
     .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 20e6}, {"dram_read_bytes", 20e6}},
     .says =
         "L1 load bytes over minimal 4 ratio\n"
         "L2 read bytes over minimal 1 ratio\n"
         "the L1 delivers 4.0 times the minimal bytes, and the L2 1.0 times\n"
         "reuse loaded values: several outputs per thread (the estimate assumes 4), or keep what is read again in registers or shared memory\n",
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
     "; every turn of the loop stores its sum, of which 90 % are stored over\n"
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
     "; every turn of the loop stores its sum, of which 90 % are stored over\n"
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
     .says =
         "L1 load bytes over DRAM's 4 ratio\n"
         "the L1 delivers 4.0 times the bytes read from DRAM\n"
         "reuse loaded values: several outputs per thread (the estimate assumes 4), or keep what is read again in registers or shared memory\n",
     .takes = "loads_s 43.75"},
    {.rule = "redundant-loads",
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 20}, {"l1_load_requests", 400}, {"l1_wavefronts", 1000}},
     .says =
         "L1 load bytes over DRAM's 4 ratio\n"
         "the L1 delivers 4.0 times the bytes read from DRAM\n"
         "reuse loaded values: several outputs per thread (the estimate assumes 4), or keep what is read again in registers or shared memory\n",
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
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 60}},
     .says =
         "L1 load bytes over DRAM's 1.333 ratio\n"
         "the L1 delivers 1.3 times the bytes read from DRAM\n"
         "reuse loaded values: several outputs per thread (the estimate assumes 4), or keep what is read again in registers or shared memory\n",
     .takes = "loads_s 81.25"},
    {.rule = "redundant-loads", /* at another offset, of another width, in another block: none was loaded before */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "LDG.E.64 R10, desc[UR4][R2.64]",
               "@P0 BRA 0x50", "LDG.E R9, desc[UR4][R2.64]", "EXIT"},
     .executed = {40, 40, 40, 40, 40, 1},
     .set = {{"l1_load_bytes", 80}, {"dram_read_bytes", 60}},
     .says =
         "L1 load bytes over DRAM's 1.333 ratio\n"
         "the L1 delivers 1.3 times the bytes read from DRAM\n"
         "reuse loaded values: several outputs per thread (the estimate assumes 4), or keep what is read again in registers or shared memory\n",
     .takes = "loads_s 81.25"},
    /* 1,280 sectors where 40 hold the bytes, of 6,200 cycles; 40 requests where 2.5 of A's bring
     * as much, of 375.  39,680 B of 80,000 at the L2. */
    {.sized = true,
     .rule = "scale-loads",
     SCALE_CODE,
     .also = block_scales,
     .set = {{"l1_wavefronts", 6200}, {"pipe_lsu", 375}, {"l2_read_bytes", 80000}},
     .says = SCALES_SAY,
     .takes = "inst 962.5, lsu 900, l1_wavefronts 800, l2_read 504, own_issue_s 96.25, dependencies_s 96.25"},
    /* 620 cycles are not for shared memory; 10,000 B are beyond the problem's */
    {.sized = true,
     .rule = "scale-loads",
     SCALE_CODE,
     .also = little_beyond,
     .set = {{"l1_wavefronts", 6200}, {"shared_wavefronts", 5580}, {"pipe_lsu", 375}, {"l2_read_bytes", 80000}},
     .says = SCALES_SAY,
     .takes = "inst 962.5, lsu 900, l1_wavefronts 900, l2_read 875, own_issue_s 96.25, dependencies_s 96.25"},
    {.sized = true,
     .rule = "scale-loads",
     SCALE_CODE,
     .also = block_scales,
     .set = {{"l1_wavefronts", 1240}},
     .says = SCALES_SAY,
     .takes = "inst 962.5, l1_wavefronts 0, own_issue_s 96.25, dependencies_s 96.25"},
    {.sized = true, /* a load that never ran may be of any buffer */
     .rule = "scale-loads",
     .lines = {"LDC.64 R2, c[0x0][0x210]", "LDC.64 R4, c[0x0][0x220]", "LDC.64 R6, c[0x0][0x228]",
               "LDG.E.128 R8, desc[UR4][R2.64]", "LDG.E.U8 R12, desc[UR4][R4.64]", "LDG.E.U8 R13, desc[UR4][R6.64]",
               "LDG.E R14, desc[UR4][R20.64]", "EXIT"},
     .executed = {1, 1, 1, 1, 1, 1, 0, 1},
     .also = block_scales,
     .says = SCALES_SAY,
     .takes = "inst 962.5, own_issue_s 96.25, dependencies_s 96.25"},
    {.sized = true,
     .rule = "scale-loads",
     SCALE_CODE,
     .also = block_scales,
     .says = SCALES_SAY,
     .takes = "inst 962.5, own_issue_s 96.25, dependencies_s 96.25"},
    /* 60 sectors where 40 hold the bytes */
    {.sized = true,
     .rule = "scale-loads",
     SCALE_CODE,
     .also = scales_half_beside,
     .says =
         "share of load requests that are for A's scales 0.4 ratio\n"
         "share of sectors that are for A's scales 0.1429 ratio\n"
         "these sectors' bytes over the scales' bytes 1.5 ratio\n"
         "bytes per request of scales 32 byte\n"
         "bytes per request of A 512 byte\n"
         "loads of A's scales touch 1.5 times the sectors they need, 14 % of all sectors; 32 B per request, where A "
         "has 512 B\n"
         "load the scales of several tiles of a row at once, a word or more per lane, with lanes along K\n",
     .takes = "inst 962.5, own_issue_s 96.25, dependencies_s 96.25"},
    {.rule = "scale-loads", SCALE_CODE, .also = scales_fill_sectors},
    {.rule = "scale-loads", .takes = ""}, /* no code */
};

/* --- sectors --- */

#define SECTORS_SAY                                                                                                    \
  "global accesses touch 3.0 times the sectors that their bytes need\n"                                                \
  "let neighbouring lanes access neighbouring bytes, or stage a tile through shared memory\n"

static void sectors_of(struct made_diagnosis *d, int i, double sectors, double ideal) {
  d->counts[i].global_sectors = sectors;
  d->counts[i].global_sectors_ideal = ideal;
}

/* Atomics are not judged, nor is what was not counted. */
static void scattered(struct made_diagnosis *d) {
  sectors_of(d, 0, 600, 200);
  sectors_of(d, 1, 300, 100);
  sectors_of(d, 2, 500, 10);
  sectors_of(d, 3, 70, -1);
  sectors_of(d, 4, -1, 70);
}

static void scattered_stores(struct made_diagnosis *d) {
  sectors_of(d, 0, 100, 100);
  sectors_of(d, 1, 300, 100);
}

static void scattered_load(struct made_diagnosis *d) {
  sectors_of(d, 0, 600, 200);
}

static void scattered_chain(struct made_diagnosis *d) {
  sectors_of(d, 1, 600, 200);
}

static void none_scattered(struct made_diagnosis *d) {
  sectors_of(d, 0, 200, 200);
  sectors_of(d, 1, 90, 100);
}

static void least_7000(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 7000;
}

static void scattered_least_7000(struct made_diagnosis *d) {
  scattered(d);
  least_7000(d);
}

static void is_named(struct made_diagnosis *d, const char *kernel) {
  d->kernel.name = d->m.results[0].launches->kernel = (char *)kernel;
}

static void aligned_to_1(struct made_diagnosis *d) {
  is_named(d, "Kernel2_s1688gemm_bf16_128x128_tn_align1");
  sectors_of(d, 0, 600, 200);
}

static void aligned_to_4(struct made_diagnosis *d) {
  is_named(d, "Kernel2_s1688gemm_f16_128x128_tn_align4");
  sectors_of(d, 0, 800, 800);
}

static void aligned_to_8(struct made_diagnosis *d) {
  is_named(d, "Kernel2_gemm_f16_tn_align8");
}

#define PARTIAL_SAYS                                                                                                   \
  "stores fill 16 of the 32 bytes of a sector, and each costs the L2 a whole one\n"                                    \
  "store whole sectors: neighbouring lanes to neighbouring addresses, or stage through shared memory\n"

#define ACCESSES                                                                                                       \
  .lines = {"LDG.E R8, desc[UR4][R2.64]",                                                                              \
            "STG.E desc[UR4][R4.64], R8",                                                                              \
            "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8",                                                   \
            "LDG.E R9, desc[UR4][R2.64]",                                                                              \
            "LDG.E R10, desc[UR4][R2.64]",                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {50, 50, 50, 50, 50, 1}

static const struct judged_case SECTORS[] = {
    /* 400 sectors of loads and 200 of stores go; three quarters of the loads' miss the L1: 9,600
     * and 6,400 B.  Lanes ask for 6,400 of the 16,000 B of DRAM. */
    {.rule = "uncoalesced",
     ACCESSES,
     .also = scattered,
     .set = {{"l1_load_sectors", 600},
             {"l1_load_sectors_hit", 150},
             {"l1_load_requests", 50},
             {"l1_wavefronts", 1000},
             {"l2_read_bytes", 19200},
             {"l2_write_bytes", 12800},
             {"dram_read_bytes", 16000},
             {"stall_lg_throttle", 8e6}},
     .says = "sectors over the minimum for these bytes 3 ratio\n"
             "sectors per load 12 sector\n"
             "l1_load_sectors 600 -\n"
             "LG throttle, share 0.25 ratio\n" SECTORS_SAY,
     .takes =
         "l1_wavefronts 400, dram_read 500, l2_read 583.33, l2_write 500, read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* of 1000 cycles 500 are shared memory's, and 75 go with the lines of 300 sectors */
     ACCESSES,
     .also = scattered,
     .set = {{"l1_load_sectors", 600},
             {"l1_load_sectors_hit", 150},
             {"l1_load_requests", 50},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 500},
             {"l2_read_bytes", 19200},
             {"l2_write_bytes", 12800},
             {"dram_read_bytes", 16000},
             {"stall_lg_throttle", 8e6}},
     .says = "sectors over the minimum for these bytes 3 ratio\n"
             "sectors per load 12 sector\n"
             "l1_load_sectors 600 -\n"
             "LG throttle, share 0.25 ratio\n" SECTORS_SAY,
     .takes =
         "l1_wavefronts 575, dram_read 500, l2_read 583.33, l2_write 500, read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* of 7,000 B they ask for nearly all: whoever loads the rest, its sectors are read */
     ACCESSES,
     .also = scattered,
     .set = {{"l1_load_sectors", 600},
             {"l1_load_sectors_hit", 150},
             {"l1_load_requests", 50},
             {"l1_wavefronts", 1000},
             {"l2_read_bytes", 19200},
             {"l2_write_bytes", 12800},
             {"dram_read_bytes", 7000},
             {"stall_lg_throttle", 8e6}},
     .says = "sectors over the minimum for these bytes 3 ratio\n"
             "sectors per load 12 sector\n"
             "l1_load_sectors 600 -\n"
             "LG throttle, share 0.25 ratio\n" SECTORS_SAY,
     .takes =
         "l1_wavefronts 400, l2_read 583.33, l2_write 500, read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    /* of DRAM's bytes no more go than of the L2's: 9,600 of 96,000 */
    {.rule = "uncoalesced",
     ACCESSES,
     .also = scattered,
     .set = {{"l1_load_sectors", 600}, {"l1_load_sectors_hit", 150}, {"dram_read_bytes", 96000}},
     .says = "sectors over the minimum for these bytes 3 ratio\n"
             "l1_load_sectors 600 -\n" SECTORS_SAY,
     .takes = "dram_read 916.67, read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* nor are bytes spared that DRAM was not read */
     ACCESSES,
     .also = scattered,
     .set = {{"dram_read_bytes", 2}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* two loads of three stand side by side */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "LDG.E R10, desc[UR4][R6.64]", "EXIT"},
     .executed = {50, 50, 50, 1},
     .also = scattered_load,
     .says =
         "sectors over the minimum for these bytes 3 ratio\n"
         "global accesses touch 3.0 times the sectors that their bytes need\n"
         "let neighbouring lanes read neighbouring elements (a warp per row, arrays for structs), or merge adjacent 4-byte loads where rows are multiples of 16 bytes\n",
     .takes = "read_fill 4, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* of two widths the narrower */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "LDG.E.64 R10, desc[UR4][R6.64]",
               "LDG.E.64 R12, desc[UR4][R6.64+0x8]", "EXIT"},
     .executed = {50, 50, 50, 50, 1},
     .also = scattered_load,
     .says =
         "sectors over the minimum for these bytes 3 ratio\n"
         "global accesses touch 3.0 times the sectors that their bytes need\n"
         "let neighbouring lanes read neighbouring elements (a warp per row, arrays for structs), or merge adjacent 4-byte loads where rows are multiples of 16 bytes\n",
     .takes = "read_fill 4, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* half of them: not the most */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "LDG.E R10, desc[UR4][R6.64]", "EXIT"},
     .executed = {50, 50, 100, 1},
     .also = scattered_load,
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "read_fill 4, sectors_spread 1, slow_loads 998.9"},
    /* stores of part of a sector are another rule's: 400 of the loads go */
    {.rule = "uncoalesced",
     ACCESSES,
     .also = scattered,
     .set =
         {{"l1_wavefronts", 1000}, {"store_data_bytes", 8000}, {"l1_store_sectors", 500}, {"dram_write_bytes", 9000}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "l1_wavefronts 600, read_fill 4, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* nothing else is counted */
     ACCESSES,
     .also = scattered,
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule =
         "uncoalesced", /* half of what the L2 is written goes; waits for scattered lanes go, but not for addresses */
     ACCESSES,
     .also = scattered,
     .set = {{"l2_write_bytes", 12800}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "l2_write 500, read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* addresses that a load brings stay where they are */
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {50, 50, 50, 50},
     .also = scattered_chain,
     .set = {{"l1_wavefronts", 1000}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "l1_wavefronts 600, read_fill 4"},
    {.rule = "uncoalesced", ACCESSES, .also = none_scattered, .takes = ""},
    /* sums of the launch: 400 of 600 */
    {.rule = "uncoalesced",
     .set =
         {{"global_sectors_excess", 400}, {"global_sectors", 600}, {"l1_wavefronts", 1000}, {"l2_read_bytes", 25600}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "l1_wavefronts 600, l2_read 500, read_fill 4, sectors_spread 1, slow_loads 998.9",
     .silent = {{"global_sectors_excess", 0}, {"global_sectors", 400}}},
    {.rule = "uncoalesced", /* nothing is said to be beyond the least */
     .set = {{"l1_load_sectors", 450}, {"l1_store_sectors", 150}},
     .takes = ""},
    {.rule = "uncoalesced", /* stores alone: 200 of 400, whatever the sums of the launch are */
     ACCESSES,
     .also = scattered_stores,
     .set = {{"global_sectors_excess", 10}, {"global_sectors", 100}, {"l1_wavefronts", 1000}},
     .says = "sectors over the minimum for these bytes 2 ratio\n"
             "global accesses touch 2.0 times the sectors that their bytes need, most of the excess by stores\n"
             "let neighbouring lanes access neighbouring bytes, or stage a tile through shared memory\n",
     .takes = "l1_wavefronts 800, partial_share 0, sectors_spread 1, slow_loads 999.31"},
    {.rule = "uncoalesced", /* what of DRAM's bytes nobody asks for is not known there */
     .set = {{"global_sectors_excess", 400}, {"global_sectors", 600}, {"dram_read_bytes", 2}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "read_fill 4, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced",
     .set = {{"global_sectors_excess", 400}, {"l1_load_sectors", 450}, {"l1_store_sectors", 150}},
     .says = "sectors over the minimum for these bytes 3 ratio\n"
             "l1_load_sectors 450 -\n" SECTORS_SAY,
     .takes = "read_fill 4, sectors_spread 1, slow_loads 998.9"},
    /* Loads of one element where eight fill 16 bytes: an eighth of them, of what prepares them and of the L1's 900 cycles that no
     * load from shared memory takes, where half of its 200 are stores'.  400 of 600 sectors go, 12,800 B; lanes ask for 6,400 of 20,000 B.  Half as deep an HMMA
     * is half as many. */
    {.rule = "narrow-rows",
     .lines = {"LDG.E.U16 R4, desc[UR4][R2.64]", "LDS R5, [R3]", "HMMA.1688.F32 R8, R4, R5, R8", "STS [R3], R4",
               "EXIT"},
     .executed = {100, 100, 100, 100, 1},
     .also = aligned_to_1,
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 200}, {"l2_read_bytes", 25600}, {"dram_read_bytes", 20000}},
     .says = "rows aligned to 2 byte\n"
             "the library took a kernel that loads 2 bytes at a time, because rows begin at multiples of 1 element\n"
             "CALLER " NARROW_ROWS_REMEDY "\n",
     .takes = "alu 125, lsu 125, tensor 500, l1_wavefronts 212.5, dram_read 360, l2_read 500, sectors_spread 1, "
              "loads_s 12.5"},
    {.rule = "narrow-rows", /* half as wide as can be, in whole sectors, and no HMMA; what is read stays */
     .lines = {"LDG.E.64 R4, desc[UR4][R2.64]", "EXIT"},
     .executed = {100, 1},
     .also = aligned_to_4,
     .set = {{"l1_wavefronts", 1000},
             {"l2_read_bytes", 25600},
             {"dram_read_bytes", 20000},
             {"l1_load_sectors", 800},
             {"l1_load_requests", 100}},
     .says = "rows aligned to 8 byte\n"
             "sectors per load 8 sector\n"
             "l1_load_requests 100 -\n"
             "the library took a kernel that loads 8 bytes at a time, because rows begin at multiples of 4 elements\n"
             "CALLER " NARROW_ROWS_REMEDY "\n",
     .takes = "alu 500, lsu 500, l1_wavefronts 500, sectors_spread 1, loads_s 50"},
    {.rule = "narrow-rows",
     .lines = {"LDG.E.128 R4, desc[UR4][R2.64]", "EXIT"},
     .executed = {100, 1},
     .also = aligned_to_8,
     .takes = ""},
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

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(BYTES);
  JUDGE_ALL(LOADS);
  JUDGE_ALL(SECTORS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
