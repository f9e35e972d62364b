/* Shapes, sizes, generated inputs and the CPU reference. */
#include "kernels/problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* Lets AddressSanitizer return NULL for a hopeless allocation, as malloc does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

static const struct shape shape_1 = {7168, 16384, 1}, shape_2 = {4096, 7168, 8}, shape_3 = {7168, 2048, 4};

static void sizes_by_hand(void **state) {
  (void)state;
  assert_int_equal(problem_a_bytes(shape_1), 58720256);  /* 7168 * 8192 */
  assert_int_equal(problem_sfa_bytes(shape_1), 7340032); /* 7168 * 1024 */
  assert_int_equal(problem_b_bytes(shape_1), 1048576);   /* 128 * 8192 */
  assert_int_equal(problem_sfb_bytes(shape_1), 131072);  /* 128 * 1024 */
  assert_int_equal(problem_c_bytes(shape_1), 14336);
  assert_int_equal(problem_a_bytes(shape_2), 117440512); /* 8 * 4096 * 3584 */
  assert_int_equal(problem_c_bytes(shape_2), 65536);
}

/* The contest's published table, and the same with one row of SFB a batch. */
static void minimal_and_contest_bytes(void **state) {
  (void)state;
  assert_true(problem_contest_bytes(shape_1) == 66213888);
  assert_true(problem_contest_bytes(shape_2) == 132673536);
  assert_true(problem_contest_bytes(shape_3) == 33157120);
  assert_true(problem_minimal_bytes(shape_1) == 66213888 - 127 * 1024);
  assert_true(problem_minimal_bytes(shape_2) == 132673536 - 8 * 127 * 448);
  assert_true(problem_minimal_bytes(shape_3) == 33157120 - 4 * 127 * 128);
  assert_true(problem_flops(shape_1) == 234881024); /* 2 * 7168 * 16384 */
}

static void shape_sets(void **state) {
  (void)state;
  const struct problem_shape_set *bench = problem_shape_set_find("bench"), *tests = problem_shape_set_find("tests"),
                                 *llm = problem_shape_set_find("llm");
  assert_int_equal(bench->n, 3);
  assert_true(shape_equal(bench->shapes[0], shape_1) && shape_equal(bench->shapes[1], shape_2) &&
              shape_equal(bench->shapes[2], shape_3));
  assert_int_equal(tests->n, 9);
  assert_true(shape_equal(tests->shapes[0], (struct shape){128, 256, 1}));
  assert_true(shape_equal(tests->shapes[4], (struct shape){2432, 4608, 2}));
  assert_true(shape_equal(tests->shapes[8], (struct shape){512, 1536, 2}));
  assert_int_equal(llm->n, 21);
  assert_true(shape_equal(llm->shapes[20], (struct shape){128, 4096, 1}));
  assert_null(problem_shape_set_find("test"));
}

static void inputs_names(void **state) {
  enum problem_inputs i;
  struct err e = {0};

  (void)state;
  for (enum problem_inputs want = INPUTS_DEFAULT; want <= INPUTS_EXTREME; want++) {
    assert_int_equal(problem_inputs_parse(&i, problem_inputs_name(want), &e), 0);
    assert_int_equal(i, want);
  }
  assert_int_equal(problem_inputs_parse(&i, "Default", &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "'Default'"));
  assert_non_null(strstr(e.text, "default, contest or extreme"));
}

static void arrays_zero(struct problem *p) {
  memset(p->a, 0, problem_a_bytes(p->shape));
  memset(p->b, 0, problem_b_bytes(p->shape));
  memset(p->sfa, 0, problem_sfa_bytes(p->shape));
  memset(p->sfb, 0, problem_sfb_bytes(p->shape));
}

