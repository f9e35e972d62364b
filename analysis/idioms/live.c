/* Liveness of registers, backwards from what reads them. */
#include "analysis/idioms/live.h"
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>

static void bits_clear_range(struct sass_bits *b, const struct sass_range *r) {
  for (unsigned k = 0; k < r->count; k++) {
    unsigned at = (unsigned)SASS_FILE_BIT[r->file] + r->first + k;
    b->words[at / 64] &= ~(UINT64_C(1) << (at % 64));
  }
}

static void live_before(struct sass_bits *live, const struct sass_inst *x) {
  for (size_t k = 0; k < x->n_writes && !x->guarded; k++)
    bits_clear_range(live, &x->writes[k]);
  for (size_t k = 0; k < x->n_reads && !x->never; k++)
    bits_set_range(live, &x->reads[k]);
}

void sass_live_through(struct sass_bits *live, const struct sass *s, const struct sass_block *b) {
  for (size_t i = b->first + b->n; i-- > b->first;)
    live_before(live, &s->insts[i]);
}

bool sass_bits_join(struct sass_bits *to, const struct sass_bits *from) {
  bool more = false;
  for (size_t k = 0; k < SASS_BIT_WORDS; k++) {
    more = more || (from->words[k] & ~to->words[k]);
    to->words[k] |= from->words[k];
  }
  return more;
}

static int general_registers(const struct sass_bits *b) {
  int n = 0;
  for (unsigned r = 0; r < SASS_FILE_SIZE[FILE_R]; r++)
    n += bits_has(b, (unsigned)SASS_FILE_BIT[FILE_R] + r);
  return n;
}

static bool counts(const struct sass *s, const struct sass_block *b) {
  return b->reachable && !b->rare && b->function == SASS_NONE && (!s->counted || b->executed > 0);
}

/* What is live behind the block. */
static void live_behind(struct sass_bits *out, const struct sass *s, const struct sass_block *b,
                        const struct sass_bits *live) {
  *out = (struct sass_bits){{0}};
  for (size_t k = 0; k < b->n_succ; k++)
    if (counts(s, &s->blocks[b->succ[k]]))
      sass_bits_join(out, &live[b->succ[k]]);
}

/* Behind each instruction of the block: what it writes has a register, even if nothing reads it. */
static int peak_of(const struct sass *s, const struct sass_block *b, struct sass_bits now) {
  int peak = 0;
  for (size_t i = b->first + b->n; i-- > b->first;) {
    const struct sass_inst *x = &s->insts[i];
    struct sass_bits with = now;
    for (size_t k = 0; k < x->n_writes && !x->never; k++)
      bits_set_range(&with, &x->writes[k]);
    int n = general_registers(&with);
    peak = n > peak ? n : peak;
    live_before(&now, x);
  }
  int n = general_registers(&now);
  return n > peak ? n : peak;
}

/* What a function of the program's own needs beside what its caller keeps is not followed. */
static bool calls_others(const struct sass *s) {
  const char *name;
  for (size_t i = 0; i < s->n; i++)
    if (s->insts[i].calls && counts(s, &s->blocks[s->block_of[i]]) && !sass_calls_compilers(&s->insts[i], &name))
      return true;
  return s->indirect;
}

int sass_live_peak(const struct sass *s) {
  if (calls_others(s))
    return 0;
  struct sass_bits *live = calloc(s->n_blocks + 1, sizeof *live), now;
  int peak = 0;
  for (bool more = true; more;) {
    more = false;
    for (size_t b = s->n_blocks; b-- > 0;) {
      if (!counts(s, &s->blocks[b]))
        continue;
      live_behind(&now, s, &s->blocks[b], live);
      sass_live_through(&now, s, &s->blocks[b]);
      more = sass_bits_join(&live[b], &now) || more;
    }
  }
  for (size_t b = 0; b < s->n_blocks; b++)
    if (counts(s, &s->blocks[b])) {
      live_behind(&now, s, &s->blocks[b], live);
      int n = peak_of(s, &s->blocks[b], now);
      peak = n > peak ? n : peak;
    }
  free(live);
  return peak;
}
