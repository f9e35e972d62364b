/* All rules together: the order of advice. */
#include "unit/made_diagnosis.h"

#include "analysis/advice/advice_order.h"

static const char *nth(const struct made_diagnosis *d, size_t i) {
  return i < d->diagnosis.n ? d->diagnosis.items[i].rule->name : "none";
}

/* The ALU and the L1 take 80 us each: conflicts, which are 0.45 of the L1's, say nothing of the
 * ALU, and leave shared memory's half behind them. */
static void general_advice_yields_to_the_same_bound_alone(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "pipe_alu", 16e5);
  set(r, "l1_wavefronts", 8e5);
  set(r, "shared_wavefronts", 8e5);
  set(r, "shared_bank_conflicts", 3.6e5);
  diagnose(&d);
  assert_string_equal(nth(&d, 0), "pipe");
  assert_string_equal(nth(&d, 1), "bank-conflicts");
  assert_string_equal(nth(&d, 2), "shared-memory");
  release(&d);
}

/* Conflicts are 0.3 of the L1's 100 us, the plain accesses' half 0.35: it yields.  At 0.1 and
 * 0.45 it does not. */
static void general_advice_yields_to_half_as_much(void **state) {
  (void)state;
  static const double conflicts[] = {3e5, 1e5};
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    set(r, "l1_wavefronts", 1e6);
    set(r, "shared_wavefronts", 1e6);
    set(r, "shared_bank_conflicts", conflicts[i]);
    diagnose(&d);
    assert_string_equal(nth(&d, 0), i ? "shared-memory" : "bank-conflicts");
    const struct advice *general = advised(&d, "shared-memory"), *telling = advised(&d, "bank-conflicts");
    assert_true(fabs(general->rank_s - (i ? general : telling)->price.saves_s) < 1e-12);
    assert_true(i || strcmp(general->behind,
                            "listed behind [bank-conflicts]: that is more specific, and their savings overlap") == 0);
    assert_true(!telling->behind && (!i || !general->behind));
    release(&d);
  }
}

/* Conflicts save three times what is general, and of the same: they are its cause, though it stands behind chains, which save a little less than it. */
static void the_cause_is_named(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "l1_wavefronts", 5e5);
  set(r, "shared_wavefronts", 5e5);
  set(r, "shared_bank_conflicts", 3e5);
  set(r, "stall_short_scoreboard", 20e6);
  set(r, "stall_selected", 1e6);
  set(r, "stall_wait", 7e6);
  diagnose(&d);
  assert_string_equal(nth(&d, 0), "bank-conflicts");
  assert_string_equal(nth(&d, 1), "dependent-chain");
  assert_string_equal(nth(&d, 2), "shared-memory");
  assert_string_equal(advised(&d, "shared-memory")->behind,
                      "largely the same saving as [bank-conflicts], which names the cause: do that first");
  release(&d);
}

/* The L1 takes 70 of 100 us and binds, a warp's chain 69: waits for shared memory are in both, four chains take from one alone. */
static void what_binds_comes_first(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "l1_wavefronts", 70e4);
  set(r, "shared_wavefronts", 70e4);
  set(r, "stall_short_scoreboard", 32e4);
  set(r, "stall_selected", 16e5);
  set(r, "stall_wait", 20e6);
  diagnose(&d);
  assert_int_equal(d.findings.items[0].bounds.binding, BOUND_L1);
  assert_string_equal(nth(&d, 0), "shared-memory");
  assert_string_equal(nth(&d, 1), "dependent-chain");
  assert_null(advised(&d, "shared-memory")->behind);
  release(&d);
}

/* 2 blocks of 256 threads with 128 registers fill an SM's, and its L1 reads all four times: outputs in registers would keep warps out.  32 registers keep none. */
static void registers_are_spared_by_all(void **state) {
  (void)state;
  for (int few = 0; few < 2; few++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    r->launches->registers = few ? 32 : 128;
    r->launches->blocks_per_sm = few ? 4 : 2;
    set(r, "l1_load_bytes", 80e6);
    set(r, "dram_read_bytes", 20e6);
    set(r, "l1_wavefronts", 75e4);
    set(r, "stall_selected", 8e6);
    set(r, "stall_wait", 14e6);
    set(r, "l1_load_sectors", 1000);
    set(r, "local_load_sectors", 400);
    set(r, "local_store_sectors", 0);
    diagnose(&d);
    assert_string_equal(
        advised(&d, "spills")->told.remedy,
        few ? "allow more registers (launch bounds, -maxrregcount), keep fewer values live, index arrays by constants"
            : "keep fewer values live, index arrays by constants; more registers (launch bounds, -maxrregcount) would let fewer warps in");
    assert_int_equal(diagnosis_find(&d.diagnosis, "occupancy") != NULL, !few);
    assert_true(strstr(advised(&d, "redundant-loads")->told.remedy,
                       few ? "several outputs per thread"
                           : "more outputs per thread take registers, and with them warps") != NULL);
    release(&d);
  }
}

