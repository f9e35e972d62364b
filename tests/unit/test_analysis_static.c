/* The static tier: a loop worked out by hand, and the advice. */
#include "analysis/metrics/formulas.h"

#include "unit/assert_value.h"
#include "unit/made_code.h"

static bool advised(const struct made_code *d, const char *rule) {
  for (size_t i = 0; i < d->code.n_advice; i++)
    if (strcmp(d->code.advice[i].rule->name, rule) == 0)
      return true;
  return false;
}

static void a_loop_by_hand(void **state) {
  (void)state;
  static struct made_code d;
  made(&d, LOOP);
  make(&d);
  const struct static_code *c = &d.code;
  assert_int_equal(c->loop_insts, 7);
  assert_value(c->once_bytes, 16); /* a, not b */
  assert_value(c->insts_per_byte, 7 / 16.0);
  assert_value(c->insts_per_element, 7 / 16.0 * 1e6 / 32768);
  assert_value(c->classes[SASS_LOAD_GLOBAL].per_byte, 2 / 16.0);
  assert_value(c->classes[SASS_FP32].per_byte, 2 / 16.0);
  assert_value(c->warp_insts, 7 / 16.0 * 1e6 / 32); /* 32 lanes load at once */
  assert_value(c->occupied, 1);                     /* 32 blocks of 2 warps */
  assert_value(c->warps, 40);                       /* the grid has 20 blocks */
  assert_value(c->thread_bytes, 32);                /* both loads stand before the first use */
  assert_value(c->bytes, 32 * 32 * 40);
  assert_value(c->needed_bytes, 3.6e6); /* 4 TB/s x 900 ns */
  /* A warp's turn loads 512 bytes of a.  Issue: 7 / 4 cycles; FFMA: 2 x 32 / 128; ALU: 2 x 32 / 64; by 10 SMs at 1 GHz. */
  assert_value(c->bounds[BOUND_ISSUE].load_bw, 512e10 / 1.75);
  assert_value(c->bounds[BOUND_FMA].load_bw, 512e10 / 0.5);
  assert_value(c->bounds[BOUND_ALU].load_bw, 512e10 / 1);
  assert_value(c->bounds[BOUND_ISSUE].seconds, 1e6 / (512e10 / 1.75));
  assert_value(c->bounds[BOUND_DRAM].seconds, 1e6 / 4e12);
  assert_absent(c->bounds[BOUND_LSU].load_bw, "no ceiling rate_lsu is known for this device");
  assert_absent(c->bounds[BOUND_XU].load_bw, "the loop does not use it");
  assert_value(c->bounds[BOUND_LATENCY].load_bw, 32 * 32 * 40 / 900e-9);
  assert_int_equal(c->binding, BOUND_LATENCY);
  assert_string_equal(c->bounds[BOUND_LATENCY].ceiling->name, "dram_latency_cycles");
  assert_string_equal(c->bounds[BOUND_DRAM].ceiling->name, "dram_bw");
  assert_string_equal(c->arch, "sm_90a");
  assert_string_equal(static_assumption(c),
                      "modelled, not measured: A and its scales are loaded once, and the hot loop "
                      "stands for the kernel");
  assert_true(c->sol.seconds == 1e6 / 4e12);
  assert_true(advised(&d, "long-scoreboard"));
  assert_true(advised(&d, "issue-slots"));
  assert_false(advised(&d, "narrow-loads"));
  assert_false(advised(&d, "small-grid"));
  assert_false(advised(&d, "spills"));
  release(&d);
}

