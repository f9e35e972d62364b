#include "analysis/signs/block_tree.h"

#include "analysis/idioms/tree.h"
#include "analysis/signs/about.h"

#include <math.h>
#include <stdlib.h>

/* A warp's values are one after as many steps as a tree has levels, each a shuffle and what combines.  Of a block, each warp hands its value on through shared memory, where
 * the block meets once, and the values of the warps are one after as many steps. */
enum { STEPS = 2 * TREE_WARP, STEP_INSTS = 2, HANDED_ON = 2 };

static const double MOST = 0.5; /* of a kind of instruction: then the tree is what to speak of */

struct shuffled { /* warp instructions that take the tree's place */
  double steps, handed_on;
};

/* A loop makes as many turns as the block has halves. */
static struct shuffled shuffled_of(const struct rule_input *in, const struct sass_tree *t) {
  double levels = fmax(ceil(log2((double)launch_block_threads(in->f->launch))), 1);
  double by_loops = t->turns / levels, written_out = t->entered - t->in_warp;
  bool in_warp = levels <= TREE_WARP;
  return (struct shuffled){.steps = t->warp_turns + STEPS * written_out + (in_warp ? levels : STEPS) * by_loops,
                           .handed_on = written_out + (in_warp ? 0 : by_loops)};
}

static const struct run_instruction *level_place(const struct rule_input *in, const struct sass_tree *t) {
  bool *marked = calloc(in->sass->n + 1, sizeof *marked);
  for (size_t i = 0; i < in->sass->n; i++)
    marked[i] = t->of[i] == TREE_STEP || (t->of[i] == TREE_PART && about_shared(&in->sass->insts[i]));
  const struct run_instruction *at = about_marked(in, marked, false);
  free(marked);
  return at;
}

static void parts_add(struct tree_insts *out, const struct sass *s, const struct sass_tree *t) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = t->of[i] == TREE_NOT ? 0 : fmax(s->executed[i], 0);
    out->insts += n;
    out->alu += x->pipe == PIPE_ALU ? n : 0;
    out->fma += x->pipe == PIPE_FMA ? n : 0;
    out->xu += x->pipe == PIPE_XU ? n : 0;
    out->shared += about_shared(x) ? n : 0;
    out->barriers += about_barriers(x) ? n : 0;
  }
}

bool block_tree_of(struct block_tree *out, const struct rule_input *in, unsigned char **of) {
  struct sass_tree t;
  *out = (struct block_tree){0};
  if (!in->sass || !in->sass->counted || !in->f->launch)
    return false;
  sass_tree_make(&t, in->sass);
  if (t.levels > 0) {
    struct shuffled x = shuffled_of(in, &t);
    parts_add(&out->has, in->sass, &t);
    out->goes = out->has;
    out->goes.insts = fmax(out->has.insts - STEP_INSTS * x.steps - HANDED_ON * x.handed_on, 0);
    out->goes.shared = fmax(out->has.shared - x.steps - HANDED_ON * x.handed_on, 0); /* shuffles take the same path */
    out->goes.barriers = fmax(out->has.barriers - x.handed_on, 0);
    out->shuffles = x.steps;
    out->at = level_place(in, &t);
  }
  bool found = out->goes.insts > 0;
  if (found && of) {
    *of = t.of;
    t.of = NULL;
  }
  sass_tree_release(&t);
  return found;
}

double shared_executed(const struct rule_input *in) {
  return executed_in(in, SASS_LOAD_SHARED, PIPE_UNKNOWN) + executed_in(in, SASS_STORE_SHARED, PIPE_UNKNOWN) +
         executed_in(in, SASS_SHUFFLE, PIPE_UNKNOWN);
}

double barriers_executed(const struct rule_input *in) {
  double n = 0;
  for (size_t i = 0; i < in->sass->n; i++)
    n += about_barriers(&in->sass->insts[i]) ? fmax(in->sass->executed[i], 0) : 0;
  return n;
}

bool tree_has_shared(const struct rule_input *in, const struct block_tree *t) {
  return t->has.shared > MOST * shared_executed(in);
}

bool tree_waits(const struct rule_input *in, const struct block_tree *t) {
  return rule_value(in, "stall_barrier_share", 0) > 0 && t->has.barriers > MOST * barriers_executed(in);
}
