#include "reports/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_PX = 22, LABEL_CHARS = 18, NAME_PX = 150, END_LABEL_PX = 128, MARGIN_PX = 14, ROWS_MAX = 64 };
enum bar_kind { BAR_RUNG = 1, BAR_SIDE = 2 };

struct lines { /* µs; NAN: unknown */
  double sol, read;
};

static struct lines lines_at(const struct view *v, struct shape s) {
  const struct sol *sol = view_sol_at(v->f, s);
  const struct finding *read = view_read_control(v->f, s);

  return (struct lines){sol && sol->seconds > 0 ? sol->seconds * 1e6 : NAN,
                        read && read->timed ? read->time.middle * 1e6 : NAN};
}

static bool on_ladder(const struct view_item *item, const char *ladder) {
  return item->group == VIEW_LADDER && strcmp(item->ladder, ladder) == 0;
}

static size_t bars_count(const struct view *v, const char *ladder) {
  size_t n = 0;

  for (size_t i = 0; i < v->n; i++)
    n += on_ladder(&v->items[i], ladder);
  return n < ROWS_MAX ? n : ROWS_MAX;
}

static void number_or_missing(struct text *dat, double x) {
  if (isfinite(x))
    text_printf(dat, "%.6g ", x);
  else
    text_add(dat, "? ");
}

static void bar_write(struct text *dat, const struct view *v, const struct view_item *item, struct shape s, size_t row,
                      double start) {
  const struct finding *f = findings_at(v->f, item->variant->id, s);
  bool timed = f && f->timed;
  char name[VIEW_LABEL_MAX], cut[VIEW_LABEL_MAX], number[VIEW_NUMBER_MAX];
  struct text label = {0};

  if (timed)
    text_printf(&label, "%s µs", view_number(number, f->time.middle * 1e6, 4));
  else if (f)
    view_verdict(f, &label);
  else
    text_add(&label, "not run");
  if (timed && f->speedup_parent.present)
    text_printf(&label, "  ×%s", view_number(number, f->speedup_parent.v, 3));
  text_printf(dat, "%zu %d ", row, item->variant->side ? BAR_SIDE : BAR_RUNG);
  number_or_missing(dat, timed ? f->time.middle * 1e6 : NAN);
  number_or_missing(dat, timed ? f->time.middle * 1e6 : start);
  chart_shorten(cut, view_short(name, item->variant), LABEL_CHARS);
  chart_data_quote(dat, cut);
  text_add(dat, " ");
  chart_data_quote(dat, text_str(&label));
  text_add(dat, "\n");
  dat->failed |= !text_ok(&label);
  text_release(&label);
}

struct extent {
  double low, high; /* µs */
  bool any;         /* a bar */
};

static struct extent extent_at(const struct view *v, const char *ladder, struct shape s) {
  struct extent x = {INFINITY, 0, false};
  struct lines lines = lines_at(v, s);

  for (size_t i = 0; i < v->n; i++) {
    const struct finding *f = on_ladder(&v->items[i], ladder) ? findings_at(v->f, v->items[i].variant->id, s) : NULL;

    if (!f || !f->timed)
      continue;
    x.any = true;
    x.low = fmin(x.low, f->time.middle * 1e6);
    x.high = fmax(x.high, f->time.middle * 1e6);
  }
  x.low = fmin(x.low, fmin(isnan(lines.sol) ? INFINITY : lines.sol, isnan(lines.read) ? INFINITY : lines.read));
  x.high = fmax(x.high, fmax(isnan(lines.sol) ? 0 : lines.sol, isnan(lines.read) ? 0 : lines.read));
  return x;
}

/* Room behind the longest bar for its label, on a log axis. */
static void range_write(struct text *out, struct extent x, size_t columns) {
  double panel = (double)(CHART_WIDTH_PX - NAME_PX) / (double)columns - MARGIN_PX;
  double low = x.low / 1.15;
  double decades = fmax(log10(x.high / low), 0.15) * panel / (panel - END_LABEL_PX);

  text_printf(out, "%.5g", low);
  text_printf(out, ", %.5g", low * pow(10, decades));
}

enum slot {
  NAME,
  TITLE,
  SUBTITLE,
  PANELS,
  SHAPES,
  RANGES,
  SOLS,
  READS,
  SOL_TEXT,
  RUNGS,
  SIDES,
  BARS,
  WIDTH,
  ROW,
  NAMES,
  MARGIN,
  SLOTS
};

