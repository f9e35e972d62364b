/* The front matter: what each key means. */
#include "kernels/rung.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int add(struct rung_set *set, const char *text, struct err *e) {
  return rung_set_add(set, "t.cu", text, e);
}

/* The nth value of a key; NULL: there are fewer. */
static const char *value_of(const struct rung *r, const char *key, size_t nth) {
  for (size_t i = 0; i < r->n_keys; i++)
    if (strcmp(r->keys[i].key, key) == 0 && nth-- == 0)
      return r->keys[i].value;
  return NULL;
}

static const char design_example[] =
    "//! id:         cuda-2-intrinsics\n"
    "//! ladder:     cuda\n"
    "//! parent:     cuda-1-coalesced\n"
    "//! change:     16-byte loads, hardware FP4/FP8 conversion, no shared memory for B\n"
    "//! predicts:   inst < 0.2x; dram_bytes within 5%; bound: issue -> latency\n"
    "//! cures:      issue-slots\n"
    "//! param:      THREADS_PER_ROW = 32 in {8, 16, 32}\n"
    "//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = THREADS_PER_ROW, ROWS_PER_BLOCK\n"
    "//! accumulate: fp16-block\n"
    "//! published:  B200 39 us geomean \"Yue Zhang, hackathon worklog\"\n"
    "//! needs:      sm >= 80\n";

static void the_example_of_the_design(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  assert_int_equal(add(&set, design_example, &e), 0);
  assert_int_equal(set.n, 1);
  const struct rung *r = &set.rungs[0];
  assert_string_equal(r->id, "cuda-2-intrinsics");
  assert_string_equal(r->ladder, "cuda");
  assert_string_equal(r->parent, "cuda-1-coalesced");
  assert_string_equal(r->change, "16-byte loads, hardware FP4/FP8 conversion, no shared memory for B");
  assert_string_equal(r->predicts, "inst < 0.2x; dram_bytes within 5%; bound: issue -> latency");
  assert_string_equal(value_of(r, "cures", 0), "issue-slots");
  assert_null(value_of(r, "cures", 1));
  assert_int_equal(r->n_params, 1);
  assert_string_equal(r->params[0].name, "THREADS_PER_ROW");
  assert_int_equal(r->params[0].value, 32);
  assert_int_equal(r->params[0].n_choices, 3);
  assert_int_equal(r->params[0].choices[0], 8);
  assert_int_equal(r->params[0].choices[2], 32);
  assert_int_equal(r->n_steps, 1);
  assert_string_equal(r->steps[0].kernel, "gemv");
  assert_string_equal(expr_text(r->steps[0].grid[0]), "ceil(M / ROWS_PER_BLOCK)");
  assert_string_equal(expr_text(r->steps[0].grid[1]), "L");
  assert_null(r->steps[0].grid[2]);
  assert_string_equal(expr_text(r->steps[0].block[1]), "ROWS_PER_BLOCK");
  assert_null(r->steps[0].cluster[0]);
  assert_null(r->steps[0].smem);
  assert_int_equal(r->steps[0].n_args, 0);
  assert_int_equal(r->accumulate, ACCUMULATE_FP16_BLOCK);
  assert_int_equal(r->n_published, 1);
  assert_string_equal(r->published[0].device, "B200");
  assert_true(r->published[0].time_ns == 39000);
  assert_string_equal(r->published[0].what, "geomean");
  assert_string_equal(r->published[0].source, "Yue Zhang, hackathon worklog");
  assert_false(r->published[0].approximate);
  assert_string_equal(expr_text(r->needs), "sm >= 80");
  assert_true(r->writes_c);
  assert_false(r->side);
  assert_int_equal(r->n_keys, 11);
  assert_string_equal(r->keys[7].key, "step");
  assert_int_equal(r->keys[7].line, 8);
  assert_string_equal(r->file, "t.cu");
  assert_string_equal(r->source, design_example);
  /* ROWS_PER_BLOCK is declared nowhere: the whole set says so. */
  assert_int_equal(rung_set_finish(&set, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "t.cu:8: step: unknown name 'ROWS_PER_BLOCK'"));
  rung_set_release(&set);
}

