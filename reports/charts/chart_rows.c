#include "reports/charts/chart_rows.h"

#include <math.h>

enum { ROW_PX = 22, NAME_PX = 150, MARGIN_PX = 14 };

static const char *const slot_names[ROWS_SLOTS] = {[ROWS_NAME] = "NAME",
                                                   [ROWS_TITLE] = "TITLE",
                                                   [ROWS_SUBTITLE] = "SUBTITLE",
                                                   [ROWS_PANELS] = "PANELS",
                                                   [ROWS_SHAPES] = "SHAPES",
                                                   [ROWS_BARS] = "BARS",
                                                   [ROWS_WIDTH] = "WIDTH",
                                                   [ROWS_ROW_HEIGHT] = "ROW_HEIGHT",
                                                   [ROWS_NAME_WIDTH] = "NAME_WIDTH",
                                                   [ROWS_MARGIN] = "MARGIN",
                                                   [ROWS_FOOT] = "FOOT",
                                                   [ROWS_RANGES] = "RANGES"};

void rows_begin(struct chart_slot slots[ROWS_SLOTS], const struct view *v, const struct chart *c, int foot_px) {
  for (int i = 0; i < ROWS_SLOTS; i++)
    slots[i] = (struct chart_slot){.name = slot_names[i]};
  text_add(&slots[ROWS_NAME].text, c->name);
  chart_quote(&slots[ROWS_TITLE].text, text_str(&c->title));
  text_printf(&slots[ROWS_BARS].text, "%zu", rows_count(v, v->ladders[c->ladder]));
  text_printf(&slots[ROWS_WIDTH].text, "%d", CHART_WIDTH_PX);
  text_printf(&slots[ROWS_ROW_HEIGHT].text, "%d", ROW_PX);
  text_printf(&slots[ROWS_NAME_WIDTH].text, "%d", NAME_PX);
  text_printf(&slots[ROWS_MARGIN].text, "%d", MARGIN_PX);
  text_printf(&slots[ROWS_FOOT].text, "%d", foot_px);
}

void rows_panel(struct chart_slot slots[ROWS_SLOTS], struct shape s, size_t index) {
  char shape[SHAPE_TEXT_MAX + 8];

  text_add(&slots[ROWS_SHAPES].text, index ? ", " : "");
  chart_quote(&slots[ROWS_SHAPES].text, view_shape(shape, s));
}

void rows_end(struct chart_slot slots[ROWS_SLOTS], const struct view *v, size_t panels, size_t left_out) {
  struct text line = {0};

  text_printf(&slots[ROWS_PANELS].text, "%zu", panels);
  chart_subtitle(v, left_out, &line);
  chart_quote(&slots[ROWS_SUBTITLE].text, text_str(&line));
  text_release(&line);
}

size_t rows_count(const struct view *v, const char *ladder) {
  size_t n = 0;

  for (size_t i = 0; i < v->n; i++)
    n += chart_on_ladder(&v->items[i], ladder);
  return n < ROWS_MAX ? n : ROWS_MAX;
}

void rows_name(struct text *dat, const struct run_variant *variant) {
  char name[VIEW_LABEL_MAX], cut[VIEW_LABEL_MAX];

  chart_shorten(cut, view_short(name, variant), ROWS_LABEL_CHARS);
  chart_data_quote(dat, cut);
}

void rows_range(struct chart_slot slots[ROWS_SLOTS], double low, double high, size_t panels, int label_px, bool log) {
  size_t columns = panels < CHART_COLUMNS ? panels : CHART_COLUMNS;
  double panel = (double)(CHART_WIDTH_PX - NAME_PX) / (double)columns - MARGIN_PX, room = panel / (panel - label_px);
  struct text *out = &slots[ROWS_RANGES].text;

  text_add(out, out->n ? ", " : "");
  if (log) {
    low /= 1.15;
    text_printf(out, "%.5g, %.5g, %.5g", low, low * pow(10, fmax(log10(high / low), 0.15) * room), high);
  } else {
    text_printf(out, "0, %.5g, %.5g", high > 0 ? high * room : 1, high > 0 ? high : 1);
  }
}
