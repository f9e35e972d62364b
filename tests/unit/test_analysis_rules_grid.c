/* Rules on how the work lies over warps, blocks, waves and SMs: estimates worked out beside each. */
#include "unit/made_diagnosis.h"

static const char *const LOAD[] = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT", NULL};
static const char *const CHAIN[] = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT", NULL};

/* A resident warp's 100 us of instructions in so many batches are shared by as many warps, up to a wave of 8 blocks an SM. */
static void work_is_shared_by_batches(void **state) {
  (void)state;
  static const struct {
    const char *rule;
    const char *const *lines;
    unsigned blocks;
    double batches, us; /* 0: silent */
  } cases[] = {
      {"small-grid", LOAD, 5, 1, 0}, /* other SMs take over, no warp's work shrinks */
      {"small-grid", LOAD, 5, 4, 75}, {"small-grid", LOAD, 5, 100, 93.75},       {"small-grid", CHAIN, 5, 4, 0},
      {"occupancy", LOAD, 20, 1, 0},  {"occupancy", LOAD, 20, 3, 100 * 2 / 3.0}, {"occupancy", LOAD, 20, 100, 75},
      {"occupancy", CHAIN, 20, 3, 0}, {"occupancy", LOAD, 80, 100, 0},           {"small-grid", LOAD, 10, 4, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    double warps = 8 * cases[i].blocks, sms = cases[i].blocks < 10 ? cases[i].blocks : 10;
    const double loads[] = {warps * cases[i].batches, warps * cases[i].batches, warps, 1};
    const double chained[] = {warps, warps * cases[i].batches, warps * cases[i].batches, warps};
    code(&d, cases[i].lines, cases[i].lines == LOAD ? loads : chained);
    latencies(&d, 1);
    r->launches->grid[0] = cases[i].blocks;
    r->launches->blocks_per_sm = 8;
    set(r, "sm_cycles_active", sms * 1e5);
    set(r, "warps_active", warps * sms * 1e4);
    set(r, "stall_selected", warps * 1e5);
    if (cases[i].us > 0) {
      const struct advice *a = saves(&d, cases[i].rule, cases[i].us);
      /* 5 of 80 blocks: more of them save more than the idle half of the SMs would */
      bool few_warps = strcmp(cases[i].rule, "small-grid") == 0;
      if (few_warps)
        assert_string_equal(a->told.sentence, "5 blocks of 8 warps on 10 SMs: 6 % of the warps that fit");
      for (size_t k = 0; k < a->told.n_evidence && few_warps; k++)
        assert_string_not_equal(a->told.evidence[k].title, "SM balance");
      release(&d);
    } else
      silent(&d, cases[i].rule);
  }
}

/* 15 blocks, of which 5 of 10 SMs have a second, where 80 fit: 25 us by evener SMs, less by more
 * warps, which even it out, too.  Of 50, which are more than half of them, each stands where it
 * saves. */
static void few_blocks_are_not_first_to_be_evened(void **state) {
  (void)state;
  for (int many = 0; many < 2; many++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    double balance = many ? 5 / 6.0 : 0.75;
    r->launches->grid[0] = many ? 50 : 15;
    r->launches->blocks_per_sm = 8;
    set(r, "sm_cycles_active", 1e6 * balance);
    set(r, "l1_wavefronts", 7e5);
    set(r, "stall_selected", many ? 15e6 : 5e6);
    set(r, "stall_wait", 0);
    diagnose(&d);
    size_t even = SIZE_MAX, warps = SIZE_MAX;
    for (size_t i = 0; i < d.diagnosis.n; i++) {
      even = strcmp(d.diagnosis.items[i].rule->name, "imbalance") == 0 ? i : even;
      warps = strcmp(d.diagnosis.items[i].rule->name, "occupancy") == 0 ? i : warps;
    }
    assert_true(even < d.diagnosis.n && warps < d.diagnosis.n);
    assert_true((even < warps) == many);
    if (!many)
      assert_string_equal(d.diagnosis.items[even].behind, "more blocks even this out, too: see [occupancy]");
    release(&d);
  }
}

/* One block on each of 5 SMs does 5 us of shared memory on each; 10 blocks of half as many warps do it in half the time. */
static void idle_sms_take_blocks(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->launches->grid[0] = 5;
  set(r, "sm_cycles_active", 5e5);
  set(r, "l1_wavefronts", 5e5);
  const struct advice *a = saves(&d, "small-grid", 50);
  assert_string_equal(a->told.sentence, "5 blocks on 10 SMs: 50 % of the chip is idle");
  release(&d);
}

/* The grid's limit is told apart from those of an SM. */
static void the_grid_limits_the_warps(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->launches->grid[0] = 20; /* half a wave, and no loads: twice the warps */
  set(r, "stall_selected", 16e6);
  set(r, "stall_wait", 0);
  const struct advice *a = saves(&d, "occupancy", 50);
  assert_string_equal(a->told.sentence, "20 blocks where 40 fit: the grid fills 50 % of one wave");
  assert_non_null(strstr(a->told.remedy, "more blocks"));
  release(&d);
}

/* 80 blocks in waves of 40, of which half a wave is resident.  Where starting takes all of the time a whole one halves a warp's chain, where it takes
 * half, 1.5 times the warps share it. */
static void slow_starts_leave_warps_out(void **state) {
  (void)state;
  for (int half = 0; half < 2; half++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    r->launches->grid[0] = 8000; /* what starts cost goes: a wave's are a 200th */
    set(r, "warps_active", 16e6);
    set(r, "stall_selected", 32e6); /* 200 us of a warp's chain */
    set(r, "stall_wait", 0);
    set(r, "fixed_ns", half ? 50e3 : 100e3);
    double chain = 200, starts = half ? 50 : 100, by = half ? 1.5 : 2, p = model_fitted.p;
    double before = pow(pow(chain, p) + pow(starts, p), 1 / p);
    double after = pow(pow(chain / by, p) + pow(starts / 200, p), 1 / p);
    saves(&d, "small-blocks", 100 * (1 - after / before));
    release(&d);
  }
}

/* 48 equal blocks, 4.8 an SM: 8 of 10 SMs have one more, 4.8 / 5 of the busiest SM's cycles.  In step, 2 x 40: 1.8 / 2.  44: 0.88 and
 * 0.7.  41: 4.1 / 5 and 1.1 / 2. */
static void what_the_last_wave_explains(void **state) {
  (void)state;
  static const struct {
    unsigned blocks;
    double max, tail_us, imbalance_us; /* cycles of the busiest SM */
  } cases[] = {{48, 1e5 / 0.96, 4, 0},   {48, 1e5 / 0.48, 4, 50}, {44, 1e5 / 0.44, 12, 50}, {44, 1e5 / 0.9, 10, 0},
               {41, 1e5 / 0.41, 18, 50}, {48, 1e5, 0, 0},         {40, 1e5 / 0.5, 0, 50},   {80, 1e5 / 0.5, 0, 50}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int tail = 0; tail < 2; tail++) {
      static struct made_diagnosis d;
      struct run_result *r = made(&d);
      double us = tail ? cases[i].tail_us : cases[i].imbalance_us;
      r->launches->grid[0] = cases[i].blocks;
      set(r, "l1_wavefronts", 4e5);
      set(r, "sm_cycles_active_max", cases[i].max);
      if (us > 0) {
        saves(&d, tail ? "tail" : "imbalance", us);
        release(&d);
      } else
        silent(&d, tail ? "tail" : "imbalance");
    }
}

/* A grid of half a wave: what pairs of loads save of a warp is nearer at hand than twice the warps, unless it is less than half as much. */
static void a_thread_does_what_it_can(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT", NULL};
  static const double executed[] = {16e3, 16e3, 1};
  static const double issued[] = {4e6, 20e6}; /* 25 and 125 us of a warp's chain, beside 100 us of loads */
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    r->launches->grid[0] = 20;
    r->launches->registers = 128; /* no registers are free: two batches become one */
    code(&d, lines, executed);
    latencies(&d, 1000);
    set(r, "warps_active", 16e6);
    set(r, "stall_long_scoreboard", 16e6);
    set(r, "stall_selected", issued[i]);
    saves(&d, "occupancy", 50);
    assert_string_equal(d.diagnosis.items[0].rule->name, i ? "occupancy" : "long-scoreboard");
    release(&d);
  }
}

