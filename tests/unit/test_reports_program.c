/* How a program's kernels are told, those that attach saw: names, tables, the answer, of a run made by hand. */
#include "reports/text/answer_text.h"
#include "reports/text/brief_text.h"
#include "reports/text/diagnose.h"
#include "reports/text/program_text.h"
#include "reports/text/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "unit/made_run.h"
#include "unit/page_words.h"

static const struct shape NONE = {0, 0, 0};

enum { KEYS = 3 };
struct kernels {
  struct made_run m;
  struct run_key keys[MADE_VARIANTS][KEYS];
  char values[MADE_VARIANTS][KEYS][16];
  struct findings findings;
  struct answer answer;
};

static struct run_result *kernel(struct kernels *x, const char *id, int calls, const char *total_ns, const char *share,
                                 double mean_us, unsigned grid) {
  static const char *const names[] = {"launches", "gpu_time_ns", "gpu_time_share"};
  size_t at = x->m.run.n_variants;
  struct run_variant *v = made_variant(&x->m, id, NULL, NULL);
  struct run_result *r = made_result(&x->m, id, NONE);
  snprintf(x->values[at][0], sizeof x->values[at][0], "%d", calls);
  snprintf(x->values[at][1], sizeof x->values[at][1], "%s", total_ns);
  snprintf(x->values[at][2], sizeof x->values[at][2], "%s", share ? share : "");
  for (size_t k = 0; k < KEYS; k++)
    x->keys[at][k] = (struct run_key){(char *)names[k], x->values[at][k]};
  v->keys = x->keys[at];
  v->n_keys = share ? KEYS : KEYS - 1;
  r->n_launches = 1;
  r->launches->grid[0] = grid;
  r->launches->grid[1] = r->launches->grid[2] = 1;
  r->check.verdict = VERDICT_UNCHECKED;
  if (mean_us > 0)
    made_time(r, mean_us * 1e3, 5);
  return r;
}

/* Of 4 ms: the shorter of two gemms, which differ in their grids, then an addition; no kernel was counted. */
static void begin(struct kernels *x) {
  memset(x, 0, sizeof *x);
  made_begin(&x->m);
  x->m.device.sms = 10;
  x->m.run.device.name = (char *)"NVIDIA H200";
  kernel(x, "vec_add(float*)", 20, "200000", "0.05", 10, 7);
  kernel(x, "void ns::gemm<float, 4>(float const*)", 300, "3000000", "0.75", 10.25, 128);
  kernel(x, "void ns::gemm<half, 2>(half const*)", 1, "600000", "0.15", 600, 64);
}

static void find(struct kernels *x, const bool *keep) {
  struct err e = {0};
  if (findings_make(&x->findings, &x->m.run, &x->m.device, &e) != 0 ||
      answer_make(&x->answer, &x->findings, keep, &e) != 0)
    fail_msg("%s", e.text);
}

static void end(struct kernels *x) {
  answer_release(&x->answer);
  findings_release(&x->findings);
}

static void has(const struct text *out, const char *part) {
  if (!out->s || !strstr(out->s, part))
    fail_msg("\"%s\" is not in\n%s", part, out->s ? out->s : "(nothing)");
}

/* By the GPU time of all calls: 300 short ones take five times as long as one of 600 us. */
static void brief_shares(void **state) {
  (void)state;
  struct kernels x;
  struct report_diagnosis shown[MADE_VARIANTS];
  struct diagnosis d[MADE_VARIANTS];
  struct text out = {0};
  begin(&x);
  find(&x, NULL);
  for (size_t i = 0; i < x.findings.n; i++) {
    assert_int_equal(diagnosis_make(&d[i], &x.findings, &x.findings.items[i], NULL), 0);
    shown[i] = (struct report_diagnosis){&x.findings, &x.findings.items[i], &d[i]};
  }
  report_brief_term(shown, x.findings.n, &out);
  has(&out, "vec_add(float*): 10.00 µs, 5.0 % of the GPU time");
  has(&out, "void ns::gemm<float, 4>(float const*): 10.25 µs, 75 % of the GPU time");
  has(&out, "void ns::gemm<half, 2>(half const*): 600.0 µs, 15 % of the GPU time");
  text_release(&out);
  report_brief_json(shown, x.findings.n, &out);
  has(&out, "\"share\": 0.75");
  text_release(&out);
  for (size_t i = 0; i < x.findings.n; i++)
    diagnosis_release(&d[i]);
  end(&x);
}

