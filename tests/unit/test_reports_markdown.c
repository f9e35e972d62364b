/* The author's Markdown as HTML, and gnuplot's SVG as a page takes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/charts/chart.h"
#include "reports/page/page.h"

#include <stdlib.h>
#include <string.h>

static void check(const char *markdown, const char *want) {
  struct text out = {0};

  markdown_html(&out, markdown);
  assert_string_equal(text_str(&out), want);
  text_release(&out);
}

static void what_it_knows(void **state) {
  (void)state;
  check("one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>\n");
  check("- a\n- b\n  more\n\n1. x\n2. y\n", "<ul><li>a</li>\n<li>b\nmore</li></ul>\n<ol><li>x</li>\n<li>y</li></ol>\n");
  check("*a* **b** _c_ `d*e*`", "<p><em>a</em> <strong>b</strong> <em>c</em> <code>d*e*</code></p>\n");
  check("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>\n");
  check("[x](https://e.org/?a=1&b=\"2\")", "<p><a href=\"https://e.org/?a=1&amp;b=&quot;2&quot;\">x</a></p>\n");
  check("[x](#step-a)", "<p><a href=\"#step-a\">x</a></p>\n");
  check("```c\nif (a < b)\n\n  c;\n```\nend\n", "<pre><code>if (a &lt; b)\n\n  c;\n</code></pre>\n<p>end</p>\n");
}

static void the_rest_is_text(void **state) {
  (void)state;
  check("", "");
  check("a * b * c, snake_case_name, 2 ** 3", "<p>a * b * c, snake_case_name, 2 ** 3</p>\n");
  check("<script>alert(1)</script> & \\*x\\*", "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; *x*</p>\n");
  check("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n");
  check("[x](data:text/html,y)", "<p>[x](data:text/html,y)</p>\n");
  check("[open", "<p>[open</p>\n");
  check("*open `open", "<p>*open `open</p>\n");
  check("# Head", "<p># Head</p>\n");
  check("```\nnever closed <", "<pre><code>never closed &lt;</code></pre>\n");
}

/* Characters of more than one byte; what UTF-8 does not allow is a space. */
static void characters_stay_whole(void **state) {
  (void)state;
  check("7 µs ± 2 %, × 3 – *ü* `→` [é](#é)",
        "<p>7 µs ± 2 %, × 3 – <em>ü</em> <code>→</code> <a href=\"#é\">é</a></p>\n");
  check("\xE2\x82\xAC \xF0\x9F\x98\x80", "<p>\xE2\x82\xAC \xF0\x9F\x98\x80</p>\n");
  check("a\xC3 b", "<p>a  b</p>\n");
}

/* What stands at the end of a line or of what holds it, and what comes next to it. */
static void marks_at_an_end(void **state) {
  (void)state;
  check("*a*", "<p><em>a</em></p>\n");
  check("**b**", "<p><strong>b</strong></p>\n");
  check("_c_d", "<p><em>c</em>d</p>\n");
  check("`d`e`", "<p><code>d</code>e`</p>\n");
  check("[x](#a)b", "<p><a href=\"#a\">x</a>b</p>\n");
  check("[a\\](#x)", "<p><a href=\"#x\">a\\</a></p>\n");
  check("*a\\*", "<p>*a*</p>\n");
  check("a\\", "<p>a\\</p>\n");
  check("one\r\ntwo\r\n\r\nthree", "<p>one\ntwo</p>\n<p>three</p>\n");
}

static void what_is_no_item(void **state) {
  (void)state;
  check("1.", "<p>1.</p>\n");
  check("1.x", "<p>1.x</p>\n");
  check("1 x", "<p>1 x</p>\n");
  check(". x", "<p>. x</p>\n");
  check("-", "<p>-</p>\n");
  check("-x", "<p>-x</p>\n");
  check("12345. x", "<p>12345. x</p>\n");
  check("1234. x\n5. y", "<ol><li>x</li>\n<li>y</li></ol>\n");
  check("* x\n+ y\n2. z", "<ul><li>x</li>\n<li>y</li></ul>\n<ol><li>z</li></ol>\n");
  check("words\n- x", "<p>words</p>\n<ul><li>x</li></ul>\n");
}

