#include "analysis/signs/split_loop.h"

#include "analysis/idioms/advance.h"
#include "analysis/idioms/block_work.h"
#include "analysis/idioms/handed_on.h"
#include "analysis/idioms/loop_state.h"
#include "analysis/idioms/serial.h"
#include "analysis/idioms/tree.h"
#include "analysis/idioms/turn_bounds.h"
#include "analysis/signs/about.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/swap_retries.h"
#include "analysis/signs/waves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_LEAST = 2 }; /* one turn is nothing to share out */

const struct run_instruction *loop_head(const struct rule_input *in, size_t loop) {
  const struct sass *s = in->sass;
  const struct sass_inst *header = &s->insts[s->blocks[s->loops[loop].header].first];
  const struct run_instruction *found = NULL;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->branches && x->has_target && x->target == header->offset && sass_in_loop(s, i, loop) && about_inst(in, i))
      found = about_inst(in, i);
  }
  return found;
}

/* Turns a time that the loop is entered; where counts are estimates, which do not say how often
 * that is, its turns over those of the loop around it, or over the warps of the grid: to two
 * digits, as they are shared out by samples.  0: unknown. */
static double turns_in(const struct rule_input *in, size_t loop) {
  const struct sass *s = in->sass;
  const struct sass_loop *x = &s->loops[loop];
  double warps = grid_blocks(in) * ceil((double)launch_block_threads(in->f->launch) / RULE_LANES);
  double around = x->parent == SASS_NONE ? warps : s->blocks[s->loops[x->parent].header].executed;
  double turns = s->blocks[x->header].executed;
  if (x->trips.present)
    return x->trips.v;
  if (!s->counted || !(s->estimated || s->spread) || !(around > 0) || turns < around)
    return 0;
  double digit = pow(10, floor(log10(turns / around)) - 1);
  return round(turns / around / digit) * digit;
}

/* A block's own reduction has no turns to give away: a tree, or what halves its work at a barrier each turn. */
static bool is_tree(const struct sass *s, const unsigned char *tree, size_t loop) {
  bool meets = false, halves = false, level = false;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (s->blocks[s->block_of[i]].loop != loop)
      continue;
    level = level || (tree && tree[i] == TREE_STEP);
    meets = meets || x->wait == WAIT_BLOCK;
    halves = halves || (strcmp(x->opcode, "SHF") == 0 && sass_modifier(x, "R") && strstr(x->text, ", 0x1,"));
  }
  return level || (meets && halves);
}

/* It adds that number to a register of its own. */
static bool adds(const struct sass_inst *x, long number) {
  const char *at = strstr(x->text, ", 0x");
  char *end;
  return x->class == SASS_INTEGER && at && strtol(at + 2, &end, 16) == number && x->n_writes > 0 && x->n_reads > 0 &&
         x->reads[0].file == x->writes[0].file && x->reads[0].first == x->writes[0].first;
}

/* It moves on by as many as the grid has threads: a grid-stride loop of a grid that was known as it was compiled. */
static bool adds_all_threads(const struct rule_input *in, size_t loop) {
  const struct sass *s = in->sass;
  long threads = (long)(grid_blocks(in) * (double)launch_block_threads(in->f->launch));
  for (size_t i = 0; i < s->n; i++)
    if (s->blocks[s->block_of[i]].loop == loop && adds(&s->insts[i], threads))
      return true;
  return false;
}

/* The loop's turns load far from one another: lanes that take them do not load side by side.  Turns that are unrolled move on by a few elements. */
static bool turns_lie_apart(const struct rule_input *in, size_t i, size_t loop) {
  enum { UNROLLED_MOST = 16 };
  struct sass *s = in->sass;
  if (s->blocks[s->block_of[i]].loop != loop)
    return false;
  enum sass_advance by = sass_advance_of(s, i, (long)launch_block_threads(in->f->launch));
  long moved = labs(sass_moved_bytes(s, i));
  return moved > UNROLLED_MOST * s->insts[i].bytes || (moved == 0 && (by == ADVANCE_LAUNCH || by == ADVANCE_OTHER));
}

