#include "reports/charts/chart_roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The classic roofline (FLOP/s against FLOP a byte) at one level, and the instruction roofline
 * (warp instructions a second against warp instructions a 32-byte transaction) at the DRAM: a
 * panel a shape and level. */

enum { PLOT_HEIGHT_PX = 360, N_KINDS = CEILING_MEASURED + 1, TRANSACTION_BYTES = 32 };
/* The template sets three panels in a row, each with this beside its axes; the longest label, "3
 * scale-produ… 100 %", is a little narrower than LABEL_WIDTH_PX. */
enum { PANEL_MARGINS_PX = 84, LABEL_WIDTH_PX = 138 };

/* An axis that begins this factor of x before the points has room for the marks themselves. */
static const double LEFT_OF_POINTS = 1.6;

static const struct plot plot_dram = {
    "DRAM intensity (FLOP/byte)", "performance (TFLOP/s)", false, 1e12, 1, {ROOF_DRAM}};
static const struct plot plot_l2 = {"L2 intensity (FLOP/byte)", "performance (TFLOP/s)", false, 1e12, 1, {ROOF_L2}};
static const struct plot plot_l1 = {"L1 intensity (FLOP/byte)", "performance (TFLOP/s)", false, 1e12, 1, {ROOF_L1}};
static const struct plot plot_instructions = {
    "instructions / transaction", "warp instructions (10⁹/s)", true, 1e9, 1, {ROOF_DRAM}};

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

/* The kind of a level's roof: DRAM's is the speed of light's, else the best founded one. */
static enum ceiling_kind roof_kind(const struct view *v, const struct panel *p, const struct roof *roofs, size_t n) {
  const struct sol *sol = p->level == ROOF_DRAM ? view_sol_at(v->f, p->shape) : NULL;
  return sol && sol->bandwidth ? sol->bandwidth->kind : n ? roofs[n - 1].kind : CEILING_MEASURED;
}

/* By kind, of one panel; in the y axis's unit for one of x; 0: none. */
static void roofs_at(double out[N_KINDS], const struct view *v, const struct panel *p) {
  struct roof roofs[ROOFS_MAX];
  size_t n = roofs_of(roofs, v->f->device, p->level);
  enum ceiling_kind kind = roof_kind(v, p, roofs, n);
  memset(out, 0, N_KINDS * sizeof *out);
  for (size_t i = 0; i < n; i++)
    if (roofs[i].kind == kind)
      out[kind] = roofs[i].bandwidth / p->plot->y_unit / (p->plot->instructions ? TRANSACTION_BYTES : 1);
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

static void roof_names_write(const struct view *v, const struct plot *plot, const struct panel *first,
                             struct slots *s) {
  double roofs[N_KINDS];
  roofs_at(roofs, v, first);
  for (int k = 0; k < N_KINDS; k++) {
    struct text name = {0};
    if (plot->instructions)
      text_printf(&name, "memory roof, %s", view_ceiling_kind((enum ceiling_kind)k));
    else
      text_printf(&name, "%s %s TB/s, %s", roof_level_name(first->level), VIEW_NUMBER(roofs[k], 4),
                  view_ceiling_kind((enum ceiling_kind)k));
    slot_item_text(s, "roof_names", text_str(&name));
    text_release(&name);
  }
}

/* Of the points of one level: all its panels share the x axis. */
static struct range points_range(const struct panel *panels, size_t n, enum roof_level level) {
  struct range x = {INFINITY, 0};
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < panels[i].n && panels[i].level == level; j++)
      range_take(&x, panels[i].points[j].x);
  return x;
}

/* High enough for the roofs over the points. */
static struct range height_range(const struct view *v, const struct panel *panels, size_t n, double peak) {
  struct range y = {INFINITY, peak};
  for (size_t i = 0; i < n; i++) {
    struct range x = points_range(panels, n, panels[i].level);
    double roofs[N_KINDS];
    for (size_t j = 0; j < panels[i].n; j++)
      range_take(&y, panels[i].points[j].y);
    roofs_at(roofs, v, &panels[i]);
    for (int k = 0; k < N_KINDS && peak <= 0; k++)
      y.high = fmax(y.high, x.high * roofs[k]);
  }
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
    char shape[SHAPE_TEXT_MAX + 8], *head = NULL;
    struct range x = points_range(panels, n, panels[i].level);
    view_shape(shape, panels[i].shape);
    if (panels[i].plot->instructions)
      head = str_printf("%s, %s", shape, roof_level_name(panels[i].level));
    slot_item_text(s, "heads", head ? head : shape);
    free(head);
    struct range axis = axis_range(x, n);
    text_printf(slot_open(s, "xranges"), "%s%.4g, %.4g, %.4g", i ? ", " : "", axis.low, axis.high, x.high);
  }
  slot_flags(slot_open(s, "rungs"), panels, n, is_rung);
  slot_flags(slot_open(s, "steps"), panels, n, is_step);
  slot_flags(slot_open(s, "sides"), panels, n, is_side);
  slot_flags(slot_open(s, "hangs"), panels, n, is_hanging);
  slot_flags(slot_open(s, "reads"), panels, n, is_control);
}

