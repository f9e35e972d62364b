#include "reports/charts/chart_roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The roofline (FLOP/s against FLOP a byte) at the DRAM, a panel a shape. */

enum { PLOT_HEIGHT_PX = 360, N_KINDS = CEILING_MEASURED + 1 };
/* The template sets three panels in a row, each with this beside its axes; the longest label, "3
 * scale-produ… 100 %", is a little narrower than LABEL_WIDTH_PX. */
enum { PANEL_MARGINS_PX = 84, LABEL_WIDTH_PX = 138 };

/* An axis that begins this factor of x before the points has room for the marks themselves. */
static const double LEFT_OF_POINTS = 1.6;

/* 1 where the panel has what a part of the plot draws: gnuplot warns of a part without points. */
static void slot_flags(struct text *out, const struct panel *panels, size_t n, bool (*has)(const struct point *p)) {
  for (size_t i = 0; i < n; i++) {
    bool any = false;
    for (size_t j = 0; j < panels[i].n; j++)
      any |= has(&panels[i].points[j]);
    text_printf(out, "%s%d", i ? ", " : "", any);
  }
}

static bool is_rung(const struct point *p) {
  return p->kind == POINT_RUNG;
}
static bool is_side(const struct point *p) {
  return p->kind == POINT_SIDE;
}
static bool is_control(const struct point *p) {
  return p->kind == POINT_CONTROL;
}
static bool is_step(const struct point *p) {
  return p->kind == POINT_RUNG && p->parent;
}
static bool is_hanging(const struct point *p) {
  return p->kind == POINT_SIDE && p->parent;
}

/* DRAM's, by kind, in TFLOP/s for one of x: of the speed of light's kind, else of the best founded
 * one; 0: none. */
static void roofs_at(double out[N_KINDS], const struct view *v, const struct panel *p) {
  const struct sol *sol = view_sol_at(v->f, p->shape);
  const struct ceiling *asked = sol ? sol->bandwidth : NULL;
  memset(out, 0, N_KINDS * sizeof *out);
  for (int k = 0; k < N_KINDS; k++) {
    const struct ceiling *c = device_ceiling(v->f->device, "dram_bw", (enum ceiling_kind)k);
    if (!c || c->value <= 0 || (asked && asked->kind != c->kind))
      continue;
    memset(out, 0, N_KINDS * sizeof *out);
    out[k] = c->value / TERA;
  }
}

static double memory_roof(const struct view *v, const struct panel *p) {
  double roofs[N_KINDS], roof = 0;
  roofs_at(roofs, v, p);
  for (int k = 0; k < N_KINDS; k++)
    roof = fmax(roof, roofs[k]);
  return roof;
}

static bool roofs_write(const struct view *v, const struct panel *panels, size_t n, struct text *slopes) {
  bool any[N_KINDS] = {false}, some = false;
  for (size_t i = 0; i < n; i++) {
    double roofs[N_KINDS];
    roofs_at(roofs, v, &panels[i]);
    for (int k = 0; k < N_KINDS; k++) {
      text_printf(slopes, "%s%.6g", i || k ? ", " : "", roofs[k]);
      any[k] |= roofs[k] > 0;
      some |= any[k];
    }
  }
  return some;
}

static void roof_names_write(const struct view *v, const struct panel *first, struct slots *s) {
  double roofs[N_KINDS];
  roofs_at(roofs, v, first);
  for (int k = 0; k < N_KINDS; k++) {
    struct text name = {0};
    text_printf(&name, "%s %s TB/s, %s", roof_level_name(ROOF_DRAM), VIEW_NUMBER(roofs[k], 4),
                view_ceiling_kind((enum ceiling_kind)k));
    slot_item_text(s, "roof_names", text_str(&name));
    text_release(&name);
  }
}

/* All panels share the x axis. */
static struct range points_range(const struct panel *panels, size_t n) {
  struct range x = {INFINITY, 0};
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < panels[i].n; j++)
      range_take(&x, panels[i].points[j].x);
  return x;
}

/* Points that lie within CLOSE of each other, far below the flat roof, would have a strip of the height: the memory roof over them is the top. */
static bool zoomed(struct range points, double memory, double peak) {
  static const double CLOSE = 5, FAR = 3;
  return points.high < CLOSE * points.low && memory > 0 && peak > FAR * fmax(memory, points.high);
}

/* High enough for the roofs over the points. */
static struct range height_range(const struct view *v, const struct panel *panels, size_t n, double peak) {
  struct range y = {INFINITY, peak}, points = {INFINITY, 0};
  double memory = 0;
  for (size_t i = 0; i < n; i++) {
    struct range x = points_range(panels, n);
    double roofs[N_KINDS];
    for (size_t j = 0; j < panels[i].n; j++)
      range_take(&points, panels[i].points[j].y);
    memory = fmax(memory, panels[i].memory * x.high);
    roofs_at(roofs, v, &panels[i]);
    for (int k = 0; k < N_KINDS && peak <= 0; k++)
      y.high = fmax(y.high, x.high * roofs[k]);
  }
  if (zoomed(points, memory, peak))
    return (struct range){points.low / 1.25, fmax(memory, points.high) * 1.4};
  range_take(&y, points.low);
  range_take(&y, points.high);
  return (struct range){y.low / 1.8, y.high * 2.5};
}

