#include "reports/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLOT_HEIGHT_PX = 400, LABEL_GAP_PX = 15, LABEL_CHARS = 13, N_KINDS = CEILING_MEASURED + 1 };
enum point_kind { POINT_RUNG = 1, POINT_SIDE = 2, POINT_CONTROL = 3 };

struct point {
  const struct finding *finding, *parent; /* parent: drawn in the same panel, or NULL */
  enum point_kind kind;
  double x, y; /* FLOP/B, GFLOP/s */
  double label_y;
  int side; /* -1: its label stands to the left, 1: to the right */
  char label[VIEW_LABEL_MAX];
};

struct panel {
  struct shape shape;
  struct point *points;
  size_t n;
};

struct range {
  double low, high;
};

static void range_take(struct range *r, double x) {
  r->low = fmin(r->low, x);
  r->high = fmax(r->high, x);
}

/* Where a rung would stand that moved the minimal bytes as fast as the control reads them: the control itself computes nothing. */
static bool read_make(struct point *p, const struct view *v, struct shape s) {
  const struct finding *read = view_read_control(v->f, s);

  if (!read || !read->timed)
    return false;
  for (size_t i = 0; i < v->n && v->items[i].group == VIEW_LADDER; i++) {
    const struct finding *f = findings_at(v->f, v->items[i].variant->id, s);
    char name[VIEW_LABEL_MAX];

    if (!f || f->result->flops <= 0 || f->result->bytes_minimal <= 0)
      continue;
    *p = (struct point){.finding = read, .kind = POINT_CONTROL};
    p->x = f->result->flops / f->result->bytes_minimal;
    p->y = f->result->flops / read->time.middle / 1e9;
    chart_shorten(p->label, view_short(name, read->variant), LABEL_CHARS);
    return true;
  }
  return false;
}

static bool point_make(struct point *p, const struct view *v, const struct view_item *item, struct shape s) {
  const struct finding *f = findings_at(v->f, item->variant->id, s);
  char name[VIEW_LABEL_MAX];

  if (!f || !f->timed || !f->roof[ROOF_DRAM].intensity.present || !f->roof[ROOF_DRAM].flops.present ||
      f->roof[ROOF_DRAM].intensity.v <= 0 || f->roof[ROOF_DRAM].flops.v <= 0)
    return false;
  *p = (struct point){.finding = f, .x = f->roof[ROOF_DRAM].intensity.v, .y = f->roof[ROOF_DRAM].flops.v / 1e9};
  p->kind = item->variant->side ? POINT_SIDE : POINT_RUNG;
  chart_shorten(p->label, view_short(name, item->variant), LABEL_CHARS);
  return true;
}

static int by_height(const void *a, const void *b) {
  const struct point *x = *(const struct point *const *)a, *y = *(const struct point *const *)b;

  return (x->y > y->y) - (x->y < y->y);
}

static bool panel_make(struct panel *p, const struct view *v, const char *ladder, struct shape s) {
  *p = (struct panel){.shape = s, .points = calloc(v->n + 1, sizeof *p->points)};
  if (!p->points)
    return false;
  for (size_t i = 0; i < v->n && v->items[i].group == VIEW_LADDER; i++) {
    if (strcmp(v->items[i].ladder, ladder) == 0 && point_make(&p->points[p->n], v, &v->items[i], s))
      p->n++;
  }
  if (p->n > 0 && read_make(&p->points[p->n], v, s))
    p->n++;
  for (size_t i = 0; i < p->n; i++) {
    const char *parent = p->points[i].finding->variant->parent;

    for (size_t j = 0; j < p->n && parent; j++) {
      if (strcmp(p->points[j].finding->variant->id, parent) == 0)
        p->points[i].parent = p->points[j].finding;
    }
  }
  return true;
}

