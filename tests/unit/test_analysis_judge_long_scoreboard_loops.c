/* The rule long-scoreboard of loops: which remedy fits how their pointers move, and who stores in them. */
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

/* Of 400 turns of a warp: 4 bytes a lane, 25 of which Little's law needs under way. */
static void in_turns(struct made_diagnosis *d) {
  d->m.results[0].shape = (struct shape){0};
  latencies(d, 1000);
}

static void in_turns_of_many(struct made_diagnosis *d) {
  in_turns(d);
  d->m.results[0].launches->grid[0] = 160;
}

/* A quarter of 160 KiB comes from DRAM, of which 10 ns x 1 TB/s keep it busy; the L2 sends the rest. */
static void enough_from_the_l2(struct made_diagnosis *d) {
  latencies(d, 10);
  set(&d->m.results[0], "l1_load_bytes", 4e3);
  set(&d->m.results[0], "l2_read_bytes", 4e3);
  set(&d->m.results[0], "dram_read_bytes", 1e3);
}

/* A quarter of what the L2 sends comes from DRAM, whose latency is four times that of the L2, or twice. */
static void far_dram(struct made_diagnosis *d, double times) {
  made_ceiling(&d->m, "l1_latency_cycles", 1, CEILING_MEASURED);
  made_ceiling(&d->m, "l2_latency_cycles", 10, CEILING_MEASURED);
  made_ceiling(&d->m, "dram_latency_cycles", 10 * times, CEILING_MEASURED);
  set(&d->m.results[0], "l1_load_bytes", 4e3);
  set(&d->m.results[0], "l2_read_bytes", 4e3);
  set(&d->m.results[0], "dram_read_bytes", 1e3);
}

static void dram_at_40(struct made_diagnosis *d) {
  far_dram(d, 4);
}

static void dram_at_20(struct made_diagnosis *d) {
  far_dram(d, 2);
}

static void thousand_latencies(struct made_diagnosis *d) {
  latencies(d, 1000);
}

/* All samples at one instruction; each instruction has its line, the first 10. */
static void only_samples_at(struct made_diagnosis *d, uint32_t inst) {
  static struct run_sample samples[1];
  samples[0] = (struct run_sample){.offset = 16 * inst, .reason = (char *)"long_scoreboard", .samples = 100};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 1;
  a_line_each(d);
}

/* Of DRAM that little keeps busy. */
static void samples_at(struct made_diagnosis *d, uint32_t inst) {
  only_samples_at(d, inst);
  latencies(d, 10);
}

static void samples_at_2(struct made_diagnosis *d) {
  samples_at(d, 2);
}

static void samples_at_3(struct made_diagnosis *d) {
  samples_at(d, 3);
}

static void samples_at_4(struct made_diagnosis *d) {
  samples_at(d, 4);
}

static void samples_at_1_of_many_cycles(struct made_diagnosis *d) {
  only_samples_at(d, 1);
  latencies(d, 1000);
}

/* The second loop has the line of the first: what an unrolled one leaves. */
static void samples_at_1_of_one_line(struct made_diagnosis *d) {
  samples_at_1_of_many_cycles(d);
  for (size_t i = 0; i < d->kernel.n_sass; i++)
    d->sass[i].lines = d->sass[0].lines;
}

/* A line, and a loop of four and its branch, with a tile of 16 bytes a lane. */
#define TILE(before, first, second, third, last)                                                                       \
  .rule = "long-scoreboard", .set = {{"stall_long_scoreboard", 24e6}},                                                 \
  .lines = {before, first, second, third, last, "@P0 BRA 0x10", "EXIT"},                                               \
  .executed = {320, 32e3, 32e3, 32e3, 32e3, 32e3, 320}
#define LOAD_16  "LDG.E.128 R8, desc[UR4][R2.64]"
#define STORE_16 "STS.128 [R6], R8"
#define COPY_16  "LDGSTS.E.BYPASS.128 [R6], desc[UR4][R2.64]"

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
static void turns_with_lines(struct made_diagnosis *d) {
  in_turns(d);
  a_line_each(d);
}

