#include "analysis/idioms/turn_bounds.h"

#include "analysis/idioms/guards.h"
#include "analysis/idioms/origins.h"

#include <stdlib.h>
#include <string.h>

/* A branch out of the loop, or back to its start, of which `asks` holds; SASS_NONE: there is none. */
static size_t leaves_by(struct sass *s, size_t loop, bool (*asks)(struct sass *, size_t, size_t)) {
  for (size_t b = 0; b < s->n_blocks; b++) {
    size_t last = s->blocks[b].first + s->blocks[b].n - 1, inside = 0;
    if (!sass_in_loop(s, last, loop) || !s->insts[last].branches || !s->insts[last].guarded)
      continue;
    for (size_t k = 0; k < s->blocks[b].n_succ; k++)
      inside += sass_in_loop(s, s->blocks[s->blocks[b].succ[k]].first, loop);
    if (inside < s->blocks[b].n_succ && asks(s, last, loop))
      return last;
  }
  return SASS_NONE;
}

static bool loads_in(const struct sass *s, size_t at, size_t loop) {
  return s->insts[at].class == SASS_LOAD_GLOBAL && sass_in_loop(s, at, loop);
}

static bool asks_for_load(struct sass *s, size_t branch, size_t loop) {
  return sass_comes_from(s, branch, &s->insts[branch].guard, loads_in, loop);
}

static bool loads_shared_in(const struct sass *s, size_t at, size_t loop) {
  return s->insts[at].class == SASS_LOAD_SHARED && sass_in_loop(s, at, loop);
}

static bool asks_for_shared(struct sass *s, size_t branch, size_t loop) {
  return sass_comes_from(s, branch, &s->insts[branch].guard, loads_shared_in, loop);
}

bool sass_ends_by_shared(struct sass *s, size_t loop) {
  return leaves_by(s, loop, asks_for_shared) != SASS_NONE;
}

static bool is_this(const struct sass *s, size_t at, size_t of) {
  (void)s;
  return at == of;
}

/* Load i goes where it or another load of the loop, whose place follows from itself, has pointed a turn before. */
static bool is_chained(struct sass *s, size_t i, size_t loop) {
  const struct sass_range *place = sass_place(&s->insts[i]);
  for (size_t k = 0; place && k < s->n; k++) {
    const struct sass_range *own = loads_in(s, k, loop) ? sass_place(&s->insts[k]) : NULL;
    if (own && sass_comes_from(s, i, place, is_this, k) && sass_comes_from(s, k, own, is_this, k))
      return true;
  }
  return false;
}

bool sass_end_is_chained(struct sass *s, size_t loop) {
  size_t branch = leaves_by(s, loop, asks_for_load);
  for (size_t i = 0; i < s->n && branch != SASS_NONE; i++)
    if (loads_in(s, i, loop) && sass_comes_from(s, branch, &s->insts[branch].guard, is_this, i) &&
        is_chained(s, i, loop))
      return true;
  return false;
}

size_t sass_loads_to_end(struct sass *s, size_t loop) {
  size_t branch = leaves_by(s, loop, asks_for_load), n = 0;
  for (size_t i = 0; i < s->n && branch != SASS_NONE; i++)
    n += loads_in(s, i, loop) && sass_comes_from(s, branch, &s->insts[branch].guard, is_this, i);
  return n;
}

static bool asks_for_data(struct sass *s, size_t branch, size_t loop) {
  (void)loop;
  return sass_asks_data(s, branch);
}

size_t sass_data_bound(struct sass *s, size_t loop) {
  return leaves_by(s, loop, asks_for_data);
}
