#include "reports/page/page.h"

#include "base/html.h"
#include "reports/page/markdown.h"
#include "reports/text/tables.h"

#include <string.h>

/* What run.html and worklog.md ask for: one story, told twice. */

static void header_add(const struct page *p, struct slots *s) {
  const struct headline *h = &p->story->headline;
  const struct findings *f = p->v->f;
  struct text *lead = slot_open(s, "lead");
  const struct run_variant *best;

  prose_headline(p->story, slot_open(s, "headline"));
  slot_text(s, "no_headline",
            p->v->n_ladders ? "No kernel has a time at every shape" : "Controls and rungs to be refused only");
  view_origin(f, slot_open(s, "run_origin"));
  slot_text(s, "origin", run_origin_name(f->run->origin));
  slot_printf(s, "n_shapes", "%zu", f->n_shapes);
  if (h->from) {
    char number[VIEW_NUMBER_MAX], name[VIEW_NAME_MAX];

    text_printf(lead, "%s times faster than %s, the slowest foot of a ladder; geometric means over %zu shape%s. ",
                view_number(number, h->speedup.v, 3), view_name(name, h->from), f->n_shapes,
                f->n_shapes == 1 ? "" : "s");
  }
  text_add(lead, "All times are ");
  view_origin(f, lead);
  text_add(lead, ".");
  slot_list(s, "next");
  best = prose_next(p->story, page_list_add, &(struct page_list){s, "next"});
  html_id(slot_open(s, "best_id"), best ? best->id : "");
}

/* --- the climb --- */

/* The ladder that holds the run's headline; the first where nothing has a time. */
static const char *leading_ladder(const struct page *p) {
  const struct view *v = p->v;
  const struct run_variant *best = p->story->headline.best;

  for (size_t i = 0; i < v->n && best; i++) {
    if (v->items[i].variant == best)
      return v->items[i].ladder;
  }
  return v->n_ladders ? v->ladders[0] : NULL;
}

static const char *no_charts(const struct page *p) {
  if (p->v->n_ladders == 0)
    return "The run holds no ladder, and so there is nothing to climb.";
  if (p->parts->n_charts == 0)
    return "Charts were not asked for; the tables hold the same numbers.";
  for (size_t i = 0; i < p->parts->n_charts; i++) {
    if (p->parts->charts[i].drawn)
      return NULL;
  }
  return "The charts could not be drawn: gnuplot was missing or failed. Their .gp and .dat files are beside this page; "
         "install gnuplot-nox (apt) and run gnuplot NAME.gp there, or make the report again. The tables hold the same "
         "numbers.";
}

static void times_add(const struct page *p, const char *ladder, struct slots *s, const char *name, const char *more) {
  page_table(p, true, s, name, tables_climb(p->v, p->story, ladder), "%s %s%s: times %s%s",
             view_words(p->v->f, ladder).title, ladder, more, run_origin_name(p->v->f->run->origin),
             tables_has_published(p->v, ladder) ? ", published figures beside them" : "");
}

/* Those that stand above all ladders, of the leading one. */
static const char *const leading_kinds[] = {"climb", "roofline"};
enum { LEADING_KINDS = sizeof leading_kinds / sizeof *leading_kinds };

static bool leads(const struct report_chart *c, const char *leading) {
  for (size_t i = 0; leading && strcmp(c->ladder, leading) == 0 && i < LEADING_KINDS; i++) {
    if (strcmp(c->kind, leading_kinds[i]) == 0)
      return true;
  }
  return false;
}

static void climb_add(const struct page *p, struct slots *s) {
  const char *leading = leading_ladder(p);

  slot_text(s, "climb_title", view_words(p->v->f, NULL).climb ? "The climb" : "Times and roofline");
  slot_text(s, "no_charts", no_charts(p));
  slot_list(s, "leading_charts");
  slot_text(s, "leading_times", NULL);
  if (!leading)
    return;
  for (size_t i = 0; i < p->parts->n_charts; i++) {
    if (leads(&p->parts->charts[i], leading))
      page_chart(p, s, "leading_charts", &p->parts->charts[i]);
  }
  times_add(p, leading, s, "leading_times", view_words(p->v->f, leading).climb ? ", which holds the fastest rung" : "");
}

/* --- results --- */

