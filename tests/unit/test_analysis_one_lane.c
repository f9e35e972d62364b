/* Work between barriers that a single lane of a block does; a tree in shared memory, and what shuffles leave of it. */
#include "analysis/signs/block_tree.h"
#include "analysis/signs/one_lane.h"
#include "unit/judged_lines.h"

#include <stdlib.h>

/* --- one lane: 80 blocks of 8 warps --- */

/* Of each block one warp goes through four instructions, before a barrier. */
#define ALONE                                                                                                          \
  .lines = {"@P0 BRA 0x50", "LDS R4, [R6]", "LDS R5, [R6+0x4]", "FADD R4, R4, R5", "STS [R6], R4",                     \
            "BAR.SYNC 0x0", "EXIT"}
/* It turns a loop of three ten times, between one instruction and another. */
#define IN_TURNS                                                                                                       \
  .lines = {"@P0 BRA 0x60", "MOV R4, RZ",   "LDS R5, [R6]", "ISETP.NE.AND P1, PT, R5, RZ, PT",                         \
            "@P1 BRA 0x20", "STS [R6], R4", "BAR.SYNC 0x0", "EXIT"},                                                   \
  .executed = {640, 80, 800, 800, 800, 80, 640, 640}

static const struct {
  struct judged_case kernel;
  double lanes; /* of each instruction between the first and the barrier */
  bool found;
  size_t at;
  double insts, shared, values;
} ROWS[] = {
    {{ALONE, .executed = {640, 80, 80, 80, 80, 640, 640}}, 1, true, 1, 4, 3, 2},
    {{ALONE, .executed = {640, 80, 80, 80, 80, 640, 640}}, 1.05, true, 1, 4, 3, 2}, /* rounded */
    {{ALONE, .executed = {640, 80, 80, 80, 80, 640, 640}}, 1.15, false, SASS_NONE, 0, 0, 0},
    {{ALONE, .executed = {640, 80, 80, 80, 80, 640, 640}}, 32, false, SASS_NONE, 0, 0, 0},
    /* by no more than one warp of each block */
    {{ALONE, .executed = {640, 84, 84, 84, 84, 640, 640}}, 1, true, 1, 4.2, 3.15, 2.1},
    {{ALONE, .executed = {640, 92, 92, 92, 92, 640, 640}}, 1, false, SASS_NONE, 0, 0, 0},
    {{ALONE, .executed = {640, 0, 0, 0, 0, 640, 640}}, 1, false, SASS_NONE, 0, 0, 0},
    {{ALONE, .executed = {1e4, 80, 80, 80, 80, 640, 640}},
     1,
     false,
     1,
     4,
     3,
     2}, /* 4 of 18.1 in the mean: less than half */
    {{ALONE, .executed = {3520, 80, 80, 80, 80, 640, 640}}, 1, true, 1, 4, 3, 2}, /* of 8 */
    {{IN_TURNS}, 1, true, 2, 32, 11, 10},
    /* no barrier is behind it */
    {{.lines = {"@P0 BRA 0x30", "LDS R4, [R6]", "STS [R6], R4", "EXIT"}, .executed = {640, 80, 80, 640}},
     1,
     false,
     SASS_NONE,
     0,
     0,
     0},
    {{.rule = NULL}, 1, false, SASS_NONE, 0, 0, 0}, /* no code is known */
};

static void what_one_lane_does(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    struct one_lane x;
    judged_make(&j, &ROWS[i].kernel, NULL);
    for (size_t k = 1; j.in.sass && j.in.sass->insts[k].wait != WAIT_BLOCK && k + 2 < j.in.sass->n; k++)
      j.in.sass->threads[k] = ROWS[i].lanes * j.in.sass->executed[k];
    bool found = one_lane_of(&x, &j.in);
    if (found != ROWS[i].found || x.at != ROWS[i].at || !(fabs(x.insts - ROWS[i].insts) < 1e-9) ||
        !(fabs(x.shared - ROWS[i].shared) < 1e-9) || !(fabs(x.values - ROWS[i].values) < 1e-9))
      fail_msg("row %zu: %d, at %zu, %g, %g, %g", i, found, x.at, x.insts, x.shared, x.values);
    judged_release(&j);
  }
}

