#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Two rungs, a rule, and a total whose row has one cell. */
static struct table *ladder_table(void) {
  struct table *t = table_new();
  table_column(t, "rung", "", "rung", TABLE_LEFT);
  table_column(t, "time", "µs", "time_us", TABLE_RIGHT);
  table_column(t, "why", "", "why", TABLE_LEFT);
  table_row(t);
  table_cell(t, "naive", NULL);
  table_number(t, 3735.2, 4);
  table_style(t, 'b');
  table_cell(t, "one thread → one row", "thread");
  table_row(t);
  table_cellf(t, "cuda-%d", 1);
  table_number(t, 8.622, 4);
  table_cell(t, "", NULL);
  table_rule(t);
  table_row(t);
  table_cell(t, "×", "total");
  return t;
}

static void expect(void (*render)(const struct table *, struct text *), const struct table *t, const char *expected) {
  struct text out = {0};
  render(t, &out);
  assert_true(text_ok(&out) == table_ok(t));
  assert_string_equal(text_str(&out), expected);
  text_release(&out);
}

static void expect_term(const struct table *t, int width, bool colour, const char *expected) {
  struct text out = {0};
  table_term(t, &out, width, colour);
  assert_true(text_ok(&out) == table_ok(t));
  assert_string_equal(text_str(&out), expected);
  text_release(&out);
}

static void terminal(void **state) {
  (void)state;
  struct table *t = ladder_table();
  assert_true(table_ok(t));
  expect_term(t, 0, false,
              "rung     time  why\n"
              "           µs\n"
              "───────────────────────────────────\n"
              "naive    3735  one thread → one row\n"
              "cuda-1  8.622  –\n"
              "───────────────────────────────────\n"
              "×           –  –\n");
  table_free(t);
}

static void terminal_colour(void **state) {
  (void)state;
  struct table *t = table_new();
  table_column(t, "a", "", "a", TABLE_LEFT);
  table_column(t, "b", "", "b", TABLE_RIGHT);
  table_row(t);
  table_cell(t, "x", NULL);
  table_style(t, 'g');
  table_cell(t, "123", NULL);
  table_style(t, 'b');
  table_row(t);
  table_cell(t, "y", NULL);
  table_style(t, 'd');
  table_cell(t, "4", NULL);
  table_style(t, 'B');
  expect_term(t, 0, true,
              "\033[1ma\033[0m    \033[1mb\033[0m\n"
              "──────\n"
              "\033[32mx\033[0m  \033[31m123\033[0m\n"
              "\033[2my\033[0m    \033[1m4\033[0m\n");
  expect_term(t, 0, false,
              "a    b\n"
              "──────\n"
              "x  123\n"
              "y    4\n");
  table_free(t);
}

static void terminal_breaks_text_and_cuts_nothing(void **state) {
  (void)state;
  struct table *t = table_new();
  table_column(t, "id", "", "id", TABLE_LEFT);
  table_column(t, "change", "", "change", TABLE_LEFT);
  table_column(t, "very long title", "", "n", TABLE_RIGHT);
  table_row(t);
  table_cell(t, "abcdefghi", NULL);
  table_cell(t, "16-byte loads → µs saved", NULL); /* 24 columns */
  table_cell(t, "1", NULL);
  /* 9 + 2 + 24 + 2 + 15 = 52 */
  expect_term(t, 52, false,
              "id         change                    very long title\n"
              "────────────────────────────────────────────────────\n"
              "abcdefghi  16-byte loads → µs saved                1\n");
  expect_term(t, 46, false,
              "id         change              very long title\n"
              "──────────────────────────────────────────────\n"
              "abcdefghi  16-byte loads → µs                1\n"
              "           saved\n");
  expect_term(t, 36, true,
              "\033[1mid\033[0m         \033[1mchange\033[0m    \033[1mvery long title\033[0m\n"
              "────────────────────────────────────\n"
              "abcdefghi  16-byte                 1\n"
              "           loads →\n"
              "           µs saved\n");
  /* Nobody said what goes first: the last, never the name. */
  expect_term(t, 20, false,
              "id         change\n"
              "───────────────────\n"
              "abcdefghi  16-byte\n"
              "           loads →\n"
              "           µs saved\n"
              "left out at this\n"
              "  width: very long\n"
              "  title\n");
  expect_term(t, 8, false,
              "id\n"
              "────────\n"
              "abcdefgh\n"
              "i\n"
              "left out\n"
              "  at\n"
              "  this\n"
              "  width:\n"
              "  change\n"
              "  , very\n"
              "  long\n"
              "  title\n");
  table_free(t);
}

