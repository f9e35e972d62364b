#include "analysis/signs/handed_on.h"

#include "analysis/sass/origins.h"
#include "analysis/sass/stored_again.h"
#include "analysis/signs/local_memory.h"
#include "analysis/signs/turn_bounds.h"

#include <string.h>

static bool loads_shared(const struct sass *s, size_t at, size_t loop) {
  return s->insts[at].class == SASS_LOAD_SHARED && sass_in_loop(s, at, loop);
}

static bool is_of_others(const struct sass *s, size_t at, size_t loop) {
  return loads_shared(s, at, loop) || (s->insts[at].class == SASS_SHUFFLE && sass_in_loop(s, at, loop));
}

static bool finds_place(struct sass *s, size_t store, size_t loop) {
  const struct sass_inst *x = &s->insts[store];
  long reg = sass_address_register(x);
  for (size_t k = 0; k < x->n_reads; k++)
    if (x->reads[k].file == FILE_R && x->reads[k].first == reg)
      return sass_comes_from(s, store, &x->reads[k], is_of_others, loop);
  return false;
}

static bool same_address(const struct sass *s, size_t a, size_t b) {
  const char *of_a, *of_b;
  size_t n = sass_address(&s->insts[a], &of_a);
  return n > 0 && n == sass_address(&s->insts[b], &of_b) && strncmp(of_a, of_b, n) == 0;
}

/* The loop loads what was there, and is the first to ask for it in its turn: what earlier turns have left. */
static bool was_loaded(const struct sass *s, size_t store, size_t loop) {
  for (size_t i = 0; i < store; i++) {
    enum sass_class class = sass_in_loop(s, i, loop) && same_address(s, i, store) ? s->insts[i].class : SASS_OTHER;
    if (class == SASS_LOAD_SHARED || class == SASS_STORE_SHARED)
      return class == SASS_LOAD_SHARED;
  }
  return false;
}

/* A branch of the loop passes it by, for what shared memory says. */
static bool is_let(struct sass *s, size_t store, size_t loop) {
  for (size_t i = 0; i < store; i++) {
    const struct sass_inst *x = &s->insts[i];
    size_t to = x->branches && x->guarded && x->has_target ? sass_find(s, x->target) : SASS_NONE;
    if (to != SASS_NONE && to > store && sass_in_loop(s, i, loop) && sass_in_loop(s, to, loop) &&
        sass_comes_from(s, i, &x->guard, loads_shared, loop))
      return true;
  }
  return false;
}

/* Of a store's own loop, and behind it: what it stores has come around. */
static bool loads_behind(const struct sass *s, size_t at, size_t store) {
  return at > store && loads_shared(s, at, s->blocks[s->block_of[store]].loop);
}

/* A turn puts into shared memory what it has made of what the turn before took out of it, and what lies there says whether another turn follows: a search that
 * converges.  Atomics may bring what to work on next, which other blocks can do. */
static bool converges(struct sass *s, size_t loop) {
  bool comes_around = false;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->class == SASS_ATOMIC && sass_in_loop(s, i, loop))
      return false;
    if (x->class == SASS_STORE_SHARED && x->n_reads > 0 && s->blocks[s->block_of[i]].loop == loop)
      comes_around = comes_around || sass_comes_from(s, i, &x->reads[x->n_reads - 1], loads_behind, i);
  }
  return comes_around && sass_ends_by_shared(s, loop);
}

/* The first that a turn does with an array in local memory is to load from a computed place, and it stores to such places: a list that goes along. */
static bool keeps_list(const struct sass *s, size_t loop) {
  bool loads = false;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->never || s->executed[i] == 0 || !sass_in_loop(s, i, loop))
      continue;
    if (!loads && x->class == SASS_STORE_LOCAL)
      return false;
    loads = loads || (x->class == SASS_LOAD_LOCAL && sass_is_indexed(x));
    if (loads && x->class == SASS_STORE_LOCAL && sass_is_indexed(x))
      return true;
  }
  return false;
}

bool sass_hands_on(struct sass *s, size_t loop) {
  bool meets = false, places = false;
  for (size_t i = 0; i < s->n; i++)
    meets = meets || (s->insts[i].wait == WAIT_BLOCK && !s->insts[i].never && sass_in_loop(s, i, loop));
  for (size_t i = 0; meets && i < s->n; i++) {
    enum sass_class class = sass_in_loop(s, i, loop) ? s->insts[i].class : SASS_OTHER;
    places = places || (class == SASS_STORE_GLOBAL && finds_place(s, i, loop));
    if (class == SASS_STORE_SHARED && was_loaded(s, i, loop) && is_let(s, i, loop))
      return true;
  }
  return (places && sass_may_load_its_stores(s, loop)) || (meets && converges(s, loop)) || keeps_list(s, loop);
}
