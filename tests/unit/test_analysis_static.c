/* The static tier: a loop worked out by hand, and the advice. */
#include "analysis/advice/static.h"

#include "analysis/metrics/formulas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/assert_value.h"
#include "unit/made_run.h"
#include "unit/made_sass.h"

/* A turn loads 16 bytes of a (parameter 0x210) and 16 of b (0x218): 7 instructions, of which 2 FFMA and 2 on the ALU. */
static const char *const LOOP[] = {"LDC.64 R2, c[0x0][0x210]",
                                   "LDC.64 R4, c[0x0][0x218]",
                                   "LDG.E.128 R8, desc[UR4][R2.64]", /* 0x20 */
                                   "LDG.E.128 R12, desc[UR4][R4.64]",
                                   "FFMA R16, R8, R12, R16",
                                   "FFMA R17, R9, R13, R17",
                                   "IADD3 R2, R2, 0x10, RZ",
                                   "ISETP.NE.AND P0, PT, R2, R6, PT",
                                   "@P0 BRA 0x20",
                                   "EXIT",
                                   NULL};

struct made_code {
  struct made_run m;
  struct made_sass sass;
  struct run_module module;
  struct run_key step;
  struct static_code code;
};

/* 10 SMs at 1 GHz, DRAM of 4 TB/s and 900 cycles; 20 blocks of 64 threads; 1 MB to load for 32768 elements. */
static struct run_result *made(struct made_code *d, const char *const *lines) {
  memset(d, 0, sizeof *d);
  made_begin(&d->m);
  made_kernel(&d->sass, lines);
  d->m.device.sm = 90;
  d->m.device.sms = 10;
  d->m.device.clock_max_hz = 1e9;
  occupancy_chip(&d->m.device, 90);
  made_ceiling(&d->m, "dram_bw", 4e12, CEILING_DATASHEET);
  made_ceiling(&d->m, "dram_latency_cycles", 900, CEILING_MEASURED);
  made_ceiling(&d->m, "rate_ffma", 128, CEILING_DATASHEET);
  made_ceiling(&d->m, "rate_alu", 64, CEILING_DATASHEET);
  struct run_variant *v = made_variant(&d->m, "made", "made", NULL);
  d->step = (struct run_key){(char *)"step", (char *)"kernel = made; grid = 20; block = 64"};
  v->keys = &d->step;
  v->n_keys = 1;
  d->sass.kernel.registers = 32;
  d->module = (struct run_module){.arch = (char *)"sm_90a", .kernels = &d->sass.kernel, .n_kernels = 1};
  d->m.run.modules = &d->module;
  d->m.run.n_modules = 1;
  struct run_result *r = made_result(&d->m, "made", (struct shape){.m = 128, .k = 256, .l = 1});
  r->module = 0;
  r->bytes_minimal = 1e6;
  r->n_launches = 1;
  *r->launches = (struct run_launch){.kernel = (char *)"made", .grid = {20, 1, 1}, .block = {64, 1, 1}};
  return r;
}

static void make(struct made_code *d) {
  struct err e = {0};
  if (static_code_make(&d->code, &d->m.run, d->m.results, d->m.results[0].launches, &d->m.device, &e))
    fail_msg("%s", e.text);
}

static void release(struct made_code *d) {
  static_code_release(&d->code);
  sass_release(&d->sass.sass);
}

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
  static const char *const wanted[] = {"spills", "fp64", "dependent-loads", "narrow-loads", "occupancy"};
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
    assert_string_equal(d.code.advice[0].sentence,
                        "1 integer division or remainder by variables: about 67 % of 27 instructions");
    const struct evidence *x = d.code.advice[0].evidence;
    assert_int_equal(d.code.advice[0].n_evidence, 4);
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
  assert_string_equal(d.code.advice[0].sentence,
                      "2 integer divisions or remainders by variables: about 100 % of 4 instructions");
  release(&d);
  lines[2] = "I2F.U32 R9, R8"; /* a conversion */
  made(&d, lines);
  make(&d);
  assert_false(advised(&d, "integer-division"));
  release(&d);
}

/* What is stored on every way through a turn shares DRAM with what is loaded: 16 bytes each leave half of 4 TB/s.  A store under a guard, or
 * in a block that a branch may pass by, is not sure to be one. */
