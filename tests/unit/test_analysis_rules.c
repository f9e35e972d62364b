/* The rules on runs made by hand, of which one resource takes the time: then a remedy saves what part of it goes, worked out beside it. */
#include "analysis/advice/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_run.h"

#include <math.h>

static const struct shape SHAPE = {128, 256, 1};
enum { SENTENCE_MAX = 160, LINES_MAX = 8 };

struct made_diagnosis {
  struct made_run m;
  struct findings findings;
  struct diagnosis diagnosis;
  struct run_instruction sass[LINES_MAX];
  struct run_kernel kernel;
  struct run_module module;
  struct run_count counts[LINES_MAX];
};

/* 10 SMs at 1 GHz, 100 us.  80 blocks of 8 warps in 2 whole waves, evenly spread: 320 warps are resident, so that 32e6 cycles of warps are 100 us of
 * each.  No bytes are declared, and no launch costs anything: a remedy may save all. */
static struct run_result *made(struct made_diagnosis *d) {
  struct made_run *m = &d->m;
  memset(d, 0, sizeof *d);
  made_begin(m);
  m->device.sm = 90;
  m->device.sms = 10;
  m->device.warps_per_sm = 64;
  m->device.regs_per_sm = 65536;
  m->device.smem_per_sm = 233472;
  m->device.smem_optin = 232448;
  m->device.clock_max_hz = 1e9;
  made_ceiling(m, "dram_bw", 1e12, CEILING_MEASURED);
  made_ceiling(m, "rate_alu", 64, CEILING_DATASHEET);
  made_ceiling(m, "rate_ffma", 128, CEILING_DATASHEET);
  made_ceiling(m, "rate_fp64", 64, CEILING_DATASHEET);
  made_ceiling(m, "rate_xu", 16, CEILING_DATASHEET);
  made_variant(m, "made", "made", NULL);
  struct run_result *r = made_result(m, "made", SHAPE);
  r->n_launches = 1;
  *r->launches = (struct run_launch){.grid = {80, 1, 1}, .block = {256, 1, 1}, .blocks_per_sm = 4, .registers = 32};
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "sm_cycles_active", 1e6);
  made_metric(r, "sm_cycles_active_max", 1e5);
  made_metric(r, "warps_active", 32e6);
  made_metric(r, "inst_executed", 1);
  made_time(r, 100e3, 5);
  return r;
}

static void set(struct run_result *r, const char *name, double value) {
  for (size_t i = 0; i < r->n_metrics; i++)
    if (strcmp(r->metrics[i].name, name) == 0) {
      r->metrics[i].value = value;
      return;
    }
  made_metric(r, name, value);
}

/* A kernel of these lines, each executed so often. */
static void code(struct made_diagnosis *d, const char *const *lines, const double *executed) {
  size_t n = 0;
  for (; lines[n]; n++) {
    d->sass[n] = (struct run_instruction){.offset = (uint32_t)(16 * n), .text = (char *)lines[n]};
    d->counts[n] = (struct run_count){.offset = (uint32_t)(16 * n),
                                      .executed = executed[n],
                                      .threads = 32 * executed[n],
                                      .global_sectors = -1,
                                      .global_sectors_ideal = -1,
                                      .shared_wavefronts = -1,
                                      .shared_wavefronts_ideal = -1};
  }
  d->kernel = (struct run_kernel){.name = (char *)"gemv", .sass = d->sass, .n_sass = n};
  d->module = (struct run_module){.kernels = &d->kernel, .n_kernels = 1};
  d->m.run.modules = &d->module;
  d->m.run.n_modules = 1;
  struct run_result *r = &d->m.results[0];
  r->module = 0;
  r->launches->kernel = d->kernel.name;
  r->counts = d->counts;
  r->n_counts = n;
}