static void reference_by_hand_one_row(void **state) {
  struct problem p;
  struct err e = {0};

  (void)state;
  assert_int_equal(problem_make(&p, (struct shape){1, 64, 1}, INPUTS_DEFAULT, 1, 1, &e), 0);
  arrays_zero(&p);
  /* block 0: (1 * -1 + 6 * -0.5) * 1.5 * 2 = -12 */
  p.a[0] = 0x72;
  p.b[0] = 0x9a;
  p.sfa[0] = 0x3c;
  p.sfb[0] = 0x40;
  /* block 1: 3 * -4 * -1 * 0.5 = 6 */
  p.a[8] = 0x05;
  p.b[8] = 0x0e;
  p.sfa[1] = 0xb8;
  p.sfb[1] = 0x30;
  /* block 2: no elements, scales 8 * 4 = 32 */
  p.sfa[2] = 0x50;
  p.sfb[2] = 0x48;
  /* block 3, the last element: -6 * 6 * 2^-9 * 448 = -31.5 */
  p.a[31] = 0xf0;
  p.b[31] = 0x70;
  p.sfa[3] = 0x01;
  p.sfb[3] = 0x7e;
  assert_int_equal(problem_reference(&p, 1, &e), 0);
  assert_true(p.ref[0] == -37.5);
  assert_true(p.mag[0] == 49.5);
  assert_true(p.sum_abs_max == 49.5);
  assert_true(p.block_abs_max == 31.5);
  assert_true(p.block_raw_max == 36);
  assert_true(p.scale_max == 448);
  assert_true(p.scale_product_max == 32);
  problem_release(&p);
}

static void reference_by_hand_batches(void **state) {
  struct shape s = {2, 128, 2};
  struct problem p;
  struct err e = {0};

  (void)state;
  assert_int_equal(problem_make(&p, s, INPUTS_DEFAULT, 1, 1, &e), 0);
  /* Padding holds the largest values: whoever reads it is far off. */
  memset(p.b, 0x77, problem_b_bytes(s));
  memset(p.sfb, 0x7e, problem_sfb_bytes(s));
  memset(p.a, 0x11, 64);        /* batch 0, row 0: 0.5 */
  memset(p.a + 64, 0x22, 64);   /* batch 0, row 1: 1 */
  memset(p.a + 128, 0x33, 64);  /* batch 1, row 0: 1.5 */
  memset(p.a + 192, 0x44, 64);  /* batch 1, row 1: 2 */
  memset(p.sfa, 0x38, 24);      /* 1 */
  memset(p.sfa + 24, 0x40, 8);  /* batch 1, row 1: 2 */
  memset(p.b, 0x22, 64);        /* batch 0: 1 */
  memset(p.b + 8192, 0xbb, 64); /* batch 1: -1.5; 128 rows of 64 bytes on */
  memset(p.sfb, 0x38, 8);       /* batch 0: 1 */
  memset(p.sfb + 1024, 0x38, 4);
  memset(p.sfb + 1028, 0x30, 4); /* batch 1: 1 four times, 0.5 four times: 6 in all */
  assert_int_equal(problem_reference(&p, 2, &e), 0);
  assert_true(p.ref[0] == 64);        /* 128 * 0.5 */
  assert_true(p.ref[1] == 128);       /* 128 * 1 */
  assert_true(p.ref[2] == -216);      /* 16 * 1.5 * -1.5 * 6 */
  assert_true(p.ref[3] == -576);      /* 16 * 2 * -1.5 * 2 * 6 */
  assert_true(p.mag[3] == 576);       /* all of one sign */
  assert_true(p.block_raw_max == 48); /* 16 * 3 */
  assert_true(p.block_abs_max == 96); /* the same with scales 2 and 1 */
  assert_true(p.scale_max == 2);      /* padding does not count */
  assert_true(p.scale_product_max == 2);
  problem_release(&p);
}

/* The sum as the definition reads, element by element. */
static void element_sum(const struct problem *p, long l, long m, double *sum, double *mag) {
  long k_max = p->shape.k;
  const uint8_t *a = p->a + (l * p->shape.m + m) * k_max / 2, *sfa = p->sfa + (l * p->shape.m + m) * k_max / 16;
  const uint8_t *b = p->b + l * 128 * k_max / 2, *sfb = p->sfb + l * 128 * k_max / 16;

  *sum = *mag = 0;
  for (long k = 0; k < k_max; k++) {
    double x = e2m1_value(k % 2 ? a[k / 2] >> 4 : a[k / 2] & 15) * e4m3fn_value(sfa[k / 16]);
    double y = e2m1_value(k % 2 ? b[k / 2] >> 4 : b[k / 2] & 15) * e4m3fn_value(sfb[k / 16]);
    *sum += x * y;
    *mag += fabs(x * y);
  }
}

