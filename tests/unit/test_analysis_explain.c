#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/ladder/explain.h"
#include "analysis/ladder/moved.h"
#include "unit/made_run.h"

static const struct shape ONE = {128, 1000, 1}; /* 128,000 elements */

/* Counts of one rung on 100 SMs at 1 GHz with 1 TB/s: issue needs inst / 400e9 s, DRAM needs dram / 1e12 s.  1000 warp cycles in all, so that
 * a stall of 600 is 60 % of them. */
struct counts {
  double time_us, inst, dram, long_scoreboard, barrier, not_selected;
  double sm_cycles; /* occupancy is 1000 / (sm_cycles * 64) */
  int registers;
};

static void add(struct made_run *m, const char *id, const char *parent, struct counts c) {
  struct run_result *r;
  made_variant(m, id, "made", parent);
  r = made_result(m, id, ONE);
  made_time(r, c.time_us * 1e3, 4);
  made_metric(r, "inst_executed", c.inst);
  made_metric(r, "dram_read_bytes", c.dram);
  made_metric(r, "dram_write_bytes", 0);
  made_metric(r, "warps_active", 1000);
  made_metric(r, "sm_cycles_active", c.sm_cycles);
  made_metric(r, "stall_selected", 1000 - c.long_scoreboard - c.barrier - c.not_selected - 10);
  made_metric(r, "stall_long_scoreboard", c.long_scoreboard);
  made_metric(r, "stall_barrier", c.barrier);
  made_metric(r, "stall_not_selected", c.not_selected);
  made_metric(r, "stall_wait", 10 + c.barrier / 1000); /* changes least: not among the three */
  r->n_launches = 1;
  r->launches[0] = (struct run_launch){.grid = {100, 1, 1}, .block = {128, 1, 1}, .registers = c.registers};
}

static void begin(struct made_run *m) {
  made_begin(m);
  m->device.sms = 100;
  m->device.warps_per_sm = 64;
  m->device.clock_max_hz = 1e9;
  made_ceiling(m, "dram_bw", 1e12, CEILING_DATASHEET);
}

/* 100 µs: issue 80, DRAM 50. */
static const struct counts ISSUE_BOUND = {100, 32e6, 50e6, 600, 100, 0, 31.25, 40};

static void explain(struct made_run *m, struct findings *f, struct step *s) {
  struct err e = {0};
  if (findings_make(f, &m->run, &m->device, &e) != 0 ||
      step_make(s, f, &m->variants[0], &m->variants[1], &ONE, 1, &e) != 0)
    fail_msg("%s", e.text);
}

static void sentence(struct made_run *m, const char *want) {
  struct findings f = {0};
  struct step s = {0};
  explain(m, &f, &s);
  assert_string_equal(s.at[0].sentence, want);
  step_release(&s);
  findings_release(&f);
}

static void pair(struct made_run *m, struct counts before, struct counts after) {
  begin(m);
  add(m, "p", NULL, before);
  add(m, "c", "p", after);
}

