/* What a search over parameters found, as a heat map a shape. */
#include "reports/charts/chart.h"
#include "reports/text/tune_text.h"

static void add_values(struct text *out, const long *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    text_printf(out, "%s'%ld' %zu", i ? ", " : "", values[i], i);
}

/* A block a shape: x, y, µs and the label; what was not timed is missing. */
static void add_block(struct text *dat, const struct tune_map *m) {
  text_printf(dat, "# %s\n# x  y  time µs  label\n", VIEW_SHAPE(m->shape));
  for (size_t y = 0; y < m->n_y; y++) {
    for (size_t x = 0; x < m->n_x; x++) {
      double s = m->seconds[y][x];
      if (s > 0)
        text_printf(dat, "%zu %zu %.9g \"%s\"\n", x, y, s * 1e6, VIEW_NUMBER(s * 1e6, 3));
      else
        text_printf(dat, "%zu %zu NaN \"–\"\n", x, y);
    }
    text_add(dat, "\n");
  }
  text_add(dat, "\n");
}

/* "'1' 0, '2' 1": the script reads them as a piece of itself. */
static void tics_add(struct text *out, size_t index, const long *values, size_t n) {
  text_add(out, index ? ", \"" : "\"");
  add_values(out, values, n);
  text_add(out, "\"");
}

static bool chart_tune(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct tune_report *t = from->tune;
  const struct view v = {.f = t->findings};
  size_t n = 0;
  for (size_t i = 0; i < t->n && n < CHART_PANELS_MAX; i++) {
    const struct tune_map *m = &t->maps[i];
    if (!m->x)
      continue;
    slot_item_text(s, "shapes", VIEW_SHAPE(m->shape));
    slot_item_text(s, "x_names", m->x);
    slot_item_text(s, "y_names", m->y);
    tics_add(slot_open(s, "x_tics"), n, m->x_values, m->n_x);
    tics_add(slot_open(s, "y_tics"), n, m->y_values, m->y ? m->n_y : 0);
    text_printf(slot_open(s, "x_counts"), "%s%zu", n ? ", " : "", m->n_x);
    text_printf(slot_open(s, "y_counts"), "%s%zu", n ? ", " : "", m->n_y);
    add_block(&out->dat, m);
    n++;
  }
  text_printf(&out->title, "%s: least time over all other parameters", t->rung);
  chart_subtitle(&v, t->n - n, slot_open(s, "subtitle"));
  slot_printf(s, "panels", "%zu", n);
  return n > 0;
}

CHART_ROW(150, tune) = {
    .name = "tune",
    .script = "plots/tune.gp",
    .hint = "A cell is the least time over all other parameters.",
    .of = CHART_OF_TUNE,
    .fill = chart_tune,
};
