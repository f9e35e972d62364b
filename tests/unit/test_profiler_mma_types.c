/* mma's types and tiles, what SASS says of a type and what operands are worth: nothing here is compiled. */
#include "profiler/mma/tuning.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/mma_type_named.h"

#include <math.h>
#include <string.h>

/* --- native or emulated --- */

static struct mma_row classified(const char *type, enum mma_sum sum, const char *const *text, size_t n) {
  struct run_instruction sass[16] = {{0}};
  struct run_kernel k = {.sass = sass, .n_sass = n};
  struct mma_row row = {.type = mma_type_named(type, sum), .native = MMA_NATIVE, .opcode = "of another kernel"};
  for (size_t i = 0; i < n; i++)
    sass[i].text = (char *)text[i];
  mma_classify(&row, &k);
  return row;
}

static void test_classify(void **state) {
  (void)state;
  const char *const half[] = {"LDSM.16.M88.4 R4, [R2]", "HMMA.16816.F32 R8, R4, R12, R8", "@P0 BRA 0x10"};
  struct mma_row row = classified("fp16", MMA_F32, half, 3);
  assert_int_equal(row.native, MMA_NATIVE);
  assert_string_equal(row.opcode, "HMMA.16816.F32");
  assert_true(row.n_opcode == 1 && row.n_convert == 0);

  /* fp8 on a chip that has no unit for it: widened to fp16, two products of half the depth. */
  const char *const widened[] = {"F2FP.F16.E4M3.UNPACK_B R4, R4", "F2FP.F16.E4M3.UNPACK_B R5, R4.H1",
                                 "HMMA.16816.F32 R8, R4, R12, R8", "@!P1 HMMA.16816.F32 R8, R6, R14, R8"};
  row = classified("e4m3", MMA_F32, widened, 4);
  assert_int_equal(row.native, MMA_EMULATED);
  assert_true(row.n_opcode == 2 && row.n_convert == 2);

  const char *const own[] = {"QMMA.16832.F32.E4M3.E4M3 R8, R4, R12, R8"};
  assert_int_equal(classified("e4m3", MMA_F32, own, 1).native, MMA_NATIVE);

  /* 4-bit integers on an 8-bit unit: its kind is right, its depth is not. */
  const char *const deep[] = {"IMMA.16864.S4.S4 R8, R4, R12, R8"}, *const shallow[] = {
                                                                       "IMMA.16832.S8.S8 R8, R4, R12, R8"};
  assert_int_equal(classified("s4", MMA_S32, deep, 1).native, MMA_NATIVE);
  assert_int_equal(classified("s4", MMA_S32, shallow, 1).native, MMA_EMULATED);

  /* What stands most often; of as many the first. */
  const char *const both[] = {"HMMA.1688.F32 R8, R4, R12, R8", "HMMA.16816.F32 R8, R4, R12, R8",
                              "HMMA.16816.F32 R9, R4, R12, R9", "HMMA.1688.F32 R9, R4, R12, R9",
                              "HMMA.16816.F32 R9, R4, R12, R9"};
  row = classified("fp16", MMA_F32, both, 5);
  assert_string_equal(row.opcode, "HMMA.16816.F32");
  assert_int_equal(row.n_opcode, 3);
  assert_string_equal(classified("fp16", MMA_F32, both, 4).opcode, "HMMA.1688.F32");

  const char *const none[] = {"FFMA R0, R1, R2, R3", "FMMA_LIKE R0"};
  row = classified("bf16", MMA_F32, none, 2);
  assert_int_equal(row.native, MMA_UNKNOWN);
  assert_string_equal(row.opcode, "");
}

/* --- values --- */

static void value_is(enum mma_format f, unsigned low, unsigned high, double wanted) {
  const unsigned char code[] = {(unsigned char)low, (unsigned char)high};
  double got = mma_value(f, code, 0);
  if (got != wanted)
    fail_msg("format %d, code %02x%02x: %g, not %g", f, high, low, got, wanted);
}

