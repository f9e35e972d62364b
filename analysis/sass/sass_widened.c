#include "analysis/sass/sass_parts.h"
#include "analysis/sass/widened.h"

#include <stdlib.h>

enum { WIDENED_PRODUCERS_MAX = 32 };

/* A double that was stored as one. */
static bool brings_double(const struct sass_inst *x) {
  enum { DOUBLE_BYTES = 8 };
  return (x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED || x->class == SASS_LOAD_LOCAL ||
          x->class == SASS_ATOMIC) &&
         x->bytes >= DOUBLE_BYTES;
}

/* A float or an integer becomes a double, a float is at work, or a function of the compiler's, which is not followed. */
static bool begins_anew(const struct sass_inst *x) {
  return x->class == SASS_CONVERT || x->class == SASS_FP32 || x->class == SASS_FP16 || x->calls;
}

static bool rests_on_doubles(struct sass *s, size_t i, const bool *rests) {
  struct sass_producer from[WIDENED_PRODUCERS_MAX];
  const struct sass_inst *x = &s->insts[i];
  bool found = rests[i] || brings_double(x);
  size_t n = found || begins_anew(x) ? 0 : sass_first_producers(s, i, from, WIDENED_PRODUCERS_MAX);
  for (size_t k = 0; k < n && !found; k++)
    found = from[k].range.file == FILE_R && rests[from[k].inst];
  return found;
}

double sass_widened_share(struct sass *s) {
  bool *rests = calloc(s->n + 1, sizeof *rests);
  double widened = 0, all = 0;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->n; i++) {
      bool now = !s->insts[i].never && rests_on_doubles(s, i, rests);
      more = more || now != rests[i];
      rests[i] = now;
    }
  }
  for (size_t i = 0; i < s->n; i++) {
    double n = s->counted ? s->executed[i] > 0 ? s->executed[i] : 0 : 1;
    if (s->insts[i].class != SASS_FP64 || s->insts[i].never)
      continue;
    all += n;
    widened += rests[i] ? 0 : n;
  }
  free(rests);
  return all > 0 ? widened / all : 1;
}