static const char every_key[] =
    "\xef\xbb\xbf/* A licence,\n"
    "   in two lines. */\n"
    "// An ordinary comment.\n"
    "\n"
    "//! id:         every-key.1\r\n"
    "//! ladder:     test\n"
    "//! parent:     other\n"
    "//! side:       yes\n"
    "//! change:     everything,\n"
    "//!             and more\n"
    "//!\n"
    "//! predicts:   inst < 0.2x;\n"
    "//!             dram_bytes within 5%\n"
    "//! claim:      the compiler merges the loads\n"
    "//! claim:      spills [test: local_bytes > 0 && registers >= 64]\n"
    "//! cures:      issue-slots\n"
    "//! cures:      bytes-in-flight\n"
    "//! published:  B200 ~27 \xc2\xb5s \"first; second = third\"\n"
    "//! published:  RTX-5090 1.5 ms 7168x2048x4 \"someone\"\n"
    "//! published:  H200 \xe2\x89\x88"
    "900 ns geomean \"x\"\n"
    "//! param:      ROWS = 4 in {2, 4, 8}\n"
    "//! param:      MASK=0x40\n"
    "//! param:      SHIFT = -3\n"
    "//! when:       M > 4096 ? L == 1 : K == 512: ROWS = 8, MASK = 1\n"
    "//! when:       L > 4: ROWS = 2\n"
    "//! constants:  K, L\n"
    "//! options:    maxrregcount = 64, fast-math, ftz, --extra-device-vectorization\n"
    "//! step:       kernel = gemv; grid = ceildiv(M, ROWS), L, 1; block = 32, ROWS; smem = 48K; cluster = 2, 1;\n"
    "//!             args = tma_a, a, part, c, M, i64(M * K), min(M, 8); when = K == 512;\n"
    "//! step:       kernel = finish; grid = 1; block = 32\n"
    "//! scratch:    part = 4 * M * L; fill = 0\n"
    "//! scratch:    flags = 64\n"
    "//! reset:      fill part = 0x7f\n"
    "//! reset:      kernel = clear; grid = 1; block = 32; args = flags\n"
    "//! tensormap:  tma_a = a; type = u8; dims = K / 2, M, L; strides = K / 2, M * K / 2; box = 64, ROWS, 1;\n"
    "//!             swizzle = 64; l2 = 256\n"
    "//! sf_layout:  128x4\n"
    "//! accumulate: fp16\n"
    "//! limits:     block_raw_max < 65504 / scale_max\n"
    "//! output:     none\n"
    "//! wrong:      nibbles\n"
    "//! bytes:      2 * M * K * L\n"
    "//! flops:      M * K\n"
    "//! needs:      sm >= 90\n"
    "//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2: native\n"
    "//! path:       1: shifts\n"
    "//! note:       one\n"
    "//! note:       two\n"
    "extern \"C\" __global__ void gemv();\n"
    "//! A doxygen comment: it is code by now.\n";

static void every_key_is_read(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  assert_int_equal(add(&set, every_key, &e), 0);
  assert_int_equal(set.n, 1);
  const struct rung *r = &set.rungs[0];
  assert_string_equal(r->id, "every-key.1");
  assert_true(r->side);
  assert_string_equal(r->change, "everything, and more");
  assert_string_equal(r->predicts, "inst < 0.2x; dram_bytes within 5%");
  assert_string_equal(value_of(r, "claim", 1), "spills [test: local_bytes > 0 && registers >= 64]");
  assert_string_equal(value_of(r, "cures", 1), "bytes-in-flight");
  assert_string_equal(value_of(r, "note", 1), "two");

  assert_int_equal(r->n_published, 3);
  assert_true(r->published[0].time_ns == 27000);
  assert_true(r->published[0].approximate);
  assert_string_equal(r->published[0].what, "geomean");
  assert_string_equal(r->published[0].source, "first; second = third");
  assert_true(r->published[1].time_ns == 1500000);
  assert_string_equal(r->published[1].what, "7168x2048x4");
  assert_false(r->published[1].approximate);
  assert_true(r->published[2].time_ns == 900);
  assert_true(r->published[2].approximate);

  assert_int_equal(r->n_params, 3);
  assert_int_equal(r->params[1].value, 64);
  assert_int_equal(r->params[1].n_choices, 0);
  assert_int_equal(r->params[2].value, -3);
  assert_int_equal(r->n_whens, 2);
  assert_string_equal(expr_text(r->whens[0].condition), "M > 4096 ? L == 1 : K == 512");
  assert_int_equal(r->whens[0].n_assigns, 2);
  assert_string_equal(r->whens[0].assigns[1].name, "MASK");
  assert_int_equal(r->whens[0].assigns[1].value, 1);
  assert_false(r->constant_m);
  assert_true(r->constant_k && r->constant_l);
  assert_int_equal(r->max_registers, 64);
  assert_true(r->fast_math && r->ftz);
  assert_int_equal(r->n_options, 1);
  assert_string_equal(r->options[0], "--extra-device-vectorization");

  assert_true(r->sf_blocked);
  assert_int_equal(r->accumulate, ACCUMULATE_FP16);
  assert_false(r->writes_c);
  assert_int_equal(r->wrong, FAULT_NIBBLES);
  assert_string_equal(expr_text(r->limits), "block_raw_max < 65504 / scale_max");
  assert_string_equal(expr_text(r->bytes), "2 * M * K * L");
  assert_string_equal(expr_text(r->flops), "M * K");
  assert_int_equal(r->n_paths, 2);
  assert_string_equal(r->paths[0].text, "cvt.rn.f16x2.e2m1x2: native");
  assert_int_equal(rung_find(&set, "every-key.1") == r, 1);
  rung_set_release(&set);
}

