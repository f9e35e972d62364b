#include "analysis/static.h"

#include "analysis/metrics.h"

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

static void reality(void **state) {
  (void)state;
  struct run r = {0};
  struct device d = {0};
  struct err e = {0};
  enum { MOST = 512 };
  double ratios[MOST];
  size_t n = 0, absent = 0;
  if (run_load(&r, TEST_SOURCE_DIR "/recorded/h200.json.gz", &e) || device_from_run(&d, &r.device, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < r.n_results && n < MOST; i++) {
    struct static_code c;
    const struct run_metric *m = run_metric_find(&r.results[i], "inst_executed");
    if (r.results[i].module < 0 || !m || !m->present)
      continue;
    if (launch_main(&r.results[i])==NULL|| strstr(launch_main(&r.results[i])->kernel, "sm90")|| strstr(launch_main(&r.results[i])->kernel, "gemv2")|| strstr(launch_main(&r.results[i])->kernel, "cublas"))
      continue;
    if (static_code_make(&c, &r, &r.results[i], launch_main(&r.results[i]), &d, &e))
      fail_msg("%s", e.text);
    if (c.warp_insts.present) {
      ratios[n++] = c.warp_insts.v / m->value;
      print_message("%.3f %d %s %ld\n", c.warp_insts.v / m->value, c.once_bytes.present, r.variants[r.results[i].variant].id, r.results[i].shape.k);
    } else {
      print_message("absent %s: %s\n", r.variants[r.results[i].variant].id, c.warp_insts.reason);
      absent++;
    }
    static_code_release(&c);
  }
  qsort(ratios, n, sizeof *ratios, ascending);
  print_message("%zu compared, %zu absent: %.3f %.3f %.3f %.3f %.3f\n", n, absent, ratios[0], ratios[n / 4], ratios[n / 2], ratios[3 * n / 4], ratios[n - 1]);
  run_release(&r);
  device_release(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reality)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
