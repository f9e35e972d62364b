#include "reports/charts/chart_roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The classic roofline (FLOP/s against FLOP a byte) at one level, and the instruction roofline (warp instructions a second against warp
 * instructions a 32-byte transaction) at all three: a panel a shape and level. */

enum { PLOT_HEIGHT_PX = 360, N_KINDS = CEILING_MEASURED + 1, TRANSACTION_BYTES = 32 };
/* The template sets three panels in a row, each with this beside its axes; the longest label is a little narrower than LABEL_WIDTH_PX. */
enum { PANEL_MARGINS_PX = 84, LABEL_WIDTH_PX = 101 };

/* An axis that begins this factor of x before the points has room for the marks themselves. */
static const double LEFT_OF_POINTS = 1.6;
/* An axis whose ends are this far apart shows the points of a climb as one lump. */
static const double AXIS_MAX = 4000;

static const char climb_hint[] =
    "Every rung that streams A once stands at nearly the same intensity, so the ladder is a climb towards the roof.";
static const char kernels_hint[] =
    "A kernel on the roof moves bytes as fast as this level can; one below it falls short by that factor.";
static const struct plot plots[] = {
    {"roofline",
     "DRAM roofline",
     climb_hint,
     kernels_hint,
     "DRAM intensity (FLOP/byte)",
     "performance (GFLOP/s)",
     false,
     1,
     {ROOF_DRAM}},
    {"l2-roofline",
     "L2 roofline",
     climb_hint,
     kernels_hint,
     "L2 intensity (FLOP/byte)",
     "performance (GFLOP/s)",
     false,
     1,
     {ROOF_L2}},
    {"l1-roofline",
     "L1 roofline",
     climb_hint,
     kernels_hint,
     "L1 intensity (FLOP/byte)",
     "performance (GFLOP/s)",
     false,
     1,
     {ROOF_L1}},
    {"instructions",
     "Instruction roofline",
     "Warp instructions for one 32-byte transaction of the level. A rung further left moves more bytes for an instruction; against the slanted roof memory binds it, against the flat one "
     "the issue slots do. Steps that leave the bytes alone show here.",
     "Warp instructions for one 32-byte transaction of the level. Against the slanted roof memory binds a kernel, against the flat one the issue slots do.",
     "instructions / transaction",
     "warp instructions (10⁹/s)",
     true,
     3,
     {ROOF_L1, ROOF_L2, ROOF_DRAM}},
};

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
static bool is_left(const struct point *p) {
  return p->side < 0;
}

/* By kind, of one panel; in the y axis's unit for one of x; 0: none. */
static void roofs_at(double out[N_KINDS], const struct view *v, const struct panel *p) {
  struct roof roofs[ROOFS_MAX];
  size_t n = roofs_of(roofs, v->f->device, p->level);

  memset(out, 0, N_KINDS * sizeof *out);
  for (size_t i = 0; i < n; i++)
    out[roofs[i].kind] = roofs[i].bandwidth / 1e9 / (p->plot->instructions ? TRANSACTION_BYTES : 1);
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
                             struct text *out) {
  double roofs[N_KINDS];

  roofs_at(roofs, v, first);
  for (int k = 0; k < N_KINDS; k++) {
    struct text name = {0};
    char number[VIEW_NUMBER_MAX];

    if (plot->instructions)
      text_printf(&name, "memory roof, %s", view_ceiling_kind((enum ceiling_kind)k));
    else
      text_printf(&name, "%s %s TB/s, %s", roof_level_name(first->level), view_number(number, roofs[k] / 1e3, 4),
                  view_ceiling_kind((enum ceiling_kind)k));
    text_add(out, k ? ", " : "");
    chart_quote(out, text_str(&name));
    text_release(&name);
  }
}

/* Of the points of one level: all its panels share the x axis. */
static struct range points_range(const struct panel *panels, size_t n, enum roof_level level) {
  struct range x = {INFINITY, 0};

  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < panels[i].n && panels[i].level == level; j++)
      range_take(&x, panels[i].points[j].x);
  }
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

/* The labels' columns take so many pixels, whatever the points span: the axis grows by decades until they have them.  Where they need
 * few, it is long enough to have numbers, and for a climb to look like one. */