static void test_values(void **state) {
  (void)state;
  value_is(MMA_BF16, 0x40, 0xc0, -3);      /* 1 10000000 1000000: -2 x 1.5 */
  value_is(MMA_FP16, 0x00, 0x3e, 1.5);     /* 0 01111 1000000000 */
  value_is(MMA_FP16, 0x01, 0x00, 0x1p-24); /* the least of all */
  value_is(MMA_E4M3, 0x7e, 0, 448);        /* the largest: 2^8 x 1.75 */
  value_is(MMA_E4M3, 0x01, 0, 0x1p-9);
  value_is(MMA_E5M2, 0xbd, 0, -1.25); /* 1 01111 01 */
  value_is(MMA_E3M2, 0x1f, 0, 28);    /* 0 111 11: 2^4 x 1.75 */
  value_is(MMA_E2M3, 0x1f, 0, 7.5);   /* 0 11 111: 2^2 x 1.875 */
  value_is(MMA_E2M1, 0x1c, 0, 6);     /* 0111 in bits 5 to 2: 2^2 x 1.5 */
  value_is(MMA_S8, 0x80, 0, -128);
  value_is(MMA_U8, 0x80, 0, 128);
  const unsigned char packed[] = {0x8f}; /* 15 first, then 8 */
  assert_true(mma_value(MMA_S4, packed, 0) == -1 && mma_value(MMA_S4, packed, 1) == -8);
  assert_true(mma_value(MMA_U4, packed, 0) == 15 && mma_value(MMA_U4, packed, 1) == 8);
  assert_true(mma_value(MMA_E2M1_PACKED, packed, 0) == -6 && mma_value(MMA_E2M1_PACKED, packed, 1) == 0);
}

static void test_operands(void **state) {
  (void)state;
  unsigned char bytes[1 << 14], again[1 << 14];
  for (enum mma_format f = 0; f < MMA_FORMATS; f++) {
    size_t n = sizeof bytes * 8 / (size_t)mma_format_bits(f);
    double sum = 0, largest = 0;
    mma_values_make(f, 5, bytes, sizeof bytes);
    mma_values_make(f, 5, again, sizeof again);
    assert_memory_equal(bytes, again, sizeof bytes);
    for (size_t i = 0; i < n; i++) {
      double v = mma_value(f, bytes, i);
      assert_true(isfinite(v));
      sum += v;
      largest = fabs(v) > largest ? fabs(v) : largest;
    }
    bool integer = f >= MMA_S8 && f <= MMA_U4;
    /* fp16 sums of 32768 products of 8 x 8 with random signs stay below 64 x 181 x a few. */
    assert_true(integer || largest <= 8);
    assert_true(largest >= 1.5 && (integer || fabs(sum / (double)n) < 0.2));
  }
}

/* Magnitudes: 0 or from the least to the largest; codes of 8 bits and fewer are all drawn. */
static void test_magnitudes(void **state) {
  static const struct {
    enum mma_format f;
    double least, largest;
  } rows[] = {{MMA_BF16, 0x1p-4, 2 - 0x1p-7},
              {MMA_FP16, 0x1p-4, 2 - 0x1p-10},
              {MMA_E4M3, 0x1p-9, 3.75}, /* 2^-6 / 8; 2 x 1.875 */
              {MMA_E5M2, 0x1p-4, 3.5},  /* 2 x 1.75 */
              {MMA_E3M2, 0x1p-4, 3.5},  /* 2^-2 / 4 */
              {MMA_E2M3, 0x1p-3, 3.75}, /* 1 / 8 */
              {MMA_E2M1, 0.5, 6},
              {MMA_E2M1_PACKED, 0.5, 6}};
  static unsigned char bytes[1 << 15];
  (void)state;
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    size_t n = sizeof bytes * 8 / (size_t)mma_format_bits(rows[r].f), negative = 0;
    double least = INFINITY, largest = 0;
    bool wide = mma_format_bits(rows[r].f) == 16;
    mma_values_make(rows[r].f, 5, bytes, sizeof bytes);
    for (size_t i = 0; i < n; i++) {
      double v = mma_value(rows[r].f, bytes, i);
      negative += v < 0;
      largest = fmax(largest, fabs(v));
      least = v != 0 ? fmin(least, fabs(v)) : least;
    }
    /* Of 16 bits 2^14 draws of 2^12 codes miss some: the ends by less than a hundredth. */
    double off = wide ? 0.01 : 0;
    if (!(least >= rows[r].least && least <= rows[r].least * (1 + off) && largest <= rows[r].largest &&
          largest >= rows[r].largest * (1 - off)))
      fail_msg("format %d: %g to %g, not %g to %g", rows[r].f, least, largest, rows[r].least, rows[r].largest);
    assert_true(negative > n / 3 && negative < n / 2 + n / 20);
  }
}

