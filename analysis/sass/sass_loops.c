/* Dominators and natural loops. */
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>
#include <string.h>

/* Hostile text must not keep a reader waiting: no compiler comes near these. */
enum { STEPS_MAX = 1 << 27, DEPTH_MAX = 64 };

struct order {
  size_t *blocks; /* reachable ones, in reverse postorder */
  size_t *number; /* of a reachable block in that order */
  size_t n;
  /* A block's place in a walk of the dominator tree,
   * and how many blocks it dominates, with itself. */
  size_t *first, *size;
  long steps;    /* taken through that tree while it is made */
  size_t *outer; /* of a loop: one that holds it, on the way to the outermost */
};

/* Depth first without recursion: text decides how deep it goes. */
static void walk(struct sass *s, struct order *o) {
  size_t *stack = s->scratch->stack, depth = 0, at = s->n_blocks;
  uint64_t *next = s->scratch->block_mark; /* the successor to try next; used before any walk needs its marks */
  stack[depth++] = 0;
  s->blocks[0].reachable = true;
  while (depth) {
    size_t b = stack[depth - 1];
    if (next[b] == s->blocks[b].n_succ) {
      o->blocks[--at] = b;
      depth--;
      continue;
    }
    size_t to = s->blocks[b].succ[next[b]++];
    if (!s->blocks[to].reachable) {
      s->blocks[to].reachable = true;
      stack[depth++] = to;
    }
  }
  o->n = s->n_blocks - at;
  memmove(o->blocks, o->blocks + at, o->n * sizeof *o->blocks);
  for (size_t i = 0; i < o->n; i++)
    o->number[o->blocks[i]] = i;
  memset(next, 0, s->n_blocks * sizeof *next);
}

static size_t meet(const struct sass *s, struct order *o, size_t a, size_t b) {
  for (; a != b; o->steps++)
    if (o->number[a] > o->number[b])
      a = s->blocks[a].idom;
    else
      b = s->blocks[b].idom;
  return a;
}

/* Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001). */
static int dominate(struct sass *s, struct order *o, struct err *e) {
  const struct sass_scratch *x = s->scratch;
  s->blocks[0].idom = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 1; i < o->n; i++) {
      size_t b = o->blocks[i], idom = SASS_NONE;
      /* The last first: it is often the nearest. */
      for (size_t p = x->pred_at[b + 1]; p-- > x->pred_at[b] && o->steps <= STEPS_MAX;) {
        size_t from = edge_from(x->preds[p]);
        if (from != b && s->blocks[from].idom != SASS_NONE)
          idom = idom == SASS_NONE ? from : meet(s, o, from, idom);
      }
      if (o->steps > STEPS_MAX)
        return err_set(e, ERR_DATA, "kernel %s: its branches are too tangled to follow", s->kernel->name);
      changed = changed || s->blocks[b].idom != idom;
      s->blocks[b].idom = idom;
    }
  }
  return 0;
}

/* Numbers the dominator tree so that what a block dominates follows it without a gap. */
static void number_tree(const struct sass *s, const struct order *o) {
  size_t *next = s->scratch->queue; /* the number of a block's next child */
  for (size_t i = o->n; i-- > 0;) {
    size_t b = o->blocks[i];
    o->size[b]++;
    if (i)
      o->size[s->blocks[b].idom] += o->size[b];
  }
  next[0] = 1;
  for (size_t i = 1; i < o->n; i++) { /* parents stand before their children in this order */
    size_t b = o->blocks[i], parent = s->blocks[b].idom;
    o->first[b] = next[parent];
    next[parent] += o->size[b];
    next[b] = o->first[b] + 1;
  }
  for (size_t i = 0; i < o->n; i++) {
    struct sass_block *b = &s->blocks[o->blocks[i]];
    b->dom_first = o->first[o->blocks[i]];
    b->dom_n = o->size[o->blocks[i]];
  }
}

static bool dominates(const struct order *o, size_t a, size_t b) {
  return o->first[b] >= o->first[a] && o->first[b] - o->first[a] < o->size[a];
}

static size_t outermost(struct order *o, size_t loop) {
  while (o->outer[loop] != loop) {
    o->outer[loop] = o->outer[o->outer[loop]];
    loop = o->outer[loop];
  }
  return loop;
}

/* Puts a block, or the outermost loop that holds it already, into
 * the loop; returns the block whose predecessors come next. */
static size_t absorb(struct sass *s, struct order *o, size_t b, size_t loop) {
  if (s->blocks[b].loop == SASS_NONE) {
    s->blocks[b].loop = loop;
    return b;
  }
  size_t inner = outermost(o, s->blocks[b].loop);
  if (inner == loop)
    return SASS_NONE;
  s->loops[inner].parent = loop;
  o->outer[inner] = loop;
  return s->loops[inner].header;
}

static void fill_loop(struct sass *s, struct order *o, size_t loop) {
  const struct sass_scratch *x = s->scratch;
  size_t header = s->loops[loop].header, n = 0;
  s->blocks[header].loop = loop;
  for (size_t p = x->pred_at[header]; p < x->pred_at[header + 1]; p++) {
    size_t latch = edge_from(x->preds[p]);
    if (!s->blocks[latch].reachable || !dominates(o, header, latch))
      continue;
    size_t next = absorb(s, o, latch, loop);
    if (next != SASS_NONE)
      x->stack[n++] = next;
  }
  while (n) {
    size_t b = x->stack[--n];
    for (size_t p = x->pred_at[b]; p < x->pred_at[b + 1]; p++) {
      size_t from = edge_from(x->preds[p]);
      size_t next = s->blocks[from].reachable ? absorb(s, o, from, loop) : SASS_NONE;
      if (next != SASS_NONE)
        x->stack[n++] = next;
    }
  }
}

