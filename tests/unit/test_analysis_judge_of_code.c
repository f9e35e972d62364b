/* Remedies that rest on where loads go: what several rules say of them. */
#include "unit/judged_accesses.h"
#include "unit/judged_launch.h"
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

static void one_line_for_both(struct made_diagnosis *d) {
  a_line_each(d);
  d->sass[4].lines = d->sass[1].lines;
}

/* Of 100 sectors each gather touches 1,200. */
static void two_gathers(struct made_diagnosis *d) {
  a_line_each(d);
  sectors_of(d, 0, 400, 400);
  sectors_of(d, 2, 1200, 400);
  sectors_of(d, 4, 1200, 400);
}

static void turns_of_64(struct made_diagnosis *d) {
  latencies(d, 100);
}

/* 640 warps go through 10 elements a thread in each of two loops: 40 bytes. */
#define TWO_LOOPS(second)                                                                                              \
  .rule = "redundant-loads",                                                                                           \
  .lines = {"IMAD.WIDE R2, R10, 0x4, c[0x0][0x210]",                                                                   \
            "LDG.E R12, desc[UR4][R2.64]",                                                                             \
            "@P1 BRA 0x10",                                                                                            \
            ("IMAD.WIDE R4, R10, 0x4, c[0x0][" second "]"),                                                            \
            "LDG.E R13, desc[UR4][R4.64]",                                                                             \
            "@P2 BRA 0x40",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {640, 6400, 6400, 640, 6400, 6400, 640}
#define BYTES_OF(l1) .set = {{"l1_load_bytes", l1}, {"l2_read_bytes", 20e6}, {"dram_read_bytes", 20e6}}

/* An index, and what stands there in two arrays. */
#define TWO_ARRAYS(index, bytes)                                                                                       \
  .rule = "uncoalesced", .also = two_gathers,                                                                          \
  .lines = {"LDG.E R20, desc[UR4][R6.64]",                                                                             \
            "IMAD.WIDE R2, R20, 0x4, R8",                                                                              \
            "LDG.E R2, desc[UR4][R2.64]",                                                                              \
            ("IMAD.WIDE R4, " index ", R10"),                                                                          \
            ("LDG.E" bytes " R4, desc[UR4][R4.64]"),                                                                   \
            "FADD R11, R2, R4",                                                                                        \
            "EXIT"},                                                                                                   \
  .executed = {100, 100, 100, 100, 100, 100, 1}

/* 400 turns that load two values and store one through another pointer. */
#define STORED(first)                                                                                                  \
  .rule = "long-scoreboard", .set = {{"stall_long_scoreboard", 24e6}}, .also = turns_of_64,                            \
  .lines = {"LDC.64 R2, c[0x0][0x210]",                                                                                \
            "LDC.64 R4, c[0x0][0x218]",                                                                                \
            "LDC.64 R10, c[0x0][0x220]",                                                                               \
            first,                                                                                                     \
            "LDG.E R8, desc[UR4][R2.64]",                                                                              \
            "FADD R7, R8, R9",                                                                                         \
            "STG.E desc[UR4][R4.64], R7",                                                                              \
            "IADD3 R2, P0, R2, 0x400, RZ",                                                                             \
            "IADD3 R4, P0, R4, 0x400, RZ",                                                                             \
            "@P1 BRA 0x30",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {640, 640, 640, 256e3, 256e3, 256e3, 256e3, 256e3, 256e3, 256e3, 640}

#define RECORDS(step)                                                                                                  \
  .rule = "issue-slots", .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 400}},                                        \
  .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", ("IADD3 R2, P0, R2, " step ", RZ"),        \
            "@P1 BRA 0x0", "EXIT"},                                                                                    \
  .executed = {60, 60, 10, 10, 1}

static const struct remedy_case REMEDIES[] = {
    {{TWO_LOOPS("0x210"), BYTES_OF(40e6), .also = a_line_each},
     "keep what the first loop loads in registers (about 40 B per thread)",
     "the L2 1.0 times: loops at lines 11 and 14 load the same array"},
    /* of DRAM's bytes half are the second loop's */
    {{TWO_LOOPS("0x210"), .set = {{"l1_load_bytes", 40e6}, {"l2_read_bytes", 40e6}, {"dram_read_bytes", 40e6}},
      .also = a_line_each},
     "keep what the first loop loads in registers (about 40 B per thread)",
     "DRAM reads 2.0 times the bytes that one pass needs: loops at lines 11 and 14 load the same array"},
    /* of another array, of one line, or more than two loops load again */
    {{TWO_LOOPS("0x218"), BYTES_OF(40e6), .also = a_line_each}, "reuse loaded values", "the L2 1.0 times"},
    {{TWO_LOOPS("0x210"), BYTES_OF(40e6), .also = one_line_for_both}, "reuse loaded values", "the L2 1.0 times"},
    {{TWO_LOOPS("0x210"), BYTES_OF(49e6), .also = a_line_each}, "reuse loaded values", "the L2 1.0 times"},
    {{TWO_ARRAYS("R21, 0x4", "")},
     "loaded values choose the places: sort or renumber them where their order is free",
     NULL},
    {{STORED("NOP")}, "mark pointers const __restrict__, so that loads can move ahead of the loop's stores", NULL},
    {{RECORDS("0x24")}, "steps of 36 bytes: pad to 48, then 16 per lane (now 4)", NULL},
    {{RECORDS("0x20")}, "16 bytes per lane where aligned (now 4)", NULL},
    /* 0.9 of the warps that an SM holds are there: no more fit */
    {{.rule = "latency", .set = {{"warps_active", 57.6e6}, {"stall_selected", 32e6}, {"stall_wait", 0}}},
     "more independent work in each warp: unroll, split sums, load ahead (the estimate assumes half of each wait)",
     NULL},
    {{.rule = "latency", .set = {{"warps_active", 57.5e6}, {"stall_selected", 32e6}, {"stall_wait", 0}}},
     "more warps, or more independent work in each",
     NULL},
};

static void what_fits(void **state) {
  (void)state;
  remedies_fit(REMEDIES, sizeof REMEDIES / sizeof *REMEDIES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
