/* A kernel in one struct. */
#include "analysis/sass/sass_parts.h"

#include <string.h>

/* Instructions that somebody wrote: not what fills the end of a kernel or mends the timing of another. */
static bool counts(const struct sass_inst *i) {
  return !i->never && !i->malformed && strcmp(i->opcode, "NOP") != 0;
}

static bool loads_memory(const struct sass_inst *i) {
  return i->class == SASS_LOAD_GLOBAL || i->access == ACCESS_ASYNC_COPY || i->access == ACCESS_BULK_COPY;
}

static bool hotter(const struct sass *s, const struct sass_loop *a, const struct sass_loop *b) {
  if (s->counted)
    return a->executed > b->executed;
  return a->depth != b->depth ? a->depth > b->depth : a->n_insts > b->n_insts;
}

static size_t hottest(const struct sass *s) {
  size_t hot = SASS_NONE;
  for (size_t l = s->n_loops; l-- > 0;) /* in the order of the text, so that the first of equals is taken */
    if (s->loops[l].innermost && (hot == SASS_NONE || hotter(s, &s->loops[l], &s->loops[hot])))
      hot = l;
  return hot;
}

static void count_inst(const struct sass *s, size_t at, struct sass_summary *out) {
  const struct sass_inst *i = &s->insts[at];
  struct sass_class_count *c = &out->classes[i->class];
  out->insts++;
  out->unknown += !i->known;
  out->pipes[i->pipe]++;
  c->insts++;
  if (s->executed[at] > 0)
    c->executed.v += s->executed[at];
  if (s->blocks[s->block_of[at]].rare)
    return;
  out->spill_loads += i->class == SASS_LOAD_LOCAL;
  out->spill_stores += i->class == SASS_STORE_LOCAL;
  if (!loads_memory(i) || !i->bytes)
    return;
  if (i->bytes > out->widest_load)
    out->widest_load = i->bytes;
  if (!out->narrowest_load || i->bytes < out->narrowest_load)
    out->narrowest_load = i->bytes;
}

bool sass_summed(const struct sass *s, size_t at, size_t loop) {
  const struct sass_block *b = &s->blocks[s->block_of[at]];
  return b->reachable && !b->rare && counts(&s->insts[at]) && (loop == SASS_NONE || sass_in_loop(s, at, loop));
}

static bool loop_loads(const struct sass *s, size_t loop) {
  for (size_t at = 0; at < s->n; at++)
    if (sass_summed(s, at, loop) && loads_memory(&s->insts[at]))
      return true;
  return false;
}

static void count_hot(const struct sass *s, struct sass_summary *out) {
  for (size_t at = 0; at < s->n; at++)
    if (sass_summed(s, at, out->hot)) {
      out->hot_insts++;
      out->hot_classes[s->insts[at].class]++;
    }
}

/* By the counts where there are some, else once through the text, which is one turn where no loop that works stands within. */
static void count_stream(const struct sass *s, struct sass_summary *out) {
  static const char bulk_reason[] = "bulk copies (UBLKCP, UTMALDG) move bytes that their instructions do not name";
  bool bulk = false;
  double bytes = 0, insts = 0, moved = 0;
  for (size_t at = 0; at < s->n; at++) {
    const struct sass_inst *i = &s->insts[at];
    if (!sass_summed(s, at, out->stream))
      continue;
    double weight = s->counted ? s->executed[at] : 1;
    int asked = loads_memory(i) ? i->bytes : 0;
    bulk = bulk || i->access == ACCESS_BULK_COPY;
    bytes += asked;
    insts += weight;
    moved += weight * asked;
  }
  out->stream_bytes = bulk ? (struct value){.reason = bulk_reason} : (struct value){.present = true, .v = bytes};
  if (bulk)
    out->insts_per_byte = out->stream_bytes;
  else if (moved <= 0)
    out->insts_per_byte = (struct value){.reason = "nothing is loaded from global memory"};
  else if (!s->counted && out->stream != out->hot)
    out->insts_per_byte = (struct value){.reason = "the loads stand outside the hottest loop, and there are no counts"};
  else
    out->insts_per_byte = (struct value){.present = true, .v = insts / moved};
}

void sass_summarise(struct sass *s, struct sass_summary *out) {
  memset(out, 0, sizeof *out);
  for (size_t c = 0; c < SASS_CLASSES; c++) {
    out->classes[c].executed.present = s->counted;
    out->classes[c].executed.reason = s->counted ? NULL : "no executed counts";
  }
  for (size_t i = 0; i < s->n; i++)
    if (counts(&s->insts[i]))
      count_inst(s, i, out);
  out->hot = hottest(s);
  count_hot(s, out);
  out->stream = out->hot;
  while (out->stream != SASS_NONE && !loop_loads(s, out->stream))
    out->stream = s->loops[out->stream].parent;
  count_stream(s, out);
  sass_flight_of(s, out->stream, &out->flight);
}
