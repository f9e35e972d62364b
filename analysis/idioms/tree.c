/* Trees in shared memory, found from the stores of their levels back: what is stored is made of two values, and they were loaded from shared memory. */
#include "analysis/idioms/tree.h"

#include <math.h>
#include <stdlib.h>

enum {
  TREE_PRODUCERS_MAX = 32,
  LEVEL_BYTES_MOST = 8, /* a register, or two of a double */
  LEVELS_MOST = 256,    /* that are looked at: a block's tree has ten, written out for a few sizes and arrays */
  LOOP_INSTS_MOST = 512 /* of a loop of levels: that of a wavelet, four levels a turn, has 75 */
};

/* ---- a level ---- */

static bool is_barrier(const struct sass_inst *x) {
  return x->wait == WAIT_BLOCK && !x->never;
}

/* Of two values one, by an instruction that takes either first. */
static bool combines(const struct sass_inst *x) {
  static const char *const names[] = {"FADD",  "FMNMX", "FMUL",  "DADD", "DMNMX", "DMUL",   "HADD2", "HMNMX2",
                                      "HMUL2", "IADD3", "VIADD", "IADD", "IMNMX", "VIMNMX", "LOP3",  "VIADDMNMX"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (opcode_is(x, names[k]))
      return true;
  return opcode_is(x, "IMAD") && sass_modifier(x, "IADD");
}

/* A level, by instruction:
 *   LDS R5, [R4]         own: the place that is stored to
 *   LDS R6, [R4+0x80]    other: where the level reaches
 *   FADD R7, R5, R6      makes
 *   STS [R4], R7         store: in place
 * Or own is in a register since the level before, and only `other` is loaded; or both come from places side by side and go to a third, [R8], which is not in place. */
struct level {
  size_t store, makes, own, other; /* own: SASS_NONE where it was kept in a register */
  bool in_place;
};

static bool is_shared_load(const struct sass *s, size_t i) {
  return i != SASS_NONE && s->insts[i].class == SASS_LOAD_SHARED && s->insts[i].bytes <= LEVEL_BYTES_MOST;
}

/* The one instruction that makes this source of i, or the nearest where that is a load of shared memory: under a guard, what stood in the register before may still be
 * there, for lanes that do not use it.  SASS_NONE: none, or several. */
static size_t only_producer(struct sass *s, size_t i, const struct sass_range *r) {
  struct sass_producer from[TREE_PRODUCERS_MAX];
  size_t n = sass_producers(s, i, from, TREE_PRODUCERS_MAX), found = SASS_NONE;
  for (size_t k = 0; k < n && k < TREE_PRODUCERS_MAX; k++) {
    if (from[k].range.file != r->file || from[k].range.first != r->first)
      continue;
    if (found != SASS_NONE && found != from[k].inst)
      return is_shared_load(s, found) ? found : SASS_NONE;
    found = from[k].inst;
  }
  return n > TREE_PRODUCERS_MAX ? SASS_NONE : found;
}

/* Registers of lanes that it reads. */
static size_t data_reads(const struct sass_inst *x, const struct sass_range *out[2]) {
  size_t n = 0;
  for (size_t k = 0; k < x->n_reads; k++)
    if (x->reads[k].file == FILE_R && n++ < 2)
      out[n - 1] = &x->reads[k];
  return n;
}

/* From the load to the store, without a barrier between them. */
static bool at_once(const struct sass *s, size_t load, size_t store) {
  for (size_t i = load; i < store; i++)
    if (is_barrier(&s->insts[i]))
      return false;
  return load < store;
}

/* The value that came from elsewhere goes back there: a level of a sort, or of a scan that sweeps down. */
static bool other_is_stored(struct sass *s, const struct level *l) {
  const struct sass_block *b = &s->blocks[s->block_of[l->store]];
  for (size_t i = b->first; i < b->first + b->n; i++)
    if (s->insts[i].class == SASS_STORE_SHARED && i != l->store && sass_same_place(s, i, l->other))
      return true;
  return false;
}

/* A value of its own that is kept in a register: only what is loaded tells where the level reaches. */
static bool kept_level(struct level *out, struct sass *s, size_t a, size_t b) {
  size_t load = is_shared_load(s, a) ? a : b, kept = load == a ? b : a;
  if (!is_shared_load(s, load) || (kept != SASS_NONE && !combines(&s->insts[kept])) ||
      sass_same_place(s, load, out->store))
    return false;
  out->other = load;
  out->own = SASS_NONE;
  out->in_place = sass_same_base(s, load, out->store);
  return out->in_place && at_once(s, load, out->store);
}

static bool level_of(struct level *out, struct sass *s, size_t store) {
  const struct sass_inst *x = &s->insts[store];
  const struct sass_range *reads[2] = {NULL, NULL};
  *out = (struct level){.store = store, .own = SASS_NONE, .other = SASS_NONE};
  if (x->class != SASS_STORE_SHARED || x->never || x->n_reads < 2 || x->bytes > LEVEL_BYTES_MOST)
    return false;
  out->makes = only_producer(s, store, &x->reads[x->n_reads - 1]); /* the last operand is what is stored */
  if (out->makes == SASS_NONE || !combines(&s->insts[out->makes]))
    return false;
  size_t n = data_reads(&s->insts[out->makes], reads);
  if (n == 1) { /* it scales what was combined */
    size_t scaled = only_producer(s, out->makes, reads[0]);
    if (scaled == SASS_NONE || !combines(&s->insts[scaled]))
      return false;
    out->makes = scaled;
    n = data_reads(&s->insts[scaled], reads);
  }
  if (n != 2)
    return false;
  size_t a = only_producer(s, out->makes, reads[0]), b = only_producer(s, out->makes, reads[1]);
  if (!is_shared_load(s, a) || !is_shared_load(s, b))
    return kept_level(out, s, a, b) && !other_is_stored(s, out);
  bool a_is_own = sass_same_place(s, a, store), b_is_own = sass_same_place(s, b, store);
  out->own = b_is_own ? b : a;
  out->other = b_is_own ? a : b;
  if (a_is_own && b_is_own) /* one place twice */
    return false;
  if (!a_is_own && !b_is_own) /* a pair that lies side by side, stored elsewhere */
    return a == b ? reads[0]->first != reads[1]->first : sass_same_base(s, a, b);
  out->in_place = true;
  return at_once(s, out->own, store) && at_once(s, out->other, store) && !other_is_stored(s, out);
}

/* ---- half as many ---- */

/* Marks what instruction i is made of, by instructions of the loop that are no loads. */
static void makers_mark(struct sass *s, size_t i, size_t loop, bool *seen) {
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  list[n++] = i;
  while (n > 0) {
    struct sass_producer from[TREE_PRODUCERS_MAX];
    size_t found = sass_producers(s, list[--n], from, TREE_PRODUCERS_MAX);
    for (size_t k = 0; k < found && k < TREE_PRODUCERS_MAX; k++) {
      size_t by = from[k].inst;
      if (seen[by] || !sass_in_loop(s, by, loop) || s->insts[by].access != ACCESS_NONE)
        continue;
      seen[by] = true;
      list[n++] = by;
    }
  }
  free(list);
}

static bool shifts_by_one(const struct sass_inst *x) {
  bool right = (opcode_is(x, "SHF") || opcode_is(x, "USHF")) && sass_modifier(x, "R");
  bool left = (opcode_is(x, "SHF") || opcode_is(x, "USHF")) && sass_modifier(x, "L") && strstr(x->text, ", 0x1,");
  return right || left ||
         ((opcode_is(x, "IMAD") || opcode_is(x, "UIMAD")) && sass_modifier(x, "SHL") && strstr(x->text, ", 0x2,"));
}

bool sass_halves(struct sass *s, size_t i, size_t loop) {
  bool *seen = calloc(s->n + 1, sizeof *seen), *again = calloc(s->n + 1, sizeof *again), found = false;
  makers_mark(s, i, loop, seen);
  for (size_t k = 0; k < s->n && !found; k++) {
    if (!seen[k] || !shifts_by_one(&s->insts[k]))
      continue;
    memset(again, 0, s->n * sizeof *again);
    makers_mark(s, k, loop, again);
    found = again[k];
  }
  free(seen);
  free(again);
  return found;
}

/* The branch that decides on the block of the instruction, in the loop; SASS_NONE: there is none. */
static size_t branch_to(const struct sass *s, size_t i, size_t loop) {
  size_t before = s->blocks[s->block_of[i]].idom;
  if (before == SASS_NONE)
    return SASS_NONE;
  size_t last = s->blocks[before].first + s->blocks[before].n - 1;
  return s->insts[last].conditional && sass_in_loop(s, last, loop) ? last : SASS_NONE;
}

/* The loop around the level whose turns are levels: the warps of a block meet in each. */
static size_t loop_of(struct sass *s, const struct level *l) {
  for (size_t loop = s->blocks[s->block_of[l->store]].loop; loop != SASS_NONE; loop = s->loops[loop].parent) {
    bool meets = false;
    for (size_t i = 0; i < s->n && !meets; i++)
      meets = is_barrier(&s->insts[i]) && sass_in_loop(s, i, loop);
    if (!meets)
      continue;
    if (s->loops[loop].n_insts > LOOP_INSTS_MOST)
      return SASS_NONE;
    size_t branch = branch_to(s, l->store, loop);
    bool half = (l->in_place && sass_halves(s, l->other, loop)) || sass_halves(s, l->store, loop) ||
                (branch != SASS_NONE && sass_halves(s, branch, loop));
    return half ? loop : SASS_NONE;
  }
  return SASS_NONE;
}

/* ---- the tree ---- */

struct levels {
  struct level list[LEVELS_MOST];
  size_t loop[LEVELS_MOST]; /* whose turns are levels; SASS_NONE: it is written out */
  size_t n;
};

static void part_mark(struct sass_tree *t, size_t i, enum sass_tree_part part) {
  if (i != SASS_NONE && t->of[i] < part)
    t->of[i] = (unsigned char)part;
}

static void level_mark(struct sass_tree *t, const struct level *l) {
  part_mark(t, l->own, TREE_PART);
  part_mark(t, l->other, TREE_PART);
  part_mark(t, l->store, TREE_PART);
  part_mark(t, l->makes, TREE_STEP);
}

/* A turn does nothing else than levels, but for what it sends to global memory. */
static void loop_mark(struct sass_tree *t, const struct sass *s, const struct level *l, size_t loop) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool global = x->access != ACCESS_NONE && x->space != SPACE_SHARED;
    if (sass_in_loop(s, i, loop) && !global && !x->never)
      part_mark(t, i, TREE_PART);
  }
  level_mark(t, l);
  t->levels++;
  t->turns += fmax(s->blocks[s->loops[loop].header].executed, 0);
}

