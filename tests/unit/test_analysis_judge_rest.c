/* Rules of a kernel of which nothing is counted, what they start from, and what they share. */
#include "analysis/rules/rule_tools.h"
#include "unit/judged.h"

/* --- nothing is counted --- */

static void nothing_is_counted(struct made_diagnosis *d) {
  d->m.results[0].n_metrics = 0;
}

/* What remedies take that do not depend on counts; of no pipe none is busier. */
static const struct {
  const char *rule, *takes, *says;
} ALWAYS[] = {
    {"launch-bound", "launches 2, empty_s 50"},
    {"dependent-loads", ""},
    {"long-scoreboard", "loads_s 50"},
    {"pipe", "alu 500",
     "GENERAL the ALU pipe is busy 0 % of the time\n"
     "move work to another pipe, or do it once for several elements (the estimate assumes half)\n"},
    {"latency", "loads_s 50, own_issue_s 50, dependencies_s 50"},
    {"partial-sectors", "partial_share 0"},
    {"imbalance", "balance 1"},
    {"small-blocks", "empty_s 50"},
    {"fp64", "fma 2000, fp64 0"},
};

static void of_nothing_nothing_is_said(void **state) {
  (void)state;
  for (size_t i = 0; i < n_rules; i++) {
    struct judged_case c = {.rule = rules[i].name, .also = nothing_is_counted, .takes = ""};
    for (size_t k = 0; k < sizeof ALWAYS / sizeof ALWAYS[0]; k++)
      if (strcmp(ALWAYS[k].rule, c.rule) == 0) {
        c.takes = ALWAYS[k].takes;
        c.says = ALWAYS[k].says;
      }
    judge(&c, i);
  }
}

/* --- what rules start from --- */

static const struct baseline_case {
  struct given set[GIVEN_MAX];
  double barrier_us, local_us, dependencies_us, atomics_us, sectors;
} BASELINES[] = {
    /* half of the L1's sectors are local memory's, and of 10 + 30 us half */
    {{{"stall_barrier", 3.2e6},
      {"l1_load_sectors", 100},
      {"local_load_sectors", 60},
      {"local_store_sectors", 40},
      {"stall_long_scoreboard", 3.2e6},
      {"stall_lg_throttle", 9.6e6}},
     10,
     20,
     20,
     0,
     0},
    /* no more than 90 us of shared memory leave of 100 */
    {{{"l1_wavefronts", 9e5},
      {"l1_load_sectors", 0},
      {"local_load_sectors", 60},
      {"local_store_sectors", 40},
      {"stall_long_scoreboard", 32e6}},
     0,
     10,
     10,
     0,
     0},
    {{{"l1_wavefronts", 12e5},
      {"l1_load_sectors", 0},
      {"local_load_sectors", 60},
      {"local_store_sectors", 40},
      {"stall_long_scoreboard", 32e6}},
     0,
     0,
     0,
     0,
     0},
    /* waits of its own, and those for local memory */
    {{{"stall_wait", 3.2e6},
      {"l1_load_sectors", 0},
      {"stall_selected", 0},
      {"local_load_sectors", 60},
      {"local_store_sectors", 40},
      {"stall_lg_throttle", 3.2e6}},
     0,
     10,
     20,
     0,
     0},
    /* 16e6 of 32e6 cycles queue, for 20 of 80 sectors: 12.5 us of 1e9 sectors a second */
    {{{"l2_atomic_sectors", 20}, {"l1_load_sectors", 50}, {"l1_store_sectors", 10}, {"stall_lg_throttle", 16e6}},
     0,
     0,
     0,
     12.5,
     12500},
    {{{"l2_atomic_sectors", 20000}, {"stall_lg_throttle", 3.2e6}}, 0, 0, 0, 10, 20000}, /* 20 us of them anyway */
    {{{"l2_atomic_sectors", 1}, {"stall_lg_throttle", 16e6}}, 0, 0, 0, 50, 50000}, /* no other sectors are counted */
    {{{"l2_atomic_sectors", 0}, {"stall_lg_throttle", 16e6}}, 0, 0, 0, 0, 0},
};

static void rate_of_atomics(struct made_diagnosis *d) {
  made_ceiling(&d->m, "red_scattered", 1e9, CEILING_MEASURED);
}

static void is_near(double got, double want) {
  if (!(fabs(got - want) <= 1e-3 * (1 + fabs(want))))
    fail_msg("%g, wanted %g", got, want);
}

static void waits_that_the_model_leaves_out(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof BASELINES / sizeof BASELINES[0]; i++) {
    static struct judged j;
    const struct baseline_case *b = &BASELINES[i];
    struct judged_case c = {.rule = "latency", .also = rate_of_atomics};
    memcpy(c.set, b->set, sizeof b->set);
    judged_make(&j, &c, NULL);
    is_near(j.in.waits.barrier_s * 1e6, b->barrier_us);
    is_near(j.in.waits.local_s * 1e6, b->local_us);
    is_near(j.in.waits.atomics_s * 1e6, b->atomics_us);
    is_near(or_zero(j.in.work.dependencies_s) * 1e6, b->dependencies_us);
    is_near(or_zero(j.in.work.atomic_sectors), b->sectors);
    judged_release(&j);
  }
}

/* --- share of samples at atomics --- */

/* Of 100 samples: 16 and 4 stand at the atomics and 30 at what waits for one's result; issuing is no
 * wait, nor are atomics of shared memory asked. */
