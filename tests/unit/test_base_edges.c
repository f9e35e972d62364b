/* Where small functions have an edge: shapes that say nothing, what is no file, cells without words, characters cut in two, ends of lines, names of operators. */
#include "base/clock.h"
#include "base/cxx_name.h"
#include "base/err.h"
#include "base/expr.h"
#include "base/file.h"
#include "base/line_diff.h"
#include "base/markdown.h"
#include "base/plain.h"
#include "base/shape.h"
#include "base/table.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void a_shape_that_says_nothing(void **state) {
  struct shape named = {0};
  (void)state;
  assert_true(shape_none((struct shape){0}));
  assert_false(shape_none((struct shape){1, 0, 0}));
  assert_false(shape_none((struct shape){0, 1, 0}));
  assert_false(shape_none((struct shape){0, 0, 1}));
  strcpy(named.sizes, "N=5");
  assert_false(shape_none(named));
}

/* A number that is counted no further is still too large; what is near is a multiple of 64. */
static void shapes_at_their_limits(void **state) {
  static const struct {
    const char *text, *says; /* NULL: it is a shape */
  } rows[] = {{"16777216x64x1", NULL},
              {"167772160x64x1", "M must be between 1 and 16777216"},
              {"1x4159x1", "the nearest are 4096 and 4160"},
              {"N=1T", "N must be a whole number"},
              {"N=1024G", NULL},
              {"N=1099511627776", NULL},
              {"N=1099511627777", "N"},
              {"N=1099511627776K", "N"},
              {"N=1K M=2", NULL},
              {"N=1K N=2", "N is given twice"},
              {"1N=2", "expected NAME=NUMBER"},
              {"N=", "expected NAME=NUMBER"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct shape s;
    struct err e = {0};
    int rc = shape_parse(&s, rows[i].text, &e);
    if (rc != (rows[i].says ? ERR_USAGE : 0) || (rc && !strstr(e.text, rows[i].says)))
      fail_msg("%s: %d, %s", rows[i].text, rc, e.text);
  }
}

/* What is read must be a file, and nobody else's where that is asked for; a pipe is not waited for. */
static void only_regular_files_are_read(void **state) {
  char folder[] = "/tmp/nvfp4-edges-XXXXXX", path[64], *text = NULL;
  size_t n = 0;
  struct err e = {0};
  (void)state;
  assert_non_null(mkdtemp(folder));
  assert_int_equal(file_read_regular(folder, 9, false, &text, &n, &e), ERR_IO);
  assert_non_null(strstr(e.text, "it is not a regular file"));
  snprintf(path, sizeof path, "%s/a", folder);
  assert_int_equal(file_read_regular(path, 9, false, &text, &n, &e), ERR_IO);
  assert_non_null(strstr(e.text, "cannot be opened: No such file"));
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_int_equal(file_read_regular(path, 9, false, &text, &n, &e), ERR_IO);
  assert_non_null(strstr(e.text, "it is not a regular file"));
  unlink(path);
  assert_int_equal(file_write(path, "three", 5, &e), 0);
  static const unsigned modes[] = {0600, 0644, 0620, 0602};
  for (size_t i = 0; i < 8; i++) {
    bool own = i >= 4, others = i % 4 >= 2;
    assert_int_equal(chmod(path, modes[i % 4]), 0);
    int rc = file_read_regular(path, 5, own, &text, &n, &e);
    assert_int_equal(rc, own && others ? ERR_IO : 0);
    if (rc) {
      assert_non_null(strstr(e.text, "not trusted: others own it or may write it"));
      continue;
    }
    assert_int_equal(n, 5);
    assert_string_equal(text, "three");
    free(text);
  }
  assert_int_equal(file_read_regular(path, 4, false, &text, &n, &e), ERR_IO);
  assert_non_null(strstr(e.text, "larger than the 4 bytes"));
  /* What is replaced keeps its mode; a file of two names is written through, so that both have it. */
  chmod(path, 0640);
  char other[64];
  snprintf(other, sizeof other, "%s/b", folder);
  for (int linked = 0; linked < 2; linked++) {
    struct stat st;
    if (linked)
      assert_int_equal(link(path, other), 0);
    assert_int_equal(file_write(path, linked ? "b" : "a", 1, &e), 0);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(st.st_nlink, 1 + linked);
  }
  assert_int_equal(file_read(other, 9, &text, &n, &e), 0);
  assert_string_equal(text, "b");
  free(text);
  unlink(other);
  unlink(path);
  /* A temporary of one that was killed is taken; a folder of that name is not. */
  snprintf(other, sizeof other, "%s/a.tmp.0", folder);
  assert_int_equal(file_write(other, "x", 1, &e), 0);
  assert_int_equal(file_write(path, "a", 1, &e), 0);
  assert_false(file_exists(other));
  assert_int_equal(mkdir(other, 0700), 0);
  assert_int_equal(file_write(path, "a", 1, &e), 0);
  assert_true(file_exists(other));
  rmdir(other);
  unlink(path);
  assert_int_equal(rmdir(folder), 0); /* nothing else is left */
}

/* Signs of a level are taken from the left, whichever they are. */
static void signs_of_a_level(void **state) {
  static const struct {
    const char *text;
    double value;
  } rows[] = {{"3 < 5 >= 1", 1},  {"3 > 5 <= 1", 1},  {"3 <= 5 > 0", 1},  {"3 >= 5 < 1", 1},
              {"3 == 3 != 1", 0}, {"3 != 3 == 0", 1}, {"7 - 2 + 3", 8},   {"7 / 2 * 4", 14},
              {"7 % 4 * 2", 6},   {"2 * 7 % 4", 2},   {"8 % 5 / 2", 1.5}, {"0 * 1 / 4", 0}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct expr *x = NULL;
    double value = -1;
    assert_int_equal(expr_parse(&x, rows[i].text, NULL), 0);
    assert_int_equal(expr_eval(x, NULL, NULL, &value, NULL), 0);
    if (value != rows[i].value)
      fail_msg("%s: %g", rows[i].text, value);
    expr_free(x);
  }
}

static void the_time_of_day(void **state) {
  char text[CLOCK_UTC_MAX], *end;
  struct tm utc = {0};
  (void)state;
  clock_utc(text);
  assert_int_equal(strlen(text), strlen("2026-11-23T19:40:00Z"));
  end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  assert_true(end && !*end);
  assert_true(labs((long)(timegm(&utc) - time(NULL))) < 60);
}

/* A beginning in common counts from the first letter. */
static void what_was_meant(void **state) {
  static const char *const ids[] = {"cuda-1-naive-kernel", "cuda-2-tiles-and-more"}, *const ladders[] = {"cuda",
                                                                                                         "cuda"};
  (void)state;
  assert_string_equal(str_nearest_variant("cuda-2-vectors-of-sixteen", ids, ladders, 2), ids[1]);
  assert_null(str_nearest_variant("xuda-2-vectors-of-sixteen", ids, ladders, 2));
}

static void a_cell_without_words(void **state) {
  struct table *t = table_new();
  struct text out = {0};
  (void)state;
  table_column(t, "a", "", "a", TABLE_LEFT);
  table_column(t, "b", "", "b", TABLE_LEFT);
  table_row(t);
  table_cell(t, NULL, NULL);
  table_cell(t, "shown", "value");
  table_csv(t, &out);
  assert_string_equal(text_str(&out), "a,b\r\n,value\r\n");
  text_release(&out);
  table_markdown(t, &out);
  assert_string_equal(text_str(&out), "| a | b |\n|---|---|\n| – | shown |\n");
  text_release(&out);
  table_free(t);
}

static void ends_of_lines_for_a_terminal(void **state) {
  static const struct {
    const char *text, *plain, *coloured;
  } rows[] = {{"a\r\nb", "a\r\nb", "a\r\nb"},
              {"a\r", "a?", "a?"},
              {"\r", "?", "?"},
              {"\r\n", "\r\n", "\r\n"},
              {"\033[1;31mx\033[m", "?[1;31mx?[m", "\033[1;31mx\033[m"},
              {"\033[1;31", "?[1;31", "?[1;31"},
              {"\033[2J", "?[2J", "?[2J"},
              {"\033", "?", "?"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    plain_terminal(&out, rows[i].text, strlen(rows[i].text), false);
    assert_string_equal(text_str(&out), rows[i].plain);
    text_release(&out);
    plain_terminal(&out, rows[i].text, strlen(rows[i].text), true);
    assert_string_equal(text_str(&out), rows[i].coloured);
    text_release(&out);
  }
}

/* A message that fills its buffer ends with a whole character. */
static void a_message_that_was_cut(void **state) {
  static const char *const characters[] = {"é", "→", "\xF0\x9F\x98\x80", "x"};
  (void)state;
  for (size_t k = 0; k < sizeof characters / sizeof *characters; k++)
    for (size_t room = 0; room <= 4; room++) { /* that the buffer has left for it */
      char words[sizeof((struct err *)0)->text + 8] = "";
      struct err e = {0};
      size_t before = sizeof e.text - 1 - room, n = strlen(characters[k]);
      memset(words, 'a', before);
      memcpy(words + before, characters[k], n + 1);
      err_set(&e, ERR_DATA, "%s", words);
      assert_int_equal(strlen(e.text), n <= room ? before + n : before);
    }
}

static void names_of_operators(void **state) {
  static const struct {
    const char *name, *bare;
  } rows[] = {{"F::operator ()(int)", "F::operator ()"},
              {"operator()(int)", "operator()"},
              {"perator()", "perator"},
              {"(int)", ""},
              {"voidf(int)", "voidf"},
              {"void f(int)", "f"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t n;
    const char *rest, *begin = cxx_bare(rows[i].name, &n, &rest);
    assert_int_equal(n, strlen(rows[i].bare));
    assert_memory_equal(begin, rows[i].bare, n);
    assert_string_equal(rest, "");
  }
}

/* What is the same at both ends of two texts counts once. */
static void lines_that_repeat(void **state) {
  static const struct {
    const char *before, *after, *kinds;
  } rows[] = {{"a\n", "a\na\n", "=+"}, {"a\na\n", "a\n", "=-"}, {"a\nb\na\n", "a\n", "=--"}, {"b\na\n", "a\n", "-="}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct line_diff d;
    char kinds[8] = "";
    line_diff_make(&d, rows[i].before, rows[i].after);
    assert_in_range(d.n, 1, 7);
    for (size_t k = 0; k < d.n; k++)
      kinds[k] = "=-+"[d.lines[k].kind];
    assert_string_equal(kinds, rows[i].kinds);
    line_diff_release(&d);
  }
}

/* What a sign takes more than a column is taken from the next gap of its line. */
static void signs_for_a_terminal_without_them(void **state) {
  static const char *const rows[][2] = {{"7 µs ± 2 %", "7 us +- 2 %"},
                                        {"a →  b", "a -> b"},
                                        {"→→    b", "->->  b"},
                                        {"→\n  b", "->\n  b"},
                                        {"é  b", "?  b"},
                                        {"“a” – b…", "\"a\" - b~"},
                                        {"≤  ≥  ≈  ²", "<= >= ~  2"},
                                        {"plain  text", "plain  text"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    text_ascii(&out, rows[i][0]);
    assert_string_equal(text_str(&out), rows[i][1]);
    text_release(&out);
  }
}

/* What follows a break stands two columns in. */
static void lines_that_fit(void **state) {
  static const struct {
    int width;
    const char *text, *fitted;
  } rows[] = {{10, "one two three four", "one two\n  three\n  four"},
              {10, "one two th", "one two th"},
              {8, "abcdefghijkl", "abcdefgh\n  ijkl"},
              {10, "  one two three", "  one two\n    three"},
              {8, "  one two four", "  one\n    two\n    four"}, /* half of the width is left, just */
              {7, "   one two four", "   one\n  two\n  four"},
              {12, "  one two four five", "  one two\n    four\n    five"}, /* 8 columns are left behind 4 */
              {8, "\033[1mone\033[m two\033[32m\033[m", "\033[1mone\033[m two\033[32m\033[m"},
              {8, "×× ×× ××", "×× ×× ××"},
              {8, "×× ×× ×××", "×× ××\n  ×××"},
              {3, "12345678", "12345678"}, /* no narrower than eight */
              {0, "one two three four\n", "one two three four\n"},
              {8, "a\n\nb\n", "a\n\nb\n"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    text_fit(&out, rows[i].text, rows[i].width);
    assert_string_equal(text_str(&out), rows[i].fitted);
    text_release(&out);
  }
}

static void marks_within_words(void **state) {
  static const char *const rows[][2] = {
      {"a_b", "a_b"}, {"a_", "a\\_"}, {"_a", "\\_a"}, {"a _ b", "a \\_ b"}, {"a_b_", "a_b\\_"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    markdown_text(&out, rows[i][0]);
    assert_string_equal(text_str(&out), rows[i][1]);
    text_release(&out);
  }
}

static void as_many_arguments_as_a_function_takes(void **state) {
  static const struct {
    const char *text, *error;
  } rows[] = {
      {"ceildiv(7)", "ceildiv takes 2 arguments, not 1"}, {"ceildiv(7, 2, 1)", "ceildiv takes 2 arguments, not 3"},
      {"pow(2)", "pow takes 2 arguments, not 1"},         {"sqrt(4, 2)", "sqrt takes 1 argument, not 2"},
      {"log2(4, 2)", "log2 takes 1 argument, not 2"},     {"abs(1, 2)", "abs takes 1 argument, not 2"},
      {"ceil(1, 2)", "ceil takes 1 argument, not 2"},     {"floor(1, 2)", "floor takes 1 argument, not 2"},
      {"round(1, 2)", "round takes 1 argument, not 2"},   {"0x", "expected a hexadecimal digit"}};
  static const char *const fine[] = {"ceildiv(7, 2)", "pow(2, 3)", "sqrt(4)", "min(1)", "max(1, 2, 3, 4)", "0x0f"};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct expr *x = NULL;
    struct err e = {0};
    assert_int_not_equal(expr_parse(&x, rows[i].text, &e), 0);
    if (!strstr(e.text, rows[i].error))
      fail_msg("%s: %s", rows[i].text, e.text);
  }
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
    struct expr *x = NULL;
    assert_int_equal(expr_parse(&x, fine[i], NULL), 0);
    expr_free(x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shape_that_says_nothing),
      cmocka_unit_test(shapes_at_their_limits),
      cmocka_unit_test(only_regular_files_are_read),
      cmocka_unit_test(signs_of_a_level),
      cmocka_unit_test(the_time_of_day),
      cmocka_unit_test(what_was_meant),
      cmocka_unit_test(a_cell_without_words),
      cmocka_unit_test(ends_of_lines_for_a_terminal),
      cmocka_unit_test(a_message_that_was_cut),
      cmocka_unit_test(names_of_operators),
      cmocka_unit_test(lines_that_repeat),
      cmocka_unit_test(signs_for_a_terminal_without_them),
      cmocka_unit_test(lines_that_fit),
      cmocka_unit_test(marks_within_words),
      cmocka_unit_test(as_many_arguments_as_a_function_takes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