/* The part of a panel's width that one column of labels takes. */
static double label_share(size_t n_panels) {
  size_t columns = n_panels < CHART_COLUMNS ? n_panels : CHART_COLUMNS;
  return LABEL_WIDTH_PX / ((double)CHART_WIDTH_PX / (double)columns - PANEL_MARGINS_PX);
}

/* The labels' column, right of the points where no roof is, takes so many pixels, whatever the
 * points span: the axis grows by decades until it has them.  Where it needs few, it is long enough
 * to have numbers, and for a climb to look like one. */
static struct range axis_range(struct range x, size_t n_panels) {
  double decades = log10(x.high * LABEL_AWAY / (x.low / LEFT_OF_POINTS)) / (1 - label_share(n_panels));
  double low = x.low / LEFT_OF_POINTS;
  return (struct range){low, fmax(low * pow(10, decades), x.low * 10)};
}

static void slots_panels(struct slots *s, const struct panel *panels, size_t n) {
  for (size_t i = 0; i < n; i++) {
    struct range x = points_range(panels, n);
    slot_item_text(s, "heads", VIEW_SHAPE(panels[i].shape));
    struct range axis = axis_range(x, n);
    text_printf(slot_open(s, "xranges"), "%s%.4g, %.4g, %.4g", i ? ", " : "", axis.low, axis.high, x.high);
  }
  slot_flags(slot_open(s, "rungs"), panels, n, is_rung);
  slot_flags(slot_open(s, "steps"), panels, n, is_step);
  slot_flags(slot_open(s, "sides"), panels, n, is_side);
  slot_flags(slot_open(s, "hangs"), panels, n, is_hanging);
  slot_flags(slot_open(s, "reads"), panels, n, is_control);
}

static void slots_plot(struct slots *s, const struct view *v, const struct panel *panels, size_t n, size_t left_out) {
  chart_subtitle(v, left_out, slot_open(s, "subtitle"));
  if (!roofs_write(v, panels, n, slot_open(s, "slopes")))
    text_add(slot_open(s, "subtitle"), "; no roof is known at this level");
  slot_printf(s, "panels", "%zu", n);
  slots_panels(s, panels, n);
  roof_names_write(v, &panels[0], s);
}

/* The panels that have points; *left_out counts the shapes that have no room. */
static size_t panels_make(struct panel panels[CHART_PANELS_MAX], const struct chart_source *from, size_t *left_out) {
  const struct view *v = from->v;
  size_t n = 0;
  for (size_t i = 0; i < v->f->n_shapes; i++) {
    struct panel p = {.shape = v->f->shapes[i]};
    if (n == CHART_PANELS_MAX)
      ++*left_out;
    else if (panel_make(&p, v, v->ladders[from->ladder]))
      panels[n++] = p;
    else
      free(p.points);
  }
  return n;
}

static bool chart_roofline(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct view *v = from->v;
  struct view_words words = view_words(v->f, v->ladders[from->ladder]);
  struct value flat = roof_fp32(v->f->device);
  double peak = flat.present ? flat.v / TERA : 0;
  struct panel panels[CHART_PANELS_MAX];
  size_t left_out = 0, n = panels_make(panels, from, &left_out);
  if (n == 0)
    return false;
  for (size_t i = 0; i < n; i++) {
    panels[i].memory = memory_roof(v, &panels[i]);
    panels[i].peak = peak;
  }
  struct range y = height_range(v, panels, n, peak);

  text_printf(&out->dat,
              "# %s: one block per panel; x: DRAM intensity (FLOP/byte); y: performance (TFLOP/s); kind 1: %s, 2: side "
              "step, 3: read control; ? is absent\n",
              out->name, words.one);
  for (size_t i = 0; i < n; i++) {
    panel_place_labels(&panels[i], y, PLOT_HEIGHT_PX);
    panel_write(&panels[i], points_range(panels, n), &out->dat);
  }
  slots_plot(s, v, panels, n, left_out);
  slot_printf(s, "peak", "%.6g", peak);
  slot_printf(s, "peak_name", "fp32 FMA, %s TFLOP/s%s", VIEW_NUMBER(peak, 3), peak > y.high ? ", above" : "");
  slot_printf(s, "yrange", "%.4g:%.4g", y.low, y.high);
  slot_printf(s, "in_sight", "%d", peak > 0 && peak <= y.high);
  slot_printf(s, "plot_height", "%d", PLOT_HEIGHT_PX);
  slot_text(s, "rung_name", words.climb ? "rung, in the order of the ladder" : words.one);
  for (size_t i = 0; i < n; i++)
    free(panels[i].points);
  return true;
}

CHART_ROW(20, roofline) = {
    .name = "roofline",
    .place = CHART_LEADING_LADDER,
    .script = "plots/roofline.gp",
    .title = "DRAM roofline",
    .hint = "A kernel on the roof moves bytes as fast as this level can; one below it falls short by that factor.",
    .of_steps = "Every rung that streams A once has nearly the same intensity, so the ladder climbs towards the roof.",
    .steps_of_gemv = true,
    .fill = chart_roofline,
};
