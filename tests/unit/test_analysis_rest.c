/* What the explanations of recorded steps leave unexplained: docs/model.md has a row of it for the ladders that were fitted and for the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/ladder/causes.h"
#include "analysis/ladder/explain.h"
#include "base/file.h"
#include "base/stats.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STEP_OVER = 0.1; /* of the time before: smaller steps are the model's noise */
static const double NS = 1e-9;

enum { RESTS_MAX = 512 };
static const struct steps_set {
  const char *title, *run;
  bool ours, others; /* the ladder ours; all other ladders */
} SETS[] = {
    {"H200 cuda, cute, attempts, top", "h200", false, true},
    {"H200 ours", "h200", true, false},
    {"H100, all ladders", "h100", true, true},
};

struct rests {
  double part[RESTS_MAX];  /* |rest| over |change| of the steps over STEP_OVER */
  double error[RESTS_MAX]; /* |rest| over the time before, of all steps */
  size_t n, steps;
};

static void step_add(struct rests *out, const struct step *s) {
  for (size_t i = 0; i < s->n; i++) {
    const struct step_at *at = &s->at[i];
    if (!at->ratio.present || !at->shares.known)
      continue;
    double change = at->time.after.v - at->time.before.v, sum = at->shares.rest_s;
    for (int g = 0; g < STEP_GROUPS; g++)
      sum += at->shares.seconds[g];
    assert_float_equal(sum, change, NS);
    sum = 0;
    for (int k = 0; k < CYCLE_USES; k++)
      sum += at->cycles[k];
    assert_true(at->cycles_known);
    assert_float_equal(sum, change, NS);
    if (out->steps < RESTS_MAX)
      out->error[out->steps++] = fabs(at->shares.rest_s / at->time.before.v);
    if (fabs(change) > STEP_OVER * at->time.before.v && out->n < RESTS_MAX)
      out->part[out->n++] = fabs(at->shares.rest_s / change);
  }
}

static bool takes_part(const struct steps_set *set, const char *ladder) {
  if (!ladder || strcmp(ladder, "control") == 0 || strcmp(ladder, "wrong") == 0)
    return false;
  return strcmp(ladder, "ours") == 0 ? set->ours : set->others;
}

static void rests_of(struct rests *out, const struct steps_set *set, const struct findings *f) {
  struct err e = {0};
  out->n = out->steps = 0;
  for (size_t i = 0; i < f->run->n_variants; i++) {
    const struct run_variant *v = &f->run->variants[i],
                             *parent = v->parent ? run_variant_find(f->run, v->parent) : NULL;
    struct step s;
    if (!parent || !takes_part(set, v->ladder))
      continue;
    if (step_make(&s, f, parent, v, f->shapes, f->n_shapes, &e))
      fail_msg("%s", e.text);
    step_add(out, &s);
    step_release(&s);
  }
  qsort(out->part, out->n, sizeof *out->part, stats_by_value);
  qsort(out->error, out->steps, sizeof *out->error, stats_by_value);
}

static struct recorded {
  const char *name; /* NULL: none is loaded */
  struct run run;
  struct device device;
  struct findings findings;
} recorded;

static void recorded_release(void) {
  findings_release(&recorded.findings);
  device_release(&recorded.device);
  run_release(&recorded.run);
  recorded.name = NULL;
}

/* Sets of one run stand together: it is loaded once for them. */
static const struct findings *recorded_of(const char *name) {
  struct err e = {0};
  char path[512];
  if (recorded.name && strcmp(recorded.name, name) == 0)
    return &recorded.findings;
  if (recorded.name)
    recorded_release();
  snprintf(path, sizeof path, "%s/recorded/%s.json.gz", TEST_SOURCE_DIR, name);
  if (run_load(&recorded.run, path, &e) || device_from_run(&recorded.device, &recorded.run.device, &e) ||
      findings_make(&recorded.findings, &recorded.run, &recorded.device, &e))
    fail_msg("%s", e.text);
  recorded.name = name;
  return &recorded.findings;
}

static double set_check(const struct steps_set *set, const char *doc, double *error) {
  static struct rests r;
  struct text row = {0};
  double within = 0;
  rests_of(&r, set, recorded_of(set->run));
  for (size_t i = 0; i < r.n; i++)
    within += r.part[i] <= 0.15;
  double median = stats_percentile(r.part, r.n, 50);
  *error = stats_percentile(r.error, r.steps, 90);
  text_printf(&row, "| %s | %zu | %.0f %% | %.0f %% | %zu | %.1f %% |", set->title, r.n, 100 * median,
              100 * within / (double)r.n, r.steps, 100 * *error);
  if (!strstr(doc, row.s))
    print_error("docs/model.md has no row %s\n", row.s), median = 1;
  text_release(&row);
  return median;
}

static void shares_and_rest(void **state) {
  struct err e = {0};
  char *doc = NULL;
  size_t bytes = 0;
  double median[sizeof SETS / sizeof SETS[0]], error[sizeof SETS / sizeof SETS[0]];
  (void)state;
  if (file_read(TEST_SOURCE_DIR "/docs/model.md", 1 << 20, &doc, &bytes, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < sizeof SETS / sizeof SETS[0]; i++)
    median[i] = set_check(&SETS[i], doc, &error[i]);
  recorded_release();
  free(doc);
  assert_true(median[0] <= 0.15 && median[1] < 1 && median[2] < 1);
  assert_float_equal(causes_error, error[0], 0.005); /* of the fitted ladders */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shares_and_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