/* 1e6 bytes of a are 1953.125 turns of a warp, 512 bytes each, and LDC and EXIT are once for each of 40 warps: 13671.875 + 120 instructions. */
static void the_work_of_a_loop(void **state) {
  (void)state;
  static struct made_code d;
  made(&d, LOOP);
  make(&d);
  const struct value *seconds = d.code.model.seconds;
  assert_value(seconds[RESOURCE_ISSUE], 13791.875 / 4 / 10e9);
  assert_value(seconds[RESOURCE_FMA], 2 * 1953.125 * 32 / 128 / 10e9);
  assert_value(seconds[RESOURCE_ALU], 2 * 1953.125 * 32 / 64 / 10e9);
  assert_value(seconds[RESOURCE_L1], 2 * 4 * 1953.125 / 10e9); /* 512 bytes are four wavefronts */
  release(&d);
  static const char *const bytes[] = {"LDC.64 R2, c[0x0][0x210]",
                                      "LDG.E.U8 R8, desc[UR4][R2.64]",
                                      "FADD R9, R8, R9",
                                      "IADD3 R2, R2, 0x1, RZ",
                                      "@P0 BRA 0x10",
                                      "EXIT",
                                      NULL};
  made(&d, bytes);
  make(&d);
  assert_value(d.code.model.seconds[RESOURCE_L1], 1e6 / 32 / 10e9); /* one for 32 bytes, too */
  release(&d);
  static const char *const roots[] = {"LDC.64 R2, c[0x0][0x210]",
                                      "LDG.E.U8 R8, desc[UR4][R2.64]",
                                      "MUFU.RSQ R9, R8",
                                      "@!PT MUFU.RSQ R9, R8", /* never */
                                      "@P0 BRA 0x10",
                                      "EXIT",
                                      NULL};
  made(&d, roots);
  made_ceiling(&d.m, "rate_xu", 16, CEILING_DATASHEET);
  make(&d);
  assert_value(d.code.model.seconds[RESOURCE_XU], 1e6 / 32 * 32 / 16 / 10e9); /* one for each warp's 32 bytes */
  assert_value(d.code.model.seconds[RESOURCE_SLOW_LOADS], 0);                 /* nothing says that loads are slower */
  assert_value(d.code.model.seconds[RESOURCE_BARRIERS], 0);
  release(&d);
  static const char *const packed[] = {"LDC.64 R2, c[0x0][0x210]",
                                       "LDG.E.U8 R8, desc[UR4][R2.64]",
                                       "HFMA2 R9, R8, R9, R9",
                                       "HFMA2.MMA R10, R8, R8, -RZ",
                                       "@P0 BRA 0x10",
                                       "EXIT",
                                       NULL};
  made(&d, packed);
  make(&d);
  assert_value(d.code.model.seconds[RESOURCE_FMA], 2 * 1e6 / 32 * 32 / 128 / 10e9); /* as the pipe's counter counts */
  release(&d);
  static const char *const staged[] = {"LDC.64 R2, c[0x0][0x210]",
                                       "LDG.E.U8 R8, desc[UR4][R2.64]",
                                       "STS [R4], R8",
                                       "LDS.128 R12, [R4]",
                                       "IMAD R9, R8, R12, R9",
                                       "IMAD R10, R8, R13, R10",
                                       "FADD R11, R12, R11",
                                       "@P0 BRA 0x10",
                                       "EXIT",
                                       NULL};
  made(&d, staged);
  made_ceiling(&d.m, "rate_imad", 64, CEILING_DATASHEET);
  make(&d);
  assert_value(d.code.model.seconds[RESOURCE_L1], (1 + 1 + 4) * 1e6 / 32 / 10e9);
  assert_value(d.code.model.seconds[RESOURCE_FMA],
               2 * 1e6 / 32 * 32 / 64 / 10e9); /* the heavy half has both products */
  release(&d);
}

static const char *const THREE_TURNS[] = {"LDC.64 R2, c[0x0][0x210]",
                                          "MOV R6, RZ",
                                          "LDG.E.128 R8, desc[UR4][R2.64]",
                                          "FFMA R16, R8, R12, R16",
                                          "IADD3 R6, R6, 0x1, RZ",
                                          "ISETP.LT.AND P0, PT, R6, 0x3, PT",
                                          "@P0 BRA 0x20",
                                          "EXIT",
                                          NULL};

/* Code that says how it runs is walked: 2 + 3 x 5 + 1 = 18 instructions a warp, whatever the bytes; a load's 16 bytes, which all lanes share, go to a
 * quarter of the warp at a time. */
