/* Reports of tests/golden/small.json against the small.* beside it, pages against its facts.  NVFP4_GOLDEN_UPDATE=1 writes
 * the expected files anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/charts/chart.h"
#include "reports/text/report.h"
#include "unit/golden_file.h"
#include "unit/spawn_tells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_CHARS = 512 };

struct fixture {
  struct run run;
  struct device device;
  struct findings findings;
  struct story story;
  struct report_parts parts;
  char folder[256]; /* a new empty folder; removed with what reports put there */
};

/* A picture that was drawn, one that was not, and an author's note. */
static const struct report_chart some_charts[] = {
    {"roofline", "roofline", "cuda", "DRAM roofline: ladder cuda", "A climb.", true, true,
     "<svg role=\"img\" aria-labelledby=\"roofline-title\"><title id=\"roofline-title\">DRAM roofline</title></svg>\n"},
    {"climb", "climb", "cuda", "The climb: ladder cuda", "Bars.", true, false, NULL},
};
static const struct report_note some_notes[] = {{"cuda-1-coalesced", "One row is one *warp* now; `a < b`.\n"}};

static int setup(void **state) {
  struct fixture *x = calloc(1, sizeof *x);
  const char *tmp = getenv("TMPDIR");
  struct err e = {0};

  if (!x)
    return -1;
  *state = x;
  if (run_load(&x->run, TEST_SOURCE_DIR "/tests/golden/small.json", &e) != 0 ||
      device_from_run(&x->device, &x->run.device, &e) != 0 ||
      findings_make(&x->findings, &x->run, &x->device, &e) != 0) {
    print_error("%s\n", e.text);
    return -1;
  }
  story_make(&x->story, &x->findings, NULL);
  x->parts = (struct report_parts){some_charts, 2, some_notes, 1};
  snprintf(x->folder, sizeof x->folder, "%s/nvfp4-reports-XXXXXX", tmp ? tmp : P_tmpdir);
  return mkdtemp(x->folder) ? 0 : -1;
}

static const char *const written[] = {
    "worklog.md",        "index.html",   "results.csv", "findings.json.gz",
    ".nvfp4-prof.files", "fake-gnuplot", "a-file",      "cuda-1-coalesced.md",
};
/* Every chart of a ladder, in order, is one of the small run, which is of one rank; NULL past the last. */
/* Of rungs: not of ranks, nor of a program's kernels. */
static const char *chart_name(size_t i) {
  for (size_t k = 0; k < n_chart_kinds; k++)
    if (chart_kinds[k]->of == CHART_OF_LADDER && strcmp(chart_kinds[k]->name, "ranks") != 0 &&
        strcmp(chart_kinds[k]->name, "kernels") != 0 && i-- == 0)
      return chart_kinds[k]->name;
  return NULL;
}

static size_t count_charts(void) {
  size_t n = 0;
  while (chart_name(n))
    n++;
  return n;
}

static const char *const chart_endings[] = {".gp", ".dat", ".svg", ".png"};

static void path_in(char out[PATH_CHARS], const struct fixture *x, const char *name) {
  snprintf(out, PATH_CHARS, "%s/%s", x->folder, name);
}

static int teardown(void **state) {
  struct fixture *x = *state;
  int rc;

  for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
    char path[PATH_CHARS];

    path_in(path, x, written[i]);
    unlink(path);
  }
  for (size_t i = 0; chart_name(i); i++) {
    for (size_t k = 0; k < sizeof chart_endings / sizeof *chart_endings; k++) {
      char name[64], path[PATH_CHARS];

      snprintf(name, sizeof name, "%s%s", chart_name(i), chart_endings[k]);
      path_in(path, x, name);
      unlink(path);
    }
  }
  rc = rmdir(x->folder); /* fails, and the test with it, where a report left a temporary file behind */
  story_release(&x->story);
  findings_release(&x->findings);
  device_release(&x->device);
  run_release(&x->run);
  free(x);
  return rc;
}

