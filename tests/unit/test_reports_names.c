/* Names that others chose: of C++ templates, and worse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/diff.h"
#include "base/text.h"
#include "reports/compare/diff_text.h"
#include "reports/text/diagnose.h"
#include "reports/text/report.h"
#include "reports/words/place_text.h"
#include "reports/words/view.h"
#include "run/run.h"
#include "unit/text_is.h"

#include <stdlib.h>
#include <string.h>

#define PART "at::native::(anonymous namespace)::"

/* Longer than any cell shows whole. */
static const char kernel[] =
    "void " PART "layer_norm_kernel<c10::BFloat16, (bool)0, Array<char *, (int)3>>(int, const T1 *, T2 *, T1 *) "
    "</td><script>alert(`1`)</script> | <<<16384x1x1, 256x1x1>>>";
static const char escaped[] =
    "void " PART
    "layer_norm_kernel&lt;c10::BFloat16, (bool)0, Array&lt;char \\*, (int)3>>(int, const T1 \\*, T2 \\*, T1 \\*) "
    "&lt;/td>&lt;script>alert(\\`1\\`)&lt;/script> \\| <<<16384x1x1, 256x1x1>>>";

struct fixture {
  struct run run;
  struct device device;
  struct findings findings;
  struct story story;
  struct report_parts parts;
};

static int setup(void **state) {
  struct fixture *x = calloc(1, sizeof *x);
  struct run_variant *side = NULL;
  struct err e = {0};

  if (!x)
    return -1;
  *state = x;
  if (run_load(&x->run, TEST_SOURCE_DIR "/tests/golden/small.json", &e) != 0)
    return -1;
  for (size_t i = 0; i < x->run.n_variants; i++) {
    if (strcmp(x->run.variants[i].id, "cuda-2-side") == 0)
      side = &x->run.variants[i];
  }
  if (!side)
    return -1;
  free(side->id);
  free(side->change);
  side->id = str_copy(kernel);
  side->change = str_copy("- a <b>template</b> | more");
  if (!side->id || !side->change || device_from_run(&x->device, &x->run.device, &e) != 0 ||
      findings_make(&x->findings, &x->run, &x->device, &e) != 0) {
    print_error("%s\n", e.text);
    return -1;
  }
  story_make(&x->story, &x->findings, NULL);
  return 0;
}

static int teardown(void **state) {
  struct fixture *x = *state;

  story_release(&x->story);
  findings_release(&x->findings);
  device_release(&x->device);
  run_release(&x->run);
  free(x);
  return 0;
}

/* Bars that are not escaped: what ends a cell. */
static size_t bars(const char *line) {
  size_t n = 0;

  for (const char *s = line; *s && *s != '\n'; s++)
    n += *s == '|' && (s == line || s[-1] != '\\');
  return n;
}

static void the_worklog_shows_them_as_they_are(void **state) {
  struct fixture *x = *state;
  struct text out = {0};
  size_t columns = 0, rows = 0;

  report_worklog(&x->story, &x->parts, &out);
  assert_true(text_ok(&out));
  assert_non_null(strstr(text_str(&out), escaped));
  assert_null(strstr(text_str(&out), "<script>"));
  assert_null(strstr(text_str(&out), "<c10::"));
  assert_non_null(strstr(text_str(&out), "| \\- a &lt;b>template&lt;/b> \\| more |"));
  assert_non_null(strstr(text_str(&out), "\\- a &lt;b>template&lt;/b> \\| more. "));
  for (const char *line = text_str(&out); *line; line += strcspn(line, "\n"), line += *line == '\n') {
    if (*line != '|')
      columns = 0;
    else if (columns == 0)
      columns = bars(line);
    else
      assert_int_equal(bars(line), columns), rows++;
  }
  assert_true(rows > 6);
  text_release(&out);
}

/* 170 characters are too many for a row's head; the section has them all. */
static void the_page_cuts_their_middle_out(void **state) {
  struct fixture *x = *state;
  struct text out = {0};

  report_html(&x->story, &x->parts, &out);
  assert_null(strstr(text_str(&out), "<script>"));
  /* 47 characters, "…" and 24 are 72, the mark of a side step among them. */
  assert_non_null(strstr(text_str(&out), ">  ↳ void " PART "lay…&lt;&lt;&lt;16384x1x1, 256x1x1&gt;&gt;&gt;</a></th>"));
  assert_non_null(strstr(
      text_str(&out),
      "<caption>layer_norm_kernel&lt;BFloat16, (bool)0, Array&lt;…&gt;&gt; …&lt;&lt;&lt;16384x1x1, 256x1x1&gt;&gt;&gt;: what each"));
  assert_int_equal(times_in(text_str(&out), "<h3>void " PART "layer_norm_kernel&lt;c10::BFloat16, (bool)0, "), 1);
  text_release(&out);
}

