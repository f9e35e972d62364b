/* Loads that bring the address that they load from next. */
#include "analysis/idioms/chases.h"

#include "analysis/idioms/origins.h"
#include "analysis/idioms/turn_bounds.h"

#include <stdlib.h>
#include <string.h>

enum { CHASE_PRODUCERS_MAX = 64 };

static bool passes_on(const struct sass_inst *x) {
  return x->class == SASS_LOAD_GLOBAL || (x->wait == WAIT_NONE && !x->calls);
}

/* What is made in the loop and becomes load i's address, by way of loads or not; itself where a later turn's is made of it.  Each instruction once, in a list and not
 * by recursion: kernels have chains of thousands.  The caller frees it. */
static bool *makers_of(struct sass *s, size_t i, size_t loop) {
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  bool *seen = calloc(s->n + 1, sizeof *seen);
  list[n++] = i;
  while (n > 0) {
    struct sass_producer from[CHASE_PRODUCERS_MAX];
    size_t all = sass_producers(s, list[--n], from, CHASE_PRODUCERS_MAX);
    for (size_t k = 0; k < all && all <= CHASE_PRODUCERS_MAX; k++) {
      size_t at = from[k].inst;
      bool decides = from[k].range.file == FILE_P || from[k].range.file == FILE_UP;
      if (decides || seen[at] || !sass_in_loop(s, at, loop) || !passes_on(&s->insts[at]))
        continue;
      seen[at] = true;
      list[n++] = at;
    }
  }
  free(list);
  return seen;
}

bool sass_chases(struct sass *s, size_t i) {
  size_t loop = s->blocks[s->block_of[i]].loop;
  if (loop == SASS_NONE || s->insts[i].class != SASS_LOAD_GLOBAL || s->insts[i].never)
    return false;
  bool *made = makers_of(s, i, loop), own = made[i];
  free(made);
  return own;
}

/* SHF.R.S32.HI R7, RZ, 0x1, R2. */
static bool halves(const struct sass_inst *x) {
  bool right = (strcmp(x->opcode, "SHF") == 0 || strcmp(x->opcode, "USHF") == 0) && sass_modifier(x, "R");
  return right && strstr(x->text, ", 0x1, ");
}

bool sass_searches(struct sass *s, size_t i) {
  const struct sass_range *place = sass_place(&s->insts[i]);
  size_t loop = s->blocks[s->block_of[i]].loop;
  if (!place || loop == SASS_NONE || sass_chases(s, i) || !sass_comes_from(s, i, place, sass_is_at, i))
    return false;
  bool halved = false, *made = makers_of(s, i, loop);
  for (size_t k = 0; k < s->n && !halved; k++)
    halved = made[k] && halves(&s->insts[k]);
  free(made);
  return halved;
}

/* A register that the instruction makes of itself a turn before, and that `outer` sets nowhere else. */
static bool is_carried(struct sass *s, size_t i, size_t inner, size_t outer) {
  struct sass_producer from[CHASE_PRODUCERS_MAX];
  size_t n = sass_producers(s, i, from, CHASE_PRODUCERS_MAX);
  bool own = false, anew = false;
  for (size_t k = 0; k < n && n <= CHASE_PRODUCERS_MAX; k++)
    own = own || from[k].inst == i;
  for (size_t k = 0; k < n && own; k++)
    anew = anew || (sass_in_loop(s, from[k].inst, outer) && !sass_in_loop(s, from[k].inst, inner));
  return own && !anew;
}

bool sass_chase_goes_on(struct sass *s, size_t load, size_t inner, size_t outer) {
  bool goes_on = false, *seen = makers_of(s, load, inner);
  if (sass_data_bound(s, inner) != SASS_NONE)
    for (size_t i = 0; i < s->n && !goes_on; i++)
      goes_on = seen[i] && i != load && is_carried(s, i, inner, outer);
  free(seen);
  return goes_on;
}

double sass_chased_part(struct sass *s) {
  double all = 0, chased = 0;
  for (size_t i = 0; s->counted && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double bytes = x->class == SASS_LOAD_GLOBAL && !x->never && s->executed[i] > 0 ? s->executed[i] * x->bytes : 0;
    all += bytes;
    chased += bytes > 0 && sass_chases(s, i) ? bytes : 0;
  }
  return all > 0 ? chased / all : 0;
}
