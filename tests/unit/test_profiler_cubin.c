/* Cubins of another compiler: resources from the ELF beside what ptxas says of the same code; files that are damaged. */
#include "profiler/compile/toolchain.h"

#include "unit/compile_fixture.h"

#include <string.h>

static const char source[] = "extern \"C\" __global__ void __launch_bounds__(192) tiled(const float *a, float *c) {\n"
                             "  __shared__ float tile[300];\n"
                             "  tile[threadIdx.x] = a[threadIdx.x];\n"
                             "  __syncthreads();\n"
                             "  c[threadIdx.x] = tile[(threadIdx.x + 1) % 192];\n"
                             "}\n"
                             "extern \"C\" __global__ void plain(float *c, int i) {\n"
                             "  volatile float local[40];\n"
                             "  local[i] = 1;\n"
                             "  c[threadIdx.x] = local[i + threadIdx.x];\n"
                             "}\n";

static void compile_for(const char *arch, struct compiled *c) {
  const struct compile_unit unit = {.name = "two.cu", .source = source};
  struct compile_settings settings = {.arch = arch, .set = &fixture.set, .cache_folder = fixture.cache};
  struct compile_tools tools;
  struct err e = {0};
  if (compile_all(&settings, &unit, 1, c, &tools, &e) || !c->ok)
    fail_msg("%s%s", e.text, c->error ? c->error : "");
}

/* Registers, shared and local memory agree with ptxas -v on every chip whose cubins are read. */
static void the_elf_agrees_with_ptxas(void **state) {
  (void)state;
  static const char *const archs[] = {"sm_89", "sm_90a", "sm_100a", "sm_120a"};
  need_nvrtc();
  for (size_t a = 0; a < sizeof archs / sizeof archs[0]; a++) {
    struct compiled c;
    struct run_module m;
    struct err e = {0};
    compile_for(archs[a], &c);
    if (cubin_module(&m, "two.cubin", c.cubin, c.cubin_bytes, &e))
      fail_msg("%s: %s", archs[a], e.text);
    assert_int_equal(strncmp(m.arch, archs[a], strlen(m.arch)), 0);
    assert_int_equal(m.n_kernels, 2);
    for (size_t k = 0; k < 2; k++)
      for (size_t w = 0; w < c.module.n_kernels; w++) {
        const struct run_kernel *got = &m.kernels[k], *want = &c.module.kernels[w];
        if (strcmp(got->name, want->name) != 0)
          continue;
        assert_int_equal(got->registers, want->registers);
        assert_int_equal(got->smem_static, want->smem_static);
        assert_int_equal(got->local_bytes, want->local_bytes);
        assert_int_equal(got->spill_store_bytes, -1);
        bool tiled = strcmp(got->name, "tiled") == 0;
        assert_int_equal(got->smem_static, tiled ? 1200 : 0); /* 300 x 4 */
        assert_int_equal(got->max_threads, tiled ? 192 : 0);
        assert_true(got->registers > 0);
        assert_true(tiled || got->local_bytes >= 160); /* 40 x 4 */
      }
    run_module_release(&m);
    compiled_release(&c);
  }
}

