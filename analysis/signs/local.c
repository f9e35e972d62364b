#include "analysis/signs/local.h"

#include "analysis/idioms/local_memory.h"
#include "analysis/idioms/origins.h"
#include "analysis/idioms/turn_bounds.h"

#include <math.h>

/* The array's place is that of the turn, of a loop with no more turns than the array has words, or one around it, whose bound is an argument. */
static bool turns_by_argument(struct sass *s, size_t access, double bytes) {
  for (size_t l = s->blocks[s->block_of[access]].loop; l != SASS_NONE; l = s->loops[l].parent) {
    struct value trips = s->loops[l].trips;
    if (trips.present && trips.v <= bytes / REGISTER_BYTES && sass_bound_is_argument(s, l))
      return true;
  }
  return false;
}

/* Most accesses at computed places would have fixed ones if such loops were unrolled. */
static bool is_by_argument(struct sass *s, double bytes) {
  double all = 0, part = 0;
  for (size_t i = 0; s->counted && i < s->n; i++) {
    double n = sass_is_indexed(&s->insts[i]) ? fmax(s->executed[i], 0) : 0;
    all += n;
    part += n > 0 && !sass_place_is_chosen(s, i) && turns_by_argument(s, i, bytes) ? n : 0;
  }
  return 2 * part > all;
}

void local_kinds_of(struct local_kinds *out, struct sass *s, long told) {
  static const double NAMED = 0.1;
  struct sass_local x;
  sass_local_of(&x, s);
  double all = x.fixed + x.computed;
  *out = (struct local_kinds){.part = all > 0 ? (x.computed + x.array) / all : 0, .bytes = x.bytes};
  out->array = all > 0 && (told == 0 || out->part >= NAMED);
  out->table = out->array && x.table;
  out->same = out->table && sass_local_same(s);
  out->by_argument = out->array && !out->table && is_by_argument(s, x.bytes);
  out->spills = all > 0 && told != 0 && (told > 0 || 1 - out->part >= NAMED);
}

about_kind *local_access(const struct local_kinds *x) {
  return x->array && !x->table ? sass_is_indexed : about_local; /* what fills a table costs, too */
}
