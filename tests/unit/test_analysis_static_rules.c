/* What each rule of the static tier says, word for word. */
#include "unit/made_code.h"

enum { TEXT_MAX = 4096 };

/* "issue-slots: DRAM 4e+12 B/s; ...", the sentence and the remedy: three lines a rule. */
static void advice_text(char out[TEXT_MAX], const struct static_code *c) {
  size_t n = 0;
  out[0] = '\0';
  for (size_t i = 0; i < c->n_advice; i++) {
    const struct static_advice *a = &c->advice[i];
    n += (size_t)snprintf(out + n, TEXT_MAX - n, "%s:", a->rule->name);
    for (size_t k = 0; k < a->told.n_evidence; k++)
      n += (size_t)snprintf(out + n, TEXT_MAX - n, "%s %s %.4g %s", k ? ";" : "", a->told.evidence[k].title,
                            a->told.evidence[k].value.v, a->told.evidence[k].unit);
    n += (size_t)snprintf(out + n, TEXT_MAX - n, "\n%s\n%s\n", a->told.sentence, a->told.remedy);
  }
}

static void spilled(struct made_code *d) {
  d->sass.kernel.spill_store_bytes = 8;
  d->sass.kernel.spill_load_bytes = 12;
  d->m.results[0].launches->grid[0] = 4;
}

static void spills_untold(struct made_code *d) {
  d->sass.kernel.spill_store_bytes = d->sass.kernel.spill_load_bytes = -1;
  made_ceiling(&d->m, "rate_fp64", 64, CEILING_DATASHEET);
}

static void few_registers_free(struct made_code *d) {
  d->sass.kernel.registers = 128;
  d->m.results[0].launches->block[0] = 512;
}

static void much_shared_memory(struct made_code *d) {
  d->sass.kernel.smem_static = 100000;
}

static void too_large_a_block(struct made_code *d) {
  d->sass.kernel.smem_static = 300000;
}

static void loads_spilled(struct made_code *d) {
  d->sass.kernel.spill_load_bytes = 5;
  d->m.results[0].launches->grid[0] = 1;
  d->m.device.n_ceilings = 0;
}

/* 32 lanes a cycle on LSU, 16 on XU. */
static void slow_pipes(struct made_code *d) {
  d->m.results[0].shape = (struct shape){0};
  made_ceiling(&d->m, "rate_lsu", 32, CEILING_DATASHEET);
  made_ceiling(&d->m, "rate_xu", 16, CEILING_DATASHEET);
}

/* 4 KB a turn of a warp are 1.3 MB of 10 SMs' 640 warps, more than 900 cycles need at a tenth of the bandwidth. */
static void enough_in_flight(struct made_code *d) {
  slow_pipes(d);
  d->m.results[0].launches->grid[0] = 1000;
  d->m.device.n_ceilings = 0;
  made_ceiling(&d->m, "rate_lsu", 32, CEILING_DATASHEET);
  made_ceiling(&d->m, "dram_bw", 4e10, CEILING_DATASHEET);
  made_ceiling(&d->m, "dram_latency_cycles", 900, CEILING_MEASURED);
}

/* 82 KB in flight, where 30 cycles of 1 TB/s need 30; of 1.28e12 instructions a second 1.5 are for a byte. */
static void enough_at_low_latency(struct made_code *d) {
  enough_in_flight(d);
  d->m.device.n_ceilings = 0;
  made_ceiling(&d->m, "dram_bw", 1e12, CEILING_DATASHEET);
  made_ceiling(&d->m, "dram_latency_cycles", 30, CEILING_MEASURED);
}

static void many_warps_of_one(struct made_code *d) {
  d->m.results[0].launches->block[0] = 32;
  d->m.results[0].launches->grid[0] = 1000;
  d->m.device.n_ceilings = 0; /* no latency is known: what is in flight may not be enough */
}

