/* What every rule saves by its counters alone, the order of advice, and the table of rules: estimates worked out beside each. */
#include "analysis/advice/baseline.h"
#include "analysis/rules/saving.h"
#include "analysis/rules/static.h"
#include "unit/made_diagnosis.h"

#include <stdio.h>

/* What is set, what the rule saves of 100 us, and a counter whose value silences it. */
static const struct counter_case {
  const char *rule;
  struct {
    const char *name;
    double value;
  } set[5];
  double saves_us;
  const char *without;
  double silent_at;
} COUNTER_CASES[] = {
    /* 50,000 cycles of the data stage; a part of them goes */
    {"bank-conflicts",
     {{"l1_wavefronts", 5e4}, {"shared_wavefronts", 4e4}, {"shared_bank_conflicts", 3e4}},
     60,
     "shared_bank_conflicts",
     0},
    {"hot-atomics",
     {{"l1_wavefronts", 5e4},
      {"shared_wavefronts", 4e4},
      {"shared_bank_conflicts", 2e4},
      {"shared_atomic_wavefronts", 3e4},
      {"shared_atomic_conflicts", 2e4}},
     40,
     "shared_atomic_conflicts",
     0},
    {"shared-memory", {{"l1_wavefronts", 5e4}, {"shared_wavefronts", 4e4}}, 40, "shared_bank_conflicts", 4e4},
    {"spills",
     {{"l1_wavefronts", 5e4}, {"l1_load_sectors", 1e3}, {"local_load_sectors", 2e3}, {"local_store_sectors", 1e3}},
     75,
     NULL,
     0},
    /* 4 of 1 MB, each value used four times: (3 x 3/4) / 4 of the cycles go */
    {"redundant-loads",
     {{"l1_wavefronts", 8e5}, {"l1_load_bytes", 4e6}, {"dram_read_bytes", 1e6}},
     56.25,
     "l1_load_bytes",
     1e6},
    /* 1.6e6 x 32 / 64 cycles of fp64 become x 32 / 128 of fp32 */
    {"fp64", {{"pipe_fp64", 16e5}, {"pipe_fma", 0}}, 50, "pipe_fp64", 0},
    {"divergence", {{"inst_executed", 2e6}, {"thread_inst_executed", 24e6}}, 50, "thread_inst_executed", 48e6},
    {"pipe", {{"pipe_alu", 16e5}}, 50, "pipe_alu", 0},
    /* nothing that a pipe executes: half of it is overhead */
    {"issue-slots", {{"inst_executed", 4e6}, {"pipe_alu", 0}, {"pipe_fma", 0}}, 50, "pipe_alu", 9e6},
    /* of 80 MB 8 are the least; the rest crosses the L2 a quarter as often: 54 MB go */
    {"l2-rereads", {{"l2_read_bytes", 80e6}, {"dram_read_bytes", 8e6}}, 67.5, "l2_read_bytes", 8e6},
    /* equal parts cost DRAM 1 / 0.85: 40 of 80 x 1.1765 remain */
    {"write-back",
     {{"dram_read_bytes", 40e6}, {"dram_write_bytes", 40e6}, {"l2_write_bytes", 0}},
     57.5,
     "l2_write_bytes",
     40e6},
    /* 1 MB in a quarter million sectors, an eighth of 8 MB, which take 10 us; the other sectors, written in part, 140 */
    {"partial-sectors",
     {{"l2_write_bytes", 8e6}, {"store_data_bytes", 1e6}, {"l1_store_sectors", 250e3}, {"dram_write_bytes", 2e6}},
     100 * 14.0 / 15,
     "dram_write_bytes",
     5e5},
    /* the chain of a warp: 50 us of its instructions, 50 us at barriers */
    {"barrier", {{"stall_selected", 16e6}, {"stall_wait", 0}, {"stall_barrier", 16e6}}, 37.5, "stall_barrier", 0},
    /* 75 us of fixed latency, of which 25 stand beside 25 us of issuing; of 50 four chains leave a quarter */
    {"dependent-chain", {{"stall_selected", 8e6}, {"stall_wait", 24e6}}, 37.5, "stall_wait", 8e6},
    {"latency", {{"stall_selected", 32e6}, {"stall_wait", 0}}, 50, "stall_selected", 0},
    {"small-blocks", {{"fixed_ns", 40e3}}, 50, "fixed_ns", 0},
};

