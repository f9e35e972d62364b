/* Launches share their metrics' names, so that these are sorted once for each kind of launch, however many there are. */
#include "base/text.h"
#include "profiler/import/ncu.h"
#include "profiler/import/ncu_rep.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

static struct ncu_file parsed(const char *text) {
  struct ncu_file f;
  struct err e = {0};
  if (ncu_parse(&f, "x.csv", text, &e))
    fail_msg("%s", e.text);
  return f;
}

static double value(const struct ncu_launch *l, const char *name) {
  struct err e = {0};
  struct ncu_reading r = {.e = &e};
  double v = 0;
  if (!ncu_value(l, name, &v, &r))
    fail_msg("%s: %s", name, e.text);
  return v;
}

/* The rows of two launches by turns, `n` in all, with the launch's number for "@". */
static char *repeated(const char *head, const char *a, const char *b, int n) {
  struct text t = {0};
  text_add(&t, head);
  for (int i = 0; i < n; i++) {
    for (const char *c = i % 2 ? b : a; *c; c++) {
      if (*c == '@')
        text_printf(&t, "%d", i);
      else
        text_add_n(&t, c, 1);
    }
  }
  return text_take(&t);
}

static void rows_of_one_table(void **state) {
  (void)state;
  enum { LAUNCHES = 500 };
  char *text = repeated("\"ID\",\"Kernel Name\",\"z__b.sum\",\"a__c.sum\",\"m__d.sum\"\n\"\",\"\",\"byte\",\"\",\"\"\n",
                        "\"@\",\"k\",\"@\",\"5\",\"6\"\n", "\"@\",\"k\",\"@\",\"7\",\"8\"\n", LAUNCHES);
  struct ncu_file f = parsed(text);
  assert_int_equal(f.n, LAUNCHES);
  assert_int_equal(f.n_names, 1);
  for (size_t i = 0; i < f.n; i++) {
    assert_true(value(&f.launches[i], "z__b.sum") == (double)i);
    assert_true(value(&f.launches[i], "a__c.sum") == (i % 2 ? 7 : 5));
    assert_true(value(&f.launches[i], "m__d.sum") == (i % 2 ? 8 : 6));
  }
  ncu_release(&f);
  free(text);
}

/* A details page repeats the names, and of two kinds of launch each has its own. */
static void kinds_by_turns(void **state) {
  (void)state;
  enum { LAUNCHES = 500 };
  char *text = repeated("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n",
                        "\"@\",\"k\",\"z__b.sum\",\"byte\",\"3\"\n\"@\",\"k\",\"a__c.sum\",\"\",\"4\"\n",
                        "\"@\",\"k\",\"a__c.sum\",\"\",\"5\"\n", LAUNCHES);
  struct ncu_file f = parsed(text);
  assert_int_equal(f.n, LAUNCHES);
  assert_int_equal(f.n_names, 2);
  for (size_t i = 0; i < f.n; i++)
    assert_true(value(&f.launches[i], "a__c.sum") == (i % 2 ? 5 : 4));
  assert_true(value(&f.launches[LAUNCHES - 2], "z__b.sum") == 3);
  ncu_release(&f);
  free(text);
}

/* Which of those that share a name counts differs from launch to launch, though the names do not. */
static void the_most_digits_count(void **state) {
  (void)state;
  char *text = repeated("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n",
                        "\"@\",\"k\",\"z__b.sum\",\"Kbyte\",\"1.23\"\n\"@\",\"k\",\"z__b.sum\",\"byte\",\"1234\"\n",
                        "\"@\",\"k\",\"z__b.sum\",\"Kbyte\",\"1.235\"\n\"@\",\"k\",\"z__b.sum\",\"byte\",\"123\"\n", 4);
  struct ncu_file f = parsed(text);
  assert_int_equal(f.n_names, 1);
  for (size_t i = 0; i < f.n; i++)
    assert_true(value(&f.launches[i], "z__b.sum") == (i % 2 ? 1235 : 1234));
  ncu_release(&f);
  free(text);
}

/* The launches of a report were collected alike; its numbers are no text. */
static void of_a_report(void **state) {
  (void)state;
  struct import_file file = {.name = TEST_SOURCE_DIR "/tests/import/rung.ncu-rep.gz"};
  struct ncu_file f = {0};
  struct ncu_source code = {0};
  struct err e = {0};
  char *text = NULL, *note = NULL;
  setenv("NVFP4_NVDISASM", "/nonexistent", 1);
  int rc = import_file_read(&text, &file.n, file.name, &e);
  file.text = text;
  if (rc || ncu_rep_parse(&f, &code, &note, &file, &e))
    fail_msg("%s", e.text);
  assert_true(f.n_names <= 2);
  assert_true(value(&f.launches[0], "launch__registers_per_thread") > 0);
  assert_non_null(ncu_text(&f.launches[0], "device__attribute_display_name"));
  assert_null(ncu_text(&f.launches[0], "launch__registers_per_thread"));
  ncu_release(&f);
  ncu_source_release(&code);
  free(note);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_one_table),
      cmocka_unit_test(kinds_by_turns),
      cmocka_unit_test(the_most_digits_count),
      cmocka_unit_test(of_a_report),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