static void reference_matches_definition(void **state) {
  struct shape s = {5, 320, 3};

  (void)state;
  for (enum problem_inputs inputs = INPUTS_DEFAULT; inputs <= INPUTS_EXTREME; inputs++) {
    struct problem p;
    assert_int_equal(problem_make(&p, s, inputs, 42, 2, NULL), 0);
    for (long i = 0; i < s.l * s.m; i++) {
      double sum, mag;
      element_sum(&p, i / s.m, i % s.m, &sum, &mag);
      /* Every partial sum fits 53 bits at this K, so both orders are exact. */
      assert_true(p.ref[i] == sum);
      assert_true(p.mag[i] == mag);
      assert_true(mag <= p.sum_abs_max);
    }
    problem_release(&p);
  }
}

static void same_for_any_thread_count(void **state) {
  struct shape s = {301, 8192, 2}; /* an odd number of rows, arrays long enough to be cut */
  static const int threads[] = {2, 3, 7, 0};
  struct problem one;

  (void)state;
  assert_int_equal(problem_make(&one, s, INPUTS_DEFAULT, 9, 1, NULL), 0);
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
    struct problem p;
    assert_int_equal(problem_make(&p, s, INPUTS_DEFAULT, 9, threads[i], NULL), 0);
    assert_memory_equal(p.a, one.a, problem_a_bytes(s));
    assert_memory_equal(p.b, one.b, problem_b_bytes(s));
    assert_memory_equal(p.sfa, one.sfa, problem_sfa_bytes(s));
    assert_memory_equal(p.sfb, one.sfb, problem_sfb_bytes(s));
    assert_memory_equal(p.ref, one.ref, 602 * sizeof *p.ref);
    assert_memory_equal(p.mag, one.mag, 602 * sizeof *p.mag);
    assert_true(p.sum_abs_max == one.sum_abs_max && p.block_abs_max == one.block_abs_max);
    assert_true(p.block_raw_max == one.block_raw_max && p.scale_max == one.scale_max);
    assert_true(p.scale_product_max == one.scale_product_max);
    problem_release(&p);
  }
  problem_release(&one);
}

/* The same bytes on every machine: the first word of each array for seed 1, computed apart from this code (splitmix64 in Python). */
static void generated_bytes_are_pinned(void **state) {
  static const uint8_t a[] = {0xb8, 0xd5, 0xc0, 0x82, 0xfc, 0x23, 0xe4, 0xdc, 0x1e, 0x61};
  static const uint8_t b[] = {0x4c, 0xd1, 0x53, 0xb0, 0x63, 0xa7, 0xe7, 0xfb};
  static const uint8_t sfa[] = {0x3c, 0x20, 0x48, 0x4b, 0x29, 0x4b, 0x2b, 0x36};
  static const uint8_t sfb[] = {0x48, 0x2c, 0x39, 0x22, 0x3a, 0x48, 0x3d, 0x36};
  struct problem p, q;

  (void)state;
  assert_int_equal(problem_make(&p, (struct shape){2, 128, 1}, INPUTS_DEFAULT, 1, 1, NULL), 0);
  assert_int_equal(problem_make(&q, p.shape, INPUTS_DEFAULT, 2, 1, NULL), 0);
  assert_memory_equal(p.a, a, sizeof a);
  assert_memory_equal(p.b, b, sizeof b);
  assert_memory_equal(p.sfa, sfa, sizeof sfa);
  assert_memory_equal(p.sfb, sfb, sizeof sfb);
  assert_memory_not_equal(p.a, q.a, sizeof a);
  assert_memory_not_equal(p.b, q.b, sizeof b);
  problem_release(&p);
  problem_release(&q);
}

static void count_bytes(size_t count[256], const uint8_t *bytes, size_t n) {
  memset(count, 0, 256 * sizeof *count);
  for (size_t i = 0; i < n; i++)
    count[bytes[i]]++;
}

static void default_inputs(void **state) {
  struct shape s = {64, 4096, 1};
  size_t count[256], octaves[6] = {0};
  struct problem p;

  (void)state;
  assert_int_equal(problem_make(&p, s, INPUTS_DEFAULT, 3, 0, NULL), 0);
  count_bytes(count, p.a, problem_a_bytes(s));
  for (int byte = 0; byte < 256; byte++)
    assert_in_range(count[byte], 350, 700); /* 512 expected */
  count_bytes(count, p.sfa, problem_sfa_bytes(s));
  for (unsigned code = 0; code < 256; code++) {
    double value = e4m3fn_value(code);
    if (count[code] == 0)
      continue;
    assert_true(value >= 0.125 && value <= 8);
    if (value < 8)
      octaves[(int)floor(log2(value)) + 3] += count[code];
  }
  for (int i = 0; i < 6; i++) /* 16384 / 6 = 2731 expected, less or more half a code at the ends */
    assert_in_range(octaves[i], 2300, 3100);
  /* Padding is data of its own. */
  for (int row = 1; row < PROBLEM_PAD_ROWS; row++) {
    assert_memory_not_equal(p.b, p.b + row * 2048, 2048);
    assert_memory_not_equal(p.sfb, p.sfb + row * 256, 256);
  }
  problem_release(&p);
}

