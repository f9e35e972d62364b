/* What a finding is made of.  Private to the room. */
#pragma once

#include "analysis/model/finding.h"
#include "analysis/model/flight.h"
#include "analysis/model/rates.h"
#include "analysis/model/workload.h"

/* The work of a measured result.  f: with its derived metrics, launch and f->bounds.flight.
 * clock_hz: of the SMs. */
void workload_of(struct workload *out, const struct finding *f, const struct flight_code *code, struct value clock_hz,
                 struct pool *pool);
/* Its waits for loads, at most what warps were counted waiting; and slow_loads. */
void workload_loads(struct workload *w, const struct flight *fl, const struct rates *r);

/* Into f->bounds: loads in flight, work, model, and what binds by it.  f: with its result, time and derived metrics. */
void bounds_of(struct finding *f, const struct flight_code *code, const struct rates *r, struct pool *pool);
void roofline_of(struct roof_point out[ROOF_LEVELS], const struct finding *f, struct pool *pool);

/* Fills f->doubts from the rest of the finding: values that cannot be, each a sentence of the
 * pool's that names the values and the limit.  They are shown beside the numbers, which stand as
 * they were measured. */
void doubts_of(struct finding *f, const struct flight_code *code, const struct run *run, const struct device *d,
               struct pool *pool);
