/* Of several remedies of a rule the one that the code and the counters of the kernel allow. */
#include "unit/judged.h"

static void all_registers(struct made_diagnosis *d) {
  d->m.results[0].launches->registers = 255;
}

static void spills_untold(struct made_diagnosis *d) {
  d->kernel.spill_store_bytes = d->kernel.spill_load_bytes = -1;
}

static void slots_to_spare(struct made_diagnosis *d) {
  set(&d->m.results[0], "issue_active", 2e6);
}

static void without_counts(struct made_diagnosis *d) {
  d->m.results[0].shape = (struct shape){0};
  d->m.results[0].n_counts = 0;
}

/* 100 loads of 4 bytes a lane, 4 sectors a request where all lanes lie side by side; the least for their bytes are 320. */
#define LOADS(touched) .also = touched_##touched, .lines = {"LDG.E R8, desc[UR4][R2.64]", "EXIT"}, .executed = {100, 1}
/* 100 times a thread stores two values. */
#define PIECES(moves, a, b)                                                                                            \
  .also = pieces, .lines = {"S2R R0, SR_TID.X", "LDC.64 R6, c[0x0][0x210]", moves, a, b, "EXIT"},                      \
  .executed = {100, 100, 100, 100, 100, 1},                                                                            \
  .set = {{"store_data_bytes", 25600},                                                                                 \
          {"l1_store_requests", 200},                                                                                  \
          {"l1_store_sectors", 1600},                                                                                  \
          {"l2_write_bytes", 51200},                                                                                   \
          {"dram_write_bytes", 30000}}
#define BY_8        "IMAD.WIDE R2, R0, 0x8, R6"
#define BY_16       "IMAD.WIDE R2, R0, 0x10, R6"
#define STG(offset) "STG.E desc[UR4][R2.64" offset "], R8"
/* The loads stand behind a branch on what `leads` makes. */
#define LED_BY(leads)                                                                                                  \
  .also = touched_400,                                                                                                 \
  .lines = {leads, "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 BRA 0x40", "LDG.E R8, desc[UR4][R2.64]", "EXIT"},           \
  .executed = {100, 100, 100, 100, 100}
/* Of 400 turns of a warp: 4 bytes a lane, 25 of which Little's law needs under way. */
static void in_turns(struct made_diagnosis *d) {
  d->m.results[0].shape = (struct shape){0};
  latencies(d, 1000);
}
static void in_turns_of_many(struct made_diagnosis *d) {
  in_turns(d);
  d->m.results[0].launches->grid[0] = 160;
}
#define MOVED_BY(load, use, moves, steps)                                                                              \
  .rule = "long-scoreboard", .set = {{"stall_long_scoreboard", 24e6}},                                                 \
  .lines =                                                                                                             \
      {"S2R R0, SR_TID.X", moves, "IMAD.WIDE R2, R0, 0x4, RZ", load, use, steps, "IADD3.X R3, RZ, R3, RZ, P0, !PT",    \
       "@P1 BRA 0x30",     "EXIT"},                                                                                    \
  .executed = {640, 640, 640, 256e3, 256e3, 256e3, 256e3, 256e3, 640}
#define MOVED(moves, steps) MOVED_BY("LDG.E R8, desc[UR4][R2.64]", "FADD R4, R8, R4", moves, steps)
/* 400 turns that load through one pointer and store through another. */
#define STORED(a, b)                                                                                                   \
  .rule = "long-scoreboard", .set = {{"stall_long_scoreboard", 24e6}}, .also = in_turns,                               \
  .lines = {"LDC.64 R2, c[0x0][0x210]",                                                                                \
            "LDC.64 R4, c[0x0][0x218]",                                                                                \
            "LDG.E R8, desc[UR4][R2.64]",                                                                              \
            "FADD R7, R8, R7",                                                                                         \
            "STG.E desc[UR4][R4.64], R7",                                                                              \
            a,                                                                                                         \
            b,                                                                                                         \
            "@P1 BRA 0x20",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {640, 640, 256e3, 256e3, 256e3, 256e3, 256e3, 256e3, 640}
/* Roots of products of two loads, in a loop. */
#define ROOTS                                                                                                          \
  .rule = "issue-slots",                                                                                               \
  .lines = {"LDG.E R4, desc[UR4][R2.64]",                                                                              \
            "LDG.E R5, desc[UR4][R10.64]",                                                                             \
            "FMUL R6, R4, R5",                                                                                         \
            "MUFU.RSQ R7, R6",                                                                                         \
            "ISETP.GT.U32.AND P1, PT, R6, 0x727fffff, PT",                                                             \
            "FMUL.FTZ R8, R6, R7",                                                                                     \
            "FMUL.FTZ R7, R7, 0.5",                                                                                    \
            "FFMA R6, -R8, R8, R6",                                                                                    \
            "FFMA R8, R6, R7, R8",                                                                                     \
            "@P0 BRA 0x0",                                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 1}
#define BANKS(a, b, access)                                                                                            \
  .rule = "bank-conflicts", .lines = {a, b, access, "EXIT"}, .executed = {100, 100, 100, 100},                         \
  .set = {{"l1_wavefronts", 5e5}, {"shared_wavefronts", 4e5}, {"shared_bank_conflicts", 3e5}}
/* 100 pairs of loads side by side, of a DRAM that reads so many bytes at 0.98 TB/s. */
#define FULL_BY(both, read, data)                                                                                      \
  .lines = {"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x8, RZ", both, "EXIT"}, .executed = {100, 100, 100, 100, 100},     \
  .set = {{"dram_read_bytes", read}, {"dram_write_bytes", 0}, {"l1_load_requests", 200}, {"load_data_bytes", data}}
#define FULL_OF_UNKNOWN                                                                                                \
  .lines = {"LDG.E R8, desc[UR4][R2.64]", "EXIT"}, .executed = {100, 1},                                               \
  .set = {{"dram_read_bytes", 80e6}, {"dram_write_bytes", 0}, {"l1_load_requests", 100}, {"load_data_bytes", 12800}}
#define WORD     "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]"
#define FOUR     "LDG.E.128 R8, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R2.64+0x10]"
#define CONSTANT "HFMA2.MMA R7, -RZ, RZ, 0, 0"
#define GUARDED(makes, adds)                                                                                           \
  .lines = {makes, adds, "IADD3 R4, R4, R7, RZ", "ISETP.GE.AND P0, PT, R4, 0x14, PT", "@P0 EXIT", "FADD R8, R8, R8",   \
            "EXIT"},                                                                                                   \
  .executed = {100, 100, 100, 100, 100, 100, 100}
#define LOCAL(a, b, c)                                                                                                 \
  .also = spills_untold, .lines = {a, b, c, "EXIT"},                                                                   \
  .set = {{"l1_load_sectors", 1000}, {"local_load_sectors", 200}, {"local_store_sectors", 0}}
#define ISSUED(a, b, c, d) .lines = {a, b, c, d, "EXIT"}, .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}
#define SLOTS(a, b, c)                                                                                                 \
  .lines = {a, b, c, "EXIT"}, .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}