static void contest_inputs(void **state) {
  struct shape s = {64, 4096, 1};
  size_t count[256];
  struct problem p;

  (void)state;
  assert_int_equal(problem_make(&p, s, INPUTS_CONTEST, 3, 0, NULL), 0);
  count_bytes(count, p.a, problem_a_bytes(s));
  for (int byte = 0; byte < 256; byte++)
    assert_int_equal(count[byte] > 30000, byte < 4); /* 32768 expected of each of four */
  assert_int_equal(count[0] + count[1] + count[2] + count[3], problem_a_bytes(s));
  count_bytes(count, p.sfb, problem_sfb_bytes(s));
  assert_int_equal(count[0x00] + count[0x38] + count[0x40], problem_sfb_bytes(s));
  assert_in_range(count[0x00], 10000, 12000); /* 10923 expected */
  assert_in_range(count[0x38], 10000, 12000);
  assert_true(p.scale_max == 2 && p.scale_product_max == 4);
  problem_release(&p);
}

static void extreme_inputs(void **state) {
  struct shape s = {64, 4096, 1};
  size_t count[256];
  struct problem p;

  (void)state;
  assert_int_equal(problem_make(&p, s, INPUTS_EXTREME, 3, 0, NULL), 0);
  count_bytes(count, p.sfa, problem_sfa_bytes(s));
  for (unsigned code = 0; code < 256; code++)
    assert_int_equal(count[code] > 0, !isnan(e4m3fn_value(code)));
  assert_true(p.scale_max == 448);
  for (long i = 0; i < s.m; i++)
    assert_true(isfinite(p.ref[i]));
  problem_release(&p);
}

static void bad_shapes_and_no_memory(void **state) {
  static const struct shape bad[] = {{0, 64, 1}, {1, 64, 0}, {1, 0, 1}, {1, 32, 1}, {1, 96, 1}, {-1, 64, 1}};
  struct problem p;
  struct err e = {0};

  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(problem_make(&p, bad[i], INPUTS_DEFAULT, 1, 1, &e), ERR_USAGE);
    problem_release(&p);
  }
  assert_non_null(strstr(e.text, "-1x64x1"));
  /* B alone would take 2^52 bytes. */
  assert_int_equal(problem_make(&p, (struct shape){1, 64, 1L << 40}, INPUTS_DEFAULT, 1, 1, &e), ERR_NOMEM);
  problem_release(&p);
  assert_null(p.a);
}

/* CPU time, so that a busy machine does not fail it; two quiet cores take a fraction of it. */
static void largest_shape_is_quick(void **state) {
  struct problem p;
  struct timespec t0, t1;
  double cpu_s;

  (void)state;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
  assert_int_equal(problem_make(&p, shape_2, INPUTS_DEFAULT, 1, 0, NULL), 0);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
  problem_release(&p);
  cpu_s = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
  print_message("inputs and reference of 4096x7168x8: %.2f s of CPU time\n", cpu_s);
  assert_true(cpu_s < 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_by_hand),
      cmocka_unit_test(minimal_and_contest_bytes),
      cmocka_unit_test(shape_sets),
      cmocka_unit_test(inputs_names),
      cmocka_unit_test(reference_by_hand_one_row),
      cmocka_unit_test(reference_by_hand_batches),
      cmocka_unit_test(reference_matches_definition),
      cmocka_unit_test(same_for_any_thread_count),
      cmocka_unit_test(generated_bytes_are_pinned),
      cmocka_unit_test(default_inputs),
      cmocka_unit_test(contest_inputs),
      cmocka_unit_test(extreme_inputs),
      cmocka_unit_test(bad_shapes_and_no_memory),
      cmocka_unit_test(largest_shape_is_quick),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
