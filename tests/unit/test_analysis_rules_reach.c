/* How far a remedy reaches: what a thread's registers, its chain of results and the addresses of atomics allow. */
#include "unit/made_diagnosis.h"

static const char *const LOAD[] = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "EXIT", NULL};

/* --- loads of a thread --- */

/* 16 bytes of a thread, and registers for so many more; 320 warps wait for 100 batches in turn, 10 at each turn of a loop, or each by itself. */
static void registers_hold_loads(void **state) {
  (void)state;
  static const char *const lines[] = {
      "MOV R4, R6", "LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "@P0 BRA 0x10", "EXIT", NULL};
  static const struct {
    int registers;
    double entered, kept;
  } cases[] = {{32, 320, 16.0 / 128}, /* 64 are there at 32 warps an SM */
               {60, 320, 0.5},        /* 4 are free: as many bytes again */
               {50, 320, 16.0 / 72},  /* 14 */
               {80, 320, 0.5},        /* none, but for a tile in shared memory */
               {32, 8000, 0.25},      /* 4 turns */
               {32, 16000, 0.5}};     /* 2 turns */
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    const double executed[] = {cases[i].entered, 32e3, 32e3, 32e3, cases[i].entered};
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    latencies(&d, 1000);
    r->launches->registers = cases[i].registers;
    set(r, "stall_long_scoreboard", 32e6);
    saves(&d, "long-scoreboard", 100 * (1 - cases[i].kept));
    release(&d);
  }
}

/* An instruction names 255 registers, however few warps there are. */
static void registers_have_an_end(void **state) {
  (void)state;
  static struct made_diagnosis d;
  static const double executed[] = {32e3, 32e3, 1};
  struct run_result *r = made(&d);
  code(&d, LOAD, executed);
  latencies(&d, 1000);
  r->launches->registers = 251;
  set(r, "warps_active", 2e6);
  set(r, "stall_long_scoreboard", 32e6);
  saves(&d, "long-scoreboard", 50); /* 4 more: 16 bytes */
  release(&d);
}

/* The remedy ends waits for loads alone: 10 and 20 of 100 us; half of the batches are 50, to 74.5 by what promises kept. */
static void no_more_than_is_waited(void **state) {
  (void)state;
  static const struct {
    double stall, us, high_us;
  } cases[] = {{3.2e6, 10, 10}, {6.4e6, 20, 20}, {19.2e6, 50, 60}, {32e6, 50, 74.5}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    static const double executed[] = {32e3, 32e3, 1};
    struct run_result *r = made(&d);
    code(&d, LOAD, executed);
    latencies(&d, 1000);
    r->launches->registers = 80;
    set(r, "stall_long_scoreboard", cases[i].stall);
    const struct advice *a = saves(&d, "long-scoreboard", cases[i].us);
    if (!(fabs(a->price.high_s * 1e6 - cases[i].high_us) < 0.1))
      fail_msg("case %zu: to %g us", i, a->price.high_s * 1e6);
    release(&d);
  }
}

/* --- results --- */

/* A chain of 100 us: 25 of instructions, 75 of waits.  A reader right behind a result waits 3 cycles, one place on 2. */
static void waits_for_results(void **state) {
  (void)state;
  static const struct {
    const char *lines[5];
    double us;
  } cases[] = {{{"FMUL R4, R2, R3", "FADD R5, R4, R6", "EXIT"}, 56.25},
               {{"FMUL R4, R2, R3", "MOV R8, R9", "FADD R5, R4, R6", "EXIT"}, 37.5},
               {{"FMUL R4, R2, R3", "MOV R8, R9", "MOV R10, R9", "FADD R5, R4, R6", "EXIT"}, 18.75},
               {{"FMUL R4, R2, R3", "FADD R5, R7, R6", "EXIT"}, 0},
               {{"MUFU.RCP R4, R2", "FADD R5, R4, R6", "EXIT"}, 0}}; /* short_scoreboard */
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    static const double executed[] = {8e6, 8e6, 8e6, 8e6, 8e6};
    struct run_result *r = made(&d);
    const char *lines[6] = {0};
    for (size_t k = 0; k < 5; k++)
      lines[k] = cases[i].lines[k];
    code(&d, lines, executed);
    set(r, "stall_selected", 8e6);
    set(r, "stall_wait", 24e6);
    if (cases[i].us > 0) {
      saves(&d, "dependent-chain", cases[i].us);
      release(&d);
    } else
      silent(&d, "dependent-chain");
  }
}

