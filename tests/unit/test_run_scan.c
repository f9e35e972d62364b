/* Run files in other forms than run/save.c gives them, and texts that are no JSON: what is accepted, jansson accepts too. */
#include "base/text.h"
#include "run/run.h"
#include "unit/golden_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool loaded(struct run *out, const char *json, size_t n) {
  return run_load_text(out, "x.json", json, n, NULL) == 0;
}

static void is_json(const char *json, size_t n, const char *what) {
  json_error_t why;
  json_t *root = json_loadb(json, n, 0, &why);
  if (!root)
    fail_msg("%s: accepted, and yet %s", what, why.text);
  json_decref(root);
}

static char *edited(const char *from, const char *to) {
  const char *at = strstr(golden, from);
  if (!at)
    fail_msg("the golden run has no %s", from);
  return str_printf("%.*s%s%s", (int)(at - golden), golden, to, at + strlen(from));
}

/* One field in another form: the same, or another value that is meant. */
static void reads(struct run *r, const char *from, const char *to) {
  char *json = edited(from, to);
  is_json(json, strlen(json), to);
  if (!loaded(r, json, strlen(json)))
    fail_msg("%s: refused", to);
  free(json);
}

static void test_other_forms(void **state) {
  (void)state;
  struct run r;
  reads(&r, "0.1.0", "\\\"0\\\\1\\/\\b\\f\\n\\r\\t\\u0041\\u001f \xC3\xA9\\u00e9\\u20AC\\uD83d\\uDE80");
  assert_string_equal(r.tool, "\"0\\1/\b\f\n\r\tA\x1f \xC3\xA9\xC3\xA9\xE2\x82\xAC\xF0\x9F\x9A\x80");
  run_release(&r);
  static const struct {
    const char *text;
    double value;
  } numbers[] = {
      {"\"flush_bytes\" :\t5.36870912e8", 536870912},
      {"\"flush_bytes\":\r\n-0", 0},
      {"\"flush_bytes\": 999999999999999999", 999999999999999999.0},
      {"\"flush_bytes\": 1E2", 100},
      {"\"fl\\u0075sh_bytes\": 7", 7},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    reads(&r, "\"flush_bytes\": 536870912", numbers[i].text);
    assert_true(r.flush_bytes == numbers[i].value);
    run_release(&r);
  }
  reads(&r, "\"seed\": 1", "\"seed\": \"18446744073709551615\"");
  assert_true(r.seed == UINT64_MAX);
  run_release(&r);
  reads(&r, "\"seed\": 1", "\"seed\": 9223372036854775807");
  assert_true(r.seed == INT64_MAX);
  run_release(&r);
  reads(&r, "\"git\": \"0123456789ab\"", "\"git\": null");
  assert_null(r.git);
  run_release(&r);
  reads(&r, "\"tool\": \"0.1.0\",\n \"git\": \"0123456789ab\"", "\"git\": \"ab\",\n \"tool\": \"2\"");
  assert_string_equal(r.git, "ab");
  assert_string_equal(r.tool, "2");
  run_release(&r);
  reads(&r, "\"notes\": [", "\"new\": [{}, {\"a\": [1, -2.5e3, true, null]}, \"\\n\"], \"ranges\": [], \"notes\": [");
  assert_int_equal(r.n_ranges, 0);
  run_release(&r);
}