static void diagnose(struct made_diagnosis *d) {
  struct err e = {0};
  if (findings_make(&d->findings, &d->m.run, &d->m.device, &e) ||
      diagnosis_make(&d->diagnosis, &d->findings, &d->findings.items[0], &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < d->diagnosis.n; i++) {
    const struct advice *a = &d->diagnosis.items[i];
    if (strlen(a->sentence) > SENTENCE_MAX || strlen(a->remedy) > SENTENCE_MAX || a->n_evidence == 0)
      fail_msg("%s: %s / %s", a->rule->name, a->sentence, a->remedy);
  }
}

static void release(struct made_diagnosis *d) {
  diagnosis_release(&d->diagnosis);
  findings_release(&d->findings);
}

static const struct advice *advised(const struct made_diagnosis *d, const char *rule) {
  const struct advice *a = diagnosis_find(&d->diagnosis, rule);
  if (!a)
    fail_msg("%s kept silent; first: %s", rule, d->diagnosis.n ? d->diagnosis.items[0].rule->name : "none");
  return a;
}

/* To 0.1 us: a resource a thousandth of the largest is not nothing in the model's norm. */
static const struct advice *saves(struct made_diagnosis *d, const char *rule, double us) {
  diagnose(d);
  const struct advice *a = advised(d, rule);
  if (fabs(a->saves_s * 1e6 - us) > 0.1)
    fail_msg("%s saves %.9g us, wanted %.9g", a->rule->name, a->saves_s * 1e6, us);
  return a;
}

static void silent(struct made_diagnosis *d, const char *rule) {
  diagnose(d);
  const struct advice *a = diagnosis_find(&d->diagnosis, rule);
  if (a)
    fail_msg("%s saves %.9g us and ought to keep silent", rule, a->saves_s * 1e6);
  release(d);
}

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
    {"divergence", {{"inst_executed", 2e6}, {"thread_inst_executed", 32e6}}, 50, "thread_inst_executed", 64e6},
    {"pipe", {{"pipe_alu", 16e5}}, 50, "pipe_alu", 0},
    /* nothing that a pipe executes: half of it is overhead */
    {"issue-slots", {{"inst_executed", 4e6}}, 50, "pipe_alu", 9e6},
    /* of 80 MB 8 are the least; the rest crosses the L2 a quarter as often: 54 MB go */
    {"l2-rereads", {{"l2_read_bytes", 80e6}, {"dram_read_bytes", 8e6}}, 67.5, "l2_read_bytes", 8e6},
    /* equal parts cost DRAM 1 / 0.85: 40 of 80 x 1.1765 remain */
    {"write-back",
     {{"dram_read_bytes", 40e6}, {"dram_write_bytes", 40e6}, {"l2_write_bytes", 0}},
     57.5,
     "l2_write_bytes",
     40e6},
    /* 1 MB in a quarter million sectors: an eighth is data */
    {"partial-sectors",
     {{"l2_write_bytes", 8e6}, {"store_data_bytes", 1e6}, {"l1_store_sectors", 250e3}, {"dram_write_bytes", 2e6}},
     87.5,
     "dram_write_bytes",
     5e5},
    /* the chain of a warp: 50 us of its instructions, 50 us at barriers */
    {"barrier", {{"stall_selected", 16e6}, {"stall_wait", 0}, {"stall_barrier", 16e6}}, 50, "stall_barrier", 0},
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
  assert_string_equal(a->sentence, "DRAM-bandwidth bound: 0.95 of 1.00 TB/s; long_scoreboard stalls are DRAM queueing");
  release(&d);
  r = made(&d);
  set(r, "dram_write_bytes", 0);
  set(r, "dram_read_bytes", 88e6); /* 89.8 us */
  silent(&d, "dram-saturated");
  r = made(&d);
  set(r, "dram_write_bytes", 0);
  set(r, "dram_read_bytes", 70e6); /* 71.4 us and a launch of 25: the time, but 70 % of the bandwidth */
  set(r, "fixed_ns", 25e3);
  silent(&d, "dram-saturated");
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

/* --- instructions --- */

static void sequences(void **state) {
  (void)state;
  static const char *const division[] = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "EXIT", NULL};
  static const char *const conversion[] = {"I2F.S8 R4, R2", "EXIT", NULL};
  static const char *const separate[] = {"FMUL R4, R2, R3", "FADD R5, R4, R5", "FFMA R6, R2, R3, R6", "EXIT", NULL};
  static const double each[] = {1e5, 1e5, 1, 1}, twice[] = {1e5, 1e5, 2e5, 1};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, division, each);
  set(r, "pipe_xu", 6e5); /* three a division: half */
  saves(&d, "integer-division", 50);
  release(&d);
  r = made(&d);
  code(&d, conversion, each);
  set(r, "pipe_xu", 2e5);
  saves(&d, "conversions", 50);
  assert_null(diagnosis_find(&d.diagnosis, "integer-division"));
  release(&d);
  r = made(&d);
  code(&d, separate, twice);
  set(r, "pipe_fma", 4e5);
  saves(&d, "non-fused-fp", 25);
  release(&d);
}

