#include "reports/words/advice_words.h"

#include "reports/words/bound_words.h"
#include "reports/words/place_text.h"
#include "reports/words/view.h"

/* --- time --- */

void report_time(const struct finding *f, struct text *out) {
  if (!f->timed) {
    text_printf(out, "no time (%s)", f->time_reason);
    return;
  }
  view_measured(&f->time, out);
  view_mean(f, out);
}

void report_stalls(const struct finding *f, struct text *out) {
  struct value issuing = finding_value(f, "stall_selected_share");

  if (f->n_stalls == 0)
    return;
  text_add(out, "warps' cycles: ");
  if (issuing.present)
    text_printf(out, "%.0f %% issuing", 100 * issuing.v);
  for (size_t i = 0; i < f->n_stalls && f->stalls[i].share >= 0.005; i++)
    text_printf(out, "%s%s %.0f %%", i || issuing.present ? ", " : "", f->stalls[i].reason, 100 * f->stalls[i].share);
}

/* --- what a remedy may save --- */

/* The estimate is the most that can be saved, as far as two digits tell: a cap cuts the interval
 * there. */
static bool is_most(const struct advice *a) {
  static const double near_end = 0.95;
  return !a->price.up_to && a->price.saves_s > 0 && a->price.saves_s >= near_end * a->price.high_s;
}

/* What was counted is no measure of the usual launch: parts of the counted ones' time alone are known. */
static void add_parts(const struct advice *a, double time_s, struct text *out) {
  text_printf(out, "may save %s to %s %% of the time, best estimate %s %%",
              VIEW_NUMBER(100 * a->price.low_s / time_s, 2), VIEW_NUMBER(100 * a->price.high_s / time_s, 2),
              VIEW_NUMBER(100 * a->price.saves_s / time_s, 2));
}

static void add_interval(const struct advice *a, double time_s, struct text *out) {
  struct view_unit unit = view_unit_of(time_s);
  text_printf(out, "may save %s to %s %s, best estimate %s, %s %% of the time",
              VIEW_NUMBER(a->price.low_s * unit.per_s, 2), VIEW_NUMBER(a->price.high_s * unit.per_s, 2), unit.name,
              VIEW_NUMBER(a->price.saves_s * unit.per_s, 3), VIEW_NUMBER(100 * a->price.saves_s / time_s, 2));
  /* A remedy that reaches further than the best estimate assumes takes more of that row with it. */
  if (a->price.capped && is_most(a) && a->price.cap_s > 0)
    text_printf(out, " (capped: %s of %s are left)", VIEW_SPAN(a->price.cap_s, 3), bound_rows[a->price.cap].noun);
  else if (a->price.capped && is_most(a))
    text_add(out, " (capped by the speed of light)");
  text_add(out, a->price.fewer_bytes ? " (DRAM moves fewer bytes)" : "");
}

static void add_place(const struct advice *a, struct text *out) {
  if (a->behind)
    text_printf(out, " (%s)", a->behind);
}

void report_saving(const struct advice *a, const struct finding *f, struct text *out) {
  double time_s = f->time.middle;
  if (a->told.stop)
    text_printf(out, "only %s can save time", a->told.helps);
  else if (a->price.saves_s <= 0) /* what binds is named, and no remedy whose gain the model could tell */
    text_add(out, "no estimate of the saving");
  else if (a->price.up_to)
    text_printf(out, "may save up to %s, %s %% of the time, as a part of the counters is missing",
                VIEW_SPAN(a->price.saves_s, 3), VIEW_NUMBER(100 * a->price.saves_s / time_s, 2));
  else if (f->bounds.unlike)
    add_parts(a, time_s, out);
  else
    add_interval(a, time_s, out);
  add_place(a, out);
}

void report_saving_part(const struct advice *a, const struct finding *f, struct text *out) {
  if (a->price.saves_s <= 0)
    text_add(out, "no estimate");
  else
    text_printf(out, "%s%s %%", a->price.up_to ? "up to " : "",
                VIEW_NUMBER(100 * a->price.saves_s / f->time.middle, 2));
}

void report_saving_short(const struct advice *a, const struct finding *f, struct text *out) {
  if (a->price.saves_s <= 0) {
    report_saving(a, f, out);
    return;
  }
  text_add(out, "may save ");
  report_saving_part(a, f, out);
  text_add(out, " of the time");
  add_place(a, out);
}

const char *report_no_advice(const char *reason) {
  return reason ? reason : "no remaining cause worth 2 % or more";
}

/* --- what a wait is for --- */

/* A load into a uniform register is one for the whole warp: no lane has a part of it. */
static bool of_warp(const struct sass_inst *i) {
  return i->n_writes > 0 && i->writes[0].file == FILE_UR;
}

void report_feed(const struct hot *h, const struct hot_inst *x, const struct sass_feed *feed, struct text *out) {
  const struct hot_kernel *k = &h->kernels[x->kernel];
  const struct sass_inst *i = &k->sass.insts[feed->inst];
  text_printf(out, "%s", i->text);
  if (i->bytes > 0)
    text_printf(out, " (%d byte%s%s%s)", i->bytes, i->bytes == 1 ? "" : "s", of_warp(i) ? "" : " per lane",
                i->guarded ? ", under a guard" : "");
  text_add(out, " at ");
  report_place(h->run, hot_placed(k, feed->inst), PLACE_SHORT, out);
}

void report_hot_line_cell(const struct hot *h, const struct hot_line *l, struct text *out) {
  const struct hot_inst *x = l->source < 0 ? hot_line_inst(h, l) : NULL;
  report_line(h->run, l->source, l->line, PLACE_CELL, out);
  if (x)
    report_place_behind(h->run, &h->kernels[x->kernel].kernel->sass[x->at], out);
}
