/* What-ifs: work changed as a remedy would change it, and the model asked again. */
#ifndef ANALYSIS_MODEL_WHATIF_H
#define ANALYSIS_MODEL_WHATIF_H

#include "analysis/model/finding.h"

/* All that a bound does, times `factor`: its counts, or the times that a warp has of it in turn. */
void workload_scale(struct workload *w, enum bound_kind k, double factor);
/* The measured time, scaled as the model's time changes from the finding's work to this: an error of the model on this kernel is none of the
 * difference.  The measured time where the model knows nothing. */
double whatif_seconds(const struct finding *f, const struct workload *changed, const struct rates *r);

#endif
