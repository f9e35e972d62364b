/* What the rules on waits, shared memory and atomics say and take away, each asked by itself;
 * figures worked out beside each.  3.2e6 cycles of 320 resident warps are 10 us of each. */
#include "unit/judged.h"

/* --- loads --- */

static void thousand_cycles(struct made_diagnosis *d) {
  latencies(d, 1000);
}

static void hundred_cycles(struct made_diagnosis *d) {
  latencies(d, 100);
}

/* At 0.98 TB/s 82 of 100 us. */
static void of_80_mb(struct made_diagnosis *d) {
  set(&d->m.results[0], "dram_read_bytes", 80e6);
  set(&d->m.results[0], "dram_write_bytes", 0);
}

static void reads_80_mb(struct made_diagnosis *d) {
  hundred_cycles(d);
  of_80_mb(d);
}

static void reads_80_mb_slowly(struct made_diagnosis *d) {
  thousand_cycles(d);
  of_80_mb(d);
}

static void one_wave(struct made_diagnosis *d) {
  latencies(d, 1000);
  d->m.results[0].launches->grid[0] = 40;
}

static void full_of_registers(struct made_diagnosis *d) {
  latencies(d, 1000);
  d->m.results[0].launches->registers = 255;
}

static void slow_starts(struct made_diagnosis *d) {
  latencies(d, 1000);
  made_metric(&d->m.results[0], "fixed_ns", 90e3);
}

static void served_by_the_l2(struct made_diagnosis *d) {
  latencies(d, 1000);
  set(&d->m.results[0], "l2_read_bytes", 4e3);
}

static void near_l1(struct made_diagnosis *d) {
  made_ceiling(&d->m, "l1_latency_cycles", 100, CEILING_MEASURED);
  made_ceiling(&d->m, "l2_latency_cycles", 900, CEILING_MEASURED);
  made_ceiling(&d->m, "dram_latency_cycles", 1000, CEILING_MEASURED);
  set(&d->m.results[0], "l2_read_bytes", 4e3);
}

static void half_more_by_the_l2(struct made_diagnosis *d) {
  latencies(d, 1000);
  set(&d->m.results[0], "l2_read_bytes", 1500);
}

static void more_by_the_l2(struct made_diagnosis *d) {
  latencies(d, 1000);
  set(&d->m.results[0], "l2_read_bytes", 2500);
}

/* 32 warps of an SM leave each thread 64 registers. */
static void few_registers(struct made_diagnosis *d) {
  latencies(d, 1000);
  d->m.results[0].launches->registers = 48;
}

static void unknown_registers(struct made_diagnosis *d) {
  latencies(d, 1000);
  d->m.device.regs_per_sm = 0;
}

/* 40 of 80 blocks are resident: 1.25 MiB. */
static void copies(struct made_diagnosis *d) {
  latencies(d, 1000);
  d->m.results[0].launches->smem_dynamic = 32000;
  d->m.results[0].launches->smem_static = 768;
}

#define WIDE                                                                                                           \
  .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "@P0 BRA 0x0", "EXIT"},                               \
  .executed = {32e3, 32e3, 32e3, 1}
#define BARRED                                                                                                         \
  .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "BAR.SYNC.DEFER_BLOCKING 0x0",                        \
            "LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT"},                                              \
  .executed = {16e3, 16e3, 16e3, 16e3, 16e3, 16e3}
#define WIDE_ONCE .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT"}, .executed = {32e3, 32e3, 1}
#define FOUR_STORED                                                                                                    \
  .lines = {"LDG.E.128 R8, desc[UR4][R2.64]",       "FADD R4, R8, R9",                                                 \
            "LDG.E.128 R8, desc[UR4][R2.64+0x200]", "FADD R4, R8, R9",                                                 \
            "LDG.E.128 R8, desc[UR4][R2.64+0x400]", "FADD R4, R8, R9",                                                 \
            "LDG.E.128 R8, desc[UR4][R2.64+0x600]", "FADD R4, R8, R9",                                                 \
            "STG.E.128 desc[UR4][R2.64+0x600], R4", "EXIT"},                                                           \
  .executed = {8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 1}
#define WIDE_FOUR_TIMES                                                                                                \
  .lines = {"LDG.E.128 R8, desc[UR4][R2.64]",                                                                          \
            "FADD R4, R8, R9",                                                                                         \
            "LDG.E.128 R8, desc[UR4][R2.64+0x200]",                                                                    \
            "FADD R4, R8, R9",                                                                                         \
            "LDG.E.128 R8, desc[UR4][R2.64+0x400]",                                                                    \
            "FADD R4, R8, R9",                                                                                         \
            "LDG.E.128 R8, desc[UR4][R2.64+0x600]",                                                                    \
            "FADD R4, R8, R9",                                                                                         \
            "EXIT"},                                                                                                   \
  .executed = {8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 1}