static void golden_term(void **state) {
  struct fixture *x = *state;
  struct text out = {0};

  report_term(&x->findings, &out, 160, false);
  check_golden("small.term.txt", &out);
}

/* A page is judged by the facts that it states, not by its markup: tests/golden/facts.py. */
static void check_facts(const struct fixture *x, const char *facts, const char *name, struct text *page) {
  char path[PATH_CHARS], command[4 * PATH_CHARS];
  struct err e = {0};

  assert_true(text_ok(page));
  path_in(path, x, name);
  assert_int_equal(file_write(path, page->s, page->n, &e), 0);
  snprintf(command, sizeof command, "python3 -IS '%s/tests/golden/facts.py' '%s/tests/golden/%s' '%s' >&2",
           TEST_SOURCE_DIR, TEST_SOURCE_DIR, facts, path);
  assert_int_equal(system(command), 0);
  text_release(page);
}

static void facts_of_the_page(void **state) {
  struct fixture *x = *state;
  struct text out = {0};

  report_html(&x->story, &x->parts, &out);
  check_facts(x, "small.facts", "index.html", &out);
}

static void facts_of_the_worklog(void **state) {
  struct fixture *x = *state;
  struct text out = {0};

  report_worklog(&x->story, &x->parts, &out);
  assert_non_null(strstr(text_str(&out), "(roofline.svg)"));
  assert_null(strstr(text_str(&out), "climb.svg")); /* not drawn: no dead link */
  check_facts(x, "small.worklog.facts", "worklog.md", &out);
}

/* --- what golden files cannot show --- */

static size_t widest(const char *s) {
  size_t most = 0, n = 0;

  for (; *s; s++) {
    if (*s == '\n')
      n = 0;
    else
      n += ((unsigned char)*s & 0xC0) != 0x80;
    most = n > most ? n : most;
  }
  return most;
}

static void term_fits_any_width(void **state) {
  struct fixture *x = *state;
  static const int widths[] = {200, 160, 120, 100, 80};

  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    struct text out = {0};

    report_term(&x->findings, &out, widths[i], false);
    assert_in_range(widest(text_str(&out)), 1, (size_t)widths[i]);
    assert_non_null(strstr(text_str(&out), "cuda-2-intrinsics"));
    text_release(&out);
  }
}

static void term_drops_the_least_important_first(void **state) {
  struct fixture *x = *state;
  struct text wide = {0}, narrow = {0};

  report_term(&x->findings, &wide, 0, false);
  report_term(&x->findings, &narrow, 140, false);
  assert_non_null(strstr(text_str(&wide), " path "));
  assert_null(strstr(text_str(&narrow), " path "));
  assert_non_null(strstr(text_str(&narrow), " verdict"));
  text_release(&wide);
  text_release(&narrow);
}

static void origin_leads_and_recorded_says_not_here(void **state) {
  struct fixture *x = *state;
  struct text out = {0};

  report_term(&x->findings, &out, 0, false);
  assert_memory_equal(text_str(&out), "measured on NVIDIA H200 (132 SMs, driver ", 41);
  text_release(&out);
  x->run.origin = ORIGIN_RECORDED;
  report_term(&x->findings, &out, 0, false);
  assert_memory_equal(text_str(&out), "recorded on NVIDIA H200 ", 24);
  assert_non_null(strstr(text_str(&out), "not measured here\n"));
  assert_null(strstr(text_str(&out), "measured;"));
  text_release(&out);
}