static void decoding(void **state) {
  (void)state;
  static const double spent[] = {39.8, 19};
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    set(r, "pipe_alu", 16e5);
    r->bytes_minimal = 1e6;
    r->flops = 2 * 32 * 8 * 16e5 / spent[i];
    if (i) {
      silent(&d, "decode-cost");
      continue;
    }
    assert_string_equal(saves(&d, "decode-cost", 50)->sentence,
                        "39.8 ALU instructions per 8 elements; the leanest known kernel takes 19.9");
    release(&d);
  }
}

/* A loop of a thousand instructions is 16 KB, one of two is not. */
static void instruction_cache(void **state) {
  (void)state;
  enum { LARGE = 1000 };
  static struct run_instruction large[LARGE];
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    static const char *const lines[] = {"FFMA R6, R2, R3, R6", "EXIT", NULL};
    static const double executed[] = {1, 1};
    code(&d, lines, executed);
    for (size_t k = 0; k < LARGE; k++)
      large[k] =
          (struct run_instruction){.offset = (uint32_t)(16 * k), .text = (char *)(k + 1 < LARGE ? lines[0] : lines[1])};
    if (i == 0) {
      d.kernel.sass = large;
      d.kernel.n_sass = LARGE;
    }
    set(r, "stall_selected", 16e6);
    set(r, "stall_wait", 0);
    set(r, "stall_no_instruction", 16e6);
    if (i) {
      silent(&d, "instruction-cache");
      continue;
    }
    saves(&d, "instruction-cache", 50);
    release(&d);
  }
}

/* --- loads --- */

/* 16 bytes a thread, 320 warps: 163,840 B; DRAM needs 1 us x 1 TB/s.  Of what the L1 delivers DRAM read all, or a tenth. */
static void loads_in_flight(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT", NULL};
  static const double executed[] = {32e3, 32e3, 1};
  static const double delivered[] = {1e3, 10e3}, kept[] = {0.16384, 16.0 / 128};
  static const char *const says[] = {
      "16 B in flight per thread (0.16 MiB on the chip) = 16 % of the 0.95 MiB that Little's law needs",
      "16 B in flight per thread (0.02 MiB on the chip) = 2 % of the 0.95 MiB that Little's law needs"};
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    made_ceiling(&d.m, "l1_latency_cycles", 1000, CEILING_MEASURED);
    made_ceiling(&d.m, "l2_latency_cycles", 1000, CEILING_MEASURED);
    made_ceiling(&d.m, "dram_latency_cycles", 1000, CEILING_MEASURED);
    set(r, "stall_long_scoreboard", 32e6);
    set(r, "l2_sectors", 1);
    set(r, "l2_sectors_hit", 0);
    set(r, "l2_read_bytes", 0); /* no bytes, no ramp */
    set(r, "l1_load_bytes", delivered[i]);
    set(r, "dram_read_bytes", 1e3);
    assert_string_equal(saves(&d, "long-scoreboard", 100 * (1 - kept[i]))->sentence, says[i]);
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
  assert_string_equal(saves(&d, "small-grid", 90)->sentence, "1 block on 10 SMs: 90 % of the chip is idle");
  release(&d);
  made(&d)->launches->grid[0] = 10;
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
  r->launches->grid[0] =
      48; /* 1.2 waves: a warp's chain C becomes 5/6 C twice, of whose C 2/3 more the tail is 0.462 */
  set(r, "stall_selected", 16e6);
  set(r, "stall_wait", 0);
  saves(&d, "tail", 100 * 0.308 / 1.308);
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
  } cases[] = {{80, 256, 128, 2, "registers", "fewer registers"},
               {640, 32, 16, 32, "most blocks an SM takes", "larger blocks"},
               {20, 256, 32, 4, "the grid", "more, smaller blocks"},
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
}

