/* All rules together: the caps of advice, and what stands where no rule finds a cause. */
#include "unit/made_diagnosis.h"

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

/* A warp's own chain stands above: larger blocks with more elements each save more than it, but are listed by what they save alone. */
static void the_same_change_below_other_advice(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT", NULL};
  static const double executed[] = {32e3, 32e3, 32e3};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, lines, executed);
  latencies(&d, 1000);
  set(r, "stall_long_scoreboard", 0);
  set(r, "stall_wait", 20e6);
  set(r, "stall_selected", 4e6);
  set(r, "fixed_ns", 60e3);
  diagnose(&d);
  const struct advice *chain = advised(&d, "latency"), *blocks = advised(&d, "small-blocks");
  assert_true(chain < blocks && blocks->price.saves_s > chain->price.saves_s);
  assert_true(blocks->rank_s > 10.5e-6 && blocks->rank_s < 11.5e-6); /* of 100 us */
  assert_string_equal(blocks->behind, "11 % if the advice above is done first");
  assert_null(chain->behind);
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
 * 80 KB that DRAM reads is in 102 products; of 1.1 MB each would be in 7, which fill no tile; and
 * a table in shared memory that its inputs look up is read as often by any tile. */
static void a_product_may_reach_its_pipe(void **state) {
  (void)state;
  static const char *const lines[] = {
      "LDG.E R4, desc[UR4][R2.64]", "LDG.E R6, desc[UR4][R10.64]", "FFMA R8, R4, R6, R8", "@P0 BRA 0x0", "EXIT", NULL};
  static const char *const look_ups[] = {"LDG.E R4, desc[UR4][R2.64]",
                                         "LDG.E R6, desc[UR4][R10.64]",
                                         "IMAD.SHL R5, R4, 0x4, RZ",
                                         "LDS R9, [R5]",
                                         "FFMA R8, R4, R6, R8",
                                         "@P0 BRA 0x0",
                                         "EXIT",
                                         NULL};
  static const double executed[] = {64e3, 64e3, 64e3, 64e3, 640},
                      of_look_ups[] = {64e3, 64e3, 64e3, 64e3, 64e3, 64e3, 640};
  enum { TILES, FEW, LOOK_UPS };
  for (int is = TILES; is <= LOOK_UPS; is++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    bool few = is == FEW;
    code(&d, is == LOOK_UPS ? look_ups : lines, is == LOOK_UPS ? of_look_ups : executed);
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
    if (is != TILES) {
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
      cmocka_unit_test(the_same_change_below_other_advice),
      cmocka_unit_test(rows_are_no_more_elements),
      cmocka_unit_test(a_product_may_reach_its_pipe),
      cmocka_unit_test(spreading_leaves_all_of_the_work),
      cmocka_unit_test(a_row_that_cannot_be_caps_nothing),
      cmocka_unit_test(by_half_at_most),
      cmocka_unit_test(near_its_floor_a_kernel_needs_no_advice),
      cmocka_unit_test(the_kernel_with_the_most_samples_is_judged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
