/* Read bandwidth and latency over the size of the working set, from a device's measured curves. */
#include "reports/charts/chart.h"

#include <stdio.h>
#include <string.h>

enum { PLOT_HEIGHT_PX = 360 };

static const struct ceiling_curve *curve_named(const struct device *d, const char *name) {
  for (size_t i = 0; i < d->n_curves; i++) {
    if (strcmp(d->curves[i].name, name) == 0 && d->curves[i].n_x > 1 && d->curves[i].n_x == d->curves[i].n_y)
      return &d->curves[i];
  }
  return NULL;
}

/* MB and the y unit scaled; a point that no log axis has is absent. */
static void curve_write(struct text *dat, const struct ceiling_curve *c, const char *what, double y_scale) {
  text_printf(dat, "# set MB  %s\n", what);
  for (size_t i = 0; c && i < c->n_x; i++) {
    if (c->x[i] > 0 && c->y[i] > 0)
      text_printf(dat, "%.6g %.6g\n", c->x[i] / 1e6, c->y[i] * y_scale);
    else
      text_add(dat, "? ?\n");
  }
  if (!c)
    text_add(dat, "? ?\n");
  text_add(dat, "\n\n");
}

static double measured(const struct device *d, const char *name, double scale) {
  const struct ceiling *c = device_ceiling(d, name, CEILING_MEASURED);

  return c && c->value > 0 ? c->value * scale : 0;
}

enum slot { NAME, TITLE, SUBTITLE, PANELS, PAST_L1, BANDWIDTH, LATENCY, L2_SIZE, DRAM_BW, L2_BW, WIDTH, HEIGHT, SLOTS };

bool chart_ceilings(const struct device *d, struct chart *out) {
  struct chart_slot slots[SLOTS] = {
      [NAME] = {"NAME", {0}},       [TITLE] = {"TITLE", {0}},     [SUBTITLE] = {"SUBTITLE", {0}},
      [PANELS] = {"PANELS", {0}},   [PAST_L1] = {"PAST_L1", {0}}, [BANDWIDTH] = {"BANDWIDTH", {0}},
      [LATENCY] = {"LATENCY", {0}}, [L2_SIZE] = {"L2_SIZE", {0}}, [DRAM_BW] = {"DRAM_BW", {0}},
      [L2_BW] = {"L2_BW", {0}},     [WIDTH] = {"WIDTH", {0}},     [HEIGHT] = {"PLOT_HEIGHT", {0}}};
  const struct ceiling_curve *bandwidth = curve_named(d, "read_bw"), *latency = curve_named(d, "latency"),
                             *past_l1 = curve_named(d, "read_bw_past_l1");
  struct text line = {0};

  *out = (struct chart){0};
  if (!bandwidth && !latency)
    return false;
  snprintf(out->name, sizeof out->name, "ceilings");
  text_printf(&out->dat, "# ceilings: bandwidth, latency, bandwidth past L1, a block each; ? is absent\n");
  curve_write(&out->dat, bandwidth, "read TB/s", 1e-12);
  curve_write(&out->dat, latency, "latency ns", 1);
  curve_write(&out->dat, past_l1, "read past L1 TB/s", 1e-12);
  text_add(&slots[NAME].text, out->name);
  text_printf(&line, "Memory of %s over the size of the working set", d->name ? d->name : "an unnamed device");
  chart_quote(&slots[TITLE].text, text_str(&line));
  text_release(&line);
  chart_quote(&slots[SUBTITLE].text, "measured: every SM re-reads its own part; one thread chases pointers");
  text_printf(&slots[PANELS].text, "%d", (bandwidth != NULL) + (latency != NULL));
  text_printf(&slots[BANDWIDTH].text, "%d", bandwidth ? 1 : 0);
  text_printf(&slots[PAST_L1].text, "%d", past_l1 ? 1 : 0);
  text_printf(&slots[LATENCY].text, "%d", latency ? (bandwidth ? 2 : 1) : 0);
  text_printf(&slots[L2_SIZE].text, "%.6g", d->l2_bytes / 1e6);
  text_printf(&slots[DRAM_BW].text, "%.6g", measured(d, "dram_bw", 1e-12));
  text_printf(&slots[L2_BW].text, "%.6g", measured(d, "l2_bw", 1e-12));
  text_printf(&slots[WIDTH].text, "%d", CHART_WIDTH_PX);
  text_printf(&slots[HEIGHT].text, "%d", PLOT_HEIGHT_PX);
  chart_fill(&out->gp, "ceilings.gp", slots, SLOTS);
  return true;
}