/* Exact counts, a grid and several warps are needed. */
static void what_is_not_known(void **state) {
  (void)state;
  static const struct judged_case kernel = {ALONE, .executed = {640, 80, 80, 80, 80, 640, 640}};
  for (int what = 0; what < 6; what++) {
    static struct judged j;
    struct one_lane x;
    judged_make(&j, &kernel, NULL);
    struct finding f = *j.in.f;
    struct run_launch l = *f.launch;
    f.launch = &l;
    j.in.f = &f;
    for (size_t k = 1; k < 5; k++)
      j.in.sass->threads[k] = j.in.sass->executed[k];
    j.in.sass->counted = what != 1;
    j.in.sass->estimated = what == 2;
    j.in.sass->spread = what == 3;
    if (what == 4)
      f.bounds.work.warps_per_block = value_of(1);
    if (what == 5)
      j.in.sass->threads[2] = -1;
    assert_int_equal(one_lane_of(&x, &j.in), what == 0);
    judged_release(&j);
  }
}

/* --- one thread, by the samples --- */

#define BY_THREAD_0(work, result)                                                                                      \
  .lines = {"S2R R0, SR_TID.X", "ISETP.NE.AND P0, PT, R0, RZ, PT",                                                     \
            "@P0 BRA 0x60",     work,                                                                                  \
            "FADD R4, R4, R5",  result,                                                                                \
            "BAR.SYNC 0x0",     "EXIT"},                                                                               \
  .executed = {640, 640, 640, 80, 80, 80, 640, 640}

/* 140 of warps that wait at the barrier, seven for each one that works: 70 while those 10 stand there.  30 of other work. */
static void sampled_alone(struct made_diagnosis *d) {
  static struct run_sample samples[] = {{.offset = 0x00, .reason = (char *)"wait", .samples = 30},
                                        {.offset = 0x30, .reason = (char *)"selected", .samples = 3},
                                        {.offset = 0x40, .reason = (char *)"short_scoreboard", .samples = 7},
                                        {.offset = 0x70, .reason = (char *)"barrier", .samples = 140}};
  a_line_each(d);
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = sizeof samples / sizeof *samples;
}

static void of_two_rows(struct made_diagnosis *d) {
  sampled_alone(d);
  d->m.results[0].launches[0].block[1] = 2;
}

static void what_one_thread_keeps_waiting(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool found, hands_on;
  } rows[] = {
      {{BY_THREAD_0("LDS R5, [R6]", "STS [R6], R4"), .also = sampled_alone}, true, true},
      {{BY_THREAD_0("LDS R5, [R6]", "STG.E desc[UR4][R6.64], R4"), .also = sampled_alone}, true, false},
      {{BY_THREAD_0("ATOMG.E.ADD PT, R5, desc[UR4][R6.64], R3", "STS [R6], R4"), .also = sampled_alone}, true, false},
      {{BY_THREAD_0("LDS R5, [R6]", "STS [R6], R4"), .also = of_two_rows}, false, false}, /* of each row one */
      {{BY_THREAD_0("LDS R5, [R6]", "STS [R6], R4"), .also = a_line_each}, false, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct alone x;
    judged_make(&j, &rows[i].kernel, NULL);
    bool found = alone_of(&x, &j.in);
    if (found != rows[i].found || x.hands_on != rows[i].hands_on || x.at != (found ? 4 : SASS_NONE))
      fail_msg("row %zu: %d, %d, at %zu", i, found, x.hands_on, x.at);
    assert_float_equal(x.of_barriers, found ? 0.5 : 0, 1e-9);
    assert_float_equal(x.of_others, found ? 0.25 : 0, 1e-9);
    judged_release(&j);
  }
}

/* --- a walk --- */

