/* Copying and computing by turns: a loop that waits, in the turn that starts them, for the bytes
 * that it then works on from shared memory. */
#include "analysis/sass/sass_parts.h"

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
  size_t n = sass_producers(s, store, from, PRODUCERS_MAX);
  for (size_t k = 0; k < n && k < PRODUCERS_MAX; k++) {
    size_t load = from[k].inst;
    bool own = load < store && s->insts[load].class == SASS_LOAD_GLOBAL && sass_in_loop(s, load, loop);
    for (size_t i = load; own && i < store; i++)
      own = s->insts[i].class != SASS_LOAD_SHARED && !is_barrier(&s->insts[i]);
    if (own)
      return true;
  }
  return false;
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
    bool copies = holds(s, loop, is_async_copy) && holds(s, loop, waits_for_all) && !holds(s, loop, leaves_some);
    if (copies || fills_own_turn(s, loop))
      return loop;
  }
  return SASS_NONE;
}
