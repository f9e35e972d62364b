/* Reading metric groups, and the shipped ones. */
#include "run/metric_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void read_ok(struct metric_table *t, const char *file, const char *text) {
  struct err e = {0};
  if (metric_table_add(t, file, text, &e))
    fail_msg("%s", e.text);
}

static void a_group_is_read(void **state) {
  (void)state;
  struct metric_table t = {0};
  read_ok(&t, "some/where/20-made.txt",
          "# a comment\n\nCOUNTERS\na\tB\tx.sum * 32|y.sum\tGB100\ttext, with blanks\n\t\nb\tinst\tx.sum\t-\tt\n"
          "FORMULAS\nc\tB/s\ta / time_s\ttitle\tno newline at the end");
  assert_int_equal(t.n, 2);
  assert_string_equal(t.rows[0].group, "made");
  assert_string_equal(t.rows[0].name, "a");
  assert_string_equal(t.rows[0].unit, "byte"); /* as run files have it */
  assert_string_equal(t.rows[0].absent_on, "GB100");
  assert_string_equal(t.rows[0].text, "text, with blanks");
  assert_int_equal(t.rows[0].n_alternatives, 2);
  assert_string_equal(expr_text(t.rows[0].alternatives[0]), "x.sum * 32");
  assert_string_equal(expr_text(t.rows[0].alternatives[1]), "y.sum");
  assert_string_equal(t.rows[1].unit, "inst");
  assert_ptr_equal(metric_table_find(&t, "b"), &t.rows[1]);
  assert_null(metric_table_find(&t, "c"));
  assert_int_equal(t.n_formulas, 1);
  assert_string_equal(t.formulas[0].group, "made");
  assert_string_equal(t.formulas[0].name, "c");
  assert_string_equal(t.formulas[0].unit, "B/s");
  assert_string_equal(expr_text(t.formulas[0].expr), "a / time_s");
  assert_string_equal(t.formulas[0].title, "title");
  assert_string_equal(t.formulas[0].hint, "no newline at the end");
  assert_int_equal(t.formulas[0].line, 8);
  metric_table_release(&t);
}

/* Rows with braces that follow each other are made thing by thing; a second EACH has keys of its own. */
static void rows_alike_are_written_once(void **state) {
  (void)state;
  static const char *const counters[] = {"n_a", "n_b", "m_x"}, *const formulas[] = {"a_one", "a_two", "b_one", "b_two"};
  struct metric_table t = {0};
  read_ok(&t, "made.txt",
          "EACH\tname\tsays\na\tthe {first}\nb\tthe second\n"
          "COUNTERS\nn_{name}\tinst\tx_{name}.sum\t-\t{says}: {says}\n"
          "FORMULAS\n{name}_one\tratio\tn_{name} / 2\t{says}\th\n# between\n{name}_two\tratio\t{name}_one\tt\th\n"
          "EACH\tname\nx\nCOUNTERS\nm_{name}\tinst\ty.sum\t-\tt\n");
  assert_int_equal(t.n, 3);
  for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
    assert_string_equal(t.rows[i].name, counters[i]);
  assert_string_equal(expr_text(t.rows[1].alternatives[0]), "x_b.sum");
  assert_string_equal(t.rows[0].text, "the {first}: the {first}");
  assert_int_equal(t.n_formulas, 4);
  for (size_t i = 0; i < t.n_formulas; i++)
    assert_string_equal(t.formulas[i].name, formulas[i]);
  assert_string_equal(expr_text(t.formulas[2].expr), "n_b / 2");
  assert_int_equal(t.formulas[2].line, 7);
  assert_int_equal(t.formulas[3].line, 9);
  metric_table_release(&t);
}

