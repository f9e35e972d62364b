#include "analysis/signs/atomic_waits.h"

#include "analysis/signs/about.h"

#include <string.h>

static double waits_at(const struct hot_inst *x) {
  double n = 0;
  for (size_t i = 0; i < x->n_reasons; i++)
    n += strcmp(x->reasons[i].reason, "long_scoreboard") == 0 ? (double)x->reasons[i].samples : 0;
  return n;
}

static bool is_for_an_atomic(const struct hot *h, const struct hot_inst *x) {
  const struct sass_inst *insts = h->kernels[x->kernel].sass.insts;
  for (size_t i = 0; i < x->n_feeds; i++)
    if (x->feeds[i].wait != WAIT_STORES && about_atomics(&insts[x->feeds[i].inst]))
      return true;
  return false;
}

double waits_part_of_loads(const struct rule_input *in) {
  double all = 0, atomics = 0;
  for (size_t i = 0; i < in->hot->n_insts; i++) {
    const struct hot_inst *x = &in->hot->insts[i];
    double n = waits_at(x);
    all += n;
    atomics += is_for_an_atomic(in->hot, x) ? n : 0;
  }
  return all > 0 ? 1 - atomics / all : 1;
}

bool loads_queue_for_atomics(const struct rule_input *in) {
  static const double FULL = 0.7; /* of the time: 0.8 is a busy DRAM's, and a row errs by an eighth */
  static const double HALF = 0.5;
  double needs = bound_needs(in, BOUND_ATOMICS);
  return (in->f->bounds.binding == BOUND_ATOMICS && needs >= FULL) || in->waits.atomics_s >= HALF * in->time_s;
}
