#include "reports/charts/chart_rows.h"

#include <math.h>

enum { ROW_PX = 22, NAME_PX = 150, MARGIN_PX = 14 };

void rows_begin(struct slots *s, const struct view *v, const struct chart *c, int foot_px) {
  slot_printf(s, "bars", "%zu", rows_count(v, v->ladders[c->ladder]));
  slot_printf(s, "row_height", "%d", ROW_PX);
  slot_printf(s, "name_width", "%d", NAME_PX);
  slot_printf(s, "margin", "%d", MARGIN_PX);
  slot_printf(s, "foot", "%d", foot_px);
}

void rows_panel(struct slots *s, struct shape shape) {
  slot_item_text(s, "shapes", VIEW_SHAPE(shape));
}

void rows_end(struct slots *s, const struct view *v, size_t panels, size_t left_out) {
  slot_printf(s, "panels", "%zu", panels);
  chart_subtitle(v, left_out, slot_open(s, "subtitle"));
}

size_t rows_count(const struct view *v, const char *ladder) {
  size_t n = 0;
  for (size_t i = 0; i < v->n; i++)
    n += view_on_ladder(&v->items[i], ladder);
  return n < ROWS_MAX ? n : ROWS_MAX;
}

void rows_name(struct text *dat, const struct view *v, const struct run_variant *variant) {
  char name[VIEW_LABEL_MAX];
  chart_data_quote(dat, view_short_in(name, v, variant, ROWS_LABEL_CHARS));
}

void rows_range(struct slots *s, double low, double high, size_t panels, int label_px, bool log) {
  size_t columns = panels < CHART_COLUMNS ? panels : CHART_COLUMNS;
  double panel = (double)(CHART_WIDTH_PX - NAME_PX) / (double)columns - MARGIN_PX, room = panel / (panel - label_px);
  struct text *out = slot_open(s, "ranges");
  text_add(out, out->n ? ", " : "");
  if (log) {
    low /= 1.15;
    text_printf(out, "%.5g, %.5g, %.5g", low, low * pow(10, fmax(log10(high / low), 0.15) * room), high);
  } else {
    text_printf(out, "0, %.5g, %.5g", high > 0 ? high * room : 1, high > 0 ? high : 1);
  }
}
