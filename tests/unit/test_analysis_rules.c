/* The rules on runs made by hand: the cause that is named first, and estimates worked out beside them. */
#include "analysis/advice/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_run.h"

#include <math.h>

static const struct shape SHAPE = {128, 256, 1}; /* 32768 elements */

struct made_diagnosis {
  struct made_run m;
  struct findings findings;
  struct diagnosis diagnosis;
};

/* 10 SMs at 1 GHz: S*f = 1e10 cycles a second.  100 us measured, of which 10 us are an empty kernel; 10 MB at 1 TB/s are 10 us, so that no
 * advice may promise less than 20 us.  80 blocks in 2 whole waves, evenly spread, schedulers half idle. */
static struct run_result *made(struct made_diagnosis *d) {
  struct made_run *m = &d->m;
  memset(d, 0, sizeof *d);
  made_begin(m);
  m->device.sm = 90;
  m->device.sms = 10;
  m->device.warps_per_sm = 64;
  made_ceiling(m, "dram_bw", 1e12, CEILING_MEASURED);
  made_ceiling(m, "rate_alu", 64, CEILING_DATASHEET);
  made_ceiling(m, "rate_fp64", 64, CEILING_DATASHEET);
  made_variant(m, "made", "made", NULL);
  struct run_result *r = made_result(m, "made", SHAPE);
  r->bytes_minimal = 10e6;
  r->flops = 65536;
  r->n_launches = 1;
  *r->launches = (struct run_launch){.grid = {80, 1, 1}, .block = {256, 1, 1}, .blocks_per_sm = 4};
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "gpu_time_ns", 100e3);
  made_metric(r, "fixed_ns", 10e3);
  made_metric(r, "dram_read_bytes", 10e6);
  made_metric(r, "dram_write_bytes", 0);
  made_metric(r, "sm_cycles_active", 1e6);
  made_metric(r, "sm_cycles_active_max", 1e5);
  made_metric(r, "issue_active", 2e6); /* of 4e6 scheduler cycles */
  made_metric(r, "warps_active", 32e6);
  made_metric(r, "inst_executed", 40000); /* 1 us of issue */
  made_time(r, 100e3, 5);
  return r;
}

static void diagnose(struct made_diagnosis *d) {
  struct err e = {0};
  if (findings_make(&d->findings, &d->m.run, &d->m.device, &e) ||
      diagnosis_make(&d->diagnosis, &d->findings, &d->findings.items[0], &e))
    fail_msg("%s", e.text);
}

static void release(struct made_diagnosis *d) {
  diagnosis_release(&d->diagnosis);
  findings_release(&d->findings);
}

static const struct advice *first(const struct made_diagnosis *d, const char *rule) {
  if (d->diagnosis.n == 0)
    fail_msg("no advice; wanted %s", rule);
  assert_string_equal(d->diagnosis.items[0].rule->name, rule);
  return &d->diagnosis.items[0];
}

static void assert_saves(const struct advice *a, double us) {
  if (fabs(a->saves_s * 1e6 - us) > 1e-6)
    fail_msg("%s saves %.9g us, wanted %.9g", a->rule->name, a->saves_s * 1e6, us);
}

/* As by the largest bound alone; that eight warps queue for it (analysis/model/overlap.h) changes less than 0.1 us. */
static void assert_saves_about(const struct advice *a, double us) {
  if (fabs(a->saves_s * 1e6 - us) > 0.1)
    fail_msg("%s saves %.9g us, wanted about %.9g", a->rule->name, a->saves_s * 1e6, us);
}

static void set(struct run_result *r, const char *name, double value) {
  for (size_t i = 0; i < r->n_metrics; i++)
    if (strcmp(r->metrics[i].name, name) == 0) {
      r->metrics[i].value = value;
      return;
    }
  made_metric(r, name, value);
}

static void a_full_dram_says_stop(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->bytes_minimal = 80e6;
  set(r, "dram_read_bytes", 80e6);       /* 80 us + 10 us of 100: 90 % */
  set(r, "stall_long_scoreboard", 24e6); /* which alone would be too few bytes in flight */
  diagnose(&d);
  const struct advice *a = first(&d, "dram-saturated");
  assert_true(a->stop);
  assert_true(a->saves_s == 0);
  assert_null(diagnosis_find(&d.diagnosis, "long-scoreboard"));
  release(&d);
}

static void waits_for_loads(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "stall_long_scoreboard", 16e6); /* half of the warps' cycles; half of the slots are idle: 25 us */
  diagnose(&d);
  const struct advice *a = first(&d, "long-scoreboard");
  assert_saves(a, 25);
  assert_false(a->capped);
  assert_non_null(strstr(a->sentence, "50 % of the warps' cycles wait for loads while DRAM has room"));
  release(&d);
}

