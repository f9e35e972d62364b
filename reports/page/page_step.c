#include "reports/page/page.h"

#include "base/html.h"
#include "base/markdown.h"
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

static void gap_add(struct slots *s, size_t lines) {
  if (lines)
    slot_printf(slot_item(s, "diff"), "gap", "%zu line%s", lines, lines == 1 ? "" : "s");
}

static void diff_add(struct slots *s, const struct line_diff *d) {
  static const char *const tags[] = {[LINE_SAME] = "span", [LINE_REMOVED] = "del", [LINE_ADDED] = "ins"};
  static const char *const signs[] = {[LINE_SAME] = " ", [LINE_REMOVED] = "-", [LINE_ADDED] = "+"};
  size_t hidden = 0;

  for (size_t i = 0; i < d->n; i++) {
    const struct line_diff_line *l = &d->lines[i];
    struct slots *item;

    if (!is_near(d, i)) {
      hidden++;
      continue;
    }
    gap_add(s, hidden);
    hidden = 0;
    item = slot_item(s, "diff");
    slot_text(item, "gap", NULL);
    slot_text(item, "tag", tags[l->kind]);
    slot_text(item, "sign", signs[l->kind]);
    slot_printf(item, "line", "%.*s", (int)l->n, l->text);
  }
  gap_add(s, hidden);
}

static void code_add(const struct story_rung *r, struct slots *s) {
  const struct code_diff *c = &r->code;
  size_t changed = c->diff.removed + c->diff.added;
  char from[VIEW_NAME_MAX], to[VIEW_NAME_MAX];

  slot_text(s, "no_diff", c->reason);
  slot_flag(s, "alike", r->parent && !c->reason && changed == 0);
  slot_list(s, "diff");
  if (!r->parent || c->reason || changed == 0)
    return;
  slot_printf(s, "diff_name", "Diff from %s to %s", view_name(from, r->parent), view_name(to, r->variant));
  slot_printf(s, "removed", "%zu", c->diff.removed);
  slot_printf(s, "added", "%zu", c->diff.added);
  diff_add(s, &c->diff);
}

/* --- the explanation --- */

/* Markdown's code is not escaped as its text is, so it comes whole. */
static void code_text(const struct page *p, struct slots *s, const char *name, const char *code) {
  slot_text(s, name, p->markdown ? NULL : code);
  if (p->markdown && code)
    markdown_code(slot_open(s, name), code);
}

static void sentences_add(const struct story_step *told, struct slots *s) {
  for (size_t i = 0; i < told->step.n; i++) {
    const struct step_at *at = &told->step.at[i];
    struct slots *item = slot_item(s, "why");
    char shape[SHAPE_TEXT_MAX + 8];

    slot_text(item, "shape", view_shape(shape, at->shape));
    slot_text(item, "sentence", at->sentence);
    steps_stalls(at, slot_open(item, "stalls"));
    steps_advised(told, i, slot_open(item, "advised"));
  }
}

static void predictions_add(const struct page *p, const struct step *step, struct slots *s) {
  char name[VIEW_NAME_MAX];

  page_table(p, false, s, "predicted", steps_predictions(step),
             "What %s predicted before it was run, judged by the counters", view_name(name, step->to));
  for (size_t i = 0; i < step->n; i++) {
    for (size_t k = 0; k < step->predictions.n; k++) {
      struct text line = {0};

      if (steps_unknown(step, i, k, &line))
        page_item(s, "unknown", text_str(&line));
      text_release(&line);
    }
  }
}

static void told_add(const struct page *p, const struct story_rung *r, struct slots *s) {
  const struct step *step = &r->told.step;
  char from[VIEW_NAME_MAX], to[VIEW_NAME_MAX];

  slot_list(s, "why");
  slot_list(s, "unknown");
  slot_text(s, "predicted", NULL);
  code_text(p, s, "predicts", r->variant->predicts);
  slot_text(s, "unjudged", r->variant->predicts ? r->untold : NULL);
  if (r->untold)
    return;
  sentences_add(&r->told, s);
  page_table(p, false, s, "evidence", steps_changes(step), "Before (%s) → after (%s), %s", view_name(from, r->parent),
             view_name(to, r->variant), run_origin_name(p->v->f->run->origin));
  if (step->predictions.n)
    predictions_add(p, step, s);
}

/* --- the section --- */

static void said_add(const struct page *p, const struct view_item *item, const struct story_rung *r, struct slots *s) {
  const struct run_variant *v = r->variant;
  const struct report_note *note = prose_note(p->parts, v->id);
  bool foot = !v->parent && view_words(p->v->f, item->ladder).climb;

  html_id(slot_open(s, "id"), v->id);
  slot_text(s, "variant", v->id);
  slot_flag(s, "side", v->side);
  slot_flag(s, "slower", r->climb.outcome == CLIMB_SLOWER);
  slot_flag(s, "unchanged", r->climb.outcome == CLIMB_SAME);
  slot_flag(s, "said", v->change || v->parent || foot);
  slot_text(s, "change", v->change);
  code_text(p, s, "parent", v->parent);
  slot_flag(s, "foot", foot);
  slot_text(s, "note", note && p->markdown ? note->text : NULL);
  if (note && !p->markdown)
    markdown_html(slot_open(s, "note"), note->text);
}

static void faults_add(const struct page *p, const struct run_variant *v, struct slots *s) {
  slot_list(s, "faults");
  for (size_t i = 0; i < p->v->f->n; i++) {
    const struct finding *f = &p->v->f->items[i];
    char shape[SHAPE_TEXT_MAX + 8];
    struct slots *item;

    if (f->variant != v || !view_fault(f))
      continue;
    item = slot_item(s, "faults");
    slot_text(item, "shape", view_shape(shape, f->result->shape));
    slot_text(item, "fault", view_fault(f));
    view_verdict(f, slot_open(item, "verdict"));
  }
}

/* What others published of it, and what its file says: what was measured when it was written,
 * what binds, what was tried. */
static void notes_add(const struct run_variant *v, struct slots *s) {
  slot_list(s, "published");
  for (size_t i = 0; i < v->n_published; i++)
    view_published(&v->published[i], slot_open(slot_item(s, "published"), "text"));
  slot_list(s, "file_notes");
  for (size_t i = 0; i < v->n_keys; i++) {
    if (strcmp(v->keys[i].key, "note") == 0)
      page_item(s, "file_notes", v->keys[i].value);
  }
}

void page_step(const struct page *p, const struct view_item *item, struct slots *s) {
  const struct run_variant *v = item->variant;
  const struct story_rung *r = story_rung_of(p->story, v);
  char name[VIEW_NAME_MAX];

  said_add(p, item, r, s);
  faults_add(p, v, s);
  if (!p->markdown)
    code_add(r, s);
  told_add(p, r, s);
  page_table(p, false, s, "standing", tables_rung(p->v, item), "%s at every shape, %s", view_name(name, v),
             run_origin_name(p->v->f->run->origin));
  page_diagnosis(p, v, s);
  notes_add(v, s);
}
