/* Blocks, loops, turns and def-use of kernels small enough to follow by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "unit/made_sass.h"

/* A loop that holds a diamond; R9 is written on both of its ways and, for some lanes, after them. */
static const char *const DIAMOND[] = {
    "S2R R0, SR_TID.X",                  /* 0 */
    "MOV R9, 0x4",                       /* 1: no reader sees it: both ways of the diamond write R9 */
    "ISETP.GE.AND P0, PT, R0, 0x20, PT", /* 2 */
    "LDG.E.128 R4, desc[UR4][R2.64]",    /* 3, 0x30: the loop's header */
    "@P0 BRA 0x70",                      /* 4 */
    "FADD R9, R4, R5",                   /* 5 */
    "BRA 0x80",                          /* 6 */
    "FMUL R9, R6, R7",                   /* 7, 0x70 */
    "@!P1 MOV R9, R8",                   /* 8, 0x80 */
    "FADD R10, R10, R9",                 /* 9 */
    "IADD3 R2, P2, PT, R2, 0x10, RZ",    /* 10 */
    "@P3 BRA 0x30",                      /* 11 */
    "STG.E desc[UR4][R12.64], R10",      /* 12 */
    "EXIT",                              /* 13 */
    "BRA 0xe0",                          /* 14: behind the end, as compilers leave it */
    NULL,
};

static void blocks_of_a_diamond(void **state) {
  (void)state;
  static struct made_sass m;
  made_kernel(&m, DIAMOND);
  const struct sass *s = &m.sass;
  static const size_t first[] = {0, 3, 5, 7, 8, 12, 14};
  static const size_t idom[] = {SASS_NONE, 0, 1, 1, 1, 4, SASS_NONE};
  static const size_t n_succ[] = {1, 2, 1, 1, 2, 0, 1};
  assert_int_equal(s->n_blocks, 7);
  for (size_t b = 0; b < 7; b++) {
    assert_int_equal(s->blocks[b].first, first[b]);
    assert_int_equal(s->blocks[b].idom, idom[b]);
    assert_int_equal(s->blocks[b].n_succ, n_succ[b]);
    assert_int_equal(s->blocks[b].reachable, b != 6);
  }
  assert_int_equal(s->blocks[4].succ[0], 5);
  assert_int_equal(s->blocks[4].succ[1], 1);
  assert_int_equal(s->n_loops, 1); /* the branch to itself behind EXIT is not reached */
  assert_int_equal(s->loops[0].header, 1);
  assert_int_equal(s->loops[0].n_blocks, 4);
  assert_int_equal(s->loops[0].n_insts, 9); /* 3 to 11 */
  assert_int_equal(s->loops[0].depth, 1);
  assert_true(s->loops[0].innermost);
  assert_true(sass_in_loop(s, 7, 0));
  assert_false(sass_in_loop(s, 12, 0));
  assert_false(s->indirect);
  assert_int_equal(s->n_irreducible, 0);
  sass_release(&m.sass);
}

static void turns_from_counts(void **state) {
  (void)state;
  static struct made_sass m;
  made_kernel(&m, DIAMOND);
  assert_false(m.sass.loops[0].trips.present);
  assert_string_equal(m.sass.loops[0].trips.reason, "no executed counts");
  static const double executed[] = {100, 100, 100, 700, 700, 300, 300, 400, 700, 700, 700, 700, 100, 100, 0};
  made_counts(&m, executed);
  assert_true(m.sass.counted);
  assert_true(m.sass.loops[0].trips.present);
  assert_true(m.sass.loops[0].trips.v == 7); /* 700 turns of 100 warps */
  assert_true(m.sass.loops[0].executed == 6 * 700 + 2 * 300 + 400);
  assert_true(m.sass.executed[7] == 400);
  assert_true(m.sass.executed[14] == 0); /* counted, and not executed */
  sass_count(&m.sass, &m.result, 2, 0);  /* another kernel has no counts */
  assert_false(m.sass.counted);
  assert_true(m.sass.executed[7] == -1);
  assert_true(m.sass.blocks[1].executed == -1 && m.sass.loops[0].executed == -1);
  assert_false(m.sass.loops[0].trips.present);
  sass_release(&m.sass);
}

