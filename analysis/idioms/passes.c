#include "analysis/idioms/passes.h"
#include "analysis/idioms/follows.h"
#include "analysis/idioms/stored_again.h"
#include "base/warp.h"

#include <math.h>
#include <string.h>

/* Of the pass that loads most; the first may have loaded an element already. */
static const double AS_MANY = 0.8;

enum { LOOPS_MOST = 16 };

/* Loops whose loads stand on one line. */
struct pass {
  size_t load, loops[LOOPS_MOST], n;
  double executed, bytes;
};

/* The kernel's own line: those of what is inlined come before it. */
static bool on_one_line(const struct sass *s, size_t i, size_t k) {
  const struct run_instruction *a = &s->kernel->sass[i], *b = &s->kernel->sass[k];
  const struct run_line *x = &a->lines[a->n_lines - 1], *y = &b->lines[b->n_lines - 1];
  return x->source == y->source && x->line == y->line;
}

static void pass_add(struct pass *p, const struct sass *s, size_t i, size_t loop) {
  bool had = false;
  for (size_t k = 0; k < p->n; k++)
    had = had || p->loops[k] == loop;
  if (!had && p->n < LOOPS_MOST)
    p->loops[p->n++] = loop;
  p->executed += s->executed[i];
  p->bytes += s->executed[i] * s->insts[i].bytes * WARP_LANES;
}

static size_t passes_gather(struct pass *all, size_t room, const struct sass *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++) {
    size_t loop = s->blocks[s->block_of[i]].loop, k = 0;
    if (s->insts[i].class != SASS_LOAD_GLOBAL || loop == SASS_NONE || !(s->executed[i] > 0))
      continue;
    if (s->kernel->sass[i].n_lines == 0) /* which loads are one pass is not told */
      return 0;
    while (k < n && !on_one_line(s, all[k].load, i))
      k++;
    if (k == room)
      return 0;
    if (k == n)
      all[n++] = (struct pass){.load = i};
    pass_add(&all[k], s, i, loop);
  }
  return n;
}

static bool load_alike(struct sass *s, const struct pass *a, const struct pass *b) {
  for (size_t i = 0; i < a->n; i++)
    for (size_t k = 0; k < b->n; k++)
      if (a->loops[i] == b->loops[k] || !sass_loops_load_alike(s, a->loops[i], b->loops[k]))
        return false;
  return true;
}

static double loaded_bytes(const struct sass *s) {
  double bytes = 0;
  for (size_t i = 0; i < s->n; i++)
    bytes += s->insts[i].class == SASS_LOAD_GLOBAL ? fmax(s->executed[i], 0) * s->insts[i].bytes * WARP_LANES : 0;
  return bytes;
}

void sass_passes_of(struct sass_passes *out, struct sass *s) {
  struct pass all[LOOPS_MOST];
  size_t n = s->counted && s->kernel ? passes_gather(all, LOOPS_MOST, s) : 0, most = 0;
  *out = (struct sass_passes){0};
  for (size_t k = 1; k < n; k++)
    most = all[k].bytes > all[most].bytes ? k : most;
  for (size_t k = 0; k < n && out->n < PASSES_MOST; k++)
    if (k == most || (all[k].bytes >= AS_MANY * all[most].bytes && load_alike(s, &all[k], &all[most]))) {
      out->at[out->n++] = all[k].load;
      out->again += k != most && sass_places_alike(s, all[k].load, all[most].load) ? all[k].bytes : 0;
    }
  if (n > 0) {
    out->again /= loaded_bytes(s);
    out->executed = all[most].executed;
    out->bytes = all[most].bytes;
  }
}
