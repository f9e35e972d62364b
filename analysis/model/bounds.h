/* Bounds and roofline points of one finding; both read its result, time and derived metrics. */
#pragma once

#include "analysis/metrics/value.h"
#include "analysis/model/finding.h"
#include "analysis/model/flight.h"

/* Into f->bounds: loads in flight, work, model, and what binds by it. */
void bounds_of(struct finding *f, const struct flight_code *code, const struct rates *r, struct pool *pool);
void roofline_of(struct roof_point out[ROOF_LEVELS], const struct finding *f, struct pool *pool);
