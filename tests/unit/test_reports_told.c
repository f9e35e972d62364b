/* What is told of tests/golden/small.json on a terminal and to a program, against tests/golden/texts/: the answer, the brief, tables, lines of code,
 * another chip, the score, two runs side by side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/pair.h"
#include "analysis/ladder/cured.h"
#include "analysis/ladder/projected.h"
#include "analysis/ladder/score.h"
#include "analysis/model/hot.h"
#include "analysis/story/answer.h"
#include "reports/page/page.h"
#include "reports/text/annotate.h"
#include "reports/text/answer_text.h"
#include "reports/text/diagnose.h"
#include "reports/text/projected_text.h"
#include "reports/text/report.h"
#include "reports/text/score_text.h"
#include "reports/words/view.h"
#include "unit/golden_file.h"

struct side {
  struct run run;
  struct device device;
  struct findings findings;
};

static void side_make(struct side *x) {
  struct err e = {0};

  if (run_load(&x->run, TEST_SOURCE_DIR "/tests/golden/small.json", &e) != 0 ||
      device_from_run(&x->device, &x->run.device, &e) != 0 || findings_make(&x->findings, &x->run, &x->device, &e) != 0)
    fail_msg("%s", e.text);
}

static void side_release(struct side *x) {
  findings_release(&x->findings);
  device_release(&x->device);
  run_release(&x->run);
}

static void next(struct text *out, const char *what) {
  text_printf(out, "\n--- %s ---\n", what);
}

static void answers(void **state) {
  struct side x = {0};
  struct answer a = {0};
  struct text out = {0};
  bool keep[64] = {0};

  (void)state;
  side_make(&x);
  answer_make(&a, &x.findings, NULL);
  report_answer_origin(&x.run, &out, 0);
  report_answer_term(&a, &(struct report_answer_options){.run_file = "small.json"}, &out);
  next(&out, "narrow");
  report_answer_term(&a, &(struct report_answer_options){.width = 60}, &out);
  next(&out, "quiet");
  report_answer_term(&a, &(struct report_answer_options){.quiet = true}, &out);
  answer_release(&a);
  keep[1] = true;
  answer_make(&a, &x.findings, keep);
  next(&out, "of one");
  report_answer_term(&a, &(struct report_answer_options){.width = 100}, &out);
  answer_release(&a);
  check_golden("texts/answer.txt", &out);
  side_release(&x);
}

static void tables(void **state) {
  struct side x = {0};
  struct text out = {0};

  (void)state;
  side_make(&x);
  report_tables_term(&x.findings, &(struct report_term_options){.all_shapes = true}, &out);
  next(&out, "the first shape");
  report_tables_term(&x.findings, &(struct report_term_options){.width = 80}, &out);
  next(&out, "counters");
  export_metrics(&x.run, &out);
  check_golden("texts/tables.txt", &out);
  side_release(&x);
}

static void briefs_and_lines(void **state) {
  struct side x = {0};
  struct diagnosis d[32];
  struct report_diagnosis shown[32];
  struct text out = {0};

  (void)state;
  side_make(&x);
  assert_in_range(x.findings.n, 4, 32);
  for (size_t i = 0; i < x.findings.n; i++) {
    diagnosis_make(&d[i], &x.findings, &x.findings.items[i]);
    shown[i] = (struct report_diagnosis){&x.findings, &x.findings.items[i], &d[i]};
  }
  report_brief_term(shown, x.findings.n, &out);
  assert_in_range(out.n, 500, BRIEF_BYTES);
  next(&out, "JSON");
  size_t before = out.n;
  report_brief_json(shown, x.findings.n, &out);
  assert_in_range(out.n - before, 500, BRIEF_BYTES);
  for (size_t i = 0; i < x.findings.n; i++) {
    struct hot h = {0};
    hot_make(&h, &x.run, x.findings.items[i].result);
    if (h.n_lines) {
      next(&out, shown[i].finding->variant->id);
      report_annotate(&h, &(struct report_annotate_options){.width = 120, .whole = i % 2}, &out);
    }
    hot_release(&h);
    diagnosis_release(&d[i]);
  }
  check_golden("texts/brief.txt", &out);
  side_release(&x);
}

static void on_another_chip(void **state) {
  struct side x = {0};
  struct device to = {0};
  struct projected p = {0};
  struct text out = {0};

  (void)state;
  side_make(&x);
  assert_int_equal(device_load(&to, "b200", NULL), 0);
  projected_make(&p, &x.findings, &to, NULL);
  report_projected_term(&p, &x.findings, &out, 0, false);
  next(&out, "JSON");
  report_projected_json(&p, &x.findings, &out);
  next(&out, "other code of a rung, and what is published");
  p.rungs[1].path_there = "cvt";
  p.rungs[1].ladder = "another";
  p.rungs[1].published_step = (struct value){.present = true, .v = 0.125};
  p.n_published = 10;
  p.n_inside = 7;
  p.n_other_steps = 2;
  p.n_other_times = 3;
  p.n_other_inside = 1;
  report_projected_term(&p, &x.findings, &out, 0, true);
  check_golden("texts/projected.txt", &out);
  projected_release(&p);
  device_release(&to);
  side_release(&x);
}

static void item(void *context, const char *line) {
  text_printf(context, "- %s\n", line);
}

static void setting_add(const struct findings *f, struct text *out) {
  struct table *t = prose_setting(f);
  table_term(t, out, 0, false);
  table_free(t);
  prose_limits(f, item, out);
}

/* What was measured where, whole and with what a run of others leaves out; and what was collected. */
static void the_setting(void **state) {
  struct side x = {0};
  struct text out = {0};
  struct run_metric fixed = {.name = (char *)"fixed_ns", .present = true, .value = 1},
                    counted = {.name = (char *)"inst_executed", .present = true, .value = 1};
  struct run_sample sample = {.samples = 1};
  (void)state;
  side_make(&x);
  setting_add(&x.findings, &out);
  next(&out, "problem not declared");
  struct run run = *x.findings.run;
  struct findings f = x.findings;
  struct run_result r = {0};
  struct finding one = {.result = &r};
  run.device = (struct run_device){.memory_clock_hz = 2e9};
  run.origin = ORIGIN_PUBLISHED;
  run.partial = true;
  run.partial_reason = run.l2 = run.inputs = NULL;
  run.flush_bytes = 0;
  run.seed = 0;
  f.run = &run;
  setting_add(&f, &out);
  next(&out, "collected");
  f.items = &one;
  f.n = 1;
  for (int i = 0; i < 8; i++) { /* a time, samples, and a counter or what is none */
    one.timed = i & 1;
    r.samples = &sample;
    r.n_samples = (i & 2) != 0;
    r.metrics = i & 4 ? &counted : &fixed;
    r.n_metrics = 1;
    text_printf(&out, "%s\n", view_tier(&f));
  }
  check_golden("texts/setting.txt", &out);
  side_release(&x);
}

