#include "analysis/idioms/grid_barriers.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_INSTS = 32 }; /* of a loop that polls and does nothing else, at most; grid.sync() has 6 */

/* A load that no cache may answer. */
static bool polls(const struct sass_inst *x) {
  return x->class == SASS_LOAD_GLOBAL && sass_modifier(x, "STRONG");
}

static bool announces(const struct sass_inst *x) {
  return !x->never && x->class == SASS_ATOMIC && x->space != SPACE_SHARED &&
         (sass_modifier(x, "ADD") || sass_modifier(x, "INC"));
}

static bool is_barrier(const struct sass_inst *x) {
  return x->wait == WAIT_BLOCK && !x->never;
}

/* The load of a loop that only polls; SASS_NONE: it does more, or holds a barrier. */
static size_t polled(const struct sass *s, size_t loop) {
  size_t load = SASS_NONE;
  for (size_t i = 0; i < s->n && s->loops[loop].n_insts <= POLL_INSTS; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (!sass_in_loop(s, i, loop) || x->never)
      continue;
    if (is_barrier(x) || x->class == SASS_ATOMIC || x->class == SASS_STORE_GLOBAL)
      return SASS_NONE;
    load = polls(x) ? i : load;
  }
  return load;
}

/* Both name the same place: "[R14.64+0x4]". */
static bool same_place(const struct sass_inst *a, const struct sass_inst *b) {
  const char *x, *y;
  size_t n = sass_address(a, &x);
  return n > 0 && sass_address(b, &y) == n && strncmp(x, y, n) == 0;
}

static bool is_fence(const struct sass_inst *x) {
  return strcmp(x->opcode, "MEMBAR") == 0 && !sass_modifier(x, "CTA");
}

struct grid_barrier {
  size_t before, adds, behind; /* SASS_NONE: there is none */
};

/* Of the wait that a load polls in; false: it is for something else. */
static bool wait_of(struct grid_barrier *out, const struct sass *s, size_t load) {
  bool told = false;
  *out = (struct grid_barrier){SASS_NONE, SASS_NONE, load};
  for (size_t i = load; i-- > 0 && out->before == SASS_NONE;) {
    const struct sass_inst *x = &s->insts[i];
    if (is_barrier(x))
      out->before = i;
    if (out->adds == SASS_NONE && announces(x)) {
      out->adds = i;
      told = same_place(x, &s->insts[load]);
    }
    told = told || (out->adds != SASS_NONE && is_fence(x));
  }
  while (out->behind < s->n && !is_barrier(&s->insts[out->behind]))
    out->behind++;
  return told && out->before != SASS_NONE && out->behind < s->n;
}

bool *sass_grid_barriers(const struct sass *s) {
  bool *marked = calloc(s->n + 1, sizeof *marked), any = false;
  for (size_t l = 0; l < s->n_loops; l++) {
    size_t load = polled(s, l);
    struct grid_barrier x;
    if (load != SASS_NONE && wait_of(&x, s, load))
      any = marked[x.before] = marked[x.adds] = marked[x.behind] = true;
  }
  if (any)
    return marked;
  free(marked);
  return NULL;
}
