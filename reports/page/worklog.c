#include "reports/page/page.h"

#include "analysis/story/program.h"
#include "reports/words/program_text.h"
#include "reports/words/prose_ladder.h"

#include <string.h>

/* worklog.md: a story per ladder, to be read in one go.  The page has the numbers. */

static void step_add(const struct page *p, const struct run_variant *v, struct slots *s) {
  const struct story_rung *r = story_rung_of(p->story, v);
  const struct report_note *note = prose_note(p->parts, v->id);
  slot_text(s, "variant", v->id);
  if (!program_words(v, slot_open(s, "change")))
    slot_text(s, "change", v->change);
  slot_text(s, "note", note ? note->text : NULL);
  slot_text(s, "time", NULL);
  if (r->untold && r->climb.time_s.present)
    slot_printf(s, "time", "%s µs", VIEW_NUMBER(r->climb.time_s.v * 1e6, 4));
  prose_step(r, p->story, slot_open(s, "told"));
  prose_predictions(&r->told.step, slot_open(s, "predicted"));
  slot_text(s, "unjudged", v->predicts ? r->untold : NULL);
  slot_text(s, "diff", NULL);
  if (r->parent && !r->code.reason && !v->side)
    code_lines_decisive(&r->code.diff, slot_open(s, "diff"));
  page_faults(p, v, s);
}

static void ladder_add(const struct page *p, const char *ladder, struct slots *s) {
  struct view_words words = page_ladder_head(p, ladder, s);
  page_table(p, false, s, "times", tables_climb(p->v, p->story, ladder), "%s %s", words.title, ladder);
  slot_list(s, "charts");
  for (size_t i = 0; i < p->parts->n_charts; i++)
    if (p->parts->charts[i].on_page && strcmp(p->parts->charts[i].kind, "ranks") != 0 &&
        strcmp(p->parts->charts[i].ladder, ladder) == 0)
      page_chart(p, s, "charts", &p->parts->charts[i]);
  slot_list(s, "steps");
  slot_list(s, "sides");
  for (size_t i = 0; i < p->v->n; i++) {
    const struct run_variant *v = p->v->items[i].variant;
    bool told =
        !program_is(p->v->f->run) || prose_note(p->parts, v->id); /* of a program's kernel the table says as much */
    if (view_on_ladder(&p->v->items[i], ladder) && told)
      step_add(p, v, slot_item(s, v->side ? "sides" : "steps"));
  }
  slot_text(s, "lesson", NULL);
  if (words.climb)
    prose_lesson(p->story, p->v, ladder, slot_open(s, "lesson"));
}

void report_worklog(const struct story *story, const struct report_parts *parts, struct text *out) {
  struct view v;
  struct page p = {&v, story, parts, true};
  struct slots s = {0};
  view_init(&v, story->findings);
  page_frame(&p, &s);
  slot_flag(&s, "means", story->findings->n_shapes > 1);
  slot_list(&s, "ladders");
  for (size_t i = 0; i < v.n_ladders; i++)
    ladder_add(&p, v.ladders[i], slot_item(&s, "ladders"));
  page_fill(out, "worklog.md", &s);
  view_release(&v);
}
