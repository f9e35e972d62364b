/* How far apart neighbouring lanes lie, followed by hand through a few lines of code each. */
#include "unit/made_sass.h"

#include <stdlib.h>

enum { LINES = 12 };

static const struct {
  unsigned block_x;
  enum { UNKNOWN, BYTES, TIMES } kind; /* of the last line but the EXIT */
  long bytes;
  const char *lines[LINES];
} CASES[] = {
    /* clang-format off */
    /* threads in a row, and what a block's row of 16 leaves unknown */
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, R6", "LDG.E R4, desc[UR4][R2.64]"}}, /* nobody wrote R6 */
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "LDC.64 R6, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x4, R6", "LDG.E R4, desc[UR4][R2.64]"}},
    {64, BYTES, 4, {"S2R R0, SR_TID.X", "LDC.64 R6, c[0x0][0x210]", "IMAD.WIDE.U32 R2, R0, 0x4, R6", "LDG.E R4, desc[UR4][R2.64+0x10]"}},
    {16, UNKNOWN, 0, {"S2R R0, SR_TID.X", "LDC.64 R6, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x4, R6", "LDG.E R4, desc[UR4][R2.64]"}},
    {16, BYTES, 4, {"S2R R0, SR_LANEID", "LDC.64 R6, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x4, R6", "LDG.E R4, desc[UR4][R2.64]"}},
    {0, BYTES, 0, {"S2R R0, SR_TID.Y", "LDC.64 R6, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x4, R6", "LDG.E R4, desc[UR4][R2.64]"}},
    {0, BYTES, 0, {"S2R R0, SR_CTAID.X", "LDC.64 R6, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x4, R6", "LDG.E R4, desc[UR4][R2.64]"}},
    /* a row a lane: of a length in the code, and of one that is an argument */
    {0, BYTES, 4096, {"S2R R0, SR_TID.X", "LDC.64 R6, c[0x0][0x210]", "SHF.L.U32 R1, R0, 0xa, RZ", "IMAD.WIDE R2, R1, 0x4, R6", "STG.E desc[UR4][R2.64], R9"}},
    {0, BYTES, 0, {"S2R R0, SR_TID.X", "IMAD R1, R0, RZ, RZ", "LDS R4, [R1]"}},
    {0, BYTES, 0, {"S2R R0, SR_TID.X", "IMAD R1, R0, URZ, RZ", "LDS R4, [R1]"}},
    /* the second register of a pair: an argument's, and loaded */
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "LDC.64 R6, c[0x0][0x210]", "IMAD R1, R0, 0x4, R7", "LDS R4, [R1]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "LDS.64 R6, [UR4]", "IMAD R1, R0, 0x4, R7", "LDS R4, [R1]"}},
    {0, TIMES, 0, {"S2R R0, SR_TID.X", "LDC R1, c[0x0][0x220]", "LDC.64 R6, c[0x0][0x210]", "IMAD R1, R0, R1, RZ", "IMAD.WIDE R2, R1, 0x4, R6", "STG.E desc[UR4][R2.64], R9"}},
    {0, TIMES, 0, {"S2R R0, SR_TID.X", "IMAD R1, R0, UR7, RZ", "LEA R2, P0, R1, UR4, 0x2", "LEA.HI.X.SX32 R3, R1, UR5, RZ, 0x2, P0", "LDG.E R4, desc[UR4][R2.64]"}},
    {0, BYTES, 8, {"S2R R0, SR_TID.X", "LEA R2, P0, R0.reuse, UR4, 0x3", "LEA.HI.X R3, R0, UR5, RZ, 0x3, P0", "IADD3 R2, P1, R2, 0x40, RZ", "IADD3.X R3, RZ, R3, RZ, P1, !PT", "LDG.E.64 R4, desc[UR4][R2.64]"}},
    /* downwards, and lanes that cancel */
    {0, BYTES, -4, {"S2R R0, SR_TID.X", "IADD3 R1, -R0, 0xff, RZ", "IMAD.WIDE R2, R1, 0x4, RZ", "LDG.E R4, desc[UR4][R2.64]"}},
    {0, BYTES, 0, {"S2R R0, SR_TID.X", "IMAD.MOV R1, RZ, RZ, -R0", "IADD3 R1, R1, R0, RZ", "LDS R4, [R1]"}},
    /* the lane's part of a thread's number, and the warp's */
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0x1f, RZ, 0xc0, !PT", "IMAD.SHL.U32 R1, R1, 0x4, RZ", "LDS R4, [R1+UR4]"}},
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "LOP3.LUT P0, R1, R0, 0x3f, RZ, 0xc0, !PT", "IMAD.SHL.U32 R1, R1, 0x4, RZ", "LDS R4, [R1]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0xf, RZ, 0xc0, !PT", "LDS R4, [R1.X4]"}},
    {0, BYTES, 0, {"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0xffffffe0, RZ, 0xc0, !PT", "LDS R4, [R1.X4]"}},
    {0, BYTES, 0, {"S2R R0, SR_TID.X", "SHF.R.U32.HI R1, RZ, 0x5, R0", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "SHF.R.U32.HI R1, RZ, 0x4, R0", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "VIADD R0, R0, 0x1", "SHF.R.U32.HI R1, RZ, 0x5, R0", "LDS R4, [R1.X4]"}}, /* 31 + 1 */
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "S2R R1, SR_CTAID.X", "LEA R0, R1, R0, 0x5", "LOP3.LUT R1, R0, 0x1f, RZ, 0xc0, !PT", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0x1f, RZ, 0x3c, !PT", "LDS R4, [R1.X4]"}}, /* a swizzle */
    /* rows of shared memory */
    {0, BYTES, 128, {"S2R R0, SR_TID.X", "S2R R1, SR_TID.Y", "LEA R2, R0, UR4, 0x7", "LEA R2, R1, R2, 0x2", "LDS R4, [R2+0x40]"}},
    {0, BYTES, 132, {"S2R R0, SR_TID.X", "IMAD R2, R0, 0x84, RZ", "LDS R4, [R2]"}},
    /* what lanes are not in line by */
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "IMAD R1, R0, R0, RZ", "LDS R4, [R1]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "LDS R1, [R0.X4]", "LDS R4, [R1]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "SHFL.IDX PT, R1, R0, R0, 0x1f", "LDS R4, [R1]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "SHFL.IDX PT, R1, R0, RZ, 0x181f", "LDS R4, [R1]"}}, /* from one of each eight */
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "SHFL.DOWN PT, R1, R0, 0x1, 0x1f", "LDS R4, [R1]"}},
    {0, BYTES, 0, {"S2R R0, SR_TID.X", "SHFL.IDX PT, R1, R0, RZ, 0x1f", "LDS R4, [R1]"}},
    /* a lane's place among those that a vote found, which the mask of the lanes below it counts; the others' masks and bits are in no line */
    {0, UNKNOWN, 0, {"S2R R0, SR_LTMASK", "LDS R4, [R0]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_LTMASK", "LOP3.LUT R1, R0, UR4, RZ, 0xc0, !PT", "LDS R4, [R1.X4]"}},
    {0, BYTES, 36, {"S2R R0, SR_LTMASK", "LOP3.LUT R1, R0, UR4, RZ, 0xc0, !PT", "POPC R1, R1", "IMAD R1, R1, 0x24, RZ", "LDS R4, [R1]"}},
    {0, BYTES, 4, {"S2R R0, SR_LTMASK", "LOP3.LUT R1, UR4, R0, RZ, 0xc0, !PT", "POPC R1, R1", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_GTMASK", "LOP3.LUT R1, R0, UR4, RZ, 0xc0, !PT", "POPC R1, R1", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_LTMASK", "LOP3.LUT R1, R0, UR4, RZ, 0x3c, !PT", "POPC R1, R1", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_LTMASK", "S2R R5, SR_TID.X", "LOP3.LUT R1, R0, R5, RZ, 0xc0, !PT", "POPC R1, R1", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_LTMASK", "@P0 MOV R0, UR4", "LOP3.LUT R1, R0, UR4, RZ, 0xc0, !PT", "POPC R1, R1", "LDS R4, [R1.X4]"}},
    {0, BYTES, 0, {"LDG.E R1, desc[UR4][UR6]", "LDS R4, [R1]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "IMAD.HI R1, R0, 0x4, RZ", "LDS R4, [R1]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_CTAID.X", "LDL R1, [R0]", "LDS R4, [R1]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_CTAID.X", "ATOMS.ADD R1, [R0], R0", "LDS R4, [R1]"}}, /* each lane its own */
    {0, UNKNOWN, 0, {"S2R R0, SR_CTAID.X", "UNHEARDOF R1, R0", "LDS R4, [R1]"}},
    {0, UNKNOWN, 0, {"LDS R4, [R1]"}}, /* nobody wrote it */
    /* lanes that meet a bound, and two ways to the same place */
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "VIMNMX R1, R0, UR4, PT", "LDS R4, [R1.X4]"}},
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "VIMNMX R1, UR4, R0, PT", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "IMAD R2, R0, 0x2, RZ", "VIMNMX R1, R0, R2, PT", "LDS R4, [R1.X4]"}},
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "VIADD R1, R0, 0x20", "SEL R1, R0, R1, P0", "LDS R4, [R1.X4]"}},
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "MOV R1, R0", "@P0 VIADD R1, R0, 0x20", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "MOV R1, R0", "@P0 IMAD.SHL.U32 R1, R0, 0x2, RZ", "LDS R4, [R1.X4]"}},
    /* each lane its own of two places that all share, as in a search by halves */
    {0, UNKNOWN, 0, {"S2R R0, SR_CTAID.X", "VIADD R1, R0, 0x20", "SEL R1, R0, R1, P0", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_CTAID.X", "MOV R1, R0", "@P0 VIADD R1, R0, 0x20", "LDS R4, [R1.X4]"}},
    {0, UNKNOWN, 0, {"P2R R1, PR, RZ, 0x1", "LDS R4, [R1.X4]"}},
    /* a pointer that a loop moves on, all lanes alike and each by its own way */
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "FADD R9, R9, R8", "IADD3 R2, P0, R2, 0x400, RZ", "IADD3.X R3, RZ, R3, RZ, P0, !PT", "@P1 BRA 0x20", "LDG.E R8, desc[UR4][R2.64]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_TID.X", "IMAD.SHL.U32 R2, R0, 0x4, RZ", "IADD3 R2, R2, R0, RZ", "@P1 BRA 0x20", "LDS R8, [R2]"}},
    /* under the guard of its reader a way to the same place is the only one */
    {0, BYTES, 0, {"S2R R0, SR_CTAID.X", "@P0 LDC.64 R2, c[0x0][0x210]", "@P0 IMAD.WIDE R2, R0, 0x4, R2", "@P0 LDG.E R4, desc[UR4][R2.64]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_CTAID.X", "@P0 LDC.64 R2, c[0x0][0x210]", "@P0 IMAD.WIDE R2, R0, 0x4, R2", "@!P0 LDG.E R4, desc[UR4][R2.64]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_CTAID.X", "@P0 LDC.64 R2, c[0x0][0x210]", "@P0 IMAD.WIDE R2, R0, 0x4, R2", "@P1 LDG.E R4, desc[UR4][R2.64]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_CTAID.X", "@P0 LDC.64 R2, c[0x0][0x210]", "@P0 IMAD.WIDE R2, R0, 0x4, R2", "LDG.E R4, desc[UR4][R2.64]"}},
    {0, UNKNOWN, 0, {"S2R R0, SR_CTAID.X", "@P0 LDC.64 R2, c[0x0][0x210]", "@P0 IMAD.WIDE R2, R0, 0x4, R2", "ISETP.NE.AND P0, PT, R7, RZ, PT", "@P0 LDG.E R4, desc[UR4][R2.64]"}},
    /* the slow path of a division spares what lives on */
    {0, BYTES, 4, {"S2R R0, SR_TID.X", "IMAD.SHL.U32 R2, R0, 0x4, RZ", "CALL.REL.NOINC 0x50", "LDS R8, [R2]"}},
    /* clang-format on */
};