/* 7 / 4 cycles for 16 bytes of a; 32 B of 40 warps in 900 ns, where 4 TB/s need 3.6 MB */
#define ISSUE_OF_LOOP                                                                                                  \
  "issue-slots: instructions per byte 0.4375 inst; loads modelled at most 2.926e+12 B/s; DRAM 4e+12 B/s\n"             \
  "issue-bound: 0.438 instructions per byte; the issue slots allow 2.93 of DRAM's 4 TB/s\n"                            \
  "fewer instructions per byte: wider loads, packed arithmetic (HFMA2), addresses by a pointer that advances\n"
#define FLIGHT_OF_16                                                                                                                                                                   \
  "long-scoreboard: in flight per thread 16 byte; in flight on the chip 2.048e+04 B; needed 3.6e+06 B; warps resident 40 warp; loads modelled at most 2.276e+10 B/s; DRAM 4e+12 B/s\n" \
  "16 B in flight per thread (0.0195 MiB on the chip) = 1 % of the 3.43 MiB that Little's law needs\n"                                                                                 \
  "issue more loads before the first use: unroll, or load the next tile ahead; or run more warps\n"
#define FLIGHT_OF_LOOP                                                                                                                                                                 \
  "long-scoreboard: in flight per thread 32 byte; in flight on the chip 4.096e+04 B; needed 3.6e+06 B; warps resident 40 warp; loads modelled at most 4.551e+10 B/s; DRAM 4e+12 B/s\n" \
  "32 B in flight per thread (0.0391 MiB on the chip) = 1 % of the 3.43 MiB that Little's law needs\n"                                                                                 \
  "issue more loads before the first use: unroll, or load the next tile ahead; or run more warps\n"

/* Of blocks of 512 threads in 128 registers, which load a byte at a time. */
#define BYTES_OF_512                                                                                                                                                              \
  "issue-slots: instructions per byte 5 inst; loads modelled at most 2.56e+11 B/s; DRAM 4e+12 B/s\n"                                                                              \
  "issue-bound: 5 instructions per byte; the issue slots allow 0.256 of DRAM's 4 TB/s\n"                                                                                          \
  "fewer instructions per byte: wider loads, packed arithmetic (HFMA2), addresses by a pointer that advances\n"                                                                   \
  "long-scoreboard: in flight per thread 1 byte; in flight on the chip 5120 B; needed 3.6e+06 B; warps resident 160 warp; loads modelled at most 5.689e+09 B/s; DRAM 4e+12 B/s\n" \
  "1 B in flight per thread (0.00488 MiB on the chip) = 0 % of the 3.43 MiB that Little's law needs\n"                                                                            \
  "load 16 bytes per lane (now 1 at most), then issue more loads before the first use\n"                                                                                          \
  "occupancy: theoretical occupancy 0.25 ratio; blocks per SM 1 block; registers per thread 128 register\n"                                                                       \
  "each SM holds 1 block of 16 warps, limited by registers\n"                                                                                                                     \
  "fewer registers per thread, or more loads in flight per warp\n"