static void an_estimate_is_capped_by_the_speed_of_light(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->launches->grid[0] = 1; /* 90 us by the blocks alone; 100 - (10 + 10) may be saved */
  diagnose(&d);
  const struct advice *a = first(&d, "small-grid");
  assert_saves(a, 80);
  assert_true(a->capped);
  assert_string_equal(a->sentence, "1 block on 10 SMs: at least 90 % of the chip has nothing to do");
  release(&d);
}

static void sectors_over_the_least(void **state) {
  (void)state;
  static struct made_diagnosis d;
  static struct run_count counts[2];
  struct run_result *r = made(&d);
  counts[0] = (struct run_count){.global_sectors = 700e3, .global_sectors_ideal = 150e3, .shared_wavefronts = -1};
  counts[1] = (struct run_count){.global_sectors = 100e3, .global_sectors_ideal = 50e3, .shared_wavefronts = -1};
  r->counts = counts;
  r->n_counts = 2;
  set(r, "stall_lg_throttle", 16e6); /* 100 us x 1/2 of the cycles x 1/2 idle x (1 - 200 / 800) = 18.75 us */
  diagnose(&d);
  assert_saves(first(&d, "uncoalesced"), 18.75);
  release(&d);
  counts[0].global_sectors = 150e3; /* 250 / 200 is under 1.3 */
  made(&d)->counts = counts;
  d.m.results[0].n_counts = 2;
  set(&d.m.results[0], "stall_lg_throttle", 16e6);
  diagnose(&d);
  assert_null(diagnosis_find(&d.diagnosis, "uncoalesced"));
  release(&d);
  counts[0].global_sectors = 700e3; /* 25.6 MB of 51.2 that DRAM reads, the rest by bulk copies: half of the waits */
  r = made(&d);
  r->counts = counts;
  r->n_counts = 2;
  set(r, "dram_read_bytes", 51.2e6);
  r->bytes_minimal = 51.2e6;
  set(r, "stall_lg_throttle", 16e6);
  diagnose(&d);
  assert_saves(diagnosis_find(&d.diagnosis, "uncoalesced"), 9.375);
  release(&d);
}

/* The swizzle of the cute ladder: every shared access conflicts, and yet the conflicts' cycles are a small part of the time. */
static void conflicts_cost_no_more_than_their_cycles(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "l1_wavefronts", 50000); /* 5 us */
  set(r, "shared_wavefronts", 40000);
  set(r, "shared_bank_conflicts", 30000); /* 3 us */
  set(r, "stall_short_scoreboard", 16e6); /* by the stalls alone: 100 x 1/2 x 1/2 x 3/4 = 18.75 us */
  diagnose(&d);
  const struct advice *a = diagnosis_find(&d.diagnosis, "bank-conflicts");
  assert_non_null(a);
  assert_saves(a, 3);
  release(&d);
}

static void double_precision(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "inst_executed", 2e6);
  set(r, "pipe_fp64", 16e5); /* 1.6e6 x 32 / 64 cycles / 1e10 = 80 us: the model is 90 us */
  diagnose(&d);
  /* Without them issue binds: 2e6 / 4e10 = 50 us, 60 us with the launch: 100 x (1 - 60/90) = 33.333 us. */
  assert_saves_about(first(&d, "fp64"), 100.0 / 3);
  release(&d);
}

/* Of a kernel without a declared problem it is not known how many elements it has. */
static void no_elements(void **state) {
  (void)state;
  for (int declared = 0; declared < 2; declared++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    set(r, "inst_executed", 3.4e6); /* 85 us of issue */
    if (!declared)
      r->shape = (struct shape){0};
    diagnose(&d);
    const struct advice *a = diagnosis_find(&d.diagnosis, "issue-slots");
    assert_non_null(a);
    assert_int_equal(strstr(a->sentence, "warp instructions an element") != NULL, declared);
    release(&d);
  }
}

static void decoding(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  /* 1.6e6 x 32 / 64 / 1e10 = 80 us of ALU, 50 us of issue; 32 x 8 x 1.6e6 / elements instructions for 8 elements, where 26 are needed. */
  set(r, "inst_executed", 2e6);
  set(r, "pipe_alu", 16e5);
  r->flops = 2 * 32 * 8 * 16e5 / 104; /* 104 for 8 elements: three quarters of them are too many */
  diagnose(&d);
  const struct advice *a = diagnosis_find(&d.diagnosis, "decode-cost");
  assert_non_null(a);
  /* Then 20 us of ALU and (2e6 - 1.2e6) / 4e10 = 20 us of issue: 100 x (1 - 30/90). */
  assert_saves_about(a, 200.0 / 3);
  release(&d);
}