static void every_change_is_worked_out(void **state) {
  struct made_run m;
  struct findings f = {0};
  struct step s = {0};
  (void)state;
  /* 90 µs: issue 40, DRAM 60 (67 %). */
  pair(&m, ISSUE_BOUND, (struct counts){90, 16e6, 60e6, 300, 450, 150, 25, 50});
  m.variants[1].predicts = (char *)"inst < 0.6x; time > 1x";
  made_metric(&m.results[0], "pipe_fp64", 3e6);
  made_metric(&m.results[1], "pipe_fp64", 2e6);
  explain(&m, &f, &s);
  const struct step_at *at = &s.at[0];
  assert_float_equal(at->time.before.v, 100e-6, 1e-12);
  assert_float_equal(at->time.after.v, 90e-6, 1e-12);
  assert_float_equal(at->ratio.v, 0.9, 1e-9);
  assert_false(at->same);
  assert_string_equal(at->bound_before, "issue");
  assert_string_equal(at->bound_after, "dram");
  assert_float_equal(at->dram_bytes.after.v, 60e6, 1);
  assert_float_equal(at->inst_per_element.before.v, 250, 1e-9); /* 32e6 / 128,000 */
  assert_float_equal(at->inst_per_element.after.v, 125, 1e-9);
  assert_float_equal(at->registers.before.v, 40, 0);
  assert_float_equal(at->registers.after.v, 50, 0);
  assert_float_equal(at->occupancy.before.v, 0.5, 1e-9); /* 1000 / (31.25 * 64) */
  assert_float_equal(at->occupancy.after.v, 0.625, 1e-9);
  for (size_t i = 0; i < STEP_PIPES; i++)
    if (strcmp(step_pipes[i], "fp64") == 0) {
      assert_float_equal(at->pipes[i].before.v, 3e6, 0);
      assert_float_equal(at->pipes[i].after.v, 2e6, 0);
    } else {
      assert_false(at->pipes[i].before.present || at->pipes[i].after.present);
    }
  assert_int_equal(at->n_stalls, 3);
  assert_string_equal(at->stalls[0].reason, "barrier"); /* 35 points; then 30, then 15 */
  assert_string_equal(at->stalls[1].reason, "long_scoreboard");
  assert_string_equal(at->stalls[2].reason, "not_selected");
  assert_float_equal(at->stalls[0].share.before.v, 0.1, 1e-9);
  assert_float_equal(at->stalls[0].share.after.v, 0.45, 1e-9);
  assert_int_equal(at->judgements[0].verdict, JUDGED_CONFIRMED);
  assert_int_equal(at->judgements[1].verdict, JUDGED_REFUTED);
  /* The part of the time that a bound needs: 50 MB of 100 µs, 60 of 90, at 98 % of what is stated. */
  assert_float_equal(prediction_value(&f, at->parent, "bound_dram").v, 50 / 98.0, 1e-9);
  assert_float_equal(prediction_value(&f, at->child, "bound_dram").v, 60 / 98.0 / 0.9, 1e-9);
  assert_false(prediction_value(&f, at->child, "bound_drama").present);
  double sum = at->shares.rest_s;
  for (int g = 0; g < STEP_GROUPS; g++)
    sum += at->shares.seconds[g];
  assert_float_equal(sum, -10e-6, 1e-12);
  assert_true(at->shares.seconds[GROUP_INSTRUCTIONS] < 0);
  assert_true(at->shares.seconds[GROUP_DRAM] > 0);
  step_release(&s);
  findings_release(&f);
}

/* Only what is counted takes part: DRAM at 0.98 TB/s for plain loads, so that 98 MB are 100 µs. */
static void dram_only(struct made_run *m, double before_us, double before_mb, double after_us, double after_mb) {
  begin(m);
  const char *ids[] = {"p", "c"};
  double us[] = {before_us, after_us}, mb[] = {before_mb, after_mb};
  for (int i = 0; i < 2; i++) {
    made_variant(m, ids[i], "made", i ? "p" : NULL);
    struct run_result *r = made_result(m, ids[i], ONE);
    made_time(r, us[i] * 1e3, 4);
    made_metric(r, "dram_read_bytes", mb[i] * 1e6);
    made_metric(r, "dram_write_bytes", 0);
  }
}

static void the_largest_shares_are_named(void **state) {
  struct made_run m;
  (void)state;
  dram_only(&m, 100, 98, 50, 49);
  sentence(&m, "c is 2.00× faster than p (100 → 50.0 µs): DRAM bytes −50.0 µs (98 → 49 MB).");
  dram_only(&m, 100, 98, 60, 49); /* 10 of 40 µs less than the bytes say */
  sentence(&m, "c is 1.67× faster than p (100 → 60.0 µs): DRAM bytes −50.0 µs (98 → 49 MB), unexplained +10.0 µs.");
  dram_only(&m, 50, 49, 100, 98);
  m.results[0].n_launches = m.results[1].n_launches = 1;
  m.rest[0].launch = (struct run_launch){.grid = {1, 1, 1}, .block = {128, 1, 1}, .registers = 32};
  m.rest[1].launch = (struct run_launch){.grid = {1, 1, 1}, .block = {256, 1, 1}, .registers = 40};
  m.results[1].path = (char *)"cvt";
  sentence(&m, "c is 2.00× slower than p (50.0 → 100 µs): DRAM bytes +50.0 µs (49 → 98 MB); path: cvt, registers 32 → "
               "40, 128 → 256 threads per block.");
}

