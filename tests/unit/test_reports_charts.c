/* Every row of the table of charts, and the charts of other things than a ladder: each template is filled whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/history.h"
#include "base/file.h"
#include "reports/charts/chart.h"
#include "reports/text/mma_text.h"
#include "reports/text/tune_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void every_row_is_whole(void **state) {
  size_t of[CHART_OF_TUNE + 1] = {0};

  (void)state;
  for (size_t i = 0; i < n_chart_kinds; i++) {
    const struct chart_kind *k = chart_kinds[i];

    assert_non_null(k->name);
    assert_non_null(k->script);
    assert_non_null(k->hint);
    assert_non_null(k->fill);
    /* Rungs that read A once have one intensity at DRAM, and at no cache. */
    assert_true(strcmp(k->name, "roofline") == 0 || !k->of_steps || !strstr(k->of_steps, "same intensity"));
    assert_int_equal(k->title != NULL, k->of == CHART_OF_LADDER);
    of[k->of]++;
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(chart_kinds[j]->name, k->name);
  }
  for (int i = CHART_OF_DEVICE; i <= CHART_OF_TUNE; i++)
    assert_int_equal(of[i], 1); /* what stands alone is found by what it is of */
}

static void check(const struct chart_source *from, const char *title, const char *line, const char *data) {
  for (size_t i = 0; i < n_chart_kinds; i++) {
    struct chart c;

    if (chart_kinds[i]->of != from->of)
      continue;
    assert_true(chart_make(chart_kinds[i], from, &c));
    if (!text_ok(&c.gp))
      fail_msg("%s", text_str(&c.gp));
    assert_true(text_ok(&c.dat));
    assert_string_equal(text_str(&c.title), title);
    assert_string_equal(text_str(&c.hint), chart_kinds[i]->hint);
    assert_null(strstr(text_str(&c.gp), "{{"));
    if (!strstr(text_str(&c.gp), line))
      fail_msg("%s.gp lacks %s", c.name, line);
    if (!strstr(text_str(&c.dat), data))
      fail_msg("%s.dat lacks %s:\n%s", c.name, data, text_str(&c.dat));
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
  const struct mma_text_row row = {
      .type = "e4m3", .sum = "fp32", .best = true, .figures[MMA_TEXT_FLOPS] = {.present = true, .v = 1e14}};
  const struct mma_text mma = {.arch = "sm_90a", .nvrtc = "13.2", .rows = &row, .n_rows = 1};
  static struct history_point points[] = {{.value = {true, 20e-6, NULL}}, {.value = {true, 10e-6, NULL}, .step = true}};
  static struct history_column column = {.id = (char *)"it's", .shape = {128, 256, 1}, .points = points};
  const struct findings *runs[] = {&findings, &findings};
  const struct history history = {
      .metric = "time", .time = true, .runs = runs, .n_runs = 2, .columns = &column, .n_columns = 1};
  const struct chart_source device_source = {.of = CHART_OF_DEVICE, .device = &device};

  (void)state;
  check(&device_source, "Memory of it's over the size of the working set", "head_line = 'Memory of it''s over",
        "TB/s\n1 3\n2 2\n");
  check(&(struct chart_source){.of = CHART_OF_MMA, .mma = &mma}, "mma.sync on sm_90a",
        "origin_line = 'NVRTC 13.2; compiled only, nothing was run'\ntypes = 1\n", "1 \"e4m3, fp32\" 100 ? ? ? ? ?\n");
  check(&(struct chart_source){.of = CHART_OF_HISTORY, .history = &history},
        "time over runs; in brackets: the first value", "= ['it''s (20.00 µs)']",
        "0 20 0 \"2026-01-02 abcdef0\" 20\n1 10 1 \"2026-01-02 abcdef0\" 20\n");
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
        "array x_tics[panels] = [\"'4' 0, '8' 1\"]\narray y_tics[panels] = [\"\"]\n",
        "0 0 20 \"20.0\"\n1 0 NaN \"–\"\n\n");
}

/* A ladder's name is anybody's: of it a chart's files have letters, digits, '-' and '_', so that they stay in their folder. */
static void a_ladders_files_stay_in_the_folder(void **state) {
  static const char *const names[][2] = {
      {"../../etc/a b", "------etc-a-b"}, {"my_1-x", "my_1-x"}, {"", ""}, {".", "-"}};
  const struct mma_text_row row = {
      .type = "e4m3", .sum = "fp32", .best = true, .figures[MMA_TEXT_FLOPS] = {.present = true, .v = 1e14}};
  const struct mma_text mma = {.arch = "sm_90a", .nvrtc = "13.2", .rows = &row, .n_rows = 1};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *ladders[] = {"first", names[i][0]};
    const struct view v = {.ladders = ladders, .n_ladders = 2};
    for (size_t ladder = 0; ladder < 2; ladder++) {
      const struct chart_source from = {.of = CHART_OF_MMA, .v = &v, .ladder = ladder, .mma = &mma};
      for (size_t k = 0; k < n_chart_kinds; k++) {
        char wanted[CHART_NAME_MAX];
        struct chart c;
        if (chart_kinds[k]->of != CHART_OF_MMA)
          continue;
        assert_true(chart_make(chart_kinds[k], &from, &c));
        snprintf(wanted, sizeof wanted, ladder ? "%s-%s" : "%s", chart_kinds[k]->name, names[i][1]);
        assert_string_equal(c.name, wanted);
        chart_release(&c);
      }
    }
  }
}

