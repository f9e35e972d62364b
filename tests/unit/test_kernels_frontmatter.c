/* The front matter: what each key means, and what each mistake says. */
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
  assert_int_equal(r->n_cures, 1);
  assert_string_equal(r->cures[0], "issue-slots");
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
  assert_int_equal(r->n_claims, 2);
  assert_string_equal(r->claims[1], "spills [test: local_bytes > 0 && registers >= 64]");
  assert_int_equal(r->n_cures, 2);
  assert_string_equal(r->cures[1], "bytes-in-flight");
  assert_int_equal(r->n_notes, 2);
  assert_string_equal(r->notes[1], "two");

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
  assert_int_equal(second->n_notes, 1);
  assert_string_equal(second->notes[0], "new");
  assert_string_equal(second->steps[0].kernel, "k");
  /* id, parent, change, param A, note; inherited: ladder, param B, step */
  assert_int_equal(second->n_keys, 8);
  assert_string_equal(second->keys[7].key, "step");
  assert_int_equal(second->keys[7].line, 9);
  /* Variants inherit from the first, not from the one above. */
  assert_string_equal(third->change, "first");
  assert_int_equal(third->params[0].value, 1);
  assert_int_equal(third->n_published, 1);
  assert_int_equal(third->n_notes, 2);
  assert_int_equal(third->n_steps, 1);
  assert_string_equal(third->steps[0].kernel, "k2");
  assert_int_equal(rung_set_finish(&set, &e), 0);
  rung_set_release(&set);
}

/* --- mistakes --- */

#define FOOT "//! id: x\n//! ladder: l\n//! step: kernel = k; grid = 1; block = 32\n"

struct mistake {
  const char *text, *says;
};