/* Each at a line of its own, the first so often and the others 36 times. */
#define ELEVEN(first)                                                                                                  \
  .also = a_line_each,                                                                                                 \
  .lines = {"S2R R9, SR_TID.X",                                                                                        \
            "S2R R9, SR_TID.X",                                                                                        \
            "S2R R9, SR_TID.X",                                                                                        \
            "S2R R9, SR_TID.X",                                                                                        \
            "S2R R9, SR_TID.X",                                                                                        \
            "S2R R9, SR_TID.X",                                                                                        \
            "S2R R9, SR_TID.X",                                                                                        \
            "S2R R9, SR_TID.X",                                                                                        \
            "S2R R9, SR_TID.X",                                                                                        \
            "S2R R9, SR_TID.X",                                                                                        \
            "EXIT"},                                                                                                   \
  .executed = {first, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36},                                                         \
  .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}
/* 100 turns of a loop that is entered so many times. */
#define TURNING(entered)                                                                                               \
  .lines = {"MOV R6, RZ",                                                                                              \
            "FADD R4, R5, R4",                                                                                         \
            "FADD R4, R5, R4",                                                                                         \
            "FADD R4, R5, R4",                                                                                         \
            "IADD3 R6, R6, 0x1, RZ",                                                                                   \
            "ISETP.NE.AND P0, PT, R6, R7, PT",                                                                         \
            "@P0 BRA 0x10",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {entered, 100, 100, 100, 100, 100, 100, entered}
#define TOUCHED(touched)                                                                                               \
  static void touched_##touched(struct made_diagnosis *d) {                                                            \
    d->counts[0].global_sectors = touched;                                                                             \
    d->counts[0].global_sectors_ideal = 320;                                                                           \
  }
TOUCHED(400)
TOUCHED(500)
TOUCHED(610)
TOUCHED(640)

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

/* A line for each instruction; without the first of two branches half of the lanes go through the fourth and fifth. */
static void a_line_each(struct made_diagnosis *d) {
  static struct run_line lines[LINES_MAX];
  for (size_t i = 0; i < d->kernel.n_sass; i++) {
    lines[i] = (struct run_line){.source = -1, .line = (int)i + 10};
    d->sass[i].lines = &lines[i];
    d->sass[i].n_lines = 1;
  }
  d->counts[3].threads = d->counts[4].threads = 16 * d->counts[3].executed;
}

/* Of the stores of 4 bytes each touches twice as many sectors as it needs. */
static void pieces(struct made_diagnosis *d) {
  a_line_each(d);
  d->counts[3].global_sectors = d->counts[4].global_sectors = 800;
  d->counts[3].global_sectors_ideal = d->counts[4].global_sectors_ideal = 400;
}

/* The first load is of this block's row, and the second every block makes; a store. */
#define ROW_BY(row, every)                                                                                             \
  .also = a_line_each, .lines = {"S2R R0, SR_CTAID.X",          "S2R R1, SR_TID.X",                                    \
                                 "IMAD.WIDE R2, R0, 0x100, R8", "IMAD.WIDE R4, R1, 0x4, R10",                          \
                                 "LDG.E R6, desc[UR4][R2.64]",  "LDG.E R7, desc[UR4][R4.64]",                          \
                                 "STG.E desc[UR4][R2.64], R6",  "EXIT"},                                               \
  .executed = {40, 40, 40, 40, row, every, 90, 40}
#define OF_DRAM(read, written)                                                                                         \
  .set = {{"dram_read_bytes", read}, {"dram_write_bytes", written}, {"l1_load_requests", 200}}
#define AGAIN                                                                                                          \
  .set = {{"l1_load_bytes", 80e6}, {"l2_read_bytes", 20e6}, {"dram_read_bytes", 20e6}, {"l1_load_requests", 400}}

/* A load that touches more in vain than the store, of which the L1 has all. */
static void load_and_store(struct made_diagnosis *d) {
  d->counts[0].global_sectors = 1000;
  d->counts[1].global_sectors = 800;
  d->counts[0].global_sectors_ideal = d->counts[1].global_sectors_ideal = 400;
}
#define HIT_BY_LOADS(hit, dram, insts)                                                                                 \
  .also = load_and_store, .lines = {"LDG.E R8, desc[UR4][R2.64]", "STG.E desc[UR4][R4.64], R8", "EXIT"},               \
  .executed = {100, 100, 1},                                                                                           \
  .set = {{"l1_load_sectors", 1000}, {"dram_read_bytes", dram}, {"l1_load_sectors_hit", hit},                          \
          {"inst_executed", insts},  {"l2_read_bytes", 32e3},   {"l2_write_bytes", 25600}}

/* All samples stand at the second line. */
static void seen_at_the_second(struct made_diagnosis *d) {
  static struct run_sample sample = {.offset = 16, .reason = (char *)"selected", .samples = 100};
  a_line_each(d);
  d->m.results[0].samples = &sample;
  d->m.results[0].n_samples = 1;
}

/* The first stands on the second's line. */
static void two_on_a_line(struct made_diagnosis *d) {
  a_line_each(d);
  d->sass[0].lines = d->sass[1].lines;
}

