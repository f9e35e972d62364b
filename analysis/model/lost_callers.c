#include "analysis/model/lost_callers.h"

#include "analysis/model/code_place.h"

#include <stdlib.h>
#include <string.h>

enum { PRODUCERS_MAX = 32 };

/* All of its lines are of Triton's own files: a chain that has its caller ends in the program's. */
static bool is_lost(const struct run *r, const struct run_instruction *i) {
  for (size_t k = 0; k < i->n_lines; k++)
    if (!source_is_toolkits(r, i->lines[k].source) || !strstr(r->sources[i->lines[k].source].name, "/triton/language/"))
      return false;
  return i->n_lines > 0;
}

/* What it makes something of: of a store what is stored, of a load from an array nothing that is known here. */
static bool works_on(const struct sass_inst *x, const struct sass_range *r) {
  if (r->file != FILE_R || x->access == ACCESS_LOAD || x->n_reads == 0)
    return false;
  const struct sass_range *last = &x->reads[x->n_reads - 1];
  return x->access != ACCESS_STORE || (last->first == r->first && last->file == r->file);
}

/* Those before it in the text have theirs. */
static size_t caller_of(struct sass *s, size_t i, const size_t *before) {
  struct sass_producer from[PRODUCERS_MAX];
  size_t n = sass_producers(s, i, from, PRODUCERS_MAX), nearest = SASS_NONE;
  for (size_t k = 0; k < n && k < PRODUCERS_MAX; k++) {
    size_t at = from[k].inst;
    if (at < i && works_on(&s->insts[i], &from[k].range) && s->kernel->sass[at].n_lines > 0 &&
        (nearest == SASS_NONE || at > nearest))
      nearest = at;
  }
  return nearest == SASS_NONE ? SASS_NONE : before[nearest];
}

size_t *lost_callers(struct sass *s, const struct run *r) {
  size_t *of = calloc(s->n + 1, sizeof *of), last = SASS_NONE;
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    of[i] = i;
    if (!is_lost(r, &s->kernel->sass[i]))
      continue;
    size_t caller = caller_of(s, i, of);
    if (caller == SASS_NONE || is_lost(r, &s->kernel->sass[caller]))
      caller = last; /* a barrier, or what was handed on through an array: of the same call, the nearest before it */
    of[i] = caller == SASS_NONE ? i : caller;
    last = caller;
    any = any || of[i] != i;
  }
  if (any)
    return of;
  free(of);
  return NULL;
}
