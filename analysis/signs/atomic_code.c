#include "analysis/signs/atomic_code.h"

#include "analysis/idioms/origins.h"
#include "analysis/signs/about.h"

#include <math.h>
#include <string.h>

struct weights {
  double all, chosen, swaps, extremes, tries, halves, floats, anew, beside, placed, counted, gathered;
  size_t n_placed;
};

enum { PLACE_PRODUCERS_MAX = 16 };

/* A load of several numbers, one of which is the index of the place; *number: its register.  SASS_NONE: there is none. */
static size_t index_load(struct sass *s, size_t i, unsigned *number) {
  const struct sass_range *place = sass_place(&s->insts[i]);
  struct sass_producer made[PLACE_PRODUCERS_MAX], of[PLACE_PRODUCERS_MAX];
  size_t n = place ? sass_producers(s, i, made, PLACE_PRODUCERS_MAX) : 0;
  for (size_t k = 0; k < n && k < PLACE_PRODUCERS_MAX; k++) {
    size_t m = made[k].range.first == place->first ? sass_producers(s, made[k].inst, of, PLACE_PRODUCERS_MAX) : 0;
    for (size_t l = 0; l < m && l < PLACE_PRODUCERS_MAX; l++) {
      const struct sass_inst *load = &s->insts[of[l].inst];
      *number = of[l].range.first;
      if (load->class == SASS_LOAD_GLOBAL && load->n_writes > 0 && load->writes[0].count > of[l].range.count)
        return of[l].inst;
    }
  }
  return SASS_NONE;
}

static bool has_neighbour(struct sass *s, size_t i) {
  unsigned number, other;
  size_t load = index_load(s, i, &number);
  for (size_t k = 0; k < s->n && load != SASS_NONE; k++)
    if (s->block_of[k] == s->block_of[i] && about_atomics(&s->insts[k]) && !s->insts[k].guarded &&
        index_load(s, k, &other) == load && other != number)
      return true;
  return false;
}

/* A float that became an integer; in an integer division what is rounded is a reciprocal that integer work has made. */
static bool is_rounded(const struct sass *s, size_t at, size_t of) {
  (void)of;
  const struct sass_inst *x = &s->insts[at];
  size_t k = at;
  if (strcmp(x->opcode, "F2I") != 0 || x->n_reads == 0)
    return false;
  while (k-- > 0)
    if (s->insts[k].n_writes > 0 && s->insts[k].writes[0].file == FILE_R &&
        s->insts[k].writes[0].first == x->reads[0].first)
      return !sass_is_integer(&s->insts[k]);
  return true;
}

bool place_is_rounded(struct sass *s, size_t i) {
  const struct sass_range *place = sass_place(&s->insts[i]);
  return place && sass_comes_from(s, i, place, is_rounded, 0);
}

static bool is_load_of(const struct sass *s, size_t at, size_t loop) {
  return s->insts[at].class == SASS_LOAD_GLOBAL && (loop == SASS_NONE || sass_in_loop(s, at, loop));
}

static bool chosen_anew(struct sass *s, size_t i) {
  const struct sass_range *place = sass_place(&s->insts[i]);
  return place && sass_comes_from(s, i, place, is_load_of, s->blocks[s->block_of[i]].loop);
}

static void weights_add(struct weights *w, struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  double n = s->counted ? fmax(s->executed[i], 0) : 1;
  bool swaps = sass_swaps_in_loop(s, i), chosen = sass_place_is_chosen(s, i);
  bool placed = chosen && place_is_rounded(s, i);
  w->all += n;
  w->chosen += chosen ? n : 0;
  w->swaps += swaps ? n : 0;
  w->extremes += swaps && sass_swaps_extremes(s, i) ? n : 0;
  w->tries += !swaps && sass_modifier(x, "CAS") ? n : 0;
  w->halves += swaps && sass_swaps_halves(s, i) ? n : 0;
  w->counted += sass_counts_places(s, i) ? n : 0;
  w->gathered += sass_adds_gathered(s, i) ? n : 0;
  w->beside += has_neighbour(s, i) ? n : 0;
  w->placed += placed ? n : 0;
  w->n_placed += placed && n > 0;
  w->anew += chosen && chosen_anew(s, i) ? n : 0;
  w->floats += sass_modifier(x, "F32") || sass_modifier(x, "F64") || sass_modifier(x, "F16x2") ? n : 0;
}

void atomic_code_of(struct atomic_code *out, const struct rule_input *in) {
  struct weights w = {0};
  for (size_t i = 0; in->sass && i < in->sass->n; i++)
    if (about_atomics(&in->sass->insts[i]) && !in->sass->insts[i].never)
      weights_add(&w, in->sass, i);
  *out = (struct atomic_code){.chosen = 2 * w.chosen > w.all,
                              .swaps = 2 * w.swaps > w.all,
                              .extremes = 2 * w.extremes > w.swaps,
                              .tries = 2 * w.tries > w.all,
                              .counted = 2 * w.counted > w.all,
                              .gathered = 2 * w.gathered > w.all,
                              .halves = 2 * w.halves > w.swaps,
                              .floats = 2 * w.floats > w.all,
                              .beside = 2 * w.beside > w.all,
                              .placed = 2 * w.placed > w.all && w.n_placed > 1,
                              .anew = 2 * w.anew > w.all};
}
