/* Basic blocks and the edges between them. */
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>
#include <string.h>

static int by_offset(const void *offset, const void *inst) {
  uint32_t a = *(const uint32_t *)offset, b = ((const struct sass_inst *)inst)->offset;
  return (a > b) - (a < b);
}

size_t sass_find(const struct sass *s, uint32_t offset) {
  const struct sass_inst *i = s->n ? bsearch(&offset, s->insts, s->n, sizeof *s->insts, by_offset) : NULL;
  return i ? (size_t)(i - s->insts) : SASS_NONE;
}

enum { SEARCH_INSTS = 16384, SEARCH_MATCHES = 64 }; /* far enough; the whole text for each would take too long */

/* Threads that meet at a BSYNC go on where the BSSY of that barrier said.  Compilers put the BSYNC
 * right before that place, or in a block far away: then the nearest BSSY of the barrier before it
 * in the text is taken. */
static size_t convergence_target(const struct sass *s, size_t sync) {
  const struct sass_inst *i = &s->insts[sync];
  if (!i->n_reads)
    return SASS_NONE;
  uint8_t barrier = i->reads[0].first;
  size_t nearest = SASS_NONE, seen = 0;
  size_t stop = sync > SEARCH_INSTS ? sync - SEARCH_INSTS : 0;
  for (size_t b = sync; b-- > stop && seen < SEARCH_MATCHES;) {
    const struct sass_inst *set = &s->insts[b];
    if (!opcode_is(set, "BSSY") || !set->n_writes || set->writes[0].first != barrier || !set->has_target)
      continue;
    size_t target = sass_find(s, set->target);
    if (target == sync + 1)
      return target;
    if (!seen++)
      nearest = target;
  }
  return nearest;
}

/* Where an instruction may go besides on to the next; falls: whether it may go on. */
static size_t jump_of(const struct sass *s, size_t at, bool *falls) {
  const struct sass_inst *i = &s->insts[at];
  *falls = true;
  if (i->never)
    return SASS_NONE;
  if (i->ends) {
    *falls = i->guarded;
    return SASS_NONE;
  }
  if (opcode_is(i, "BSYNC")) {
    size_t target = convergence_target(s, at);
    *falls = i->guarded || target == SASS_NONE || target == at + 1;
    return target == at + 1 ? SASS_NONE : target;
  }
  if (!i->branches)
    return SASS_NONE;
  *falls = i->conditional;
  return i->has_target ? sass_find(s, i->target) : SASS_NONE;
}

static bool closes_block(const struct sass_inst *i) {
  return !i->never && (i->branches || i->ends || opcode_is(i, "BSYNC"));
}

static size_t mark_leaders(struct sass *s, bool *leads) {
  leads[0] = true;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (closes_block(x) && i + 1 < s->n)
      leads[i + 1] = true;
    size_t target = x->has_target && !x->never ? sass_find(s, x->target) : SASS_NONE;
    if (target != SASS_NONE)
      leads[target] = true;
    s->indirect = s->indirect || (x->branches && !x->never && target == SASS_NONE);
  }
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++)
    n += leads[i];
  return n;
}

static void add_edge(struct sass_block *b, size_t to) {
  for (size_t k = 0; k < b->n_succ; k++)
    if (b->succ[k] == to)
      return;
  b->succ[b->n_succ++] = to;
}

static void connect(struct sass *s, size_t block) {
  struct sass_block *b = &s->blocks[block];
  size_t last = b->first + b->n - 1;
  bool falls = true;
  size_t jump = jump_of(s, last, &falls);
  if (falls && last + 1 < s->n)
    add_edge(b, s->block_of[last + 1]);
  if (jump != SASS_NONE)
    add_edge(b, s->block_of[jump]);
}

