#include "reports/charts/chart_roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_CHARS = 13 };

void range_take(struct range *r, double x) {
  r->low = fmin(r->low, x);
  r->high = fmax(r->high, x);
}

/* Where a rung would stand that moved the minimal bytes as fast as the control reads them: the
 * control itself computes nothing. */
static bool read_make(struct point *p, const struct view *v, const struct panel *panel) {
  const struct finding *read = view_read_control(v->f, panel->shape);

  if (!read || !read->timed)
    return false;
  for (size_t i = 0; i < v->n && v->items[i].group == VIEW_LADDER; i++) {
    const struct finding *f = findings_at(v->f, v->items[i].variant->id, panel->shape);
    char name[VIEW_LABEL_MAX];

    if (!f || f->result->flops <= 0 || f->result->bytes_minimal <= 0)
      continue;
    *p = (struct point){.finding = read, .kind = POINT_CONTROL};
    p->x = f->result->flops / f->result->bytes_minimal;
    p->y = f->result->flops / read->time.middle / panel->plot->y_unit;
    chart_shorten(p->label, view_short(name, read->variant), LABEL_CHARS);
    return true;
  }
  return false;
}

/* Bytes at a level against those at DRAM, of the same time; 0: unknown. */
static double over_dram(const struct finding *f, enum roof_level level) {
  const struct value at = f->roof[level].bandwidth, dram = f->roof[ROOF_DRAM].bandwidth;

  return at.present && dram.present && dram.v > 0 ? at.v / dram.v : 0;
}

bool panel_apart(const struct panel *p) {
  static const double least = 1.1; /* what cannot be seen on a logarithmic axis is no difference */

  for (size_t i = 0; i < p->n; i++)
    if (over_dram(p->points[i].finding, p->level) > least)
      return true;
  return false;
}

static bool point_make(struct point *p, const struct panel *panel, const struct finding *f) {
  static const char *const per_transaction[ROOF_LEVELS] = {[ROOF_DRAM] = "inst_per_dram_transaction",
                                                           [ROOF_L2] = "inst_per_l2_transaction",
                                                           [ROOF_L1] = "inst_per_l1_transaction"};
  struct value x, y;
  char name[VIEW_LABEL_MAX];

  if (!f || !f->timed)
    return false;
  x = panel->plot->instructions ? finding_value(f, per_transaction[panel->level]) : f->roof[panel->level].intensity;
  y = panel->plot->instructions ? finding_value(f, "inst_rate") : f->roof[panel->level].flops;
  if (!x.present || !y.present || x.v <= 0 || y.v <= 0)
    return false;
  /* An L1 that delivered less than DRAM did was gone round, by bulk copies to shared memory. */
  if (panel->level == ROOF_L1 && over_dram(f, ROOF_L1) < 1)
    return false;
  *p = (struct point){.finding = f, .x = x.v, .y = y.v / panel->plot->y_unit};
  p->kind = f->variant->side ? POINT_SIDE : POINT_RUNG;
  chart_shorten(p->label, view_short(name, f->variant), LABEL_CHARS);
  return true;
}

/* The control computes nothing, so it has a place of its own only where instructions count. */
static bool control_make(struct point *p, const struct view *v, const struct panel *panel) {
  if (!panel->plot->instructions)
    return panel->level == ROOF_DRAM && read_make(p, v, panel);
  if (!point_make(p, panel, view_read_control(v->f, panel->shape)))
    return false;
  p->kind = POINT_CONTROL;
  return true;
}

static int by_height(const void *a, const void *b) {
  const struct point *x = *(const struct point *const *)a, *y = *(const struct point *const *)b;

  return (x->y > y->y) - (x->y < y->y);
}

bool panel_make(struct panel *p, const struct view *v, const char *ladder) {
  p->points = calloc(v->n + 1, sizeof *p->points);
  if (!p->points)
    return false;
  for (size_t i = 0; i < v->n; i++) {
    if (chart_on_ladder(&v->items[i], ladder) &&
        point_make(&p->points[p->n], p, findings_at(v->f, v->items[i].variant->id, p->shape)))
      p->n++;
  }
  if (p->n > 0 && control_make(&p->points[p->n], v, p))
    p->n++;
  for (size_t i = 0; i < p->n; i++) {
    const char *parent = p->points[i].finding->variant->parent;

    for (size_t j = 0; j < p->n && parent; j++) {
      if (strcmp(p->points[j].finding->variant->id, parent) == 0)
        p->points[i].parent = &p->points[j];
    }
  }
  return p->n > 0;
}

