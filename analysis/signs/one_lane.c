#include "analysis/signs/one_lane.h"

#include "analysis/signs/barrier_work.h"

#include <math.h>
#include <stdlib.h>

/* Times that a block of code is come to, turns of loops apart; -1: not known. */
static double entered(const struct sass *s, size_t block) {
  double n = s->blocks[block].executed;
  for (size_t l = s->blocks[block].loop; l != SASS_NONE; l = s->loops[l].parent) {
    if (!s->loops[l].trips.present || s->loops[l].trips.v <= 0)
      return -1;
    n /= s->loops[l].trips.v;
  }
  return n;
}

/* All that runs there runs on one lane, of one warp of each block of the grid. */
static bool is_of_one_lane(const struct sass *s, size_t block, double blocks) {
  static const double COUNTED = 1.1; /* counts of threads and trips, each rounded */
  const struct sass_block *b = &s->blocks[block];
  double n = b->executed > 0 ? entered(s, block) : -1;
  if (n <= 0 || n > COUNTED * blocks)
    return false;
  for (size_t i = b->first; i < b->first + b->n; i++)
    if (s->insts[i].wait == WAIT_BLOCK ||
        (s->executed[i] > 0 && !(s->threads[i] >= 0 && s->threads[i] <= COUNTED * s->executed[i])))
      return false;
  return true;
}

static bool is_shared(const struct sass_inst *x) {
  return x->class == SASS_LOAD_SHARED || x->class == SASS_STORE_SHARED;
}

bool one_lane_of(struct one_lane *out, const struct rule_input *in) {
  static const double HALF = 0.5;
  const struct sass *s = in->sass;
  double blocks = grid_blocks(in), warps = or_zero(in->f->bounds.work.warps_per_block), all = 0, most = 0;
  *out = (struct one_lane){.at = SASS_NONE};
  if (!s || !s->counted || s->estimated || s->spread || blocks <= 0 || warps <= 1)
    return false;
  bool *before = before_barriers(s);
  for (size_t b = 0; b < s->n_blocks; b++) {
    double n = fmax(s->blocks[b].executed, 0) * (double)s->blocks[b].n;
    all += n;
    if (!before[b] || !is_of_one_lane(s, b, blocks))
      continue;
    out->insts += n / blocks;
    for (size_t i = s->blocks[b].first; i < s->blocks[b].first + s->blocks[b].n; i++) {
      double times = fmax(s->executed[i], 0) / blocks;
      out->values += s->insts[i].class == SASS_LOAD_SHARED ? times : 0;
      out->shared += is_shared(&s->insts[i]) ? times : 0;
    }
    out->at = n > most ? s->blocks[b].first : out->at;
    most = fmax(most, n);
  }
  free(before);
  return out->at != SASS_NONE && out->insts >= HALF * all / (blocks * warps);
}
