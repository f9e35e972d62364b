#include "profiler/measure/planned.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void planned_launches(struct run_result *r, const struct rung_plan *plan, const struct run_module *m) {
  if (r->launches || !plan->n_steps || rung_plan_calls(plan))
    return;
  r->launches = calloc(plan->n_steps, sizeof *r->launches);
  for (size_t i = 0; i < plan->n_steps; i++) {
    const struct plan_launch *l = &plan->steps[i];
    struct run_launch *out = &r->launches[r->n_launches++];
    out->kernel = str_copy(l->kernel);
    memcpy(out->grid, l->grid, sizeof out->grid);
    memcpy(out->block, l->block, sizeof out->block);
    memcpy(out->cluster, l->cluster, sizeof out->cluster);
    out->smem_dynamic = l->smem;
    for (size_t k = 0; k < m->n_kernels; k++)
      if (strcmp(m->kernels[k].name, l->kernel) == 0) {
        out->registers = m->kernels[k].registers;
        out->smem_static = m->kernels[k].smem_static;
        out->local_bytes = m->kernels[k].local_bytes;
      }
  }
}
