/* Copying and computing by turns: a loop that waits, in the turn that starts them, for the bytes
 * that it then works on from shared memory. */
#include "analysis/sass/sass_parts.h"

#include <math.h>

enum { PRODUCERS_MAX = 16 };

static bool is_barrier(const struct sass_inst *x) {
  return x->wait == WAIT_BLOCK;
}

static bool holds(const struct sass *s, size_t loop, bool (*is)(const struct sass_inst *x)) {
  for (size_t i = 0; i < s->n; i++)
    if (!s->insts[i].never && is(&s->insts[i]) && sass_in_loop(s, i, loop))
      return true;
  return false;
}

static bool is_async_copy(const struct sass_inst *x) {
  return x->access == ACCESS_ASYNC_COPY;
}

static bool waits_for_all(const struct sass_inst *x) {
  unsigned left = 1;
  return sass_groups_left(x, &left) && left == 0;
}

static bool leaves_some(const struct sass_inst *x) {
  unsigned left = 0;
  return sass_groups_left(x, &left) && left > 0;
}

/* A load of the loop, before the store, that brings what it stores; and nothing reads shared memory
 * in between: a tile that is loaded a turn ahead waits in registers while the one before is
 * read. */
static bool stores_own_turn(struct sass *s, size_t store, size_t loop) {
  struct sass_producer from[PRODUCERS_MAX];
  size_t n = sass_first_producers(s, store, from, PRODUCERS_MAX);
  for (size_t k = 0; k < n; k++) {
    size_t load = from[k].inst;
    bool own = load < store && s->insts[load].class == SASS_LOAD_GLOBAL && sass_in_loop(s, load, loop);
    for (size_t i = load; own && i < store; i++)
      own = s->insts[i].class != SASS_LOAD_SHARED && !is_barrier(&s->insts[i]);
    if (own)
      return true;
  }
  return false;
}

/* A load that a store to shared memory of the same loop stores. */
static double stored_loads(struct sass *s, size_t store, size_t loop) {
  struct sass_producer from[PRODUCERS_MAX];
  size_t n = sass_first_producers(s, store, from, PRODUCERS_MAX);
  double sum = 0;
  for (size_t k = 0; k < n; k++)
    if (s->insts[from[k].inst].class == SASS_LOAD_GLOBAL && sass_in_loop(s, from[k].inst, loop))
      sum += s->executed[from[k].inst];
  return sum;
}

static const double matter_turns = 2, matter_share = 0.5;

/* Warps, by the block that all begin with and by the instructions that end those which have not
 * left early; estimates of either may be too high. */
static double warps_of(const struct sass *s, size_t loop) {
  double ends = 0;
  for (size_t i = 0; i < s->n; i++)
    ends += s->insts[i].ends && !s->insts[i].guarded ? fmax(s->executed[i], 0) : 0;
  return s->loops[loop].header == 0 ? ends : fmin(ends, s->blocks[0].executed);
}

/* Its cp.async are waited for in the turn that starts them. */
static bool waits_for_own_copies(const struct sass *s, size_t loop) {
  return holds(s, loop, is_async_copy) && holds(s, loop, waits_for_all) && !holds(s, loop, leaves_some);
}

bool sass_turns_matter(struct sass *s, size_t loop) {
  double copies = 0, loads = 0;
  bool own = waits_for_own_copies(s, loop);
  for (size_t i = 0; i < s->n && s->counted; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool copy = is_async_copy(x);
    loads += copy || x->class == SASS_LOAD_GLOBAL ? fmax(s->executed[i], 0) : 0;
    if (copy && own && sass_in_loop(s, i, loop))
      copies += fmax(s->executed[i], 0);
    else if (x->class == SASS_STORE_SHARED && sass_in_loop(s, i, loop))
      copies += stored_loads(s, i, loop);
  }
  return !s->counted || (s->blocks[s->loops[loop].header].executed >= matter_turns * warps_of(s, loop) &&
                         copies >= matter_share * loads);
}

static bool fills_own_turn(struct sass *s, size_t loop) {
  for (size_t i = 0; i < s->n; i++)
    if (s->insts[i].class == SASS_STORE_SHARED && sass_in_loop(s, i, loop) && stores_own_turn(s, i, loop))
      return true;
  return false;
}

static bool is_shared_load(const struct sass_inst *x) {
  return x->class == SASS_LOAD_SHARED;
}

size_t sass_turns(struct sass *s) {
  for (size_t loop = 0; loop < s->n_loops; loop++) {
    if (s->loops[loop].spins || !holds(s, loop, is_barrier) || !holds(s, loop, is_shared_load))
      continue;
    if (waits_for_own_copies(s, loop) || fills_own_turn(s, loop))
      return loop;
  }
  return SASS_NONE;
}