/* A turn of a loop of three ends in what the next begins with: its reader is two instructions behind, and waits two cycles. */
static void results_go_around_a_loop(void **state) {
  (void)state;
  static const char *const lines[] = {"MOV R9, R8", "FADD R5, R5, R6", "FADD R7, R2, R6", "@P0 BRA 0x10", "EXIT", NULL};
  static const double executed[] = {320, 12e6, 12e6, 12e6, 320};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, lines, executed);
  set(r, "stall_selected", 20e6);
  set(r, "stall_wait", 12e6); /* of 100 us 37.5: three quarters go */
  saves(&d, "dependent-chain", 28.125);
  release(&d);
}

/* --- loads that need not be --- */

/* 1,000 batches of a us each, and the ramp.  Of 80 MB from the L2 8 are from DRAM: nine tenths are read again, a quarter of those remains.
 * Of 4 MB of the L1's 1 must move.  32 sectors where 4 hold the bytes: what the slowest of them costs, ln(8), goes. */
static void fewer_loads_are_waited_for(void **state) {
  (void)state;
  static const struct {
    const char *rule;
    double l2_read, l1_load, dram_read, sectors, gone; /* of the time of the batches */
  } cases[] = {{"l2-rereads", 80e6, 8e6, 8e6, 4, 0.675},
               {"redundant-loads", 1e6, 4e6, 1e6, 4, 0.5625},
               {"uncoalesced", 400e6, 1e6, 1e6, 32, 2.0794415}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    static const double executed[] = {32e4, 32e4, 1};
    struct run_result *r = made(&d);
    code(&d, LOAD, executed);
    latencies(&d, 1000);
    set(r, "stall_selected", 0);
    set(r, "l2_read_bytes", cases[i].l2_read);
    set(r, "l1_load_bytes", cases[i].l1_load);
    set(r, "dram_read_bytes", cases[i].dram_read);
    set(r, "dram_write_bytes", 0);
    double loads = 1000, all = loads + model_fitted.ramp;
    if (cases[i].sectors > 4) {
      d.counts[0].global_sectors = 32e4 * cases[i].sectors;
      d.counts[0].global_sectors_ideal = 32e4 * 4;
      all += loads * cases[i].gone;
    }
    saves(&d, cases[i].rule, 100 * loads * cases[i].gone / all);
    release(&d);
  }
}

/* --- waits for pipes --- */

/* A chain of 100 us of short waits, half of them for one of the XU's two instructions; of fixed latency, of instructions that are
 * all fp64: half goes, and with a third of a division 6 instructions of 100 but for two thirds of one. */
static void waits_go_with_the_instructions(void **state) {
  (void)state;
  static const char *const conversion[] = {"I2F.S8 R4, R2", "EXIT", NULL};
  static const char *const division[] = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "EXIT", NULL};
  static const double one[] = {1, 1}, third[] = {1 / 3.0, 1 / 3.0, 1};
  static struct made_diagnosis d;
  for (int i = 0; i < 2; i++) {
    struct run_result *r = made(&d);
    code(&d, i ? division : conversion, i ? third : one);
    set(r, "pipe_xu", 2);
    set(r, "inst_executed", 100);
    set(r, "stall_selected", 0);
    set(r, "stall_wait", 0);
    set(r, "stall_short_scoreboard", 32e6);
    saves(&d, i ? "integer-division" : "conversions", i ? 50 * (1 + (6 - 2 / 3.0) / 100) : 50);
    release(&d);
  }
  struct run_result *r = made(&d);
  set(r, "pipe_fp64", 1e3);
  set(r, "inst_executed", 1e3);
  set(r, "stall_selected", 0);
  set(r, "stall_wait", 32e6);
  saves(&d, "fp64", 50);
  release(&d);
}

/* Of functions 24 of 53 instructions remain: 1e6 fp64 at 64 lanes a cycle become 452,830 of fp32 at 128, and as many fewer are issued.
 * A conversion to or from fp64 is fp64's to say. */