static void test_no_json(void **state) {
  (void)state;
  static const char *const other[][2] = {
      {"0.1.0", "\\u0000"},
      {"0.1.0", "\\x"},
      {"0.1.0", "\\u12g4"},
      {"0.1.0", "\\uD800"},
      {"0.1.0", "\\uDE80"},
      {"0.1.0", "\\uD83Dx"},
      {"0.1.0", "\xE9"},
      {"0.1.0", "\xC0\x80"},
      {"0.1.0", "a\tb"},
      {"536870912", "01"},
      {"536870912", "1."},
      {"536870912", ".5"},
      {"536870912", "+1"},
      {"536870912", "1e"},
      {"536870912", "0x10"},
      {"536870912", "NaN"},
      {"[3200000,", "[,"},
      {"[3200000,", "[3200000,,"},
      {"\"git\"", "git"},
      {"\"git\":", "\"git\""},
      {"\"git\"", "\"x\": [1, tru], \"git\""},
      {"\"git\"", "\"x\": [1 2], \"git\""},
      {"\"git\"", "\"x\": {\"a\"}, \"git\""},
      {"\"git\"", "\"x\": \"\\q\", \"git\""},
  };
  for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
    char *json = edited(other[i][0], other[i][1]);
    struct run r;
    struct err e = {0};
    assert_null(json_loadb(json, strlen(json), 0, NULL));
    if (run_load_text(&r, "x.json", json, strlen(json), &e) != ERR_DATA)
      fail_msg("%s: accepted", other[i][1]);
    /* by line and column: the place of a value would say that the rest is as it should be */
    if (e.text[strlen("x.json:")] < '0' || e.text[strlen("x.json:")] > '9')
      fail_msg("%s: %s", other[i][1], e.text);
    free(json);
  }
}

static void reads_as_strtod_does(const char *text) {
  char *number = str_printf("\"flush_bytes\": %s", text), *json = edited("\"flush_bytes\": 536870912", number);
  struct run r;
  if (!loaded(&r, json, strlen(json)))
    fail_msg("%s: refused", text);
  if (r.flush_bytes != strtod(text, NULL))
    fail_msg("%s: %.17g", text, r.flush_bytes);
  run_release(&r);
  free(number);
  free(json);
}

/* Every number that 17 digits can tell apart reads as strtod reads it, and one digit at every place behind the point. */
static void test_numbers(void **state) {
  (void)state;
  static const double odd[] = {
      0.1, 1e-5, 1.0 / 3, 9007199254740993.0, 4503599627370497.5, 1e22, 1.7976931348623157e308, 5e-324, 123456.789};
  uint64_t bits = 1;
  for (size_t i = 0; i < 2000; i++) {
    char number[64];
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    double v = i < sizeof odd / sizeof odd[0] ? odd[i] : (double)(bits >> 20) / (double)(1u << (bits % 31));
    snprintf(number, sizeof number, "%.*g", 1 + (int)(i % 17), v);
    reads_as_strtod_does(number);
  }
  for (int places = 1; places < 30; places++) {
    char number[64];
    snprintf(number, sizeof number, "1.%0*d", places, 7);
    reads_as_strtod_does(number);
    number[0] = '0';
    reads_as_strtod_does(number);
  }
}

/* One byte changed, or the end cut off: no text is accepted that is none. */
static void test_damaged(void **state) {
  (void)state;
  static const char bytes[] = {'9', '"', '[', '}', '-', '\0', '\xFF', ',', '\\', ' ', '.', 'e', ':'};
  size_t n_accepted = 0;
  for (size_t i = 0; i < n_golden; i += 11) {
    char *json = malloc(n_golden); /* not a byte more, so that ASan sees a read beyond it */
    struct run r;
    assert_non_null(json);
    memcpy(json, golden, n_golden);
    json[i] = bytes[i / 11 % sizeof bytes];
    if (loaded(&r, json, n_golden)) {
      n_accepted++;
      is_json(json, n_golden, "a damaged run");
      run_release(&r);
    }
    free(json);
  }
  assert_true(n_accepted > 100);
  for (size_t n = 0; n < n_golden - 1; n += 31) {
    char *cut = malloc(n + 1);
    struct run r;
    assert_non_null(cut);
    memcpy(cut, golden, n);
    char *exact = realloc(cut, n ? n : 1);
    assert_false(loaded(&r, exact ? exact : cut, n));
    free(exact ? exact : cut);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_other_forms),
      cmocka_unit_test(test_no_json),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_damaged),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