static void scores(void **state) {
  struct side x = {0};
  struct label *labels = NULL;
  struct score s = {0};
  struct text out = {0};
  size_t n = 0;

  (void)state;
  side_make(&x);
  labels_of_steps(&labels, &n, &x.findings);
  score_make(&s, &x.findings, labels, n);
  report_score_term(&s, NULL, &out, 0, false);
  next(&out, "JSON");
  report_score_json(&s, &out);
  check_golden("texts/score.txt", &out);
  score_release(&s);
  free(labels);
  side_release(&x);
}

/* The second run's times are a tenth longer, but for one variant, which it lacks. */
static void two_runs(void **state) {
  struct side a = {0}, b = {0};
  struct pair p = {0};
  struct text out = {0};

  (void)state;
  side_make(&a);
  side_make(&b);
  findings_release(&b.findings);
  for (size_t i = 0; i < b.run.n_results; i++) {
    struct run_result *r = &b.run.results[i];
    for (size_t k = 0; k < r->timing.n; k++)
      r->timing.samples_ns[k] *= 1.1;
    if (r->variant == 1)
      r->timing.n = 0;
  }
  assert_int_equal(findings_make(&b.findings, &b.run, &b.device, NULL), 0);
  pair_make(&p, &a.findings, &b.findings);
  report_pair_term(&p, &out, 0, false);
  next(&out, "JSON");
  report_pair_json(&p, &out);
  check_golden("texts/pair.txt", &out);
  pair_release(&p);
  side_release(&a);
  side_release(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers),         cmocka_unit_test(tables), cmocka_unit_test(briefs_and_lines),
      cmocka_unit_test(on_another_chip), cmocka_unit_test(scores), cmocka_unit_test(two_runs),
      cmocka_unit_test(the_setting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
