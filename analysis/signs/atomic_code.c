#include "analysis/signs/atomic_code.h"

#include "analysis/sass/advance.h"
#include "analysis/sass/origins.h"
#include "analysis/signs/about.h"

#include <math.h>

struct weights {
  double all, chosen, swaps, halves, floats, moved;
};

static void weights_add(struct weights *w, struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  double n = s->counted ? fmax(s->executed[i], 0) : 1;
  bool swaps = sass_swaps_in_loop(s, i);
  w->all += n;
  w->chosen += sass_place_is_chosen(s, i) ? n : 0;
  w->swaps += swaps ? n : 0;
  w->moved += sass_moves_in_loops(s, i) ? n : 0;
  w->halves += swaps && sass_swaps_halves(s, i) ? n : 0;
  w->floats += sass_modifier(x, "F32") || sass_modifier(x, "F64") || sass_modifier(x, "F16x2") ? n : 0;
}

void atomic_code_of(struct atomic_code *out, const struct rule_input *in) {
  struct weights w = {0};
  for (size_t i = 0; in->sass && i < in->sass->n; i++)
    if (about_atomics(&in->sass->insts[i]) && !in->sass->insts[i].never)
      weights_add(&w, in->sass, i);
  *out = (struct atomic_code){.chosen = 2 * w.chosen > w.all,
                              .swaps = 2 * w.swaps > w.all,
                              .halves = 2 * w.halves > w.swaps,
                              .floats = 2 * w.floats > w.all,
                              .moved = 2 * w.moved > w.all};
}