static const struct mistake mistakes[] = {
    {"int main;\n", "t.cu: no front matter; begin the file with"},
    {"", "t.cu: no front matter"},
    {"//! ladder: l\n", "t.cu:1: id: missing; add"},
    {"//! id: x\n//! step: kernel = k; grid = 1; block = 1\n", "t.cu:1: ladder: missing; add"},
    {"//! id: x\n//! ladder: l\n", "t.cu:1: step: missing; add"},
    {FOOT "//! parent: y\n", "t.cu:1: change: missing; say"},
    {FOOT "//! side: yes\n", "t.cu:4: side: a side step leaves a rung"},
    {FOOT "//! side: perhaps\n", "t.cu:4: side: unknown value 'perhaps'; known are no, yes"},
    {FOOT "//! host: cublas\n", "t.cu:4: host: no step calls it; write `//! step: call = NAME; args = LIST`"},
    {FOOT "//! host: cublass\n", "t.cu:4: host: unknown value 'cublass'; did you mean 'cublas'?"},
    {"//! id: x\n//! ladder: l\n//! host: cublas\n", "t.cu:1: step: missing; add"},
    {FOOT "//! step: call = gemv; args = a, b, c\n",
     "t.cu:4: step: gemv is a call of cublas; write `//! host: cublas`"},
    {FOOT "//! host: cublaslt\n//! step: call = gemv; args = a, b, c\n",
     "t.cu:5: step: gemv is a call of cublas; write `//! host: cublas`"},
    {FOOT "//! step: call = gemvv; args = a, b, c\n", "t.cu:4: step: unknown call 'gemvv'; did you mean 'gemv'?"},
    {FOOT "//! step: call = gemv; args = a, b, c; grid = 1\n", "t.cu:4: step: a call has no grid"},
    {FOOT "//! step: kernel = k; call = gemv; args = a, b, c\n", "t.cu:4: step: a call has no kernel"},
    {FOOT "//! step: call = gemv\n", "t.cu:4: step: the arguments of gemv are MATRIX, VECTOR, OUTPUT"},
    {FOOT "//! step: call = gemv; args = a, b, M\n", "t.cu:4: step: the arguments of gemv are MATRIX, VECTOR, OUTPUT"},
    {FOOT "//! step: call = fp4; args = a, b, sfa, sfb, c\n",
     "t.cu:4: step: the arguments of fp4 are A, B, SFA, SFB, OUTPUT, columns: 5 buffers and 1 integers"},
    {FOOT "//! reset: call = gemv; args = a, b, c\n", "t.cu:4: reset: only a step may call a library"},
    {FOOT "//! setup: call = gemv; args = a, b, c\n", "t.cu:4: setup: only a step may call a library"},
    {FOOT "//! setup: kernel = k; grid = 1\n", "t.cu:4: setup: no block"},
    {FOOT "//! lader: l\n", "t.cu:4: lader: unknown key; did you mean 'ladder'?"},
    {FOOT "//! Step: l\n", "t.cu:4: Step: unknown key; did you mean 'step'?"},
    {FOOT "//! xyzzyplugh: l\n", "t.cu:4: xyzzyplugh: unknown key; kernels/rung.h lists"},
    {FOOT "//!       bound: issue\n", "t.cu:4: bound: unknown key; kernels/rung.h lists the keys; text that continues"},
    {FOOT "//! text without a key\n", "t.cu:4: expected `//! key: value`; to continue"},
    {"//!         text without a key\n", "t.cu:1: expected `//! key: value`"},
    {FOOT "int x;\n//! note: late\n", "t.cu:5: note: stands below the first line of code; move it"},
    {FOOT "/* x */ int x;\n//! note: late\n", "t.cu:5: note: stands below the first line of code"},
    {FOOT "//! ladder: m\n", "t.cu:4: ladder: given twice, first in line 2; keep one"},
    {FOOT "//! note:\n", "t.cu:4: note: has no value"},
    {FOOT "//! id:\n", "t.cu:4: id: has no value"},
    {FOOT "//! id: y\n//! param:\n", "t.cu:5: param: has no value"},
    {FOOT "//! parent: A_B\n", "t.cu:4: parent: 'A_B' is no name"},
    {FOOT "//! cures: two words\n", "t.cu:4: cures: 'two words' is no name"},
    {FOOT "//! claim: x [test: a +]\n", "t.cu:4: claim: test 'a +': column 4"},
    {FOOT "//! claim: x [test: a\n", "t.cu:4: claim: the test does not end with ']'"},
    {FOOT "//! claim: [test: a]\n", "t.cu:4: claim: there is no text before the test"},
    {FOOT "//! published: B200 39 us geomean\n", "t.cu:4: published: the source is missing"},
    {FOOT "//! published: B200 39 us \"\"\n", "t.cu:4: published: the source is missing"},
    {FOOT "//! published: B200 39 us \"x\" y\n", "t.cu:4: published: the source is missing"},
    {FOOT "//! published: 39 us \"x\"\n", "t.cu:4: published: expected DEVICE TIME UNIT"},
    {FOOT "//! published: B200 39 us geomean x \"x\"\n", "t.cu:4: published: expected DEVICE TIME UNIT"},
    {FOOT "//! published: B200 39us us \"x\"\n", "t.cu:4: published: '39us' is no time"},
    {FOOT "//! published: B200 inf us \"x\"\n", "t.cu:4: published: 'inf' is no time"},
    {FOOT "//! published: B200 -4 us \"x\"\n", "t.cu:4: published: '-4' is no time"},
    {FOOT "//! published: B200 1e308 ms \"x\"\n", "t.cu:4: published: 1e308 ms is out of range"},
    {FOOT "//! published: B200 39 s \"x\"\n", "t.cu:4: published: unknown unit 's'; use"},
    {FOOT "//! published: B200 39 us 12 \"x\"\n", "t.cu:4: published: '12' is neither geomean nor a shape"},
    {FOOT "//! param: A\n", "t.cu:4: param: expected NAME = DEFAULT"},
    {FOOT "//! param: A =\n", "t.cu:4: param: expected NAME = DEFAULT"},
    {FOOT "//! param: A = x\n", "t.cu:4: param: A 'x' is not an integer"},
    {FOOT "//! param: A = 1.5\n", "t.cu:4: param: A '1.5' is not an integer"},
    {FOOT "//! param: A = 0x\n", "t.cu:4: param: A '0x' is not an integer"},
    {FOOT "//! param: A = 2147483648\n", "t.cu:4: param: A 2147483648 is out of range"},
    {FOOT "//! param: 1A = 1\n", "t.cu:4: param: parameter '1A' is not a name"},
    {FOOT "//! param: K = 1\n", "t.cu:4: param: parameter 'K' is taken"},
    {FOOT "//! param: sfa = 1\n", "t.cu:4: param: parameter 'sfa' is taken"},
    {FOOT "//! param: A = 1\n//! param: A = 2\n", "t.cu:5: param: parameter 'A' is taken"},
    {FOOT "//! param: A = 1 in {2, 3}\n", "t.cu:4: param: the default 1 of A is not in its set"},
    {FOOT "//! param: A = 1 in {1, x}\n", "t.cu:4: param: value 'x' is not an integer"},
    {FOOT "//! param: A = 1 in {1, }\n", "t.cu:4: param: value '' is not an integer"},
    {FOOT "//! param: A = 1 in {1, 2\n", "t.cu:4: param: the set of values does not end with '}'"},
    {FOOT "//! param: A = 1 in {1} 2\n", "t.cu:4: param: the set of values does not end with '}'"},
    {FOOT "//! param: A = 1 of {1}\n", "t.cu:4: param: expected 'in' before '{'"},
    {FOOT "//! param: A = 1\n//! when: M > 1: B = 2\n", "t.cu:5: when: unknown parameter 'B'"},
    {FOOT "//! when: M > 1: B = 2\n", "t.cu:4: when: unknown parameter 'B'; declare it"},
    {FOOT "//! param: A = 1 in {1}\n//! when: M > 1: A = 2\n", "t.cu:5: when: A = 2 is not in the parameter's set"},
    {FOOT "//! param: A = 1\n//! when: M > 1: A = 2, A = 3\n", "t.cu:5: when: A is given two values; keep one"},
    {FOOT "//! param: A = 1\n//! when: M > 1: A\n", "t.cu:5: when: expected EXPR: NAME = VALUE"},
    {FOOT "//! param: A = 1\n//! when: M > 1\n", "t.cu:5: when: expected EXPR: NAME = VALUE"},
    {FOOT "//! param: A = 1\n//! when: M >: A = 2\n", "t.cu:5: when: condition 'M >': column 4"},
    {FOOT "//! constants: N\n", "t.cu:4: constants: unknown value 'N'"},
    {FOOT "//! options: maxregcount = 3\n",
     "t.cu:4: options: unknown value 'maxregcount'; did you mean 'maxrregcount'"},
    {FOOT "//! options: maxrregcount = 3\n",
     "t.cu:4: options: maxrregcount 3 is out of range; it must lie within 16 to 255"},
    {FOOT "//! options: maxrregcount\n", "t.cu:4: options: maxrregcount has no value"},
    {FOOT "//! options: fast_math\n", "t.cu:4: options: unknown value 'fast_math'; did you mean 'fast-math'"},
    {FOOT "//! step: kernel = k; grid = 1\n", "t.cu:4: step: no block; write"},
    {FOOT "//! step: grid = 1; block = 1\n", "t.cu:4: step: no kernel; write"},
    {FOOT "//! step: kernel = k<4>; grid = 1; block = 1\n", "t.cu:4: step: kernel 'k<4>' is not a name"},
    {FOOT "//! step: kernel = k; grid = 1; block = 1; blok = 1\n",
     "t.cu:4: step: unknown field 'blok'; did you mean 'block'?"},
    {FOOT "//! step: kernel = k; grid = 1; grid = 1\n", "t.cu:4: step: grid is given twice; keep one"},
    {FOOT "//! step: kernel = k; grid = 1,,2; block = 1\n", "t.cu:4: step: grid '': column 1"},
    {FOOT "//! step: kernel = k; grid = 1, 2, 3, 4; block = 1\n", "t.cu:4: step: grid has more than 3 values"},
    {FOOT "//! step: kernel = k; grid = (1; block = 1\n", "t.cu:4: step: grid '(1; block = 1': column 3"},
    {FOOT "//! step: kernel = k; grid; block = 1\n", "t.cu:4: step: 'grid' is not of the form NAME = VALUE"},
    {FOOT "//! step: kernel = k; grid = 1; block = 1; args = a, sfc\n",
     "t.cu:4: step: unknown buffer or parameter 'sfc'; did you mean"},
    {FOOT "//! step: kernel = k; grid = 1; block = 1; args = a,\n", "t.cu:4: step: argument '': column 1"},
    {FOOT "//! scratch: p = 4; fil = 1\n", "t.cu:4: scratch: unknown field 'fil'; did you mean 'fill'?"},
    {FOOT "//! scratch: p = 4; fill = 256\n", "t.cu:4: scratch: fill 256 is out of range; it must lie within 0 to 255"},
    {FOOT "//! scratch: p = 4 +\n", "t.cu:4: scratch: bytes '4 +': column 4"},
    {FOOT "//! scratch: c = 4\n", "t.cu:4: scratch: scratch buffer 'c' is taken"},
    {FOOT "//! scratch: p\n", "t.cu:4: scratch: expected NAME = BYTES"},
    {FOOT "//! reset: fill a = 0\n", "t.cu:4: reset: a is an input and must not be overwritten"},
    {FOOT "//! reset: fill q = 0\n", "t.cu:4: reset: unknown buffer 'q'"},
    {FOOT "//! reset: fill c = -1\n", "t.cu:4: reset: byte -1 is out of range"},
    {FOOT "//! reset: fill c\n", "t.cu:4: reset: expected fill NAME = BYTE"},
    {FOOT "//! reset: kernel = k\n", "t.cu:4: reset: no grid; write"},
    {FOOT "//! tensormap: t = q; type = u8; dims = 1; box = 1\n", "t.cu:4: tensormap: unknown buffer 'q'"},
    {FOOT "//! tensormap: t = a; type = u9; dims = 1; box = 1\n",
     "t.cu:4: tensormap: unknown type 'u9'; did you mean 'u8'?"},
    {FOOT "//! tensormap: t = a; type = u8; dims = 1, 2; box = 1, 2\n",
     "t.cu:4: tensormap: dims has 2 values, so box must have 2 and strides 1 (from dim 1 on); they have 2 and 0"},
    {FOOT "//! tensormap: t = a; type = u8; dims = 1\n", "t.cu:4: tensormap: type, dims and box must be given"},
    {FOOT "//! tensormap: t = a; swizzle = 48\n", "t.cu:4: tensormap: swizzle 48 is none of 0, 32 ... 128"},
    {FOOT "//! tensormap: t = a; l2 = 32\n", "t.cu:4: tensormap: l2 32 is none of 0, 64 ... 256"},
    {FOOT "//! tensormap: t\n", "t.cu:4: tensormap: expected NAME = BUFFER"},
    {FOOT "//! sf_layout: blocked\n", "t.cu:4: sf_layout: unknown value 'blocked'; known are plain, 128x4"},
    {FOOT "//! accumulate: fp8\n", "t.cu:4: accumulate: "},
    {FOOT "//! wrong: nothing\n", "t.cu:4: wrong: "},
    {FOOT "//! wrong: none\n", "t.cu:4: wrong: "},
    {FOOT "//! output: d\n", "t.cu:4: output: unknown value 'd'"},
    {FOOT "//! limits: 1 +\n", "t.cu:4: limits: condition '1 +': column 4"},
    {FOOT "//! needs: sm >=\n", "t.cu:4: needs: condition 'sm >=': column 6"},
    {FOOT "//! bytes: M *\n", "t.cu:4: bytes: bytes 'M *': column 4"},
    {FOOT "//! flops: (\n", "t.cu:4: flops: operations '(': column 2"},
    {FOOT "//! path: sm >= 100\n", "t.cu:4: path: expected EXPR: TEXT"},
    {FOOT "//! path: sm >= 100:\n", "t.cu:4: path: expected EXPR: TEXT"},
    /* The mistake of a later variant is reported where it stands. */
    {FOOT "//! id: y\n//! ladder: m\n//! ladder: n\n", "t.cu:6: ladder: given twice, first in line 5"},
};

