/* Where latency is the time that atomics take, these bind; so does what is full. */
#include "analysis/model/flight.h"
#include "unit/judged.h"

#define RED    "REDG.E.ADD.STRONG.GPU desc[UR4][R8.64], R7"
#define ATOM   "ATOMG.E.ADD.STRONG.GPU PT, R6, desc[UR4][R8.64], R3"
#define READS  "IADD3 R7, R6, R6, RZ"
#define STORE  "STG.E desc[UR4][R8.64], R7"
#define SHARED "ATOMS.ADD RZ, [R2], R4"

enum { SAMPLES_MOST = 3 };

/* 70 of 100 us a warp waits for its own; atomics take 20. */
struct waited {
  const char *lines[6];
  struct {
    uint32_t at;
    const char *reason;
    uint64_t samples;
  } samples[SAMPLES_MOST];
  double waits; /* part of the samples */
};

static const struct waited *waited;

static void samples_of(struct made_diagnosis *d) {
  static struct run_sample samples[SAMPLES_MOST];
  struct run_result *r = &d->m.results[0];
  made_ceiling(&d->m, "red_scattered", 1e9, CEILING_MEASURED);
  for (size_t i = 0; i < SAMPLES_MOST && waited->samples[i].reason; i++) {
    samples[i] = (struct run_sample){.offset = 16 * waited->samples[i].at,
                                     .reason = (char *)(size_t)waited->samples[i].reason,
                                     .samples = waited->samples[i].samples};
    r->n_samples = i + 1;
  }
  r->samples = samples;
}

static const struct waited ROWS[] = {
    {{RED, "EXIT"}, {{1, "drain", 50}, {0, "wait", 50}}, 0.5},
    {{RED, "EXIT"}, {{1, "drain", 49}, {0, "wait", 51}}, 0.49},
    {{RED, STORE, "EXIT"}, {{2, "drain", 60}, {0, "wait", 40}}, 0},
    {{ATOM, READS, "EXIT"}, {{1, "long_scoreboard", 60}, {0, "wait", 40}}, 0.6},
    {{ATOM, READS, "EXIT"}, {{1, "short_scoreboard", 60}, {0, "wait", 40}}, 0},
    {{RED, "EXIT"}, {{0, "lg_throttle", 30}, {0, "mio_throttle", 30}, {0, "wait", 40}}, 0.6},
    {{STORE, RED, "EXIT"}, {{0, "lg_throttle", 60}, {1, "wait", 40}}, 0},
    {{SHARED, "EXIT"}, {{0, "mio_throttle", 60}, {1, "wait", 40}}, 0},
};

static struct judged_case case_of(const struct waited *x) {
  struct judged_case c = {
      .rule = "atomics", .also = samples_of, .set = {{"stall_wait", 22.4e6}, {"l2_atomic_sectors", 20000}}};
  waited = x;
  for (size_t i = 0; x->lines[i]; i++) {
    c.lines[i] = x->lines[i];
    c.executed[i] = 10;
  }
  return c;
}

static void what_binds(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    struct flight_code code;
    struct judged_case c = case_of(&ROWS[i]);
    judged_make(&j, &c, NULL);
    flight_code_of(&code, &j.d.m.run, &j.d.m.results[0], NULL, 1);
    assert_float_equal(code.atomics_waits, ROWS[i].waits, 1e-12);
    if (j.in.f->bounds.binding != (ROWS[i].waits >= 0.5 ? BOUND_ATOMICS : BOUND_LATENCY))
      fail_msg("row %zu: %s", i, bound_name(j.in.f->bounds.binding));
    judged_release(&j);
  }
}