static struct range axis_range(struct range x, size_t n_panels, bool both_sides) {
  double share = label_share(n_panels), left = both_sides ? LABEL_AWAY : LEFT_OF_POINTS;
  double decades = log10(x.high * LABEL_AWAY / (x.low / left)) / (1 - (both_sides ? 2 : 1) * share);
  double low = x.low / left / (both_sides ? pow(10, share * decades) : 1), high = low * pow(10, decades);

  return (struct range){both_sides ? fmin(low, x.low / 10) : low, fmax(high, (both_sides ? x.high : x.low) * 10)};
}

/* A climb is nearly vertical: what two columns of labels leave of the axis is enough for it, and not for points that lie apart. */
static bool room_on_both_sides(const struct panel *panels, size_t n) {
  for (size_t i = 0; i < n; i++) {
    struct range x = points_range(panels, n, panels[i].level), axis = axis_range(x, n, true);

    if (panels[i].plot->instructions || axis.high / axis.low > AXIS_MAX)
      return false;
  }
  return true;
}

enum slot {
  NAME,
  TITLE,
  SUBTITLE,
  PANELS,
  HEADS,
  RUNGS,
  STEPS,
  SIDES,
  HANGS,
  READS,
  LEFTS,
  SLOPES,
  ROOF_NAMES,
  PEAK,
  READ_NAME,
  RUNG_NAME,
  XAXIS,
  YAXIS,
  XRANGES,
  YRANGE,
  WIDTH,
  HEIGHT,
  SLOTS
};

static void slots_panels(struct chart_slot *slots, const struct panel *panels, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char shape[SHAPE_TEXT_MAX + 8], *head = NULL;
    struct range x = points_range(panels, n, panels[i].level);

    view_shape(shape, panels[i].shape);
    if (panels[i].plot->instructions)
      head = str_printf("%s, %s", shape, roof_level_name(panels[i].level));
    text_add(&slots[HEADS].text, i ? ", " : "");
    chart_quote(&slots[HEADS].text, head ? head : shape);
    free(head);
    struct range axis = axis_range(x, n, panels[i].both_sides);
    text_printf(&slots[XRANGES].text, "%s%.4g, %.4g, %.4g", i ? ", " : "", axis.low, axis.high, x.high);
  }
  slot_flags(&slots[RUNGS].text, panels, n, is_rung);
  slot_flags(&slots[STEPS].text, panels, n, is_step);
  slot_flags(&slots[SIDES].text, panels, n, is_side);
  slot_flags(&slots[HANGS].text, panels, n, is_hanging);
  slot_flags(&slots[READS].text, panels, n, is_control);
  slot_flags(&slots[LEFTS].text, panels, n, is_left);
}

static void write_script(struct chart *out, const struct view *v, const struct plot *plot, const struct panel *panels,
                         size_t n, struct range y, double peak, int height_px, size_t left_out) {
  struct chart_slot slots[SLOTS] = {
      [NAME] = {"NAME", {0}},          [TITLE] = {"TITLE", {0}},        [SUBTITLE] = {"SUBTITLE", {0}},
      [PANELS] = {"PANELS", {0}},      [HEADS] = {"HEADS", {0}},        [RUNGS] = {"RUNGS", {0}},
      [STEPS] = {"STEPS", {0}},        [SIDES] = {"SIDES", {0}},        [HANGS] = {"HANGS", {0}},
      [READS] = {"READS", {0}},        [LEFTS] = {"LEFTS", {0}},        [SLOPES] = {"SLOPES", {0}},
      [PEAK] = {"PEAK", {0}},          [YRANGE] = {"YRANGE", {0}},      [ROOF_NAMES] = {"ROOF_NAMES", {0}},
      [XAXIS] = {"XAXIS", {0}},        [YAXIS] = {"YAXIS", {0}},        [XRANGES] = {"XRANGES", {0}},
      [WIDTH] = {"WIDTH", {0}},        [HEIGHT] = {"PLOT_HEIGHT", {0}}, [READ_NAME] = {"READ_NAME", {0}},
      [RUNG_NAME] = {"RUNG_NAME", {0}}};
  struct view_words words = view_words(v->f, v->ladders[out->ladder]);
  struct text line = {0};

  text_add(&slots[NAME].text, out->name);
  chart_quote(&slots[TITLE].text, text_str(&out->title));
  chart_subtitle(v, left_out, &line);
  if (!roofs_write(v, panels, n, &slots[SLOPES].text))
    text_add(&line, "; no roof is known at this level");
  chart_quote(&slots[SUBTITLE].text, text_str(&line));
  text_release(&line);
  text_printf(&slots[PANELS].text, "%zu", n);
  slots_panels(slots, panels, n);
  roof_names_write(v, plot, &panels[0], &slots[ROOF_NAMES].text);
  text_printf(&slots[PEAK].text, "%.6g", peak);
  chart_quote(&slots[READ_NAME].text, plot->instructions ? "the read control" : "as fast as the read control");
  chart_quote(&slots[RUNG_NAME].text, words.climb ? "rung, in the order of the ladder" : words.one);
  chart_quote(&slots[XAXIS].text, plot->x_axis);
  chart_quote(&slots[YAXIS].text, plot->y_axis);
  text_printf(&slots[YRANGE].text, "%.4g:%.4g", y.low, y.high);
  text_printf(&slots[WIDTH].text, "%d", CHART_WIDTH_PX);
  text_printf(&slots[HEIGHT].text, "%d", height_px);
  chart_fill(&out->gp, "roofline.gp", slots, SLOTS);
}

