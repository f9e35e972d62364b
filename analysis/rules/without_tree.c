#include "analysis/rules/without_tree.h"

#include "analysis/rules/rule_tools.h"

#include <math.h>

/* A shuffle takes the path of shared memory, at its latency; without the device's figures, those of an H100. */
static double step_cycles(const struct device *d) {
  static const double SHUFFLE = 23, COMBINE = 4;
  const struct ceiling *shuffle = device_best(d, "smem_latency_cycles"),
                       *combine = device_best(d, "alu_latency_cycles");
  return (shuffle ? shuffle->value : SHUFFLE) + (combine ? combine->value : COMBINE);
}

/* Each shuffle needs the one before: a warp waits for all of them in turn, by itself. */
static double shuffling_s(const struct rule_input *in, double shuffles) {
  double hz = or_zero(in->work.clock_hz), warps = or_zero(in->work.warps);
  return hz > 0 && warps > 0 ? shuffles * step_cycles(in->all->device) / (hz * warps) : 0;
}

void work_without_tree(const struct rule_input *in, const struct block_tree *t, struct workload *w) {
  double shared = 1 - part_kept(t->goes.shared, shared_executed(in)),
         barriers = 1 - part_kept(t->goes.barriers, barriers_executed(in));
  double cycles = rule_value(in, "shared_wavefronts", 0);
  value_scale(&w->l1_wavefronts, part_kept(shared * cycles, or_zero(in->work.l1_wavefronts)));
  value_lessen(&w->barriers_s, in->waits.barrier_s * fmin(barriers, 1 - BARRIERS_KEPT));
  value_scale(&w->lsu, part_kept(t->goes.shared, rule_value(in, "pipe_lsu", 0)));
  value_scale(&w->alu, part_kept(t->goes.alu, rule_value(in, "pipe_alu", 0)));
  double fma = part_kept(t->goes.fma, rule_value(in, "pipe_fma", 0));
  value_scale(&w->fma, fma);
  value_scale(&w->fma_heavy, fma);
  value_scale(&w->adu, part_kept(t->goes.barriers, rule_value(in, "pipe_adu", 0)));
  value_scale(&w->xu, part_kept(t->goes.xu, rule_value(in, "pipe_xu", 0))); /* levels divide */
  value_lessen(&w->dependencies_s, xu_waits(in, t->goes.xu));
  work_fewer_insts(in, w, t->goes.insts);
  if (w->own_issue_s.present)
    w->own_issue_s.v += shuffling_s(in, t->shuffles);
}
