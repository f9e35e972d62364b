/* What a report's folder keeps and what it loses: the list of the files that a report put there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/pair.h"
#include "base/file.h"
#include "reports/folder/manifest.h"
#include "reports/text/report.h"
#include "unit/small_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_CHARS = 1024 };

static int setup(void **state) {
  const char *tmp = getenv("TMPDIR");
  char *folder = str_printf("%s/nvfp4-folder-XXXXXX", tmp ? tmp : P_tmpdir);

  *state = folder;
  return folder && mkdtemp(folder) ? 0 : -1;
}

static void path_in(char out[PATH_CHARS], const char *folder, const char *name) {
  assert_in_range(snprintf(out, PATH_CHARS, "%s/%s", folder, name), 1, PATH_CHARS - 1);
}

static void put(const char *folder, const char *name, const char *text) {
  char path[PATH_CHARS];

  path_in(path, folder, name);
  assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
}

static bool take(const char *folder, const char *name) { /* whether it was there; it is gone now */
  char path[PATH_CHARS];

  path_in(path, folder, name);
  return unlink(path) == 0;
}

static int teardown(void **state) { /* fails where a test left a file that it did not take */
  int rc = rmdir(*state);

  free(*state);
  return rc;
}

static void what_the_last_report_left_goes(void **state) {
  const char *folder = *state;
  struct manifest m = {0};
  struct err e = {0};
  char path[PATH_CHARS], *list = NULL;
  size_t n = 0;

  put(folder, MANIFEST_NAME, "climb.svg\nclimb.png\nold.svg\nold\n");
  put(folder, "climb.svg", "drawn anew");
  put(folder, "climb.png", "stale");
  put(folder, "old.svg", "stale");
  put(folder, "old", "stale");
  put(folder, "mine.txt", "on no list");
  manifest_add(&m, "climb", ".svg");
  manifest_add(&m, "old.sv", ""); /* begins as a stale name does, and is another */
  assert_int_equal(manifest_replace(&m, folder, &e), 0);
  path_in(path, folder, MANIFEST_NAME);
  assert_int_equal(file_read(path, 1 << 10, &list, &n, &e), 0);
  assert_string_equal(list, "climb.svg\nold.sv\n");
  assert_true(take(folder, "climb.svg"));
  assert_true(take(folder, "mine.txt"));
  assert_false(take(folder, "climb.png"));
  assert_false(take(folder, "old.svg"));
  assert_false(take(folder, "old")); /* a beginning of one that is listed */
  assert_true(take(folder, MANIFEST_NAME));
  free(list);
  text_release(&m.names);
}

/* The list came with the folder: it may name files of the folder that do not begin with a dot, and no others. */
static void a_list_reaches_nothing_outside(void **state) {
  const char *folder = *state;
  struct manifest m = {0};
  char inner[PATH_CHARS], list[2 * PATH_CHARS];

  path_in(inner, folder, "inner");
  assert_int_equal(mkdir(inner, 0755), 0);
  put(inner, "kept", "");
  put(folder, ".kept", "");
  assert_in_range(snprintf(list, sizeof list, ".kept\ninner/kept\n%s/inner/kept\n\n", folder), 1, sizeof list - 1);
  put(folder, MANIFEST_NAME, list);
  assert_int_equal(manifest_replace(&m, folder, NULL), 0);
  assert_true(take(folder, ".kept"));
  assert_true(take(inner, "kept"));
  assert_true(take(folder, MANIFEST_NAME));
  assert_int_equal(rmdir(inner), 0);
}

static void a_first_report_finds_no_list(void **state) {
  const char *folder = *state;
  struct manifest m = {0};

  manifest_add(&m, "index", ".html");
  put(folder, "index.html", "");
  assert_int_equal(manifest_replace(&m, folder, NULL), 0);
  assert_true(take(folder, "index.html"));
  assert_true(take(folder, MANIFEST_NAME));
  text_release(&m.names);
}

static void a_list_that_cannot_be_read_is_named(void **state) {
  const char *folder = *state;
  struct manifest m = {0};
  struct err e = {0};
  char path[PATH_CHARS];

  path_in(path, folder, MANIFEST_NAME);
  assert_int_equal(mkdir(path, 0755), 0);
  put(folder, "index.html", "");
  assert_int_equal(manifest_replace(&m, folder, &e), ERR_IO);
  assert_non_null(strstr(e.text, MANIFEST_NAME));
  assert_true(take(folder, "index.html"));
  assert_int_equal(rmdir(path), 0);
}

