#include "analysis/signs/one_cluster.h"

#include "analysis/signs/waves.h"

#include <math.h>

enum { SM_OF_CLUSTERS = 90 };

/* Of the busiest of an SM's resources, as if one SM had all of it. */
static double of_one_sm(const struct rule_input *in) {
  const struct bounds *b = &in->f->bounds;
  double most = 0, even = b->work.balance > 0 ? b->work.balance : 1;
  for (int k = 0; k < BOUND_KINDS; k++)
    if (bound_is_of_sm((enum bound_kind)k) && b->seconds[k].present)
      most = fmax(most, b->seconds[k].v * even * sms_of(in));
  return most;
}

bool fits_one_cluster(const struct rule_input *in, double *bytes) {
  static const double HALF = 0.5;
  const struct device *d = in->all->device;
  double sms = d->sm >= SM_OF_CLUSTERS ? CLUSTER_BLOCKS : 1, moved = rule_value(in, "dram_bytes", INFINITY);
  *bytes = least_bytes(in);
  return in->work.launches > 1 && grid_blocks(in) > sms && *bytes > 0 && fmax(*bytes, moved) <= (double)d->smem_optin &&
         of_one_sm(in) > 0 && of_one_sm(in) <= HALF * sms * in->time_s;
}

double one_cluster_s(const struct rule_input *in) {
  const struct workload *w = &in->work;
  double n = fmax(w->launches, 1);
  return (or_zero(w->empty_s) + or_zero(w->loads_s)) / n + or_zero(w->own_issue_s) + or_zero(w->dependencies_s);
}