static const struct static_case {
  const char *const *lines;
  void (*also)(struct made_code *d);
  const char *says;
} SAYS[] = {
    {LOOP, NULL, ISSUE_OF_LOOP FLIGHT_OF_LOOP},
    /* 8 warps hold a fifth */
    {LOOP, spilled,
     "small-grid: blocks 4 block; SMs 10 SM\n"
     "4 blocks leave 6 of 10 SMs idle\n"
     "launch more blocks: less work per block, or split a long sum over blocks\n"
     "spills: registers per thread 32 register; spill stores 8 byte; spill loads 12 byte; local memory instructions 0 inst\n"
     "32 registers are too few for the live values: the compiler spills to local memory\n"
     "fewer values live at a time (smaller tiles, fewer accumulators), or a higher register cap (maxrregcount, __launch_bounds__)\n" ISSUE_OF_LOOP
     "long-scoreboard: in flight per thread 32 byte; in flight on the chip 8192 B; needed 3.6e+06 B; warps resident 8 warp; loads modelled at most 9.102e+09 B/s; DRAM 4e+12 B/s\n"
     "32 B in flight per thread (0.00781 MiB on the chip) = 0 % of the 3.43 MiB that Little's law needs\n"
     "issue more loads before the first use: unroll, or load the next tile ahead; or run more warps\n"},
    /* 6 instructions for 8 bytes, of which one DFMA of 64 lanes a cycle */
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R8.64]",
                           "DFMA R16, R8, R12, R16", "STL [R1], R16", "LDL R16, [R1]", "@P0 BRA 0x10", "EXIT", NULL},
     spills_untold,
     "spills: registers per thread 32 register; local memory instructions 2 inst\n"
     "the code reads and writes local memory: registers spill\n"
     "fewer values live at a time (smaller tiles, fewer accumulators), or a higher register cap (maxrregcount, __launch_bounds__)\n"
     "dependent-loads: bytes in flight per thread 4 byte\n"
     "the address of LDG.E R9, desc[UR4][R8.64] comes from another load of the loop: each iteration waits for two latencies or more\n"
     "compute addresses from indices, or load the next iteration's index ahead\n"
     "issue-slots: instructions per byte 0.75 inst; loads modelled at most 1.707e+12 B/s; DRAM 4e+12 B/s\n"
     "issue-bound: 0.75 instructions per byte; the issue slots allow 1.71 of DRAM's 4 TB/s\n"
     "fewer instructions per byte: wider loads, packed arithmetic (HFMA2), addresses by a pointer that advances\n"
     "long-scoreboard: in flight per thread 4 byte; in flight on the chip 5120 B; needed 3.6e+06 B; warps resident 40 warp; loads modelled at most 5.689e+09 B/s; DRAM 4e+12 B/s\n"
     "4 B in flight per thread (0.00488 MiB on the chip) = 0 % of the 3.43 MiB that Little's law needs\n"
     "load 16 bytes per lane (now 4 at most), then issue more loads before the first use\n"},
    /* 3 of 5 instructions, for a byte; 1e6 bytes of 32,768 elements.  An SM holds a block of 16 warps. */
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E.U8 R8, desc[UR4][R2.64]", "F2F.F32.F16 R9, R8",
                           "LOP3.LUT R10, R9, R8, R10, 0x96, !PT", "IADD3 R2, R2, 0x10, RZ", "@P0 BRA 0x10", "EXIT",
                           NULL},
     few_registers_free,
     "decode-cost: conversions, integer and logic of the loop 3 inst; instructions of the loop 5 inst; of these, per element 91.55 inst; loads modelled at most 2.56e+11 B/s; DRAM 4e+12 B/s\n"
     "conversions, integer and logic are 60 % of the loop, which can load at most 0.256 of DRAM's 4 TB/s\n"
     "decode whole words: by the chip's own conversions where it has them, else by shift and mask into fp16, or repack nibbles as e4m3 for cvt.e4m3x2; decode B once\n" BYTES_OF_512},
    /* a conversion for the values of 0.033 elements a turn */
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E.U8 R8, desc[UR4][R2.64]", "F2FP.F16.E4M3.UNPACK_B R9, R8",
                           "IMAD R10, R9, R8, R10", "IADD3 R2, R2, 0x10, RZ", "@P0 BRA 0x10", "EXIT", NULL},
     few_registers_free,
     "decode-cost: conversions, integer and logic of the loop 3 inst; instructions of the loop 5 inst; of these, per element 91.55 inst; loads modelled at most 2.56e+11 B/s; DRAM 4e+12 B/s\n"
     "conversions, integer and logic are 60 % of the loop, which can load at most 0.256 of DRAM's 4 TB/s\n"
     "its conversions (cvt) are there already: fewer address and loop instructions (unroll, advance pointers); decode B once for several rows\n" BYTES_OF_512},
    {LOOP, much_shared_memory,
     ISSUE_OF_LOOP FLIGHT_OF_LOOP
     "occupancy: theoretical occupancy 0.0625 ratio; blocks per SM 2 block; registers per thread 32 register\n"
     "each SM holds 2 blocks of 2 warps, limited by shared memory\n"
     "less shared memory per block (fewer stages, smaller tiles), or more loads in flight per warp\n"},
    {LOOP, too_large_a_block,
     ISSUE_OF_LOOP "occupancy: theoretical occupancy 0 ratio; blocks per SM 0 block; registers per thread 32 register\n"
                   "the block cannot be launched on this chip: shared memory\n"
                   "less shared memory per block (fewer stages, smaller tiles), or more loads in flight per warp\n"},
    {LOOP, loads_spilled,
     "small-grid: blocks 1 block; SMs 10 SM\n"
     "1 block leaves 9 of 10 SMs idle\n"
     "launch more blocks: less work per block, or split a long sum over blocks\n"
     "spills: registers per thread 32 register; spill stores 0 byte; spill loads 5 byte; local memory instructions 0 inst\n"
     "32 registers are too few for the live values: the compiler spills to local memory\n"
     "fewer values live at a time (smaller tiles, fewer accumulators), or a higher register cap (maxrregcount, "
     "__launch_bounds__)\n"},
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "STL [R1], R16", "EXIT", NULL}, NULL,
     ""}, /* no spill, ptxas says */
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E.128 R8, desc[UR4][R2.64]", "LDS R12, [R5]",
                           "LDS R13, [R5+0x4]", "FFMA R16, R12, R13, R16", "@P0 BRA 0x20", "EXIT", NULL},
     slow_pipes,
     "shared-memory: shared-memory instructions of the loop 2 inst; cycles of the pipe per warp and iteration 2 cycle; cycles to issue the iteration 1 cycle\n"
     "2 of the hot loop's 4 instructions access shared memory: the LSU pipe needs 2 cycles per warp and iteration, issuing 1\n"
     "use each value more often once it is read (more outputs per thread), or wider shared accesses\n" FLIGHT_OF_16},
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E.128 R8, desc[UR4][R2.64]", "MUFU.EX2 R9, R9",
                           "FFMA R16, R9, R13, R16", "@P0 BRA 0x20", "EXIT", NULL},
     slow_pipes,
     "pipe: instructions of the pipe in the loop 1 inst; cycles of the pipe per warp and iteration 2 cycle; cycles to issue the iteration 0.75 cycle\n"
     "the XU pipe takes 1 of the hot loop's 3 instructions and 2 cycles per warp and iteration; issuing takes 0.75\n"
     "fewer conversions and special functions: by table, by bits, or once for several elements\n" FLIGHT_OF_16},
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E R8, desc[UR4][R2.64]",
                           "LOP3.LUT R10, R9, R8, R10, 0x96, !PT", "LOP3.LUT R11, R9, R8, R10, 0x96, !PT",
                           "LOP3.LUT R12, R9, R8, R10, 0x96, !PT", "LOP3.LUT R13, R9, R8, R10, 0x96, !PT",
                           "@P0 BRA 0x10", "EXIT", NULL},
     slow_pipes,
     "pipe: instructions of the pipe in the loop 4 inst; cycles of the pipe per warp and iteration 2 cycle; cycles to issue the iteration 1.5 cycle; loads modelled at most 6.4e+11 B/s; DRAM 4e+12 B/s\n"
     "the ALU pipe takes 4 of the hot loop's 6 instructions and 2 cycles per warp and iteration; issuing takes 1.5\n"
     "do the integer and logic work once for several elements, or move some to the FMA pipe (IMAD)\n"
     "long-scoreboard: in flight per thread 4 byte; in flight on the chip 5120 B; needed 3.6e+06 B; warps resident 40 warp; loads modelled at most 5.689e+09 B/s; DRAM 4e+12 B/s\n"
     "4 B in flight per thread (0.00488 MiB on the chip) = 0 % of the 3.43 MiB that Little's law needs\n"
     "load 16 bytes per lane (now 4 at most), then issue more loads before the first use\n"},
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E R8, desc[UR4][R2.64]", "FADD R9, R8, R9", "@P0 BRA 0x10",
                           "EXIT", NULL},
     enough_in_flight, ""},
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E R8, desc[UR4][R2.64]", "FADD R10, R9, R8",
                           "FADD R11, R9, R8", "FADD R12, R9, R8", "FADD R13, R9, R8", "@P0 BRA 0x10", "EXIT", NULL},
     enough_at_low_latency,
     "issue-slots: instructions per byte 1.5 inst; loads modelled at most 8.533e+11 B/s; DRAM 1e+12 B/s\n"
     "issue-bound: 1.5 instructions per byte; the issue slots allow 0.853 of DRAM's 1 TB/s\n"
     "fewer instructions per byte: wider loads, packed arithmetic (HFMA2), addresses by a pointer that advances\n"
     "narrow-loads: widest load 4 byte; instructions per byte 1.5 inst\n"
     "no load of global memory is wider than 4 bytes per lane\n"
     "load 16 bytes per lane (uint4): fewer load instructions and more bytes in flight\n"},
    /* ptxas tells of no spill: an array, in a loop */
    {(const char *const[]){"S2R R2, SR_TID.X", "STL [R2], R16", "FADD R16, R16, R17", "@P0 BRA 0x10", "EXIT", NULL},
     NULL,
     "spills: registers per thread 32 register; local memory instructions of the loop 1 inst\n"
     "1 instruction of the hot loop accesses local memory: an array that is indexed at run time, or too large for registers\n"
     "index arrays by constants (unroll the loop), keep large ones in shared memory, or compute values again\n"},
    {(const char *const[]){"S2R R2, SR_TID.X", "STL [R2], R16", "FADD R16, R16, R17", "@P0 BRA 0x10", "EXIT", NULL},
     spilled,
     "small-grid: blocks 4 block; SMs 10 SM\n"
     "4 blocks leave 6 of 10 SMs idle\n"
     "launch more blocks: less work per block, or split a long sum over blocks\n"
     "spills: registers per thread 32 register; spill stores 8 byte; spill loads 12 byte; local memory instructions 1 inst\n"
     "32 registers are too few for the live values, and an array is indexed at run time: both use local memory\n"
     "index the array by constants (unroll its loops), else keep it in shared memory; allow more registers for what spills\n"},
    {LOOP, many_warps_of_one, ""}, /* half of an SM's warps are not few */
};

