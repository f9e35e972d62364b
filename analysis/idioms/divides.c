#include "analysis/idioms/divides.h"
#include "analysis/idioms/tree.h"

#include <stdlib.h>
#include <string.h>

enum { DIVIDES_PRODUCERS_MAX = 32 };

bool sass_divisor_doubles(struct sass *s, size_t i) {
  for (size_t l = s->blocks[s->block_of[i]].loop; l != SASS_NONE; l = s->loops[l].parent)
    if (sass_halves(s, i, l))
      return true;
  return false;
}

/* Of every instruction once, in a list and not by recursion: kernels have chains of thousands. */
bool sass_rests_on_block(struct sass *s, size_t i) {
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  bool *seen = calloc(s->n + 1, sizeof *seen), found = false;
  list[n++] = i;
  while (n > 0 && !found) {
    struct sass_producer from[DIVIDES_PRODUCERS_MAX];
    size_t of = list[--n], made = sass_producers(s, of, from, DIVIDES_PRODUCERS_MAX);
    found = strstr(s->insts[of].text, "SR_CTAID") != NULL;
    for (size_t k = 0; k < made && k < DIVIDES_PRODUCERS_MAX; k++)
      if (!seen[from[k].inst]) {
        seen[from[k].inst] = true;
        list[n++] = from[k].inst;
      }
  }
  free(list);
  free(seen);
  return found;
}
