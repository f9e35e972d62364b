#include "analysis/model/whatif.h"

enum { FIELDS_MAX = 4 };

/* The fields of struct workload that a bound's resources are made of; 0 ends a row, and is the field that no row but issue's begins with. */
#define FIELD(name) (offsetof(struct workload, name) + 1)
static const size_t FIELDS[BOUND_KINDS][FIELDS_MAX] = {
    [BOUND_DRAM] = {FIELD(dram_read), FIELD(dram_write)},
    [BOUND_L2] = {FIELD(l2_read), FIELD(l2_write)},
    [BOUND_L1] = {FIELD(l1_wavefronts)},
    [BOUND_ATOMICS] = {FIELD(atomic_sectors), FIELD(atomic_cycles_max)},
    [BOUND_ISSUE] = {FIELD(inst), FIELD(own_issue_s)},
    [BOUND_ALU] = {FIELD(alu)},
    [BOUND_FMA] = {FIELD(fma), FIELD(fma_heavy)},
    [BOUND_LSU] = {FIELD(lsu)},
    [BOUND_XU] = {FIELD(xu)},
    [BOUND_TENSOR] = {FIELD(tensor)},
    [BOUND_FP64] = {FIELD(fp64)},
    [BOUND_LATENCY] = {FIELD(loads_s), FIELD(dependencies_s), FIELD(barriers_s)},
    [BOUND_LAUNCH] = {FIELD(empty_s)},
};

void workload_scale(struct workload *w, enum bound_kind k, double factor) {
  for (size_t i = 0; i < FIELDS_MAX && FIELDS[k][i]; i++)
    ((struct value *)((char *)w + FIELDS[k][i] - 1))->v *= factor;
  w->at_peak_s[k].v *= factor;
}

double whatif_seconds(const struct finding *f, const struct workload *changed, const struct rates *r) {
  struct value now = f->bounds.time_s, then = model_time(changed, r);
  bool known = now.present && now.v > 0 && then.present;
  return known ? f->time.middle * then.v / now.v : f->time.middle;
}