static void turns_that_the_code_says(void **state) {
  (void)state;
  static struct made_code d;
  made(&d, THREE_TURNS);
  make(&d);
  assert_value(d.code.model.seconds[RESOURCE_ISSUE], 40 * 18 / 4.0 / 10e9);
  assert_value(d.code.model.seconds[RESOURCE_FMA], 40 * 3 * 32 / 128.0 / 10e9);
  assert_value(d.code.model.seconds[RESOURCE_L1], 40 * 3 * 4 / 10e9);
  release(&d);
  /* 25 blocks on 10 SMs: five have a third, and are busy for 3 / 2.5 of the mean. */
  made(&d, THREE_TURNS)->launches->grid[0] = 25;
  make(&d);
  assert_value(d.code.model.least[BOUND_ISSUE], 50 * 18 / 4.0 / 10e9 * 3 / 2.5);
  release(&d);
  /* 32 blocks fit an SM: 640 are two waves, which take 2.5 blocks' time, so that 640 x 2 / 2.5 = 512 of 1,280 warps are resident in the mean. */
  made(&d, THREE_TURNS)->launches->grid[0] = 640;
  make(&d);
  assert_value(d.code.warps, 640);
  assert_value(d.code.model.seconds[RESOURCE_OWN_ISSUE], 1280 * 18 / 512.0 / 1e9);
  release(&d);
}

/* 20 blocks hold 1,000 + 3,000 bytes each: 80 kB of 1 MB every 900 ns. */
static void copies_have_the_room_of_their_blocks(void **state) {
  (void)state;
  static const char *const copied[] = {"UBLKCP.S.G [UR4], [UR6], UR8",
                                       "LDC.64 R2, c[0x0][0x210]",
                                       "LDG.E.128 R8, desc[UR4][R2.64]",
                                       "FFMA R16, R8, R12, R16",
                                       "@P0 BRA 0x20",
                                       "EXIT",
                                       NULL};
  static struct made_code d;
  struct run_launch *l = made(&d, copied)->launches;
  l->smem_static = 1000;
  l->smem_dynamic = 3000;
  make(&d);
  assert_value(d.code.model.seconds[RESOURCE_COPIES], 11.25e-6);
  release(&d);
}

static void buffers_that_are_not_told_apart(void **state) {
  (void)state;
  static struct made_code d;
  made(&d, LOOP);
  d.step.value = (char *)"kernel = made; grid = 20; block = 64; args = n, b, a"; /* a begins at 0x220, behind an int */
  make(&d);
  assert_absent(d.code.once_bytes, "the buffers that the loop loads from could not be told apart");
  assert_value(d.code.insts_per_byte, 7 / 32.0); /* all bytes count */
  release(&d);
  made(&d, LOOP);
  d.step.value = (char *)"kernel = made; grid = 20; block = 64; args = i64(min(M, 4)), sfa, c"; /* sfa is at 0x218 */
  d.m.results[0].launches->grid[0] = 9;
  make(&d);
  assert_false(d.code.once_bytes.present); /* 0x210 is a number */
  assert_true(advised(&d, "small-grid"));
  release(&d);
  /* A problem of one's own has buffers of its own, whatever they are called. */
  made(&d, LOOP);
  struct run_key keys[] = {{(char *)"problem", (char *)"generic"}, d.step};
  d.m.variants[0].keys = keys;
  d.m.variants[0].n_keys = 2;
  make(&d);
  assert_false(d.code.once_bytes.present);
  release(&d);
  /* Offset by a third parameter: whose bytes they are is not known. */
  static const char *const both[] = {"LDC.64 R2, c[0x0][0x210]",
                                     "LDC R4, c[0x0][0x218]",
                                     "IADD3 R2, R2, R4, RZ",
                                     "LDG.E.128 R8, desc[UR4][R2.64]",
                                     "FFMA R16, R8, R12, R16",
                                     "@P0 BRA 0x30",
                                     "EXIT",
                                     NULL};
  made(&d, both);
  make(&d);
  assert_false(d.code.once_bytes.present);
  release(&d);
}

/* Issue bounds loads at 2.93 TB/s: below DRAM's 4, not below 2, nor below as much. */
static void instructions_that_leave_dram_the_bound(void **state) {
  (void)state;
  static const double dram[] = {4e12, 2e12, 512e10 / 1.75};
  static struct made_code d;
  for (size_t i = 0; i < sizeof dram / sizeof dram[0]; i++) {
    made(&d, LOOP);
    d.m.ceilings[0].value = dram[i];
    make(&d);
    assert_int_equal(advised(&d, "issue-slots"), i == 0);
    release(&d);
  }
}

