/* What the place of an access follows from. */
#include "analysis/idioms/follows.h"

#include <stdlib.h>
#include <string.h>

enum { FOLLOWS_PRODUCERS_MAX = 64 };

/* Of what was stored where it reads, nothing is known here. */
static bool is_from_memory(const struct sass_inst *x) {
  return x->class == SASS_LOAD_SHARED || x->class == SASS_LOAD_LOCAL || x->class == SASS_ATOMIC;
}

static bool is_guard(const struct sass_range *r) {
  return r->file == FILE_P || r->file == FILE_UP;
}

/* Each instruction once, in a list and not by recursion: kernels have chains of thousands. */
bool sass_place_follows(struct sass *s, size_t i, const char *special) {
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  bool *seen = calloc(s->n + 1, sizeof *seen), found = false;
  list[n++] = i;
  seen[i] = true;
  while (n > 0 && !found) {
    struct sass_producer from[FOLLOWS_PRODUCERS_MAX];
    size_t all = sass_producers(s, list[--n], from, FOLLOWS_PRODUCERS_MAX);
    found = all > FOLLOWS_PRODUCERS_MAX;
    for (size_t k = 0; k < all && !found; k++) {
      size_t at = from[k].inst;
      if (is_guard(&from[k].range) || seen[at])
        continue;
      found = s->insts[at].calls || is_from_memory(&s->insts[at]) || strstr(s->insts[at].text, special);
      seen[at] = true;
      list[n++] = at;
    }
  }
  free(list);
  free(seen);
  return found;
}