static void what_each_rule_says(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof SAYS / sizeof SAYS[0]; i++) {
    static struct made_code d;
    char text[TEXT_MAX];
    made(&d, SAYS[i].lines);
    if (SAYS[i].also)
      SAYS[i].also(&d);
    make(&d);
    advice_text(text, &d.code);
    if (strcmp(text, SAYS[i].says) != 0)
      fail_msg("row %zu:\n%s\nwanted:\n%s", i, text, SAYS[i].says);
    release(&d);
  }
}

static const struct static_advice *of_rule(const struct static_code *c, const char *name) {
  for (size_t i = 0; i < c->n_advice; i++)
    if (strcmp(c->advice[i].rule->name, name) == 0)
      return &c->advice[i];
  return NULL;
}

#define FOUR_SUMS "FADD R4, R8, R9", "FADD R5, R8, R9", "FADD R6, R8, R9", "FADD R7, R8, R9"

/* Sectors of 32 bytes that a warp touches, over the least for its bytes: 32 over 4 a row apart, 8 over 4 at every second word; turns at a bank. */
static void lanes_that_lie_apart(void **state) {
  (void)state;
  static const struct {
    const char *lines[24], *rule, *sentence;
    double figure; /* of the last evidence */
    const char *remedy;
    double accesses; /* of the first */
  } cases[] = {
      {{"S2R R0, SR_TID.X", "LDC R1, c[0x0][0x220]", "IMAD R0, R0, R1, RZ", "IMAD.WIDE R2, R0, 0x4, RZ",
        "LDG.E R8, desc[UR4][R2.64]", "STG.E desc[UR4][UR8], R8", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E R8, desc[UR4][R2.64] lie a distance apart that is known at run time only (a row's length)",
       4.5,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       2},
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x8, RZ", "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]",
        "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E R8, desc[UR4][R2.64] lie 8 bytes apart",
       2,
       "move each thread's adjacent elements at once (float2, float4), or use arrays in place of structs",
       2},
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x8, RZ", "LDG.E R8, desc[UR4][R2.64]", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E R8, desc[UR4][R2.64] lie 8 bytes apart",
       2,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       1},
      /* pieces as wide as can be, that fill what they touch; and one that does not */
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "LDG.E.128 R8, desc[UR4][R2.64]",
        "LDG.E.128 R12, desc[UR4][R2.64+0x10]", "EXIT"},
       "uncoalesced",
       NULL,
       0,
       NULL},
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "LDG.E.128 R8, desc[UR4][R2.64]", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E.128 R8, desc[UR4][R2.64] lie 32 bytes apart",
       2,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       1},
      /* nor do instructions that access nothing fill it */
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "LDG.E.128 R8, desc[UR4][R2.64]", FOUR_SUMS, FOUR_SUMS,
        FOUR_SUMS, FOUR_SUMS, "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E.128 R8, desc[UR4][R2.64] lie 32 bytes apart",
       2,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       1},
      /* nor what has another base, or goes the other way */
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "IMAD.WIDE R4, R0, 0x20, RZ",
        "LDG.E.128 R8, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R4.64+0x10]", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E.128 R8, desc[UR4][R2.64] lie 32 bytes apart",
       2,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       2},
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "LDG.E.128 R8, desc[UR4][R2.64]",
        "STG.E.128 desc[UR4][R2.64+0x10], R8", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E.128 R8, desc[UR4][R2.64] lie 32 bytes apart",
       2,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       2},
      /* two pieces that begin behind the address fill it */
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "LDG.E.128 R8, desc[UR4][R2.64+0x20]",
        "LDG.E.128 R12, desc[UR4][R2.64+0x30]", "EXIT"},
       "uncoalesced",
       NULL,
       0,
       NULL},
      /* 64 over 5, and of both the bytes' 32 over 1 are told */
      {{"S2R R0, SR_TID.X", "LDC R1, c[0x0][0x220]", "IMAD R0, R0, R1, RZ", "IMAD.WIDE R2, R0, 0x4, RZ",
        "LDG.E R8, desc[UR4][R2.64]", "LDG.E.U8 R9, desc[UR4][R2.64+0x8]", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E.U8 R9, desc[UR4][R2.64+0x8] lie a distance apart that is known at run time only (a row's length)",
       12.8,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       2},
      /* one of four: fewer sectors in vain than are needed */
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R8, desc[UR4][R2.64]",
        "LDG.E R9, desc[UR4][R2.64+0x400]", "LEA R2, R0, RZ, 0x3", "LDG.E R10, desc[UR4][R2]", "EXIT"},
       "uncoalesced",
       NULL,
       0,
       NULL},
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R8, desc[UR4][R2.64]", "EXIT"},
       "uncoalesced",
       NULL,
       0,
       NULL},
      {{"S2R R0, SR_CTAID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R8, desc[UR4][R2.64]", "EXIT"},
       "uncoalesced",
       NULL,
       0,
       NULL},
      {{"S2R R0, SR_TID.X", "LEA R2, R0, UR4, 0x7", "LDS R8, [R2]", "EXIT"},
       "bank-conflicts",
       "neighbouring lanes of LDS R8, [R2] lie 128 bytes apart: 32 of them share a bank and take turns",
       32,
       "pad the rows of the shared array by one word (tile[32][33]) or swizzle its columns",
       1},
      /* of two the worse, of 4 turns and of 8; what is read in order takes part, too */
      {{"S2R R0, SR_TID.X", "IMAD.SHL.U32 R2, R0, 0x10, RZ", "IMAD.SHL.U32 R3, R0, 0x20, RZ", "LDS R8, [R2]",
        "LDS R9, [R3]", "LDS R10, [UR4]", "EXIT"},
       "bank-conflicts",
       "neighbouring lanes of LDS R9, [R3] lie 32 bytes apart: 8 of them share a bank and take turns",
       8,
       "pad the rows of the shared array by one word (tile[32][33]) or swizzle its columns",
       3},
      {{"S2R R0, SR_TID.X", "IMAD R2, R0, 0x84, RZ", "STS [R2], R8", "EXIT"}, "bank-conflicts", NULL, 0, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_code d;
    made(&d, cases[i].lines);
    make(&d);
    const struct static_advice *a = of_rule(&d.code, cases[i].rule);
    if ((a != NULL) != (cases[i].sentence != NULL))
      fail_msg("case %zu", i);
    if (a) {
      assert_string_equal(a->told.sentence, cases[i].sentence);
      assert_string_equal(a->told.remedy, cases[i].remedy);
      assert_true(a->told.evidence[a->told.n_evidence - 1].value.v == cases[i].figure);
      assert_true(a->told.evidence[0].value.v == cases[i].accesses);
      if (strcmp(cases[i].rule, "uncoalesced") == 0) {
        assert_int_equal(a->told.n_evidence, 3);
        assert_string_equal(a->told.evidence[1].title, "of these, strided");
        assert_true(a->told.evidence[1].value.v >= 1 && a->told.evidence[1].value.v <= cases[i].accesses);
      }
      assert_null(of_rule(&d.code, strcmp(cases[i].rule, "uncoalesced") == 0 ? "narrow-loads" : "uncoalesced"));
    }
    release(&d);
  }
}

