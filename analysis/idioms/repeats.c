#include "analysis/idioms/repeats.h"

#include <math.h>

/* For each time that a warp enters the loop: those that come to its end may leave there, or turn again. */
static double turns_most(const struct sass *s, const struct sass_loop *l) {
  double turns = s->blocks[l->header].executed, ends = 0;
  for (size_t b = 0; b < s->n_blocks; b++)
    for (size_t k = 0; k < s->blocks[b].n_succ; k++)
      if (s->blocks[b].succ[k] == l->header && sass_in_loop(s, s->blocks[b].first, (size_t)(l - s->loops)))
        ends += fmax(s->blocks[b].executed, 0);
  return turns > ends ? turns / (turns - ends) : INFINITY;
}

/* Where counts are estimates they do not say how often a loop is entered: its turns for each turn
 * of the loop around it, or for each warp of the kernel.  Half way between one and two. */
static bool turns_once(const struct sass *s, const struct sass_loop *l) {
  static const double TURNS = 2, ESTIMATED = 1.5;
  double around = s->blocks[l->parent == SASS_NONE ? 0 : s->loops[l->parent].header].executed;
  double turns = s->blocks[l->header].executed;
  return l->trips.present ? l->trips.v < TURNS
                          : l->header > 0 && turns > 0 && (turns < ESTIMATED * around || turns_most(s, l) < ESTIMATED);
}

bool sass_repeats(const struct sass *s, size_t i) {
  for (size_t l = s->blocks[s->block_of[i]].loop; l != SASS_NONE; l = s->loops[l].parent)
    if (!turns_once(s, &s->loops[l]))
      return true;
  return false;
}