static void numbers_have_significant_digits(void **state) {
  char b[VIEW_NUMBER_MAX];
  struct stats narrow = {.valid = true, .n = 9, .middle = 13.789e-6, .ci_low = 13.789e-6, .ci_high = 13.789e-6};
  struct stats wide = {.valid = true, .n = 9, .middle = 39.02e-6, .ci_low = 38.4e-6, .ci_high = 39.6e-6};
  struct stats quick = {.valid = true, .n = 9, .middle = 1.6e-6, .ci_low = 1.6e-6, .ci_high = 1.6e-6};

  (void)state;
  assert_string_equal(view_number(b, 13.789, 4), "13.79");
  assert_string_equal(view_number(b, 0.00099, 2), "<0.001");
  assert_string_equal(view_number(b, 0.001, 2), "0.0010");
  assert_string_equal(view_number(b, 0, 2), "0.0");
  assert_string_equal(view_number(b, 3735.4, 4), "3735");
  assert_string_equal(view_number(b, 123456, 4), "123456");
  assert_string_equal(view_number(b, 0.99996, 3), "1.00");
  assert_string_equal(view_number(b, 0.04123, 3), "0.0412");
  assert_string_equal(view_number(b, 0, 3), "0.00");
  assert_string_equal(view_time(b, &narrow), "13.79");
  assert_string_equal(view_time(b, &wide), "39.02 ±0.60");
  assert_string_equal(view_time(b, &quick), "1.600 ±0.016"); /* never under half a tick */
}

static void json_holds_no_nan_and_gives_reasons(void **state) {
  struct fixture *x = *state;
  struct text out = {0};

  report_json(&x->findings, &out);
  assert_true(text_ok(&out));
  assert_memory_equal(text_str(&out), "{", 1);
  assert_null(strstr(text_str(&out), ": nan"));
  assert_null(strstr(text_str(&out), ": inf"));
  assert_non_null(strstr(text_str(&out), "\"reason\": \"the kernel did not finish within 10 s"));
  text_release(&out);
}

static void labels_move_apart(void **state) {
  double two[] = {10, 12}, low[] = {1, 2, 3}, crowded[] = {5, 5, 5, 5, 5};

  (void)state;
  chart_spread(two, 2, 4, 0, 100); /* an overlap of 2, half from each */
  assert_float_equal(two[0], 9, 0.1);
  assert_float_equal(two[1], 13, 0.1);
  chart_spread(low, 3, 10, 0, 100);
  assert_true(low[0] >= 0 && low[1] - low[0] >= 9.9 && low[2] - low[1] >= 9.9);
  chart_spread(crowded, 5, 10, 0, 20); /* no room for the gap: spread evenly over what there is */
  for (int i = 0; i < 5; i++)
    assert_float_equal(crowded[i], 5 * i, 0.1);
  chart_spread(crowded, 0, 10, 0, 20);
}

static void strings_of_others_stay_strings(void **state) {
  struct text out = {0};

  (void)state;
  chart_data_quote(&out, "a\"b\n\x7F\u202Eé`");
  assert_string_equal(text_str(&out), "\"a'b   é'\"");
  text_release(&out);
}

/* --- the folder --- */

static bool there(const struct fixture *x, const char *name) {
  char path[PATH_CHARS];

  path_in(path, x, name);
  return file_exists(path);
}

static char *slurp(const struct fixture *x, const char *name) {
  char path[PATH_CHARS], *text = NULL;
  struct err e = {0};
  size_t n;

  path_in(path, x, name);
  if (file_read(path, 1 << 26, &text, &n, &e) != 0)
    fail_msg("%s", e.text);
  return text;
}

static void assert_contains(const struct fixture *x, const char *name, const char *part) {
  char *text = slurp(x, name);
  bool found = strstr(text, part) != NULL;

  free(text);
  if (!found)
    fail_msg("%s lacks \"%s\"", name, part);
}

static void put(const struct fixture *x, const char *name, const char *text, mode_t mode) {
  char path[PATH_CHARS];
  struct err e = {0};

  path_in(path, x, name);
  assert_int_equal(file_write(path, text, strlen(text), &e), 0);
  assert_int_equal(chmod(path, mode), 0);
}

