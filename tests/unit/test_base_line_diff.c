#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/line_diff.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* "-a +b =c": the lines by kind, in order. */
static char *shown(const struct line_diff *d) {
  struct text out = {0};

  for (size_t i = 0; i < d->n; i++) {
    text_printf(&out, "%s%c", i ? " " : "", "=-+"[d->lines[i].kind]);
    text_add_n(&out, d->lines[i].text, d->lines[i].n);
  }
  return out.s ? text_take(&out) : str_copy("");
}

static void check(const char *before, const char *after, const char *want) {
  struct line_diff d;
  char *got;

  line_diff_make(&d, before, after);
  got = shown(&d);
  assert_string_equal(got, want);
  free(got);
  line_diff_release(&d);
}

static void lines_are_kept_removed_added(void **state) {
  (void)state;
  check("a\nb\nc\n", "a\nb\nc\n", "=a =b =c");
  check("a\nb\nc\n", "a\nx\nc\n", "=a -b +x =c");
  check("", "a\n", "+a");
  check("a\n", "", "-a");
  check("", "", "");
  check("a", "a\n", "=a"); /* the last newline is no line */
  check("\n\n", "\n", "= -");
  check("a\nb\na\n", "c\na\nc\n", "-a -b +c =a +c"); /* of equally long ways the one that removes first */
}

/* ABCABBA to CBABAC, Myers' example: a longest common subsequence has 4 lines, so 3 go and 2 come. */
static void the_common_part_is_longest(void **state) {
  struct line_diff d;

  (void)state;
  line_diff_make(&d, "A\nB\nC\nA\nB\nB\nA\n", "C\nB\nA\nB\nA\nC\n");
  assert_int_equal(d.removed, 3);
  assert_int_equal(d.added, 2);
  assert_int_equal(d.n, 9);
  line_diff_release(&d);
}

/* Texts without one line in common, longer than the bound: all goes and all comes, at once. */
static void long_texts_are_bounded(void **state) {
  struct text a = {0}, b = {0};
  struct line_diff d;

  (void)state;
  for (int i = 0; i <= LINE_DIFF_MAX; i++) {
    text_printf(&a, "a%d\n", i);
    text_printf(&b, "b%d\n", i);
  }
  line_diff_make(&d, text_str(&a), text_str(&b));
  assert_int_equal(d.removed, LINE_DIFF_MAX + 1);
  assert_int_equal(d.added, LINE_DIFF_MAX + 1);
  assert_int_equal(d.lines[0].kind, LINE_REMOVED);
  line_diff_release(&d);
  text_release(&a);
  text_release(&b);
}

/* 100 lines, then as many as are still compared: all but the first and the last of these are the same. */
static void as_many_as_are_compared(void **state) {
  struct text before = {0}, after = {0};
  struct line_diff d;

  (void)state;
  for (int i = 0; i < 100 + LINE_DIFF_MAX; i++) {
    bool differs = i == 100 || i == 100 + LINE_DIFF_MAX - 1;
    text_printf(&before, "%s%d\n", differs ? "before" : "", i);
    text_printf(&after, "%s%d\n", differs ? "after" : "", i);
  }
  line_diff_make(&d, text_str(&before), text_str(&after));
  assert_int_equal(d.removed, 2);
  assert_int_equal(d.added, 2);
  assert_int_equal(d.n, 100 + LINE_DIFF_MAX + 2);
  line_diff_release(&d);
  text_release(&before);
  text_release(&after);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_are_kept_removed_added),
      cmocka_unit_test(the_common_part_is_longest),
      cmocka_unit_test(long_texts_are_bounded),
      cmocka_unit_test(as_many_as_are_compared),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
