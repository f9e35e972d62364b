/* The processes that compile, with the fake NVRTC: what it is given, what becomes of what it gives back, and what a compiler that dies costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled_by_fake.h"
#include "profiler/compile/toolchain.h"
#include "profiler/cuda/interrupted.h"

#include <sys/stat.h>

#define KERNEL(name) "extern \"C\" __global__ void " name "(float *x) {}\n"
static struct rung_set set;
static struct compiled out[20];
static struct compile_tools tools;
static struct err e;

static size_t seen_done[64], seen_total, n_seen;
static char seen_name[64];
static int n_told;
static void seen(const char *phase, size_t done, size_t total, const char *name) {
  n_told += strcmp(phase, "compile") == 0;
  seen_total = total;
  snprintf(seen_name, sizeof seen_name, "%s", name);
  if (n_seen < 64)
    seen_done[n_seen++] = done;
}

static int compile_with(struct compile_settings s, const struct compile_unit *units, size_t n) {
  e = (struct err){0};
  s.arch = s.arch ? s.arch : "sm_90a";
  s.set = &set;
  s.processes = s.processes ? s.processes : 1;
  return compile_all(&s, units, n, out, &tools, &e);
}

static void drop(size_t n) {
  for (size_t i = 0; i < n; i++)
    compiled_release(&out[i]);
}

static bool cubin_says(const struct compiled *c, const char *line) {
  return memmem(c->cubin, c->cubin_bytes, line, strlen(line)) != NULL;
}

static void nvrtc_is_given_name_headers_and_options(void **state) {
  const char *const options[] = {"-DROWS=4", "--ftz=true"};
  const struct compile_unit unit = {"cuda/odd\"name.cu", KERNEL("k"), options, 2};
  (void)state;
  assert_int_equal(compile_with((struct compile_settings){0}, &unit, 1), 0);
  assert_true(out[0].ok);
  assert_null(out[0].error);
  assert_true(cubin_says(&out[0], "cubin of cuda/odd_name.cu\n")); /* PTX knows no quote in a name */
  assert_true(cubin_says(&out[0], "header common/a.cuh 6\n"));
  assert_false(cubin_says(&out[0], "k.cu"));
  assert_true(cubin_says(&out[0], "option --gpu-architecture=sm_90a\n"));
  assert_true(cubin_says(&out[0], "option --include-path=cuda/\noption -std=c++17\noption -lineinfo\n"
                                  "option --ptxas-options=-v\noption -DROWS=4\noption --ftz=true\n"));
  assert_int_equal(out[0].module.cubin_bytes, out[0].cubin_bytes);
  assert_string_equal(out[0].module.arch, "sm_90a");
  assert_string_equal(out[0].module.options, "-DROWS=4 --ftz=true");
  assert_int_equal(strlen(out[0].module.key), 32);
  assert_string_equal(tools.nvrtc_version, "13.7");
  assert_string_equal(tools.note, "");
  const struct run_kernel *k = out[0].module.kernels;
  assert_int_equal(out[0].module.n_kernels, 1);
  assert_string_equal(k->name, "k");
  assert_int_equal(k->registers, 32);
  assert_int_equal(k->smem_static, 1024);
  assert_int_equal(k->const_bytes, 400);
  assert_int_equal(k->local_bytes, 16);
  assert_int_equal(k->spill_store_bytes, 4);
  assert_int_equal(k->spill_load_bytes, 8);
  assert_string_equal(k->sass_reason, "not asked for");
  drop(1);
}

static void a_name_without_quotes_needs_no_folder(void **state) {
  const struct compile_unit unit = {"cuda/plain.cu", KERNEL("k"), NULL, 0};
  (void)state;
  assert_int_equal(compile_with((struct compile_settings){0}, &unit, 1), 0);
  assert_false(cubin_says(&out[0], "option --include-path=cuda/\n"));
  drop(1);
}

static void what_is_there_is_not_compiled_again(void **state) {
  const struct compile_unit unit = {"again.cu", KERNEL("k"), NULL, 0};
  char key[33];
  (void)state;
  own_cache_clear();
  assert_int_equal(compile_with((struct compile_settings){0}, &unit, 1), 0);
  assert_false(out[0].module.cached);
  assert_true(out[0].module.compile_s > 0);
  memcpy(key, out[0].module.key, 33);
  drop(1);
  setenv("NVFP4_FAKE", "nvrtcCompileProgram=5", 1); /* which is not called */
  assert_int_equal(compile_with((struct compile_settings){0}, &unit, 1), 0);
  unsetenv("NVFP4_FAKE");
  assert_true(out[0].ok && out[0].module.cached);
  assert_float_equal(out[0].module.compile_s, 0, 0);
  assert_string_equal(out[0].module.key, key);
  assert_int_equal(out[0].module.n_kernels, 1);
  drop(1);
}

