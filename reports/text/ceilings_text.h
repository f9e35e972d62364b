/* A card's ceilings as they were measured, beside its datasheet and driver.  Nothing is computed here. */
#pragma once

#include "base/text.h"
#include "run/device.h"

#include <stdbool.h>
#include <stddef.h>

struct ceilings_text_row { /* all strings are borrowed */
  const char *name, *unit; /* of a struct ceiling */
  bool present;
  double value, clock_hz;      /* clock_hz: of the SMs while it was measured; 0: not known */
  const char *detail, *reason; /* how it was measured; why it is absent */
};
struct ceilings_text_curve {
  const char *name, *x_unit, *y_unit, *detail, *reason;
  const double *x, *y;
  size_t n;
};
struct ceilings_text {
  const struct ceilings_text_row *rows;
  size_t n_rows;
  const struct ceilings_text_curve *curves;
  size_t n_curves;
  const char *notes;
};

/* What a unit is shown in: "lane/s" in G lanes/s, a factor of 1e-9. */
struct ceilings_scale {
  const char *unit, *shown;
  double factor;
};
struct ceilings_scale ceilings_scale_of(const char *unit); /* as it is, where no row has it; borrows unit */

/* path: of the device file, which says how each was measured. */
void report_ceilings_term(const struct ceilings_text *c, const struct device *d, const char *path, struct text *out,
                          int width, bool colour);
void report_ceilings_json(const struct ceilings_text *c, const struct device *d, const char *path, struct text *out);
