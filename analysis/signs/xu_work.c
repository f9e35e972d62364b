#include "analysis/signs/xu_work.h"

#include "analysis/signs/about.h"
#include "analysis/signs/division.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_mufu(const struct sass_inst *x, const char *function) {
  return strcmp(x->opcode, "MUFU") == 0 && sass_modifier(x, function);
}

/* What nvcc 12.9 and 13.0 put between logarithm and exponential: the exponent's product, and the
 * scaling of denormals, by 2^24 and by 2. */
static bool scales_logarithm(const struct sass_inst *x) {
  return strcmp(x->opcode, "FMUL") == 0 || (strcmp(x->opcode, "FADD") == 0 && strstr(x->text, ", -24"));
}

static bool is_of_logarithm(struct sass *s, size_t i, int deep) {
  enum { STEPS = 4 }; /* the two scalings, the product, the logarithm */
  struct sass_producer from[SASS_READS_MAX];
  size_t n = deep < STEPS ? sass_producers(s, i, from, SASS_READS_MAX) : 0;
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++) {
    const struct sass_inst *x = &s->insts[from[k].inst];
    if (is_mufu(x, "LG2") || (scales_logarithm(x) && is_of_logarithm(s, from[k].inst, deep + 1)))
      return true;
  }
  return false;
}

/* XU_KINDS: none, or it is counted with another of its kind. */
static enum xu_kind kind_of(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  if (strcmp(x->opcode, "FRND") == 0)
    return sass_modifier(x, "F64") ? XU_KINDS : XU_ROUNDS;
  if (strcmp(x->opcode, "FCHK") == 0)
    return XU_DIVISIONS;
  if (is_mufu(x, "EX2"))
    return is_of_logarithm(s, i, 0) ? XU_POWERS : XU_KINDS;
  return x->class == SASS_CONVERT && x->pipe == PIPE_XU && !sass_modifier(x, "F64") ? XU_CONVERTS : XU_KINDS;
}

void xu_work_of(struct xu_work *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  double nearest = 0, integers = integer_divisions(in);
  *out = (struct xu_work){0};
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = fmax(s->executed[i], 0);
    enum xu_kind k = n > 0 ? kind_of(s, i) : XU_KINDS;
    if (k == XU_KINDS)
      continue;
    out->of[k] += k == XU_POWERS ? 2 * n : n;
    bool to_one_side = sass_modifier(x, "FLOOR") || sass_modifier(x, "CEIL") || sass_modifier(x, "TRUNC");
    nearest += k == XU_ROUNDS && !to_one_side ? n : 0;
  }
  out->of[XU_DIVISIONS] += fmin(out->of[XU_DIVISIONS], executed_of(in, "MUFU", "RCP") - integers);
  out->of[XU_CONVERTS] = fmax(out->of[XU_CONVERTS] - 2 * integers, 0); /* to fp32 and back */
  out->by_nearest = 2 * nearest >= out->of[XU_ROUNDS];
}

const struct run_instruction *xu_place(const struct rule_input *in, enum xu_kind k) {
  bool *marked = in->sass ? calloc(in->sass->n + 1, sizeof *marked) : NULL;
  for (size_t i = 0; marked && i < in->sass->n; i++)
    marked[i] = in->sass->executed[i] > 0 && kind_of(in->sass, i) == k;
  const struct run_instruction *at = marked ? about_marked(in, marked, true) : NULL;
  free(marked);
  return at;
}
