/* Diagnoses, static diagnoses, steps and scores of tests/golden/small.json against tests/golden/texts/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/rules/static.h"
#include "analysis/story/story.h"
#include "reports/compare/change_text.h"
#include "reports/text/compiled_text.h"
#include "reports/text/diagnose.h"
#include "reports/text/report.h"
#include "reports/text/score_text.h"
#include "reports/text/static_text.h"
#include "reports/text/steps.h"
#include "unit/golden_file.h"
#include "unit/small_run.h"

static void diagnoses(void **state) {
  struct small_run *x = *state;
  struct diagnosis d[32];
  struct report_diagnosis shown[32];
  struct text out = {0};
  size_t n = x->findings.n / 2; /* those of one shape */
  assert_in_range(n, 4, 32);
  for (size_t i = 0; i < n; i++) {
    diagnosis_make(&d[i], &x->findings, &x->findings.items[i]);
    shown[i] = (struct report_diagnosis){&x->findings, &x->findings.items[i], &d[i]};
    report_diagnose_term(&shown[i], 1, &(struct report_diagnose_options){.lines = 2, .all = i % 2}, &out);
    text_add(&out, "\n---\n");
  }
  check_golden("texts/diagnose.txt", &out);
  report_diagnose_json(shown, n, &out);
  check_golden("texts/diagnose.json", &out);
  for (size_t i = 0; i < n; i++)
    diagnosis_release(&d[i]);
}

/* Of what stands below the first, without evidence; below the third, the saving alone, the most first: plain ones, one that may save up to so much, and last one that
 * has no number. */
static void savings_in_short(void **state) {
  static const struct rule rule = {.name = "a-rule", .title = "a cause"};
  struct small_run *x = *state;
  double time_s = x->findings.items[0].time.middle;
  struct advice items[7];
  struct text out = {0};
  for (size_t i = 0; i < 7; i++)
    items[i] = (struct advice){.rule = &rule, .told.remedy = "what to do", .told.sentence = "what is wrong"};
  items[2].told.unpriced = items[5].told.unpriced = true;
  items[2].behind = items[5].behind = "elsewhere";
  items[1].price.saves_s = items[4].price.saves_s = 0.1 * time_s;
  items[1].price.high_s = items[4].price.high_s = 0.102 * time_s;
  items[3].price.saves_s = 0.12 * time_s; /* more than the second: why it stands behind that is said, in short */
  items[3].behind = "after the others, for a reason";
  items[3].price.high_s = 0.2 * time_s;
  items[6].price.saves_s = items[6].price.high_s = 0.1 * time_s;
  items[6].price.up_to = true;
  struct diagnosis d = {.finding = &x->findings.items[0], .items = items, .n = 7, .hot.reason = "no samples"};
  struct report_diagnosis shown = {&x->findings, d.finding, &d};
  report_diagnose_term(&shown, 1, &(struct report_diagnose_options){.lines = 2}, &out);
  const char *said = strstr(
      text_str(&out), "\n2. a cause [a-rule]: may save 10 % of the time\n"
                      "   what is wrong\n   remedy: what to do\n"
                      "3. a cause [a-rule]: no estimate of the saving (elsewhere)\n"
                      "   what is wrong\n   remedy: what to do\n"
                      "also may save, the most first (in full: --all): [a-rule] 12 % of the time (after the others), "
                      "[a-rule] 10 %, [a-rule] up to 10 %, [a-rule] no estimate\n");
  assert_non_null(said);
  text_release(&out);
  report_diagnose_term(&shown, 1, &(struct report_diagnose_options){.lines = 2, .all = true}, &out);
  assert_non_null(strstr(text_str(&out), "\n7. a cause [a-rule]: may save up to "));
  assert_null(strstr(text_str(&out), "also may save"));
  text_release(&out);
  d.n = 3;
  report_diagnose_term(&shown, 1, &(struct report_diagnose_options){.lines = 2}, &out);
  assert_null(strstr(text_str(&out), "also may save"));
  text_release(&out);
}

