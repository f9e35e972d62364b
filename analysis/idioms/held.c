/* Registers that live from one turn of a loop to the next: sums that the turns add to, and
 * addresses. */
#include "analysis/idioms/held.h"

#include "analysis/idioms/live.h"
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>

static bool is_arithmetic(const struct sass_inst *x) {
  return x->class == SASS_FP16 || x->class == SASS_FP32 || x->class == SASS_FP64 || x->class == SASS_TENSOR;
}

static bool holds(const struct sass *s, size_t block, size_t loop) {
  return s->blocks[block].n > 0 && sass_in_loop(s, s->blocks[block].first, loop);
}

/* What a turn reads of what was there before it: of the loop's blocks alone, until nothing is
 * added. */
static void live_at_header(struct sass_bits *out, const struct sass *s, size_t loop) {
  struct sass_bits *live = calloc(s->n_blocks + 1, sizeof *live);
  for (bool more = true; more;) {
    more = false;
    for (size_t b = s->n_blocks; b-- > 0;) {
      struct sass_bits now = {{0}};
      if (!holds(s, b, loop))
        continue;
      for (size_t k = 0; k < s->blocks[b].n_succ; k++)
        if (holds(s, s->blocks[b].succ[k], loop))
          sass_bits_join(&now, &live[s->blocks[b].succ[k]]);
      sass_live_through(&now, s, &s->blocks[b]);
      more = sass_bits_join(&live[b], &now) || more;
    }
  }
  *out = live[s->loops[loop].header];
  free(live);
}

/* Of the writers in the loop one that may have written what the next turn finds is of that kind. */
static bool made_by(struct sass *s, unsigned bit, size_t loop, bool (*is)(const struct sass_inst *)) {
  size_t n_words = 0, first = s->scratch->writers_at[bit], n = s->scratch->writers_at[bit + 1] - first;
  const uint64_t *reaching = sass_reaching(s, bit, &n_words);
  for (size_t w = 0; reaching && w < n; w++) {
    size_t writer = s->scratch->writers[first + w];
    if (reaching[s->loops[loop].header * n_words + w / 64] >> (w % 64) & 1 && sass_in_loop(s, writer, loop) &&
        is(&s->insts[writer]))
      return true;
  }
  return false;
}

static bool is_access(const struct sass_inst *x) {
  return x->access != ACCESS_NONE;
}

/* Registers that a turn finds of accesses' addresses; the last operand of a store is what is
 * stored. */
static void addresses_mark(struct sass_bits *out, const struct sass *s, size_t loop) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool stores = x->access == ACCESS_STORE || x->access == ACCESS_ATOMIC;
    if (!is_access(x) || !sass_in_loop(s, i, loop))
      continue;
    for (size_t k = 0; k + (stores ? 1 : 0) < x->n_reads; k++)
      bits_set_range(out, &x->reads[k]);
  }
}

/* Registers that it reads and that were not found at the turn's start: they come in its course. */
static int operands_of(const struct sass_inst *x, const struct sass_bits *found) {
  int n = 0;
  for (size_t k = 0; k < x->n_reads; k++)
    for (unsigned r = 0; r < x->reads[k].count && x->reads[k].file == FILE_R; r++)
      n += !bits_has(found, (unsigned)SASS_FILE_BIT[FILE_R] + x->reads[k].first + r);
  return n;
}

/* It hands on one of two values, and makes none: what a turn keeps or takes over so is no sum. */
static bool selects(const struct sass_inst *x) {
  return opcode_is(x, "FSEL") || opcode_is(x, "SEL");
}

/* Registers, or groups of them, that an instruction of the loop adds to: it reads what it writes,
 * and finds it at the turn's start. */
static int chains_of(const struct sass *s, size_t loop, const struct sass_bits *found) {
  struct sass_bits seen = {{0}};
  int n = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool adds = false;
    for (size_t k = 0; k < x->n_reads && x->n_writes > 0; k++)
      adds = adds || ranges_overlap(&x->reads[k], &x->writes[0]);
    if (!adds || x->never || selects(x) || !is_arithmetic(x) || x->writes[0].file != FILE_R ||
        !sass_in_loop(s, i, loop))
      continue;
    unsigned at = (unsigned)SASS_FILE_BIT[FILE_R] + x->writes[0].first;
    n += bits_has(found, at) && !bits_has(&seen, at);
    bits_set_range(&seen, &x->writes[0]);
  }
  return n;
}

void sass_held_of(struct sass_held *out, struct sass *s, size_t loop) {
  struct sass_bits found = {{0}}, of_accesses = {{0}};
  *out = (struct sass_held){0};
  if (loop == SASS_NONE)
    return;
  live_at_header(&found, s, loop);
  addresses_mark(&of_accesses, s, loop);
  out->chains = chains_of(s, loop, &found);
  for (unsigned r = 0; r < SASS_FILE_SIZE[FILE_R]; r++) {
    unsigned bit = (unsigned)SASS_FILE_BIT[FILE_R] + r;
    if (!bits_has(&found, bit))
      continue;
    if (made_by(s, bit, loop, is_arithmetic))
      out->sums++;
    else if (bits_has(&of_accesses, bit) || made_by(s, bit, loop, sass_is_integer))
      out->addresses++;
  }
  for (size_t i = 0; i < s->n; i++)
    if (sass_in_loop(s, i, loop) && !s->insts[i].never) {
      int n = operands_of(&s->insts[i], &found);
      out->operands = n > out->operands ? n : out->operands;
    }
}
