/* Turns that depend on what turns before them stored. */
#include "analysis/idioms/handed_on.h"
#include "unit/made_sass.h"

/* A turn strikes out the greatest value, whose place the lanes of a warp have found by shuffles. */
#define STRIKE(barrier, place, other)                                                                                  \
  "LDC.64 R2, c[0x0][0x218]", "LDC.64 R8, c[0x0][0x220]", "LDG.E R4, desc[UR4][R2.64]",                                \
      "SHFL.DOWN PT, R5, R4, 0x1, 0x1f", ("IMAD.WIDE R6, " place ", 0x4, " other), "STG.E desc[UR4][R6.64], R10",      \
      barrier, "@P0 BRA 0x20", "EXIT"
/* A value goes to shared memory, and is lessened by what another thread left there; the loop ends by that. */
#define CONVERGE(barrier, carried, ends, other)                                                                        \
  "STS [R11], R3", barrier, "LDS R6, [R12]", ("FADD " carried ", R3, -R6"),                                            \
      ("FSETP.GEU.AND P0, PT, " ends ", R9, PT"), other, "@P0 BRA 0x0", "EXIT"

/* Shared memory says what the next turn loads, which this one has found. */
#define CHOOSE(barrier, place, made, other)                                                                            \
  ("IMAD.WIDE R2, " place ", 0x4, R14"), "LDG.E R4, desc[UR4][R2.64]", ("FADD R5, " made ", R6"), "STS [R11], R5",     \
      barrier, "LDS R8, [R12]", other, "@P0 BRA 0x0", "EXIT"
/* What is stored is loaded a turn later, from the same place but for the step of the turn. */
#define NEXT(load, store, step) load, "VIADD R4, R4, 0x1", store, step, "@P0 BRA 0x0", "EXIT"
/* A turn takes the value of a place that is computed, and puts another there. */
#define LIST(first, put, at) first, "LDL.U8 R5, [R7]", put, ("IADD3 R7, " at ", R5, RZ"), "@P0 BRA 0x0", "EXIT"

/* What lies in shared memory lets a turn add to a value and put that there, or not. */
#define LET(asked, to, made, other)                                                                                    \
  asked, "ISETP.NE.AND P1, PT, R5, RZ, PT", ("@P1 BRA " to), made, "STS [R11], R8", other, "VIADD R7, R7, 0x1",        \
      "@P0 BRA 0x0", "EXIT"