static void without_gnuplot_sources_and_remedy(void **state) {
  struct fixture *x = *state;
  if (!spawn_tells_of_absence())
    skip();
  struct report_options o = {x->folder, "no-such-gnuplot", REPORT_ALL, NULL, NULL, true};
  struct text warning = {0};
  struct err e = {0};

  put(x, "roofline.svg", "of an older run", 0644);
  assert_int_equal(report_write(&x->story, &o, &warning, &e), 0);
  char says[256];
  snprintf(
      says, sizeof says,
      "no-such-gnuplot was not found: the .gp and .dat of %zu charts are written; install gnuplot-nox (apt) and run "
      "`gnuplot climb.gp` there\n",
      count_charts());
  assert_string_equal(text_str(&warning), says);
  assert_contains(x, "index.html", "The charts could not be drawn: gnuplot was missing or failed.");
  assert_contains(x, "index.html", "<table>");
  assert_true(there(x, "roofline.gp") && there(x, "roofline.dat") && there(x, "climb.gp"));
  assert_true(there(x, "worklog.md") && there(x, "results.csv") && there(x, "findings.json.gz"));
  assert_false(there(x, "roofline.svg"));
  assert_contains(x, ".nvfp4-prof.files", "climb.gp\nclimb.dat\nroofline.gp\nroofline.dat\n"); /* nothing was drawn */
  assert_contains(x, ".nvfp4-prof.files", "worklog.md\nindex.html\nresults.csv\nfindings.json.gz\n");
  text_release(&warning);
}

static void gnuplots_complaint_is_passed_on(void **state) {
  struct fixture *x = *state;
  char program[PATH_CHARS];
  struct report_options o = {x->folder, program, REPORT_ALL, NULL, NULL, true};
  struct text warning = {0};
  struct err e = {0};

  path_in(program, x, "fake-gnuplot");
  put(x, "fake-gnuplot",
      "#!/bin/sh\necho >&2\necho '    ^' >&2\necho 'line 7: undefined variable: roofs' >&2\nexit 1\n", 0755);
  assert_int_equal(report_write(&x->story, &o, &warning, &e), 0);
  assert_non_null(strstr(text_str(&warning), "gnuplot failed on roofline.gp: line 7: undefined variable: roofs; "));
  assert_non_null(strstr(text_str(&warning), "gnuplot failed on climb.gp: "));
  text_release(&warning);
}

static void no_plots_when_not_asked(void **state) {
  struct fixture *x = *state;
  struct report_options o = {x->folder, "no-such-gnuplot", REPORT_MD | REPORT_CSV, NULL};
  struct text warning = {0};
  struct err e = {0};

  assert_int_equal(report_write(&x->story, &o, &warning, &e), 0);
  assert_string_equal(text_str(&warning), "");
  assert_true(there(x, "worklog.md"));
  assert_false(there(x, "roofline.gp"));
  assert_false(there(x, "index.html") || there(x, "findings.json.gz")); /* not asked for */
}

static void formats_are_parsed(void **state) {
  struct err e = {0};
  unsigned formats = 0;

  (void)state;
  assert_int_equal(report_formats_parse("md, html", &formats, &e), 0);
  assert_int_equal(formats, REPORT_MD | REPORT_HTML);
  assert_int_equal(report_formats_parse("all", &formats, &e), 0);
  assert_int_equal(formats, REPORT_ALL);
  assert_int_equal(report_formats_parse("md,pdf", &formats, &e), ERR_USAGE);
  assert_string_equal(e.text, "--format pdf: must be a list of md, html, csv, json, plots, or all");
  assert_int_equal(report_formats_parse("", &formats, &e), ERR_USAGE);
}

static void notes_are_merged_and_left_alone(void **state) {
  struct fixture *x = *state;
  char folder[] = "/tmp/nvfp4-notes-XXXXXX", path[PATH_CHARS];
  struct report_options o = {x->folder, NULL, REPORT_MD | REPORT_HTML, folder};
  struct text warning = {0};
  struct err e = {0};

  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/cuda-1-coalesced.md", folder);
  assert_int_equal(file_write(path, "My <b>own</b> *words*.\n", 23, &e), 0);
  assert_int_equal(chmod(folder, 0555), 0);
  assert_int_equal(report_write(&x->story, &o, &warning, &e), 0);
  assert_int_equal(chmod(folder, 0755), 0);
  assert_contains(x, "index.html", "<p>My &lt;b&gt;own&lt;/b&gt; <em>words</em>.</p>");
  assert_contains(x, "worklog.md", "My <b>own</b> *words*.\n");
  unlink(path);
  assert_int_equal(rmdir(folder), 0); /* fails where a report put a file there */
  text_release(&warning);
}