/* 4 MB in 2 us are half of the L2's rate; of the busiest slice 1000 sectors in 1 us.  At the L2's rate nothing is said. */
static void rates_of_rows(void **state) {
  struct small_run *x = *state;
  static struct ceiling l2 = {.name = (char *)"l2_bw", .unit = (char *)"B/s", .value = 4e12},
                        atomics = {.name = (char *)"red_32_addresses", .unit = (char *)"lane/s", .value = 8e9};
  for (int i = 0; i < 2; i++) {
    struct finding f = x->findings.items[0];
    struct bounds *b = &f.bounds;
    struct diagnosis d = {.finding = &f, .hot.reason = "no samples"};
    struct report_diagnosis shown = {&x->findings, &f, &d};
    struct text out = {0};
    f.n_doubts = 0;
    b->ceiling[BOUND_L2] = &l2;
    b->ceiling[BOUND_ATOMICS] = &atomics;
    b->work.l2_read = value_of(i ? 8e6 : 3e6);
    b->work.l2_write = value_of(i ? 0 : 1e6);
    b->work.atomic_cycles_max = value_of(1000);
    b->seconds[BOUND_L2] = b->model.least[BOUND_L2] = value_of(2e-6);
    b->seconds[BOUND_ATOMICS] = b->model.least[BOUND_ATOMICS] = value_of(1e-6);
    report_diagnose_term(&shown, 1, &(struct report_diagnose_options){.lines = 2, .all = true}, &out);
    const char *mix = strstr(text_str(&out), i ? "for its mix of requests" : "; 2.00 for its mix of requests\n");
    assert_true(i ? !mix : mix != NULL);
    assert_non_null(strstr(text_str(&out), "; the busiest slice's 1.00 G sectors/s\n"));
    text_release(&out);
  }
}

/* Without a time no row has a part of it, and no bound is named. */
static void parts_of_no_time(void **state) {
  struct small_run *x = *state;
  struct finding f = x->findings.items[0];
  struct diagnosis d = {.finding = &f, .hot.reason = "no samples"};
  struct report_diagnosis shown = {&x->findings, &f, &d};
  struct text out = {0};
  f.n_doubts = 0;
  f.timed = false;
  f.time_reason = "there are no timing samples";
  f.bounds.whole = f.bounds.share = f.bounds.explained = value_absent("no time");
  f.bounds.seconds[BOUND_L2] = f.bounds.model.least[BOUND_L2] = value_of(2e-6);
  report_diagnose_term(&shown, 1, &(struct report_diagnose_options){.lines = 2, .all = true}, &out);
  assert_non_null(strstr(text_str(&out), ": no time (there are no timing samples)"));
  assert_null(strstr(text_str(&out), "\nbound: "));
  const char *row = strstr(text_str(&out), "\nl2 "), *least = row ? strstr(row, "2.00 ") : NULL;
  assert_non_null(least);
  least += strlen("2.00");
  assert_memory_equal(least + strspn(least, " "), "–", strlen("–"));
  text_release(&out);
}

