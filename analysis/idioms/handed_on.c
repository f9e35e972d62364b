#include "analysis/idioms/handed_on.h"

#include "analysis/idioms/guards.h"
#include "analysis/idioms/local_memory.h"
#include "analysis/idioms/loop_state.h"
#include "analysis/idioms/origins.h"
#include "analysis/idioms/stored_again.h"
#include "analysis/idioms/turn_bounds.h"

#include <stdlib.h>
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

/* A store to shared memory of what the loop has made, not of what it has loaded as it is. */
static bool stores_made(struct sass *s, size_t loop) {
  enum { PRODUCERS = 16 };
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    struct sass_producer from[PRODUCERS];
    if (x->class != SASS_STORE_SHARED || x->n_reads == 0 || !sass_in_loop(s, i, loop))
      continue;
    size_t n = sass_producers(s, i, from, PRODUCERS);
    for (size_t k = 0; k < n && k < PRODUCERS; k++)
      if (from[k].range.first == x->reads[x->n_reads - 1].first && from[k].range.file == FILE_R &&
          s->insts[from[k].inst].class != SASS_LOAD_GLOBAL && sass_in_loop(s, from[k].inst, loop))
        return true;
  }
  return false;
}

/* What a turn loads from global memory the turn before has chosen: shared memory that it filled says where, behind the load.  Atomics may say so, too, which other blocks
 * can ask. */
static bool chooses_next(struct sass *s, size_t loop) {
  bool chosen = false;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    const struct sass_range *place = sass_place(x);
    if (x->class == SASS_ATOMIC && sass_in_loop(s, i, loop))
      return false;
    chosen = chosen || (x->class == SASS_LOAD_GLOBAL && s->blocks[s->block_of[i]].loop == loop && place &&
                        sass_comes_from(s, i, place, loads_behind, i));
  }
  return chosen && stores_made(s, loop);
}

enum { STEP_PRODUCERS = 16, STEP_DEPTH = 4, SHIFT_MOST = 31 };

/* Its immediate, of "VIADD R10, R10, -0x4" -4; of LEA the shift. */
static long last_number(const struct sass_inst *x) {
  const char *at = strstr(x->text, ", 0x");
  at = at ? at : strstr(x->text, ", -0x");
  return at ? strtol(at + 2, NULL, 16) : 0;
}

/* It adds to what it made the turn before. */
static bool makes_own(struct sass *s, size_t i) {
  struct sass_producer from[STEP_PRODUCERS];
  size_t n = sass_producers(s, i, from, STEP_PRODUCERS);
  for (size_t k = 0; k < n && k < STEP_PRODUCERS; k++)
    if (from[k].inst == i)
      return true;
  return false;
}

/* By how much a turn of the loop moves on what instruction i reads there: through additions, moves and shifts; false: not known. */
static bool moved_by(struct sass *s, size_t loop, size_t i, const struct sass_range *r, int depth, long *by) {
  struct sass_producer from[STEP_PRODUCERS];
  size_t n = sass_producers(s, i, from, STEP_PRODUCERS), maker = SASS_NONE;
  *by = 0;
  for (size_t k = 0; k < n && k < STEP_PRODUCERS; k++) {
    if (from[k].range.file != r->file || from[k].range.first != r->first || !sass_in_loop(s, from[k].inst, loop))
      continue;
    if (maker != SASS_NONE)
      return false;
    maker = from[k].inst;
  }
  if (maker == SASS_NONE)
    return n <= STEP_PRODUCERS;
  const struct sass_inst *x = &s->insts[maker];
  bool lea = strcmp(x->opcode, "LEA") == 0 && !sass_modifier(x, "HI");
  bool adds = strcmp(x->opcode, "IADD3") == 0 || strcmp(x->opcode, "VIADD") == 0 || strcmp(x->opcode, "MOV") == 0 ||
              sass_modifier(x, "IADD") || sass_modifier(x, "MOV");
  if (depth == 0 || x->guarded || (!lea && !adds) || strstr(x->text, "-R"))
    return false;
  if (adds && x->n_reads == 1 && makes_own(s, maker)) {
    *by = last_number(x);
    return true;
  }
  for (size_t k = 0; k < x->n_reads; k++) {
    long step = 0;
    if (x->reads[k].file == FILE_R && !moved_by(s, loop, maker, &x->reads[k], depth - 1, &step))
      return false;
    *by += lea && k == 0 ? step * (1L << (last_number(x) & SHIFT_MOST)) : step;
  }
  return true;
}

/* What a turn stores in shared memory its thread loads in the next, from the same register's place, moved on by a turn. */
static bool stores_for_next(struct sass *s, size_t loop) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *store = &s->insts[i];
    const struct sass_range *place = sass_place(store);
    if (store->class != SASS_STORE_SHARED || s->blocks[s->block_of[i]].loop != loop || !place)
      continue;
    long between, by;
    if (!moved_by(s, loop, i, place, STEP_DEPTH, &by))
      continue;
    for (size_t k = 0; k < s->n && by != 0; k++) {
      const struct sass_inst *load = &s->insts[k];
      if (load->class == SASS_LOAD_SHARED && load->bytes == store->bytes && s->blocks[s->block_of[k]].loop == loop &&
          sass_bytes_between(load, store, &between) && between == by)
        return true;
    }
  }
  return false;
}

/* The same of the loop or of one within it: then what it builds up is the block's. */
static bool builds_up(struct sass *s, size_t loop) {
  for (size_t l = 0; l < s->n_loops; l++)
    if (sass_in_loop(s, s->blocks[s->loops[l].header].first, loop) && stores_for_next(s, l))
      return true;
  return false;
}

static bool asks_shared(struct sass *s, size_t i, size_t loop) {
  return s->insts[i].guarded && sass_comes_from(s, i, &s->insts[i].guard, loads_shared, loop);
}

static bool goes_on_where_let(struct sass *s, size_t i, size_t loop) {
  const struct sass_inst *x = &s->insts[i];
  return !x->never && x->n_reads > 0 && s->blocks[s->block_of[i]].loop == loop &&
         sass_comes_from(s, i, &x->reads[0], sass_is_at, i) && sass_is_let(s, i, loop, asks_shared);
}

/* Shared memory says whether a turn goes on with a value that it has of the turns before, and the value that it makes so is put there: what later turns ask.  Atomics may
 * say so, too, which others can ask. */
static bool asks_its_own(struct sass *s, size_t loop) {
  bool asks = false;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->class == SASS_ATOMIC && sass_in_loop(s, i, loop))
      return false;
    if (asks || x->class != SASS_STORE_SHARED || x->never || x->n_reads == 0 ||
        s->blocks[s->block_of[i]].loop != loop || !sass_is_let(s, i, loop, asks_shared))
      continue;
    for (size_t k = 0; k < s->n && !asks; k++)
      asks = goes_on_where_let(s, k, loop) && sass_comes_from(s, i, &x->reads[x->n_reads - 1], sass_is_at, k);
  }
  return asks;
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
  for (size_t i = 0; meets && i < s->n; i++)
    places = places || (s->insts[i].class == SASS_STORE_GLOBAL && sass_in_loop(s, i, loop) && finds_place(s, i, loop));
  return (places && sass_may_load_its_stores(s, loop)) || (meets && (converges(s, loop) || chooses_next(s, loop))) ||
         builds_up(s, loop) || keeps_list(s, loop) || asks_its_own(s, loop) || sass_steps_through_array(s, loop) ||
         sass_keeps_state_of_tables(s, loop);
}
