/* The score of labelled steps, worked out by hand. */
#include "analysis/ladder/cured.h"
#include "analysis/ladder/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shape SHAPE = {128, 256, 1};

/* Of 10,000 cycles of shared memory these are conflicts: what bank-conflicts promises. */
static void rung(struct made_run *m, const char *id, const char *parent, double time_us, double conflicts) {
  made_variant(m, id, "l", parent);
  struct run_result *r = made_result(m, id, SHAPE);
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "warps_active", 32e6);
  made_metric(r, "sm_cycles_active", 1e6);
  made_metric(r, "l1_wavefronts", 1e4);
  made_metric(r, "shared_wavefronts", 1e4);
  made_metric(r, "shared_bank_conflicts", conflicts);
  made_time(r, time_us * 1e3, 5);
}

/* a's first advice is shared-memory, its half of 6,000 cycles being 30 us, and b's bank-conflicts. */
static void make(struct made_run *m, struct findings *f) {
  struct err e = {0};
  made_begin(m);
  m->device.sms = 10;
  rung(m, "a", NULL, 100, 2e3);
  rung(m, "b", "a", 80, 5e3);
  rung(m, "c", "b", 60, 0);
  rung(m, "d", "b", 70, 0);
  assert_int_equal(findings_make(f, &m->run, &m->device, &e), 0);
}

static void hits_and_errors(void **state) {
  (void)state;
  static struct made_run m;
  struct findings f;
  struct score s;
  make(&m, &f);
  const struct label labels[] = {
      {"a", "b", {"bank-conflicts"}, 1}, {"b", "c", {"issue-slots", "bank-conflicts"}, 2}, {"b", "d", {"tail"}, 1}};
  score_make(&s, &f, labels, 3);
  assert_int_equal(s.n, 2); /* of b's children c is the faster */
  assert_string_equal(s.entries[0].first->name, "shared-memory");
  assert_int_equal(s.entries[0].place, 2);
  assert_int_equal(s.entries[1].place, 1);
  assert_true(s.first == 0.5 && s.three == 1);
  /* 20 % promised and 20 % gained; 50 % promised, 25 % gained */
  assert_true(fabs(s.all.median_abs_error.v - 0.125) < 1e-3);
  assert_true(fabs(s.median_model_error.v - 0.225) < 1e-3); /* as many cycles before and after: 0 % */
  assert_true(s.null_issue == 0.5 && s.null_most == 1 && s.null_random == 0.75);
  assert_string_equal(s.most, "bank-conflicts");
  score_release(&s);
  score_make(&s, &f, labels, 0);
  assert_true(s.n == 0 && s.first == 0 && s.null_random == 0 && s.null_issue == 0 && !s.all.median_abs_error.present);
  score_release(&s);
  findings_release(&f);
}

/* The faster child is labelled at another shape: here the slower is the one to be advised.  What was not counted, and what was not timed, is not scored. */
static void which_steps_are_scored(void **state) {
  (void)state;
  static struct made_run m;
  struct findings f;
  struct score s;
  make(&m, &f);
  struct label labels[] = {{"b", "c", {"bank-conflicts"}, 1}, {"b", "d", {"bank-conflicts"}, 1}};
  labels[0].at = &f.items[0];
  score_make(&s, &f, labels, 2);
  assert_int_equal(s.n, 1);
  assert_string_equal(s.entries[0].child->variant->id, "d");
  score_release(&s);
  labels[0].at = &f.items[2];
  score_make(&s, &f, labels, 2);
  assert_int_equal(s.n, 1);
  assert_string_equal(s.entries[0].child->variant->id, "c");
  score_release(&s);
  f.items[2].timed = false; /* and is no better than d, which has a time */
  score_make(&s, &f, labels, 2);
  assert_int_equal(s.n, 1);
  assert_string_equal(s.entries[0].child->variant->id, "d");
  score_release(&s);
  f.items[2].timed = labels[1].every = true; /* the slower one, too */
  labels[0].at = NULL;
  score_make(&s, &f, labels, 2);
  assert_int_equal(s.n, 2);
  score_release(&s);
  f.items[1].bounds.binding = BOUND_KINDS;
  score_make(&s, &f, labels, 2);
  assert_int_equal(s.n, 0);
  score_release(&s);
  findings_release(&f);
}

