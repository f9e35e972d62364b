#include "reports/page/page.h"

#include "analysis/story/program.h"
#include "base/html.h"
#include "reports/text/steps.h"
#include "reports/words/program_text.h"
#include "reports/words/prose_ladder.h"

#include <string.h>

enum { NAME_CHARS = 96 };

/* --- its row and its summary --- */

static void time_cell(struct slots *s, const char *name, struct value time_s) {
  slot_text(s, name, time_s.present ? VIEW_NUMBER(time_s.v * 1e6, 4) : NULL);
}

static void percent_cell(struct slots *s, const char *name, struct value share) {
  slot_text(s, name, share.present ? VIEW_NUMBER(share.v * 100, 3) : "–");
}

static void verdict_add(const struct page *p, const struct story_rung *r, struct slots *s) {
  static const char *const moods[] = {[CLIMB_FASTER] = "good", [CLIMB_SLOWER] = "bad", [CLIMB_SAME] = "dim"};
  const struct climb *c = &r->climb;
  slot_text(s, "verdict", climb_outcome_name(c->outcome));
  slot_text(s, "mood", c->outcome < CLIMB_MIXED && moods[c->outcome] ? moods[c->outcome] : "dim");
  slot_text(s, "ratio", c->over_parent.present ? VIEW_NUMBER(c->over_parent.v, 3) : "–");
  slot_text(s, "gain", NULL);
  if (c->over_parent.present && (c->outcome == CLIMB_FASTER || c->outcome == CLIMB_SLOWER)) {
    double times = c->outcome == CLIMB_FASTER ? c->over_parent.v : 1 / c->over_parent.v;
    slot_printf(s, "gain", "%s×", VIEW_NUMBER(times, times < 1.01 ? 4 : 3)); /* never "1.00×" */
  }
  for (size_t i = 0; i < p->v->f->n && !c->time_s.present; i++) {
    const struct finding *f = &p->v->f->items[i];
    if (f->variant != r->variant || f->timed)
      continue;
    slot_text(s, "verdict", NULL);
    view_verdict(f, slot_open(s, "verdict"));
    return;
  }
}

/* Of a program's kernel: how often it ran, and what to do about it first. */
static bool program_told(const struct page *p, const struct run_variant *v, struct text *out) {
  const struct findings *f = p->v->f;
  const struct finding *at = f->n_shapes ? findings_at(f, v->id, f->shapes[0]) : NULL;
  const struct diagnosis *d = at ? diagnoses_at(&p->story->diagnoses, at) : NULL;
  if (!program_words(v, out))
    return false;
  if (d && d->n)
    text_printf(out, "; %s", d->items[0].rule->title);
  return true;
}

static void summary_add(const struct page *p, const struct view_item *item, const struct story_rung *r,
                        struct slots *s) {
  const struct findings *f = p->v->f;
  const struct run_variant *v = r->variant;
  char name[VIEW_LABEL_MAX];
  html_id(slot_open(s, "id"), v->id);
  slot_text(s, "variant", v->id);
  slot_text(s, "short", view_short_in(name, p->v, v, NAME_CHARS));
  slot_flag(s, "side", v->side);
  if (!program_told(p, v, slot_open(s, "change")))
    slot_text(s, "change", v->change);
  slot_text(s, "cause", NULL);
  if (!r->untold)
    prose_cause(&r->told.step, slot_open(s, "cause"));
  time_cell(s, "after", r->climb.time_s);
  slot_text(s, "before", NULL);
  if (r->parent)
    time_cell(s, "before", story_rung_of(p->story, r->parent)->climb.time_s);
  percent_cell(s, "of_sol", r->climb.of_sol);
  percent_cell(s, "of_read", r->climb.of_read);
  tables_bounds_of(p->v, v, slot_open(s, "bound"));
  verdict_add(p, r, s);
  slot_list(s, "times");
  for (size_t i = 0; i < f->n_shapes && f->n_shapes > 1; i++) {
    const struct finding *at = findings_at(f, v->id, f->shapes[i]);
    struct slots *cell = slot_item(s, "times");
    slot_printf(cell, "number", "%zu", i);
    slot_text(cell, "time", at && at->timed ? VIEW_TIME(&at->time) : "–");
  }
  html_id(slot_open(s, "ladder_id"), item->ladder);
}

/* --- the code --- */

static void code_add(const struct story_rung *r, struct slots *s) {
  const struct code_diff *c = &r->code;
  size_t changed = c->diff.removed + c->diff.added;
  slot_text(s, "parent", r->parent ? r->parent->id : NULL);
  slot_text(s, "no_diff", c->reason);
  slot_flag(s, "alike", r->parent && !c->reason && changed == 0);
  slot_text(s, "diff", NULL);
  slot_printf(s, "removed", "%zu", c->diff.removed);
  slot_printf(s, "added", "%zu", c->diff.added);
  if (r->parent && !c->reason && changed)
    code_lines_html(&c->diff, slot_open(s, "diff"));
}

