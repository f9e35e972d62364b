/* The columns of results: every row whole, and one finding's cells by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/words/columns.h"

#include <stdio.h>
#include <string.h>

static void every_row_is_whole(void **state) {
  (void)state;
  for (size_t i = 0; i < n_result_columns; i++) {
    const struct result_column *c = &result_columns[i];
    bool words = c->text || c->of_variant || c->of_result;
    int sources = !!c->value + !!c->time + !!c->real + !!c->metric + !!c->number + !!c->flag + !!c->text +
                  !!c->of_variant + !!c->of_result;

    if (sources != 1)
      fail_msg("%s has %d sources", c->key, sources);
    assert_ptr_equal(result_column_find(c->key), c); /* no earlier row has its key */
    if (!words && !c->flag && c->scale == 0)
      fail_msg("%s: a number without a scale", c->key);
    if (c->title && !c->unit)
      fail_msg("%s is shown and has no unit; \"\" is none", c->key);
    assert_int_equal(c->parts > 0, c->part != NULL);
    assert_int_equal(c->parts > 0, strstr(c->key, "%s") != NULL);
  }
  assert_null(result_column_find("none"));
}

/* 20 us, half of the speed of light, 4 MB by a resource that explains 3/4. */
static const struct run_variant variant = {.id = (char *)"a-1", .ladder = (char *)"a", .side = true};
static const struct run_result result = {.shape = {128, 256, 2}, .bytes_minimal = 5e6};
static const struct finding finding = {.variant = &variant,
                                       .result = &result,
                                       .timed = true,
                                       .time = {.middle = 20e-6, .ci_low = 19.99e-6, .ci_high = 20.01e-6, .min = 19e-6},
                                       .of_sol = {true, 0.5, NULL},
                                       .of_read = {false, 0, "no control"},
                                       .dram_bytes = {true, 4e6, NULL},
                                       .bounds = {.binding = BOUND_ALU, .share = {true, 0.75, NULL}}};

static void assert_cell(const char *key, const char *people, const char *csv) {
  struct table *t = table_new();
  struct text shown = {0}, value = {0};
  struct run run = {0};
  struct findings findings = {.run = &run};
  struct column_row row = {.findings = &findings, .finding = &finding};
  const struct result_column *c = result_column_find(key);
  char want[128];

  assert_non_null(c);
  table_column(t, "x", "", "x", TABLE_LEFT);
  table_row(t);
  result_column_cell(t, c, 0, &row, false);
  table_markdown(t, &shown);
  table_csv(t, &value);
  snprintf(want, sizeof want, "\n| %s |\n", people);
  if (!strstr(text_str(&shown), want))
    fail_msg("%s: people see %s, not %s", key, text_str(&shown), want);
  snprintf(want, sizeof want, "x\r\n%s\r\n", csv);
  assert_string_equal(text_str(&value), want);
  text_release(&shown);
  text_release(&value);
  table_free(t);
}

static void people_and_programs_read_one_value(void **state) {
  (void)state;
  assert_cell("variant", "  ↳ a-1", "a-1");
  assert_cell("ladder", "a", "a");
  assert_cell("side", "1", "1");
  assert_cell("time_us", "20.00", "20");
  assert_cell("time_min_us", "19", "19");
  assert_cell("of_sol_ratio", "50.0", "0.5");
  assert_cell("sol_roof", "DRAM", "DRAM");
  assert_cell("of_read_ratio", "–", ""); /* absent is not zero */
  assert_cell("dram_moved_bytes", "4.000", "4000000");
  assert_cell("bound", "alu 75 %", "alu");
  assert_cell("m", "128", "128");
  assert_cell("bytes_minimal", "5000000", "5000000");
  assert_cell("advice_first", "–", ""); /* nothing was diagnosed */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_whole),
      cmocka_unit_test(people_and_programs_read_one_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