static void calls_and_share(void **state) {
  struct kernels x;
  struct text out = {0};
  (void)state;
  begin(&x);
  assert_true(program_words(&x.m.variants[1], &out));
  text_add(&out, "; ");
  assert_true(program_words(&x.m.variants[0], &out));
  x.m.variants[2].n_keys = 2; /* the run does not say the whole time */
  text_add(&out, "; ");
  assert_true(program_words(&x.m.variants[2], &out));
  assert_string_equal(text_str(&out), "300 calls, 75 % of the GPU time; 20 calls, 5.0 % of the GPU time; 1 call");
  text_release(&out);
  x.m.variants[2].n_keys = 1; /* nor its own */
  assert_false(program_words(&x.m.variants[2], &out));
  assert_string_equal(text_str(&out), "");
}

static void the_most_time_first(void **state) {
  struct kernels x;
  struct program_shown s;
  (void)state;
  begin(&x);
  find(&x, NULL);
  s = program_shown_of(&x.findings);
  assert_int_equal(s.n, 3);
  assert_ptr_equal(s.items[0], &x.findings.items[1]);
  assert_ptr_equal(s.items[1], &x.findings.items[2]);
  assert_ptr_equal(s.items[2], &x.findings.items[0]);
  program_shown_release(&s);
  end(&x);
}

/* Half a tick of 32 ns is 0.16 % of 10 us; of 600 us it is no digit's worth. */
static void a_row_a_kernel(void **state) {
  struct kernels x;
  struct text out = {0};
  (void)state;
  begin(&x);
  kernel(&x, "never_timed(int)", 2, "1000", "0.0002", 0, 1);
  find(&x, NULL);
  report_tables_markdown(&x.findings, &out);
  assert_string_equal(text_str(&out),
                      "**Kernels of the program**\n\n"
                      "| kernel | calls | total (ms) | of GPU (%) | mean (µs) | ± (%) | bound | nearest roof |\n"
                      "|---|---:|---:|---:|---:|---:|---|---|\n"
                      "| void ns::gemm&lt;float, 4>(float const\\*) | 300 | 3.000 | 75.0 | 10.25 | 0.16 | – | – |\n"
                      "| void ns::gemm&lt;half, 2>(half const\\*) | 1 | 0.6000 | 15.0 | 600.0 | <0.1 | – | – |\n"
                      "| vec_add(float\\*) | 20 | 0.2000 | 5.00 | 10.00 | 0.16 | – | – |\n"
                      "| never_timed(int) | 2 | 0.001000 | 0.0200 | – | – | – | – |\n");
  text_release(&out);
  end(&x);
}

static void name_is(const struct kernels *x, int width, size_t row, const char *want) {
  struct program_shown s = program_shown_of(&x->findings);
  struct program_names names = {.width = width};
  struct table *t = program_table(&s, &names);
  struct text out = {0};
  table_csv(t, &out); /* whole names */
  text_release(&out);
  table_markdown(t, &out);
  const char *line = text_str(&out);
  for (size_t i = 0; i < row + 2; i++)
    line = strchr(line, '\n') + 1;
  if (strncmp(line, "| ", 2) != 0 || strncmp(line + 2, want, strlen(want)) != 0 ||
      strncmp(line + 2 + strlen(want), " |", 2) != 0)
    fail_msg("row %zu is not %s:\n%s", row, want, text_str(&out));
  text_release(&out);
  table_free(t);
  program_shown_release(&s);
}

/* What the same names are told apart by: template arguments that have room, grids where all differ, else numbers in the order of rows. */
static void short_names_stay_unique(void **state) {
  struct kernels x;
  (void)state;
  begin(&x);
  find(&x, NULL);
  name_is(&x, 80, 0, "gemm&lt;float, 4>");
  name_is(&x, 80, 1, "gemm&lt;half, 2>");
  name_is(&x, 80, 2, "vec_add");
  end(&x);
  kernel(&x, "void ns::gemm<std::array<half, 8>, 2>(half const*)", 1, "500000", "0.125", 500, 64);
  find(&x, NULL);
  name_is(&x, 80, 1, "gemm&lt;half, 2>");
  name_is(&x, 90, 2, "gemm&lt;std::array&lt;half, 8>, 2>"); /* 28 characters */
  name_is(&x, 80, 2, "gemm #3");                            /* fewer have room, and two have a grid of 64 */
  end(&x);
  begin(&x);
  kernel(&x, "void ns::sum<float>(float*)", 1, "500000", "0.125", 500, 128);
  kernel(&x, "void ns::sum<float>(float*, int)", 1, "400000", "0.1", 500, 64); /* the same arguments */
  find(&x, NULL);
  name_is(&x, 80, 2, "sum 128");
  name_is(&x, 80, 3, "sum 64");
  end(&x);
  begin(&x);
  kernel(&x, "void ns::a_function_with_a_name_of_many_words<half, 8>(int)", 1, "500000", "0.125", 500, 64);
  kernel(&x, "void ns::a_function_with_a_name_of_more_words<half, 8>(int)", 1, "400000", "0.1", 500, 64);
  find(&x, NULL);
  name_is(&x, 200, 2, "a_function_with_a_name_of_many_words");
  name_is(&x, 60, 2, "a_funct…ords #1");
  name_is(&x, 60, 3, "a_funct…ords #2");
  end(&x);
}

