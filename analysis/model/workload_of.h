/* The work of a measured result. */
#pragma once

#include "analysis/model/finding.h"
#include "analysis/model/flight.h"
#include "analysis/model/rates.h"
#include "analysis/model/workload.h"

/* f: with its derived metrics, launch and f->bounds.flight.  clock_hz: of the SMs. */
void workload_of(struct workload *out, const struct finding *f, const struct flight_code *code, struct value clock_hz,
                 struct pool *pool);

/* Its waits for loads, no longer than warps were counted waiting; and slow_loads, of the other fields. */
void workload_loads(struct workload *w, const struct flight *fl, const struct rates *r);
