/* Strings: patterns, cuts between characters, slips of the keyboard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void a_text_grows(void **state) {
  struct text t = {0};
  (void)state;
  assert_string_equal(text_str(&t), "");
  text_add(&t, NULL);
  text_add_n(&t, "abc", 2);
  text_printf(&t, "%d", 12);
  assert_string_equal(text_str(&t), "ab12");
  assert_int_equal(t.n, 4);
  for (int i = 0; i < 1000; i++)
    text_add(&t, "0123456789");
  assert_int_equal(t.n, 10004);
  assert_int_equal(strlen(t.s), 10004);
  assert_true(text_ok(&t));
  char *mine = text_take(&t);
  assert_memory_equal(mine, "ab120123456789", 14);
  assert_null(t.s);
  assert_int_equal(t.n, 0);
  free(mine);
}

static void a_failed_text_says_so(void **state) {
  struct text t = {0};
  (void)state;
  text_add(&t, "kept");
  text_add_n(&t, "x", SIZE_MAX - 2); /* more than there can be */
  assert_false(text_ok(&t));
  assert_string_equal(text_str(&t), "kept");
  text_add(&t, "not added");
  assert_string_equal(text_str(&t), "kept");
  assert_null(text_take(&t));
}

static void patterns(void **state) {
  static const struct {
    const char *pattern, *s;
    bool matches;
  } rows[] = {
      {"abc", "abc", true},
      {"abc", "abcd", false},
      {"abcd", "abc", false},
      {"a?c", "abc", true},
      {"a?", "a", false},
      {"*", "", true},
      {"", "", true},
      {"", "a", false},
      {"a*", "a", true},
      {"*b*", "abc", true},
      {"*b", "abc", false},
      {"a*b*c", "aXbYbZc", true},
      {"a*b*c", "aXbYbZ", false},
      {"**", "x", true},
      {"*ab", "aab", true},
      {"*aab", "aaaab", true},
      {"cuda-*", "cuda-0", true},
      {"cuda-*", "cute-0", false},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (str_glob(rows[i].pattern, rows[i].s) != rows[i].matches)
      fail_msg("'%s' and '%s'", rows[i].pattern, rows[i].s);
}

static void a_line_is_found(void **state) {
  (void)state;
  assert_string_equal(str_line("ab\n\nc", 1), "ab\n\nc");
  assert_string_equal(str_line("ab\n\nc", 2), "\nc");
  assert_string_equal(str_line("ab\n\nc", 3), "c");
  assert_string_equal(str_line("ab\n\nc", 4), "");
  assert_string_equal(str_line("ab\n", 2), "");
}

static void blanks_are_trimmed(void **state) {
  char both[] = " \t a b\r\n", none[] = "ab", blank[] = " \v\f ";
  (void)state;
  assert_string_equal(str_trim(both), "a b");
  assert_string_equal(str_trim(none), "ab");
  assert_string_equal(str_trim(blank), "");
}

static void a_cut_keeps_both_ends(void **state) {
  char b[64];
  static const char ten[] = "0123456789";
  (void)state;
  assert_ptr_equal(str_middle_cut(b, sizeof b, ten, 10), ten);
  /* 9 in all: a third, 3, from the end, the mark, and 5 from the beginning. */
  assert_string_equal(str_middle_cut(b, sizeof b, ten, 9), "01234…789");
  assert_string_equal(str_middle_cut(b, sizeof b, ten, 4), "01…9");
  /* Characters of two and three bytes count once and stay whole. */
  assert_string_equal(str_middle_cut(b, sizeof b, "µ×…é→ü", 5), "µ×…"
                                                                "…"
                                                                "ü");
}

static void the_nearest_word(void **state) {
  static const char *const words[] = {"ladder", "variant", "version", "shape"};
  (void)state;
  assert_string_equal(str_nearest("lader", words, 4), "ladder");    /* 1 */
  assert_string_equal(str_nearest("shpae", words, 4), "shape");     /* two exchanged: 1 */
  assert_string_equal(str_nearest("varsion", words, 4), "version"); /* 1; variant is 4 away */
  assert_null(str_nearest("xyz", words, 4));                        /* 4 and more */
  assert_null(str_nearest("sh", words, 4));                         /* 3 */
  assert_string_equal(str_nearest("sha", words, 4), "shape");       /* 2, all behind it */
  assert_null(str_nearest("hap", words, 4));                        /* 2 of 3 */
  assert_null(str_nearest("ab", (const char *const[]){"cd"}, 1));   /* 2, but no letter in common */
  assert_null(str_nearest(NULL, words, 4));
  assert_null(str_nearest("shape", words, 0));
}

static void expect_fit(const char *s, int width, const char *expected) {
  struct text out = {0};
  text_fit(&out, s, width);
  assert_true(text_ok(&out));
  assert_string_equal(text_str(&out), expected);
  text_release(&out);
}

static void lines_fit_a_terminal(void **state) {
  (void)state;
  expect_fit("", 20, "");
  expect_fit("one two three four five six", 0, "one two three four five six");
  expect_fit("12345 7890\n", 10, "12345 7890\n"); /* just as wide */
  expect_fit("12345 78901\n", 10, "12345\n  78901\n");
  /* Behind two blanks later lines have four. */
  expect_fit("  remedy: wider loads per lane\nnext", 20, "  remedy: wider\n    loads per lane\nnext");
  /* A word without a blank loses nothing. */
  expect_fit("abcdefghijklmnopqrstuvwxyz", 10, "abcdefghij\n  klmnopqr\n  stuvwxyz");
  /* µ is a column, a change of colour none. */
  expect_fit("\033[1mµµµµ µµµµ\033[0m µ", 9, "\033[1mµµµµ µµµµ\033[0m\n  µ");
  /* What lies deep begins further left, and a terminal of no width gets eight columns. */
  expect_fit("        123456 89", 12, "        1234\n  56 89");
  expect_fit("12345678", 3, "12345678");
}

static void sameness_and_endings(void **state) {
  (void)state;
  assert_true(str_same(NULL, NULL) && str_same("a", "a"));
  assert_false(str_same(NULL, "a") || str_same("a", NULL) || str_same("", NULL) || str_same("a", "b"));
  assert_int_equal(str_lines(""), 0);
  assert_int_equal(str_lines("a"), 1);
  assert_int_equal(str_lines("a\n"), 1);
  assert_int_equal(str_lines("\n\n"), 2);
  assert_int_equal(str_lines("\nb"), 2);
  assert_true(str_ends("a.cu", ".cu") && str_ends("a", ""));
  assert_false(str_ends(".cu", ".cu") || str_ends("cu", ".cu") || str_ends("a.cuh", ".cu") || str_ends("a.CU", ".cu"));
}

static void a_name_has_its_index(void **state) {
  (void)state;
  static const char *const names[] = {"no", "yes", "no"};
  assert_int_equal(str_index(names, 3, "yes"), 1);
  assert_int_equal(str_index(names, 3, "no"), 0);
  assert_int_equal(str_index(names, 1, "yes"), 1);
  assert_int_equal(str_index(names, 3, "ye"), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_name_has_its_index),
      cmocka_unit_test(lines_fit_a_terminal),
      cmocka_unit_test(a_text_grows),
      cmocka_unit_test(a_failed_text_says_so),
      cmocka_unit_test(patterns),
      cmocka_unit_test(blanks_are_trimmed),
      cmocka_unit_test(a_line_is_found),
      cmocka_unit_test(a_cut_keeps_both_ends),
      cmocka_unit_test(the_nearest_word),
      cmocka_unit_test(sameness_and_endings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
