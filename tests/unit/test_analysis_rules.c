/* The rules by counters, the order of advice, and the table: estimates worked out beside each. */
#include "analysis/signs/baseline.h"
#include "unit/made_diagnosis.h"

#include "analysis/advice/saving.h"
#include "analysis/advice/static.h"

/* --- counters alone --- */

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

/* --- bytes --- */

/* What an import lacks is not zero: 40 MB written to DRAM, and nobody counted what the kernel wrote. */
static void uncounted_writes_are_not_none(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "dram_read_bytes", 40e6);
  set(r, "dram_write_bytes", 40e6);
  for (size_t i = 0; i < r->n_metrics; i++)
    assert_string_not_equal(r->metrics[i].name, "l2_write_bytes");
  silent(&d, "write-back");
}

static void goes_on(struct made_diagnosis *d) {
  diagnose(d);
  assert_true(d->diagnosis.n > 0 && !d->diagnosis.items[0].stop);
  release(d);
}

static void dram_says_stop(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "dram_write_bytes", 0);
  set(r, "dram_read_bytes", 95e6); /* 0.95 of 1 TB/s; at a plain load's 0.98 TB/s 96.9 us */
  diagnose(&d);
  const struct advice *a = &d.diagnosis.items[0];
  assert_string_equal(a->rule->name, "dram-saturated");
  assert_true(a->stop && a->saves_s == 0);
  assert_string_equal(a->helps, "fewer bytes");
  assert_string_equal(a->sentence, "DRAM-bandwidth bound: 0.95 of 0.98 TB/s; long_scoreboard stalls are DRAM queueing");
  release(&d);
  r = made(&d);
  set(r, "dram_write_bytes", 0);
  set(r, "dram_read_bytes", 86e6); /* 87.8 us: 12.2 may be another's */
  goes_on(&d);
  r = made(&d);
  set(r, "dram_write_bytes", 0);
  set(r, "dram_read_bytes", 70e6); /* 71.4 us and a launch of 25: the time, but 70 % of the bandwidth */
  set(r, "fixed_ns", 25e3);
  goes_on(&d);
}

/* DRAM has 96.9 of 100 us; 81.6 beside a ramp of 9.8; 85.7 and no ramp, which is not all.
 * Conflicts are 70 of the L1's 100 us, of which what DRAM leaves can go: 3.1 us are less than the
 * 12 that the model errs by, 18.4 are more.  Waits for loads are DRAM's queue where it is full, or
 * where as many bytes can be in flight as it needs. */
static void what_stands_beside_a_full_dram(void **state) {
  (void)state;
  static const struct {
    double bytes, cycles, l2_bytes;
    const char *beside;
  } cases[] = {{95e6, 100, 0, "too small to be sure of"}, {80e6, 2000, 80e6, "beside DRAM"}, {84e6, 100, 0, NULL}};
  static const char *const lines[] = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "LDS R5, [R6]", "EXIT",
                                      NULL};
  static const double executed[] = {32e3, 32e3, 1, 1};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    latencies(&d, cases[i].cycles);
    set(r, "stall_long_scoreboard", 16e6);
    set(r, "dram_write_bytes", 0);
    set(r, "dram_read_bytes", cases[i].bytes);
    set(r, "l2_read_bytes", cases[i].l2_bytes);
    set(r, "l1_wavefronts", 1e6);
    set(r, "shared_wavefronts", 1e6);
    set(r, "shared_bank_conflicts", 7e5);
    diagnose(&d);
    const struct advice *conflicts = diagnosis_find(&d.diagnosis, "bank-conflicts");
    assert_non_null(conflicts);
    assert_int_equal(diagnosis_find(&d.diagnosis, "dram-saturated")->stop, cases[i].beside != NULL);
    if (cases[i].beside)
      assert_string_equal(conflicts->behind, cases[i].beside);
    else
      assert_null(conflicts->behind);
    assert_null(diagnosis_find(&d.diagnosis, "long-scoreboard"));
    release(&d);
  }
}