/* 100 samples of warps that issue, of 4,000 instructions: 40 a sample, shared by the instructions of the sample's block. */
static void estimates_from_samples(void **state) {
  (void)state;
  static struct made_sass m;
  struct run_sample samples[] = {
      {.module = 2, .kernel = 1, .offset = 0x00, .reason = (char *)"selected", .samples = 30},
      {.module = 2, .kernel = 1, .offset = 0x30, .reason = (char *)"selected", .samples = 19},
      {.module = 2, .kernel = 1, .offset = 0x40, .reason = (char *)"selected", .samples = 11},
      {.module = 2, .kernel = 1, .offset = 0x40, .reason = (char *)"wait", .samples = 500},
      {.module = 2, .kernel = 0, .offset = 0x40, .reason = (char *)"selected", .samples = 40},
  };
  struct run_metric insts = {.name = (char *)"inst_executed", .present = true, .value = 4000};
  made_kernel(&m, DIAMOND);
  m.result.samples = samples;
  m.result.n_samples = sizeof samples / sizeof samples[0];
  m.result.metrics = &insts;
  m.result.n_metrics = 1;
  sass_count(&m.sass, &m.result, 2, 1);
  assert_true(m.sass.counted && m.sass.estimated);
  assert_true(m.sass.executed[0] == 400 && m.sass.executed[2] == 400); /* 30 x 40 / 3 */
  assert_true(m.sass.executed[3] == 600 && m.sass.executed[4] == 600); /* 30 x 40 / 2 */
  assert_true(m.sass.executed[5] == 0 && m.sass.blocks[1].executed == 600 && m.sass.loops[0].executed == 1200);
  assert_false(m.sass.loops[0].trips.present);
  assert_string_equal(m.sass.loops[0].trips.reason,
                      "executed counts are estimates, which do not say how often a loop is entered");
  static const double executed[] = {100, 100, 100, 700, 700, 300, 300, 400, 700, 700, 700, 700, 100, 100, 0};
  made_counts(&m, executed); /* counts go before estimates */
  assert_true(m.sass.counted && !m.sass.estimated && m.sass.executed[3] == 700);
  m.result.n_counts = 0;
  samples[4].samples = 39; /* 99: too few */
  sass_count(&m.sass, &m.result, 2, 1);
  assert_false(m.sass.counted || m.sass.estimated);
  assert_true(m.sass.executed[0] == -1);
  sass_release(&m.sass);
}

/* Without a block of its own before the loop, the counts of blocks do not tell entries from turns. */
static void turns_that_counts_do_not_tell(void **state) {
  (void)state;
  static const char *const lines[] = {"@P0 BRA 0x30", "FADD R0, R0, R1", "@P1 BRA 0x10", "EXIT", NULL};
  static const double executed[] = {100, 630, 630, 100};
  static struct made_sass m;
  made_kernel(&m, lines);
  made_counts(&m, executed);
  assert_int_equal(m.sass.n_loops, 1);
  assert_false(m.sass.loops[0].trips.present);
  assert_string_equal(m.sass.loops[0].trips.reason, "the counts do not say how often the loop is entered");
  sass_release(&m.sass);
  static const char *const with_block[] = {"@P0 BRA 0x40", "MOV R0, RZ", "FADD R0, R0, R1",
                                           "@P1 BRA 0x20", "EXIT",       NULL};
  static const double counted[] = {100, 90, 630, 630, 100};
  made_kernel(&m, with_block);
  made_counts(&m, counted);
  assert_true(m.sass.loops[0].trips.present);
  assert_true(m.sass.loops[0].trips.v == 7); /* 630 / 90 */
  sass_release(&m.sass);
}

static void a_loop_with_two_entries_is_none(void **state) {
  (void)state;
  static const char *const lines[] = {
      "@P0 BRA 0x30", "FADD R0, R0, R1", "FADD R0, R0, R2", "FADD R0, R0, R3", "@P1 BRA 0x20", "EXIT", NULL};
  static struct made_sass m;
  made_kernel(&m, lines);
  assert_int_equal(m.sass.n_loops, 0);
  assert_int_equal(m.sass.n_irreducible, 1);
  sass_release(&m.sass);
}

