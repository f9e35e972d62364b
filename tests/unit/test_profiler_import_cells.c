/* What Nsight Compute's files are made of: cells of CSV, UTF-16, numbers and units. */
#include "profiler/import/csv.h"
#include "profiler/import/quantity.h"
#include "profiler/import/utf16.h"
#include "unit/imported.h"

/* --- CSV --- */

static void csv_cells(void **state) {
  (void)state;
  struct csv c;
  struct err e = {0};
  assert_int_equal(csv_parse(&c, "x.csv", "a,\"b,\"\"c\"\"\",\r\n\n\"d\ne\",f\"g", 5, CSV_STRICT, &e), 0);
  assert_int_equal(c.n, 2); /* the blank line is none */
  assert_int_equal(c.rows[0].n, 3);
  assert_string_equal(c.rows[0].cells[1].text, "b,\"c\"");
  assert_int_equal(c.rows[0].cells[1].line, 5);
  assert_int_equal(c.rows[0].cells[1].column, 3);
  assert_string_equal(c.rows[0].cells[2].text, "");
  assert_string_equal(c.rows[1].cells[0].text, "d\ne");
  assert_string_equal(c.rows[1].cells[1].text, "f\"g");
  assert_int_equal(c.rows[1].cells[1].line, 8); /* 5, 6 (blank), 7 and 8 (the quoted line end) */
  assert_int_equal(c.rows[1].cells[1].column, 4);
  csv_release(&c);
}

static void csv_faults(void **state) {
  (void)state;
  struct csv c;
  struct err e = {0};
  assert_int_equal(csv_parse(&c, "x.csv", "a,b\nc,\"d\n", 1, CSV_STRICT, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "x.csv:2:3: this quote is not closed"));
  csv_release(&c);
  assert_int_equal(csv_parse(&c, "x.csv", "a,\"b\"c,d", 1, CSV_STRICT, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "x.csv:1:6: text behind a closed quote"));
  csv_release(&c);
  assert_int_equal(csv_parse(&c, "x.csv", "\"f(\"x\")\",2", 1, CSV_LOOSE, &e), 0);
  assert_string_equal(c.rows[0].cells[0].text, "f(\"x\")");
  csv_release(&c);
}

/* --- numbers and units --- */

static void numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    enum quantity kind;
    double value;
  } cases[] = {
      {"1,234.50", QUANTITY_NUMBER, 1234.5},
      {"7,077,888", QUANTITY_NUMBER, 7077888},
      {"12 {132}", QUANTITY_NUMBER, 12},
      {"1,024{8}", QUANTITY_NUMBER, 1024},
      {"-3", QUANTITY_NUMBER, -3},
      {"1e3", QUANTITY_NUMBER, 1000},
      {"", QUANTITY_ABSENT, 0},
      {"nan", QUANTITY_ABSENT, 0},
      {"no data", QUANTITY_ABSENT, 0},
      {"1.234,50", QUANTITY_TEXT, 0},
      {"1,23", QUANTITY_TEXT, 0},
      {"12abc", QUANTITY_TEXT, 0},
      {"12 {", QUANTITY_TEXT, 0},
      {"1e999", QUANTITY_TEXT, 0},
      {"0x10", QUANTITY_TEXT, 0},
      {"PolicySpread", QUANTITY_TEXT, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double v = 0;
    if (quantity_parse(cases[i].text, &v) != cases[i].kind)
      fail_msg("'%s'", cases[i].text);
    if (cases[i].kind == QUANTITY_NUMBER)
      near(v, cases[i].value, 1e-15);
  }
}

static void units(void **state) {
  (void)state;
  static const struct {
    const char *unit;
    double scale; /* to byte, ns, Hz, % and counts, per second */
  } cases[] = {
      {"", 1},
      {"%", 1},
      {"byte", 1},
      {"Kbyte", 1e3},
      {"Mbyte", 1e6},
      {"Tbyte/s", 1e12},
      {"ns", 1},
      {"us", 1e3},
      {"usecond", 1e3},
      {"ms", 1e6},
      {"second", 1e9},
      {"Ghz", 1e9},
      {"hz", 1},
      {"K", 1e3},
      {"M", 1e6},
      {"sector/ns", 1e9},
      {"sector/us", 1e6},
      {"byte/second", 1},
      {"Kbyte/block", 1e3},
      {"register/thread", 1},
      {"inst/cycle", 1},
      {"branches", 1},
      {"%/Kbyte", 1e-3},
      {"sectors", 1},
      {"op/cycle", 1},
      {"ways", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double scale;
    if (!unit_scale(cases[i].unit, &scale))
      fail_msg("'%s' is unknown", cases[i].unit);
    near(scale, cases[i].scale, 1e-12);
  }
  static const char *const unknown[] = {"furlong", "Mus",    "byte/",
                                        "/s",      "KKbyte", "a unit of more than thirty-two letters"};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    double scale;
    if (unit_scale(unknown[i], &scale))
      fail_msg("'%s' is known", unknown[i]);
  }
}

static void utf16(void **state) {
  (void)state;
  struct err e = {0};
  /* "A", U+00B5, U+2014, U+1F600, the first of the halves and then a letter, half a pair */
  static const char bytes[] = "\xFF\xFE"
                              "A\0\xB5\0\x14\x20\x3D\xD8\x00\xDE\x00\xD8z\0\x3D\xD8";
  size_t n = sizeof bytes - 1;
  char *text = malloc(n);
  assert_non_null(text);
  memcpy(text, bytes, n);
  assert_true(utf16_is(text, n));
  assert_int_equal(utf16_read(&text, &n, "x", &e), 0);
  assert_string_equal(text, "A\xC2\xB5\xE2\x80\x94\xF0\x9F\x98\x80\xEF\xBF\xBDz\xEF\xBF\xBD");
  free(text);
  n = 3;
  text = malloc(n);
  assert_non_null(text);
  memcpy(text, "\xFE\xFF\0", n);
  assert_int_equal(utf16_read(&text, &n, "x", &e), ERR_DATA);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(csv_cells), cmocka_unit_test(csv_faults), cmocka_unit_test(numbers),
      cmocka_unit_test(units),     cmocka_unit_test(utf16),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