static void a_rest_of_over_half_is_no_explanation(void **state) {
  struct made_run m;
  (void)state;
  dram_only(&m, 100, 98, 50, 78.4); /* 20 of 50 µs */
  sentence(&m, "c is 2.00× faster than p (100 → 50.0 µs): cause not found; the counters show −20.0 µs of −50.0 µs.");
  dram_only(&m, 100, 98, 50, 73.01); /* 25.5 of 50 µs */
  sentence(&m, "c is 2.00× faster than p (100 → 50.0 µs): DRAM bytes −25.5 µs (98 → 73.0 MB), unexplained −24.5 µs.");
}

struct cycles {
  double active, most, issued, loads, wait; /* thousands: of an SM, mean and most; of a scheduler; of warps */
};

static void cycles_add(struct run_result *r, struct cycles c) {
  enum { SMS = 100, SCHEDULERS = 4 };
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "sm_cycles_active", 1e3 * c.active * SMS);
  made_metric(r, "sm_cycles_active_max", 1e3 * c.most);
  made_metric(r, "issue_active", 1e3 * c.issued * SMS * SCHEDULERS);
  made_metric(r, "stall_long_scoreboard", 1e3 * c.loads);
  made_metric(r, "stall_wait", 1e3 * c.wait);
}

/* Of 100 µs 20 issue, 60 wait for loads and 10 for results; of 50 it is 28, 10 and 7; what is left are 5 and 2.5 of uneven SMs and of start and end. */
static void without_a_cause_the_cycles_say_where(void **state) {
  struct made_run m;
  struct findings f = {0};
  struct step s = {0};
  (void)state;
  dram_only(&m, 100, 98, 50, 78.4); /* 20 of 50 µs */
  cycles_add(&m.results[0], (struct cycles){90, 95, 20, 60, 10});
  cycles_add(&m.results[1], (struct cycles){45, 47.5, 28, 10, 7});
  explain(&m, &f, &s);
  assert_string_equal(s.at[0].sentence,
                      "c is 2.00× faster than p (100 → 50.0 µs): cause not found; the counters show −20.0 µs of "
                      "−50.0 µs; counted as waits for loads −50.0 µs, issuing +8.00 µs.");
  assert_string_equal(s.why, "cause not found; the counters show 40 % of the gain; counted as waits for "
                             "loads 100 %, offset by issuing 16 %");
  double sum = 0;
  for (int k = 0; k < CYCLE_USES; k++)
    sum += s.at[0].cycles[k];
  assert_float_equal(sum, -50e-6, 1e-12);
  step_release(&s);
  findings_release(&f);
  dram_only(&m, 100, 98, 91, 98); /* 9 % may be the runs' own */
  cycles_add(&m.results[0], (struct cycles){90, 95, 20, 60, 10});
  cycles_add(&m.results[1], (struct cycles){85, 90, 20, 55, 10});
  sentence(&m, "c is 1.10× faster than p (100 → 91.0 µs): cause not found; the counters show +0.00 µs of "
               "−9.00 µs.");
}

static void noise_is_no_change(void **state) {
  struct made_run m;
  struct findings f = {0};
  struct step s = {0};
  struct counts c = ISSUE_BOUND;
  (void)state;
  c.time_us = 99.97; /* 99.97 + 0.016 >= 100 - 0.016 */
  pair(&m, ISSUE_BOUND, c);
  explain(&m, &f, &s);
  assert_true(s.at[0].same);
  assert_string_equal(s.at[0].sentence, "c: no measurable change against p (100 → 100 µs).");
  step_release(&s);
  findings_release(&f);
  c.time_us = 99.96;
  pair(&m, ISSUE_BOUND, c);
  explain(&m, &f, &s);
  assert_false(s.at[0].same);
  step_release(&s);
  findings_release(&f);
}

