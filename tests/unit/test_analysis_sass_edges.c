/* Where the analysis of SASS has an edge: a producer many blocks back, more groups of copies than are kept, counts of other kernels, branches
 * without a target. */
#include "unit/made_sass.h"

#include <stdlib.h>

enum { FAR_INSTS = 128 };

/* A load, so many branches that each end a block, and what reads the load: it is found whatever the distance. */
static void a_producer_many_blocks_back(void **state) {
  static const size_t branches[] = {1, 62, 63, 64, 65, 100};
  static struct run_instruction insts[FAR_INSTS];
  static char away[32];
  (void)state;
  for (size_t k = 0; k < sizeof branches / sizeof *branches; k++) {
    size_t n = branches[k] + 3;
    struct run_kernel kernel = {.name = (char *)"far", .sass = insts, .n_sass = n};
    struct sass s = {0};
    struct sass_producer from[4];
    struct err e = {0};
    snprintf(away, sizeof away, "@P0 BRA 0x%zx", 16 * (n - 1));
    for (size_t i = 0; i < n; i++)
      insts[i] = (struct run_instruction){.offset = (uint32_t)(16 * i), .text = away};
    insts[0].text = (char *)"LDG.E R4, desc[UR4][R2.64]";
    insts[n - 2].text = (char *)"FADD R5, R4, RZ";
    insts[n - 1].text = (char *)"EXIT";
    if (sass_make(&s, &kernel, &e) != 0)
      fail_msg("%s", e.text);
    assert_int_equal(s.n_blocks, branches[k] + 2);
    assert_int_equal(sass_producers(&s, n - 2, from, 4), 1);
    assert_int_equal(from[0].inst, 0);
    sass_release(&s);
  }
}

/* 65 turns of a group of 16 bytes and one of 4, of which the wait lets 63 stay: more than are kept one by one, and none is lost. */
static void more_groups_than_are_kept(void **state) {
  static const char *const lines[] = {"DEPBAR.LE SB0, 0x3f",
                                      "LDGSTS.E.BYPASS.128 [R25], desc[UR10][R10.64]",
                                      "LDGDEPBAR",
                                      "LDGSTS.E [R26], desc[UR10][R12.64]",
                                      "LDGDEPBAR",
                                      "@P0 BRA 0x0",
                                      "EXIT",
                                      NULL};
  static struct made_sass m;
  struct sass_flight f;
  (void)state;
  made_kernel(&m, lines);
  sass_flight_of(&m.sass, 0, &f);
  assert_true(f.bytes_thread.present);
  assert_int_equal(f.known_bytes, 65 * (16 + 4));
  assert_int_equal(f.loads, 65 * 2);
  sass_release(&m.sass);
}

static void counts_of_other_kernels_are_not_its_own(void **state) {
  static const char *const lines[] = {"MOV R1, R2", "MOV R3, R4", "MOV R5, R6", "EXIT", NULL};
  static struct made_sass m;
  static struct run_count counts[] = {{.module = 2, .kernel = 1, .offset = 0, .executed = 5},
                                      {.module = 2, .kernel = 0, .offset = 16, .executed = 7},
                                      {.module = 3, .kernel = 1, .offset = 32, .executed = 9},
                                      {.module = 2, .kernel = 1, .offset = 48, .executed = 4}};
  (void)state;
  made_kernel(&m, lines);
  m.result.counts = counts;
  m.result.n_counts = 4;
  sass_count(&m.sass, &m.result, 2, 1);
  assert_true(m.sass.counted && !m.sass.estimated);
  assert_float_equal(m.sass.executed[0], 5, 0);
  assert_float_equal(m.sass.executed[1], 0, 0);
  assert_float_equal(m.sass.executed[2], 0, 0);
  assert_float_equal(m.sass.executed[3], 4, 0);
  sass_release(&m.sass);
}

static void branches_without_a_target(void **state) {
  static const char *const to_somewhere[] = {"BRX R4 -0x10", "EXIT", NULL},
                           *const padded[] = {"MOV R1, R2", "EXIT", "@!PT BRX R4 -0x10", NULL},
                           *const plain[] = {"@P0 BRA 0x10", "EXIT", NULL};
  static struct made_sass m;
  (void)state;
  made_kernel(&m, to_somewhere);
  assert_true(m.sass.indirect);
  sass_release(&m.sass);
  made_kernel(&m, padded); /* which never runs */
  assert_false(m.sass.indirect);
  sass_release(&m.sass);
  made_kernel(&m, plain);
  assert_false(m.sass.indirect);
  sass_release(&m.sass);
}

