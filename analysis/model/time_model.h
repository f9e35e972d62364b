/* The model of time: one function from work and rates to seconds, with each resource's share.  docs/model.md has its constants and its errors.
 *
 * Bound, advice, explanation and projection all ask it: a bound is the largest share, advice and explanation evaluate changed work, a
 * projection evaluates another device's rates.
 */
#pragma once

#include "analysis/metrics/value.h"
#include "analysis/model/resources.h"

/* Fitted by scripts/fit-model; docs/model.md names the training data. */
struct model_constants {
  double p;    /* how completely SMs, memory, latency and starting blocks hide one another: exponent of their norm */
  double r;    /* the same among the pipes of an SM */
  double ramp; /* dependent DRAM latencies from the launch to the first data and from the last data to the end */
  double tail; /* what a last, partial wave costs, of what it would cost if all blocks ran in step */
};
extern const struct model_constants model_fitted;

struct model {
  struct value seconds[RESOURCES]; /* each resource by itself */
  /* The least time that a bound needs by itself, where the launch has put its blocks: an SM's
   * resources on the busiest SM, a warp's chain on the SMs that have blocks; of resources that
   * overlap what they take together. */
  struct value least[BOUND_KINDS];
  struct value time_s; /* absent where neither an SM's nor memory's work is known */
  double tail_s;       /* of these, a last partial wave */
  /* d log(time) / d log(seconds): 0..1, adding up to 1, for a resource and for a bound. */
  double share[RESOURCES], bound_share[BOUND_KINDS];
  enum bound_kind binding; /* the bound of the largest share; BOUND_KINDS: unknown */
};

/* What loads pass through and queue at: of the L1, the LSU and memory whichever needs more time by itself: seconds, 0 where none is known. */
double model_load_path_s(const struct workload *w, const struct rates *r);
/* The time, and nothing else: for what-ifs.  Absent as in struct model. */
struct value model_time(const struct workload *w, const struct rates *r);
/* What each bound needs by itself, and nothing else (struct model). */
void model_least(struct value out[BOUND_KINDS], const struct workload *w, const struct rates *r);
void model_of(struct model *out, const struct workload *w, const struct rates *r);
/* The same with other constants, for the fit. */
struct value model_time_by(const struct model_constants *c, const struct workload *w, const struct rates *r);
