/* Templates: escaping by kind, sections, and what is missing named with its line. */
#include "base/template.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static struct embedded files[4];

/* The template, and two that it can name. */
static void templates(const char *name, const char *text) {
  static const char row[] = "<{{name}}>";

  files[0] = (struct embedded){name, text, strlen(text)};
  files[1] = (struct embedded){"row.html", row, strlen(row)};
  files[2] = (struct embedded){"self.html", "{{>self.html}}", 14};
  files[3] = (struct embedded){NULL, NULL, 0};
}

static void check(const char *name, const char *text, const struct slots *s, const char *want) {
  struct text out = {0};
  struct err e = {0};

  templates(name, text);
  if (template_fill(&out, files, name, s, &e) != 0)
    fail_msg("%s", e.text);
  assert_string_equal(text_str(&out), want);
  text_release(&out);
}

static void check_error(const char *text, const struct slots *s, const char *want) {
  struct text out = {0};
  struct err e = {0};

  templates("t.html", text);
  assert_int_equal(template_fill(&out, files, "t.html", s, &e), ERR_DATA);
  assert_string_equal(e.text, want);
  text_release(&out);
}

static void text_is_escaped_for_its_kind(void **state) {
  struct slots s = {0};

  (void)state;
  slot_text(&s, "name", "it's <b> `x`\n& \"y\"");
  check("t.html", "<p>{{name}}</p>", &s, "<p>it&#39;s &lt;b&gt; `x`\n&amp; &quot;y&quot;</p>");
  check("t.gp", "title '{{name}}'", &s, "title 'it''s <b> ''x'' & \"y\"'");
  check("t.md", "a {{name}}", &s, "a it's &lt;b> \\`x\\` & \"y\"");
  check("t.html", "<p>{{{name}}}</p>", &s, "<p>it's <b> `x`\n& \"y\"</p>");
  slots_release(&s);
}

static void sections(void **state) {
  struct slots s = {0}, *item;

  (void)state;
  slot_text(&s, "outer", "o");
  slot_flag(&s, "yes", true);
  slot_flag(&s, "no", false);
  slot_list(&s, "none");
  for (int i = 1; i <= 3; i++) {
    item = slot_item(&s, "some");
    slot_printf(item, "name", "%d<", i);
  }
  slot_text(slot_item(item, "deep"), "name", "d");
  check("t.html", "[{{#some}}{{^first}}, {{/first}}{{name}}{{outer}}{{/some}}]", &s, "[1&lt;o, 2&lt;o, 3&lt;o]");
  check("t.html", "{{#yes}}a{{/yes}}{{#no}}b{{/no}}{{^yes}}c{{/yes}}{{^no}}d{{/no}}", &s, "ad");
  check("t.html", "{{#none}}a{{/none}}{{^none}}b{{/none}}{{^some}}c{{/some}}", &s, "b");
  check("t.html", "{{#some?}}<{{#some}}{{name}}{{/some}}>{{/some?}}{{#none?}}c{{/none?}}{{#yes?}}d{{/yes?}}", &s,
        "<1&lt;2&lt;3&lt;>d");
  check("t.html", "{{#yes}}1{{#yes}}2{{/yes}}3{{/yes}}4", &s, "1234"); /* of one name, one inside the other */
  check("t.html", "a{{! not {this} one }}b", &s, "ab");
  slots_release(&s);
}

static void partials_see_the_same_slots(void **state) {
  struct slots s = {0};

  (void)state;
  slot_text(slot_item(&s, "rows"), "name", "a&b");
  slot_text(slot_item(&s, "rows"), "name", "c");
  check("t.html", "{{#rows}}{{>row.html}}{{/rows}}", &s, "<a&amp;b><c>");
  slots_release(&s);
}

static void a_tag_alone_on_its_line_leaves_none(void **state) {
  struct slots s = {0};

  (void)state;
  slot_flag(&s, "yes", true);
  check("t.html", "a\n  {{#yes}}\n  b\n  {{/yes}}\nc {{#yes}}\nd{{/yes}}\n", &s, "a\n  b\nc \nd\n");
  slots_release(&s);
}

static void what_is_set_again_is_replaced(void **state) {
  struct slots s = {0};

  (void)state;
  slot_text(&s, "name", "a");
  slot_text(&s, "name", NULL);
  text_add(slot_open(&s, "name"), "b");
  text_add(slot_open(&s, "name"), "c");
  check("t.html", "{{name}}", &s, "bc");
  slots_release(&s);
}

static void faults_are_named_with_their_line(void **state) {
  struct slots s = {0};

  (void)state;
  slot_text(&s, "name", "a");
  slot_list(&s, "list");
  check_error("one\n{{name}}\n{{nam}}\n", &s, "t.html:3: {{nam}} has no value");
  check_error("{{#nam}}{{/nam}}", &s, "t.html:1: {{nam}} has no value");
  check_error("\n{{#name}}\n{{/nam}}", &s, "t.html:2: {{name}} is not closed");
  check_error("a\n{{/name}}", &s, "t.html:2: {{name}} closes nothing");
  check_error("\n\n {{name", &s, "t.html:3: {{}} is not closed");
  check_error("{{list}}", &s, "t.html:1: {{list}} is a list");
  check_error("{{>gone.html}}", &s, "there is no template gone.html");
  check_error("{{>self.html}}", &s, "there is no template self.html"); /* within itself, without end */
  slots_release(&s);
}

/* How a value is escaped follows from the template's ending. */
static void a_template_of_another_kind_is_refused(void **state) {
  (void)state;
  static const char *const names[] = {"t.tex", "t"};
  for (size_t i = 0; i < 2; i++) {
    struct text out = {0};
    struct slots s = {0};
    templates(names[i], "plain");
    assert_int_equal(template_fill(&out, files, names[i], &s, NULL), ERR_DATA);
    text_release(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_template_of_another_kind_is_refused),
      cmocka_unit_test(text_is_escaped_for_its_kind),
      cmocka_unit_test(sections),
      cmocka_unit_test(partials_see_the_same_slots),
      cmocka_unit_test(a_tag_alone_on_its_line_leaves_none),
      cmocka_unit_test(what_is_set_again_is_replaced),
      cmocka_unit_test(faults_are_named_with_their_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