static void results_add(const struct page *p, struct slots *s) {
  const struct findings *f = p->v->f;

  slot_text(s, "means", NULL);
  slot_list(s, "results");
  slot_list(s, "bounds");
  if (f->n_shapes > 1)
    page_table(p, true, s, "means", tables_geomean(p->v),
               "Geometric mean over %zu shapes, %s; published figures are over their authors' shapes", f->n_shapes,
               run_origin_name(f->run->origin));
  for (size_t i = 0; i < f->n_shapes; i++) {
    struct slots *result = slot_item(s, "results"), *bounds = slot_item(s, "bounds");
    char shape[SHAPE_TEXT_MAX + 8];
    struct text caption = {0};

    view_shape(shape, f->shapes[i]);
    slot_text(result, "shape", shape);
    tables_shape_caption(p->v, f->shapes[i], &caption);
    page_table(p, true, result, "times", tables_shape(p->v, f->shapes[i], TABLES_WORKLOG, 0), "%s", text_str(&caption));
    slot_text(result, "caption", text_str(&caption));
    text_release(&caption);
    slot_text(bounds, "shape", shape);
    if (p->markdown)
      continue; /* the page has them */
    page_table(p, true, bounds, "least_times", tables_bounds(p->v, f->shapes[i]),
               "%s: time %s, bounds worked out from its counters", shape, run_origin_name(f->run->origin));
  }
}

/* --- ladders --- */

/* On the page the first is open; the others fold, so that the steps are near. */
static void ladder_charts_add(const struct page *p, const char *ladder, struct slots *s) {
  slot_list(s, "charts");
  slot_list(s, "more_charts");
  for (size_t i = 0; i < p->parts->n_charts; i++) {
    const struct report_chart *c = &p->parts->charts[i];

    if (strcmp(c->ladder, ladder) == 0 && (p->markdown || !leads(c, leading_ladder(p))))
      page_chart(p, s, p->markdown || strcmp(c->kind, "climb") == 0 ? "charts" : "more_charts", c);
  }
}

static void ladder_add(const struct page *p, const char *ladder, struct slots *s) {
  struct view_words words = view_words(p->v->f, ladder);
  struct table *ledger = prose_ledger(p->story, ladder);
  const char *leading = leading_ladder(p);
  bool is_leading = leading && strcmp(leading, ladder) == 0;

  html_id(slot_open(s, "id"), ladder);
  slot_text(s, "words", words.title);
  slot_text(s, "ladder", ladder);
  slot_flag(s, "climb", words.climb);
  slot_flag(s, "leading", is_leading);
  slot_text(s, "times", NULL);
  slot_flag(s, "published_too", words.climb || tables_has_published(p->v, ladder));
  if (!is_leading || p->markdown)
    times_add(p, ladder, s, "times", "");
  ladder_charts_add(p, ladder, s);
  slot_list(s, "steps");
  for (size_t i = 0; i < p->v->n; i++) {
    if (p->v->items[i].group == VIEW_LADDER && strcmp(p->v->items[i].ladder, ladder) == 0)
      page_step(p, &p->v->items[i], slot_item(s, "steps"));
  }
  slot_text(s, "ledger_words", prose_ledger_words);
  slot_text(s, "ledger", NULL);
  if (ledger)
    page_table(p, false, s, "ledger", ledger, "Ladder %s: promised against gained, by rule", ladder);
}

/* --- what it rests on --- */

static void foundations_add(const struct page *p, struct slots *s) {
  const struct findings *f = p->v->f;
  struct text method = {0};

  slot_text(s, "refused", NULL);
  if (prose_has_refused(p->v))
    page_table(p, false, s, "refused", tables_refused(p->v),
               "Rungs that carry one fault each; a check that lets one pass is no check");
  page_table(p, false, s, "setting", prose_setting(f), "What ran where");
  prose_method(f, &method);
  slot_text(s, "method", text_str(&method));
  if (!p->markdown) {
    slot_text(s, "method", NULL);
    markdown_html(slot_open(s, "method"), text_str(&method));
  }
  text_release(&method);
  slot_list(s, "limits");
  prose_limits(f, page_list_add, &(struct page_list){s, "limits"});
}

static void tell(const struct story *story, const struct report_parts *parts, bool markdown, struct text *out) {
  const struct findings *f = story->findings;
  struct view v;
  struct page p = {&v, story, parts, markdown};
  struct slots s = {0};
  struct text title = {0};

  view_init(&v, f);
  view_title(f, &title);
  page_begin(&s, text_str(&title), f->run, "one run file");
  header_add(&p, &s);
  climb_add(&p, &s);
  results_add(&p, &s);
  slot_list(&s, "ladders");
  for (size_t i = 0; i < v.n_ladders; i++)
    ladder_add(&p, v.ladders[i], slot_item(&s, "ladders"));
  foundations_add(&p, &s);
  page_fill(out, markdown ? "worklog.md" : "run.html", &s);
  out->failed |= v.failed;
  text_release(&title);
  view_release(&v);
}

void report_html(const struct story *s, const struct report_parts *parts, struct text *out) {
  tell(s, parts, false, out);
}

void report_worklog(const struct story *s, const struct report_parts *parts, struct text *out) {
  tell(s, parts, true, out);
}