/* What no warp came to lies beside it. */
#define NARROW                                                                                                         \
  .lines = {"LDG.E R8, desc[UR4][R2.64]",                                                                              \
            "FADD R4, R8, R8",                                                                                         \
            "LDG.E R9, desc[UR4][R2.64+0x4]",                                                                          \
            "FADD R4, R9, R9",                                                                                         \
            "@P0 BRA 0x0",                                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {32e3, 32e3, 0, 0, 32e3, 1}
#define NARROW_ONCE                                                                                                    \
  .lines = {"LDG.E R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "LDG.E R9, desc[UR4][R2.64+0x4]", "EXIT"},                \
  .executed = {32e3, 32e3, 0, 1}

#define FIVE_TIMES                                                                                                                       \
  "long scoreboard, share 0.75 ratio\n"                                                                                                  \
  "bytes in flight at most 1.638e+05 B\n"                                                                                                \
  "bytes that Little's law needs 1e+06 B\n"                                                                                              \
  "warps wait for loads 75 % of their time, with 16 B in flight a thread: 0.16 MiB from DRAM on the chip, where 0.95 MiB keep it busy\n" \
  "issue more loads before the first use: unroll, or load the next tile ahead\n"

#define LITTLE(bytes, thread, amount)                                                                                  \
  "long scoreboard, share 0.75 ratio\n"                                                                                \
  "bytes in flight at most " bytes " B\n"                                                                              \
  "bytes that Little's law needs 1e+06 B\n"                                                                            \
  "warps wait for loads 75 % of their time, with " thread " B in flight a thread: " amount                             \
  " from DRAM on the chip, where 0.95 MiB keep it busy\n"

static const struct judged_case LOADS[] = {
    /* 16 B of 320 x 32 threads, 1 us x 1 TB/s; registers for 112 B more */
    {.sized = true,
     .rule = "long-scoreboard",
     WIDE,
     .also = thousand_cycles,
     .set =
         {{"stall_long_scoreboard", 24e6}, {"l1_load_bytes", 1e3}, {"dram_read_bytes", 1e3}, {"dram_write_bytes", 0}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "DRAM bandwidth 1e+07 B/s\n"
         "bytes in flight at most 1.638e+05 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for loads 75 % of their time, with 16 B in flight a thread: 0.16 MiB from DRAM on the chip, where 0.95 MiB keep it busy\n"
         "issue more loads before the first use: unroll, or load the next tile ahead\n",
     .takes = "loads_s 12.5",
     .silent = {{"stall_long_scoreboard", 0}}},
    {.sized = true,
     .rule = "long-scoreboard",
     NARROW,
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}, {"l1_load_bytes", 1e3}, {"dram_read_bytes", 2e3}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "bytes in flight at most 4.096e+04 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for loads 75 % of their time, with 4 B in flight a thread: 40 KiB from DRAM on the chip, where 0.95 MiB keep it busy\n"
         "load 16 bytes per lane, then issue more loads before the first use\n",
     .takes = "loads_s 3.125"},
    {.sized = true,
     .rule = "long-scoreboard", /* of a DRAM as busy, too few bytes in flight are told */
     WIDE,
     .also = reads_80_mb_slowly,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "DRAM bandwidth 8e+11 B/s\n"
         "bytes in flight at most 1.638e+05 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for loads 75 % of their time, with 16 B in flight a thread: 0.16 MiB from DRAM on the chip, where 0.95 MiB keep it busy\n"
         "issue more loads before the first use: unroll, or load the next tile ahead\n",
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule = "long-scoreboard", /* and a tile that is loaded in turn */
     .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "STS.128 [R6], R8", "@P0 BRA 0x0", "EXIT"},
     .executed = {32e3, 32e3, 32e3, 1},
     .also = reads_80_mb,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "DRAM bandwidth 8e+11 B/s\n"
         "bytes in flight at most 1.638e+05 B\n"
         "bytes that Little's law needs 1e+05 B\n"
         "warps wait for loads 75 % of their time, though 0.2 MiB can be in flight and 0.1 MiB keep DRAM busy: loads come in bursts\n"
         "load the next tile before computing this one: two buffers, in registers or by cp.async\n",
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule = "long-scoreboard", /* 16 free registers hold 64 B more: 16 of 80 B are one batch of five */
     WIDE,
     .also = few_registers,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = FIVE_TIMES,
     .takes = "loads_s 20"},
    {.sized = true,
     .rule = "long-scoreboard", /* how many are free is not known: 128 B */
     WIDE,
     .also = unknown_registers,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = FIVE_TIMES,
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule = "long-scoreboard", /* 100 ns x 1 TB/s */
     WIDE,
     .also = hundred_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "bytes in flight at most 1.638e+05 B\n"
         "bytes that Little's law needs 1e+05 B\n"
         "warps wait for loads 75 % of their time, though 0.2 MiB can be in flight and 0.1 MiB keep DRAM busy: loads come in bursts\n"
         "spread the loads: begin the next elements' before these are used, so that they do not come in bursts\n",
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule = "long-scoreboard", /* which dram-saturated tells */
     WIDE,
     .also = reads_80_mb,
     .set = {{"stall_long_scoreboard", 24e6}}},
    {.sized = true,
     .rule = "long-scoreboard", /* the L2 sends more than twice what DRAM reads: Little's law of DRAM is not asked */
     NARROW,
     .also = served_by_the_l2,
     .set =
         {{"stall_long_scoreboard", 24e6}, {"l1_load_bytes", 4e3}, {"dram_read_bytes", 1e3}, {"dram_write_bytes", 0}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "DRAM bandwidth 1e+07 B/s\n"
             "warps wait for the L2 75 % of their time, with at most 4 B in flight a thread\n"
             "load 16 bytes per lane, then issue more loads before the first use\n",
     .takes = "loads_s 3.125"},
    {.sized = true,
     .rule = "long-scoreboard", /* the L1 has at a ninth of the L2's latency more than nine tenths of the sectors */
     NARROW,
     .also = near_l1,
     .set = {{"stall_long_scoreboard", 24e6},
             {"l1_load_bytes", 4e3},
             {"l1_load_sectors", 1000},
             {"l1_load_sectors_hit", 910},
             {"dram_read_bytes", 1e3},
             {"dram_write_bytes", 0}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "DRAM bandwidth 1e+07 B/s\n"
             "warps wait for the L1 75 % of their time, with at most 4 B in flight a thread\n"
             "load 16 bytes per lane, then issue more loads before the first use\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* the L1 has fewer of the sectors */
     NARROW,
     .also = near_l1,
     .set = {{"stall_long_scoreboard", 24e6},
             {"l1_load_bytes", 4e3},
             {"l1_load_sectors", 1000},
             {"l1_load_sectors_hit", 890},
             {"dram_read_bytes", 1e3},
             {"dram_write_bytes", 0}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "DRAM bandwidth 1e+07 B/s\n"
             "warps wait for the L1 and the L2 75 % of their time, with at most 4 B in flight a thread\n"
             "load 16 bytes per lane, then issue more loads before the first use\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* the L1 has half of the sectors */
     NARROW,
     .also = near_l1,
     .set = {{"stall_long_scoreboard", 24e6},
             {"l1_load_bytes", 4e3},
             {"l1_load_sectors", 1000},
             {"l1_load_sectors_hit", 500},
             {"dram_read_bytes", 1e3},
             {"dram_write_bytes", 0}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "DRAM bandwidth 1e+07 B/s\n"
             "warps wait for the L2 75 % of their time, with at most 4 B in flight a thread\n"
             "load 16 bytes per lane, then issue more loads before the first use\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* one and a half times as much: DRAM serves most */
     NARROW,
     .also = half_more_by_the_l2,
     .set =
         {{"stall_long_scoreboard", 24e6}, {"l1_load_bytes", 4e3}, {"dram_read_bytes", 1e3}, {"dram_write_bytes", 0}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "DRAM bandwidth 1e+07 B/s\n"
         "bytes in flight at most 1.024e+04 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for loads 75 % of their time, with 4 B in flight a thread: 10 KiB from DRAM on the chip, where 0.95 MiB keep it busy\n"
         "load 16 bytes per lane, then issue more loads before the first use\n",
     .takes = "loads_s 3.125"},
    {.sized = true,
     .rule =
         "long-scoreboard", /* 128 of a byte would fit, but a warp has 100 loads: one batch of them; nobody wrote the address */
     .lines = {"LDG.E.U8 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "@P0 BRA 0x0", "EXIT"},
     .executed = {32e3, 32e3, 32e3, 1},
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "bytes in flight at most 1.024e+04 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for loads 75 % of their time, with 1 B in flight a thread: 10 KiB from DRAM on the chip, where 0.95 MiB keep it busy\n"
         "issue more loads before the first use: unroll, or load the next tile ahead\n",
     .takes = "loads_s 1"},
    {.sized = true,
     .rule = "long-scoreboard", /* 2.5 times as much */
     NARROW,
     .also = more_by_the_l2,
     .set =
         {{"stall_long_scoreboard", 24e6}, {"l1_load_bytes", 4e3}, {"dram_read_bytes", 1e3}, {"dram_write_bytes", 0}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "DRAM bandwidth 1e+07 B/s\n"
             "warps wait for the L2 75 % of their time, with at most 4 B in flight a thread\n"
             "load 16 bytes per lane, then issue more loads before the first use\n",
     .takes = "loads_s 3.125"},
    {.sized = true,
     .rule = "long-scoreboard", /* no loop: a thread has no turn to begin ahead */
     WIDE_ONCE,
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         LITTLE("1.638e+05", "16",
                "0.16 MiB") "give each thread several elements (2 to 4), with all their loads before the first use\n",
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule = "long-scoreboard",
     NARROW_ONCE,
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "4.096e+04", "4",
         "40 KiB") "give each thread several elements (2 to 4), 16 bytes per lane where aligned, with all their loads before the first use\n",
     .takes = "loads_s 3.125"},
    {.sized = true,
     .rule = "long-scoreboard", /* 80 blocks, of which 40 are resident: starting them takes 90 of 100 us */
     WIDE_ONCE,
     .also = slow_starts,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "1.638e+05", "16",
         "0.16 MiB") "give each thread several elements (2 to 4), with all their loads before the first use: the same change as [small-blocks]\n",
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule = "long-scoreboard", /* four loads of 16 bytes are as many elements as a thread would be given */
     WIDE_FOUR_TIMES,
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "1.638e+05", "16",
         "0.16 MiB") "issue all loads of a thread before the first use: move them ahead of branches and arithmetic\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* three of them stand behind a barrier */
     .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "BAR.SYNC.DEFER_BLOCKING 0x0",
               "LDG.E.128 R8, desc[UR4][R2.64+0x200]", "FADD R4, R8, R9", "LDG.E.128 R8, desc[UR4][R2.64+0x400]",
               "FADD R4, R8, R9", "LDG.E.128 R8, desc[UR4][R2.64+0x600]", "FADD R4, R8, R9", "EXIT"},
     .executed = {8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 8e3, 1},
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "1.638e+05", "16",
         "0.16 MiB") "issue all loads of a thread before the first barrier: the later ones wait behind it and need nothing from it\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* and no register is left for them */
     WIDE_FOUR_TIMES,
     .also = full_of_registers,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "1.638e+05", "16",
         "0.16 MiB") "fewer elements per thread, on more threads: all registers are in use, so that later loads wait\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* a block has a row, in accesses of 16 bytes */
     .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "SHFL.BFLY PT, R4, R8, 0x1, 0x1f", "STG.E.128 desc[UR4][R2.64], R4",
               "EXIT"},
     .executed = {32e3, 32e3, 32e3, 1},
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "1.638e+05", "16",
         "0.16 MiB") "let one block or warp do the work of several, with the loads of all before the first use\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* all blocks are resident: threads of more elements would be fewer */
     WIDE_ONCE,
     .also = one_wave,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "1.638e+05", "16",
         "0.16 MiB") "issue all loads of a thread before the first use: move them ahead of branches and arithmetic\n",
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule = "long-scoreboard", /* likewise where as many are in flight as Little's law needs */
     WIDE_ONCE,
     .also = hundred_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "bytes in flight at most 1.638e+05 B\n"
         "bytes that Little's law needs 1e+05 B\n"
         "warps wait for loads 75 % of their time, though 0.2 MiB can be in flight and 0.1 MiB keep DRAM busy: loads come in bursts\n"
         "give each thread several elements (2 to 4), with all their loads before the first use\n",
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule = "long-scoreboard", /* half of the loads and one more stand in a loop */
     .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R2.64]", "FADD R4, R8, R9",
               "LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "@P0 BRA 0x30", "EXIT"},
     .executed = {50, 50, 50, 101, 101, 101, 50},
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE("1.638e+05", "16",
                    "0.16 MiB") "issue more loads before the first use: unroll, or load the next tile ahead\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* the loop is left in its first turn: it has no next tile */
     .lines = {"S2R R0, SR_TID.X", "LDG.E.128 R8, desc[UR4][R2.64]", "STS.128 [R4], R8", "@P0 BRA 0x10", "EXIT"},
     .executed = {32e3, 32e3, 32e3, 32e3, 32e3},
     .also = hundred_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "bytes in flight at most 1.638e+05 B\n"
         "bytes that Little's law needs 1e+05 B\n"
         "warps wait for loads 75 % of their time, though 0.2 MiB can be in flight and 0.1 MiB keep DRAM busy: loads come in bursts\n"
         "give each thread several elements (2 to 4), with all their loads before the first use\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* half of the loads behind a barrier */
     BARRED,
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "1.638e+05", "16",
         "0.16 MiB") "give each thread several elements (2 to 4), with all their loads before the first barrier\n"},
    {.sized = true,
     .rule = "long-scoreboard",
     BARRED,
     .also = one_wave,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "1.638e+05", "16",
         "0.16 MiB") "issue all loads of a thread before the first barrier: the later ones wait behind it and need nothing from it\n"},
    {.rule = "long-scoreboard", /* a tile is loaded in the loop */
     .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "STS.128 [R4], R8", "@P0 BRA 0x0", "EXIT"},
     .executed = {32e3, 32e3, 32e3, 1},
     .also = hundred_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "bytes in flight at most 1.638e+05 B\n"
         "bytes that Little's law needs 1e+05 B\n"
         "warps wait for loads 75 % of their time, though 0.2 MiB can be in flight and 0.1 MiB keep DRAM busy: loads come in bursts\n"
         "load the next tile before computing this one: two buffers, in registers or by cp.async\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* the caches serve all of it */
     WIDE,
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}, {"l1_load_bytes", 1e3}, {"dram_read_bytes", 0}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "bytes that Little's law needs 1e+06 B\n"
             "75 % of warp cycles wait for loads (long_scoreboard)\n"
             "issue more loads before the first use: unroll, or load the next tile ahead\n",
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule = "long-scoreboard", /* what a thread has in flight is not known: a second tile */
     .lines = {"UBLKCP.S.G [UR4], [UR6], UR8", "LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT"},
     .executed = {1, 32e3, 32e3, 1},
     .also = copies,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "shared memory that bulk copies can fill 1.311e+06 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for copies 75 % of their time, though bulk copies can fill 1.2 MiB and 1.0 MiB keep DRAM busy: they start late\n"
         "issue the first copy before anything else, free slots as soon as they are read, balance the last rows\n",
     .takes = "loads_s 50"},
    {.sized = true, /* no code: what was counted stands in for its batches */
     .rule = "long-scoreboard",
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}, {"l1_load_requests", 32e3}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "bytes that Little's law needs 1e+06 B\n"
             "75 % of warp cycles wait for loads (long_scoreboard)\n"
             "issue more loads before the first use: unroll, or load the next tile ahead\n",
     .takes = "loads_s 50"},
    {.rule = "long-scoreboard",
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 320},
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}}},
    {.rule = "dependent-loads",
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 320},
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "75 % long_scoreboard: LDG at 0x0010 takes its address from an earlier load\n"
             "break the chain: load indices ahead, or follow 4 chains per thread\n",
     .takes = "loads_s 25"},
    {.rule = "dependent-loads", /* no stall is counted */
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 320},
     .also = thousand_cycles,
     .says = "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "LDG at 0x0010 takes its address from an earlier load\n"
             "break the chain: load indices ahead, or follow 4 chains per thread\n",
     .takes = "loads_s 25"},
    {.rule = "dependent-loads", /* a load decides whether the other runs */
     .lines = {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "IADD3 R2, R2, 0x4, RZ", "FSETP.NEU.AND P5, PT, R8, RZ, PT",
               "@P5 LDG.E R9, desc[UR4][R4.64]", "IADD3 R4, R4, 0x4, RZ", "FADD R10, R9, R10", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 320},
     .also = thousand_cycles,
     .says = "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "LDG at 0x0040 waits until an earlier load's value was tested\n"
             "load it without the test (a select behind it), or test several elements side by side\n",
     .takes = "loads_s 25"},
    {.rule = "dependent-loads", WIDE, .also = thousand_cycles, .set = {{"stall_long_scoreboard", 24e6}}},
};