/* DRAM takes 30 of 100 us, or atomics have no rate, or they bind anyway. */
static void what_else_may_bind(void **state) {
  (void)state;
  static struct judged j;
  struct judged_case c = case_of(&ROWS[0]);
  c.set[2] = (struct given){"dram_read_bytes", 30e6};
  judged_make(&j, &c, NULL);
  assert_int_equal(j.in.f->bounds.binding, BOUND_LATENCY);
  judged_release(&j);
  c = case_of(&ROWS[0]);
  c.without = "l2_atomic_sectors";
  judged_make(&j, &c, NULL);
  assert_int_equal(j.in.f->bounds.binding, BOUND_LATENCY);
  judged_release(&j);
}

/* The L2 counts 50,000 sectors, 50 us of the model's; SMs sent 40,000, which need 40 of 100 us, and the L1 44.  Then they bind where a twentieth of the samples waits for them. */
static void longer_rows_come_first(void **state) {
  (void)state;
  static const struct waited seen[] = {{{RED, "EXIT"}, {{1, "drain", 5}, {0, "wait", 95}}, 0.05},
                                       {{RED, "EXIT"}, {{1, "drain", 4}, {0, "wait", 96}}, 0.04}};
  for (size_t i = 0; i < 2; i++) {
    static struct judged j;
    struct judged_case c = case_of(&seen[i]);
    c.set[0].value = 0;
    c.set[1].value = 50000;
    c.set[2] = (struct given){"reduction_sectors", 40000};
    c.set[3] = (struct given){"l1_wavefronts", 4.4e5};
    judged_make(&j, &c, NULL);
    assert_int_equal(j.in.f->bounds.model.binding, BOUND_ATOMICS);
    assert_int_equal(j.in.f->bounds.binding, i == 0 ? BOUND_ATOMICS : BOUND_L1);
    assert_float_equal(j.in.f->bounds.share.v, i == 0 ? 0.4 : 0.44, 1e-9);
    judged_release(&j);
  }
}

/* 120,000 sectors would need 120 of 100 us, and 4 % of the samples wait for them: the 70 us of a warp's own waits bind, and the row stays.  With 5 % they bind. */
static void what_cannot_be_does_not_bind(void **state) {
  static const struct waited seen[] = {{{RED, "EXIT"}, {{1, "drain", 5}, {0, "wait", 95}}, 0.05},
                                       {{RED, "EXIT"}, {{1, "drain", 4}, {0, "wait", 96}}, 0.04}};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    static struct judged j;
    struct judged_case c = case_of(&seen[i]);
    c.set[1].value = 120000;
    judged_make(&j, &c, NULL);
    assert_int_equal(j.in.f->bounds.binding, i == 0 ? BOUND_ATOMICS : BOUND_LATENCY);
    assert_float_equal(j.in.f->bounds.seconds[BOUND_ATOMICS].v, 120e-6, 1e-9);
    assert_float_equal(j.in.f->bounds.share.v, i == 0 ? 1.2 : 0.7, 1e-9);
    judged_release(&j);
  }
}

/* What warps wait for at a full resource is its queue: the L1 takes 92 of 100 us and a warp's chain 96, or longer; or the L1 is not full. */
static void what_is_full_binds(void **state) {
  static const struct {
    double wavefronts, wait;
    enum bound_kind binds;
  } rows[] = {{9.2e5, 0.96 * 32e6, BOUND_L1}, {9.2e5, 0.98 * 32e6, BOUND_LATENCY}, {8.9e5, 0.93 * 32e6, BOUND_LATENCY}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct judged_case c = {.rule = "latency",
                            .set = {{"l1_wavefronts", rows[i].wavefronts}, {"stall_wait", rows[i].wait}}};
    judged_make(&j, &c, NULL);
    if (j.in.f->bounds.binding != rows[i].binds)
      fail_msg("row %zu: %d, L1 %g s, latency %g s", i, (int)j.in.f->bounds.binding, j.in.f->bounds.seconds[BOUND_L1].v,
               j.in.f->bounds.seconds[BOUND_LATENCY].v);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_binds), cmocka_unit_test(what_else_may_bind),
                                     cmocka_unit_test(what_is_full_binds), cmocka_unit_test(longer_rows_come_first),
                                     cmocka_unit_test(what_cannot_be_does_not_bind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
