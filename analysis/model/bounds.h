/* Bounds and roofline points of one finding; both read its result, time and derived metrics. */
#ifndef ANALYSIS_MODEL_BOUNDS_H
#define ANALYSIS_MODEL_BOUNDS_H

#include "analysis/metrics/value.h"
#include "analysis/model/finding.h"
#include "analysis/model/flight.h"

/* DESIGN.md section 7.  DRAM bytes, L2 bytes and the clock are the derived metrics dram_bytes, l2_bytes and clock_hz. */
void bounds_of(struct bounds *out, const struct finding *f, const struct flight_code *code, const struct device *d,
               struct pool *pool);
/* Seconds that the bounds come to, each scaled (1: as it is, 0: gone), without the empty kernel; scale NULL: all as they are. */
double bounds_overlap(const struct bounds *b, const double scale[BOUND_KINDS]);
void roofline_of(struct roof_point out[ROOF_LEVELS], const struct finding *f, struct pool *pool);

#endif