/* --- a warp by itself --- */

static void least_4000(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 4000;
}

/* 768 instructions fill 12 KiB. */
static void large_code(struct made_diagnosis *d, size_t n, size_t loop) {
  static struct run_instruction large[1024];
  for (size_t k = 0; k < n; k++)
    large[k] = (struct run_instruction){.offset = (uint32_t)(16 * k), .text = (char *)"FFMA R6, R2, R3, R6"};
  large[n - 1].text = (char *)"EXIT";
  if (loop)
    large[loop - 1].text = (char *)"@P0 BRA 0x0";
  d->kernel.sass = large;
  d->kernel.n_sass = n;
}

static void over_12_kib(struct made_diagnosis *d) {
  large_code(d, 769, 0);
}

static void just_12_kib(struct made_diagnosis *d) {
  large_code(d, 768, 0);
}

static void loop_of_12_kib(struct made_diagnosis *d) {
  large_code(d, 780, 768);
}

static void nothing_of_slots(struct made_diagnosis *d) {
  not_counted(d, "issue_active");
  not_counted(d, "warps_eligible");
}

#define ANY_CODE .lines = {"EXIT"}, .executed = {1}

#define LOCKED                                                                                                         \
  "75 % of warp cycles wait at a barrier, while the block asks for a lock in a loop\n"                                 \
  "fewer blocks per lock (more locks, shorter sections), or write partial results and add them up in a second kernel " \
  "(the estimate assumes that a quarter of the waits stays)\n"

/* 70 samples wait behind the barrier, of 7 warps of the block; the eighth polls. */
static void polls(struct made_diagnosis *d, uint64_t times) {
  static struct run_sample samples[2];
  samples[0] = (struct run_sample){.offset = 0x10, .reason = (char *)"long_scoreboard", .samples = times};
  samples[1] = (struct run_sample){.offset = 0x40, .reason = (char *)"barrier", .samples = 70};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
}

static void polls_for_half(struct made_diagnosis *d) {
  polls(d, 5);
}

static void polls_for_less(struct made_diagnosis *d) {
  polls(d, 4);
}

#define POLLED(asks, share)                                                                                            \
  .rule = "barrier", .also = (share),                                                                                  \
  .lines = {asks, "ISETP.EQ.AND P1, PT, R18, RZ, PT", "@P1 BRA 0x0", "BAR.SYNC.DEFER_BLOCKING 0x0", "EXIT"},           \
  .executed = {100, 100, 100, 8, 8}, .set = {{"stall_barrier", 24e6}}, .takes = "barriers_s 43.75"
#define POLLS                                                                                                          \
  .says = "barrier, share 0.75 ratio\n"                                                                                \
          "barrier, cycles 8 cycle\n"                                                                                  \
          "issue slots used 0.75 ratio\n"                                                                              \
          "75 % of warp cycles wait at a barrier, while a warp of the block polls for what another block writes\n"     \
          "let blocks hand on less often (more work in each), look back without waiting (decoupled look-back), or do " \
          "what they hand on in a second kernel\n"
#define POLLS_NOT                                                                                                      \
  .says = "barrier, share 0.75 ratio\n"                                                                                \
          "barrier, cycles 8 cycle\n"                                                                                  \
          "issue slots used 0.75 ratio\n"                                                                              \
          "75 % of warp cycles wait at a barrier for other warps of the block\n"                                       \
          "use smaller blocks, or more elements per thread between two barriers "                                      \
          "(the estimate assumes that a quarter of the waits stays)\n"

/* 8 warps through the 8 levels of 256 threads: 576 instructions, of which 80 shuffles with as many sums and 16 accesses take 176. */
#define TREE                                                                                                           \
  .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0",                                                                             \
            "SHF.R.U32.HI R6, RZ, 0x1, R6",                                                                            \
            "ISETP.GE.AND P1, PT, R9, R6, PT",                                                                         \
            "@!P1 LDS R3, [R4]",                                                                                       \
            "@!P1 LDS R2, [R4+0x40]",                                                                                  \
            "@!P1 FADD R3, R3, R2",                                                                                    \
            "@!P1 STS [R4], R3",                                                                                       \
            "ISETP.NE.AND P2, PT, R6, RZ, PT",                                                                         \
            "@P2 BRA 0x0",                                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {64, 64, 64, 64, 64, 64, 64, 64, 64, 8}
#define SHUFFLES                                                                                                       \
  "replace the tree: several elements per thread in registers, then warp shuffles (__shfl_down_sync), then one "       \
  "barrier and one value per warp\n"