static void each_call_that_fails_is_named(void **state) {
  static const char *const calls[] = {"nvrtcCreateProgram", "nvrtcGetCUBINSize", "nvrtcGetCUBIN"};
  const struct compile_unit unit = {"failing.cu", KERNEL("k"), NULL, 0};
  char text[64];
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    snprintf(text, sizeof text, "%s=5", calls[i]);
    setenv("NVFP4_FAKE", text, 1);
    assert_int_equal(compile_with((struct compile_settings){0}, &unit, 1), 0);
    assert_false(out[0].ok);
    snprintf(text, sizeof text, "%s: FAKE_NVRTC_ERROR", calls[i]);
    assert_string_equal(out[0].error, text);
    drop(1);
  }
  setenv("NVFP4_FAKE", "nvrtcGetProgramLog=5", 1); /* what cannot be read says nothing */
  assert_int_equal(compile_with((struct compile_settings){0}, &unit, 1), 0);
  assert_string_equal(out[0].error, "failing.cu: it has no __global__ function (a template needs an instantiation)");
  drop(1);
  unsetenv("NVFP4_FAKE");
}

static void the_first_error_is_shown(void **state) {
  const struct compile_unit unit = {"mine.cu", "#error\n", NULL, 0};
  (void)state;
  assert_int_equal(compile_with((struct compile_settings){0}, &unit, 1), 0);
  assert_false(out[0].ok);
  assert_null(out[0].cubin);
  assert_string_equal(out[0].error, "mine.cu for sm_90a: NVRTC_ERROR_COMPILATION\nmine.cu(2): error: wrong\n");
  drop(1);
}

/* Each process takes the next unit; one that dies costs its own, and another is started for the rest. */
static void a_compiler_that_dies_costs_its_unit(void **state) {
  const struct compile_unit units[] = {{"a.cu", KERNEL("a"), NULL, 0},
                                       {"b.cu", "#error crash\n", NULL, 0},
                                       {"c.cu", "#error crash\n//\n", NULL, 0},
                                       {"d.cu", KERNEL("d"), NULL, 0},
                                       {"e.cu", "int nothing;\n", NULL, 0}};
  (void)state;
  n_told = 0;
  n_seen = 0;
  assert_int_equal(compile_with((struct compile_settings){.progress = seen}, units, 5), 0);
  assert_true(out[0].ok && out[3].ok);
  assert_string_equal(out[1].error, "b.cu: NVRTC crashed");
  assert_string_equal(out[2].error, "c.cu: NVRTC crashed");
  assert_string_equal(out[3].module.kernels[0].name, "d");
  assert_string_equal(out[4].error, "e.cu: it has no __global__ function (a template needs an instantiation)");
  assert_false(out[4].ok);
  assert_true(n_told > 0 && seen_total == 5);
  assert_int_equal(seen_done[n_seen - 1], 3); /* those that did not crash */
  assert_string_equal(seen_name, "e.cu");
  drop(5);
}

static void several_processes_share_the_units(void **state) {
  struct compile_unit units[20];
  char sources[20][64];
  (void)state;
  for (int i = 0; i < 20; i++) {
    snprintf(sources[i], sizeof sources[i], "extern \"C\" __global__ void k%d(int x) {}\n", i);
    units[i] = (struct compile_unit){"many.cu", sources[i], NULL, 0};
  }
  assert_int_equal(compile_with((struct compile_settings){.processes = 3}, units, 20), 0);
  for (int i = 0; i < 20; i++) {
    char name[16];
    snprintf(name, sizeof name, "k%d", i);
    assert_true(out[i].ok);
    assert_string_equal(out[i].module.kernels[0].name, name);
  }
  drop(20);
}

static void without_a_cache_all_comes_back_in_memory(void **state) {
  const struct compile_unit units[] = {{"a.cu", KERNEL("a"), NULL, 0}, {"b.cu", KERNEL("bb"), NULL, 0}};
  (void)state;
  assert_int_equal(compile_with((struct compile_settings){.cache_folder = "/proc/none"}, units, 2), 0);
  assert_true(out[0].ok && out[1].ok);
  assert_string_equal(out[0].module.kernels[0].name, "a");
  assert_string_equal(out[1].module.kernels[0].name, "bb");
  assert_true(cubin_says(&out[1], "cubin of b.cu\n"));
  assert_string_equal(tools.note, "no compile cache: set NVFP4_CACHE to a folder of yours that nobody else can write");
  assert_false(compile_keeps(&(struct compile_settings){.cache_folder = "/proc/none"}));
  assert_true(compile_keeps(&(struct compile_settings){.cache_folder = own_cache}));
  drop(2);
}