static void a_wait_within_a_loop(void **state) {
  (void)state;
  static const char *const lines[] = {
      "MOV R0, RZ",
      "LDG.E R4, desc[UR4][R2.64]", /* 0x10: outer header */
      "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R5+URZ], R6",
      "@!P0 BRA 0x20",
      "FADD R7, R7, R4",
      "@P1 BRA 0x10",
      "EXIT",
      NULL,
  };
  static struct made_sass m;
  made_kernel(&m, lines);
  assert_int_equal(m.sass.n_loops, 2);
  const struct sass_loop *inner = &m.sass.loops[m.sass.blocks[m.sass.block_of[2]].loop];
  const struct sass_loop *outer = &m.sass.loops[m.sass.blocks[m.sass.block_of[1]].loop];
  assert_ptr_equal(&m.sass.loops[inner->parent], outer);
  assert_int_equal(inner->depth, 2);
  assert_true(inner->spins);
  assert_false(inner->innermost);
  assert_int_equal(outer->depth, 1);
  assert_false(outer->spins);
  assert_true(outer->innermost);
  assert_int_equal(outer->n_insts, 5);
  sass_release(&m.sass);
}

/* A loop that only hands out bulk copies works no more than one that waits; one whose lanes copy for themselves does. */
static void copies_of_a_loop(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool spins;
  } rows[] = {{"UBLKCP.S.G [UR4], [UR6], UR8", true},
              {"LDGSTS.E.BYPASS.128 [R25], desc[UR10][R10.64]", false},
              {"LDG.E.STRONG.GPU R4, desc[UR4][R2.64]", true},
              {"LDG.E R4, desc[UR4][R2.64]", false},
              {"STS [R2], R4", false},
              {"@!PT STS [R2], R4", true},
              {"MUFU.RCP R4, R5", false},
              {"IADD3 R4, R4, 0x1, RZ", true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    made_kernel(&m, (const char *const[]){"NOP", rows[i].text, "@P0 BRA 0x10", "EXIT", NULL});
    assert_int_equal(m.sass.n_loops, 1);
    if (m.sass.loops[0].spins != rows[i].spins || m.sass.loops[0].innermost == rows[i].spins)
      fail_msg("%s", rows[i].text);
    sass_release(&m.sass);
  }
}

static void convergence(void **state) {
  (void)state;
  static const char *const lines[] = {"BSSY B0, 0x50",   "@P0 BRA 0x30", "BSYNC B0", /* on at 0x50, not at 0x30 */
                                      "FADD R0, R0, R1", "BSYNC B0",     "EXIT",     NULL};
  static struct made_sass m;
  made_kernel(&m, lines);
  const struct sass *s = &m.sass;
  assert_int_equal(s->n_blocks, 4);
  assert_int_equal(s->blocks[1].n_succ, 1);
  assert_int_equal(s->blocks[1].succ[0], 3);
  assert_int_equal(s->blocks[2].n_succ, 1);
  assert_int_equal(s->blocks[2].succ[0], 3);
  sass_release(&m.sass);
}

/* A BSYNC that stands far from where its BSSY said goes there: the nearest BSSY of its own barrier counts. */
static void convergence_far_away(void **state) {
  (void)state;
  static const char *const lines[] = {
      "BSSY B0, 0x90", "BSSY B0, 0x70", "BSSY B1, 0x80", "@P0 BRA 0x50", "BSYNC B0", "@P1 BSYNC B1",
      "BSYNC B2",      "EXIT",          "EXIT",          "EXIT",         NULL};
  static struct made_sass m;
  made_kernel(&m, lines);
  const struct sass *s = &m.sass;
  const struct sass_block *b0 = &s->blocks[s->block_of[4]], *b1 = &s->blocks[s->block_of[5]];
  assert_int_equal(b0->n_succ, 1);
  assert_int_equal(s->blocks[b0->succ[0]].first, 7);
  assert_int_equal(b1->n_succ, 2); /* under a guard: also on */
  assert_int_equal(s->blocks[b1->succ[0]].first + s->blocks[b1->succ[1]].first, 6 + 8);
  const struct sass_block *b2 = &s->blocks[s->block_of[6]]; /* no BSSY of B2: on */
  assert_int_equal(b2->n_succ, 1);
  assert_int_equal(s->blocks[b2->succ[0]].first, 7);
  assert_false(s->blocks[s->block_of[9]].reachable);
  sass_release(&m.sass);
}

