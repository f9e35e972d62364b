/* Problems of one's own: their front matter, their arrays, and the check. */
#include "kernels/generic.h"

#include "base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "//! problem: generic\n//! id: x\n//! ladder: l\n"
#define BODY                                                                                                           \
  "//! size: N = 1K\n//! size: HALF = N / 2\n//! buffer: x = fp32[N]; init = random\n"                                 \
  "//! buffer: y = fp16[HALF + 1]; init = iota\n//! output: y\n"
#define STEP "//! step: kernel = k; grid = ceil(N / 32); block = 32\n"

static const struct rung_chip chip = {.sm = 90, .sms = 132, .smem_optin = 232448};

struct planned {
  struct rung_set set;
  struct rung_plan plan;
};

static void make(struct planned *p, const char *text, const char *sizes) {
  struct err e = {0};
  struct shape given = {0}, s;
  *p = (struct planned){0};
  if ((*sizes && shape_parse(&given, sizes, &e)) || rung_set_add(&p->set, "t.cu", text, &e) ||
      rung_set_finish(&p->set, &e) || rung_sizes(&s, &p->set.rungs[0], &given, &e) ||
      rung_plan(&p->plan, &p->set.rungs[0], s, &chip, &e))
    fail_msg("%s", e.text);
}

static void release(struct planned *p) {
  rung_plan_release(&p->plan);
  rung_set_release(&p->set);
}

static void it_is_planned(void **state) {
  (void)state;
  struct planned p;
  make(&p, HEAD BODY STEP "//! constants: HALF\n//! param: HALVES = 3\n", "");
  assert_string_equal(p.plan.shape.sizes, "N=1024 HALF=512");
  assert_int_equal(p.plan.n_arrays, 2);
  assert_int_equal(p.plan.arrays[0].bytes, 4096); /* 1024 of 4 bytes */
  assert_int_equal(p.plan.arrays[1].bytes, 1026); /* 513 of 2 bytes */
  assert_true(p.plan.bytes == 4096 + 2 * 1026);   /* y is read and written */
  assert_true(p.plan.flops == 0);
  assert_int_equal(p.plan.steps[0].grid[0], 32); /* 1024 / 32 */
  /* Default arguments: x, y, N, HALF. */
  assert_int_equal(p.plan.steps[0].n_args, 4);
  assert_string_equal(p.plan.steps[0].args[1].name, "y");
  assert_int_equal(p.plan.steps[0].args[3].value, 512);
  assert_int_equal(p.plan.n_defines, 2);
  assert_string_equal(p.plan.defines[1], "-DSHAPE_HALF=512");
  release(&p);
  make(&p, HEAD BODY STEP, "N=64");
  assert_string_equal(p.plan.shape.sizes, "N=64 HALF=32"); /* HALF follows N */
  release(&p);
  make(&p, HEAD BODY STEP, "HALF=5");
  assert_string_equal(p.plan.shape.sizes, "N=1024 HALF=5");
  release(&p);
}

static void numbers_are_passed_as_their_type(void **state) {
  (void)state;
  struct planned p;
  make(&p, HEAD BODY "//! step: kernel = k; grid = 1; block = 1; args = x, f32(N / 3), f64(1.5), i64(N), HALF\n",
       "N=2");
  const struct plan_arg *a = p.plan.steps[0].args;
  assert_int_equal(a[1].kind, ARG_FLOAT);
  assert_true(fabs(a[1].real - 2.0 / 3) < 1e-15);
  assert_int_equal(a[2].kind, ARG_DOUBLE);
  assert_true(a[2].real == 1.5);
  assert_int_equal(a[3].kind, ARG_INT64);
  assert_int_equal(a[3].value, 2);
  assert_int_equal(a[4].kind, ARG_INT);
  release(&p);
}

static void a_variant_inherits_what_it_does_not_name(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  assert_int_equal(rung_set_add(&set, "t.cu",
                                HEAD BODY STEP "//! id: z\n//! parent: x\n//! change: c\n//! size: N = 9\n"
                                               "//! buffer: y = u8[1]\n",
                                &e),
                   0);
  assert_int_equal(rung_set_finish(&set, &e), 0);
  const struct rung *z = rung_find(&set, "z");
  assert_true(z->generic);
  assert_int_equal(z->n_sizes, 2);
  assert_int_equal(z->n_buffers, 2);
  assert_int_equal(z->buffers[0].type, ELEMENT_U8);
  assert_string_equal(z->buffers[1].name, "x");
  rung_set_release(&set);
}

