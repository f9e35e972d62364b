#include "analysis/idioms/turn_bounds.h"

#include "analysis/idioms/guards.h"
#include "analysis/idioms/origins.h"

#include <stdlib.h>
#include <string.h>

enum {
  BOUNDS_PRODUCERS_MAX = 32,
  FIRST_ARGUMENT = 0x140
}; /* of constant bank 0: below it stands the launch, on any chip */

/* "c[0x0][0x23c]" */
static bool reads_argument(const struct sass_inst *x) {
  const char *at = strstr(x->text, "c[0x0][0x");
  return at && strtol(at + 9, NULL, 16) >= FIRST_ARGUMENT;
}

/* Loads, shuffles and the like, special registers, and functions. */
static bool varies(const struct sass_inst *x) {
  return x->calls || strstr(x->text, "SR_") ||
         (x->wait != WAIT_NONE && x->class != SASS_LOAD_CONSTANT && x->class != SASS_UNIFORM && !sass_is_integer(x));
}

static bool asks_for_argument(struct sass *s, size_t branch, size_t loop) {
  (void)loop;
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  bool *seen = calloc(s->n + 1, sizeof *seen), argument = false, other = false;
  list[n++] = branch;
  while (n > 0 && !other) {
    struct sass_producer from[BOUNDS_PRODUCERS_MAX];
    size_t all = sass_producers(s, list[--n], from, BOUNDS_PRODUCERS_MAX);
    other = all > BOUNDS_PRODUCERS_MAX;
    for (size_t k = 0; k < all && !other; k++) {
      size_t at = from[k].inst;
      if (seen[at])
        continue;
      seen[at] = true;
      argument = argument || reads_argument(&s->insts[at]);
      other = varies(&s->insts[at]);
      list[n++] = at;
    }
  }
  free(list);
  free(seen);
  return argument && !other;
}

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

bool sass_bound_is_argument(struct sass *s, size_t loop) {
  return leaves_by(s, loop, asks_for_argument) != SASS_NONE;
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
