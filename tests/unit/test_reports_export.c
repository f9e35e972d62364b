/* The trace of a run made by hand. */
#include "reports/text/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
      cmocka_unit_test(trace_quotes_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