static void slips_name_the_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"//! id: x\n//! ladder: l\n//! size: N = 1\n" STEP, "t.cu:3: size: is a key of generic problems"},
      {"//! problem: own\n//! id: x\n//! ladder: l\n" STEP, "t.cu:1: problem: unknown problem 'own'"},
      {HEAD "//! size: N\n" STEP, "t.cu:4: size: expected NAME = VALUE"},
      {HEAD "//! size: N = M\n" STEP, "t.cu:4: size: unknown size 'M'; the first size is a number"},
      {HEAD BODY "//! size: Q = NN\n" STEP, "t.cu:9: size: unknown size 'NN'"},
      {HEAD BODY "//! size: x = 1\n" STEP, "t.cu:9: size: size 'x' is taken"},
      {HEAD BODY "//! size: sms = 1\n" STEP, "t.cu:9: size: size 'sms' is taken"},
      {HEAD BODY "//! buffer: z = fp32\n" STEP, "t.cu:9: buffer: 'fp32' is not TYPE[COUNT]"},
      {HEAD BODY "//! buffer: z = fp8[N]\n" STEP, "t.cu:9: buffer: unknown type 'fp8'; known are fp64, fp32"},
      {HEAD BODY "//! buffer: z = fp32[N]; init = randm\n" STEP, "did you mean 'random'?"},
      {HEAD BODY "//! buffer: z = fp32[N]; fill = 0\n" STEP, "unknown field 'fill"},
      {HEAD BODY "//! buffer: z = fp32[N]\n" STEP, "t.cu:9: buffer: z has no init and is not an output"},
      {HEAD BODY "//! buffer: z = fp32[Q]; init = zero\n" STEP, "t.cu:9: buffer: unknown name 'Q'"},
      {HEAD BODY "//! buffer: y = fp32[N]; init = zero\n" STEP, "t.cu:9: buffer: buffer 'y' is taken"},
      {HEAD "//! size: N = 1\n//! buffer: x = u8[N]; init = zero\n//! output: q\n" STEP,
       "t.cu:6: output: unknown buffer 'q'"},
      {HEAD "//! size: N = 1\n" STEP, "t.cu:1: problem: a generic problem needs a buffer"},
      {HEAD BODY STEP "//! reference: kernel = r\n", "t.cu:10: reference: no grid"},
      {HEAD BODY STEP "//! reference: kernel = r; grid = Q; block = 1\n", "t.cu:10: reference: unknown name 'Q'"},
      {HEAD BODY STEP "//! tolerance: 1e-3 1e-3\n", "t.cu:10: tolerance: there is no reference to judge by it"},
      {HEAD BODY STEP "//! reference: file = r.bin\n//! tolerance: 1e-3\n", "t.cu:11: tolerance: expected ABS REL"},
      {HEAD BODY STEP "//! limits: 1\n", "t.cu:10: limits: is a key of the NVFP4 GEMV"},
      {HEAD BODY STEP "//! constants: K\n", "t.cu:10: constants: unknown size 'K'"},
      {HEAD BODY STEP "//! bytes: K\n", "t.cu:10: bytes: unknown name 'K'"},
      {HEAD BODY STEP "//! reset: init q\n", "t.cu:10: reset: unknown buffer 'q'"},
      {HEAD BODY "//! step: kernel = k; grid = 1; block = 1; args = a\n",
       "t.cu:9: step: unknown buffer or parameter 'a'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rung_set set = {0};
    struct err e = {0};
    int rc = rung_set_add(&set, "t.cu", cases[i].text, &e);
    if (rc == 0)
      rc = rung_set_finish(&set, &e);
    if (rc != ERR_DATA || !strstr(e.text, cases[i].says))
      fail_msg("case %zu: expected \"%s\", got \"%s\"", i, cases[i].says, e.text);
    rung_set_release(&set);
  }
}

static void a_shape_of_the_other_kind_is_refused(void **state) {
  (void)state;
  struct planned p;
  struct rung_plan plan;
  struct err e = {0};
  struct shape out, given = {0};
  make(&p, HEAD BODY STEP, "");
  assert_int_equal(rung_plan(&plan, &p.set.rungs[0], (struct shape){128, 256, 1}, &chip, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "x has sizes of its own: write --shape NAME=VALUE, not 128x256x1"));
  assert_int_equal(shape_parse(&given, "NN=4", NULL), 0);
  assert_int_equal(rung_sizes(&out, &p.set.rungs[0], &given, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "x has no size NN; it has N, HALF"));
  release(&p);
}

/* --- elements and arrays --- */

