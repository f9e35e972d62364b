/* Which instructions make addresses: the index arithmetic of a kernel, among its other work on integers. */
#include "analysis/sass/sass_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDEX_PRODUCERS_MAX = 64 };

static bool makes_indices(const struct sass_inst *x) {
  return x->class == SASS_INTEGER || x->class == SASS_LOGIC || x->class == SASS_UNIFORM;
}

/* What stands in brackets, last of several: "desc[UR4][R2.64+0x8]" has R2, "[R4+UR6]" both. */
static bool is_in_address(const struct sass_inst *x, const struct sass_range *r) {
  char name[16];
  const char *at;
  if (!sass_address(x, &at) || (r->file != FILE_R && r->file != FILE_UR))
    return false;
  size_t n = (size_t)snprintf(name, sizeof name, "%s%u", r->file == FILE_UR ? "UR" : "R", (unsigned)r->first);
  for (const char *p = strstr(at, name); p; p = strstr(p + 1, name))
    if ((p[-1] == '[' || p[-1] == '+' || p[-1] == '-') && (p[n] < '0' || p[n] > '9'))
      return true;
  return false;
}

static void feeders_mark(struct sass *s, size_t i, bool of_address, bool *index, size_t *stack, size_t *n) {
  struct sass_producer from[INDEX_PRODUCERS_MAX];
  size_t found = sass_first_producers(s, i, from, INDEX_PRODUCERS_MAX);
  for (size_t k = 0; k < found; k++) {
    size_t by = from[k].inst;
    if (index[by] || !makes_indices(&s->insts[by]) || (of_address && !is_in_address(&s->insts[i], &from[k].range)))
      continue;
    index[by] = true;
    stack[(*n)++] = by;
  }
}

bool *sass_index_make(struct sass *s) {
  bool *index = calloc(s->n + 1, sizeof *index);
  size_t *stack = calloc(s->n + 1, sizeof *stack), n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (s->insts[i].access != ACCESS_NONE && s->insts[i].space != SPACE_CONSTANT)
      feeders_mark(s, i, true, index, stack, &n);
  while (n > 0)
    feeders_mark(s, stack[--n], false, index, stack, &n);
  free(stack);
  return index;
}
