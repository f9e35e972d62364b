/* What is told of kernels of a program that have no counters: why, and the command that counts them. */
#include "reports/text/answer_text.h"
#include "reports/text/diagnose.h"
#include "reports/text/report.h"
#include "reports/words/program_text.h"
#include "unit/made_program.h"

#include <stdio.h>

static void more_than_a_screen_has(void **state) {
  static char ids[13][24];
  struct kernels x;
  struct text out = {0};
  (void)state;
  memset(&x, 0, sizeof x);
  made_begin(&x.m);
  for (int i = 0; i < 13; i++) {
    snprintf(ids[i], sizeof ids[i], "k%d(int)", i);
    kernel(&x, ids[i], 1, "1000000", "0.0625", 1000, 1);
  }
  find(&x, NULL);
  report_answer_term(&x.answer, &(struct report_answer_options){0}, &out);
  has(&out, "\n12 of 13 kernels of the program, 75.0 % of its GPU time, 12.0 ms\n");
  has(&out, "\n1 more: --table\n");
  has(&out, "\nmost time k0(int): 6 % of the GPU time, 1 call\n");
  text_release(&out);
  end(&x);
}

/* The command that the answer tells to run next. */
static void next_is(const char *command, const char *want) {
  struct kernels x;
  struct text out = {0};
  begin(&x);
  x.m.run.command = (char *)command;
  find(&x, NULL);
  report_answer_term(&x.answer, &(struct report_answer_options){.run_file = "r.json"}, &out);
  has(&out, want);
  text_release(&out);
  end(&x);
}

/* Which command counts kernel `at` of three, of which the second has counters or none has; NULL:
 * no command. */
static void next_of_kernel_is(const char *command, bool others, size_t at, const char *want) {
  struct kernels x;
  struct text out = {0};
  begin(&x);
  x.m.run.command = (char *)command;
  find(&x, NULL);
  if (others)
    x.findings.items[1].bounds.binding = BOUND_L1;
  assert_int_equal(program_again_for(&x.findings, &x.findings.items[at], &out), want != NULL);
  assert_string_equal(text_str(&out), want ? want : "");
  text_release(&out);
  end(&x);
}

static void a_kernel_that_others_kept_out(void **state) {
  (void)state;
  next_of_kernel_is("nvfp4-prof attach -- ./a", true, 0, "nvfp4-prof attach --two-runs -- ./a");
  next_of_kernel_is("nvfp4-prof attach -- ./a", true, 1, NULL);
  next_of_kernel_is("nvfp4-prof attach --two-runs -- ./a", true, 0,
                    "nvfp4-prof attach --coverage 100 --two-runs -- ./a");
  next_of_kernel_is("nvfp4-prof attach --two-runs -- ./a", true, 1, NULL);
  next_of_kernel_is("nvfp4-prof attach --two-runs -- ./a", false, 0, NULL);
  next_of_kernel_is("nvfp4-prof attach --two-runs --top 1 -- ./a", true, 0, NULL);
  next_of_kernel_is("nvfp4-prof attach --coverage 95 --two-runs -- ./a", true, 0, NULL);
  next_of_kernel_is("nvfp4-prof attach --kernel x -- ./a --two-runs", true, 0, NULL);
  next_of_kernel_is(NULL, true, 0, NULL);
}

/* The reason and the command that counts it, once, in the brief; a share of the GPU time in
 * both. */
