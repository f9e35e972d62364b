/* A card's measured ceilings, beside its datasheet and driver.  Nothing is computed here. */
#pragma once

#include "base/text.h"
#include "run/ceilings_measured.h"
#include "run/device.h"

#include <stdbool.h>

/* path: of the device file, which says how each was measured. */
void report_ceilings_term(const struct ceilings *c, const struct device *d, const char *path, struct text *out,
                          int width, bool colour);
void report_ceilings_json(const struct ceilings *c, const struct device *d, const char *path, struct text *out);
