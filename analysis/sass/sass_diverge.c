/* Which branch takes the lanes of a warp apart.
 *
 * What differs between lanes begins at the thread's and the lane's number; all
 * that reads it carries it on, loads at such addresses too.  Votes and the
 * uniform datapath make one value of it for the warp.  A branch on it holds
 * the code that only it leads to, or the loop that it leaves or turns. */
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>
#include <string.h>

enum { DIVERGE_PRODUCERS_MAX = 64 };

static bool is_one_for_all(const struct sass_inst *x) {
  static const char *const votes[] = {"VOTE", "VOTEU", "R2UR", "REDUX", "MATCH"};
  for (size_t i = 0; i < sizeof votes / sizeof votes[0]; i++)
    if (strcmp(x->opcode, votes[i]) == 0)
      return true;
  return x->class == SASS_UNIFORM;
}

static bool reads_differing(struct sass *s, size_t i, const bool *differs) {
  struct sass_producer from[DIVERGE_PRODUCERS_MAX];
  size_t n = sass_first_producers(s, i, from, DIVERGE_PRODUCERS_MAX);
  for (size_t k = 0; k < n; k++)
    if (differs[from[k].inst])
      return true;
  return false;
}

static void differing_mark(struct sass *s, bool *differs) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->n; i++) {
      const struct sass_inst *x = &s->insts[i];
      if (differs[i] || x->never || is_one_for_all(x))
        continue;
      differs[i] = is_threads_number(x) || x->class == SASS_ATOMIC || reads_differing(s, i, differs);
      more = more || differs[i];
    }
  }
}

static bool only_ends(const struct sass *s, size_t b) {
  return s->insts[s->blocks[b].first].ends;
}

/* The loop that a branch leaves or turns; SASS_NONE: it does neither. */
static size_t loop_left(const struct sass *s, size_t branch) {
  const struct sass_block *b = &s->blocks[s->block_of[branch]];
  bool leaves = false;
  for (size_t k = 0; k < b->n_succ && b->loop != SASS_NONE; k++)
    leaves = leaves || !sass_in_loop(s, s->blocks[b->succ[k]].first, b->loop);
  return leaves ? b->loop : SASS_NONE;
}

/* Where both ways meet again both have led. */
static bool leads_alone(const struct sass *s, size_t from, size_t to) {
  const struct sass_scratch *x = s->scratch;
  return s->blocks[to].idom == from && to != from && x->pred_at[to + 1] - x->pred_at[to] == 1;
}

static bool holds(const struct sass *s, size_t branch, size_t block) {
  size_t from = s->block_of[branch], loop = loop_left(s, branch);
  const struct sass_block *b = &s->blocks[from];
  if (loop != SASS_NONE)
    return sass_in_loop(s, s->blocks[block].first, loop);
  for (size_t k = 0; k < b->n_succ; k++)
    if (leads_alone(s, from, b->succ[k]) && sass_dominates(s, b->succ[k], block))
      return true;
  return false;
}

/* "ISETP.NE.AND P0, PT, R2, R43, PT": whether two numbers, neither of them known, are the
 * same.  1: it is true where they are not, -1 where they are, 0: it asks something else. */
static int asks_for_unlike(struct sass *s, size_t branch) {
  struct sass_producer from[DIVERGE_PRODUCERS_MAX];
  size_t n = sass_first_producers(s, branch, from, DIVERGE_PRODUCERS_MAX);
  const struct sass_inst *x = n == 1 ? &s->insts[from[0].inst] : NULL;
  if (!x || strcmp(x->opcode, "ISETP") != 0 || !sass_modifier(x, "AND") || !strstr(x->text, ", PT, R") ||
      x->n_reads != 2 || x->reads[0].file != FILE_R || x->reads[1].file != FILE_R)
    return 0;
  return sass_modifier(x, "NE") ? 1 : sass_modifier(x, "EQ") ? -1 : 0;
}

/* It skips what is for unlike numbers where two are the
 * same, as they seldom are: most lanes go on together. */
