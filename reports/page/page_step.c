#include "reports/page/page.h"

#include "base/html.h"
#include "reports/page/markdown.h"
#include "reports/text/steps.h"
#include "reports/text/tables.h"

#include <string.h>

/* --- the diff --- */

enum { CONTEXT_LINES = 3 };

/* Whether a line stands near a change, so that it is shown. */
static bool is_near(const struct line_diff *d, size_t line) {
  size_t from = line > CONTEXT_LINES ? line - CONTEXT_LINES : 0;

  for (size_t i = from; i <= line + CONTEXT_LINES && i < d->n; i++) {
    if (d->lines[i].kind != LINE_SAME)
      return true;
  }
  return false;
}

/* What changed is said by element, sign, and colour: ins and del are read out. */
static void diff_line_add(struct text *out, const struct line_diff_line *l) {
  static const char *const open[] = {[LINE_SAME] = "<span>  ", [LINE_REMOVED] = "<del>- ", [LINE_ADDED] = "<ins>+ "};
  static const char *const close[] = {
      [LINE_SAME] = "</span>\n", [LINE_REMOVED] = "</del>\n", [LINE_ADDED] = "</ins>\n"};

  text_add(out, open[l->kind]);
  html_text_n(out, l->text, l->n);
  text_add(out, close[l->kind]);
}

static void diff_add(struct text *out, const struct line_diff *d, const char *name) {
  size_t hidden = 0;

  text_add(out, "<pre class=\"diff\" tabindex=\"0\" role=\"region\" aria-label=\"");
  html_text(out, name);
  text_add(out, "\"><code>");
  for (size_t i = 0; i < d->n; i++) {
    if (!is_near(d, i)) {
      hidden++;
      continue;
    }
    if (hidden)
      text_printf(out, "<span class=\"gap\">@@ %zu line%s alike @@</span>\n", hidden, hidden == 1 ? "" : "s");
    hidden = 0;
    diff_line_add(out, &d->lines[i]);
  }
  if (hidden)
    text_printf(out, "<span class=\"gap\">@@ %zu line%s alike @@</span>\n", hidden, hidden == 1 ? "" : "s");
  text_add(out, "</code></pre>\n");
}

static void code_add(const struct page *p, const struct story_rung *r) {
  const struct code_diff *c = &r->code;
  struct text name = {0};
  char from[VIEW_NAME_MAX], to[VIEW_NAME_MAX];

  if (c->reason) {
    text_add(p->out, "<p class=\"dim\">No diff: ");
    html_text(p->out, c->reason);
    text_add(p->out, ".</p>\n");
  } else if (c->diff.removed + c->diff.added == 0) {
    text_add(p->out, "<p class=\"dim\">The two rungs' own code and launch are the same, word for word.</p>\n");
  } else {
    text_printf(&name, "Diff from %s to %s", view_name(from, r->parent), view_name(to, r->variant));
    text_add(p->out, "<details><summary>");
    html_text(p->out, text_str(&name));
    text_printf(p->out, " <span class=\"dim\">(%zu lines removed, %zu added)</span></summary>\n", c->diff.removed,
                c->diff.added);
    diff_add(p->out, &c->diff, text_str(&name));
    text_add(p->out, "</details>\n");
  }
  text_release(&name);
}

/* --- the explanation --- */

static void sentences_add(struct text *out, const struct story_step *told) {
  const struct step *s = &told->step;

  text_add(out, "<h4>Why</h4>\n<ul class=\"why\">\n");
  for (size_t i = 0; i < s->n; i++) {
    char shape[SHAPE_TEXT_MAX + 8];
    struct text line = {0};

    text_printf(out, "<li><strong>%s</strong>: ", view_shape(shape, s->at[i].shape));
    html_text(out, s->at[i].sentence);
    steps_stalls(&s->at[i], &line);
    if (line.n) {
      text_add(out, "<br><span class=\"dim\">");
      html_text(out, text_str(&line));
      text_add(out, "</span>");
    }
    text_release(&line);
    steps_advised(told, i, &line);
    if (line.n) {
      text_add(out, "<br>");
      html_text(out, text_str(&line));
    }
    text_release(&line);
    text_add(out, "</li>\n");
  }
  text_add(out, "</ul>\n");
}

static void predictions_add(struct text *out, const struct step *s) {
  struct text unknown = {0}, caption = {0};
  char name[VIEW_NAME_MAX];

  text_printf(&caption, "What %s predicted before it was run, judged by the counters", view_name(name, s->to));
  text_add(out, "<h4>Predicted against measured</h4>\n");
  page_table(out, steps_predictions(s), text_str(&caption), NULL);
  text_release(&caption);
  for (size_t i = 0; i < s->n; i++) {
    for (size_t k = 0; k < s->predictions.n; k++) {
      struct text line = {0};

      if (steps_unknown(s, i, k, &line))
        page_element(&unknown, "li", text_str(&line));
      text_release(&line);
    }
  }
  if (unknown.n)
    text_printf(out, "<p>Unknown, and why:</p>\n<ul>\n%s</ul>\n", text_str(&unknown));
  text_release(&unknown);
}

