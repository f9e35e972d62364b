/* The rule long-scoreboard: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_accesses.h"

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

/* Behind the barrier 98 of 100 samples or more wait for loads; before it 2 do, or 1 does, or 2 wait at it. */
static void waits_at(struct made_diagnosis *d, unsigned offset, const char *reason, uint64_t times) {
  static struct run_sample samples[2];
  one_wave(d);
  samples[0] = (struct run_sample){.offset = offset, .reason = (char *)reason, .samples = times};
  samples[1] = (struct run_sample){.offset = 0x40, .reason = (char *)"long_scoreboard", .samples = 100 - times};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
}

static void waits_little_before(struct made_diagnosis *d) {
  waits_at(d, 0x10, "long_scoreboard", 1);
}

static void waits_behind_only(struct made_diagnosis *d) {
  waits_at(d, 0x30, "long_scoreboard", 2);
}

/* A turn's load, and what its sum waits for. */
static void waits_for_its_turn(struct made_diagnosis *d) {
  static struct run_sample samples[1];
  latencies(d, 1000);
  samples[0] = (struct run_sample){.offset = 0x10, .reason = (char *)"long_scoreboard", .samples = 100};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 1;
}

#define CARRIED(load, uses)                                                                                            \
  .lines = {load, uses, "FFMA R5, R5, R6, R8", "MUFU.EX2 R5, R5", "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x0", "EXIT"},     \
  .executed = {32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 320}, .also = waits_for_its_turn