/* Room for the labels of the fullest panel, which stand in two columns or in one. */
static int height_of(const struct panel *panels, size_t n) {
  size_t most = 0;

  for (size_t i = 0; i < n; i++)
    most = panels[i].n > most ? panels[i].n : most;
  most = panels[0].both_sides ? (most + 1) / 2 : most;
  return most * LABEL_GAP_PX > PLOT_HEIGHT_PX ? (int)(most * LABEL_GAP_PX) : PLOT_HEIGHT_PX;
}

static bool plot_make(const struct view *v, size_t ladder, const struct plot *plot, struct chart *out) {
  struct panel panels[CHART_PANELS_MAX];
  size_t n = 0, left_out = 0;
  struct value issue = roof_issue(v->f->device);
  double peak = plot->instructions && issue.present ? issue.v / 1e9 : 0;
  struct view_words words = view_words(v->f, v->ladders[ladder]);
  struct range y;
  int height_px;

  *out = (struct chart){0};
  for (size_t i = 0; i < v->f->n_shapes * plot->n_levels; i++) {
    struct panel p = {plot, v->f->shapes[i / plot->n_levels], plot->levels[i % plot->n_levels], false, NULL, 0};

    if (n == CHART_PANELS_MAX)
      left_out += i % plot->n_levels == 0;
    else if (panel_make(&p, v, v->ladders[ladder]))
      panels[n++] = p;
    else
      free(p.points);
  }
  if (n == 0)
    return false;
  chart_begin(out, v, plot->name, ladder, plot->what);
  text_add(&out->hint, words.climb && !view_of_others(v->f) ? plot->climb_hint : plot->kernels_hint);
  bool both = room_on_both_sides(panels, n);
  for (size_t i = 0; i < n; i++)
    panels[i].both_sides = both;
  y = height_range(v, panels, n, peak);
  height_px = height_of(panels, n);
  text_printf(&out->dat,
              "# %s: one block a panel; x: %s; y: %s; kind 1: %s, 2: side step, 3: read control; ? is absent\n",
              out->name, plot->x_axis, plot->y_axis, words.one);
  for (size_t i = 0; i < n; i++) {
    out->dat.failed |= !panel_place_labels(&panels[i], y, height_px);
    panel_write(&panels[i], points_range(panels, n, panels[i].level), &out->dat);
  }
  write_script(out, v, plot, panels, n, y, peak, height_px, left_out);
  for (size_t i = 0; i < n; i++)
    free(panels[i].points);
  return true;
}

bool chart_roofline(const struct view *v, size_t ladder, struct chart *out) {
  return plot_make(v, ladder, &plots[0], out);
}
bool chart_roofline_l2(const struct view *v, size_t ladder, struct chart *out) {
  return plot_make(v, ladder, &plots[1], out);
}
bool chart_roofline_l1(const struct view *v, size_t ladder, struct chart *out) {
  return plot_make(v, ladder, &plots[2], out);
}
bool chart_instructions(const struct view *v, size_t ladder, struct chart *out) {
  return plot_make(v, ladder, &plots[3], out);
}
