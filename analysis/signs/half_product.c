#include "analysis/signs/half_product.h"

#include <string.h>

enum { PRODUCERS_MAX = 16 };

static bool widens(const struct sass_inst *x) {
  bool bf16 = (strcmp(x->opcode, "IMAD") == 0 && strncmp(x->modifiers, ".U32", 4) == 0 && strstr(x->text, "0x10000")) ||
              (strcmp(x->opcode, "PRMT") == 0 && strstr(x->text, "0x7632"));
  return bf16 || (strcmp(x->opcode, "HADD2") == 0 && strncmp(x->modifiers, ".F32", 4) == 0);
}

static bool overlap(const struct sass_range *a, const struct sass_range *b) {
  return a->file == b->file && a->first < b->first + b->count && b->first < a->first + a->count;
}

static bool brings(const struct sass_inst *x) {
  return x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED;
}

static bool multiplies(const struct sass_inst *x) {
  return strcmp(x->opcode, "FFMA") == 0 || strcmp(x->opcode, "FMUL") == 0;
}

/* Both of its factors are as they were loaded, or widened: what is worked out of several values, as a quotient, belongs to no matrix. */
static bool multiplies_loaded(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  struct sass_producer from[PRODUCERS_MAX];
  size_t n = x->n_reads >= FACTORS ? sass_producers(s, i, from, PRODUCERS_MAX) : 0;
  bool loaded[FACTORS] = {false};
  if (n > PRODUCERS_MAX)
    return false;
  for (size_t k = 0; k < n; k++)
    for (size_t f = 0; f < FACTORS; f++) {
      if (!overlap(&x->reads[f], &from[k].range))
        continue;
      if (!brings(&s->insts[from[k].inst]) && !widens(&s->insts[from[k].inst]))
        return false;
      loaded[f] = true;
    }
  return loaded[0] && loaded[1];
}

bool half_product_of(struct half_product *out, const struct rule_input *in) {
  enum { HALF_BYTES = 2 };
  static const double MOST = 0.5;
  double loaded = 0, products = 0, insts = rule_value(in, "inst_executed", 0);
  const struct sass *s = in->sass && in->sass->counted ? in->sass : NULL;
  *out = (struct half_product){0};
  for (size_t i = 0; s && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool computes = multiplies(x) || strcmp(x->opcode, "FADD") == 0;
    out->converts += widens(x) ? s->executed[i] : 0;
    out->arithmetic += computes ? s->executed[i] : 0;
    loaded += brings(x) ? s->executed[i] * x->bytes / HALF_BYTES : 0;
  }
  if (out->converts <= 0 || out->arithmetic + out->converts <= MOST * insts)
    return false; /* before what is costly to ask */
  for (size_t i = 0; i < s->n; i++)
    products += multiplies(&s->insts[i]) && multiplies_loaded(in->sass, i) ? s->executed[i] : 0;
  return products > loaded;
}