/* Copies are looked for through a loop that stands before the wait; one that never runs is none. */
static void copies_before_a_wait(void **state) {
  (void)state;
  static const char *const lines[] = {"LDGSTS.E [R0], desc[UR4][R2.64]",
                                      "@!PT LDGSTS.E [R0], desc[UR4][R2.64]",
                                      "FADD R4, R4, R5",
                                      "@P0 BRA 0x20",
                                      "DEPBAR.LE SB0, 0x0",
                                      "EXIT",
                                      NULL};
  static struct made_sass m;
  struct sass_feed f[8];
  made_kernel(&m, lines);
  assert_int_equal(sass_waited_for(&m.sass, 4, f, 8), 1);
  assert_int_equal(f[0].inst, 0);
  sass_release(&m.sass);
}

static void producers_across_blocks(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_producer p[8];
  made_kernel(&m, DIAMOND);
  /* R10 comes from the turn before; R9 from the write under a guard and, for the other lanes, from both ways of the diamond. */
  assert_int_equal(sass_producers(&m.sass, 9, p, 8), 4);
  assert_int_equal(p[0].inst, 9);
  assert_int_equal(p[0].range.first, 10);
  assert_false(p[0].may);
  assert_int_equal(p[1].inst, 8);
  assert_int_equal(p[1].range.first, 9);
  size_t ways = p[2].inst + p[3].inst; /* in either order */
  assert_int_equal(ways, 5 + 7);
  assert_true(p[1].may && p[2].may && p[3].may);
  /* Two elements of one 128-bit load, each a source. */
  assert_int_equal(sass_producers(&m.sass, 7, p, 8), 2);
  assert_true(p[0].inst == 3 && p[0].range.first == 6 && !p[0].may);
  assert_true(p[1].inst == 3 && p[1].range.first == 7 && !p[1].may);
  /* Of a 64-bit address, the half that the loop writes. */
  assert_int_equal(sass_producers(&m.sass, 3, p, 8), 1);
  assert_int_equal(p[0].inst, 10);
  /* A guard is a source. */
  assert_int_equal(sass_producers(&m.sass, 4, p, 8), 1);
  assert_int_equal(p[0].inst, 2);
  assert_int_equal(p[0].range.file, FILE_P);
  /* More than there is room for is counted. */
  assert_int_equal(sass_producers(&m.sass, 9, p, 1), 4);
  sass_release(&m.sass);
}

/* What a guard writes, a reader under the same guard finds, and nothing older; unless the guard was written between, is another, or is negated. */
static void one_guard_settles_what_it_writes(void **state) {
  (void)state;
  static const struct {
    const char *writer, *between, *reader;
    size_t producers; /* of R2, with the guard's own writer */
  } cases[] = {{"@!P0 MOV R2, R4", "NOP", "@!P0 FADD R6, R2, R5", 2},
               {"@P0 MOV R2, R4", "NOP", "@!P0 FADD R6, R2, R5", 3},
               {"@!P1 MOV R2, R4", "NOP", "@!P0 FADD R6, R2, R5", 3},
               {"@!P0 MOV R2, R4", "NOP", "FADD R6, R2, R5", 2},
               {"@!P0 MOV R2, R4", "ISETP.GE.AND P0, PT, R7, R8, PT", "@!P0 FADD R6, R2, R5", 3},
               {"@!P0 MOV R2, R4", "ISETP.GE.AND P1, PT, R7, R8, PT", "@!P0 FADD R6, R2, R5", 2},
               {"@!UP0 MOV R2, R4", "NOP", "@!P0 FADD R6, R2, R5", 3},
               {"@!P0 CALL.REL.NOINC `($f)", "NOP", "@!P0 FADD R6, R2, R5", 5}}; /* R2, R5 and P0 by it or not */
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    struct sass_producer p[8];
    made_kernel(&m, (const char *const[]){"LDG.E R2, desc[UR4][R10.64]", "ISETP.GE.AND P0, PT, R7, R9, PT",
                                          cases[i].writer, cases[i].between, cases[i].reader, "EXIT", NULL});
    assert_int_equal(sass_producers(&m.sass, 4, p, 8), cases[i].producers);
    assert_int_equal(p[0].inst, 2);
    assert_int_equal(p[0].may, i != 0 && i != 5);
    sass_release(&m.sass);
  }
}

