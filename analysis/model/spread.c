#include "analysis/model/spread.h"

#include "base/stats.h"

#include <stdlib.h>
#include <string.h>

void spread_of(struct spread *out, const struct finding *f) {
  const struct run_timing *t = &f->result->timing;
  double *sorted = f->timed && t->n ? malloc(t->n * sizeof *sorted) : NULL;
  *out = (struct spread){0};
  if (!sorted)
    return;
  memcpy(sorted, t->samples_ns, t->n * sizeof *sorted);
  qsort(sorted, t->n, sizeof *sorted, stats_by_value);
  *out = (struct spread){.valid = true,
                         .p5 = stats_percentile(sorted, t->n, 5) * 1e-9,
                         .p25 = stats_percentile(sorted, t->n, 25) * 1e-9,
                         .p50 = stats_percentile(sorted, t->n, 50) * 1e-9,
                         .p75 = stats_percentile(sorted, t->n, 75) * 1e-9,
                         .p95 = stats_percentile(sorted, t->n, 95) * 1e-9};
  free(sorted);
}