static void unjudged_add(struct text *out, const struct run_variant *v, const char *why) {
  if (!v->predicts)
    return;
  text_add(out, "<p>Predicted, and not judged (");
  html_text(out, why);
  text_add(out, "): <code>");
  html_text(out, v->predicts);
  text_add(out, "</code></p>\n");
}

static void step_add(const struct page *p, const struct story_rung *r) {
  const struct step *step = &r->told.step;
  struct text caption = {0};
  char from[VIEW_NAME_MAX], to[VIEW_NAME_MAX];

  sentences_add(p->out, &r->told);
  text_printf(&caption, "Before (%s) → after (%s), %s", view_name(from, r->parent), view_name(to, r->variant),
              run_origin_name(p->v->f->run->origin));
  text_add(p->out, "<h4>Evidence</h4>\n");
  page_table(p->out, steps_changes(step), text_str(&caption), NULL);
  text_release(&caption);
  if (step->predictions.n)
    predictions_add(p->out, step);
}

/* --- the section --- */

static void heading_add(const struct page *p, const struct story_rung *r) {
  const struct run_variant *v = r->variant;

  text_add(p->out, "<h3>");
  html_text(p->out, v->id);
  if (v->side)
    text_add(p->out, " <span class=\"badge\">side step: tried and left</span>");
  if (r->climb.outcome == CLIMB_SLOWER)
    text_add(p->out, " <span class=\"badge bad\">slower than its parent</span>");
  else if (r->climb.outcome == CLIMB_SAME)
    text_add(p->out, " <span class=\"badge\">no measurable change</span>");
  text_add(p->out, "</h3>\n");
}

static void change_add(const struct page *p, const struct view_item *item) {
  const struct run_variant *v = item->variant;
  bool foot = !v->parent && view_words(p->v->f, item->ladder).climb;

  if (!v->change && !v->parent && !foot)
    return;
  text_add(p->out, "<p class=\"change\">");
  html_text(p->out, v->change ? v->change : "");
  if (v->parent) {
    text_add(p->out, v->change ? "; against <code>" : "Against <code>");
    html_text(p->out, v->parent);
    text_add(p->out, "</code>");
  } else if (foot) {
    text_add(p->out, v->change ? "; the foot of its ladder" : "The foot of its ladder");
  }
  text_add(p->out, "</p>\n");
}

static void note_add(const struct page *p, const struct run_variant *v) {
  const struct report_note *note = prose_note(p->parts, v->id);

  if (!note)
    return;
  text_add(p->out, "<div class=\"note\"><p class=\"dim\">In the author's words</p>\n");
  markdown_html(p->out, note->text);
  text_add(p->out, "</div>\n");
}

static void faults_add(const struct page *p, const struct run_variant *v) {
  for (size_t i = 0; i < p->v->f->n; i++) {
    const struct finding *f = &p->v->f->items[i];
    char shape[SHAPE_TEXT_MAX + 8];
    struct text verdict = {0};

    if (f->variant != v || !view_fault(f))
      continue;
    view_verdict(f, &verdict);
    text_printf(p->out, "<p class=\"fault\"><strong>%s: ", view_shape(shape, f->result->shape));
    html_text(p->out, text_str(&verdict));
    text_add(p->out, "</strong>: ");
    html_text(p->out, view_fault(f));
    text_add(p->out, "</p>\n");
    text_release(&verdict);
  }
}

static void published_add(const struct page *p, const struct run_variant *v) {
  for (size_t i = 0; i < v->n_published; i++) {
    struct text line = {0};

    text_add(&line, "Published: ");
    view_published(&v->published[i], &line);
    page_element(p->out, "p", text_str(&line));
    text_release(&line);
  }
}

/* What its file says of it: what was measured when it was written, what binds, what was tried. */
static void file_notes_add(const struct page *p, const struct run_variant *v) {
  size_t n = 0;

  for (size_t i = 0; i < v->n_keys; i++) {
    if (strcmp(v->keys[i].key, "note") != 0)
      continue;
    text_add(p->out, n++ ? "<li>" : "<details><summary>What its file notes</summary>\n<ul><li>");
    html_text(p->out, v->keys[i].value);
    text_add(p->out, "</li>\n");
  }
  text_add(p->out, n ? "</ul></details>\n" : "");
}

static void standing_add(const struct page *p, const struct view_item *item) {
  struct text caption = {0};
  char name[VIEW_NAME_MAX];

  text_printf(&caption, "%s at every shape, %s", view_name(name, item->variant), run_origin_name(p->v->f->run->origin));
  page_table(p->out, tables_rung(p->v, item), text_str(&caption), NULL);
  text_release(&caption);
}

void page_step(const struct page *p, const struct view_item *item) {
  const struct run_variant *v = item->variant;
  const struct story_rung *r = story_rung_of(p->story, v);

  text_add(p->out, "<section class=\"step\" id=\"step-");
  html_id(p->out, v->id);
  text_add(p->out, "\">\n");
  heading_add(p, r);
  change_add(p, item);
  note_add(p, v);
  faults_add(p, v);
  if (r->parent)
    code_add(p, r);
  if (r->untold)
    unjudged_add(p->out, v, r->untold);
  else
    step_add(p, r);
  standing_add(p, item);
  page_diagnosis(p, v);
  published_add(p, v);
  file_notes_add(p, v);
  text_add(p->out, "</section>\n");
}
