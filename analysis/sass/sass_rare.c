/* Blocks that stand in a kernel's text and hardly ever run: what sinf, cosf and tanf do
 * for an argument of 105615 or more (a reduction in a loop of its own, with an array in
 * local memory), and the functions that the compiler adds for what takes long: the same
 * in double precision, quotients and roots of denormal numbers.  The threshold: CUDA
 * C++ Programming Guide, "Maximize Instruction Throughput", trigonometric functions. */
#include "analysis/sass/sass_parts.h"

static const char THRESHOLD[] = ", 105615,";

static bool calls_compilers(const struct sass_inst *x) {
  const char *name;
  return sass_calls_compilers(x, &name);
}

/* The branch is taken, or is not, for a large argument of a trigonometric
 * function.  The compiler's functions spare the predicate. */
static bool asks_for_large(struct sass *s, size_t branch) {
  enum { WRITERS_MAX = 8 };
  struct sass_producer writers[WRITERS_MAX];
  size_t n = sass_producers(s, branch, writers, WRITERS_MAX), large = 0;
  for (size_t i = 0; i < n && i < WRITERS_MAX; i++) {
    const struct sass_inst *x = &s->insts[writers[i].inst];
    if (opcode_is(x, "FSETP") && sass_modifier(x, "GE") && strstr(x->text, THRESHOLD))
      large++;
    else if (!calls_compilers(x))
      return false;
  }
  return large > 0 && n <= WRITERS_MAX;
}

/* Where such a branch leads for a large argument, if nothing else leads there; SASS_NONE: nowhere. */
static size_t rare_after(struct sass *s, size_t block) {
  const struct sass_block *b = &s->blocks[block];
  size_t last = b->first + b->n - 1,
         target = s->insts[last].has_target ? sass_find(s, s->insts[last].target) : SASS_NONE;
  if (!s->insts[last].guarded || target == SASS_NONE || last + 1 >= s->n || !asks_for_large(s, last))
    return SASS_NONE;
  size_t to = s->block_of[s->insts[last].guard_negated ? last + 1 : target];
  return s->scratch->pred_at[to + 1] - s->scratch->pred_at[to] == 1 ? to : SASS_NONE;
}

/* Inner loops come first. */
static void find_innermost(struct sass *s) {
  for (size_t l = 0; l < s->n_loops; l++)
    s->loops[l].innermost = true;
  for (size_t l = 0; l < s->n_loops; l++) {
    struct sass_loop *x = &s->loops[l];
    bool works = !x->spins && !s->blocks[x->header].rare;
    x->innermost = x->innermost && works;
    if (works && x->parent != SASS_NONE)
      s->loops[x->parent].innermost = false;
  }
}

void sass_rare_mark(struct sass *s) {
  bool compilers = true; /* all functions that the kernel calls */
  for (size_t i = 0; i < s->n; i++)
    compilers = compilers && (!s->insts[i].calls || calls_compilers(&s->insts[i]));
  for (size_t b = 0; b < s->n_blocks; b++) {
    size_t to = s->blocks[b].reachable ? rare_after(s, b) : SASS_NONE;
    s->blocks[b].rare = s->blocks[b].rare || (compilers && !s->blocks[b].reachable);
    if (to != SASS_NONE)
      s->blocks[to].rare = true;
  }
  for (bool more = true; more;) { /* what one dominates is reached through it only */
    more = false;
    for (size_t b = 1; b < s->n_blocks; b++)
      if (s->blocks[b].reachable && !s->blocks[b].rare && s->blocks[s->blocks[b].idom].rare)
        more = s->blocks[b].rare = true;
  }
  find_innermost(s);
}