static void launches_and_buffers(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  assert_int_equal(add(&set, every_key, &e), 0);
  const struct rung *r = &set.rungs[0];
  assert_int_equal(r->n_steps, 2);
  const struct rung_launch *s = &r->steps[0];
  assert_string_equal(expr_text(s->smem), "48K");
  assert_string_equal(expr_text(s->cluster[0]), "2");
  assert_string_equal(expr_text(s->condition), "K == 512");
  assert_int_equal(s->n_args, 7);
  assert_int_equal(s->args[0].kind, ARG_TENSORMAP);
  assert_string_equal(s->args[0].name, "tma_a");
  assert_int_equal(s->args[1].kind, ARG_BUFFER);
  assert_string_equal(s->args[2].name, "part");
  assert_int_equal(s->args[2].kind, ARG_BUFFER);
  assert_int_equal(s->args[4].kind, ARG_INT);
  assert_string_equal(expr_text(s->args[4].expr), "M");
  assert_int_equal(s->args[5].kind, ARG_INT64);
  assert_string_equal(expr_text(s->args[5].expr), "M * K");
  assert_int_equal(s->args[6].kind, ARG_INT);
  assert_string_equal(expr_text(s->args[6].expr), "min(M, 8)");
  assert_string_equal(r->steps[1].kernel, "finish");

  assert_int_equal(r->n_scratch, 2);
  assert_string_equal(expr_text(r->scratch[0].bytes), "4 * M * L");
  assert_int_equal(r->scratch[0].fill, 0);
  assert_int_equal(r->scratch[1].fill, -1);
  assert_int_equal(r->n_resets, 2);
  assert_string_equal(r->resets[0].fill_buffer, "part");
  assert_int_equal(r->resets[0].fill_byte, 0x7f);
  assert_null(r->resets[1].fill_buffer);
  assert_string_equal(r->resets[1].launch.kernel, "clear");
  assert_string_equal(r->resets[1].launch.args[0].name, "flags");

  assert_int_equal(r->n_tensormaps, 1);
  const struct rung_tensormap *t = &r->tensormaps[0];
  assert_string_equal(t->buffer, "a");
  assert_string_equal(t->type, "u8");
  assert_int_equal(t->rank, 3);
  assert_string_equal(expr_text(t->dims[0]), "K / 2");
  assert_string_equal(expr_text(t->strides[1]), "M * K / 2");
  assert_null(t->strides[2]);
  assert_string_equal(expr_text(t->box[1]), "ROWS");
  assert_int_equal(t->swizzle, 64);
  assert_int_equal(t->l2_promotion, 256);
  rung_set_release(&set);
}

static void a_second_id_inherits(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  assert_int_equal(add(&set,
                       "//! id: v-1\n//! ladder: l\n//! change: first\n//! published: B200 39 us \"x\"\n"
                       "//! param: A = 1\n//! param: B = 2\n//! note: old 1\n//! note: old 2\n"
                       "//! step: kernel = k; grid = A; block = B\n"
                       "//! id: v-2\n//! parent: v-1\n//! change: second\n//! published:\n//! param: A = 7\n"
                       "//! note: new\n"
                       "//! id: v-3\n//! parent: v-1\n//! step: kernel = k2; grid = 1; block = 1\nint x;\n",
                       &e),
                   0);
  assert_int_equal(set.n, 3);
  const struct rung *second = rung_find(&set, "v-2"), *third = rung_find(&set, "v-3");
  assert_string_equal(second->ladder, "l");
  assert_string_equal(second->parent, "v-1");
  assert_string_equal(second->change, "second");
  assert_int_equal(second->n_published, 0);
  assert_int_equal(second->n_params, 2);
  assert_string_equal(second->params[0].name, "A");
  assert_int_equal(second->params[0].value, 7);
  assert_string_equal(second->params[1].name, "B");
  assert_int_equal(second->params[1].value, 2);
  assert_string_equal(value_of(second, "note", 0), "new");
  assert_null(value_of(second, "note", 1));
  assert_string_equal(second->steps[0].kernel, "k");
  /* id, parent, change, param A, note; inherited: ladder, param B, step */
  assert_int_equal(second->n_keys, 8);
  assert_string_equal(second->keys[7].key, "step");
  assert_int_equal(second->keys[7].line, 9);
  /* Variants inherit from the first, not from the one above. */
  assert_string_equal(third->change, "first");
  assert_int_equal(third->params[0].value, 1);
  assert_int_equal(third->n_published, 1);
  assert_non_null(value_of(third, "note", 1));
  assert_null(value_of(third, "note", 2));
  assert_int_equal(third->n_steps, 1);
  assert_string_equal(third->steps[0].kernel, "k2");
  assert_int_equal(rung_set_finish(&set, &e), 0);
  rung_set_release(&set);
}

