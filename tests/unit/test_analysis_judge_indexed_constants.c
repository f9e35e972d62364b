/* The rule indexed-constants: what it says and takes away, which line it names; figures worked out beside each row. */
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

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

static void has_adu(struct made_diagnosis *d) {
  made_ceiling(&d->m, "rate_adu", 16, CEILING_MEASURED);
}

static const struct judged_case CASES[] = {
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
    /* of 400 turns of the ADU 100 are an argument's; a load in shared memory is one */
    {.rule = "indexed-constants",
     TABLE("LDC.U8 R5, c[0x3][R5]", "LDC R8, c[0x0][0x210]"),
     .also = has_adu,
     .set = {{"stall_mio_throttle", 16e6}, {"pipe_adu", 400}},
     .says =
         "constant loads at an index of each lane 100 inst\n"
         "MIO throttle, share 0.5 ratio\n"
         "addresses that a load asks for 3 address\n"
         "share of the time that the ADU pipe needs 0.0008 ratio\n"
         "50 % of warp cycles wait for constants at an index of each lane: the cache serves one address after the other\n" TABLE_REMEDY,
     .takes = "lsu 1100, adu 250, l1_wavefronts 1100"},
    {.rule = "indexed-constants",
     TABLE("LDC.U8 R5, c[0x3][R5]", "FADD R8, R8, R9"),
     .set = {{"stall_mio_throttle", 6e5}}}, /* 1.9 % */
};

static const struct line_case LINES[] = {
    {{.rule = "indexed-constants", /* the table's and not the argument's */
      .also = a_line_each,
      .lines = {"S2R R0, SR_TID.X", "LDC R1, c[0x0][0x210]", "FADD R5, R4, R4", "LDC R4, c[0x3][R0]", "EXIT"},
      .executed = {40, 40, 40, 40, 1},
      .set = {{"stall_mio_throttle", 16e6}}},
     3},
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