#define WALK(asks)                                                                                                     \
  .lines = {"S2R R0, SR_TID.X",                                                                                        \
            asks,                                                                                                      \
            "@P0 BRA 0x80",                                                                                            \
            "LDG.E R2, desc[UR4][R2.64]",                                                                              \
            "IMAD.WIDE R2, R2, 0x4, R10",                                                                              \
            "IADD3 R7, R7, -0x1, RZ",                                                                                  \
            "ISETP.NE.AND P1, PT, R7, RZ, PT",                                                                         \
            "@P1 BRA 0x30",                                                                                            \
            "BAR.SYNC 0x0",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {640, 640, 640, 8000, 8000, 8000, 8000, 8000, 640, 640}

/* Of 120 others 90, or fewer, are of the walk; 600 at the barrier are no more than seven times as many. */
static void sampled_walk(struct made_diagnosis *d, uint64_t walk) {
  static struct run_sample samples[3];
  samples[0] = (struct run_sample){.offset = 0x00, .reason = (char *)"wait", .samples = 120 - walk};
  samples[1] = (struct run_sample){.offset = 0x40, .reason = (char *)"long_scoreboard", .samples = walk};
  samples[2] = (struct run_sample){.offset = 0x90, .reason = (char *)"barrier", .samples = 600};
  a_line_each(d);
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 3;
  set(&d->m.results[0], "stall_barrier", 24e6);
}

static void all_is_the_walk(struct made_diagnosis *d) {
  sampled_walk(d, 90);
}

static void much_is_the_walk(struct made_diagnosis *d) {
  sampled_walk(d, 89);
}

static void a_walk_is_all_of_the_time(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool walks;
  } rows[] = {{{WALK("ISETP.NE.AND P0, PT, R0, RZ, PT"), .also = all_is_the_walk}, true},
              {{WALK("ISETP.NE.AND P0, PT, R0, RZ, PT"), .also = much_is_the_walk}, false},
              {{WALK("ISETP.NE.AND P0, PT, R0, R1, PT"), .also = all_is_the_walk}, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    judged_make(&j, &rows[i].kernel, NULL);
    const struct workload *w = &j.in.f->bounds.work;
    double others = 1 - rule_value(&j.in, "stall_barrier_share", 0), by = rows[i].walks ? 1 / others : 1;
    assert_true(others < 1);
    assert_int_equal(j.in.waits.of_a_walk, rows[i].walks);
    assert_true((j.in.waits.barrier_s > 0) != rows[i].walks);
    assert_true((j.in.work.barriers_s.v > 0) != rows[i].walks);
    assert_float_equal(j.in.work.own_issue_s.v, w->own_issue_s.v * by, 1e-12);
    struct told told = {0};
    assert_int_equal(rule_find("barrier")->judge(&j.in, &told), !rows[i].walks);
    told = (struct told){0};
    assert_true(rule_find("dependent-loads")->judge(&j.in, &told));
    assert_int_equal(strncmp(told.sentence, "one thread of a block walks", 27) == 0, rows[i].walks);
    judged_release(&j);
  }
}

/* Those of a kernel that has them all are silent where they would be about those who wait for the walk. */
static void what_a_walk_silences(void **state) {
  (void)state;
  static const char *const names[] = {"barrier", "latency", "divergence", "imbalance"};
  static const struct judged_case kernel = {.set = {{"stall_barrier", 3e6},
                                                    {"sm_cycles_active_max", 1e5 / 0.75},
                                                    {"inst_executed", 1000},
                                                    {"thread_inst_executed", 12800}}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int walk = 0; walk < 2; walk++) {
      static struct judged j;
      struct told told = {0};
      judged_make(&j, &kernel, NULL);
      struct finding f = *j.in.f;
      f.bounds.binding = BOUND_LATENCY;
      j.in.f = &f;
      ((struct run_launch *)f.launch)->grid[0] = 20;
      j.in.waits.of_a_walk = walk;
      if (rule_find(names[i])->judge(&j.in, &told) == walk)
        fail_msg("%s, %d", names[i], walk);
      judged_release(&j);
    }
}

/* --- a tree: 80 warps times turns --- */

#define TREE                                                                                                           \
  .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0",                                                                             \
            "SHF.R.U32.HI R6, RZ, 0x1, R6",                                                                            \
            "ISETP.GE.AND P1, PT, R9, R6, PT",                                                                         \
            "@!P1 IMAD R2, R6, 0x4, R4",                                                                               \
            "@!P1 LDS R3, [R4]",                                                                                       \
            "@!P1 LDS R2, [R2]",                                                                                       \
            "@!P1 FADD R3, R3, R2",                                                                                    \
            "@!P1 STS [R4], R3",                                                                                       \
            "ISETP.NE.AND P2, PT, R6, RZ, PT",                                                                         \
            "@P2 BRA 0x0",                                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {80, 80, 80, 80, 80, 80, 80, 80, 80, 80, 10}

/* 10 instructions a turn, three of which are of shared memory and one is a barrier.  A block of 256 makes 8 turns, so that 10 warps are 10 times 10 shuffles with what
 * combines, and hand one value on with a store and a load each; one of 32 makes 5, and its 16 warps 80 shuffles and no more. */
static void what_shuffles_leave(void **state) {
  (void)state;
  static const struct judged_case kernel = {TREE};
  static const struct {
    unsigned threads;
    double steps, insts, shared, barriers;
  } rows[] = {{256, 100, 800 - 200 - 20, 240 - 100 - 20, 80 - 10},
              {200, 100, 800 - 200 - 20, 240 - 100 - 20, 80 - 10}, /* 8 turns as well */
              {32, 80, 800 - 160, 240 - 80, 80},
              {1, 80, 800 - 160, 240 - 80, 80}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct block_tree t;
    unsigned char *of = NULL;
    judged_make(&j, &kernel, NULL);
    ((struct run_launch *)j.in.f->launch)->block[0] = rows[i].threads;
    assert_true(block_tree_of(&t, &j.in, &of));
    assert_float_equal(t.has.insts, 800, 1e-9);
    assert_float_equal(t.has.shared, 240, 1e-9);
    assert_float_equal(t.has.barriers, 80, 1e-9);
    assert_float_equal(t.has.xu, 0, 0);
    assert_float_equal(t.shuffles, rows[i].steps, 1e-9);
    assert_float_equal(t.goes.insts, rows[i].insts, 1e-9);
    assert_float_equal(t.goes.shared, rows[i].shared, 1e-9);
    assert_float_equal(t.goes.barriers, rows[i].barriers, 1e-9);
    for (size_t k = 0; k < 11; k++)
      assert_int_equal(of[k] != 0, k < 10);
    free(of);
    assert_null(t.at); /* no instruction has a line */
    judged_release(&j);
  }
}

/* Of lines that are executed as often the first that loads, stores or combines. */
static void the_line_of_a_level(void **state) {
  (void)state;
  static const struct judged_case kernel = {TREE, .also = a_line_each};
  static struct judged j;
  struct block_tree t;
  judged_make(&j, &kernel, NULL);
  assert_true(block_tree_of(&t, &j.in, NULL));
  assert_ptr_equal(t.at, &j.d.sass[4]);
  judged_release(&j);
}

/* It has all of the barriers, and 240 of so many accesses and shuffles. */
static void what_a_tree_has(void **state) {
  (void)state;
  static const struct {
    struct given stalls;
    double shared, barriers;
    bool has, waits;
  } rows[] = {{{"stall_barrier", 1e6}, 240, 80, true, true},
              {{"stall_barrier", 1e6}, 121, 41, true, true},
              {{"stall_barrier", 1e6}, 120, 41, false, true},
              {{"stall_barrier", 1e6}, 121, 40, true, false},
              {{"stall_barrier", 0}, 240, 80, true, false}};
  static const struct judged_case kernel = {TREE};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    judged_make(&j, &kernel, &rows[i].stalls);
    const struct block_tree t = {.has = {.shared = rows[i].shared, .barriers = rows[i].barriers}};
    assert_float_equal(shared_executed(&j.in), 240, 0);
    assert_float_equal(barriers_executed(&j.in), 80, 0);
    if (tree_has_shared(&j.in, &t) != rows[i].has || tree_waits(&j.in, &t) != rows[i].waits)
      fail_msg("row %zu: %d, %d", i, tree_has_shared(&j.in, &t), tree_waits(&j.in, &t));
    judged_release(&j);
  }
}

static void no_tree_is_known(void **state) {
  (void)state;
  static const struct judged_case kernel = {TREE};
  static struct judged j;
  struct block_tree t;
  judged_make(&j, &kernel, NULL);
  assert_true(block_tree_of(&t, &j.in, NULL));
  j.in.sass->counted = false;
  assert_false(block_tree_of(&t, &j.in, NULL));
  j.in.sass = NULL;
  assert_false(block_tree_of(&t, &j.in, NULL));
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_one_lane_does),
                                     cmocka_unit_test(what_is_not_known),
                                     cmocka_unit_test(what_one_thread_keeps_waiting),
                                     cmocka_unit_test(a_walk_is_all_of_the_time),
                                     cmocka_unit_test(what_a_walk_silences),
                                     cmocka_unit_test(what_shuffles_leave),
                                     cmocka_unit_test(what_a_tree_has),
                                     cmocka_unit_test(the_line_of_a_level),
                                     cmocka_unit_test(no_tree_is_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