/* Beside a claim stand the causes of the change in time: bytes by 50 of 50 µs, by 25.5, and by 20, which is no explanation. */
static void the_causes_beside_a_claim(void **state) {
  static const double after_mb[] = {49, 73.01, 78.4};
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    struct made_run m;
    struct findings f = {0};
    struct step s = {0};
    dram_only(&m, 100, 98, 50, after_mb[i]);
    explain(&m, &f, &s);
    if (i < 2)
      assert_string_equal(s.at[0].causes, "DRAM bytes");
    else
      assert_null(s.at[0].causes);
    step_release(&s);
    findings_release(&f);
  }
}

/* Under 5 % of the time a cause is within the model's error. */
static void the_authors_chip_and_small_changes(void **state) {
  struct run_published published[] = {{.device = (char *)"H200"}, {.device = (char *)"B200"}};
  struct made_run m;
  struct findings f = {0};
  struct step s = {0};
  (void)state;
  dram_only(&m, 100, 98, 96, 94.08);
  m.run.device.name = (char *)"NVIDIA H200";
  m.variants[1].published = published;
  for (size_t n = 0; n <= 2; n++) {
    m.variants[1].n_published = n;
    explain(&m, &f, &s);
    assert_ptr_equal(s.published_on, n == 2 ? published[1].device : NULL);
    assert_null(s.at[0].causes);
    step_release(&s);
    findings_release(&f);
  }
}

static void what_is_absent_is_said(void **state) {
  struct made_run m;
  struct findings f = {0};
  struct step s = {0};
  struct err e = {0};
  static const struct shape other = {64, 64, 1};
  (void)state;
  pair(&m, ISSUE_BOUND, ISSUE_BOUND);
  m.results[0].n_metrics = m.results[1].n_metrics = 0;
  m.results[1].timing.n = 1;
  m.rest[1].samples_ns[0] = 50e3;
  sentence(
      &m, "c is 2.00× faster than p (100 → 50.0 µs): cause unknown, no counters were collected, so no bound is known.");
  m.results[0].check.verdict = VERDICT_WRONG;
  sentence(&m, "nothing to explain: p has no time (the result is wrong: a wrong kernel has no time).");

  pair(&m, ISSUE_BOUND, ISSUE_BOUND);
  m.variants[1].predicts = (char *)"inst < 1x";
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  assert_int_equal(step_make(&s, &f, &m.variants[0], &m.variants[1], &other, 1, &e), 0);
  assert_string_equal(s.at[0].sentence, "nothing to explain: p was not run at this shape.");
  assert_int_equal(s.at[0].judgements[0].verdict, JUDGED_UNKNOWN);
  assert_string_equal(s.at[0].judgements[0].absent, "p");
  step_release(&s);
  /* A rung predicts against its parent and nothing else. */
  assert_int_equal(step_make(&s, &f, &m.variants[1], &m.variants[1], &ONE, 1, &e), 0);
  assert_int_equal(s.predictions.n, 0);
  step_release(&s);
  m.variants[1].predicts = (char *)"inst << 1x";
  assert_int_equal(step_make(&s, &f, &m.variants[0], &m.variants[1], &ONE, 1, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "c: predicts: 'inst << 1x': "));
  step_release(&s);
  findings_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_change_is_worked_out),
      cmocka_unit_test(the_largest_shares_are_named),
      cmocka_unit_test(a_rest_of_over_half_is_no_explanation),
      cmocka_unit_test(without_a_cause_the_cycles_say_where),
      cmocka_unit_test(noise_is_no_change),
      cmocka_unit_test(the_causes_beside_a_claim),
      cmocka_unit_test(the_authors_chip_and_small_changes),
      cmocka_unit_test(what_is_absent_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
