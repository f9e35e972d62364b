/* A rung at a shape on a chip. */
#include "kernels/rung.h"

#include "base/text.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOOT "//! id: x\n//! ladder: l\n"
#define STEP "//! step: kernel = k; grid = 1; block = 32\n"

static const struct shape first = {7168, 16384, 1}, second = {4096, 7168, 8};
static const struct rung_chip h200 = {
    .sm = 90, .sms = 132, .smem_optin = 232448, .regs_per_sm = 65536, .warps_per_sm = 64, .l2_bytes = 62914560};

/* The plan of the front matter's only rung; the set must be released after the plan. */
static int plan(struct rung_plan *out, struct rung_set *set, const char *text, struct shape s, struct err *e) {
  int rc = rung_set_add(set, "t.cu", text, e);
  if (rc == 0)
    rc = rung_set_finish(set, e);
  if (rc)
    fail_msg("%s", e->text);
  return rung_plan(out, &set->rungs[0], s, &h200, e);
}

static void defaults(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct rung_plan p;
  struct err e = {0};
  assert_int_equal(plan(&p, &set, FOOT STEP, second, &e), 0);
  assert_true(p.runnable);
  assert_null(p.reason);
  assert_null(p.path);
  assert_true(shape_equal(p.shape, second));
  assert_int_equal(p.n_params + p.n_defines + p.n_resets + p.n_scratch + p.n_tensormaps, 0);
  assert_int_equal(p.n_steps, 1);
  const struct plan_launch *l = &p.steps[0];
  assert_string_equal(l->kernel, "k");
  assert_int_equal(l->grid[0], 1);
  assert_int_equal(l->grid[1], 1);
  assert_int_equal(l->grid[2], 1);
  assert_int_equal(l->block[0], 32);
  assert_int_equal(l->block[1], 1);
  assert_int_equal(l->cluster[0], 0);
  assert_int_equal(l->smem, 0);
  assert_int_equal(l->n_args, 8);
  static const char *const buffers[] = {"a", "b", "sfa", "sfb", "c"};
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(l->args[i].kind, ARG_BUFFER);
    assert_string_equal(l->args[i].name, buffers[i]);
  }
  static const long extents[] = {4096, 7168, 8};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(l->args[5 + i].kind, ARG_INT);
    assert_int_equal(l->args[5 + i].value, extents[i]);
  }
  /* A 117,440,512 + SFA 14,680,064 + B 28,672 + SFB 3,584 + C 65,536 */
  assert_true(p.bytes == 132218368.0);
  assert_true(p.flops == 2.0 * 4096 * 7168 * 8);
  rung_plan_release(&p);
  rung_set_release(&set);
}

static const char full[] = FOOT
    "//! param: ROWS = 4 in {2, 4, 8}\n"
    "//! param: SPLIT = 1\n"
    "//! when: ROWS == 8: ROWS = 4\n"
    "//! when: K >= 16384 && sm == 90: ROWS = 8, SPLIT = 2\n"
    "//! when: K >= 7168: ROWS = 2\n"
    "//! constants: K, M\n"
    "//! step: kernel = split; grid = ceildiv(M, ROWS), L, SPLIT; block = 32, ROWS; smem = ROWS * 1K; cluster = 2;\n"
    "//!       args = map, part, M, i64(M * K * L), sms\n"
    "//! step: kernel = add; grid = 1; block = 1024; when = SPLIT > 1\n"
    "//! scratch: part = 4 * M * L * SPLIT; fill = 0\n"
    "//! scratch: junk = 64\n"
    "//! reset: fill part = 7\n"
    "//! reset: kernel = clear; grid = SPLIT; block = 32; args = junk\n"
    "//! reset: kernel = never; grid = 1; block = 32; when = SPLIT > 9\n"
    "//! tensormap: map = a; type = u8; dims = K / 2, M * L; strides = K / 2; box = 128, ROWS; swizzle = 128\n"
    "//! bytes: M + 0.5\n"
    "//! flops: SPLIT\n"
    "//! needs: sm >= 90\n"
    "//! path: sm >= 100: native\n"
    "//! path: sm >= 80: shifts\n"
    "//! path: 1: never\n";

