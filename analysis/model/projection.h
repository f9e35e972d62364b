/* Projection: the time that a measured kernel would take on another chip, from its work and the other chip's rates.
 *
 *   T' = T measured x model(work there, rates there) / model(work, rates here)
 *
 * so that what the model gets wrong about a kernel cancels as far as it is alike on both.  The work there: the same instructions (this chip's SASS),
 * bytes and cycles; latency, clock, launch, resident blocks and SMs of the other chip.  A rate that the other chip's description lacks is taken
 * from this one and counted.  Projected, never measured.
 */
#pragma once

#include "analysis/model/finding.h"

/* The errors of projections, as parts of the time (or of the ratio of a step's two
 * times) that nine in ten do not exceed.  Of one architecture:
 * recorded/h200.json.gz to an H100 and recorded/h100.json.gz to an H200, all rungs
 * of the ladders (tests/unit/test_analysis_projection.c).  Of another architecture:
 * wider by the factor by which the times that authors published for a B200 lie
 * further from the H200's projected ones (tests/unit/test_analysis_projected.c). */
struct projection_error {
  double median, ninety; /* of a time */
  double step_ninety;    /* of a step's ratio */
  double other_architecture;
};
extern const struct projection_error projection_error;

struct projector {
  const struct device *from, *to;
  struct rates here, there;
  unsigned borrowed; /* rates of `there` that are `here`'s; bits by enum rate_kind */
  bool same_architecture;
};
void projector_init(struct projector *out, const struct device *from, const struct device *to);

struct projection {
  struct value time_s, low_s, high_s; /* the interval holds nine of ten */
};
/* Absent where the result has no time or no model. */
void projection_of(struct projection *out, const struct projector *p, const struct finding *f);
/* What the same launch asks of the other chip. */
void projection_workload(struct workload *out, const struct projector *p, const struct finding *f);
/* What a time, and a step's ratio, is divided and multiplied by for its interval. */
double projection_factor(const struct projector *p);
double projection_step_factor(const struct projector *p);
