#include "reports/page/page.h"

#include "reports/text/answer_lines.h"
#include "reports/text/ranks_text.h"
#include "reports/text/tables.h"
#include "reports/words/program_text.h"

#include <string.h>

/* --- the ranks of a merged run; of others, empty lists --- */

enum { PAGE_KERNELS = 100, PAGE_RANGES = 50 };

static void ranks_add(const struct page *p, struct slots *s) {
  const struct ranks *r = &p->story->ranks;
  slot_list(s, "ranks_answer");
  slot_list(s, "ranks_charts");
  slot_list(s, "ranks_left_out");
  slot_text(s, "ranks_kernels", NULL);
  slot_text(s, "ranks_ranges", NULL);
  if (!r->merge)
    return;
  ranks_answer(r, page_list_add, &(struct page_list){s, "ranks_answer"});
  ranks_left_out(r, page_list_add, &(struct page_list){s, "ranks_left_out"});
  for (size_t i = 0; i < p->parts->n_charts; i++)
    if (strcmp(p->parts->charts[i].kind, "ranks") == 0)
      page_chart(p, s, "ranks_charts", &p->parts->charts[i]);
  page_table(
      p, true, s, "ranks_kernels", ranks_table(r, false, PAGE_KERNELS),
      "GPU time of a rank by kernel, over %zu ranks; an outlier lies farther from the median than %.1f standard deviations "
      "and %.0f %%%s",
      r->merge->n_ranks, ranks_deviations(r->merge->n_ranks), RANKS_MARGIN * 100,
      r->n_kernels > PAGE_KERNELS ? "; the shorter kernels are in the CSV of merge" : "");
  if (r->n_ranges)
    page_table(p, false, s, "ranks_ranges", ranks_table(r, true, PAGE_RANGES),
               "GPU time of a rank by NVTX range, collectives left out; imbalance: the maximum over the mean, minus 1");
}

/* --- the first screen --- */

static void answer_add(void *slots, const char *label, const char *line) {
  struct slots *item = slot_item(slots, "answer");
  bool command = strcmp(label, "next") == 0;
  slot_text(item, "label", label);
  slot_text(item, "command", command ? line : NULL);
  slot_text(item, "line", line);
}

void page_frame(const struct page *p, struct slots *s) {
  const struct answer *a = &p->story->answer;
  const struct findings *f = p->v->f;
  struct text title = {0}, caption = {0};
  view_title(f, &title);
  page_begin(s, text_str(&title), f->run, "one run file");
  text_release(&title);
  prose_headline(p->story, slot_open(s, "headline"));
  slot_text(s, "no_headline", p->v->n_ladders ? "No kernel has a time at every shape" : "Controls");
  view_origin(f, slot_open(s, "run_origin"));
  slot_text(s, "origin", run_origin_name(f->run->origin));
  slot_list(s, "answer");
  answer_lines(a, p->parts->run_file, false, answer_add, s);
  slot_text(s, "best", NULL);
  answer_caption(a, &caption);
  if (a->n_rows)
    page_table(p, true, s, "best", answer_rows(a), "%s", text_str(&caption));
  text_release(&caption);
  slot_text(s, "gains", NULL);
  if (p->story->gains.n)
    page_table(p, true, s, "gains", program_gains(&p->story->gains), "What may be saved, by what the program gains");
  ranks_add(p, s);
  slot_text(s, "refused", NULL);
  if (prose_has_refused(p->v))
    page_table(p, false, s, "refused", tables_refused(p->v),
               "Rungs with one planted fault each: the check must refuse every one");
  slot_list(s, "limits");
  prose_limits(f, page_list_add, &(struct page_list){s, "limits"});
}

static const char *no_charts(const struct page *p) {
  if (p->v->n_ladders == 0)
    return "The run holds no ladder: there is no climb to draw.";
  if (p->parts->n_charts == 0)
    return "Charts were not asked for; the tables hold the same numbers.";
  for (size_t i = 0; i < p->parts->n_charts; i++)
    if (p->parts->charts[i].drawn)
      return NULL;
  return "The charts could not be drawn: gnuplot was missing or failed. Their .gp and .dat files are beside this page; "
         "install gnuplot-nox (apt) and run gnuplot NAME.gp there, or make the report again. The tables hold the same "
         "numbers.";
}

/* What can be chosen: a shape, where there are several, and side steps, where there are any. */
static void choices_add(const struct page *p, struct slots *s) {
  const struct findings *f = p->v->f;
  bool any_side = false;
  slot_list(s, "shapes");
  for (size_t i = 0; i < f->n_shapes && f->n_shapes > 1; i++) {
    struct slots *item = slot_item(s, "shapes");
    slot_printf(item, "number", "%zu", i);
    slot_text(item, "shape", VIEW_SHAPE(f->shapes[i]));
  }
  for (size_t i = 0; i < p->v->n; i++)
    any_side |= p->v->items[i].group == VIEW_LADDER && p->v->items[i].variant->side;
  slot_flag(s, "any_side", any_side);
}

/* --- what it rests on --- */

static void results_add(const struct page *p, struct slots *s) {
  const struct findings *f = p->v->f;
  if (view_of_others(f) && shape_none(f->shapes[0]))
    slot_text(s, "results_title", "Every kernel");
  else
    slot_printf(s, "results_title", "Every variant at %s, controls included",
                f->n_shapes == 1 ? "its shape" : "one shape");
  slot_list(s, "results");
  for (size_t i = 0; i < f->n_shapes; i++) {
    struct slots *result = slot_item(s, "results");
    struct text caption = {0};
    slot_printf(result, "number", "%zu", i);
    slot_text(result, "shape", shape_none(f->shapes[i]) ? NULL : VIEW_SHAPE(f->shapes[i]));
    tables_shape_caption(p->v, f->shapes[i], &caption);
    page_table(p, true, result, "times", tables_shape(p->v, f->shapes[i], TABLES_WORKLOG), "%s", text_str(&caption));
    text_release(&caption);
  }
}

static void foundations_add(const struct page *p, struct slots *s) {
  const struct findings *f = p->v->f;
  struct text method = {0};
  page_table(p, false, s, "setting", prose_setting(f), "What ran where");
  prose_method(f, &method);
  markdown_html(slot_open(s, "method"), text_str(&method));
  text_release(&method);
  slot_text(s, "causes", NULL);
  if (view_words(f, NULL).climb) {
    prose_cause_words(&method);
    markdown_html(slot_open(s, "causes"), text_str(&method));
    text_release(&method);
  }
}

void report_html(const struct story *story, const struct report_parts *parts, struct text *out) {
  const struct findings *f = story->findings;
  struct view v;
  struct page p = {&v, story, parts, false};
  struct slots s = {0};
  view_init(&v, f);
  page_frame(&p, &s);
  slot_text(&s, "no_charts", no_charts(&p));
  choices_add(&p, &s);
  slot_list(&s, "ladders");
  for (size_t i = 0; i < v.n_ladders; i++)
    page_ladder(&p, v.ladders[i], slot_item(&s, "ladders"));
  results_add(&p, &s);
  foundations_add(&p, &s);
  page_fill(out, "run.html", &s);
  view_release(&v);
}
