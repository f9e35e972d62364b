#include "analysis/signs/local.h"

#include "analysis/idioms/local_memory.h"

#include <math.h>

void local_kinds_of(struct local_kinds *out, struct sass *s, long told) {
  static const double NAMED = 0.1;
  struct sass_local x;
  sass_local_of(&x, s);
  double all = x.fixed + x.computed;
  *out = (struct local_kinds){.part = all > 0 ? (x.computed + x.array) / all : 0, .bytes = x.bytes};
  out->array = all > 0 && (told == 0 || out->part >= NAMED);
  out->table = out->array && x.table;
  out->spills = all > 0 && told != 0 && (told > 0 || 1 - out->part >= NAMED);
}

about_kind *local_access(const struct local_kinds *x) {
  return x->array && !x->table ? sass_is_indexed : about_local; /* what fills a table costs, too */
}