/* The folder is there, and an entry cannot be put into it: a folder of its name is in the way. */
static void an_entry_that_cannot_be_put_is_told_once(void **state) {
  const struct compile_unit units[] = {{"a.cu", KERNEL("put"), NULL, 0}};
  char path[700];
  (void)state;
  own_cache_clear();
  assert_int_equal(compile_with((struct compile_settings){0}, units, 1), 0);
  snprintf(path, sizeof path, "%s/%s.entry", own_cache, out[0].module.key);
  drop(1);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_int_equal(compile_with((struct compile_settings){0}, units, 1), 0);
  assert_true(out[0].ok);
  assert_string_equal(out[0].module.kernels[0].name, "put");
  assert_non_null(strstr(tools.note, "no compile cache: "));
  assert_non_null(strstr(tools.note, "; set NVFP4_CACHE to a folder of yours that nobody else can write"));
  drop(1);
  own_cache_clear();
}

static void no_nvrtc_is_an_error(void **state) {
  const struct compile_unit unit = {"a.cu", KERNEL("a"), NULL, 0};
  (void)state;
  setenv("NVFP4_LIBNVRTC", "/nonexistent/libnvrtc.so", 1);
  assert_int_equal(compile_with((struct compile_settings){0}, &unit, 1), ERR_MACHINE);
  assert_non_null(strstr(e.text, "NVFP4_LIBNVRTC: /nonexistent/libnvrtc.so"));
  setenv("NVFP4_LIBNVRTC", FAKES "/whole/libnvrtc.so.13", 1);
  assert_int_equal(compile_with((struct compile_settings){0}, NULL, 0), 0); /* nothing to compile */
}

static void an_interruption_leaves_the_rest_out(void **state) {
  const struct compile_unit units[] = {{"a.cu", KERNEL("a"), NULL, 0}};
  (void)state;
  profile_interrupted = 2;
  assert_int_equal(compile_with((struct compile_settings){.stops = false}, units, 1), 0);
  profile_interrupted = 0;
  assert_true(out[0].ok); /* who does not stop goes on */
  drop(1);
}

/* --- SASS --- */

static char program[700];
static void disassembler(const char *script) {
  snprintf(program, sizeof program, "%s/nvdisasm", own_folder);
  char *text = str_printf("#!/bin/sh\n%s\n", script);
  assert_int_equal(file_write(program, text, strlen(text), NULL), 0);
  assert_int_equal(chmod(program, 0700), 0);
  free(text);
  setenv("NVFP4_NVDISASM", program, 1);
}
#define SHOWS                                                                                                          \
  "printf '\\t.section\\t.text.k,\"ax\",@progbits\\n        /*0000*/   MOV R1, R2 ;\\n        /*0010*/   EXIT ;\\n'"

static void sass_is_kept_with_the_cubin(void **state) {
  const struct compile_unit unit = {"a.cu", KERNEL("k") KERNEL("other"), NULL, 0};
  (void)state;
  own_cache_clear();
  disassembler(SHOWS);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(compile_with((struct compile_settings){.sass = true}, &unit, 1), 0);
    const struct run_kernel *k = out[0].module.kernels;
    assert_int_equal(k[0].n_sass, 2);
    assert_string_equal(k[0].sass[0].text, "MOV R1, R2");
    assert_int_equal(k[0].sass[1].offset, 0x10);
    assert_null(k[0].sass_reason);
    assert_int_equal(k[1].n_sass, 0);
    assert_string_equal(k[1].sass_reason, "nvdisasm failed");
    assert_int_equal(out[0].module.cached, i);
    drop(1);
    disassembler("exit 1"); /* the second time it is not asked */
  }
}

static void why_there_is_no_sass(void **state) {
  const struct compile_unit unit = {"a.cu", KERNEL("k"), NULL, 0};
  (void)state;
  own_cache_clear();
  disassembler("exit 1");
  assert_int_equal(compile_with((struct compile_settings){.sass = true}, &unit, 1), 0);
  assert_true(out[0].ok);
  assert_non_null(strstr(out[0].module.kernels[0].sass_reason, "/nvdisasm failed: it printed no SASS"));
  drop(1);
  setenv("NVFP4_NVDISASM", "/nonexistent/nvdisasm", 1);
  assert_int_equal(compile_with((struct compile_settings){.sass = true}, &unit, 1), 0);
  assert_non_null(strstr(tools.note, "no SASS: "));
  assert_non_null(strstr(tools.note, "/nonexistent/nvdisasm"));
  assert_string_equal(out[0].module.kernels[0].sass_reason, tools.note + strlen("no SASS: "));
  drop(1);
}

