#include "analysis/model/work_field.h"

struct value *work_value(struct workload *w, struct value_field f) {
  return (struct value *)((char *)w + f.offset);
}

double *work_number(struct workload *w, struct value_field f) {
  return f.is_value ? &work_value(w, f)->v : (double *)((char *)w + f.offset);
}

double work_warp_cycles(const struct workload *w) {
  struct value cycles = value_product(w->warps, w->clock_hz);
  return cycles.present && cycles.v > 0 ? cycles.v : 1;
}

void work_chain_scale(struct workload *w, double by) {
  w->own_issue_s.v *= by;
  w->loads_s.v *= by;
  w->dependencies_s.v *= by;
  w->barriers_s.v *= by;
}
