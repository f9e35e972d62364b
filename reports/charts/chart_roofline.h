/* What the two halves of the roofline charts share: points and labels, and the roofs and script
 * around them.  Private to them. */
#pragma once

#include "reports/charts/chart.h"

enum { LABEL_GAP_PX = 15 };
enum point_kind { POINT_RUNG = 1, POINT_SIDE = 2, POINT_CONTROL = 3 };

struct point {
  const struct finding *finding;
  const struct point *parent; /* in the same panel; NULL: none */
  enum point_kind kind;
  double x, y; /* FLOP a byte, TFLOP/s */
  double label_y;
  char label[VIEW_LABEL_MAX];
};

struct panel {
  struct shape shape;
  double memory, peak; /* the roofs, in TFLOP/s: for one of x, and flat; 0: unknown */
  struct point *points;
  size_t n;
};

struct range {
  double low, high;
};

/* Labels stand this factor of x away from the outermost points. */
#define LABEL_AWAY 1.4
#define TERA       1e12

void range_take(struct range *r, double x);
/* Finds the points of p->shape.  False where there is nothing to draw; p->points is then the
 * caller's to free too. */
bool panel_make(struct panel *p, const struct view *v, const char *ladder);
void panel_place_labels(struct panel *p, struct range y, int height_px);
/* The panel's block of .dat; x: of the points that share its axis. */
void panel_write(const struct panel *p, struct range x, struct text *dat);