static void samples_stand_at_atomics(void **state) {
  (void)state;
  static const char *const lines[] = {"ATOMG.E.ADD.STRONG.GPU PT, R3, desc[UR4][R6.64], R5",
                                      "FADD R4, R3, R9",
                                      "FADD R8, R8, R9",
                                      "ATOMS.ADD RZ, [R2], R4",
                                      "ATOM.E.ADD.STRONG.GPU PT, RZ, desc[UR4][R6.64], R5",
                                      "EXIT",
                                      NULL};
  static struct run_sample samples[] = {{.offset = 0, .reason = (char *)"lg_throttle", .samples = 16},
                                        {.offset = 0, .reason = (char *)"selected", .samples = 5},
                                        {.offset = 0, .reason = (char *)"not_selected", .samples = 6},
                                        {.offset = 0, .reason = (char *)"wait", .samples = 7},
                                        {.offset = 16, .reason = (char *)"long_scoreboard", .samples = 30},
                                        {.offset = 32, .reason = (char *)"math_pipe_throttle", .samples = 20},
                                        {.offset = 48, .reason = (char *)"mio_throttle", .samples = 12},
                                        {.offset = 64, .reason = (char *)"lg_throttle", .samples = 4}};
  static struct judged j;
  struct judged_case c = {.rule = "atomics", .set = {{"l2_atomic_sectors", 20}}};
  for (int i = 0; lines[i]; i++) {
    c.lines[i] = lines[i];
    c.executed[i] = 10;
  }
  judged_make(&j, &c, NULL);
  struct run_result *r = &j.d.m.results[0];
  r->samples = samples;
  r->n_samples = sizeof samples / sizeof samples[0];
  hot_release(&j.hot);
  hot_make(&j.hot, &j.d.m.run, r);
  j.in.sass = &j.hot.kernels[0].sass;
  rule_baseline(&j.in);
  is_near(j.in.waits.atomics_s * 1e6, 50);
  judged_release(&j);
}

/* --- batches --- */

/* 320 warps of 100 us: batches of 1 us each by the time that they take, or requests of a warp's
 * two at once. */
static void batches_of_a_warp(void **state) {
  (void)state;
  static struct judged j;
  judged_make(&j, &(struct judged_case){.rule = "latency"}, NULL);
  struct finding f = *j.in.f;
  f.bounds.flight = (struct flight){.warps = value_of(320),
                                    .warp_requests = value_of(2),
                                    .requests = value_of(6400),
                                    .latency_s = value_of(1e-6),
                                    .loads_s = value_of(4e-6)};
  j.in.f = &f;
  is_near(warp_batches(&j.in), 10);
  f.bounds.flight.loads_s.v = 20e-6;
  is_near(warp_batches(&j.in), 20);
  f.bounds.flight.latency_s.v = 0;
  is_near(warp_batches(&j.in), 10);
  f.bounds.flight.warps.v = 0;
  is_near(warp_batches(&j.in), 0);
  judged_release(&j);
}

/* --- what rules share --- */

/* Three digits of millions; below, every one. */
static void counts_in_a_sentence(void **state) {
  (void)state;
  static const struct {
    double count;
    const char *words;
  } cases[] = {{80, "80"},
               {999999, "999999"},
               {1e6, "1.00 million"},
               {9.994e6, "9.99 million"},
               {9.996e6, "10.0 million"},
               {99.94e6, "99.9 million"},
               {99.96e6, "100 million"}};
  static struct judged j;
  judged_make(&j, &(struct judged_case){.rule = "latency"}, NULL);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_string_equal(count_words(&j.in, cases[i].count), cases[i].words);
  judged_release(&j);
}

/* 10 us of short waits are shared out between shared memory and the XU by their work; of work that nobody counted none are. */
static void whose_short_waits_are(void **state) {
  (void)state;
  static const struct {
    double shared, xu, shared_us, xu_us;
  } cases[] = {{100, 300, 2.5, 7.5}, {100, 0, 10, 0}, {0, 300, 0, 10}, {0, 0, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct judged j;
    struct judged_case c = {.rule = "latency", .set = {{"stall_short_scoreboard", 3.2e6}}};
    if (cases[i].shared > 0)
      c.set[1] = (struct given){"shared_wavefronts", cases[i].shared};
    if (cases[i].xu > 0)
      c.set[cases[i].shared > 0 ? 2 : 1] = (struct given){"pipe_xu", cases[i].xu};
    judged_make(&j, &c, NULL);
    is_near(shared_waits(&j.in) * 1e6, cases[i].shared_us);
    is_near(xu_waits(&j.in, cases[i].xu) * 1e6, cases[i].xu_us);
    judged_release(&j);
  }
}

/* 40 blocks are a wave: of 60 that do four times the work 15 would be left, of 40 all stay. */
static void no_fewer_blocks_than_a_wave(void **state) {
  (void)state;
  static const struct { double blocks, by, left; } cases[] = {{60, 4, 40}, {60, 1.25, 48}, {40, 4, 40}, {30, 4, 30}};
  static struct judged j;
  judged_make(&j, &(struct judged_case){.rule = "latency"}, NULL);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct workload w = {.blocks = value_of(cases[i].blocks), .empty_s = value_of(cases[i].blocks * 1e-6)};
    work_fewer_blocks(&j.in, &w, cases[i].by);
    is_near(w.blocks.v, cases[i].left);
    is_near(w.empty_s.v * 1e6, cases[i].left);
  }
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_nothing_nothing_is_said),  cmocka_unit_test(waits_that_the_model_leaves_out),
      cmocka_unit_test(samples_stand_at_atomics),    cmocka_unit_test(batches_of_a_warp),
      cmocka_unit_test(counts_in_a_sentence),        cmocka_unit_test(whose_short_waits_are),
      cmocka_unit_test(no_fewer_blocks_than_a_wave),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
