#include "analysis/advice/baseline.h"

#include "analysis/rules/rule_tools.h"
#include "analysis/signs/one_lane.h"

#include <math.h>
#include <string.h>

/* A warp that ends waits for its stores and reductions: for atomics where there is nothing else among them. */
static bool waits_for_atomic(const struct hot *h, const struct hot_inst *x) {
  struct sass_inst *insts = h->kernels[x->kernel].sass.insts;
  size_t stores = 0, atomics = 0;
  for (size_t i = 0; i < x->n_feeds; i++) {
    bool atomic = sass_is_global_atomic(&insts[x->feeds[i].inst]);
    if (atomic && x->feeds[i].wait != WAIT_STORES)
      return true;
    stores += x->feeds[i].wait == WAIT_STORES;
    atomics += atomic;
  }
  return stores > 0 && atomics == stores;
}

/* A warp that issues, or could, does not wait for the instruction it stands at. */
static bool is_wait(const char *reason) {
  return strcmp(reason, "selected") != 0 && strcmp(reason, "not_selected") != 0 && strcmp(reason, "wait") != 0;
}

/* Parts of the samples. */
struct atomic_waits {
  double at; /* such as stand at atomics or wait for them */
  /* Of these, such as stand at an atomic and wait for what a load brings: they do not wait for atomics. */
  double operands;
};

/* Without samples, of the stalls at the queue to global memory what atomics have of its sectors. */
static struct atomic_waits atomic_waits_of(const struct rule_input *in) {
  const struct hot *h = in->hot;
  double sectors = rule_value(in, "l2_atomic_sectors", 0);
  struct atomic_waits out = {0};
  if (sectors <= 0)
    return out;
  if (h->samples == 0) {
    out.at = rule_value(in, "stall_lg_throttle_share", 0) * sectors /
             (sectors + rule_value(in, "l1_load_sectors", 0) + rule_value(in, "l1_store_sectors", 0));
    return out;
  }
  for (size_t i = 0; i < h->n_insts; i++) {
    const struct hot_inst *x = &h->insts[i];
    bool waits = waits_for_atomic(h, x), stands = sass_is_global_atomic(&h->kernels[x->kernel].sass.insts[x->at]);
    for (size_t k = 0; k < x->n_reasons && (waits || stands); k++) {
      double n = is_wait(x->reasons[k].reason) ? (double)x->reasons[k].samples : 0;
      bool of_operand = !waits && x->n_feeds > 0 && strcmp(x->reasons[k].reason, "long_scoreboard") == 0;
      out.at += n;
      out.operands += of_operand ? n : 0;
    }
  }
  return (struct atomic_waits){out.at / (double)h->samples, out.operands / (double)h->samples};
}

/* Waits for loads that the model takes for a queue's: memory is busy by turns only. */
static double turns_s(const struct rule_input *in, double unexplained_s) {
  const struct workload *w = &in->f->bounds.work;
  if (!in->waits.by_turns)
    return 0;
  double told = or_zero(w->loads_s) * (1 + or_zero(w->slow_loads));
  return fmin(fmax(warp_seconds(in, "stall_long_scoreboard") - told, 0), unexplained_s);
}

/* Of what a turn copies some is waited for: by a warp of the block at least, where it alone loads and the others wait for it at a barrier. */
static bool waits_for_copies(const struct rule_input *in) {
  static const double WORTH = 0.02; /* of the time: advice that saves less is not given */
  return rule_value(in, "stall_long_scoreboard_share", 0) * fmax(or_zero(in->f->bounds.work.warps_per_block), 1) >=
         WORTH;
}

/* A warp in the mean mostly waits for the one that walks: what that one waits for is the same part of its own time. */
static void walk_is_all(struct rule_input *in) {
  double barriers = rule_value(in, "stall_barrier_share", 0);
  if (!(barriers < 1) || !walks_alone(in))
    return;
  in->waits.of_a_walk = true;
  in->waits.barrier_s = 0;
  in->work.barriers_s = value_of(0);
  struct value *const own[] = {&in->work.loads_s, &in->work.dependencies_s, &in->work.own_issue_s};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    value_scale(own[i], 1 / (1 - barriers));
}

void rule_baseline(struct rule_input *in) {
  const struct bounds *b = &in->f->bounds;
  struct rule_waits *x = &in->waits;
  in->work = b->work;
  double local = local_part(in), unexplained_s = fmax(in->time_s - or_zero(b->time_s), 0);
  *x = (struct rule_waits){
      .barrier_s = warp_seconds(in, "stall_barrier"),
      .local_s = local * (warp_seconds(in, "stall_long_scoreboard") + warp_seconds(in, "stall_lg_throttle"))};
  x->local_s = fmin(x->local_s, unexplained_s);
  size_t loop = in->sass ? sass_turns(in->sass) : SASS_NONE;
  x->by_turns = loop != SASS_NONE && sass_turns_matter(in->sass, loop) && waits_for_copies(in);
  x->turns_s = turns_s(in, unexplained_s - x->local_s);
  if (x->local_s + x->turns_s > 0)
    in->work.dependencies_s = value_of(or_zero(b->work.dependencies_s) + x->local_s + x->turns_s);
  walk_is_all(in);
  struct atomic_waits atomics = atomic_waits_of(in);
  double rate = in->all->rates.of[RATE_ATOMIC_SECTORS].value, queue_s = atomics.at * in->time_s;
  x->atomics_s = queue_s;
  x->operands_s = atomics.operands * in->time_s;
  if (in->work.atomic_sectors.present)
    in->work.atomic_sectors.v = fmax(in->work.atomic_sectors.v, queue_s * rate);
}