static void stores_take_bandwidth(void **state) {
  (void)state;
  static const char *lines[] = {"LDC.64 R2, c[0x0][0x210]",
                                "LDG.E.128 R8, desc[UR4][R2.64]",
                                "@P1 BRA 0x40",
                                "IADD3 R2, R2, 0x10, RZ",
                                "STG.E.128 desc[UR4][R2.64], R8",
                                "@P0 BRA 0x10",
                                "EXIT",
                                NULL};
  static struct made_code d;
  made(&d, lines);
  make(&d);
  assert_true(d.code.stored_share == 0.5);
  assert_value(d.code.bounds[BOUND_DRAM].load_bw, 2e12);
  release(&d);
  lines[2] = "@P1 BRA 0x50";
  made(&d, lines);
  make(&d);
  assert_value(d.code.bounds[BOUND_DRAM].load_bw, 4e12);
  release(&d);
  lines[2] = "NOP";
  lines[4] = "@P1 STG.E.128 desc[UR4][R2.64], R8";
  made(&d, lines);
  make(&d);
  assert_value(d.code.bounds[BOUND_DRAM].load_bw, 4e12);
  release(&d);
  /* Of a kernel without a loop: what leaves early stores nothing. */
  static const char *const once[] = {"LDC.64 R2, c[0x0][0x210]",      "@P1 EXIT", "LDG.E R8, desc[UR4][R2.64]",
                                     "STG.E.64 desc[UR4][R2.64], R8", "EXIT",     NULL};
  made(&d, once);
  make(&d);
  assert_value(d.code.bounds[BOUND_DRAM].load_bw, 4e12 * (1 - 8 / 12.0));
  release(&d);
}

/* --- what each rule says --- */

enum { TEXT_MAX = 4096 };

/* "issue-slots: DRAM 4e+12 B/s; ...", the sentence and the remedy: three lines a rule. */
static void advice_text(char out[TEXT_MAX], const struct static_code *c) {
  size_t n = 0;
  out[0] = '\0';
  for (size_t i = 0; i < c->n_advice; i++) {
    const struct static_advice *a = &c->advice[i];
    n += (size_t)snprintf(out + n, TEXT_MAX - n, "%s:", a->rule->name);
    for (size_t k = 0; k < a->n_evidence; k++)
      n += (size_t)snprintf(out + n, TEXT_MAX - n, "%s %s %.4g %s", k ? ";" : "", a->evidence[k].title,
                            a->evidence[k].value.v, a->evidence[k].unit);
    n += (size_t)snprintf(out + n, TEXT_MAX - n, "\n%s\n%s\n", a->sentence, a->remedy);
  }
}

static void spilled(struct made_code *d) {
  d->sass.kernel.spill_store_bytes = 8;
  d->sass.kernel.spill_load_bytes = 12;
  d->m.results[0].launches->grid[0] = 4;
}

static void spills_untold(struct made_code *d) {
  d->sass.kernel.spill_store_bytes = d->sass.kernel.spill_load_bytes = -1;
  made_ceiling(&d->m, "rate_fp64", 64, CEILING_DATASHEET);
}

static void few_registers_free(struct made_code *d) {
  d->sass.kernel.registers = 128;
  d->m.results[0].launches->block[0] = 512;
}

static void much_shared_memory(struct made_code *d) {
  d->sass.kernel.smem_static = 100000;
}

static void too_large_a_block(struct made_code *d) {
  d->sass.kernel.smem_static = 300000;
}

static void loads_spilled(struct made_code *d) {
  d->sass.kernel.spill_load_bytes = 5;
  d->m.results[0].launches->grid[0] = 1;
  d->m.device.n_ceilings = 0;
}

/* 32 lanes a cycle on LSU, 16 on XU. */
static void slow_pipes(struct made_code *d) {
  d->m.results[0].shape = (struct shape){0};
  made_ceiling(&d->m, "rate_lsu", 32, CEILING_DATASHEET);
  made_ceiling(&d->m, "rate_xu", 16, CEILING_DATASHEET);
}

