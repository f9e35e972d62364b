#include "reports/page/page.h"

#include "base/html.h"
#include "reports/page/markdown.h"
#include "reports/text/tables.h"

#include <string.h>

/* index.html: the story first (what the run showed, the climb, the tables, a section a step), then what it rests on. */

static void list_item(struct text *out, const char *s) {
  page_element(out, "li", s);
}

/* Where the next gain is: what binds the fastest rung, and what is advised there. */
static void next_add(const struct page *p) {
  struct text lines = {0};
  const struct run_variant *best = prose_next(p->story, &lines, list_item);

  if (best) {
    text_add(p->out, "<p>What holds it now, and what to do next (<a href=\"#step-");
    html_id(p->out, best->id);
    text_add(p->out, "\">its section</a> has the evidence):</p>\n<ul>\n");
    text_add(p->out, text_str(&lines));
    text_add(p->out, "</ul>\n");
  }
  p->out->failed |= lines.failed;
  text_release(&lines);
}

static void header_add(const struct page *p) {
  struct text line = {0};
  const struct headline *h = &p->story->headline;

  text_add(p->out, "<header>\n<p class=\"dim\">");
  view_title(p->v->f, &line);
  html_text(p->out, text_str(&line));
  text_release(&line);
  text_add(p->out, "</p>\n");
  if (!prose_headline(p->story, &line))
    text_add(&line, p->v->n_ladders ? "No kernel has a time at every shape" : "Controls and rungs to be refused only");
  page_element(p->out, "h1", text_str(&line));
  text_release(&line);
  if (h->from) {
    char number[VIEW_NUMBER_MAX], name[VIEW_NAME_MAX];

    text_printf(&line, "%s times faster than %s, the slowest foot of a ladder; geometric means over %zu shape%s. ",
                view_number(number, h->speedup.v, 3), view_name(name, h->from), p->v->f->n_shapes,
                p->v->f->n_shapes == 1 ? "" : "s");
  }
  text_add(&line, "All times are ");
  view_origin(p->v->f, &line);
  text_add(&line, ".");
  page_element(p->out, "p", text_str(&line));
  text_release(&line);
  next_add(p);
  text_add(p->out, "</header>\n");
}

static const char *climb_title(const struct page *p) {
  return view_words(p->v->f, NULL).climb ? "The climb" : "Times and roofline";
}