static void uneven_work(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "sm_cycles_active_max", 2e5); /* 1e6 / (10 x 2e5) = 1/2 */
  set(r, "issue_active", 2e6);
  diagnose(&d);
  assert_saves(diagnosis_find(&d.diagnosis, "imbalance"), 50);
  release(&d);
  r = made(&d);
  set(r, "sm_cycles_active_max", 2e5);
  r->launches->grid[0] = 48; /* 1.2 waves: the second is a fifth full */
  diagnose(&d);
  assert_null(diagnosis_find(&d.diagnosis, "imbalance"));
  assert_saves(diagnosis_find(&d.diagnosis, "tail"), 50);
  release(&d);
  r = made(&d);
  set(r, "sm_cycles_active_max", 2e5);
  r->launches->grid[0] = 20; /* half a wave, two blocks on each SM: none of them comes last */
  diagnose(&d);
  assert_null(diagnosis_find(&d.diagnosis, "tail"));
  assert_saves(diagnosis_find(&d.diagnosis, "imbalance"), 50);
  release(&d);
}

/* Half of the warps' cycles wait, half of the slots are idle: 25 us.  DRAM needs 1000 cycles x 1 ns x 1 TB/s = 1 MB in flight; 40 blocks are resident. */
static void a_ring_of_bulk_copies(void **state) {
  (void)state;
  static const char *const lines[] = {"UBLKCP.S.G [UR22], [UR20], UR10, desc[UR4]", "EXIT"};
  static const long shared[] = {32768, 16384}; /* 1.31 MB, enough; 0.66 MB */
  for (int i = 0; i < 2; i++)
    for (int bulk = 0; bulk < 2; bulk++) {
      static struct made_diagnosis d;
      struct run_instruction sass[2];
      for (size_t k = 0; k < 2; k++)
        sass[k] = (struct run_instruction){.offset = (uint32_t)(16 * k), .text = (char *)lines[bulk ? k : 1]};
      struct run_kernel kernel = {.name = (char *)"gemv", .sass = sass, .n_sass = 2};
      struct run_module module = {.kernels = &kernel, .n_kernels = 1};
      struct run_result *r = made(&d);
      made_ceiling(&d.m, "dram_latency_cycles", 1000, CEILING_MEASURED);
      d.m.run.modules = &module;
      d.m.run.n_modules = 1;
      r->module = 0;
      r->launches->kernel = kernel.name;
      r->launches->smem_dynamic = shared[i];
      set(r, "stall_long_scoreboard", 16e6);
      set(r, "warps_active", 32e5 * 6); /* 30 % of the warps of an SM */
      diagnose(&d);
      const struct advice *a = diagnosis_find(&d.diagnosis, "long-scoreboard");
      assert_non_null(a);
      assert_true((strstr(a->sentence, "bulk copies have 1280 KiB of shared memory to fill and 977 KiB keep it busy") !=
                   NULL) == (bulk && i == 0));
      assert_true((strstr(a->remedy, "give the last rows to the blocks") != NULL) == (bulk && i == 0));
      assert_true((diagnosis_find(&d.diagnosis, "occupancy") != NULL) == !bulk);
      release(&d);
    }
}

static void waits_at_barriers(void **state) {
  (void)state;
  static struct made_diagnosis d;
  set(made(&d), "stall_barrier", 24e6); /* 100 x 3/4 x 1/2 */
  diagnose(&d);
  assert_saves(first(&d, "barrier"), 37.5);
  release(&d);
}

static void atomics_at_one_address(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "l2_atomic_sectors", 60000); /* 60 us at one a cycle */
  set(r, "stall_lg_throttle", 24e6);  /* 75 us */
  diagnose(&d);
  assert_saves(first(&d, "atomics"), 60);
  release(&d);
}

static void local_memory(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "l1_load_sectors", 1000);
  set(r, "local_load_sectors", 2000);
  set(r, "local_store_sectors", 1000);
  set(r, "stall_long_scoreboard", 16e6); /* 100 x 1/2 x 3/4 */
  diagnose(&d);
  assert_saves(first(&d, "spills"), 37.5);
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
  set(r, "l1_wavefronts", 620e3); /* 62 us: it binds */
  return r;
}

static const struct advice *scale_loads(struct made_scales *m) {
  diagnose(&m->d);
  return diagnosis_find(&m->d.diagnosis, "scale-loads");
}

