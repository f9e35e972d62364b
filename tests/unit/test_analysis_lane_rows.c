/* What a request touches by the shape of the block: a warp has one row of it, or several; worked out by hand. */
#include "unit/judged.h"

#include "analysis/signs/lane_rows.h"

#include <math.h>

/* A 2D index: R4 = x, R5 = y, R6 = y * pitch + x of an unknown pitch. */
#define PLACE    "S2R R4, SR_TID.X", "S2R R5, SR_TID.Y", "IMAD R6, R5, UR6, R4", "LDC.64 R8, c[0x0][0x210]"
#define INDEX_1  PLACE, "IMAD.WIDE R2, R6, 0x1, R8"
#define INDEX_4  PLACE, "IMAD.WIDE R2, R6, 0x4, R8"
#define INDEX_8  PLACE, "IMAD.WIDE R2, R6, 0x8, R8"
#define INDEX_16 PLACE, "IMAD.WIDE R2, R6, 0x10, R8"
#define INDEX_32 PLACE, "IMAD.WIDE R2, R6, 0x20, R8"
#define COPY     "LDGSTS.E.BYPASS.128 [R12], desc[UR4][R2.64]"
#define ROW      "IMAD.WIDE R2, R5, 0x4, R8"
#define COLUMN   "IMAD.WIDE R2, R4, 0x4, R8"
#define PITCH_64 "LEA R6, R5, R4, 0x4", "IMAD.WIDE R2, R6, 0x4, R8" /* rows of 16 floats, one behind the other */
#define LOAD     "LDG.E R10, desc[UR4][R2.64]"

static const struct {
  unsigned x, y, z;
  const char *lines[LINES_MAX];
  bool known;
  double least, begins, shared, wide;
} CASES[] = {
    /* floats side by side: 128 B of a row, or twice 64 */
    {32, 8, 1, {INDEX_4, LOAD}, true, 4, 1, 0, 4},
    {64, 4, 1, {INDEX_4, LOAD}, true, 4, 1, 0, 4},
    {16, 16, 1, {INDEX_4, LOAD}, true, 4, 2, 0, 4},
    {8, 32, 1, {INDEX_4, LOAD}, true, 4, 4, 0, 4},
    /* bytes: 32 of a row are a sector, twice 16 are two that are half full */
    {16, 16, 1, {INDEX_1, "LDG.E.U8 R10, desc[UR4][R2.64]"}, true, 2, 2, 1, 1},
    {32, 8, 1, {INDEX_1, "LDG.E.U8 R10, desc[UR4][R2.64]"}, true, 1, 1, 0, 1},
    /* both rows read the same 64 B; each row reads a word, which lie side by side; or have their rows' pitch */
    {16, 16, 1, {INDEX_4, COLUMN, LOAD}, true, 2, 1, 0, 4},
    {16, 16, 1, {INDEX_4, ROW, LOAD}, true, 1, 1, 0.75, 1},
    {32, 8, 1, {INDEX_4, ROW, LOAD}, true, 1, 0, 0.875, 1},
    {16, 16, 1, {INDEX_4, "IMAD R6, R5, UR6, RZ", "IMAD.WIDE R2, R6, 0x4, R8", LOAD}, true, 2, 0, 1.75, 1},
    /* rows that lie side by side are one of 128 B */
    {16, 16, 1, {INDEX_4, PITCH_64, LOAD}, true, 4, 1, 0, 4},
    /* lanes apart, of an unknown place, and a block whose rows are no part of a warp */
    {32, 8, 1, {INDEX_8, LOAD}, false, 0, 0, 0, 0},
    {32, 8, 1, {"LDG.E R6, desc[UR4][UR6]", "S2R R4, SR_TID.X", "IMAD.WIDE R2, R4, R6, RZ", LOAD}, false, 0, 0, 0, 0},
    {16, 16, 1, {INDEX_4, "IMAD R6, R5, R5, R4", "IMAD.WIDE R2, R6, 0x4, R8", LOAD}, false, 0, 0, 0, 0},
    {20, 16, 1, {INDEX_4, LOAD}, false, 0, 0, 0, 0},
    {16, 1, 16, {INDEX_4, LOAD}, false, 0, 0, 0, 0},
    /* blocks of one row, whole warps or not */
    {100, 1, 1, {INDEX_4, LOAD}, true, 4, 1, 0, 4},
    {16, 1, 1, {INDEX_4, LOAD}, true, 2, 1, 0, 4},
    /* of two loads the mean */
    {16, 16, 1, {INDEX_4, LOAD, COLUMN, LOAD}, true, 3, 1.5, 0, 4},
    {32, 8, 1, {INDEX_4, "STG.E desc[UR4][R2.64], R10"}, false, 0, 0, 0, 0}, /* no load */
    {32, 8, 1, {INDEX_16, COPY}, true, 16, 1, 0, 16},                        /* a copy past the registers is one */
};

