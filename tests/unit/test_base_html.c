#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/html.h"
#include "base/table.h"

#include <stdio.h>
#include <string.h>

static void text_is_escaped(void **state) {
  struct text out = {0};

  (void)state;
  html_text(&out, "<a href=\"x\" & 'y'>\x01\n\xC2\xB5");
  assert_string_equal(text_str(&out), "&lt;a href=&quot;x&quot; &amp; &#39;y&#39;&gt; \n\xC2\xB5");
  html_text(&out, NULL);
  text_release(&out);
}

static void ids_stay_apart(void **state) {
  struct text a = {0}, b = {0};

  (void)state;
  html_id(&a, "cuda-2.b");
  assert_string_equal(text_str(&a), "cuda-2_2eb");
  html_id(&b, "cuda-2_2eb");
  assert_string_equal(text_str(&b), "cuda-2_5f2eb"); /* the mark is marked itself */
  text_release(&a);
  text_release(&b);
}

static void href(const void *context, const char *first, struct text *out) {
  if (strcmp(first, "a<b") == 0)
    text_printf(out, "#%s", (const char *)context);
}

static void tables_have_headers_and_captions(void **state) {
  struct table *t = table_new();
  struct text out = {0};

  (void)state;
  table_column(t, "variant", "", "variant", TABLE_LEFT);
  table_column(t, "time", "µs", "time_us", TABLE_RIGHT);
  table_row(t);
  table_cell(t, "a<b", NULL);
  table_cell(t, "1.5", NULL);
  table_style(t, 'g');
  table_rule(t);
  table_row(t);
  table_cell(t, "plain", NULL);
  table_html(t, &out, "Times & \"more\"", href, "there");
  assert_string_equal(
      text_str(&out),
      "<div class=\"scroll\"><table>"
      "<caption>Times &amp; &quot;more&quot;</caption>\n"
      "<thead><tr><th scope=\"col\">variant</th><th scope=\"col\" class=\"num\">time <span class=\"unit\">µs</span></th>"
      "</tr></thead>\n<tbody>\n"
      "<tr><th scope=\"row\"><a href=\"#there\">a&lt;b</a></th><td class=\"num good\">1.5</td></tr>\n"
      "<tr class=\"ruled\"><th scope=\"row\">plain</th><td class=\"num\">–</td></tr>\n"
      "</tbody></table></div>\n");
  text_release(&out);
  table_free(t);
}

/* A text has its style's class alone; one that is long may be broken; the first row has a rule before it already. */
static void cells_have_their_classes(void **state) {
  struct table *t = table_new();
  struct text out = {0};
  char words[301];

  (void)state;
  for (size_t i = 0; i < sizeof words; i++)
    words[i] = i + 1 == sizeof words ? '\0' : i % 10 ? 'w' : ' ';
  table_column(t, "variant", "", "variant", TABLE_LEFT);
  table_column(t, "why", "", "why", TABLE_LEFT);
  table_rule(t);
  for (int i = 0; i < 4; i++) {
    table_row(t);
    table_cell(t, "v", NULL);
    table_cell(t, i < 2 ? "short" : words, NULL);
    if (i % 2)
      table_style(t, 'g');
  }
  table_html(t, &out, "t", NULL, NULL);
  assert_non_null(strstr(text_str(&out), "<tbody>\n<tr><th scope=\"row\">v</th><td>short</td></tr>\n"));
  assert_non_null(strstr(text_str(&out), "<td class=\"good\">short</td>"));
  assert_non_null(strstr(text_str(&out), "<td class=\"long\"> www"));
  assert_non_null(strstr(text_str(&out), "<td class=\"long good\"> www"));
  assert_null(strstr(text_str(&out), "ruled"));
  text_release(&out);
  table_free(t);
}

/* The middle of a long name is cut out; the whole name, escaped, is its title. */
static void a_long_row_header_keeps_its_name(void **state) {
  struct table *t = table_new();
  struct text out = {0};
  char name[301], title[400];

  (void)state;
  memset(name, 'x', 300);
  name[0] = '<';
  name[300] = '\0';
  snprintf(title, sizeof title, "<th scope=\"row\" title=\"&lt;%s\">", name + 1);
  table_column(t, "variant", "", "variant", TABLE_LEFT);
  table_row(t);
  table_cell(t, name, NULL);
  table_html(t, &out, "t", NULL, NULL);
  assert_non_null(strstr(text_str(&out), title));
  assert_null(strstr(strstr(text_str(&out), title) + strlen(title), name + 1));
  text_release(&out);
  table_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_escaped),
      cmocka_unit_test(ids_stay_apart),
      cmocka_unit_test(tables_have_headers_and_captions),
      cmocka_unit_test(cells_have_their_classes),
      cmocka_unit_test(a_long_row_header_keeps_its_name),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