/* 0.837 of the time: what saves less than the 12 % that the model can tell stands behind, unless it moves fewer bytes. */
static void dram_is_nearly_full(void **state) {
  (void)state;
  static struct made_diagnosis d;
  const double minimal[] = {0, 80e6, 60e6};
  for (size_t i = 0; i < sizeof minimal / sizeof minimal[0]; i++) {
    struct run_result *r = made(&d);
    r->bytes_minimal = minimal[i];
    set(r, "dram_write_bytes", 0);
    set(r, "dram_read_bytes", 82e6);
    diagnose(&d);
    const struct advice *dram = diagnosis_find(&d.diagnosis, "dram-saturated");
    const struct advice *excess = diagnosis_find(&d.diagnosis, "excess-dram-bytes");
    assert_true(dram && !dram->stop && dram->unpriced);
    assert_true(dram == &d.diagnosis.items[i ? 1 : 0]);
    assert_true(i ? excess == &d.diagnosis.items[0] : !excess);
    release(&d);
  }
}

static void excess_bytes(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->bytes_minimal = 40e6;
  set(r, "dram_read_bytes", 80e6);
  set(r, "dram_write_bytes", 0);
  const struct advice *a = saves(&d, "excess-dram-bytes", 50);
  assert_false(a->capped);
  release(&d);
  for (int i = 0; i < 2;
       i++) { /* half of a full DRAM's bytes need not move: not all is done; a twentieth is beside the point */
    r = made(&d);
    r->bytes_minimal = i ? 91.2e6 : 48e6;
    set(r, "dram_read_bytes", 96e6);
    set(r, "dram_write_bytes", 0);
    saves(&d, "excess-dram-bytes", i ? 5 : 50);
    a = &d.diagnosis.items[i ? 0 : 1];
    assert_string_equal(a->rule->name, "dram-saturated");
    assert_int_equal(a->stop, i);
    assert_int_equal(a->helps != NULL, i);
    assert_non_null(strstr(a->remedy, i ? "stop" : "fewer bytes comes first"));
    assert_null(diagnosis_find(&d.diagnosis, "excess-dram-bytes")->behind);
    release(&d);
  }
  r = made(&d);
  r->bytes_minimal = 60e6; /* half of 100 us would be below 60 us */
  set(r, "dram_read_bytes", 120e6);
  set(r, "dram_write_bytes", 0);
  assert_true(saves(&d, "excess-dram-bytes", 40)->capped);
  release(&d);
}

static void sectors_over_the_least(void **state) {
  (void)state;
  static const double least[] = {200e3, 800e3};
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    static const char *const lines[] = {"LDG.E R8, desc[UR4][R2.64]", "EXIT", NULL};
    static const double executed[] = {1e5, 1};
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    d.counts[0].global_sectors = 800e3;
    d.counts[0].global_sectors_ideal = least[i];
    set(r, "l1_wavefronts", 800e3); /* 600,000 of them go */
    if (i) {
      silent(&d, "uncoalesced");
      continue;
    }
    assert_string_equal(saves(&d, "uncoalesced", 75)->sentence,
                        "global accesses touch 4.0 times the sectors that their bytes need");
    release(&d);
  }
}

/* --- values that cannot be --- */

/* Five times the warps that an SM holds: small-grid names the occupancy, and stands after what
 * does not, though it saves the most; alone it is not given. */
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
      assert_true(last->doubted && last->saves_s > d.diagnosis.items[0].saves_s);
      assert_string_equal(last->behind, "behind all that rests on no impossible value");
      for (size_t i = 0; i < last->n_evidence; i++)
        assert_int_equal(last->evidence[i].doubted, strcmp(last->evidence[i].title, "achieved occupancy") == 0);
    }
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
    for (size_t i = 0; i < a->n_evidence; i++)
      told |= strstr(a->evidence[i].title, "MIO throttle") != NULL;
    assert_int_equal(told, some);
    release(&d);
  }
}