/* DRAM is 82 % full, and of the L2's 95 us a half would go: that is on the row that binds. */
static void a_busy_dram_follows_what_binds(void **state) {
  (void)state;
  for (int busier = 0; busier < 2; busier++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    made_ceiling(&d.m, "l2_bw", busier ? 2.4e12 : 4e12, CEILING_MEASURED);
    set(r, "dram_read_bytes", 82e6);
    set(r, "l2_read_bytes", 228e6);
    diagnose(&d);
    assert_int_equal(d.findings.items[0].bounds.binding, busier ? BOUND_L2 : BOUND_DRAM);
    assert_string_equal(nth(&d, 0), busier ? "l2-rereads" : "dram-saturated");
    release(&d);
  }
}

static const struct advice *launched(struct made_diagnosis *d, double us) {
  struct run_result *r = made(d);
  r->launches->grid[0] = 1;
  set(r, "fixed_ns", 1e3 * us);
  made_ceiling(&d->m, "launch_ns", 1e3 * us, CEILING_MEASURED);
  set(r, "stall_selected", 1e5);
  set(r, "stall_wait", 35e4);
  diagnose(d);
  return diagnosis_find(&d->diagnosis, "launch-bound");
}

/* One block on 10 SMs; most of 100 us is launching, or the chain of a warp. */
static void launching_leads(void **state) {
  (void)state;
  static struct made_diagnosis d;
  const struct advice *a = launched(&d, 60), *small = advised(&d, "small-grid");
  assert_string_equal(nth(&d, 0), "launch-bound");
  assert_true(small->price.saves_s > a->price.saves_s);
  assert_string_equal(small->behind, "launch and ramp have most of the time");
  release(&d);
  launched(&d, 49);
  assert_string_not_equal(nth(&d, 0), "launch-bound");
  release(&d);
}

/* Puts advice on 100 us of what is in d into its order. */
static void order(struct made_diagnosis *d, struct advice *items, size_t n) {
  struct diagnosis all = {.items = items, .n = n};
  const struct finding *f = &d->findings.items[0];
  struct rule_input in = {.all = &d->findings,
                          .f = f,
                          .pool = &d->diagnosis.pool,
                          .hot = &d->diagnosis.hot,
                          .time_s = 100e-6,
                          .work = f->bounds.work};
  advice_order(&all, &in);
}

/* The L1 works for 40 of 100 us, or for 60, 30 of them for shared memory, so that loads do not have most of it: advice on bytes that caches deliver again stands last.  That on DRAM's is second
 * where it works for 10, on 8 blocks and not on 10, one for each SM. */
static void bytes_yield_where_memory_is_idle(void **state) {
  static const struct {
    const char *rule;
    double l1_us, shared_us;
    unsigned blocks;
    size_t place;
  } cases[] = {{"redundant-loads", 40, 0, 10, 2},   {"redundant-loads", 60, 0, 10, 0},
               {"redundant-loads", 60, 30, 10, 2},  {"redundant-loads", 60, 29, 10, 0},
               {"l2-rereads", 40, 0, 10, 2},        {"l2-rereads", 60, 0, 10, 0},
               {"l2-rereads", 10, 0, 8, 2},         {"excess-dram-bytes", 10, 0, 8, 1},
               {"excess-dram-bytes", 10, 0, 10, 0}, {"excess-dram-bytes", 30, 0, 8, 0}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    r->launches->grid[0] = cases[i].blocks;
    set(r, "l1_wavefronts", 1e4 * cases[i].l1_us);
    set(r, "shared_wavefronts", 1e4 * cases[i].shared_us);
    diagnose(&d);
    struct advice items[] = {{.rule = rule_find(cases[i].rule), .price = {.saves_s = 50e-6}, .rank_s = 50e-6},
                             {.rule = rule_find("long-scoreboard"), .price = {.saves_s = 40e-6}, .rank_s = 40e-6},
                             {.rule = rule_find("barrier"), .price = {.saves_s = 10e-6}, .rank_s = 10e-6}};
    order(&d, items, 3);
    for (size_t k = 0; k < 3; k++) {
      bool is = strcmp(items[k].rule->name, cases[i].rule) == 0;
      assert_int_equal(is, k == cases[i].place);
      assert_int_equal(items[k].behind != NULL, is && k > 0);
    }
    release(&d);
  }
}