static void notes_in_the_reports_folder_are_refused(void **state) {
  struct fixture *x = *state;
  struct report_options o = {x->folder, NULL, REPORT_MD, x->folder};
  struct text warning = {0};
  struct err e = {0};

  put(x, "cuda-1-coalesced.md", "mine", 0644);
  assert_int_equal(report_write(&x->story, &o, &warning, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, " is the report's own folder"));
  assert_contains(x, "cuda-1-coalesced.md", "mine");
  text_release(&warning);
}

/* A run is a file of others: what it says stays text wherever it stands. */
static void strings_of_the_run_are_escaped(void **state) {
  struct fixture *x = *state;
  static const char evil[] = "<script>alert(\"x\")</script>";
  struct text out = {0};

  for (size_t i = 0; i < x->run.n_variants; i++) {
    struct run_variant *v = &x->run.variants[i];

    if (!v->parent) /* a foot, so that parents are still found */
      continue;
    free(v->change);
    v->change = str_copy(evil);
    free(v->predicts);
    v->predicts = str_copy(evil);
  }
  free(x->run.device.name);
  x->run.device.name = str_copy(evil);
  free(x->run.command);
  x->run.command = str_copy(evil);
  free(x->run.variants[x->run.n_variants - 1].id);
  x->run.variants[x->run.n_variants - 1].id = str_copy(evil);
  for (size_t i = 0; i < x->run.n_sources; i++) {
    free(x->run.sources[i].text);
    x->run.sources[i].text = str_printf("%s%zu\n%s\n%s\n", evil, i, evil, evil);
    free(x->run.sources[i].name);
    x->run.sources[i].name = str_printf("%s%zu", evil, i);
  }
  for (size_t i = 0; i < x->run.n_results; i++) {
    free(x->run.results[i].sampling.reason);
    x->run.results[i].sampling.reason = str_copy(evil);
  }
  story_release(&x->story);
  findings_release(&x->findings);
  assert_int_equal(findings_make(&x->findings, &x->run, &x->device, NULL), 0);
  story_make(&x->story, &x->findings, NULL);
  report_html(&x->story, &x->parts, &out);
  assert_null(strstr(text_str(&out), "<script"));
  assert_non_null(strstr(text_str(&out), "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;"));
  assert_non_null(strstr(text_str(&out), "Unknown: &lt;script&gt;")); /* why there are no samples */
  const char *lines = strstr(text_str(&out), "the source lines with the most waits</caption>");
  assert_non_null(lines);
  assert_memory_equal(strstr(lines, "<th scope=\"row\">"), "<th scope=\"row\">&lt;script&gt;", 29); /* a file's name */
  text_release(&out);
}

static void unwritable_folder_is_named(void **state) {
  struct fixture *x = *state;
  char folder[PATH_CHARS];
  struct report_options o = {folder, NULL, REPORT_ALL, NULL, NULL, true};
  struct text warning = {0};
  struct err e = {0};

  put(x, "a-file", "", 0644);
  snprintf(folder, sizeof folder, "%s/a-file/report", x->folder);
  assert_int_equal(report_write(&x->story, &o, &warning, &e), ERR_IO);
  assert_non_null(strstr(e.text, "a-file"));
  text_release(&warning);
}

