#include "analysis/idioms/stored_over.h"
#include "analysis/idioms/repeats.h"

#include <math.h>
#include <stdlib.h>

static bool may_run(const struct sass *s, size_t i) {
  return !s->insts[i].never && (!s->counted || s->executed[i] > 0);
}

/* What may see a store before the loop ends: a load, a barrier, and code of which that is not known. */
static bool may_see(const struct sass_inst *x) {
  return x->wait == WAIT_BLOCK || x->calls || !x->known || x->space == SPACE_GENERIC || x->class == SASS_ASYNC_COPY ||
         x->class == SASS_TENSOR || (x->space == SPACE_SHARED && x->class != SASS_STORE_SHARED);
}

/* Nothing in the loop writes the registers of its place: all that it reads, but the last, which it stores. */
static bool stays_in(const struct sass *s, size_t i, size_t loop) {
  for (size_t k = 0; k < s->n; k++)
    for (size_t r = 0; r + 1 < s->insts[i].n_reads && sass_in_loop(s, k, loop); r++)
      for (size_t w = 0; w < s->insts[k].n_writes; w++)
        if (ranges_overlap(&s->insts[k].writes[w], &s->insts[i].reads[r]))
          return false;
  return true;
}

void sass_stored_over(struct sass_stored_over *out, const struct sass *s, size_t loop) {
  double bytes = 0, all = 0;
  *out = (struct sass_stored_over){.at = SASS_NONE};
  for (size_t i = 0; loop != SASS_NONE && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = s->counted ? fmax(s->executed[i], 0) : 1;
    if (!may_run(s, i))
      continue;
    all += x->space == SPACE_SHARED ? n * x->bytes : 0;
    if (!sass_in_loop(s, i, loop))
      continue;
    if (may_see(x)) {
      *out = (struct sass_stored_over){.at = SASS_NONE};
      return;
    }
    if (x->class != SASS_STORE_SHARED || x->guarded || !sass_repeats(s, i) || !stays_in(s, i, loop))
      continue;
    out->at = out->at == SASS_NONE ? i : out->at;
    out->stores++;
    out->executed += n;
    bytes += n * x->bytes;
  }
  out->part = all > 0 ? bytes / all : 0;
}

/* Loads of global memory that feed stores to shared memory alone, of which no reader is anything else. */
static void keep_feeders(bool *fed, struct sass *s) {
  enum { PRODUCERS_MAX = 64 };
  bool *else_read = calloc(s->n + 1, sizeof *else_read);
  for (size_t i = 0; i < s->n; i++) {
    struct sass_producer from[PRODUCERS_MAX];
    size_t n = sass_producers(s, i, from, PRODUCERS_MAX);
    for (size_t k = 0; k < n && k < PRODUCERS_MAX; k++)
      *(s->insts[i].class == SASS_STORE_SHARED ? &fed[from[k].inst] : &else_read[from[k].inst]) = true;
  }
  for (size_t i = 0; i < s->n; i++)
    fed[i] = fed[i] && !else_read[i] && s->insts[i].class == SASS_LOAD_GLOBAL;
  free(else_read);
}

void sass_never_read(struct sass_stored_over *out, struct sass *s) {
  bool *fed = calloc(s->n + 1, sizeof *fed), seen = false;
  keep_feeders(fed, s);
  *out = (struct sass_stored_over){.at = SASS_NONE, .part = 1};
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool store = x->class == SASS_STORE_SHARED;
    seen = seen || (x->wait != WAIT_BLOCK && may_see(x) && !x->never);
    if (!may_run(s, i) || (!store && !fed[i]))
      continue;
    out->at = store && out->at == SASS_NONE ? i : out->at;
    out->stores += store;
    out->loads += store ? 0 : s->counted ? fmax(s->executed[i], 0) : 1;
    out->executed += s->counted ? fmax(s->executed[i], 0) : 1;
  }
  free(fed);
  if (seen)
    *out = (struct sass_stored_over){.at = SASS_NONE};
}
