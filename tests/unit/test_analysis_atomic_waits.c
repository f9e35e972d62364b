/* Which waits are for loads, in kernels that wait for atomics. */
#include "analysis/signs/atomic_waits.h"
#include "unit/judged.h"

#define CODE                                                                                                           \
  .lines = {"LDG.E R2, desc[UR4][R4.64]",                                                                              \
            "IADD3 R3, R2, R2, RZ",                                                                                    \
            "ATOMG.E.ADD.STRONG.GPU PT, R6, desc[UR4][R8.64], R3",                                                     \
            "IADD3 R7, R6, R6, RZ",                                                                                    \
            "REDG.E.ADD.STRONG.GPU desc[UR4][R8.64], R7",                                                              \
            "EXIT"},                                                                                                   \
  .executed = {32e3, 32e3, 32e3, 32e3, 32e3, 32e3}

enum { LOAD, ATOMIC, END, PLACES };
static const uint32_t OFFSETS[PLACES] = {0x10, 0x30, 0x50};

static void sampled(struct made_diagnosis *d, const char *at_end, uint64_t load, uint64_t atomic, uint64_t end) {
  static struct run_sample samples[PLACES];
  const uint64_t n[PLACES] = {load, atomic, end};
  for (int i = 0; i < PLACES; i++)
    samples[i] = (struct run_sample){
        .offset = OFFSETS[i], .reason = (char *)(i == END ? at_end : "long_scoreboard"), .samples = n[i]};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = PLACES;
}

static void a_quarter(struct made_diagnosis *d) {
  sampled(d, "drain", 10, 30, 39);
}

static void loads_alone(struct made_diagnosis *d) {
  sampled(d, "not_selected", 10, 0, 30);
}

static void half_wait(struct made_diagnosis *d) {
  sampled(d, "drain", 50, 10, 40);
}

static void fewer_wait(struct made_diagnosis *d) {
  sampled(d, "drain", 51, 10, 39);
}

static void part_by_samples(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    double part;
  } rows[] = {{{CODE, .also = a_quarter}, 0.25}, {{CODE, .also = loads_alone}, 1}, {{CODE}, 1}, {{.rule = NULL}, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    judged_make(&j, &rows[i].kernel, NULL);
    assert_float_equal(waits_part_of_loads(&j.in), rows[i].part, 1e-12);
    judged_release(&j);
  }
}

/* Of 40 samples 30 stand at a fence's CCTL.IVALL, or at a CCTL of another kind. */
static void part_of_fences(void **state) {
  static const char *const kinds[] = {"CCTL.IVALL", "CCTL.PF1 [R2]"};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    static struct judged j;
    struct judged_case kernel = {CODE, .also = a_quarter};
    kernel.lines[3] = kinds[i];
    judged_make(&j, &kernel, NULL);
    assert_float_equal(waits_part_of_fences(&j.in), i ? 0 : 0.75, 1e-12);
    assert_float_equal(waits_part_of_loads(&j.in), i ? 1 : 0.25, 1e-12);
    judged_release(&j);
  }
}

/* Of 40 samples 30 stand at what local memory brings, or local memory and a load together. */
static void part_of_local_memory(void **state) {
  static const char *const readers[] = {"IADD3 R7, R6, R6, RZ", "IADD3 R7, R6, R2, RZ"};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    static struct judged j;
    struct judged_case kernel = {CODE, .also = a_quarter};
    kernel.lines[2] = "LDL R6, [R8]";
    kernel.lines[3] = readers[i];
    judged_make(&j, &kernel, NULL);
    assert_float_equal(waits_part_of_loads(&j.in), i ? 1 : 0.25, 1e-12);
    judged_release(&j);
  }
}

static void rate_of_atomics(struct made_diagnosis *d) {
  made_ceiling(&d->m, "red_scattered", 1e9, CEILING_MEASURED);
}

