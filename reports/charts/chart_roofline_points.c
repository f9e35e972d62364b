#include "reports/charts/chart_roofline.h"

#include <math.h>
#include <stdio.h>
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
    if (!f || f->result->flops <= 0 || f->result->bytes_minimal <= 0)
      continue;
    *p = (struct point){.finding = read, .kind = POINT_CONTROL};
    p->x = f->result->flops / f->result->bytes_minimal;
    p->y = f->result->flops / read->time.middle / TERA;
    view_short_in(p->label, v, read->variant, LABEL_CHARS);
    return true;
  }
  return false;
}

static bool point_make(struct point *p, const struct view *v, const struct finding *f) {
  struct value x, y;
  if (!f || !f->timed)
    return false;
  x = f->roof[ROOF_DRAM].intensity;
  y = f->roof[ROOF_DRAM].flops;
  if (!x.present || !y.present || x.v <= 0 || y.v <= 0)
    return false;
  *p = (struct point){.finding = f, .x = x.v, .y = y.v / TERA};
  p->kind = f->variant->side ? POINT_SIDE : POINT_RUNG;
  view_short_in(p->label, v, f->variant, LABEL_CHARS);
  return true;
}

static int by_height(const void *a, const void *b) {
  const struct point *x = *(const struct point *const *)a, *y = *(const struct point *const *)b;
  return (x->y > y->y) - (x->y < y->y);
}

bool panel_make(struct panel *p, const struct view *v, const char *ladder) {
  p->points = calloc(v->n + 1, sizeof *p->points);
  for (size_t i = 0; i < v->n; i++)
    if (view_on_ladder(&v->items[i], ladder) &&
        point_make(&p->points[p->n], v, findings_at(v->f, v->items[i].variant->id, p->shape)))
      p->n++;
  if (p->n > 0 && read_make(&p->points[p->n], v, p))
    p->n++;
  for (size_t i = 0; i < p->n; i++) {
    const char *parent = p->points[i].finding->variant->parent;
    for (size_t j = 0; j < p->n && parent; j++)
      if (strcmp(p->points[j].finding->variant->id, parent) == 0)
        p->points[i].parent = &p->points[j];
  }
  return p->n > 0;
}

/* Where points are many, those that a reader looks for keep their labels: the ends, the control,
 * and what stands clear of the last one named.  The others have theirs on hover. */
static size_t named_keep(const struct panel *p, struct point **order, double low, double scale) {
  enum { MANY = 14 };
  bool few = p->n <= MANY;
  double last = -INFINITY;
  size_t n = p->n, kept = 0;
  for (size_t i = 0; i < n; i++) {
    double at = log10(order[i]->y / low) * scale;
    bool clear = i + 2 >= n || at - last >= LABEL_GAP_PX;
    if (few || i == 0 || i + 1 == n || order[i]->kind == POINT_CONTROL || clear) {
      order[kept++] = order[i];
      last = at;
    } else {
      order[i]->label[0] = '\0';
    }
  }
  return kept;
}

/* Under the memory roof where that runs over the labels; in pixels from the bottom. */
static double labels_top(const struct panel *p, struct range y, double scale, int height_px, size_t n) {
  double top = height_px - LABEL_GAP_PX / 2.0, right = 0, roof;
  for (size_t i = 0; i < p->n; i++)
    right = fmax(right, p->points[i].x * LABEL_AWAY);
  roof = p->memory > 0 ? log10(p->memory * right / y.low) * scale - LABEL_GAP_PX : top;
  return roof < top && roof >= (double)n * LABEL_GAP_PX ? roof : top;
}

/* 0: unknown. */
static double of_roof(const struct panel *p, const struct point *q) {
  double memory = p->memory * q->x, roof = p->peak > 0 && (memory <= 0 || p->peak < memory) ? p->peak : memory;
  return roof > 0 ? q->y / roof : 0;
}

/* "18 turns 79 %" */
static void label_share(const struct panel *p, struct point *q) {
  size_t n = strlen(q->label);
  if (n && of_roof(p, q) > 0)
    snprintf(q->label + n, sizeof q->label - n, " %s %%", VIEW_NUMBER(100 * of_roof(p, q), 2));
}

/* Right of the points, moved apart where rungs are close. */
void panel_place_labels(struct panel *p, struct range y, int height_px) {
  double scale = height_px / log10(y.high / y.low);
  struct point **order = calloc(p->n ? p->n : 1, sizeof *order);
  double *pixels = calloc(p->n ? p->n : 1, sizeof *pixels);
  for (size_t i = 0; i < p->n; i++)
    order[i] = &p->points[i];
  qsort(order, p->n, sizeof *order, by_height);
  size_t n = named_keep(p, order, y.low, scale);
  for (size_t i = 0; i < n; i++)
    pixels[i] = log10(order[i]->y / y.low) * scale;
  chart_spread(pixels, n, LABEL_GAP_PX, LABEL_GAP_PX / 2.0, labels_top(p, y, scale, height_px, n));
  for (size_t i = 0; i < n; i++) {
    label_share(p, order[i]);
    order[i]->label_y = y.low * pow(10, pixels[i] / scale);
  }
  free(order);
  free(pixels);
}

static void hover_add(struct text *dat, const struct panel *p, const struct point *q) {
  struct text hover = {0};
  text_printf(&hover, "%s: %s µs, %s FLOP/byte, %s TFLOP/s", q->finding->variant->id,
              VIEW_NUMBER(q->finding->time.middle * 1e6, 4), VIEW_NUMBER(q->x, 3), VIEW_NUMBER(q->y, 4));
  if (of_roof(p, q) > 0)
    text_printf(&hover, ", %s %% of the roof", VIEW_NUMBER(100 * of_roof(p, q), 2));
  chart_data_quote(dat, text_str(&hover));
  text_end(&hover, dat);
}

void panel_write(const struct panel *p, struct range x, struct text *dat) {
  text_printf(dat, "# %s, %s\n# x  y  kind  parent's x  y  label at x  y  label  hover\n", VIEW_SHAPE(p->shape),
              roof_level_name(ROOF_DRAM));
  for (size_t i = 0; i < p->n; i++) {
    const struct point *q = &p->points[i];
    text_printf(dat, "%.6g %.6g %d ", q->x, q->y, (int)q->kind);
    if (q->parent)
      text_printf(dat, "%.6g %.6g ", q->parent->x, q->parent->y);
    else
      text_add(dat, "? ? ");
    if (!q->label[0]) /* no line to a label */
      text_printf(dat, "%.6g %.6g ", q->x, q->y);
    else
      text_printf(dat, "%.6g %.6g ", x.high * LABEL_AWAY, q->label_y);
    chart_data_quote(dat, q->label);
    text_add(dat, " ");
    hover_add(dat, p, q);
    text_add(dat, "\n");
  }
  text_add(dat, "\n\n");
}