/* --- the grid --- */

static void a_small_grid(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->launches->grid[0] = 1;
  set(r, "l1_wavefronts", 5e4);
  set(r, "sm_cycles_active", 1e5); /* of 10 SMs one works */
  set(r, "warps_active", 3.2e6);
  assert_string_equal(saves(&d, "small-grid", 90)->sentence, "1 block on 10 SMs: 90 % of the chip is idle");
  release(&d);
  r = made(&d);
  r->launches->grid[0] = 10; /* each SM has one */
  set(r, "stall_selected", 16e6);
  set(r, "stall_wait", 0);
  silent(&d, "small-grid");
}

static void uneven_work(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "l1_wavefronts", 4e5);
  set(r, "sm_cycles_active_max", 2e5); /* 1e6 / (10 x 2e5) = 1/2 */
  saves(&d, "imbalance", 50);
  assert_null(diagnosis_find(&d.diagnosis, "tail"));
  release(&d);
  r = made(&d);
  set(r, "stall_selected", 32e6); /* a warp's chain on the busiest SM is twice the mean */
  set(r, "stall_wait", 0);
  set(r, "sm_cycles_active_max", 2e5);
  saves(&d, "imbalance", 50);
  release(&d);
  r = made(&d);
  r->launches->grid[0] =
      48; /* 1.2 waves: a warp's chain C becomes 5/6 C twice, of whose C 2/3 more the tail is tail_c */
  set(r, "stall_selected", 16e6);
  set(r, "stall_wait", 0);
  double tail = model_fitted.tail * 2 / 3;
  saves(&d, "tail", 100 * tail / (1 + tail));
  assert_null(diagnosis_find(&d.diagnosis, "imbalance"));
  release(&d);
}

/* Twice the warps halve a warp's chain; the remedy follows from what keeps them out. */
static void few_warps(void **state) {
  (void)state;
  static const struct {
    unsigned grid, block;
    int registers, blocks_per_sm;
    const char *limit, *remedy; /* NULL: no more fit */
  } cases[] = {{80, 256, 128, 2, "registers", "at most 64 registers per thread (128 now) let 4 blocks into an SM"},
               {640, 32, 16, 32, "blocks per SM", "larger blocks"},
               {80, 256, 32, 8, NULL, NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    *r->launches = (struct run_launch){.grid = {cases[i].grid, 1, 1},
                                       .block = {cases[i].block, 1, 1},
                                       .blocks_per_sm = cases[i].blocks_per_sm,
                                       .registers = cases[i].registers};
    set(r, "stall_selected", 16e6);
    set(r, "stall_wait", 0);
    if (!cases[i].limit) {
      silent(&d, "occupancy");
      continue;
    }
    const struct advice *a = saves(&d, "occupancy", 50);
    assert_non_null(strstr(a->sentence, cases[i].limit));
    assert_non_null(strstr(a->remedy, cases[i].remedy));
    release(&d);
  }
}

static void launches(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  made_ceiling(&d.m, "launch_ns", 1000, CEILING_MEASURED);
  set(r, "fixed_ns", 1000);
  assert_non_null(strstr(saves(&d, "launch-bound", 50)->remedy, "CUDA graph"));
  release(&d);
  r = made(&d);
  made_ceiling(&d.m, "launch_ns", 1000, CEILING_MEASURED);
  set(r, "fixed_ns", 1000);
  set(r, "l1_wavefronts", 5e4); /* 5 us */
  silent(&d, "launch-bound");
  r = made(
      &d); /* nothing binds but 9 us of shared memory: of 4 launches of a us, starting no blocks, 3 go from 13 us */
  made_ceiling(&d.m, "launch_ns", 1000, CEILING_MEASURED);
  struct run_launch four[4] = {*r->launches, *r->launches, *r->launches, *r->launches};
  r->launches = four;
  r->n_launches = 4;
  set(r, "fixed_ns", 4000);
  set(r, "l1_wavefronts", 9e4);
  assert_string_equal(saves(&d, "launch-bound", 300.0 / 13)->sentence,
                      "launch and ramp take 4 % of 100.0 µs in 4 launches");
  release(&d);
}

/* --- all advice --- */

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
  assert_true(fabs(d.diagnosis.items[1].saves_s * 1e6 - 25) < 0.1);
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
  assert_string_equal(d.diagnosis.items[0].sentence, "no single cause found; bound by DRAM, 60 % of the time");
  assert_false(d.diagnosis.items[0].stop);
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

/* What binds may be named without a price: it stands where the idle part of the chip puts it, before what saves less. */
static void named_without_a_price(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, (const char *const[]){"FMUL R4, R4, R6", "@P0 BRA 0x0", "EXIT", NULL}, (const double[]){50, 50, 1});
  r->launches->grid[0] = 1;
  set(r, "stall_barrier", 16e6); /* 50 us, of which three quarters go */
  diagnose(&d);
  const struct advice *first = &d.diagnosis.items[0], *priced = advised(&d, "barrier");
  assert_string_equal(first->rule->name, "small-grid");
  assert_true(first->unpriced && first->saves_s == 0 && first->high_s == 0 && !first->stop);
  assert_true(fabs(first->rank_s - 90e-6) < 1e-12); /* 9 of 10 SMs */
  assert_true(priced->saves_s > 0 && priced->saves_s < 90e-6);
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
  struct advice a = {.rule = rule_find("barrier")}, less = {.rule = a.rule, .named_s = 1e-6}, more = {.rule = a.rule};
  saving_fill(&a, &in);
  more.named_s = 1.1 * a.low_s;
  saving_fill(&less, &in);
  saving_fill(&more, &in);
  assert_true(a.low_s > 1e-6 && less.low_s == 1e-6 && more.low_s == a.low_s);
  assert_true(less.saves_s == a.saves_s && less.high_s == a.high_s);
  release(&d);
}