/* 1e6 cycles of shared memory are 100 us; shared memory's remedy is half of what conflicts leave.
 *   a: 19 % promised and gained, behind 40.5 % of shared memory; c: 50 % against 25;
 *   e: 35 % of shared memory, behind conflicts, against 40;
 *   g: nothing is right.  Modelled over measured time: 1, 1, 0.87, 1.05. */
static void scores_by_hand(void **state) {
  (void)state;
  static const struct {
    const char *parent, *child;
    double parent_us, child_us, conflicts;
  } steps[] = {
      {"a", "b", 100, 81, 1.9e5}, {"c", "d", 100, 75, 5e5}, {"e", "f", 115, 69, 3e5}, {"g", "h", 95, 85.5, 4e5}};
  static const struct label labels[] = {{"a", "b", {"bank-conflicts"}, 1},
                                        {"c", "d", {"bank-conflicts"}, 1},
                                        {"e", "f", {"shared-memory"}, 1},
                                        {"g", "h", {"tail"}, 1}};
  static const size_t places[] = {2, 1, 2, 0};
  static const double promised[] = {0.19, 0.5, 0.35, 0}, gained[] = {0.19, 0.25, 0.4, 0.1};
  static struct made_run m;
  struct findings f;
  struct score s;
  struct err e = {0};
  made_begin(&m);
  m.device.sms = 10;
  for (size_t i = 0; i < 4; i++) {
    rung(&m, steps[i].parent, NULL, steps[i].parent_us, steps[i].conflicts);
    rung(&m, steps[i].child, steps[i].parent, steps[i].child_us, 0);
    m.run.results[2 * i].metrics[3].value = m.run.results[2 * i].metrics[4].value = 1e6;
  }
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  score_make(&s, &f, labels, 4);
  assert_int_equal(s.n, 4);
  for (size_t i = 0; i < s.n; i++) {
    assert_int_equal(s.entries[i].place, places[i]);
    assert_int_equal(s.entries[i].promised.present, places[i] > 0);
    assert_true(places[i] == 0 || fabs(s.entries[i].promised.v - promised[i]) < 1e-3);
    assert_true(fabs(s.entries[i].gained - gained[i]) < 1e-9);
  }
  assert_string_equal(s.entries[3].promised.reason, "no right advice gave a number");
  assert_string_equal(s.entries[2].right->name, "shared-memory");
  assert_true(s.first == 0.25 && s.three == 0.75);
  assert_int_equal(s.all.n_promised, 3);
  assert_true(fabs(s.all.median_abs_error.v - 0.05) < 1e-3); /* of 0, 25 and 5 */
  assert_true(s.model_within_10.v == 0.75);
  assert_true(s.null_issue == 0 && s.null_most == 0.5 && fabs(s.null_random - 1 / 3.0) < 1e-9);
  assert_string_equal(s.most, "bank-conflicts");
  score_release(&s);
  struct label both[] = {labels[1], labels[1], labels[2]};
  score_make(&s, &f, both + 1, 2);
  assert_true(fabs(s.all.median_abs_error.v - 0.15) < 1e-3); /* between 25 and 5 */
  score_release(&s);
  f.items[2].timed = false;
  both[0].at = &f.items[0]; /* a label of another finding, and a parent without a time */
  score_make(&s, &f, both, 2);
  assert_int_equal(s.n, 0);
  assert_string_equal(s.model_within_10.reason, "nothing is labelled");
  score_release(&s);
  findings_release(&f);
}