static void nav_add(const struct page *p) {
  text_printf(p->out,
              "<nav aria-label=\"Contents\">\n<ul>\n<li><a href=\"#climb\">%s</a></li>\n"
              "<li><a href=\"#results\">Results</a></li>\n",
              climb_title(p));
  for (size_t i = 0; i < p->v->n_ladders; i++) {
    text_add(p->out, "<li><a href=\"#ladder-");
    html_id(p->out, p->v->ladders[i]);
    text_printf(p->out, "\">%s ", view_words(p->v->f, p->v->ladders[i]).title);
    html_text(p->out, p->v->ladders[i]);
    text_add(p->out, "</a></li>\n");
  }
  if (prose_has_refused(p->v))
    text_add(p->out, "<li><a href=\"#refused\">Wrong on purpose</a></li>\n");
  text_add(p->out, "<li><a href=\"#bounds\">Bounds</a></li>\n<li><a href=\"#device\">Device</a></li>\n"
                   "<li><a href=\"#method\">Method</a></li>\n<li><a href=\"#limits\">Limits and notes</a></li>\n"
                   "</ul>\n</nav>\n");
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

static void times_caption(const struct page *p, const char *ladder, const char *more, struct text *out) {
  text_printf(out, "%s %s%s: times %s%s", view_words(p->v->f, ladder).title, ladder, more,
              run_origin_name(p->v->f->run->origin),
              tables_has_published(p->v, ladder) ? ", published figures beside them" : "");
}

static void climb_add(const struct page *p) {
  const char *ladder = leading_ladder(p), *why = no_charts(p);
  struct text caption = {0};

  text_printf(p->out, "<section id=\"climb\">\n<h2>%s</h2>\n", climb_title(p));
  if (why)
    page_element(p->out, "p", why);
  if (ladder) {
    page_chart(p, page_chart_find(p, "waterfall", ladder));
    page_chart(p, page_chart_find(p, "roofline", ladder));
    times_caption(p, ladder, view_words(p->v->f, ladder).climb ? ", which holds the fastest rung" : "", &caption);
    page_table(p->out, tables_climb(p->v, p->story, ladder), text_str(&caption), p);
  }
  text_release(&caption);
  text_add(p->out, "</section>\n");
}

/* --- results --- */

static void results_add(const struct page *p) {
  const struct findings *f = p->v->f;
  struct text caption = {0};

  text_add(p->out, "<section id=\"results\">\n<h2>Results</h2>\n");
  if (f->n_shapes > 1) {
    text_printf(&caption, "Geometric mean over %zu shapes, %s; published figures are over their authors' shapes",
                f->n_shapes, run_origin_name(f->run->origin));
    text_add(p->out, "<h3>All shapes</h3>\n");
    page_table(p->out, tables_geomean(p->v), text_str(&caption), p);
    text_release(&caption);
  }
  for (size_t i = 0; i < f->n_shapes; i++) {
    char shape[SHAPE_TEXT_MAX + 8];

    page_element(p->out, "h3", view_shape(shape, f->shapes[i]));
    tables_shape_caption(p->v, f->shapes[i], &caption);
    page_table(p->out, tables_shape(p->v, f->shapes[i], TABLES_WORKLOG, 0), text_str(&caption), p);
    text_release(&caption);
  }
  text_add(p->out, "</section>\n");
}

/* --- ladders --- */

static bool is_leading_chart(const struct page *p, const struct report_chart *c) {
  const char *leading = leading_ladder(p);

  return leading && strcmp(c->ladder, leading) == 0 &&
         (strcmp(c->kind, "waterfall") == 0 || strcmp(c->kind, "roofline") == 0);
}

/* The first two are open; the others fold, so that the steps are near. */
static void ladder_charts_add(const struct page *p, const char *ladder) {
  bool folded = false;

  for (size_t i = 0; i < p->parts->n_charts; i++) {
    const struct report_chart *c = &p->parts->charts[i];
    bool first = strcmp(c->kind, "waterfall") == 0;

    if (!c->drawn || strcmp(c->ladder, ladder) != 0 || is_leading_chart(p, c))
      continue;
    if (!first && !folded) {
      text_printf(p->out,
                  "<details><summary>More charts of %s: rooflines, instructions, stalls, bytes, samples</summary>\n",
                  view_words(p->v->f, ladder).climb ? "this ladder" : "these kernels");
      folded = true;
    }
    page_chart(p, c);
  }
  text_add(p->out, folded ? "</details>\n" : "");
}

static void ledger_add(const struct page *p, const char *ladder) {
  struct table *t = prose_ledger(p->story, ladder);
  struct text caption = {0};

  if (!t)
    return;
  text_printf(&caption, "Ladder %s: promised against gained, by rule", ladder);
  text_add(p->out, "<h3>Promised and gained, ladder ");
  html_text(p->out, ladder);
  text_add(p->out, "</h3>\n");
  page_element(p->out, "p", prose_ledger_words);
  page_table(p->out, t, text_str(&caption), NULL);
  p->out->failed |= caption.failed;
  text_release(&caption);
}

static void ladder_add(const struct page *p, const char *ladder) {
  struct text caption = {0};
  struct view_words words = view_words(p->v->f, ladder);

  text_add(p->out, "<section id=\"ladder-");
  html_id(p->out, ladder);
  text_printf(p->out, "\">\n<h2>%s ", words.title);
  html_text(p->out, ladder);
  text_add(p->out, words.climb ? ", rung by rung</h2>\n" : ", one by one</h2>\n");
  if (leading_ladder(p) && strcmp(leading_ladder(p), ladder) == 0) {
    text_printf(p->out, "<p>%s stand above, under <a href=\"#climb\">%s</a>.</p>\n",
                words.climb ? "Its times, roofline and table" : "Times, roofline and table", climb_title(p));
  } else {
    times_caption(p, ladder, "", &caption);
    page_table(p->out, tables_climb(p->v, p->story, ladder), text_str(&caption), p);
  }
  ladder_charts_add(p, ladder);
  for (size_t i = 0; i < p->v->n; i++) {
    if (p->v->items[i].group == VIEW_LADDER && strcmp(p->v->items[i].ladder, ladder) == 0)
      page_step(p, &p->v->items[i]);
  }
  ledger_add(p, ladder);
  text_release(&caption);
  text_add(p->out, "</section>\n");
}

/* --- what it rests on --- */

static void bounds_add(const struct page *p) {
  const struct findings *f = p->v->f;

  text_add(p->out,
           "<section id=\"bounds\">\n<h2>Bounds</h2>\n<p>The least time that each resource needs for the counted "
           "work; the largest explains that share of the measured time.</p>\n");
  for (size_t i = 0; i < f->n_shapes; i++) {
    char shape[SHAPE_TEXT_MAX + 8];
    struct text caption = {0};

    view_shape(shape, f->shapes[i]);
    text_printf(&caption, "%s: time %s, bounds worked out from its counters", shape, run_origin_name(f->run->origin));
    text_printf(p->out, "<details><summary>%s</summary>\n", shape);
    page_table(p->out, tables_bounds(p->v, f->shapes[i]), text_str(&caption), p);
    text_add(p->out, "</details>\n");
    text_release(&caption);
  }
  text_add(p->out, "</section>\n");
}

static void foundations_add(const struct page *p) {
  const struct findings *f = p->v->f;
  struct text method = {0};

  if (prose_has_refused(p->v)) {
    text_add(p->out, "<section id=\"refused\">\n<h2>Wrong on purpose</h2>\n");
    page_table(p->out, tables_refused(p->v), "Rungs that carry one fault each; a check that lets one pass is no check",
               NULL);
    text_add(p->out, "</section>\n");
  }
  bounds_add(p);
  text_add(p->out, "<section id=\"device\">\n<h2>Device and settings</h2>\n");
  page_table(p->out, prose_setting(f), "What ran where", NULL);
  text_add(p->out, "</section>\n<section id=\"method\">\n<h2>Method</h2>\n");
  prose_method(f, &method);
  markdown_html(p->out, text_str(&method));
  p->out->failed |= method.failed;
  text_release(&method);
  text_add(p->out, "</section>\n<section id=\"limits\">\n<h2>Limits and notes</h2>\n<ul>\n");
  prose_limits(f, p->out, list_item);
  text_add(p->out, "</ul>\n</section>\n");
}

void report_html(const struct story *s, const struct report_parts *parts, struct text *out) {
  const struct findings *f = s->findings;
  struct view v;
  struct page p = {&v, s, parts, out};
  struct text title = {0};

  view_init(&v, f);
  view_title(f, &title);
  page_begin(out, text_str(&title));
  header_add(&p);
  nav_add(&p);
  text_add(out, "<main id=\"main\">\n");
  climb_add(&p);
  results_add(&p);
  for (size_t i = 0; i < v.n_ladders; i++)
    ladder_add(&p, v.ladders[i]);
  foundations_add(&p);
  text_add(out, "</main>\n");
  page_end(out, f->run, "one run file");
  out->failed |= v.failed || !text_ok(&title);
  text_release(&title);
  view_release(&v);
}
