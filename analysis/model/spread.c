#include "analysis/model/spread.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* sorted has n > 0 samples. */
static double percentile(const double *sorted, size_t n, double percent) {
  double at = percent / 100 * (double)(n - 1);
  size_t low = (size_t)at;

  return low + 1 < n ? sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]) : sorted[n - 1];
}

void spread_of(struct spread *out, const struct finding *f) {
  const struct run_timing *t = &f->result->timing;
  double *sorted = f->timed && t->n ? malloc(t->n * sizeof *sorted) : NULL;

  *out = (struct spread){0};
  if (!sorted)
    return;
  memcpy(sorted, t->samples_ns, t->n * sizeof *sorted);
  qsort(sorted, t->n, sizeof *sorted, by_value);
  *out = (struct spread){.valid = true,
                         .p5 = percentile(sorted, t->n, 5) * 1e-9,
                         .p25 = percentile(sorted, t->n, 25) * 1e-9,
                         .p50 = percentile(sorted, t->n, 50) * 1e-9,
                         .p75 = percentile(sorted, t->n, 75) * 1e-9,
                         .p95 = percentile(sorted, t->n, 95) * 1e-9};
  free(sorted);
}