static void neighbours(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    struct made_sass m;
    struct sass_step *steps;
    const char *lines[LINES + 2] = {0};
    size_t n = 0;
    for (; CASES[i].lines[n]; n++)
      lines[n] = CASES[i].lines[n];
    lines[n] = "EXIT";
    made_kernel(&m, lines);
    steps = sass_steps_make(&m.sass, CASES[i].block_x);
    if ((int)steps[n - 1].kind != (int)CASES[i].kind ||
        (CASES[i].kind == BYTES && steps[n - 1].bytes != CASES[i].bytes))
      fail_msg("case %zu, %s: %d, %ld bytes", i, CASES[i].lines[n - 1], steps[n - 1].kind, steps[n - 1].bytes);
    free(steps);
    sass_release(&m.sass);
  }
}

/* From a row of the block to the next. */
static void rows(void **state) {
  (void)state;
  static const struct {
    enum { ROW_UNKNOWN, ROW_BYTES, ROW_TIMES } kind;
    long bytes;
    const char *lines[LINES];
  } cases[] = {
      {ROW_BYTES, 0, {"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
      {ROW_BYTES, 4, {"S2R R0, SR_TID.Y", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
      {ROW_TIMES,
       0,
       {"S2R R0, SR_TID.Y", "IMAD R0, R0, UR6, RZ", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
      {ROW_BYTES, 0, {"S2R R0, SR_TID.Z", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
      {ROW_UNKNOWN, 0, {"S2R R0, SR_LANEID", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
      {ROW_UNKNOWN,
       0,
       {"S2R R0, SR_TID.Y", "SHF.R.U32.HI R0, RZ, 0x5, R0", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R4, desc[UR4][R2.64]",
        "EXIT"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct made_sass m;
    struct sass_step *steps;
    made_kernel(&m, cases[i].lines);
    steps = sass_row_steps_make(&m.sass);
    if ((int)steps[m.sass.n - 2].kind != (int)cases[i].kind || steps[m.sass.n - 2].bytes != cases[i].bytes)
      fail_msg("case %zu: %d, %ld bytes", i, steps[m.sass.n - 2].kind, steps[m.sass.n - 2].bytes);
    free(steps);
    sass_release(&m.sass);
  }
}

/* 32 banks of 4 bytes; 8 bytes of half a warp, 16 of a quarter. */
static void turns_at_a_bank(void **state) {
  (void)state;
  static const struct {
    long step;
    int bytes, turns;
  } cases[] = {{0, 4, 1},   {4, 4, 1},    {1, 1, 1},    {2, 2, 1},     {8, 4, 2}, {12, 4, 1}, {16, 4, 4},
               {64, 4, 16}, {128, 4, 32}, {132, 4, 1},  {-128, 4, 32}, {8, 8, 1}, {16, 8, 2}, {16, 16, 1},
               {32, 16, 2}, {128, 16, 8}, {256, 8, 16}, {136, 8, 1},   {2, 4, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    if (sass_step_turns(cases[i].step, cases[i].bytes) != cases[i].turns)
      fail_msg("%ld bytes apart, %d wide: %d", cases[i].step, cases[i].bytes,
               sass_step_turns(cases[i].step, cases[i].bytes));
}

/* Of what is not known: a step but for multiples of a power of two. */
static void wrapped(void **state) {
  static const struct {
    int wraps;
    long bytes;
    const char *lines[LINES];
  } cases[] = {
      /* clang-format off */
      {6, 4, {"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0xf, RZ, 0xc0, !PT", "LDS R4, [R1.X4]"}}, /* 4 bits of words */
      /* (lane + 3) % 64 of rows of 24 words, as signed numbers: 3 * 2^3 * 2^6 words */
      {11, 96, {"S2R R0, SR_TID.X", "VIADD R1, R0, 0x3", "SHF.R.S32.HI R2, RZ, 0x1f, R1", "LEA.HI R2, R2, R1, RZ, 0x6",
                "LOP3.LUT R2, R2, 0xffffffc0, RZ, 0xc0, !PT", "IMAD.IADD R1, R1, 0x1, -R2", "IMAD R1, R1, 0x18, RZ",
                "LDS R4, [R1.X4]"}},
      {9, 4, {"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0x7f, RZ, 0xc0, !PT", "LDS R4, [R1.X4]", "VIADD R0, R0, 0x1", "@P0 BRA 0x10",
              "LDS R4, [R1.X4]"}}, /* what a loop moves on */
      {4, 0, {"LDG.E R0, desc[UR4][R8.64]", "LOP3.LUT R1, R0, 0xfffffffc, RZ, 0xc0, !PT", "LDS R4, [R1.X4]"}},
      {0, 0, {"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0x7, RZ, 0xc0, !PT", "IMAD R1, R1, R1, RZ", "LDS R4, [R1.X4]"}},
      {0, 0, {"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0x7, RZ, 0xc0, !PT", "IMAD R2, R0, c[0x0][0x20], R1", "LDS R4, [R2.X4]"}},
      /* a product's upper half, which all lanes share where they share the lower one */
      {6, 4, {"S2R R0, SR_TID.X", "S2R R5, SR_CTAID.X", "IMAD.WIDE.U32 R2, R5, -0x55555555, RZ", "LOP3.LUT R1, R0, 0xf, RZ, 0xc0, !PT",
              "IMAD.IADD R1, R1, 0x1, R3", "LDS R4, [R1.X4]"}},
      {0, 0, {"S2R R0, SR_TID.X", "IMAD.WIDE.U32 R2, R0, -0x55555555, RZ", "LOP3.LUT R1, R0, 0xf, RZ, 0xc0, !PT",
              "IMAD.IADD R1, R1, 0x1, R3", "LDS R4, [R1.X4]"}},
      /* clang-format on */
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct made_sass m;
    const char *lines[LINES + 2] = {0};
    size_t n = 0;
    for (; cases[i].lines[n]; n++)
      lines[n] = cases[i].lines[n];
    lines[n] = "EXIT";
    made_kernel(&m, lines);
    struct sass_step *steps = sass_steps_make(&m.sass, 0);
    if (steps[n - 1].kind != STEP_UNKNOWN || steps[n - 1].wraps != cases[i].wraps ||
        steps[n - 1].bytes != cases[i].bytes)
      fail_msg("case %zu: kind %d, %ld bytes, but for 2^%d", i, steps[n - 1].kind, steps[n - 1].bytes,
               steps[n - 1].wraps);
    free(steps);
    sass_release(&m.sass);
  }
}

/* What is kept is of one width of blocks, and a copy of it the caller's. */
static void asked_again(void **state) {
  static const char *const lines[] = {"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R4, desc[UR4][R2.64]",
                                      "EXIT", NULL};
  static const struct {
    unsigned block_x;
    bool known;
  } asked[] = {{32, true}, {32, true}, {16, false}, {64, true}, {16, false}};
  static struct made_sass m;
  (void)state;
  made_kernel(&m, lines);
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
    struct sass_step *steps, *rows;
    steps = sass_steps_make(&m.sass, asked[i].block_x);
    rows = sass_row_steps_make(&m.sass);
    assert_int_equal(steps[2].kind == STEP_BYTES && steps[2].bytes == 4, asked[i].known);
    assert_true(rows[2].kind == STEP_BYTES && rows[2].bytes == 0);
    steps[2].bytes = rows[2].bytes = 77;
    free(steps);
    free(rows);
  }
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(asked_again),     cmocka_unit_test(neighbours), cmocka_unit_test(rows),
      cmocka_unit_test(turns_at_a_bank), cmocka_unit_test(wrapped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