/* Which of a copy into shared memory by each lane, a bulk copy and a matrix instruction a wait is for; what never runs is waited for by none. */
static void what_a_wait_is_for(void **state) {
  static const struct {
    const char *wait;
    bool copy, bulk, matrix;
  } rows[] = {{"DEPBAR.LE SB0, 0x0", true, false, false},
              {"SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R5+URZ], R4", true, true, false},
              {"BAR.SYNC.DEFER_BLOCKING 0x0", true, true, false},
              {"WARPGROUP.DEPBAR.LE gsb0, 0x0", false, false, true},
              {"WARPGROUP.ARRIVE", false, false, false},
              {"@!PT BAR.SYNC.DEFER_BLOCKING 0x0", false, false, false}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    struct sass_feed f[4];
    size_t n = 0;
    made_kernel(
        &m, (const char *const[]){"LDGSTS.E.BYPASS.128 [R25], desc[UR10][R10.64]", "UBLKCP.S.G [UR4], [UR6], UR8",
                                  "HGMMA.64x8x16.F32 R40, R36, gdesc[UR16], R40",
                                  "@!PT LDGSTS.E.BYPASS.128 [R25], desc[UR10][R10.64]", rows[i].wait, "EXIT", NULL});
    size_t found = sass_waited_for(&m.sass, 4, f, 4);
    const bool wanted[] = {rows[i].copy, rows[i].bulk, rows[i].matrix};
    for (size_t k = 3; k-- > 0;) /* the nearest first */
      if (wanted[k] && (n >= found || f[n++].inst != k))
        fail_msg("%s: not for '%s'", rows[i].wait, m.sass.insts[k].text);
    assert_int_equal(found, n);
    sass_release(&m.sass);
  }
}

/* Groups of copies to R20 and up, each closed; how many may stay open at the wait, which those behind the last ones are not for: 1 for the first or the first two.
 * In a loop a turn's own group, which may stay open, is waited for a turn later. */
static void which_groups_a_wait_is_for(void **state) {
#define COPY_TO(r) "LDGSTS.E.BYPASS.128 [R" r "], desc[UR10][R10.64]"
#define CLOSE      "LDGDEPBAR"
#define BARRIER    "BAR.SYNC.DEFER_BLOCKING 0x0"
  static const struct {
    const char *lines[9];
    size_t wait, n, copies[3];
  } rows[] = {
      {{COPY_TO("20"), CLOSE, COPY_TO("21"), CLOSE, "DEPBAR.LE SB0, 0x1", BARRIER, "EXIT"}, 4, 1, {0}},
      {{COPY_TO("20"), CLOSE, COPY_TO("21"), CLOSE, "DEPBAR.LE SB0, 0x1", BARRIER, "EXIT"}, 5, 1, {0}},
      {{COPY_TO("20"), CLOSE, COPY_TO("21"), CLOSE, "DEPBAR.LE SB0, 0x0", BARRIER, "EXIT"}, 5, 2, {2, 0}},
      {{COPY_TO("20"), CLOSE, COPY_TO("21"), "DEPBAR.LE SB0, 0x0", "EXIT"}, 3, 1, {0}}, /* its group is not closed */
      {{COPY_TO("20"), CLOSE, COPY_TO("21"), CLOSE, BARRIER, "EXIT"}, 4, 2, {2, 0}},    /* no number is told */
      {{COPY_TO("20"), CLOSE, "DEPBAR.LE SB0, 0x0", COPY_TO("21"), CLOSE, BARRIER, "EXIT"}, 5, 2, {3, 0}},
      {{COPY_TO("20"), CLOSE, COPY_TO("21"), CLOSE, "DEPBAR.LE SB0, 0x1", "@P0 BRA 0x20", "EXIT"}, 4, 2, {0, 2}},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    struct sass_feed f[4];
    made_kernel(&m, rows[i].lines);
    size_t n = sass_waited_for(&m.sass, rows[i].wait, f, 4);
    bool same = n == rows[i].n;
    for (size_t k = 0; same && k < n; k++)
      same = f[k].inst == rows[i].copies[k];
    if (!same)
      fail_msg("row %zu: %zu, the first at %zu", i, n, n ? f[0].inst : 0);
    sass_release(&m.sass);
  }
}

/* A load into R8 to R11 is waited for by who reads or writes one of them, not beside them or in another file. */
static void registers_of_a_load(void **state) {
  static const struct {
    const char *text;
    bool waits;
  } rows[] = {{"FADD R4, R7, R5", false},
              {"FADD R4, R8, R5", true},
              {"FADD R4, R5, R11", true},
              {"FADD R4, R12, R5", false},
              {"FADD R7, R4, R5", false},
              {"FADD R8, R4, R5", true},
              {"FADD R11, R4, R5", true},
              {"FADD R12, R4, R5", false},
              {"IMAD.WIDE R6, R4, R5, R2", false},
              {"IMAD.WIDE R4, R2, R3, R6", false},
              {"UIADD3 UR8, UR9, UR10, URZ", false},
              {"@P0 BRA 0x0", false}};
  struct sass_inst load, x;
  (void)state;
  sass_inst_parse(&load, "LDG.E.128 R8, desc[UR4][R2.64]", 0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sass_inst_parse(&x, rows[i].text, 16);
    if (sass_waits_for(&x, &load) != rows[i].waits)
      fail_msg("%s", rows[i].text);
  }
}