/* --- atomics --- */

/* 1,000 sectors are 1 us; the L1 takes 50.  What counts is where the samples stand. */
static void atomics_by_their_samples(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R8, desc[UR4][R2.64]",
                                      "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8", "EXIT", NULL};
  static const double executed[] = {1000, 1000, 1000};
  static const uint64_t at_red[] = {19, 40000};
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    static struct run_sample samples[2];
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    made_ceiling(&d.m, "red_scattered", 1e9, CEILING_MEASURED);
    samples[0] = (struct run_sample){.offset = 0, .reason = (char *)"long_scoreboard", .samples = 43902};
    samples[1] = (struct run_sample){.offset = 16, .reason = (char *)"lg_throttle", .samples = at_red[i]};
    r->samples = samples;
    r->n_samples = 2;
    set(r, "l1_wavefronts", 5e5);
    set(r, "l2_atomic_sectors", 1000);
    diagnose(&d);
    const struct advice *a = diagnosis_find(&d.diagnosis, "atomics");
    assert_int_equal(a != NULL, i);
    assert_true(!a || strstr(a->sentence, "few addresses; 48 % of warp samples wait for atomics"));
    release(&d);
  }
}

/* 24e6 of 32e6 cycles queue, and no sample says for what: 75 us of atomics, of which one a block, 80 of 60,000, remain. */
static void atomics_without_samples(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  made_ceiling(&d.m, "red_scattered", 1e9, CEILING_MEASURED);
  set(r, "l2_atomic_sectors", 60000);
  set(r, "stall_lg_throttle", 24e6);
  saves(&d, "atomics", 100 * (1 - 80.0 / 60000));
  release(&d);
}

/* --- all advice --- */

/* Of 1,000,000 cycles a quarter are sectors that go, half are conflicts: 0.75 x 0.5 remain. */
static void advice_together(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R8, desc[UR4][R2.64]", "EXIT", NULL};
  static const double executed[] = {1e5, 1};
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
  r->flops = 2 * 32 * 8 * 16e5 / 29.85; /* a third */
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
  assert_string_equal(d.diagnosis.items[0].sentence, "no single cause found; DRAM takes 100 % of the modelled time");
  release(&d);
}

/* 2000 x 1024: 1,024,000 bytes of A and 128,000 of its scales.  Each thread has a row, so that a load of one scale a lane touches 32 sectors. */
struct made_scales {
  struct made_diagnosis d;
  struct run_instruction sass[7];
  struct run_kernel kernel;
  struct run_module module;
  struct run_count counts[3];
  struct run_key step;
};

static struct run_result *made_with_scales(struct made_scales *m) {
  static const char *const lines[] = {"LDC.64 R2, c[0x0][0x210]",
                                      "LDC.64 R4, c[0x0][0x220]",
                                      "LDC.64 R6, c[0x0][0x228]",
                                      "LDG.E.128 R8, desc[UR4][R2.64]",
                                      "LDG.E.U8 R12, desc[UR4][R4.64]",
                                      "LDG.E.U8 R13, desc[UR4][R6.64]",
                                      "EXIT"};
  struct run_result *r = made(&m->d);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    m->sass[i] = (struct run_instruction){.offset = (uint32_t)(16 * i), .text = (char *)lines[i]};
  m->kernel = (struct run_kernel){.name = (char *)"gemv", .sass = m->sass, .n_sass = 7};
  m->module = (struct run_module){.kernels = &m->kernel, .n_kernels = 1};
  m->d.m.run.modules = &m->module;
  m->d.m.run.n_modules = 1;
  m->step = (struct run_key){(char *)"step", (char *)"kernel = gemv; grid = 1; block = 32"};
  m->d.m.variants[0].keys = &m->step;
  m->d.m.variants[0].n_keys = 1;
  m->counts[0] = (struct run_count){.offset = 48, .executed = 2000, .threads = 64000, .global_sectors = 32000};
  m->counts[1] = (struct run_count){.offset = 64, .executed = 4000, .threads = 128000, .global_sectors = 128000};
  m->counts[2] = (struct run_count){.offset = 80, .executed = 4000, .threads = 128000, .global_sectors = 4000};
  for (int i = 0; i < 3; i++) /* as if it were the least: the rule on all loads keeps out */
    m->counts[i].global_sectors_ideal = m->counts[i].global_sectors;
  r->launches->kernel = m->kernel.name;
  r->shape = (struct shape){2000, 1024, 1};
  r->module = 0;
  r->counts = m->counts;
  r->n_counts = 3;
  set(r, "l1_wavefronts", 620e3);
  return r;
}

