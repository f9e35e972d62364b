/* Whether blocks do equal work, and whether fewer of them would do it all. */
#include "analysis/idioms/block_work.h"
#include "analysis/idioms/guards.h"

#include <stdlib.h>

enum { GRID_PRODUCERS_MAX = 32, GRID_DEPTH_MAX = 6 };

/* gridDim stands before the arguments in constant bank 0 up to sm_90, as nvcc 12.9 compiles it. */
static bool reads_grid(const struct sass_inst *x) {
  return strstr(x->text, "c[0x0][0xc]") || strstr(x->text, "c[0x0][0x10]") || strstr(x->text, "c[0x0][0x14]");
}

static bool from_grid(struct sass *s, size_t i, int depth) {
  struct sass_producer from[GRID_PRODUCERS_MAX];
  if (reads_grid(&s->insts[i]))
    return true;
  size_t n = depth > 0 ? sass_producers(s, i, from, GRID_PRODUCERS_MAX) : 0;
  for (size_t k = 0; k < n && k < GRID_PRODUCERS_MAX; k++)
    if (from[k].inst != i && from_grid(s, from[k].inst, depth - 1))
      return true;
  return false;
}

/* What it adds is the same in all threads, and of the grid's size; an index, which is of the block's number as well, is not the same. */
static bool adds_grid(struct sass *s, size_t i, const bool *given) {
  struct sass_producer from[GRID_PRODUCERS_MAX];
  size_t n = sass_producers(s, i, from, GRID_PRODUCERS_MAX);
  const struct sass_inst *x = &s->insts[i];
  bool number = x->n_writes > 0 && (x->writes[0].file == FILE_R || x->writes[0].file == FILE_UR);
  if (!number || (x->class != SASS_INTEGER && x->class != SASS_LOGIC && x->class != SASS_UNIFORM))
    return false;
  if (reads_grid(x) && n > 0 && !given[i])
    return true;
  for (size_t k = 0; k < n && k < GRID_PRODUCERS_MAX; k++)
    if (given[from[k].inst] && !given[i] && from_grid(s, from[k].inst, GRID_DEPTH_MAX))
      return true;
  return false;
}

/* loop: SASS_NONE: any. */
static bool strides_grid(struct sass *s, size_t loop) {
  bool *given = sass_given_make(s), strides = false;
  for (size_t i = 0; i < s->n && !strides; i++) {
    size_t own = s->blocks[s->block_of[i]].loop;
    bool asked = loop == SASS_NONE ? own != SASS_NONE : own == loop;
    strides = asked && !s->insts[i].never && adds_grid(s, i, given);
  }
  free(given);
  return strides;
}

bool sass_strides_grid(struct sass *s) {
  return strides_grid(s, SASS_NONE);
}

bool sass_loop_strides_grid(struct sass *s, size_t loop) {
  return strides_grid(s, loop);
}

/* It runs, and is the program's own. */
static bool counts(const struct sass *s, size_t i) {
  const struct sass_block *b = &s->blocks[s->block_of[i]];
  return b->reachable && !b->rare && b->function == SASS_NONE && !s->insts[i].never &&
         (!s->counted || s->estimated || s->executed[i] > 0);
}

static bool turns(const struct sass *s) {
  for (size_t k = 0; k < s->n_loops; k++)
    if (!s->loops[k].spins && counts(s, s->blocks[s->loops[k].header].first))
      return true;
  return false;
}

bool sass_blocks_alike(struct sass *s) {
  bool loops = turns(s);
  if (s->indirect || s->n_irreducible)
    return false;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool ends = x->ends && x->guarded, jumps = x->branches && x->conditional;
    if (!counts(s, i))
      continue;
    if (x->calls && sass_called(s, i) == SASS_NONE)
      return false;
    if ((ends || (jumps && loops)) && sass_asks_data(s, i))
      return false;
    if (jumps && s->blocks[s->block_of[i]].loop != SASS_NONE && sass_asks_block(s, i))
      return false;
  }
  return true;
}