static const struct {
  bool hands_on;
  const char *lines[12];
} CASES[] = {
    {true, {STRIKE("BAR.SYNC.DEFER_BLOCKING 0x0", "R5", "R2")}},
    {false, {STRIKE("NOP", "R5", "R2")}},
    {false, {STRIKE("BAR.SYNC.DEFER_BLOCKING 0x0", "R4", "R2")}}, /* a place that each thread knows by itself */
    {false, {STRIKE("BAR.SYNC.DEFER_BLOCKING 0x0", "R5", "R8")}}, /* in another array */
    {true, {CONVERGE("BAR.SYNC.DEFER_BLOCKING 0x0", "R3", "R6", "NOP")}},
    {false, {CONVERGE("NOP", "R3", "R6", "NOP")}},
    {false, {CONVERGE("BAR.SYNC.DEFER_BLOCKING 0x0", "R5", "R6", "NOP")}}, /* each turn stores the same */
    {false, {CONVERGE("BAR.SYNC.DEFER_BLOCKING 0x0", "R3", "R8", "NOP")}}, /* as many turns whatever lies there */
    {false,
     {CONVERGE("BAR.SYNC.DEFER_BLOCKING 0x0", "R3", "R6",
               "ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR4][R14.64], R10")}}, /* work that others could take */
    {true, {CHOOSE("BAR.SYNC.DEFER_BLOCKING 0x0", "R8", "R4", "NOP")}},
    {false, {CHOOSE("NOP", "R8", "R4", "NOP")}},
    {false, {CHOOSE("BAR.SYNC.DEFER_BLOCKING 0x0", "R9", "R4", "NOP")}}, /* known without it */
    {false,
     {CHOOSE("BAR.SYNC.DEFER_BLOCKING 0x0", "R8", "R4",
             "ATOMG.E.ADD.STRONG.GPU PT, R9, desc[UR4][R14.64], R10")}}, /* a queue */
    {false,
     {"IMAD.WIDE R2, R8, 0x4, R14", "LDG.E R4, desc[UR4][R2.64]", "NOP", "STS [R11], R4", "BAR.SYNC.DEFER_BLOCKING 0x0",
      "LDS R8, [R12]", "NOP", "@P0 BRA 0x0", "EXIT"}}, /* places that were loaded as they are */
    {true, {NEXT("LDS R4, [R10+-0x4]", "STS [R10], R4", "VIADD R10, R10, 0x4")}},
    {true, {NEXT("LDS R4, [R10+0x8]", "STS [R10+0x4], R4", "IADD3 R10, R10, -0x4, RZ")}},
    {true,
     {"IMAD.IADD R10, R8, 0x1, R9", "LEA R10, R10, UR4, 0x2", "LDS R4, [R10+-0x8]", "STS [R10], R4",
      "VIADD R9, R9, 0x2", "@P0 BRA 0x0", "EXIT"}},                                /* two words of 4 bytes */
    {false, {NEXT("LDS R4, [R10+-0x4]", "STS [R10], R4", "VIADD R10, R10, 0x8")}}, /* another place */
    {false, {NEXT("LDS R4, [R10]", "STS [R10], R4", "VIADD R10, R10, 0x4")}},      /* each its own */
    {false, {NEXT("LDS R4, [R12+-0x4]", "STS [R10], R4", "VIADD R10, R10, 0x4")}},
    {false, {NEXT("LDS R4, [R10+-0x4]", "STS [R10], R4", "IMAD R10, R10, R3, RZ")}},
    {false, {NEXT("LDS R4, [R10+-0x4]", "STS [R10], R4", "VIADD R10, R9, 0x4")}}, /* the same place each turn */
    {true, {LIST("NOP", "STL.U8 [R7], R2", "R1")}},
    {false, {LIST("STL [R1+0x4], RZ", "STL.U8 [R7], R2", "R1")}}, /* the turn fills it first */
    {false, {LIST("STL.U8 [R9], R2", "STL.U8 [R7], R2", "R1")}},
    {false, {LIST("NOP", "STL [R1+0x4], R2", "R1")}}, /* a spilled register */
    {false, {LIST("NOP", "NOP", "R1")}},              /* a table */
    {true, {LET("LDS R5, [R12]", "0x50", "LOP3.LUT R8, R8, R6, RZ, 0xfc, !PT", "NOP")}},
    {true, {LET("LDS.64 R4, [UR4]", "0x50", "FADD R8, R8, R6", "NOP")}},
    {false, {LET("LDG.E R5, desc[UR4][R2.64]", "0x50", "LOP3.LUT R8, R8, R6, RZ, 0xfc, !PT", "NOP")}},
    {false, {LET("LDS R5, [R12]", "0x30", "LOP3.LUT R8, R8, R6, RZ, 0xfc, !PT", "NOP")}}, /* let or not */
    {false, {LET("LDS R5, [R12]", "0x50", "LOP3.LUT R8, R9, R6, RZ, 0xfc, !PT", "NOP")}}, /* made of this turn's */
    {false, {LET("LDS R5, [R12]", "0x50", "IADD3 R8, R7, 0x1, RZ", "NOP")}},              /* the turn's number */
    {false,
     {LET("LDS R5, [R12]", "0x50", "LOP3.LUT R8, R8, R6, RZ, 0xfc, !PT", "ATOMS.ADD R9, [R14], R10")}}, /* a queue */
};

static void hands_on(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    assert_int_equal(m.sass.n_loops, 1);
    if (sass_hands_on(&m.sass, 0) != CASES[i].hands_on)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hands_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
