#include "analysis/rules/more_elements.h"

#include "analysis/signs/elements.h"
#include "analysis/signs/flight_plan.h"
#include "analysis/signs/triton_code.h"

#include <math.h>

bool more_elements_known(const struct rule_input *in) {
  struct elements x;
  return !triton_made(in) && elements_of(&x, in); /* each offset of a tile is an element's own */
}

void change_more_elements(const struct rule_input *in, struct workload *w) {
  struct elements x;
  if (!elements_of(&x, in))
    return;
  struct flight_plan plan;
  double once = 1 / x.times, shared = rule_value(in, "shared_wavefronts", 0);
  double fixed = fmin(warp_seconds(in, "stall_wait"), or_zero(w->dependencies_s));
  flight_plan_of(&plan, in);
  work_fewer_blocks(in, w, x.times);
  value_scale(&w->inst, x.insts);
  value_scale(&w->own_issue_s, x.insts);
  value_scale(&w->alu, x.pipes[PIPE_ALU]);
  value_scale(&w->fma, x.pipes[PIPE_FMA]);
  value_scale(&w->fma_heavy, x.pipes[PIPE_FMA]);
  value_scale(&w->lsu, x.pipes[PIPE_LSU]);
  value_scale(&w->xu, x.pipes[PIPE_XU]);
  value_scale(&w->fp64, x.pipes[PIPE_FP64]);
  value_scale(&w->adu, x.pipes[PIPE_ADU]);
  value_scale(&w->loads_s, fmax(once, plan.kept));
  if (w->dependencies_s.present) /* fixed latencies pass side by side; the short waits are queues */
    w->dependencies_s.v = fixed * once + (w->dependencies_s.v - fixed) * fmax(x.pipes[PIPE_LSU], x.pipes[PIPE_XU]);
  if (!x.shares_once)
    return;
  value_scale(&w->barriers_s, once);
  value_scale(&w->l1_wavefronts, part_kept((1 - once) * shared, or_zero(in->work.l1_wavefronts)));
}