static void what_a_terminal_leaves_out_is_said(void **state) {
  static const char names[] = "names are short, told apart by template arguments, grid or number: --full-names\n",
                    interval[] = "left out at this width: ± of the mean\n";
  struct kernels x;
  struct text out = {0};
  (void)state;
  begin(&x);
  find(&x, NULL);
  report_tables_term(&x.findings, &(struct report_term_options){.width = 120}, &out);
  has(&out, "± ");
  has(&out, names);
  assert_null(strstr(text_str(&out), interval));
  text_release(&out);
  report_tables_term(&x.findings, &(struct report_term_options){.width = 60}, &out);
  has(&out, interval);
  text_release(&out);
  report_tables_term(&x.findings, &(struct report_term_options){.width = 60, .full_names = true}, &out);
  has(&out, "\nvoid ns::gemm<float, 4>(float const*)    300   3.000    75.0  10.25  0.16  –");
  assert_null(strstr(text_str(&out), names));
  text_release(&out);
  end(&x);
}

/* The longest kernel starts for 9.225 of its 10.25 us, and has 1 us of the L1: launching is no
 * roof. */
static void no_roof_is_near(void **state) {
  struct kernels x;
  struct text out = {0};
  (void)state;
  begin(&x);
  struct run_result *r = &x.m.results[1];
  x.m.device.sms = 10;
  x.m.device.clock_max_hz = 1e9;
  made_metric(r, "l1_wavefronts", 1e4);
  made_metric(r, "fixed_ns", 9225);
  find(&x, NULL);
  report_answer_term(&x.answer, &(struct report_answer_options){0}, &out);
  has(&out, "\nhow close no roof is near: launching takes 90 % of the time, L1 and shared\n          memory 9.8 %\n");
  text_release(&out);
  end(&x);
}

static void the_answer(void **state) {
  struct kernels x;
  struct text out = {0};
  (void)state;
  begin(&x);
  find(&x, NULL);
  report_answer_term(&x.answer, &(struct report_answer_options){.run_file = "my run.json"}, &out);
  has(&out, "\n3 kernels of the program, 95.0 % of its GPU time, 3.8 ms\n");
  has(&out, "\nmost time void ns::gemm<float, 4>(float const*): 75 % of the GPU time, 300 calls\n");
  has(&out, "\nhow close unknown: this kernel has no counters\n");
  has(&out, "\nbound     unknown: no counters\n");
  has(&out, "\ndo        collect counters: without them no bound is known\n");
  has(&out, "\nnext      nvfp4-prof diagnose 'my run.json'\n"); /* the longest is what it takes */
  text_release(&out);
  end(&x);
  begin(&x);
  x.m.variants[1].n_keys = 2;
  find(&x, NULL);
  report_answer_term(&x.answer, &(struct report_answer_options){0}, &out);
  has(&out, "\n3 kernels of the program, 3.8 ms\n"); /* a share is not known of all */
  has(&out, "\nlongest   void ns::gemm<float, 4>(float const*), 10.25 µs\n");
  has(&out, "\nnext      nvfp4-prof diagnose --variant 'void ns::gemm<float, 4>(float const*)'\n");
  text_release(&out);
  end(&x);
}