/* Cut anywhere, and with any one byte of its headers spoiled, it is read or refused. */
static void a_damaged_cubin(void **state) {
  (void)state;
  need_nvrtc();
  struct compiled c;
  compile_for("sm_100a", &c);
  setenv("NVFP4_NVDISASM", "/nonexistent/nvdisasm", 1); /* the reading, not the disassembler's */
  size_t refused = 0;
  for (size_t n = 0; n < c.cubin_bytes; n += n < 256 ? 1 : 61) {
    struct run_module m;
    struct err e = {0};
    char *cut = malloc(n + 1); /* of its own size, so that a sanitizer sees a read beyond it */
    assert_non_null(cut);
    memcpy(cut, c.cubin, n);
    int result = cubin_module(&m, "cut.cubin", cut, n, &e);
    assert_true(result == 0 ||
                (result == ERR_DATA && strncmp(e.text, "cut.cubin: not a cubin that can be read: ", 41) == 0));
    refused += result != 0;
    run_module_release(&m);
    free(cut);
  }
  assert_true(refused > 256);
  unsigned char *bytes = c.cubin;
  for (size_t i = 0; i < c.cubin_bytes; i += i < 64 ? 1 : 7) {
    struct run_module m;
    unsigned char was = bytes[i];
    bytes[i] = (unsigned char)~was;
    int result = cubin_module(&m, "spoiled.cubin", bytes, c.cubin_bytes, NULL);
    assert_true(result == 0 || result == ERR_DATA);
    run_module_release(&m);
    bytes[i] = was;
  }
  unsetenv("NVFP4_NVDISASM");
  compiled_release(&c);
}

/* Before the disassembler is hidden.  Of several, one that is none costs itself alone, and one of another chip is disassembled by itself. */
static void many_are_read_as_each_is(void **state) {
  static const char *const archs[] = {"sm_90a", "sm_90a", "sm_100a"};
  (void)state;
  need_nvrtc();
  struct compiled c[3];
  struct cubin_file files[4] = {0};
  struct err e = {0};
  files[1] = (struct cubin_file){.name = "none.cubin", .data = "text", .n = 4};
  for (size_t i = 0; i < 3; i++) {
    compile_for(archs[i], &c[i]);
    files[i + (i > 0)] = (struct cubin_file){.name = "two.cubin", .data = c[i].cubin, .n = c[i].cubin_bytes};
  }
  cubin_modules(files, 4);
  assert_int_equal(files[1].why.code, ERR_DATA);
  assert_int_equal(files[1].module.n_kernels, 0);
  for (size_t i = 0; i < 4; i++) {
    struct run_module alone;
    if (i != 1) {
      assert_int_equal(cubin_module(&alone, "two.cubin", files[i].data, files[i].n, &e), 0);
      assert_int_equal(files[i].module.n_kernels, 2);
      for (size_t k = 0; k < 2; k++) {
        const struct run_kernel *got = &files[i].module.kernels[k], *want = &alone.kernels[k];
        assert_string_equal(got->name, want->name);
        assert_int_equal(got->n_sass, want->n_sass);
        for (size_t s = 0; s < got->n_sass; s++)
          assert_string_equal(got->sass[s].text, want->sass[s].text);
      }
      run_module_release(&alone);
    }
    run_module_release(&files[i].module);
  }
  for (size_t i = 0; i < 3; i++)
    compiled_release(&c[i]);
}

static void what_is_no_code(void **state) {
  (void)state;
  struct run_module m;
  struct err e = {0};
  assert_int_equal(cubin_module(&m, "a.cubin", "text", 4, &e), ERR_DATA);
  assert_string_equal(e.text, "a.cubin: not a cubin that can be read: it does not begin as an ELF file does");
  run_module_release(&m);
  assert_int_equal(ptx_module(&m, "a.ptx", "no PTX", 6, NULL, &e), ERR_DATA);
  assert_string_equal(e.text, "a.ptx: it is not PTX: it has no line \".target sm_...\"");
  run_module_release(&m);
  setenv("NVFP4_PTXAS", "/nonexistent/ptxas", 1);
  static const char ptx[] = ".version 8.0\n.target sm_90\n";
  assert_int_equal(ptx_module(&m, "a.ptx", ptx, sizeof ptx - 1, NULL, &e), ERR_MACHINE);
  assert_string_equal(e.text, "NVFP4_PTXAS: /nonexistent/ptxas: No such file or directory");
  unsetenv("NVFP4_PTXAS");
  run_module_release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_elf_agrees_with_ptxas),
      cmocka_unit_test(many_are_read_as_each_is),
      cmocka_unit_test(a_damaged_cubin),
      cmocka_unit_test(what_is_no_code),
  };
  return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
