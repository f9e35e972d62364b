/* Functions of a product of two values that were loaded, as sqrtf(a[i] * b[j]): taken for every pair, where one for each value would do. */
#include "analysis/idioms/products.h"
#include "analysis/sass/sass_parts.h"

#include <math.h>
#include <string.h>

enum { PRODUCTS_PRODUCERS_MAX = 16 };

/* Of all that may have written what instruction i reads in this place, every one is of that kind.  *one: one of them. */
static bool all_are(struct sass *s, size_t i, const struct sass_range *range, bool (*is)(const struct sass_inst *),
                    size_t *one) {
  struct sass_producer from[PRODUCTS_PRODUCERS_MAX];
  size_t n = sass_producers(s, i, from, PRODUCTS_PRODUCERS_MAX), found = 0;
  for (size_t k = 0; k < n && k < PRODUCTS_PRODUCERS_MAX; k++) {
    if (!ranges_same(&from[k].range, range))
      continue;
    if (!is(&s->insts[from[k].inst]))
      return false;
    *one = from[k].inst;
    found++;
  }
  return found > 0 && n <= PRODUCTS_PRODUCERS_MAX;
}

static bool multiplies(const struct sass_inst *x) {
  return strcmp(x->opcode, "FMUL") == 0;
}

static bool loads(const struct sass_inst *x) {
  return x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED;
}

static bool is_of_product(struct sass *s, size_t i) {
  size_t product, load[2];
  if (s->insts[i].n_reads != 1 || !all_are(s, i, &s->insts[i].reads[0], multiplies, &product))
    return false;
  const struct sass_inst *x = &s->insts[product];
  return x->n_reads == 2 && all_are(s, product, &x->reads[0], loads, &load[0]) &&
         all_are(s, product, &x->reads[1], loads, &load[1]) && load[0] != load[1];
}

bool sass_of_products(struct sass *s, const char *function) {
  double of_products = 0, all = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    const struct sass_block *b = &s->blocks[s->block_of[i]];
    if (strcmp(x->opcode, "MUFU") != 0 || !sass_modifier(x, function) || x->never || b->loop == SASS_NONE ||
        b->function != SASS_NONE)
      continue;
    double n = s->counted ? fmax(s->executed[i], 0) : 1;
    all += n;
    of_products += is_of_product(s, i) ? n : 0;
  }
  return of_products > all / 2;
}