/* Both halves of a choice leave nothing older, unless the guard was written between or the second stands behind the reader. */
static void a_choice_settles_what_it_writes(void **state) {
  (void)state;
  static const struct {
    const char *first, *between, *second;
    size_t producers; /* of R2 */
  } cases[] = {{"@!P0 MOV R2, R4", "NOP", "@P0 MOV R2, R5", 2},
               {"@!P0 MOV R2, R4", "NOP", "@!P0 MOV R2, R5", 3},
               {"@!P0 MOV R2, R4", "NOP", "@P1 MOV R2, R5", 3},
               {"@!P0 MOV R2, R4", "ISETP.GE.AND P0, PT, R7, R8, PT", "@P0 MOV R2, R5", 3},
               {"@!P0 MOV R2, R4", "ISETP.GE.AND P1, PT, R7, R8, PT", "@P0 MOV R2, R5", 2},
               {"@!P0 MOV R2, R4", "NOP", "NOP", 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    struct sass_producer p[8];
    made_kernel(&m, (const char *const[]){"LDG.E R2, desc[UR4][R10.64]", cases[i].first, cases[i].between,
                                          cases[i].second, "MOV R6, R2", "@P0 MOV R2, R5", "EXIT", NULL});
    assert_int_equal(sass_producers(&m.sass, 4, p, 8), cases[i].producers);
    sass_release(&m.sass);
  }
}

static void what_a_stalled_instruction_waits_for(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_feed f[8];
  made_kernel(&m, DIAMOND);
  assert_int_equal(sass_waited_for(&m.sass, 5, f, 8), 1);
  assert_int_equal(f[0].inst, 3);
  assert_int_equal(sass_waited_for(&m.sass, 9, f, 8), 0);  /* FADD or FMUL stalled before it */
  assert_int_equal(sass_waited_for(&m.sass, 12, f, 8), 0); /* and one more */
  assert_int_equal(sass_waited_for(&m.sass, 4, f, 8), 0);  /* P0, by ISETP from the thread's index */
  sass_release(&m.sass);
  static const char *const chase[] = {"LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x0", "EXIT", NULL};
  made_kernel(&m, chase);
  assert_int_equal(sass_waited_for(&m.sass, 0, f, 8), 1); /* itself, a turn ago */
  assert_int_equal(f[0].inst, 0);
  sass_release(&m.sass);
}

/* A conditional move in a function of the compiler's leaves what the kernel had, for some lanes; a plain one does not. */
static void what_a_function_leaves(void **state) {
  (void)state;
  static const char *const moves[] = {"MOV R8, R2", "@P0 MOV R8, R2", "MOV R9, R2"};
  static const size_t producers[][2] = {{2, SASS_NONE}, {2, 0}, {0, SASS_NONE}};
  for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
    static struct made_sass m;
    struct sass_producer p[4];
    made_kernel(&m, (const char *const[]){"MOV R8, 0x1", "MOV R20, 0x30",
                                          "CALL.REL.NOINC `($__internal_0_$__cuda_sm20_rcp_rn_f32_slowpath)",
                                          "FADD R5, R8, 1", "EXIT", moves[i], "RET.REL.NODEC R20 `(made)", NULL});
    size_t n = sass_producers(&m.sass, 3, p, 4);
    assert_int_equal(n, producers[i][1] == SASS_NONE ? 1 : 2);
    for (size_t k = 0; k < n; k++)
      assert_int_equal(p[k].inst, producers[i][k]);
    assert_int_equal(p[0].may, n == 2);
    sass_release(&m.sass);
  }
}

