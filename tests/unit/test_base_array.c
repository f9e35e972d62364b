#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/array.h"

#include <stdlib.h>

static void elements_are_added_one_by_one(void **state) {
  int *all = NULL;
  size_t n = 0;
  (void)state;
  for (int i = 0; i < 100; i++) {
    int *x = array_add(&all, &n, sizeof *x);
    assert_ptr_equal(x, &all[i]);
    assert_int_equal(n, i + 1);
    assert_int_equal(*x, 0);
    *x = i + 1;
  }
  for (int i = 0; i < 100; i++)
    assert_int_equal(all[i], i + 1);
  free(all);
}

static void strings_are_copied(void **state) {
  char **list = NULL, word[] = "one";
  size_t n = 0;
  (void)state;
  assert_true(array_copy(&list, &n, word));
  word[0] = 'x';
  assert_true(array_copy(&list, &n, "two"));
  assert_int_equal(n, 2);
  assert_string_equal(list[0], "one");
  assert_string_equal(list[1], "two");
  free(list[0]);
  free(list[1]);
  free(list);
}

/* An array that somebody else made has room for what is in it and no more. */
static void an_array_that_is_full_grows(void **state) {
  (void)state;
  for (size_t full = 1; full <= 9; full++) {
    char *all = malloc(full);
    size_t n = full;
    assert_non_null(all);
    for (size_t i = 0; i < full; i++)
      all[i] = 'a';
    assert_int_equal(*(char *)array_add(&all, &n, 1), 0);
    assert_int_equal(n, full + 1);
    for (size_t i = 0; i < full; i++)
      assert_int_equal(all[i], 'a');
    free(all);
  }
}

#if !defined(__SANITIZE_ADDRESS__) /* which ends a program that asks for so much */
static void without_memory_nothing_changes(void **state) {
  char *kept = malloc(1), *all = kept;
  size_t n = 1;
  (void)state;
  assert_null(array_add(&all, &n, SIZE_MAX / 4));
  assert_ptr_equal(all, kept);
  assert_int_equal(n, 1);
  free(kept);
}
#endif

static bool not_less(const void *a, const void *b) {
  return *(const int *)a / 10 >= *(const int *)b / 10;
}

/* By tens, the most first: alike ones as they came, the last makes room, and one behind a full list is none. */
static void ranked(void **state) {
  (void)state;
  static const int given[] = {21, 40, 22, 11, 30},
                   after[][3] = {{21}, {40, 21}, {40, 21, 22}, {40, 21, 22}, {40, 30, 21}};
  int list[3] = {0};
  size_t n = 0;
  for (size_t i = 0; i < 5; i++) {
    array_rank(list, &n, 3, sizeof *list, &given[i], not_less);
    assert_int_equal(n, i < 3 ? i + 1 : 3);
    assert_memory_equal(list, after[i], n * sizeof *list);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ranked),
    cmocka_unit_test(strings_are_copied),
    cmocka_unit_test(elements_are_added_one_by_one),
    cmocka_unit_test(an_array_that_is_full_grows),
#if !defined(__SANITIZE_ADDRESS__)
    cmocka_unit_test(without_memory_nothing_changes),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