/* Whether neighbouring lanes load side by side in the loop, most of the times: then lanes have other work than its turns. */
static enum split_by split_by_of(const struct rule_input *in, size_t loop) {
  struct sass *s = in->sass;
  struct sass_step *steps = rule_steps_make(in);
  double beside = 0, apart = 0, far = 0, all = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = s->counted ? fmax(s->executed[i], 0) : 1;
    if (x->class != SASS_LOAD_GLOBAL || x->never || !sass_in_loop(s, i, loop))
      continue;
    all += n;
    beside += steps[i].kind == STEP_BYTES && labs(steps[i].bytes) == x->bytes ? n : 0;
    far += turns_lie_apart(in, i, loop) ? n : 0;
    apart += steps[i].kind == STEP_TIMES || (steps[i].kind == STEP_BYTES && labs(steps[i].bytes) > x->bytes) ? n : 0;
  }
  free(steps);
  return apart > 0                         ? (beside > 0 || 2 * far > all ? SPLIT_ANYHOW : SPLIT_LANES)
         : beside >= all / 2 && beside > 0 ? SPLIT_WARPS
                                           : SPLIT_ANYHOW;
}

bool split_loop_of(struct split_loop *out, const struct rule_input *in, double least) {
  struct sass_summary summary;
  struct sass_tree tree = {0};
  size_t best = SASS_NONE;
  *out = (struct split_loop){0};
  if (!in->sass || !in->f->launch || walks(in))
    return false;
  sass_summarise(in->sass, &summary);
  sass_tree_make(&tree, in->sass);
  for (size_t l = summary.hot; l != SASS_NONE; l = in->sass->loops[l].parent) {
    double n = turns_in(in, l);
    if (n <= out->turns || sass_recurrence(in->sass, l) != SASS_NONE || is_tree(in->sass, tree.of, l) ||
        sass_hands_on(in->sass, l) || sass_ends_by_own_count(in->sass, l))
      continue;
    out->turns = n;
    best = l;
  }
  sass_tree_release(&tree);
  if (best == SASS_NONE || out->turns < fmax(least, TURNS_LEAST))
    return false;
  out->counted = in->sass->loops[best].trips.present;
  out->at = loop_head(in, best);
  out->by = split_by_of(in, best);
  out->as_compiled = !sass_loop_strides_grid(in->sass, best);
  out->strides = !out->as_compiled || adds_all_threads(in, best);
  out->product = sass_product(in->sass, best) != SASS_NONE;
  size_t sum = sass_adds_in_place(in->sass, best);
  out->adds_at = sum == SASS_NONE ? NULL : about_inst(in, sum);
  return true;
}

double grid_turns(const struct rule_input *in) {
  struct sass_summary summary;
  double turns = 0;
  if (!in->sass || !in->f->launch || chained_load(in) != SASS_NONE)
    return 0;
  sass_summarise(in->sass, &summary);
  for (size_t l = summary.hot; l != SASS_NONE; l = in->sass->loops[l].parent)
    if (sass_recurrence(in->sass, l) == SASS_NONE && (sass_loop_strides_grid(in->sass, l) || adds_all_threads(in, l)))
      turns = fmax(turns, turns_in(in, l));
  return turns >= TURNS_LEAST ? turns : 0;
}

double shared_out(const struct rule_input *in) {
  return fmax(shareable(in), grid_turns(in));
}

bool grid_is_few(const struct rule_input *in) {
  return grid_blocks(in) > 0 && 2 * grid_blocks(in) < wave_blocks(in) && grid_turns(in) > 0;
}

/* Of loops that hold none but retries of a swap, the most executed; what retries is none. */
static size_t working_loop(const struct sass *s) {
  size_t most = SASS_NONE;
  for (size_t l = 0; l < s->n_loops; l++) {
    bool inner = !loop_retries_swap(s, l) && !s->loops[l].spins;
    for (size_t k = 0; k < s->n_loops && inner; k++)
      inner = s->loops[k].parent != l || loop_retries_swap(s, k);
    if (inner && (most == SASS_NONE || s->loops[l].executed > s->loops[most].executed))
      most = l;
  }
  return most;
}

size_t uneven_loop(const struct rule_input *in) {
  struct sass_summary summary;
  if (!in->sass)
    return SASS_NONE;
  sass_summarise(in->sass, &summary);
  size_t l =
      summary.hot != SASS_NONE && loop_retries_swap(in->sass, summary.hot) ? working_loop(in->sass) : summary.hot;
  while (l != SASS_NONE && sass_data_bound(in->sass, l) == SASS_NONE)
    l = in->sass->loops[l].parent;
  return l;
}
