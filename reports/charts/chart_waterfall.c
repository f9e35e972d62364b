#include "reports/charts/chart_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { END_LABEL_PX = 128, FOOT_PX = 52 };
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

static void number_or_missing(struct text *dat, double x) {
  if (isfinite(x))
    text_printf(dat, "%.6g ", x);
  else
    text_add(dat, "? ");
}

static void hover_text(struct text *out, const struct view_item *item, const struct finding *f) {
  char number[VIEW_NUMBER_MAX];

  text_add(out, item->variant->id);
  if (f && f->timed)
    text_printf(out, ": %s µs", view_time(number, &f->time));
  if (f && f->of_sol.present)
    text_printf(out, ", %s %% of SOL", view_number(number, f->of_sol.v * 100, 3));
}

static void bar_write(struct text *dat, const struct view *v, const struct view_item *item, struct shape s, size_t row,
                      double start) {
  const struct finding *f = findings_at(v->f, item->variant->id, s);
  bool timed = f && f->timed;
  char number[VIEW_NUMBER_MAX];
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
  rows_name(dat, item->variant);
  text_add(dat, " ");
  chart_data_quote(dat, text_str(&label));
  text_add(dat, " ");
  text_release(&label);
  hover_text(&label, item, f);
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
    const struct finding *f =
        chart_on_ladder(&v->items[i], ladder) ? findings_at(v->f, v->items[i].variant->id, s) : NULL;

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

static void slots_panel(struct slots *slots, const struct view *v, const char *ladder, struct shape s, struct extent x,
                        size_t index, size_t panels) {
  const char *comma = index ? ", " : "";
  struct lines lines = lines_at(v, s);
  bool rungs = false, sides = false;

  rows_panel(slots, s);
  rows_range(slots, x.low, x.high, panels, END_LABEL_PX, true);
  text_printf(slot_open(slots, "sols"), "%s%.6g", comma, isnan(lines.sol) ? 0 : lines.sol);
  text_printf(slot_open(slots, "reads"), "%s%.6g", comma, isnan(lines.read) ? 0 : lines.read);
  for (size_t i = 0; i < v->n; i++) {
    const struct finding *f =
        chart_on_ladder(&v->items[i], ladder) ? findings_at(v->f, v->items[i].variant->id, s) : NULL;

    rungs |= f && f->timed && !v->items[i].variant->side;
    sides |= f && f->timed && v->items[i].variant->side;
  }
  text_printf(slot_open(slots, "rungs"), "%s%d", comma, rungs);
  text_printf(slot_open(slots, "sides"), "%s%d", comma, sides);
}

static void slot_sol(struct slots *s, const struct sol *sol) {
  char number[VIEW_NUMBER_MAX];

  if (sol && sol->bandwidth)
    slot_printf(s, "sol_text", "SOL: minimal bytes / %s TB/s (%s)",
                view_number(number, sol->bandwidth->value / 1e12, 4), view_ceiling_kind(sol->bandwidth->kind));
  else
    slot_text(s, "sol_text", "SOL: unknown");
}

bool chart_waterfall(const struct chart_kind *k, const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct view *v = from->v;
  const char *name = v->ladders[from->ladder], *one = view_words(v->f, name).one;
  size_t with_bars = 0, panels = 0;

  (void)k;
  for (size_t i = 0; i < v->f->n_shapes; i++)
    with_bars += extent_at(v, name, v->f->shapes[i]).any;
  if (with_bars == 0)
    return false;
  rows_begin(s, v, out, FOOT_PX);
  text_printf(&out->dat, "# %s: one block a shape, one row a %s from the top; kind 1: %s, 2: side step; ? is absent\n",
              out->name, one, one);
  for (size_t i = 0; i < v->f->n_shapes && panels < CHART_PANELS_MAX; i++) {
    struct extent x = extent_at(v, name, v->f->shapes[i]);
    char shape[SHAPE_TEXT_MAX + 8];
    size_t row = rows_count(v, name);

    if (!x.any)
      continue;
    slots_panel(s, v, name, v->f->shapes[i], x, panels++, with_bars);
    text_printf(&out->dat, "# %s\n# row  kind  time µs  label at µs  name  label  hover\n",
                view_shape(shape, v->f->shapes[i]));
    for (size_t j = 0; j < v->n && row > 0; j++) {
      if (chart_on_ladder(&v->items[j], name))
        bar_write(&out->dat, v, &v->items[j], v->f->shapes[i], row--, x.low);
    }
    text_add(&out->dat, "\n\n");
  }
  slot_text(s, "rung_name", one);
  slot_sol(s, view_sol_at(v->f, v->f->shapes[0]));
  rows_end(s, v, panels, with_bars - panels);
  return true;
}