static const struct judged_case WAITS[] = {
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
    {.rule = "barrier", /* 75 us: three quarters go */
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier, cycles 8 cycle\n"
             "issue slots used 0.75 ratio\n"
             "75 % of warp cycles wait at a barrier for other warps of the block\n"
             "give warps equal work between barriers, use smaller blocks, or replace the barrier by warp shuffles "
             "(the estimate assumes that a quarter of the waits stays)\n",
     .takes = "barriers_s 43.75",
     .silent = {{"stall_barrier", 0}}},
    {.rule = "barrier", /* its divisions go, too: 128 of 256 on the XU */
     .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0", "SHF.R.U32.HI R6, RZ, 0x1, R6", "I2F.U32.RP R7, R6", "MUFU.RCP R7, R7",
               "ISETP.GE.AND P1, PT, R9, R6, PT", "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R4+0x40]", "@!P1 FADD R3, R3, R2",
               "@!P1 STS [R4], R3", "@P1 BRA 0x0", "EXIT"},
     .executed = {64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64},
     .set = {{"inst_executed", 1280}, {"stall_barrier", 24e6}, {"pipe_xu", 256}},
     .says =
         "barrier, share 0.75 ratio\n"
         "barrier, cycles 8 cycle\n"
         "issue slots used 0.75 ratio\n"
         "75 % of warp cycles wait at barriers, most in a tree reduction through shared memory, which is 50 % of all instructions\n" SHUFFLES,
     .takes = "inst 536, xu 500, own_issue_s 53.607, dependencies_s 53.6, barriers_s 43.75"},
    /* 96 of 192 accesses go; of the barriers 7 of 8, but a quarter of 75 us stays; 80 shuffles of 27 cycles in 320 warps */
    {.rule = "barrier",
     TREE,
     .set = {{"inst_executed", 800},
             {"stall_barrier", 24e6},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 800},
             {"pipe_lsu", 960},
             {"pipe_alu", 1920},
             {"pipe_fma", 640}},
     .says =
         "barrier, share 0.75 ratio\n"
         "barrier, cycles 8 cycle\n"
         "issue slots used 0.75 ratio\n"
         "75 % of warp cycles wait at barriers, most in a tree reduction through shared memory, which is 72 % of all instructions\n" SHUFFLES,
     .takes =
         "inst 600, alu 900, fma 900, fma_heavy 900, lsu 900, l1_wavefronts 600, own_issue_s 60.007, dependencies_s 60, barriers_s 43.75"},
    /* Triton's lock: one thread swaps, all wait for what it got */
    {.rule = "barrier", /* most barriers are others */
     .lines = {"BAR.SYNC 0x0", "@!P0 LDS R3, [R4]", "@!P0 LDS R2, [R4+0x40]", "@!P0 FADD R3, R3, R2",
               "@!P0 STS [R4], R3", "BAR.SYNC 0x0", "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R4+0x20]",
               "@!P1 FADD R3, R3, R2", "@!P1 STS [R4], R3", "EXIT"},
     .executed = {500, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier, cycles 8 cycle\n"
             "issue slots used 0.75 ratio\n"
             "75 % of warp cycles wait at a barrier for other warps of the block\n"
             "use smaller blocks, or replace the barrier by warp shuffles "
             "(the estimate assumes that a quarter of the waits stays)\n"},
    {.rule = "shared-memory", /* nobody waits at its barriers, or `barrier` has said it */
     TREE,
     .set = {{"l1_wavefronts", 7.5e5}, {"shared_wavefronts", 6e5}},
     .says =
         "shared_wavefronts 6e+05 -\n"
         "GENERAL shared memory takes 80 % of the cycles of the L1's data stage, which is busy 75 % of the time\n" SHUFFLES,
     .silent = {{"stall_barrier", 24e6}}},
    {.rule = "shared-memory", /* two levels of a warp: 2 shuffles for 6 accesses, of 7 */
     .lines = {"@!P0 LDS R3, [R4]", "@!P0 LDS R2, [R4+0x40]", "@!P0 FADD R3, R3, R2", "@!P0 STS [R4], R3",
               "BAR.SYNC 0x0", "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R4+0x20]", "@!P1 FADD R3, R3, R2",
               "@!P1 STS [R4], R3", "STS [R11], R8", "EXIT"},
     .executed = {100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 1},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 800}, {"pipe_lsu", 1000}},
     .says =
         "shared_wavefronts 800 -\n"
         "GENERAL shared memory takes 80 % of the cycles of the L1's data stage, which is busy 0 % of the time\n" SHUFFLES,
     .takes = "inst 500, lsu 600, l1_wavefronts 542.86, own_issue_s 50.017, dependencies_s 50"},
    {.rule = "barrier",
     .lines = {"ATOMG.E.CAS.STRONG.GPU PT, R18, desc[UR6][R54.64], R18, R19", "@!P0 STS [UR4], R18",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "LDS R18, [UR4]", "ISETP.NE.U32.AND P1, PT, R18, 0x1, PT", "@!P1 BRA 0x0",
               "EXIT"},
     .executed = {4, 4, 4, 4, 4, 4, 1},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier, cycles 8 cycle\n"
             "issue slots used 0.75 ratio\n" LOCKED,
     .takes = "barriers_s 43.75"},
    /* CUTLASS's semaphore polls by a load that passes the L1; where nobody splits a sum over blocks, it stands in the code and does not run */
    {.rule = "barrier",
     .lines = {"@P0 BRA 0x50", "LDG.E.STRONG.GPU R18, desc[UR6][R54.64]", "ISETP.NE.U32.AND P1, PT, R18, 0x1, PT",
               "BAR.RED.AND.DEFER_BLOCKING 0x0, P1", "@!P1 BRA 0x10", "EXIT"},
     .executed = {1, 0, 0, 0, 0, 1},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier, cycles 8 cycle\n"
             "issue slots used 0.75 ratio\n"
             "75 % of warp cycles wait at a barrier for other warps of the block\n"
             "use smaller blocks, or more elements per thread between two barriers "
             "(the estimate assumes that a quarter of the waits stays)\n",
     .takes = "barriers_s 43.75"},
    {.rule = "barrier",
     .lines = {"LDG.E.STRONG.GPU R18, desc[UR6][R54.64]", "ISETP.NE.U32.AND P1, PT, R18, 0x1, PT",
               "BAR.RED.AND.DEFER_BLOCKING 0x0, P1", "@!P1 BRA 0x0", "EXIT"},
     .executed = {4, 4, 4, 4, 1},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier, cycles 8 cycle\n"
             "issue slots used 0.75 ratio\n" LOCKED,
     .takes = "barriers_s 43.75"},
    {POLLED("ATOMG.E.ADD.STRONG.GPU PT, R18, desc[UR6][R22.64], RZ", polls_for_half), POLLS},
    {POLLED("LDG.E.STRONG.SYS R18, desc[UR6][R22.64]", polls_for_half), POLLS},
    {POLLED("ATOMG.E.ADD.STRONG.GPU PT, R18, desc[UR6][R22.64], RZ", polls_for_less), POLLS_NOT},
    {POLLED("ATOMG.E.ADD.STRONG.GPU PT, R18, desc[UR6][R22.64], R19", polls_for_half), POLLS_NOT},
    {POLLED("LDG.E R18, desc[UR6][R22.64]", polls_for_half), POLLS_NOT},
    {POLLED("ATOMS.ADD R18, [R22], RZ", polls_for_half), POLLS_NOT},
    {.rule = "barrier", /* a lock that is asked for by an exchange */
     .lines = {"ATOMG.E.EXCH.STRONG.GPU PT, R18, desc[UR6][R54.64], R19", "BAR.SYNC.DEFER_BLOCKING 0x0", "@!P1 BRA 0x0",
               "EXIT"},
     .executed = {4, 4, 4, 1},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier, cycles 8 cycle\n"
             "issue slots used 0.75 ratio\n" LOCKED,
     .takes = "barriers_s 43.75"},
    {.rule = "barrier", /* sums ask for nothing */
     .lines = {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8", "ATOMS.ADD R4, [R2], R4",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "@!P1 BRA 0x0", "EXIT"},
     .executed = {4, 4, 4, 4, 1},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier, cycles 8 cycle\n"
             "issue slots used 0.75 ratio\n"
             "75 % of warp cycles wait at a barrier for other warps of the block\n"
             "use smaller blocks, or more elements per thread between two barriers "
             "(the estimate assumes that a quarter of the waits stays)\n",
     .takes = "barriers_s 43.75"},
    /* a lock of the block's own, in shared memory, and a swap outside of the loop */
    {.rule = "barrier",
     .lines = {"ATOMG.E.CAS.STRONG.GPU PT, R18, desc[UR6][R54.64], R18, R19", "ATOMS.CAS R18, [R4], R18, R19",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "@!P1 BRA 0x10", "EXIT"},
     .set = {{"stall_barrier", 24e6}},
     .says = "barrier, share 0.75 ratio\n"
             "barrier, cycles 8 cycle\n"
             "issue slots used 0.75 ratio\n"
             "75 % of warp cycles wait at a barrier for other warps of the block\n"
             "use smaller blocks, or more elements per thread between two barriers "
             "(the estimate assumes that a quarter of the waits stays)\n",
     .takes = "barriers_s 43.75"},
    /* 50 us beyond issuing, and of 10 us three quarters for the XU; a quarter stays */
    {.rule = "dependent-chain",
     .set = {{"stall_wait", 24e6},
             {"stall_selected", 8e6},
             {"stall_short_scoreboard", 3.2e6},
             {"shared_wavefronts", 100},
             {"pipe_xu", 300}},
     .says = "wait, share 0.75 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n"
             "75 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"
             "more instruction-level parallelism: 4 independent accumulators per thread, or more warps\n",
     .takes = "dependencies_s 56.875"},
    {.rule = "dependent-chain", /* how many warps are eligible was not counted */
     .also = nothing_of_slots,
     .set = {{"stall_wait", 24e6}, {"stall_selected", 8e6}},
     .says = "wait, share 0.75 ratio\n"
             "75 % of warp cycles wait for the previous result (wait)\n"
             "more instruction-level parallelism: 4 independent accumulators per thread, or more warps\n",
     .takes = "dependencies_s 62.5"},
    {.rule = "dependent-chain", /* short waits are for nothing that is counted */
     .set = {{"stall_wait", 0}, {"stall_short_scoreboard", 3.2e6}},
     .says = "wait, share 0 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n"
             "0 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"
             "more instruction-level parallelism: 4 independent accumulators per thread, or more warps\n",
     .takes = "dependencies_s 92.5"},
    {.rule = "dependent-chain", /* what cannot be split into several sums */
     .lines = {"FMUL R4, R4, R6", "@P0 BRA 0x0", "EXIT"},
     .executed = {50, 50, 1},
     .set = {{"stall_wait", 24e6}, {"stall_selected", 8e6}},
     .says =
         "wait, share 0.75 ratio\n"
         "eligible warps 0.25 warp\n"
         "issue slots used 0.75 ratio\n"
         "75 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"
         "each turn needs the one before (FMUL at 0x0000): take out of the loop what does not, or give a thread several such chains\n"},
    {.rule = "dependent-chain", .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}}, .takes = ""},
    {.rule = "dependent-chain", .set = {{"stall_wait", 8e6}, {"stall_selected", 9e6}}, .takes = ""},
    {.rule = "dependent-chain", /* no result is read in the code */
     .lines = {"FADD R8, R2, R3", "FADD R9, R4, R5", "EXIT"},
     .executed = {1e6, 1e6, 1},
     .set = {{"stall_wait", 8e6}},
     .takes = ""},
    {.rule =
         "dependent-chain", /* 3 cycles of 1,000,000 instructions, of 320 warps: 9.375 us, of which a quarter stays */
     .lines = {"FADD R8, R2, R3", "FADD R9, R8, R5", "EXIT"},
     .executed = {1e6, 1e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}},
     .says = "wait, share 0.25 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n"
             "25 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"
             "more instruction-level parallelism: several elements per thread, worked on side by side, or more warps\n",
     .takes = "dependencies_s 92.969"},
    {.rule =
         "dependent-chain", /* a sum is read in the next turn, two instructions later: 2 cycles of 1,600,000 turns */
     .lines = {"FADD R8, R8, R2", "@P0 BRA 0x0", "EXIT"},
     .executed = {1.6e6, 1.6e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}},
     .says = "wait, share 0.25 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n"
             "25 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"
             "more instruction-level parallelism: 4 independent accumulators per thread, or more warps\n",
     .takes = "dependencies_s 92.5"},
    {.sized = true,
     .rule = "dependent-chain", /* four elements of 16 bytes are several already */
     FOUR_STORED,
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}, {"stall_short_scoreboard", 3.2e6}},
     .says = "wait, share 0.25 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n"
             "25 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"
             "work on a thread's elements side by side: interleave their instructions, or more warps\n"},
    {.rule = "dependent-chain", /* four are side by side already; each is read six instructions later */
     .lines = {"FADD R8, R8, R2", "FADD R9, R9, R2", "FADD R10, R10, R2", "FADD R11, R11, R2", "FADD R11, R11, R3",
               "@P0 BRA 0x0", "EXIT"},
     .executed = {1.6e6, 1.6e6, 1.6e6, 1.6e6, 1.6e6, 1.6e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}},
     .says = "wait, share 0.25 ratio\n"
             "eligible warps 0.25 warp\n"
             "issue slots used 0.75 ratio\n"
             "25 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"
             "the loop's 4 sums are independent already: interleave their instructions, or more warps\n"},
    {.rule = "dependent-chain", /* each turn stores what it has: there is no sum to keep four of */
     .lines = {"FADD R8, R8, R2", "STG.E desc[UR4][R4.64], R8", "@P0 BRA 0x0", "EXIT"},
     .executed = {1.6e6, 1.6e6, 1.6e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}},
     .says =
         "wait, share 0.25 ratio\n"
         "eligible warps 0.25 warp\n"
         "issue slots used 0.75 ratio\n"
         "25 % of warp cycles wait for the previous result (wait); 0.25 eligible warps per scheduler\n"
         "more instruction-level parallelism: several elements per thread, worked on side by side, or more warps\n"},
    {.rule = "dependent-chain", /* nor in a block that does not turn */
     .lines = {"FADD R8, R8, R2", "FADD R9, R3, R2", "EXIT"},
     .executed = {1.6e6, 1.6e6, 1},
     .set = {{"stall_wait", 8e6}, {"stall_selected", 8e6}},
     .takes = ""},
    {.rule = "instruction-cache",
     ANY_CODE,
     .also = over_12_kib,
     .set = {{"stall_no_instruction", 24e6}, {"icache_misses", 30}, {"icache_requests", 100}},
     .says = "no instruction, share 0.75 ratio\n"
             "size of the hot loop's code 1.23e+04 B\n"
             "icache_misses 30 -\n"
             "icache_requests 100 -\n"
             "75 % of warp cycles wait for instruction fetch; the hot loop has 12 KiB of code\n"
             "unroll less, or loop over a table, so that the loop fits the instruction cache\n",
     .takes = "dependencies_s 25",
     .silent = {{"stall_no_instruction", 0}}},
    {.rule = "instruction-cache", ANY_CODE, .also = just_12_kib, .set = {{"stall_no_instruction", 24e6}}},
    {.rule = "instruction-cache", ANY_CODE, .also = loop_of_12_kib, .set = {{"stall_no_instruction", 24e6}}},
    {.rule = "instruction-cache", .set = {{"stall_no_instruction", 24e6}}},
    {.rule = "instruction-cache", /* the code of what is called is not there to be measured */
     .lines = {"CALL.ABS.NOINC `(_Z1fPf)", "CALL.ABS.NOINC `(_Z1gPf)", "EXIT"},
     .executed = {10, 20, 10},
     .set = {{"stall_no_instruction", 24e6}, {"icache_misses", 30}},
     .says =
         "no instruction, share 0.75 ratio\n"
         "icache_misses 30 -\n"
         "75 % of warp cycles wait for instruction fetch; the kernel calls functions (CALL at 0x0010)\n"
         "inline what is called (with -rdc: compile as one unit, or link with -dlto); loop over rounds rather than unroll them, so "
         "that the loop fits the cache\n",
     .takes = "dependencies_s 25",
     .silent = {{"stall_no_instruction", 0}}},
    {.rule = "instruction-cache", /* the compiler's own are short */
     .lines = {"CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_rn_f32)", "EXIT"},
     .executed = {10, 10},
     .set = {{"stall_no_instruction", 24e6}}},
};