/* The only kernel of a program has a program's row; how long the GPU waits is said from a quarter of the time on, and whether for launches. */
static void of_a_program_of_one_kernel(void **state) {
  static const struct {
    struct run_idle idle;
    const char *says; /* NULL: nothing */
  } cases[] = {
      {{0.24, 0.24}, NULL},
      {{0.72, 0.36},
       "\nidle      the GPU runs no kernel for 72 % of the time, 36 % in gaps as short as\n"
       "          a launch: CUDA graphs, fewer and larger kernels, or fewer blocking\n"},
      {{0.72, 0.35},
       "\nidle      the GPU runs no kernel for 72 % of the time, 35 % in gaps as short as\n"
       "          a launch: look first at what the program does there (allocations,\n"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct kernels x;
    struct text out = {0};
    begin(&x);
    x.m.run.n_variants = x.m.run.n_results = 1;
    x.m.run.process.idle = cases[i].idle;
    find(&x, NULL);
    report_answer_term(&x.answer, &(struct report_answer_options){.run_file = "r.json"}, &out);
    has(&out, "calls   total  of GPU   mean");
    assert_null(strstr(out.s, "problem not declared"));
    if (cases[i].says)
      has(&out, cases[i].says);
    else
      assert_null(strstr(out.s, "\nidle"));
    text_release(&out);
    end(&x);
  }
}

/* A kernel that a program launches with other grids, too, each a row of its own: what all of
 * them take is said of the longest. */
static void with_other_grids(void **state) {
  static const char *const names[][3] = {{"add", "gemm", "gemm"}, {"gemm", "gemm", "gemm"}, {"add", "gemm", "add"}};
  static const char *const says[] = {"300\n          calls; 90 % with this kernel's other geometry\n",
                                     "300\n          calls; 95 % with this kernel's 2 other geometries\n",
                                     "300 calls\n"};
  (void)state;
  for (size_t c = 0; c < sizeof names / sizeof names[0]; c++) {
    static struct run_key keys[3][KEYS + 1];
    struct kernels x;
    struct text out = {0};
    begin(&x);
    for (int i = 0; i < 3; i++) {
      memcpy(keys[i], x.keys[i], sizeof x.keys[i]);
      keys[i][KEYS] = (struct run_key){(char *)"kernel", (char *)names[c][i]};
      x.m.variants[i].keys = keys[i];
      x.m.variants[i].n_keys = KEYS + 1;
    }
    find(&x, NULL);
    report_answer_term(&x.answer, &(struct report_answer_options){.run_file = "r.json"}, &out);
    has(&out, says[c]);
    text_release(&out);
    end(&x);
  }
}

static void of_one_kernel(void **state) {
  const bool second[MADE_VARIANTS] = {[2] = true};
  struct kernels x;
  struct text out = {0};
  (void)state;
  begin(&x);
  find(&x, second);
  report_answer_term(&x.answer, &(struct report_answer_options){.run_file = "r.json"}, &out);
  has(&out, "\nvoid ns::gemm<half, 2>(half const*)\n");
  has(&out, "\ntime      void ns::gemm<half, 2>(half const*), 600.0 µs; check: unchecked\n");
  has(&out, "\nnext      nvfp4-prof diagnose r.json --variant 'void ns::gemm<half, 2>(half const*)'\n");
  text_release(&out);
  end(&x);
}

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
    struct err e = {0};
    for (size_t k = 0; k < 2; k++) {
      const struct finding *f = &x.findings.items[2 * k];
      assert_int_equal(diagnosis_make(&d[k], &x.findings, f, &e), 0);
      shown[k] = (struct report_diagnosis){&x.findings, f, &d[k]};
    }
    report_brief_term(shown, 2, &out);
    has(&out, rows[i].want);
    has(&out, "\nvec_add(float*): 10.00 µs, 5.0 % of the GPU time\n");
    const char *next = "\nnext: nvfp4-prof attach --two-runs -- ./a\n";
    has(&out, next);
    assert_null(strstr(strstr(text_str(&out), next) + 2, "next: "));
    report_diagnose_term(&shown[0], &(struct report_diagnose_options){0}, &full);
    has(&full, ", 5.0 % of the GPU time\n");
    has(&full, "\nnext      nvfp4-prof attach --two-runs -- ./a\n");
    for (size_t k = 0; k < 2; k++)
      diagnosis_release(&d[k]);
    text_release(&out);
    text_release(&full);
    end(&x);
  }
}