/* 4 KB a turn of a warp are 1.3 MB of 10 SMs' 640 warps, more than 900 cycles need at a tenth of the bandwidth. */
static void enough_in_flight(struct made_code *d) {
  slow_pipes(d);
  d->m.results[0].launches->grid[0] = 1000;
  d->m.device.n_ceilings = 0;
  made_ceiling(&d->m, "rate_lsu", 32, CEILING_DATASHEET);
  made_ceiling(&d->m, "dram_bw", 4e10, CEILING_DATASHEET);
  made_ceiling(&d->m, "dram_latency_cycles", 900, CEILING_MEASURED);
}

static void many_warps_of_one(struct made_code *d) {
  d->m.results[0].launches->block[0] = 32;
  d->m.results[0].launches->grid[0] = 1000;
  d->m.device.n_ceilings = 0; /* no latency is known: what is in flight may not be enough */
}

/* 7 / 4 cycles for 16 bytes of a; 32 B of 40 warps in 900 ns, where 4 TB/s need 3.6 MB */
#define ISSUE_OF_LOOP                                                                                                  \
  "issue-slots: instructions per byte 0.4375 inst; loads modelled at most 2.926e+12 B/s; DRAM 4e+12 B/s\n"             \
  "issue-bound: 0.438 instructions per byte; the issue slots allow 2.93 of DRAM's 4 TB/s\n"                            \
  "fewer instructions per byte: wider loads, packed arithmetic (HFMA2), addresses by a pointer that advances\n"
#define FLIGHT_OF_16                                                                                                                                                                   \
  "long-scoreboard: in flight per thread 16 byte; in flight on the chip 2.048e+04 B; needed 3.6e+06 B; warps resident 40 warp; loads modelled at most 2.276e+10 B/s; DRAM 4e+12 B/s\n" \
  "16 B in flight per thread (0.0195 MiB on the chip) = 1 % of the 3.43 MiB that Little's law needs\n"                                                                                 \
  "issue more loads before the first use: unroll, or load the next tile ahead; or run more warps\n"
#define FLIGHT_OF_LOOP                                                                                                                                                                 \
  "long-scoreboard: in flight per thread 32 byte; in flight on the chip 4.096e+04 B; needed 3.6e+06 B; warps resident 40 warp; loads modelled at most 4.551e+10 B/s; DRAM 4e+12 B/s\n" \
  "32 B in flight per thread (0.0391 MiB on the chip) = 1 % of the 3.43 MiB that Little's law needs\n"                                                                                 \
  "issue more loads before the first use: unroll, or load the next tile ahead; or run more warps\n"