/* --- shared memory --- */

static void conflicts_of_lds(struct made_diagnosis *d) {
  d->counts[0].shared_wavefronts = 400;
  d->counts[0].shared_wavefronts_ideal = 100;
}

#define SWAPS                                                                                                          \
  .lines = {"MOV R8, 0x4",   "LDS R10, [R8]", "FADD R11, R4, R10", "ATOMS.CAST.SPIN R11, [R8], R10, R11",              \
            "@!P0 BRA 0x10", "EXIT"}

/* What a load brings is the index of a table. */
#define TABLE(reads, other)                                                                                            \
  .lines = {"S2R R0, SR_TID.X", "LDG.E R5, desc[UR4][R0.64]", reads, other, "FADD R5, R5, R5", "EXIT"},                \
  .executed = {100, 100, 100, 100, 100, 1}
#define TABLE_REMEDY                                                                                                   \
  "copy the table to shared memory, or compute its values (bits: __popc, __popcll); constant memory is for what all "  \
  "lanes read alike\n"

static void sampled_constants(struct made_diagnosis *d) {
  static struct run_sample of[4];
  of[0] = (struct run_sample){.offset = 32, .reason = (char *)"mio_throttle", .samples = 30};
  of[1] = (struct run_sample){.offset = 48, .reason = (char *)"mio_throttle", .samples = 10};
  of[2] = (struct run_sample){.offset = 64, .reason = (char *)"short_scoreboard", .samples = 20};
  of[3] = (struct run_sample){.offset = 16, .reason = (char *)"short_scoreboard", .samples = 20};
  d->m.results[0].samples = of;
  d->m.results[0].n_samples = 4;
}

static void with_shared(struct made_diagnosis *d) {
  d->m.results[0].launches->smem_dynamic = 1024;
}