static void everything_is_evaluated(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct rung_plan p;
  struct err e = {0};
  assert_int_equal(plan(&p, &set, full, first, &e), 0);
  assert_true(p.runnable);
  assert_string_equal(p.path, "shifts");
  assert_int_equal(p.n_params, 2);
  assert_string_equal(p.params[0].name, "ROWS");
  assert_int_equal(p.params[0].value, 8);
  assert_int_equal(p.params[1].value, 2);
  assert_int_equal(p.n_defines, 4);
  assert_string_equal(p.defines[0], "-DROWS=8");
  assert_string_equal(p.defines[1], "-DSPLIT=2");
  assert_string_equal(p.defines[2], "-DSHAPE_M=7168");
  assert_string_equal(p.defines[3], "-DSHAPE_K=16384");
  assert_int_equal(p.n_steps, 2);
  const struct plan_launch *l = &p.steps[0];
  assert_int_equal(l->grid[0], 896);
  assert_int_equal(l->grid[1], 1);
  assert_int_equal(l->grid[2], 2);
  assert_int_equal(l->block[1], 8);
  assert_int_equal(l->smem, 8192);
  assert_int_equal(l->cluster[0], 2);
  assert_int_equal(l->cluster[1], 1);
  assert_int_equal(l->n_args, 5);
  assert_int_equal(l->args[0].kind, ARG_TENSORMAP);
  assert_string_equal(l->args[1].name, "part");
  assert_int_equal(l->args[2].value, 7168);
  assert_int_equal(l->args[3].kind, ARG_INT64);
  assert_int_equal(l->args[3].value, 117440512);
  assert_int_equal(l->args[4].value, 132);
  assert_string_equal(p.steps[1].kernel, "add");
  assert_int_equal(p.n_scratch, 2);
  assert_int_equal(p.scratch[0].bytes, 57344);
  assert_int_equal(p.scratch[0].fill, 0);
  assert_int_equal(p.scratch[1].fill, 0xff);
  assert_int_equal(p.n_resets, 2);
  assert_string_equal(p.resets[0].fill_buffer, "part");
  assert_int_equal(p.resets[0].fill_byte, 7);
  assert_null(p.resets[1].fill_buffer);
  assert_int_equal(p.resets[1].launch.grid[0], 2);
  assert_int_equal(p.n_tensormaps, 1);
  assert_string_equal(p.tensormaps[0].map->name, "map");
  assert_int_equal(p.tensormaps[0].dims[0], 8192);
  assert_int_equal(p.tensormaps[0].dims[1], 7168);
  assert_int_equal(p.tensormaps[0].strides[0], 8192);
  assert_int_equal(p.tensormaps[0].box[0], 128);
  assert_int_equal(p.tensormaps[0].box[1], 8);
  assert_true(p.bytes == 7168.5);
  assert_true(p.flops == 2);
  rung_plan_release(&p);

  /* At the second shape another `when` holds, and the step that adds falls away. */
  assert_int_equal(rung_plan(&p, &set.rungs[0], second, &h200, &e), 0);
  assert_int_equal(p.params[0].value, 2);
  assert_int_equal(p.params[1].value, 1);
  assert_string_equal(p.defines[3], "-DSHAPE_K=7168");
  assert_int_equal(p.n_steps, 1);
  assert_int_equal(p.steps[0].grid[0], 2048);
  assert_int_equal(p.steps[0].grid[1], 8);
  rung_plan_release(&p);
  rung_set_release(&set);
}

