/* The longest kernels of a run, and the part of it that shows them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/story/program.h"
#include "run/run_part.h"
#include "unit/made_run.h"

static const struct shape one = {.m = 1, .k = 64, .l = 1}, two = {.m = 2, .k = 64, .l = 1};

/* 10, 40 and 20 µs, and one without a time; the second at another shape too. */
static void make(struct made_run *m) {
  static const double time_ns[] = {10000, 40000, 20000, 0};
  static const char *const ids[] = {"a", "b", "c", "d"};

  made_begin(m);
  for (int i = 0; i < 4; i++) {
    made_variant(m, ids[i], "l", NULL);
    struct run_result *r = made_result(m, ids[i], one);
    if (time_ns[i] > 0)
      made_time(r, time_ns[i], 3);
  }
  made_time(made_result(m, "b", two), 5000, 3);
}

static void the_longest_are_kept(void **state) {
  static struct made_run m;
  struct findings f;
  bool keep[4];
  double share;
  struct err e = {0};
  (void)state;
  make(&m);
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  longest_keep(keep, &share, &f, 2);
  assert_false(keep[0] || keep[3]);
  assert_true(keep[1] && keep[2]);
  assert_true(share > 60.0 / 70 - 1e-9 && share < 60.0 / 70 + 1e-9);
  longest_keep(keep, &share, &f, 9);
  assert_true(keep[0] && keep[1] && keep[2] && keep[3] && share == 1);
  /* The index of findings finds what the list holds, at each shape. */
  assert_ptr_equal(findings_at(&f, "b", two), &f.items[4]);
  assert_ptr_equal(findings_at(&f, "b", one), &f.items[1]);
  assert_null(findings_at(&f, "c", two));
  assert_null(findings_at(&f, "e", one));
  findings_release(&f);
}

/* A program's 5,000 calls of 10 µs are more than 3 of 40: 50, 0.12, 0.06 and 0.2 ms; d has no time of its own. */
static void most_of_a_program_is_kept(void **state) {
  static const char *const totals[] = {"50000000", "120000", "60000", "200000"}, *const calls[] = {"5000", "3", "3",
                                                                                                   "1"};
  static struct made_run m;
  struct run_key keys[4][2];
  struct findings f;
  bool keep[4];
  double share;
  struct err e = {0};
  (void)state;
  make(&m);
  for (int i = 0; i < 4; i++) {
    keys[i][0] = (struct run_key){(char *)"launches", (char *)calls[i]};
    keys[i][1] = (struct run_key){(char *)"gpu_time_ns", (char *)totals[i]};
    m.variants[i].keys = keys[i];
    m.variants[i].n_keys = 2;
  }
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  longest_keep(keep, &share, &f, 2);
  assert_true(keep[0] && keep[3]);
  assert_false(keep[1] || keep[2]);
  assert_float_equal(share, 50.2 / 50.38, 1e-9);
  findings_release(&f);
}

static void a_part_borrows_and_changes_nothing(void **state) {
  static struct made_run m;
  static char old[] = "an old note";
  static char *notes[] = {old};
  const bool keep[4] = {false, true, false, true};
  struct run part;
  (void)state;
  make(&m);
  m.run.notes = notes;
  m.run.n_notes = 1;
  run_part_make(&part, &m.run, keep, "a part");
  assert_int_equal(part.n_variants, 2);
  assert_string_equal(part.variants[1].id, "d");
  assert_int_equal(part.n_results, 3);
  assert_int_equal(part.results[1].variant, 1);
  assert_int_equal(part.results[2].variant, 0);
  assert_true(shape_equal(part.results[2].shape, two));
  assert_int_equal(part.n_notes, 2);
  assert_ptr_equal(part.notes[0], old);
  assert_string_equal(part.notes[1], "a part");
  run_part_release(&part);
  assert_int_equal(m.run.n_variants, 4);
  assert_int_equal(m.run.results[4].variant, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_longest_are_kept),
      cmocka_unit_test(most_of_a_program_is_kept),
      cmocka_unit_test(a_part_borrows_and_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
