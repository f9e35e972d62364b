/* What becomes of kernels that do not compile, of a cache that is damaged or not there, and of tools that are missing. */
#include "base/file.h"

#include "base/array.h"
#include "compile_fixture.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

/* --- kernels that fail --- */

static const char good[] = "extern \"C\" __global__ void good(float *x) { x[threadIdx.x] = 1; }\n";

struct trial {
  struct compiled out[3];
  struct compile_tools tools;
  struct err e;
  int result;
};

/* Compiles the source between two that are well. */
static void try_source(struct trial *t, const char *arch, const char *name, const char *source, const char *cache) {
  struct compile_unit units[3] = {{"first.cu", good, NULL, 0}, {name, source, NULL, 0}, {"last.cu", good, NULL, 0}};
  struct compile_settings settings = {.arch = arch, .set = &fixture.set, .cache_folder = cache};
  *t = (struct trial){0};
  t->result = compile_all(&settings, units, 3, t->out, &t->tools, &t->e);
}

static void trial_release(struct trial *t) {
  for (int i = 0; i < 3; i++)
    compiled_release(&t->out[i]);
}

static void only_the_middle_failed(const struct trial *t) {
  if (t->result)
    fail_msg("%s", t->e.text);
  assert_true(t->out[0].ok && t->out[2].ok);
  assert_null(t->out[0].error);
  assert_false(t->out[1].ok);
  assert_non_null(t->out[1].error);
}

static void a_syntax_error_names_file_and_line(void **state) {
  (void)state;
  need_nvrtc();
  struct trial t;
  try_source(&t, "sm_90a", "mine.cu",
             "#include \"common/types.cuh\"\n\nextern \"C\" __global__ void k(float *x) {\n  x[0] = undeclared;\n}\n",
             fixture.cache);
  only_the_middle_failed(&t);
  assert_non_null(strstr(t.out[1].error, "mine.cu for sm_90a: NVRTC_ERROR_COMPILATION"));
  assert_non_null(strstr(t.out[1].error, "mine.cu(4): error"));
  assert_non_null(strstr(t.out[1].error, "undeclared"));
  trial_release(&t);
}

/* More warnings than a message holds do not hide the error. */
static void an_error_behind_warnings_is_shown(void **state) {
  (void)state;
  need_nvrtc();
  struct text source = {0};
  struct trial t;
  text_add(&source, "__device__ void warned() {\n");
  for (int i = 0; i < 60; i++)
    text_printf(&source, "  int never_used_%d = %d;\n", i, i);
  text_add(&source, "}\nextern \"C\" __global__ void k(float *x) { x[0] = undeclared; }\n");
  try_source(&t, "sm_90a", "warned.cu", text_str(&source), fixture.cache);
  only_the_middle_failed(&t);
  assert_non_null(strstr(t.out[1].error, "warned.cu(63): error"));
  trial_release(&t);
  text_release(&source);
}

static void an_instruction_that_the_chip_lacks(void **state) {
  (void)state;
  need_nvrtc();
  static const char source[] =
      "extern \"C\" __global__ void k(unsigned *x) {\n"
      "  asm(\"{ .reg .b8 b; cvt.u8.u32 b, %1; cvt.rn.f16x2.e2m1x2 %0, b; }\" : \"=r\"(x[0]) : \"r\"(x[1]));\n"
      "}\n";
  struct trial t;
  try_source(&t, "sm_80", "native.cu", source, fixture.cache);
  only_the_middle_failed(&t);
  assert_non_null(strstr(t.out[1].error, "native.cu for sm_80"));
  assert_non_null(strstr(t.out[1].error, "e2m1x2"));
  trial_release(&t);
  try_source(&t, "sm_100a", "native.cu", source, fixture.cache);
  assert_true(t.result == 0 && t.out[1].ok);
  trial_release(&t);
}

static void a_file_without_a_kernel(void **state) {
  (void)state;
  need_nvrtc();
  struct trial t;
  try_source(&t, "sm_90a", "empty.cu", "__device__ int helper(int x) { return x; }\n", fixture.cache);
  only_the_middle_failed(&t);
  assert_string_equal(t.out[1].error, "empty.cu: it has no __global__ function (a template needs an instantiation)");
  trial_release(&t);
}

