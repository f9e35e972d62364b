/* results.csv of the small run against its golden file, column by column: a formula that is new is a column that is new, and its test is that of
 * formulas. */
#include "analysis/metrics/formulas.h"
#include "analysis/story/story.h"
#include "reports/text/report.h"
#include "unit/golden_file.h"

enum { CELLS_MAX = 256 };

struct cells {
  const char *at[CELLS_MAX];
  size_t length[CELLS_MAX], n;
};

/* Cuts a line; returns the next. */
static const char *cells_of(struct cells *out, const char *line) {
  bool quoted = false;
  *out = (struct cells){.at = {line}};
  for (;; line++) {
    quoted = quoted != (*line == '"');
    if (!*line || (!quoted && (*line == ',' || *line == '\n'))) {
      assert_true(out->n < CELLS_MAX - 1);
      out->length[out->n] = (size_t)(line - out->at[out->n]);
      out->n++;
      if (!*line || *line == '\n')
        return *line ? line + 1 : line;
      out->at[out->n] = line + 1;
    }
  }
}

static bool same(const struct cells *a, size_t i, const struct cells *b, size_t k) {
  return a->length[i] == b->length[k] && memcmp(a->at[i], b->at[k], a->length[i]) == 0;
}

static size_t column(const struct cells *head, const struct cells *of, size_t i) {
  size_t k = 0;
  while (k < head->n && !same(head, k, of, i))
    k++;
  return k;
}

static bool is_formula(const struct formulas *f, const struct cells *head, size_t i) {
  for (size_t k = 0; k < f->n; k++)
    if (strlen(f->items[k].name) == head->length[i] && memcmp(f->items[k].name, head->at[i], head->length[i]) == 0)
      return true;
  return false;
}

static void compare(const char *want, const char *got) {
  struct formulas formulas;
  struct cells want_head, got_head, w, g;
  assert_int_equal(formulas_load(&formulas, NULL), 0);
  want = cells_of(&want_head, want);
  got = cells_of(&got_head, got);
  for (size_t i = 0; i < got_head.n; i++)
    if (column(&want_head, &got_head, i) == want_head.n && !is_formula(&formulas, &got_head, i))
      fail_msg("the column %.*s is new, and no formula", (int)got_head.length[i], got_head.at[i]);
  for (int line = 2; *want && *got; line++) {
    want = cells_of(&w, want);
    got = cells_of(&g, got);
    assert_int_equal(w.n, want_head.n);
    assert_int_equal(g.n, got_head.n);
    for (size_t i = 0; i < w.n; i++) {
      size_t k = column(&got_head, &want_head, i);
      if (k == g.n || !same(&w, i, &g, k))
        fail_msg("small.results.csv:%d: %.*s is %.*s, not %.*s", line, (int)want_head.length[i], want_head.at[i],
                 k < g.n ? (int)g.length[k] : 6, k < g.n ? g.at[k] : "absent", (int)w.length[i], w.at[i]);
    }
  }
  assert_true(!*want && !*got);
  formulas_release(&formulas);
}

static void golden_csv(void **state) {
  (void)state;
  static struct run run;
  struct device device;
  struct findings findings;
  struct story story;
  struct text out = {0};
  struct err e = {0};
  char *want = NULL;
  size_t n;
  if (run_load(&run, TEST_SOURCE_DIR "/tests/golden/small.json", &e) || device_from_run(&device, &run.device, &e) ||
      findings_make(&findings, &run, &device, &e))
    fail_msg("%s", e.text);
  story_make(&story, &findings, NULL);
  report_csv(&findings, &story.diagnoses, &out);
  if (getenv("NVFP4_GOLDEN_UPDATE")) {
    check_golden("small.results.csv", &out);
  } else {
    assert_int_equal(file_read(TEST_SOURCE_DIR "/tests/golden/small.results.csv", 1 << 20, &want, &n, &e), 0);
    compare(want, text_str(&out));
  }
  free(want);
  text_release(&out);
  story_release(&story);
  findings_release(&findings);
  device_release(&device);
  run_release(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(golden_csv)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