static bool skips_few(struct sass *s, size_t i) {
  const struct sass_block *b = &s->blocks[s->block_of[i]];
  int unlike = asks_for_unlike(s, i) * (s->insts[i].guard_negated ? -1 : 1); /* of the way taken */
  size_t target = unlike ? sass_find(s, s->insts[i].target) : SASS_NONE;
  bool held = false;
  for (size_t k = 0; k < b->n_succ && target != SASS_NONE; k++) {
    if (!leads_alone(s, s->block_of[i], b->succ[k]))
      continue;
    held = true;
    if ((b->succ[k] == s->block_of[target]) != (unlike > 0))
      return false;
  }
  return held;
}

/* A check that threads have an element, behind which the others end, is none. */
static bool divides(struct sass *s, size_t i, const bool *differs) {
  const struct sass_inst *x = &s->insts[i];
  const struct sass_block *b = &s->blocks[s->block_of[i]];
  if (!differs[i] || !x->branches || !x->conditional || !x->has_target || b->function != SASS_NONE || b->rare)
    return false;
  for (size_t k = 0; k < b->n_succ; k++)
    if (loop_left(s, i) == SASS_NONE && only_ends(s, b->succ[k]))
      return false;
  return b->n_succ > 1 && (loop_left(s, i) != SASS_NONE || !skips_few(s, i));
}

struct division {
  size_t branch;
  double insts, weight; /* held: instructions, and of these what no branch within holds */
};

/* It goes on with the next turn.  Of branches that leave one loop this
 * one asks for its length; another may be a break that is never taken. */
static bool turns_loop(const struct sass *s, size_t branch) {
  const struct sass_block *b = &s->blocks[s->block_of[branch]];
  for (size_t k = 0; k < b->n_succ && b->loop != SASS_NONE; k++)
    if (b->succ[k] == s->loops[b->loop].header)
      return true;
  return false;
}

static bool stands_within(const struct sass *s, const struct division *a, const struct division *b) {
  return a->insts != b->insts ? a->insts < b->insts : turns_loop(s, a->branch) && !turns_loop(s, b->branch);
}

static void divisions_weigh(struct division *list, size_t n, const struct sass *s, const double *weight) {
  for (size_t b = 0; b < s->n_blocks; b++) {
    double of_block = 0;
    size_t inner = SASS_NONE;
    for (size_t i = s->blocks[b].first; i < s->blocks[b].first + s->blocks[b].n; i++)
      of_block += weight[i];
    for (size_t k = 0; k < n && of_block > 0; k++)
      if (holds(s, list[k].branch, b) && (inner == SASS_NONE || stands_within(s, &list[k], &list[inner])))
        inner = k;
    if (inner != SASS_NONE)
      list[inner].weight += of_block;
  }
}

size_t sass_diverging_branch(struct sass *s, const double *weight) {
  enum { BRANCHES_MOST = 256 };
  static const double mostly = 0.5;
  struct division list[BRANCHES_MOST];
  size_t n = 0, first = 0;
  double all = 0;
  bool *differs = calloc(s->n + 1, sizeof *differs);
  differing_mark(s, differs);
  for (size_t i = 0; i < s->n; i++) {
    all += weight[i];
    if (n < BRANCHES_MOST && divides(s, i, differs))
      list[n++] = (struct division){.branch = i};
  }
  free(differs);
  for (size_t k = 0; k < n; k++)
    for (size_t b = 0; b < s->n_blocks; b++)
      list[k].insts += holds(s, list[k].branch, b) ? (double)s->blocks[b].n : 0;
  divisions_weigh(list, n, s, weight);
  for (size_t k = 1; k < n; k++)
    first = list[k].weight > list[first].weight ? k : first;
  double held = 0; /* by any: below half, what takes the lanes apart is not told */
  for (size_t k = 0; k < n; k++)
    held += list[k].weight;
  return n > 0 && all > 0 && held >= mostly * all ? list[first].branch : SASS_NONE;
}