static void a_small_grid(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  r->launches->grid[0] = 1;
  set(r, "l1_wavefronts", 5e4);
  set(r, "sm_cycles_active", 1e5); /* of 10 SMs one works */
  set(r, "warps_active", 3.2e6);
  assert_string_equal(saves(&d, "small-grid", 90)->told.sentence, "1 block on 10 SMs: 90 % of the chip is idle");
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
    assert_non_null(strstr(a->told.sentence, cases[i].limit));
    assert_non_null(strstr(a->told.remedy, cases[i].remedy));
    release(&d);
  }
}

static void launches(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  made_ceiling(&d.m, "launch_ns", 1000, CEILING_MEASURED);
  set(r, "fixed_ns", 1000);
  assert_non_null(strstr(saves(&d, "launch-bound", 50)->told.remedy, "CUDA graph"));
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
  assert_string_equal(saves(&d, "launch-bound", 300.0 / 13)->told.sentence,
                      "launching and the first bytes take 4 % of 100.0 µs in 4 launches");
  release(&d);
}

/* Nine blocks on ten SMs: three launches of 1e5 bytes one cluster takes, and more blocks are no advice; of 3e5 it does not. */
static void launches_of_one_cluster(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    r->launches->grid[0] = 9;
    struct run_launch three[3] = {*r->launches, *r->launches, *r->launches};
    r->launches = three;
    r->n_launches = 3;
    set(r, "l1_wavefronts", 3e5);
    set(r, "sm_cycles_active", 9e5); /* nine SMs' */
    set(r, "dram_read_bytes", i ? 25e4 : 5e4);
    set(r, "dram_write_bytes", 5e4);
    diagnose(&d);
    assert_int_equal(diagnosis_find(&d.diagnosis, "small-grid") != NULL, i);
    release(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_small_grid),
      cmocka_unit_test(uneven_work),
      cmocka_unit_test(few_warps),
      cmocka_unit_test(launches),
      cmocka_unit_test(launches_of_one_cluster),
      cmocka_unit_test(work_is_shared_by_batches),
      cmocka_unit_test(idle_sms_take_blocks),
      cmocka_unit_test(few_blocks_are_not_first_to_be_evened),
      cmocka_unit_test(the_grid_limits_the_warps),
      cmocka_unit_test(slow_starts_leave_warps_out),
      cmocka_unit_test(what_the_last_wave_explains),
      cmocka_unit_test(a_thread_does_what_it_can),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
