/* mma without a GPU: what SASS says of a type, what operands are worth, and that every type compiles where its chip has it. */
#include "compile_fixture.h"

#include "profiler/mma/tuning.h"

#include <math.h>
#include <string.h>

static const struct mma_type *type_named(const char *name, enum mma_sum sum) {
  for (size_t i = 0; i < n_mma_types; i++)
    if (strcmp(mma_types[i].name, name) == 0 && mma_types[i].sum == sum)
      return &mma_types[i];
  fail_msg("no type %s", name);
  return NULL;
}

/* --- native or emulated --- */

static struct mma_row classified(const char *type, enum mma_sum sum, const char *const *text, size_t n) {
  struct run_instruction sass[16] = {{0}};
  struct run_kernel k = {.sass = sass, .n_sass = n};
  struct mma_row row = {.type = type_named(type, sum)};
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

/* --- the compiler --- */

static void compiles(const char *arch, const char *types, size_t rows, size_t wanted_compiled, size_t wanted_native) {
  struct mma *m = calloc(1, sizeof *m);
  struct mma_options o = {.arch = arch, .types = types, .m = 256, .n = 256, .k = 256};
  struct err e = {0};
  size_t compiled = 0, native = 0;
  bool sass = false;
  assert_non_null(m);
  if (mma_explore(m, &o, NULL, &e))
    fail_msg("%s", e.text);
  assert_int_equal(m->n, rows);
  for (size_t i = 0; i < m->n; i++) {
    const struct mma_row *row = &m->rows[i];
    compiled += row->compiled;
    native += row->native == MMA_NATIVE;
    sass |= row->opcode[0];
    assert_true(row->compiled ? row->registers > 0 : row->compile_error[0]);
    assert_false(row->flops.present);
    assert_true(row->flops.reason[0]);
  }
  assert_int_equal(compiled, wanted_compiled);
  if (sass)
    assert_int_equal(native, wanted_native);
  free(m);
}

/* Some of each kind: all of them take minutes on two cores. */
static void test_compiles(void **state) {
  (void)state;
  need_nvrtc();
  setenv("NVFP4_CACHE", fixture.cache, 1);
  compiles("sm_80", "s4,u8,e4m3", 4, 2, 2);              /* the 4-bit integers are its own; it has no fp8 */
  compiles("sm_90a", "s8,s4,e4m3,nvf4", 5, 4, 1);        /* of these only s8 is its own */
  compiles("sm_120a", "s4,e4m3,e2m1,mx*,nvf4", 9, 9, 8); /* all but the 4-bit integers */
}

/* The loop of the instruction alone holds what it is said to hold: two turns of its chains, and on sm_90 two fp16 products for one of fp8. */
static void test_peak_is_whole(void **state) {
  (void)state;
  need_nvrtc();
  struct mma_row row = {.type = type_named("e4m3", MMA_F32)};
  struct mma_defines defines;
  struct rung_set none = {0};
  struct compile_settings settings = {.arch = "sm_90a", .set = &none, .sass = true, .cache_folder = fixture.cache};
  struct compiled built = {0};
  struct compile_tools tools;
  struct err e = {0};
  assert_true(mma_tile_at(0, &row.tile));
  mma_defines_of(&defines, &row);
  struct compile_unit unit = {mma_source_name, mma_source(), defines.options, defines.n};
  if (compile_all(&settings, &unit, 1, &built, &tools, &e) || !built.ok)
    fail_msg("%s", built.error ? built.error : e.text);
  for (size_t k = 0; k < built.module.n_kernels; k++)
    if (strcmp(built.module.kernels[k].name, "peak") == 0 && built.module.kernels[k].n_sass) {
      mma_classify(&row, &built.module.kernels[k]);
      assert_true(row.n_opcode >= 2 * 2 * MMA_PEAK_CHAINS);
    }
  compiled_release(&built);
}

static void test_refused(void **state) {
  (void)state;
  static struct mma m;
  struct mma_options o = {.arch = "sm_90a", .m = 256, .n = 256, .k = 200};
  struct err e = {0};
  assert_int_equal(mma_explore(&m, &o, NULL, &e), ERR_USAGE);
  assert_string_equal(e.text, "--size 256x256x200: 200 is not a multiple of 256 from 256 to 32768");
  o.k = 256;
  o.types = "bf16,fp7";
  assert_int_equal(mma_explore(&m, &o, NULL, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "--type: no type 'fp7'; known: bf16, fp16, s8"));
}

static void test_best(void **state) {
  (void)state;
  static struct mma m;
  const struct mma_type *t = type_named("s8", MMA_S32);
  m.n = 3;
  for (size_t i = 0; i < m.n; i++)
    m.rows[i].type = t;
  assert_ptr_equal(mma_best(&m, t), &m.rows[0]);
  m.rows[1].flops = (struct mma_figure){.present = true, .value = 5};
  m.rows[2].flops = (struct mma_figure){.present = true, .value = 4};
  assert_ptr_equal(mma_best(&m, t), &m.rows[1]);
  assert_null(mma_best(&m, type_named("u8", MMA_S32)));
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_classify), cmocka_unit_test(test_values),        cmocka_unit_test(test_operands),
      cmocka_unit_test(test_compiles), cmocka_unit_test(test_refused),       cmocka_unit_test(test_best),
      cmocka_unit_test(test_smem),     cmocka_unit_test(test_peak_is_whole),
  };
  return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
