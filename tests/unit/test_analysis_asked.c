/* What lanes ask of global memory, what that touches, and why it is more than their bytes need: by counters and by the code. */
#include "analysis/signs/accesses.h"
#include "analysis/signs/apart.h"
#include "analysis/signs/asked.h"
#include "unit/judged.h"

#define LOAD      "LDG.E R4, desc[UR4][R2.64]"
#define COPY      "LDGSTS.E.128 [R12], desc[UR4][R2.64]"
#define NEVER     "@!PT LDGSTS.E.128 [R12], desc[UR4][R2.64]"
#define PER_LANE  "S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, R8"
#define ONE_PLACE "LDC.64 R2, c[0x0][0x210]"

/* --- bytes --- */

static const struct {
  struct judged_case kernel;
  bool uncounted; /* how often instructions run */
  double bytes;
} ASKED[] = {
    {{.set = {{"load_data_bytes", 640}}}, false, 640}, /* no code is known */
    {{.rule = NULL}, false, 0},
    {{.lines = {LOAD, "EXIT"}, .executed = {5, 5}, .set = {{"load_data_bytes", 640}}}, false, 640},
    {{.lines = {LOAD, "EXIT"}, .executed = {5, 5}, .set = {{"load_data_bytes", 640}}}, true, 640},
    {{.lines = {LOAD, "EXIT"}, .executed = {5, 5}}, false, 0},
    /* 16 bytes of 32 lanes, 5 times */
    {{.lines = {COPY, "EXIT"}, .executed = {5, 5}}, false, 2560},
    {{.lines = {COPY, "EXIT"}, .executed = {5, 5}, .set = {{"load_data_bytes", 0}}}, false, 2560},
    {{.lines = {COPY, "EXIT"}, .executed = {5, 5}}, true, 0},
    /* beside loads of 640 B; without these a sum of both is none */
    {{.lines = {LOAD, COPY, "EXIT"}, .executed = {5, 5, 5}, .set = {{"load_data_bytes", 640}}}, false, 640 + 2560},
    {{.lines = {LOAD, COPY, "EXIT"}, .executed = {5, 5, 5}}, false, 0},
    {{.lines = {LOAD, COPY, "EXIT"}, .executed = {0, 5, 5}}, false, 2560}, /* none of these ran */
    {{.lines = {LOAD, COPY, "EXIT"}, .executed = {5, 5, 5}, .set = {{"load_data_bytes", 640}}}, true, 0},
    /* counted are three times as many requests as by the instructions */
    {{.lines = {COPY, "EXIT"}, .executed = {5, 5}, .set = {{"l1_load_requests", 15}}}, false, 7680},
    {{.lines = {LOAD, COPY, "EXIT"},
      .executed = {5, 5, 5},
      .set = {{"load_data_bytes", 640}, {"l1_load_requests", 30}}},
     false,
     640 + 7680},
    {{.lines = {COPY, "EXIT"}, .executed = {5, 5}, .set = {{"l1_load_requests", 1}}}, false, 512},
    {{.lines = {LOAD, COPY, "EXIT"}, .executed = {5, 5, 5}, .set = {{"load_data_bytes", 0}}}, false, 2560},
    /* copies that did not run, or never do */
    {{.lines = {LOAD, COPY, "EXIT"}, .executed = {5, 0, 5}, .set = {{"load_data_bytes", 640}}}, false, 640},
    {{.lines = {LOAD, NEVER, "EXIT"}, .executed = {5, 5, 5}, .set = {{"load_data_bytes", 640}}}, false, 640},
    {{.lines = {LOAD, NEVER, "EXIT"}, .executed = {5, 5, 5}, .set = {{"load_data_bytes", 640}}}, true, 640},
    /* bulk copies name no bytes */
    {{.lines = {LOAD, "UBLKCP [UR8], [UR6], UR10", "EXIT"}, .executed = {5, 5, 5}, .set = {{"load_data_bytes", 640}}},
     true,
     640},
};