#define FOOT "//! id: x\n//! ladder: l\n//! step: kernel = k; grid = 1; block = 32\n"

/* --- let --- */

static void lets_are_written_out(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  /* The order is free, a number's suffix is no name, and a variant may replace a let that others use. */
  if (add(&set,
          "//! id: v-1\n//! ladder: l\n//! let: TWICE = 2 * ONE\n//! let: ONE = M + 1\n//! param: A = 1\n"
          "//! when: TWICE > 48K: A = 2\n//! scratch: p = ONE\n"
          "//! step: kernel = k; grid = TWICE * TWICES, L; block = 32; args = ONE, i64(TWICE); smem = ONE\n"
          "//! let: TWICES = 3\n"
          "//! id: v-2\n//! parent: v-1\n//! change: c\n//! let: ONE = A\nint x;\n",
          &e) ||
      rung_set_finish(&set, &e))
    fail_msg("%s", e.text);
  const struct rung *r = rung_find(&set, "v-1"), *other = rung_find(&set, "v-2");
  assert_int_equal(r->n_lets, 3);
  assert_string_equal(r->lets[0].name, "TWICE");
  assert_string_equal(expr_text(r->lets[0].value), "2 * ONE");
  assert_string_equal(expr_text(r->whens[0].condition), "(2 * (M + 1)) > 48K");
  assert_string_equal(expr_text(r->scratch[0].bytes), "(M + 1)");
  assert_string_equal(expr_text(r->steps[0].grid[0]), "(2 * (M + 1)) * (3)");
  assert_string_equal(expr_text(r->steps[0].grid[1]), "L");
  assert_int_equal(r->steps[0].n_args, 2);
  assert_string_equal(expr_text(r->steps[0].args[1].expr), "(2 * (M + 1))");
  assert_string_equal(expr_text(r->steps[0].smem), "(M + 1)");
  assert_int_equal(other->n_lets, 3);
  assert_string_equal(expr_text(other->steps[0].grid[0]), "(2 * (A)) * (3)");
  rung_set_release(&set);
}

static void any_part_of_a_file_is_safe(void **state) {
  (void)state;
  size_t parsed = 0;
  for (size_t n = 0; n < sizeof every_key; n++) {
    char *text = strndup(every_key, n);
    struct rung_set set = {0};
    struct err e = {0};
    int rc = add(&set, text, &e);
    assert_true(rc == 0 || (rc == ERR_DATA && strncmp(e.text, "t.cu:", 5) == 0));
    parsed += rc == 0;
    rung_set_release(&set);
    free(text);
  }
  assert_true(parsed > 0 && parsed < sizeof every_key);
}

static void headers_and_doubles(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  assert_int_equal(rung_set_add(&set, "common/decode.cuh", "int x;\n", &e), 0);
  assert_int_equal(set.n, 0);
  assert_int_equal(set.n_files, 1);
  assert_true(set.files[0].header);
  assert_string_equal(set.files[0].text, "int x;\n");
  assert_int_equal(rung_set_add(&set, "common/decode.cuh", "int y;\n", &e), ERR_DATA);
  assert_string_equal(e.text, "common/decode.cuh: a file of this name is in the set already; rename it");
  assert_int_equal(set.n_files, 1);
  /* NULL for the error is allowed, and a failure stays one. */
  assert_int_equal(add(&set, FOOT "//! note:\n", NULL), ERR_DATA);
  assert_int_equal(add(&set, FOOT, NULL), 0);
  assert_false(set.files[1].header);
  rung_set_release(&set);
  assert_null(set.rungs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_example_of_the_design), cmocka_unit_test(every_key_is_read),
      cmocka_unit_test(launches_and_buffers),      cmocka_unit_test(a_second_id_inherits),
      cmocka_unit_test(lets_are_written_out),      cmocka_unit_test(any_part_of_a_file_is_safe),
      cmocka_unit_test(headers_and_doubles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