static void elements_have_their_values(void **state) {
  (void)state;
  /* By IEEE 754: 0x3e00 is 1.5 in fp16; 0xc040 the upper half of -3.0f. */
  static const uint16_t half = 0x3e00, bf = 0xc040;
  static const int8_t minus = -3;
  static const uint8_t full = 0xfd;
  static const int64_t big = 1L << 40;
  assert_true(element_value(ELEMENT_FP16, &half, 0) == 1.5);
  assert_true(element_value(ELEMENT_BF16, &bf, 0) == -3);
  assert_true(element_value(ELEMENT_I8, &minus, 0) == -3);
  assert_true(element_value(ELEMENT_U8, &full, 0) == 253);
  assert_true(element_value(ELEMENT_I64, &big, 0) == 1099511627776.0);
  assert_true(element_value(ELEMENT_FP32, (const float[]){1, 2.5f}, 1) == 2.5);
  assert_true(element_value(ELEMENT_U32, (const uint32_t[]){4294967295u}, 0) == 4294967295.0);
}

static void arrays_are_filled(void **state) {
  (void)state;
  struct planned p;
  struct generic g, again;
  struct err e = {0};
  make(&p,
       HEAD
       "//! size: N = 3000\n//! buffer: r = fp32[N]; init = random\n//! buffer: h = fp16[N]; init = iota\n"
       "//! buffer: b = bf16[N]; init = iota\n//! buffer: i = i8[N]; init = iota\n//! buffer: z = u32[N]; init = zero\n"
       "//! buffer: s = i16[N]; init = random\n//! buffer: o = fp64[N]\n//! output: o\n" STEP,
       "");
  assert_int_equal(generic_make(&g, &p.plan, 1, &e), 0);
  assert_int_equal(generic_make(&again, &p.plan, 2, &e), 0);
  double sum = 0, squares = 0, most = 0;
  for (size_t i = 0; i < 3000; i++) {
    double r = element_value(ELEMENT_FP32, g.arrays[0].data, i);
    assert_true(r >= -1 && r <= 1);
    sum += r;
    squares += r * r;
    assert_true(element_value(ELEMENT_FP16, g.arrays[1].data, i) == (double)(i % 2048)); /* 11 bits of significand */
    assert_true(element_value(ELEMENT_BF16, g.arrays[2].data, i) == (double)(i % 256));  /* 8 bits */
    assert_true(element_value(ELEMENT_I8, g.arrays[3].data, i) == (double)(i % 128));
    assert_true(element_value(ELEMENT_U32, g.arrays[4].data, i) == 0);
    most = fmax(most, fabs(element_value(ELEMENT_I16, g.arrays[5].data, i)));
  }
  /* Uniform in [-1, 1): mean 0 with standard deviation 1 / sqrt(3 N) = 0.0105, mean square 1/3 with 0.0054: within five of them. */
  assert_true(fabs(sum / 3000) < 0.0525);
  assert_true(fabs(squares / 3000 - 1.0 / 3) < 0.027);
  assert_true(most == 100); /* each of 201 values has a chance of 3e-7 to be missing */
  assert_null(g.arrays[6].data);
  assert_memory_not_equal(g.arrays[0].data, again.arrays[0].data, 12000); /* another seed */
  generic_release(&g);
  generic_release(&again);
  release(&p);
}

static void a_file_of_another_length_is_refused(void **state) {
  (void)state;
  struct planned p;
  struct generic g;
  struct err e = {0};
  make(&p, HEAD "//! size: N = 7\n//! buffer: x = u8[N]; init = file:/dev/null\n" STEP, "");
  assert_int_equal(generic_make(&g, &p.plan, 1, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "t.cu:5: buffer: /dev/null holds 0 bytes; 7 are needed"));
  generic_release(&g);
  release(&p);
}

/* --- the check --- */