static void what_lanes_ask_for(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; i++) {
    static struct judged j;
    judged_make(&j, &ASKED[i].kernel, NULL);
    if (j.in.sass)
      j.in.sass->counted = !ASKED[i].uncounted;
    if (asked_bytes(&j.in) != ASKED[i].bytes)
      fail_msg("row %zu: %g bytes", i, asked_bytes(&j.in));
    judged_release(&j);
  }
}

/* 5 loads of 4 bytes and 15 of 16 are 13 in the mean; without code, or its counts, 640 B of 5 requests of 32 lanes are 4. */
static void bytes_of_a_lanes_load(void **state) {
  static const struct {
    struct judged_case kernel;
    bool uncounted;
    double bytes;
  } rows[] = {
      {{.lines = {LOAD, COPY, "EXIT"}, .executed = {5, 15, 5}, .set = {{"load_data_bytes", 640}}}, false, 13},
      {{.lines = {LOAD, NEVER, "EXIT"}, .executed = {5, 15, 5}, .set = {{"load_data_bytes", 640}}}, false, 4},
      {{.set = {{"load_data_bytes", 640}, {"l1_load_requests", 5}}}, false, 4},
      {{.lines = {LOAD, "EXIT"}, .executed = {9, 9}, .set = {{"load_data_bytes", 1280}, {"l1_load_requests", 5}}},
       true,
       8},
      {{.lines = {"EXIT"}, .executed = {5}}, false, 0},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    judged_make(&j, &rows[i].kernel, NULL);
    if (j.in.sass)
      j.in.sass->counted = !rows[i].uncounted;
    assert_float_equal(lane_load_bytes(&j.in), rows[i].bytes, 1e-12);
    judged_release(&j);
  }
}

static void what_counts_as_loads(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool load, store;
  } rows[] = {{LOAD, true, false},
              {COPY, true, false},
              {"STG.E desc[UR4][R2.64], R4", false, true},
              {"UBLKCP [UR8], [UR6], UR10", false, false},
              {"LDS R4, [R2]", false, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct sass_inst x;
    sass_inst_parse(&x, rows[i].text, 0);
    assert_int_equal(counts_as(&x, SASS_LOAD_GLOBAL), rows[i].load);
    assert_int_equal(counts_as(&x, SASS_STORE_GLOBAL), rows[i].store);
  }
}

/* --- sectors --- */

static void same_accesses(const struct accesses *a, double sectors, double ideal, double spare, double bytes) {
  assert_float_equal(a->sectors, sectors, 1e-9);
  assert_float_equal(a->ideal, ideal, 1e-9);
  assert_float_equal(a->spare, spare, 1e-9);
  assert_float_equal(a->bytes, bytes, 1e-9);
}

static void counted_sectors(struct judged *j, size_t at, double sectors, double ideal) {
  j->d.counts[at].global_sectors = sectors;
  j->d.counts[at].global_sectors_ideal = ideal;
}

/* By exact counts: 5 loads of 32 lanes are 640 B, 3 stores of 8 B are 768.  Atomics are neither, and what has no counts of sectors is nothing. */
static void sectors_as_counted(void **state) {
  (void)state;
  static const struct judged_case kernel = {
      .lines = {LOAD, "STG.E.64 desc[UR4][R2.64], R4", "ATOMG.E.ADD.STRONG.GPU PT, R5, desc[UR4][R2.64], R6", LOAD,
                "EXIT"},
      .executed = {5, 3, 2, 7, 1},
      .set = {{"l1_load_bytes", 4096}, {"load_data_bytes", 1e6}, {"store_data_bytes", 1e6}}};
  static struct judged j;
  struct accesses loads, stores;
  judged_make(&j, &kernel, NULL);
  assert_float_equal(load_bytes(&j.in), 4096, 0); /* none was counted by itself */
  counted_sectors(&j, 0, 100, 20);
  counted_sectors(&j, 1, 30, 24);
  counted_sectors(&j, 2, 1000, 1);
  accesses_of(&loads, &stores, &j.in);
  same_accesses(&loads, 100, 20, 0, 640);
  same_accesses(&stores, 30, 24, 0, 768);
  assert_float_equal(load_bytes(&j.in), 640, 0); /* 20 sectors */
  counted_sectors(&j, 3, 200, -1);               /* half a count is none */
  accesses_of(&loads, &stores, &j.in);
  same_accesses(&loads, 100, 20, 0, 640);
  counted_sectors(&j, 3, 8, 0); /* no lane was active */
  accesses_of(&loads, &stores, &j.in);
  same_accesses(&loads, 108, 20, 0, 640 + 7 * 32 * 4);
  judged_release(&j);
}

