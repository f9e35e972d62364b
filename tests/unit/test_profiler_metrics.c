/* The counters of run/metrics against CUPTI's own lists for GH100 (H200) and GB100 (B200); needs CUPTI, but no GPU. */
#include "profiler/cuda/counter_table.h"
#include "run/pass_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { CHIPS = 2, PASSES_MAX = 12 };
static const char *const chips[CHIPS] = {"GH100", "GB100"};

static struct fixture {
  struct cupti cupti;
  bool cupti_here;
  struct err why;
  struct metric_host hosts[CHIPS];
  struct metric_table shipped;
} fixture;
static const struct name_list no_names;

static int open_all(void **state) {
  *state = &fixture;
  struct err e = {0};
  if (metric_table_load(&fixture.shipped, &e))
    fail_msg("%s", e.text);
  if (SANITIZED)
    err_set(&fixture.why, ERR_MACHINE, "CUPTI opens a library with RTLD_DEEPBIND, which AddressSanitizer forbids");
  else
    fixture.cupti_here = cupti_load(&fixture.cupti, &fixture.why) == 0;
  for (int c = 0; c < CHIPS && fixture.cupti_here; c++)
    if (metric_host_open(&fixture.hosts[c], &fixture.cupti, chips[c], NULL, &e))
      fail_msg("%s", e.text);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  for (int c = 0; c < CHIPS && fixture.cupti_here; c++)
    metric_host_close(&fixture.hosts[c]);
  metric_table_release(&fixture.shipped);
  free(fixture.cupti.missing);
  return 0;
}

static void need_cupti(void) {
  if (!fixture.cupti_here) {
    print_message("SKIPPED, the counters are not validated: %s\n", fixture.why.text);
    skip();
  }
}

/* Whether a blank-separated list holds the word. */
static bool lists(const char *list, const char *word) {
  size_t n = strlen(word);
  for (const char *p = list; *p; p += strcspn(p, " "), p += strspn(p, " "))
    if (strcspn(p, " ") == n && memcmp(p, word, n) == 0)
      return true;
  return false;
}

/* --- the shipped groups --- */

static void rows_are_complete(void **state) {
  (void)state;
  const struct metric_table *t = &fixture.shipped;
  assert_true(t->n > 40);
  for (size_t i = 0; i < t->n; i++) {
    const struct metric_row *row = &t->rows[i];
    assert_true(*row->group && *row->name && *row->unit && *row->text && row->n_alternatives > 0);
    bool known = strcmp(row->absent_on, "-") == 0;
    for (int c = 0; c < CHIPS; c++)
      known = known || lists(row->absent_on, chips[c]);
    if (!known)
      fail_msg("%s: %s: chips without it: '%s' names none that is tested", row->group, row->name, row->absent_on);
  }
}

/* The column "chips without it" is true: a row resolves on a chip if and only if the column does not name the chip. */
static void rows_resolve(void **state) {
  (void)state;
  need_cupti();
  const struct metric_table *t = &fixture.shipped;
  const struct expr **chosen = calloc(t->n, sizeof *chosen);
  int wrong = 0;
  assert_non_null(chosen);
  for (int c = 0; c < CHIPS; c++) {
    struct name_list names = {0};
    struct err e = {0};
    if (metric_choose(t, &fixture.hosts[c], chosen, &names, &e))
      fail_msg("%s", e.text);
    for (size_t i = 0; i < t->n; i++)
      if ((chosen[i] == NULL) != lists(t->rows[i].absent_on, chips[c])) {
        print_message("%s: %s: %s %s it, and the column says otherwise\n", t->rows[i].group, t->rows[i].name, chips[c],
                      chosen[i] ? "has" : "lacks");
        wrong++;
      }
    name_list_release(&names);
  }
  free(chosen);
  assert_int_equal(wrong, 0);
}

static void visit_somewhere_known(void *context, const char *name) {
  int *unknown = context;
  for (int c = 0; c < CHIPS; c++)
    if (metric_host_knows(&fixture.hosts[c], name))
      return;
  print_message("%s is known on no chip\n", name);
  ++*unknown;
}

static void every_alternative_serves_a_chip(void **state) {
  (void)state;
  need_cupti();
  int unknown = 0;
  for (size_t i = 0; i < fixture.shipped.n; i++)
    for (size_t a = 0; a < fixture.shipped.rows[i].n_alternatives; a++)
      expr_names(fixture.shipped.rows[i].alternatives[a], visit_somewhere_known, &unknown);
  assert_int_equal(unknown, 0);
}