/* Idle, ended, replayed: above the advice, in brief and in full. */
static void what_a_reader_must_know_first(void **state) {
  static const char
      idle[] =
          "\nthe GPU runs no kernel for 96 % of the time, 2 % in gaps as short as a launch: look first at what the program does "
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
    assert_int_equal(diagnosis_make(&d, &x.findings, &x.findings.items[0], NULL), 0);
    struct report_diagnosis shown = {&x.findings, &x.findings.items[0], &d};
    report_brief_term(&shown, 1, &brief);
    report_diagnose_term(&shown, &(struct report_diagnose_options){0}, &full);
    for (int of = 0; of < 2; of++) {
      const char *s = text_str(of ? &full : &brief);
      assert_int_equal(strstr(s, idle) != NULL, told);
      assert_int_equal(strstr(s, ended) != NULL, told);
      assert_int_equal(strstr(s, replayed) != NULL, told);
    }
    text_release(&full);
    report_diagnose_term(&shown, &(struct report_diagnose_options){.further = true}, &full); /* of several, once */
    assert_null(strstr(text_str(&full), idle));
    assert_null(strstr(text_str(&full), ended));
    assert_int_equal(strstr(text_str(&full), replayed) != NULL, told);
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

/* What may be saved: names of the table, what saves up to so much marked, no more than eight rows; and the chart of all launches. */
static void what_may_be_saved(void **state) {
  static const struct rule rule = {.name = "made", .title = "a made cause"};
  static struct advice sure = {.rule = &rule, .remedy = "do this"},
                       unsure = {.rule = &rule, .remedy = "do that", .up_to = true};
  struct kernels x;
  struct gain items[9];
  struct gains g = {.items = items, .n = 2};
  struct text out = {0};
  (void)state;
  begin(&x);
  find(&x, NULL);
  g.findings = &x.findings;
  items[0] = (struct gain){&x.findings.items[1], &sure, 0.5, 0.375};
  for (size_t i = 1; i < 9; i++)
    items[i] = (struct gain){&x.findings.items[2], &unsure, 0.2, 0.03};
  struct table *t = program_gains(&g);
  table_markdown(t, &out);
  table_free(t);
  has(&out, "| kernel | cause | of the program (%) | of its time (%) | what to do |");
  has(&out,
      "| gemm&lt;float, 4> | a made cause | 38 | 50 | do this |\n| gemm&lt;half, 2> | a made cause | ≤ 3.0 | ≤ 20 | do that |\n");
  text_release(&out);
  g.n = 9;
  t = program_gains(&g);
  table_markdown(t, &out);
  table_free(t);
  size_t lines = 0;
  for (const char *s = text_str(&out); (s = strchr(s, '\n')); s++)
    lines++;
  assert_int_equal(lines, 2 + 8);
  text_release(&out);
  end(&x);
}

/* The page's heading and its first table. */
static void the_page(void **state) {
  static const struct report_parts parts = {.run_file = "r.json"};
  struct kernels x;
  struct story story = {0};
  struct text html = {0}, words = {0};
  (void)state;
  for (int shares = 1; shares >= 0; shares--) {
    begin(&x);
    if (!shares)
      for (size_t i = 0; i < x.m.run.n_variants; i++)
        x.m.variants[i].n_keys = 2;
    find(&x, NULL);
    assert_int_equal(story_make(&story, &x.findings, NULL, NULL), 0);
    report_html(&story, &parts, &html);
    assert_true(text_ok(&html));
    page_words(&words, text_str(&html));
    has(&words, shares ? "\nvoid ns::gemm<float, 4>(float const*) takes 75 % of the GPU time: 300 calls of 10.00 µs"
                       : "\nvoid ns::gemm<half, 2>(half const*) takes 600.0 µs per launch, the longest of 3 kernels");
    has(&words,
        shares ? "|gemm<float, 4>|300|3.000|75.0|10.25|0.16|–|–|" : "|gemm<float, 4>|300|3.000|–|10.25|0.16|–|–|");
    const char *row = strstr(words.s, "|gemm<float, 4>|300|3.000|");
    assert_null(strstr(row + 1, "|gemm<float, 4>|300|3.000|")); /* the answer has all of the program's kernels */
    has(&words, shares ? "300 calls, 75 % of the GPU time" : "300 calls");
    has(&words, "3 kernels of a program; a time is one launch's.");
    has(&words, "gemm<half, 2>(half const*): a launch, measured");
    assert_null(strstr(words.s, "over minimal"));
    assert_null(strstr(words.s, "ladder"));
    assert_null(strstr(words.s, "are not comparable"));
    text_release(&html);
    text_release(&words);
    story_release(&story);
    end(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(brief_shares),
      cmocka_unit_test(of_a_program_of_one_kernel),
      cmocka_unit_test(calls_and_share),
      cmocka_unit_test(the_most_time_first),
      cmocka_unit_test(a_row_a_kernel),
      cmocka_unit_test(short_names_stay_unique),
      cmocka_unit_test(what_a_terminal_leaves_out_is_said),
      cmocka_unit_test(no_roof_is_near),
      cmocka_unit_test(the_answer),
      cmocka_unit_test(with_other_grids),
      cmocka_unit_test(of_one_kernel),
      cmocka_unit_test(more_than_a_screen_has),
      cmocka_unit_test(what_a_reader_must_know_first),
      cmocka_unit_test(the_program_again_with_counters),
      cmocka_unit_test(a_kernel_that_others_kept_out),
      cmocka_unit_test(kernels_without_counters),
      cmocka_unit_test(what_may_be_saved),
      cmocka_unit_test(the_page),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