/* Local memory is the kernel's own, whatever the functions that it calls report after it. */
static void local_memory_of_a_kernel_that_calls(void **state) {
  (void)state;
  need_nvrtc();
  static const char source[] = "__noinline__ __device__ int help(int *p, int n) {\n"
                               "  int buffer[32];\n"
                               "  for (int i = 0; i < n; i++) buffer[p[i] & 31] = i;\n"
                               "  return buffer[n & 31];\n"
                               "}\n"
                               "extern \"C\" __global__ void k(int *p) { p[0] = help(p, p[1]); }\n";
  struct trial t;
  try_source(&t, "sm_90a", "calls.cu", source, fixture.cache);
  assert_true(t.result == 0 && t.out[1].ok);
  assert_int_equal(t.out[1].module.n_kernels, 1);
  assert_int_equal(t.out[1].module.kernels[0].local_bytes, 128);
  trial_release(&t);
}

/* An edit of a file that a user's kernel includes must not be answered from the cache. */
static void an_included_file_that_changed(void **state) {
  (void)state;
  need_nvrtc();
  char *header = str_printf("%s/side.cuh", fixture.cache), *name = str_printf("%s/mine.cu", fixture.cache);
  static const char source[] = "#include \"side.cuh\"\nextern \"C\" __global__ void k(float *x) { x[0] = SIDE; }\n";
  struct err e = {0};
  struct trial t;
  assert_int_equal(file_write(header, "#define SIDE 1\n", 15, &e), 0);
  for (int pass = 0; pass < 2; pass++) {
    try_source(&t, "sm_90a", name, source, fixture.cache);
    assert_true(t.result == 0 && t.out[1].ok);
    assert_int_equal(t.out[1].module.cached, pass);
    trial_release(&t);
  }
  assert_int_equal(file_write(header, "#define SIDE ?\n", 15, &e), 0);
  try_source(&t, "sm_90a", name, source, fixture.cache);
  only_the_middle_failed(&t);
  trial_release(&t);
  free(header);
  free(name);
}

/* --- the machine --- */

static void a_damaged_entry_is_compiled_anew(void **state) {
  (void)state;
  need_nvrtc();
  struct trial t;
  struct err e = {0};
  try_source(&t, "sm_90a", "good.cu", good, fixture.cache);
  assert_int_equal(t.result, 0);
  char *path = str_printf("%s/%s.entry", fixture.cache, t.out[1].module.key), *data = NULL;
  long bytes = t.out[1].module.cubin_bytes;
  size_t n = 0;
  trial_release(&t);
  assert_int_equal(file_read(path, 1 << 20, &data, &n, &e), 0);
  assert_int_equal(file_write(path, data, n / 2, &e), 0);
  for (int pass = 0; pass < 2; pass++) {
    try_source(&t, "sm_90a", "good.cu", good, fixture.cache);
    assert_true(t.result == 0 && t.out[1].ok);
    assert_int_equal(t.out[1].module.cached, pass);
    assert_int_equal(t.out[1].module.cubin_bytes, bytes);
    trial_release(&t);
  }
  free(data);
  free(path);
}

static void without_a_cache_it_still_works(void **state) {
  (void)state;
  need_nvrtc();
  char *file = str_printf("%s/file", fixture.cache), *below = str_printf("%s/file/cache", fixture.cache);
  struct err e = {0};
  struct trial t;
  assert_int_equal(file_write(file, "x", 1, &e), 0);
  for (int pass = 0; pass < 2; pass++) {
    try_source(&t, "sm_90a", "good.cu", good, below);
    assert_int_equal(t.result, 0);
    assert_true(t.out[0].ok && t.out[1].ok && t.out[2].ok);
    assert_false(t.out[1].module.cached);
    assert_true(t.out[1].module.compile_s > 0);
    assert_non_null(strstr(t.tools.note, "no compile cache: set NVFP4_CACHE"));
    trial_release(&t);
  }
  free(file);
  free(below);
}