/* DRAM's 50 of 100 us, and nobody knows what the L2 took: that is not said to be what binds. */
static void of_a_part_of_the_counters_no_cause_is_told(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->n_metrics = 0;
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "dram_read_bytes", 50e6);
  made_metric(r, "dram_write_bytes", 0);
  made_absent(r, "l2_read_bytes", "its counters need 13 passes");
  diagnose(&d);
  assert_true(d.findings.items[0].bounds.partial);
  if (d.diagnosis.n)
    fail_msg("%s: %s", d.diagnosis.items[0].rule->name, d.diagnosis.items[0].sentence);
  assert_string_equal(
      d.diagnosis.reason,
      "what was counted names no cause, and a part of the counters is missing (attach --two-runs has all)");
  release(&d);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counters_alone),
      cmocka_unit_test(uncounted_writes_are_not_none),
      cmocka_unit_test(dram_says_stop),
      cmocka_unit_test(what_stands_beside_a_full_dram),
      cmocka_unit_test(dram_is_nearly_full),
      cmocka_unit_test(excess_bytes),
      cmocka_unit_test(sectors_over_the_least),
      cmocka_unit_test(advice_on_what_cannot_be),
      cmocka_unit_test(nought_is_no_evidence),
      cmocka_unit_test(what_is_named_is_the_least),
      cmocka_unit_test(a_small_grid),
      cmocka_unit_test(uneven_work),
      cmocka_unit_test(few_warps),
      cmocka_unit_test(launches),
      cmocka_unit_test(advice_together),
      cmocka_unit_test(general_advice_yields),
      cmocka_unit_test(no_cause_found),
      cmocka_unit_test(without_time_or_counters_nothing_is_said),
      cmocka_unit_test(the_code_alone),
      cmocka_unit_test(named_without_a_price),
      cmocka_unit_test(of_a_part_of_the_counters_no_cause_is_told),
      cmocka_unit_test(every_rule_has_a_name_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