static void code_that_was_not_run(void **state) {
  struct small_run *x = *state;
  struct static_code codes[3];
  struct text out = {0};
  size_t n = 0;
  for (size_t i = 0; i < x->run.n_results && n < 3; i++)
    if (x->run.results[i].module >= 0 && x->run.results[i].module != (n ? codes[n - 1].result->module : -1)) {
      const struct run_result *r = &x->run.results[i];
      assert_int_equal(static_code_make(&codes[n], &x->run, r, r->n_launches ? r->launches : NULL, &x->device, NULL),
                       0);
      report_code_term(&codes[n++], &out, 0, false);
      text_add(&out, "\n---\n");
    }
  assert_int_equal(n, 3);
  report_code_json(codes, n, &out);
  text_add(&out, "---\n");
  report_codes_table(codes, n, "kernels.cubin", &out, 0, false);
  /* a cluster, code that was not read to its end, and what is not known */
  struct run_launch launch = *codes[0].launch;
  struct run_kernel kernel = *codes[0].kernel;
  launch.cluster[0] = 2;
  launch.cluster[1] = launch.cluster[2] = 1;
  kernel.spill_store_bytes = 16;
  kernel.spill_load_bytes = 24;
  codes[0].launch = &launch;
  codes[0].kernel = &kernel;
  codes[0].occupied = (struct value){.reason = "its blocks do not fit"};
  codes[0].code.unknown = 3;
  codes[1].launch = NULL;
  codes[1].binding = BOUND_KINDS;
  codes[1].n_advice = 0;
  codes[1].insts_per_byte = codes[1].bytes = (struct value){.reason = "nothing is loaded"};
  for (size_t i = 0; i < 2; i++) {
    text_add(&out, "---\n");
    report_code_term(&codes[i], &out, 0, true);
  }
  text_add(&out, "---\n");
  report_codes_table(codes + 1, n - 1, "kernels.cubin", &out, 0, false);
  check_golden("texts/static.txt", &out);
  for (size_t i = 0; i < n; i++)
    static_code_release(&codes[i]);
}

static void steps(void **state) {
  struct small_run *x = *state;
  struct story_step told[32];
  struct text out = {0};
  size_t n = 0;
  for (size_t i = 0; i < x->story.n_rungs; i++)
    if (x->story.rungs[i].parent && !x->story.rungs[i].untold)
      told[n++] = x->story.rungs[i].told;
  assert_in_range(n, 1, 32);
  report_steps_term(&x->findings, told, n, true, &out, 0, false);
  text_add(&out, "\n---\n");
  report_steps_json(&x->findings, told, n, &out);
  text_add(&out, "---\n");
  report_measured_change(&x->findings, told, n, &x->run, &out, 0, false);
  check_golden("texts/steps.txt", &out);
}

static void what_rungs_cure(void **state) {
  struct small_run *x = *state;
  struct text out = {0};
  for (size_t i = 0; i < x->story.n_cures; i++) {
    report_score_term(&x->story.cures[i], NULL, &out, 0, false);
    text_add(&out, "\n---\n");
    report_score_json(&x->story.cures[i], &out);
  }
  check_golden("texts/cures.txt", &out);
}

static void what_was_compiled(void **state) {
  struct small_run *x = *state;
  struct text out = {0};
  struct run after = x->run;
  report_compiled_term(&x->run, &out, 0, false);
  text_add(&out, "\n---\n");
  struct run_module *modules = calloc(after.n_modules, sizeof *modules);
  struct run_kernel heavy = x->run.modules[0].kernels[0];
  assert_non_null(modules);
  memcpy(modules, after.modules, after.n_modules * sizeof *modules);
  heavy.registers += 7;
  heavy.smem_static += 64;
  heavy.spill_load_bytes = 12;
  struct run_instruction sass[] = {{.text = (char *)"LDG R0"}, {.text = (char *)"EXIT"}, {.text = (char *)"NOP"}};
  heavy.sass = sass; /* two: the NOP fills */
  heavy.n_sass = 3;
  modules[0].kernels = &heavy;
  after.modules = modules;
  for (int json = 0; json < 2; json++) {
    report_compiled_change(&x->run, &after, json, &out, 0, false);
    text_add(&out, "\n---\n");
  }
  struct run_result none = x->run.results[0]; /* it did not compile */
  none.module = -1;
  none.check.reason = (char *)"made.cu(7): error: no such thing\nand more";
  after.results = &none;
  after.n_results = 1;
  report_compiled_term(&after, &out, 0, false);
  report_compiled_json(&after, "sm_90a", &out);
  report_compiled_json(&x->run, "sm_90a", &out);
  check_golden("texts/compiled.txt", &out);
  free(modules);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, small_run_setup, small_run_teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(diagnoses),        CASE(savings_in_short),      CASE(rates_of_rows),
      CASE(parts_of_no_time), CASE(code_that_was_not_run), CASE(steps),
      CASE(what_rungs_cure),  CASE(what_was_compiled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