static const struct remedy_case {
  struct judged_case kernel;
  const char *remedy; /* a part of it */
  const char *sentence;
} CASES[] = {
    /* a thread's two values fill what lies between it and the next one; or there is more between them */
    {{.rule = "partial-sectors", PIECES(BY_8, STG(""), STG("+0x4"))},
     "one 8-byte store per thread: put its adjacent 4-byte values together first (int2, float2), where rows are multiples of 8 bytes$",
     "stores fill 16 of the 32 bytes of a sector: a thread's adjacent stores write it piece by piece"},
    {{.rule = "partial-sectors",
      PIECES("IMAD.WIDE R2, R0, 0x4, R6", "STG.E.U16 desc[UR4][R2.64], R8", "STG.E.U16 desc[UR4][R2.64+0x2], R9")},
     "one 4-byte store per thread: put its adjacent 2-byte values together first (int, half2), where rows are multiples of 4 bytes$",
     NULL},
    {{.rule = "partial-sectors", PIECES(BY_16, STG(""), STG("+0x4"))},
     "store whole sectors: neighbouring lanes to neighbouring addresses, and a thread's adjacent 4-byte values at once, 16 bytes where aligned$",
     "stores fill 16 of the 32 bytes of a sector: a thread's adjacent stores write it piece by piece"},
    {{.rule = "partial-sectors", PIECES(BY_16, STG(""), STG("+0x8"))},
     "store whole sectors: neighbouring lanes to neighbouring addresses, or stage through shared memory$",
     "stores fill 16 of the 32 bytes of a sector, and each costs the L2 a whole one"},
    {{.rule = "partial-sectors", PIECES(BY_16, "STG.E.64 desc[UR4][R2.64], R8", "STG.E.64 desc[UR4][R2.64+0x8], R10")},
     "one 16-byte store per thread: put its adjacent 8-byte values together first (int4, float4), where rows are multiples of 16 bytes$",
     NULL},
    {{.rule = "uncoalesced", PIECES(BY_8, STG(""), STG("+0x4")), .without = "dram_write_bytes"},
     "one 8-byte store per thread",
     "2.0 times the sectors that their bytes need, most of the excess by stores"},
    /* where the L2 or DRAM binds, what the L1 has of the loads costs nothing there; where it has less, or where neither binds, the loads come first */
    {{.rule = "uncoalesced", HIT_BY_LOADS(600, 80e6, 1000)},
     "let neighbouring lanes access neighbouring bytes",
     "global stores touch 2.0 times the sectors that their bytes need; the L1 has what loads touch beyond theirs"},
    {{.rule = "uncoalesced", HIT_BY_LOADS(100, 80e6, 1000)},
     "let neighbouring lanes access neighbouring bytes",
     "global accesses touch 2.2 times the sectors that their bytes need"},
    {{.rule = "uncoalesced", HIT_BY_LOADS(600, 80, 1e9)},
     "let neighbouring lanes access neighbouring bytes",
     "global accesses touch 2.2 times the sectors that their bytes need"},
    {{.rule =
          "uncoalesced", /* no more than lanes side by side touch, but some of them are away: what a load brought decides */
      LED_BY("LDG.E R4, desc[UR4][R6.64]"),
      .set = {{"l1_load_sectors", 800}, {"l1_load_requests", 200}, {"thread_inst_executed", 25}}},
     "load before the branch, and store once behind it (a select)",
     "1.25 times the sectors that their bytes need: lanes lie side by side, but a branch takes some of them apart"},
    {{.rule = "uncoalesced", /* of shared memory, too */
      LED_BY("LDS R4, [R6]"),
      .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}, {"thread_inst_executed", 25}}},
     "load before the branch, and store once behind it (a select)",
     "1.25 times the sectors that their bytes need: lanes lie side by side, but a branch takes some of them apart"},
    {{.rule = "uncoalesced", /* where the thread stands decides */
      LED_BY("S2R R4, SR_TID.X"),
      .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}, {"thread_inst_executed", 25}}},
     "give every lane an element: rows and tiles of a multiple of 32",
     "1.25 times the sectors that their bytes need: lanes lie side by side, but the ends of rows leave some without an element"},
    {{.rule = "uncoalesced", /* 90 % of the lanes are there: they touch more than what the others leave */
      LED_BY("S2R R4, SR_TID.X"),
      .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}, {"thread_inst_executed", 28.8}}},
     "let neighbouring lanes access neighbouring bytes",
     "1.25 times the sectors that their bytes need"},
    {{.rule = "divergence", .set = {{"inst_executed", 1000}, {"thread_inst_executed", 1900}}},
     "share out what one lane does among its warp",
     "1.9 of a warp's 32 lanes"},
    {{.rule = "divergence",
      GUARDED("S2R R4, SR_TID.X", CONSTANT),
      .set = {{"inst_executed", 1000}, {"thread_inst_executed", 12800}}},
     "19 of 32 lanes have no element: tiles or blocks that fit the rows, or one index over all",
     "12.8 of a warp's 32 lanes"},
    {{.rule = "divergence", /* what was loaded decides, and so does a float */
      GUARDED("LDG.E R4, desc[UR4][R6.64]", "S2R R7, SR_TID.X"),
      .set = {{"inst_executed", 1000}, {"thread_inst_executed", 12800}}},
     "sort or compact the work",
     NULL},
    {{.rule = "divergence",
      GUARDED("S2R R4, SR_TID.X", "FADD R7, R4, R4"),
      .set = {{"inst_executed", 1000}, {"thread_inst_executed", 12800}}},
     "sort or compact the work",
     NULL},
    {{.rule = "divergence", /* some lanes turn more often than others */
      .lines = {"S2R R4, SR_TID.X", "IADD3 R4, R4, -0x1, RZ", "ISETP.GE.AND P0, PT, R4, 0x1, PT", "@P0 BRA 0x10",
                "EXIT"},
      .executed = {100, 100, 100, 100, 100},
      .set = {{"inst_executed", 1000}, {"thread_inst_executed", 12800}}},
     "sort or compact the work",
     NULL},
    {{.rule = "divergence", .set = {{"inst_executed", 1000}, {"thread_inst_executed", 2000}}},
     "sort or compact the work",
     "2.0 of a warp's 32 lanes"},
    {{.rule = "uncoalesced",
      LOADS(400),
      .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}}}, /* none is away */
     "let neighbouring lanes access neighbouring bytes",
     "1.25 times the sectors that their bytes need"},
    {{.rule = "uncoalesced", LOADS(500), .set = {{"l1_load_sectors", 500}, {"l1_load_requests", 100}}}, /* 5 of 4 */
     "pad the pitch, or shift where a row or its halo starts",
     "1.56 times the sectors that their bytes need: lanes lie side by side, but their rows begin inside a sector"},
    {{.rule = "uncoalesced", LOADS(610), .set = {{"l1_load_sectors", 610}, {"l1_load_requests", 100}}}, /* 6.1 of 4 */
     "let neighbouring lanes access neighbouring bytes",
     "1.91 times the sectors that their bytes need"},
    {{.rule = "uncoalesced",
      LOADS(640),
      .set = {{"l1_load_sectors", 500}, {"l1_load_requests", 100}}}, /* twice as many */
     "let neighbouring lanes access neighbouring bytes",
     "2.0 times the sectors that their bytes need"},
    /* Of 100 instructions each: what takes the place of those of which most can go, in turn. */
    {{.rule = "issue-slots", /* 8 of 10 each of 20 divisions; 10 of 20 conversions are half as much and no more */
      ISSUED("MUFU.RCP R4, R5", "FCHK P0, R4, R5", "F2I.TRUNC.NTZ R6, R7", "FFMA R4, R5, R6, R7"),
      .executed = {20, 20, 20, 440, 1}},
     "fewer instructions: divisions (40 % of all): share reciprocals, else __fdividef$",
     NULL},
    {{.rule = "issue-slots", /* of 160 conversions 80, of 20 divisions 160 */
      ISSUED("MUFU.RCP R4, R5", "FCHK P0, R4, R5", "F2I.TRUNC.NTZ R6, R7", "FFMA R4, R5, R6, R7"),
      .executed = {20, 20, 160, 300, 1}},
     "divisions (40 % of all): share reciprocals, else __fdividef; conversions (32 %): keep one",
     NULL},
    {{.rule = "issue-slots", /* with the long way of 2 large angles: 20 x 37 + 2 x 110 of 2000 */
      ISSUED("FMUL R6, R18.reuse, 0.63661974668502807617", "I2F.F64.S64 R2, R2", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {20, 2, 1978, 0, 0}},
     "fewer instructions: sines and cosines (48 % of all): __sincosf",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("FFMA.RM R6, R2, R11, 12582913", "MUFU.EX2 R5, R8", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {50, 50, 400, 0, 0}},
     "fewer instructions: expf (80 % of all): __expf",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("FFMA R4, R0, 0.69314718246459960938, R4", "MUFU.LG2 R5, R8", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {10, 0, 490, 0, 0}},
     "fewer instructions: logf (48 % of all): __logf",
     NULL},
    {{.rule = "issue-slots", /* an exponential's ln 2 by itself is none */
      ISSUED("FFMA R5, R4, R5, 0.69314718246459960938", "MUFU.EX2 R5, R8", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {40, 0, 460, 0, 0}},
     "fewer instructions: floating-point work (100 %",
     NULL},
    {{.rule = "issue-slots", /* 1 / x: 25 x 10 of 500 */
      ISSUED("ISETP.GT.U32.AND P0, PT, R2, 0x1ffffff, PT", "MUFU.RCP R30, R27", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {25, 25, 450, 0, 0}},
     "fewer instructions: divisions (50 %",
     NULL},
    /* 5 divisions of 18 and 10 further quotients of 12, of 500: by both rules */
    {{.rule = "issue-slots",
      ISSUED("I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "IMAD.HI.U32 R6, R7, R9, R6", "FFMA R4, R5, R6, R7"),
      .executed = {5, 5, 20, 470, 0}},
     "fewer instructions: integer divisions (42 %",
     NULL},
    {{BANKS("S2R R0, SR_TID.X", "SHF.L.U32 R2, R0, 0x7, RZ", "LDS R8, [R2]")},
     "lanes lie 128 bytes apart, 32 in a bank: pad each row by one element, or swizzle$",
     NULL},
    {{BANKS("S2R R0, SR_TID.X", "SHF.L.U32 R2, R0, 0x3, RZ", "STS [R2], R8")},
     "lanes lie 8 bytes apart, 2 in a bank: pad each row by one element, or swizzle$",
     NULL},
    {{BANKS("LDG.E R4, desc[UR4][R2.64]", "LEA R6, R4, UR5, 0x2", "@P0 LDS R8, [R6+0x10]")},
     "places come from data, which padding does not spread: keep it in registers (shuffles), or fewer accesses$",
     NULL},
    {{BANKS("LDG.E R8, desc[UR4][R2.64]", "SHFL.IDX PT, R6, R3, R5, 0x1f",
            "STS [R6], R8")}, /* the value, and not its place */
     "pad or swizzle the shared array so that the lanes of a warp hit different banks$",
     NULL},
    {{BANKS("LDG.E R4, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R4, RZ, PT",
            "@P0 LDS R8, [R6]")}, /* whether, and not where */
     "pad or swizzle the shared array so that the lanes of a warp hit different banks$",
     NULL},
    {{BANKS("S2R R0, SR_TID.X", "SHF.L.U32 R2, R0, 0x2, RZ", "LDS R8, [R2]")}, /* side by side */
     "pad or swizzle the shared array so that the lanes of a warp hit different banks$",
     NULL},
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
    {{.rule = "dram-saturated", FULL_BY(FOUR, 93e6, 102400)},
     "(a narrower type, fusion with the neighbouring kernel)$",
     NULL},
    {{.rule = "dram-saturated", FULL_BY(WORD, 96e6, 25600)}, /* 97.96 us of 100 */
     "(a narrower type, fusion with the neighbouring kernel)$",
     NULL},
    {{.rule = "integer-division",
      ISSUED("I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "IMAD.HI.U32 R6, R7, R9, R6", "FFMA R4, R5, R6, R7"),
      .executed = {5, 5, 20, 470, 0}},
     "avoid / and %",
     "15 warp-level integer divisions or remainders take 42 % of the instructions"},
    {{.rule = "issue-slots", /* bits of what was loaded are places in a table */
      ISSUED("LDG.E R4, desc[UR4][R2.64]", "LOP3.LUT R6, R4, 0x3f, RZ, 0xc0, !PT", "LEA R6, R6, UR5, 0x2",
             "LDS R8, [R6]"),
      .executed = {40, 210, 210, 40, 0}},
     "fewer instructions: index arithmetic on loaded values (84 % of all): fewer shifts and masks, 32-bit indices",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("S2R R4, SR_TID.X", "LOP3.LUT R6, R4, 0x3f, RZ, 0xc0, !PT", "LEA R6, R6, UR5, 0x2", "LDS R8, [R6]"),
      .executed = {40, 210, 210, 40, 0}},
     "fewer instructions: index arithmetic (84 % of all): more elements per thread share it (est",
     NULL},
    {{.rule = "issue-slots", /* half of it in a loop */
      .lines = {"S2R R4, SR_TID.X", "LOP3.LUT R4, R4, 0x3f, RZ, 0xc0, !PT", "S2R R9, SR_TID.Y", "LEA R6, R4, UR5, 0x2",
                "LDS R8, [R6]", "@P0 BRA 0x30", "EXIT"},
      .executed = {20, 190, 20, 190, 40, 150, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "loop overhead (93 % of all): unroll; index arithmetic (62 %): hoist, advance pointers (est",
     NULL},
    {{.rule = "issue-slots", /* and less than half */
      .lines = {"S2R R4, SR_TID.X", "LOP3.LUT R4, R4, 0x3f, RZ, 0xc0, !PT", "S2R R9, SR_TID.Y", "LEA R6, R4, UR5, 0x2",
                "LDS R8, [R6]", "@P0 BRA 0x30", "EXIT"},
      .executed = {20, 200, 20, 180, 40, 150, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "loop overhead (89 % of all): unroll; index arithmetic (62 %): more elements per thread share it",
     NULL},
    {{.rule = "issue-slots", /* the loop is left in its first turn */
      .lines = {"S2R R4, SR_TID.X", "LOP3.LUT R4, R4, 0x3f, RZ, 0xc0, !PT", "LEA R6, R4, UR5, 0x2", "LDS R8, [R6]",
                "@P0 BRA 0x20", "EXIT"},
      .executed = {40, 190, 190, 40, 40, 40},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "fewer instructions: index arithmetic (70 % of all): more elements per thread share it (est",
     NULL},
    {{.rule = "issue-slots", /* what turns is no index */
      .lines = {"S2R R4, SR_TID.X", "LEA R6, R4, UR5, 0x2", "LDS R8, [R6]", "IADD3 R9, R9, R8, RZ", "@P0 BRA 0x30",
                "EXIT"},
      .executed = {10, 170, 10, 160, 160, 10},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 520}}},
     "fewer instructions: index arithmetic (33 % of all): more elements per thread share it",
     NULL},
    {{.rule = "issue-slots", /* its exponential ends in ln 2, and is no logarithm */
      ISSUED("FFMA R8, R5, R8, 0.0032181653659790754318", "FFMA R5, R4, R5, 0.69314718246459960938",
             "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {4, 4, 492, 0, 0}},
     "fewer instructions: powf (55 %",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("FFMA R8, R5, R8, 0.0032181653659790754318", "FFMA R5, R4, R5, 0.69314718246459960938",
             "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {4, 4, 492, 0, 0}},
     "multiply where the exponent is a small whole number, else __powf",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("ISETP.GT.U32.AND P0, PT, R4, 0x727fffff, PT", "MUFU.RSQ R5, R8", "FFMA R4, R5, R6, R7", "EXIT"),
      .executed = {20, 20, 460, 0, 0}},
     "fewer instructions: square roots (44 % of all): -prec-sqrt=false, or x == 0 ? 0 : x * rsqrtf(x)",
     NULL},
    {{.rule = "issue-slots", /* one half is a factor that both values share */
      ISSUED("HMUL2 R0, R1.H0_H0, R2", "HFMA2 R3, R1, R2.H0_H0, R3", "IADD3 R4, R5, R6, RZ", "EXIT"),
      .executed = {200, 100, 200, 0, 0}},
     "fewer instructions: floating-point work (60 % of all): compute common terms once",
     NULL},
    {{.rule = "issue-slots", /* two halves at once: the constant is a move */
      ISSUED("HADD2 R0, R1.H0_H0, R2.H0_H0", "HFMA2.MMA R3, -RZ, RZ, 1, 1", "IADD3 R4, R5, R6, RZ", "EXIT"),
      .executed = {200, 100, 200, 0, 0}},
     "fewer instructions: 16-bit arithmetic (40 % of all): two values at once",
     NULL},
    {{.rule = "issue-slots", /* one half beside packed operands is for both */
      ISSUED("HFMA2 R0, R1, R2.H0_H0, R3", "HFMA2 R4, R5, R6.H1_H1, RZ.H0_H0", "IADD3 R8, R9, R10, RZ", "EXIT"),
      .executed = {200, 200, 100, 0, 0}},
     "fewer instructions: floating-point work (80 % of all): compute common terms once",
     NULL},
    {{.rule = "issue-slots", /* a decoded weight for four rows */
      .lines = {"LOP3.LUT R1, R2, 0xf, RZ, 0xc0, !PT", "HFMA2 R20, R21, R22, R20", "HFMA2 R20, R1, R10, R20",
                "HFMA2 R20, R1, R11, R20", "HFMA2 R20, R1, R12, R20", "HFMA2.MMA R20, R1, R13, R20", "EXIT"},
      .executed = {10, 90, 100, 100, 100, 100, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "fewer instructions: products of several rows (98 % of all): tensor cores: mma.sync m16n8k16 for 8 or 16 rows (est",
     NULL},
    {{.rule = "issue-slots", /* which has them */
      .lines = {"LOP3.LUT R1, R2, 0xf, RZ, 0xc0, !PT", "HFMA2 R20, R21, R22, R20", "HFMA2 R20, R1, R10, R20",
                "HFMA2 R20, R1, R11, R20", "HFMA2 R20, R1, R12, R20", "HFMA2.MMA R20, R1, R13, R20", "EXIT"},
      .executed = {10, 90, 100, 100, 100, 100, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}, {"pipe_tensor_mma", 1}}},
     "fewer instructions: floating-point work (98 % of all): compute common terms once",
     NULL},
    {{.rule = "issue-slots", /* 5 of 7 in each of 50 turns */
      .lines = {"MOV R8, 0x20", "LEA.HI R6, R8, R8, RZ, 0x1", "ISETP.GT.AND P0, PT, R8, 0x3, PT",
                "SHF.R.S32.HI R6, RZ, 0x1, R6", "MOV R8, R6", "SHFL.BFLY PT, R10, R5, R6, 0x1f", "FADD R5, R10, R5",
                "@P0 BRA 0x10", "EXIT"},
      .executed = {10, 50, 50, 50, 50, 50, 50, 50, 10},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "fewer instructions: shuffles in a loop (95 % of all): replace warpSize by 32, or #pragma unroll (est",
     NULL},
    {{.rule = "issue-slots", /* 8 warps through 8 levels: 400 of 576 go */
      .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0", "SHF.R.U32.HI R6, RZ, 0x1, R6", "ISETP.GE.AND P1, PT, R9, R6, PT",
                "@!P1 LDS R3, [R4]", "@!P1 LDS R2, [R4+0x40]", "@!P1 FADD R3, R3, R2", "@!P1 STS [R4], R3",
                "ISETP.NE.AND P2, PT, R6, RZ, PT", "@P2 BRA 0x0", "EXIT"},
      .executed = {64, 64, 64, 64, 64, 64, 64, 64, 64, 64},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 640}}},
     "tree in shared memory (90 % of all): registers, then warp shuffles (est",
     NULL},
    /* 400 instructions take the schedulers all of the time, 100 us, and no pipe executes 360: half of these go, 45 %. */
    {{.rule = "issue-slots", /* 280 of 400 are named: more than is promised */
      SLOTS("F2I.TRUNC.NTZ R6, R7", "S2R R9, SR_TID.X", "EXIT"),
      .executed = {280, 120}},
     "fewer instructions: conversions (70 % of all): keep one type, convert once (estimate: 55 µs with 45 % fewer)$",
     NULL},
    {{.rule = "issue-slots", /* 120 of 400 take 30 us */
      SLOTS("F2I.TRUNC.NTZ R6, R7", "S2R R9, SR_TID.X", "EXIT"),
      .executed = {120, 280}},
     "keep one type, convert once (estimate: 55 µs with 45 % fewer; these save 30 µs at most)$",
     NULL},
    {{.rule = "issue-slots", /* 80 take 20, less than half of 45 */
      SLOTS("F2I.TRUNC.NTZ R6, R7", "S2R R9, SR_TID.X", "EXIT"),
      .executed = {80, 320}},
     "fewer instructions: several elements per thread share indices and tests (estimate: 55 µs with 45 % fewer)$",
     NULL},
    {{.rule = "issue-slots", /* turns repeat half of what moves on: the branch */
      .lines = {"F2I.TRUNC.NTZ R6, R7", "@P0 BRA 0x10", "ISETP.GE.AND P0, PT, R2, R3, PT", "EXIT"},
      .executed = {80, 160, 160, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}},
     "fewer instructions: unroll, so that turns share indices and tests (est",
     NULL},
    {{.rule =
          "issue-slots", /* all warps stand at the second line: the first issues four fifths, of no kind that has a name */
      .also = seen_at_the_second,
      SLOTS("S2R R9, SR_TID.X", "F2I.TRUNC.NTZ R6, R7", "EXIT"),
      .executed = {320, 80}},
     "tests; the most at 10 of an unnamed file (80 %) (estimate: 55 µs with 45 % fewer)$",
     NULL},
    {{.rule = "issue-slots",
      .also = seen_at_the_second,
      SLOTS("S2R R9, SR_TID.X", "BRA 0x20", "FCHK P0, R4, R5"),
      .executed = {194, 194, 8}},
     "tests; the most at 10 of an unnamed file (49 %) (est",
     NULL},
    {{.rule = "issue-slots", /* the operation, which is ten instructions, is what half of the line is */
      .also = two_on_a_line,
      .lines = {"FCHK P0, R4, R5", "S2R R9, SR_TID.X", "BRA 0x20", "BRA 0x30", "BRA 0x40", "BRA 0x50", "BRA 0x60",
                "EXIT"},
      .executed = {8, 152, 48, 48, 48, 48, 48, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}},
     "tests; the most at 11 of an unnamed file (40 %: divisions) (est",
     NULL},
    {{.rule = "issue-slots", /* and less than half */
      .also = two_on_a_line,
      .lines = {"FCHK P0, R4, R5", "BRA 0x10", "BRA 0x20", "BRA 0x30", "BRA 0x40", "BRA 0x50", "BRA 0x60", "EXIT"},
      .executed = {8, 153, 48, 48, 48, 48, 47, 0},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}},
     "tests; the most at 11 of an unnamed file (40 %: branches) (est",
     NULL},
    {{.rule = "issue-slots", /* a tenth at one line */
      ELEVEN(40)},
     "share indices and tests; the most at 10 of an unnamed file (10 %) (est",
     NULL},
    {{.rule = "issue-slots", /* no line has a tenth */
      ELEVEN(36)},
     "share indices and tests (est",
     NULL},
    /* What nvcc writes out for a function, found by one instruction of it. */
    {{.rule = "issue-slots", /* 7 of 14 each of 20 go, more than of others */
      ISSUED("HSETP2.EQ.AND P1, P0, R4.H0_H0, 0.0226898193359375, 0.007297515869140625, PT", "FFMA R4, R5, R6, R7",
             "HADD2 R0, R1.H0_H0, R2.H0_H0", "EXIT"),
      .executed = {20, 380, 100, 0, 0}},
     "fewer instructions: 16-bit exponentials (56 % of all): __expf in fp32, or h2exp for two at once$",
     NULL},
    {{.rule = "issue-slots", /* of 13.0: 3 of 10 each of 20 go, and 5 each are no work of its own */
      ISSUED("HSET2.BF.EQ.AND R6, R4.H0_H0, 0.0226898193359375, 0.007297515869140625, PT", "FFMA R4, R5, R6, R7",
             "HADD2 R0, R1.H0_H0, R2.H0_H0", "EXIT"),
      .executed = {20, 380, 100, 0, 0}},
     "fewer instructions: 16-bit exponentials (40 % of all): __expf in fp32, or h2exp for two at once$",
     NULL},
    {{.rule = "issue-slots", /* 6 of 11 each */
      ISSUED("HSETP2.GEU.AND P1, PT, |R8|.reuse.H0_H0, 8.523464202880859375e-06, 8.523464202880859375e-06, PT",
             "FFMA R4, R5, R6, R7", "HADD2 R0, R1.H0_H0, R2.H0_H0", "EXIT"),
      .executed = {20, 350, 130, 0, 0}}, /* of 110 others half: less than half of 120 */
     "16-bit divisions (44 % of all): __fdividef in fp32$",
     NULL},
    {{.rule = "issue-slots", /* 16 of 17 each */
      ISSUED("FSETP.GE.AND P1, PT, |R4|.reuse, 0.60000002384185791016, PT", "FFMA R4, R5, R6, R7", "EXIT", "EXIT"),
      .executed = {20, 480, 0, 0, 0}},
     "tanhf (68 % of all): tanh.approx.f32 where the accuracy allows$",
     NULL},
    {{.rule = "issue-slots", /* 16 of 28 each */
      ISSUED("FSETP.GE.AND P0, PT, |R0|, 1.0029599666595458984, PT", "FFMA R4, R5, R6, R7", "EXIT", "EXIT"),
      .executed = {10, 490, 0, 0, 0}},
     "erff (56 % of all): a shorter formula where the accuracy allows$",
     NULL},
    {{.rule = "issue-slots", /* both remedies are too long to be read at once */
      SLOTS("F2I.TRUNC.NTZ R6, R7", "HADD2 R0, R1.H0_H0, R2.H0_H0", "EXIT"),
      .executed = {200, 200}},
     "keep one type, convert once; also 16-bit arithmetic (50 %) (estimate: 55 µs with 45 % fewer)$",
     NULL},
    {{.rule = "issue-slots", /* and the second's name is, where these save less than 45 us */
      SLOTS("FCHK P0, R4, R5", "HADD2 R0, R1.H0_H0, R2.H0_H0", "S2R R9, SR_TID.X"),
      .executed = {8, 88, 304}},
     "divisions (20 % of all): share reciprocals, else __fdividef (estimate: 55 µs with 45 % fewer; these save 20 µs at most)$",
     NULL},
    {{.rule = "issue-slots", /* 18 of each are the division, whatever of it makes an address */
      ISSUED("I2F.U32.RP R4, R2", "IMAD R6, R4, R5, R4", "LDG.E.128 R8, desc[UR4][R6.64]", "EXIT"),
      .executed = {20, 400, 20, 0, 0}},
     "fewer instructions: integer divisions (82 % of all): multiply and shift (est",
     NULL},
    {{.rule = "issue-slots", /* an address of a loaded index is looked up: no wider access brings several */
      ISSUED("LDG.E R4, desc[UR4][R2.64]", "IMAD.WIDE R6, R4, 0x4, R8", "LDG.E R8, desc[UR4][R6.64]",
             "FADD R9, R8, R8"),
      .executed = {5, 250, 100, 145, 1}},
     "fewer instructions: index arithmetic on loaded values (50 % of all): fewer shifts and masks, 32-bit indices",
     NULL},
    {{.rule = "issue-slots", /* no loop, no index, no function: the work itself */
      ISSUED("FFMA R4, R5, R6, R7", "FFMA R4, R5, R6, R4", "IADD3 R4, R5, R6, RZ", "EXIT"),
      .executed = {200, 200, 100, 0, 0}},
     "fewer instructions: floating-point work (80 % of all): compute common terms once (est",
     NULL},
    {{.rule = "issue-slots",
      ISSUED("LOP3.LUT R4, R5, R6, R7, 0x96, !PT", "IADD3 R4, R5, R6, RZ", "FADD R4, R5, R6", "EXIT"),
      .executed = {200, 200, 100, 0, 0}},
     "fewer instructions: integer and logic work (80 % of all): compute what elements share once (est",
     NULL},
    {{.rule = "issue-slots", TURNING(1), .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}}, /* three of six */
     "fewer instructions: loop overhead (50 % of all): unroll (est",
     NULL},
    {{.rule = "issue-slots", TURNING(100), .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}}, /* one turn each */
     "fewer instructions: floating-point work (38 % of all)",
     NULL},
    {{.rule = "issue-slots",
      .lines = {"CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath)", "EXIT", "MUFU.RCP R4, R5",
                "FFMA R4, R5, R6, R7", "RET.REL.NODEC R2 `(gemv)"},
      .executed = {100, 100, 100, 200, 100},
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "fewer instructions: slow paths (67 % of all): scale denormal operands",
     NULL},
    {{.rule = "issue-slots", .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}},
     "cut index arithmetic and loop overhead (estimate: 55 µs with 45 % fewer)$",
     NULL},
    {{.rule = "issue-slots", /* nothing was counted, and there is no loop */
      .lines = {"FADD R4, R5, R4", "EXIT"},
      .also = without_counts,
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
     "access 16 bytes per lane, cut index arithmetic$",
     NULL},
    {{ROOTS, /* each input is used three times */
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}, {"l1_load_bytes", 300}, {"dram_read_bytes", 100}}},
     "take each input's root before, where none is negative",
     NULL},
    {{ROOTS, /* twice: as many roots of inputs */
      .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}, {"l1_load_bytes", 200}, {"dram_read_bytes", 100}}},
     "-prec-sqrt=false, or x == 0 ? 0 : x * rsqrtf(x)",
     NULL},
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
    {{.rule = "spills", LOCAL("MOV R4, 0xff", "STL [R1+0x8], R4", "LDL R6, [R8+0x4]"), .executed = {100, 100, 5}},
     "keep one table in constant or shared memory, filled once; more registers do not help",
     "local memory: each thread fills the same table and reads it at run-time indices"},
    {{.rule = "spills", /* 896 bytes need not fit in registers */
      LOCAL("IADD3 R1, R1, -0x380, RZ", "STL.128 [R1], RZ", "LDL R6, [R8+0x4]"),
      .executed = {1, 100, 5}},
     "keep one table in constant or shared memory, filled once; more registers do not help",
     NULL},
    {{.rule = "spills", /* its fixed places: the compiler says that it spills none */
      .lines = {"LDL R4, [R1]", "EXIT"},
      .executed = {100, 1},
      .set = {{"l1_load_sectors", 1000}, {"local_load_sectors", 200}, {"local_store_sectors", 0}}},
     "index the array by constants",
     "local memory: an array is indexed at run time"},
    {{STORED("IADD3 R2, R2, R6, RZ", "IADD3 R9, R9, R6, RZ")},
     "keep the sum in a register and store it after the loop; mark pointers const __restrict__, so that loads can move ahead of stores",
     NULL},
    {{STORED("IADD3 R2, R2, R6, RZ", "IADD3 R4, R4, R6, RZ")},
     "mark pointers const __restrict__, so that loads can move ahead of the loop's stores, then issue more loads before the first use",
     NULL},
    {{MOVED("LDC R6, c[0x0][0x220]", "IADD3 R2, P0, R2, R6, RZ"), .also = in_turns}, /* by an argument: rows */
     "load rows ahead: 25 independent loads before the first use",
     NULL},
    {{MOVED("LDC R6, c[0x0][0x220]", "IADD3 R2, P0, R2, 0x4, RZ"), .also = in_turns}, /* to the lane's next element */
     "issue more loads before the first use (unroll), 16 bytes per lane where rows are multiples of 16 bytes$",
     NULL},
    {{MOVED("LDC R6, c[0x0][0xc]", "IADD3 R2, P0, R2, R6, RZ"), .also = in_turns_of_many}, /* over the grid */
     "issue more loads before the first use (unroll), 16 bytes per lane where rows are multiples of 16 bytes$",
     NULL},
    {{MOVED("LDC R6, c[0x0][0x220]", "IADD3 R2, P0, R2, 0x400, RZ"), .also = in_turns_of_many}, /* by a block's 256 */
     "issue more loads before the first use (unroll), 16 bytes per lane where rows are multiples of 16 bytes$",
     NULL},
    {{MOVED_BY("LDG.E R8, desc[UR4][R2.64]", "STS [R10], R8", "LDC R6, c[0x0][0x220]", "IADD3 R2, P0, R2, 0x4, RZ"),
      .also = in_turns},
     "copy tiles by cp.async (memcpy_async), several of them under way; 16 bytes per lane where rows are multiples of 16 bytes$",
     NULL},
    {{MOVED_BY("LDG.E.U8 R8, desc[UR4][R2.64]", "FADD R4, R8, R4", "LDC R6, c[0x0][0x220]",
               "IADD3 R2, P0, R2, 0x1, RZ"),
      .also = in_turns},
     "load aligned words and shift the bytes into place (__funnelshift_r), several words before the first use$",
     NULL},
    {{MOVED("LDC R6, c[0x0][0x220]", "IADD3 R2, P0, R2, 0x440, RZ"), .also = in_turns_of_many}, /* 272 */
     "load rows ahead: 25",
     NULL},
    {{MOVED("LDC R6, c[0x0][0xc]", "IADD3 R2, P0, R2, R6, RZ"), .also = in_turns}, /* turns are fewer, and not blocks */
     "issue more loads before the first use (unroll), 16 bytes per lane where rows are multiples of 16 bytes$",
     NULL},
    {{.rule = "fp64", /* 10 of 30 on a float, 10 on it and on a double that was loaded, 10 on that one */
      .lines = {"LDG.E.64 R6, desc[UR4][R2.64]", "F2F.F64.F32 R4, R2", "DADD R8, R4, R4", "DADD R10, R4, R6",
                "DADD R12, R6, R6", "EXIT"},
      .executed = {10, 10, 10, 10, 10, 1},
      .set = {{"pipe_fp64", 10}}},
     "variables are declared as such; 33 % of the arithmetic is on converted values",
     NULL},
    {{.rule = "fp64", /* a float at work and an integer that becomes a double bring none */
      .lines = {"LDG.E R6, desc[UR4][R2.64]", "FADD R6, R6, R6", "F2F.F64.F32 R4, R6", "I2F.F64 R14, R6",
                "DADD R8, R4, R14", "DADD R8, R8, R8", "EXIT"},
      .executed = {10, 10, 10, 10, 10, 10, 1},
      .set = {{"pipe_fp64", 10}}},
     "literals without the suffix f",
     NULL},
    {{.rule = "non-fused-fp", /* 10 of 109 are fused, and then 11 of 110 */
      .lines = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "FFMA R6, R2, R3, R6", "EXIT"},
      .executed = {99, 99, 10, 1}},
     "drop -fmad=false",
     NULL},
    {{.rule = "non-fused-fp",
      .lines = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "FFMA R6, R2, R3, R6", "EXIT"},
      .executed = {99, 99, 11, 1}},
     "write fmaf by hand",
     NULL},
    {{.rule = "fp64",
      .lines = {"F2F.F64.F32 R2, R2", "DADD R4, R2, R2", "EXIT"},
      .executed = {0, 10, 1}, /* by samples, of which one instruction may have none */
      .set = {{"pipe_fp64", 10}}},
     "literals without the suffix f",
     NULL},
    {{.rule = "fp64", .lines = {"DADD R4, R2, R2", "EXIT"}, .executed = {10, 1}, .set = {{"pipe_fp64", 10}}},
     "its variables are declared as such",
     NULL},
    {{.rule = "shared-memory",
      .lines = {"LDS R4, [R2]", "EXIT"},
      .executed = {10, 1},
      .set = {{"shared_wavefronts", 100}, {"l1_wavefronts", 100}}},
     "or wider shared accesses",
     NULL},
    {{.rule = "shared-memory",
      .lines = {"LDS.128 R4, [R2]", "STS.128 [R2], R4", "STS [R2], R4", "EXIT"},
      .executed = {10, 1, 0, 1},
      .set = {{"shared_wavefronts", 100}, {"l1_wavefronts", 100}}},
     "use each value more often once it is read: more outputs per thread (the",
     NULL},
    /* a warp's doubles side by side fill 8 sectors, its floats 4 */
    {{.rule = "atomics",
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"reduction_sectors", 800},
              {"reduction_data_bytes", 25600}}},
     "sum what a thread or block adds to an address",
     "neighbouring addresses"},
    /* 8 requests each of two: 1 of the one whose warp is summed, so that the other has 15 */
    {{.rule = "atomics",
      .lines = {"VOTEU.ANY UR4, UPT, PT", "@P0 REDG.E.ADD.STRONG.GPU desc[UR6][R2.64], R7",
                "REDG.E.INC.STRONG.GPU desc[UR6][R4.64+0x18], R21", "EXIT"},
      .executed = {50, 50, 50, 1},
      .set = {{"l2_atomic_sectors", 4800},
              {"reduction_requests", 100},
              {"reduction_sectors", 3200},
              {"reduction_data_bytes", 1600}}},
     "atomicInc and atomicDec wrap",
     "the compiler sums 50 % of the warp-level atomics to one lane; the others take 15 requests each: atomicInc, atomicDec"},
    {{.rule = "atomics",
      .lines = {"VOTEU.ANY UR4, UPT, PT", "@P0 REDG.E.ADD.STRONG.GPU desc[UR6][R2.64], R7",
                "REDG.E.ADD.STRONG.GPU desc[UR6][R4.64+0x18], R21", "EXIT"},
      .executed = {50, 50, 50, 1},
      .set = {{"l2_atomic_sectors", 4800},
              {"reduction_requests", 100},
              {"reduction_sectors", 3200},
              {"reduction_data_bytes", 1600}}},
     "add those up in the warp too",
     "the others take 15 requests each"},
    {{.rule = "atomics",
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"reduction_sectors", 800},
              {"reduction_data_bytes", 12800}}},
     "privatise in shared memory",
     "scattered"},
    {{.rule = "atomics", /* as many integers as floats; those of shared memory are no question */
      .lines = {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R6.64], R8",
                "ATOMS.CAST.SPIN.64 R4, [R2], R4, R5", "EXIT"},
      .executed = {50, 50, 200, 1},
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"reduction_sectors", 800},
              {"reduction_data_bytes", 12800}}},
     "privatise in shared memory",
     "scattered"},
    {{.rule = "atomics",
      .lines = {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R6.64], R8",
                "EXIT"},
      .executed = {51, 50, 1},
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"reduction_sectors", 800},
              {"reduction_data_bytes", 12800}}},
     "let each result gather what is added to it",
     "scattered"},
    {{.rule = "atomics", /* doubles and pairs of halves are floats, too */
      .lines = {"REDG.E.ADD.F64.RN.STRONG.GPU desc[UR4][R6.64], R8",
                "REDG.E.ADD.F16x2.RN.STRONG.GPU desc[UR4][R6.64], R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R6.64], R8",
                "EXIT"},
      .executed = {26, 25, 50, 1},
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"reduction_sectors", 800},
              {"reduction_data_bytes", 12800}}},
     "let each result gather what is added to it",
     "scattered"},
    {{.rule = "atomics", /* half of the places are loaded, and half of the loops swap: neither is most */
      .lines = {"LDG.E R3, desc[UR4][R2.64]", "IMAD.WIDE R4, R3, 0x4, R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7",
                "FADD R11, R12, R13", "ATOMG.E.CAS.STRONG.GPU PT, R12, [R14], R10, R11", "@P0 BRA 0x30", "EXIT"},
      .executed = {50, 50, 50, 50, 50, 50, 1},
      .set = {{"l2_atomic_sectors", 800},
              {"reduction_requests", 100},
              {"atomic_requests", 300},
              {"reduction_sectors", 400},
              {"atomic_sectors", 400}}},
     "reduce within the block first",
     "few addresses;"},
};

