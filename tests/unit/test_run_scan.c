/* run/record_scan.c against the way by jansson's values: what the one accepts, the other does, and both make the same of it. */
#include "base/file.h"
#include "base/text.h"
#include "run/record.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN TEST_SOURCE_DIR "/tests/golden/small.json"

static char *golden;
static size_t n_golden;

static int setup(void **state) {
  (void)state;
  struct err e = {0};
  return file_read(GOLDEN, RUN_FILE_MAX, &golden, &n_golden, &e);
}

static int teardown(void **state) {
  (void)state;
  free(golden);
  return 0;
}

/* Whether the text is read from end to end. */
static bool scanned(struct run *out, const char *json, size_t n) {
  memset(out, 0, sizeof *out);
  bool whole = record_scan(&record_run, out, json, json + n) == json + n;
  if (!whole)
    record_release(&record_run, out);
  return whole;
}

/* Every field but those of strings of another address, as a file has them. */
static void saved(const struct run *r, char **text, size_t *n) {
  static const char path[] = "test_run_scan.json";
  struct err e = {0};
  if (record_save(&record_run, r, path, &e) || file_read(path, RUN_FILE_MAX, text, n, &e))
    fail_msg("%s", e.text);
  remove(path);
}

static void same_as_jansson(struct run *scan, const char *json, size_t n, const char *what) {
  json_error_t why;
  struct run whole = {0};
  struct err e = {0};
  char *a = NULL, *b = NULL;
  size_t n_a = 0, n_b = 0;
  json_t *root = json_loadb(json, n, JSON_REJECT_DUPLICATES, &why);
  if (!root || record_read(&record_run, &whole, root, NULL, &e))
    fail_msg("%s: accepted, and yet %s", what, root ? e.text : why.text);
  saved(scan, &a, &n_a);
  saved(&whole, &b, &n_b);
  assert_int_equal(n_a, n_b);
  assert_memory_equal(a, b, n_a);
  free(a);
  free(b);
  json_decref(root);
  record_release(&record_run, &whole);
  record_release(&record_run, scan);
}

static char *edited(const char *from, const char *to) {
  const char *at = strstr(golden, from);
  if (!at)
    fail_msg("the golden run has no %s", from);
  return str_printf("%.*s%s%s", (int)(at - golden), golden, to, at + strlen(from));
}

/* What the tool writes is read at once, or large runs take three times as long. */
static void test_own_files(void **state) {
  (void)state;
  struct run r;
  assert_true(scanned(&r, golden, n_golden));
  same_as_jansson(&r, golden, n_golden, "the golden run");
  static const char *const same[][2] = {
      {"0.1.0", "\\\"0\\\\1\\/\\b\\f\\n\\r\\t\\u0041\\u00"
                "1f \xC3\xA9\xE2\x80\xA6\xF0\x9F\x9A\x80"},
      {"\"flush_bytes\": 536870912", "\"flush_bytes\" :\t5.36870912e8"},
      {"\"flush_bytes\": 536870912", "\"flush_bytes\":\r\n-0"},
      {"\"flush_bytes\": 536870912", "\"flush_bytes\": 999999999999999999"},
      {"\"seed\": 1", "\"seed\": \"18446744073709551615\""},
      {"\"git\": \"0123456789ab\"", "\"git\": null"},
      {"\"notes\": [", "\"ranges\": [], \"notes\": ["},
      {"\"tool\": \"0.1.0\",\n \"git\": \"0123456789ab\"", "\"git\": \"0123456789ab\",\n \"tool\": \"0.1.0\""},
  };
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
    char *json = edited(same[i][0], same[i][1]);
    if (!scanned(&r, json, strlen(json)))
      fail_msg("%s: left to jansson", same[i][1]);
    same_as_jansson(&r, json, strlen(json), same[i][1]);
    free(json);
  }
}

static void test_left_to_others(void **state) {
  (void)state;
  static const char *const other[][2] = {
      {"nvfp4-prof/run/1", "nvfp4-prof/run/2"},
      {"\"schema\"", "\"scheme\""},
      {"\"schema\": \"nvfp4-prof/run/1\",", ""},
      {"\"git\"", "\"tool\""},
      {"\"git\"", "\"unknown\""},
      {"0.1.0", "\\u0000"},
      {"0.1.0", "\\u00e9"},
      {"0.1.0", "\\x"},
      {"0.1.0", "\xE9"},
      {"0.1.0", "\xC0\x80"},
      {"0.1.0", "a\tb"},
      {"536870912", "-1"},
      {"536870912", "01"},
      {"536870912", "1."},
      {"536870912", ".5"},
      {"536870912", "+1"},
      {"536870912", "1e"},
      {"536870912", "1e400"},
      {"536870912", "0x10"},
      {"536870912", "NaN"},
      {"536870912", "1000000000000000000"},
      {"\"seed\": 1", "\"seed\": \"18446744073709551616\""},
      {"\"seed\": 1", "\"seed\": \"\""},
      {"\"seed\": 1", "\"seed\": 1.5"},
      {"\"partial\": false", "\"partial\": 0"},
      {"\"origin\": \"measured\"", "\"origin\": \"guessed\""},
      {"[3200000,", "[,"},
      {"[3200000,", "[3200000,,"},
      {"[3200000,", "[null,"},
      {"[56, 1, 1]", "[56, 1]"},
      {"[56, 1, 1]", "[56, 1, 4294967296]"},
      {"\"variant\": 0", "\"variant\": 2147483648"},
      {"\"module\": 0", "\"module\": -2"},
  };
  struct run r;
  for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
    char *json = edited(other[i][0], other[i][1]);
    if (scanned(&r, json, strlen(json)))
      fail_msg("%s: accepted", other[i][1]);
    free(json);
  }
}

/* Every number that 17 digits can tell apart reads as strtod reads it. */
static void test_numbers(void **state) {
  (void)state;
  static const double odd[] = {
      0.1, 1e-5, 1.0 / 3, 9007199254740993.0, 4503599627370497.5, 1e22, 1.7976931348623157e308, 5e-324, 123456.789};
  uint64_t bits = 1;
  for (size_t i = 0; i < 2000; i++) {
    char number[64];
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    double v = i < sizeof odd / sizeof odd[0] ? odd[i] : (double)(bits >> 20) / (double)(1u << (bits % 31));
    snprintf(number, sizeof number, "\"flush_bytes\": %.*g", 1 + (int)(i % 17), v);
    char *json = edited("\"flush_bytes\": 536870912", number);
    struct run r;
    if (scanned(&r, json, strlen(json)))
      assert_true(r.flush_bytes == strtod(strchr(number, ':') + 1, NULL));
    else if (strpbrk(number, ".e"))
      fail_msg("%s: left to jansson", number);
    record_release(&record_run, &r);
    free(json);
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
    if (scanned(&r, json, n_golden)) {
      n_accepted++;
      if (n_accepted % 8 == 0)
        same_as_jansson(&r, json, n_golden, "a damaged run");
      record_release(&record_run, &r);
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
    assert_false(scanned(&r, exact ? exact : cut, n));
    free(exact ? exact : cut);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_files),
      cmocka_unit_test(test_left_to_others),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_damaged),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