static void scales_in_pieces(void **state) {
  (void)state;
  static struct made_scales m;
  made_with_scales(&m);
  /* 128,000 sectors where 4,000 hold them: 124,000 of 620,000 cycles of the L1 go, a fifth of its 62 us.  The model would give 17 us. */
  const struct advice *a = scale_loads(&m);
  assert_non_null(a);
  assert_saves(a, 12.4);
  assert_non_null(strstr(a->sentence, "touch 32.0 times the sectors that the scales fill, 78 % of"));
  assert_non_null(strstr(a->sentence, "bring 32 bytes a request where loads of A bring 512"));
  assert_float_equal(a->evidence[0].value.v, 0.4, 1e-12); /* 4000 of 10000 requests */
  release(&m.d);
  set(made_with_scales(&m), "shared_wavefronts", 558e3); /* of 62,000 cycles for global memory no more can go: 6.2 us */
  a = scale_loads(&m);
  assert_non_null(a);
  assert_saves(a, 6.2);
  release(&m.d);
  set(made_with_scales(&m), "inst_executed",
      2.4e6); /* 60 us of issue, 59.9 without 3,750 requests, are next: 72 us become 69.9 */
  a = scale_loads(&m);
  assert_non_null(a);
  assert_saves_about(a, 100 * (62 - 59.906) / 72);
  release(&m.d);
}

/* 124,000 sectors are 3.968 MB; the L2 reads 70 MB at 1 TB/s, and binds. */
static void scales_read_again_from_the_l2(void **state) {
  (void)state;
  static const double minimal[] = {10e6, 67e6}, gone_us[] = {3.968, 3}; /* 60 MB beyond the least, or 3 */
  for (int i = 0; i < 2; i++) {
    static struct made_scales m;
    struct run_result *r = made_with_scales(&m);
    made_ceiling(&m.d.m, "l2_bw", 1e12, CEILING_MEASURED);
    r->bytes_minimal = minimal[i];
    set(r, "dram_read_bytes", minimal[i]);
    set(r, "l2_read_bytes", 70e6);
    set(r, "l2_write_bytes", 0);
    const struct advice *a = scale_loads(&m);
    assert_non_null(a);
    assert_saves(a, gone_us[i]);
    release(&m.d);
  }
}

static void scales_that_cost_nothing(void **state) {
  (void)state;
  static struct made_scales m;
  made_with_scales(&m);
  m.counts[1].global_sectors = 4000; /* lanes along K: whole sectors, each once */
  assert_null(scale_loads(&m));
  release(&m.d);
  set(made_with_scales(&m), "inst_executed",
      3.4e6); /* 85 us of issue: 3,750 requests too many are a thousandth of it */
  assert_null(scale_loads(&m));
  release(&m.d);
}

static void scales_that_cannot_be_told(void **state) {
  (void)state;
  static struct made_scales m;
  made_with_scales(&m);
  m.step.value = (char *)"kernel = other; grid = 1; block = 32";
  assert_null(scale_loads(&m));
  release(&m.d);
  made_with_scales(&m);
  m.sass[1].text = (char *)"IADD3 R4, R2, c[0x0][0x220], RZ"; /* the address is of two pointers */
  assert_null(scale_loads(&m));
  release(&m.d);
  made_with_scales(&m);
  m.counts[1].threads = 64000; /* half of the scales came another way */
  assert_null(scale_loads(&m));
  release(&m.d);
  made_with_scales(&m);
  m.counts[2].global_sectors = -1;
  assert_null(scale_loads(&m));
  release(&m.d);
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
  for (size_t i = 0; i < n_rules; i++)
    assert_ptr_equal(rule_find(rules[i].name), &rules[i]);
  assert_null(rule_find("no-such-rule"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_full_dram_says_stop),
      cmocka_unit_test(waits_for_loads),
      cmocka_unit_test(an_estimate_is_capped_by_the_speed_of_light),
      cmocka_unit_test(sectors_over_the_least),
      cmocka_unit_test(conflicts_cost_no_more_than_their_cycles),
      cmocka_unit_test(double_precision),
      cmocka_unit_test(no_elements),
      cmocka_unit_test(decoding),
      cmocka_unit_test(uneven_work),
      cmocka_unit_test(a_ring_of_bulk_copies),
      cmocka_unit_test(waits_at_barriers),
      cmocka_unit_test(atomics_at_one_address),
      cmocka_unit_test(local_memory),
      cmocka_unit_test(scales_in_pieces),
      cmocka_unit_test(scales_read_again_from_the_l2),
      cmocka_unit_test(scales_that_cost_nothing),
      cmocka_unit_test(scales_that_cannot_be_told),
      cmocka_unit_test(without_time_or_counters_nothing_is_said),
      cmocka_unit_test(every_rule_has_a_name_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
