/* Intervals of promises: one by hand, and the record that they rest on, worked out again from the corpus' training half. */
#include "analysis/rules/promise.h"
#include "unit/made_run.h"
#include "unit/scored_run.h"

#include <math.h>

enum { CASES_MAX = 256 };

/* A fifth of the cycles of shared memory, which are all of the time, are conflicts: 20 of 100 us are promised, 20 x 0.48 and 20 x 1.49 the interval; at
 * seven tenths the upper end would be 106.4 us of 100. */
static void by_hand(void **state) {
  static const struct {
    double conflicts, saves_us, low_us, high_us;
  } cases[] = {{2e5, 20, 9.6, 29.8}, {7e5, 70, 33.6, 100}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_run m;
    struct findings f;
    struct diagnosis d;
    struct err e = {0};
    made_begin(&m);
    m.device.sms = 10;
    made_variant(&m, "a", "l", NULL);
    struct run_result *r = made_result(&m, "a", (struct shape){128, 256, 1});
    made_metric(r, "sm_clock_hz", 1e9);
    made_metric(r, "warps_active", 32e6);
    made_metric(r, "sm_cycles_active", 1e6);
    made_metric(r, "l1_wavefronts", 1e6);
    made_metric(r, "shared_wavefronts", 1e6);
    made_metric(r, "shared_bank_conflicts", cases[i].conflicts);
    made_time(r, 100e3, 5);
    assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
    diagnosis_make(&d, &f, &f.items[0]);
    const struct advice *a = diagnosis_find(&d, "bank-conflicts");
    assert_non_null(a);
    assert_true(fabs(a->price.saves_s * 1e6 - cases[i].saves_us) < 0.1);
    assert_true(fabs(a->price.low_s * 1e6 - cases[i].low_us) < 0.1);
    assert_true(fabs(a->price.high_s * 1e6 - cases[i].high_us) < 0.1);
    assert_false(a->price.capped); /* nothing else holds it: L1's row goes with the conflicts */
    diagnosis_release(&d);
    findings_release(&f);
  }
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

struct record {
  double ratio[CASES_MAX];
  const struct rule *rule[CASES_MAX];
  size_t n;
};

static void record_add(struct record *out, const char *path) {
  static struct scored_run x;
  scored_make(&x, path, "test", AS_MEASURED);
  for (size_t i = 0; i < x.score.n && out->n < CASES_MAX; i++) {
    const struct score_entry *entry = &x.score.entries[i];
    if (!entry->promised.present)
      continue;
    out->rule[out->n] = entry->right;
    out->ratio[out->n++] = entry->gained / entry->promised.v;
  }
  scored_release(&x);
}

static void the_record(void **state) {
  static struct record r;
  (void)state;
  record_add(&r, "tests/corpus/h200.json.gz");
  record_add(&r, "tests/corpus/h100.json.gz");
  for (size_t i = 0; i < r.n; i++) {
    size_t same = 0;
    for (size_t k = 0; k < r.n; k++)
      same += r.rule[k] == r.rule[i];
    if (same >= PROMISE_CASES)
      fail_msg("%s has %zu cases: an interval of its own", r.rule[i]->name, same);
  }
  size_t cut = r.n / 10; /* on each side */
  assert_true(r.n >= 5 * PROMISE_CASES);
  qsort(r.ratio, r.n, sizeof *r.ratio, by_size);
  if (!(fabs(r.ratio[cut] - PROMISE_LOW) <= 0.01 && fabs(r.ratio[r.n - 1 - cut] - PROMISE_HIGH) <= 0.01))
    fail_msg("%zu cases: %.3f to %.3f", r.n, r.ratio[cut], r.ratio[r.n - 1 - cut]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(the_record)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
