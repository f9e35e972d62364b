/* All rules together: the order of advice, its caps, and what stands where no rule finds a
 * cause. */
#include "unit/made_diagnosis.h"

#include "analysis/advice/advice_order.h"

#include "analysis/model/time_model.h"

#include <stdio.h>

/* --- no cause --- */

static void waits_for_l2(struct made_diagnosis *d) {
  made_ceiling(&d->m, "l2_bw", 5e11, CEILING_MEASURED);
}

static void one_atomic_a_block(struct made_diagnosis *d) {
  made_ceiling(&d->m, "red_scattered", 1e6, CEILING_MEASURED);
}

static void one_wave(struct made_diagnosis *d) {
  d->m.results[0].launches->grid[0] = 40;
}

static const struct cause_case {
  void (*also)(struct made_diagnosis *d);
  const char *counter;
  double value;
  const char *dram; /* also counted at 40 MB; NULL: nothing else is */
  const char *rule, *sentence, *remedy;
  double saves_us;
} NO_CAUSES[] = {
    {NULL, "dram_read_bytes", 58.8e6, NULL, "dram-saturated", "no single cause found; bound by DRAM, 60 % of the time",
     "move fewer bytes: a narrower type, or fuse with the kernel that writes or reads them", 0},
    {waits_for_l2, "l2_read_bytes", 40e6, "dram_read_bytes", "l2-rereads",
     "no single cause found; bound by the L2, 80 % of the time",
     "larger tiles, so that each byte crosses the L2 fewer times", 0},
    {NULL, "l1_wavefronts", 11e5, NULL, "shared-memory",
     "no single cause found; bound by L1 and shared memory, all of the time",
     "keep values in registers; wider shared accesses", 0},
    {NULL, "l1_wavefronts", 5e5, NULL, "shared-memory",
     "no single cause found; bound by L1 and shared memory, 50 % of the time",
     "keep values in registers; wider shared accesses", 0},
    {one_atomic_a_block, "l2_atomic_sectors", 80, NULL, "atomics",
     "no single cause found; bound by atomics, 80 % of the time",
     "reduce within the block first, then one atomic per block", 0},
    /* 40 blocks of one wave start in 50 us: half of them in half */
    {one_wave, "fixed_ns", 50e3, NULL, "launch-bound", "no single cause found; bound by launching, 50 % of the time",
     "fuse launches, or do more per launch; a CUDA graph shortens the gaps between them, not the kernels", 50},
};

/* The L1's 50 us beside 40 of DRAM. */
static void a_cause_that_is_not_alone(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "l1_wavefronts", 5e5);
  set(r, "dram_read_bytes", 40e6);
  diagnose(&d);
  assert_string_equal(advised(&d, "shared-memory")->told.sentence,
                      "no single cause found; bound by L1 and shared memory, 50 % of the time");
  release(&d);
}

static void where_no_rule_finds_a_cause(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof NO_CAUSES / sizeof NO_CAUSES[0]; i++) {
    static struct made_diagnosis d;
    const struct cause_case *c = &NO_CAUSES[i];
    struct run_result *r = made(&d);
    set(r, c->counter, c->value);
    if (c->dram)
      set(r, c->dram, 40e6);
    if (c->also)
      c->also(&d);
    const struct advice *a = saves(&d, c->rule, c->saves_us);
    assert_int_equal(d.diagnosis.n, 1);
    assert_string_equal(a->told.sentence, c->sentence);
    assert_string_equal(a->told.remedy, c->remedy);
    assert_int_equal(a->told.n_evidence, 2);
    assert_string_equal(a->told.evidence[0].title, "share of the time");
    assert_string_equal(a->told.evidence[1].title, "modelled over measured time");
    assert_true(fabs(a->told.evidence[1].value.v - d.findings.items[0].bounds.explained.v) < 1e-9);
    release(&d);
  }
}

/* --- caps --- */

/* Half of 120 MB would be 50 us; 60 MB at 1 TB/s and the least of a launch remain. */
static void no_less_than_the_bytes_and_a_launch(void **state) {
  (void)state;
  static const struct { double launch_ns, fixed_ns, us; } cases[] = {{0, 500, 40}, {1000, 2000, 39}, {1000, 500, 39.5}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int declared = 0; declared < 2; declared++) {
      static struct made_diagnosis d;
      struct run_result *r = made(&d);
      if (cases[i].launch_ns > 0)
        made_ceiling(&d.m, "launch_ns", cases[i].launch_ns, CEILING_MEASURED);
      r->bytes_minimal = declared ? 30e6 : 60e6;
      r->bytes_declared = declared ? 60e6 : 0;
      set(r, "fixed_ns", cases[i].fixed_ns);
      set(r, "dram_read_bytes", 120e6);
      set(r, "dram_write_bytes", 0);
      const struct advice *a = saves(&d, "excess-dram-bytes", cases[i].us);
      assert_true(a->price.capped && fabs(a->price.high_s - a->price.saves_s) < 1e-9 &&
                  a->price.low_s < 0.51 * a->price.saves_s);
      release(&d);
    }
}

