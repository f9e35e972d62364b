/* Whether a branch asks where a thread stands: its number, the launch and the kernel's arguments, and nothing that was loaded or computed of data. */
#include "analysis/idioms/guards.h"

#include <stdlib.h>

enum { GUARD_PRODUCERS_MAX = 64 };

static bool is_data(const struct sass_inst *x) {
  switch (x->class) {
  case SASS_LOAD_GLOBAL:
  case SASS_LOAD_LOCAL:
  case SASS_LOAD_SHARED:
  case SASS_ATOMIC:
  case SASS_SHUFFLE:
  case SASS_FP32:
  case SASS_FP64:
    return true;
  case SASS_FP16:
    return !strstr(x->text, "-RZ, RZ"); /* else a constant is moved */
  default:
    return x->calls; /* what a function makes is not followed */
  }
}

static bool is_blocks_number(const struct sass_inst *x) {
  return strstr(x->text, "SR_CTAID") || strstr(x->text, "SR_CLUSTERID");
}

struct asked {
  bool number, block, data, more; /* more: than is followed */
};

/* Of every instruction at most once, in a list and not by recursion: kernels have chains of thousands. */
static struct asked asked_by(struct sass *s, size_t i) {
  struct asked out = {0};
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  bool *seen = calloc(s->n + 1, sizeof *seen);
  list[n++] = i;
  while (n > 0) {
    struct sass_producer from[GUARD_PRODUCERS_MAX];
    size_t found = sass_producers(s, list[--n], from, GUARD_PRODUCERS_MAX);
    out.more = out.more || found > GUARD_PRODUCERS_MAX;
    for (size_t k = 0; k < found && k < GUARD_PRODUCERS_MAX; k++) {
      size_t at = from[k].inst;
      bool data = is_data(&s->insts[at]);
      out.number = out.number || is_threads_number(&s->insts[at]);
      out.block = out.block || is_blocks_number(&s->insts[at]);
      out.data = out.data || data;
      if (!data && !seen[at])
        list[n++] = at;
      seen[at] = true;
    }
  }
  free(list);
  free(seen);
  return out;
}

bool sass_asks_place(struct sass *s, size_t i) {
  struct asked x = asked_by(s, i);
  return x.number && !x.data && !x.more;
}

bool sass_asks_data(struct sass *s, size_t i) {
  struct asked x = asked_by(s, i);
  return x.data || x.more;
}

bool sass_asks_block(struct sass *s, size_t i) {
  struct asked x = asked_by(s, i);
  return x.block || x.more;
}

/* Whoever turns the loop has been there. */
static bool is_of_every_turn(struct sass *s, size_t i, size_t loop) {
  size_t header = s->loops[loop].header;
  for (size_t b = 0; b < s->n_blocks; b++)
    for (size_t k = 0; k < s->blocks[b].n_succ; k++)
      if (s->blocks[b].succ[k] == header && sass_in_loop(s, s->blocks[b].first, loop) &&
          !sass_dominates(s, s->block_of[i], b))
        return false;
  return true;
}

bool sass_is_let(struct sass *s, size_t i, size_t loop, sass_asker *asks) {
  size_t header = s->loops[loop].header;
  if (s->insts[i].guarded)
    return asks(s, i, loop);
  for (size_t b = is_of_every_turn(s, i, loop) ? header : s->block_of[i]; b != header && b != SASS_NONE;
       b = s->blocks[b].idom) {
    size_t before = s->blocks[b].idom;
    size_t last = before == SASS_NONE ? SASS_NONE : s->blocks[before].first + s->blocks[before].n - 1;
    bool jumps = last != SASS_NONE && s->insts[last].branches && s->insts[last].guarded;
    if (jumps && sass_in_loop(s, last, loop) && asks(s, last, loop))
      return true;
  }
  return false;
}
