#include "analysis/advice/more_elements.h"

#include "analysis/signs/elements.h"

bool more_elements_known(const struct rule_input *in) {
  struct elements x;
  return elements_of(&x, in);
}

void change_more_elements(const struct rule_input *in, struct workload *w) {
  struct elements x;
  if (!elements_of(&x, in))
    return;
  double once = 1 / x.times, shared = rule_value(in, "shared_wavefronts", 0);
  work_fewer_blocks(in, w, x.times);
  value_scale(&w->inst, x.insts);
  value_scale(&w->own_issue_s, x.insts);
  value_scale(&w->alu, x.pipes[PIPE_ALU]);
  value_scale(&w->fma, x.pipes[PIPE_FMA]);
  value_scale(&w->fma_heavy, x.pipes[PIPE_FMA]);
  value_scale(&w->lsu, x.pipes[PIPE_LSU]);
  value_scale(&w->xu, x.pipes[PIPE_XU]);
  value_scale(&w->fp64, x.pipes[PIPE_FP64]);
  value_scale(&w->loads_s, once);
  value_scale(&w->dependencies_s, once);
  if (!x.shares_once)
    return;
  value_scale(&w->barriers_s, once);
  value_scale(&w->l1_wavefronts, part_kept((1 - once) * shared, or_zero(in->work.l1_wavefronts)));
}
