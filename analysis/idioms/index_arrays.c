/* The place of each is the index times the element's size, beside a pointer:
 *   IMAD.WIDE R4, R41, 0x8, R2 / LDG.E.64 R4, desc[UR4][R4.64] / IMAD.WIDE R6, R41, 0x8, R8 / LDG.E.64 R6, desc[UR4][R6.64] */
#include "analysis/idioms/index_arrays.h"
#include "analysis/idioms/origins.h"
#include "analysis/sass/sass_parts.h"

#include <string.h>

enum { MAKERS_MOST = 16, ARRAYS_MOST = 16 };

/* What makes the place, where that is a product with the index and a sum with a pointer; SASS_NONE: it is made otherwise. */
static size_t maker_of(struct sass *s, size_t load) {
  struct sass_producer from[MAKERS_MOST];
  const struct sass_range *place = sass_place(&s->insts[load]);
  size_t n = place ? sass_producers(s, load, from, MAKERS_MOST) : 0, found = SASS_NONE;
  for (size_t k = 0; k < n && k < MAKERS_MOST; k++) {
    const struct sass_inst *x = &s->insts[from[k].inst];
    if (!ranges_overlap(&from[k].range, place))
      continue;
    if (found != SASS_NONE && found != from[k].inst)
      return SASS_NONE;
    found = from[k].inst;
    if (!opcode_is(x, "IMAD") || !sass_modifier(x, "WIDE") || x->n_reads == 0)
      return SASS_NONE;
  }
  return found;
}

/* Whether two of these take one index: the register of the first factor, made by one instruction. */
static bool one_index(struct sass *s, size_t a, size_t b) {
  const struct sass_range *x = &s->insts[a].reads[0], *y = &s->insts[b].reads[0];
  struct sass_producer of_a[MAKERS_MOST], of_b[MAKERS_MOST];
  if (x->file != y->file || x->first != y->first)
    return false;
  size_t n = sass_producers(s, a, of_a, MAKERS_MOST), m = sass_producers(s, b, of_b, MAKERS_MOST);
  size_t by_a = SASS_NONE, by_b = SASS_NONE;
  for (size_t k = 0; k < n && k < MAKERS_MOST; k++)
    by_a = ranges_overlap(&of_a[k].range, x) ? of_a[k].inst : by_a;
  for (size_t k = 0; k < m && k < MAKERS_MOST; k++)
    by_b = ranges_overlap(&of_b[k].range, y) ? of_b[k].inst : by_b;
  return by_a != SASS_NONE && by_a == by_b;
}

/* "R8" of "IMAD.WIDE R6, R41, 0x8, R8": the pointer. */
static bool one_pointer(const struct sass_inst *a, const struct sass_inst *b) {
  const char *x = strrchr(a->text, ','), *y = strrchr(b->text, ',');
  return !x || !y || strcmp(x, y) == 0;
}

void sass_index_arrays(struct sass_index_arrays *out, struct sass *s, size_t load) {
  size_t makers[ARRAYS_MOST], maker = maker_of(s, load), n = 0;
  *out = (struct sass_index_arrays){0};
  for (size_t i = 0; maker != SASS_NONE && i < s->n && n < ARRAYS_MOST; i++) {
    if (s->insts[i].class != SASS_LOAD_GLOBAL || s->insts[i].never || s->block_of[i] != s->block_of[load])
      continue;
    size_t by = maker_of(s, i), k = 0;
    if (by == SASS_NONE || !one_index(s, by, maker))
      continue;
    while (k < n && !one_pointer(&s->insts[by], &s->insts[makers[k]]))
      k++;
    if (k < n)
      continue;
    makers[n++] = by;
    out->bytes += s->insts[i].bytes;
  }
  out->n = (int)n;
}
