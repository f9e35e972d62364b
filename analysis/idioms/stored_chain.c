/* Recurrences through memory: a store of what is made of a value loaded again from where the store before went, which may be another array's for all that
 * the compiler knows.  A loop that is written out has a few such in a row, evenly spaced; fields of a structure that are made of one another seldom lie so. */
#include "analysis/idioms/stored_chain.h"
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>

enum { PRODUCERS_MAX = 32, FROM_MAX = 256 };

struct walk {
  struct sass *sass;
  size_t loop;
  size_t *list;
  uint64_t *seen, round; /* of an instruction: the last walk that met it */
  size_t *from;          /* of a store: the one that it is made of, SASS_NONE */
};

static bool is_global(const struct walk *w, size_t i, enum sass_class class) {
  const struct sass_inst *x = &w->sass->insts[i];
  return x->class == class && !x->never && sass_summed(w->sass, i, w->loop);
}

/* The nearest store before the load that goes where it reads. */
static size_t stored_by(const struct walk *w, size_t load) {
  for (size_t i = load, left = FROM_MAX; i-- > 0 && left-- > 0;)
    if (is_global(w, i, SASS_STORE_GLOBAL) && w->sass->insts[i].bytes == w->sass->insts[load].bytes &&
        sass_same_place(w->sass, i, load))
      return i;
  return SASS_NONE;
}

/* Between two instructions none writes the registers of the load's address: its writers may be the same and a turn apart. */
static bool stays(const struct walk *w, size_t load, size_t first, size_t last) {
  const struct sass_inst *at = &w->sass->insts[load];
  for (size_t i = first + 1; i < last; i++)
    for (size_t k = 0; k < w->sass->insts[i].n_writes; k++)
      for (size_t r = 0; r < at->n_reads; r++)
        if (ranges_overlap(&w->sass->insts[i].writes[k], &at->reads[r]))
          return false;
  return true;
}

/* A store before this one, of the same base, a load of whose place goes into what this one stores. */
static size_t made_of(struct walk *w, size_t store) {
  size_t n = 0;
  w->list[n++] = store;
  w->round++;
  while (n > 0) {
    struct sass_producer by[PRODUCERS_MAX];
    size_t i = w->list[--n], found = sass_first_producers(w->sass, i, by, PRODUCERS_MAX);
    for (size_t k = 0; k < found; k++) {
      size_t p = by[k].inst;
      if (w->seen[p] == w->round || p >= store || !sass_summed(w->sass, p, w->loop))
        continue;
      w->seen[p] = w->round;
      if (!is_global(w, p, SASS_LOAD_GLOBAL)) {
        w->list[n++] = p;
        continue;
      }
      size_t from = stored_by(w, p);
      if (from != SASS_NONE && sass_same_base(w->sass, from, store) &&
          sass_place_offset(&w->sass->insts[from]) != sass_place_offset(&w->sass->insts[store]) &&
          stays(w, p, from, store))
        return from;
    }
  }
  return SASS_NONE;
}

static long step_of(const struct walk *w, size_t store) {
  return sass_place_offset(&w->sass->insts[store]) - sass_place_offset(&w->sass->insts[w->from[store]]);
}

static size_t find(struct walk *w) {
  for (size_t i = 0; i < w->sass->n; i++) {
    w->from[i] = is_global(w, i, SASS_STORE_GLOBAL) ? made_of(w, i) : SASS_NONE;
    size_t before = w->from[i];
    if (before != SASS_NONE && w->from[before] != SASS_NONE && step_of(w, i) == step_of(w, before))
      return i;
  }
  return SASS_NONE;
}

size_t sass_stored_chain(struct sass *s, size_t loop) {
  struct walk w = {.sass = s, .loop = loop};
  w.list = calloc(s->n + 1, sizeof *w.list);
  w.seen = calloc(s->n + 1, sizeof *w.seen);
  w.from = calloc(s->n + 1, sizeof *w.from);
  size_t found = find(&w);
  free(w.list);
  free(w.seen);
  free(w.from);
  return found;
}