/* Where points are many, those that a reader looks for keep their labels: the ends, the control, and what stands clear of the last one named.
 * The others have theirs on hover. */
static size_t named_keep(struct point **order, size_t n, double low, double scale) {
  enum { MANY = 14 };
  double last = -INFINITY;
  size_t kept = 0;

  for (size_t i = 0; i < n; i++) {
    double at = log10(order[i]->y / low) * scale;

    if (n <= MANY || i == 0 || i + 2 >= n || order[i]->kind == POINT_CONTROL || at - last >= LABEL_GAP_PX) {
      order[kept++] = order[i];
      last = at;
    } else {
      order[i]->label[0] = '\0';
    }
  }
  return kept;
}

/* Beside the points, left and right in turn where both sides have room, moved apart where rungs
 * are close. */
bool panel_place_labels(struct panel *p, struct range y, int height_px) {
  double scale = height_px / log10(y.high / y.low);
  size_t stride = p->both_sides ? 2 : 1;
  struct point **order = calloc(p->n ? p->n : 1, sizeof *order);
  double *pixels = calloc(p->n ? p->n : 1, sizeof *pixels);
  bool ok = order && pixels;

  for (size_t i = 0; i < p->n && ok; i++)
    order[i] = &p->points[i];
  if (ok)
    qsort(order, p->n, sizeof *order, by_height);
  size_t n_named = ok ? named_keep(order, p->n, y.low, scale) : 0;
  for (int side = p->both_sides ? -1 : 1; side <= 1 && ok; side += 2) {
    size_t n = 0;

    for (size_t i = side < 0; i < n_named; i += stride)
      pixels[n++] = log10(order[i]->y / y.low) * scale;
    chart_spread(pixels, n, LABEL_GAP_PX, LABEL_GAP_PX / 2.0, height_px - LABEL_GAP_PX / 2.0);
    n = 0;
    for (size_t i = side < 0; i < n_named; i += stride) {
      order[i]->side = side;
      order[i]->label_y = y.low * pow(10, pixels[n++] / scale);
    }
  }
  free(order);
  free(pixels);
  return ok;
}

static void hover_add(struct text *dat, const struct panel *p, const struct point *q) {
  double memory = p->memory * q->x, roof = p->peak > 0 && (memory <= 0 || p->peak < memory) ? p->peak : memory;
  struct text hover = {0};
  char time[VIEW_NUMBER_MAX], x[VIEW_NUMBER_MAX], y[VIEW_NUMBER_MAX];

  text_printf(&hover, "%s: %s µs, %s %s, %s %s", q->finding->variant->id,
              view_number(time, q->finding->time.middle * 1e6, 4), view_number(x, q->x, 3),
              p->plot->instructions ? "inst/transaction" : "FLOP/byte", view_number(y, q->y, 4),
              p->plot->instructions ? "G inst/s" : "TFLOP/s");
  if (roof > 0)
    text_printf(&hover, ", %.0f %% of the roof", 100 * q->y / roof);
  chart_data_quote(dat, text_str(&hover));
  dat->failed |= !text_ok(&hover);
  text_release(&hover);
}

void panel_write(const struct panel *p, struct range x, struct text *dat) {
  char shape[SHAPE_TEXT_MAX + 8];

  text_printf(dat, "# %s, %s\n# x  y  kind  parent's x  y  label at x  y  side  label  hover\n",
              view_shape(shape, p->shape), roof_level_name(p->level));
  for (size_t i = 0; i < p->n; i++) {
    const struct point *q = &p->points[i];

    text_printf(dat, "%.6g %.6g %d ", q->x, q->y, (int)q->kind);
    if (q->parent)
      text_printf(dat, "%.6g %.6g ", q->parent->x, q->parent->y);
    else
      text_add(dat, "? ? ");
    if (!q->label[0]) /* no line to a label */
      text_printf(dat, "%.6g %.6g 1 ", q->x, q->y);
    else
      text_printf(dat, "%.6g %.6g %d ", q->side < 0 ? x.low / LABEL_AWAY : x.high * LABEL_AWAY, q->label_y, q->side);
    chart_data_quote(dat, q->label);
    text_add(dat, " ");
    hover_add(dat, p, q);
    text_add(dat, "\n");
  }
  text_add(dat, "\n\n");
}