/* A climb is nearly vertical, so labels stand beside it, left and right in turn, moved apart where rungs are close. */
static bool panel_place_labels(struct panel *p, struct range y) {
  double scale = PLOT_HEIGHT_PX / log10(y.high / y.low);
  struct point **order = calloc(p->n ? p->n : 1, sizeof *order);
  double *pixels = calloc(p->n ? p->n : 1, sizeof *pixels);
  bool ok = order && pixels;

  for (size_t i = 0; i < p->n && ok; i++)
    order[i] = &p->points[i];
  if (ok)
    qsort(order, p->n, sizeof *order, by_height);
  for (int side = -1; side <= 1 && ok; side += 2) {
    size_t n = 0;

    for (size_t i = side < 0; i < p->n; i += 2)
      pixels[n++] = log10(order[i]->y / y.low) * scale;
    chart_spread(pixels, n, LABEL_GAP_PX, LABEL_GAP_PX / 2.0, PLOT_HEIGHT_PX - LABEL_GAP_PX / 2.0);
    n = 0;
    for (size_t i = side < 0; i < p->n; i += 2) {
      order[i]->side = side;
      order[i]->label_y = y.low * pow(10, pixels[n++] / scale);
    }
  }
  free(order);
  free(pixels);
  return ok;
}

/* Labels stand this factor of intensity away from the outermost points. */
static const double label_away = 1.4;

static void panel_write(const struct panel *p, struct range x, struct text *dat) {
  char shape[SHAPE_TEXT_MAX + 8];

  text_printf(
      dat, "# %s\n# FLOP/B  GFLOP/s  kind  parent's FLOP/B  GFLOP/s  label at FLOP/B  GFLOP/s  side  label  time µs\n",
      view_shape(shape, p->shape));
  for (size_t i = 0; i < p->n; i++) {
    const struct point *q = &p->points[i];

    text_printf(dat, "%.6g %.6g %d ", q->x, q->y, (int)q->kind);
    if (q->parent)
      text_printf(dat, "%.6g %.6g ", q->parent->roof[ROOF_DRAM].intensity.v, q->parent->roof[ROOF_DRAM].flops.v / 1e9);
    else
      text_add(dat, "? ? ");
    text_printf(dat, "%.6g %.6g %d ", q->side < 0 ? x.low / label_away : x.high * label_away, q->label_y, q->side);
    chart_data_quote(dat, q->label);
    text_printf(dat, " %.6g\n", q->finding->time.middle * 1e6);
  }
  text_add(dat, "\n\n");
}

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

static void roofs_write(const struct device *d, struct text *bandwidths, struct text *names, struct text *styles) {
  bool first = true;

  for (int k = 0; k < N_KINDS; k++) {
    const struct ceiling *c = device_ceiling(d, "dram_bw", (enum ceiling_kind)k);
    char number[VIEW_NUMBER_MAX], *name;

    if (!c)
      continue;
    name = str_printf("DRAM %s TB/s, %s", view_number(number, c->value / 1e12, 4), view_ceiling_kind(c->kind));
    text_printf(bandwidths, "%s%.6g", first ? "" : ", ", c->value / 1e9);
    text_add(names, first ? "" : ", ");
    chart_quote(names, name);
    text_printf(styles, "%s%d", first ? "" : ", ", 11 + k);
    first = false;
    free(name);
  }
}

static size_t roofs_count(const struct device *d) {
  size_t n = 0;

  for (int k = 0; k < N_KINDS; k++)
    n += device_ceiling(d, "dram_bw", (enum ceiling_kind)k) != NULL;
  return n;
}

/* Wide enough for the labels on both sides, and high enough for the roofs over the points. */
static void ranges_of(const struct view *v, const struct panel *panels, size_t n, struct range *points, struct range *x,
                      struct range *y) {
  *points = *y = (struct range){INFINITY, 0};
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < panels[i].n; j++) {
      range_take(points, panels[i].points[j].x);
      range_take(y, panels[i].points[j].y);
    }
  }
  for (int k = 0; k < N_KINDS; k++) {
    const struct ceiling *c = device_ceiling(v->f->device, "dram_bw", (enum ceiling_kind)k);

    if (c)
      range_take(y, points->high * c->value / 1e9);
  }
  *x = (struct range){points->low / 10, points->high * 10};
  y->low /= 1.8;
  y->high *= 2.5;
}

enum slot {
  NAME,
  TITLE,
  SUBTITLE,
  PANELS,
  SHAPES,
  RUNGS,
  STEPS,
  SIDES,
  HANGS,
  READS,
  LEFTS,
  ROOFS,
  ROOF_BW,
  ROOF_NAMES,
  ROOF_STYLES,
  XRANGE,
  YRANGE,
  WIDTH,
  HEIGHT,
  SLOTS
};