static void a_library_is_called_and_set_up(void **state) {
  (void)state;
  static const char text[] = FOOT "//! host: cublaslt\n"
                                  "//! scratch: d = 2 * M * L\n"
                                  "//! setup: kernel = never; grid = 1; block = 1; when = M == 1\n"
                                  "//! setup: kernel = fill; grid = M / 2; block = 32; args = d, L\n"
                                  "//! step: call = fp4; args = a, b, sfa, sfb, d, 4 * L; when = L > 1\n"
                                  "//! step: kernel = k; grid = 1; block = 32\n";
  struct rung_set set = {0};
  struct rung_plan p;
  struct err e = {0};
  assert_int_equal(plan(&p, &set, text, second, &e), 0);
  assert_true(p.runnable && rung_plan_calls(&p));
  assert_int_equal(p.n_setups, 1);
  assert_string_equal(p.setups[0].kernel, "fill");
  assert_int_equal(p.setups[0].grid[0], 2048);
  assert_int_equal(p.n_steps, 2);
  assert_int_equal(p.steps[0].call, CALL_FP4);
  assert_string_equal(p.steps[0].kernel, "fp4");
  assert_string_equal(p.steps[0].args[4].name, "d");
  assert_int_equal(p.steps[0].args[5].value, 32);
  assert_int_equal(p.steps[1].call, CALL_NONE);
  assert_string_equal(rung_call_host(CALL_FP4), "cublaslt");
  assert_string_equal(rung_call_host(CALL_GEMV), "cublas");
  assert_null(rung_call_host(CALL_NONE));
  rung_plan_release(&p);
  assert_int_equal(rung_plan(&p, &set.rungs[0], first, &h200, &e), 0);
  assert_false(rung_plan_calls(&p)); /* at L = 1 only the kernel is left */
  assert_int_equal(p.n_steps, 1);
  rung_plan_release(&p);
  rung_set_release(&set);
}