static void sum_is(enum mma_sum s, unsigned word, double wanted) {
  unsigned char bytes[8] = {0};
  memcpy(bytes + mma_sum_bytes(s), &word, (size_t)mma_sum_bytes(s));
  double got = mma_sum_value(s, bytes, 1);
  if (!(got == wanted))
    fail_msg("sum %d, %08x: %g, not %g", s, word, got, wanted);
}

static void test_sums(void **state) {
  (void)state;
  sum_is(MMA_S32, 0xfffffffe, -2);
  sum_is(MMA_F32, 0xc0200000, -2.5); /* 1 10000000 01 */
  sum_is(MMA_F16, 0xc100, -2.5);     /* 1 10000 01 */
  sum_is(MMA_F16, 0x7bff, 65504);    /* the largest */
  sum_is(MMA_F16, 0x7c00, INFINITY);
  sum_is(MMA_F16, 0x7e00, INFINITY); /* not a number: as wrong */
  assert_string_equal(mma_sum_name(MMA_F16), "fp16");
  assert_string_equal(mma_native_name(MMA_EMULATED), "emulated");
  assert_true(mma_tolerance(MMA_S32) == 0);
  /* 2048 roundings of half of 2^-10 are 2.2 %, one wrong element of 256 is 6 %; of fp32 they are below 0.01 %. */
  assert_true(mma_tolerance(MMA_F16) > 0.022 && mma_tolerance(MMA_F16) < 0.06);
  assert_true(mma_tolerance(MMA_F32) > 1e-5 && mma_tolerance(MMA_F32) <= 1e-4);
}

/* --- tiles --- */

static void test_best(void **state) {
  (void)state;
  static struct mma m;
  const struct mma_type *t = mma_type_named("s8", MMA_S32);
  m.n = 3;
  for (size_t i = 0; i < m.n; i++)
    m.rows[i].type = t;
  assert_ptr_equal(mma_best(&m, t), &m.rows[0]);
  m.rows[1].flops = (struct mma_figure){.present = true, .value = 5};
  m.rows[2].flops = (struct mma_figure){.present = true, .value = 4};
  assert_ptr_equal(mma_best(&m, t), &m.rows[1]);
  assert_null(mma_best(&m, mma_type_named("u8", MMA_S32)));
}

static void test_smem(void **state) {
  (void)state;
  struct mma_tile t;
  assert_true(mma_tile_at(0, &t));
  /* Every tile fits the 227 KiB that a block of sm_90 may have. */
  bool small = false;
  for (size_t i = 0; mma_tile_at(i, &t); i++) {
    assert_in_range(mma_tile_smem(&t), 48 << 10, 227 << 10);
    small |= mma_tile_smem(&t) <= 99 << 10;
  }
  assert_true(small); /* else sm_89 and sm_120, which have 99 KiB, would be shown no row */
}

/* What matmul.cu asks of a tile, and the registers that a warp's sums may take. */
static void test_tiles(void **state) {
  struct mma_tile t, other;
  (void)state;
  for (size_t i = 0; mma_tile_at(i, &t); i++) {
    assert_true(t.k_bytes == 64 || t.k_bytes == 128);
    int threads = 32 * t.warps_m * t.warps_n, rows = threads * 16 / t.k_bytes;
    int warp_m = t.m / t.warps_m, warp_n = t.n / t.warps_n;
    assert_true(threads == 128 || threads == 256);
    assert_true(t.m % (16 * t.warps_m) == 0 && t.n % (16 * t.warps_n) == 0);
    assert_true(t.m % rows == 0 && t.n % rows == 0);
    assert_true(warp_m * warp_n >= 64 * 64 && warp_m * warp_n <= 96 * 64);
    assert_true(t.stages >= 3);
    assert_true(t.group_m > 0 && (t.group_m & (t.group_m - 1)) == 0);
    for (size_t k = 0; k < i && mma_tile_at(k, &other); k++)
      assert_memory_not_equal(&t, &other, sizeof t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_classify), cmocka_unit_test(test_values), cmocka_unit_test(test_magnitudes),
      cmocka_unit_test(test_operands), cmocka_unit_test(test_sums),   cmocka_unit_test(test_best),
      cmocka_unit_test(test_smem),     cmocka_unit_test(test_tiles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
