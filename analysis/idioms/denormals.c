/* Denormals around an approximation, which the XU takes for zero:
 *
 *   FSETP.GEU.AND P3, PT, |R5|, 1.175494350822287508e-38, PT    the least normal number; before EX2 -126, its exponent
 *   @!P3 FMUL R5, R5, 16777216                                  2^24; before EX2 0.5
 *   MUFU.RSQ R4, R5
 *   @!P3 FMUL R4, R4, 4096                                      2^12; of LG2 a sum with -24, of EX2 the square
 *
 * or, where the scaled value is chosen: FMUL R6, R5, 16777216 and FSEL R5, R6, R5, !P3. */
#include "analysis/idioms/denormals.h"

#include <stdlib.h>

enum { DENORMAL_PRODUCERS = 16 };
static const char LEAST_NORMAL[] = ", 1.175494350822287508e-38, PT", LEAST_EXPONENT[] = ", -126, PT",
                  SCALE[] = ", 16777216";

static bool is_test(const struct sass_inst *x) {
  return opcode_is(x, "FSETP") && !x->guarded && x->n_writes > 0 && x->writes[0].file == FILE_P &&
         (strstr(x->text, LEAST_NORMAL) || strstr(x->text, LEAST_EXPONENT));
}

static bool asks(const struct sass_inst *x, const struct sass_range *predicate) {
  bool asked = x->guarded && ranges_overlap(&x->guard, predicate);
  for (size_t k = 0; k < x->n_reads && !asked; k++)
    asked = ranges_overlap(&x->reads[k], predicate);
  return asked;
}

static bool overwrites(const struct sass_inst *x, const struct sass_range *predicate) {
  for (size_t k = 0; k < x->n_writes; k++)
    if (ranges_overlap(&x->writes[k], predicate))
      return true;
  return false;
}

/* The end of the instructions behind the test that may ask for its result. */
static size_t end_of(const struct sass *s, size_t test) {
  const struct sass_block *b = &s->blocks[s->block_of[test]];
  size_t i = test + 1;
  while (i < b->first + b->n && !overwrites(&s->insts[i], &s->insts[test].writes[0]))
    i++;
  return i;
}

/* It scales, or chooses what is scaled. */
static bool scales(const struct sass_inst *x) {
  return opcode_is(x, "FMUL") || opcode_is(x, "FADD") || opcode_is(x, "FSEL");
}

static bool feeds(struct sass *s, size_t to, size_t from) {
  struct sass_producer by[DENORMAL_PRODUCERS];
  size_t n = sass_producers(s, to, by, DENORMAL_PRODUCERS);
  for (size_t k = 0; k < n && k < DENORMAL_PRODUCERS; k++)
    if (by[k].inst == from)
      return true;
  return false;
}

/* Nothing but scaling asks for the test's result, and some of it is for an approximation. */
static bool is_for_xu(struct sass *s, size_t test, size_t end) {
  const struct sass_block *b = &s->blocks[s->block_of[test]];
  bool found = false;
  for (size_t i = test + 1; i < end; i++) {
    if (!asks(&s->insts[i], &s->insts[test].writes[0]))
      continue;
    if (!scales(&s->insts[i]))
      return false;
    for (size_t k = i + 1; k < b->first + b->n && !found; k++)
      found = s->insts[k].class == SASS_SPECIAL && feeds(s, k, i);
  }
  return found;
}

static void mark(struct sass *s, size_t test, size_t end, bool *out) {
  size_t first = s->blocks[s->block_of[test]].first;
  out[test] = true;
  for (size_t i = test + 1; i < end; i++) {
    if (!asks(&s->insts[i], &s->insts[test].writes[0]))
      continue;
    out[i] = true;
    for (size_t k = first; k < i && opcode_is(&s->insts[i], "FSEL"); k++)
      out[k] = out[k] || (opcode_is(&s->insts[k], "FMUL") && strstr(s->insts[k].text, SCALE) && feeds(s, i, k));
  }
}

bool *sass_denormals_make(struct sass *s, double *approximations) {
  bool *out = calloc(s->n + 1, sizeof *out);
  *approximations = 0;
  for (size_t i = 0; i < s->n; i++) {
    if (!is_test(&s->insts[i]) || !s->blocks[s->block_of[i]].reachable)
      continue;
    size_t end = end_of(s, i);
    if (!is_for_xu(s, i, end))
      continue;
    mark(s, i, end, out);
    *approximations += s->executed[i] > 0 ? s->executed[i] : 0;
  }
  return out;
}