/* What was loaded before the loop is read with it, first of all. */
static void waits_behind_a_constant(struct made_diagnosis *d) {
  static struct run_sample sample = {.offset = 0x20, .reason = (char *)"long_scoreboard", .samples = 10};
  latencies(d, 1000);
  d->m.results[0].samples = &sample;
  d->m.results[0].n_samples = 1;
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

/* On half of the SMs one each. */
static void five_blocks(struct made_diagnosis *d) {
  latencies(d, 1000);
  d->m.results[0].launches->grid[0] = 5;
  set(&d->m.results[0], "sm_cycles_active", 0.5e6);
  set(&d->m.results[0], "warps_active", 4e6);
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
#define BARRED                                                                                                         \
  .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "BAR.SYNC.DEFER_BLOCKING 0x0",                        \
            "LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT"},                                              \
  .executed = {16e3, 16e3, 16e3, 16e3, 16e3, 16e3}
#define WIDE_ONCE .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT"}, .executed = {32e3, 32e3, 1}
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
  "warps wait for loads 75 % of their time, with 16 B in flight per thread: 0.16 MiB on the whole chip, where 0.95 MiB keep DRAM busy\n" \
  "issue more loads before the first use: unroll, or load the next tile ahead\n"
#define LITTLE(bytes, thread, amount)                                                                                  \
  "long scoreboard, share 0.75 ratio\n"                                                                                \
  "bytes in flight at most " bytes " B\n"                                                                              \
  "bytes that Little's law needs 1e+06 B\n"                                                                            \
  "warps wait for loads 75 % of their time, with " thread " B in flight per thread: " amount                           \
  " on the whole chip, where 0.95 MiB keep DRAM busy\n"

#define LOAD_WIDER "load 16 bytes per lane, then issue more loads before the first use\n"
#define LOAD_AHEAD "issue more loads before the first use: unroll, or load the next tile ahead\n"
#define BURSTS                                                                                                         \
  "warps wait for loads 75 % of their time, though 0.2 MiB can be in flight and 0.1 MiB keep DRAM busy: loads come in bursts\n"

static const struct judged_case CASES[] = {
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
         "warps wait for loads 75 % of their time, with 16 B in flight per thread: 0.16 MiB on the whole chip, where 0.95 MiB keep DRAM busy\n" LOAD_AHEAD,
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
         "warps wait for loads 75 % of their time, with 4 B in flight per thread: 40 KiB on the whole chip, where 0.95 MiB keep DRAM busy\n" LOAD_WIDER,
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
         "warps wait for loads 75 % of their time, with 16 B in flight per thread: 0.16 MiB on the whole chip, where 0.95 MiB keep DRAM busy\n" LOAD_AHEAD,
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule =
         "long-scoreboard", /* 5 blocks of 8 warps on 10 SMs have 16 x 32 x 40 B: SMs without a block take nothing of it */
     WIDE,
     .also = five_blocks,
     .set = {{"stall_long_scoreboard", 3e6}, {"l1_load_bytes", 1e3}, {"dram_read_bytes", 1e3}, {"dram_write_bytes", 0}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "DRAM bandwidth 1e+07 B/s\n"
         "bytes in flight at most 2.048e+04 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for loads 75 % of their time, with 16 B in flight per thread: 20 KiB on the whole chip, where 0.95 MiB keep DRAM busy\n" LOAD_AHEAD},
    {.sized = true,
     .rule = "long-scoreboard", /* DRAM has more to write than to read: what keeps it busy is not what warps wait for */
     WIDE,
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6},
             {"l1_load_bytes", 1e3},
             {"dram_read_bytes", 1e3},
             {"dram_write_bytes", 1001}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "DRAM bandwidth 2.001e+07 B/s\n"
             "75 % of warp cycles wait for loads (long_scoreboard)\n" LOAD_AHEAD},
    {.sized = true,
     .rule = "long-scoreboard", /* and a tile that is loaded in turn */
     .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "STS.128 [R6], R8", "@P0 BRA 0x0", "EXIT"},
     .executed = {32e3, 32e3, 32e3, 1},
     .also = reads_80_mb,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "DRAM bandwidth 8e+11 B/s\n"
             "bytes in flight at most 1.638e+05 B\n"
             "bytes that Little's law needs 1e+05 B\n" BURSTS
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
     .says = "long scoreboard, share 0.75 ratio\n"
             "bytes in flight at most 1.638e+05 B\n"
             "bytes that Little's law needs 1e+05 B\n" BURSTS
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
             "warps wait for the L2 75 % of their time, with at most 4 B in flight per thread\n" LOAD_WIDER,
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
             "warps wait for the L1 75 % of their time, with at most 4 B in flight per thread\n" LOAD_WIDER},
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
             "warps wait for the L1 and the L2 75 % of their time, with at most 4 B in flight per thread\n" LOAD_WIDER},
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
             "warps wait for the L2 75 % of their time, with at most 4 B in flight per thread\n" LOAD_WIDER},
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
         "warps wait for loads 75 % of their time, with 4 B in flight per thread: 40 KiB on the chip, 10 KiB of it from DRAM, which 0.95 MiB keep busy\n" LOAD_WIDER,
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
         "warps wait for loads 75 % of their time, with 1 B in flight per thread: 10 KiB on the whole chip, where 0.95 MiB keep DRAM busy\n" LOAD_AHEAD,
     .takes = "loads_s 1"},
    {.sized = true,
     .rule = "long-scoreboard", /* 2.5 times as much */
     NARROW,
     .also = more_by_the_l2,
     .set =
         {{"stall_long_scoreboard", 24e6}, {"l1_load_bytes", 4e3}, {"dram_read_bytes", 1e3}, {"dram_write_bytes", 0}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "DRAM bandwidth 1e+07 B/s\n"
             "warps wait for the L2 75 % of their time, with at most 4 B in flight per thread\n" LOAD_WIDER,
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
     .says = "long scoreboard, share 0.75 ratio\n"
             "bytes in flight at most 1.638e+05 B\n"
             "bytes that Little's law needs 1e+05 B\n" BURSTS
             "give each thread several elements (2 to 4), with all their loads before the first use\n",
     .takes = "loads_s 12.5"},
    {.sized = true,
     .rule = "long-scoreboard", /* half of the loads and one more stand in a loop */
     .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R2.64]", "FADD R4, R8, R9",
               "LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "@P0 BRA 0x30", "EXIT"},
     .executed = {50, 50, 50, 101, 101, 101, 50},
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE("1.638e+05", "16", "0.16 MiB") LOAD_AHEAD},
    {.sized = true,
     .rule = "long-scoreboard", /* the loop is left in its first turn: it has no next tile */
     .lines = {"S2R R0, SR_TID.X", "LDG.E.128 R8, desc[UR4][R2.64]", "STS.128 [R4], R8", "@P0 BRA 0x10", "EXIT"},
     .executed = {32e3, 32e3, 32e3, 32e3, 32e3},
     .also = hundred_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "bytes in flight at most 1.638e+05 B\n"
             "bytes that Little's law needs 1e+05 B\n" BURSTS
             "give each thread several elements (2 to 4), with all their loads before the first use\n"},
    {.sized = true,
     .rule = "long-scoreboard",
     BARRED,
     .also = waits_little_before,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "1.638e+05", "16",
         "0.16 MiB") "issue all loads of a thread before the first use: move them ahead of branches and arithmetic\n"},
    {.sized = true,
     .rule = "long-scoreboard",
     BARRED,
     .also = waits_behind_only,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "1.638e+05", "16",
         "0.16 MiB") "issue all loads of a thread before the first use: move them ahead of branches and arithmetic\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* behind a barrier of the grid, where other blocks' results may be read */
     .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "BAR.SYNC.DEFER_BLOCKING 0x0",
               "REDG.E.ADD.STRONG.GPU desc[UR8][R14.64], R3", "LDG.E.STRONG.SYS R3, desc[UR8][R14.64]", "@P0 BRA 0x40",
               "BAR.SYNC.DEFER_BLOCKING 0x0", "LDG.E.128 R8, desc[UR4][R6.64]", "FADD R4, R8, R9", "EXIT"},
     .executed = {16e3, 16e3, 16e3, 1, 1, 1, 16e3, 16e3, 16e3, 16e3},
     .also = one_wave,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = LITTLE(
         "2.048e+05", "20",
         "0.20 MiB") "issue all loads of a thread before the first use: move them ahead of branches and arithmetic\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* 38 %: the rest of one turn is enough for it to come */
     CARRIED("LDG.E R8, desc[UR4][R2.64]", "FADD R8, R8, R9"),
     .set = {{"stall_long_scoreboard", 12e6}},
     .says =
         "long scoreboard, share 0.375 ratio\n"
         "bytes in flight at most 4.096e+04 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for loads 38 % of their time, with 4 B in flight per thread: 40 KiB on the whole chip, where 0.95 MiB keep DRAM busy\n"
         "load the next iteration's values into registers before this one's are used: their places are known\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* 75 %: of three */
     CARRIED("LDG.E R8, desc[UR4][R2.64]", "FADD R8, R8, R9"),
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "bytes in flight at most 4.096e+04 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for loads 75 % of their time, with 4 B in flight per thread: 40 KiB on the whole chip, where 0.95 MiB keep DRAM busy\n"
         "load values 3 iterations ahead, into registers: each iteration needs the one before, but their places are known\n"},
    {.sized = true,
     .rule = "long-scoreboard",
     .lines = {"LDG.E R7, desc[UR4][R10.64]", "LDG.E R8, desc[UR4][R2.64]", "FADD R8, R7, R8", "FFMA R5, R5, R6, R8",
               "MUFU.EX2 R5, R5", "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 320},
     .also = waits_behind_a_constant,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says =
         "long scoreboard, share 0.75 ratio\n"
         "bytes in flight at most 4.096e+04 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for loads 75 % of their time, with 4 B in flight per thread: 40 KiB on the whole chip, where 0.95 MiB keep DRAM busy\n"
         "load values 3 iterations ahead, into registers: each iteration needs the one before, but their places are known\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* 97 %: of 31, for which no registers are left */
     CARRIED("LDG.E.128 R8, desc[UR4][R2.64]", "FADD R8, R8, R9"),
     .set = {{"stall_long_scoreboard", 31e6}},
     .says =
         "long scoreboard, share 0.9688 ratio\n"
         "bytes in flight at most 1.638e+05 B\n"
         "bytes that Little's law needs 1e+06 B\n"
         "warps wait for loads 97 % of their time, with 16 B in flight per thread: 0.16 MiB on the whole chip, where 0.95 MiB keep DRAM busy\n"
         "issue more loads before the first use: unroll, or load the next tile ahead\n"},
    {.rule = "long-scoreboard", /* a tile is loaded in the loop */
     .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "STS.128 [R4], R8", "@P0 BRA 0x0", "EXIT"},
     .executed = {32e3, 32e3, 32e3, 1},
     .also = hundred_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "bytes in flight at most 1.638e+05 B\n"
             "bytes that Little's law needs 1e+05 B\n" BURSTS
             "load the next tile before computing this one: two buffers, in registers or by cp.async\n"},
    {.sized = true,
     .rule = "long-scoreboard", /* the caches serve all of it */
     WIDE,
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}, {"l1_load_bytes", 1e3}, {"dram_read_bytes", 0}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "bytes that Little's law needs 1e+06 B\n"
             "75 % of warp cycles wait for loads (long_scoreboard)\n" LOAD_AHEAD,
     .takes = "loads_s 12.5"},
    {.sized = true, /* no code: what was counted stands in for its batches */
     .rule = "long-scoreboard",
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}, {"l1_load_requests", 32e3}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "bytes that Little's law needs 1e+06 B\n"
             "75 % of warp cycles wait for loads (long_scoreboard)\n" LOAD_AHEAD,
     .takes = "loads_s 50"},
    {.rule = "long-scoreboard",
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 320},
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}}},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