/* A sum can be split over blocks, a product of all turns so far cannot. */
static void grids_of_sums_and_of_recurrences(void **state) {
  (void)state;
  static const char *const loops[][6] = {{"LDG.E R8, desc[UR4][R2.64]", "FADD R4, R4, R8", "@P0 BRA 0x0", "EXIT"},
                                         {"LDG.E R8, desc[UR4][R2.64]", "FFMA R4, R4, R8, R9", "@P0 BRA 0x0", "EXIT"}};
  for (int i = 0; i < 2; i++) {
    static struct made_code d;
    made(&d, loops[i]);
    d.m.results[0].launches->grid[0] = 4;
    make(&d);
    const struct static_advice *a = of_rule(&d.code, "small-grid");
    assert_non_null(a);
    assert_true((strncmp(a->told.remedy, "each iteration of a thread's loop needs the one before", 49) == 0) == i);
    release(&d);
  }
}

/* Of 7 instructions 2 on the pipe of doubles: 1.75 cycles to issue, 64 of them on the pipe's one lane, 1 on its 64. */
static void doubles_where_they_bind(void **state) {
  (void)state;
  static const char *const lines[] = {"LDC.64 R2, c[0x0][0x210]",
                                      "LDG.E.64 R8, desc[UR4][R2.64]",
                                      "DFMA R16, R8, R12, R16",
                                      "DFMA R18, R8, R12, R18",
                                      "IADD3 R2, R2, 0x8, RZ",
                                      "ISETP.NE.AND P0, PT, R2, R4, PT",
                                      "@P0 BRA 0x10",
                                      "EXIT",
                                      NULL};
  static const struct {
    double lanes; /* a cycle; 0: not known */
    bool speaks;
  } chips[] = {{0, true}, {1, true}, {64, false}};
  for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
    static struct made_code d;
    made(&d, lines);
    if (chips[i].lanes > 0)
      made_ceiling(&d.m, "rate_fp64", chips[i].lanes, CEILING_DATASHEET);
    make(&d);
    if ((of_rule(&d.code, "fp64") != NULL) != chips[i].speaks)
      fail_msg("%g lanes", chips[i].lanes);
    release(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_each_rule_says),
      cmocka_unit_test(lanes_that_lie_apart),
      cmocka_unit_test(doubles_where_they_bind),
      cmocka_unit_test(grids_of_sums_and_of_recurrences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