/* "$": and nothing behind it. */
static bool has_words(const char *text, const char *words) {
  size_t n = strcspn(words, "$"), all = strlen(text);
  return words[n] ? all >= n && strncmp(text + all - n, words, n) == 0 : strstr(text, words) != NULL;
}

static void what_fits(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct judged j;
    struct advice a = {0};
    const struct rule *rule = rule_find(CASES[i].kernel.rule);
    judged_make(&j, &CASES[i].kernel, NULL);
    if (!rule->judge(&j.in, &a) || !has_words(a.remedy, CASES[i].remedy) ||
        (CASES[i].sentence && !strstr(a.sentence, CASES[i].sentence)))
      fail_msg("row %zu: %s / %s", i, a.sentence, a.remedy);
    assert_true(strlen(a.remedy) <= SENTENCE_MAX);
    judged_release(&j);
  }
}

/* Of 0.78 lanes the edges are coalescing's to tell, of 0.63 divergence's; and a request of one sector cannot touch fewer. */
static void what_others_say(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool fires;
  } rows[] = {{{.rule = "uncoalesced",
                LED_BY("S2R R4, SR_TID.X"),
                .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}, {"thread_inst_executed", 25}}},
               true},
              {{.rule = "uncoalesced",
                LED_BY("S2R R4, SR_TID.X"),
                .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}, {"thread_inst_executed", 20}}},
               false},
              {{.rule = "uncoalesced",
                LOADS(640),
                .set = {{"l1_load_sectors", 100}, {"l1_load_requests", 100}, {"thread_inst_executed", 20}}},
               false},
              {{.rule = "uncoalesced",
                LOADS(640),
                .set = {{"l1_load_sectors", 110}, {"l1_load_requests", 100}, {"thread_inst_executed", 20}}},
               true}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static struct judged j;
    struct advice a = {0};
    judged_make(&j, &rows[i].kernel, NULL);
    if (rule_find(rows[i].kernel.rule)->judge(&j.in, &a) != rows[i].fires)
      fail_msg("row %zu", i);
    judged_release(&j);
  }
}