static void the_tolerance_decides(void **state) {
  (void)state;
  struct planned p;
  struct generic_check c;
  make(&p,
       HEAD "//! size: N = 4\n//! buffer: y = fp32[N]\n//! buffer: n = i32[N]\n//! output: y, n\n"
            "//! reference: file = r.bin\n//! tolerance: 0.5 0.25\n" STEP,
       "");
  struct {
    float y[4];
    int32_t n[4];
  } want = {{0, 2, -4, 8}, {1, 2, 3, 4}}, got = want;
  assert_int_equal(generic_output_bytes(&p.plan), 32);
  generic_compare(&c, &p.plan, &got, &want);
  assert_int_equal(c.failed, 0);
  assert_int_equal(c.total, 8);
  got.y[1] = 3;                     /* off by 1 of 0.5 + 0.25 * 2 = 1: it passes */
  got.n[3] = 5;                     /* off by 1 of 1.5 */
  got.y[2] = nextafterf(-5.5f, -6); /* off by a little more than 0.5 + 0.25 * 4 = 1.5 */
  generic_compare(&c, &p.plan, &got, &want);
  assert_int_equal(c.failed, 1);
  assert_string_equal(c.buffer, "y");
  assert_int_equal(c.index, 2);
  assert_true(c.want == -4 && c.got < -5.5 && c.max_ratio > 1 && c.max_ratio < 1.0001);
  assert_true(c.max_error > 1.5 && c.max_error < 1.5001);
  assert_false(c.unwritten);
  got.y[0] = NAN;
  got.n[0] = -1; /* no poison: its own value differs by 2 of 0.75 */
  generic_compare(&c, &p.plan, &got, &want);
  assert_int_equal(c.failed, 3);
  assert_int_equal(c.index, 0);
  assert_true(isnan(c.got));
  memset(&got, GENERIC_POISON, sizeof got.y);
  generic_compare(&c, &p.plan, &got, &want);
  assert_int_equal(c.failed, 5); /* four of y and n[0] */
  assert_true(c.unwritten);
  want.y[3] = NAN; /* the reference has NaN there: so may the kernel */
  generic_compare(&c, &p.plan, &got, &want);
  assert_int_equal(c.failed, 4);
  release(&p);
}

static void integers_are_exact_by_default(void **state) {
  (void)state;
  struct planned p;
  struct generic_check c;
  make(&p, HEAD "//! size: N = 2\n//! buffer: n = u16[N]\n//! output: n\n//! reference: file = r.bin\n" STEP, "");
  uint16_t want[] = {7, 9}, got[] = {7, 8};
  generic_compare(&c, &p.plan, got, want);
  assert_int_equal(c.failed, 1);
  assert_int_equal(c.index, 1);
  release(&p);
}

/* Equal stretches of 4096 are passed over whole: faults at their edges and in the last, shorter one are seen all the same. */
static void no_element_is_passed_over(void **state) {
  (void)state;
  static const size_t faults[] = {0, 4095, 4096, 8191, 8192, 9999};
  static uint8_t want[10000], got[10000];
  struct planned p;
  struct generic_check c;
  make(&p, HEAD "//! size: N = 10000\n//! buffer: n = u8[N]\n//! output: n\n//! reference: file = r.bin\n" STEP, "");
  generic_compare(&c, &p.plan, got, want);
  assert_int_equal(c.failed, 0);
  assert_int_equal(c.total, 10000);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    got[faults[i]] = 1;
    generic_compare(&c, &p.plan, got, want);
    assert_int_equal(c.failed, 1);
    assert_int_equal(c.index, faults[i]);
    got[faults[i]] = 0;
  }
  release(&p);
}

/* x once, y read and written; what only a setup reads does not count, and the scratch that it fills for the step does: 4096 + 2 x 1026, then 2 x 1026 + 300,
 * whatever lies in scratch that no setup names. */
static void what_must_move(void **state) {
  (void)state;
  static const char SCRATCH[] = "//! scratch: packed = 300\n//! scratch: room = 5000\n";
  struct planned p;
  make(&p, HEAD BODY STEP, "");
  assert_true(p.plan.bytes == 4096 + 2 * 1026);
  release(&p);
  char text[2048];
  snprintf(text, sizeof text, "%s%s%s%s", HEAD BODY, SCRATCH,
           "//! setup: kernel = pack; grid = 1; block = 32; args = x, packed\n",
           "//! step: kernel = k; grid = 1; block = 32; args = packed, room, y\n");
  make(&p, text, "");
  assert_true(p.plan.bytes == 2 * 1026 + 300);
  release(&p);
  snprintf(text, sizeof text, "%s%s%s%s%s", HEAD BODY, SCRATCH, "//! bytes: 7 * N\n",
           "//! setup: kernel = pack; grid = 1; block = 32; args = x, packed\n",
           "//! step: kernel = k; grid = 1; block = 32; args = packed, room, y\n");
  make(&p, text, ""); /* the author knows better */
  assert_true(p.plan.bytes == 7 * 1024);
  release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_must_move),
      cmocka_unit_test(it_is_planned),
      cmocka_unit_test(numbers_are_passed_as_their_type),
      cmocka_unit_test(a_variant_inherits_what_it_does_not_name),
      cmocka_unit_test(slips_name_the_line),
      cmocka_unit_test(a_shape_of_the_other_kind_is_refused),
      cmocka_unit_test(elements_have_their_values),
      cmocka_unit_test(arrays_are_filled),
      cmocka_unit_test(a_file_of_another_length_is_refused),
      cmocka_unit_test(the_tolerance_decides),
      cmocka_unit_test(integers_are_exact_by_default),
      cmocka_unit_test(no_element_is_passed_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