static void what_cannot_run_says_why(void **state) {
  (void)state;
  static const struct {
    const char *text, *reason;
  } rows[] = {
      {FOOT STEP "//! needs: sm >= 100\n", "needs sm >= 100; this chip is sm 90"},
      {FOOT STEP "//! param: A = 3\n//! needs: A > 4 && sm >= 80 && smem_optin > 1 && K >= 64\n",
       "needs A > 4 && sm >= 80 && smem_optin > 1 && K >= 64; this chip is sm 90, smem_optin 232448; here A = 3, "
       "K = 16384"},
      {FOOT STEP "//! setup: kernel = s; grid = 1; block = 1025\n",
       "s: a block of 1025 x 1 x 1 threads; a block holds 1024 at most"},
      {FOOT "//! step: kernel = k; grid = 1; block = 32, 33\n",
       "k: a block of 32 x 33 x 1 threads; a block holds 1024 at most"},
      {FOOT "//! step: kernel = k; grid = 1; block = 2147483647, 2147483647, 64\n",
       "k: a block of 2147483647 x 2147483647 x 64 threads; a block holds 1024 at most"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1, 1, 65\n",
       "k: a block of 65 threads along z; at most 64 are possible"},
      {FOOT "//! step: kernel = k; grid = 2147483648; block = 1\n",
       "k: a grid of 2147483648 blocks along x; at most 2147483647 are possible"},
      {FOOT "//! step: kernel = k; grid = 1, 65536; block = 1\n",
       "k: a grid of 65536 blocks along y; at most 65535 are possible"},
      {FOOT "//! step: kernel = k; grid = 1, 1, 65536; block = 1\n",
       "k: a grid of 65536 blocks along z; at most 65535 are possible"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; smem = 227K + 1\n",
       "k: 232449 bytes of dynamic shared memory; this chip gives a block 232448 at most"},
      {FOOT "//! step: kernel = k; grid = 34; block = 1; cluster = 17\n",
       "k: a cluster of 17 blocks along x; at most 16 are possible"},
      {FOOT "//! step: kernel = k; grid = 8, 4; block = 1; cluster = 8, 4\n",
       "k: a cluster of 32 blocks; at most 16 are possible"},
      {FOOT "//! step: kernel = k; grid = 3; block = 1; cluster = 2\n",
       "k: a grid of 3 blocks along x is not a multiple of the cluster's 2"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; when = M < 4\n",
       "none of its steps is launched at this shape: each has a `when` that is false"},
      {FOOT STEP "//! reset: kernel = r; grid = 1; block = 1025\n",
       "r: a block of 1025 x 1 x 1 threads; a block holds 1024 at most"},
      {FOOT STEP "//! tensormap: t = a; type = u8; dims = 64, 64; strides = 24; box = 1, 1\n",
       "tensormap t: a stride of 24 bytes at dim 1; tensor copies need a multiple of 16"},
      {FOOT STEP "//! tensormap: t = a; type = u8; dims = 64; box = 257\n",
       "tensormap t: a box of 257 elements along dim 0; at most 256 are possible"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct rung_set set = {0};
    struct rung_plan p;
    struct err e = {0};
    assert_int_equal(plan(&p, &set, rows[i].text, first, &e), 0);
    assert_false(p.runnable);
    assert_string_equal(p.reason, rows[i].reason);
    rung_plan_release(&p);
    rung_set_release(&set);
  }
}

static void limits_that_just_hold(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct rung_plan p;
  struct err e = {0};
  assert_int_equal(plan(&p, &set,
                        FOOT "//! step: kernel = k; grid = 2147483647, 65535, 65535; block = 4, 4, 64; smem = 227K\n"
                             "//! step: kernel = k; grid = 16; block = 1; cluster = 16\n",
                        first, &e),
                   0);
  assert_true(p.runnable);
  assert_int_equal(p.steps[0].grid[0], 2147483647);
  assert_int_equal(p.steps[0].smem, 232448);
  rung_plan_release(&p);
  /* Clusters came with sm 90. */
  struct rung_chip a100 = h200;
  a100.sm = 80;
  assert_int_equal(rung_plan(&p, &set.rungs[0], first, &a100, &e), 0);
  assert_false(p.runnable);
  assert_string_equal(p.reason, "k: clusters need sm >= 90; this chip is sm 80");
  rung_plan_release(&p);
  rung_set_release(&set);
}

/* A rung that is skipped still says what it would be compiled with. */
static void needs_come_before_launches(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct rung_plan p;
  struct err e = {0};
  assert_int_equal(plan(&p, &set,
                        FOOT "//! param: A = 1\n//! needs: sm >= 100\n"
                             "//! step: kernel = k; grid = 1 / (sm - 90); block = 1\n",
                        first, &e),
                   0);
  assert_false(p.runnable);
  assert_string_equal(p.defines[0], "-DA=1");
  assert_int_equal(p.n_steps, 0);
  rung_plan_release(&p);
  rung_set_release(&set);
}

static void expressions_that_fail(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } rows[] = {
      {FOOT "//! step: kernel = k; grid = M - 7168; block = 1\n", "t.cu:3: step: grid.x: 'M - 7168' is 0"},
      {FOOT "//! step: kernel = k; grid = 1, M / 3; block = 1\n", "t.cu:3: step: grid.y: 'M / 3'"},
      {FOOT STEP "//! step: kernel = k; grid = 1; block = 1, 0\n", "t.cu:4: step: block.y: '0' is 0"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; cluster = 0\n", "t.cu:3: step: cluster: '0' is 0"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; smem = 0 - 1\n", "t.cu:3: step: smem: '0 - 1' is -1"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; args = 2G\n", "t.cu:3: step: argument: '2G' is 2147483648"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; when = 1 / 0\n", "t.cu:3: step: division by zero"},
      {FOOT STEP "//! reset: fill c = 0\n//! reset: kernel = k; grid = 0; block = 1\n",
       "t.cu:5: reset: grid.x: '0' is 0"},
      {FOOT STEP "//! scratch: p = 4\n//! scratch: q = 0\n", "t.cu:5: scratch: q: '0' is 0"},
      {FOOT STEP "//! tensormap: t = a; type = u8; dims = 0; box = 1\n", "t.cu:4: tensormap: dims: '0' is 0"},
      {FOOT STEP "//! needs: 1 / 0\n", "t.cu:4: needs: division by zero"},
      {FOOT STEP "//! path: 0: a\n//! path: 1 / 0: b\n", "t.cu:5: path: division by zero"},
      {FOOT STEP "//! param: A = 1\n//! when: 1 / 0: A = 2\n", "t.cu:5: when: division by zero"},
      {FOOT STEP "//! bytes: 1 / 0\n", "t.cu:4: bytes: division by zero"},
      {FOOT STEP "//! flops: M - 7169\n", "t.cu:4: flops: the value is negative at this shape"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct rung_set set = {0};
    struct rung_plan p;
    struct err e = {0};
    int rc = plan(&p, &set, rows[i].text, first, &e);
    if (rc != ERR_DATA || strncmp(e.text, rows[i].says, strlen(rows[i].says)) != 0)
      fail_msg("row %zu: got %d \"%s\", not \"%s\"", i, rc, e.text, rows[i].says);
    rung_plan_release(&p);
    rung_set_release(&set);
  }
}

static void limits_judge_the_inputs(void **state) {
  (void)state;
  const struct problem p = {
      .shape = first, .sum_abs_max = 1, .block_abs_max = 2, .block_raw_max = 3, .scale_max = 4, .scale_product_max = 5};
  static const struct {
    const char *text;
    bool inside;
  } rows[] = {
      {FOOT STEP, true},
      {FOOT STEP "//! limits: sum_abs_max == 1 && block_abs_max == 2 && block_raw_max == 3\n", true},
      {FOOT STEP "//! limits: scale_max == 4 && scale_product_max == 5 && K == 16384\n", true},
      {FOOT STEP "//! limits: scale_max < 4\n", false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct rung_set set = {0};
    struct err e = {0};
    bool inside = !rows[i].inside;
    assert_int_equal(rung_set_add(&set, "t.cu", rows[i].text, &e), 0);
    assert_int_equal(rung_in_limits(&set.rungs[0], &p, &inside, &e), 0);
    assert_int_equal(inside, rows[i].inside);
    rung_set_release(&set);
  }
  struct rung_set set = {0};
  struct err e = {0};
  bool inside = true;
  assert_int_equal(rung_set_add(&set, "t.cu", FOOT STEP "//! limits: 1 / (scale_max - 4)\n", &e), 0);
  assert_int_equal(rung_in_limits(&set.rungs[0], &p, &inside, &e), ERR_DATA);
  assert_ptr_equal(strstr(e.text, "t.cu:4: limits: division by zero"), e.text);
  rung_set_release(&set);
}

/* What ships: no expression fails at any shape on any chip, and every compiled launch lies within the chip's limits. */
static void the_shipped_rungs_plan(void **state) {
  (void)state;
  static const struct rung_chip b200 = {
      .sm = 100, .sms = 148, .smem_optin = 232448, .regs_per_sm = 65536, .warps_per_sm = 64, .l2_bytes = 132644864};
  const struct rung_chip *const chips[] = {&h200, &b200};
  struct rung_set set = {0};
  struct err e = {0};
  if (rung_set_load(&set, NULL, &e))
    fail_msg("%s", e.text);
  assert_true(set.n > 0);
  for (size_t i = 0; i < 2 * PROBLEM_SHAPE_SETS * set.n; i++) {
    const struct rung_chip *chip = chips[i % 2];
    const struct problem_shape_set *of = &problem_shape_sets[i / 2 % PROBLEM_SHAPE_SETS];
    for (size_t j = 0; j < of->n; j++) {
      struct rung_plan p;
      if (rung_plan(&p, &set.rungs[i / 2 / PROBLEM_SHAPE_SETS], of->shapes[j], chip, &e))
        fail_msg("%s", e.text);
      assert_int_equal(p.runnable, p.reason == NULL);
      assert_true(!p.runnable || p.n_steps > 0);
      rung_plan_release(&p);
    }
  }
  rung_set_release(&set);
}

/* Any M and L, and K that is a multiple of 64 up to 65536: also where rows of scales are no whole runs of 16 bytes, where there are fewer rows than
 * multiprocessors or more batches, and where sums are too many to wait for the end. */
static void the_best_rung_refuses_no_shape(void **state) {
  (void)state;
  static const long ms[] = {1, 2, 31, 132, 600, 4099, 7168, 300000},
                    ks[] = {64, 192, 1344, 2048, 4096, 9280, 28672, 65536}, ls[] = {1, 3, 44, 67, 200, 1000};
  struct rung_set set = {0};
  struct err e = {0};
  if (rung_set_load(&set, NULL, &e))
    fail_msg("%s", e.text);
  const struct rung *r = rung_find(&set, "ours-19-any-shape");
  assert_non_null(r);
  for (size_t i = 0; i < 8 * 8 * 6; i++) {
    const struct shape s = {ms[i % 8], ks[i / 8 % 8], ls[i / 64]};
    struct rung_plan p;
    if (rung_plan(&p, r, s, &h200, &e))
      fail_msg("%s", e.text);
    if (!p.runnable)
      fail_msg("%ldx%ldx%ld: %s", s.m, s.k, s.l, p.reason);
    rung_plan_release(&p);
  }
  rung_set_release(&set);
}

/* GROUPS is worked out once, before what uses it: in the launch and as the compiler's. */
static void lets_can_be_constants(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  struct rung_plan p;
  assert_int_equal(
      rung_set_add(&set, "t.cu",
                   FOOT "//! param: ROWS = 4\n//! let: GROUPS = ceil(M / ROWS)\n//! let: HALF = ceil(GROUPS / 2)\n"
                        "//! constants: K, GROUPS, HALF\n"
                        "//! step: kernel = k; grid = GROUPS + HALF; block = 32\n",
                   &e),
      0);
  assert_int_equal(rung_plan(&p, &set.rungs[0], (struct shape){10, 64, 1}, &h200, &e), 0);
  assert_int_equal(p.n_defines, 4);
  assert_string_equal(p.defines[1], "-DGROUPS=3");
  assert_string_equal(p.defines[2], "-DHALF=2");
  assert_int_equal(p.steps[0].grid[0], 5);
  rung_plan_release(&p);
  assert_int_equal(rung_plan(&p, &set.rungs[0], (struct shape){17, 64, 1}, &h200, &e), 0);
  assert_string_equal(p.defines[2], "-DHALF=3");
  rung_plan_release(&p);
  rung_set_release(&set);
  /* A part of a number is no constant, and parameters cannot be chosen by what is worked out from them. */
  set = (struct rung_set){0};
  assert_int_equal(rung_set_add(&set, "t.cu", FOOT STEP "//! let: PART = M / 4\n//! constants: PART\n", &e), 0);
  assert_int_equal(rung_plan(&p, &set.rungs[0], (struct shape){10, 64, 1}, &h200, &e), ERR_DATA);
  assert_ptr_equal(strstr(e.text, "t.cu:5: constants: PART"), e.text);
  rung_plan_release(&p);
  rung_set_release(&set);
  set = (struct rung_set){0};
  int rc = rung_set_add(
      &set, "t.cu",
      FOOT STEP "//! param: A = 1\n//! let: TWICE = 2 * M\n//! constants: TWICE\n//! when: TWICE > 4: A = 2\n", &e);
  assert_int_equal(rc ? rc : rung_set_finish(&set, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "when: unknown name 'TWICE'"));
  rung_set_release(&set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),
      cmocka_unit_test(everything_is_evaluated),
      cmocka_unit_test(lets_can_be_constants),
      cmocka_unit_test(the_best_rung_refuses_no_shape),
      cmocka_unit_test(a_library_is_called_and_set_up),
      cmocka_unit_test(what_cannot_run_says_why),
      cmocka_unit_test(limits_that_just_hold),
      cmocka_unit_test(needs_come_before_launches),
      cmocka_unit_test(expressions_that_fail),
      cmocka_unit_test(limits_judge_the_inputs),
      cmocka_unit_test(the_shipped_rungs_plan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
