/* The check: what passes, what fails, and which fault is named.  Wrong results come from a kernel written here, apart from check.c. */
#include "kernels/problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A straightforward kernel with switches for its faults. */
struct kernel {
  bool swap_a, swap_b, fnuz_a, fnuz_b, unsigned_a, unsigned_b, last_block, unscaled_a, unscaled_b;
  bool batch0_a, batch0_b, batch0_sfa, batch0_sfb; /* batch stride 0 */
  bool pitch_b, pitch_sfb;                         /* batch stride of one row */
};

static double code_of(const uint8_t *row, long k, bool swap, bool drop_sign) {
  unsigned byte = row[k / 2], code = (k % 2 == 1) != swap ? byte >> 4 : byte & 15;

  return e2m1_value(drop_sign ? code & 7 : code);
}

static double scale_of(uint8_t code, bool fnuz, bool unscaled) {
  return unscaled ? 1 : fnuz ? e4m3fnuz_value(code) : e4m3fn_value(code);
}

static uint16_t *kernel_run(const struct problem *p, struct kernel f) {
  long m_max = p->shape.m, k_max = p->shape.k, l_max = p->shape.l, half = k_max / 2, blocks = k_max / 16;
  uint16_t *c = malloc(problem_c_bytes(p->shape));

  assert_non_null(c);
  for (long l = 0; l < l_max; l++) {
    for (long m = 0; m < m_max; m++) {
      const uint8_t *a = p->a + ((f.batch0_a ? 0 : l * m_max) + m) * half;
      const uint8_t *sfa = p->sfa + ((f.batch0_sfa ? 0 : l * m_max) + m) * blocks;
      const uint8_t *b = p->b + (f.batch0_b ? 0 : f.pitch_b ? l : l * 128) * half;
      const uint8_t *sfb = p->sfb + (f.batch0_sfb ? 0 : f.pitch_sfb ? l : l * 128) * blocks;
      double sum = 0;
      for (long k = 0; k < (f.last_block ? k_max - 16 : k_max); k++)
        sum += code_of(a, k, f.swap_a, f.unsigned_a) * code_of(b, k, f.swap_b, f.unsigned_b) *
               scale_of(sfa[k / 16], f.fnuz_a, f.unscaled_a) * scale_of(sfb[k / 16], f.fnuz_b, f.unscaled_b);
      c[l * m_max + m] = fp16_from_double(sum);
    }
  }
  return c;
}

static void make(struct problem *p, long m, long k, long l, enum problem_inputs inputs) {
  assert_int_equal(problem_make(p, (struct shape){m, k, l}, inputs, 5, 1, NULL), 0);
}

static enum fault cause_of(const struct problem *p, struct kernel f, enum accumulate a) {
  uint16_t *c = kernel_run(p, f);
  struct check check;

  problem_check(&check, p, c, a);
  free(c);
  assert_int_equal(check.pass, check.cause == FAULT_NONE);
  return check.cause;
}

static bool near(double a, double b) {
  return fabs(a - b) <= 1e-12 * fabs(b);
}

static void tolerance_by_hand(void **state) {
  struct problem p = {.shape = {1, 16384, 1}, .inputs = INPUTS_DEFAULT};
  const double half_subnormal = 0x1p-25;

  (void)state;
  /* 1024 / 1024 = 1 for writing C */
  assert_true(near(problem_tolerance(&p, ACCUMULATE_FP32, -1024, 65536), 1 + 1 + half_subnormal));
  assert_true(near(problem_tolerance(&p, ACCUMULATE_FP16, 1024, 65536), 1 + 512 + half_subnormal));
  /* 1024 blocks: 65536 / 128 / 32 = 16 */
  assert_true(near(problem_tolerance(&p, ACCUMULATE_FP16_BLOCK, 1024, 65536), 1 + 16 + half_subnormal));
  p.shape.k = 256; /* 16 blocks: 65536 / 128 / 4 = 128 */
  assert_true(near(problem_tolerance(&p, ACCUMULATE_FP16_BLOCK, 1024, 65536), 1 + 128 + half_subnormal));
  p.shape.k = 64; /* 4 blocks: 65536 / 128 / 2 = 256, which is 2^-8 too */
  assert_true(near(problem_tolerance(&p, ACCUMULATE_FP16_BLOCK, 1024, 65536), 1 + 256 + half_subnormal));
  assert_true(problem_tolerance(&p, ACCUMULATE_FP32, 0, 0) == half_subnormal);
  p.inputs = INPUTS_CONTEST;
  assert_true(near(problem_tolerance(&p, ACCUMULATE_FP16, -3000, 1e9), 3.001));
}

