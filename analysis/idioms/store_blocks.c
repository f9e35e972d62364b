/* Loads behind stores to memory that may be theirs: by the kernel's arguments that addresses are made of. */
#include "analysis/idioms/store_blocks.h"

#include "base/warp.h"

#include <stdlib.h>

enum { BLOCKS_PRODUCERS_MAX = 32, ARGUMENTS_MAX = 16 };

/* Offsets in constant bank 0 of 64-bit values. */
struct arguments {
  long of[ARGUMENTS_MAX];
  size_t n;
  bool more; /* than are followed: a load brings a part of the address, or there are too many */
};

static void arguments_add(struct arguments *a, long offset) {
  for (size_t k = 0; k < a->n; k++)
    if (a->of[k] == offset)
      return;
  if (a->n == ARGUMENTS_MAX)
    a->more = true;
  else
    a->of[a->n++] = offset;
}

/* "LDC.64 R2, c[0x0][0x210]", "ULDC.64 UR4, c[0x0][0x208]", "IMAD.WIDE R2, R0, 0x4, c[0x0][0x160]"; what is an argument of 32 bits is a size. */
static bool argument_of(const struct sass_inst *x, long *offset) {
  const char *at = strstr(x->text, "c[0x0][0x");
  bool wide = sass_modifier(x, "64") || (sass_modifier(x, "WIDE") && at && !strchr(at, ','));
  if (!at || !wide)
    return false;
  *offset = strtol(at + 9, NULL, 16);
  return true;
}

static bool brings_data(const struct sass_inst *x) {
  return x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED || x->class == SASS_LOAD_LOCAL ||
         x->class == SASS_SHUFFLE || x->class == SASS_ATOMIC || x->calls;
}

/* What is stored is no part of the address. */
static bool is_stored(const struct sass_inst *x, const struct sass_range *r) {
  return x->class == SASS_STORE_GLOBAL && x->n_reads > 0 && r->file == x->reads[x->n_reads - 1].file &&
         r->first == x->reads[x->n_reads - 1].first;
}

static void arguments_find(struct arguments *out, struct sass *s, size_t access) {
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  bool *seen = calloc(s->n + 1, sizeof *seen);
  *out = (struct arguments){0};
  list[n++] = access;
  while (n > 0 && !out->more) {
    struct sass_producer from[BLOCKS_PRODUCERS_MAX];
    size_t i = list[--n], found = sass_producers(s, i, from, BLOCKS_PRODUCERS_MAX);
    out->more = found > BLOCKS_PRODUCERS_MAX;
    for (size_t k = 0; k < found && !out->more; k++) {
      const struct sass_inst *p = &s->insts[from[k].inst];
      long offset;
      if (seen[from[k].inst] || (i == access && is_stored(&s->insts[i], &from[k].range)))
        continue;
      seen[from[k].inst] = true;
      out->more = brings_data(p);
      if (argument_of(p, &offset))
        arguments_add(out, offset);
      list[n++] = from[k].inst;
    }
  }
  free(list);
  free(seen);
}

/* a has one that b has not. */
static bool has_other(const struct arguments *a, const struct arguments *b) {
  size_t same = 0;
  for (size_t i = 0; i < a->n; i++)
    for (size_t k = 0; k < b->n; k++)
      same += a->of[i] == b->of[k];
  return same < a->n;
}

/* Nothing in the loop makes the store's address anew. */
static bool stays(const struct sass *s, size_t store, size_t loop) {
  const struct sass_inst *x = &s->insts[store];
  for (size_t i = 0; i < s->n; i++)
    for (size_t w = 0; sass_in_loop(s, i, loop) && w < s->insts[i].n_writes; w++)
      for (size_t k = 0; k < x->n_reads; k++) {
        const struct sass_range *a = &s->insts[i].writes[w], *b = &x->reads[k];
        if (!is_stored(x, b) && ranges_overlap(a, b))
          return false;
      }
  return true;
}

static bool runs(const struct sass *s, size_t i, size_t loop) {
  return !s->insts[i].never && sass_in_loop(s, i, loop) && (!s->counted || s->estimated || s->executed[i] > 0);
}

struct load {
  size_t at;
  struct arguments of;
  bool moves; /* over any store: it is of constant memory, or the compiler has no say in it */
};

