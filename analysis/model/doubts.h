/* Doubts: values of a result that cannot be.  They are shown beside the numbers, which stand as they were measured. */
#pragma once

#include "analysis/metrics/value.h"
#include "analysis/model/finding.h"

/* Fills f->doubts from the rest of the finding, each a sentence of the pool's that names the values and the limit. */
void doubts_of(struct finding *f, const struct run *run, const struct device *d, struct pool *pool);