static void what_the_tools_are(void **state) {
  (void)state;
  need_nvrtc();
  struct trial t;
  try_source(&t, "sm_90a", "good.cu", good, fixture.cache);
  assert_int_equal(t.result, 0);
  assert_true(atoi(t.tools.nvrtc_version) >= 12);
  assert_string_equal(t.tools.note, "");
  assert_string_equal(t.out[1].module.kernels[0].sass_reason, "not asked for");
  trial_release(&t);
  assert_int_equal(compile_all(&(struct compile_settings){0}, NULL, 0, t.out, &t.tools, &t.e), 0);
}

static void without_nvrtc(void **state) {
  (void)state;
  char *kept = str_copy(getenv("NVFP4_LIBNVRTC"));
  struct trial t;
  setenv("NVFP4_LIBNVRTC", "/no/such/libnvrtc.so", 1);
  try_source(&t, "sm_90a", "good.cu", good, fixture.cache);
  if (kept)
    setenv("NVFP4_LIBNVRTC", kept, 1);
  else
    unsetenv("NVFP4_LIBNVRTC");
  free(kept);
  assert_int_equal(t.result, ERR_MACHINE);
  assert_non_null(strstr(t.e.text, "/no/such/libnvrtc.so"));
  trial_release(&t);
}

static void without_nvdisasm(void **state) {
  (void)state;
  need_nvrtc();
  static const char *const names[] = {"NVFP4_NVDISASM", "PATH", "NVFP4_CUDA_HOME"};
  char program[LIBRARY_PATH_MAX], *kept[3];
  for (int i = 0; i < 3; i++) {
    kept[i] = str_copy(getenv(names[i]));
    setenv(names[i], "", 1);
  }
  bool found = program_find(program, "nvdisasm", NULL) == 0; /* in the toolkit: nothing to test */
  struct compile_unit unit = {"no-sass.cu", good, NULL, 0};
  struct compile_settings settings = {
      .arch = "sm_90a", .set = &fixture.set, .cache_folder = fixture.cache, .sass = true};
  struct compiled out;
  struct compile_tools tools;
  struct err e = {0};
  int result = compile_all(&settings, &unit, 1, &out, &tools, &e);
  for (int i = 0; i < 3; i++) {
    if (kept[i])
      setenv(names[i], kept[i], 1);
    else
      unsetenv(names[i]);
    free(kept[i]);
  }
  assert_int_equal(result, 0);
  assert_true(out.ok);
  if (!found) {
    assert_int_equal(strncmp(tools.note, "no SASS: nvdisasm was not found", 31), 0);
    assert_string_equal(out.module.kernels[0].sass_reason, tools.note + strlen("no SASS: "));
  }
  compiled_release(&out);
}

/* --- disassembly in the background --- */

struct background {
  struct compile_unit unit;
  struct compile_settings settings;
  struct compiled out;
  struct compile_tools tools;
  struct disassembly d;
  struct run_module *modules[1];
};

/* A unit that no other test has put into the cache, compiled without SASS. */
static void background_open(struct background *b, const char *name, const char *source) {
  struct err e = {0};
  *b = (struct background){.unit = {name, source, NULL, 0},
                           .settings = {.arch = "sm_90a", .set = &fixture.set, .cache_folder = fixture.cache}};
  b->modules[0] = &b->out.module;
  if (compile_all(&b->settings, &b->unit, 1, &b->out, &b->tools, &e) ||
      disassembly_start(&b->d, &b->settings, &b->unit, 1, b->modules, &e))
    fail_msg("%s", e.text);
}