static void functions_in_fp32_take_fewer_terms(void **state) {
  (void)state;
  static const char *const lines[] = {"MUFU.RSQ64H R4, R2", "F2F.F64.F32 R4, R2", "EXIT", NULL};
  static const double executed[] = {1, 1, 1};
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    if (i)
      code(&d, lines, executed);
    set(r, "pipe_fp64", 16e5);
    set(r, "pipe_fma", 0);
    set(r, "pipe_xu", 2);
    saves(&d, "fp64", i ? 100 * (1 - 0.5 * 24 / 53) : 50);
    assert_null(diagnosis_find(&d.diagnosis, "conversions"));
    release(&d);
  }
}

/* Half of 800,000 loads go from the 1,000,000 instructions that the LSU takes 100 us for. */
static void shared_loads_are_instructions(void **state) {
  (void)state;
  static const char *const lines[] = {"LDS R4, [R2]", "STS [R2], R4", "EXIT", NULL};
  static const double executed[] = {6e5, 2e5, 1};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  made_ceiling(&d.m, "rate_lsu", 32, CEILING_DATASHEET);
  code(&d, lines, executed);
  set(r, "pipe_lsu", 1e6);
  set(r, "l1_wavefronts", 1e3);
  set(r, "shared_wavefronts", 1e3);
  saves(&d, "shared-memory", 40);
  release(&d);
}

/* --- shared memory, by its instructions --- */

/* 100 us of short waits, of which half are for 100 ATOMS and LDS beside 100 of the XU; three quarters of their cycles go. */
static void waits_for_shared_atomics(void **state) {
  (void)state;
  static const char *const lines[] = {"ATOMS.ADD RZ, [R2], R4", "LDS R4, [R2]", "SHFL.DOWN PT, R4, R5, R6, R7", "EXIT",
                                      NULL};
  static const double executed[] = {50, 30, 20, 1};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, lines, executed);
  set(r, "pipe_xu", 100);
  set(r, "shared_wavefronts", 400);
  set(r, "l1_wavefronts", 400);
  set(r, "shared_bank_conflicts", 300);
  set(r, "shared_atomic_wavefronts", 400);
  set(r, "shared_atomic_conflicts", 300);
  set(r, "inst_shared_atomic", 50);
  set(r, "stall_selected", 0);
  set(r, "stall_wait", 0);
  set(r, "stall_short_scoreboard", 32e6);
  assert_string_equal(saves(&d, "hot-atomics", 37.5)->told.sentence,
                      "8.0 cycles per shared-memory atomic: lanes of a warp hit one address");
  release(&d);
}

/* The counter misses conflicts of LDGSTS: of 1,000,000 cycles that instructions have by themselves, in two of them, 300,000 are the least.  One that
 * was not counted takes no part. */
static void conflicts_by_exact_counts(void **state) {
  (void)state;
  static const char *const lines[] = {"LDS R4, [R2]", "LDS R5, [R3]", "LDS R5, [R3]", "EXIT", NULL};
  static const double executed[] = {1, 1, 1, 1};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  code(&d, lines, executed);
  for (int i = 0; i < 2; i++) {
    d.counts[i].shared_wavefronts = i ? 6e5 : 4e5;
    d.counts[i].shared_wavefronts_ideal = i ? 2e5 : 1e5;
  }
  d.counts[2].shared_wavefronts_ideal = 5e5;
  set(r, "l1_wavefronts", 2e5);
  set(r, "shared_wavefronts", 2e5);
  set(r, "shared_bank_conflicts", 1e5);
  saves(&d, "bank-conflicts", 70); /* 2e5 and the 8e5 that were missed */
  release(&d);
}