static void counters_alone(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof COUNTER_CASES / sizeof COUNTER_CASES[0]; i++) {
    const struct counter_case *c = &COUNTER_CASES[i];
    for (int quiet = 0; quiet < (c->without ? 2 : 1); quiet++) {
      static struct made_diagnosis d;
      struct run_result *r = made(&d);
      made_ceiling(&d.m, "l2_bw", 1e12, CEILING_MEASURED);
      made_ceiling(&d.m, "l2_write_bw", 1e11, CEILING_MEASURED);
      made_ceiling(&d.m, "l2_partial_sectors", 1.5625e9, CEILING_MEASURED);
      for (size_t k = 0; k < 5 && c->set[k].name; k++)
        set(r, c->set[k].name, c->set[k].value);
      if (quiet) {
        set(r, c->without, c->silent_at);
        silent(&d, c->rule);
        continue;
      }
      saves(&d, c->rule, c->saves_us);
      release(&d);
    }
  }
}

/* Five times the warps that an SM holds: small-grid names the occupancy, and stands after what
 * does not, without a saving; alone it is not given. */
static void advice_on_what_cannot_be(void **state) {
  (void)state;
  for (int alone = 0; alone < 2; alone++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    r->launches->grid[0] = 1;
    set(r, "l1_wavefronts", 5e4);
    set(r, "sm_cycles_active", 1e5);
    if (!alone) {
      set(r, "shared_wavefronts", 4e4);
      set(r, "shared_bank_conflicts", 3e4);
    }
    diagnose(&d);
    if (alone) {
      assert_int_equal(d.diagnosis.n, 0);
      assert_string_equal(d.diagnosis.reason, "its counters are of launches that do unlike work, so no cause is told");
      assert_null(d.diagnosis.code); /* there is no code */
    } else {
      const struct advice *last = &d.diagnosis.items[d.diagnosis.n - 1];
      assert_false(d.diagnosis.items[0].doubted);
      assert_string_equal(last->rule->name, "small-grid");
      assert_true(last->doubted);
      assert_true(last->price.saves_s == 0 && last->price.high_s == 0);
      assert_string_equal(last->behind, "behind all that rests on no impossible value");
      for (size_t i = 0; i < last->told.n_evidence; i++)
        assert_int_equal(last->told.evidence[i].doubted,
                         strcmp(last->told.evidence[i].title, "achieved occupancy") == 0);
    }
    release(&d);
  }
}

/* An L1 that would need hundreds of times the time: advice may stand, and promises nothing. */
static void no_promise_of_what_cannot_be(void **state) {
  (void)state;
  for (int cannot = 0; cannot < 2; cannot++) {
    static struct made_diagnosis d;
    double most_s = 0;
    struct run_result *r = made(&d);
    set(r, "shared_wavefronts", 4e4);
    set(r, "shared_bank_conflicts", 3e4);
    set(r, "l1_wavefronts", cannot ? 1e11 : 5e4);
    diagnose(&d);
    for (size_t i = 0; i < d.diagnosis.n; i++)
      most_s = fmax(most_s, d.diagnosis.items[i].price.high_s);
    assert_true(d.diagnosis.n > 0 && (most_s > 0) != cannot && (d.diagnosis.together_s > 0) != cannot);
    release(&d);
  }
}

/* 0.4 % is printed as none, and is no evidence. */
static void nought_is_no_evidence(void **state) {
  (void)state;
  for (int some = 0; some < 2; some++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    bool told = false;
    set(r, "l1_wavefronts", 5e5);
    set(r, "shared_wavefronts", 4e5);
    set(r, "stall_mio_throttle", some ? 0.006 * 32e6 : 0.004 * 32e6);
    diagnose(&d);
    const struct advice *a = advised(&d, "shared-memory");
    for (size_t i = 0; i < a->told.n_evidence; i++)
      told |= strstr(a->told.evidence[i].title, "MIO throttle") != NULL;
    assert_int_equal(told, some);
    release(&d);
  }
}

/* Of 1,000,000 cycles a quarter are sectors that go, half are conflicts: 0.75 x 0.5 remain. */
static void advice_together(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R8, desc[UR4][R2.64]", "LDS R4, [R5]", "EXIT", NULL};
  static const double executed[] = {1e5, 1, 1};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, lines, executed);
  d.counts[0].global_sectors = 300e3;
  d.counts[0].global_sectors_ideal = 50e3;
  set(r, "l1_wavefronts", 1e6);
  set(r, "shared_wavefronts", 5e5);
  set(r, "shared_bank_conflicts", 5e5);
  saves(&d, "bank-conflicts", 50);
  assert_int_equal(d.diagnosis.n, 2);
  assert_string_equal(d.diagnosis.items[1].rule->name, "uncoalesced");
  assert_true(fabs(d.diagnosis.items[1].price.saves_s * 1e6 - 25) < 0.1);
  assert_true(fabs(d.diagnosis.together_s * 1e6 - 62.5) < 0.1);
  release(&d);
}

