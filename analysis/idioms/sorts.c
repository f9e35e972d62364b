/* Lanes of a warp that sort their values by exchanges. */
#include "analysis/idioms/sorts.h"

#include <stdio.h>
#include <string.h>

static bool is_shuffle(const struct sass_inst *x) {
  return strcmp(x->opcode, "SHFL") == 0;
}

/* SHFL.BFLY PT, R5, R8, 0x2, 0x1f */
static bool is_exchange(const struct sass_inst *x, int distance) {
  char words[32];
  snprintf(words, sizeof words, ", 0x%x, 0x1f", (unsigned)distance);
  return is_shuffle(x) && sass_modifier(x, "BFLY") && strstr(x->text, words);
}

/* The nearest shuffle that what shuffle i sends is made of is an exchange at the distance: what a lane kept of its own has come by earlier ones as well. */
static bool comes_next(struct sass *s, size_t i, int distance) {
  enum { LIST_MAX = 48, PRODUCERS_MAX = 16 };
  size_t list[LIST_MAX], n = 0;
  list[n++] = i;
  for (size_t next = 0; next < n; next++) {
    struct sass_producer from[PRODUCERS_MAX];
    size_t all = sass_producers(s, list[next], from, PRODUCERS_MAX);
    for (size_t k = 0; k < all && k < PRODUCERS_MAX; k++) {
      size_t at = from[k].inst, seen = 0;
      if (is_shuffle(&s->insts[at]))
        return is_exchange(&s->insts[at], distance);
      while (seen < n && list[seen] != at)
        seen++;
      if (seen == n && n < LIST_MAX)
        list[n++] = at;
    }
  }
  return false;
}

static bool follows(struct sass *s, int distance, int before) {
  enum { TRIED_MAX = 256 };
  size_t tried = 0;
  for (size_t i = 0; i < s->n && tried < TRIED_MAX; i++)
    if (is_exchange(&s->insts[i], distance)) {
      tried++;
      if (comes_next(s, i, before))
        return true;
    }
  return false;
}

bool sass_sorts(struct sass *s) {
  return follows(s, 2, 1) && follows(s, 4, 1) && follows(s, 1, 2);
}
