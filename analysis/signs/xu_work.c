#include "analysis/signs/xu_work.h"

#include "analysis/signs/about.h"
#include "analysis/signs/division.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What becomes of a value. */
enum { AS_FLOAT = 1, AS_INTEGER = 2, AS_PLACE = 4 };

static void used_as_place(unsigned char *uses, size_t at, size_t *list, size_t *n) {
  if (!(uses[at] & AS_PLACE))
    list[(*n)++] = at;
  uses[at] |= AS_PLACE;
}

/* Of every instruction what its result is for, and whether an access's address is made of it, not through loads.  The caller frees it. */
static unsigned char *uses_make(struct sass *s) {
  unsigned char *uses = calloc(s->n + 1, sizeof *uses);
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  struct sass_producer from[SASS_READS_MAX];
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    long place = x->access == ACCESS_NONE ? -1 : sass_address_register(x);
    bool floats = strncmp(x->opcode, "I2F", 3) == 0;
    size_t all = sass_producers(s, i, from, SASS_READS_MAX);
    for (size_t k = 0; k < all && k < SASS_READS_MAX; k++) {
      uses[from[k].inst] |= floats ? AS_FLOAT : AS_INTEGER;
      if (from[k].range.file == FILE_R && from[k].range.first == place)
        used_as_place(uses, from[k].inst, list, &n);
    }
  }
  while (n > 0) {
    size_t at = list[--n], all = s->insts[at].wait == WAIT_LOAD ? 0 : sass_producers(s, at, from, SASS_READS_MAX);
    for (size_t k = 0; k < all && k < SASS_READS_MAX; k++)
      used_as_place(uses, from[k].inst, list, &n);
  }
  free(list);
  return uses;
}

/* XU_KINDS: none, or it is counted with another of its kind. */
static enum xu_kind kind_of(struct sass *s, size_t i, const unsigned char *uses) {
  const struct sass_inst *x = &s->insts[i];
  bool is_signed = !sass_modifier(x, "U32") && !sass_modifier(x, "U64") && !sass_modifier(x, "F64");
  if (strcmp(x->opcode, "F2I") == 0 && is_signed && (uses[i] == AS_FLOAT || uses[i] & AS_PLACE))
    return uses[i] == AS_FLOAT ? XU_ROUNDS : XU_INDICES;
  if (strcmp(x->opcode, "FRND") == 0)
    return sass_modifier(x, "F64") ? XU_KINDS : XU_ROUNDS;
  if (strcmp(x->opcode, "FCHK") == 0)
    return XU_DIVISIONS;
  return x->class == SASS_CONVERT && x->pipe == PIPE_XU && !sass_modifier(x, "F64") ? XU_CONVERTS : XU_KINDS;
}

void xu_work_of(struct xu_work *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  double nearest = 0, integers = integer_divisions(in);
  unsigned char *uses = s && s->counted ? uses_make(s) : NULL;
  *out = (struct xu_work){0};
  for (size_t i = 0; uses && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = fmax(s->executed[i], 0);
    enum xu_kind k = n > 0 ? kind_of(s, i, uses) : XU_KINDS;
    if (k == XU_KINDS)
      continue;
    out->of[k] += n;
    bool to_one_side = sass_modifier(x, "FLOOR") || sass_modifier(x, "CEIL") || sass_modifier(x, "TRUNC");
    nearest += k == XU_ROUNDS && !to_one_side ? n : 0;
  }
  free(uses);
  out->of[XU_DIVISIONS] += fmin(out->of[XU_DIVISIONS], executed_of(in, "MUFU", "RCP") - integers);
  out->of[XU_CONVERTS] = fmax(out->of[XU_CONVERTS] - 2 * integers, 0); /* to fp32 and back */
  out->by_nearest = 2 * nearest >= out->of[XU_ROUNDS];
}

/* The reciprocal that it makes an integer is a float whose bits were added to; that of the divisor is rounded up. */
static bool of_division(struct sass *s, size_t i) {
  struct sass_producer from[SASS_READS_MAX];
  size_t n = sass_producers(s, i, from, SASS_READS_MAX);
  bool added = n > 0 && strcmp(s->insts[i].opcode, "F2I") == 0 && sass_is_integer(&s->insts[from[0].inst]);
  return added || divides_integers(&s->insts[i]);
}

bool *xu_marked_make(const struct rule_input *in, enum xu_kind k) {
  struct sass *s = in->sass;
  bool *marked = s ? calloc(s->n + 1, sizeof *marked) : NULL;
  unsigned char *uses = marked ? uses_make(s) : NULL;
  for (size_t i = 0; uses && i < s->n; i++)
    marked[i] = s->executed[i] > 0 && kind_of(s, i, uses) == k && !of_division(s, i);
  free(uses);
  return marked;
}

const struct run_instruction *xu_place(const struct rule_input *in, enum xu_kind k) {
  bool *marked = xu_marked_make(in, k);
  const struct run_instruction *at = marked ? about_marked(in, marked, true) : NULL;
  free(marked);
  return at;
}
