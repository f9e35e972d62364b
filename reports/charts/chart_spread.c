#include "reports/charts/chart_rows.h"

#include <math.h>

enum { FOOT_PX = 52 };

/* µs; the script sets them against the middle. */
static bool row_write(struct text *dat, const struct view *v, const struct story *story, const struct view_item *item,
                      const struct finding *f, size_t row, double *most) {
  struct spread s = {0};
  struct text hover = {0};
  if (f)
    s = *story_spread_of(story, f);
  text_printf(dat, "%zu ", row);
  if (s.valid) {
    double middle = f->time.middle;
    text_printf(dat, "%.7g %.7g %.7g %.7g %.7g %.7g ", middle * 1e6, s.p5 * 1e6, s.p25 * 1e6, s.p50 * 1e6, s.p75 * 1e6,
                s.p95 * 1e6);
    *most = fmax(*most, fmax(s.p95 / middle - 1, 1 - s.p5 / middle));
    text_printf(&hover, "%s: %s µs, 90 %% of %zu samples within %s–%s", item->variant->id, VIEW_NUMBER(middle * 1e6, 4),
                f->result->timing.n, VIEW_NUMBER(s.p5 * 1e6, 4), VIEW_NUMBER(s.p95 * 1e6, 4));
  } else {
    text_add(dat, "? ? ? ? ? ? ");
    text_printf(&hover, "%s: no time", item->variant->id);
  }
  rows_name(dat, v, item->variant);
  text_add(dat, " ");
  chart_data_quote(dat, s.valid ? VIEW_NUMBER(f->time.middle * 1e6, 4) : "no time");
  text_add(dat, " ");
  chart_data_quote(dat, text_str(&hover));
  text_add(dat, "\n");
  text_end(&hover, dat);
  return s.valid;
}

static bool panel_write(struct text *dat, const struct chart_source *from, struct shape s, double *most) {
  const struct view *v = from->v;
  const char *ladder = v->ladders[from->ladder];
  size_t row = rows_count(v, ladder);
  bool any = false;
  text_printf(dat, "# %s\n# row  middle  5th  25th  50th  75th  95th percentile, µs  name  label  hover\n",
              VIEW_SHAPE(s));
  for (size_t i = 0; i < v->n && row > 0; i++) {
    if (!view_on_ladder(&v->items[i], ladder))
      continue;
    any |= row_write(dat, v, from->story, &v->items[i], findings_at(v->f, v->items[i].variant->id, s), row, most);
    row--;
  }
  text_add(dat, "\n\n");
  return any;
}

static bool chart_spread_of_times(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct view *v = from->v;
  const char *ladder = v->ladders[from->ladder];
  size_t panels = 0, left_out = 0;
  double reach = 0;
  rows_begin(s, v, out, FOOT_PX);
  text_printf(&out->dat, "# %s: one block per shape, one row per %s from the top; ? is absent\n", out->name,
              view_words(v->f, ladder).one);
  for (size_t i = 0; i < v->f->n_shapes; i++) {
    struct text block = {0};
    double most = reach;
    bool any = panel_write(&block, from, v->f->shapes[i], &most);
    left_out += any && panels == CHART_PANELS_MAX;
    if (any && panels < CHART_PANELS_MAX) {
      text_add(&out->dat, text_str(&block));
      rows_panel(s, v->f->shapes[i]);
      panels++;
      reach = most;
    }
    text_end(&block, &out->dat);
  }
  /* A few rungs that waver would squeeze the rest to a line: they run out of the panel, and
   * their hover texts say how far. */
  reach = fmin(fmax(reach * 1.05, 0.01), 0.12) * 100;
  for (size_t i = 0; i < panels; i++)
    text_printf(slot_open(s, "ranges"), "%s%.4g, %.4g, %.4g", i ? ", " : "", -reach, reach * 1.5, reach);
  rows_end(s, v, panels, left_out);
  return panels > 0;
}

CHART_ROW(100, samples) = {
    .name = "samples",
    .script = "plots/spread.gp",
    .title = "Spread of the timing samples",
    .hint =
        "Relative to each kernel's time, the middle of its samples: the box holds half of them, the line nine tenths.",
    .of_steps =
        "Relative to each rung's time, the middle of its samples: the box holds half of them, the line nine tenths; a rung that is faster by less than this is not measurably faster.",
    .fill = chart_spread_of_times,
};