static void labels_of_a_file(void **state) {
  (void)state;
  static struct made_run m;
  struct findings f;
  struct err e = {0};
  struct label *labels;
  size_t n;
  make(&m, &f);
  char text[] =
      "id\tcause\taccepted\thalf\nb\tatomics\ttail,pipe\ttrain\nc\ttail\t\ttest\nz\ttail\t\ttrain\na\ttail\t\ttrain\n";
  assert_int_equal(labels_parse(&labels, &n, text, "train", &m.run, &e), 0);
  assert_int_equal(n, 1); /* c is of the other half, z not in the run, a without a parent */
  assert_string_equal(labels[0].child, "b");
  assert_string_equal(labels[0].parent, "a");
  assert_int_equal(labels[0].n_causes, 3);
  assert_string_equal(labels[0].causes[2], "pipe");
  free(labels);
  char more[] = "id\tcause\taccepted\thalf\n\nb\tatomics\ttail,pipe,no-rule,latency,barrier\ttrain\nc\ttail\t\ttest\n";
  assert_int_equal(labels_parse(&labels, &n, more, NULL, &m.run, &e), 0);
  assert_int_equal(n, 2);
  assert_int_equal(labels[0].n_causes, LABEL_CAUSES); /* and no more, all of them rules */
  assert_string_equal(labels[0].causes[3], "latency");
  assert_int_equal(labels[1].n_causes, 1);
  free(labels);
  char headless[] = "b\tatomics\t\ttrain\nc\ttail\t\ttest\n"; /* its first row counts */
  assert_int_equal(labels_parse(&labels, &n, headless, NULL, &m.run, &e), 0);
  assert_int_equal(n, 2);
  free(labels);
  char bad[] = "id\tcause\taccepted\thalf\nb\tluck\t\ttrain\n";
  assert_int_equal(labels_parse(&labels, &n, bad, NULL, &m.run, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "line 2"));
  free(labels);
  findings_release(&f);
}

/* From b to c and d half of the wavefronts and all conflicts go; a to b gains time too, but none of its work falls. */
static void labels_of_moved_counters(void **state) {
  (void)state;
  static struct made_run m;
  struct findings f;
  struct err e = {0};
  struct label *labels;
  size_t n;
  make(&m, &f);
  made_metric(&m.run.results[2], "inst_executed", 10); /* unknown of b: takes no part */
  for (size_t i = 0; i < 2; i++) {
    struct run_result *r = &m.run.results[2 + i];
    r->metrics[3].value = r->metrics[4].value = 5e3; /* half of the wavefronts, the conflicts */
  }
  findings_release(&f);
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  labels_of_steps(&labels, &n, &f);
  assert_int_equal(n, 2);
  assert_string_equal(labels[0].child, "c");
  assert_string_equal(labels[1].child, "d");
  assert_int_equal(labels[0].n_causes, 2);
  assert_string_equal(labels[0].causes[0], "bank-conflicts");
  assert_string_equal(labels[0].causes[1], "shared-memory");
  free(labels);
  struct label l;
  struct finding slow = f.items[2];
  slow.time = f.items[1].time;
  cured_of(&l, &f.items[1], &slow, &f.rates);
  assert_int_equal(l.n_causes, 0); /* what gained no more than its noise has no label, whatever moved */
  cured_of(&l, &f.items[1], &f.items[2], &f.rates);
  assert_int_equal(l.n_causes, 2);
  findings_release(&f);
}

