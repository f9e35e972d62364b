/* The changed lines of a step: all that are near a change for the page, the telling ones for the worklog. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/page/page.h"

#include <stdio.h>
#include <string.h>

static void check(void (*render)(const struct line_diff *d, struct text *out), const char *before, const char *after,
                  const char *expected) {
  struct line_diff d = {0};
  struct text out = {0};

  line_diff_make(&d, before, after);
  render(&d, &out);
  assert_true(text_ok(&out));
  assert_string_equal(text_str(&out), expected);
  text_release(&out);
  line_diff_release(&d);
}

static void a_run_of_lines_is_one_element(void **state) {
  (void)state;
  check(code_lines_html, "a\nb\nc\nd\ne\n", "a\nb\nc\nx < y\nz\ne\n",
        "<span class=\"gap\">@@ 2 lines alike @@</span><span>  c</span><del>- d</del><ins>+ x &lt; y\n+ z</ins>"
        "<span>  e</span>");
  check(code_lines_html, "a\n", "a\n", "");
}

/* 119 letters, and µ of two bytes: it does not fit whole; 120 letters fit. */
static void a_long_line_is_cut(void **state) {
  char letters[121] = "", line[256], expected[256];

  (void)state;
  memset(letters, 'x', 120);
  snprintf(line, sizeof line, "%s\n", letters);
  snprintf(expected, sizeof expected, "<ins>+ %s</ins>", letters);
  check(code_lines_html, "", line, expected);
  letters[119] = '\0';
  snprintf(line, sizeof line, "%sµs\n", letters);
  snprintf(expected, sizeof expected, "<ins>+ %s …</ins>", letters);
  check(code_lines_html, "", line, expected);
}

static void very_many_lines_are_counted(void **state) {
  struct text after = {0};
  struct line_diff d = {0};
  struct text out = {0};

  (void)state;
  for (int i = 0; i < 95; i++)
    text_printf(&after, "line %d\n", i);
  line_diff_make(&d, "", text_str(&after));
  code_lines_html(&d, &out);
  assert_non_null(strstr(text_str(&out), "+ line 59</ins><span class=\"gap\">… 35 lines more changed</span>"));
  text_release(&out);
  text_release(&after);
  line_diff_release(&d);
}

static void braces_includes_and_comments_decide_nothing(void **state) {
  (void)state;
  check(code_lines_decisive, "int a;\n", "#include <x.h>\n{\n// why\n//! param: ROWS = 8\n  asm(\"cvt.rn\");\n}\n",
        "- int a;\n  ...\n+ //! param: ROWS = 8\n+   asm(\"cvt.rn\");\n");
  check(code_lines_decisive, "same line\n", "same line\n", "");
  check(code_lines_decisive, "", "``` would end the code\nlong enough\n", "+ long enough\n");
}

/* Twelve are taken: those with an instruction in them before plain ones, new before old, in their order. */
static void the_most_telling_lines_are_taken(void **state) {
  struct text before = {0}, after = {0}, expected = {0};

  (void)state;
  for (int i = 0; i < 4; i++)
    text_printf(&before, "plain old %d\n", i);
  for (int i = 0; i < 6; i++)
    text_printf(&after, "plain new %d\nx = __ldg(p + %d);\n", i, i);
  for (int i = 0; i < 6; i++)
    text_printf(&expected, "%s+ plain new %d\n+ x = __ldg(p + %d);\n", "", i, i);
  check(code_lines_decisive, text_str(&before), text_str(&after), text_str(&expected));
  text_release(&before);
  text_release(&after);
  text_release(&expected);
}

/* Of twenty new lines the ten with an instruction in them, and the first two of the plain ones. */
static void plain_lines_yield_to_telling_ones(void **state) {
  struct text after = {0}, expected = {0};

  (void)state;
  for (int i = 0; i < 10; i++)
    text_printf(&after, "plain new %d\nx = __ldg(p + %d);\n", i, i);
  for (int i = 0; i < 10; i++) {
    if (i < 2)
      text_printf(&expected, "+ plain new %d\n", i);
    else
      text_add(&expected, "  ...\n");
    text_printf(&expected, "+ x = __ldg(p + %d);\n", i);
  }
  check(code_lines_decisive, "", text_str(&after), text_str(&expected));
  text_release(&after);
  text_release(&expected);
}

static void comments_and_scraps_decide_nothing(void **state) {
  (void)state;
  check(code_lines_decisive, "", "/* a comment\n * goes on */\n  // and another\nabc\n  abcd\n", "+   abcd\n");
}

/* Each of twelve lines that only rename, and of two parameters, has two of the telling words; the copy and the index are new. */
static void what_calls_or_reads_otherwise_comes_first(void **state) {
  struct text before = {0}, after = {0};
  struct line_diff d = {0};
  struct text out = {0};

  (void)state;
  text_add(&before, "//! param: ROWS = 8\nx = row[k / 2];\n");
  text_add(&after, "//! param: ROWS = 4\n");
  for (int i = 0; i < 13; i++) {
    text_printf(&before, "const float2 scale_b%d = scales[i];\n", i);
    text_printf(&after, "const float2 scale_of_b%d = scales[i];\n", i);
  }
  text_add(&after, "x = row[tile + byte];\ncopy_bulk(to, from);\n");
  line_diff_make(&d, text_str(&before), text_str(&after));
  code_lines_decisive(&d, &out);
  assert_non_null(strstr(text_str(&out), "+ const float2 scale_of_b9 = scales[i];\n  ...\n"
                                         "+ x = row[tile + byte];\n+ copy_bulk(to, from);\n"));
  assert_null(strstr(text_str(&out), "param"));
  assert_null(strstr(text_str(&out), "- const"));
  line_diff_release(&d);
  text_release(&out);
  text_release(&before);
  text_release(&after);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_of_lines_is_one_element),
      cmocka_unit_test(a_long_line_is_cut),
      cmocka_unit_test(very_many_lines_are_counted),
      cmocka_unit_test(braces_includes_and_comments_decide_nothing),
      cmocka_unit_test(the_most_telling_lines_are_taken),
      cmocka_unit_test(plain_lines_yield_to_telling_ones),
      cmocka_unit_test(comments_and_scraps_decide_nothing),
      cmocka_unit_test(what_calls_or_reads_otherwise_comes_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
