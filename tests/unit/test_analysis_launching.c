/* Recorded kernels that do little but start: their bound is launching. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/model/findings.h"
#include "run/run_filter.h"

#include <stdio.h>
#include <string.h>

static void all_are_launching(const char *file, const char *id) {
  struct run run = {0};
  struct device device = {0};
  struct findings f = {0};
  struct err e = {0};
  char path[512];
  size_t n = 0;
  snprintf(path, sizeof path, "%s/%s", TEST_SOURCE_DIR, file);
  if (run_load(&run, path, &e) || run_filter(&run, id, NULL, 0, &e) || device_from_run(&device, &run.device, &e) ||
      findings_make(&f, &run, &device, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < f.n; i++)
    if (strcmp(f.items[i].variant->id, id) == 0) {
      assert_int_equal(f.items[i].bounds.binding, BOUND_LAUNCH);
      n++;
    }
  assert_true(n > 0);
  findings_release(&f);
  device_release(&device);
  run_release(&run);
}

static void an_empty_kernel(void **state) {
  (void)state;
  all_are_launching("recorded/h200.json.gz", "control-null");
  all_are_launching("recorded/h100.json.gz", "control-null");
}

/* 64 M threads, a byte each. */
static void a_copy_of_one_byte_a_thread(void **state) {
  (void)state;
  all_are_launching("tests/corpus/h200.json.gz", "invert-bytes");
  all_are_launching("tests/corpus/h100.json.gz", "invert-bytes");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_empty_kernel), cmocka_unit_test(a_copy_of_one_byte_a_thread)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
