/* Every row of the table of charts, and the charts of other things than a ladder: each template is filled whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/history.h"
#include "reports/charts/chart.h"
#include "reports/charts/mma_report.h"
#include "reports/text/tune_text.h"

#include <string.h>

static void every_row_is_whole(void **state) {
  size_t of[CHART_OF_TUNE + 1] = {0};

  (void)state;
  for (size_t i = 0; i < n_chart_kinds; i++) {
    const struct chart_kind *k = &chart_kinds[i];

    assert_non_null(k->name);
    assert_non_null(k->script);
    assert_non_null(k->hint);
    assert_non_null(k->fill);
    /* Rungs that read A once have one intensity at DRAM, and at no cache. */
    assert_true(strcmp(k->name, "roofline") == 0 || !k->of_steps || !strstr(k->of_steps, "same intensity"));
    assert_int_equal(k->title != NULL, k->of == CHART_OF_LADDER);
    of[k->of]++;
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(chart_kinds[j].name, k->name);
  }
  for (int i = CHART_OF_DEVICE; i <= CHART_OF_TUNE; i++)
    assert_int_equal(of[i], 1); /* what stands alone is found by what it is of */
}

static void check(const struct chart_source *from, const char *title, const char *line) {
  for (size_t i = 0; i < n_chart_kinds; i++) {
    struct chart c;

    if (chart_kinds[i].of != from->of)
      continue;
    assert_true(chart_make(&chart_kinds[i], from, &c));
    if (!text_ok(&c.gp))
      fail_msg("%s", text_str(&c.gp));
    assert_true(text_ok(&c.dat));
    assert_string_equal(text_str(&c.title), title);
    assert_string_equal(text_str(&c.hint), chart_kinds[i].hint);
    assert_null(strstr(text_str(&c.gp), "{{"));
    if (!strstr(text_str(&c.gp), line))
      fail_msg("%s.gp lacks %s", c.name, line);
    chart_release(&c);
  }
}

static struct run run = {
    .device = {.name = (char *)"a card"}, .created = (char *)"2026-01-02", .git = (char *)"abcdef0"};
static const struct findings findings = {.run = &run};

static void what_stands_alone_fills_its_template(void **state) {
  static double x[] = {1e6, 2e6}, y[] = {3e12, 2e12};
  static struct ceiling_curve curve = {.name = (char *)"read_bw", .x = x, .y = y, .n_x = 2, .n_y = 2};
  const struct device device = {.name = (char *)"it's", .curves = &curve, .n_curves = 1};
  const struct mma_chart_row row = {.type = "e4m3", .sum = "fp32", .flops = 1e14};
  const struct mma_chart mma = {"types", "on a card", &row, 1};
  static struct history_point points[] = {{.value = {true, 20e-6, NULL}}, {.value = {true, 10e-6, NULL}, .step = true}};
  static struct history_column column = {.id = (char *)"it's", .shape = {128, 256, 1}, .points = points};
  const struct findings *runs[] = {&findings, &findings};
  const struct history history = {
      .metric = "time", .time = true, .runs = runs, .n_runs = 2, .columns = &column, .n_columns = 1};
  const struct chart_source device_source = {.of = CHART_OF_DEVICE, .device = &device};

  (void)state;
  check(&device_source, "Memory of it's over the size of the working set", "head_line = 'Memory of it''s over");
  check(&(struct chart_source){.of = CHART_OF_MMA, .mma = &mma}, "types", "origin_line = 'on a card'\ntypes = 1\n");
  check(&(struct chart_source){.of = CHART_OF_HISTORY, .history = &history},
        "time over runs; in brackets: the first value", "= ['it''s (20.00 µs)']");
}

static void a_heat_map_fills_its_template(void **state) {
  static struct tune_map map = {.shape = {128, 256, 1}, .x = (char *)"WARPS", .n_x = 2, .n_y = 1};
  const struct tune_rank rank = {.shape = {128, 256, 1}};
  const struct tune_report tune = {&findings, "it's", &rank, &map, 1};

  (void)state;
  map.x_values[0] = 4;
  map.x_values[1] = 8;
  map.seconds[0][0] = 20e-6;
  check(&(struct chart_source){.of = CHART_OF_TUNE, .tune = &tune}, "it's: least time over all other parameters",
        "array x_tics[panels] = [\"'4' 0, '8' 1\"]\narray y_tics[panels] = [\"\"]\n");
}

static void nothing_to_draw_is_no_chart(void **state) {
  const struct device device = {.name = (char *)"bare"};
  const struct mma_chart mma = {"types", "on a card", NULL, 0};

  (void)state;
  for (size_t i = 0; i < n_chart_kinds; i++) {
    const struct chart_source from = {.of = chart_kinds[i].of, .device = &device, .mma = &mma};
    struct chart c;

    if (from.of != CHART_OF_DEVICE && from.of != CHART_OF_MMA)
      continue;
    assert_false(chart_make(&chart_kinds[i], &from, &c));
    assert_null(c.gp.s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_whole),
      cmocka_unit_test(what_stands_alone_fills_its_template),
      cmocka_unit_test(a_heat_map_fills_its_template),
      cmocka_unit_test(nothing_to_draw_is_no_chart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
