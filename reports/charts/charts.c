#include "reports/charts/chart.h"
#include "reports/charts/lone_charts.h"

#include "base/template.h"

#include "chart_kind_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct embedded reports_embedded_charts[];

#define CHART_DECLARED(number, id) extern const struct chart_kind chart_of_##id;
CHART_ROWS(CHART_DECLARED)

/* In the order of the page. */
#define CHART_ELEMENT(number, id) &chart_of_##id,
const struct chart_kind *const chart_kinds[] = {CHART_ROWS(CHART_ELEMENT)};
const size_t n_chart_kinds = sizeof chart_kinds / sizeof *chart_kinds;

/* Kind, ladder, name, "TITLE: ladder NAME on DEVICE", and how to read it. */
static void begin(struct chart *c, const struct chart_kind *k, const struct chart_source *from) {
  const struct view *v = from->v;
  *c = (struct chart){.kind = k, .ladder = from->ladder};
  if (from->ladder == 0)
    snprintf(c->name, sizeof c->name, "%s", k->name);
  else
    snprintf(c->name, sizeof c->name, "%s-%s", k->name, v->ladders[from->ladder]);
  /* A ladder's name comes from a file of others and becomes a file's name here. */
  for (char *p = c->name; *p; p++)
    if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_')
      *p = '-';
  if (k->of != CHART_OF_LADDER) {
    text_add(&c->hint, k->hint);
    return;
  }
  struct view_words words = view_words(v->f, v->ladders[from->ladder]);
  bool steps = k->of_steps && words.climb && !(k->steps_of_gemv && view_of_others(v->f));

  text_add(&c->hint, steps ? k->of_steps : k->hint);
  text_printf(&c->title, "%s: %s %s on %s", steps && k->steps_title ? k->steps_title : k->title, words.all,
              v->ladders[from->ladder], v->f->run->device.name ? v->f->run->device.name : "an unnamed device");
}

bool chart_make(const struct chart_kind *k, const struct chart_source *from, struct chart *out) {
  struct slots s = {0};
  struct err e = {0};
  begin(out, k, from);
  bool any = k->fill(from, out, &s);
  slot_text(&s, "name", out->name);
  slot_text(&s, "title", text_str(&out->title));
  if (!slot_own(&s, "width", strlen("width")))
    slot_printf(&s, "width", "%d", CHART_WIDTH_PX);
  if (any && template_fill(&out->gp, reports_embedded_charts, k->script, &s, &e) != 0) {
    text_add(&out->gp, e.text); /* what a test sees where a slot was forgotten */
    out->gp.failed = true;
  }
  slots_release(&s);
  if (!any)
    chart_release(out);
  return any;
}

/* Whether the ladder holds the headline of the run; the first does where nothing has a time. */
static bool is_leading(const struct view *v, const struct story *story, size_t ladder) {
  const struct run_variant *best = story->headline.best;
  for (size_t i = 0; i < v->n && best; i++)
    if (v->items[i].variant == best)
      return view_on_ladder(&v->items[i], v->ladders[ladder]);
  return ladder == 0;
}

size_t charts_make(const struct view *v, const struct story *story, bool all, struct chart **out) {
  size_t n = 0;
  *out = calloc(v->n_ladders * n_chart_kinds + 1, sizeof **out);
  for (size_t i = 0; *out && i < v->n_ladders; i++) {
    const struct chart_source from = {.v = v, .story = story, .ladder = i};
    for (size_t k = 0; k < n_chart_kinds; k++) {
      const struct chart_kind *kind = chart_kinds[k];
      bool on_page = kind->place == CHART_EVERY_LADDER || is_leading(v, story, i);
      if (kind->of != CHART_OF_LADDER || (!all && !on_page) || !chart_make(kind, &from, &(*out)[n]))
        continue;
      (*out)[n++].on_page = on_page;
    }
  }
  return n;
}

/* --- charts that stand alone --- */

int report_lone_chart(const struct lone_chart *x, const char *folder, const char *gnuplot, struct text *warning,
                      struct err *e) {
  const struct chart_source from = {.of = x->device    ? CHART_OF_DEVICE
                                          : x->history ? CHART_OF_HISTORY
                                          : x->mma     ? CHART_OF_MMA
                                                       : CHART_OF_TUNE,
                                    .device = x->device,
                                    .history = x->history,
                                    .mma = x->mma,
                                    .tune = x->tune};
  const struct chart_kind *const *k = chart_kinds;
  struct chart c;
  int rc = 0;
  while ((*k)->of != from.of)
    k++;
  if (chart_make(*k, &from, &c))
    rc = chart_save(&c, folder, gnuplot, warning, e);
  else if (x->device)
    rc = err_set(e, ERR_DATA, "%s: no curve was measured, so there is nothing to draw",
                 x->device->name ? x->device->name : "a device");
  chart_release(&c);
  return rc;
}
