/* The rule dependent-loads: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_accesses.h"

/* No block waits for its turn: 40 are resident at once. */
static void all_at_once(struct made_diagnosis *d) {
  thousand_cycles(d);
  d->m.results[0].launches[0].grid[0] = 40;
}

/* Of 40 samples 10 stand where the next address is waited for, 30 where what else a step loads is. */
static void a_quarter_for_links(struct made_diagnosis *d) {
  static struct run_sample samples[] = {{.offset = 0x10, .reason = (char *)"long_scoreboard", .samples = 10},
                                        {.offset = 0x30, .reason = (char *)"long_scoreboard", .samples = 30}};
  all_at_once(d);
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
}

/* Of 40 samples 4 wait for an index, 6 for what it leads to, 30 for a load that needs neither. */
static void a_quarter_for_chains(struct made_diagnosis *d) {
  static struct run_sample samples[] = {{.offset = 0x20, .reason = (char *)"long_scoreboard", .samples = 4},
                                        {.offset = 0x50, .reason = (char *)"long_scoreboard", .samples = 6},
                                        {.offset = 0x60, .reason = (char *)"long_scoreboard", .samples = 30}};
  thousand_cycles(d);
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 3;
}

static void none_for_chains(struct made_diagnosis *d) {
  static struct run_sample sample = {.offset = 0x60, .reason = (char *)"long_scoreboard", .samples = 30};
  thousand_cycles(d);
  d->m.results[0].samples = &sample;
  d->m.results[0].n_samples = 1;
}

#define INDEX_AND_OTHER                                                                                                \
  .lines = {"MOV R2, R6",                                                                                              \
            "LDG.E R8, desc[UR4][R2.64]",                                                                              \
            "IMAD.WIDE R4, R8, 0x4, R10",                                                                              \
            "LDG.E R9, desc[UR4][R4.64]",                                                                              \
            "LDG.E R12, desc[UR4][R14.64]",                                                                            \
            "FADD R13, R9, R13",                                                                                       \
            "FADD R16, R12, R16",                                                                                      \
            "IADD3 R2, R2, 0x4, RZ",                                                                                   \
            "@P0 BRA 0x10",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {320, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 320}

static const struct judged_case CASES[] = {
    {.rule =
         "dependent-loads", /* a tenth of the waits is for links, and as much of those for what they bring: of a fifth a quarter stays */
     INDEX_AND_OTHER,
     .also = a_quarter_for_chains,
     .says = "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "LDG at 0x0030 takes its address from an earlier load\n"
             "break the chain: load indices ahead, or follow 4 chains per thread\n",
     .takes = "loads_s 85"},
    {.rule = "dependent-loads", INDEX_AND_OTHER, .also = none_for_chains, .takes = ""},
    /* The loop around it goes on in the same stream of bits (R6): no chain waits for its turn.  The inner loop's 7 of 9 instructions are 224,000, more than the work has. */
    {.rule = "dependent-loads",
     .sized = true,
     .lines = {"MOV R6, RZ", "MOV R9, RZ", "SHF.L.U32.HI R3, R6, 0x1, R9", "IMAD.WIDE R2, R3, 0x4, R4",
               "LDG.E R9, desc[UR4][R2.64]", "IMAD.SHL.U32 R6, R6, 0x2, RZ", "ISETP.GT.AND P1, PT, R9, -0x1, PT",
               "@P1 BRA 0x20", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 3200, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 3200, 320},
     .also = all_at_once,
     .says = "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "LDG at 0x0040 takes its address from an earlier load\n"
             "all chains run at once, so shorten them: a table by which 4 steps are one\n",
     .takes = "inst 250, alu 250, fma 250, fma_heavy 250, lsu 250, xu 250, tensor 250, fp64 250, adu 250, tex 250, "
              "l1_wavefronts 250, l2_read 250, loads_s 25, own_issue_s 25, dependencies_s 25"},
    {.rule = "dependent-loads", /* 8 of 24 bytes are links, of which a fourth stays */
     .sized = true,
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R4.64]", "FADD R16, R12, R16",
               "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 32e3, 32e3, 320},
     .also = a_quarter_for_links,
     .says = "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "LDG at 0x0010 takes its address from an earlier load\n"
             "all chains run at once, so shorten them: a table by which 4 steps are one\n",
     .takes = "lsu 750, l1_wavefronts 750, l2_read 750, loads_s 81.25"},
    {.rule =
         "dependent-loads", /* more chains would not help: a step of four brings a fourth of all loads, and of the instructions, which all walk */
     .sized = true,
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 320},
     .also = all_at_once,
     .says = "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "LDG at 0x0010 takes its address from an earlier load\n"
             "all chains run at once, so shorten them: a table by which 4 steps are one\n",
     .takes = "inst 250, alu 250, fma 250, fma_heavy 250, lsu 250, xu 250, tensor 250, fp64 250, adu 250, tex 250, "
              "l1_wavefronts 250, l2_read 250, loads_s 25, own_issue_s 25, dependencies_s 25"},
    {.rule = "dependent-loads", /* another load brings the index */
     .sized = true,
     .lines = {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]", "IMAD.WIDE R4, R8, 0x4, R10", "LDG.E R9, desc[UR4][R4.64]",
               "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 32e3, 32e3, 32e3, 320},
     .also = all_at_once,
     .says = "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "LDG at 0x0030 takes its address from an earlier load\n"
             "break the chain: load indices ahead, or follow 4 chains per thread\n",
     .takes = "loads_s 25"},
    {.rule = "dependent-loads", /* a loop around it brings other chains, in turn */
     .sized = true,
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "@P1 BRA 0x0", "EXIT"},
     .executed = {3200, 32e3, 32e3, 3200, 320},
     .also = all_at_once,
     .says = "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "LDG at 0x0010 takes its address from an earlier load\n"
             "break the chain: load indices ahead, or follow 4 chains per thread\n",
     .takes = "loads_s 25"},
    {.rule = "dependent-loads",
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 320},
     .also = thousand_cycles,
     .set = {{"stall_long_scoreboard", 24e6}},
     .says = "long scoreboard, share 0.75 ratio\n"
             "issue slots used 0.75 ratio\n"
             "achieved occupancy 0.5 ratio\n"
             "75 % of warp cycles wait in chains of loads: LDG at 0x0010 takes its address from an earlier load\n"
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
    {.rule = "dependent-loads", /* bisection: the value moves one end or the other */
     .lines = {"MOV R5, RZ", "IADD3 R7, R5, R0, RZ", "SHF.R.U32.HI R7, RZ, 0x1, R7", "IMAD.WIDE R2, R7, 0x4, R8",
               "LDG.E R4, desc[UR4][R2.64]", "ISETP.GT.AND P1, PT, R4, R6, PT", "SEL R0, R7, R0, P1",
               "@!P1 IADD3 R5, R7, 0x1, RZ", "ISETP.GT.AND P0, PT, R0, R5, PT", "@P0 BRA 0x10", "EXIT"},
     .executed = {320, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 320},
     .also = thousand_cycles,
     .says =
         "issue slots used 0.75 ratio\n"
         "achieved occupancy 0.5 ratio\n"
         "LDG at 0x0040 is a search's: each value decides, by a comparison, where the next one is\n"
         "compare 32 pivots at once, a vector or a warp of them (a fifth of the steps), or run several searches side by side\n",
     .takes = "loads_s 25"},
    {.rule = "dependent-loads", WIDE, .also = thousand_cycles, .set = {{"stall_long_scoreboard", 24e6}}},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
