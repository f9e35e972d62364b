/* Reaching writers: which of a register's writers may have written what a block finds there, for all blocks at once.
 *
 * The classic forward data flow, one bit a writer: in(b) is the union of out(p) over b's predecessors; out(b) is the block's last unguarded
 * writer and what stands behind it, else in(b) with the block's guarded writers.  It is worked out when a register is first asked for, so that
 * a kernel's whole def-use costs (registers asked for) x (blocks) and not (reads) x (blocks).
 */
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64 };

struct flow {
  struct sass *sass;
  unsigned bit; /* of the register */
  const size_t *writers;
  size_t n_writers, n_words;
  uint64_t *in;   /* n_words a block */
  uint64_t *made; /* by the block itself */
  bool *passes;   /* what reaches the block's start also leaves it */
};

static void flow_gather(struct flow *f) {
  for (size_t b = 0; b < f->sass->n_blocks; b++)
    f->passes[b] = true;
  for (size_t w = 0; w < f->n_writers; w++) {
    size_t b = f->sass->block_of[f->writers[w]];
    uint64_t *made = &f->made[b * f->n_words];
    const struct sass_block *block = &f->sass->blocks[b];
    if (sass_writes_surely(f->sass, f->writers[w], f->bit) ||
        sass_choice_writes(f->sass, f->writers[w], f->bit, block->first + block->n)) {
      memset(made, 0, f->n_words * sizeof *made);
      f->passes[b] = false;
    }
    made[w / WORD_BITS] |= UINT64_C(1) << (w % WORD_BITS);
  }
}

/* Adds what leaves block `from` to what reaches block `to`; true where that is more than before. */
static bool flow_edge(struct flow *f, size_t from, size_t to) {
  bool more = false;
  for (size_t k = 0; k < f->n_words; k++) {
    uint64_t out = f->made[from * f->n_words + k] | (f->passes[from] ? f->in[from * f->n_words + k] : 0);
    uint64_t *in = &f->in[to * f->n_words + k];
    more |= (out & ~*in) != 0;
    *in |= out;
  }
  return more;
}

/* Each word of a block's set only grows, so this ends. */
static void flow_settle(struct flow *f) {
  for (bool more = true; more;) {
    more = false;
    for (size_t b = 0; b < f->sass->n_blocks; b++)
      for (size_t k = 0; k < f->sass->blocks[b].n_succ; k++)
        more |= flow_edge(f, b, f->sass->blocks[b].succ[k]);
  }
}

const uint64_t *sass_reaching(struct sass *s, unsigned bit, size_t *n_words) {
  struct sass_scratch *x = s->scratch;
  size_t n = x->writers_at[bit + 1] - x->writers_at[bit];
  *n_words = (n + WORD_BITS - 1) / WORD_BITS;
  if (n == 0 || n > SASS_REACHING_MAX || x->reaching[bit])
    return n > SASS_REACHING_MAX ? NULL : x->reaching[bit];
  struct flow f = {
      .sass = s, .bit = bit, .writers = x->writers + x->writers_at[bit], .n_writers = n, .n_words = *n_words};
  f.in = calloc(s->n_blocks * f.n_words, sizeof *f.in);
  f.made = calloc(s->n_blocks * f.n_words, sizeof *f.made);
  f.passes = calloc(s->n_blocks, sizeof *f.passes);
  flow_gather(&f);
  flow_settle(&f);
  free(f.made);
  free(f.passes);
  return x->reaching[bit] = f.in;
}
