/* The static tier: a loop worked out by hand, the advice, and the model against what an H200 counted. */
#include "analysis/advice/static.h"

#include "analysis/metrics/formulas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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
  assert_absent(c->bounds[BOUND_LSU].load_bw, "no ceiling rate_lsu is known for this device");
  assert_absent(c->bounds[BOUND_XU].load_bw, "the loop does not use it");
  assert_value(c->bounds[BOUND_LATENCY].load_bw, 32 * 32 * 40 / 900e-9);
  assert_int_equal(c->binding, BOUND_LATENCY);
  assert_true(advised(&d, "long-scoreboard"));
  assert_true(advised(&d, "issue-slots"));
  assert_false(advised(&d, "narrow-loads"));
  assert_false(advised(&d, "small-grid"));
  assert_false(advised(&d, "spills"));
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
  release(&d);
  made(&d, LOOP);
  d.m.results[0].bytes_minimal = 0; /* somebody's cubin: bandwidths are known, times are not */
  make(&d);
  assert_absent(d.code.bounds[BOUND_ISSUE].seconds, "no problem is declared, so no bytes that must move");
  assert_true(d.code.bounds[BOUND_ISSUE].load_bw.present);
  release(&d);
  struct err e = {0};
  made(&d, LOOP);
  d.m.results[0].module = -1;
  assert_int_equal(static_code_make(&d.code, &d.m.run, d.m.results, NULL, &d.m.device, &e), ERR_DATA);
  assert_string_equal(e.text, "nothing was compiled");
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
  static const char *lines[32] = {"LDC.64 R2, c[0x0][0x210]", "LDG.E R8, desc[UR4][R2.64]", "I2F.U32.RP R9, R8",
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
    assert_int_equal(advised(&d, "decode-cost"), gemv);
    release(&d);
  }
  lines[2] = "I2F.U32 R9, R8"; /* a conversion */
  made(&d, lines);
  make(&d);
  assert_false(advised(&d, "integer-division"));
  release(&d);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Modelled over counted warp instructions, for every rung and shape whose loop names its bytes. */
static void against_what_was_counted(void **state) {
  (void)state;
  enum { PAIRS_MAX = 512 };
  static double ratios[PAIRS_MAX];
  size_t n = 0, near = 0, absent = 0;
  struct run r = {0};
  struct device d = {0};
  struct err e = {0};
  if (run_load(&r, TEST_SOURCE_DIR "/recorded/h200.json.gz", &e) || device_from_run(&d, &r.device, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < r.n_results && n < PAIRS_MAX; i++) {
    const struct run_result *x = &r.results[i];
    const struct run_metric *counted = run_metric_find(x, "inst_executed");
    const char *ladder = r.variants[x->variant].ladder;
    struct static_code c;
    if (x->module < 0 || !counted || !counted->present || !ladder || strcmp(ladder, "control") == 0)
      continue; /* controls are not a GEMV, and some are a library's */
    if (static_code_make(&c, &r, x, launch_main(x), &d, &e))
      fail_msg("%s", e.text);
    absent += !c.warp_insts.present;
    if (c.warp_insts.present)
      ratios[n++] = c.warp_insts.v / counted->value;
    static_code_release(&c);
  }
  qsort(ratios, n, sizeof *ratios, ascending);
  for (size_t i = 0; i < n; i++)
    near += ratios[i] > 0.8 && ratios[i] < 1.1;
  print_message(
      "modelled over counted instructions, %zu pairs (%zu absent): least %.3f, quartiles %.3f %.3f %.3f, most %.3f; "
      "%zu within 0.8 to 1.1\n",
      n, absent, ratios[0], ratios[n / 4], ratios[n / 2], ratios[3 * n / 4], ratios[n - 1], near);
  assert_true(n >= 150);
  assert_true(ratios[n / 2] > 0.93 && ratios[n / 2] < 1.02);
  assert_true(4 * near >= 3 * n);
  run_release(&r);
  device_release(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_by_hand),
      cmocka_unit_test(buffers_that_are_not_told_apart),
      cmocka_unit_test(several_parameters_in_one_load),
      cmocka_unit_test(what_is_not_known_is_absent),
      cmocka_unit_test(advice_by_hand),
      cmocka_unit_test(divisions_and_foreign_code),
      cmocka_unit_test(against_what_was_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