static void list_predecessors(struct sass *s) {
  const struct sass_scratch *x = s->scratch;
  for (size_t b = 0; b < s->n_blocks; b++)
    for (size_t k = 0; k < s->blocks[b].n_succ; k++)
      x->pred_at[s->blocks[b].succ[k] + 1]++;
  for (size_t b = 0; b < s->n_blocks; b++) {
    x->pred_at[b + 1] += x->pred_at[b];
    x->stack[b] = x->pred_at[b];
  }
  for (size_t b = 0; b < s->n_blocks; b++)
    for (size_t k = 0; k < s->blocks[b].n_succ; k++)
      x->preds[x->stack[s->blocks[b].succ[k]]++] = b * SASS_SUCCESSORS_MAX + k;
}

static void gather_written(struct sass *s) {
  for (size_t i = 0; i < s->n; i++) {
    struct sass_bits *b = &s->scratch->written[s->block_of[i]];
    for (size_t w = 0; s->insts[i].calls && w < SASS_BIT_WORDS; w++)
      b->words[w] |= sass_call_writes(s, i)->words[w];
    for (size_t w = 0; w < s->insts[i].n_writes; w++)
      bits_set_range(b, &s->insts[i].writes[w]);
  }
}

/* Calls see(context, bit, inst) for each register that an instruction may write, in order. */
static void each_write(struct sass *s, void (*see)(struct sass_scratch *x, size_t bit, size_t inst)) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *at = &s->insts[i];
    const struct sass_bits *by_call = at->calls ? sass_call_writes(s, i) : NULL;
    for (unsigned bit = 0; by_call && bit < SASS_BITS; bit++)
      if (bits_has(by_call, bit))
        see(s->scratch, bit, i);
    for (size_t w = 0; w < at->n_writes && !at->calls; w++)
      for (unsigned r = 0; r < at->writes[w].count; r++)
        see(s->scratch, (size_t)SASS_FILE_BIT[at->writes[w].file] + at->writes[w].first + r, i);
  }
}

static void write_count(struct sass_scratch *x, size_t bit, size_t inst) {
  (void)inst;
  x->writers_at[bit + 1]++;
}

/* writers_at[bit] is where the next one goes, and ends as the start of the bit after. */
static void write_place(struct sass_scratch *x, size_t bit, size_t inst) {
  x->writers[x->writers_at[bit]++] = inst;
}

static void list_writers(struct sass *s) {
  struct sass_scratch *x = s->scratch;
  x->writers_at = calloc(SASS_BITS + 1, sizeof *x->writers_at);
  each_write(s, write_count);
  for (size_t bit = 0; bit < SASS_BITS; bit++)
    x->writers_at[bit + 1] += x->writers_at[bit];
  x->writers = calloc(x->writers_at[SASS_BITS] + 1, sizeof *x->writers);
  each_write(s, write_place);
  memmove(x->writers_at + 1, x->writers_at, SASS_BITS * sizeof *x->writers_at);
  x->writers_at[0] = 0;
}

static void allocate(struct sass *s) {
  struct sass_scratch *x = s->scratch;
  s->blocks = calloc(s->n_blocks, sizeof *s->blocks);
  x->written = calloc(s->n_blocks, sizeof *x->written);
  x->preds = calloc(s->n_blocks * SASS_SUCCESSORS_MAX, sizeof *x->preds);
  x->pred_at = calloc(s->n_blocks + 1, sizeof *x->pred_at);
  x->feed_mark = calloc(s->n, sizeof *x->feed_mark);
  x->block_mark = calloc(s->n_blocks, sizeof *x->block_mark);
  x->stack = calloc(s->n_blocks, sizeof *x->stack);
  x->queue = calloc(s->n, sizeof *x->queue);
}

void sass_flow_make(struct sass *s) {
  bool *leads = calloc(s->n, sizeof *leads);
  s->n_blocks = mark_leaders(s, leads);
  allocate(s);
  size_t b = SASS_NONE;
  for (size_t i = 0; i < s->n; i++) {
    if (leads[i])
      s->blocks[++b] =
          (struct sass_block){.first = i, .idom = SASS_NONE, .loop = SASS_NONE, .function = SASS_NONE, .executed = -1};
    s->blocks[b].n++;
    s->block_of[i] = b;
  }
  free(leads);
  for (b = 0; b < s->n_blocks; b++)
    connect(s, b);
  list_predecessors(s);
  sass_calls_make(s);
  gather_written(s);
  list_writers(s);
}