/* Each mark would walk the whole text for what closes it, which were hours here; the limit is that of a test that hangs. */
static void marks_that_nothing_closes(void **state) {
  static const char *const marks[] = {"*a ", "_a ", "**a ", "[a ", "[a](http://"};
  enum { SIZE = 8 << 20 };
  char *text = malloc(SIZE + 1);
  (void)state;
  assert_non_null(text);
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
    size_t n = strlen(marks[i]);
    struct text out = {0};
    for (size_t k = 0; k < SIZE; k++)
      text[k] = marks[i][k % n];
    text[SIZE] = '\0';
    markdown_html(&out, text);
    assert_true(out.n >= SIZE);
    text_release(&out);
  }
  free(text);
}

static void svg_is_named_and_hovers(void **state) {
  static const char gnuplots[] =
      "<?xml version=\"1.0\"?>\n<svg \n width=\"3\" viewBox=\"0 0 3 2\"\n>\n\n<title>Gnuplot</title>\n<desc>Produced</desc>\n"
      "<defs><circle id='gpDot' r='1'/><use xlink:href='#gpDot' id='gpPt1'/></defs>\n"
      "<g fill=\"none\" color=\"white\">\n</g>\n"
      "\t<g id=\"gnuplot_plot_1\" ><title>dat using 1:2</title>\n"
      "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'a &lt;b> &amp; 'c'')\" "
      "onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>\n"
      "<use xlink:href='#gpDot'/></g>\n<path stroke-width=\"1.00\"/><path stroke-width=\"2.00\"/>\n"
      "<path fill = 'rgb(  0, 15,  2)'  d='M1,2 L3,4  '/>\n"
      "<use x='1' color = 'rgb(  0,   0,   0)' opacity='0.00'/><use color='red' opacity='0.50'/>\n"
      "<text>id='mine' #gpDot, 1 = 2</text></g>\n</svg>\n";
  struct text out = {0};

  (void)state;
  svg_clean(&out, gnuplots, "roof", "A <title>", "How & why");
  assert_string_equal(
      text_str(&out),
      "<svg font-family=\"DejaVu Sans\" role=\"img\" aria-labelledby=\"roof-title\" aria-describedby=\"roof-desc\" \n width=\"3\" "
      "viewBox=\"0 0 3 2\"\n>\n<title id=\"roof-title\">A &lt;title&gt;</title>\n"
      "<desc id=\"roof-desc\">How &amp; why</desc>\n\n"
      "<defs><circle id='roof-gpDot' r='1'/><use xlink:href='#roof-gpDot' id='roof-gpPt1'/></defs>\n"
      "<g>\n<g><title>a &lt;b&gt; &amp; 'c'</title>\n"
      "<use xlink:href='#roof-gpDot'/></g>\n<path/><path stroke-width=\"2.00\"/>\n"
      "<path fill='rgb(0,15,2)' d='M1,2 L3,4 '/>\n"
      "<use x='1' opacity='0.00'/><use color='red' opacity='0.50'/>\n"
      "<text>id='mine' #gpDot, 1 = 2</text></g>\n</svg>\n");
  text_release(&out);
}

/* A picture that was cut off, or none, ends. */
static void broken_svg_ends(void **state) {
  static const char *const broken[] = {"",
                                       "<sv",
                                       "<svg",
                                       "<svg <g onmousemove=\"gnuplot_svg.showHypertext(evt,'a",
                                       "<svg></desc><g ",
                                       "<svg></desc><g color",
                                       "<svg></desc><g color='a",
                                       "<svg></desc><g color='a'",
                                       "<svg></desc><g onmousemove=\"gnuplot_svg.showHypertext(evt,'a"};

  (void)state;
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    struct text out = {0};

    svg_clean(&out, broken[i], "x", "t", "d");
    assert_true(text_ok(&out));
    text_release(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_it_knows),           cmocka_unit_test(the_rest_is_text),
      cmocka_unit_test(characters_stay_whole),   cmocka_unit_test(marks_at_an_end),
      cmocka_unit_test(what_is_no_item),         cmocka_unit_test(marks_that_nothing_closes),
      cmocka_unit_test(svg_is_named_and_hovers), cmocka_unit_test(broken_svg_ends),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