static void terminal_leaves_out_what_is_told(void **state) {
  (void)state;
  struct table *t = table_new();
  table_column(t, "name", "", "name", TABLE_LEFT);
  table_column(t, "second", "", "a", TABLE_RIGHT);
  table_drop(t, 2);
  table_column(t, "first", "", "b", TABLE_LEFT);
  table_drop(t, 1);
  table_column(t, "", "%", "c", TABLE_RIGHT);
  table_row(t);
  table_cell(t, "dram__bytes_read.sum", NULL); /* 20 columns: with the rest 20 + 2 + 6 + 2 + 9 + 2 + 3 = 44 */
  table_cell(t, "1", NULL);
  table_cell(t, "a b c d e", NULL);
  table_cell(t, "100", NULL);
  expect_term(t, 44, false,
              "name                  second  first\n"
              "                                           %\n"
              "────────────────────────────────────────────\n"
              "dram__bytes_read.sum       1  a b c d e  100\n");
  expect_term(t, 43, false,
              "name                  second\n"
              "                                %\n"
              "─────────────────────────────────\n"
              "dram__bytes_read.sum       1  100\n"
              "left out at this width: first\n");
  expect_term(t, 32, false,
              "name\n"
              "                        %\n"
              "─────────────────────────\n"
              "dram__bytes_read.sum  100\n"
              "left out at this width: second,\n"
              "  first\n");
  expect_term(t, 19, false,
              "name\n"
              "───────────────────\n"
              "dram__bytes_read.\n"
              "sum\n"
              "left out at this\n"
              "  width: second,\n"
              "  first, %\n");
  table_free(t);
}

/* Names and shapes stay whole while there is room elsewhere; code is cut where a reader sees it; equal titles are told apart. */
static void terminal_keeps_words_and_lines_of_code(void **state) {
  (void)state;
  struct table *t = table_new();
  table_column(t, "shape", "", "shape", TABLE_LEFT);
  table_column(t, "rule", "", "rule", TABLE_LEFT);
  table_column(t, "step", "here", "a", TABLE_RIGHT);
  table_drop(t, 1);
  table_column(t, "step", "there", "b", TABLE_RIGHT);
  table_column(t, "source", "", "source", TABLE_LEFT);
  table_cut(t);
  table_row(t);
  table_cell(t, "7168×16384×1", NULL);
  table_cell(t, "redundant-loads", NULL);
  table_cell(t, "1", NULL);
  table_cell(t, "2", NULL);
  table_cell(t, "    const uint4 a = load16(row + 32 * tile);", NULL);
  /* 12 + 2 + 15 + 2 + 5 + 2 = 38, and of 62 are left: 24 */
  expect_term(t, 62, false,
              "shape         rule              step  source\n"
              "                               there\n"
              "──────────────────────────────────────────────────────────────\n"
              "7168×16384×1  redundant-loads      2      const uint4 a = loa…\n"
              "left out at this width: step here\n");
  expect_term(t, 50, false,
              "shape         rule              step  source\n"
              "                               there\n"
              "──────────────────────────────────────────────────\n"
              "7168×16384×1  redundant-loads      2      const u…\n"
              "left out at this width: step here\n");
  table_row(t);
  table_cell(t, "", NULL);
  table_cell(t, "", NULL);
  table_cell(t, "", NULL);
  table_cell(t, "", NULL);
  table_cell(t, "                    abcdefghijkl", NULL); /* 12 columns: 4 blanks of 20 stay */
  expect_term(t, 50, false,
              "shape         rule              step  source\n"
              "                               there\n"
              "──────────────────────────────────────────────────\n"
              "7168×16384×1  redundant-loads      2      const u…\n"
              "–             –                    –      abcdefg…\n"
              "left out at this width: step here\n");
  table_free(t);
}

/* A column that may go is kept where breaking its text makes room; code that fits to the last column is not cut. */
static void terminal_breaks_before_it_leaves_out(void **state) {
  (void)state;
  struct table *t = table_new();
  table_column(t, "name", "", "name", TABLE_LEFT);
  table_column(t, "source", "", "source", TABLE_LEFT);
  table_cut(t);
  table_column(t, "why", "", "why", TABLE_LEFT);
  table_row(t);
  table_cell(t, "a", NULL);
  table_cell(t, "float x = 1;", NULL); /* 12 columns */
  table_cell(t, "some words more", NULL);
  expect_term(t, 35, false,
              "name  source        why\n"
              "───────────────────────────────────\n"
              "a     float x = 1;  some words more\n");
  expect_term(t, 32, false,
              "name  source        why\n"
              "────────────────────────────────\n"
              "a     float x = 1;  some words\n"
              "                    more\n");
  expect_term(t, 28, false, /* from the wider one first */
              "name  source      why\n"
              "────────────────────────────\n"
              "a     float x =…  some words\n"
              "                  more\n");
  table_free(t);
}