static void slots_plot(struct slots *s, const struct view *v, const struct plot *plot, const struct panel *panels,
                       size_t n, size_t left_out) {
  chart_subtitle(v, left_out, slot_open(s, "subtitle"));
  if (!roofs_write(v, panels, n, slot_open(s, "slopes")))
    text_add(slot_open(s, "subtitle"), "; no roof is known at this level");
  slot_printf(s, "panels", "%zu", n);
  slots_panels(s, panels, n);
  roof_names_write(v, plot, &panels[0], s);
  slot_text(s, "read_name", plot->instructions ? "the read control" : "as fast as the read control");
  slot_text(s, "xaxis", plot->x_axis);
  slot_text(s, "yaxis", plot->y_axis);
}

/* The panels that have points; *left_out counts the shapes that have no room. */
static size_t panels_make(struct panel panels[CHART_PANELS_MAX], const struct chart_source *from,
                          const struct plot *plot, size_t *left_out) {
  const struct view *v = from->v;
  size_t n = 0;
  for (size_t i = 0; i < v->f->n_shapes * plot->n_levels; i++) {
    struct panel p = {plot, v->f->shapes[i / plot->n_levels], plot->levels[i % plot->n_levels], 0, 0, NULL, 0};
    if (n > 0 && plot->instructions) /* shapes differ little there: one is enough */
      break;
    if (n == CHART_PANELS_MAX)
      *left_out += i % plot->n_levels == 0;
    else if (panel_make(&p, v, v->ladders[from->ladder]))
      panels[n++] = p;
    else
      free(p.points);
  }
  return n;
}

/* A cache's roofline is drawn where its bytes differ from DRAM's; else its panels are released. */
static bool worth_drawing(const struct plot *plot, struct panel *panels, size_t n) {
  bool worth = plot->instructions || plot->levels[0] == ROOF_DRAM;
  for (size_t i = 0; i < n && !worth; i++)
    worth = panel_apart(&panels[i]);
  for (size_t i = 0; i < n && !worth; i++)
    free(panels[i].points);
  return worth;
}

static bool chart_roofline(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct plot *plot = out->kind->parts;
  const struct view *v = from->v;
  struct view_words words = view_words(v->f, v->ladders[from->ladder]);
  struct value flat = plot->instructions ? roof_issue(v->f->device) : roof_fp32(v->f->device);
  double peak = flat.present ? flat.v / plot->y_unit : 0;
  struct panel panels[CHART_PANELS_MAX];
  size_t left_out = 0, n = panels_make(panels, from, plot, &left_out);
  if (n == 0 || !worth_drawing(plot, panels, n))
    return false;
  for (size_t i = 0; i < n; i++) {
    panels[i].memory = memory_roof(v, &panels[i]);
    panels[i].peak = peak;
  }
  struct range y = height_range(v, panels, n, peak);

  text_printf(&out->dat,
              "# %s: one block per panel; x: %s; y: %s; kind 1: %s, 2: side step, 3: read control; ? is absent\n",
              out->name, plot->x_axis, plot->y_axis, words.one);
  for (size_t i = 0; i < n; i++) {
    out->dat.failed |= !panel_place_labels(&panels[i], y, PLOT_HEIGHT_PX);
    panel_write(&panels[i], points_range(panels, n, panels[i].level), &out->dat);
  }
  slots_plot(s, v, plot, panels, n, left_out);
  slot_printf(s, "peak", "%.6g", peak);
  if (plot->instructions)
    slot_text(s, "peak_name", "issue slots at the highest clock");
  else
    slot_printf(s, "peak_name", "fp32 FMA, %s TFLOP/s", VIEW_NUMBER(peak, 3));
  slot_printf(s, "yrange", "%.4g:%.4g", y.low, y.high);
  slot_printf(s, "plot_height", "%d", PLOT_HEIGHT_PX);
  slot_text(s, "rung_name", words.climb ? "rung, in the order of the ladder" : words.one);
  for (size_t i = 0; i < n; i++)
    free(panels[i].points);
  return true;
}

static const char climb_hint[] =
    "Every rung that streams A once has nearly the same intensity, so the ladder climbs towards the roof.";
static const char kernels_hint[] =
    "A kernel on the roof moves bytes as fast as this level can; one below it falls short by that factor.";

CHART_ROW(20, roofline) = {
    .name = "roofline",
    .place = CHART_LEADING_LADDER,
    .script = "plots/roofline.gp",
    .title = "DRAM roofline",
    .hint = kernels_hint,
    .of_steps = climb_hint,
    .steps_of_gemv = true,
    .fill = chart_roofline,
    .parts = &plot_dram,
};

CHART_ROW(30, l2_roofline) = {
    .name = "l2-roofline",
    .script = "plots/roofline.gp",
    .title = "L2 roofline",
    .hint = kernels_hint,
    .fill = chart_roofline,
    .parts = &plot_l2,
};

CHART_ROW(40, l1_roofline) = {
    .name = "l1-roofline",
    .script = "plots/roofline.gp",
    .title = "L1 roofline",
    .hint = kernels_hint,
    .fill = chart_roofline,
    .parts = &plot_l1,
};

CHART_ROW(50, instructions) = {
    .name = "instructions",
    .script = "plots/roofline.gp",
    .title = "Instruction roofline",
    .hint =
        "Warp instructions per 32-byte DRAM transaction. A kernel at the slanted roof is memory-bound, at the flat one issue-bound.",
    .of_steps =
        "Warp instructions per 32-byte DRAM transaction. A rung further left moves more bytes per instruction; at the slanted roof it is memory-bound, at the flat one issue-bound. Steps that change instructions but not bytes show here.",
    .steps_of_gemv = true,
    .fill = chart_roofline,
    .parts = &plot_instructions,
};
