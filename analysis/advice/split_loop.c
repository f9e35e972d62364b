#include "analysis/advice/split_loop.h"

#include "analysis/advice/about.h"
#include "analysis/advice/code_place.h"

#include <math.h>

enum { TURNS_LEAST = 2 }; /* one turn is nothing to share out */

/* The compiler gives the branch back the line of the `for` or `while`, other instructions those
 * of the body. */
static const struct run_instruction *head_of(const struct rule_input *in, size_t loop) {
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

bool split_loop_of(struct split_loop *out, const struct rule_input *in, double least) {
  struct sass_summary summary;
  size_t best = SASS_NONE;
  *out = (struct split_loop){0};
  if (!in->sass || !in->f->launch || chained_load(in) != SASS_NONE)
    return false;
  sass_summarise(in->sass, &summary);
  for (size_t l = summary.hot; l != SASS_NONE; l = in->sass->loops[l].parent) {
    double n = turns_in(in, l);
    if (n <= out->turns || sass_recurrence(in->sass, l) != SASS_NONE)
      continue;
    out->turns = n;
    best = l;
  }
  if (best == SASS_NONE || out->turns < fmax(least, TURNS_LEAST))
    return false;
  out->at = head_of(in, best);
  return true;
}

const char *split_loop_words(const struct rule_input *in, const struct split_loop *t, const char *rest) {
  struct code_place place = {0};
  if (t->at)
    code_place_of(&place, in->all->run, t->at);
  const char *line = place.line ? line_words(in, place.line->source, place.line->line) : NULL;
  return pool_printf(in->pool, "each thread makes about %s turns%s%s%s: split that loop over lanes or blocks%s",
                     count_words(in, t->turns), line ? " (" : " of its loop, ", line ? line : "as compiled",
                     line ? ", as compiled)" : "", rest);
}