/* FMA's heavy half has half of the single ones: 4e5 of its 1e6 multiplies and adds become one, 2e5 of them here; 2e5 of fp64 likewise. */
static void fused_pairs(void **state) {
  (void)state;
  static const char *const lines[] = {
      "FMUL R4, R2, R3", "FADD R5, R4, R5", "DMUL R6, R6, R8", "DADD R8, R6, R8", "EXIT", NULL};
  static const double fp32[] = {4e5, 4e5, 0, 0, 1}, fp64[] = {0, 0, 2e5, 2e5, 1};
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  made_ceiling(&d.m, "rate_imad", 64, CEILING_DATASHEET);
  code(&d, lines, fp32);
  set(r, "pipe_fma", 8e5);
  set(r, "pipe_fmaheavy", 1e6); /* 50 us */
  saves(&d, "non-fused-fp", 20);
  release(&d);
  r = made(&d);
  code(&d, lines, fp64);
  set(r, "pipe_fp64", 4e5);
  assert_string_equal(saves(&d, "non-fused-fp", 50)->told.sentence,
                      "100 % of the floating-point arithmetic is separate multiplies and adds");
  release(&d);
}

/* --- atomics --- */

/* 32 sectors each of 1,000 reductions, 32 us of all slices.  A slice that works 16 times as long as if it had its share holds few addresses, of
 * which one update a block, 80 of 32,000, remains; else blocks gather four updates to one. */
static void few_addresses_meet_in_a_slice(void **state) {
  (void)state;
  static const char *const lines[] = {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8", "EXIT", NULL};
  static const double executed[] = {1000, 1};
  static const struct {
    double cycles_max, us;
    const char *says;
  } cases[] = {{5120, 99.75, "few addresses"}, {1200, 75, "scattered"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    code(&d, lines, executed);
    made_ceiling(&d.m, "red_scattered", 1e9, CEILING_MEASURED);
    made_ceiling(&d.m, "red_slice_sectors", 1e7, CEILING_MEASURED);
    set(r, "l2_atomic_sectors", 32e3);
    set(r, "reduction_requests", 1000);
    set(r, "reduction_sectors", 32e3);
    set(r, "l2_atomic_cycles_max", cases[i].cycles_max);
    assert_non_null(strstr(saves(&d, "atomics", cases[i].us)->told.sentence, cases[i].says));
    release(&d);
  }
}

/* --- lanes --- */

/* Of 2 million instructions 0.4 are run by the lane that issues copies for all; of 1.4 million half of the lanes are idle: with 0.2 million that all lanes
 * run 65 % are at work, and 75 are within reach.  Without a copy the one lane's are idle lanes too: 31 of 32 of 20 % more. */
static void one_lane_issues_copies(void **state) {
  (void)state;
  static const char *const with[] = {
      "@P0 BRA 0x30", "UBLKCP.S.G [UR4], [UR6], UR8", "IADD3 R2, R2, R3, RZ", "FADD R4, R5, R6", "EXIT", NULL};
  static const char *const without[] = {
      "@P0 BRA 0x30", "IADD3 R4, R4, R3, RZ", "IADD3 R2, R2, R3, RZ", "FADD R4, R5, R6", "EXIT", NULL};
  static const double executed[] = {199999, 2e5, 2e5, 14e5, 1}, threads[] = {32 * 199999, 2e5, 2e5, 16 * 14e5, 32};
  for (int copies = 0; copies < 2; copies++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    double all = 0;
    code(&d, copies ? with : without, executed);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
      d.counts[i].threads = threads[i];
      all += threads[i];
    }
    set(r, "inst_executed", 2e6);
    set(r, "thread_inst_executed", all);
    saves(&d, "divergence", 100 * (1 - (copies ? 0.65 : 0.65 - 0.2 * 31 / 32) / 0.75));
    release(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_hold_loads),
      cmocka_unit_test(registers_have_an_end),
      cmocka_unit_test(no_more_than_is_waited),
      cmocka_unit_test(waits_for_results),
      cmocka_unit_test(results_go_around_a_loop),
      cmocka_unit_test(fewer_loads_are_waited_for),
      cmocka_unit_test(functions_in_fp32_take_fewer_terms),
      cmocka_unit_test(waits_go_with_the_instructions),
      cmocka_unit_test(shared_loads_are_instructions),
      cmocka_unit_test(few_addresses_meet_in_a_slice),
      cmocka_unit_test(waits_for_shared_atomics),
      cmocka_unit_test(conflicts_by_exact_counts),
      cmocka_unit_test(one_lane_issues_copies),
      cmocka_unit_test(fused_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
