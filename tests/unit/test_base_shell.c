#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/shell.h"

#include <stdlib.h>

static void a_shell_reads_words_back(void **state) {
  static char *const words[] = {
      "plain-1.0/x,y=z:+@%", "a b", "", "it's", "$HOME", "`id`", "a\\b", "#c", "~", "a\nb", "!"};
  enum { N = sizeof words / sizeof words[0] };

  (void)state;
  char *line = shell_line(N, words);
  assert_string_equal(line, "plain-1.0/x,y=z:+@% 'a b' '' 'it'\\''s' '$HOME' '`id`' 'a\\b' '#c' '~' 'a\nb' '!'");
  free(line);
}

int main(void) {
  static const struct CMUnitTest tests[] = {cmocka_unit_test(a_shell_reads_words_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
