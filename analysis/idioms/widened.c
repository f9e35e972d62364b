#include "analysis/idioms/widened.h"

#include <stdlib.h>

enum { WIDENED_PRODUCERS_MAX = 32 };

/* A double that was stored as one. */
static bool brings_double(const struct sass_inst *x) {
  enum { DOUBLE_BYTES = 8 };
  return (x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED || x->class == SASS_LOAD_LOCAL ||
          x->class == SASS_ATOMIC) &&
         x->bytes >= DOUBLE_BYTES;
}

/* A part of the place is the address of something of the module's own, and none comes out of a call.  An index may rest on whatever was loaded. */
static bool is_of_module(struct sass *s, size_t i) {
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  bool *seen = calloc(s->n + 1, sizeof *seen), found = false, called = false;
  list[n++] = i;
  while (n > 0 && !called) {
    struct sass_producer from[WIDENED_PRODUCERS_MAX];
    size_t all = sass_first_producers(s, list[--n], from, WIDENED_PRODUCERS_MAX);
    for (size_t k = 0; k < all; k++) {
      size_t at = from[k].inst;
      bool ran = !s->counted || s->estimated || s->executed[at] > 0; /* slow paths that nothing took are calls, too */
      if (seen[at] || !ran || from[k].range.file == FILE_P || from[k].range.file == FILE_UP)
        continue;
      found = found || strstr(s->insts[at].text, "c[0x4]");
      called = called || s->insts[at].calls;
      seen[at] = true;
      if (s->insts[at].class != SASS_LOAD_GLOBAL)
        list[n++] = at;
    }
  }
  free(list);
  free(seen);
  return found && !called;
}

/* Coefficients of a function of the compiler's library, as sin has them: a table of the module, whose address is no argument of the kernel. */
bool sass_is_function_table(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  return x->class == SASS_LOAD_GLOBAL && sass_modifier(x, "CONSTANT") && is_of_module(s, i);
}

/* A float or an integer becomes a double, a float is at work, or a function of the compiler's, which is not followed. */
static bool begins_anew(const struct sass_inst *x) {
  return x->class == SASS_CONVERT || x->class == SASS_FP32 || x->class == SASS_FP16 || x->calls;
}

static bool rests_on_doubles(struct sass *s, size_t i, const bool *rests, const bool *table) {
  struct sass_producer from[WIDENED_PRODUCERS_MAX];
  const struct sass_inst *x = &s->insts[i];
  bool found = rests[i] || (brings_double(x) && !table[i]);
  size_t n = found || table[i] || begins_anew(x) ? 0 : sass_first_producers(s, i, from, WIDENED_PRODUCERS_MAX);
  for (size_t k = 0; k < n && !found; k++)
    found = from[k].range.file == FILE_R && rests[from[k].inst];
  return found;
}

double sass_widened_share(struct sass *s) {
  bool *rests = calloc(s->n + 1, sizeof *rests);
  bool *table = calloc(s->n + 1, sizeof *table);
  double widened = 0, all = 0;
  for (size_t i = 0; i < s->n; i++)
    table[i] = brings_double(&s->insts[i]) && sass_is_function_table(s, i);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->n; i++) {
      bool now = !s->insts[i].never && rests_on_doubles(s, i, rests, table);
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
  free(table);
  free(rests);
  return all > 0 ? widened / all : 1;
}
