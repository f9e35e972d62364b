#include "analysis/signs/lookups.h"

#include "analysis/idioms/widened.h"

static bool is_for_doubles(struct sass *s, size_t load) {
  enum { PRODUCERS = 16 };
  struct sass_producer from[PRODUCERS];
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0, n = s->insts[i].class == SASS_FP64 ? sass_producers(s, i, from, PRODUCERS) : 0;
         k < n && k < PRODUCERS; k++)
      if (from[k].inst == load)
        return true;
  return false;
}

double function_loads(const struct rule_input *in) {
  static const double MOST = 0.5; /* of the arithmetic: else a table of doubles is the caller's */
  double sum = 0;
  struct sass *s = in->sass;
  for (size_t i = 0; s && s->counted && i < s->n; i++)
    if (s->executed[i] > 0 && sass_is_function_table(s, i) && is_for_doubles(s, i))
      sum += s->executed[i];
  return sum > 0 && sass_widened_share(s) > MOST ? sum : 0;
}