/* A long name is broken, to 24 columns, before a number goes. */
static void terminal_breaks_names_before_it_leaves_out(void **state) {
  (void)state;
  struct table *t = table_new();
  table_column(t, "name", "", "name", TABLE_LEFT);
  table_column(t, "n", "", "n", TABLE_RIGHT);
  table_row(t);
  table_cell(t, "a name of many words that is long indeed", NULL); /* 40 columns */
  table_cell(t, "1234567890", NULL);
  expect_term(t, 36, false,
              "name                               n\n"
              "────────────────────────────────────\n"
              "a name of many words      1234567890\n"
              "that is long indeed\n");
  table_free(t);
}

static void terminal_shows_no_control_characters(void **state) {
  (void)state;
  struct table *t = table_new();
  table_column(t, "a", "", "a", TABLE_LEFT);
  table_row(t);
  table_cell(t, "x\033[31m\ny\x7Fz", NULL);
  expect_term(t, 0, false, "a\n──────────\nx [31m y z\n");
  table_free(t);
}

static void terminal_of_little(void **state) {
  (void)state;
  struct table *t = table_new();
  expect_term(t, 80, false, "");
  expect(table_markdown, t, "");
  expect(table_csv, t, "");
  table_column(t, "a", "ms", "a", TABLE_LEFT);
  table_column(t, "", "", "b", TABLE_RIGHT);
  table_rule(t); /* the first row has a rule before it already */
  expect_term(t, 80, false, "a\nms\n────\n");
  table_row(t);
  expect_term(t, 80, false, "a\nms\n─────\n–   –\n");
  table_free(t);
}

static void markdown(void **state) {
  (void)state;
  struct table *t = ladder_table();
  table_row(t);
  table_cell(t, "a|b\r\nc", NULL);
  table_row(t);
  table_cell(t, "void f<int>(T *)", NULL);
  table_row(t);
  table_cell(t, "[a|b](c.cu)", NULL);
  table_markup(t);
  expect(table_markdown, t,
         "| rung | time (µs) | why |\n"
         "|---|---:|---|\n"
         "| naive | 3735 | one thread → one row |\n"
         "| cuda-1 | 8.622 | – |\n"
         "| × | – | – |\n"
         "| a\\|b<br>c | – | – |\n"
         "| void f&lt;int>(T \\*) | – | – |\n"
         "| [a\\|b](c.cu) | – | – |\n");
  table_free(t);
}

static void csv(void **state) {
  (void)state;
  struct table *t = ladder_table();
  table_row(t);
  table_cell(t, "a,b", NULL);
  table_cell(t, "say \"x\"", NULL);
  table_cell(t, "two\nlines", NULL);
  table_row(t);
  table_cell(t, "shown", "");
  table_cell(t, "", "hidden");
  table_number(t, 0.1, 1);
  expect(table_csv, t,
         "rung,time_us,why\r\n"
         "naive,3735.1999999999998,thread\r\n"
         "cuda-1,8.6219999999999999,\r\n"
         "total,,\r\n"
         "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\r\n"
         ",hidden,0.10000000000000001\r\n");
  table_free(t);
}