static const struct judged_case SHARED[] = {
    /* 500 of 800 cycles go that atomics do not repeat; short waits: 10 us, 800 parts of 1,000 */
    {.rule = "bank-conflicts",
     .set = {{"l1_wavefronts", 1000},
             {"shared_wavefronts", 800},
             {"shared_bank_conflicts", 600},
             {"shared_atomic_conflicts", 100},
             {"pipe_xu", 200},
             {"stall_short_scoreboard", 3.2e6},
             {"stall_mio_throttle", 8e6}},
     .says = "shared_bank_conflicts 600 -\n"
             "shared_wavefronts 800 -\n"
             "short scoreboard, share 0.1 ratio\n"
             "MIO throttle, share 0.25 ratio\n"
             "75 % of shared-memory cycles repeat an access: lanes collide in a bank\n"
             "pad or swizzle the shared array so that the lanes of a warp hit different banks\n",
     .takes = "l1_wavefronts 500, dependencies_s 95",
     .silent = {{"shared_bank_conflicts", 100}}},
    {.rule = "bank-conflicts", /* fewer conflicts than atomics have of them: nothing is taken, and nothing is given */
     .set = {{"l1_wavefronts", 1000},
             {"shared_wavefronts", 800},
             {"shared_bank_conflicts", 100},
             {"shared_atomic_conflicts", 300}},
     .takes = ""},
    /* 6e5 of 7.5e5 cycles, 4.5e5 of them repeats: half of 1.5e5 goes.  Short waits: 10 us, 60
     * parts of 100, of which an eighth.  50 instructions go. */
    {.rule = "shared-memory",
     .lines = {"LDS R4, [R2]", "STS [R2], R4", "EXIT"},
     .executed = {60, 40, 1},
     .set = {{"l1_wavefronts", 7.5e5},
             {"shared_wavefronts", 6e5},
             {"shared_bank_conflicts", 4.5e5},
             {"pipe_xu", 40},
             {"pipe_lsu", 500},
             {"stall_short_scoreboard", 3.2e6},
             {"stall_mio_throttle", 8e6}},
     .says =
         "shared_wavefronts 6e+05 -\n"
         "MIO throttle, share 0.25 ratio\n"
         "short scoreboard, share 0.1 ratio\n"
         "GENERAL shared memory takes 80 % of the cycles of the L1's data stage, which is busy 75 % of the time\n"
         "use each value more often once it is read (more outputs per thread), or wider shared accesses (the estimate assumes half)\n",
     .takes = "inst 950, lsu 900, l1_wavefronts 900, own_issue_s 95, dependencies_s 94.287",
     .silent = {{"shared_bank_conflicts", 6e5}, {"l1_wavefronts", 0}}},
    {.rule = "shared-memory", /* all of the L1's cycles, of which LDGSTS has more; half of 800 */
     .set = {{"l1_wavefronts", 750}, {"shared_wavefronts", 800}},
     .says =
         "shared_wavefronts 800 -\n"
         "GENERAL shared memory takes 100 % of the cycles of the L1's data stage, which is busy 0 % of the time\n"
         "use each value more often once it is read (more outputs per thread), or wider shared accesses (the estimate assumes half)\n",
     .takes = "l1_wavefronts 466.67"},
    {.rule = "shared-memory", /* wgmma reads its operands there: there is no other place for them */
     .lines = {"HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24", "EXIT"},
     .executed = {10, 1},
     .set = {{"l1_wavefronts", 750}, {"shared_wavefronts", 600}}},
    {.rule = "shared-memory", /* likewise by their counter, without the code */
     .set = {{"l1_wavefronts", 750}, {"shared_wavefronts", 600}, {"async_mma_bf16_flops", 1e6}}},
    {.rule = "bank-conflicts", /* no other pipe shares the short waits */
     .set = {{"l1_wavefronts", 1000},
             {"shared_wavefronts", 800},
             {"shared_bank_conflicts", 600},
             {"stall_short_scoreboard", 3.2e6}},
     .says = "shared_bank_conflicts 600 -\n"
             "shared_wavefronts 800 -\n"
             "short scoreboard, share 0.1 ratio\n"
             "75 % of shared-memory cycles repeat an access: lanes collide in a bank\n"
             "pad or swizzle the shared array so that the lanes of a warp hit different banks\n",
     .takes = "l1_wavefronts 400, dependencies_s 92.5"},
    /* by the code: 300 of 400 cycles; of 10 us half are for LDS, SHFL and ATOMS */
    {.rule = "bank-conflicts",
     .lines = {"LDS R4, [R2]", "SHFL.DOWN PT, R4, R5, R6, R7", "ATOMS.ADD RZ, [R2], R4", "EXIT"},
     .executed = {60, 20, 20, 1},
     .also = conflicts_of_lds,
     .set = {{"pipe_xu", 100}, {"stall_short_scoreboard", 3.2e6}},
     .says = "short scoreboard, share 0.1 ratio\n"
             "75 % of shared-memory cycles repeat an access: lanes collide in a bank\n"
             "pad or swizzle the shared array so that the lanes of a warp hit different banks\n",
     .takes = "dependencies_s 96.25"},
    /* no access of shared memory: the cycles that are counted as its are another's; but a generic address may be of it */
    {.rule = "bank-conflicts",
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.DOWN PT, R4, R5, R6, R7",
               "CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath)", "EXIT"},
     .executed = {60, 20, 20, 1},
     .set = {{"shared_wavefronts", 400}, {"shared_bank_conflicts", 300}}},
    {.rule = "shared-memory",
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "EXIT"},
     .executed = {60, 1},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 400}}},
    {.rule = "bank-conflicts",
     .also = with_shared,
     .lines = {"LD.E R4, [R2.64]", "EXIT"},
     .executed = {60, 1},
     .set = {{"shared_wavefronts", 400}, {"shared_bank_conflicts", 300}},
     .says = "shared_bank_conflicts 300 -\n"
             "shared_wavefronts 400 -\n"
             "75 % of shared-memory cycles repeat an access: lanes collide in a bank\n"
             "pad or swizzle the shared array so that the lanes of a warp hit different banks\n"},
    {.rule = "bank-conflicts", /* the launch has none that it could be of */
     .lines = {"LD.E R4, [R2.64]", "EXIT"},
     .executed = {60, 1},
     .set = {{"shared_wavefronts", 400}, {"shared_bank_conflicts", 300}}},
    /* generic atomics: what stands there for shared memory never ran */
    {.rule = "shared-memory",
     .lines = {"ATOM.E.ADD.F16x2.RN.STRONG.GPU P0, RZ, desc[UR6][R2.64], R8", "@P0 EXIT", "LDS R4, [R2]",
               "ATOMS.CAST.SPIN R3, [R0], R2, R3", "EXIT"},
     .executed = {60, 60, 0, 0, 1},
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 400}, {"stall_short_scoreboard", 3.2e6}}},
    /* 100 shuffles, 40 accesses: half of 6e5 cycles; where the L1 is not what binds, 20 instructions of the accesses */
    {.rule = "shared-memory",
     .lines = {"SHFL.BFLY PT, R4, R5, 0x1, 0x1f", "STS [R2], R4", "LDS R4, [R2]", "EXIT"},
     .executed = {100, 20, 20, 1},
     .set = {{"l1_wavefronts", 1e6}, {"shared_wavefronts", 6e5}, {"pipe_lsu", 500}},
     .says =
         "shared_wavefronts 6e+05 -\n"
         "GENERAL 100 warp shuffles and 40 accesses of shared memory take 60 % of the cycles of the L1's data stage, "
         "which is busy 100 % of the time\n"
         "fewer shuffles: combine several elements per lane in registers first, and one warp per row (the estimate "
         "assumes half)\n",
     .takes = "inst 980, lsu 860, l1_wavefronts 700, own_issue_s 98, dependencies_s 98"},
    {.rule = "shared-memory", /* latency binds; sums of the whole grid have no rows */
     .lines = {"SHFL.DOWN PT, R4, R5, 0x1, 0x1f", "STS [R2], R4", "LDS R4, [R2]", "EXIT"},
     .executed = {100, 20, 20, 1},
     .set = {{"l1_wavefronts", 1e4},
             {"shared_wavefronts", 6e3},
             {"pipe_lsu", 500},
             {"stall_wait", 24e6},
             {"l2_atomic_sectors", 10}},
     .says =
         "shared_wavefronts 6000 -\n"
         "GENERAL 100 warp shuffles and 40 accesses of shared memory take 60 % of the cycles of the L1's data stage, "
         "which is busy 1 % of the time\n"
         "fewer shuffles: combine several elements per lane in registers first (the estimate assumes half)\n",
     .takes = "inst 980, lsu 960, l1_wavefronts 700, own_issue_s 98, dependencies_s 98"},
    {.rule = "shared-memory", /* 10 us of waits, 1 % of the L1 */
     .lines = {"SHFL.UP PT, R4, R5, 0x1, RZ", "LDS R4, [R2]", "EXIT"},
     .executed = {100, 40, 1},
     .set = {{"l1_wavefronts", 1e4}, {"shared_wavefronts", 6e3}, {"stall_short_scoreboard", 3.2e6}},
     .says =
         "shared_wavefronts 6000 -\n"
         "short scoreboard, share 0.1 ratio\n"
         "GENERAL warps wait for warp shuffles and shared memory 10 % of the time (short_scoreboard); the L1's data "
         "stage is busy 1 %\n"
         "fewer shuffles: scan several elements per lane in registers first (the estimate assumes half)\n"},
    {.rule = "shared-memory",
     .lines = {"SHFL.IDX PT, R4, R5, R6, 0x1f", "LDS R4, [R2]", "EXIT"},
     .executed = {41, 40, 1},
     .set = {{"l1_wavefronts", 1e6}, {"shared_wavefronts", 6e5}},
     .says =
         "shared_wavefronts 6e+05 -\n"
         "GENERAL 41 warp shuffles and 40 accesses of shared memory take 60 % of the cycles of the L1's data stage, "
         "which is busy 100 % of the time\n"
         "fewer shuffles: several elements per lane, so that fewer values change lanes (the estimate assumes half)\n"},
    {.rule = "shared-memory", /* as many accesses */
     .lines = {"SHFL.IDX PT, R4, R5, R6, 0x1f", "LDS.128 R4, [R2]", "EXIT"},
     .executed = {40, 40, 1},
     .set = {{"l1_wavefronts", 1e6}, {"shared_wavefronts", 6e5}},
     .says = "shared_wavefronts 6e+05 -\n"
             "GENERAL shared memory takes 60 % of the cycles of the L1's data stage, which is busy 100 % of the time\n"
             "use each value more often once it is read: more outputs per thread (the estimate assumes half)\n"},
    /* half of the cycles at the queue, a tenth for results; of 200 that go that way 100 */
    {.rule = "indexed-constants",
     TABLE("LDC.U8 R5, c[0x3][R5]", "FADD R8, R8, R9"),
     .set = {{"stall_mio_throttle", 16e6}, {"stall_short_scoreboard", 3.2e6}},
     .says =
         "constant loads at an index of each lane 100 inst\n"
         "MIO throttle, share 0.5 ratio\n"
         "short scoreboard, share 0.1 ratio\n"
         "60 % of warp cycles wait for constants at an index of each lane: the cache serves one address after the other\n" TABLE_REMEDY,
     .takes = "dependencies_s 90"},
    {.rule = "indexed-constants",
     TABLE("LDC.U8 R5, c[0x3][R5]", "SHFL.DOWN PT, R8, R9, R6, R7"),
     .set = {{"stall_mio_throttle", 16e6}, {"stall_imc_miss", 3.2e6}},
     .says =
         "constant loads at an index of each lane 100 inst\n"
         "MIO throttle, share 0.5 ratio\n"
         "constant miss, share 0.1 ratio\n"
         "30 % of warp cycles wait for constants at an index of each lane: the cache serves one address after the other\n" TABLE_REMEDY,
     .takes = ""},
    {.rule = "indexed-constants",
     TABLE("LDC.U8 R5, c[0x3][UR5]", "FADD R8, R8, R9"),
     .set = {{"stall_mio_throttle", 16e6}}},
    /* 40 of 80 samples at the queue, of which half are these loads', and 20 at what reads them */
    {.rule = "indexed-constants",
     TABLE("LDC.U8 R5, c[0x3][R5]", "SHFL.DOWN PT, R8, R9, R6, R7"),
     .also = sampled_constants,
     .says =
         "constant loads at an index of each lane 100 inst\n"
         "50 % of warp cycles wait for constants at an index of each lane: the cache serves one address after the other\n" TABLE_REMEDY},
    {.rule = "indexed-constants",
     TABLE("LDC.U8 R5, c[0x3][R5]", "FADD R8, R8, R9"),
     .set = {{"stall_mio_throttle", 6e5}}}, /* 1.9 % */
    {.rule = "hot-atomics",
     .set = {{"l1_wavefronts", 1000},
             {"shared_wavefronts", 800},
             {"shared_atomic_conflicts", 300},
             {"shared_atomic_wavefronts", 400},
             {"inst_shared_atomic", 50},
             {"pipe_xu", 200},
             {"stall_short_scoreboard", 3.2e6}},
     .says =
         "shared_atomic_wavefronts 400 -\n"
         "shared_atomic_conflicts 300 -\n"
         "inst_shared_atomic 50 -\n"
         "short scoreboard, share 0.1 ratio\n"
         "8.0 cycles per shared-memory atomic: lanes of a warp hit one address\n"
         "replicate the hot bins (one copy per warp or lane), or combine equal addresses in the warp first (match_any)\n",
     .takes = "l1_wavefronts 700, dependencies_s 97",
     .silent = {{"shared_atomic_conflicts", 0}, {"shared_atomic_wavefronts", 0}}},
    {.rule = "hot-atomics",
     .set = {{"shared_atomic_conflicts", 300}, {"shared_atomic_wavefronts", 400}, {"stall_short_scoreboard", 3.2e6}},
     .says =
         "shared_atomic_wavefronts 400 -\n"
         "shared_atomic_conflicts 300 -\n"
         "short scoreboard, share 0.1 ratio\n"
         "75 % of the shared atomics' cycles serialize lanes on one address\n"
         "replicate the hot bins (one copy per warp or lane), or combine equal addresses in the warp first (match_any)\n",
     .takes = ""},
    {.rule = "hot-atomics", /* counted in passes that differ: no more than all short waits go */
     .set = {{"l1_wavefronts", 1000},
             {"shared_wavefronts", 100},
             {"shared_atomic_conflicts", 150},
             {"shared_atomic_wavefronts", 160},
             {"stall_short_scoreboard", 3.2e6}},
     .says =
         "shared_atomic_wavefronts 160 -\n"
         "shared_atomic_conflicts 150 -\n"
         "short scoreboard, share 0.1 ratio\n"
         "94 % of the shared atomics' cycles serialize lanes on one address\n"
         "replicate the hot bins (one copy per warp or lane), or combine equal addresses in the warp first (match_any)\n",
     .takes = "l1_wavefronts 850, dependencies_s 90"},
    /* 10 entries of 40 turns: of 80 accesses 60 are repeats, and with 20 cycles of conflicts three quarters of the other 80 go; of
     * 4 x 40 instructions 4 x 30.  80 of 100 short waits are for shared memory: four fifths of 8 us, then 0.12 of the rest */
    {.rule = "hot-atomics",
     SWAPS,
     .executed = {10, 40, 40, 40, 40, 10},
     .set = {{"l1_wavefronts", 200},
             {"shared_wavefronts", 100},
             {"shared_atomic_conflicts", 20},
             {"shared_atomic_wavefronts", 50},
             {"pipe_xu", 20},
             {"pipe_lsu", 120},
             {"stall_short_scoreboard", 3.2e6}},
     .says =
         "shared_atomic_wavefronts 50 -\n"
         "shared_atomic_conflicts 20 -\n"
         "short scoreboard, share 0.1 ratio\n"
         "shared-memory atomics of this type are a compare-and-swap loop: 4.0 iterations each, because lanes hit one address\n"
         "replicate the hot bins (one copy per warp or lane), or combine equal addresses in the warp first (match_any)\n",
     .takes = "inst 880, lsu 500, l1_wavefronts 600, own_issue_s 88, dependencies_s 82.368"},
    {.rule = "hot-atomics", /* each swaps at once */
     SWAPS,
     .executed = {10, 10, 10, 10, 10, 10},
     .set = {{"l1_wavefronts", 200}, {"shared_wavefronts", 100}, {"shared_atomic_wavefronts", 50}},
     .takes = ""},
    {.rule = "hot-atomics", /* one cycle, and it is a conflict's */
     .set = {{"shared_atomic_conflicts", 1}, {"shared_atomic_wavefronts", 1}, {"inst_shared_atomic", 1}},
     .says =
         "shared_atomic_wavefronts 1 -\n"
         "shared_atomic_conflicts 1 -\n"
         "inst_shared_atomic 1 -\n"
         "1.0 cycles per shared-memory atomic: lanes of a warp hit one address\n"
         "replicate the hot bins (one copy per warp or lane), or combine equal addresses in the warp first (match_any)\n",
     .takes = "",
     .silent = {{"shared_atomic_conflicts", 0}, {"shared_atomic_wavefronts", 0}}},
};

