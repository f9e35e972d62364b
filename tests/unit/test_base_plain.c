/* What must not reach a terminal, a page or a spreadsheet. */
#include "base/html.h"
#include "base/markdown.h"
#include "base/plain.h"
#include "base/table.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Clears the screen, names the window, C1 in UTF-8 and as a byte, DEL, a byte of Latin-1, an overlong slash; é and → stay. */
static const char hostile[] = "a\033[2J\033]0;x\007\xC2\x9B"
                              "b\x9B\x7F\xE9 \xC0\xAF\té→\r";

/* The first and the last of each length; what is overlong, half of a pair or beyond U+10FFFF is no character. */
static void lengths_of_utf8(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t n;
  } rows[] = {{"\x7F", 1},
              {"\xC2\x80", 2},
              {"\xDF\xBF", 2},
              {"\xE0\xA0\x80", 3},
              {"\xED\x9F\xBF", 3},
              {"\xEE\x80\x80", 3},
              {"\xF0\x90\x80\x80", 4},
              {"\xF4\x8F\xBF\xBF", 4},
              {"\x80", 0},
              {"\xC1\xBF", 0},
              {"\xC2\x7F", 0},
              {"\xC2\xC0", 0},
              {"\xE0\x9F\xBF", 0},
              {"\xED\xA0\x80", 0},
              {"\xF0\x8F\xBF\xBF", 0},
              {"\xF4\x90\x80\x80", 0},
              {"\xF5\x80\x80\x80", 0},
              {"\xE0\xA0\xC0", 0}, /* the bytes behind the second have no bounds of the first's */
              {"\xE0\xA0\x7F", 0},
              {"\xE0\xBF\x80", 3},
              {"\xED\x80\xBF", 3},
              {"\xF0\x90\x80\xC0", 0},
              {"\xF4\x8F\x80\x7F", 0},
              {"\xE1\x80", 0},
              {"\xF1\x80\x80", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (utf8_length(rows[i].text) != rows[i].n)
      fail_msg("row %zu: %zu bytes, not %zu", i, utf8_length(rows[i].text), rows[i].n);
}

static void expect(struct text *out, const char *text) {
  assert_true(text_ok(out));
  assert_string_equal(text_str(out), text);
  text_release(out);
}

static void control_characters(void **state) {
  struct text out = {0};
  (void)state;
  plain_text(&out, hostile);
  expect(&out, "a?[2J?]0;x??b??? ??\té→?");
  plain_text(&out, NULL);
  expect(&out, "");
  /* The second half of a character that was cut. */
  plain_text_n(&out, "é", 1);
  expect(&out, "?");
}

/* They show a line in another order than a compiler reads it: U+202A to U+202E, U+2066 to U+2069. */
static void orders_of_writing(void **state) {
  static const char turned[] = "\u2029a\u202Ab\u202Ec\u202Fd\u2065e\u2066f\u2069g\u206A";
  struct text out = {0};
  (void)state;
  plain_text(&out, turned);
  expect(&out, "\u2029a?b?c\u202Fd\u2065e?f?g\u206A");
  html_text(&out, turned);
  expect(&out, "\u2029a b c\u202Fd\u2065e f g\u206A");
}

static void terminals(void **state) {
  static const char coloured[] = "\033[1;32mgreen\033[0m\r\n\033[2J\033[\r";
  struct text out = {0};
  (void)state;
  plain_terminal(&out, coloured, sizeof coloured - 1, true);
  expect(&out, "\033[1;32mgreen\033[0m\r\n?[2J?[?");
  plain_terminal(&out, coloured, sizeof coloured - 1, false);
  expect(&out, "?[1;32mgreen?[0m\r\n?[2J?[?");
  plain_terminal(&out, "\r\n", 2, true);
  expect(&out, "\r\n");
  plain_terminal(&out, "\033[m", 3, true);
  expect(&out, "\033[m");
}

static void pages(void **state) {
  struct text out = {0};
  (void)state;
  markdown_text(&out, hostile);
  expect(&out, "a?\\[2J?\\]0;x??b??? ??\té→ ");
  html_text(&out, hostile);
  expect(&out, "a [2J ]0;x  b      \té→ ");
}

/* What is no UTF-8 does not make JSON that no reader takes. */
static void json(void **state) {
  struct text out = {0};
  (void)state;
  json_text(&out, "a\"\\\n\t\x1bé\xe9z");
  expect(&out, "\"a\\\"\\\\\\n\\t\\u001bé\xEF\xBF\xBDz\"");
  /* What a terminal must not get is written in ASCII, and read again as it was. */
  json_text(&out, "\x7F\xC2\x9B\xC2\xA0\xE2\x80\xAE\xE2\x80\xA8\xE2\x81\xA6\xE2\x82\xAC\xF0\x9F\x98\x80");
  expect(&out, "\"\\u007f\\u009b\xC2\xA0\\u202e\xE2\x80\xA8\\u2066\xE2\x82\xAC\xF0\x9F\x98\x80\"");
}

/* A spreadsheet runs what begins with = + - @; numbers keep their signs. */
static void formulas(void **state) {
  static const char *const cells[] = {"=1+2", "+a", "@SUM(A1)", "-x", "-1.5", "+2", "a=b", "-", "-5x"};
  struct table *t = table_new();
  struct text out = {0};
  (void)state;
  table_column(t, "n", "", "=n", TABLE_LEFT);
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    table_row(t);
    table_cell(t, cells[i], NULL);
  }
  table_row(t);
  table_cell(t, hostile, NULL);
  table_csv(t, &out);
  expect(&out,
         "'=n\r\n'=1+2\r\n'+a\r\n'@SUM(A1)\r\n'-x\r\n-1.5\r\n+2\r\na=b\r\n'-\r\n'-5x\r\na?[2J?]0;x??b??? ??\té→?\r\n");
  table_free(t);
}

/* The first and the last character of each length, by RFC 3629. */
static void characters_are_written(void **state) {
  static const struct {
    uint32_t character;
    const char *utf8;
  } rows[] = {{0x01, "\x01"},
              {0x7F, "\x7F"},
              {0x80, "\xC2\x80"},
              {0x7FF, "\xDF\xBF"},
              {0x800, "\xE0\xA0\x80"},
              {0xFFFF, "\xEF\xBF\xBF"},
              {0x10000, "\xF0\x90\x80\x80"},
              {0x10FFFF, "\xF4\x8F\xBF\xBF"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[8] = "";
    *utf8_put(text, rows[i].character) = '\0';
    assert_string_equal(text, rows[i].utf8);
  }
}

/* Columns are characters, however many bytes they have; a step never ends within one. */
static void columns_of_utf8(void **state) {
  static const char text[] = "a\xC2\xB5\xE2\x80\xA6z"; /* aµ…z */
  (void)state;
  assert_int_equal(utf8_columns(text, sizeof text - 1), 4);
  assert_int_equal(utf8_columns(text, 3), 2);
  assert_int_equal(utf8_columns(text, 0), 0);
  assert_int_equal(utf8_bytes(text, 0), 0);
  assert_int_equal(utf8_bytes(text, 2), 3);
  assert_int_equal(utf8_bytes(text, 3), 6);
  assert_int_equal(utf8_bytes(text, 9), sizeof text - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(characters_are_written),
      cmocka_unit_test(lengths_of_utf8),
      cmocka_unit_test(columns_of_utf8),
      cmocka_unit_test(control_characters),
      cmocka_unit_test(orders_of_writing),
      cmocka_unit_test(terminals),
      cmocka_unit_test(pages),
      cmocka_unit_test(json),
      cmocka_unit_test(formulas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
