#include "analysis/signs/same_code.h"

#include "analysis/sass/sass_parts.h"

#include <stdlib.h>
#include <string.h>

enum { SAME_CODE_INSTS_MAX = 1 << 13 }; /* all pairs of them are compared */

static bool same_line(const struct run_line *a, const struct run_line *b) {
  return a->source == b->source && a->line == b->line;
}

/* One line, and called from two places. */
static bool inlined_twice(const struct run_instruction *a, const struct run_instruction *b) {
  bool other = false;
  if (a->n_lines < 2 || a->n_lines != b->n_lines || a->lines[0].source < 0 || !same_line(&a->lines[0], &b->lines[0]))
    return false;
  for (size_t k = 1; k < a->n_lines; k++)
    other = other || !same_line(&a->lines[k], &b->lines[k]);
  return other;
}

/* Neither runs whenever the other does. */
static bool in_other_branch(const struct sass *s, size_t i, size_t k) {
  return !sass_dominates(s, s->block_of[i], s->block_of[k]) && !sass_dominates(s, s->block_of[k], s->block_of[i]);
}

static bool is_for_some(const struct sass *s, size_t i) {
  static const double SOME = 0.75; /* of the lanes */
  return s->executed[i] > 0 && s->threads[i] >= 0 && s->threads[i] < SOME * RULE_LANES * s->executed[i];
}

/* Of an opcode of a line, how often it stands on the ways that lead over it: twice where the line is called twice in one branch. */
static size_t copies_of(const struct sass *s, size_t i) {
  const struct run_instruction *all = s->kernel->sass;
  size_t n = 0;
  for (size_t k = 0; k < s->n && all[i].n_lines > 0; k++)
    n += all[k].n_lines > 0 && same_line(&all[i].lines[0], &all[k].lines[0]) &&
         strcmp(s->insts[i].opcode, s->insts[k].opcode) == 0 && !in_other_branch(s, i, k);
  return n;
}

/* copies_of(), kept; 0: not asked yet. */
static size_t copies_kept(size_t *copies, const struct sass *s, size_t i) {
  return copies[i] = copies[i] ? copies[i] : copies_of(s, i);
}

/* One place behind both branches can stand for both: neither turns in a loop of its branch alone, and each branch has as many. */
static bool can_be_one(const struct sass *s, size_t *copies, size_t i, size_t k) {
  return s->blocks[s->block_of[i]].loop == s->blocks[s->block_of[k]].loop &&
         strcmp(s->insts[i].opcode, s->insts[k].opcode) == 0 && copies_kept(copies, s, i) == copies_kept(copies, s, k);
}

double same_code_part(const struct rule_input *in) {
  const struct sass *s = in->sass;
  double all = 0, same = 0;
  if (!s || !s->counted || s->estimated || s->spread || s->n > SAME_CODE_INSTS_MAX)
    return 0;
  size_t *copies = calloc(s->n + 1, sizeof *copies);
  for (size_t i = 0; i < s->n; i++) {
    bool found = false;
    double n = s->executed[i] > 0 ? s->executed[i] : 0;
    for (size_t k = 0; k < s->n && !found && is_for_some(s, i); k++)
      found = inlined_twice(&s->kernel->sass[i], &s->kernel->sass[k]) && is_for_some(s, k) &&
              in_other_branch(s, i, k) && can_be_one(s, copies, i, k);
    all += n;
    same += found ? n : 0;
  }
  free(copies);
  return all > 0 ? same / all : 0;
}