/* --- atomics --- */

static void scattered_rate(struct made_diagnosis *d) {
  made_ceiling(&d->m, "red_scattered", 1e9, CEILING_MEASURED);
}

static void rates_of_slices(struct made_diagnosis *d) {
  scattered_rate(d);
  made_ceiling(&d->m, "red_slice_sectors", 8e8, CEILING_MEASURED);
}

static void slices_of_1e9(struct made_diagnosis *d) {
  made_ceiling(&d->m, "red_scattered", 1e12, CEILING_MEASURED);
  made_ceiling(&d->m, "red_slice_sectors", 1e9, CEILING_MEASURED);
}

static void one_full_wave(struct made_diagnosis *d) {
  d->m.results[0].launches->grid[0] = 40;
}

static void waves_5(struct made_diagnosis *d) {
  d->m.results[0].launches->grid[0] = 200;
}

#define LARGER_BLOCKS                                                                                                  \
  "fewer, larger blocks (a grid-stride loop over a grid of one wave), so that fewer atomics meet one address\n"
#define PRIVATISE                                                                                                      \
  "privatise in shared memory where what is added to fits there, else sort by address; then one atomic per address and block\n"
#define GATHER                                                                                                         \
  "sort by address, or let each result gather what is added to it (float adds in shared memory are loops)\n"
#define SUM_FIRST                                                                                                      \
  "sum what a thread or block adds to an address in registers or shared memory, then one atomic per address\n"
#define BINS                                                                                                           \
  "add up in shared memory, then one atomic per bin and block; in a grid of one wave (grid-stride loop) each block "   \
  "has many elements per bin\n"
#define HISTOGRAM                                                                                                      \
  .lines = {"LDG.E R3, desc[UR4][R2.64]", "IMAD.WIDE R4, R3, 0x4, R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7",   \
            "EXIT"},                                                                                                   \
  .executed = {100, 100, 100, 1}