static void slots_panel(struct chart_slot *slots, const struct view *v, const char *ladder, struct shape s,
                        struct extent x, size_t index, size_t columns) {
  const char *comma = index ? ", " : "";
  struct lines lines = lines_at(v, s);
  char shape[SHAPE_TEXT_MAX + 8];
  bool rungs = false, sides = false;

  text_add(&slots[SHAPES].text, comma);
  chart_quote(&slots[SHAPES].text, view_shape(shape, s));
  text_add(&slots[RANGES].text, comma);
  range_write(&slots[RANGES].text, x, columns);
  text_printf(&slots[SOLS].text, "%s%.6g", comma, isnan(lines.sol) ? 0 : lines.sol);
  text_printf(&slots[READS].text, "%s%.6g", comma, isnan(lines.read) ? 0 : lines.read);
  for (size_t i = 0; i < v->n; i++) {
    const struct finding *f = on_ladder(&v->items[i], ladder) ? findings_at(v->f, v->items[i].variant->id, s) : NULL;

    rungs |= f && f->timed && !v->items[i].variant->side;
    sides |= f && f->timed && v->items[i].variant->side;
  }
  text_printf(&slots[RUNGS].text, "%s%d", comma, rungs);
  text_printf(&slots[SIDES].text, "%s%d", comma, sides);
}

static void slots_fixed(struct chart_slot *slots, const struct view *v, size_t ladder, const struct chart *c,
                        size_t panels, size_t left_out, const struct sol *sol) {
  struct text line = {0};
  char number[VIEW_NUMBER_MAX];

  text_add(&slots[NAME].text, c->name);
  text_printf(&line, "Time of ladder %s on %s, against the speed of light", v->ladders[ladder],
              v->f->run->device.name ? v->f->run->device.name : "an unnamed device");
  chart_quote(&slots[TITLE].text, text_str(&line));
  text_release(&line);
  chart_subtitle(v, left_out, &line);
  chart_quote(&slots[SUBTITLE].text, text_str(&line));
  text_release(&line);
  if (sol && sol->bandwidth)
    text_printf(&line, "SOL: minimal bytes / %s TB/s (%s)", view_number(number, sol->bandwidth->value / 1e12, 4),
                view_ceiling_kind(sol->bandwidth->kind));
  else
    text_add(&line, "SOL: unknown");
  chart_quote(&slots[SOL_TEXT].text, text_str(&line));
  text_release(&line);
  text_printf(&slots[PANELS].text, "%zu", panels);
  text_printf(&slots[BARS].text, "%zu", bars_count(v, v->ladders[ladder]));
  text_printf(&slots[WIDTH].text, "%d", CHART_WIDTH_PX);
  text_printf(&slots[ROW].text, "%d", ROW_PX);
  text_printf(&slots[NAMES].text, "%d", NAME_PX);
  text_printf(&slots[MARGIN].text, "%d", MARGIN_PX);
}

bool chart_waterfall(const struct view *v, size_t ladder, struct chart *out) {
  struct chart_slot slots[SLOTS] = {
      [NAME] = {"NAME", {0}},     [TITLE] = {"TITLE", {0}},    [SUBTITLE] = {"SUBTITLE", {0}},
      [PANELS] = {"PANELS", {0}}, [SHAPES] = {"SHAPES", {0}},  [RANGES] = {"RANGES", {0}},
      [SOLS] = {"SOLS", {0}},     [READS] = {"READS", {0}},    [SOL_TEXT] = {"SOL_TEXT", {0}},
      [RUNGS] = {"RUNGS", {0}},   [SIDES] = {"SIDES", {0}},    [BARS] = {"BARS", {0}},
      [WIDTH] = {"WIDTH", {0}},   [ROW] = {"ROW_HEIGHT", {0}}, [NAMES] = {"NAME_WIDTH", {0}},
      [MARGIN] = {"MARGIN", {0}}};
  const char *name = v->ladders[ladder];
  size_t with_bars = 0, panels = 0, columns;

  *out = (struct chart){0};
  for (size_t i = 0; i < v->f->n_shapes; i++)
    with_bars += extent_at(v, name, v->f->shapes[i]).any;
  if (with_bars == 0)
    return false;
  columns = with_bars < CHART_COLUMNS ? with_bars : CHART_COLUMNS;
  chart_name(out, v, "waterfall", ladder);
  text_printf(&out->dat,
              "# %s: one block a shape, one row a rung from the top; kind 1: rung, 2: side step; ? is absent\n",
              out->name);
  for (size_t i = 0; i < v->f->n_shapes && panels < CHART_PANELS_MAX; i++) {
    struct shape s = v->f->shapes[i];
    struct extent x = extent_at(v, name, s);
    char shape[SHAPE_TEXT_MAX + 8];
    size_t row = bars_count(v, name);

    if (!x.any)
      continue;
    slots_panel(slots, v, name, s, x, panels++, columns);
    text_printf(&out->dat, "# %s\n# row  kind  time µs  label at µs  rung  label\n", view_shape(shape, s));
    for (size_t j = 0; j < v->n && row > 0; j++) {
      if (on_ladder(&v->items[j], name))
        bar_write(&out->dat, v, &v->items[j], s, row--, x.low);
    }
    text_add(&out->dat, "\n\n");
  }
  slots_fixed(slots, v, ladder, out, panels, with_bars - panels, view_sol_at(v->f, v->f->shapes[0]));
  chart_fill(&out->gp, "waterfall.gp", slots, SLOTS);
  return true;
}
