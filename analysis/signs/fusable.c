#include "analysis/signs/fusable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Products that something else than adds reads. */
static void mark_other_uses(bool *other, struct sass *s, const char *add) {
  struct sass_producer from[SASS_READS_MAX];
  for (size_t i = 0; i < s->n; i++) {
    if (strcmp(s->insts[i].opcode, add) == 0 || !(s->executed[i] > 0))
      continue;
    size_t n = sass_producers(s, i, from, SASS_READS_MAX);
    for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
      other[from[k].inst] = true;
  }
}

double adds_of_products(const struct rule_input *in, const char *add, const char *multiply) {
  struct sass *s = in->sass;
  struct sass_producer from[SASS_READS_MAX];
  double adds = 0, products = 0;
  if (!s || !s->counted || executed_of(in, add, NULL) <= 0 || executed_of(in, multiply, NULL) <= 0)
    return 0;
  bool *other = calloc(s->n + 1, sizeof *other);
  mark_other_uses(other, s, add);
  for (size_t i = 0; i < s->n; i++) {
    const char *opcode = s->insts[i].opcode;
    double executed = fmax(s->executed[i], 0);
    bool product = false;
    products += strcmp(opcode, multiply) == 0 && !other[i] ? executed : 0;
    if (strcmp(opcode, add) != 0)
      continue;
    size_t n = sass_producers(s, i, from, SASS_READS_MAX);
    for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
      product =
          product || (!from[k].may && !other[from[k].inst] && strcmp(s->insts[from[k].inst].opcode, multiply) == 0);
    adds += product ? executed : 0;
  }
  free(other);
  return fmin(adds, products);
}

double fusable_pairs(const struct rule_input *in) {
  return adds_of_products(in, "FADD", "FMUL") + adds_of_products(in, "DADD", "DMUL");
}
