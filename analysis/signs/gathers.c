#include "analysis/signs/gathers.h"

#include "analysis/idioms/advance.h"
#include "analysis/idioms/follows.h"
#include "analysis/idioms/origins.h"
#include "analysis/signs/about.h"

#include <math.h>

bool same_code_line(const struct sass *s, size_t i, size_t k) {
  const struct run_instruction *a = &s->kernel->sass[i], *b = &s->kernel->sass[k];
  return i == k || (a->n_lines > 0 && b->n_lines > 0 && same_line(&a->lines[0], &b->lines[0]));
}

static bool loads_in_loop(const struct sass *s, size_t at, size_t loop) {
  const struct sass_inst *x = &s->insts[at];
  return (x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED) && s->blocks[s->block_of[at]].loop == loop;
}

/* What is loaded in the same turn, and no row's begin, says what each lane accesses. */
static bool is_gather(struct sass *s, size_t i) {
  const struct sass_range *place = about_accesses(&s->insts[i]) ? sass_place(&s->insts[i]) : NULL;
  return place && s->executed[i] != 0 && sass_place_is_chosen(s, i) &&
         sass_comes_from(s, i, place, loads_in_loop, s->blocks[s->block_of[i]].loop);
}

size_t gather_at(const struct rule_input *in, const struct run_instruction *at) {
  struct sass *s = in->sass;
  size_t i = at ? (size_t)(at - s->kernel->sass) : SASS_NONE, k = 0;
  while (at && k < s->n && !(same_code_line(s, i, k) && is_gather(s, k)))
    k++;
  return at && k < s->n ? k : SASS_NONE;
}

bool lanes_walk_runs(const struct rule_input *in, const struct run_instruction *at) {
  struct sass *s = in->sass;
  size_t i = at ? (size_t)(at - s->kernel->sass) : SASS_NONE;
  long threads = (long)launch_block_threads(in->f->launch);
  double runs = 0, gathers = 0; /* executions */
  bool walks = false;
  for (size_t k = 0; at && k < s->n; k++) {
    bool turns = s->blocks[s->block_of[k]].loop != SASS_NONE; /* beside loops starts and elements are not told apart */
    if (s->insts[k].class != SASS_LOAD_GLOBAL || s->insts[k].never || s->executed[k] == 0 || !turns ||
        !same_code_line(s, i, k) || !sass_place_is_chosen(s, k))
      continue;
    bool gather = is_gather(s, k);
    walks = walks || (!gather && sass_advance_of(s, k, threads) == ADVANCE_OWN);
    *(gather ? &gathers : &runs) += s->counted ? s->executed[k] : 1;
  }
  return walks && runs >= gathers;
}