static const struct static_case {
  const char *const *lines;
  void (*also)(struct made_code *d);
  const char *says;
} SAYS[] = {
    {LOOP, NULL, ISSUE_OF_LOOP FLIGHT_OF_LOOP},
    /* 8 warps hold a fifth */
    {LOOP, spilled,
     "spills: registers per thread 32 register; spill stores 8 byte; spill loads 12 byte; local memory instructions 0 inst\n"
     "32 registers are too few for the live values: the compiler spills to local memory\n"
     "fewer values live at a time (smaller tiles, fewer accumulators), or a higher register cap (maxrregcount, __launch_bounds__)\n"
     "small-grid: blocks 4 block; SMs 10 SM\n"
     "4 blocks leave 6 of 10 SMs idle\n"
     "launch more blocks: less work per block, or split a long sum over blocks\n" ISSUE_OF_LOOP
     "long-scoreboard: in flight per thread 32 byte; in flight on the chip 8192 B; needed 3.6e+06 B; warps resident 8 warp; loads modelled at most 9.102e+09 B/s; DRAM 4e+12 B/s\n"
     "32 B in flight per thread (0.00781 MiB on the chip) = 0 % of the 3.43 MiB that Little's law needs\n"
     "issue more loads before the first use: unroll, or load the next tile ahead; or run more warps\n"},
    /* 6 instructions for 8 bytes, of which one DFMA of 64 lanes a cycle */
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R8.64]",
                           "DFMA R16, R8, R12, R16", "STL [R1], R16", "LDL R16, [R1]", "@P0 BRA 0x10", "EXIT", NULL},
     spills_untold,
     "spills: registers per thread 32 register; local memory instructions 2 inst\n"
     "the code reads and writes local memory: spilled registers, or an array indexed at run time\n"
     "fewer values live at a time (smaller tiles, fewer accumulators), or a higher register cap (maxrregcount, __launch_bounds__)\n"
     "fp64: fp64 instructions of the loop 1 inst; loads modelled at most 5.12e+12 B/s; DRAM 4e+12 B/s\n"
     "the hot loop computes in double precision, which has few lanes on most chips\n"
     "compute in float, or in fp16 with fp32 sums; look for literals without the suffix f and for calls of double functions\n"
     "dependent-loads: bytes in flight per thread 4 byte\n"
     "the address of LDG.E R9, desc[UR4][R8.64] comes from another load of the loop: each iteration waits for two latencies or more\n"
     "compute addresses from indices, or load the next iteration's index ahead\n"
     "issue-slots: instructions per byte 0.75 inst; loads modelled at most 1.707e+12 B/s; DRAM 4e+12 B/s\n"
     "issue-bound: 0.75 instructions per byte; the issue slots allow 1.71 of DRAM's 4 TB/s\n"
     "fewer instructions per byte: wider loads, packed arithmetic (HFMA2), addresses by a pointer that advances\n"
     "long-scoreboard: in flight per thread 4 byte; in flight on the chip 5120 B; needed 3.6e+06 B; warps resident 40 warp; loads modelled at most 5.689e+09 B/s; DRAM 4e+12 B/s\n"
     "4 B in flight per thread (0.00488 MiB on the chip) = 0 % of the 3.43 MiB that Little's law needs\n"
     "load 16 bytes per lane, then issue more loads before the first use\n"
     "narrow-loads: widest load 4 byte; instructions per byte 0.75 inst\n"
     "no load of global memory is wider than 4 bytes per lane\n"
     "load 16 bytes per lane (uint4): fewer load instructions and more bytes in flight\n"},
    /* 3 of 5 instructions, for a byte; 1e6 bytes of 32,768 elements.  An SM holds a block of 16 warps. */
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E.U8 R8, desc[UR4][R2.64]", "F2F.F32.F16 R9, R8",
                           "LOP3.LUT R10, R9, R8, R10, 0x96, !PT", "IADD3 R2, R2, 0x10, RZ", "@P0 BRA 0x10", "EXIT",
                           NULL},
     few_registers_free,
     "decode-cost: conversions, integer and logic of the loop 3 inst; instructions of the loop 5 inst; of these, per element 91.55 inst; loads modelled at most 2.56e+11 B/s; DRAM 4e+12 B/s\n"
     "conversions, integer and logic are 60 % of the loop, which can load at most 0.256 of DRAM's 4 TB/s\n"
     "decode whole words: by the chip's own conversions where it has them, else by shift and mask into fp16, or repack nibbles as e4m3 for cvt.e4m3x2; decode B once\n"
     "issue-slots: instructions per byte 5 inst; loads modelled at most 2.56e+11 B/s; DRAM 4e+12 B/s\n"
     "issue-bound: 5 instructions per byte; the issue slots allow 0.256 of DRAM's 4 TB/s\n"
     "fewer instructions per byte: wider loads, packed arithmetic (HFMA2), addresses by a pointer that advances\n"
     "long-scoreboard: in flight per thread 1 byte; in flight on the chip 5120 B; needed 3.6e+06 B; warps resident 160 warp; loads modelled at most 5.689e+09 B/s; DRAM 4e+12 B/s\n"
     "1 B in flight per thread (0.00488 MiB on the chip) = 0 % of the 3.43 MiB that Little's law needs\n"
     "load 16 bytes per lane, then issue more loads before the first use\n"
     "narrow-loads: widest load 1 byte; instructions per byte 5 inst\n"
     "no load of global memory is wider than 1 byte per lane\n"
     "load 16 bytes per lane (uint4): fewer load instructions and more bytes in flight\n"
     "occupancy: theoretical occupancy 0.25 ratio; blocks per SM 1 block; registers per thread 128 register\n"
     "each SM holds 1 block of 16 warps, limited by registers\n"
     "fewer registers per thread, or more loads in flight per warp\n"},
    {LOOP, much_shared_memory,
     ISSUE_OF_LOOP FLIGHT_OF_LOOP
     "occupancy: theoretical occupancy 0.0625 ratio; blocks per SM 2 block; registers per thread 32 register\n"
     "each SM holds 2 blocks of 2 warps, limited by shared memory\n"
     "less shared memory per block (fewer stages, smaller tiles), or more loads in flight per warp\n"},
    {LOOP, too_large_a_block,
     ISSUE_OF_LOOP
     "long-scoreboard: in flight per thread 32 byte; in flight on the chip 0 B; needed 3.6e+06 B; warps resident 0 warp; loads modelled at most 0 B/s; DRAM 4e+12 B/s\n"
     "32 B in flight per thread (0 MiB on the chip) = 0 % of the 3.43 MiB that Little's law needs\n"
     "issue more loads before the first use: unroll, or load the next tile ahead; or run more warps\n"
     "occupancy: theoretical occupancy 0 ratio; blocks per SM 0 block; registers per thread 32 register\n"
     "the block cannot be launched on this chip: shared memory\n"
     "less shared memory per block (fewer stages, smaller tiles), or more loads in flight per warp\n"},
    {LOOP, loads_spilled,
     "spills: registers per thread 32 register; spill stores 0 byte; spill loads 5 byte; local memory instructions 0 inst\n"
     "32 registers are too few for the live values: the compiler spills to local memory\n"
     "fewer values live at a time (smaller tiles, fewer accumulators), or a higher register cap (maxrregcount, "
     "__launch_bounds__)\n"
     "small-grid: blocks 1 block; SMs 10 SM\n"
     "1 block leaves 9 of 10 SMs idle\n"
     "launch more blocks: less work per block, or split a long sum over blocks\n"},
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "STL [R1], R16", "EXIT", NULL}, NULL,
     ""}, /* no spill, ptxas says */
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E.128 R8, desc[UR4][R2.64]", "LDS R12, [R5]",
                           "LDS R13, [R5+0x4]", "FFMA R16, R12, R13, R16", "@P0 BRA 0x20", "EXIT", NULL},
     slow_pipes,
     "shared-memory: shared-memory instructions of the loop 2 inst; cycles of the pipe per warp and iteration 2 cycle; cycles to issue the iteration 1 cycle\n"
     "2 of the hot loop's 4 instructions access shared memory: the LSU pipe needs 2 cycles per warp and iteration, issuing 1\n"
     "use each value more often once it is read (more outputs per thread), or wider shared accesses\n" FLIGHT_OF_16},
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E.128 R8, desc[UR4][R2.64]", "MUFU.EX2 R9, R9",
                           "FFMA R16, R9, R13, R16", "@P0 BRA 0x20", "EXIT", NULL},
     slow_pipes,
     "pipe: instructions of the pipe in the loop 1 inst; cycles of the pipe per warp and iteration 2 cycle; cycles to issue the iteration 0.75 cycle\n"
     "the XU pipe takes 1 of the hot loop's 3 instructions and 2 cycles per warp and iteration; issuing takes 0.75\n"
     "fewer conversions and special functions: by table, by bits, or once for several elements\n" FLIGHT_OF_16},
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E R8, desc[UR4][R2.64]",
                           "LOP3.LUT R10, R9, R8, R10, 0x96, !PT", "LOP3.LUT R11, R9, R8, R10, 0x96, !PT",
                           "LOP3.LUT R12, R9, R8, R10, 0x96, !PT", "LOP3.LUT R13, R9, R8, R10, 0x96, !PT",
                           "@P0 BRA 0x10", "EXIT", NULL},
     slow_pipes,
     "pipe: instructions of the pipe in the loop 4 inst; cycles of the pipe per warp and iteration 2 cycle; cycles to issue the iteration 1.5 cycle; loads modelled at most 6.4e+11 B/s; DRAM 4e+12 B/s\n"
     "the ALU pipe takes 4 of the hot loop's 6 instructions and 2 cycles per warp and iteration; issuing takes 1.5\n"
     "do the integer and logic work once for several elements, or move some to the FMA pipe (IMAD)\n"
     "long-scoreboard: in flight per thread 4 byte; in flight on the chip 5120 B; needed 3.6e+06 B; warps resident 40 warp; loads modelled at most 5.689e+09 B/s; DRAM 4e+12 B/s\n"
     "4 B in flight per thread (0.00488 MiB on the chip) = 0 % of the 3.43 MiB that Little's law needs\n"
     "load 16 bytes per lane, then issue more loads before the first use\n"
     "narrow-loads: widest load 4 byte; instructions per byte 1.5 inst\n"
     "no load of global memory is wider than 4 bytes per lane\n"
     "load 16 bytes per lane (uint4): fewer load instructions and more bytes in flight\n"},
    {(const char *const[]){"LDC.64 R2, c[0x0][0x210]", "LDG.E R8, desc[UR4][R2.64]", "FADD R9, R8, R9", "@P0 BRA 0x10",
                           "EXIT", NULL},
     enough_in_flight, ""},
    /* ptxas tells of no spill: an array, in a loop */
    {(const char *const[]){"S2R R2, SR_TID.X", "STL [R2], R16", "FADD R16, R16, R17", "@P0 BRA 0x10", "EXIT", NULL},
     NULL,
     "spills: registers per thread 32 register; local memory instructions of the loop 1 inst\n"
     "1 instruction of the hot loop accesses local memory: an array that is indexed at run time, or too large for registers\n"
     "index arrays by constants (unroll the loop), keep large ones in shared memory, or compute values again\n"},
    {LOOP, many_warps_of_one, ""}, /* half of an SM's warps are not few */
};

