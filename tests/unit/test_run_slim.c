/* What a run file need not tell: sources that were not compiled, folders of the machine. */
#include "base/text.h"
#include "run/run_slim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static struct run made(struct run_module *module, struct run_kernel *kernel, struct run_instruction *instruction,
                       struct run_line lines[2]) {
  static const char *const files[][2] = {
      {"cuda/0-naive.cu", "// as in /home/me/my.cu"},
      {"common/load.cuh", "#include \"../common/bits.cuh\"\n"},
      {"common/bits.cuh", ""},
      {"common/unused.cuh", ""},
      {"lined.cuh", ""},
      {"/home/me/my.cu", "#include <common/load.cuh>\n// cuda/0-naive.cu is slower\n"},
  };
  struct run r = {.n_sources = sizeof files / sizeof files[0], .command = str_copy("profile --kernel /home/me/my.cu")};
  r.sources = calloc(r.n_sources, sizeof *r.sources);
  r.variants = calloc(1, sizeof *r.variants);
  assert_non_null(r.sources);
  assert_non_null(r.variants);
  for (size_t i = 0; i < r.n_sources; i++)
    r.sources[i] = (struct run_source){str_copy(files[i][0]), str_copy(files[i][1])};
  r.variants[r.n_variants++] = (struct run_variant){.id = str_copy("my"), .file = str_copy("/home/me/my.cu")};
  lines[0] = (struct run_line){4, 7};
  lines[1] = (struct run_line){-1, 0};
  *instruction = (struct run_instruction){.lines = lines, .n_lines = 2};
  *kernel = (struct run_kernel){.sass = instruction, .n_sass = 1};
  *module = (struct run_module){.kernels = kernel, .n_kernels = 1};
  r.modules = module;
  r.n_modules = 1;
  return r;
}

static void done(struct run *r) {
  r->modules = NULL;
  r->n_modules = 0;
  run_release(r);
}

static void test_sources_that_were_compiled(void **state) {
  (void)state;
  struct run_module module;
  struct run_kernel kernel;
  struct run_instruction instruction;
  struct run_line lines[2];
  struct run r = made(&module, &kernel, &instruction, lines);
  run_sources_used(&r);
  static const char *const kept[] = {"common/load.cuh", "common/bits.cuh", "lined.cuh", "/home/me/my.cu"};
  assert_int_equal(r.n_sources, sizeof kept / sizeof kept[0]);
  for (size_t i = 0; i < r.n_sources; i++)
    assert_string_equal(r.sources[i].name, kept[i]);
  assert_int_equal(lines[0].source, 2);
  assert_int_equal(lines[1].source, -1);
  done(&r);
}

static void test_paths(void **state) {
  (void)state;
  struct run_module module;
  struct run_kernel kernel;
  struct run_instruction instruction;
  struct run_line lines[2];
  struct run r = made(&module, &kernel, &instruction, lines);
  run_paths_hide(&r);
  assert_string_equal(r.sources[5].name, "my.cu");
  assert_string_equal(r.variants[0].file, "my.cu");
  assert_string_equal(r.command, "profile --kernel my.cu");
  assert_string_equal(r.sources[0].name, "cuda/0-naive.cu");
  done(&r);
  r = made(&module, &kernel, &instruction, lines); /* a name that is taken is not given twice */
  free(r.sources[4].name);
  r.sources[4].name = str_copy("my.cu");
  run_paths_hide(&r);
  assert_string_equal(r.sources[5].name, "/home/me/my.cu");
  done(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sources_that_were_compiled),
      cmocka_unit_test(test_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