static void right_results_pass(void **state) {
  static const struct shape shapes[] = {{1, 64, 1}, {33, 1024, 3}};

  (void)state;
  for (size_t s = 0; s < 2; s++) {
    for (enum problem_inputs inputs = INPUTS_DEFAULT; inputs <= INPUTS_EXTREME; inputs++) {
      struct problem p;
      make(&p, shapes[s].m, shapes[s].k, shapes[s].l, inputs);
      for (enum accumulate a = ACCUMULATE_FP32; a <= ACCUMULATE_FP16; a++) {
        uint16_t *c = kernel_run(&p, (struct kernel){0});
        struct check check;
        problem_check(&check, &p, c, a);
        assert_true(check.pass);
        assert_int_equal(check.failed, 0);
        assert_int_equal(check.total, shapes[s].m * shapes[s].l);
        assert_true(check.max_ratio <= 1);
        assert_int_equal(check.cause, FAULT_NONE);
        free(c);
      }
      problem_release(&p);
    }
  }
}

/* One row, its reference set by hand: which bits pass, and which do not. */
static void passes_at_the_edges(void **state) {
  static const struct {
    double ref, mag;
    uint16_t bits;
    bool pass;
  } cases[] = {
      {1, 0, 0x3c00, true},
      {1, 0, 0x3c01, true},  /* 2^-10 off: the tolerance to the dot, and half a subnormal more */
      {1, 0, 0x3c02, false}, /* twice that */
      {1, 64, 0x3c02, true}, /* 2^-10 more from mag */
      {1, 63, 0x3c02, false},
      {0, 0, 0x0000, true},
      {0, 0, 0x8000, true},  /* -0 */
      {0, 0, 0x0001, false}, /* a whole subnormal */
      {0x1p-25, 0, 0x0001, true},
      {70000, 0, 0x7c00, true},  /* infinity where the reference rounds to it */
      {70000, 0, 0xfc00, false}, /* of the other sign */
      {-70000, 0, 0xfc00, true},
      {70000, 0, 0x7bff, false}, /* 65504 is 4496 off */
      {65530, 0, 0x7bff, true},  /* 26 off, 64 allowed */
      {65530, 0, 0x7c00, true},
      {65500, 0, 0x7c00, true},  /* 65500 + 63.96 rounds to infinity */
      {65000, 0, 0x7c00, false}, /* 65000 + 63.5 does not */
      {1, 0, 0x7c00, false},
      {1, 0, 0x7e00, false}, /* NaN */
      {70000, 0, 0x7e00, false},
      {1, 1e30, 0x7e00, false}, /* however wide the tolerance */
      {1, 1e30, PROBLEM_POISON, false},
  };
  struct problem p;

  (void)state;
  make(&p, 1, 64, 1, INPUTS_DEFAULT);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct check check;
    p.ref[0] = cases[i].ref;
    p.mag[0] = cases[i].mag;
    problem_check(&check, &p, &cases[i].bits, ACCUMULATE_FP32);
    if (check.pass != cases[i].pass)
      fail_msg("case %zu: got %#x for %g: %s", i, cases[i].bits, cases[i].ref, check.pass ? "passes" : "fails");
    assert_int_equal(check.failed, !cases[i].pass);
  }
  problem_release(&p);
}

