/* The chart of the matrix instructions. */
#include "reports/charts/lone_charts.h"
#include "unit/chart_files.h"
#include "unit/spawn_tells.h"

static const char folder[] = "./test_reports_mma.tmp";

static struct mma_text_row row_of(const char *type, const char *sum, double nvrtc_s, double nvcc_s, double flops,
                                  double peak, double library, double datasheet) {
  const double figures[MMA_TEXT_FIGURES] = {[MMA_TEXT_NVRTC_S] = nvrtc_s,
                                            [MMA_TEXT_NVCC_S] = nvcc_s,
                                            [MMA_TEXT_FLOPS] = flops,
                                            [MMA_TEXT_PEAK] = peak,
                                            [MMA_TEXT_LIBRARY] = library};
  struct mma_text_row r = {.type = type, .sum = sum, .best = true, .datasheet_flops = datasheet};
  for (size_t i = 0; i < MMA_TEXT_FIGURES; i++) {
    r.figures[i].present = figures[i] > 0;
    r.figures[i].v = figures[i];
    r.figures[i].reason = "";
  }
  return r;
}

static void draw(const struct mma_text_row *rows, size_t n, bool cold, const char *gnuplot, struct text *warning) {
  struct mma_text m = {.arch = "sm_90a", .gpu = "it's a card", .nvrtc = "13.2", .library = "cuBLAS 13.1"};
  struct err e = {0};
  m.m = m.n = m.k = 8192;
  m.cold = cold;
  m.rows = rows;
  m.n_rows = n;
  if (report_lone_chart(&(struct lone_chart){.mma = &m}, folder, gnuplot, warning, &e))
    fail_msg("%s", e.text);
}

static void test_both_panels(void **state) {
  (void)state;
  if (!spawn_tells_of_absence())
    skip();
  /* TFLOP/s and s; what is absent is no number; the first row is the uppermost; a slower tile and what did not compile are not drawn. */
  struct mma_text_row rows[] = {
      row_of("bf16", "fp32", 0.25, 0.5, 4.885e14, 6.364e14, 7.81e14, 9.895e14),
      row_of("bf16", "fp32", 0.25, 0.5, 1e14, 0, 0, 0),
      row_of("e4m3", "fp16", 0.5, 0, 4.8e14, 0, 0, 1.979e15),
      row_of("s4", "int32", 0.5, 0, 0, 0, 0, 0),
  };
  struct text warning = {0};
  rows[1].best = false;
  rows[3].error = "not supported";
  draw(rows, 4, true, "/nonexistent/gnuplot", &warning);
  assert_non_null(strstr(text_str(&warning), "/nonexistent/gnuplot was not found: mma.gp and .dat are written"));
  chart_holds(folder, "mma.dat",
              "\n2 \"bf16, fp32\" 488.5 636.4 781 989.5 0.25 0.5\n1 \"e4m3, fp16\" 480 ? ? 1979 0.5 ?\n");
  chart_holds(folder, "mma.gp",
              "head_line = 'mma.sync on it''s a card'\n"
              "origin_line = 'NVRTC 13.2; measured: C[8192][8192] over K = 8192; cuBLAS 13.1'\ntypes = 2\n");
  chart_holds(folder, "mma.gp", "rates = 1\ntimes = 1\nlibrary = 1\nnvcc = 1\n");
  text_release(&warning);
  chart_remove(folder, "mma");
}

static void test_times_alone(void **state) {
  (void)state;
  const struct mma_text_row row = row_of("s4", "int32", 0.5, 0, 0, 0, 0, 1e15);
  struct text warning = {0};
  draw(&row, 1, true, "/nonexistent/gnuplot", &warning);
  chart_holds(folder, "mma.gp", "rates = 0\ntimes = 1\nlibrary = 0\nnvcc = 0\n");
  text_release(&warning);
  chart_remove(folder, "mma");
}

/* Compiled side by side, which says nothing of a compiler's time, and not run. */
static void test_nothing(void **state) {
  (void)state;
  const struct mma_text_row row = row_of("s4", "int32", 0.5, 0.5, 0, 0, 0, 1e15);
  struct text warning = {0};
  draw(&row, 1, false, "/nonexistent/gnuplot", &warning);
  assert_int_equal(warning.n, 0);
  assert_int_not_equal(access(folder, F_OK), 0);
}

static void test_drawn(void **state) {
  (void)state;
  const struct mma_text_row rows[] = {row_of("bf16", "fp32", 0.25, 0.5, 4.885e14, 6.364e14, 0, 9.895e14),
                                      row_of("s4", "int32", 0.5, 0.6, 0, 0, 0, 0)};
  struct text warning = {0};
  draw(rows, 2, true, NULL, &warning);
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
