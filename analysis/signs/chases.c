/* Loads that bring the address that they load from next. */
#include "analysis/signs/chases.h"

#include <stdlib.h>

enum { CHASE_PRODUCERS_MAX = 64 };

static bool passes_on(const struct sass_inst *x) {
  return x->class == SASS_LOAD_GLOBAL || (x->wait == WAIT_NONE && !x->calls);
}

/* Each instruction once, in a list and not by recursion: kernels have chains of thousands. */
bool sass_chases(struct sass *s, size_t i) {
  size_t loop = s->blocks[s->block_of[i]].loop, n = 0;
  if (loop == SASS_NONE || s->insts[i].class != SASS_LOAD_GLOBAL || s->insts[i].never)
    return false;
  size_t *list = calloc(s->n + 1, sizeof *list);
  bool *seen = calloc(s->n + 1, sizeof *seen);
  list[n++] = i;
  while (n > 0 && !seen[i]) {
    struct sass_producer from[CHASE_PRODUCERS_MAX];
    size_t all = sass_producers(s, list[--n], from, CHASE_PRODUCERS_MAX);
    for (size_t k = 0; k < all && all <= CHASE_PRODUCERS_MAX; k++) {
      size_t at = from[k].inst;
      bool decides = from[k].range.file == FILE_P || from[k].range.file == FILE_UP;
      if (decides || seen[at] || !sass_in_loop(s, at, loop) || !passes_on(&s->insts[at]))
        continue;
      seen[at] = true;
      list[n++] = at;
    }
  }
  bool own = seen[i];
  free(list);
  free(seen);
  return own;
}

double sass_chased_part(struct sass *s) {
  double all = 0, chased = 0;
  for (size_t i = 0; s->counted && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double bytes = x->class == SASS_LOAD_GLOBAL && !x->never && s->executed[i] > 0 ? s->executed[i] * x->bytes : 0;
    all += bytes;
    chased += bytes > 0 && sass_chases(s, i) ? bytes : 0;
  }
  return all > 0 ? chased / all : 0;
}
