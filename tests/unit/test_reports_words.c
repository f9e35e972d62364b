/* The words that reports share: figures, roofs, ratios, predictions, headlines; each sentence worked out by hand. */
#include "reports/page/page.h"
#include "reports/text/diagnose.h"
#include "reports/words/bound_words.h"
#include "reports/words/evidence_text.h"
#include "reports/words/prose_ladder.h"
#include "reports/words/view.h"
#include "reports/words/wrap.h"
#include "unit/text_is.h"

#include <stdio.h>

static void evidence_in_its_unit(void **state) {
  static const struct {
    struct evidence x;
    const char *want;
  } rows[] = {
      {{"hits", "ratio", {true, 0.25, NULL}}, "hits 25 %"},
      {{"hits", "ratio", {true, 1, NULL}}, "hits 100 %"},
      {{"bytes", "ratio", {true, 1.25, NULL}}, "bytes 1.25×"},
      {{"pipe's share of the time", "ratio", {true, 1.25, NULL}}, "pipe's share of the time 100 %"},
      {{"share of the time spent", "inst", {true, 7, NULL}}, "share of the time spent 7 inst"},
      {{"wait", "s", {true, 2.5e-6, NULL}}, "wait 2.50 µs"},
      {{"rate", "B/s", {true, 3.2e12, NULL}}, "rate 3.20 TB/s"},
      {{"tile", "B", {true, 3072, NULL}}, "tile 3.00 KiB"},
      {{"grid", "block", {true, 56, NULL}}, "grid 56 blocks"},
      {{"grid", "block", {true, 1, NULL}}, "grid 1 block"},
      {{"launches", "launch", {true, 2, NULL}}, "launches 2 launches"},
      {{"places", "address", {true, 27.6, NULL}}, "places 27.6 addresses"},
      {{"eligible warps", "warp", {true, 0.5, NULL}}, "eligible warps 0.500 warps"},
      {{"occupancy", "ratio", {true, 5.31, NULL}, true}, "occupancy 5.31× (impossible)"},
      {{"cost", "inst", {true, 19.9, NULL}}, "cost 19.9 inst"},
      {{"pipe_alu", "inst", {true, 9203456, NULL}}, "pipe_alu 9.20 M inst"},
      {{"conflicts", "cycle", {true, 1e6, NULL}}, "conflicts 1.00 M cycles"},
      {{"conflicts", "cycle", {true, 999999, NULL}}, "conflicts 999999 cycles"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    report_evidence(&rows[i].x, &out);
    is(&out, rows[i].want);
  }
}

static void what_a_remedy_may_save(void **state) {
  struct advice a = {.price.saves_s = 8e-6, .price.low_s = 4e-6, .price.high_s = 12e-6};
  struct finding f = {.time = {.middle = 32e-6}};
  struct text out = {0};
  (void)state;
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 12 µs, best estimate 8.00, 25 % of the time");
  a.price.high_s = 8.4e-6; /* of which the estimate is 95.2 %: it is told all the same */
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 8.4 µs, best estimate 8.00, 25 % of the time");
  a.price.high_s = 12e-6;
  f.bounds.unlike = true; /* the counted launches are not those of 32 us */
  report_saving(&a, &f, &out);
  is(&out, "may save 12 to 38 % of the time, best estimate 25 %");
  f.bounds.unlike = false;
  a.price.high_s = 12e-6;
  a.price.capped = true; /* the best estimate alone, which the interval goes beyond */
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 12 µs, best estimate 8.00, 25 % of the time");
  a.price.high_s = 8e-6;
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 8.0 µs, best estimate 8.00, 25 % of the time (capped by the speed of light)");
  a.price.cap = BOUND_DRAM;
  a.price.cap_s = 24e-6;
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 8.0 µs, best estimate 8.00, 25 % of the time (capped: 24.0 µs of DRAM are left)");
  a.price.capped = false;
  a.price.high_s = 12e-6;
  a.price.fewer_bytes = true;
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 12 µs, best estimate 8.00, 25 % of the time (DRAM moves fewer bytes)");
  a.price.saves_s = 0;
  report_saving(&a, &f, &out);
  is(&out, "no estimate of the saving");
  a.told.stop = true;
  a.told.helps = "fewer bytes";
  report_saving(&a, &f, &out);
  is(&out, "only fewer bytes can save time");
}

static void what_warps_spend_their_cycles_on(void **state) {
  static const struct run_result result = {.module = -1};
  struct derived issuing = {.name = "stall_selected_share", .value = {true, 0.25, NULL}};
  struct finding f = {
      .result = &result, .stalls = {{"long_scoreboard", 0.6}, {"wait", 0.007}, {"barrier", 0.004}}, .n_stalls = 3};
  struct text out = {0};
  (void)state;
  report_stalls(&f, &out);
  is(&out, "warps' cycles: long_scoreboard 60 %, wait 1 %");
  f.derived = &issuing;
  f.n_derived = 1;
  f.n_stalls = 1;
  report_stalls(&f, &out);
  is(&out, "warps' cycles: 25 % issuing, long_scoreboard 60 %");
  f.n_stalls = 0;
  report_stalls(&f, &out);
  is(&out, "");
}

static void a_grid_without_its_ones(void **state) {
  struct run_launch launch = {.grid = {7, 1, 1}};
  struct finding f = {.launch = &launch};
  char grid[VIEW_GRID_MAX];
  (void)state;
  view_grid(grid, &f);
  assert_string_equal(grid, "7");
  launch.grid[1] = 2;
  view_grid(grid, &f);
  assert_string_equal(grid, "7x2");
  launch.grid[1] = 1;
  launch.grid[2] = 2;
  view_grid(grid, &f);
  assert_string_equal(grid, "7x1x2");
  view_grid(grid, &(struct finding){0});
  assert_string_equal(grid, "0");
}

static void figures_of_others(void **state) {
  struct run_published p = {
      .device = (char *)"B200", .time_ns = 39e3, .what = (char *)"geomean", .source = (char *)"a page"};
  struct text out = {0};
  (void)state;
  view_published(&p, &out);
  is(&out, "B200 39 µs geomean, a page");
  p.approximate = true;
  p.what = p.source = p.device = NULL;
  view_published(&p, &out);
  is(&out, "unnamed device ≈39 µs");
}

static void add_line(void *context, const char *s) {
  text_printf(context, "%s\n", s);
}

/* Twelve are told one by one, and how many more there are. */
static void doubts(void **state) {
  static const struct run_variant variant = {.id = (char *)"k"};
  static const struct run_result result = {.shape = {128, 256, 1}};
  struct finding items[13];
  struct findings f = {.items = items, .n = 1};
  struct text out = {0};
  (void)state;
  for (size_t i = 0; i < 13; i++)
    items[i] = (struct finding){
        .variant = &variant, .result = &result, .doubts = {"hits over 100 %", "less than nothing"}, .n_doubts = 1};
  view_doubts(&f, add_line, &out);
  is(&out, "IMPOSSIBLE VALUE: k at 128×256×1: hits over 100 %\n");
  f.n = 12;
  view_doubts(&f, add_line, &out);
  assert_null(strstr(text_str(&out), " more;"));
  text_release(&out);
  f.n = 13;
  items[0].n_doubts = 2;
  view_doubts(&f, add_line, &out);
  assert_non_null(strstr(text_str(&out), "\nIMPOSSIBLE VALUE: k at 128×256×1: less than nothing\n"));
  assert_non_null(strstr(text_str(&out), "\nIMPOSSIBLE VALUE: 2 more; findings.json has them all, as \"doubts\"\n"));
  size_t n = 0;
  for (const char *s = text_str(&out); *s; s++)
    n += *s == '\n';
  assert_int_equal(n, 13);
  text_release(&out);
}

static void ratios_have_the_digits_that_tell_them_from_one(void **state) {
  static const struct {
    double ratio;
    const char *want;
  } rows[] = {{0.1, "10× faster"},      {0.25, "4.0× faster"},  {0.5, "2.00× faster"}, {1 / 1.004, "1.004× faster"},
              {1.004, "1.004× slower"}, {1.01, "1.01× slower"}, {3, "3.0× slower"},    {12.4, "12× slower"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    prose_times(&out, rows[i].ratio);
    is(&out, rows[i].want);
  }
}

static void words_break_at_the_width(void **state) {
  struct text out = {0};
  (void)state;
  wrap_add(&out, "one two three", 7, 2);
  is(&out, "one two\n  three\n");
  wrap_add(&out, "one two three", 6, 2);
  is(&out, "one\n  two\n  three\n");
  wrap_add(&out, "×× ×× ××", 5, 0); /* columns, not bytes */
  is(&out, "×× ××\n××\n");
  wrap_add(&out, "one two three", 0, 2);
  is(&out, "one two three\n");
  assert_int_equal(wrap_widest("ab\n×××\nc"), 3);
  assert_int_equal(wrap_widest(""), 0);
}

/* Over two shapes: where it held, where it did not, and where that is not known. */
static void what_became_of_predictions(void **state) {
  struct prediction items[] = {{.item = (char *)"time < 0.5x"}, {.item = (char *)"inst < 0.2x"}};
  struct judgement one[] = {{.verdict = JUDGED_CONFIRMED}, {.verdict = JUDGED_CONFIRMED}},
                   two[] = {{.verdict = JUDGED_REFUTED, .ratio = {true, 0.75, NULL}}, {.verdict = JUDGED_UNKNOWN}};
  struct step_at at[] = {{.shape = {128, 256, 1}, .judgements = one}, {.shape = {256, 256, 1}, .judgements = two}};
  struct step s = {.at = at, .n = 2, .predictions = {.items = items, .n = 2}};
  struct text out = {0};
  (void)state;
  prose_predictions(&s, &out);
  is(&out, "time < 0.5x failed at 256×256×1 (0.750×); inst < 0.2x held where it is known");
  one[0] = two[0];
  one[1].verdict = JUDGED_UNKNOWN;
  prose_predictions(&s, &out);
  is(&out, "time < 0.5x failed; inst < 0.2x is not known");
  one[1].verdict = two[1].verdict = JUDGED_CONFIRMED;
  one[0] = two[0] = (struct judgement){.verdict = JUDGED_REFUTED};
  one[0].verdict = JUDGED_CONFIRMED;
  prose_predictions(&s, &out);
  is(&out, "time < 0.5x failed at 256×256×1; inst < 0.2x held");
}

/* A step that gained at one shape and lost at the other. */
static void a_step_that_depends_on_the_shape(void **state) {
  static const struct run_variant from = {.id = (char *)"a-0"};
  struct step_at at[] = {{.shape = {128, 256, 1}, .ratio = {true, 0.5, NULL}, .told = true},
                         {.shape = {256, 256, 1}, .ratio = {true, 1.25, NULL}}};
  struct step s = {.at = at, .n = 2, .from = &from, .why = (char *)"fewer bytes"};
  struct climb c = {.outcome = CLIMB_MIXED, .time_s = value_of(80e-6), .over_parent = value_of(1.25)};
  struct text out = {0};
  (void)state;
  prose_step_over(&s, &c, value_of(100e-6), &out);
  is(&out,
     "100.0 µs → 80.00 µs against a-0: it depends on the shape: at 128×256×1 2.00 times faster, at 256×256×1 1.25 times "
     "slower. Why: at 128×256×1: fewer bytes.");
  c.outcome = CLIMB_FASTER;
  at[0].told = false;
  s.why = (char *)"cause not found";
  prose_step_over(&s, &c, value_of(100e-6), &out);
  is(&out,
     "100.0 µs → 80.00 µs against a-0: 1.25 times faster; but at 256×256×1 1.25 times slower. Why: cause not found.");
  c.outcome = CLIMB_SLOWER;
  c.over_parent = value_of(0.5);
  at[0].same = true;
  at[1].ratio = value_absent("no time");
  prose_step_over(&s, &c, value_of(40e-6), &out);
  is(&out,
     "40.00 µs → 80.00 µs against a-0: 2.00 times slower; but at 128×256×1 no measurable change, at 256×256×1 not known. "
     "Why: cause not found.");
  c.outcome = CLIMB_SAME;
  at[1] = at[0];
  s.why = (char *)"";
  prose_step_over(&s, &c, value_of(80e-6), &out);
  is(&out, "80.00 µs → 80.00 µs against a-0: no measurable change.");
}

/* The median time, and the mean that tables of a program have, where these are two. */
static void a_usual_time_and_a_mean(void **state) {
  struct run_result r = {0};
  struct finding f = {
      .timed = true, .result = &r, .time = {.middle = 29.12e-6, .mean = 44.52e-6, .ci_low = 25e-6, .ci_high = 33.2e-6}};
  struct text out = {0};
  (void)state;
  report_time(&f, &out);
  is(&out, "29.12 ±4.1 µs in the median, 44.52 µs in the mean");
  f.time.mean = 30e-6; /* another number than the table's */
  report_time(&f, &out);
  is(&out, "29.12 ±4.1 µs in the median");
  f.time.mean = 29.121e-6;
  report_time(&f, &out);
  is(&out, "29.12 ±4.1 µs");
  f.time.mean = 44.52e-6;
  r.shape = (struct shape){.m = 1, .k = 1, .l = 1};
  report_time(&f, &out);
  is(&out, "29.12 ±4.1 µs");
}

/* Four launches of 7 us, four of 13 and two of 110: 300 us in all. */
static void counted_launches_that_are_far(void **state) {
  (void)state;
  static double kinds[] = {7e3, 13e3, 110e3, 7e3, 13e3, 7e3, 13e3, 7e3, 13e3, 110e3}, rising[10];
  static double even[] = {1e3, 1e3, 1e3, 1e3, 2e3, 2e3, 4e3};
  static const struct {
    double *ns;
    size_t n;
    double whole;
    bool unlike;
    const char *told;
  } cases[] = {
      {kinds, 10, 8.1e-6, true,
       "its launches take 7.00 µs, 13.0 µs and 110 µs; shares and savings are of those that were counted, of 8.10 µs, with 9 % of its time: "
       "attach --two-runs counts where most of it is"},
      {kinds, 10, 100e-6, true,
       "its launches take 7.00 µs, 13.0 µs and 110 µs; shares and savings are of those that were counted, of 100 µs"},
      {kinds, 10, 8.1e-6, false, ""},
      {even, 7, 2e-6, true,
       "its launches take 1.00 µs, 2.00 µs and 4.00 µs; shares and savings are of those that were counted, of 2.00 µs, with 33 % of its time"},
      {rising, 10, 1e-6, true,
       "most of its launches take 18.1 µs to 91.0 µs; shares and savings are of those that were counted, of 1.00 µs, with 0 % of its time: attach "
       "--two-runs counts where most of it is"}};
  for (size_t i = 0; i < 10; i++)
    rising[i] = i ? 1e4 * (double)(1 + i) : 1e3;
  rising[9] = 1e5;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct run_result r = {.timing = {.samples_ns = cases[i].ns, .n = cases[i].n}};
    struct finding f = {.timed = true, .result = &r};
    struct run run = {.command = (char *)"nvfp4-prof attach -- a.out"};
    struct text out = {0};
    f.bounds.unlike = cases[i].unlike;
    f.bounds.whole = value_of(cases[i].whole);
    assert_int_equal(bound_far(&run, &f, &out), cases[i].told[0] != 0);
    is(&out, cases[i].told);
    text_release(&out);
    run.command = "nvfp4-prof attach --two-runs -- a.out";
    bound_far(&run, &f, &out);
    assert_int_equal(strstr(text_str(&out), ": attach --replay --kernel NAME --skip N counts launch N + 1 by itself") !=
                         NULL,
                     strstr(cases[i].told, "--two-runs") != NULL);
    assert_null(strstr(text_str(&out), "--two-runs"));
    text_release(&out);
    run.command = "nvfp4-prof import ncu a.ncu-rep"; /* whose launches attach does not count */
    bound_far(&run, &f, &out);
    assert_null(strstr(text_str(&out), "attach"));
    text_release(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(evidence_in_its_unit),
      cmocka_unit_test(what_a_remedy_may_save),
      cmocka_unit_test(what_warps_spend_their_cycles_on),
      cmocka_unit_test(a_grid_without_its_ones),
      cmocka_unit_test(figures_of_others),
      cmocka_unit_test(doubts),
      cmocka_unit_test(ratios_have_the_digits_that_tell_them_from_one),
      cmocka_unit_test(words_break_at_the_width),
      cmocka_unit_test(what_became_of_predictions),
      cmocka_unit_test(a_step_that_depends_on_the_shape),
      cmocka_unit_test(a_usual_time_and_a_mean),
      cmocka_unit_test(counted_launches_that_are_far),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