static void made_block(struct judged *j, unsigned x, unsigned y, unsigned z, const char *const *lines,
                       const struct given *set) {
  static const double each[LINES_MAX] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 100};
  struct judged_case c = {.rule = "uncoalesced"};
  size_t n = 0;
  for (; lines[n]; n++) {
    c.lines[n] = lines[n];
    c.executed[n] = each[n];
  }
  c.lines[n] = "EXIT";
  c.executed[n] = 1;
  for (size_t i = 0; set && set[i].name; i++)
    c.set[i] = set[i];
  judged_make(j, &c, NULL);
  unsigned *block = j->d.m.results[0].launches->block;
  block[0] = x, block[1] = y, block[2] = z;
}

static void what_rows_touch(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct judged j;
    struct lane_rows x;
    made_block(&j, CASES[i].x, CASES[i].y, CASES[i].z, CASES[i].lines, NULL);
    lane_rows_of(&x, &j.in, SASS_LOAD_GLOBAL);
    if (x.known != CASES[i].known || fabs(x.least - CASES[i].least) > 1e-9 || fabs(x.begins - CASES[i].begins) > 1e-9 ||
        fabs(x.shared - CASES[i].shared) > 1e-9 || fabs(x.wide - CASES[i].wide) > 1e-9)
      fail_msg("case %zu: known %d, least %g, begins %g, shared %g, wide %g", i, x.known, x.least, x.begins, x.shared,
               x.wide);
    judged_release(&j);
  }
}

#define MISALIGNED                                                                                                     \
  "global accesses touch 1.25 times the sectors that their bytes need: lanes lie side by side, but their rows begin inside a sector"

#define TWICE          "global accesses touch 2.0 times the sectors that their bytes need"
#define COPY_BESIDE    "LDGSTS.E.BYPASS.128 [R12+0x10], desc[UR4][R2.64+0x10]"
#define LOAD_16        "LDG.E.128 R16, desc[UR4][R2.64]"
#define LOAD_16_BESIDE "LDG.E.128 R20, desc[UR4][R2.64+0x10]"
#define PIECES_OF_16                                                                                                   \
  "a thread copies adjacent 16-byte pieces: let lane l copy the 16 bytes at 16 * l of a row instead, so that neighbouring lanes copy neighbouring pieces"