/* The loop's global loads.  The caller frees *out. */
static size_t loads_find(struct load **out, struct sass *s, size_t loop) {
  size_t n = 0, k = 0;
  for (size_t i = 0; i < s->n; i++)
    n += s->insts[i].class == SASS_LOAD_GLOBAL && runs(s, i, loop);
  *out = calloc(n + 1, sizeof **out);
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->class != SASS_LOAD_GLOBAL || !runs(s, i, loop))
      continue;
    (*out)[k].at = i;
    (*out)[k].moves = sass_modifier(x, "CONSTANT") || sass_modifier(x, "STRONG");
    if (!(*out)[k].moves)
      arguments_find(&(*out)[k].of, s, i);
    k++;
  }
  return k;
}

static bool meets_between(const struct sass *s, size_t loop, size_t first, size_t end) {
  for (size_t i = first; i < end; i++)
    if (s->insts[i].wait == WAIT_BLOCK && runs(s, i, loop))
      return true;
  return false;
}

/* From the store on, into the next turn, the load comes before the warps of the block meet: a barrier holds loads behind it, whatever is stored. */
static bool comes_behind(const struct sass *s, size_t loop, size_t store, size_t load) {
  return store < load ? !meets_between(s, loop, store, load)
                      : !meets_between(s, loop, store, s->n) && !meets_between(s, loop, 0, load);
}

/* Those that may not pass this store; of a sum in memory it matters little what barriers hold back beside. */
static size_t loads_behind(const struct sass *s, size_t loop, const struct load *loads, size_t n, size_t at,
                           const struct arguments *store) {
  bool same_place = stays(s, at, loop);
  size_t behind = 0;
  for (size_t k = 0; k < n && !store->more; k++)
    behind += !loads[k].moves && !loads[k].of.more && has_other(&loads[k].of, store) &&
              has_other(store, &loads[k].of) && (same_place || comes_behind(s, loop, at, loads[k].at));
  return behind;
}

bool sass_store_blocks(struct sass_store_blocks *out, struct sass *s, size_t loop) {
  struct load *loads = NULL;
  size_t n = loop == SASS_NONE ? 0 : loads_find(&loads, s, loop);
  *out = (struct sass_store_blocks){.store = SASS_NONE};
  for (size_t i = 0; i < s->n && n > 0 && !out->same_place; i++) {
    struct arguments store;
    if (s->insts[i].class != SASS_STORE_GLOBAL || !runs(s, i, loop))
      continue;
    arguments_find(&store, s, i);
    if (2 * loads_behind(s, loop, loads, n, i, &store) > n)
      *out = (struct sass_store_blocks){i, stays(s, i, loop)};
  }
  free(loads);
  return out->store != SASS_NONE;
}

/* A descriptor is loaded from constant memory as a pointer is, and all accesses have it. */
static bool same_pointer(const struct sass *s, size_t access, const struct arguments *a, const struct arguments *b) {
  size_t descriptors = strstr(s->insts[access].text, "desc[") ? 1 : 0;
  return !a->more && !b->more && a->n > descriptors && !has_other(a, b) && !has_other(b, a);
}

struct store {
  size_t at;
  struct arguments of;
};

static size_t stores_find(struct store **out, struct sass *s, size_t loop) {
  size_t n = 0;
  *out = malloc((s->n + 1) * sizeof **out);
  for (size_t i = 0; i < s->n; i++)
    if (s->insts[i].class == SASS_STORE_GLOBAL && runs(s, i, loop)) {
      (*out)[n].at = i;
      arguments_find(&(*out)[n++].of, s, i);
    }
  return n;
}

bool sass_works_in_place(struct sass *s, size_t loop) {
  struct load *loads = NULL;
  struct store *stores = NULL;
  size_t n = loop == SASS_NONE ? 0 : loads_find(&loads, s, loop), n_stores = n ? stores_find(&stores, s, loop) : 0,
         same = 0, k = 0;
  for (size_t i = 0; i < s->n && n_stores > 0; i++) {
    bool found = false;
    if (s->insts[i].class != SASS_LOAD_GLOBAL || !runs(s, i, loop))
      continue;
    for (size_t o = 0; o < n_stores && !found && !loads[k].moves; o++)
      found = stores[o].at > i && same_pointer(s, i, &loads[k].of, &stores[o].of);
    same += found;
    k++;
  }
  free(loads);
  free(stores);
  return n > 0 && 2 * same >= n;
}