/* Its text ends without an end: nothing comes after it. */
static void a_kernel_without_an_end(void **state) {
  (void)state;
  static struct made_sass m;
  made_kernel(&m, (const char *const[]){"MOV R4, 0x1", "MOV R5, 0x1", NULL});
  assert_int_equal(m.sass.n_blocks, 1);
  assert_int_equal(m.sass.blocks[0].n_succ, 0);
  assert_int_equal(m.sass.n_loops, 0);
  sass_release(&m.sass);
}

/* 67 writers of R4, of which the last two, in two blocks, reach its reader 70 blocks later, past more words of writers than one. */
static void the_last_of_many_writers(void **state) {
  (void)state;
  enum { BEFORE = 65, LAST = BEFORE + 6, BRANCHES = 70, INSTS = BEFORE + 2 + BRANCHES + 2 };
  static struct run_instruction insts[INSTS];
  static char away[32];
  struct run_kernel kernel = {.name = (char *)"many", .sass = insts, .n_sass = INSTS};
  struct sass s = {0};
  struct sass_producer from[4];
  struct err e = {0};
  snprintf(away, sizeof away, "@P0 BRA 0x%x", 16U * (INSTS - 1));
  for (size_t i = 0; i < INSTS; i++)
    insts[i] =
        (struct run_instruction){.offset = (uint32_t)(16 * i), .text = i < BEFORE ? (char *)"@P1 MOV R4, R8" : away};
  insts[BEFORE].text = (char *)"MOV R4, R9";
  insts[LAST].text = (char *)"@P1 MOV R4, R10"; /* some branches later */
  insts[INSTS - 2].text = (char *)"FADD R5, R4, RZ";
  insts[INSTS - 1].text = (char *)"EXIT";
  for (int choice = 0; choice < 2; choice++) { /* with the one before it, a choice */
    if (choice)
      insts[BEFORE].text = (char *)"@!P1 MOV R4, R9";
    if (sass_make(&s, &kernel, &e) != 0)
      fail_msg("%s", e.text);
    assert_int_equal(sass_producers(&s, INSTS - 2, from, 4), choice ? 3 : 2);
    assert_true(from[0].inst == LAST && from[1].inst == BEFORE && from[0].may && from[1].may);
    sass_release(&s);
  }
}

static void a_call_may_have_written(void **state) {
  (void)state;
  static const char *const lines[] = {"MOV R4, 0x1", "CALL.REL.NOINC `($f)", "FADD R5, R4, 1", "EXIT", NULL};
  static struct made_sass m;
  struct sass_producer p[4];
  made_kernel(&m, lines);
  assert_int_equal(sass_producers(&m.sass, 2, p, 4), 2);
  assert_true(p[0].inst == 1 && p[0].may && p[1].inst == 0 && p[1].may);
  sass_release(&m.sass);
  made_kernel(&m, (const char *const[]){"CALL.REL.NOINC `($f)", "FADD R5, R0, R254", "@P6 EXIT", "EXIT", NULL});
  assert_int_equal(sass_producers(&m.sass, 1, p, 4), 2); /* the first register and the last */
  assert_true(p[0].inst == 0 && p[1].inst == 0);
  assert_int_equal(sass_producers(&m.sass, 2, p, 4), 1); /* and predicates */
  sass_release(&m.sass);
}

/* Many ways meet at every instruction; what each waits for is found by work that grows with the kernel, not with its third power, which would be
 * minutes here.  The limit is that of a test that hangs. */
