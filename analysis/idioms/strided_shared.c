/* Values of a lane that lie apart in shared memory: by the numbers that stand beside one register of an address. */
#include "analysis/idioms/strided_shared.h"
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>

enum { WORD_BYTES = 4, WIDEST_WORDS = 4 };

static bool is_load(const struct sass *s, size_t i, size_t loop) {
  const struct sass_inst *x = &s->insts[i];
  return x->class == SASS_LOAD_SHARED && !x->never && sass_in_loop(s, i, loop);
}

static bool lies_apart(struct sass *s, size_t i, size_t loop) {
  size_t words = 0;
  if (s->insts[i].bytes != WORD_BYTES)
    return false;
  for (size_t k = 0; k < s->n; k++) {
    if (!is_load(s, k, loop) || s->insts[k].bytes != WORD_BYTES || !sass_same_base(s, i, k))
      continue;
    words++;
    if (labs(sass_place_offset(&s->insts[i]) - sass_place_offset(&s->insts[k])) == WORD_BYTES)
      return false;
  }
  return words >= WIDEST_WORDS;
}

double sass_strided_shared(struct sass *s, size_t loop) {
  double all = 0, apart = 0;
  for (size_t i = 0; loop != SASS_NONE && i < s->n; i++) {
    double n = !is_load(s, i, loop) ? 0 : s->counted ? s->executed[i] : 1;
    all += n > 0 ? n : 0;
    apart += n > 0 && lies_apart(s, i, loop) ? n : 0;
  }
  return all > 0 ? apart / all : 0;
}