static void what_each_rule_says(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof SAYS / sizeof SAYS[0]; i++) {
    static struct made_code d;
    char text[TEXT_MAX];
    made(&d, SAYS[i].lines);
    if (SAYS[i].also)
      SAYS[i].also(&d);
    make(&d);
    advice_text(text, &d.code);
    if (strcmp(text, SAYS[i].says) != 0)
      fail_msg("row %zu:\n%s\nwanted:\n%s", i, text, SAYS[i].says);
    release(&d);
  }
}

static const struct static_advice *of_rule(const struct static_code *c, const char *name) {
  for (size_t i = 0; i < c->n_advice; i++)
    if (strcmp(c->advice[i].rule->name, name) == 0)
      return &c->advice[i];
  return NULL;
}

#define FOUR_SUMS "FADD R4, R8, R9", "FADD R5, R8, R9", "FADD R6, R8, R9", "FADD R7, R8, R9"

/* Sectors of 32 bytes that a warp touches, over the least for its bytes: 32 over 4 a row apart, 8 over 4 at every second word; turns at a bank. */
static void lanes_that_lie_apart(void **state) {
  (void)state;
  static const struct {
    const char *lines[24], *rule, *sentence;
    double figure; /* of the last evidence */
    const char *remedy;
    double accesses; /* of the first */
  } cases[] = {
      {{"S2R R0, SR_TID.X", "LDC R1, c[0x0][0x220]", "IMAD R0, R0, R1, RZ", "IMAD.WIDE R2, R0, 0x4, RZ",
        "LDG.E R8, desc[UR4][R2.64]", "STG.E desc[UR4][UR8], R8", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E R8, desc[UR4][R2.64] lie a distance apart that is known at run time only (a row's length)",
       4.5,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       2},
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x8, RZ", "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]",
        "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E R8, desc[UR4][R2.64] lie 8 bytes apart",
       2,
       "move each thread's adjacent elements at once (float2, float4), or use arrays in place of structs",
       2},
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x8, RZ", "LDG.E R8, desc[UR4][R2.64]", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E R8, desc[UR4][R2.64] lie 8 bytes apart",
       2,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       1},
      /* pieces as wide as can be, that fill what they touch; and one that does not */
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "LDG.E.128 R8, desc[UR4][R2.64]",
        "LDG.E.128 R12, desc[UR4][R2.64+0x10]", "EXIT"},
       "uncoalesced",
       NULL,
       0,
       NULL},
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "LDG.E.128 R8, desc[UR4][R2.64]", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E.128 R8, desc[UR4][R2.64] lie 32 bytes apart",
       2,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       1},
      /* nor do instructions that access nothing fill it */
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "LDG.E.128 R8, desc[UR4][R2.64]", FOUR_SUMS, FOUR_SUMS,
        FOUR_SUMS, FOUR_SUMS, "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E.128 R8, desc[UR4][R2.64] lie 32 bytes apart",
       2,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       1},
      /* nor what has another base, or goes the other way */
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "IMAD.WIDE R4, R0, 0x20, RZ",
        "LDG.E.128 R8, desc[UR4][R2.64]", "LDG.E.128 R12, desc[UR4][R4.64+0x10]", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E.128 R8, desc[UR4][R2.64] lie 32 bytes apart",
       2,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       2},
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "LDG.E.128 R8, desc[UR4][R2.64]",
        "STG.E.128 desc[UR4][R2.64+0x10], R8", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E.128 R8, desc[UR4][R2.64] lie 32 bytes apart",
       2,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       2},
      /* two pieces that begin behind the address fill it */
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x20, RZ", "LDG.E.128 R8, desc[UR4][R2.64+0x20]",
        "LDG.E.128 R12, desc[UR4][R2.64+0x30]", "EXIT"},
       "uncoalesced",
       NULL,
       0,
       NULL},
      /* 64 over 5, and of both the bytes' 32 over 1 are told */
      {{"S2R R0, SR_TID.X", "LDC R1, c[0x0][0x220]", "IMAD R0, R0, R1, RZ", "IMAD.WIDE R2, R0, 0x4, RZ",
        "LDG.E R8, desc[UR4][R2.64]", "LDG.E.U8 R9, desc[UR4][R2.64+0x8]", "EXIT"},
       "uncoalesced",
       "neighbouring lanes of LDG.E.U8 R9, desc[UR4][R2.64+0x8] lie a distance apart that is known at run time only (a row's length)",
       12.8,
       "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory",
       2},
      /* one of four: fewer sectors in vain than are needed */
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R8, desc[UR4][R2.64]",
        "LDG.E R9, desc[UR4][R2.64+0x400]", "LEA R2, R0, RZ, 0x3", "LDG.E R10, desc[UR4][R2]", "EXIT"},
       "uncoalesced",
       NULL,
       0,
       NULL},
      {{"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R8, desc[UR4][R2.64]", "EXIT"},
       "uncoalesced",
       NULL,
       0,
       NULL},
      {{"S2R R0, SR_CTAID.X", "IMAD.WIDE R2, R0, 0x4, RZ", "LDG.E R8, desc[UR4][R2.64]", "EXIT"},
       "uncoalesced",
       NULL,
       0,
       NULL},
      {{"S2R R0, SR_TID.X", "LEA R2, R0, UR4, 0x7", "LDS R8, [R2]", "EXIT"},
       "bank-conflicts",
       "neighbouring lanes of LDS R8, [R2] lie 128 bytes apart: 32 of them share a bank and take turns",
       32,
       "pad the rows of the shared array by one word (tile[32][33]) or swizzle its columns",
       1},
      /* of two the worse, of 4 turns and of 8; what is read in order takes part, too */
      {{"S2R R0, SR_TID.X", "IMAD.SHL.U32 R2, R0, 0x10, RZ", "IMAD.SHL.U32 R3, R0, 0x20, RZ", "LDS R8, [R2]",
        "LDS R9, [R3]", "LDS R10, [UR4]", "EXIT"},
       "bank-conflicts",
       "neighbouring lanes of LDS R9, [R3] lie 32 bytes apart: 8 of them share a bank and take turns",
       8,
       "pad the rows of the shared array by one word (tile[32][33]) or swizzle its columns",
       3},
      {{"S2R R0, SR_TID.X", "IMAD R2, R0, 0x84, RZ", "STS [R2], R8", "EXIT"}, "bank-conflicts", NULL, 0, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_code d;
    made(&d, cases[i].lines);
    make(&d);
    const struct static_advice *a = of_rule(&d.code, cases[i].rule);
    if ((a != NULL) != (cases[i].sentence != NULL))
      fail_msg("case %zu", i);
    if (a) {
      assert_string_equal(a->sentence, cases[i].sentence);
      assert_string_equal(a->remedy, cases[i].remedy);
      assert_true(a->evidence[a->n_evidence - 1].value.v == cases[i].figure);
      assert_true(a->evidence[0].value.v == cases[i].accesses);
      assert_null(of_rule(&d.code, strcmp(cases[i].rule, "uncoalesced") == 0 ? "narrow-loads" : "uncoalesced"));
    }
    release(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_that_lie_apart),
      cmocka_unit_test(a_loop_by_hand),
      cmocka_unit_test(the_work_of_a_loop),
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
      cmocka_unit_test(stores_take_bandwidth),
      cmocka_unit_test(what_each_rule_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
