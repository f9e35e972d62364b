/* The chart of the matrix instructions. */
#include "reports/charts/mma_report.h"
#include "unit/chart_files.h"
#include "unit/spawn_tells.h"

static const char folder[] = "./test_reports_mma.tmp";

static void draw(const struct mma_chart_row *rows, size_t n, struct text *warning) {
  struct mma_chart m = {"mma.sync on a card", "it's measured", rows, n};
  struct report_options o = {.folder = folder, .gnuplot = "/nonexistent/gnuplot"};
  struct err e = {0};
  if (report_mma_chart(&m, &o, warning, &e))
    fail_msg("%s", e.text);
}

static void test_both_panels(void **state) {
  (void)state;
  if (!spawn_tells_of_absence())
    skip();
  /* TFLOP/s and s; what is absent is no number; the first row is the uppermost. */
  static const struct mma_chart_row rows[] = {
      {"bf16", "fp32", 4.885e14, 6.364e14, 7.81e14, 9.895e14, 0.25, 0.5},
      {"e4m3", "fp16", 4.8e14, 0, 0, 1.979e15, 0.5, 0},
  };
  struct text warning = {0};
  draw(rows, 2, &warning);
  assert_non_null(strstr(text_str(&warning), "/nonexistent/gnuplot was not found: mma.gp and .dat are written"));
  chart_holds(folder, "mma.dat",
              "\n2 \"bf16, fp32\" 488.5 636.4 781 989.5 0.25 0.5\n1 \"e4m3, fp16\" 480 ? ? 1979 0.5 ?\n");
  chart_holds(folder, "mma.gp", "head_line = 'mma.sync on a card'\norigin_line = 'it''s measured'\ntypes = 2\n");
  chart_holds(folder, "mma.gp", "rates = 1\ntimes = 1\nlibrary = 1\nnvcc = 1\n");
  text_release(&warning);
  chart_remove(folder, "mma");
}

static void test_times_alone(void **state) {
  (void)state;
  static const struct mma_chart_row row = {"s4", "int32", 0, 0, 0, 1e15, 0.5, 0};
  struct text warning = {0};
  draw(&row, 1, &warning);
  chart_holds(folder, "mma.gp", "rates = 0\ntimes = 1\nlibrary = 0\nnvcc = 0\n");
  text_release(&warning);
  chart_remove(folder, "mma");
}

static void test_nothing(void **state) {
  (void)state;
  static const struct mma_chart_row row = {"s4", "int32", 0, 0, 0, 1e15, 0, 0};
  struct text warning = {0};
  draw(&row, 1, &warning);
  assert_int_equal(warning.n, 0);
  assert_int_not_equal(access(folder, F_OK), 0);
}

static void test_drawn(void **state) {
  (void)state;
  static const struct mma_chart_row rows[] = {{"bf16", "fp32", 4.885e14, 6.364e14, 0, 9.895e14, 0.25, 0.5},
                                              {"s4", "int32", 0, 0, 0, 0, 0.5, 0.6}};
  struct mma_chart m = {"mma.sync on a card", "measured", rows, 2};
  struct report_options o = {.folder = folder};
  struct text warning = {0};
  struct err e = {0};
  assert_int_equal(report_mma_chart(&m, &o, &warning, &e), 0);
  if (warning.n && strstr(warning.s, "was not found"))
    skip();
  if (warning.n)
    fail_msg("%s", warning.s);
  chart_holds(folder, "mma.svg", "bf16, fp32");
  chart_holds(folder, "mma.svg", "cold compile (s)");
  chart_remove(folder, "mma");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_panels), cmocka_unit_test(test_times_alone),
                                     cmocka_unit_test(test_nothing), cmocka_unit_test(test_drawn)};
  chart_remove(folder, "mma");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
