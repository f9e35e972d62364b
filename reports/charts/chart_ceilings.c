/* Read bandwidth and latency over the size of the working set, from a device's measured curves. */
#include "reports/charts/chart.h"

#include <string.h>

enum { PLOT_HEIGHT_PX = 360 };

static const struct ceiling_curve *curve_named(const struct device *d, const char *name) {
  for (size_t i = 0; i < d->n_curves; i++)
    if (strcmp(d->curves[i].name, name) == 0 && d->curves[i].n_x > 1 && d->curves[i].n_x == d->curves[i].n_y)
      return &d->curves[i];
  return NULL;
}

/* MB and the y unit scaled; a point that no log axis has is absent. */
static void curve_write(struct text *dat, const struct ceiling_curve *c, const char *what, double y_scale) {
  text_printf(dat, "# set MB  %s\n", what);
  for (size_t i = 0; c && i < c->n_x; i++)
    if (c->x[i] > 0 && c->y[i] > 0)
      text_printf(dat, "%.6g %.6g\n", c->x[i] / 1e6, c->y[i] * y_scale);
    else
      text_add(dat, "? ?\n");
  if (!c)
    text_add(dat, "? ?\n");
  text_add(dat, "\n\n");
}

static double measured_tb_s(const struct device *d, const char *name) {
  const struct ceiling *c = device_ceiling(d, name, CEILING_MEASURED);
  return c && c->value > 0 ? c->value * 1e-12 : 0;
}

static bool chart_ceilings(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct device *d = from->device;
  const struct ceiling_curve *bandwidth = curve_named(d, "read_bw"), *latency = curve_named(d, "latency"),
                             *past_l1 = curve_named(d, "read_bw_past_l1");
  if (!bandwidth && !latency)
    return false;
  text_printf(&out->title, "Memory of %s over the size of the working set", d->name ? d->name : "an unnamed device");
  text_printf(&out->dat, "# ceilings: bandwidth, latency, bandwidth past L1, a block each; ? is absent\n");
  curve_write(&out->dat, bandwidth, "read TB/s", 1e-12);
  curve_write(&out->dat, latency, "latency ns", 1);
  curve_write(&out->dat, past_l1, "read past L1 TB/s", 1e-12);
  slot_text(s, "subtitle", "measured: every SM re-reads its own part; one thread chases pointers");
  slot_printf(s, "panels", "%d", (bandwidth != NULL) + (latency != NULL));
  slot_printf(s, "bandwidth", "%d", bandwidth ? 1 : 0);
  slot_printf(s, "past_l1", "%d", past_l1 ? 1 : 0);
  slot_printf(s, "latency", "%d", latency ? (bandwidth ? 2 : 1) : 0);
  slot_printf(s, "l2_size", "%.6g", d->l2_bytes / 1e6);
  slot_printf(s, "dram_bw", "%.6g", measured_tb_s(d, "dram_bw"));
  slot_printf(s, "l2_bw", "%.6g", measured_tb_s(d, "l2_bw"));
  slot_printf(s, "plot_height", "%d", PLOT_HEIGHT_PX);
  return true;
}

CHART_ROW(120, ceilings) = {
    .name = "ceilings",
    .script = "plots/ceilings.gp",
    .hint = "A step down is the size at which a level of the memory no longer holds the working set.",
    .of = CHART_OF_DEVICE,
    .fill = chart_ceilings,
};