static void nothing_to_draw_is_no_chart(void **state) {
  const struct device device = {.name = (char *)"bare"};
  const struct mma_text mma = {.arch = "sm_90a", .nvrtc = "13.2"};

  (void)state;
  for (size_t i = 0; i < n_chart_kinds; i++) {
    const struct chart_source from = {.of = chart_kinds[i]->of, .device = &device, .mma = &mma};
    struct chart c;

    if (from.of != CHART_OF_DEVICE && from.of != CHART_OF_MMA)
      continue;
    assert_false(chart_make(chart_kinds[i], &from, &c));
    assert_null(c.gp.s);
  }
}

static void put(char path[256], const char *folder, const char *name, const char *text) {
  snprintf(path, 256, "%s/%s", folder, name);
  assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
  assert_int_equal(chmod(path, 0755), 0);
}

static bool gone(const char *folder, const char *name) { /* it was there, and is removed */
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return unlink(path) == 0;
}

/* A gnuplot that says what it was told and draws: on descriptor 3 an SVG, on 4 what PNG is given. */
static void drawn_by(const char *script, bool svg_alone, const char *told, const char *warned, bool drawn, bool png) {
  char folder[] = "/tmp/nvfp4-it's-XXXXXX", gnuplot[256], path[256], want[512], *said = NULL;
  struct chart c = {.name = "x"};
  struct text warning = {0};
  size_t n = 0;

  assert_non_null(mkdtemp(folder));
  put(gnuplot, folder, "gnuplot", script);
  put(path, folder, "x.gp", "old");
  put(path, folder, "x.svg", "old");
  put(path, folder, "x.png", "old");
  chart_draw(&c, 1, &(struct chart_drawing){folder, gnuplot, svg_alone, NULL}, &warning);
  assert_string_equal(text_str(&warning), warned);
  assert_int_equal(c.drawn, drawn);
  assert_int_equal(gone(folder, "x.svg"), drawn);
  assert_int_equal(gone(folder, "x.png"), png);
  assert_int_equal(gone(folder, "x.gp"), !(drawn && svg_alone)); /* the page's picture holds what drew it */
  snprintf(path, sizeof path, "%s/told", folder);
  assert_int_equal(file_read(path, 1 << 10, &said, &n, NULL), 0);
  snprintf(want, sizeof want,
           "--default-settings -e cd '/tmp/nvfp4-it''s-%s'; svg='/proc/self/fd/3'; "
           "png='/proc/self/fd/4'; passes=%s x.gp\n",
           folder + strlen(folder) - 6, told);
  assert_string_equal(said, want);
  assert_true(gone(folder, "told") && gone(folder, "gnuplot"));
  assert_int_equal(rmdir(folder), 0);
  free(said);
  text_release(&c.svg);
  text_release(&warning);
}

#define TOLD "#!/bin/sh\necho \"$@\" >\"${0%/gnuplot}/told\"\n"
#define SVG  "echo '<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"><g/></svg>' >&3\n"
#define PNG  "printf 'a IEND\\256\\102\\140\\202' >&4\n"

static void gnuplot_is_told_where_and_judged_by_what_it_drew(void **state) {
  (void)state;
  drawn_by(TOLD SVG PNG, false, "2", "", true, true);
  drawn_by(TOLD SVG, true, "1", "", true, false);
  drawn_by(TOLD SVG "echo 'no png' >&2; exit 1\n", false, "2", "gnuplot drew x.svg and no x.png: no png\n", true,
           false);
  drawn_by(TOLD PNG "echo '   ^' >&2; echo 'line 3: odd' >&2\n", false, "2",
           "gnuplot failed on x.gp: line 3: odd; x.gp and .dat are written\n", false, false);
  drawn_by(TOLD "echo '<svg>half' >&3; exit 1\n", true, "1",
           "gnuplot failed on x.gp: it said nothing; x.gp and .dat are written\n", false, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_whole),
      cmocka_unit_test(what_stands_alone_fills_its_template),
      cmocka_unit_test(a_heat_map_fills_its_template),
      cmocka_unit_test(a_ladders_files_stay_in_the_folder),
      cmocka_unit_test(nothing_to_draw_is_no_chart),
      cmocka_unit_test(gnuplot_is_told_where_and_judged_by_what_it_drew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