/* More cubins than are disassembled together. */
static void sass_of_many(void **state) {
  struct compile_unit units[20];
  char sources[20][64];
  (void)state;
  own_cache_clear();
  disassembler(SHOWS);
  for (int i = 0; i < 20; i++) {
    snprintf(sources[i], sizeof sources[i], "//%d\nextern \"C\" __global__ void k(int x) {}\n", i);
    units[i] = (struct compile_unit){"many.cu", sources[i], NULL, 0};
  }
  assert_int_equal(compile_with((struct compile_settings){.sass = true}, units, 20), 0);
  for (int i = 0; i < 20; i++)
    assert_int_equal(out[i].module.kernels[0].n_sass, 2);
  drop(20);
}

static void sass_comes_afterwards(void **state) {
  const struct compile_unit units[] = {{"a.cu", KERNEL("k"), NULL, 0}, {"b.cu", "//\n" KERNEL("k"), NULL, 0}};
  struct compile_settings s = {.arch = "sm_90a", .set = &set, .processes = 1};
  volatile sig_atomic_t interrupted = 0;
  struct disassembly d;
  (void)state;
  own_cache_clear();
  disassembler(SHOWS);
  assert_int_equal(compile_with(s, units, 2), 0);
  struct run_module *const modules[] = {&out[0].module, NULL}; /* nobody asks for the second */
  assert_int_equal(disassembly_start(&d, &s, units, 2, modules, &e), 0);
  assert_true(d.child > 0);
  assert_int_equal(disassembly_finish(&d, modules, &interrupted, &tools, &e), 0);
  assert_int_equal(d.child, 0);
  assert_int_equal(out[0].module.kernels[0].n_sass, 2);
  assert_null(out[0].module.kernels[0].sass_reason);
  assert_int_equal(out[1].module.kernels[0].n_sass, 0);
  assert_string_equal(tools.nvrtc_version, "13.7");
  assert_int_equal(disassembly_start(&d, &s, units, 2, modules, &e), 0); /* all have theirs */
  assert_int_equal(d.child, 0);
  assert_int_equal(disassembly_finish(&d, modules, &interrupted, &tools, &e), 0);
  drop(2);
}

static void an_interruption_ends_the_disassembly(void **state) {
  const struct compile_unit unit = {"slow.cu", KERNEL("k"), NULL, 0};
  struct compile_settings s = {.arch = "sm_90a", .set = &set, .processes = 1};
  volatile sig_atomic_t interrupted = 2;
  struct disassembly d;
  (void)state;
  disassembler("sleep 100");
  assert_int_equal(compile_with(s, &unit, 1), 0);
  struct run_module *const modules[] = {&out[0].module};
  assert_int_equal(disassembly_start(&d, &s, &unit, 1, modules, &e), 0);
  assert_int_equal(disassembly_finish(&d, modules, &interrupted, &tools, &e), 0);
  assert_string_equal(out[0].module.kernels[0].sass_reason, "interrupted before it was disassembled");
  drop(1);
}

static int open_all(void **state) {
  if (own_open(state) || rung_set_add(&set, "common/a.cuh", "int a;", &e) ||
      rung_set_add(
          &set, "k.cu",
          "//! id: k\n//! ladder: k\n//! change: none\n//! step: kernel = k; grid = 1; block = 1\n" KERNEL("k"), &e))
    print_error("%s\n", e.text);
  return e.code;
}

static int close_all(void **state) {
  rung_set_release(&set);
  return own_close(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nvrtc_is_given_name_headers_and_options),
      cmocka_unit_test(a_name_without_quotes_needs_no_folder),
      cmocka_unit_test(what_is_there_is_not_compiled_again),
      cmocka_unit_test(each_call_that_fails_is_named),
      cmocka_unit_test(the_first_error_is_shown),
      cmocka_unit_test(a_compiler_that_dies_costs_its_unit),
      cmocka_unit_test(several_processes_share_the_units),
      cmocka_unit_test(without_a_cache_all_comes_back_in_memory),
      cmocka_unit_test(an_entry_that_cannot_be_put_is_told_once),
      cmocka_unit_test(no_nvrtc_is_an_error),
      cmocka_unit_test(an_interruption_leaves_the_rest_out),
      cmocka_unit_test(sass_is_kept_with_the_cubin),
      cmocka_unit_test(why_there_is_no_sass),
      cmocka_unit_test(sass_of_many),
      cmocka_unit_test(sass_comes_afterwards),
      cmocka_unit_test(an_interruption_ends_the_disassembly),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