/* The later of two has its other remedy, of two that want the same tiles none, and what has no other keeps its own. */
static void larger_and_smaller_tiles_are_not_both_told(void **state) {
  static const struct {
    int first, second;
    const char *other, *told;
  } cases[] = {{1, -1, "other", "other"}, {-1, 1, "other", "other"}, {1, 1, "other", "own"},
               {0, 1, "other", "own"},    {1, 0, "other", "own"},    {1, -1, NULL, "own"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static struct made_diagnosis d;
    made(&d);
    diagnose(&d);
    struct advice items[] = {{.rule = rule_find("barrier"), .price = {.saves_s = 10e-6}, .rank_s = 10e-6},
                             {.rule = rule_find("long-scoreboard"), .price = {.saves_s = 40e-6}, .rank_s = 40e-6}};
    struct diagnosis order = {.items = items, .n = 2};
    items[1].told = (struct told){.remedy = "own", .tiles = cases[i].first, .tiles_else = "other"};
    items[0].told = (struct told){.remedy = "own", .tiles = cases[i].second, .tiles_else = cases[i].other};
    const struct finding *f = &d.findings.items[0];
    struct rule_input in = {.all = &d.findings,
                            .f = f,
                            .pool = &d.diagnosis.pool,
                            .hot = &d.diagnosis.hot,
                            .time_s = 100e-6,
                            .work = f->bounds.work};
    advice_order(&order, &in);
    assert_string_equal(items[0].told.remedy, "own");
    assert_string_equal(items[1].told.remedy, cases[i].told);
    release(&d);
  }
}

/* What rests on a value that cannot be stands last, though it saves more, and whichever of the two was asked first. */
static void the_doubted_stand_last(void **state) {
  (void)state;
  for (size_t doubted = 0; doubted < 2; doubted++) {
    static struct made_diagnosis d;
    made(&d);
    diagnose(&d);
    struct advice items[] = {{.rule = rule_find("barrier"), .price = {.saves_s = 10e-6}, .rank_s = 10e-6},
                             {.rule = rule_find("long-scoreboard"), .price = {.saves_s = 10e-6}, .rank_s = 10e-6}};
    const struct rule *first = items[1 - doubted].rule;
    items[doubted].price.saves_s = items[doubted].rank_s = 40e-6;
    items[doubted].doubted = true;
    order(&d, items, 2);
    assert_ptr_equal(items[0].rule, first);
    assert_null(items[0].behind);
    assert_string_equal(items[1].behind, "behind all that rests on no impossible value");
    release(&d);
  }
}

/* A warp waits 75 us for its own results, of which four chains leave 37.5, beside 25 us of its instructions: latency's half of all 100 is
 * more, but half of the 62.5 that are left is 31.25. */
static void latency_yields_to_what_names_it(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "stall_selected", 8e6);
  set(r, "stall_wait", 24e6);
  diagnose(&d);
  assert_string_equal(nth(&d, 0), "dependent-chain");
  assert_string_equal(nth(&d, 1), "latency");
  assert_true(fabs(advised(&d, "latency")->price.saves_s * 1e6 - 50) < 0.1);
  assert_true(fabs(advised(&d, "latency")->rank_s * 1e6 - 31.25) < 0.1);
  assert_null(advised(&d, "dependent-chain")->behind);
  assert_string_equal(advised(&d, "latency")->behind, "31 % if all other advice is done first");
  release(&d);
}

/* Of a chain of 100 us four chains take 67.5.  Beside 90 us of the L1's, half of the 32.5 that
 * are left is worth less than 2 us; beside 50 us it is worth more. */
static void latency_of_which_nothing_is_left_goes(void **state) {
  (void)state;
  static const double wavefronts[] = {9e5, 5e5};
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    set(r, "stall_selected", 1.6e6);
    set(r, "stall_wait", 30.4e6);
    set(r, "l1_wavefronts", wavefronts[i]);
    diagnose(&d);
    assert_int_equal(d.findings.items[0].bounds.binding, BOUND_LATENCY);
    assert_string_equal(nth(&d, 0), "dependent-chain");
    assert_int_equal(diagnosis_find(&d.diagnosis, "latency") != NULL, i);
    release(&d);
  }
}

/* Half of a wave of blocks: twice as many halve a warp's chain of 100 us, four chains take 37.5
 * of its own 75 us.  A split over blocks names its cause as well as the chains do. */