static void csv_quotes_them(void **state) {
  struct fixture *x = *state;
  struct text out = {0}, quoted = {0};

  text_printf(&quoted, "\r\n\"%s\",cuda,", kernel);
  report_csv(&x->findings, &x->story.diagnoses, &out);
  assert_int_equal(times_in(text_str(&out), text_str(&quoted)), 2); /* at both shapes */
  text_release(&out);
  text_release(&quoted);
}

static void a_comparison_shows_them_too(void **state) {
  struct fixture *x = *state;
  const struct diff_side side = {&x->findings, 1};
  struct diff d = {0};
  struct diff_report report = {&d, side, side, "a<b>.json", "_b_.json"};
  struct text out = {0};
  struct err e = {0};

  assert_int_equal(diff_make(&d, side, side, &(struct diff_options){0}, &e), 0);
  report_diff_markdown(&report, &out);
  assert_non_null(strstr(text_str(&out), "| void " PART "layer_norm_kernel&lt;c10::BFloat16, "));
  assert_non_null(strstr(text_str(&out), "\n- A: a&lt;b>.json: measured"));
  assert_non_null(strstr(text_str(&out), "\n- B: \\_b\\_.json: measured"));
  assert_null(strstr(text_str(&out), "<script>"));
  text_release(&out);
  diff_release(&d);
}

static void labels_name_the_function(void **state) {
  static const struct {
    const char *id, *label;
  } cases[] = {
      {kernel, "layer_norm_kernel"},
      {"(anonymous namespace)::f(int)", "f"},
      {"void f<2>(T *)", "f"},
      {"ns::detail::g<a::b>(c::d)", "g"},
      {"void cutlass::Kernel2<cutlass_80_tensorop_f16>(T1::Params)", "cutlass_80_tensorop_f16"},
      {"cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<int> >", "GemmUniversal"},
      {"Kernel(int)", "Kernel"},
      {"cuda-2-intrinsics", "2 intrinsics"},
      {"gemv <<<8x1x1, 32x1x1>>>", "gemv <<<8x1x1, 32x1x1>>>"},
      {"void", "void"},
      {"std::", "std::"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct run_variant v = {.id = (char *)cases[i].id, .ladder = (char *)"cuda"};
    char buffer[VIEW_LABEL_MAX];

    assert_string_equal(view_short(buffer, &v), cases[i].label);
  }
}

static void a_middle_is_cut_by_characters(void **state) {
  char buffer[64];

  (void)state;
  assert_string_equal(str_middle_cut(buffer, sizeof buffer, "abcdef", 6), "abcdef");
  assert_string_equal(str_middle_cut(buffer, sizeof buffer, "abcdefg", 6), "abc…fg"); /* 3 + 1 + 2 */
  assert_string_equal(str_middle_cut(buffer, sizeof buffer, "µ×→µ×→µ", 6), "µ×→…→µ");
  assert_string_equal(str_middle_cut(buffer, sizeof buffer, "", 6), "");
}

/* 99 bytes and a µ of two: the µ is left out whole. */
static void a_source_line_is_cut_between_characters(void **state) {
  char text[] = "one\n\t  0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"
                "12345678µ more\nthree";
  struct run_source source = {(char *)"f.cu", text};
  struct run run = {.sources = &source, .n_sources = 1};
  struct text out = {0};

  (void)state;
  report_source_line(&run, 0, 2, &out);
  assert_int_equal(out.n, 99 + strlen("…"));
  assert_string_equal(text_str(&out) + 97, "78…");
  text_release(&out);
  report_source_line(&run, 0, 3, &out);
  assert_string_equal(text_str(&out), "three");
  text_release(&out);
  report_source_line(&run, 0, 9, &out);
  report_source_line(&run, 7, 1, &out);
  assert_string_equal(text_str(&out), "");
  text_release(&out);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      CASE(the_worklog_shows_them_as_they_are),
      CASE(the_page_cuts_their_middle_out),
      CASE(csv_quotes_them),
      CASE(a_comparison_shows_them_too),
      cmocka_unit_test(labels_name_the_function),
      cmocka_unit_test(a_middle_is_cut_by_characters),
      cmocka_unit_test(a_source_line_is_cut_between_characters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