static const struct line_case {
  struct judged_case kernel;
  size_t at;
} LINES[] = {{{.rule = "divergence",
               .also = a_line_each,
               .lines = {"S2R R2, SR_LANEID", "ISETP.GE.AND P1, PT, R2, 0x8, PT", "@P1 BRA 0x50", "FADD R4, R4, R5",
                         "FADD R4, R4, R5", "FADD R4, R4, R6", "EXIT"},
               .executed = {10, 10, 10, 10, 10, 10, 10},
               .set = {{"inst_executed", 1000}, {"thread_inst_executed", 1900}}},
              2},
             {{.rule = "issue-slots", /* of divisions and not of what runs the most */
               .also = a_line_each,
               .lines = {"FFMA R4, R5, R6, R7", "FCHK P0, R4, R5", "EXIT"},
               .executed = {460, 40, 1},
               .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}},
              1},
             {{.rule = "issue-slots", /* that issues the most, where no kind takes half of what is promised */
               .also = seen_at_the_second,
               SLOTS("S2R R9, SR_TID.X", "F2I.TRUNC.NTZ R6, R7", "EXIT"),
               .executed = {320, 80}},
              0},
             {{.rule = "issue-slots", /* of its instructions the one that runs the most */
               .also = two_on_a_line,
               .lines = {"BRA 0x10", "BRA 0x20", "BRA 0x30", "BRA 0x40", "BRA 0x50", "BRA 0x60", "BRA 0x70", "EXIT"},
               .executed = {8, 152, 48, 48, 48, 48, 48, 0},
               .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}, {"pipe_alu", 20}, {"pipe_fma", 20}}},
              1},
             {{.rule = "integer-division", /* the reciprocal's and not the sum's */
               .also = a_line_each,
               .lines = {"IADD3 R4, R5, R6, RZ", "I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "EXIT"},
               .executed = {460, 20, 20, 1},
               .set = {{"inst_executed", 500}}},
              1},
             {{.rule = "indexed-constants", /* the table's and not the argument's */
               .also = a_line_each,
               .lines = {"S2R R0, SR_TID.X", "LDC R1, c[0x0][0x210]", "FADD R5, R4, R4", "LDC R4, c[0x3][R0]", "EXIT"},
               .executed = {40, 40, 40, 40, 1},
               .set = {{"stall_mio_throttle", 16e6}}},
              3},
             {{.rule = "redundant-loads", ROW_BY(60, 40), AGAIN}, 5},
             {{.rule = "redundant-loads", ROW_BY(80, 20), AGAIN}, 4}, /* too few to be what is loaded so often */
             {{.rule = "dram-saturated", ROW_BY(40, 60), OF_DRAM(80e6, 0)}, 4},
             {{.rule = "dram-saturated", ROW_BY(40, 95), OF_DRAM(10e6, 70e6)}, 6},
             {{.rule = "dram-saturated", ROW_BY(40, 95), OF_DRAM(40e6, 40e6)}, 5},
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
              1}};

