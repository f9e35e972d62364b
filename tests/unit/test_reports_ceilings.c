/* The chart of a device's measured curves. */
#include "reports/charts/lone_charts.h"
#include "run/device.h"
#include "unit/chart_files.h"
#include "unit/spawn_tells.h"

static const char folder[] = "./test_reports_ceilings.tmp";

static double sizes[] = {2e6, 5e6, 0}, speeds[] = {4e12, 2.5e12, 1e12}, delays[] = {30, 250, 400};
static struct ceiling_curve curves[] = {
    {.name = (char *)"read_bw", .x = sizes, .y = speeds, .n_x = 3, .n_y = 3},
    {.name = (char *)"latency", .x = sizes, .y = delays, .n_x = 2, .n_y = 2},
};
static struct ceiling rows[] = {{.name = (char *)"dram_bw", .value = 2.25e12, .kind = CEILING_MEASURED}};

static void test_sources_without_gnuplot(void **state) {
  (void)state;
  if (!spawn_tells_of_absence())
    skip();
  struct device d = {.name = (char *)"Card 'X' `id`",
                     .l2_bytes = 3e6,
                     .curves = curves,
                     .n_curves = 2,
                     .ceilings = rows,
                     .n_ceilings = 1};
  struct text warning = {0};
  struct err e = {0};
  assert_int_equal(report_lone_chart(&(struct lone_chart){.device = &d}, folder, "/nonexistent/gnuplot", &warning, &e),
                   0);
  assert_non_null(strstr(text_str(&warning), "/nonexistent/gnuplot was not found: ceilings.gp and .dat are written"));
  /* MB and TB/s; MB and ns; a size that no log axis has is absent; the curve that is not there is one absent point. */
  static const char *const dat[] = {"2 4\n5 2.5\n? ?\n\n\n", "2 30\n5 250\n\n\n", "# set MB  read past L1 TB/s\n? ?\n"};
  static const char *const gp[] = {"'Memory of Card ''X'' ''id'' over the size of the working set'",
                                   "panels = 2\n",
                                   "l2_size = 3\n",
                                   "dram_bw = 2.25\n",
                                   "l2_bw = 0\n",
                                   "past_l1 = 0\n"};
  for (size_t i = 0; i < sizeof dat / sizeof *dat; i++)
    chart_holds(folder, "ceilings.dat", dat[i]);
  for (size_t i = 0; i < sizeof gp / sizeof *gp; i++)
    chart_holds(folder, "ceilings.gp", gp[i]);
  text_release(&warning);
  chart_remove(folder, "ceilings");
}

static void test_nothing_to_draw(void **state) {
  (void)state;
  struct device d = {.name = (char *)"Card"};
  struct text warning = {0};
  struct err e = {0};
  assert_int_equal(report_lone_chart(&(struct lone_chart){.device = &d}, folder, NULL, &warning, &e), ERR_DATA);
  assert_string_equal(e.text, "Card: no curve was measured, so there is nothing to draw");
  assert_int_equal(access(folder, F_OK), -1);
  /* One point is no curve, and x without y is none. */
  struct ceiling_curve bad[] = {{.name = (char *)"read_bw", .x = sizes, .y = speeds, .n_x = 1, .n_y = 1},
                                {.name = (char *)"latency", .x = sizes, .y = delays, .n_x = 2, .n_y = 1}};
  d.curves = bad;
  d.n_curves = 2;
  assert_int_equal(report_lone_chart(&(struct lone_chart){.device = &d}, folder, NULL, &warning, NULL), ERR_DATA);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sources_without_gnuplot),
                                     cmocka_unit_test(test_nothing_to_draw)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