static void worst_element_is_reported(void **state) {
  struct problem p;
  struct check check;
  uint16_t *c;

  (void)state;
  make(&p, 50, 1024, 2, INPUTS_DEFAULT);
  c = kernel_run(&p, (struct kernel){0});
  c[20] = fp16_from_double(p.ref[20] + 1000); /* batch 0, row 20 */
  c[77] = fp16_from_double(p.ref[77] + 9000); /* batch 1, row 27 */
  problem_check(&check, &p, c, ACCUMULATE_FP32);
  assert_false(check.pass);
  assert_int_equal(check.total, 100);
  assert_int_equal(check.failed, 2);
  assert_int_equal(check.row, 27);
  assert_int_equal(check.batch, 1);
  assert_true(check.got_finite && check.got == fp16_value(c[77]) && check.want == p.ref[77]);
  assert_true(check.max_error == fabs(check.got - check.want));
  assert_true(near(check.max_ratio, check.max_error / problem_tolerance(&p, ACCUMULATE_FP32, p.ref[77], p.mag[77])));
  assert_int_equal(check.cause, FAULT_UNKNOWN);
  /* NaN is worse than any number, and its place is the first one's; the errors stay those of the finite elements. */
  c[60] = c[61] = 0x7e00;
  problem_check(&check, &p, c, ACCUMULATE_FP32);
  assert_int_equal(check.failed, 4);
  assert_int_equal(check.row, 10);
  assert_int_equal(check.batch, 1);
  assert_false(check.got_finite);
  assert_true(check.want == p.ref[60]);
  assert_true(isfinite(check.max_error) && isfinite(check.max_ratio) && check.max_error > 8900);
  free(c);
  problem_release(&p);
}

static void fill(uint16_t *c, size_t from, size_t to, uint16_t bits) {
  for (size_t i = from; i < to; i++)
    c[i] = bits;
}

static enum fault cause_of_result(const struct problem *p, const uint16_t *c) {
  struct check check;

  problem_check(&check, p, c, ACCUMULATE_FP32);
  return check.cause;
}

static void nan_and_unwritten(void **state) {
  struct problem p;
  uint16_t *c;

  (void)state;
  make(&p, 200, 512, 1, INPUTS_DEFAULT);
  c = kernel_run(&p, (struct kernel){0});
  c[199] = PROBLEM_POISON; /* one alone */
  assert_int_equal(cause_of_result(&p, c), FAULT_UNWRITTEN);
  fill(c, 100, 200, PROBLEM_POISON);
  assert_int_equal(cause_of_result(&p, c), FAULT_UNWRITTEN);
  fill(c, 100, 200, 0x7e00);
  assert_int_equal(cause_of_result(&p, c), FAULT_NAN);
  fill(c, 0, 200, 0xffff);
  assert_int_equal(cause_of_result(&p, c), FAULT_NAN);
  fill(c, 0, 100, PROBLEM_POISON); /* half and half */
  assert_int_equal(cause_of_result(&p, c), FAULT_UNKNOWN);
  fill(c, 0, 200, 0x7c00); /* infinity is no NaN */
  assert_int_equal(cause_of_result(&p, c), FAULT_UNKNOWN);
  free(c);
  problem_release(&p);
}

