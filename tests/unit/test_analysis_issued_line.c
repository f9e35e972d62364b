/* The line that issues the most. */
#include "analysis/signs/issued_line.h"
#include "unit/judged_lines.h"

static void lines_1_and_2(struct made_diagnosis *d) {
  static struct run_line lines[] = {{-1, 1}, {-1, 2}, {-1, 2}, {-1, 1}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    d->sass[i].lines = &lines[i];
    d->sass[i].n_lines = 1;
  }
}

/* 60 of 90 are of line 2; where a loop's turns are guessed no line is told. */
static void by_counts(void **state) {
  (void)state;
  static const struct judged_case kernel = {
      .also = lines_1_and_2,
      .lines = {"IADD3 R2, R2, R3, RZ", "FADD R4, R4, R5", "@P0 BRA 0x10", "EXIT"},
      .executed = {15, 30, 30, 15}};
  static struct judged j;
  struct issued_line line;
  judged_make(&j, &kernel, NULL);
  assert_true(issued_line_of(&line, &j.in));
  assert_int_equal(line.line, 2);
  assert_float_equal(line.share, 60.0 / 90, 1e-9);
  j.in.sass->spread = true;
  assert_false(issued_line_of(&line, &j.in));
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
