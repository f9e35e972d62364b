#include "analysis/idioms/loop_state.h"

#include "analysis/idioms/guards.h"
#include "analysis/idioms/origins.h"
#include "analysis/idioms/stored_again.h"

#include <string.h>

enum { CARRIED_PRODUCERS = 32 };

static bool is_own(const struct sass *s, size_t at, size_t loop) {
  return s->blocks[s->block_of[at]].loop == loop && !s->insts[at].never;
}

/* ---- counts ---- */

static bool asks_data(struct sass *s, size_t i, size_t loop) {
  (void)loop;
  return sass_asks_data(s, i);
}

static bool counts_on(struct sass *s, size_t i, size_t loop) {
  const struct sass_inst *x = &s->insts[i];
  bool adds = opcode_is(x, "IADD3") || opcode_is(x, "VIADD") || opcode_is(x, "IADD");
  return adds && is_own(s, i, loop) && x->n_reads > 0 && sass_comes_from(s, i, &x->reads[0], sass_is_at, i) &&
         sass_is_let(s, i, loop, asks_data);
}

/* A comparison that the branch asks for, by its guard or a further predicate, reads the number. */
static bool asks_for(struct sass *s, size_t branch, size_t count) {
  struct sass_producer from[CARRIED_PRODUCERS], of[CARRIED_PRODUCERS];
  size_t n = sass_first_producers(s, branch, from, CARRIED_PRODUCERS);
  for (size_t k = 0; k < n; k++) {
    size_t test = from[k].inst,
           m = opcode_is(&s->insts[test], "ISETP") ? sass_first_producers(s, test, of, CARRIED_PRODUCERS) : 0;
    for (size_t r = 0; r < m; r++)
      if (of[r].inst == count)
        return true;
  }
  return false;
}

static bool leaves(const struct sass *s, size_t i, size_t loop) {
  const struct sass_block *b = &s->blocks[s->block_of[i]];
  if (!s->insts[i].branches || !s->insts[i].guarded || b->first + b->n - 1 != i || !sass_in_loop(s, i, loop))
    return false;
  for (size_t k = 0; k < b->n_succ; k++)
    if (!sass_in_loop(s, s->blocks[b->succ[k]].first, loop))
      return true;
  return false;
}

/* A store of the loop goes where such a number, or a pointer that moves on with it, says. */
static bool places_by_count(struct sass *s, size_t loop) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool stores = x->class == SASS_STORE_GLOBAL || x->class == SASS_STORE_SHARED || x->class == SASS_STORE_LOCAL;
    const struct sass_range *place = stores && !x->never && sass_in_loop(s, i, loop) ? sass_place(x) : NULL;
    for (size_t k = 0; place && k < s->n; k++)
      if (counts_on(s, k, loop) && sass_comes_from(s, i, place, sass_is_at, k))
        return true;
  }
  return false;
}

static bool leaves_by_count(struct sass *s, size_t loop) {
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; leaves(s, i, loop) && k < s->n; k++)
      if (is_own(s, k, loop) && asks_for(s, i, k) && counts_on(s, k, loop))
        return true;
  return false;
}

bool sass_ends_by_own_count(struct sass *s, size_t loop) {
  return leaves_by_count(s, loop) && places_by_count(s, loop);
}

/* ---- memory ---- */

static bool is_global(const struct sass *s, size_t i, enum sass_class class, size_t loop) {
  return s->insts[i].class == class && sass_summed(s, i, loop);
}

static const struct sass_range *stored(const struct sass_inst *x) {
  return x->n_reads > 0 ? &x->reads[x->n_reads - 1] : NULL; /* the last operand */
}

bool sass_steps_through_array(struct sass *s, size_t loop) {
  bool meets = false;
  for (size_t i = 0; i < s->n && !meets; i++)
    meets = s->insts[i].wait == WAIT_BLOCK && sass_summed(s, i, loop);
  if (!meets || !sass_may_load_its_stores(s, loop))
    return false;
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; k < s->n && is_global(s, i, SASS_STORE_GLOBAL, loop); k++)
      if (is_global(s, k, SASS_LOAD_GLOBAL, loop) && s->insts[k].bytes == s->insts[i].bytes && stored(&s->insts[i]) &&
          !sass_same_place(s, i, k) && sass_comes_from(s, i, stored(&s->insts[i]), sass_is_at, k) &&
          sass_same_array(s, k, i))
        return true;
  return false;
}

bool sass_keeps_state_of_tables(struct sass *s, size_t loop) {
  bool keeps = false, walks = false;
  for (size_t i = 0; i < s->n && !(keeps && walks); i++) {
    const struct sass_inst *x = &s->insts[i];
    bool looks_up = x->class == SASS_LOAD_CONSTANT || x->class == SASS_LOAD_SHARED || x->class == SASS_LOAD_GLOBAL;
    const struct sass_range *place = looks_up && sass_summed(s, i, loop) ? sass_place(x) : NULL;
    keeps = keeps || (x->class == SASS_STORE_LOCAL && sass_summed(s, i, loop));
    walks = walks || (place && sass_comes_from(s, i, place, sass_is_at, i));
  }
  return keeps && walks;
}

/* ---- sums in global memory ---- */

/* The load of the loop from where this stores whose value goes into the sum that it stores; SASS_NONE: it stores no such. */
static size_t added_to(struct sass *s, size_t store, size_t loop) {
  static const char *const adding[] = {"FADD", "FFMA", "DADD", "DFMA", "IADD3", "IADD", "VIADD", "IMAD"};
  struct sass_producer from[CARRIED_PRODUCERS], of[CARRIED_PRODUCERS];
  const struct sass_range *value = stored(&s->insts[store]);
  size_t n = value ? sass_first_producers(s, store, from, CARRIED_PRODUCERS) : 0;
  for (size_t k = 0; k < n; k++) {
    bool adds = false;
    for (size_t a = 0; a < sizeof adding / sizeof adding[0]; a++)
      adds = adds || opcode_is(&s->insts[from[k].inst], adding[a]);
    size_t m =
        adds && ranges_same(&from[k].range, value) ? sass_first_producers(s, from[k].inst, of, CARRIED_PRODUCERS) : 0;
    for (size_t r = 0; r < m; r++)
      if (is_global(s, of[r].inst, SASS_LOAD_GLOBAL, loop) && sass_same_place(s, of[r].inst, store))
        return of[r].inst;
  }
  return SASS_NONE;
}

size_t sass_adds_in_place(struct sass *s, size_t loop) {
  size_t first = SASS_NONE;
  for (size_t i = 0; i < s->n; i++) {
    if (!is_global(s, i, SASS_STORE_GLOBAL, loop) || added_to(s, i, loop) == SASS_NONE)
      continue;
    if (first != SASS_NONE && !sass_same_place(s, i, first) && sass_same_array(s, i, first))
      return first;
    first = first != SASS_NONE ? first : i;
  }
  return SASS_NONE;
}
