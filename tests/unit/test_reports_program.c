/* How a program's kernels are told, those that attach saw: names, tables, the answer, of a run made by hand. */
#include "reports/text/answer_text.h"
#include "reports/text/diagnose.h"
#include "reports/text/report.h"
#include "reports/words/program_text.h"
#include "unit/made_program.h"
#include "unit/page_words.h"

#include <stdio.h>

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
    diagnosis_make(&d[i], &x.findings, &x.findings.items[i]);
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

static void add_rows(const struct kernels *x, struct text *out) {
  struct program_shown shown = program_shown_of(&x->findings);
  struct table *t = program_table(&shown, &(struct program_names){.full = true});
  table_markdown(t, out);
  table_free(t);
  program_shown_release(&shown);
}

/* Half a tick of 32 ns is 0.16 % of 10 us; of 600 us it is no digit's worth. */
static void a_row_a_kernel(void **state) {
  struct kernels x;
  struct text out = {0};
  (void)state;
  begin(&x);
  kernel(&x, "never_timed(int)", 2, "1000", "0.0002", 0, 1);
  find(&x, NULL);
  add_rows(&x, &out);
  assert_string_equal(text_str(&out),
                      "| kernel | calls | total (ms) | of GPU (%) | mean (µs) | ± (%) | bound | nearest roof |\n"
                      "|---|---:|---:|---:|---:|---:|---|---|\n"
                      "| void ns::gemm&lt;float, 4>(float const\\*) | 300 | 3.000 | 75.0 | 10.25 | 0.16 | – | – |\n"
                      "| void ns::gemm&lt;half, 2>(half const\\*) | 1 | 0.6000 | 15.0 | 600.0 | <0.1 | – | – |\n"
                      "| vec_add(float\\*) | 20 | 0.2000 | 5.00 | 10.00 | 0.16 | – | – |\n"
                      "| never_timed(int) | 2 | 0.001000 | 0.0200 | – | – | – | – |\n");
  text_release(&out);
  end(&x);
}

/* Two ranks' calls take 10 us in the mean; the times are of one of them. */
static void the_mean_of_merged_calls(void **state) {
  struct kernels x;
  struct text out = {0};
  (void)state;
  begin(&x);
  x.keys[1][2] = (struct run_key){(char *)"of_rank", (char *)"1"};
  find(&x, NULL);
  add_rows(&x, &out);
  has(&out, "| void ns::gemm&lt;float, 4>(float const\\*) | 300 | 3.000 | – | 10.00 | ");
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

/* PyTorch's kernels by what they do; by the first word that is another in each where they do the same, by numbers where that has no room. */
static void a_functor_names_its_kernel(void **state) {
  struct kernels x;
  (void)state;
  begin(&x);
  kernel(&x, "at::native::elementwise<4, at::AUnaryFunctor<float, ns::MulFunctor<float>>, int>", 9, "5000000", "0.3", 1,
         64);
  kernel(&x, "at::native::elementwise<4, at::BinaryFunctor<float, ns::MulFunctor<float>>, int>", 1, "2000000", "0.2", 1,
         64);
  kernel(&x, "at::native::elementwise<4, at::native::(anonymous namespace)::where_kernel(T&)::{lambda(int)#1}>", 1,
         "1000000", "0.1", 1, 64);
  find(&x, NULL);
  name_is(&x, 200, 0, "elementwise: Mul (AUnaryFunctor)");
  name_is(&x, 200, 2, "elementwise: Mul (BinaryFunctor)");
  name_is(&x, 84, 0, "elementwise: Mul #1"); /* 32 characters, of which one has room for 31 */
  name_is(&x, 80, 0, "elementwise: Mul #1");
  name_is(&x, 80, 2, "elementwise: Mul #2");
  name_is(&x, 80, 3, "elementwise: where");
  end(&x);
}

/* PyTorch's names of several hundred characters are no heading. */
static void a_head_is_one_line(void **state) {
  struct kernels x;
  struct diagnosis d;
  struct text out = {0};
  (void)state;
  begin(&x);
  kernel(
      &x,
      "at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native::(anonymous namespace)::"
      "masked_fill_kernel(at::TensorIterator&, c10::Scalar const&)::{lambda(float, bool)#1}>(at::TensorIteratorBase&)>",
      9, "5000000", "0.3", 1, 64);
  find(&x, NULL);
  diagnosis_make(&d, &x.findings, &x.findings.items[3]);
  report_diagnose_term(&(struct report_diagnosis){&x.findings, &x.findings.items[3], &d}, 1,
                       &(struct report_diagnose_options){.lines = 2}, &out);
  assert_memory_equal(text_str(&out), "elementwise_kernel: masked_fill (float, bool): ", 47);
  text_release(&out);
  diagnosis_release(&d);
  end(&x);
}

/* What the column is stands below the table that has a roof in it. */
static void a_roof_is_explained(void **state) {
  static const char roof[] = "nearest roof: the largest part used of DRAM, L2, L1, atomics, issue or a pipe\n";
  struct kernels x;
  struct text out = {0};
  (void)state;
  begin(&x);
  find(&x, NULL);
  report_tables_term(&x.findings, &(struct report_term_options){.width = 80}, &out);
  assert_null(strstr(text_str(&out), roof));
  text_release(&out);
  x.findings.items[1].of_sol = value_of(0.5);
  report_tables_term(&x.findings, &(struct report_term_options){.width = 80}, &out);
  has(&out, roof);
  text_release(&out);
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
       "\nidle      the GPU runs no kernel for 72 % of the time (36 % in gaps of 50 µs or\n"
       "          less, as launching leaves): CUDA graphs, fewer and larger kernels, or\n"},
      {{0.72, 0.35},
       "\nidle      the GPU runs no kernel for 72 % of the time (35 % in gaps of 50 µs or\n"
       "          less, as launching leaves): look first at what the program does there\n"},
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

/* What may be saved: names of the table, what saves up to so much marked, no more than eight rows; and the chart of all launches. */
static void what_may_be_saved(void **state) {
  static const struct rule rule = {.name = "made", .title = "a made cause"};
  static struct advice sure = {.rule = &rule, .told.remedy = "do this"},
                       unsure = {.rule = &rule, .told.remedy = "do that", .price.up_to = true};
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
    story_make(&story, &x.findings, NULL);
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
    has(&words, "3 kernels of a program; a time is the median launch's, unless a column says mean.");
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
      cmocka_unit_test(the_mean_of_merged_calls),
      cmocka_unit_test(a_row_a_kernel),
      cmocka_unit_test(short_names_stay_unique),
      cmocka_unit_test(a_functor_names_its_kernel),
      cmocka_unit_test(a_head_is_one_line),
      cmocka_unit_test(a_roof_is_explained),
      cmocka_unit_test(what_a_terminal_leaves_out_is_said),
      cmocka_unit_test(no_roof_is_near),
      cmocka_unit_test(the_answer),
      cmocka_unit_test(with_other_grids),
      cmocka_unit_test(of_one_kernel),
      cmocka_unit_test(what_may_be_saved),
      cmocka_unit_test(the_page),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