static void what_is_as_specific_overlaps(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->launches->grid[0] = 20;
  set(r, "stall_selected", 8e6);
  set(r, "stall_wait", 24e6);
  diagnose(&d);
  assert_string_equal(nth(&d, 0), "dependent-chain");
  assert_string_equal(nth(&d, 1), "occupancy");
  assert_string_equal(advised(&d, "occupancy")->behind,
                      "listed behind [dependent-chain]: that is more specific, and their savings overlap");
  release(&d);
}

/* Of 100 us warps wait 50 for the tile that they load in turn and 37.5 for shared memory, of which half would go: the general advice saves more and yields, though
 * of the two rules it is the first. */
static void turns_come_before_what_is_general(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R8, desc[UR4][R4.64]",
                                      "STS [R2], R8",
                                      "BAR.SYNC.DEFER_BLOCKING 0x0",
                                      "LDS R9, [R6]",
                                      "BAR.SYNC.DEFER_BLOCKING 0x0",
                                      "@P0 BRA 0x0",
                                      "EXIT",
                                      NULL};
  static const double executed[] = {32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 320};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, lines, executed);
  set(r, "stall_long_scoreboard", 16e6);
  set(r, "stall_barrier", 4e6);
  set(r, "stall_short_scoreboard", 12e6);
  set(r, "l1_wavefronts", 5e5);
  set(r, "shared_wavefronts", 5e5);
  set(r, "stall_selected", 0);
  set(r, "stall_wait", 0);
  diagnose(&d);
  assert_string_equal(nth(&d, 0), "latency");
  assert_string_equal(nth(&d, 1), "shared-memory");
  assert_true(advised(&d, "latency")->price.saves_s < advised(&d, "shared-memory")->price.saves_s);
  assert_string_equal(advised(&d, "shared-memory")->behind,
                      "listed behind [latency]: that is more specific, and their savings overlap");
  release(&d);
}

/* 12 threads, of which 5 are active: what whole warps save is not told.  It stands where 12 of 32 lanes as active would have it: 5/8 of 100 us of issue. */
static void what_nobody_can_price_has_a_place(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->launches->block[0] = 12;
  set(r, "inst_executed", 4e6);
  set(r, "thread_inst_executed", 20e6);
  diagnose(&d);
  const struct advice *a = advised(&d, "partial-warps");
  assert_true(a->told.unpriced && a->price.saves_s == 0 && a->price.high_s == 0);
  assert_true(fabs(a->rank_s * 1e6 - 62.5) < 0.1);
  assert_string_equal(nth(&d, 0), "partial-warps");
  release(&d);
}

static void half_of_dram(const struct rule_input *in, struct workload *w) {
  w->dram_read = value_of(in->work.dram_read.v / 2);
}

static void none_of_dram(const struct rule_input *in, struct workload *w) {
  w->dram_read = in->work.dram_read;
}

/* No memory is half busy: what caches deliver again is told last, and not where DRAM sends it. */
static void what_dram_sends_again_does_not_yield(void **state) {
  (void)state;
  for (int dram = 0; dram < 2; dram++) {
    static struct made_diagnosis d;
    set(made(&d), "dram_read_bytes", 4e6);
    diagnose(&d);
    struct rule again = *rule_find("redundant-loads");
    again.change = dram ? half_of_dram : none_of_dram;
    struct advice items[] = {{.rule = &again, .price = {.saves_s = 50e-6}, .rank_s = 50e-6},
                             {.rule = rule_find("barrier"), .price = {.saves_s = 10e-6}, .rank_s = 10e-6}};
    order(&d, items, 2);
    assert_ptr_equal(items[dram ? 0 : 1].rule, &again);
    release(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(general_advice_yields_to_the_same_bound_alone),
      cmocka_unit_test(general_advice_yields_to_half_as_much),
      cmocka_unit_test(the_cause_is_named),
      cmocka_unit_test(what_binds_comes_first),
      cmocka_unit_test(registers_are_spared_by_all),
      cmocka_unit_test(a_busy_dram_follows_what_binds),
      cmocka_unit_test(launching_leads),
      cmocka_unit_test(bytes_yield_where_memory_is_idle),
      cmocka_unit_test(what_dram_sends_again_does_not_yield),
      cmocka_unit_test(larger_and_smaller_tiles_are_not_both_told),
      cmocka_unit_test(the_doubted_stand_last),
      cmocka_unit_test(latency_yields_to_what_names_it),
      cmocka_unit_test(latency_of_which_nothing_is_left_goes),
      cmocka_unit_test(what_is_as_specific_overlaps),
      cmocka_unit_test(turns_come_before_what_is_general),
      cmocka_unit_test(what_nobody_can_price_has_a_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
