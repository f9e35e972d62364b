/* The numbers that advice and bounds rest on, scaled for people. */
#pragma once

#include "analysis/rules/evidence.h"
#include "base/text.h"
#include "run/device.h"

/* "instructions an element 3.2" */
void report_evidence(const struct evidence *x, struct text *out);
/* All of it, "; " between. */
void report_evidences(const struct evidence *x, size_t n, struct text *out);
/* What a unit is shown in: "lane/s" in G lanes/s, a factor of 1e-9. */
struct ceilings_scale {
  const char *unit, *shown;
  double factor;
};
struct ceilings_scale ceilings_scale_of(const char *unit); /* as it is, where no row has it; borrows unit */

/* "dram_bw 4.72 TB/s, measured"; nothing of NULL. */
void report_ceiling(const struct ceiling *c, struct text *out);