static const struct {
  struct kernel kernel;
  enum fault fault;
  bool contest; /* contest inputs show it too */
} faulty[] = {
    {{.swap_a = true}, FAULT_NIBBLES, true},
    {{.swap_b = true}, FAULT_NIBBLES, true},
    {{.fnuz_a = true, .fnuz_b = true}, FAULT_SCALE_FNUZ, true},
    {{.fnuz_a = true}, FAULT_SCALE_FNUZ, true},
    {{.fnuz_b = true}, FAULT_SCALE_FNUZ, true},
    {{.unsigned_a = true, .unsigned_b = true}, FAULT_SIGN, false},
    {{.unsigned_a = true}, FAULT_SIGN, false},
    {{.unsigned_b = true}, FAULT_SIGN, false},
    {{.last_block = true}, FAULT_LAST_BLOCK, true},
    {{.batch0_a = true}, FAULT_BATCH_STRIDE, true},
    {{.batch0_b = true}, FAULT_BATCH_STRIDE, true},
    {{.batch0_sfa = true}, FAULT_BATCH_STRIDE, true},
    {{.batch0_sfb = true}, FAULT_BATCH_STRIDE, true},
    {{.batch0_a = true, .batch0_b = true}, FAULT_BATCH_STRIDE, true},
    {{.batch0_a = true, .batch0_sfa = true}, FAULT_BATCH_STRIDE, true},
    {{.batch0_b = true, .batch0_sfb = true}, FAULT_BATCH_STRIDE, true},
    {{.batch0_sfa = true, .batch0_sfb = true}, FAULT_BATCH_STRIDE, true},
    {{.batch0_a = true, .batch0_b = true, .batch0_sfa = true, .batch0_sfb = true}, FAULT_BATCH_STRIDE, true},
    {{.pitch_b = true}, FAULT_BATCH_STRIDE, true},
    {{.pitch_sfb = true}, FAULT_BATCH_STRIDE, true},
    {{.pitch_b = true, .pitch_sfb = true}, FAULT_BATCH_STRIDE, true},
    {{.unscaled_a = true, .unscaled_b = true}, FAULT_NO_SCALES, true},
    {{.unscaled_a = true}, FAULT_NO_SCALES, true},
    {{.unscaled_b = true}, FAULT_NO_SCALES, true},
};

static void every_fault_is_named(void **state) {
  struct problem p, contest, small;

  (void)state;
  make(&p, 64, 512, 3, INPUTS_DEFAULT);
  make(&contest, 64, 512, 3, INPUTS_CONTEST);
  make(&small, 2, 128, 2, INPUTS_DEFAULT); /* two or four failing elements */
  for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
    for (enum accumulate a = ACCUMULATE_FP32; a <= ACCUMULATE_FP16; a++) {
      enum fault named = cause_of(&p, faulty[i].kernel, a);
      if (named != faulty[i].fault)
        fail_msg("kernel %zu, %s: %s is named for %s", i, accumulate_name(a), fault_name(named),
                 fault_name(faulty[i].fault));
    }
    assert_int_equal(cause_of(&small, faulty[i].kernel, ACCUMULATE_FP32), faulty[i].fault);
    assert_int_equal(cause_of(&contest, faulty[i].kernel, ACCUMULATE_FP32),
                     faulty[i].contest ? faulty[i].fault : FAULT_NONE);
  }
  problem_release(&p);
  problem_release(&contest);
  problem_release(&small);
}

/* The longest K leaves the least of one block of 1024; only fp16 running sums may hide it. */
static void last_block_shows_at_the_longest_k(void **state) {
  struct problem p;

  (void)state;
  make(&p, 256, 16384, 1, INPUTS_DEFAULT);
  assert_int_equal(cause_of(&p, (struct kernel){.last_block = true}, ACCUMULATE_FP32), FAULT_LAST_BLOCK);
  assert_int_equal(cause_of(&p, (struct kernel){.last_block = true}, ACCUMULATE_FP16_BLOCK), FAULT_LAST_BLOCK);
  problem_release(&p);
}

static void extreme_inputs_show_faults(void **state) {
  struct problem p;

  (void)state;
  make(&p, 64, 64, 2, INPUTS_EXTREME);
  assert_int_equal(cause_of(&p, (struct kernel){.swap_b = true}, ACCUMULATE_FP32), FAULT_NIBBLES);
  assert_int_equal(cause_of(&p, (struct kernel){.fnuz_a = true, .fnuz_b = true}, ACCUMULATE_FP32), FAULT_SCALE_FNUZ);
  assert_int_equal(cause_of(&p, (struct kernel){.unsigned_a = true}, ACCUMULATE_FP32), FAULT_SIGN);
  problem_release(&p);
  /* 32 scales a row: about one row in eight meets 0x80, -0 in e4m3fn and NaN in e4m3fnuz */
  make(&p, 64, 512, 1, INPUTS_EXTREME);
  assert_int_equal(cause_of(&p, (struct kernel){.fnuz_a = true}, ACCUMULATE_FP32), FAULT_SCALE_FNUZ);
  problem_release(&p);
}