static void the_whole_set_takes_few_passes(void **state) {
  (void)state;
  need_cupti();
  const struct metric_table *t = &fixture.shipped;
  const struct expr **chosen = calloc(t->n, sizeof *chosen);
  assert_non_null(chosen);
  for (int c = 0; c < CHIPS; c++) {
    struct name_list names = {0};
    struct err e = {0};
    uint8_t *image = NULL;
    size_t bytes = 0, passes = 0;
    if (metric_choose(t, &fixture.hosts[c], chosen, &names, &e) ||
        metric_config(&fixture.hosts[c], &no_names, &names, &image, &bytes, &passes, &e))
      fail_msg("%s", e.text);
    print_message("%s: %zu rows, %zu counters, %zu passes\n", chips[c], t->n, names.n, passes);
    assert_true(bytes > 0);
    assert_in_range(passes, 1, PASSES_MAX);
    free(image);
    name_list_release(&names);
  }
  free(chosen);
}

/* --- what CUPTI does not know --- */

static void a_bad_name_is_refused(void **state) {
  (void)state;
  need_cupti();
  for (int c = 0; c < CHIPS; c++) {
    assert_true(metric_host_knows(&fixture.hosts[c], "smsp__inst_executed.sum"));
    assert_false(metric_host_knows(&fixture.hosts[c], "smsp__inst_exercised.sum"));
    assert_false(metric_host_knows(&fixture.hosts[c], "smsp__inst_executed.median"));
    assert_false(metric_host_knows(&fixture.hosts[c], ""));
  }
  struct name_list names = {0};
  struct err e = {0};
  uint8_t *image = NULL;
  size_t bytes = 0;
  name_list_add(&names, "smsp__inst_exercised.sum");
  assert_int_equal(metric_config(&fixture.hosts[0], &no_names, &names, &image, &bytes, NULL, &e), ERR_GPU);
  assert_non_null(strstr(e.text, "cuptiProfilerHostConfigAddMetrics: "));
  free(image);
  name_list_release(&names);
}

static void the_first_alternative_that_the_chip_has(void **state) {
  (void)state;
  need_cupti();
  static const char text[] = "COUNTERS\n"
                             "fallback\tinst\tsm__bogus.sum | smsp__inst_executed.sum + sm__bogus.sum | "
                             "smsp__inst_executed.sum * 2 | smsp__inst_issued.sum\t-\tthe third\n"
                             "lost\tinst\tsm__bogus.sum\t-\tnone\n"
                             "same\tinst\tsmsp__inst_executed.sum\t-\tadds no name\n";
  struct metric_table t = {0};
  struct err e = {0};
  const struct expr *chosen[3];
  struct name_list names = {0};
  assert_int_equal(metric_table_add(&t, "made.txt", text, &e), 0);
  assert_int_equal(t.rows[0].n_alternatives, 4);
  assert_int_equal(metric_choose(&t, &fixture.hosts[0], chosen, &names, &e), 0);
  assert_string_equal(expr_text(chosen[0]), "smsp__inst_executed.sum * 2");
  assert_null(chosen[1]);
  assert_int_equal(names.n, 1);
  assert_string_equal(names.names[0], "smsp__inst_executed.sum");
  name_list_release(&names);

  struct metric_table none = {.rows = &t.rows[1], .n = 1};
  assert_int_equal(metric_choose(&none, &fixture.hosts[1], chosen, &names, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "GB100"));
  name_list_release(&names);
  metric_table_release(&t);
}

static void add_name(void *context, const char *name) {
  name_list_add(context, name);
}

/* Passes of all counters, or of one set of them: the group that is counted apart by itself. */
static size_t passes_of(int chip, struct pass_set set) {
  const struct metric_table *t = &fixture.shipped;
  const struct expr **chosen = calloc(t->n, sizeof *chosen);
  struct name_list all = {0}, lists[2] = {{0}, {0}};
  size_t passes, bytes;
  uint8_t *image;
  assert_int_equal(metric_choose(t, &fixture.hosts[chip], chosen, &all, NULL), 0);
  for (size_t i = 0; i < t->n; i++)
    if (chosen[i] && !pass_set_lacks(set, t, i))
      expr_names(chosen[i], add_name, &lists[metric_group_apart(t->rows[i].group)]);
  assert_int_equal(metric_config(&fixture.hosts[chip], &lists[1], &lists[0], &image, &bytes, &passes, NULL), 0);
  free(image);
  for (int i = 0; i < 2; i++)
    name_list_release(&lists[i]);
  name_list_release(&all);
  free(chosen);
  return passes;
}