static void scales_in_pieces(void **state) {
  (void)state;
  static struct made_scales m;
  made_with_scales(&m);
  /* 128,000 sectors where 4,000 hold them: 124,000 of 620,000 cycles of the L1 go. */
  const struct advice *a = saves(&m.d, "scale-loads", 20);
  assert_string_equal(a->sentence,
                      "loads of A's scales touch 32.0 times the sectors they fill, 78 % of all; 32 B per request "
                      "against 512 of A");
  assert_float_equal(a->evidence[0].value.v, 0.4, 1e-12); /* 4000 of 10000 requests */
  release(&m.d);
  set(made_with_scales(&m), "shared_wavefronts", 558e3); /* of 62,000 cycles for global memory no more can go */
  saves(&m.d, "scale-loads", 10);
  release(&m.d);
}

static void scales_that_cost_nothing(void **state) {
  (void)state;
  static struct made_scales m;
  made_with_scales(&m);
  m.counts[1].global_sectors = 4000; /* lanes along K: whole sectors, each once */
  silent(&m.d, "scale-loads");
  set(made_with_scales(&m), "inst_executed", 40e6); /* 1 ms of issue: 3,750 requests are nothing of it */
  silent(&m.d, "scale-loads");
}

static void scales_that_cannot_be_told(void **state) {
  (void)state;
  static struct made_scales m;
  made_with_scales(&m);
  m.step.value = (char *)"kernel = other; grid = 1; block = 32";
  silent(&m.d, "scale-loads");
  made_with_scales(&m);
  m.sass[1].text = (char *)"IADD3 R4, R2, c[0x0][0x220], RZ"; /* the address is of two pointers */
  silent(&m.d, "scale-loads");
  made_with_scales(&m);
  m.counts[1].threads = 64000; /* half of the scales came another way */
  silent(&m.d, "scale-loads");
  made_with_scales(&m);
  m.counts[2].global_sectors = -1;
  silent(&m.d, "scale-loads");
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

static void every_rule_has_a_name_of_its_own(void **state) {
  (void)state;
  for (size_t i = 0; i < n_rules; i++) {
    assert_ptr_equal(rule_find(rules[i].name), &rules[i]);
    assert_non_null(rules[i].judge);
    assert_int_equal(rules[i].change == NULL, strcmp(rules[i].name, "dram-saturated") == 0);
  }
  assert_null(rule_find("no-such-rule"));
  assert_ptr_equal(rule_find("redundant-b-loads"), rule_find("redundant-loads"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counters_alone),
      cmocka_unit_test(dram_says_stop),
      cmocka_unit_test(excess_bytes),
      cmocka_unit_test(sectors_over_the_least),
      cmocka_unit_test(sequences),
      cmocka_unit_test(decoding),
      cmocka_unit_test(instruction_cache),
      cmocka_unit_test(loads_in_flight),
      cmocka_unit_test(a_small_grid),
      cmocka_unit_test(uneven_work),
      cmocka_unit_test(few_warps),
      cmocka_unit_test(launches),
      cmocka_unit_test(atomics_by_their_samples),
      cmocka_unit_test(atomics_without_samples),
      cmocka_unit_test(advice_together),
      cmocka_unit_test(general_advice_yields),
      cmocka_unit_test(no_cause_found),
      cmocka_unit_test(scales_in_pieces),
      cmocka_unit_test(scales_that_cost_nothing),
      cmocka_unit_test(scales_that_cannot_be_told),
      cmocka_unit_test(without_time_or_counters_nothing_is_said),
      cmocka_unit_test(every_rule_has_a_name_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