static void both_nibbles_swapped_is_right(void **state) {
  struct problem p;

  (void)state;
  make(&p, 64, 512, 1, INPUTS_DEFAULT);
  assert_int_equal(cause_of(&p, (struct kernel){.swap_a = true, .swap_b = true}, ACCUMULATE_FP32), FAULT_NONE);
  problem_release(&p);
}

static void mixed_faults_are_unknown(void **state) {
  struct problem p;
  uint16_t *swapped, *fnuz;

  (void)state;
  make(&p, 64, 512, 2, INPUTS_DEFAULT);
  assert_int_equal(cause_of(&p, (struct kernel){.swap_a = true, .fnuz_a = true}, ACCUMULATE_FP32), FAULT_UNKNOWN);
  /* One batch wrong in one way, the other in another. */
  swapped = kernel_run(&p, (struct kernel){.swap_a = true});
  fnuz = kernel_run(&p, (struct kernel){.fnuz_a = true});
  memcpy(swapped, fnuz, 64 * sizeof *fnuz);
  assert_int_equal(cause_of_result(&p, swapped), FAULT_UNKNOWN);
  free(swapped);
  free(fnuz);
  problem_release(&p);
}

/* A single element that happens to fit a fault does not make it one, since the others would be wrong as well. */
static void few_failures_need_the_rest_to_agree(void **state) {
  struct problem p;
  uint16_t *right, *swapped;

  (void)state;
  make(&p, 64, 512, 1, INPUTS_DEFAULT);
  right = kernel_run(&p, (struct kernel){0});
  swapped = kernel_run(&p, (struct kernel){.swap_a = true});
  right[30] = swapped[30];
  assert_int_equal(cause_of_result(&p, right), FAULT_UNKNOWN);
  memcpy(right + 32, swapped + 32, 32 * sizeof *right); /* half of the rows is a fault */
  right[30] = fp16_from_double(p.ref[30]);
  assert_int_equal(cause_of_result(&p, right), FAULT_NIBBLES);
  free(right);
  free(swapped);
  problem_release(&p);
}

static void names(void **state) {
  enum accumulate a;
  enum fault f;
  struct err e = {0};

  (void)state;
  for (enum accumulate want = ACCUMULATE_FP32; want <= ACCUMULATE_FP16; want++) {
    assert_int_equal(accumulate_parse(&a, accumulate_name(want), &e), 0);
    assert_int_equal(a, want);
  }
  assert_int_equal(accumulate_parse(&a, "fp8", &e), ERR_DATA);
  assert_non_null(strstr(e.text, "'fp8' is unknown; choose fp32, fp16-block or fp16"));
  for (enum fault want = FAULT_UNWRITTEN; want <= FAULT_UNKNOWN; want++) {
    assert_int_equal(fault_parse(&f, fault_name(want), &e), 0);
    assert_int_equal(f, want);
    assert_true(strlen(fault_text(want)) > 10);
  }
  assert_string_equal(fault_name(FAULT_NIBBLES), "nibbles");
  assert_string_equal(fault_name(FAULT_NONE), "none");
  assert_int_equal(fault_parse(&f, "none", &e), ERR_DATA); /* a rung that is right has no wrong: key */
  assert_int_equal(fault_parse(&f, "nibble", &e), ERR_DATA);
  for (enum fault listed = FAULT_UNWRITTEN; listed <= FAULT_UNKNOWN; listed++)
    assert_non_null(strstr(e.text, fault_name(listed)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tolerance_by_hand),
      cmocka_unit_test(right_results_pass),
      cmocka_unit_test(passes_at_the_edges),
      cmocka_unit_test(worst_element_is_reported),
      cmocka_unit_test(nan_and_unwritten),
      cmocka_unit_test(every_fault_is_named),
      cmocka_unit_test(last_block_shows_at_the_longest_k),
      cmocka_unit_test(extreme_inputs_show_faults),
      cmocka_unit_test(both_nibbles_swapped_is_right),
      cmocka_unit_test(mixed_faults_are_unknown),
      cmocka_unit_test(few_failures_need_the_rest_to_agree),
      cmocka_unit_test(names),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