/* Headers first, then their branches back, the innermost first: so many loops, each inside the one before. */
static int nested(struct sass *s, size_t depth, struct err *e) {
  static struct run_instruction insts[FAR_INSTS + 4];
  static char back[FAR_INSTS][32];
  struct run_kernel kernel = {.name = (char *)"nested", .sass = insts, .n_sass = 2 * depth + 1};
  for (size_t i = 0; i < kernel.n_sass; i++)
    insts[i] = (struct run_instruction){.offset = (uint32_t)(16 * i), .text = (char *)(i < depth ? "NOP" : "EXIT")};
  for (size_t k = 0; k < depth; k++) {
    snprintf(back[k], sizeof back[k], "@P0 BRA 0x%zx", 16 * (depth - 1 - k));
    insts[depth + k].text = back[k];
  }
  int rc = sass_make(s, &kernel, e);
  s->kernel = NULL; /* which ends with this call */
  return rc;
}

static void loops_deeper_than_any_compiler_makes(void **state) {
  struct sass s = {0};
  struct err e = {0};
  (void)state;
  assert_int_equal(nested(&s, 64, &e), 0);
  assert_int_equal(s.n_loops, 64);
  assert_int_equal(s.loops[0].depth, 64);
  sass_release(&s);
  assert_int_equal(nested(&s, 65, &e), ERR_DATA);
  assert_string_equal(e.text, "kernel nested: its loops are nested deeper than 64");
}

/* R9 may come from the move, R8 cannot: the load that brought both is read in any case, and perhaps in part. */
static void half_of_a_pair_written_again(void **state) {
  static const char *const lines[] = {"LDG.E.64 R8, desc[UR4][R2.64]", "@P0 MOV R9, R1", "IADD.64 R20, R8, R4", "EXIT",
                                      NULL};
  static struct made_sass m;
  struct sass_producer p[4];
  (void)state;
  made_kernel(&m, lines);
  assert_int_equal(sass_producers(&m.sass, 2, p, 4), 2);
  assert_true(p[0].inst == 0 && p[0].may);
  assert_true(p[1].inst == 1 && p[1].may);
  sass_release(&m.sass);
}

/* 16 bytes before the loop and 8 behind it are none of its 4. */
static void loads_around_a_loop(void **state) {
  static const char *const lines[] = {"LDG.E.128 R4, desc[UR4][R2.64]",
                                      "LDG.E R12, desc[UR4][R16.64]",
                                      "FADD R20, R20, R12",
                                      "@P0 BRA 0x10",
                                      "LDG.E.64 R14, desc[UR4][R2.64]",
                                      "EXIT",
                                      NULL};
  static struct made_sass m;
  struct sass_flight f;
  (void)state;
  made_kernel(&m, lines);
  sass_flight_of(&m.sass, 0, &f);
  assert_int_equal(f.known_bytes, 4);
  assert_int_equal(f.loads, 1);
  assert_int_equal(f.first_use, 2);
  sass_release(&m.sass);
}

/* Of 10 warps 2 leave before the loop: 8 enter it, for 5 turns each. */
static void a_way_out_before_a_loop(void **state) {
  static const char *const leaves[] = {"@P0 EXIT", "FADD R0, R0, R1", "@P1 BRA 0x10", "EXIT", NULL},
                           *const jumps[] = {"@P0 BRX R4 -0x10", "FADD R0, R0, R1", "@P1 BRA 0x10", "EXIT", NULL};
  static const double executed[] = {10, 40, 40, 8};
  static struct made_sass m;
  (void)state;
  for (int way = 0; way < 2; way++) {
    made_kernel(&m, way ? jumps : leaves);
    made_counts(&m, executed);
    assert_true(m.sass.loops[0].trips.present);
    assert_float_equal(m.sass.loops[0].trips.v, 5, 0);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_wait_is_for),           cmocka_unit_test(which_groups_a_wait_is_for),
      cmocka_unit_test(registers_of_a_load),          cmocka_unit_test(loops_deeper_than_any_compiler_makes),
      cmocka_unit_test(half_of_a_pair_written_again), cmocka_unit_test(loads_around_a_loop),
      cmocka_unit_test(a_way_out_before_a_loop),      cmocka_unit_test(a_producer_many_blocks_back),
      cmocka_unit_test(more_groups_than_are_kept),    cmocka_unit_test(counts_of_other_kernels_are_not_its_own),
      cmocka_unit_test(branches_without_a_target),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