/* The ALU's half is more than what leaner decoding gives, which says why. */
static void general_advice_yields(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "pipe_alu", 16e5);
  r->bytes_minimal = 1e6;
  r->flops = 2 * 32 * 8 * 16e5 / 23.4; /* of which 15.6 remain: a third goes */
  saves(&d, "decode-cost", 100.0 / 3);
  assert_string_equal(d.diagnosis.items[0].rule->name, "decode-cost");
  assert_string_equal(d.diagnosis.items[1].rule->name, "pipe");
  release(&d);
}

/* Three fifths of the time are DRAM's, and nothing is known to be wrong. */
static void no_cause_found(void **state) {
  (void)state;
  static struct made_diagnosis d;
  set(made(&d), "dram_read_bytes", 58.8e6);
  diagnose(&d);
  assert_int_equal(d.diagnosis.n, 1);
  assert_string_equal(d.diagnosis.items[0].told.sentence, "no single cause found; bound by DRAM, 60 % of the time");
  assert_false(d.diagnosis.items[0].told.stop);
  release(&d);
}

static void without_time_or_counters_nothing_is_said(void **state) {
  (void)state;
  static struct made_diagnosis d;
  made(&d)->timing.n = 0;
  diagnose(&d);
  assert_int_equal(d.diagnosis.n, 0);
  assert_string_equal(d.diagnosis.reason, "there are no timing samples");
  release(&d);
  made(&d)->n_metrics = 0;
  diagnose(&d);
  assert_int_equal(d.diagnosis.n, 0);
  assert_string_equal(d.diagnosis.reason, "no counters were collected, so no bound is known");
  release(&d);
}

/* What binds may be named without a price: it stands where a quarter of the time would, behind what saves more. */
static void named_without_a_price(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, (const char *const[]){"FFMA R4, R4, R6, R7", "@P0 BRA 0x0", "EXIT", NULL}, (const double[]){50, 50, 1});
  r->launches->grid[0] = 1;
  set(r, "stall_barrier", 16e6); /* all of 100 us, of which three quarters go */
  diagnose(&d);
  const struct advice *named = advised(&d, "small-grid"), *priced = &d.diagnosis.items[0];
  assert_string_equal(priced->rule->name, "barrier");
  assert_true(fabs(priced->price.saves_s - 75e-6) < 1e-12);
  assert_true(named->told.unpriced && named->price.saves_s == 0 && named->price.high_s == 0 && !named->told.stop);
  assert_true(fabs(named->rank_s - 25e-6) < 1e-12);
  release(&d);
}

/* What nothing was counted of has what its code shows, where the run holds the code. */
static void the_code_alone(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R6, desc[UR4][R4.64]", "@P0 BRA 0x0", "EXIT",
                                      NULL};
  static const double executed[] = {1, 1, 1, 1};
  static const struct {
    const char *launched;
    int module;
    bool counted, told;
    const char *stall; /* of all samples; NULL: there are none */
    bool spoken;
  } cases[] = {{"gemv", 0, false, true, NULL, true},    {"gemv", 0, false, true, "long_scoreboard", true},
               {"gemv", 0, false, true, "wait", false}, /* nothing waits for loads */
               {"gemv", 0, true, false, NULL, false},   {"gemv", -1, false, false, NULL, false},
               {"other", 0, false, false, NULL, false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    r->launches->kernel = (char *)cases[i].launched;
    r->module = cases[i].module;
    r->n_metrics = cases[i].counted ? r->n_metrics : 0;
    struct run_sample samples[] = {{.reason = (char *)cases[i].stall, .samples = 89},
                                   {.reason = (char *)"long_scoreboard", .samples = 9, .offset = 16}};
    r->samples = samples;
    r->n_samples = cases[i].stall ? 2 : 0;
    diagnose(&d);
    if ((d.diagnosis.code != NULL) != cases[i].told)
      fail_msg("case %zu", i);
    bool spoken = false;
    for (size_t k = 0; cases[i].told && k < d.diagnosis.code->n_advice; k++)
      spoken |= strcmp(d.diagnosis.code->advice[k].rule->name, "dependent-loads") == 0;
    if (spoken != cases[i].spoken)
      fail_msg("case %zu: advice on loads", i);
    r->samples = NULL;
    r->n_samples = 0;
    release(&d);
  }
}