static void write_script(struct chart *out, const struct view *v, size_t ladder, const struct panel *panels, size_t n,
                         struct range x, struct range y, size_t left_out) {
  struct chart_slot slots[SLOTS] = {
      [NAME] = {"NAME", {0}},         [TITLE] = {"TITLE", {0}},           [SUBTITLE] = {"SUBTITLE", {0}},
      [PANELS] = {"PANELS", {0}},     [SHAPES] = {"SHAPES", {0}},         [RUNGS] = {"RUNGS", {0}},
      [STEPS] = {"STEPS", {0}},       [SIDES] = {"SIDES", {0}},           [HANGS] = {"HANGS", {0}},
      [READS] = {"READS", {0}},       [LEFTS] = {"LEFTS", {0}},           [ROOFS] = {"ROOFS", {0}},
      [ROOF_BW] = {"ROOF_BW", {0}},   [ROOF_NAMES] = {"ROOF_NAMES", {0}}, [ROOF_STYLES] = {"ROOF_STYLES", {0}},
      [XRANGE] = {"XRANGE", {0}},     [YRANGE] = {"YRANGE", {0}},         [WIDTH] = {"WIDTH", {0}},
      [HEIGHT] = {"PLOT_HEIGHT", {0}}};
  struct text line = {0};

  text_add(&slots[NAME].text, out->name);
  text_printf(&line, "Roofline of ladder %s on %s", v->ladders[ladder],
              v->f->run->device.name ? v->f->run->device.name : "an unnamed device");
  chart_quote(&slots[TITLE].text, text_str(&line));
  text_release(&line);
  chart_subtitle(v, left_out, &line);
  chart_quote(&slots[SUBTITLE].text, text_str(&line));
  text_release(&line);
  text_printf(&slots[PANELS].text, "%zu", n);
  for (size_t i = 0; i < n; i++) {
    char shape[SHAPE_TEXT_MAX + 8];

    text_add(&slots[SHAPES].text, i ? ", " : "");
    chart_quote(&slots[SHAPES].text, view_shape(shape, panels[i].shape));
  }
  slot_flags(&slots[RUNGS].text, panels, n, is_rung);
  slot_flags(&slots[STEPS].text, panels, n, is_step);
  slot_flags(&slots[SIDES].text, panels, n, is_side);
  slot_flags(&slots[HANGS].text, panels, n, is_hanging);
  slot_flags(&slots[READS].text, panels, n, is_control);
  slot_flags(&slots[LEFTS].text, panels, n, is_left);
  text_printf(&slots[ROOFS].text, "%zu", roofs_count(v->f->device));
  roofs_write(v->f->device, &slots[ROOF_BW].text, &slots[ROOF_NAMES].text, &slots[ROOF_STYLES].text);
  text_printf(&slots[XRANGE].text, "%.4g:%.4g", x.low, x.high);
  text_printf(&slots[YRANGE].text, "%.4g:%.4g", y.low, y.high);
  text_printf(&slots[WIDTH].text, "%d", CHART_WIDTH_PX);
  text_printf(&slots[HEIGHT].text, "%d", PLOT_HEIGHT_PX);
  chart_fill(&out->gp, "roofline.gp", slots, SLOTS);
}

bool chart_roofline(const struct view *v, size_t ladder, struct chart *out) {
  struct panel panels[CHART_PANELS_MAX];
  size_t n = 0, left_out = 0;
  struct range points, x, y;

  *out = (struct chart){0};
  for (size_t i = 0; i < v->f->n_shapes; i++) {
    struct panel p;

    if (!panel_make(&p, v, v->ladders[ladder], v->f->shapes[i]))
      continue;
    left_out += p.n > 0 && n == CHART_PANELS_MAX;
    if (p.n > 0 && n < CHART_PANELS_MAX)
      panels[n++] = p;
    else
      free(p.points);
  }
  if (n == 0)
    return false;
  chart_name(out, v, "roofline", ladder);
  ranges_of(v, panels, n, &points, &x, &y);
  text_printf(&out->dat, "# %s: one block a shape; kind 1: rung, 2: side step, 3: read control; ? is absent\n",
              out->name);
  for (size_t i = 0; i < n; i++) {
    out->dat.failed |= !panel_place_labels(&panels[i], y);
    panel_write(&panels[i], points, &out->dat);
  }
  write_script(out, v, ladder, panels, n, x, y, left_out);
  for (size_t i = 0; i < n; i++)
    free(panels[i].points);
  return true;
}
