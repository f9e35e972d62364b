#include "reports/charts/chart.h"
#include "reports/compare/history_text.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 7 }; /* as many colours as Okabe and Ito's palette has beside black */

/* The distinct shapes of the columns, as many as there is room for; *left_out counts the others. */
static size_t shapes_of(const struct history *h, struct shape out[CHART_PANELS_MAX], size_t *left_out) {
  size_t n = 0;
  *left_out = 0;
  for (size_t c = 0; c < h->n_columns; c++) {
    size_t i = 0, earlier = 0;
    while (earlier < c && !shape_equal(h->columns[earlier].shape, h->columns[c].shape))
      earlier++;
    if (earlier < c)
      continue;
    for (i = 0; i < n && !shape_equal(out[i], h->columns[c].shape);)
      i++;
    if (i == CHART_PANELS_MAX)
      ++*left_out;
    else
      out[n++] = h->columns[c].shape;
  }
  return n;
}

/* The line's first value, which the chart sets the others against: lines of unlike size share a
 * panel so. */
static double first_value(const struct history *h, const struct history_column *c) {
  for (size_t i = 0; i < h->n_runs; i++)
    if (c->points[i].value.present && c->points[i].value.v != 0)
      return c->points[i].value.v * (h->time ? 1e6 : 1);
  return 1;
}

static void line_write(const struct history *h, const struct history_column *c, struct text *dat) {
  text_add(dat, "# ");
  chart_data_quote(dat, c->id);
  text_add(dat, "\n# run  value  step (1: here)  created and commit  first value\n");
  for (size_t i = 0; i < h->n_runs; i++) {
    const struct history_point *p = &c->points[i];
    const struct run *r = h->runs[i]->run;
    char *label = str_printf("%.10s %.7s", r->created ? r->created : "", r->git ? r->git : "");
    text_printf(dat, "%zu ", i);
    if (p->value.present)
      text_printf(dat, "%.9g ", p->value.v * (h->time ? 1e6 : 1));
    else
      text_add(dat, "? ");
    text_printf(dat, "%d ", p->step);
    chart_data_quote(dat, label);
    text_printf(dat, " %.9g\n", first_value(h, c));
    free(label);
  }
  text_add(dat, "\n\n");
}

/* One block of the data a line, panel after panel; returns the lines of the panel. */
static size_t panel_write(const struct history *h, struct shape shape, struct text *dat, struct slots *s) {
  size_t lines = 0;
  for (size_t c = 0; c < h->n_columns && lines < LINES_MAX; c++) {
    struct text name = {0};
    if (!shape_equal(h->columns[c].shape, shape))
      continue;
    text_printf(&name, "%s (%s%s)", h->columns[c].id, VIEW_NUMBER(first_value(h, &h->columns[c]), 4),
                h->time ? " µs" : "");
    slot_item_text(s, "names", text_str(&name));
    text_release(&name);
    line_write(h, &h->columns[c], dat);
    lines++;
  }
  return lines;
}

static size_t lines_at(const struct history *h, struct shape s) {
  size_t n = 0;
  for (size_t c = 0; c < h->n_columns; c++)
    n += shape_equal(h->columns[c].shape, s);
  return n;
}

static void subtitle(const struct history *h, size_t shapes, size_t lines, struct text *out) {
  const struct run_device *d = &h->runs[0]->run->device;
  text_printf(out, "%zu runs, the first on %s; circles: steps beyond 1 %% and the noise", h->n_runs,
              d->name ? d->name : "an unnamed device");
  if (shapes)
    text_printf(out, "; %zu more shapes not drawn", shapes);
  if (lines)
    text_printf(out, "; %zu more variants not drawn (--variant chooses)", lines);
}

static bool chart_history(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct history *h = from->history;
  struct shape shapes[CHART_PANELS_MAX];
  size_t left_out = 0, lines_left_out = 0, n = shapes_of(h, shapes, &left_out);
  for (size_t i = 0; i < n; i++) {
    size_t lines = panel_write(h, shapes[i], &out->dat, s), all = lines_at(h, shapes[i]);
    slot_item_text(s, "shapes", VIEW_SHAPE(shapes[i]));
    text_printf(slot_open(s, "lines"), "%s%zu", i ? ", " : "", lines);
    if (all - lines > lines_left_out)
      lines_left_out = all - lines;
  }
  text_printf(&out->title, "%s over runs; in brackets: the first value", h->metric);
  subtitle(h, left_out, lines_left_out, slot_open(s, "subtitle"));
  slot_printf(s, "ylabel", "%s against its first (%%)", h->metric);
  slot_printf(s, "panels", "%zu", n);
  slot_printf(s, "runs", "%zu", h->n_runs);
  return n > 0;
}

CHART_ROW(130, history) = {
    .name = "history",
    .script = "plots/history.gp",
    .hint = "Each line against its own first value; a circle is a step beyond the noise.",
    .of = CHART_OF_HISTORY,
    .fill = chart_history,
};
