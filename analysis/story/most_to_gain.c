#include "analysis/story/most_to_gain.h"

static bool more(const struct finding *a, const struct finding *b) {
  if (a->of_sol.present != b->of_sol.present)
    return a->of_sol.present;
  if (a->of_sol.present)
    return a->of_sol.v < b->of_sol.v;
  if (a->timed != b->timed)
    return a->timed;
  return a->timed && a->time.middle > b->time.middle;
}

size_t most_to_gain(const struct finding *const *items, size_t n) {
  size_t best = 0;
  for (size_t i = 1; i < n; i++)
    if (more(items[i], items[best]))
      best = i;
  return best;
}