/* 100 requests of a kernel that was attached to: no instruction has counts of its own. */
static const struct {
  unsigned x, y; /* x 0: 32, of code without counts */
  const char *lines[LINES_MAX];
  struct given set[6];
  const char *sentence, *remedy; /* NULL: silent */
} ADVICE[] = {
    /* 5 sectors for two rows of 64 B */
    {16,
     16,
     {INDEX_4, LOAD},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 500}, {"load_data_bytes", 12800}},
     MISALIGNED,
     "begin rows and tiles at multiples of 32 bytes: pad the pitch, or shift where a row or its halo starts"},
    {16,
     16,
     {INDEX_4, "STG.E desc[UR4][R2.64], R10"},
     {{"l1_store_requests", 100}, {"l1_store_sectors", 500}, {"store_data_bytes", 12800}},
     MISALIGNED,
     "begin rows and tiles at multiples of 32 bytes: pad the pitch, or shift where a row or its halo starts"},
    /* rows of 16 bytes: half of each sector */
    {16,
     16,
     {INDEX_1, "LDG.E.U8 R10, desc[UR4][R2.64]"},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 200}, {"load_data_bytes", 3200}},
     "global accesses touch 2.0 times the sectors that their bytes need: a warp spans several short rows of its block",
     "make the block 32 wide (32 x 8 for 16 x 16), so that a warp accesses one row"},
    /* a row's word is a sector: 5 for 4 x 32 + 4 bytes are no more than there must be, and 4 beside them are 3 of pitch */
    {32,
     8,
     {INDEX_4, LOAD, ROW, LOAD},
     {{"l1_load_requests", 200}, {"l1_load_sectors", 500}, {"load_data_bytes", 13200}},
     NULL,
     NULL},
    /* two rows' words of a matrix, and a row of 64 B: a block 32 wide would touch 5 for 4 */
    {16,
     16,
     {INDEX_4, COLUMN, LOAD, "IMAD R6, R5, UR6, RZ", "IMAD.WIDE R2, R6, 0x4, R8", LOAD},
     {{"l1_load_requests", 200}, {"l1_load_sectors", 400}, {"load_data_bytes", 7200}},
     NULL,
     NULL},
    /* more than rows that begin anywhere */
    {32,
     8,
     {INDEX_4, LOAD},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 610}, {"load_data_bytes", 12800}},
     "global accesses touch 1.52 times the sectors that their bytes need",
     "let neighbouring lanes access neighbouring bytes, or stage a tile through shared memory"},
    /* copies past the registers: two of 16 bytes a thread, side by side, 32 sectors each where 16 do; the counter of bytes has none of them */
    {32,
     8,
     {INDEX_32, COPY, COPY_BESIDE},
     {{"l1_load_requests", 200}, {"l1_load_sectors", 6400}, {"load_data_bytes", 0}},
     TWICE,
     PIECES_OF_16},
    /* half of them loads into registers, which it has */
    {32,
     8,
     {INDEX_32, COPY, COPY_BESIDE, LOAD_16, LOAD_16_BESIDE, "STS.128 [R13], R16"},
     {{"l1_load_requests", 400}, {"l1_load_sectors", 12800}, {"load_data_bytes", 102400}},
     TWICE,
     PIECES_OF_16},
    {32,
     8,
     {INDEX_16, COPY},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 1600}, {"load_data_bytes", 0}},
     NULL,
     NULL},
    /* a sector more than lanes side by side, of blocks whose rows are no part of a warp */
    {20,
     16,
     {INDEX_16, COPY},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 1700}, {"load_data_bytes", 0}},
     "global accesses touch 1.06 times the sectors that their bytes need: lanes lie side by side, but their rows begin inside a sector",
     "begin rows and tiles at multiples of 32 bytes: pad the pitch, or shift where a row or its halo starts"},
    /* one piece a thread, of rows that are apart */
    {32,
     8,
     {INDEX_32, COPY},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 3200}, {"load_data_bytes", 0}},
     TWICE,
     "let neighbouring lanes copy neighbouring 16-byte pieces along a row of the tile, and make its rows 32 bytes or longer"},
    {32,
     8,
     {COPY},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 3100}, {"load_data_bytes", 0}},
     "global accesses touch 1.94 times the sectors that their bytes need",
     "let neighbouring lanes copy neighbouring 16-byte pieces along a row of the tile, and make its rows 32 bytes or longer"},
    {32,
     8,
     {"LDG.E.64 R16, desc[UR4][R2.64]", "STS.64 [R13], R16"},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 1300}, {"load_data_bytes", 25600}},
     "global accesses touch 1.62 times the sectors that their bytes need",
     "let neighbouring lanes copy neighbouring 8-byte pieces along a row of the tile, and make its rows 32 bytes or longer"},
    /* of the lanes a quarter is left out, and may be those that would share */
    {32,
     8,
     {"LDG.E.128 R16, desc[UR4][R2.64]", "STS.128 [R13], R16"},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 1900}, {"load_data_bytes", 38400}},
     "global accesses touch 1.58 times the sectors that their bytes need",
     "let neighbouring lanes copy neighbouring 16-byte pieces along a row of the tile, and make its rows 32 bytes or longer"},
    /* by a load and a store */
    {32,
     8,
     {INDEX_32, LOAD_16, "STS.128 [R13], R16"},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 3200}, {"load_data_bytes", 51200}},
     TWICE,
     "let neighbouring lanes copy neighbouring 16-byte pieces along a row of the tile, and make its rows 32 bytes or longer"},
    /* pieces that could be one */
    {32,
     8,
     {INDEX_8, LOAD, "LDG.E R11, desc[UR4][R2.64+0x4]", "STS.64 [R13], R10"},
     {{"l1_load_requests", 200}, {"l1_load_sectors", 1600}, {"load_data_bytes", 25600}},
     TWICE,
     "a thread copies adjacent 4-byte pieces: copy 16 bytes at once where aligned, or let lane l copy the 4 bytes at 4 * l of a row"},
    /* what was not counted is not compared: copies without counts of the instructions, or loads without their bytes */
    {0,
     8,
     {INDEX_32, COPY},
     {{"l1_load_requests", 100}, {"l1_load_sectors", 3200}, {"load_data_bytes", 0}},
     NULL,
     NULL},
    {32, 8, {INDEX_32, COPY, LOAD_16}, {{"l1_load_requests", 200}, {"l1_load_sectors", 6400}}, NULL, NULL},
};