static void which_line(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
    static struct judged j;
    struct advice a = {0};
    judged_make(&j, &LINES[i].kernel, NULL);
    assert_true(rule_find(LINES[i].kernel.rule)->judge(&j.in, &a));
    if (a.at != &j.d.sass[LINES[i].at])
      fail_msg("row %zu: %td", i, a.at ? a.at - j.d.sass : -1);
    judged_release(&j);
  }
}

/* Before what saves less than the model can tell, and without a number. */
static void what_is_left_of_a_pipe(void **state) {
  (void)state;
  static struct judged j;
  const struct judged_case kernel = {.lines = {"FFMA R8, R4, R4, R8", "EXIT"},
                                     .executed = {400, 1},
                                     .set = {{"sm_clock_hz", 1e5}, {"pipe_fma", 400}, {"inst_executed", 400}}};
  struct advice a = {.general = true};
  judged_make(&j, &kernel, NULL);
  assert_true(rule_find("pipe")->judge(&j.in, &a));
  assert_true(a.unpriced && !a.general);
  assert_float_equal(a.rank_s, 0.12 * j.in.time_s, 1e-12);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_fits), cmocka_unit_test(what_others_say),
                                     cmocka_unit_test(which_line), cmocka_unit_test(what_is_left_of_a_pipe)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
