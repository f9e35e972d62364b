/* Where a result's time was counted, worked out by hand. */
#include "unit/made_diagnosis.h"

#include "analysis/ladder/cycles.h"

static struct cycle_account account(struct made_diagnosis *d, double sms) {
  struct cycle_account a;
  struct err e = {0};
  if (findings_make(&d->findings, &d->m.run, &d->m.device, &e))
    fail_msg("%s", e.text);
  cycle_account_of(&a, &d->findings.items[0], sms);
  findings_release(&d->findings);
  return a;
}

/* 10 SMs at 1 GHz, 100 us: the busiest works for 90, the mean for 80, of which its four schedulers issue in 30. */
static struct run_result *made_waits(struct made_diagnosis *d) {
  struct run_result *r = made(d);
  set(r, "sm_cycles_active", 8e5);
  set(r, "sm_cycles_active_max", 9e4);
  set(r, "issue_active", 12e5);
  set(r, "stall_long_scoreboard", 6e6);
  set(r, "stall_lg_throttle", 1e6);
  set(r, "stall_barrier", 2e6);
  set(r, "stall_wait", 1e6);
  set(r, "stall_selected", 12e5);    /* issues */
  set(r, "stall_not_selected", 5e6); /* another issues */
  return r;
}

static void waits_share_the_cycles_without_an_issue(void **state) {
  static const double want_us[CYCLE_USES] = {[CYCLES_ISSUE] = 30, [CYCLES_LOADS] = 35,  [CYCLES_BARRIER] = 10,
                                             [CYCLES_FIXED] = 5,  [CYCLES_UNEVEN] = 10, [CYCLES_NO_SM] = 10};
  static struct made_diagnosis d;
  (void)state;
  made_waits(&d);
  struct cycle_account a = account(&d, 10);
  assert_true(a.known && !a.reason);
  for (int k = 0; k < CYCLE_USES; k++)
    assert_true(fabs(1e6 * a.seconds[k] - want_us[k]) < 1e-9);
}

/* Each stall that is no issue has a use: of 50 us without one, all are its own. */
static void every_wait_has_a_use(void **state) {
  static const struct {
    const char *stall;
    enum cycle_use use;
  } cases[] = {{"stall_tex_throttle", CYCLES_LOADS},
               {"stall_short_scoreboard", CYCLES_SHARED},
               {"stall_mio_throttle", CYCLES_SHARED},
               {"stall_math_pipe_throttle", CYCLES_PIPE},
               {"stall_dispatch", CYCLES_PIPE},
               {"stall_no_instruction", CYCLES_FETCH},
               {"stall_branch_resolving", CYCLES_FETCH},
               {"stall_imc_miss", CYCLES_FETCH},
               {"stall_gmma", CYCLES_FIXED},
               {"stall_membar", CYCLES_OTHER},
               {"stall_drain", CYCLES_OTHER},
               {"stall_misc", CYCLES_OTHER},
               {"stall_sleeping", CYCLES_OTHER}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made_waits(&d);
    set(r, "stall_long_scoreboard", 0);
    set(r, "stall_lg_throttle", 0);
    set(r, "stall_barrier", 0);
    set(r, "stall_wait", 0);
    set(r, cases[i].stall, 3e6);
    struct cycle_account a = account(&d, 10);
    assert_true(a.known && fabs(1e6 * a.seconds[cases[i].use] - 50) < 1e-9);
  }
}

/* The counted run may be longer than the timed ones. */
static void start_and_end_hold_the_difference(void **state) {
  static struct made_diagnosis d;
  (void)state;
  set(made_waits(&d), "sm_cycles_active_max", 103e3);
  struct cycle_account a = account(&d, 10);
  assert_true(a.known && fabs(1e6 * a.seconds[CYCLES_NO_SM] + 3) < 1e-9);
  assert_true(fabs(1e6 * a.seconds[CYCLES_UNEVEN] - 23) < 1e-9);
}

static void what_is_not_counted_is_said(void **state) {
  static struct made_diagnosis d;
  (void)state;
  made(&d);
  struct cycle_account a = account(&d, 10);
  assert_true(!a.known && a.reason);
  made_waits(&d);
  a = account(&d, 0);
  assert_true(!a.known);
  assert_string_equal(a.reason, "no wait, no clock or no number of SMs is known");
  for (int k = 0; k < CYCLE_USES; k++)
    assert_true(a.seconds[k] == 0);
}

static void the_largest_are_named(void **state) {
  static const double none[CYCLE_USES] = {[CYCLES_LOADS] = 0.099, [CYCLES_ISSUE] = -0.099};
  static const double five[CYCLE_USES] = {
      [CYCLES_ISSUE] = 0.2, [CYCLES_LOADS] = -0.5, [CYCLES_PIPE] = 0.11, [CYCLES_FETCH] = 0.9, [CYCLES_NO_SM] = 0.3};
  enum cycle_use named[CYCLE_USES_NAMED];
  (void)state;
  assert_int_equal(cycle_uses_named(named, none), 0);
  assert_int_equal(cycle_uses_named(named, five), 3);
  assert_int_equal(named[0], CYCLES_FETCH);
  assert_int_equal(named[1], CYCLES_LOADS);
  assert_int_equal(named[2], CYCLES_NO_SM);
  for (int k = 0; k < CYCLE_USES; k++)
    assert_non_null(cycle_use_titles[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waits_share_the_cycles_without_an_issue),
      cmocka_unit_test(every_wait_has_a_use),
      cmocka_unit_test(start_and_end_hold_the_difference),
      cmocka_unit_test(what_is_not_counted_is_said),
      cmocka_unit_test(the_largest_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
