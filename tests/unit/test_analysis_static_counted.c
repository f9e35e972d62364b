/* The static tier's model against what an H200 counted; apart from its rules, which mutants
 * meet, since the run takes long to read. */
#include "analysis/advice/static.h"

#include "analysis/metrics/formulas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Modelled over counted warp instructions, for every rung and shape whose loop names its bytes. */
static void against_what_was_counted(void **state) {
  (void)state;
  enum { PAIRS_MAX = 512 };
  static double ratios[PAIRS_MAX];
  size_t n = 0, near = 0, absent = 0;
  struct run r = {0};
  struct device d = {0};
  struct err e = {0};
  if (run_load(&r, TEST_SOURCE_DIR "/recorded/h200.json.gz", &e) || device_from_run(&d, &r.device, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < r.n_results && n < PAIRS_MAX; i++) {
    const struct run_result *x = &r.results[i];
    const struct run_metric *counted = run_metric_find(x, "inst_executed");
    const char *ladder = r.variants[x->variant].ladder;
    struct static_code c;
    if (x->module < 0 || !counted || !counted->present || !ladder || strcmp(ladder, "control") == 0)
      continue; /* controls are not a GEMV, and some are a library's */
    if (static_code_make(&c, &r, x, launch_main(x), &d, &e))
      fail_msg("%s", e.text);
    absent += !c.warp_insts.present;
    if (c.warp_insts.present)
      ratios[n++] = c.warp_insts.v / counted->value;
    static_code_release(&c);
  }
  qsort(ratios, n, sizeof *ratios, ascending);
  for (size_t i = 0; i < n; i++)
    near += ratios[i] > 0.8 && ratios[i] < 1.1;
  print_message(
      "modelled over counted instructions, %zu pairs (%zu absent): least %.3f, quartiles %.3f %.3f %.3f, most %.3f; "
      "%zu within 0.8 to 1.1\n",
      n, absent, ratios[0], ratios[n / 4], ratios[n / 2], ratios[3 * n / 4], ratios[n - 1], near);
  assert_true(n >= 150);
  assert_true(ratios[n / 2] > 0.93 && ratios[n / 2] < 1.02);
  assert_true(4 * near >= 3 * n);
  run_release(&r);
  device_release(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(against_what_was_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