static void errors_name_file_and_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"COUNTERS\n# head\na\tB\tx.sum\t-\n", "made.txt:3: 4 cells; a row of COUNTERS has 5"},
      {"FORMULAS\na\n", "made.txt:2: 1 cells; a row of FORMULAS has 5"},
      {"COUNTERS\na\tB\tx.sum\t-\ttext\tmore\n", "made.txt:2: 6 cells"},
      {"COUNTERS\na\tB\tx.sum\t-\tt\n\n\na\tB\ty.sum\t-\tt\n", "made.txt:5: a stands twice (also in group made)"},
      {"COUNTERS\na\tB\tx.sum\t-\tt\ninst\tB\ty.sum\t-\tt\n", "made.txt:3: inst stands twice (also in group first)"},
      {"FORMULAS\ninst\tB\t1\tt\th\n", "made.txt:2: inst stands twice (also in group first)"},
      {"FORMULAS\na\tB\t1\tt\th\na\tB\t1\tt\th\n", "made.txt:3: a stands twice (also in group made)"},
      {"FORMULAS\n \tB\t1\tt\th\n", "made.txt:2: the name is empty"},
      {"COUNTERS\na\tB\tx.sum +\t-\tt\n", "made.txt:2: a: "},
      {"COUNTERS\na\tB\tx.sum |\t-\tt\n", "made.txt:2: a: "},
      {"COUNTERS\na\tB\t\t-\tt\n", "made.txt:2: a: "},
      {"a\tB\tx.sum\t-\tt\n", "made.txt:1: a row stands above COUNTERS, FORMULAS and EACH"},
      {"COUNTERS\n{a}\tB\tx.sum\t-\tt\n", "made.txt:2: a brace, and no EACH with rows above"},
      {"EACH\ta\nCOUNTERS\n{a}\tB\tx.sum\t-\tt\n", "made.txt:3: a brace, and no EACH with rows above"},
      {"EACH\ta\tb\nx\n", "made.txt:2: 1 cells, and EACH names 2"},
      {"EACH\ta\nx\nCOUNTERS\n\n{b}\tB\tx.sum\t-\tt\n", "made.txt:5: {b} is not a key of EACH above"},
      {"EACH\ta\nx\nCOUNTERS\n{a\tB\tx.sum\t-\tt\n", "made.txt:4: {a\tB\tx.sum"},
      {"EACH\ta\nx\ny\nCOUNTERS\nz{a}\tB\tx.sum\t-\tt\nz\tB\tx\t-\tt\n{a\n", "made.txt:7: {a"},
      {"EACH\ta\nx\ny\nCOUNTERS\nz\tB\t{a}.sum\t-\tt\n", "made.txt:5: z stands twice"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct metric_table t = {0};
    struct err e = {0};
    read_ok(&t, "first.txt", "COUNTERS\ninst\tinst\tx.sum\t-\tt\n");
    assert_int_equal(metric_table_add(&t, "metrics/made.txt", cases[i].text, &e), ERR_DATA);
    if (strncmp(e.text, cases[i].says, strlen(cases[i].says)) != 0)
      fail_msg("said '%s', not '%s'", e.text, cases[i].says);
    metric_table_release(&t);
  }
}

static void too_many_patterns_in_a_row(void **state) {
  (void)state;
  struct metric_table t = {0};
  struct err e = {0};
  char text[1024] = "EACH\ta\nx\nCOUNTERS\n";
  for (int i = 0; i < 9; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%c_{a}\tB\tx.sum\t-\tt\n", 'a' + i);
  assert_int_equal(metric_table_add(&t, "made.txt", text, &e), ERR_DATA);
  assert_string_equal(e.text, "made.txt:12: more than 8 rows with braces that follow each other");
  metric_table_release(&t);
}

static void the_clock_is_kept_apart(void **state) {
  (void)state;
  struct metric_table t = {0};
  struct err e = {0};
  if (metric_table_load(&t, &e))
    fail_msg("%s", e.text);
  assert_non_null(metric_table_find(&t, "inst_executed"));
  assert_string_equal(metric_table_find(&t, "stall_gmma")->absent_on, "GB100");
  metric_table_keep(&t, true);
  assert_int_equal(t.n, 3);
  assert_string_equal(t.rows[0].name, "sm_clock_hz");
  assert_null(metric_table_find(&t, "inst_executed"));
  metric_table_release(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_group_is_read),           cmocka_unit_test(rows_alike_are_written_once),
      cmocka_unit_test(errors_name_file_and_line), cmocka_unit_test(too_many_patterns_in_a_row),
      cmocka_unit_test(the_clock_is_kept_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
