#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/markdown.h"

static void expect(const char *s, const char *shown) {
  struct text out = {0};

  markdown_text(&out, s);
  assert_string_equal(text_str(&out), shown);
  text_release(&out);
}

static void what_markdown_takes_for_its_own_is_escaped(void **state) {
  (void)state;
  expect("void at::f<int, (bool)0>(T *, T *)", "void at::f&lt;int, (bool)0>(T \\*, T \\*)");
  expect("a|b `c` ~2 [x](y) $1 \\n", "a\\|b \\`c\\` \\~2 \\[x\\](y) \\$1 \\\\n");
  expect("</td><!-- <script>", "&lt;/td>&lt;!-- &lt;script>");
  expect("&lt; &#60;", "&amp;lt; &amp;#60;");
  expect("__restrict__ _x_", "\\_\\_restrict\\_\\_ \\_x\\_");
  expect("one\ntwo\r\nthree", "one two  three");
}

static void what_it_does_not_stays_readable(void **state) {
  (void)state;
  expect("long_scoreboard, l1_hit_rate", "long_scoreboard, l1_hit_rate");
  expect("time < 0.8x; a <= b; f <<<2x1x1, 256x1x1>>>", "time < 0.8x; a <= b; f <<<2x1x1, 256x1x1>>>");
  expect("A & B", "A & B");
  expect("-0.20 to +0.20, 12 - 3", "-0.20 to +0.20, 12 - 3");
  expect("", "");
}

/* At the beginning of a paragraph or an item only. */
static void marks_of_blocks_are_escaped(void **state) {
  (void)state;
  expect("# no heading", "\\# no heading");
  expect("- no item - or two", "\\- no item - or two");
  expect("> no quote", "\\> no quote");
  expect("---", "\\---");
  expect("#pragma unroll", "#pragma unroll");
  expect("+", "\\+");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_markdown_takes_for_its_own_is_escaped),
      cmocka_unit_test(what_it_does_not_stays_readable),
      cmocka_unit_test(marks_of_blocks_are_escaped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
