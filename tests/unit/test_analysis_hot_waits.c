/* What the samples of a line wait for, found over many blocks of a long kernel in time that is in proportion to it. */
#include "analysis/model/hot.h"
#include "unit/long_kernel.h"

#include <stdio.h>
#include <stdlib.h>

/* A warp that has ended waits for its stores: those on the paths to its end, the nearest first, and the line to look at is the nearest's, where it has samples. */
static void a_drain_is_for_stores(void **state) {
  (void)state;
  static const struct {
    const char *first; /* the instruction of line 3 */
    uint64_t at_stores, at_exit, behind;
    size_t n_feeds, nearest;
    int line;
  } cases[] = {
      {"STG.E desc[UR4][R2.64], R1", 5, 50, 0, 2, 2, 4},
      {"STG.E desc[UR4][R2.64], R1", 5, 0, 50, 2, 2, 4}, /* at the branch to itself behind the EXIT */
      {"STG.E desc[UR4][R2.64], R1", 0, 50, 0, 2, 2, 9}, /* no sample stands at a store */
      {"STG.E desc[UR4][R2.64], R1", 60, 50, 0, 2, 2, 4},
      {"STS [R2], R1", 5, 50, 0, 1, 2, 4}, /* shared memory is waited for elsewhere */
      {"ATOMS.ADD R1, [R2], R1", 5, 50, 0, 1, 2, 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct run_source sources[] = {{(char *)"a.cu", (char *)""}};
    struct long_kernel k;
    struct hot h;
    long_init(&k, 8);
    k.run.sources = sources;
    k.run.n_sources = 1;
    long_add(&k, cases[i].first, 3);
    long_add(&k, "FADD R1, R2, R3", 2);
    long_add(&k, "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R1", 4);
    long_add(&k, "EXIT", 9);
    long_add(&k, "BRA 0x40", 9);
    if (cases[i].at_stores)
      long_sample(&k, 2, "lg_throttle", cases[i].at_stores);
    if (cases[i].at_exit)
      long_sample(&k, 3, "drain", cases[i].at_exit);
    if (cases[i].behind)
      long_sample(&k, 4, "drain", cases[i].behind);
    hot_make(&h, &k.run, &k.result);
    const struct hot_inst *x = NULL;
    for (size_t j = 0; j < h.n_insts && !x; j++)
      x = strcmp(h.insts[j].reasons[0].reason, "drain") == 0 ? &h.insts[j] : NULL;
    assert_non_null(x);
    assert_int_equal(x->n_feeds, cases[i].n_feeds);
    assert_int_equal(x->feeds[0].inst, cases[i].nearest);
    assert_int_equal(x->feeds[0].wait, WAIT_STORES);
    if (cases[i].n_feeds == 2)
      assert_int_equal(x->feeds[1].inst, 0);
    assert_int_equal(hot_first_line(&h)->line, cases[i].line);
    hot_release(&h);
    long_release(&k);
  }
  assert_null(hot_first_line(&(struct hot){0}));
}

/* Most samples of the last line are of its two drains together; a load that another instruction of the line waits for is no store. */
static void a_load_beside_the_end_is_no_store(void **state) {
  (void)state;
  struct run_source sources[] = {{(char *)"a.cu", (char *)""}};
  struct long_kernel k;
  struct hot h;
  long_init(&k, 8);
  k.run.sources = sources;
  k.run.n_sources = 1;
  long_add(&k, "LDG.E R4, desc[UR4][R2.64]", 3);
  long_add(&k, "STG.E desc[UR4][R6.64], R8", 4);
  long_add(&k, "FADD R5, R4, R4", 9);
  long_add(&k, "EXIT", 9);
  long_add(&k, "BRA 0x40", 9);
  long_sample(&k, 0, "wait", 1);
  long_sample(&k, 1, "lg_throttle", 5);
  long_sample(&k, 2, "long_scoreboard", 50);
  long_sample(&k, 3, "drain", 30);
  long_sample(&k, 4, "drain", 30);
  hot_make(&h, &k.run, &k.result);
  assert_int_equal(h.lines[0].line, 9);
  assert_string_equal(h.lines[0].top.reason, "drain");
  assert_int_equal(h.insts[0].at, 2);
  assert_int_equal(hot_first_line(&h)->line, 4);
  hot_release(&h);
  long_release(&k);
}

/* What stands behind the EXIT is another path's beginning; a reduction that never ran is waited for by none. */
static void a_drain_is_the_exits(void **state) {
  (void)state;
  static struct run_count counts[] = {{.offset = 0x00, .executed = 5},
                                      {.offset = 0x10, .executed = 5},
                                      {.offset = 0x20, .executed = 0},
                                      {.offset = 0x30, .executed = 5},
                                      {.offset = 0x40, .executed = 0}};
  struct run_source sources[] = {{(char *)"a.cu", (char *)""}};
  struct long_kernel k;
  struct hot h;
  long_init(&k, 8);
  k.run.sources = sources;
  k.run.n_sources = 1;
  k.result.counts = counts;
  k.result.n_counts = sizeof counts / sizeof *counts;
  long_add(&k, "@P1 BRA 0x40", 2);
  long_add(&k, "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R1", 4);
  long_add(&k, "@P0 REDG.E.ADD.STRONG.GPU desc[UR4][R2.64+0x4], R1", 5);
  long_add(&k, "EXIT", 9);
  long_add(&k, "FADD R1, R2, R3", 12);
  long_add(&k, "EXIT", 13);
  long_sample(&k, 4, "drain", 50);
  hot_make(&h, &k.run, &k.result);
  assert_int_equal(h.lines[0].line, 9);
  assert_int_equal(h.insts[0].n_feeds, 1);
  assert_int_equal(h.insts[0].feeds[0].inst, 1);
  hot_release(&h);
  long_release(&k);
}

/* Of the line where warps drain an instruction that issues has more samples than the end that waits for stores. */
static void an_instruction_beside_the_end_has_no_stores(void **state) {
  (void)state;
  struct run_source sources[] = {{(char *)"a.cu", (char *)""}};
  struct long_kernel k;
  struct hot h;
  long_init(&k, 8);
  k.run.sources = sources;
  k.run.n_sources = 1;
  long_add(&k, "LDG.E R1, desc[UR4][R2.64]", 3);
  long_add(&k, "FADD R1, R2, R3", 9);
  long_add(&k, "STG.E desc[UR4][R2.64], R1", 4);
  long_add(&k, "EXIT", 9);
  long_sample(&k, 0, "lg_throttle", 5);
  long_sample(&k, 1, "selected", 70);
  long_sample(&k, 2, "lg_throttle", 5);
  long_sample(&k, 3, "drain", 50);
  hot_make(&h, &k.run, &k.result);
  assert_string_equal(h.lines[0].top.reason, "drain");
  assert_int_equal(hot_first_line(&h)->line, 4);
  hot_release(&h);
  long_release(&k);
}

/* Only waits that registers tell are followed back to what they wait for: a barrier's is for
 * other warps. */
static void which_waits_are_for_data(void **state) {
  (void)state;
  static const struct {
    const char *reason;
    size_t feeds;
  } cases[] = {{"long_scoreboard", 1}, {"gmma", 1},    {"wait", 0},   {"selected", 0},
               {"lg_throttle", 0},     {"barrier", 0}, {"membar", 0}, {"branch_resolving", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct long_kernel k;
    struct hot h;
    long_init(&k, 4);
    long_add(&k, "LDG.E R1, desc[UR4][R2.64]", 1);
    long_add(&k, "FADD R4, R1, R6", 1);
    long_add(&k, "EXIT", 1);
    long_sample(&k, 1, cases[i].reason, 5);
    hot_make(&h, &k.run, &k.result);
    assert_int_equal(h.insts[0].n_feeds, cases[i].feeds);
    hot_release(&h);
    long_release(&k);
  }
}

/* What has the short scoreboard is not what the long one is for. */
static void a_long_wait_is_for_memory(void **state) {
  (void)state;
  static const struct {
    const char *producer, *reason;
    size_t feeds;
  } cases[] = {
      {"LDG.E R1, desc[UR4][R2.64]", "long_scoreboard", 1},
      {"LDL R1, [R2]", "long_scoreboard", 1},
      {"LDC R1, c[0x0][R2]", "long_scoreboard", 0},
      {"LDC R1, c[0x0][R2]", "short_scoreboard", 1},
      {"LDS R1, [R2]", "long_scoreboard", 0},
      {"LDS R1, [R2]", "short_scoreboard", 1},
      {"SHFL.BFLY PT, R1, R2, 0x1, 0x1f", "long_scoreboard", 0},
      {"MUFU.RCP R1, R2", "long_scoreboard", 0},
      {"MUFU.RCP R1, R2", "short_scoreboard", 1},
      {"DFMA R0, R2, R4, R6", "short_scoreboard", 1}, /* nothing else is read */
      {"LDG.E R1, desc[UR4][R2.64]", "short_scoreboard", 0},
      {"LDL R1, [R2]", "short_scoreboard", 0},
      {"ATOMG.E.ADD.STRONG.GPU PT, R1, desc[UR4][R2.64], R3", "short_scoreboard", 0},
      {"ATOMS.ADD R1, [R2], R3", "short_scoreboard", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct long_kernel k;
    struct hot h;
    long_init(&k, 3);
    long_add(&k, cases[i].producer, 1);
    long_add(&k, "FADD R4, R1, R6", 1);
    long_add(&k, "EXIT", 1);
    long_sample(&k, 1, cases[i].reason, 5);
    hot_make(&h, &k.run, &k.result);
    assert_int_equal(h.insts[0].n_feeds, cases[i].feeds);
    hot_release(&h);
    long_release(&k);
  }
}

/* A sum of two values, of which one is loaded before the loop: turns wait for the other.  Behind the loop, where both may be waited for, it is both. */
static void each_turn_waits_for_its_own(void **state) {
  (void)state;
  static const struct {
    const char *before, *in_loop, *reason;
    size_t at, n_feeds, first;
  } cases[] = {
      {"LDG.E R1, desc[UR4][R2.64]", "LDG.E R4, desc[UR4][R6.64]", "long_scoreboard", 2, 1, 1},
      {"LDG.E R1, desc[UR4][R2.64]", "FADD R4, R5, R6", "long_scoreboard", 2, 1, 0}, /* none other */
      {"LDG.E R1, desc[UR4][R2.64]", "LDG.E R4, desc[UR4][R6.64]", "long_scoreboard", 4, 2, 0},
      {"LDG.E R1, desc[UR4][R2.64]", "LDS R4, [R6]", "long_scoreboard", 2, 1, 0}, /* it is for memory */
      {"DADD R0, R2, R10", "MUFU.RCP R4, R6", "short_scoreboard", 4, 1, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct long_kernel k;
    struct hot h;
    long_init(&k, 6);
    long_add(&k, cases[i].before, 1);
    long_add(&k, cases[i].in_loop, 2);
    long_add(&k, "FADD R8, R1, R4", 3);
    long_add(&k, "@P0 BRA 0x10", 3);
    long_add(&k, "FADD R9, R1, R4", 4);
    long_add(&k, "EXIT", 5);
    long_sample(&k, cases[i].at, cases[i].reason, 5);
    hot_make(&h, &k.run, &k.result);
    assert_int_equal(h.insts[0].n_feeds, cases[i].n_feeds);
    size_t least = h.insts[0].feeds[0].inst;
    for (size_t f = 1; f < h.insts[0].n_feeds; f++)
      least = h.insts[0].feeds[f].inst < least ? h.insts[0].feeds[f].inst : least;
    assert_int_equal(least, cases[i].first);
    hot_release(&h);
    long_release(&k);
  }
}

/* R1 is loaded, then 100 blocks that do not touch it may each be left early for the end, where it is read.  Halfway a guarded load may write
 * it anew, so that both may have. */
static void a_writer_is_found_over_many_blocks(void **state) {
  (void)state;
  enum { BLOCKS = 100 };
  struct long_kernel k;
  struct hot h;
  long_init(&k, 4 + 2 * BLOCKS);
  long_add(&k, "LDG.E R1, desc[UR4][R2.64]", 1);
  for (int b = 0; b < BLOCKS; b++) {
    char text[64];
    snprintf(text, sizeof text, "@P0 BRA 0x%x", 16 * (1 + 2 * BLOCKS));
    long_add(&k, b == BLOCKS / 2 ? "@P1 LDG.E R1, desc[UR4][R4.64]" : "FADD R8, R9, R10", 2);
    long_add(&k, text, 2);
  }
  long_add(&k, "FADD R3, R1, R1", 3);
  long_add(&k, "EXIT", 3);
  long_sample(&k, 1 + 2 * BLOCKS, "long_scoreboard", 10);
  hot_make(&h, &k.run, &k.result);
  assert_int_equal(h.insts[0].n_feeds, 2);
  size_t first = h.insts[0].feeds[0].inst, second = h.insts[0].feeds[1].inst;
  assert_int_equal(first < second ? first : second, 0);
  assert_int_equal(first < second ? second : first, 1 + BLOCKS);
  hot_release(&h);
  long_release(&k);
}

/* 5,000 instructions with a branch to anywhere every fifth: following every producer of every producer took minutes here. */
static void time_is_in_proportion_to_the_kernel(void **state) {
  (void)state;
  enum { N = 5000 };
  struct long_kernel k;
  struct hot h;
  uint32_t seed = 1;
  long_init(&k, N + 1);
  for (size_t i = 0; i < N; i++) {
    char text[64];
    unsigned r[5];
    for (size_t d = 0; d < 5; d++)
      r[d] = (seed = seed * 1664525 + 1013904223) >> 8;
    if (i % 5 == 4)
      snprintf(text, sizeof text, "@P%u BRA 0x%x", r[0] % 6, 16 * (r[1] % N));
    else if (r[0] % 3 == 0)
      snprintf(text, sizeof text, "LDG.E R%u, desc[UR4][R%u.64]", r[1] % 250, 2 * (r[2] % 120));
    else
      snprintf(text, sizeof text, "FFMA R%u, R%u, R%u, R%u", r[1] % 250, r[2] % 250, r[3] % 250, r[4] % 250);
    long_add(&k, text, 1);
    long_sample(&k, i, "long_scoreboard", 1);
  }
  long_add(&k, "EXIT", 1);
  hot_make(&h, &k.run, &k.result);
  assert_int_equal(h.n_insts, N);
  hot_release(&h);
  long_release(&k);
}

/* The second load's address comes from the first through an addition: both are in the loop.  Without the addition they are two streams. */
static void a_load_that_waits_for_a_load(void **state) {
  (void)state;
  struct made_sass m;
  made_kernel(&m, (const char *const[]){"LDG.E R1, desc[UR4][R2.64]", "IADD3 R4, R1, 0x10, RZ",
                                        "LDG.E R6, desc[UR4][R4.64]", "@P0 BRA 0x0", "EXIT", NULL});
  assert_int_equal(m.sass.n_loops, 1);
  assert_int_equal(sass_chained_load(&m.sass, 0), 2);
  sass_release(&m.sass);
  made_kernel(&m, (const char *const[]){"LDG.E R1, desc[UR4][R2.64]", "IADD3 R4, R8, 0x10, RZ",
                                        "LDG.E R6, desc[UR4][R4.64]", "@P0 BRA 0x0", "EXIT", NULL});
  assert_true(sass_chained_load(&m.sass, 0) == SASS_NONE);
  sass_release(&m.sass);
  /* A guarded address in the register that the load of the turn before filled. */
  made_kernel(&m, (const char *const[]){"@!P1 IMAD.WIDE R2, R8, 0x4, R10", "@!P1 LDG.E R2, desc[UR4][R2.64]",
                                        "@P0 BRA 0x0", "EXIT", NULL});
  assert_true(sass_chained_load(&m.sass, 0) == SASS_NONE);
  sass_release(&m.sass);
}

/* Warps that wait at a barrier stand behind it, in its block or where the next one begins: the line with most samples is the barrier's, and it is what they wait for. */
static void a_barriers_waits_are_its_lines(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 8);
  long_add(&k, "BAR.SYNC.DEFER_BLOCKING 0x0", 10);
  long_add(&k, "IADD3 R4, R4, 0x1, RZ", 11);
  long_add(&k, "LDS R5, [R7]", 12);
  long_add(&k, "@P0 BRA 0x10", 13);
  long_add(&k, "BAR.SYNC.DEFER_BLOCKING 0x0", 20);
  long_add(&k, "@P1 BRA 0x10", 21);
  long_add(&k, "FADD R6, R5, R5", 22);
  long_add(&k, "EXIT", 23);
  long_sample(&k, 2, "barrier", 40);
  long_sample(&k, 2, "mio_throttle", 5);
  long_sample(&k, 5, "barrier", 30);
  long_sample(&k, 6, "barrier", 20); /* no barrier stands in its block */
  hot_make(&h, &k.run, &k.result);
  assert_int_equal(h.n_lines, 4);
  static const struct {
    int line;
    uint64_t samples;
  } lines[] = {{10, 40}, {12, 5}, {20, 30}, {22, 20}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const struct hot_line *l = NULL;
    for (size_t j = 0; j < h.n_lines; j++)
      l = h.lines[j].line == lines[i].line ? &h.lines[j] : l;
    assert_non_null(l);
    assert_int_equal(l->samples, lines[i].samples);
  }
  assert_int_equal(h.insts[0].n_feeds, 1);
  assert_int_equal(h.insts[0].feeds[0].inst, 0);
  assert_int_equal(h.insts[0].feeds[0].wait, WAIT_BLOCK);
  assert_int_equal(h.insts[2].n_feeds, 0);
  hot_release(&h);
  long_release(&k);
}

/* At WARPGROUP.DEPBAR what counts as a barrier is for the warp's own product, though one stands before: 40 samples on its own line. */
static void a_products_wait_is_no_barriers(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 5);
  long_add(&k, "BAR.SYNC.DEFER_BLOCKING 0x0", 10);
  long_add(&k, "HGMMA.64x128x16.F32.BF16 R24, gdesc[UR4], R24", 11);
  long_add(&k, "HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24, gsb0", 12);
  long_add(&k, "WARPGROUP.DEPBAR.LE gsb0, 0x0", 13);
  long_add(&k, "EXIT", 14);
  long_sample(&k, 3, "barrier", 40);
  hot_make(&h, &k.run, &k.result);
  assert_int_equal(h.lines[0].line, 13);
  assert_int_equal(h.insts[0].n_feeds, 1);
  assert_int_equal(h.insts[0].feeds[0].inst, 2);
  assert_int_equal(h.insts[0].feeds[0].wait, WAIT_TENSOR);
  assert_true(hot_barrier(&h.kernels[0].sass, 3) == SASS_NONE);
  hot_release(&h);
  long_release(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_drain_is_for_stores),
      cmocka_unit_test(a_drain_is_the_exits),
      cmocka_unit_test(a_barriers_waits_are_its_lines),
      cmocka_unit_test(a_products_wait_is_no_barriers),
      cmocka_unit_test(a_load_beside_the_end_is_no_store),
      cmocka_unit_test(an_instruction_beside_the_end_has_no_stores),
      cmocka_unit_test(which_waits_are_for_data),
      cmocka_unit_test(a_long_wait_is_for_memory),
      cmocka_unit_test(each_turn_waits_for_its_own),
      cmocka_unit_test(a_writer_is_found_over_many_blocks),
      cmocka_unit_test(time_is_in_proportion_to_the_kernel),
      cmocka_unit_test(a_load_that_waits_for_a_load),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
