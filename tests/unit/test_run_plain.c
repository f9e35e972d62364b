/* Records read from the text as run/save.c writes them: the same as by jansson, and nothing that is no JSON. */
#include "run/record.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *plain(const struct record *r, void *object, const char *text) {
  return record_plain(r, object, text, text + strlen(text));
}

static void reads(const struct record *r, const char *text, bool wanted) {
  union {
    struct run_result result;
    struct run_variant variant;
  } object = {0};
  const char *behind = plain(r, &object, text);
  if ((behind == text + strlen(text)) != wanted)
    fail_msg("%s was %s", text, wanted ? "not read" : "read");
  record_release(r, &object);
}

static void test_values(void **state) {
  (void)state;
  struct run_result r = {0};
  assert_non_null(
      plain(&record_result, &r,
            "{\"variant\": 3, \"shape\": {\"m\": 0, \"k\": 0, \"l\": 0, \"sizes\": \"N=5\"}, \"module\": -1,\n"
            "\"bytes_minimal\": 7, \"bytes_contest\": 0, \"bytes_declared\": 0, \"flops\": 0,"
            "\"launches\": [{\"kernel\": \"k\", \"grid\": [1, 2 , 3], \"block\": [4,5,6], \"cluster\": [0, 0, 0],"
            "\"smem_static\": 0, \"smem_dynamic\": 0, \"registers\": 8, \"local_bytes\": 0, \"blocks_per_sm\": 0}],"
            "\"check\": {\"verdict\": \"wrong\", \"reason\": null, \"total\": 0, \"failed\": 0, \"max_error\": 0.5,"
            "\"max_ratio\": 0, \"row\": 0, \"batch\": 0, \"got\": null, \"want\": -2},"
            "\"timing\": {\"samples_ns\": [1, 2.5, 3e2], \"discarded\": 0},"
            "\"metrics\": [{\"name\": \"a\", \"unit\": \"b\", \"value\": 1.25e-3}, "
            "{\"name\": \"c\", \"unit\": \"d\", \"value\": null, \"reason\": \"why\"}]}"));
  assert_int_equal(r.variant, 3);
  assert_string_equal(r.shape.sizes, "N=5");
  assert_int_equal(r.module, -1);
  assert_true(r.n_launches == 1 && r.launches->grid[2] == 3 && r.launches->registers == 8);
  assert_true(r.check.verdict == VERDICT_WRONG && !r.check.reason && !r.check.got_present && r.check.max_error == 0.5);
  assert_true(r.timing.n == 3 && r.timing.samples_ns[1] == 2.5 && r.timing.samples_ns[2] == 300);
  assert_true(r.n_metrics == 2 && r.metrics[0].present && r.metrics[0].value == 0.00125);
  assert_true(!r.metrics[1].present && strcmp(r.metrics[1].reason, "why") == 0);
  run_result_release(&r);
}

/* A variant of which one thing is another. */
#define VARIANT(id, keys) "{\"id\": " id ", \"side\": false, \"wrong\": false" keys "}"

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool read;
  } cases[] = {
      {VARIANT("\"a\"", ""), true},
      {VARIANT("\"a\"", ", \"keys\": [[\"k\", \"v\"]]"), true},
      {VARIANT("\"a\"", ", \"keys\": []"), true},
      {VARIANT(
           "\"a\"",
           ", \"published\": [{\"device\": \"d\", \"what\": \"w\", \"source\": \"s\", \"time_ns\": 1e3, \"approximate\": true}]"),
       true},
      {VARIANT("\"a\"", ", \"keys\": null"), true},
      {VARIANT("null", ""), false}, /* it may not be absent */
      {VARIANT("\"a", ""), false},
      {VARIANT("\"a\\n\"", ""), false}, /* for jansson */
      {VARIANT("\"\xc3\xa9\"", ""), false},
      {VARIANT("1", ""), false},
      {VARIANT("\"a\"", ","), false},
      {VARIANT("\"a\"", " \"keys\": []"), false},
      {VARIANT("\"a\"", ", \"keys\": [[\"k\", \"v\"],]"), false},
      {VARIANT("\"a\"", ", \"keys\": [[\"k\"]]"), false},
      {VARIANT("\"a\"", ", \"keys\": [[\"k\", \"v\", \"w\"]]"), false},
      {VARIANT("\"a\"", ", \"wrong\": false"), false}, /* twice */
      {VARIANT("\"a\"", ", \"unknown\": 1"), false},
      {"{\"side\": false, \"wrong\": false, \"id\": \"a\"}", false},
      {"{\"id\": \"a\"}", false},
      {"{}", false},
      {"", false},
      {"{\"id\": \"a\", \"side\": false, \"wrong\": falsey}", false},
      {"{\"id\": \"a\", \"side\": false, \"wrong\": false", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    reads(&record_variant, cases[i].text, cases[i].read);
}

static void test_numbers(void **state) {
  (void)state;
  static const struct {
    const char *number;
    bool read;
  } cases[] = {{"0", true},      {"10", true},  {"0.5", true},  {"1e5", true},    {"1.5E+3", true},
               {"2e-3", true},   {"01", false}, {"1.", false},  {".5", false},    {"0x10", false},
               {"0x1p3", false}, {"1e", false}, {"1e+", false}, {"nan", false},   {"inf", false},
               {"1e999", false}, {"-1", false}, {"+1", false},  {"1.5.5", false}, {"1234567890123456789012", false},
               {"\"1\"", false}, {"", false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[256];
    snprintf(
        text, sizeof text,
        "{\"id\": \"a\", \"side\": false, \"wrong\": false, \"published\": [{\"device\": \"d\", \"what\": \"w\", \"source\": \"s\", \"time_ns\": %s, "
        "\"approximate\": true}]}",
        cases[i].number);
    reads(&record_variant, text, cases[i].read);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