static void sass_comes_while_the_caller_works(void **state) {
  (void)state;
  need_nvrtc();
  need_nvdisasm();
  static const char source[] = "extern \"C\" __global__ void later(float *x) { x[threadIdx.x] = 2; }\n";
  static const volatile int go_on = 0;
  struct background b;
  struct err e = {0};
  background_open(&b, "later.cu", source);
  assert_true(b.d.child > 0);
  assert_int_equal(b.out.module.kernels[0].n_sass, 0);
  if (disassembly_finish(&b.d, b.modules, &go_on, &b.tools, &e))
    fail_msg("%s", e.text);
  struct run_kernel *k = &b.out.module.kernels[0];
  assert_true(k->n_sass > 3 && k->sass_reason == NULL && k->sass[1].offset == 16);
  assert_int_equal(b.out.module.cached, false); /* of the compilation, not of what came after */

  /* Now it is in the cache, and there is nothing to do. */
  struct background again;
  background_open(&again, "later.cu", source);
  if (k->n_sass) {
    assert_int_equal(again.d.child, 0);
    assert_int_equal(again.out.module.kernels[0].n_sass, k->n_sass);
  }
  assert_int_equal(disassembly_finish(&again.d, again.modules, &go_on, &again.tools, &e), 0);
  compiled_release(&b.out);
  compiled_release(&again.out);
}

static void an_interruption_ends_it(void **state) {
  (void)state;
  need_nvrtc();
  static const char source[] = "extern \"C\" __global__ void never(float *x) { x[threadIdx.x] = 3; }\n";
  static const volatile int stop = 1;
  struct background b;
  struct err e = {0};
  background_open(&b, "never.cu", source);
  pid_t child = b.d.child;
  assert_int_equal(disassembly_finish(&b.d, b.modules, &stop, &b.tools, &e), 0);
  assert_string_equal(b.out.module.kernels[0].sass_reason, "interrupted before it was disassembled");
  assert_int_equal(b.d.child, 0);
  errno = 0;
  assert_int_equal(waitpid(child, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
  compiled_release(&b.out);
}

/* --- options --- */

static void names_of_architectures(void **state) {
  (void)state;
  char b[16];
  assert_string_equal(compile_arch(80, b), "sm_80");
  assert_string_equal(compile_arch(89, b), "sm_89");
  assert_string_equal(compile_arch(90, b), "sm_90a");
  assert_string_equal(compile_arch(100, b), "sm_100a");
  assert_string_equal(compile_arch(120, b), "sm_120a");
}

static void options_of_a_plan(void **state) {
  (void)state;
  static const char text[] = "//! id: x\n//! ladder: l\n//! param: ROWS = 4\n//! constants: K\n"
                             "//! options: maxrregcount = 64, fast-math, ftz, --extra-device-vectorization\n"
                             "//! step: kernel = k; grid = 1; block = 32\n";
  static const char *const want[] = {"-DROWS=4",        "-DSHAPE_K=512", "--maxrregcount=64",
                                     "--use_fast_math", "--ftz=true",    "--extra-device-vectorization"};
  static const struct rung_chip h200 = {.sm = 90, .sms = 132, .smem_optin = 232448};
  const struct shape shape = {512, 512, 2};
  struct rung_set set = {0};
  struct rung_plan plan;
  struct err e = {0};
  size_t n = 0;
  if (rung_set_add(&set, "x.cu", text, &e) || rung_set_finish(&set, &e) ||
      rung_plan(&plan, &set.rungs[0], shape, &h200, &e))
    fail_msg("%s", e.text);
  char **options = compile_options(&plan, &n);
  assert_int_equal(n, 6);
  for (size_t i = 0; i < n; i++)
    assert_string_equal(options[i], want[i]);
  array_free(options, n);
  rung_plan_release(&plan);
  rung_set_release(&set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_syntax_error_names_file_and_line),
      cmocka_unit_test(an_error_behind_warnings_is_shown),
      cmocka_unit_test(an_instruction_that_the_chip_lacks),
      cmocka_unit_test(a_file_without_a_kernel),
      cmocka_unit_test(local_memory_of_a_kernel_that_calls),
      cmocka_unit_test(an_included_file_that_changed),
      cmocka_unit_test(a_damaged_entry_is_compiled_anew),
      cmocka_unit_test(without_a_cache_it_still_works),
      cmocka_unit_test(what_the_tools_are),
      cmocka_unit_test(without_nvrtc),
      cmocka_unit_test(without_nvdisasm),
      cmocka_unit_test(sass_comes_while_the_caller_works),
      cmocka_unit_test(an_interruption_ends_it),
      cmocka_unit_test(names_of_architectures),
      cmocka_unit_test(options_of_a_plan),
  };
  return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