static char *slurp(const char *folder, const char *name) {
  char path[PATH_CHARS], *text = NULL;
  size_t n = 0;

  path_in(path, folder, name);
  assert_int_equal(file_read(path, 1 << 24, &text, &n, NULL), 0);
  return text;
}

/* Two runs side by side: the pages that were asked for, and what was there of the others goes. */
static void two_runs_write_what_is_asked_for(void **state) {
  const char *folder = *state;
  struct run run = {0};
  struct device device = {0};
  struct findings f = {0};
  struct pair p = {0};

  assert_int_equal(run_load(&run, TEST_SOURCE_DIR "/tests/golden/small.json", NULL), 0);
  assert_int_equal(device_from_run(&device, &run.device, NULL), 0);
  assert_int_equal(findings_make(&f, &run, &device, NULL), 0);
  pair_make(&p, &f, &f);
  for (int all = 1; all >= 0; all--) {
    unsigned formats = all ? REPORT_ALL : REPORT_MD | REPORT_CSV;
    assert_int_equal(report_write_pair(&p, folder, formats, NULL), 0);
    char *list = slurp(folder, MANIFEST_NAME), *csv = slurp(folder, "results.csv"), *md = slurp(folder, "worklog.md");
    assert_string_equal(list, all ? "worklog.md\nindex.html\nresults.csv\n" : "worklog.md\nresults.csv\n");
    assert_memory_equal(csv, "variant,", 8);
    assert_non_null(strstr(md, "cuda-2-intrinsics"));
    free(list);
    free(csv);
    free(md);
  }
  assert_false(take(folder, "index.html"));
  assert_true(take(folder, "worklog.md") && take(folder, "results.csv") && take(folder, MANIFEST_NAME));
  pair_release(&p);
  findings_release(&f);
  device_release(&device);
  run_release(&run);
}

/* A page of another's is not written over, and said so before any work is done; one that no report of these formats writes may stay. */
static void a_page_of_others_is_kept(void **state) {
  const char *folder = *state;
  struct err e = {0};
  put(folder, "results.csv", "mine\n");
  assert_int_equal(report_folder_verify(folder, REPORT_MD | REPORT_HTML, &e), 0);
  assert_int_equal(report_folder_verify(folder, REPORT_MD | REPORT_CSV, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "results.csv"));
  char *kept = slurp(folder, "results.csv");
  assert_string_equal(kept, "mine\n");
  free(kept);
  assert_true(take(folder, "results.csv"));
}

/* The first chart. */
static void a_chart_that_cannot_be_written_is_named(void **state) {
  const char *folder = *state;
  char path[PATH_CHARS];
  struct text warning = {0};
  struct err e = {0};
  void *small;
  path_in(path, folder, "climb.gp");
  assert_int_equal(mkdir(path, 0700), 0);
  assert_int_equal(small_run_setup(&small), 0);
  const struct report_options o = {.folder = folder, .formats = REPORT_PLOTS | REPORT_CSV, .gnuplot = "true"};
  assert_int_equal(report_write(&((struct small_run *)small)->story, &o, &warning, &e), ERR_IO);
  assert_non_null(strstr(e.text, "climb.gp"));
  assert_false(take(folder, "results.csv")); /* nothing more was written */
  assert_int_equal(rmdir(path), 0);
  assert_true(take(folder, MANIFEST_NAME));
  text_release(&warning);
  small_run_teardown(&small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_the_last_report_left_goes, setup, teardown),
      cmocka_unit_test_setup_teardown(a_list_reaches_nothing_outside, setup, teardown),
      cmocka_unit_test_setup_teardown(a_first_report_finds_no_list, setup, teardown),
      cmocka_unit_test_setup_teardown(a_list_that_cannot_be_read_is_named, setup, teardown),
      cmocka_unit_test_setup_teardown(a_page_of_others_is_kept, setup, teardown),
      cmocka_unit_test_setup_teardown(a_chart_that_cannot_be_written_is_named, setup, teardown),
      cmocka_unit_test_setup_teardown(two_runs_write_what_is_asked_for, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