#define SWAP_LOOP(computes)                                                                                            \
  .lines = {"LD.E R3, desc[UR4][R4.64]",                                                                               \
            computes,                                                                                                  \
            "ATOM.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7",                                                              \
            "ISETP.NE.U32.AND P0, PT, R6, R3, PT",                                                                     \
            "MOV R3, R6",                                                                                              \
            "@P0 BRA 0x10",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {100, 100, 100, 100, 100, 100, 1}
#define REDUCE "reduce within the block first (shuffles, shared memory), then one atomic per block\n"

static const struct judged_case ATOMICS[] = {
    /* 3,200 requests for 400 words: the lanes of a warp meet in 4 of them, 8 each; an eighth stays */
    {.rule = "atomics",
     .also = scattered_rate,
     .set = {{"l2_atomic_sectors", 4800},
             {"reduction_requests", 100},
             {"reduction_sectors", 3200},
             {"reduction_data_bytes", 1600}},
     .says = "atomic sectors 3200 sector\n"
             "warp-level atomics 100 inst\n"
             "time that they need 3.2e-06 s\n"
             "share of samples at atomics 0 ratio\n"
             "each of 100 warp-level atomics takes 8.0 requests, because that many lanes of the warp add to one word\n"
             "add up in the warp first (shuffles, or match_any where addresses differ), then one lane per word adds\n",
     .takes = "atomic_sectors 125, atomic_cycles_max 125, atomic_bursts 1"},
    {.rule = "atomics", /* 128 us of 100: what cannot be is no evidence */
     .also = scattered_rate,
     .set = {{"l2_atomic_sectors", 192000},
             {"reduction_requests", 4000},
             {"reduction_sectors", 128000},
             {"reduction_data_bytes", 64000}},
     .says = "atomic sectors 1.28e+05 sector\n"
             "warp-level atomics 4000 inst\n"
             "share of samples at atomics 0 ratio\n"
             "each of 4000 warp-level atomics takes 8.0 requests, because that many lanes of the warp add to one word\n"
             "add up in the warp first (shuffles, or match_any where addresses differ), then one lane per word adds\n",
     .takes = "atomic_sectors 125, atomic_cycles_max 125, atomic_bursts 1"},
    /* 2 requests for each of 400 words are as many as are told: a half stays */
    {.rule = "atomics",
     .set = {{"l2_atomic_sectors", 1200},
             {"reduction_requests", 100},
             {"reduction_sectors", 800},
             {"reduction_data_bytes", 1600}},
     .says = "atomic sectors 800 sector\n"
             "warp-level atomics 100 inst\n"
             "share of samples at atomics 0 ratio\n"
             "each of 100 warp-level atomics takes 2.0 requests, because that many lanes of the warp add to one word\n"
             "add up in the warp first (shuffles, or match_any where addresses differ), then one lane per word adds\n",
     .takes = "atomic_sectors 500, atomic_cycles_max 500, atomic_bursts 1"},
    /* 32 sectors per request: a quarter stays.  3/4 of the stalls queue, for 32,000 of 64,000
     * sectors. */
    {.rule = "atomics",
     .also = scattered_rate,
     .set = {{"l2_atomic_sectors", 32000},
             {"reduction_requests", 600},
             {"atomic_requests", 400},
             {"reduction_sectors", 20000},
             {"atomic_sectors", 12000},
             {"l1_load_sectors", 2000},
             {"l1_store_sectors", 6000},
             {"stall_lg_throttle", 30e6}},
     .says = "l2_atomic_sectors 3.2e+04 -\n"
             "warp-level atomics 1000 inst\n"
             "time that they need 3.2e-05 s\n"
             "share of samples at atomics 0.75 ratio\n"
             "32000 atomic sectors at the L2, scattered; 75 % of warp samples wait for atomics\n" PRIVATISE,
     .takes = "atomic_sectors 250, atomic_cycles_max 250",
     .silent = {{"l2_atomic_sectors", 0}}},
    /* 4 sectors per request: one atomic for each of 80 blocks stays */
    {.sized = true,
     .rule = "atomics",
     .set = {{"l2_atomic_sectors", 800}, {"reduction_requests", 200}, {"reduction_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, neighbouring addresses; 0 % of warp samples wait for atomics\n" SUM_FIRST,
     .takes = "atomic_sectors 100, atomic_cycles_max 100",
     .silent = {{"l2_atomic_sectors", 80}}},
    /* 8 sectors per request are what 32 words of 8 bytes fill */
    {.sized = true,
     .rule = "atomics",
     .set = {{"l2_atomic_sectors", 1600},
             {"reduction_requests", 200},
             {"reduction_sectors", 1600},
             {"reduction_data_bytes", 51200}},
     .says = "l2_atomic_sectors 1600 -\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "1600 atomic sectors at the L2, neighbouring addresses; 0 % of warp samples wait for atomics\n" SUM_FIRST,
     .takes = "atomic_sectors 50, atomic_cycles_max 50"},
    /* 2 sectors per request are one address that lies across two, or two addresses */
    {.sized = true,
     .rule = "atomics",
     .set = {{"l2_atomic_sectors", 800}, {"reduction_requests", 200}, {"reduction_sectors", 400}},
     .says = "atomic sectors 400 sector\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "400 atomic sectors at the L2, few addresses; 0 % of warp samples wait for atomics\n" REDUCE,
     .takes = "atomic_sectors 100, atomic_cycles_max 100"},
    {.rule = "atomics", /* by the code: 30 requests */
     .lines = {"RED.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8",
               "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8",
               "ATOMG.E.ADD.STRONG.GPU PT, R3, desc[UR4][R6.64], R5", "EXIT"},
     .executed = {10, 15, 5, 1},
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 30 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" GATHER,
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    {.sized = true,
     .rule = "atomics",
     .set = {{"l2_atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, few addresses; 0 % of warp samples wait for atomics\n" REDUCE,
     .takes = "atomic_sectors 100, atomic_cycles_max 100"},
    /* 801 sectors of 200 requests */
    {.rule = "atomics",
     .set = {{"l2_atomic_sectors", 100}, {"atomic_requests", 200}, {"atomic_sectors", 801}},
     .says = "l2_atomic_sectors 100 -\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "100 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE,
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    {.rule = "atomics",
     .set = {{"l2_atomic_sectors", 100},
             {"atomic_requests", 500},
             {"reduction_requests", 500},
             {"atomic_sectors", 2400},
             {"reduction_sectors", 2400}},
     .says = "l2_atomic_sectors 100 -\n"
             "warp-level atomics 1000 inst\n"
             "share of samples at atomics 0 ratio\n"
             "100 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE,
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    {.rule = "atomics", .set = {{"l2_atomic_sectors", 40}}, .takes = ""}, /* fewer than blocks */
    /* a slice takes 800 at 8e8 a second, 1 us, as long as the chip takes for 1,000 in all: more than 4 times its share of 100 */
    {.sized = true,
     .rule = "atomics",
     .also = rates_of_slices,
     .set =
         {{"l2_atomic_sectors", 100}, {"atomic_requests", 200}, {"atomic_sectors", 801}, {"l2_atomic_cycles_max", 800}},
     .says = "l2_atomic_sectors 100 -\n"
             "warp-level atomics 200 inst\n"
             "time that the busiest L2 slice needs for them 1e-06 s\n"
             "share of samples at atomics 0 ratio\n"
             "100 atomic sectors at the L2, few addresses; the L2 works on them for 1 % of the time\n" REDUCE,
     .takes = "atomic_sectors 800, atomic_cycles_max 800",
     .silent = {{"l2_atomic_sectors", 80}}},
    {.rule = "atomics", /* 300 are 3.75 times its share */
     .also = rates_of_slices,
     .set =
         {{"l2_atomic_sectors", 100}, {"atomic_requests", 200}, {"atomic_sectors", 801}, {"l2_atomic_cycles_max", 300}},
     .says = "l2_atomic_sectors 100 -\n"
             "warp-level atomics 200 inst\n"
             "time that the busiest L2 slice needs for them 3.75e-07 s\n"
             "share of samples at atomics 0 ratio\n"
             "100 atomic sectors at the L2, scattered; the L2 works on them for 0 % of the time\n" PRIVATISE,
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    {.rule = "atomics", /* what a slice of the L2 takes at most is not known */
     .set =
         {{"l2_atomic_sectors", 100}, {"atomic_requests", 200}, {"atomic_sectors", 801}, {"l2_atomic_cycles_max", 90}},
     .says = "l2_atomic_sectors 100 -\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "100 atomic sectors at the L2, scattered; 0 % of warp samples wait for atomics\n" PRIVATISE,
     .takes = "atomic_sectors 250, atomic_cycles_max 250"},
    /* 200 blocks in waves of 40: a fifth of the blocks and of what they send stays */
    {.sized = true,
     .rule = "atomics",
     .also = waves_5,
     .set = {{"l2_atomic_sectors", 300}, {"reduction_requests", 200}, {"reduction_sectors", 200}},
     .says = "atomic sectors 200 sector\n"
             "warp-level atomics 200 inst\n"
             "share of samples at atomics 0 ratio\n"
             "200 blocks send about one atomic each\n" LARGER_BLOCKS,
     .takes = "atomic_sectors 200, atomic_cycles_max 200"},
    {.sized = true,
     .rule = "atomics", /* 399 are fewer than two a block; more than half of the slices' cycles are one's */
     .also = waves_5,
     .set = {{"l2_atomic_sectors", 300},
             {"reduction_requests", 399},
             {"reduction_sectors", 200},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 501}},
     .says =
         "atomic sectors 200 sector\n"
         "warp-level atomics 399 inst\n"
         "share of samples at atomics 0 ratio\n"
         "200 blocks send about one atomic each, to one address or few: the L2 adds them one after the other\n" LARGER_BLOCKS,
     .takes = "atomic_sectors 200, atomic_cycles_max 200"},
    {.sized = true,
     .rule = "atomics",
     .also = waves_5,
     .set = {{"l2_atomic_sectors", 300},
             {"reduction_requests", 200},
             {"reduction_sectors", 200},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 500}},
     .says =
         "atomic sectors 200 sector\n"
         "warp-level atomics 200 inst\n"
         "share of samples at atomics 0 ratio\n"
         "200 blocks send about one atomic each, to different addresses\n"
         "let one block do all that is added to an address and store it, or fewer, larger blocks (a grid-stride loop)\n",
     .takes = "atomic_sectors 200, atomic_cycles_max 200"},
    {.sized = true,
     .rule = "atomics", /* two a block can be reduced to one */
     .also = waves_5,
     .set = {{"l2_atomic_sectors", 400}, {"reduction_requests", 400}, {"reduction_sectors", 400}},
     .says = "l2_atomic_sectors 400 -\n"
             "warp-level atomics 400 inst\n"
             "share of samples at atomics 0 ratio\n"
             "400 atomic sectors at the L2, few addresses; 0 % of warp samples wait for atomics\n" REDUCE,
     .takes = "atomic_sectors 500, atomic_cycles_max 500"},
    /* a histogram: an index that was loaded; its bins lie in many slices, or in one */
    {.sized = true,
     .rule = "atomics",
     HISTOGRAM,
     .set = {{"l2_atomic_sectors", 800},
             {"reduction_requests", 400},
             {"reduction_sectors", 800},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 500}},
     .says =
         "l2_atomic_sectors 800 -\n"
         "warp-level atomics 400 inst\n"
         "share of samples at atomics 0 ratio\n"
         "800 atomic sectors at the L2, few addresses, chosen by loaded values; 0 % of warp samples wait for atomics\n" BINS,
     .takes = "atomic_sectors 100, atomic_cycles_max 100"},
    {.sized = true,
     .rule = "atomics",
     HISTOGRAM,
     .set = {{"l2_atomic_sectors", 800},
             {"reduction_requests", 400},
             {"reduction_sectors", 800},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 501}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 400 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, few addresses, chosen by loaded values, one after the other; 0 % of warp "
             "samples wait for atomics\n" BINS,
     .takes = "atomic_sectors 100, atomic_cycles_max 100"},
    /* 80,000 that a slice works on at 1e9 a second take 80 of 100 us: 1.25 ns each */
    {.sized = true,
     .rule = "atomics",
     .also = slices_of_1e9,
     .lines = {"LDC.64 R4, c[0x0][0x210]", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"},
     .executed = {100, 100, 1},
     .set = {{"l2_atomic_sectors", 120000},
             {"reduction_requests", 80000},
             {"reduction_sectors", 80000},
             {"l2_atomic_cycles", 80000},
             {"l2_atomic_cycles_max", 80000}},
     .says =
         "atomic sectors 8e+04 sector\n"
         "warp-level atomics 8e+04 inst\n"
         "time that the busiest L2 slice needs for them 8e-05 s\n"
         "share of samples at atomics 0 ratio\n"
         "80000 atomic sectors at the L2, to one address or few, one after the other (1.2 ns each); the L2 works on "
         "them for 80 % of the time\n" REDUCE},
    /* loops of compare and swap: of 16-bit floats to one address, of others, to bins */
    {.sized = true,
     .rule = "atomics",
     SWAP_LOOP("HADD2 R7, R3, R8"),
     .set = {{"l2_atomic_sectors", 800},
             {"atomic_requests", 400},
             {"atomic_sectors", 800},
             {"l2_atomic_cycles", 1000},
             {"l2_atomic_cycles_max", 501}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 400 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, to one address or few, in compare-and-swap loops; 0 % of warp samples wait "
             "for atomics\n"
             "sum in registers and across the block first, then one atomic per block; float atomics need no loop, "
             "__half ones do\n",
     .takes = "atomic_sectors 100, atomic_cycles_max 100"},
    {.sized = true,
     .rule = "atomics",
     SWAP_LOOP("FMUL R7, R3, R8"),
     .set = {{"l2_atomic_sectors", 800}, {"atomic_requests", 400}, {"atomic_sectors", 800}},
     .says = "l2_atomic_sectors 800 -\n"
             "warp-level atomics 400 inst\n"
             "share of samples at atomics 0 ratio\n"
             "800 atomic sectors at the L2, few addresses, in compare-and-swap loops; 0 % of warp samples wait for "
             "atomics\n"
             "sum in registers and across the block first, then one atomic per block; int, float and double sums are "
             "atomics without a loop\n"},
    {.rule = "atomics",
     SWAP_LOOP("FMUL R7, R3, R8"),
     .set = {{"l2_atomic_sectors", 800}, {"atomic_requests", 100}, {"atomic_sectors", 800}},
     .says =
         "l2_atomic_sectors 800 -\n"
         "warp-level atomics 100 inst\n"
         "share of samples at atomics 0 ratio\n"
         "800 atomic sectors at the L2, scattered, in compare-and-swap loops; 0 % of warp samples wait for atomics\n"
         "sum in shared memory first, then one atomic per address and block; int, float and double sums are atomics "
         "without a loop\n"},
    {.rule = "atomics", /* one a block, in a single wave: no fewer blocks are to be had */
     .also = one_full_wave,
     .set = {{"l2_atomic_sectors", 60}, {"reduction_requests", 40}, {"reduction_sectors", 40}},
     .takes = ""},
    {.rule = "atomics", .takes = ""},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(LOADS);
  JUDGE_ALL(WAITS);
  JUDGE_ALL(SHARED);
  JUDGE_ALL(ATOMICS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