/* Nothing is declared, and lanes ask for a quarter of the 80 MB that DRAM reads: 20 MB stay, and less time than 80 need. */
static void fewer_bytes_go_below_drams_row(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "dram_write_bytes", 0);
  set(r, "dram_read_bytes", 80e6);
  set(r, "l2_read_bytes", 80e6);
  set(r, "l1_load_sectors", 80e6 / 32);
  set(r, "load_data_bytes", 20e6);
  assert_true(saves(&d, "uncoalesced", 75)->price.fewer_bytes);
  release(&d);
}

static void conflicts(struct run_result *r, double cycles) {
  set(r, "l1_wavefronts", 1e6);
  set(r, "shared_wavefronts", 1e6);
  set(r, "shared_bank_conflicts", cycles);
}

/* The L1's 100 us of 1e6 cycles beside 61.2 of DRAM: norm_3.130 is 106.4, and 63.2 where three tenths of the cycles stay.  40.6 us saved would be 59.4, less than
 * DRAM needs. */
static void no_less_than_the_rows_that_stay(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  conflicts(r, 7e5);
  set(r, "dram_write_bytes", 0);
  set(r, "dram_read_bytes", 60e6);
  const struct advice *a = saves(&d, "bank-conflicts", 100 - 60 / 0.98);
  assert_true(a->price.capped && a->price.cap == BOUND_DRAM && fabs(a->price.cap_s * 1e6 - 60 / 0.98) < 0.01);
  assert_true(fabs(a->price.high_s - a->price.saves_s) < 1e-12 && !a->price.fewer_bytes);
  release(&d);
}

/* 20 us start the blocks: sqrt(100^2 + 20^2) become sqrt(10^2 + 20^2), which saves 78.07.  1.49 times as much is more than all, but launching stays. */
static void an_interval_leaves_the_launch(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  conflicts(r, 9e5);
  set(r, "fixed_ns", 20e3);
  const struct advice *a = saves(&d, "bank-conflicts", 78.07);
  assert_true(!a->price.capped && fabs(a->price.high_s * 1e6 - 80) < 0.01);
  release(&d);
}

/* A thread's one load and starting its blocks take all of the time, and two waves of blocks can become one, with two elements a thread: both halve, and so does the time.  The
 * first of the two that ask for it says all of that, the other what is its own; together they save no more. */
static void the_same_change_counts_once(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT", NULL};
  static const double executed[] = {32e3, 32e3, 32e3};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, lines, executed);
  latencies(&d, 1000);
  set(r, "stall_long_scoreboard", 32e6);
  set(r, "fixed_ns", 60e3);
  diagnose(&d);
  const struct advice *blocks = advised(&d, "small-blocks"), *loads = advised(&d, "long-scoreboard");
  const struct advice *first = blocks < loads ? blocks : loads, *other = blocks < loads ? loads : blocks;
  assert_true(first->told.more_elements && other->told.more_elements);
  assert_true(fabs(first->price.saves_s * 1e6 - 50) < 0.1 && other->price.saves_s * 1e6 < 45);
  assert_true(fabs(d.diagnosis.together_s * 1e6 - 50) < 0.1);
  assert_non_null(strstr(blocks->told.remedy, "several elements per thread"));
  release(&d);
}

/* A block of 64 threads has a row: fewer blocks leave a row's instructions and barriers as they are. */
static void rows_are_no_more_elements(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R8, desc[UR4][R2.64]", "SHFL.BFLY PT, R5, R8, 0x1, 0x1f",
                                      "STG.E desc[UR4][R2.64], R5", "EXIT", NULL};
  static const double executed[] = {32e3, 32e3, 32e3, 32e3};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, lines, executed);
  r->launches->block[0] = 64;
  set(r, "fixed_ns", 60e3);
  diagnose(&d);
  const struct advice *blocks = advised(&d, "small-blocks");
  assert_false(blocks->told.more_elements);
  assert_non_null(strstr(blocks->told.remedy, "let one block do the work of several"));
  release(&d);
}

/* A naive product: loads take the L1 all of 100 us, and 64e3 FFMA would take the FMA pipe and as many slots 1.6 us each, together 1.6 x 2^(1/4.278) = 1.88.  Each of the
 * 80 KB that DRAM reads is in 102 products; of 1.1 MB each would be in 7, which fill no tile. */
