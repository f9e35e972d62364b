#include "analysis/signs/chains.h"

#include "analysis/idioms/chases.h"
#include "analysis/idioms/handed_on.h"
#include "analysis/idioms/origins.h"
#include "analysis/idioms/serial.h"
#include "analysis/signs/waves.h"

#include <math.h>

/* From an arithmetic instruction to one that reads its result: Jia et al., Dissecting Volta, 2018. */
enum { DEPENDENT_CYCLES = 4 };

size_t hot_loop(struct sass *s) {
  struct sass_summary summary;
  sass_summarise(s, &summary);
  return summary.hot;
}

size_t chained_load(const struct rule_input *in) {
  size_t loop = in->sass ? hot_loop(in->sass) : SASS_NONE;
  return loop == SASS_NONE ? SASS_NONE : sass_chained_load(in->sass, loop);
}

size_t serial_instruction(const struct rule_input *in) {
  size_t found = SASS_NONE;
  for (size_t loop = in->sass ? hot_loop(in->sass) : SASS_NONE; loop != SASS_NONE && found == SASS_NONE;
       loop = in->sass->loops[loop].parent)
    found = sass_recurrence(in->sass, loop);
  return found;
}

size_t loop_that_hands_on(const struct rule_input *in) {
  size_t loop = in->sass ? hot_loop(in->sass) : SASS_NONE;
  while (loop != SASS_NONE && !sass_hands_on(in->sass, loop))
    loop = in->sass->loops[loop].parent;
  return loop;
}

bool turns_are_serial(const struct rule_input *in) {
  size_t loop = in->sass ? hot_loop(in->sass) : SASS_NONE;
  return loop != SASS_NONE && (sass_serial_nest(in->sass, loop) != SASS_NONE || loop_that_hands_on(in) != SASS_NONE);
}

/* The instruction `by` places before, in its block or, in a loop of one block, the turn before; NULL: none. */
static const struct sass_inst *inst_before(const struct sass *s, size_t i, size_t by) {
  const struct sass_block *b = &s->blocks[s->block_of[i]];
  bool loops = false;
  for (size_t k = 0; k < b->n_succ; k++)
    loops = loops || b->succ[k] == s->block_of[i];
  if (i >= b->first + by)
    return &s->insts[i - by];
  return loops && b->n >= by ? &s->insts[i + b->n - by] : NULL;
}

double dependent_cycles(const struct sass *s) {
  double sum = 0;
  for (size_t i = 0; s && s->counted && i < s->n; i++)
    for (size_t by = 1; by < DEPENDENT_CYCLES && s->executed[i] > 0; by++) {
      const struct sass_inst *x = inst_before(s, i, by);
      if (!x || x->wait != WAIT_NONE || !sass_waits_for(&s->insts[i], x))
        continue;
      sum += s->executed[i] * (double)(DEPENDENT_CYCLES - by);
      break;
    }
  return s && s->counted ? sum : -1;
}

bool walks(const struct rule_input *in) {
  struct sass *s = in->sass;
  size_t loop = chained_load(in) == SASS_NONE ? SASS_NONE : hot_loop(s);
  for (size_t i = 0; loop != SASS_NONE && i < s->n; i++) {
    const struct sass_range *place = sass_place(&s->insts[i]);
    if (s->insts[i].class == SASS_LOAD_GLOBAL && sass_in_loop(s, i, loop) && place &&
        sass_comes_from(s, i, place, sass_is_at, i))
      return true;
  }
  return false;
}

/* An index and what it is of are two batches of one turn. */
double shareable(const struct rule_input *in) {
  return chained_load(in) == SASS_NONE ? warp_batches(in) : walks(in) ? 1 : fmax(warp_batches(in) / 2, 1);
}

bool is_of_chain(const struct rule_input *in) {
  return in->f->bounds.binding == BOUND_LATENCY || or_zero(in->f->bounds.work.warps_per_block) <= SCHEDULERS;
}

bool chases_lead(const struct rule_input *in) {
  static const double MOST = 0.5;
  return chained_load(in) != SASS_NONE && sass_chased_part(in->sass) > MOST;
}

bool all_chains_run(const struct rule_input *in, size_t load) {
  const struct sass *s = in->sass;
  size_t loop = s->blocks[s->block_of[load]].loop;
  if (!(grid_blocks(in) > 0) || grid_blocks(in) > wave_blocks(in) || !sass_chases(in->sass, load))
    return false;
  size_t inner = loop;
  for (loop = s->loops[loop].parent; loop != SASS_NONE; loop = s->loops[loop].parent)
    if ((!s->loops[loop].trips.present || s->loops[loop].trips.v >= 2) &&
        !sass_chase_goes_on(in->sass, load, inner, loop))
      return false;
  return true;
}

static bool is_of_walk(struct sass *s, size_t i) {
  switch (s->insts[i].class) {
  case SASS_LOAD_GLOBAL:
    return sass_chases(s, i);
  case SASS_LOAD_SHARED:
  case SASS_LOAD_CONSTANT:
  case SASS_CONVERT:
  case SASS_INTEGER:
  case SASS_LOGIC:
  case SASS_CONTROL:
  case SASS_UNIFORM:
    return true;
  default:
    return s->insts[i].never;
  }
}

double chase_alone(const struct rule_input *in, size_t load) {
  struct sass *s = in->sass;
  size_t loop = s->blocks[s->block_of[load]].loop;
  for (size_t i = 0; i < s->n; i++)
    if (sass_in_loop(s, i, loop) && !is_of_walk(s, i))
      return 0;
  return s->counted ? fmax(s->loops[loop].executed, 0) : 0;
}
