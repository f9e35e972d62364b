/* Folded stacks of a run made by hand. */
#include "reports/text/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Two instructions of one line, inlined from another file, and one without lines; names that hold what separates frames. */
static void folded(void **state) {
  (void)state;
  struct run_line inlined[] = {{1, 9}, {0, 40}}, unkept[] = {{-1, 7}};
  struct run_instruction sass[] = {{.offset = 0, .lines = inlined, .n_lines = 2},
                                   {.offset = 16, .lines = inlined, .n_lines = 2},
                                   {.offset = 32, .lines = unkept, .n_lines = 1},
                                   {.offset = 48}};
  struct run_kernel kernel = {.name = (char *)"f<a;b>", .sass = sass, .n_sass = 4};
  struct run_module module = {.kernels = &kernel, .n_kernels = 1};
  struct run_source sources[] = {{.name = (char *)"my.cu"}, {.name = (char *)"load.cuh"}};
  struct run_sample samples[] = {{0, 0, 0, (char *)"wait", 3, 0},     {0, 0, 16, (char *)"wait", 4, 0},
                                 {0, 0, 16, (char *)"barrier", 5, 0}, {0, 0, 32, (char *)"wait", 1, 0},
                                 {0, 0, 48, (char *)"wait", 2, 0},    {0, 0, 48, (char *)"drain", 0, 0}};
  struct run_variant variant = {.id = (char *)"v"};
  struct run_result result = {.shape = {128, 256, 1}, .samples = samples, .n_samples = 6};
  struct run run = {.modules = &module,
                    .n_modules = 1,
                    .sources = sources,
                    .n_sources = 2,
                    .variants = &variant,
                    .n_variants = 1,
                    .results = &result,
                    .n_results = 1};
  struct text out = {0};
  assert_int_equal(export_folded(&run, &out), 4);
  assert_string_equal(text_str(&out), "v;128x256x1;f<a,b>;(file not kept):7;wait 1\n"
                                      "v;128x256x1;f<a,b>;+0x30;wait 2\n"
                                      "v;128x256x1;f<a,b>;my.cu:40;load.cuh:9;barrier 5\n"
                                      "v;128x256x1;f<a,b>;my.cu:40;load.cuh:9;wait 7\n");
  text_release(&out);
}

static void trace_quotes_names(void **state) {
  (void)state;
  double samples_ns[] = {1000, 2500};
  struct run_variant variant = {.id = (char *)"a \"b\"\\\n"};
  struct run_result result = {.shape = {128, 256, 1}, .timing = {.samples_ns = samples_ns, .n = 2}};
  struct run run = {.variants = &variant, .n_variants = 1, .results = &result, .n_results = 1};
  struct text out = {0};
  assert_int_equal(export_trace(&run, &out), 2);
  assert_non_null(
      strstr(text_str(&out), "\"name\":\"a \\\"b\\\"\\\\\\n\",\"pid\":1,\"tid\":1,\"ts\":1.000,\"dur\":2.500"));
  text_release(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(folded),
      cmocka_unit_test(trace_quotes_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