static void a_product_may_reach_its_pipe(void **state) {
  (void)state;
  static const char *const lines[] = {
      "LDG.E R4, desc[UR4][R2.64]", "LDG.E R6, desc[UR4][R10.64]", "FFMA R8, R4, R6, R8", "@P0 BRA 0x0", "EXIT", NULL};
  static const double executed[] = {64e3, 64e3, 64e3, 64e3, 640};
  for (int few = 0; few < 2; few++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    made_ceiling(&d.m, "l2_bw", 5e12, CEILING_MEASURED);
    set(r, "l1_load_bytes", 16e6);
    set(r, "l1_load_requests", 128e3);
    set(r, "l1_wavefronts", 1e6);
    set(r, "l2_read_bytes", few ? 1.1e6 : 80e3);
    set(r, "dram_read_bytes", few ? 1.1e6 : 80e3);
    set(r, "pipe_fma", 64e3);
    set(r, "inst_executed", 256e3);
    diagnose(&d);
    const struct advice *a = advised(&d, "redundant-loads");
    if (few) {
      assert_true(a->told.roof_s == 0 && d.diagnosis.at_best_s == 0);
      assert_null(strstr(a->told.remedy, "at least"));
    } else {
      if (fabs(a->price.high_s * 1e6 - 98.12) > 0.05)
        fail_msg("%g", a->price.high_s * 1e6);
      assert_float_equal(d.diagnosis.at_best_s, a->price.high_s, 1e-12);
      assert_true(a->price.saves_s * 1e6 < 76 && d.diagnosis.together_s < a->price.high_s);
      assert_non_null(strstr(a->told.remedy, "at least 1.9 µs stay: the FMA pipe and DRAM"));
    }
    release(&d);
  }
}

/* Blocks on 5 of 10 SMs: 100 us of the busiest become 50 on all, and no spreading goes further. */
static void spreading_leaves_all_of_the_work(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->launches->grid[0] = 5;
  set(r, "sm_cycles_active", 5e5);
  set(r, "l1_wavefronts", 5e5);
  const struct advice *a = saves(&d, "small-grid", 50);
  assert_true(fabs(a->price.high_s * 1e6 - 50) < 0.01);
  release(&d);
}

/* The XU would need 120 us of 100: no row of this kernel, and none to stop at.  norm_4.278 of 120 and the L1's 100 is 131.07, of 120 and 30 120.07. */
static void a_row_that_cannot_be_caps_nothing(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  conflicts(r, 7e5);
  set(r, "pipe_xu", 6e5);
  assert_false(saves(&d, "bank-conflicts", 8.39)->price.capped);
  release(&d);
}

/* Issue takes 90 us, or 30, and wide loads 10: of 100 us the model would save half.  The remedy names all instructions and assumes that half of them go, which
 * takes half of what issuing takes, and no more than all of it. */
static void by_half_at_most(void **state) {
  (void)state;
  static const double issues_us[] = {90, 30};
  static const char *const lines[] = {"LDG.E.128 R8, desc[UR4][R2.64]", "BRA 0x20", "EXIT", NULL};
  for (size_t i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    double executed[] = {48000, issues_us[i] * 4e4, 1};
    code(&d, lines, executed);
    latencies(&d, 2e2 / 3);
    set(r, "inst_executed", issues_us[i] * 4e4);
    set(r, "pipe_alu", 0);
    set(r, "pipe_fma", 0);
    const struct advice *a = saves(&d, "issue-slots", issues_us[i] / 2);
    assert_true(!a->price.capped && fabs(a->told.most_high - issues_us[i] / 100) < 1e-9);
    release(&d);
  }
}

/* Of 100 us 3 are more than 2 %, and one is less. */
static void near_its_floor_a_kernel_needs_no_advice(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    r->bytes_declared = i ? 97e6 : 99e6;
    set(r, "l1_wavefronts", 5e5);
    diagnose(&d);
    assert_int_equal(d.diagnosis.n, i);
    assert_true(d.diagnosis.together_s == 0);
    release(&d);
  }
}

/* --- order --- */

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
    assert_true(i || strcmp(general->behind, "its saving and that of [bank-conflicts] overlap") == 0);
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

/* The L1 works for 40 of 100 us, or for 60, 30 of them for shared memory: advice on bytes that caches deliver again stands last.  That on DRAM's is second
 * where it works for 10, on 8 blocks and not on 10, one for each SM. */