static void excess_is_never_negative(void **state) {
  (void)state;
  assert_float_equal(accesses_excess(&(struct accesses){.sectors = 10, .ideal = 4, .spare = 1}), 5, 0);
  assert_float_equal(accesses_excess(&(struct accesses){.sectors = 10, .ideal = 8, .spare = 3}), 0, 0);
}

static void rows_that_a_wide_block_spans(void **state) {
  (void)state;
  static const struct {
    struct lane_rows rows;
    bool spanned;
  } cases[] = {{{.known = true, .rows = 2, .wide = 100, .least = 103}, true},
               {{.known = true, .rows = 2, .wide = 100, .least = 101}, false}, /* within the slack */
               {{.known = true, .rows = 1, .wide = 100, .least = 103}, false},
               {{.known = false, .rows = 2, .wide = 100, .least = 103}, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(rows_are_spanned(&cases[i].rows), cases[i].spanned);
}

/* Nothing was counted by itself.  10 requests of 4 B and half of the lanes are 640 B, or as many as were counted. */
static void sectors_as_estimated(void **state) {
  (void)state;
  static const struct judged_case kernel = {.lines = {LOAD, "EXIT"},
                                            .executed = {5, 1},
                                            .set = {{"l1_load_sectors", 90},
                                                    {"l1_load_requests", 10},
                                                    {"l1_store_sectors", 33},
                                                    {"inst_executed", 100},
                                                    {"thread_inst_executed", 1600}}};
  static struct judged j;
  struct accesses loads, stores;
  for (int bytes = 0; bytes < 2; bytes++) {
    judged_make(&j, &kernel, bytes ? &(const struct given){"load_data_bytes", 320} : NULL);
    j.d.m.results[0].n_counts = 0;
    accesses_of(&loads, &stores, &j.in); /* nor was it estimated how often instructions run */
    same_accesses(&loads, bytes ? 90 : 0, bytes ? 10 : 0, 0, bytes ? 320 : 0);
    j.in.sass->estimated = true;
    accesses_of(&loads, &stores, &j.in);
    same_accesses(&loads, 90, bytes ? 10 : 20, 0, bytes ? 320 : 640);
    same_accesses(&stores, 0, 0, 0, 0); /* there are none */
    judged_release(&j);
  }
}

/* All lanes of 10 requests ask for one word: 40 B are 1.25 sectors, and each request has one, 8.75 more.  Two of 12 are too many. */
static void a_request_has_a_sector(void **state) {
  (void)state;
  static const struct judged_case kernel = {
      .lines = {LOAD, "EXIT"},
      .executed = {5, 1},
      .set = {{"l1_load_sectors", 12}, {"l1_load_requests", 10}, {"load_data_bytes", 40}}};
  static struct judged j;
  struct accesses loads, stores;
  judged_make(&j, &kernel, NULL);
  j.d.m.results[0].n_counts = 0;
  accesses_of(&loads, &stores, &j.in);
  same_accesses(&loads, 12, 1.25, 8.75, 40);
  assert_float_equal(accesses_excess(&loads), 2, 1e-9);
  judged_release(&j);
}

/* Of 10 requests a third are bytes and two thirds words: 3 of each of 32 lanes. */
static void widths_of_several_loads(void **state) {
  (void)state;
  static const struct judged_case kernel = {.lines = {"LDG.E.U8 R4, desc[UR4][R2.64]", LOAD, "EXIT"},
                                            .executed = {5, 10, 1},
                                            .set = {{"l1_load_sectors", 90}, {"l1_load_requests", 10}}};
  static struct judged j;
  struct accesses loads, stores;
  judged_make(&j, &kernel, NULL);
  j.d.m.results[0].n_counts = 0;
  j.in.sass->estimated = true;
  accesses_of(&loads, &stores, &j.in);
  same_accesses(&loads, 90, 30, 0, 10 * 32 * 3);
  judged_release(&j);
}

/* All lanes of 10 requests read one word: of each sector 28 B are nobody's, which no order would spare. */
static void sectors_that_lanes_share(void **state) {
  (void)state;
  static const struct judged_case kernel = {
      .lines = {ONE_PLACE, LOAD, "EXIT"},
      .executed = {5, 5, 1},
      .set = {{"l1_load_sectors", 10}, {"l1_load_requests", 10}, {"load_data_bytes", 40}}};
  static struct judged j;
  struct accesses loads, stores;
  judged_make(&j, &kernel, NULL);
  j.d.m.results[0].n_counts = 0;
  accesses_of(&loads, &stores, &j.in);
  same_accesses(&loads, 10, 40.0 / 32, 10 * 28.0 / 32, 40);
  assert_float_equal(accesses_excess(&loads), 0, 0);
  judged_release(&j);
}

/* --- why lanes lie apart --- */

/* Of an unknown place each, 8 B and 4 B: side by side 6 sectors a request in the mean. */
#define UNKNOWN .lines = {"LDG.E.64 R2, desc[UR4][R8.64]", LOAD, "EXIT"}, .executed = {10, 10, 10}
/* The same, of which a branch on what was loaded leaves lanes out. */
#define BY_DATA                                                                                                        \
  .lines = {"LDG.E.64 R2, desc[UR4][R8.64]", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA 0x40", LOAD, "EXIT"},         \
  .executed = {10, 10, 10, 10, 10}
/* Neighbours lie side by side: 4 sectors, 5 where a row begins inside one. */
#define IN_ORDER .lines = {PER_LANE, LOAD, "EXIT"}, .executed = {10, 10, 10, 10}
#define SECTORS(loads, lanes)                                                                                          \
  .set = {{"l1_load_sectors", loads},                                                                                  \
          {"l1_load_requests", 100},                                                                                   \
          {"inst_executed", 100},                                                                                      \
          {"thread_inst_executed", 3200 * (lanes)}}

static const struct {
  struct judged_case kernel;
  double over;
  bool by_stores;
  enum apart why;
} APART[] = {
    {{.rule = NULL, SECTORS(600, 0.5)}, 1.5, false, APART_FAR}, /* no code is known */
    {{UNKNOWN}, 1.5, false, APART_FAR},                         /* no sectors are */
    {{UNKNOWN, SECTORS(600, 0.5)}, 1.5, true, APART_OF_STORES},
    /* no more than side by side: those of lanes that are left out, as far as there are so few lanes */
    {{UNKNOWN, SECTORS(600, 0.5)}, 1.5, false, APART_AT_EDGES},
    {{BY_DATA, SECTORS(600, 0.5)}, 1.5, false, APART_BY_BRANCH},
    {{UNKNOWN, SECTORS(600, 0.5)}, 1.99, false, APART_AT_EDGES},
    {{UNKNOWN, SECTORS(600, 0.5)}, 2, false, APART_FAR},         /* more than lanes' places tell */
    {{UNKNOWN, SECTORS(600, 0.74)}, 1.4, false, APART_AT_EDGES}, /* 1.036 */
    {{UNKNOWN, SECTORS(600, 0.76)}, 1.4, false, APART_FAR},      /* 1.064 */
    {{BY_DATA, SECTORS(600, 0.76)}, 1.4, false, APART_FAR},
    /* a row that begins inside a sector touches one more, and two rows two */
    {{UNKNOWN, SECTORS(700, 1)}, 1.2, false, APART_MISALIGNED},
    {{UNKNOWN, SECTORS(800, 1)}, 1.2, false, APART_MISALIGNED},
    {{UNKNOWN, SECTORS(801, 1)}, 1.2, false, APART_FAR},
    /* of bytes, a sector a request, two are lanes apart as well */
    {{.lines = {"LDG.E.U8 R4, desc[UR4][R2.64]", "EXIT"}, .executed = {10, 10}, SECTORS(200, 1)},
     1.5,
     false,
     APART_FAR},
    {{.lines = {"LDG.E.U16 R4, desc[UR4][R2.64]", "EXIT"}, .executed = {10, 10}, SECTORS(300, 1)},
     1.5,
     false,
     APART_MISALIGNED},
    /* where the code says that lanes lie in order, only more than 4 and up to 5 can be where rows begin */
    {{IN_ORDER, SECTORS(500, 0.5)}, 1.5, false, APART_MISALIGNED},
    {{IN_ORDER, SECTORS(409, 0.5)}, 1.5, false, APART_MISALIGNED},
    {{IN_ORDER, SECTORS(407, 0.5)}, 1.5, false, APART_AT_EDGES},
    {{IN_ORDER, SECTORS(509, 1)}, 1.9, false, APART_MISALIGNED},
    {{IN_ORDER, SECTORS(511, 1)}, 2.5, false, APART_FAR},
    {{IN_ORDER, SECTORS(500, 0.5)}, 1.5, true, APART_OF_STORES}, /* of stores nothing is known */
};

static void why_lanes_lie_apart(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof APART / sizeof *APART; i++) {
    static struct judged j;
    struct sectors_gone gone = {.over = APART[i].over, .by_stores = APART[i].by_stores};
    judged_make(&j, &APART[i].kernel, NULL);
    if (apart_of(&j.in, &gone) != APART[i].why)
      fail_msg("row %zu: %d", i, (int)apart_of(&j.in, &gone));
    judged_release(&j);
  }
}

/* Rows of 16 bytes, of which a warp has two, are two half sectors: a block 32 wide would touch one. */
static void rows_of_a_narrow_block(void **state) {
  (void)state;
  static const struct judged_case kernel = {.lines = {"S2R R4, SR_TID.X", "S2R R5, SR_TID.Y", "IMAD R6, R5, UR6, R4",
                                                      "LDC.64 R8, c[0x0][0x210]", "IMAD.WIDE R2, R6, 0x1, R8",
                                                      "LDG.E.U8 R10, desc[UR4][R2.64]", "EXIT"},
                                            .executed = {9, 9, 9, 9, 9, 9, 9},
                                            SECTORS(200, 1)};
  static struct judged j;
  const struct sectors_gone gone = {.over = 2};
  judged_make(&j, &kernel, NULL);
  struct run_launch *l = (struct run_launch *)j.in.f->launch;
  l->block[0] = l->block[1] = 16;
  assert_int_equal(apart_of(&j.in, &gone), APART_IN_ROWS);
  judged_release(&j);
}

static void a_sector_a_request(void **state) {
  (void)state;
  static const struct {
    double sectors;
    bool by_stores, one;
  } rows[] = {{100, false, true}, {101, false, true}, {103, false, false}, {0, false, false}, {100, true, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    const struct judged_case c = {SECTORS(rows[i].sectors, 1)};
    const struct sectors_gone gone = {.by_stores = rows[i].by_stores};
    judged_make(&j, &c, NULL);
    assert_int_equal(is_one_sector_each(&j.in, &gone), rows[i].one);
    judged_release(&j);
  }
}

/* --- loads side by side, loads that go to shared memory --- */

#define PAIR_4 LOAD, "LDG.E R5, desc[UR4][R2.64+0x4]"
#define PAIR_8 "LDG.E.64 R6, desc[UR4][R2.64+0x10]", "LDG.E.64 R10, desc[UR4][R2.64+0x18]"
#define ALONE  "LDG.E.U8 R16, desc[UR4][R12.64]"

static void loads_side_by_side(void **state) {
  (void)state;
  static const struct {
    const char *lines[8];
    double executed[8];
    int bytes;
  } rows[] = {{{PAIR_4, "EXIT"}, {10, 10, 1}, 4},
              {{PAIR_8, "EXIT"}, {10, 10, 1}, 8},
              {{PAIR_8, PAIR_4, "EXIT"}, {10, 10, 10, 10, 1}, 4},
              {{PAIR_8, PAIR_4, "EXIT"}, {10, 10, 0, 0, 1}, 8},
              {{PAIR_4, ALONE, "EXIT"}, {10, 10, 19, 1}, 4}, /* the narrower one stands alone */
              {{PAIR_4, ALONE, "EXIT"}, {10, 10, 20, 1}, 0},
              {{LOAD, ALONE, "EXIT"}, {10, 10, 1}, 0},
              {{PAIR_4, "EXIT"}, {0, 0, 1}, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct judged_case c = {.rule = NULL};
    memcpy(c.lines, rows[i].lines, sizeof rows[i].lines);
    memcpy(c.executed, rows[i].executed, sizeof rows[i].executed);
    judged_make(&j, &c, NULL);
    if (bytes_side_by_side(&j.in) != rows[i].bytes)
      fail_msg("row %zu: %d bytes", i, bytes_side_by_side(&j.in));
    j.in.sass->counted = false;
    assert_int_equal(bytes_side_by_side(&j.in), 0);
    j.in.sass = NULL;
    assert_int_equal(bytes_side_by_side(&j.in), 0);
    judged_release(&j);
  }
}

/* The first load is a register's, the second goes to shared memory, and so does the copy; the fourth did not run. */
static void loads_that_go_to_shared_memory(void **state) {
  (void)state;
  static const struct judged_case kernel = {.lines = {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R2.64+0x80]",
                                                      COPY, "LDG.E R6, desc[UR4][R2.64+0xc0]", "STS [R7], R5",
                                                      "STS [R7+0x80], R6", "STG.E desc[UR4][R8.64], R4", "EXIT"},
                                            .executed = {9, 9, 9, 0, 9, 9, 9, 9}};
  static struct judged j;
  judged_make(&j, &kernel, NULL);
  static const size_t each[] = {SASS_NONE, 1, 2, SASS_NONE, SASS_NONE};
  for (size_t i = 0; i < sizeof each / sizeof *each; i++)
    assert_int_equal(staged_access(&j.in, &j.d.sass[i]), each[i]);
  assert_int_equal(staged_access(&j.in, NULL), 1);
  j.in.sass = NULL;
  assert_int_equal(staged_access(&j.in, NULL), SASS_NONE);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_lanes_ask_for),
      cmocka_unit_test(bytes_of_a_lanes_load),
      cmocka_unit_test(what_counts_as_loads),
      cmocka_unit_test(sectors_as_counted),
      cmocka_unit_test(excess_is_never_negative),
      cmocka_unit_test(sectors_as_estimated),
      cmocka_unit_test(a_request_has_a_sector),
      cmocka_unit_test(widths_of_several_loads),
      cmocka_unit_test(sectors_that_lanes_share),
      cmocka_unit_test(why_lanes_lie_apart),
      cmocka_unit_test(rows_that_a_wide_block_spans),
      cmocka_unit_test(rows_of_a_narrow_block),
      cmocka_unit_test(a_sector_a_request),
      cmocka_unit_test(loads_side_by_side),
      cmocka_unit_test(loads_that_go_to_shared_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