/* 400 turns over the block's next 1,024 bytes, of which each lane has one, or so many. */
#define BYTES(width, load, store)                                                                                      \
  .rule = "long-scoreboard", .set = {{"stall_long_scoreboard", 24e6}}, .also = turns_with_lines,                       \
  .lines = {"S2R R0, SR_TID.X",                                                                                        \
            "LDC.64 R4, c[0x0][0x210]",                                                                                \
            "LDC.64 R10, c[0x0][0x218]",                                                                               \
            ("IMAD.WIDE R2, R0, " width ", R4"),                                                                       \
            load,                                                                                                      \
            "FADD R7, R8, R7",                                                                                         \
            store,                                                                                                     \
            "IADD3 R2, P0, R2, 0x400, RZ",                                                                             \
            "IADD3 R10, P0, R10, 0x400, RZ",                                                                           \
            "@P1 BRA 0x40",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {640, 640, 640, 640, 256e3, 256e3, 256e3, 256e3, 256e3, 256e3, 640}
/* Warps wait for the first loop's load of 16 bytes; the second, of 4, runs more. */
#define TWO_LOOPS                                                                                                      \
  .rule = "long-scoreboard", .set = {{"stall_long_scoreboard", 24e6}},                                                 \
  .lines = {"LDG.E.128 R8, desc[UR4][R2.64]",                                                                          \
            "FADD R4, R8, R4",                                                                                         \
            "@P0 BRA 0x0",                                                                                             \
            "LDG.E R8, desc[UR4][R6.64]",                                                                              \
            "FADD R4, R8, R4",                                                                                         \
            "@P0 BRA 0x30",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {16e3, 16e3, 16e3, 32e3, 32e3, 32e3, 640}
#define UNROLL "issue more loads before the first use (unroll), 16 bytes per lane where rows are multiples of 16 bytes$"

static const struct remedy_case REMEDIES[] = {
    /* 320 warps of 32 lanes: 160 KiB of the first, 40 KiB of the second */
    {{TWO_LOOPS, .also = samples_at_1_of_many_cycles},
     "issue more loads before the first use: unroll, or load the next tile ahead$",
     "with 16 B in flight per thread: 0.16 MiB on the whole chip"},
    {{TWO_LOOPS, .also = samples_at_1_of_one_line},
     "issue more loads before the first use: unroll, or load the next tile ahead$",
     "with 4 B in flight per thread: 40 KiB on the whole chip"},
    {{STORED("IADD3 R2, R2, R6, RZ", "IADD3 R9, R9, R6, RZ")},
     "keep the sum in a register and store it after the loop; mark pointers const __restrict__, so that loads can move ahead of stores",
     NULL},
    {{STORED("IADD3 R2, R2, R6, RZ", "IADD3 R4, R4, R6, RZ")},
     "mark pointers const __restrict__, so that loads can move ahead of the loop's stores, then issue more loads before the first use",
     NULL},
    {{BYTES("0x1", "LDG.E.U8 R8, desc[UR4][R2.64]", "STG.E desc[UR4][R10.64], R7")},
     "load 4 to 16 bytes per lane where aligned (now 1), and mark pointers const __restrict__, so that loads can move ahead of the loop's stores$",
     NULL},
    {{BYTES("0x2", "LDG.E.U16 R8, desc[UR4][R2.64]", "NOP")},
     "load 4 to 16 bytes per lane where aligned (now 2), then issue more loads before the first use$",
     NULL},
    {{BYTES("0x4", "LDG.E R8, desc[UR4][R2.64]", "STG.E desc[UR4][R10.64], R7")},
     "mark pointers const __restrict__, so that loads can move ahead of the loop's stores, then issue more loads before the first use$",
     NULL},
    {{MOVED_BY("LDG.E R8, desc[UR4][R2.64]", "FSETP.GEU.AND P2, PT, R8, -1.5, PT", "MOV R6, 0x4", "@!P2 BRA 0x80"),
      .also = in_turns},
     "the loop may exit on a loaded value, so that the compiler loads nothing ahead: load 4 to 8 iterations' values, then test them in order",
     NULL},
    /* the next place is the value itself, and what is waited for is of another load of each turn */
    {{.rule = "long-scoreboard",
      .set = {{"stall_long_scoreboard", 24e6}},
      .lines = {"IMAD.WIDE R2, R8, 0x4, R6", "LDG.E R8, desc[UR4][R2.64]", "LDG.E R11, desc[UR4][R12.64]",
                "FADD R4, R4, R11", "ISETP.GT.AND P2, PT, R8, R9, PT", "@P2 BRA 0x0", "EXIT"},
      .executed = {256e3, 256e3, 256e3, 256e3, 256e3, 256e3, 640},
      .also = samples_at_3},
     "each value says where the next one is: follow the chains of several elements side by side$",
     NULL},
#define OF_CACHES                                                                                                      \
  .rule = "long-scoreboard", .set = {{"stall_long_scoreboard", 24e6}},                                                 \
  .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "@P0 BRA 0x0", "EXIT"},                               \
  .executed = {32e3, 32e3, 32e3, 1}
    {{OF_CACHES, .also = dram_at_40}, "issue more", "warps wait for the L2 and DRAM 75 % of their time"},
    {{OF_CACHES, .also = dram_at_20}, "issue more", "warps wait for the L2 75 % of their time"},
#undef OF_CACHES
    /* four values are asked for before the first is tested */
    {{.rule = "long-scoreboard",
      .set = {{"stall_long_scoreboard", 24e6}},
      .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "LDG.E R10, desc[UR4][R2.64+0x8]",
                "LDG.E R11, desc[UR4][R2.64+0xc]", "FMNMX R8, R8, R9, PT", "FMNMX R10, R10, R11, PT",
                "FMNMX R8, R8, R10, PT", "FSETP.GEU.AND P2, PT, R8, -1.5, PT", "@P2 BRA 0x0", "EXIT"},
      .executed = {32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 1},
      .also = thousand_latencies},
     "load 16 bytes per lane, then issue more loads before the first use$",
     NULL},
    {{TILE("MOV R4, RZ", LOAD_16, STORE_16, "LDS R5, [R7]", "FADD R4, R4, R5"), .also = samples_at_2},
     "load the next tile before computing this one: two buffers, in registers or by cp.async$",
     NULL},
    {{TILE(LOAD_16, STORE_16, "LDS R5, [R7]", "FADD R4, R4, R5", LOAD_16), .also = samples_at_3},
     "loads are an iteration ahead already: begin them further ahead (more buffers, or registers for two iterations)$",
     NULL},
    /* copies of the turn before, and a load of this turn, at line 12 */
    {{TILE("MOV R4, RZ", "DEPBAR.LE SB0, 0x0", "LDG.E R5, desc[UR4][R10.64]", COPY_16, "FADD R4, R4, R5"),
      .also = samples_at_4},
     "begin the load at 12 of an unnamed file an iteration ahead, as others of the loop are$",
     NULL},
    {{TILE("MOV R4, RZ", "LDG.E R5, desc[UR4][R10.64]", COPY_16, "DEPBAR.LE SB0, 0x1", "FADD R4, R4, R5"),
      .also = samples_at_4},
     "begin the load at 11 of an unnamed file an iteration ahead, as others of the loop are$",
     NULL},
    {{TILE("MOV R4, RZ", "LDG.E R5, desc[UR4][R10.64]", COPY_16, "DEPBAR.LE SB0, 0x0", "FADD R4, R4, R5"),
      .also = samples_at_4}, /* all are waited for in the turn that starts them */
     "load the next tile before computing this one: two buffers, in registers or by cp.async$",
     NULL},
    /* what a loop that copies ahead waits for stands before it, at line 10 */
    {{TILE("LDG.E R5, desc[UR4][R10.64]", COPY_16, "DEPBAR.LE SB0, 0x1", "LDS R7, [R8]", "FFMA R4, R7, R5, R4"),
      .also = samples_at_4},
     "the loop loads ahead; warps wait for the load before it at 10 of an unnamed file: begin that one first of all, or let fewer warps run more iterations$",
     NULL},
    {{MOVED("LDC R6, c[0x0][0x220]", "IADD3 R2, P0, R2, R6, RZ"), .also = in_turns}, /* by an argument: rows */
     "load the next iterations' values ahead: 25 independent loads before the first use",
     NULL},
    {{MOVED("LDC R6, c[0x0][0x220]", "IADD3 R2, P0, R2, 0x4, RZ"), .also = in_turns}, /* to the lane's next element */
     UNROLL,
     NULL},
    {{MOVED("LDC R6, c[0x0][0xc]", "IADD3 R2, P0, R2, R6, RZ"), .also = in_turns_of_many}, /* over the grid */
     UNROLL,
     NULL},
    {{MOVED("LDC R6, c[0x0][0x220]", "IADD3 R2, P0, R2, 0x400, RZ"), .also = in_turns_of_many}, /* by a block's 256 */
     UNROLL,
     NULL},
    {{MOVED_BY("LDG.E R8, desc[UR4][R2.64]", "STS [R10], R8", "LDC R6, c[0x0][0x220]", "IADD3 R2, P0, R2, 0x4, RZ"),
      .also = in_turns},
     "copy tiles by cp.async (memcpy_async), several of them under way; 16 bytes per lane where rows are multiples of 16 bytes$",
     NULL},
    {{MOVED_BY("LDG.E R8, desc[UR4][R2.64]", "STS [R10], R8", "LDC R6, c[0x0][0x220]",
               "IADD3 R2, P0, R2, R6, RZ"), /* rows: a turn has the tile's loads alone */
      .also = in_turns},
     "copy the next tiles by cp.async (memcpy_async) into further buffers while this one is worked on",
     NULL},
    {{MOVED_BY("LDG.E.U8 R8, desc[UR4][R2.64]", "FADD R4, R8, R4", "LDC R6, c[0x0][0x220]",
               "IADD3 R2, P0, R2, 0x1, RZ"),
      .also = in_turns},
     "load aligned words and shift the bytes into place (__funnelshift_r), several words before the first use$",
     NULL},
    {{MOVED("LDC R6, c[0x0][0x220]", "IADD3 R2, P0, R2, 0x440, RZ"), .also = in_turns_of_many}, /* 272 */
     "load the next iterations' values ahead: 25",
     NULL},
    {{MOVED("LDC R6, c[0x0][0xc]", "IADD3 R2, P0, R2, R6, RZ"), .also = in_turns}, /* turns are fewer, and not blocks */
     UNROLL,
     NULL},
    {{.rule = "long-scoreboard",
      .set = {{"stall_long_scoreboard", 24e6}},
      .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "@P0 BRA 0x0", "EXIT"},
      .executed = {32e3, 32e3, 32e3, 1},
      .also = enough_from_the_l2},
     "issue more independent loads before the first use: unroll, or several elements per thread$",
     NULL},
};

static void what_fits(void **state) {
  (void)state;
  REMEDIES_FIT(REMEDIES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