static void what_is_said(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ADVICE / sizeof ADVICE[0]; i++) {
    static struct judged j;
    struct told a = {0};
    unsigned x = ADVICE[i].x ? ADVICE[i].x : 32;
    made_block(&j, x, ADVICE[i].y, 1, ADVICE[i].lines, ADVICE[i].set);
    j.d.m.results[0].n_counts = 0;
    j.in.sass->counted = ADVICE[i].x > 0;
    bool said = rule_find("uncoalesced")->judge(&j.in, &a);
    if (said != (ADVICE[i].sentence != NULL) || (said && strcmp(a.sentence, ADVICE[i].sentence) != 0) ||
        (said && strcmp(a.remedy, ADVICE[i].remedy) != 0))
      fail_msg("row %zu: %s / %s", i, said ? a.sentence : "silent", said ? a.remedy : "");
    judged_release(&j);
  }
}

/* Sectors beyond those that the bytes need, by the steps alone. */
static void how_many_too_many(void **state) {
  (void)state;
  static const struct sass_step NO = {STEP_UNKNOWN, 0}, FAR = {STEP_TIMES, 0};
#define BY(n)                                                                                                          \
  { STEP_BYTES, n }
  const struct {
    unsigned x, y;
    int bytes;
    struct sass_step in_x, in_y;
    double excess, apart;
  } rows[] = {
      {32, 8, 4, BY(4), NO, 0, 28},       {32, 8, 4, BY(-4), NO, 0, 28},
      {32, 8, 4, BY(0), NO, 0, 28},       {32, 8, 4, BY(8), NO, 4, 28}, /* 252 bytes: 8 for 4 */
      {32, 8, 4, BY(36), NO, 28, 28},                                   /* one each */
      {32, 8, 16, BY(32), NO, 16, 16},    {32, 8, 4, FAR, NO, 28, 28},
      {32, 8, 4, NO, BY(0), -1, 28},      {16, 16, 4, BY(4), NO, -1, 28},
      {16, 16, 4, BY(4), FAR, 0, 28}, /* two rows of 64 bytes */
      {16, 16, 4, BY(0), BY(4), 0, 28},   {16, 16, 4, BY(0), BY(4096), 1, 28},
      {16, 16, 4, BY(36), BY(4), 14, 28}, /* 548 bytes: 18 for 4 */
      {16, 16, 4, BY(36), BY(0), 14, 28}, /* 544 bytes would be 17, but 16 lanes touch 16; 2 for their bytes */
      {4, 8, 4, BY(4), FAR, 4, 28},       /* 8 rows of half a sector */
      {20, 16, 4, BY(4), FAR, 1, 35},     /* two rows of 80 bytes, 3 each */
      {6, 1, 4, BY(28), NO, 4, 5},        /* 144 bytes: 5; 24 are asked for */
  };
#undef BY
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static struct judged j;
    made_block(&j, rows[i].x, rows[i].y, 1, (const char *const[]){LOAD, NULL}, NULL);
    double excess = lanes_excess(&j.in, rows[i].bytes, rows[i].in_x, rows[i].in_y),
           apart = lanes_apart_excess(&j.in, rows[i].bytes);
    if (fabs(excess - rows[i].excess) > 1e-9 || fabs(apart - rows[i].apart) > 1e-9)
      fail_msg("row %zu: %g, apart %g", i, excess, apart);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_rows_touch), cmocka_unit_test(what_is_said),
                                     cmocka_unit_test(how_many_too_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