static void every_wait_among_random_branches(void **state) {
  (void)state;
  enum { INSTS = 8000, TEXT = 64 };
  struct run_instruction *insts = calloc(INSTS, sizeof *insts);
  char(*text)[TEXT] = calloc(INSTS, sizeof *text);
  struct run_kernel kernel = {.name = (char *)"made", .sass = insts, .n_sass = INSTS};
  struct sass s;
  struct err e = {0};
  struct sass_feed feeds[4];
  uint32_t random = 1;
  size_t found = 0;
  assert_true(insts && text);
  for (uint32_t i = 0; i < INSTS; i++) {
    random = random * 1664525 + 1013904223;
    unsigned kind = random >> 28, a = random >> 10 & 7, b = random >> 14 & 7;
    if (i + 1 == INSTS)
      snprintf(text[i], TEXT, "EXIT");
    else if (kind < 8)
      snprintf(text[i], TEXT, "@P%u BRA 0x%x", a & 3, 16 * (random >> 8) % (16 * INSTS) & ~15U);
    else if (kind < 11)
      snprintf(text[i], TEXT, "@P%u LDG.E R%u, desc[UR4][R%u.64]", a & 3, a, b & ~1U);
    else
      snprintf(text[i], TEXT, "@P%u FADD R%u, R%u, R%u", b & 3, a, b, random >> 18 & 7);
    insts[i] = (struct run_instruction){.offset = 16 * i, .text = text[i]};
  }
  assert_int_equal(sass_make(&s, &kernel, &e), 0);
  for (size_t i = 0; i < s.n; i++)
    found += sass_waited_for(&s, i, feeds, 4) > 0;
  assert_true(found > 0);
  sass_release(&s);
  free(text);
  free(insts);
}

static void kernels_that_cannot_be_read(void **state) {
  (void)state;
  struct sass s;
  struct err e = {0};
  struct run_kernel k = {.name = (char *)"gemv", .sass_reason = (char *)"no nvdisasm"};
  assert_int_equal(sass_make(&s, &k, &e), ERR_DATA);
  assert_string_equal(e.text, "kernel gemv has no SASS: no nvdisasm");
  struct run_instruction twice[] = {{.offset = 16, .text = (char *)"NOP"}, {.offset = 16, .text = (char *)"NOP"}};
  k.sass = twice;
  k.n_sass = 2;
  assert_int_equal(sass_make(&s, &k, &e), ERR_DATA);
  assert_string_equal(e.text, "kernel gemv: sass[1]: its offset 0x10 is not above the one before it");
}

/* --- copying and computing by turns --- */

static const char BARRIER[] = "BAR.SYNC.DEFER_BLOCKING 0x0";

static void turns(void **state) {
  (void)state;
  static const struct {
    const char *lines[12];
    bool told;
  } cases[] = {
      /* cp.async that is waited for whole in its own turn */
      {{"LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]", "LDGDEPBAR", "DEPBAR.LE SB0, 0x0", BARRIER, "LDS R8, [R6]",
        BARRIER, "@P0 BRA 0x0", "EXIT"},
       true},
      /* one group stays under way */
      {{"LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]", "LDGDEPBAR", "DEPBAR.LE SB0, 0x1", BARRIER, "LDS R8, [R6]",
        BARRIER, "@P0 BRA 0x0", "EXIT"},
       false},
      /* a load that is stored before anything reads the tile */
      {{"LDG.E R8, desc[UR4][R4.64]", "STS [R2], R8", BARRIER, "LDS R9, [R6]", BARRIER, "@P0 BRA 0x0", "EXIT"}, true},
      /* a load that waits in a register while the tile before it is read */
      {{"LDG.E R8, desc[UR4][R4.64]", "LDS R9, [R6]", BARRIER, "STS [R2], R8", BARRIER, "@P0 BRA 0x0", "EXIT"}, false},
      /* the load stands before the loop */
      {{"LDG.E R8, desc[UR4][R4.64]", "STS [R2], R8", BARRIER, "LDS R9, [R6]", "@P0 BRA 0x10", "EXIT"}, false},
      /* nobody waits for the other warps, or reads what they copied */
      {{"LDG.E R8, desc[UR4][R4.64]", "STS [R2], R8", "LDS R9, [R6]", "@P0 BRA 0x0", "EXIT"}, false},
      {{"LDG.E R8, desc[UR4][R4.64]", "STS [R2], R8", BARRIER, "@P0 BRA 0x0", "EXIT"}, false},
      /* no loop */
      {{"LDG.E R8, desc[UR4][R4.64]", "STS [R2], R8", BARRIER, "LDS R9, [R6]", "EXIT"}, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, cases[i].lines);
    if ((sass_turns(&m.sass) == 0) != cases[i].told)
      fail_msg("case %zu", i);
    sass_release(&m.sass);
  }
}