static void kernels_without_counters(void **state) {
  static const struct {
    const char *note, *want;
  } rows[] = {
      {NULL, "\n  no counters were collected, so no bound is known: kernels of more GPU time were counted first\n"},
      {"the program ended before its hot kernels were counted: counters cover 3 %",
       "\n  no counters were collected, so no bound is known: the program ended before its hot kernels were counted\n"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static char command[] = "nvfp4-prof attach -- ./a";
    char *notes[] = {(char *)rows[i].note};
    struct kernels x;
    struct text out = {0}, full = {0};
    begin(&x);
    x.m.run.command = command;
    x.m.run.notes = notes;
    x.m.run.n_notes = rows[i].note != NULL;
    made_metric(&x.m.results[1], "l1_wavefronts", 1e4);
    find(&x, NULL);
    struct diagnosis d[2];
    struct report_diagnosis shown[2];
    for (size_t k = 0; k < 2; k++) {
      const struct finding *f = &x.findings.items[2 * k];
      diagnosis_make(&d[k], &x.findings, f);
      shown[k] = (struct report_diagnosis){&x.findings, f, &d[k]};
    }
    report_brief_term(shown, 2, &out);
    has(&out, rows[i].want);
    has(&out, "\nvec_add(float*): 10.00 µs, 5.0 % of the GPU time\n");
    const char *next = "\nnext: nvfp4-prof attach --two-runs -- ./a\n";
    has(&out, next);
    assert_null(strstr(strstr(text_str(&out), next) + 2, "next: "));
    report_diagnose_term(&shown[0], 1, &(struct report_diagnose_options){0}, &full);
    has(&full, ", 5.0 % of the GPU time\n");
    has(&full, "\nnext      nvfp4-prof attach --two-runs -- ./a\n");
    for (size_t k = 0; k < 2; k++)
      diagnosis_release(&d[k]);
    text_release(&out);
    text_release(&full);
    end(&x);
  }
}

static int times(const struct text *t, const char *s) {
  int n = 0;
  for (const char *at = text_str(t); (at = strstr(at, s)); at++)
    n++;
  return n;
}

/* Idle, ended, replayed: above the advice, in brief and in full. */
static void what_a_reader_must_know_first(void **state) {
  static const char
      idle[] =
          "\nthe GPU runs no kernel for 96 % of the time (2 % in gaps of 50 µs or less, as launching leaves): look first at what the program does "
          "there (allocations, blocking copies, synchronisation, work on the CPU); all kernels together take 4 %\n",
      ended[] = "\nthe run is partial: the process did not finish: its last moments may be missing\n",
      replayed[] =
          "counters are of one launch, replayed with warm caches: it may take more from DRAM than is said here\n";
  (void)state;
  for (int told = 0; told < 2; told++) {
    char *notes[] = {(char *)"the process did not finish: its last moments may be missing"};
    struct run_key keys[KEYS + 1];
    struct kernels x;
    struct diagnosis d;
    struct text brief = {0}, full = {0};
    begin(&x);
    memcpy(keys, x.keys[0], sizeof x.keys[0]);
    keys[x.m.variants[0].n_keys] = (struct run_key){
        (char *)"counted", (char *)(told ? "1 launches, replayed, warm" : "12 launches, one pass each")};
    x.m.variants[0].keys = keys;
    x.m.variants[0].n_keys++;
    x.m.run.process.idle = (struct run_idle){told ? 0.96 : 0.2, 0.02};
    x.m.run.partial = told;
    x.m.run.partial_reason = told ? (char *)"the process did not finish" : NULL;
    x.m.run.notes = notes;
    x.m.run.n_notes = 1;
    find(&x, NULL);
    diagnosis_make(&d, &x.findings, &x.findings.items[0]);
    struct report_diagnosis shown = {&x.findings, &x.findings.items[0], &d};
    report_brief_term(&shown, 1, &brief);
    report_diagnose_term(&shown, 1, &(struct report_diagnose_options){0}, &full);
    for (int of = 0; of < 2; of++) {
      const char *s = text_str(of ? &full : &brief);
      assert_int_equal(strstr(s, idle) != NULL, told);
      assert_int_equal(strstr(s, ended) != NULL, told);
      assert_int_equal(strstr(s, replayed) != NULL, told);
    }
    text_release(&full);
    /* Of the run once, of each kernel each time. */
    report_diagnose_term((struct report_diagnosis[]){shown, shown}, 2,
                         &(struct report_diagnose_options){.shapes_whole = true}, &full);
    assert_int_equal(times(&full, idle), told);
    assert_int_equal(times(&full, ended), told);
    assert_int_equal(times(&full, replayed), 2 * told);
    text_release(&brief);
    text_release(&full);
    diagnosis_release(&d);
    x.m.run.notes = NULL;
    x.m.run.n_notes = 0;
    end(&x);
  }
}

static void the_program_again_with_counters(void **state) {
  static const char diagnose[] = "\nnext      nvfp4-prof diagnose r.json\n";
  (void)state;
  next_is("nvfp4-prof attach -- ./a --top 3", "\nnext      nvfp4-prof attach --two-runs -- ./a --top 3\n");
  next_is("nvfp4-prof attach --out x --top 0 -- ./a", "\nnext      nvfp4-prof attach --two-runs --out x -- ./a\n");
  next_is("nvfp4-prof attach --top 0 --out x -- ./a", "\nnext      nvfp4-prof attach --two-runs --out x -- ./a\n");
  next_is("nvfp4-prof attach -- ./a --top 0 b", "\nnext      nvfp4-prof attach --two-runs -- ./a --top 0 b\n");
  next_is("nvfp4-prof attach --top 5 -- ./a", diagnose);
  next_is("nvfp4-prof attach --two-runs -- ./a", diagnose);
  next_is("nvfp4-prof attach --kernel x -- ./a", diagnose);
  next_is("nvfp4-prof attach -k x -- ./a", diagnose);
  next_is("nvfp4-prof attach --nvtx x -- ./a", diagnose);
  next_is("nvfp4-prof attach --by-range -- ./a", diagnose);
  next_is("nvfp4-prof attach ./a", diagnose);
  next_is("nvfp4-prof import -- ./a", diagnose);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(more_than_a_screen_has),          cmocka_unit_test(what_a_reader_must_know_first),
      cmocka_unit_test(the_program_again_with_counters), cmocka_unit_test(a_kernel_that_others_kept_out),
      cmocka_unit_test(kernels_without_counters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
