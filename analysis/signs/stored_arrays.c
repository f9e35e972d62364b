#include "analysis/signs/stored_arrays.h"

#include "analysis/sass/sass.h"

#include <math.h>

static bool stores(const struct sass *s, size_t i) {
  return s->insts[i].class == SASS_STORE_GLOBAL && !s->insts[i].never && s->executed[i] > 0;
}

bool stores_one_array_of(const struct rule_input *in, double bytes) {
  static const double ALIKE = 0.05;
  struct sass *s = in->sass;
  bool found = false;
  for (size_t i = 0; s && s->counted && i < s->n && !found; i++) {
    double own = 0;
    bool others = false;
    for (size_t k = 0; stores(s, i) && k < s->n; k++) {
      bool alike = stores(s, k) && (i == k || sass_same_base(s, i, k));
      own += alike ? s->executed[k] * RULE_LANES * s->insts[k].bytes : 0;
      others = others || (stores(s, k) && !alike);
    }
    found = others && fabs(own - bytes) <= ALIKE * bytes;
  }
  return found;
}
