/* Cubins that are disassembled together: what comes out is what comes out of each alone. */
#include "compile_fixture.h"

#include "profiler/compile/toolchain.h"

#include <string.h>

enum { N = 3 };
/* One name for all; the second calls a function that the compiler adds (division of 64 bits) and has two kernels. */
static const char *const sources[N] = {
    "extern \"C\" __global__ void k(float *x) {\n  x[threadIdx.x] = 1;\n}\n",
    "extern \"C\" __global__ void k(long *x) {\n  for (long i = 0; i < x[1]; i++)\n    x[0] /= x[2] + i;\n}\n"
    "extern \"C\" __global__ void other(int *x) {\n  x[0] = 3;\n}\n",
    "__device__ __forceinline__ long product(const long *x) {\n  return x[1] * x[2];\n}\n"
    "extern \"C\" __global__ void k(long *x) {\n  x[0] = product(x);\n}\n"};

/* Compiles n of the sources from the first on, in one process. */
static void build(size_t first, size_t n, const char *arch, const char *cache, struct compiled *out) {
  static const char *const names[N] = {"one.cu", "two.cu", "three.cu"};
  struct compile_unit units[N] = {{0}};
  struct compile_settings settings = {
      .arch = arch, .set = &fixture.set, .processes = 1, .sass = true, .cache_folder = cache};
  struct compile_tools tools;
  struct err e = {0};
  for (size_t i = 0; i < n; i++)
    units[i] = (struct compile_unit){names[first + i], sources[first + i], NULL, 0};
  if (compile_all(&settings, units, n, out, &tools, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < n; i++)
    if (!out[i].ok)
      fail_msg("%s", out[i].error);
}

static void same_sass(const struct run_kernel *a, const struct run_kernel *b) {
  assert_string_equal(a->name, b->name);
  assert_true(a->n_sass > 0);
  assert_int_equal(a->n_sass, b->n_sass);
  for (size_t i = 0; i < a->n_sass; i++) {
    assert_int_equal(a->sass[i].offset, b->sass[i].offset);
    assert_string_equal(a->sass[i].text, b->sass[i].text);
    assert_int_equal(a->sass[i].n_lines, b->sass[i].n_lines);
    for (size_t l = 0; l < a->sass[i].n_lines; l++)
      assert_int_equal(a->sass[i].lines[l].line, b->sass[i].lines[l].line);
  }
}

static void together(const char *arch) {
  struct compiled merged[N], alone[N];
  char *folder = str_printf("%s/merged-%s", fixture.cache, arch),
       *other = str_printf("%s/alone-%s", fixture.cache, arch);
  bool calls = false, lines = false;
  build(0, N, arch, folder, merged);
  for (size_t i = 0; i < N; i++)
    build(i, 1, arch, other, &alone[i]);
  for (size_t i = 0; i < N; i++) {
    assert_int_equal(merged[i].module.n_kernels, i == 1 ? 2 : 1);
    assert_int_equal(merged[i].module.n_kernels, alone[i].module.n_kernels);
    for (size_t k = 0; k < merged[i].module.n_kernels; k++) {
      const struct run_kernel *kernel = &merged[i].module.kernels[k];
      same_sass(kernel, &alone[i].module.kernels[k]);
      for (size_t s = 0; s < kernel->n_sass; s++) {
        calls |= strstr(kernel->sass[s].text, "CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_s64)") != NULL;
        lines |= i == 2 && kernel->sass[s].n_lines == 2; /* line 2, inlined at line 5 */
      }
    }
  }
  assert_true(calls && lines);
  for (size_t i = 0; i < N; i++) {
    compiled_release(&merged[i]);
    compiled_release(&alone[i]);
  }
  free(folder);
  free(other);
}

static void test_together_as_alone(void **state) {
  (void)state;
  need_nvdisasm();
  together("sm_90a");
  together("sm_100a");
}

static void test_refused(void **state) {
  (void)state;
  struct text out = {0};
  struct err e = {0};
  assert_int_equal(cubins_merge(&(struct cubin_bytes){"not ELF", 7}, 1, &out, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "it does not begin as an ELF file does"));
  need_nvrtc();
  struct compiled a, b;
  build(0, 1, "sm_90a", fixture.cache, &a);
  build(0, 1, "sm_100a", fixture.cache, &b);
  const struct cubin_bytes mixed[] = {{a.cubin, a.cubin_bytes}, {b.cubin, b.cubin_bytes}};
  e = (struct err){0};
  assert_int_equal(cubins_merge(mixed, 2, &out, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "it is of another chip than the one before"));
  /* Wherever it is cut, no byte beyond its end is read: the sanitizer is the judge. */
  for (size_t n = 0; n < a.cubin_bytes; n += 97) {
    char *cut = malloc(n ? n : 1);
    memcpy(cut, a.cubin, n);
    text_release(&out);
    cubins_merge(&(struct cubin_bytes){cut, n}, 1, &out, &e);
    free(cut);
  }
  compiled_release(&a);
  compiled_release(&b);
  text_release(&out);
}

static void test_split(void **state) {
  (void)state;
  static const char text[] = "\t.target\tsm_90\n"
                             "\t.section\t.text.1.k,\"ax\",@progbits\n"
                             "        /*0000*/  CALL.REL.NOINC `(1.help) ;\n"
                             "        /*0010*/  BRA `(.L_x_1) ;\n"
                             "\t.section\t.debug_frame,\"\",@progbits\n"
                             "of nobody\n"
                             "\t.section\t.text.0.k,\"ax\",@progbits\n"
                             "        /*0000*/  CALL.REL.NOINC `(1.help) ;\n"
                             "\t.section\t.text.1.other,\"ax\",@progbits\n"
                             "        /*0000*/  EXIT ;\n"
                             "\t.section\t.text.7.k,\"ax\",@progbits\n"
                             "        /*0000*/  EXIT ;\n";
  struct text parts[3] = {{0}};
  merged_sass_split(text, parts, 3);
  assert_string_equal(text_str(&parts[0]), "\t.section\t.text.k,\"ax\",@progbits\n"
                                           "        /*0000*/  CALL.REL.NOINC `(1.help) ;\n");
  assert_string_equal(text_str(&parts[1]), "\t.section\t.text.k,\"ax\",@progbits\n"
                                           "        /*0000*/  CALL.REL.NOINC `(help) ;\n"
                                           "        /*0010*/  BRA `(.L_x_1) ;\n"
                                           "\t.section\t.text.other,\"ax\",@progbits\n"
                                           "        /*0000*/  EXIT ;\n");
  assert_int_equal(parts[2].n, 0);
  for (size_t i = 0; i < 3; i++)
    text_release(&parts[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_together_as_alone),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_split),
  };
  return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