/* The next level of the same place, at another distance and behind a barrier, which is *bar; past the end: there is none. */
static size_t next_level(struct sass *s, const struct levels *all, size_t from, size_t *bar) {
  const struct level *a = &all->list[from];
  for (size_t k = from + 1; k < all->n; k++) {
    const struct level *b = &all->list[k];
    if (all->loop[k] != SASS_NONE || !b->in_place || !sass_same_place(s, a->store, b->store))
      continue;
    *bar = a->store;
    while (*bar < b->store && !is_barrier(&s->insts[*bar]))
      ++*bar;
    return *bar < b->store && !sass_same_place(s, a->other, b->other) ? k : all->n;
  }
  return all->n;
}

static size_t barrier_behind(const struct sass *s, size_t i) {
  while (i < s->n && !is_barrier(&s->insts[i]))
    i++;
  return i < s->n ? i : SASS_NONE;
}

/* Of two levels and more; those of a chain are marked from its first on. */
static void chain_mark(struct sass_tree *t, struct sass *s, const struct levels *all, size_t from) {
  size_t bar = SASS_NONE, next = next_level(s, all, from, &bar);
  if (next == all->n)
    return;
  double entered = fmax(s->executed[bar], 0);
  size_t levels = 1;
  level_mark(t, &all->list[from]);
  for (; next < all->n; next = next_level(s, all, from, &bar)) {
    part_mark(t, bar, TREE_PART);
    level_mark(t, &all->list[next]);
    levels++;
    from = next;
  }
  t->levels += levels;
  t->entered += entered;
  t->in_warp += levels <= TREE_WARP ? entered : 0;
  t->warp_turns += levels <= TREE_WARP ? entered * (double)levels : 0;
  part_mark(t, barrier_behind(s, all->list[from].store), TREE_PART);
}

void sass_tree_make(struct sass_tree *out, struct sass *s) {
  struct levels *all = calloc(1, sizeof *all);
  *out = (struct sass_tree){.of = calloc(s->n + 1, sizeof *out->of)};
  for (size_t i = 0; i < s->n && all->n < LEVELS_MOST; i++)
    if (level_of(&all->list[all->n], s, i)) {
      all->loop[all->n] = loop_of(s, &all->list[all->n]);
      all->n++;
    }
  for (size_t k = 0; k < all->n; k++)
    if (all->loop[k] != SASS_NONE)
      loop_mark(out, s, &all->list[k], all->loop[k]);
    else if (all->list[k].in_place && out->of[all->list[k].store] == TREE_NOT)
      chain_mark(out, s, all, k);
  free(all);
}

void sass_tree_release(struct sass_tree *t) {
  free(t->of);
  *t = (struct sass_tree){0};
}
