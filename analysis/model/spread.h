/* How the timing samples of one finding are spread.  Pure. */
#pragma once

#include "analysis/model/findings.h"

struct spread { /* seconds; percentiles of the samples, linear between two of them */
  bool valid;   /* the finding has a time */
  double p5, p25, p50, p75, p95;
};
/* Invalid too where memory runs out. */
void spread_of(struct spread *out, const struct finding *f);