/* A promise reaches down to what the remedy names, where that is less than its interval. */
static void what_is_named_is_the_least(void **state) {
  static struct made_diagnosis d;
  (void)state;
  set(made(&d), "stall_barrier", 16e6);
  diagnose(&d);
  struct rule_input in = {.all = &d.findings, .f = &d.findings.items[0], .time_s = d.findings.items[0].time.middle};
  rule_baseline(&in);
  struct advice a = {.rule = rule_find("barrier")}, less = {.rule = a.rule, .told.named_s = 1e-6},
                more = {.rule = a.rule};
  saving_fill(&a, &in);
  more.told.named_s = 1.1 * a.price.low_s;
  saving_fill(&less, &in);
  saving_fill(&more, &in);
  assert_true(a.price.low_s > 1e-6 && less.price.low_s == 1e-6 && more.price.low_s == a.price.low_s);
  assert_true(less.price.saves_s == a.price.saves_s && less.price.high_s == a.price.high_s);
  release(&d);
}

/* DRAM's 50 of 100 us, and nobody knows what the L2 took: that is not said to be what binds. */
static void of_a_part_of_the_counters_no_cause_is_told(void **state) {
  static const struct {
    const char *command, *remedy;
  } rows[] = {{NULL, ""},
              {"nvfp4-prof attach -- ./app", " (attach --two-runs has all)"},
              {"nvfp4-prof attach --two-runs -- ./app", ""},
              {"nvfp4-prof import ncu app.ncu-rep", " (ncu --set full has all)"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_diagnosis d;
    char reason[128];
    struct run_result *r = made(&d);
    d.m.run.command = (char *)rows[i].command;
    r->n_metrics = 0;
    made_metric(r, "sm_clock_hz", 1e9);
    made_metric(r, "dram_read_bytes", 50e6);
    made_metric(r, "dram_write_bytes", 0);
    made_absent(r, "l2_read_bytes", "its counters need 13 passes");
    diagnose(&d);
    assert_true(d.findings.items[0].bounds.partial);
    if (d.diagnosis.n)
      fail_msg("%s: %s", d.diagnosis.items[0].rule->name, d.diagnosis.items[0].told.sentence);
    snprintf(reason, sizeof reason, "what was counted names no cause, and a part of the counters is missing%s",
             rows[i].remedy);
    assert_string_equal(d.diagnosis.reason, reason);
    release(&d);
  }
}

/* 1 and 40 us of launching in 100, and nothing of memory is known: the first is no cause. */
static void launching_is_no_cause_by_being_all_that_is_known(void **state) {
  (void)state;
  for (int much = 0; much < 2; much++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    made_metric(r, "fixed_ns", much ? 40e3 : 1e3);
    made_absent(r, "dram_read_bytes", "not in the report");
    made_absent(r, "l1_wavefronts", "not in the report");
    made_ceiling(&d.m, "launch_ns", much ? 40e3 : 1e3, CEILING_MEASURED);
    diagnose(&d);
    assert_int_equal(d.findings.items[0].bounds.binding, BOUND_LAUNCH);
    assert_true(d.findings.items[0].bounds.partial);
    assert_int_equal(d.diagnosis.n, much);
    release(&d);
  }
}

static void every_rule_has_a_name_of_its_own(void **state) {
  (void)state;
  for (size_t i = 0; i < n_rules; i++) {
    assert_ptr_equal(rule_find(rules[i].name), &rules[i]);
    assert_non_null(rules[i].judge);
    assert_non_null(rules[i].change);
  }
  assert_null(rule_find("no-such-rule"));
  assert_ptr_equal(rule_find("redundant-b-loads"), rule_find("redundant-loads"));
}

/* A pass of advice_order.c looks for one rule of a kind. */
static void each_pass_has_its_rule(void **state) {
  static const enum rule_flag one_rule_has[] = {RULE_REMAINDER, RULE_FULL_DRAM, RULE_DRAM_QUEUE, RULE_BY_BLOCK_SIZE};
  (void)state;
  for (size_t k = 0; k < sizeof one_rule_has / sizeof one_rule_has[0]; k++) {
    size_t n = 0;
    for (size_t i = 0; i < n_rules; i++)
      n += (rules[i].flags & one_rule_has[k]) != 0;
    assert_int_equal(n, 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counters_alone),
      cmocka_unit_test(advice_on_what_cannot_be),
      cmocka_unit_test(no_promise_of_what_cannot_be),
      cmocka_unit_test(nought_is_no_evidence),
      cmocka_unit_test(what_is_named_is_the_least),
      cmocka_unit_test(advice_together),
      cmocka_unit_test(general_advice_yields),
      cmocka_unit_test(no_cause_found),
      cmocka_unit_test(without_time_or_counters_nothing_is_said),
      cmocka_unit_test(the_code_alone),
      cmocka_unit_test(named_without_a_price),
      cmocka_unit_test(of_a_part_of_the_counters_no_cause_is_told),
      cmocka_unit_test(launching_is_no_cause_by_being_all_that_is_known),
      cmocka_unit_test(every_rule_has_a_name_of_its_own),
      cmocka_unit_test(each_pass_has_its_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