/* 70,000 sectors at 1e9 a second take 70 of 100 us. */
static void queues(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool queue;
  } rows[] = {
      {{.also = rate_of_atomics, .set = {{"l2_atomic_sectors", 70001}}}, true},
      {{.also = rate_of_atomics, .set = {{"l2_atomic_sectors", 69999}}}, false},
      {{.also = rate_of_atomics, .set = {{"l2_atomic_sectors", 70001}, {"dram_read_bytes", 90e6}}}, false},
      {{CODE, .also = half_wait, .set = {{"l2_atomic_sectors", 20}}}, true},
      {{CODE, .also = fewer_wait, .set = {{"l2_atomic_sectors", 20}}}, false},
      {{CODE, .also = half_wait}, false}, /* no atomic reached the L2 */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    judged_make(&j, &rows[i].kernel, NULL);
    if (loads_queue_for_atomics(&j.in) != rows[i].queue)
      fail_msg("row %zu", i);
    judged_release(&j);
  }
}

/* Half of the time warps wait for memory; three quarters of that for the atomic. */
static void what_loads_save(void **state) {
  (void)state;
  static const struct judged_case rows[] = {
      {.rule = "long-scoreboard", CODE, .also = a_quarter, .set = {{"stall_long_scoreboard", 16e6}}},
      {.rule = "long-scoreboard", CODE, .also = loads_alone, .set = {{"stall_long_scoreboard", 16e6}}}};
  double kept[2], most[2];
  for (size_t i = 0; i < 2; i++) {
    static struct judged j;
    struct told a = {0};
    struct workload w = round_work();
    judged_make(&j, &rows[i], NULL);
    ((struct finding *)j.in.f)->bounds.work.loads_s = value_of(50e-6);
    rule_baseline(&j.in);
    assert_true(rule_find("long-scoreboard")->judge(&j.in, &a));
    rule_find("long-scoreboard")->change(&j.in, &w);
    kept[i] = w.loads_s.v / 100e-6;
    most[i] = a.most;
    judged_release(&j);
  }
  assert_float_equal(most[0], 0.125, 1e-12); /* of half of the time a quarter */
  assert_float_equal(most[1], 0.5, 1e-12);
  assert_true(kept[1] < 1);
  assert_float_equal(1 - kept[0], (1 - kept[1]) / 4, 1e-12);
}

/* Of 80 samples 30 stand at an atomic that adds another's result, and 20 at one that adds what a load brings. */
static void waits_for_operands(void **state) {
  (void)state;
  static struct run_sample samples[] = {{.offset = 0x20, .reason = (char *)"long_scoreboard", .samples = 20},
                                        {.offset = 0x40, .reason = (char *)"long_scoreboard", .samples = 30},
                                        {.offset = 0x10, .reason = (char *)"not_selected", .samples = 30}};
  static const struct judged_case kernel = {.lines = {"LDG.E R2, desc[UR4][R4.64]", "NOP",
                                                      "ATOMG.E.ADD.STRONG.GPU PT, R6, desc[UR4][R8.64], R2", "NOP",
                                                      "REDG.E.ADD.STRONG.GPU desc[UR4][R8.64], R6", "EXIT"},
                                            .executed = {32e3, 32e3, 32e3, 32e3, 32e3, 32e3},
                                            .set = {{"l2_atomic_sectors", 1000}}};
  static struct judged j;
  judged_make(&j, &kernel, NULL);
  j.d.m.results[0].samples = samples;
  j.d.m.results[0].n_samples = 3;
  hot_release(&j.hot);
  hot_make(&j.hot, &j.d.m.run, &j.d.m.results[0]);
  j.in.sass = &j.hot.kernels[0].sass;
  rule_baseline(&j.in);
  assert_float_equal(j.in.waits.atomics_s / j.in.time_s, 50.0 / 80, 1e-12);
  assert_float_equal(j.in.waits.operands_s / j.in.time_s, 20.0 / 80, 1e-12);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(part_by_samples),      cmocka_unit_test(part_of_fences),
                                     cmocka_unit_test(part_of_local_memory), cmocka_unit_test(queues),
                                     cmocka_unit_test(what_loads_save),      cmocka_unit_test(waits_for_operands)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