/* --- the explanation --- */

static void sentences_add(const struct page *p, const struct story_step *told, struct slots *s) {
  for (size_t i = 0; i < told->step.n; i++) {
    const struct step_at *at = &told->step.at[i];
    struct slots *item = slot_item(s, "why");
    slot_printf(item, "number", "%zu", page_shape_number(p, at->shape));
    slot_text(item, "shape", VIEW_SHAPE(at->shape));
    slot_text(item, "sentence", at->sentence);
    steps_bounds(at, slot_open(item, "bounds"));
    steps_stalls(at, slot_open(item, "stalls"));
    steps_claims(&told->step, at, slot_open(item, "claims"));
    steps_advised(told, i, false, slot_open(item, "advised"));
  }
}

static void predictions_add(const struct page *p, const struct step *step, struct slots *s) {
  page_table(p, false, s, "predicted", steps_predictions(step), "What %s predicts, judged by the counters",
             VIEW_NAME(step->to));
  for (size_t i = 0; i < step->n; i++) {
    for (size_t k = 0; k < step->predictions.n; k++) {
      struct text line = {0};
      if (steps_unknown(step, i, k, &line))
        slot_item_text(s, "unknown", text_str(&line));
      text_release(&line);
    }
  }
}

static void told_add(const struct page *p, const struct story_rung *r, struct slots *s) {
  const struct step *step = &r->told.step;
  slot_list(s, "why");
  slot_list(s, "unknown");
  slot_text(s, "predicted", NULL);
  slot_text(s, "evidence", NULL);
  slot_text(s, "shares", NULL);
  slot_text(s, "predicts", r->variant->predicts);
  slot_text(s, "unjudged", r->variant->predicts ? r->untold : NULL);
  if (r->untold)
    return;
  sentences_add(p, &r->told, s);
  page_table(p, false, s, "evidence", steps_changes(step, true), "%s → %s, %s", VIEW_NAME(r->parent),
             VIEW_NAME(r->variant), run_origin_name(p->v->f->run->origin));
  page_table(p, false, s, "shares", steps_shares(step),
             "%s: what each cause contributes to the change in time (modelled)", VIEW_NAME(r->variant));
  if (step->predictions.n)
    predictions_add(p, step, s);
}

/* --- the section --- */

void page_faults(const struct page *p, const struct run_variant *v, struct slots *s) {
  slot_list(s, "faults");
  for (size_t i = 0; i < p->v->f->n; i++) {
    const struct finding *f = &p->v->f->items[i];
    struct slots *item;
    if (f->variant != v || !view_fault(f))
      continue;
    item = slot_item(s, "faults");
    slot_printf(item, "number", "%zu", page_shape_number(p, f->result->shape));
    slot_text(item, "shape", VIEW_SHAPE(f->result->shape));
    slot_text(item, "fault", view_fault(f));
    view_verdict(f, slot_open(item, "verdict"));
  }
}

/* What others published of it, and what its file says: what was measured when it was written,
 * what binds, what was tried. */
static void notes_add(const struct page *p, const struct run_variant *v, struct slots *s) {
  const struct report_note *note = prose_note(p->parts, v->id);
  slot_text(s, "note", NULL);
  if (note)
    markdown_html(slot_open(s, "note"), note->text);
  slot_list(s, "published");
  for (size_t i = 0; i < v->n_published; i++)
    view_published(&v->published[i], slot_open(slot_item(s, "published"), "text"));
  slot_list(s, "file_notes");
  for (size_t i = 0; i < v->n_keys; i++)
    if (strcmp(v->keys[i].key, "note") == 0)
      slot_item_text(s, "file_notes", v->keys[i].value);
}

void page_step(const struct page *p, const struct view_item *item, const struct view_item *next, struct slots *s) {
  const struct run_variant *v = item->variant;
  const struct story_rung *r = story_rung_of(p->story, v);
  bool program = program_is(p->v->f->run);
  slot_text(s, "group", program ? "kernels" : "ladder");
  summary_add(p, item, r, s);
  notes_add(p, v, s);
  page_faults(p, v, s);
  code_add(r, s);
  told_add(p, r, s);
  slot_text(s, "standing", NULL);
  if (r->untold) /* else the evidence has it */
    page_table(p, false, s, "standing", tables_rung(p->v, item), "%s%s, %s", VIEW_NAME(v),
               program ? ": a launch" : " at every shape", run_origin_name(p->v->f->run->origin));
  page_diagnosis(p, v, s);
  slot_text(s, "parent_id", NULL);
  slot_text(s, "next_id", NULL);
  if (r->parent && page_has_step(p, r->parent))
    html_id(slot_open(s, "parent_id"), r->parent->id);
  if (next)
    html_id(slot_open(s, "next_id"), next->variant->id);
}