/* A launch that was observed has its own registers and shared memory, which may be more than the compiler told. */
static void a_launch_takes_what_it_was_given(void **state) {
  (void)state;
  static const struct {
    int registers, smem_static;
    const char *limit;
    int blocks;
  } cases[] = {{0, 0, "warps per SM", 4}, {128, 0, "registers", 1}, {0, 100000, "shared memory", 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_code d;
    struct run_launch *l = made(&d, LOOP)->launches;
    l->block[0] = 512;
    l->registers = cases[i].registers;
    l->smem_static = cases[i].smem_static;
    make(&d);
    assert_int_equal(d.code.occupancy.blocks_per_sm, cases[i].blocks);
    assert_string_equal(occupancy_limit_name(d.code.occupancy.limit), cases[i].limit);
    release(&d);
  }
}

/* The highest number tells how many there are; a register may name any, and what never runs none. */
static void barriers_of_a_kernel(void **state) {
  (void)state;
  static const struct {
    const char *lines[5];
    int barriers;
  } cases[] = {{{"FADD R1, R2, R3", "EXIT"}, 0},
               {{"BAR.SYNC.DEFER_BLOCKING 0x4", "BAR.SYNC.DEFER_BLOCKING 0x1", "EXIT"}, 5},
               {{"BAR.SYNC.DEFER_BLOCKING 0x0", "BAR.ARV R4, 0x80", "EXIT"}, BARRIERS_MAX},
               {{"BAR.SYNC.DEFER_BLOCKING 0x0", "@!PT BAR.SYNC.DEFER_BLOCKING 0x7", "EXIT"}, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_code d;
    made(&d, cases[i].lines);
    make(&d);
    assert_int_equal(d.code.barriers, cases[i].barriers);
    release(&d);
  }
}

/* 4 instructions are a cycle's issue, 2 of them a cycle of the ALU; DRAM and its latency would let more through. */
static void of_two_that_bind_alike_the_first_is_told(void **state) {
  (void)state;
  static const char *const even[] = {"LDC.64 R2, c[0x0][0x210]",
                                     "LDG.E.128 R8, desc[UR4][R2.64]",
                                     "IADD3 R2, R2, 0x10, RZ",
                                     "ISETP.NE.AND P0, PT, R2, R6, PT",
                                     "@P0 BRA 0x10",
                                     "EXIT",
                                     NULL};
  static struct made_code d;
  made(&d, even);
  d.m.ceilings[0].value = 1e14;
  d.m.ceilings[1].value = 1;
  make(&d);
  assert_value(d.code.bounds[BOUND_ISSUE].load_bw, 512e10);
  assert_value(d.code.bounds[BOUND_ALU].load_bw, 512e10);
  assert_int_equal(d.code.binding, BOUND_ISSUE < BOUND_ALU ? BOUND_ISSUE : BOUND_ALU);
  assert_int_equal(d.code.busiest, BOUND_ISSUE); /* a cycle each */
  assert_value(d.code.model.seconds[RESOURCE_FMA], 0);
  release(&d);
}

/* 10 blocks leave none of 10 SMs idle, 9 leave one. */
static void a_grid_as_large_as_the_chip(void **state) {
  (void)state;
  for (unsigned blocks = 9; blocks <= 10; blocks++) {
    static struct made_code d;
    made(&d, LOOP)->launches->grid[0] = blocks;
    make(&d);
    assert_int_equal(advised(&d, "small-grid"), blocks == 9);
    release(&d);
  }
}

static void several_parameters_in_one_load(void **state) {
  (void)state;
  static const char *const wide[] = {"LDC.128 R4, c[0x0][0x210]",
                                     "LDG.E.128 R8, desc[UR4][R4.64]",
                                     "LDG.E.64 R12, desc[UR4][R6.64]",
                                     "FFMA R16, R8, R12, R16",
                                     "@P0 BRA 0x10",
                                     "EXIT",
                                     NULL};
  static struct made_code d;
  made(&d, wide);
  make(&d);
  assert_value(d.code.once_bytes, 16); /* R4 and R5 are a, R6 and R7 are b */
  release(&d);
}

static void what_is_not_known_is_absent(void **state) {
  (void)state;
  static const char *const bulk[] = {"UBLKCP.S.G [UR4], [UR6], UR8", "@P0 BRA 0x0", "EXIT", NULL};
  static struct made_code d;
  made(&d, bulk);
  make(&d);
  assert_false(d.code.warp_insts.present);
  assert_int_equal(d.code.binding, BOUND_KINDS);
  assert_non_null(d.code.insts_per_byte.reason);
  assert_absent(d.code.bounds[BOUND_ISSUE].load_bw, d.code.insts_per_byte.reason);
  release(&d);
  made(&d, LOOP);
  d.m.results[0].bytes_minimal = 0; /* somebody's cubin: bandwidths are known, times are not */
  make(&d);
  assert_absent(d.code.bounds[BOUND_ISSUE].seconds, "no problem is declared, so no bytes that must move");
  assert_true(d.code.bounds[BOUND_ISSUE].load_bw.present);
  release(&d);
  made(&d, LOOP);
  d.sass.kernel.n_sass = 0;
  d.sass.kernel.sass_reason = (char *)"no nvdisasm";
  make(&d);
  assert_string_equal(d.code.reason, "kernel made has no SASS: no nvdisasm");
  assert_int_equal(d.code.n_advice, 0);
  assert_absent(d.code.insts_per_byte, "kernel made has no SASS: no nvdisasm");
  release(&d);
  struct err e = {0};
  made(&d, LOOP);
  d.m.results[0].module = -1;
  assert_int_equal(static_code_make(&d.code, &d.m.run, d.m.results, NULL, &d.m.device, &e), ERR_DATA);
  assert_string_equal(e.text, "nothing was compiled");
  release(&d);
}

/* The loop is 0x20 to 0x80.  What is inlined counts where it is called, and what another file holds not at all. */
static void a_loop_has_lines(void **state) {
  static struct run_line lines[] = {{0, 3},  {0, 4}, {0, 12}, {1, 99}, {0, 5},
                                    {0, 17}, {0, 0}, {0, 11}, {0, 14}, {0, 20}};
  static struct made_code d;
  (void)state;
  made(&d, LOOP);
  make(&d);
  assert_int_equal(d.code.loop_first, 0); /* compiled without line information */
  release(&d);
  made(&d, LOOP);
  for (size_t i = 0; i < d.sass.kernel.n_sass; i++) {
    d.sass.kernel.sass[i].lines = &lines[i];
    d.sass.kernel.sass[i].n_lines = 1;
  }
  d.sass.kernel.sass[4].n_lines = 2; /* of line 5, in what line 17 calls */
  make(&d);
  assert_int_equal(d.code.loop_first, 11);
  assert_int_equal(d.code.loop_last, 17);
  release(&d);
}

/* Of the chip or the launch something is not known; each is said of what rests on it. */
static void what_the_chip_does_not_say(void **state) {
  (void)state;
  static struct made_code d;
  struct err e = {0};
  for (int sms = 0; sms < 2; sms++) {
    made(&d, LOOP);
    d.m.device.sms = sms ? 10 : 0;
    d.m.device.clock_max_hz = sms ? 0 : 1e9;
    make(&d);
    assert_absent(d.code.bounds[BOUND_ISSUE].load_bw, "the chip's SMs or its clock are not known");
    release(&d);
  }
  made(&d, LOOP);
  d.m.ceilings[0].value = 0;
  make(&d);
  assert_absent(d.code.bounds[BOUND_DRAM].load_bw, "no ceiling dram_bw is known for this device");
  release(&d);
  made(&d, LOOP);
  d.m.device.sms = 0;
  make(&d);
  assert_absent(d.code.warps, "the SMs of the chip are not known");
  release(&d);
  made(&d, LOOP);
  d.m.results[0].launches->grid[0] = 0; /* a grid that is not known fills the chip: 32 blocks of 2 warps an SM */
  make(&d);
  assert_value(d.code.warps, 640);
  release(&d);
  made(&d, LOOP);
  d.m.results[0].launches->block[0] = 2048;
  make(&d);
  assert_false(d.code.occupied.present || d.code.warps.present);
  release(&d);
  made(&d, LOOP);
  assert_int_equal(static_code_make(&d.code, &d.m.run, d.m.results, NULL, &d.m.device, &e), 0);
  assert_absent(d.code.occupied, "the block's threads are not known: --block N");
  assert_absent(d.code.warps, "the block's threads are not known: --block N");
  release(&d);
  made(&d, LOOP);
  d.m.results[0].bytes_declared = 2e6;
  made_ceiling(&d.m, "rate_hfma2", 128, CEILING_DATASHEET);
  make(&d);
  assert_value(d.code.must_bytes, 2e6);
  assert_string_equal(d.code.sol.bytes_kind, "declared");
  assert_string_equal(d.code.bounds[BOUND_FMA].ceiling->name, "rate_ffma");
  release(&d);
}

/* fp16 runs on the FMA pipe at a rate of its own: an FFMA takes 32 / 128 cycles, an HFMA2 32 / 64. */
static void fp16_is_on_the_fma_pipe(void **state) {
  (void)state;
  static const char *const both[] = {"LDC.64 R2, c[0x0][0x210]",
                                     "LDG.E.128 R8, desc[UR4][R2.64]",
                                     "HFMA2 R16, R8, R12, R16",
                                     "FFMA R17, R9, R13, R17",
                                     "@P0 BRA 0x10",
                                     "EXIT",
                                     NULL};
  static const char *const half[] = {"LDC.64 R2, c[0x0][0x210]",
                                     "LDG.E.128 R8, desc[UR4][R2.64]",
                                     "HFMA2 R16, R8, R12, R16",
                                     "@P0 BRA 0x10",
                                     "EXIT",
                                     NULL};
  static struct made_code d;
  made(&d, both);
  made_ceiling(&d.m, "rate_hfma2", 64, CEILING_DATASHEET);
  make(&d);
  assert_value(d.code.bounds[BOUND_FMA].load_bw, 512e10 / 0.75);
  release(&d);
  made(&d, half);
  made_ceiling(&d.m, "rate_hfma2", 64, CEILING_DATASHEET);
  make(&d);
  assert_value(d.code.bounds[BOUND_FMA].load_bw, 512e10 / 0.5);
  assert_string_equal(d.code.bounds[BOUND_FMA].ceiling->name, "rate_hfma2");
  release(&d);
}

static void advice_by_hand(void **state) {
  (void)state;
  static const char *const narrow[] = {"LDC.64 R2, c[0x0][0x210]",
                                       "LDG.E R8, desc[UR4][R2.64]",
                                       "LDG.E R9, desc[UR4][R8.64]",
                                       "DFMA R16, R8, R12, R16",
                                       "STL [R1], R16",
                                       "BAR.SYNC.DEFER_BLOCKING 0x2",
                                       "@P0 BRA 0x10",
                                       "EXIT",
                                       NULL};
  static struct made_code d;
  made(&d, narrow);
  d.sass.kernel.spill_store_bytes = d.sass.kernel.spill_load_bytes = -1;
  d.sass.kernel.registers = 128; /* 4096 a warp: 16 warps an SM of 64 */
  d.m.results[0].launches->block[0] = 32;
  make(&d);
  assert_int_equal(d.code.barriers, 3);
  static const char *const wanted[] = {"spills", "fp64", "dependent-loads", "long-scoreboard", "occupancy"};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    if (!advised(&d, wanted[i]))
      fail_msg("no advice %s", wanted[i]);
  assert_string_equal(occupancy_limit_name(d.code.occupancy.limit), "registers");
  release(&d);
}

/* A loop of 27 instructions with one division of 18; without it, and of a problem that is not the GEMV, none is advised. */
static void divisions_and_foreign_code(void **state) {
  (void)state;
  static const char *lines[64] = {"LDC.64 R2, c[0x0][0x210]", "LDG.E R8, desc[UR4][R2.64]", "I2F.U32.RP R9, R8",
                                  "MUFU.RCP R9, R9", "F2I.FTZ.U32.TRUNC.NTZ R9, R9"};
  size_t n = 5;
  while (n < 26)
    lines[n++] = "LOP3.LUT R10, R9, R8, R10, 0x96, !PT";
  lines[n++] = "IADD3 R2, R2, 0x10, RZ";
  lines[n++] = "@P0 BRA 0x10";
  lines[n] = "EXIT";
  static struct made_code d;
  for (int gemv = 0; gemv < 2; gemv++) {
    struct run_result *r = made(&d, lines);
    if (!gemv)
      r->shape = (struct shape){0};
    make(&d);
    assert_int_equal(d.code.loop_insts, 27);
    assert_string_equal(d.code.advice[0].rule->name, "integer-division");
    assert_string_equal(d.code.advice[0].told.sentence,
                        "1 integer division or remainder by variables: about 67 % of 27 instructions");
    const struct evidence *x = d.code.advice[0].told.evidence;
    assert_int_equal(d.code.advice[0].told.n_evidence, 4);
    assert_string_equal(x[0].title, "integer divisions of the loop (I2F.RP)");
    assert_true(x[0].value.v == 1 && x[1].value.v == 27 && x[3].value.v == 4e12);
    assert_value(x[2].value, 4 * 32e10 / (27 / 4.0)); /* a word a turn, at four instructions a cycle */
    assert_int_equal(advised(&d, "decode-cost"), gemv);
    release(&d);
    made(&d, lines);
    d.m.ceilings[0].value = 4 * 32e10 / (27 / 4.0); /* DRAM takes as long */
    make(&d);
    assert_false(advised(&d, "integer-division"));
    release(&d);
  }
  for (size_t more = 27; more < 29; more++) { /* 54 instructions, of which 18 are a third, and 55 */
    for (n = 5; n < 26 + more; n++)
      lines[n] = "LOP3.LUT R10, R9, R8, R10, 0x96, !PT";
    lines[n++] = "IADD3 R2, R2, 0x10, RZ";
    lines[n++] = "@P0 BRA 0x10";
    lines[n++] = "EXIT";
    lines[n] = NULL;
    made(&d, lines);
    make(&d);
    assert_int_equal(d.code.loop_insts, 27 + more);
    assert_int_equal(advised(&d, "integer-division"), more == 27);
    release(&d);
  }
  static const char *const half[] = {"LDC.64 R2, c[0x0][0x210]",
                                     "LDG.E R8, desc[UR4][R2.64]",
                                     "I2F.U32.RP R9, R8",
                                     "I2F.U32.RP R10, R8",
                                     "@P0 BRA 0x10",
                                     "EXIT",
                                     NULL};
  made(&d, half); /* the rest of 2 x 18 stands in a function: a loop is no more than all of itself */
  make(&d);
  assert_string_equal(d.code.advice[0].told.sentence,
                      "2 integer divisions or remainders by variables: about 100 % of 4 instructions");
  release(&d);
  lines[2] = "I2F.U32 R9, R8"; /* a conversion */
  made(&d, lines);
  make(&d);
  assert_false(advised(&d, "integer-division"));
  release(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_by_hand),
      cmocka_unit_test(the_work_of_a_loop),
      cmocka_unit_test(turns_that_the_code_says),
      cmocka_unit_test(a_loop_has_lines),
      cmocka_unit_test(buffers_that_are_not_told_apart),
      cmocka_unit_test(a_grid_as_large_as_the_chip),
      cmocka_unit_test(of_two_that_bind_alike_the_first_is_told),
      cmocka_unit_test(copies_have_the_room_of_their_blocks),
      cmocka_unit_test(instructions_that_leave_dram_the_bound),
      cmocka_unit_test(a_launch_takes_what_it_was_given),
      cmocka_unit_test(barriers_of_a_kernel),
      cmocka_unit_test(several_parameters_in_one_load),
      cmocka_unit_test(what_is_not_known_is_absent),
      cmocka_unit_test(what_the_chip_does_not_say),
      cmocka_unit_test(fp16_is_on_the_fma_pipe),
      cmocka_unit_test(advice_by_hand),
      cmocka_unit_test(divisions_and_foreign_code),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
