/* Doubts: values of a result that cannot be.  They are shown beside the numbers, which stand as they were measured. */
#ifndef ANALYSIS_DOUBTS_H
#define ANALYSIS_DOUBTS_H

#include "analysis/analysis.h"
#include "analysis/value.h"

/* Fills f->doubts from the rest of the finding, each a sentence of the pool's that names the values and the limit. */
void doubts_of(struct finding *f, const struct run *run, const struct device *d, struct pool *pool);

#endif