static void numbers(void **state) {
  (void)state;
  static const struct {
    double value;
    int digits;
    const char *text;
  } cases[] = {
      {8.622, 4, "8.622"},
      {3735.2, 4, "3735"},
      {123456.7, 4, "123457"},
      {9.9996, 4, "10.00"},
      {999.96, 4, "1000"},
      {0.0123456, 3, "0.0123"},
      {1, 3, "1.00"},
      {-2.345e-7, 2, "-0.00000023"},
      {1e21, 3, "1000000000000000000000"},
      {12.3456, 1, "12"},
      {9.96, 1, "10"},
      {12.3456, 0, "12"},
      {0, 4, "0"},
      {-0.0, 4, "0"},
      {0.1, 99, "0.10000000000000001"},
      {NAN, 4, "–"},
      {INFINITY, 4, "–"},
      {-INFINITY, 4, "–"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct table *t = table_new();
    struct text out = {0}, expected = {0};
    table_column(t, "n", "", "n", TABLE_RIGHT);
    table_row(t);
    table_number(t, cases[i].value, cases[i].digits);
    table_markdown(t, &out);
    text_printf(&expected, "| n |\n|---:|\n| %s |\n", cases[i].text);
    assert_string_equal(text_str(&out), text_str(&expected));
    text_release(&out);
    text_release(&expected);
    table_free(t);
  }
  struct table *t = table_new();
  table_column(t, "n", "", "n", TABLE_RIGHT);
  table_row(t);
  table_number(t, 17.275, 4);
  table_row(t);
  table_number(t, 5e-324, 1);
  table_row(t);
  table_number(t, NAN, 1);
  assert_true(table_ok(t));
  expect(table_csv, t, "n\r\n17.274999999999999\r\n4.9406564584124654e-324\r\n\r\n");
  table_free(t);
}

static void faults_of_the_caller_are_told(void **state) {
  (void)state;
  struct table *t = table_new();
  assert_true(table_ok(t));
  table_cell(t, "no row", NULL);
  assert_false(table_ok(t));
  table_free(t);
  t = table_new();
  table_column(t, "a", NULL, NULL, TABLE_LEFT);
  table_row(t);
  table_cell(t, "1", NULL);
  assert_true(table_ok(t));
  table_cell(t, "one too many", NULL);
  assert_false(table_ok(t));
  expect(table_csv, t, ""); /* half a table is none */
  table_free(t);
}

static void tables_grow(void **state) {
  (void)state;
  struct table *t = table_new();
  struct text out = {0}, expected = {0};
  for (int c = 0; c < 40; c++) {
    char key[8] = {(char)('A' + c % 26), (char)('a' + c / 26), '\0'};
    table_column(t, key, "", key, TABLE_LEFT); /* the table keeps a copy: key changes */
    text_printf(&expected, "%s%s", key, c < 39 ? "," : "\r\n");
  }
  for (int r = 0; r < 50; r++) {
    table_row(t);
    for (int c = 0; c < 40; c++) {
      table_cellf(t, "%d", r * 40 + c);
      text_printf(&expected, "%d%s", r * 40 + c, c < 39 ? "," : "\r\n");
    }
  }
  assert_true(table_ok(t));
  table_csv(t, &out);
  assert_string_equal(text_str(&out), text_str(&expected));
  text_release(&out);
  text_release(&expected);
  table_free(t);
}

/* Keys and CSV values; what would end the string early is escaped, an absent cell is null. */
static void json_rows(void **state) {
  (void)state;
  struct table *t = table_new();
  struct text out = {0};
  table_column(t, "name", "", "name", TABLE_LEFT);
  table_column(t, "time", "µs", "time_us", TABLE_RIGHT);
  table_row(t);
  table_cell(t, "say \"a\\b\"\n", NULL);
  table_cell(t, "8.622", "8.6216");
  table_row(t);
  table_cell(t, "", NULL);
  table_json(t, &out);
  assert_string_equal(text_str(&out), "[\n {\"name\": \"say \\\"a\\\\b\\\"\\n\", \"time_us\": \"8.6216\"},"
                                      "\n {\"name\": null, \"time_us\": null}\n]");
  text_release(&out);
  table_free(t);
}

/* A line of columns is what their calls are, one by one. */
static void test_head(void **state) {
  (void)state;
  struct text by_line = {0}, by_calls = {0};
  struct table *a = table_of("name | >median |error| [% of time] =error -1 |  =verdict | code =source …"),
               *b = table_new();
  table_column(b, "name", "", "name", TABLE_LEFT);
  table_column(b, "median |error|", "% of time", "error", TABLE_RIGHT);
  table_drop(b, 1);
  table_column(b, "", "", "verdict", TABLE_LEFT);
  table_column(b, "code", "", "source", TABLE_LEFT);
  table_cut(b);
  for (int width = 0; width < 60; width += 20)
    for (int i = 0; i < 2; i++) {
      struct table *t = i ? b : a;
      table_row(t);
      table_cell(t, "x", NULL);
      table_number(t, 0.25, 2);
      table_cell(t, "good", NULL);
      table_cell(t, "a long line of code that is cut", NULL);
      table_term(t, i ? &by_calls : &by_line, width, false);
      table_csv(t, i ? &by_calls : &by_line);
      assert_true(table_ok(t));
    }
  assert_string_equal(text_str(&by_line), text_str(&by_calls));
  table_free(a);
  table_free(b);
  text_release(&by_line);
  text_release(&by_calls);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_head),
      cmocka_unit_test(terminal),
      cmocka_unit_test(terminal_colour),
      cmocka_unit_test(terminal_breaks_text_and_cuts_nothing),
      cmocka_unit_test(terminal_leaves_out_what_is_told),
      cmocka_unit_test(terminal_keeps_words_and_lines_of_code),
      cmocka_unit_test(terminal_breaks_before_it_leaves_out),
      cmocka_unit_test(terminal_breaks_names_before_it_leaves_out),
      cmocka_unit_test(terminal_shows_no_control_characters),
      cmocka_unit_test(terminal_of_little),
      cmocka_unit_test(markdown),
      cmocka_unit_test(csv),
      cmocka_unit_test(numbers),
      cmocka_unit_test(faults_of_the_caller_are_told),
      cmocka_unit_test(tables_grow),
      cmocka_unit_test(json_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
