/* mma without a GPU: every type compiles where its chip has it. */
#include "compile_fixture.h"

#include "profiler/mma/tuning.h"
#include "unit/mma_type_named.h"

#include <string.h>

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
  struct mma_row row = {.type = mma_type_named("e4m3", MMA_F32)};
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compiles),
      cmocka_unit_test(test_peak_is_whole),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