/* Headers in reverse of the order, so that inner loops come first. */
static size_t find_headers(struct sass *s, const struct order *o) {
  const struct sass_scratch *x = s->scratch;
  size_t n = 0;
  for (size_t i = o->n; i-- > 0;) {
    size_t b = o->blocks[i];
    bool header = false;
    for (size_t p = x->pred_at[b]; p < x->pred_at[b + 1]; p++) {
      size_t from = edge_from(x->preds[p]);
      if (!s->blocks[from].reachable || o->number[from] < i)
        continue;
      bool natural = dominates(o, b, from);
      header = header || natural;
      s->n_irreducible += !natural;
    }
    if (header)
      x->queue[n++] = b;
  }
  return n;
}

static bool works(const struct sass_inst *i) {
  switch (i->class) {
  case SASS_LOAD_GLOBAL:
    return !sass_modifier(i, "STRONG"); /* a load that polls */
  case SASS_LOAD_LOCAL:
  case SASS_LOAD_SHARED:
  case SASS_LOAD_TENSOR:
  case SASS_STORE_GLOBAL:
  case SASS_STORE_LOCAL:
  case SASS_STORE_SHARED:
  case SASS_STORE_TENSOR:
  case SASS_CONVERT:
  case SASS_FP16:
  case SASS_FP32:
  case SASS_FP64:
  case SASS_SPECIAL:
  case SASS_TENSOR:
    return !i->never;
  case SASS_ASYNC_COPY:
    return i->access != ACCESS_BULK_COPY;
  default:
    return false;
  }
}

/* In the order of inner loops first, so that what a loop holds is known before it is added to its parent. */
static void describe(struct sass *s) {
  for (size_t l = 0; l < s->n_loops; l++)
    s->loops[l].spins = true;
  for (size_t b = 0; b < s->n_blocks; b++) {
    const struct sass_block *block = &s->blocks[b];
    if (block->loop == SASS_NONE)
      continue;
    struct sass_loop *l = &s->loops[block->loop];
    l->n_blocks++;
    l->n_insts += block->n;
    for (size_t i = block->first; i < block->first + block->n; i++)
      l->spins = l->spins && !works(&s->insts[i]);
  }
  for (size_t l = 0; l < s->n_loops; l++) {
    struct sass_loop *x = &s->loops[l];
    if (x->parent == SASS_NONE)
      continue;
    struct sass_loop *parent = &s->loops[x->parent];
    parent->n_blocks += x->n_blocks;
    parent->n_insts += x->n_insts;
    parent->spins = parent->spins && x->spins;
  }
  for (size_t l = s->n_loops; l-- > 0;)
    s->loops[l].depth = s->loops[l].parent == SASS_NONE ? 1 : s->loops[s->loops[l].parent].depth + 1;
}

bool sass_dominates(const struct sass *s, size_t by, size_t to) {
  const struct sass_block *a = &s->blocks[by], *b = &s->blocks[to];
  return by == to || (b->dom_n > 0 && b->dom_first >= a->dom_first && b->dom_first - a->dom_first < a->dom_n);
}

int sass_loops_make(struct sass *s, struct err *e) {
  struct order o = {.blocks = calloc(s->n_blocks, sizeof *o.blocks),
                    .number = calloc(s->n_blocks, sizeof *o.number),
                    .first = calloc(s->n_blocks, sizeof *o.first),
                    .size = calloc(s->n_blocks, sizeof *o.size)};
  walk(s, &o);
  int rc = dominate(s, &o, e);
  if (rc)
    goto out;
  number_tree(s, &o);
  s->n_loops = find_headers(s, &o);
  s->loops = calloc(s->n_loops + 1, sizeof *s->loops);
  o.outer = calloc(s->n_loops + 1, sizeof *o.outer);
  for (size_t l = 0; l < s->n_loops; l++) {
    s->loops[l] = (struct sass_loop){
        .header = s->scratch->queue[l], .parent = SASS_NONE, .trips = {.reason = "no executed counts"}, .executed = -1};
    o.outer[l] = l;
    fill_loop(s, &o, l);
  }
  describe(s);
  for (size_t l = 0; l < s->n_loops && !rc; l++)
    if (s->loops[l].depth > DEPTH_MAX)
      rc = err_set(e, ERR_DATA, "kernel %s: its loops are nested deeper than %d", s->kernel->name, DEPTH_MAX);
  s->blocks[0].idom = SASS_NONE;
out:
  free(o.blocks);
  free(o.number);
  free(o.first);
  free(o.size);
  free(o.outer);
  return rc;
}

bool sass_in_loop(const struct sass *s, size_t inst, size_t loop) {
  size_t l = s->blocks[s->block_of[inst]].loop;
  while (l != SASS_NONE && l != loop)
    l = s->loops[l].parent;
  return l == loop;
}