/* b's 5,000 conflicts of 10,000 cycles go in half the cycles; what each other change leaves of the label. */
static void a_label_needs_a_part_of_what_fell(void **state) {
  (void)state;
  static const struct {
    double time_us, before, after, requests; /* conflicts of b and c; load requests of c, where b has 1,000 */
    const char *causes[2];
  } cases[] = {{60, 5e3, 0, 1e3, {"bank-conflicts", "shared-memory"}},
               {75.9, 5e3, 0, 1e3, {"bank-conflicts", "shared-memory"}},
               {76.1, 5e3, 0, 1e3, {NULL}}, /* 80 us less 5 % are 76 */
               {60, 510, 0, 1e3, {"bank-conflicts", "shared-memory"}},
               {60, 490, 0, 1e3, {"shared-memory"}}}; /* of 10,000 cycles less than 5 % */
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_run m;
    struct findings f;
    struct err e = {0};
    struct label l;
    made_begin(&m);
    m.device.sms = 10;
    rung(&m, "b", NULL, 80, cases[i].before);
    rung(&m, "c", "b", cases[i].time_us, cases[i].after);
    m.run.results[1].metrics[3].value = m.run.results[1].metrics[4].value = 5e3;
    assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
    cured_of(&l, &f.items[0], &f.items[1], &f.rates);
    size_t n = (cases[i].causes[0] != NULL) + (cases[i].causes[1] != NULL);
    assert_int_equal(l.n_causes, n);
    for (size_t k = 0; k < n; k++)
      assert_string_equal(l.causes[k], cases[i].causes[k]);
    findings_release(&f);
  }
}

/* 10,000 cycles of the L1 for 1,000 requests become 5,000: the same requests lie closer, half of them lie as before. */
static void closer_lanes_are_told_by_cycles_a_request(void **state) {
  (void)state;
  for (int closer = 0; closer < 2; closer++) {
    static struct made_run m;
    struct findings f;
    struct err e = {0};
    struct label l;
    made_begin(&m);
    m.device.sms = 10;
    rung(&m, "b", NULL, 80, 0);
    rung(&m, "c", "b", 60, 0);
    for (int i = 0; i < 2; i++) {
      struct run_result *r = &m.run.results[i];
      r->metrics[4].value = 100;
      made_metric(r, "l1_load_requests", i && !closer ? 500 : 1000);
    }
    m.run.results[1].metrics[3].value = 5e3;
    assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
    cured_of(&l, &f.items[0], &f.items[1], &f.rates);
    assert_int_equal(l.n_causes, closer);
    assert_true(!closer || strcmp(l.causes[0], "uncoalesced") == 0);
    findings_release(&f);
  }
}

/* DRAM is full, which is right and promises nothing; of two right ones the number counts. */
static void stop_is_no_promise(void **state) {
  (void)state;
  for (int excess = 0; excess < 2; excess++) {
    static struct made_run m;
    struct findings f;
    struct score s;
    struct err e = {0};
    made_begin(&m);
    m.device.sms = 10;
    made_ceiling(&m, "dram_bw", 1e12, CEILING_MEASURED);
    for (int i = 0; i < 2; i++) {
      rung(&m, i ? "b" : "a", i ? "a" : NULL, i ? 50 : 100, 0);
      struct run_result *r = &m.run.results[i];
      r->metrics[3].value = r->metrics[4].value = 1;
      made_metric(r, "dram_read_bytes", i ? 48e6 : 96e6);
      made_metric(r, "dram_write_bytes", 0);
      r->bytes_minimal = excess ? 48e6 : 96e6;
    }
    assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
    const struct label label = {"a", "b", {"dram-saturated", "excess-dram-bytes"}, 2};
    score_make(&s, &f, &label, 1);
    assert_int_equal(s.entries[0].place, 1);
    assert_int_equal(s.entries[0].promised.present, excess);
    assert_int_equal(s.all.n_promised, excess);
    assert_int_equal(s.all.median_abs_error.present, excess);
    assert_true(!excess || (fabs(s.entries[0].promised.v - 0.5) < 1e-3 && fabs(s.all.median_abs_error.v) < 1e-3));
    score_release(&s);
    findings_release(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hits_and_errors),
                                     cmocka_unit_test(which_steps_are_scored),
                                     cmocka_unit_test(scores_by_hand),
                                     cmocka_unit_test(labels_of_a_file),
                                     cmocka_unit_test(labels_of_moved_counters),
                                     cmocka_unit_test(a_label_needs_a_part_of_what_fell),
                                     cmocka_unit_test(closer_lanes_are_told_by_cycles_a_request),
                                     cmocka_unit_test(stop_is_no_promise)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