static void bytes_yield_where_memory_is_idle(void **state) {
  static const struct {
    const char *rule;
    double l1_us, shared_us;
    unsigned blocks;
    size_t place;
  } cases[] = {
      {"redundant-loads", 40, 0, 10, 2},  {"redundant-loads", 60, 0, 10, 0},   {"redundant-loads", 60, 30, 10, 2},
      {"l2-rereads", 40, 0, 10, 2},       {"l2-rereads", 60, 0, 10, 0},        {"l2-rereads", 10, 0, 8, 2},
      {"excess-dram-bytes", 10, 0, 8, 1}, {"excess-dram-bytes", 10, 0, 10, 0}, {"excess-dram-bytes", 30, 0, 8, 0}};
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
    struct diagnosis order = {.items = items, .n = 3};
    const struct finding *f = &d.findings.items[0];
    struct rule_input in = {.all = &d.findings,
                            .f = f,
                            .pool = &d.diagnosis.pool,
                            .hot = &d.diagnosis.hot,
                            .time_s = 100e-6,
                            .work = f->bounds.work};
    advice_order(&order, &in);
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
  assert_string_equal(advised(&d, "occupancy")->behind, "its saving and that of [dependent-chain] overlap");
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
  assert_string_equal(advised(&d, "shared-memory")->behind, "its saving and that of [latency] overlap");
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

/* --- the code that is judged --- */

/* Of two kernels the second has more samples, and converts. */
static void the_kernel_with_the_most_samples_is_judged(void **state) {
  (void)state;
  for (int second = 0; second < 2; second++) {
    static struct made_diagnosis d;
    static struct run_instruction other[] = {{.offset = 0, .text = (char *)"FADD R4, R2, R3"},
                                             {.offset = 16, .text = (char *)"EXIT"}};
    static struct run_kernel kernels[2];
    static struct run_launch launches[2];
    static struct run_sample samples[2];
    static const char *const lines[] = {"I2F.S8 R4, R2", "EXIT", NULL};
    static const double executed[] = {1e5, 1};
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    kernels[0] = (struct run_kernel){.name = (char *)"other", .sass = other, .n_sass = 2};
    kernels[1] = d.kernel;
    d.module.kernels = kernels;
    d.module.n_kernels = 2;
    for (int i = 0; i < 2; i++) {
      launches[i] = *r->launches;
      launches[i].kernel = kernels[i].name;
      samples[i] = (struct run_sample){.kernel = i, .reason = (char *)"wait", .samples = i == second ? 20 : 10};
      d.counts[i].kernel = 1;
    }
    r->launches = launches;
    r->n_launches = 2;
    r->samples = samples;
    r->n_samples = 2;
    set(r, "pipe_xu", 2e5);
    diagnose(&d);
    assert_int_equal(diagnosis_find(&d.diagnosis, "conversions") != NULL, second);
    release(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(where_no_rule_finds_a_cause),
      cmocka_unit_test(a_cause_that_is_not_alone),
      cmocka_unit_test(no_less_than_the_bytes_and_a_launch),
      cmocka_unit_test(fewer_bytes_go_below_drams_row),
      cmocka_unit_test(no_less_than_the_rows_that_stay),
      cmocka_unit_test(an_interval_leaves_the_launch),
      cmocka_unit_test(the_same_change_counts_once),
      cmocka_unit_test(rows_are_no_more_elements),
      cmocka_unit_test(a_product_may_reach_its_pipe),
      cmocka_unit_test(spreading_leaves_all_of_the_work),
      cmocka_unit_test(a_row_that_cannot_be_caps_nothing),
      cmocka_unit_test(by_half_at_most),
      cmocka_unit_test(near_its_floor_a_kernel_needs_no_advice),
      cmocka_unit_test(larger_and_smaller_tiles_are_not_both_told),
      cmocka_unit_test(general_advice_yields_to_the_same_bound_alone),
      cmocka_unit_test(general_advice_yields_to_half_as_much),
      cmocka_unit_test(the_cause_is_named),
      cmocka_unit_test(what_binds_comes_first),
      cmocka_unit_test(a_busy_dram_follows_what_binds),
      cmocka_unit_test(registers_are_spared_by_all),
      cmocka_unit_test(launching_leads),
      cmocka_unit_test(bytes_yield_where_memory_is_idle),
      cmocka_unit_test(latency_yields_to_what_names_it),
      cmocka_unit_test(latency_of_which_nothing_is_left_goes),
      cmocka_unit_test(what_is_as_specific_overlaps),
      cmocka_unit_test(turns_come_before_what_is_general),
      cmocka_unit_test(what_nobody_can_price_has_a_place),
      cmocka_unit_test(the_kernel_with_the_most_samples_is_judged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