static void every_mistake_is_named(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    struct rung_set set = {0};
    struct err e = {0};
    int rc = add(&set, mistakes[i].text, &e);
    if (rc != ERR_DATA || strncmp(e.text, mistakes[i].says, strlen(mistakes[i].says)) != 0)
      fail_msg("row %zu: got %d \"%s\", not \"%s\"", i, rc, e.text, mistakes[i].says);
    assert_int_equal(e.code, ERR_DATA);
    assert_int_equal(set.n, 0);
    assert_int_equal(set.n_files, 0);
    rung_set_release(&set);
  }
}

static void names_are_checked_by_the_set(void **state) {
  (void)state;
  static const struct mistake rows[] = {
      {FOOT "//! needs: sn >= 90\n", "t.cu:4: needs: unknown name 'sn'; did you mean"},
      {FOOT "//! limits: sum_abs_mx < 4\n", "t.cu:4: limits: unknown name 'sum_abs_mx'; did you mean 'sum_abs_max'?"},
      {FOOT "//! param: A = 1\n//! limits: A < 4\n", "t.cu:5: limits: unknown name 'A'"},
      {FOOT "//! bytes: M * N\n", "t.cu:4: bytes: unknown name 'N'"},
      {FOOT "//! flops: M * N\n", "t.cu:4: flops: unknown name 'N'"},
      {FOOT "//! path: 1: x\n//! path: smm: x\n", "t.cu:5: path: unknown name 'smm'; did you mean 'sm'?"},
      {FOOT "//! param: A = 1\n//! when: N > 1: A = 2\n", "t.cu:5: when: unknown name 'N'"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1, 1, N\n", "t.cu:4: step: unknown name 'N'"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; args = i64(N)\n", "t.cu:4: step: unknown name 'N'"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; smem = N\n", "t.cu:4: step: unknown name 'N'"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; cluster = N\n", "t.cu:4: step: unknown name 'N'"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; when = N\n", "t.cu:4: step: unknown name 'N'"},
      {FOOT "//! reset: fill c = 0\n//! reset: kernel = k; grid = N; block = 1\n", "t.cu:5: reset: unknown name 'N'"},
      {FOOT "//! scratch: p = N\n", "t.cu:4: scratch: unknown name 'N'"},
      {FOOT "//! tensormap: t = a; type = u8; dims = N; box = 1\n", "t.cu:4: tensormap: unknown name 'N'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct rung_set set = {0};
    struct err e = {0};
    assert_int_equal(add(&set, rows[i].text, &e), 0);
    int rc = rung_set_finish(&set, &e);
    if (rc != ERR_DATA || strncmp(e.text, rows[i].says, strlen(rows[i].says)) != 0)
      fail_msg("row %zu: got %d \"%s\", not \"%s\"", i, rc, e.text, rows[i].says);
    rung_set_release(&set);
  }
}

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

static void lets_that_are_refused(void **state) {
  (void)state;
  static const struct mistake rows[] = {
      {FOOT "//! let: A\n", "t.cu:4: let: expected NAME = EXPR"},
      {FOOT "//! let: A = 1 +\n", "t.cu:4: let: value '1 +': column 4"},
      {FOOT "//! let: 1A = 1\n", "t.cu:4: let: let '1A' is not a name"},
      {FOOT "//! let: K = 1\n", "t.cu:4: let: let 'K' is taken"},
      {FOOT "//! let: sfa = 1\n", "t.cu:4: let: let 'sfa' is taken"},
      {FOOT "//! let: A = 1\n//! let: A = 2\n", "t.cu:5: let: let 'A' is taken"},
      {FOOT "//! param: A = 1\n//! let: A = 2\n", "t.cu:4: param: parameter 'A' is taken"},
      {FOOT "//! scratch: A = 1\n//! let: A = 2\n", "t.cu:4: scratch: scratch buffer 'A' is taken"},
      {FOOT "//! let: A = B + 1\n//! let: B = A\n//! bytes: A\n", "t.cu:6: bytes: let A uses itself"},
      {FOOT "//! note: n\n//! let: A = A\n", "t.cu:5: let: let A uses itself"},
      {FOOT "//! note: n\n//! let: A = N + 1\n//! bytes: A\n", "t.cu:5: let: unknown name 'N'"},
      {FOOT "//! let: A = K\n//! bytes: AA\n", "t.cu:5: bytes: unknown name 'AA'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct rung_set set = {0};
    struct err e = {0};
    int rc = add(&set, rows[i].text, &e);
    if (rc == 0)
      rc = rung_set_finish(&set, &e);
    if (rc != ERR_DATA || strncmp(e.text, rows[i].says, strlen(rows[i].says)) != 0)
      fail_msg("row %zu: got %d \"%s\", not \"%s\"", i, rc, e.text, rows[i].says);
    rung_set_release(&set);
  }
}

/* Each of 20 lets doubles the one before: written out, a million names. */
static void lets_are_bounded(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  struct text t = {0};
  text_add(&t, FOOT "//! let: A0 = M\n");
  for (int i = 1; i <= 20; i++)
    text_printf(&t, "//! let: A%d = A%d + A%d\n", i, i - 1, i - 1);
  text_add(&t, "//! bytes: A20\n");
  assert_int_equal(add(&set, text_str(&t), &e), ERR_DATA);
  assert_non_null(strstr(e.text, "t.cu:25: bytes: with its lets written out it has more than 8192 bytes"));
  text_release(&t);
  rung_set_release(&set);
}

/* --- bounds --- */

/* FOOT and `count` times the lines, in which # is the number of the time. */
static char *many_lines(const char *lines, int count) {
  struct text t = {0};
  text_add(&t, FOOT);
  for (int i = 0; i < count; i++) {
    for (const char *c = lines; *c; c++) {
      if (*c == '#')
        text_printf(&t, "%d", i);
      else
        text_add_n(&t, c, 1);
    }
  }
  return text_take(&t);
}

static void lists_are_bounded(void **state) {
  (void)state;
  static const struct {
    const char *line;
    int most;
    const char *says; /* of one line more */
  } rows[] = {
      {"//! param: A# = 1\n", 64, "t.cu:68: param: more than 64 of them"},
      {"//! scratch: s# = 1\n", 64, "t.cu:68: scratch: more than 64 of them"},
      {"//! note: #\n", 64, "t.cu:68: note: more than 64 of them"},
      {"//! id: v-#\n", 63, "t.cu:67: id: more than 64 variants in one file"},
      {"//! note: #\n//! cures: x\n//! claim: x\n//! param: A# = 1\n//! scratch: s# = 1\n", 50,
       "t.cu:257: param: more than 256 keys in one variant"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *text = many_lines(rows[i].line, rows[i].most), *more = many_lines(rows[i].line, rows[i].most + 1);
    struct rung_set set = {0};
    struct err e = {0};
    assert_int_equal(add(&set, text, &e), 0);
    rung_set_release(&set);
    assert_int_equal(add(&set, more, &e), ERR_DATA);
    if (strncmp(e.text, rows[i].says, strlen(rows[i].says)) != 0)
      fail_msg("row %zu: got \"%s\", not \"%s\"", i, e.text, rows[i].says);
    rung_set_release(&set);
    free(text);
    free(more);
  }
}

static void values_are_bounded(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  struct text t = {0};
  text_add(&t, FOOT "//! note: x\n");
  /* 1 + 481 times 17 bytes are 8178, which fits; one time more does not. */
  for (int i = 0; i < 481; i++)
    text_add(&t, "//!      sixteen letters.\n");
  assert_int_equal(add(&set, text_str(&t), &e), 0);
  rung_set_release(&set);
  text_add(&t, "//!      sixteen letters.\n");
  assert_int_equal(add(&set, text_str(&t), &e), ERR_DATA);
  assert_non_null(strstr(e.text, "t.cu:486: note: the value has more than 8192 bytes; shorten it"));
  text_release(&t);
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
      cmocka_unit_test(every_mistake_is_named),    cmocka_unit_test(names_are_checked_by_the_set),
      cmocka_unit_test(lets_are_written_out),      cmocka_unit_test(lets_that_are_refused),
      cmocka_unit_test(lets_are_bounded),          cmocka_unit_test(lists_are_bounded),
      cmocka_unit_test(values_are_bounded),        cmocka_unit_test(any_part_of_a_file_is_safe),
      cmocka_unit_test(headers_and_doubles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