/* Ten warps.  Turns are few, or most loads are others than the tile's: then it does not matter
 * that it is waited for. */
static void turns_that_matter(void **state) {
  static const char *const stored[] = {"MOV R1, R2",   "LDG.E R8, desc[UR4][R4.64]",
                                       "STS [R2], R8", BARRIER,
                                       "LDS R9, [R6]", "LDG.E R10, desc[UR4][R12.64]",
                                       BARRIER,        "@P0 BRA 0x10",
                                       "EXIT",         NULL},
                           *const copied[] = {"MOV R1, R2",
                                              "LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]",
                                              "DEPBAR.LE SB0, 0x0",
                                              BARRIER,
                                              "LDS R9, [R6]",
                                              "LDG.E R10, desc[UR4][R12.64]",
                                              BARRIER,
                                              "@P0 BRA 0x10",
                                              "EXIT",
                                              NULL};
  static const struct {
    double turn, other;
    bool matter;
  } cases[] = {{20, 20, true}, {19, 19, false}, {40, 41, false}, {40, 40, true}, {40, 0, true}};
  (void)state;
  for (int way = 0; way < 2; way++)
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      static struct made_sass m;
      double t = cases[i].turn, executed[] = {10, t, t, t, t, cases[i].other, t, t, 10};
      made_kernel(&m, way ? copied : stored);
      size_t loop = sass_turns(&m.sass);
      assert_true(loop == 0 && sass_turns_matter(&m.sass, loop)); /* nothing was counted */
      made_counts(&m, executed);
      if (sass_turns_matter(&m.sass, loop) != cases[i].matter)
        fail_msg("way %d, case %zu", way, i);
      sass_release(&m.sass);
    }
}

/* A tile is copied turns ahead; what is loaded and stored in one turn is a tenth of the loads. */
static void turns_beside_copies_ahead(void **state) {
  (void)state;
  static struct made_sass m;
  static const double executed[] = {10, 40, 360, 40, 40, 40, 40, 40, 10};
  made_kernel(&m, (const char *const[]){"MOV R1, R2", "DEPBAR.LE SB0, 0x1",
                                        "LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]", "LDG.E R8, desc[UR4][R4.64]",
                                        "STS [R2], R8", BARRIER, "LDS R9, [R6]", "@P0 BRA 0x10", "EXIT", NULL});
  size_t loop = sass_turns(&m.sass);
  assert_int_equal(loop, 0);
  made_counts(&m, executed);
  assert_false(sass_turns_matter(&m.sass, loop));
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns),
      cmocka_unit_test(turns_that_matter),
      cmocka_unit_test(turns_beside_copies_ahead),
      cmocka_unit_test(blocks_of_a_diamond),
      cmocka_unit_test(turns_from_counts),
      cmocka_unit_test(estimates_from_samples),
      cmocka_unit_test(turns_that_counts_do_not_tell),
      cmocka_unit_test(a_loop_with_two_entries_is_none),
      cmocka_unit_test(a_wait_within_a_loop),
      cmocka_unit_test(convergence),
      cmocka_unit_test(convergence_far_away),
      cmocka_unit_test(copies_before_a_wait),
      cmocka_unit_test(producers_across_blocks),
      cmocka_unit_test(one_guard_settles_what_it_writes),
      cmocka_unit_test(a_choice_settles_what_it_writes),
      cmocka_unit_test(what_a_stalled_instruction_waits_for),
      cmocka_unit_test(copies_of_a_loop),
      cmocka_unit_test(a_call_may_have_written),
      cmocka_unit_test(what_a_function_leaves),
      cmocka_unit_test(a_kernel_without_an_end),
      cmocka_unit_test(the_last_of_many_writers),
      cmocka_unit_test(every_wait_among_random_branches),
      cmocka_unit_test(kernels_that_cannot_be_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
