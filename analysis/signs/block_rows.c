#include "analysis/signs/block_rows.h"

#include <math.h>
#include <string.h>

bool blocks_are_rows(const struct rule_input *in) {
  static const double HALF = 0.5;
  const struct sass *s = in->sass;
  double loads = 0, stores = 0;
  bool exchanges = false, prefix = false;
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = x->never ? 0 : fmax(s->executed[i], 0);
    bool shuffles = n > 0 && strcmp(x->opcode, "SHFL") == 0;
    loads = x->class == SASS_LOAD_GLOBAL ? fmax(loads, n) : loads;
    stores = x->class == SASS_STORE_GLOBAL ? fmax(stores, n) : stores;
    exchanges = exchanges || (shuffles && (sass_modifier(x, "BFLY") || sass_modifier(x, "DOWN")));
    prefix = prefix || (shuffles && sass_modifier(x, "UP"));
  }
  return exchanges && !prefix && stores > 0 && stores >= HALF * loads;
}
