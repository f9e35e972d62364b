#include "reports/page/page.h"

#include "analysis/story/program.h"
#include "base/html.h"
#include "reports/words/program_text.h"
#include "reports/words/prose_ladder.h"

#include <string.h>

/* A ladder's story: its goal, how far it came, its charts, a table of rungs, the steps. */

static void charts_add(const struct page *p, const char *ladder, struct slots *s) {
  slot_list(s, "charts");
  slot_list(s, "more_charts");
  for (size_t i = 0; i < p->parts->n_charts; i++) {
    const struct report_chart *c = &p->parts->charts[i];
    if (c->on_page && strcmp(c->kind, "ranks") != 0 && strcmp(c->ladder, ladder) == 0)
      page_chart(p, s, strcmp(c->kind, "climb") == 0 || strcmp(c->kind, "kernels") == 0 ? "charts" : "more_charts", c);
  }
}

/* Which columns a ladder's table has: those that some rung has a value in. */
static void columns_add(const struct page *p, const char *ladder, struct slots *s) {
  bool sol = false, read = false;
  for (size_t i = 0; i < p->v->n; i++) {
    const struct climb *c = &story_rung_of(p->story, p->v->items[i].variant)->climb;
    sol |= view_on_ladder(&p->v->items[i], ladder) && c->of_sol.present;
    read |= view_on_ladder(&p->v->items[i], ladder) && c->of_read.present;
  }
  slot_flag(s, "has_sol", sol);
  slot_flag(s, "has_read", read);
}

static void caption_add(const struct page *p, const char *title, const char *ladder, struct text *out) {
  const struct findings *f = p->v->f;
  text_printf(out, "%s %s", title, ladder);
  if (f->n_shapes == 1)
    view_at(f->shapes[0], out);
  else
    text_printf(out, ": geometric means over %zu shapes", f->n_shapes);
  text_printf(out, ", %s", run_origin_name(f->run->origin));
}

/* A program's kernels have a table of their own, where the answer does not list them all. */
static void kernels_add(const struct page *p, const char *caption, struct slots *s) {
  enum { WIDTH = 140 };
  struct program_shown shown = program_shown_of(p->v->f);
  bool program = program_is(p->v->f->run), all_told = p->story->answer.program && p->story->answer.n_more == 0;
  slot_text(s, "kernels", NULL);
  slot_flag(s, "rungs", !program);
  if (program && !all_told)
    page_table(p, true, s, "kernels", program_table(&shown, &(struct program_names){.width = WIDTH}), "%s", caption);
  program_shown_release(&shown);
}

struct view_words page_ladder_head(const struct page *p, const char *ladder, struct slots *s) {
  struct view_words words = view_words(p->v->f, ladder);
  slot_text(s, "words", words.title);
  slot_text(s, "ladder", ladder);
  slot_flag(s, "climb", words.climb);
  slot_text(s, "goal", prose_goal(ladder));
  prose_ladder(p->story, p->v, ladder, slot_open(s, "story"));
  prose_sources(p->v, ladder, slot_open(s, "sources"));
  return words;
}

void page_ladder(const struct page *p, const char *ladder, struct slots *s) {
  struct view_words words = page_ladder_head(p, ladder, s);
  struct table *cures = prose_cures(p->story, ladder);
  const struct view_item *next = NULL;
  struct text caption = {0};
  html_id(slot_open(s, "id"), ladder);
  slot_text(s, "one", words.one);
  slot_text(s, "change_title", words.climb ? "change" : "what it is");
  caption_add(p, words.title, ladder, &caption);
  slot_text(s, "caption", text_str(&caption));
  columns_add(p, ladder, s);
  kernels_add(p, text_str(&caption), s);
  text_release(&caption);
  charts_add(p, ladder, s);
  slot_list(s, "steps");
  for (size_t i = 0; i < p->v->n; i++) {
    if (!view_on_ladder(&p->v->items[i], ladder))
      continue;
    next = i + 1 < p->v->n && view_on_ladder(&p->v->items[i + 1], ladder) ? &p->v->items[i + 1] : NULL;
    page_step(p, &p->v->items[i], next, slot_item(s, "steps"));
  }
  slot_text(s, "cures_words", prose_cures_words);
  slot_text(s, "cures", NULL);
  if (cures)
    page_table(p, false, s, "cures", cures, "Ladder %s: promised against gained, by rule", ladder);
}
