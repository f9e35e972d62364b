#include "analysis/signs/atomic_waits.h"

#include "analysis/idioms/chases.h"
#include "analysis/signs/about.h"

#include <string.h>

static bool is_for_an_atomic(const struct hot *h, const struct hot_inst *x) {
  const struct sass_inst *insts = h->kernels[x->kernel].sass.insts;
  for (size_t i = 0; i < x->n_feeds; i++)
    if (x->feeds[i].wait != WAIT_STORES && about_atomics(&insts[x->feeds[i].inst]))
      return true;
  return false;
}

static bool is_for_a_chase(const struct hot *h, const struct hot_inst *x) {
  for (size_t i = 0; i < x->n_feeds; i++)
    if (sass_chases(&h->kernels[x->kernel].sass, x->feeds[i].inst))
      return true;
  return false;
}

static bool is_for_local_memory(const struct hot *h, const struct hot_inst *x) {
  const struct sass_inst *insts = h->kernels[x->kernel].sass.insts;
  bool local = false;
  for (size_t i = 0; i < x->n_feeds; i++) {
    if (about_loads(&insts[x->feeds[i].inst]))
      return false;
    local = local || insts[x->feeds[i].inst].class == SASS_LOAD_LOCAL;
  }
  return local;
}

/* CCTL.IVALL drops what the L1 holds: the last step of an acquire, which waits until what stands before it has come. */
static bool is_of_a_fence(const struct hot *h, const struct hot_inst *x) {
  const struct sass_inst *at = &h->kernels[x->kernel].sass.insts[x->at];
  return strcmp(at->opcode, "CCTL") == 0 && sass_modifier(at, "IVALL");
}

/* Part of the samples of such waits, 0..1. */
static double part_that(const struct rule_input *in, bool (*is)(const struct hot *, const struct hot_inst *)) {
  double all = 0, those = 0;
  for (size_t i = 0; i < in->hot->n_insts; i++) {
    const struct hot_inst *x = &in->hot->insts[i];
    double n = hot_samples_of(x, "long_scoreboard");
    all += n;
    those += is(in->hot, x) ? n : 0;
  }
  return all > 0 ? those / all : 0;
}

double waits_part_of_fences(const struct rule_input *in) {
  return part_that(in, is_of_a_fence);
}

double waits_part_of_chases(const struct rule_input *in) {
  return part_that(in, is_for_a_chase);
}

double waits_part_of_atomics(const struct rule_input *in) {
  return part_that(in, is_for_an_atomic);
}

double waits_part_of_loads(const struct rule_input *in) {
  return 1 - waits_part_of_atomics(in) - part_that(in, is_for_local_memory) - waits_part_of_fences(in);
}

bool loads_queue_for_atomics(const struct rule_input *in) {
  static const double FULL = 0.7; /* of the time: 0.8 is a busy DRAM's, and a row errs by an eighth */
  static const double HALF = 0.5;
  double needs = bound_needs(in, BOUND_ATOMICS);
  return (in->f->bounds.binding == BOUND_ATOMICS && needs >= FULL) || in->waits.atomics_s >= HALF * in->time_s;
}