/* What docs/cluster.md says of --split-passes. */
static void a_set_takes_fewer_passes_than_all(void **state) {
  (void)state;
  need_cupti();
  for (int c = 0; c < CHIPS; c++) {
    size_t most[4] = {0}, all = passes_of(c, (struct pass_set){0});
    for (int i = 0; i < 4; i++)
      for (long set = 1; set <= 2L << i; set++) {
        size_t n = passes_of(c, (struct pass_set){.set = set, .sets = 2L << i});
        most[i] = n > most[i] ? n : most[i];
      }
    print_message("%s: %zu passes; at most %zu of 2 sets, %zu of 4, %zu of 8, %zu of 16\n", chips[c], all, most[0],
                  most[1], most[2], most[3]);
    assert_true(all > most[0] && most[0] > most[1] && most[1] >= most[2]);
  }
}

/* The group that is counted apart has one pass, the others theirs; together they have no more. */
static void two_lists_share_no_pass(void **state) {
  (void)state;
  need_cupti();
  for (int c = 0; c < CHIPS; c++) {
    const struct metric_table *t = &fixture.shipped;
    const struct expr **chosen = calloc(t->n, sizeof *chosen);
    struct name_list all = {0}, lists[2] = {{0}, {0}};
    size_t passes[3], bytes;
    uint8_t *image;
    assert_int_equal(metric_choose(t, &fixture.hosts[c], chosen, &all, NULL), 0);
    for (size_t i = 0; i < t->n; i++)
      if (chosen[i])
        expr_names(chosen[i], add_name, &lists[metric_group_apart(t->rows[i].group)]);
    assert_int_equal(lists[1].n, 3);
    for (int i = 0; i < 2; i++) {
      assert_int_equal(metric_config(&fixture.hosts[c], &no_names, &lists[i], &image, &bytes, &passes[i], NULL), 0);
      free(image);
    }
    assert_int_equal(metric_config(&fixture.hosts[c], &lists[1], &lists[0], &image, &bytes, &passes[2], NULL), 0);
    free(image);
    assert_int_equal(passes[1], 1);
    assert_int_equal(passes[2], passes[0] + 1);
    for (int i = 0; i < 2; i++)
      name_list_release(&lists[i]);
    name_list_release(&all);
    free(chosen);
  }
}

static void an_unknown_chip_and_an_old_library(void **state) {
  (void)state;
  struct metric_host h;
  struct err e = {0};
  struct cupti old = {.path = "libcupti.so.12", .missing = "cuptiProfilerHostInitialize"};
  assert_int_equal(metric_host_open(&h, &old, "GH100", NULL, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "libcupti.so.12"));
  assert_non_null(strstr(e.text, "cuptiProfilerHostInitialize"));
  need_cupti();
  assert_int_equal(metric_host_open(&h, &fixture.cupti, "GX999", NULL, &e), ERR_GPU);
  assert_non_null(strstr(e.text, "chip GX999: "));
  metric_host_close(&h);
}

static void a_list_holds_a_name_once(void **state) {
  (void)state;
  struct name_list l = {0};
  char names[200][8];
  for (int i = 0; i < 200; i++) {
    names[i][0] = (char)('a' + i % 26);
    names[i][1] = (char)('a' + i / 26);
    names[i][2] = 0;
    assert_int_equal(name_list_add(&l, names[i]), 0);
  }
  assert_int_equal(name_list_add(&l, "ba"), 0); /* names[1] by value */
  assert_int_equal(l.n, 200);
  assert_int_equal(name_list_find(&l, "ba"), 1);
  assert_int_equal(name_list_find(&l, names[199]), 199);
  assert_int_equal(name_list_find(&l, "zz"), -1);
  name_list_release(&l);
  assert_int_equal(l.n, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_complete),
      cmocka_unit_test(rows_resolve),
      cmocka_unit_test(every_alternative_serves_a_chip),
      cmocka_unit_test(the_whole_set_takes_few_passes),
      cmocka_unit_test(a_bad_name_is_refused),
      cmocka_unit_test(the_first_alternative_that_the_chip_has),
      cmocka_unit_test(two_lists_share_no_pass),
      cmocka_unit_test(a_set_takes_fewer_passes_than_all),
      cmocka_unit_test(an_unknown_chip_and_an_old_library),
      cmocka_unit_test(a_list_holds_a_name_once),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