static void templates_are_filled_whole(void **state) {
  struct fixture *x = *state;
  struct chart *charts = NULL;
  struct view v;
  size_t n;

  view_init(&v, &x->findings);
  assert_int_equal(v.n_ladders, 1);
  n = charts_make(&v, &x->story, true, &charts);
  assert_int_equal(n, count_charts());
  for (size_t i = 0; i < n; i++) {
    assert_string_equal(charts[i].name, chart_name(i));
    assert_true(text_ok(&charts[i].gp) && text_ok(&charts[i].dat));
    assert_in_range(charts[i].gp.n, 1000, 100000);
    assert_null(strstr(text_str(&charts[i].gp), "{{"));
    assert_null(strstr(text_str(&charts[i].dat), "nan"));
    chart_release(&charts[i]);
  }
  free(charts);
  view_release(&v);
}

/* What a chart draws: its data, and the part of its script that is filled in. */
static void the_charts_draw_these_numbers(void **state) {
  static const char begin[] = "# --- filled in by nvfp4-prof ---\n";
  struct fixture *x = *state;
  struct chart *charts = NULL;
  struct text out = {0};
  struct view v;

  view_init(&v, &x->findings);
  size_t n = charts_make(&v, &x->story, true, &charts);
  for (size_t i = 0; i < n; i++) {
    const char *filled = strstr(text_str(&charts[i].gp), begin);
    assert_non_null(filled);
    filled += sizeof begin - 1;
    const char *end = strstr(filled, "\n# ---");
    text_printf(&out, "== %s\n%.*s\n%s", charts[i].name, end ? (int)(end - filled) : (int)strlen(filled), filled,
                text_str(&charts[i].dat));
    chart_release(&charts[i]);
  }
  free(charts);
  view_release(&v);
  check_golden("small.charts.txt", &out);
}

static void gnuplot_draws_every_kind(void **state) {
  struct fixture *x = *state;
  struct report_options o = {x->folder, NULL, REPORT_ALL, NULL, NULL, true};
  struct text warning = {0};
  struct err e = {0};

  if (system("gnuplot --version >/dev/null 2>&1") != 0)
    skip();
  assert_int_equal(report_write(&x->story, &o, &warning, &e), 0);
  assert_string_equal(text_str(&warning), "");
  for (size_t i = 0; chart_name(i); i++) {
    char name[64], title[64];

    snprintf(name, sizeof name, "%s.png", chart_name(i));
    assert_true(there(x, name));
    snprintf(name, sizeof name, "%s.svg", chart_name(i));
    snprintf(title, sizeof title, "<title id=\"%s-title\">", chart_name(i));
    assert_contains(x, name, title);
    assert_contains(x, name, "<title>cuda-"); /* a hover text */
  }
  assert_contains(x, "index.html", "<title id=\"climb-title\">");
  assert_contains(x, ".nvfp4-prof.files", "climb.svg\nclimb.png\nclimb.gp\nclimb.dat\nroofline.svg\n");
  o.all_charts = false; /* the pictures of the page alone: the rest goes */
  assert_int_equal(report_write(&x->story, &o, &warning, &e), 0);
  assert_contains(x, ".nvfp4-prof.files", "climb.svg\nroofline.svg\n");
  assert_false(there(x, "climb.png") || there(x, "climb.gp") || there(x, "climb.dat"));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(golden_term),
      CASE(facts_of_the_worklog),
      CASE(facts_of_the_page),
      CASE(term_fits_any_width),
      CASE(term_drops_the_least_important_first),
      CASE(origin_leads_and_recorded_says_not_here),
      cmocka_unit_test(numbers_have_significant_digits),
      CASE(json_holds_no_nan_and_gives_reasons),
      cmocka_unit_test(labels_move_apart),
      cmocka_unit_test(strings_of_others_stay_strings),
      CASE(without_gnuplot_sources_and_remedy),
      CASE(gnuplots_complaint_is_passed_on),
      CASE(no_plots_when_not_asked),
      cmocka_unit_test(formats_are_parsed),
      CASE(notes_are_merged_and_left_alone),
      CASE(notes_in_the_reports_folder_are_refused),
      CASE(strings_of_the_run_are_escaped),
      CASE(unwritable_folder_is_named),
      CASE(templates_are_filled_whole),
      CASE(the_charts_draw_these_numbers),
      CASE(gnuplot_draws_every_kind),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
