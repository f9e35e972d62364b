#include "analysis/idioms/copy_stages.h"

/* Of an innermost loop: a turn closes so many groups, and leaves at its one wait so many open.  Where the turn's own groups are closed behind the wait, a tile
 * more is under way than is left open. */
static int stages_of(const struct sass *s, size_t loop) {
  unsigned closed = 0, waits = 0, left = 0, after = 0, n;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->never || s->blocks[s->block_of[i]].loop != loop)
      continue;
    if (sass_groups_left(x, &n)) {
      waits++;
      left = n;
      after = closed;
    }
    closed += opcode_is(x, "LDGDEPBAR");
  }
  if (closed == 0 || waits != 1 || left % closed != 0 || (after != 0 && after != closed))
    return 0;
  return (int)(left / closed) + (after == 0 ? 2 : 1);
}

int sass_copy_stages(const struct sass *s) {
  int stages = 0;
  double most = 0;
  for (size_t loop = 0; loop < s->n_loops; loop++) {
    double executed = s->blocks[s->loops[loop].header].executed;
    int own = stages_of(s, loop);
    if (own > 0 && (stages == 0 || executed > most)) {
      stages = own;
      most = executed;
    }
  }
  return stages;
}

bool sass_turn_skips(const struct sass *s, size_t inst) {
  size_t of = s->block_of[inst], loop = s->blocks[of].loop;
  for (size_t b = 0; b < s->n_blocks && loop != SASS_NONE; b++)
    for (size_t k = 0; k < s->blocks[b].n_succ; k++) {
      bool latch = s->blocks[b].succ[k] == s->loops[loop].header && sass_in_loop(s, s->blocks[b].first, loop);
      if (latch && s->blocks[b].reachable && !sass_dominates(s, of, b))
        return true;
    }
  return false;
}
